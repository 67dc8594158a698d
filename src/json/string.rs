//! String decoding, with a map from each decoded byte to its source.
//!
//! Decoding never fails: an invalid escape stays as it is written, and a lone surrogate, which no
//! text can contain, becomes U+FFFD.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::lexer::Lexer;
use super::{JsonKind, JsonNode};
use crate::json::non_json::is_quote;
use crate::never::OrNever;
use crate::text::{Span, saturate};

/// The beginnings of the escapes of surrogates.
static SURROGATES: LazyLock<[Finder<'static>; 2]> =
    LazyLock::new(|| [Finder::new("\\ud"), Finder::new("\\uD")]);

/// A part of a string's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StringPiece {
    /// Literal text.
    Raw,
    /// An escape.
    Escape(char),
    /// An escape of half a surrogate pair without its counterpart.
    Lone(u16),
    /// A `\` that begins no JSON escape; only the `\`.
    Unknown,
    /// An escape that is cut off by the end of the content.
    Cut,
}

impl StringPiece {
    /// True if the text stands for itself.
    fn is_raw(self) -> bool {
        matches!(self, Self::Raw | Self::Unknown | Self::Cut)
    }

    /// The number of decoded bytes of such a piece at `span`.
    fn decoded_len(self, span: Span) -> usize {
        match self {
            Self::Raw | Self::Unknown | Self::Cut => span.len(),
            Self::Escape(c) => c.len_utf8(),
            Self::Lone(_) => char::REPLACEMENT_CHARACTER.len_utf8(),
        }
    }
}

/// The content of a string, split into [`StringPiece`]s with their spans.
pub(super) struct StringPieces<'a> {
    lexer: Lexer<'a>,
}

impl<'a> StringPieces<'a> {
    /// The pieces of `content` in `text`.
    pub(super) fn new(text: &'a str, content: Span) -> Self {
        let text = text.get(..content.end as usize).or_never();
        Self { lexer: Lexer { text, pos: content.start as usize } }
    }

    /// The code unit of the `\uXXXX` at `pos`.
    fn unit(&self, pos: usize) -> Option<u16> {
        let escape = self.lexer.text.get(pos..pos + 6)?;
        let digits =
            escape.strip_prefix("\\u").filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    }

    fn escape(&self, pos: usize) -> (StringPiece, usize) {
        let simple = |c: char| (StringPiece::Escape(c), 2);
        match self.lexer.byte(pos + 1) {
            Some(b'b') => simple('\u{8}'),
            Some(b'f') => simple('\u{c}'),
            Some(b'n') => simple('\n'),
            Some(b'r') => simple('\r'),
            Some(b't') => simple('\t'),
            Some(byte @ (b'"' | b'\\' | b'/')) => simple(char::from(byte)),
            Some(b'u') => self.unicode(pos),
            Some(_) => (StringPiece::Unknown, 1),
            None => (StringPiece::Cut, 1),
        }
    }

    fn unicode(&self, pos: usize) -> (StringPiece, usize) {
        let Some(unit) = self.unit(pos) else {
            return match self.lexer.escape(pos) {
                (length, true) => (StringPiece::Cut, length),
                (length, false) => (StringPiece::Unknown, length),
            };
        };
        if let Some(c) = char::from_u32(u32::from(unit)) {
            return (StringPiece::Escape(c), 6);
        }
        let pair = [unit, self.unit(pos + 6).unwrap_or_default()];
        match char::decode_utf16(pair).next() {
            Some(Ok(c)) => (StringPiece::Escape(c), 12),
            _ => (StringPiece::Lone(unit), 6),
        }
    }
}

impl Iterator for StringPieces<'_> {
    type Item = (StringPiece, Span);

    fn next(&mut self) -> Option<Self::Item> {
        let start = self.lexer.pos;
        let rest = self.lexer.text.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let (piece, length) = match memchr::memchr(b'\\', rest) {
            Some(0) => self.escape(start),
            found => (StringPiece::Raw, found.unwrap_or(rest.len())),
        };
        self.lexer.pos = start + length;
        Some((piece, Span::new(start, start + length)))
    }
}

/// The content span of a string or key in `text`: without its quotes.
pub(crate) fn content(text: &str, node: JsonNode) -> Span {
    let raw = node.span.of(text);
    if let (true, [b'"', .., b'"']) = (node.closed, raw.as_bytes()) {
        return Span { start: node.span.start + 1, end: node.span.end - 1 };
    }
    let mut chars = raw.chars();
    let Some(open) = chars.next().filter(|&c| is_quote(c)) else { return node.span };
    let close = if node.closed { chars.next_back().map_or(0, char::len_utf8) } else { 0 };
    Span::new(node.span.start as usize + open.len_utf8(), node.span.end as usize - close)
}

/// The decoded content of a string, key or unquoted word.
pub(super) fn decode(text: &str, node: JsonNode) -> Cow<'_, str> {
    let content = content(text, node);
    if !is_escaped(node) {
        return Cow::Borrowed(content.of(text));
    }
    let mut decoded = String::with_capacity(content.len());
    for (piece, span) in StringPieces::new(text, content) {
        push_piece(&mut decoded, text, piece, span);
    }
    Cow::Owned(decoded)
}

/// Like [`decode`], but decodes only a beginning of at least `min_len` bytes of a longer string.
pub(super) fn decode_beginning(text: &str, node: JsonNode, min_len: usize) -> Cow<'_, str> {
    let content = content(text, node);
    if !is_escaped(node) {
        return Cow::Borrowed(content.of(text));
    }
    let mut decoded = String::new();
    for (piece, span) in StringPieces::new(text, content) {
        let rest = min_len.saturating_sub(decoded.len());
        if rest == 0 {
            break;
        }
        match piece {
            StringPiece::Raw => {
                let raw = span.of(text);
                decoded.push_str(raw.get(..raw.ceil_char_boundary(rest)).or_never());
            }
            _ => push_piece(&mut decoded, text, piece, span),
        }
    }
    Cow::Owned(decoded)
}

/// Decodes `content`, the content of a string in double quotes.
pub fn decode_content(content: &str) -> String {
    let mut decoded = String::with_capacity(content.len());
    for (piece, span) in StringPieces::new(content, Span::new(0, content.len())) {
        push_piece(&mut decoded, content, piece, span);
    }
    decoded
}

/// The length of the decoded content.
pub(super) fn decoded_len(text: &str, node: JsonNode) -> usize {
    let content = content(text, node);
    if !is_escaped(node) {
        return content.len();
    }
    StringPieces::new(text, content).map(|(piece, span)| piece.decoded_len(span)).sum()
}

/// True if the decoded content of a string is white space.
pub(super) fn is_blank(text: &str, node: JsonNode) -> bool {
    StringPieces::new(text, content(text, node)).all(|(piece, span)| match piece {
        StringPiece::Escape(c) => c.is_whitespace(),
        StringPiece::Lone(_) => false,
        StringPiece::Raw | StringPiece::Unknown | StringPiece::Cut => span.of(text).trim().is_empty(),
    })
}

/// The number of line ends in the decoded content of a valid string, except those at its end.
pub(super) fn inner_line_ends(text: &str, node: JsonNode) -> usize {
    if !is_escaped(node) {
        return 0;
    }
    let content = content(text, node).of(text).as_bytes();
    // The number of line ends before the last run of line ends, and in that run; the run's end; the
    // end of the last escape.
    let (mut before, mut run, mut run_end, mut known) = (0, 0, 0, 0);
    let mut is_behind_return = false;
    for at in memchr::memchr_iter(b'\\', content) {
        if at < known {
            continue;
        }
        known = at + 2;
        let (is_return, end) = match content.get(at + 1) {
            Some(b'n') => (false, at + 2),
            Some(b'r') => (true, at + 2),
            Some(b'u') => match content.get(at + 2..at + 6) {
                Some(b"000a" | b"000A") => (false, at + 6),
                Some(b"000d" | b"000D") => (true, at + 6),
                _ => continue,
            },
            _ => continue,
        };
        if at != run_end || run == 0 {
            (before, run, is_behind_return) = (before + run, 0, false);
        }
        run += usize::from(is_return || !is_behind_return);
        (run_end, is_behind_return) = (end, is_return);
    }
    if run_end == content.len() { before } else { before + run }
}

fn push_piece(decoded: &mut String, text: &str, piece: StringPiece, span: Span) {
    match piece {
        StringPiece::Raw | StringPiece::Unknown | StringPiece::Cut => decoded.push_str(span.of(text)),
        StringPiece::Escape(c) => decoded.push(c),
        StringPiece::Lone(_) => decoded.push(char::REPLACEMENT_CHARACTER),
    }
}

fn is_escaped(node: JsonNode) -> bool {
    matches!(node.kind, JsonKind::String { escaped: true } | JsonKind::Key { escaped: true })
}

/// Maps bytes of a decoded string to bytes of its source text, and back. It only stores some of the
/// places, and reads the text from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceMap<'a> {
    /// The string's content, and its span in the text.
    content: Cow<'a, str>,
    span: Span,
    /// True if it may contain escapes.
    is_escaped: bool,
    /// Some of the starts of pieces: at most one in [`STEP`] bytes.
    steps: Vec<MapStep>,
}

/// The start of a raw run or escape, or the end of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MapStep {
    /// The byte of the decoded string.
    decoded: u32,
    /// The byte of the text.
    source: u32,
    is_raw: bool,
}

/// Minimum number of bytes between two stored steps.
const STEP: u32 = 1 << 10;

impl<'a> SourceMap<'a> {
    /// Like [`decode`], with the source map.
    pub(super) fn decode(text: &'a str, node: JsonNode) -> (Cow<'a, str>, Self) {
        let (span, is_escaped) = (content(text, node), is_escaped(node));
        let content = span.of(text);
        let mut map = Self { content: content.into(), span, is_escaped, steps: Vec::new() };
        if !is_escaped {
            return (content.into(), map);
        }
        let mut decoded = String::with_capacity(content.len());
        let mut next = span.start;
        for (piece, place) in StringPieces::new(text, span) {
            if place.start >= next {
                next = place.start + STEP;
                map.steps.push(MapStep {
                    decoded: saturate(decoded.len()),
                    source: place.start,
                    is_raw: piece.is_raw(),
                });
            }
            push_piece(&mut decoded, text, piece, place);
        }
        (Cow::Owned(decoded), map)
    }

    /// The same map, with a copy of the string's content.
    pub fn into_owned(self) -> SourceMap<'static> {
        SourceMap { content: self.content.into_owned().into(), ..self }
    }

    /// The source offset of byte `decoded` of the string. Inside of the output of an escape, the
    /// start of that escape; after the string's end, the end of its content.
    pub fn to_source(&self, decoded: usize) -> usize {
        let (step, _) = self.find(|step| step.decoded as usize <= decoded);
        let Some(MapStep { decoded: at, source, is_raw }) = step.never_none() else {
            return self.span.start as usize;
        };
        let offset = if is_raw { decoded - at as usize } else { 0 };
        (source as usize + offset).min(self.span.end as usize)
    }

    /// The byte of the string at the source offset `source`; inside of an escape, the start of its
    /// output. `None` outside of the string's content.
    pub fn to_decoded(&self, source: usize) -> Option<usize> {
        let is_inside = (self.span.start as usize..=self.span.end as usize).contains(&source);
        let (step, _) = self.find(|step| is_inside && step.source as usize <= source);
        let step = step?;
        Some(step.decoded as usize + if step.is_raw { source - step.source as usize } else { 0 })
    }

    /// The source span of bytes `start..end` of the string; includes whole escapes.
    pub fn to_source_span(&self, start: usize, end: usize) -> Span {
        let first = self.to_source(start);
        let last = self.to_source(end);
        // An end inside of the output of an escape includes that escape.
        let (step, behind) = self.find(|step| (step.decoded as usize) < end);
        let behind = behind.map(|behind| behind.source as usize);
        let inside = step.is_some_and(|step| !step.is_raw);
        let end = if inside && start < end { behind.unwrap_or(last).max(last) } else { last };
        Span::new(first, end)
    }

    /// The last step for which `is_before` holds, and the one after it; `is_before` must not become
    /// true again.
    fn find(&self, is_before: impl Fn(MapStep) -> bool) -> (Option<MapStep>, Option<MapStep>) {
        let known = self.steps.partition_point(|step| is_before(*step)).checked_sub(1);
        let mut last = None;
        for step in self.steps_from(known.and_then(|known| self.steps.get(known))) {
            if !is_before(step) {
                return (last, Some(step));
            }
            last = Some(step);
        }
        (last, None)
    }

    /// All steps from `first` on, or from the beginning.
    fn steps_from(&self, first: Option<&MapStep>) -> impl Iterator<Item = MapStep> {
        let (start, mut decoded) = first.map_or((self.span.start, 0), |first| (first.source, first.decoded));
        let content = Span { start: start - self.span.start, end: self.span.end - self.span.start };
        let whole = (!self.is_escaped).then_some((StringPiece::Raw, content));
        let pieces =
            StringPieces::new(&self.content, if self.is_escaped { content } else { Span::default() });
        let end = MapStep { decoded: 0, source: self.span.end, is_raw: true };
        let steps = whole.into_iter().chain(pieces).map(Some).chain([None]);
        steps.map(move |found| {
            let Some((piece, place)) = found else { return MapStep { decoded, ..end } };
            let source = self.span.start + place.start;
            let step = MapStep { decoded, source, is_raw: piece.is_raw() };
            decoded += saturate(piece.decoded_len(place));
            step
        })
    }
}

/// The escapes in `node` that encode half a surrogate pair: valid in JSON and JavaScript, but not
/// in text.
pub(super) fn lone_surrogates(text: &str, node: JsonNode) -> impl Iterator<Item = Span> {
    let content = if is_escaped(node) { content(text, node) } else { Span::default() };
    StringPieces::new(text, content)
        .filter_map(|(piece, span)| matches!(piece, StringPiece::Lone(_)).then_some(span))
}

/// `json`, a valid JSON text, with U+FFFD for each escape of half a surrogate pair, so that all
/// parsers accept it and agree on it.
pub fn with_whole_characters(json: &str) -> Cow<'_, str> {
    if !SURROGATES.iter().any(|surrogate| surrogate.find(json.as_bytes()).is_some()) {
        return Cow::Borrowed(json);
    }
    // Outside of strings JSON has no backslash.
    let all = Span::new(0, json.len());
    let lone = StringPieces::new(json, all)
        .filter_map(|(piece, span)| matches!(piece, StringPiece::Lone(_)).then_some(span));
    let (mut whole, mut done) = (String::new(), 0);
    for span in lone {
        whole.push_str(json.get(done..span.start as usize).or_never());
        whole.push_str("\\ufffd");
        done = span.end as usize;
    }
    if done == 0 {
        return Cow::Borrowed(json);
    }
    whole.push_str(json.get(done..).or_never());
    Cow::Owned(whole)
}
