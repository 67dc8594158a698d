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
use crate::text::Span;

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

/// The text that `content`, the content of a string in double quotes, stands for.
pub fn decode_content(content: &str) -> String {
    let mut decoded = String::with_capacity(content.len());
    for (piece, span) in StringPieces::new(content, Span::new(0, content.len())) {
        push_piece(&mut decoded, content, piece, span);
    }
    decoded
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
    // The number of line ends before the last run of them and in that; the run's end; the end of
    // the last escape.
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

/// Maps bytes of a decoded string to bytes of its source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceMap {
    /// Starts of raw runs and escapes: (byte of the decoded string, byte of the text, whether raw).
    steps: Vec<(u32, u32, bool)>,
    /// The string's content in the text.
    content: Span,
}

impl SourceMap {
    /// Like [`decode`], with the source map.
    pub(super) fn decode(text: &str, node: JsonNode) -> (Cow<'_, str>, Self) {
        let content = content(text, node);
        let mut map = Self { steps: Vec::new(), content };
        if !is_escaped(node) {
            map.steps.push((0, content.start, true));
            return (Cow::Borrowed(content.of(text)), map);
        }
        let mut decoded = String::with_capacity(content.len());
        for (piece, span) in StringPieces::new(text, content) {
            let raw = !matches!(piece, StringPiece::Escape(_) | StringPiece::Lone(_));
            map.steps.push((Span::empty(decoded.len()).start, span.start, raw));
            push_piece(&mut decoded, text, piece, span);
        }
        map.steps.push((Span::empty(decoded.len()).start, content.end, true));
        (Cow::Owned(decoded), map)
    }

    /// The source offset of byte `decoded` of the string. Inside of the output of an escape, the
    /// start of that escape; after the string's end, the end of its content.
    pub fn to_source(&self, decoded: usize) -> usize {
        let step = self.steps.partition_point(|&(at, _, _)| at as usize <= decoded);
        let Some(&(at, source, raw)) = step.checked_sub(1).and_then(|step| self.steps.get(step)).never_none()
        else {
            return self.content.start as usize;
        };
        let offset = if raw { decoded - at as usize } else { 0 };
        (source as usize + offset).min(self.content.end as usize)
    }

    /// The byte of the string at the source offset `source`; inside of an escape, the start of its
    /// output. `None` outside of the string's content.
    pub fn to_decoded(&self, source: usize) -> Option<usize> {
        let is_inside = (self.content.start as usize..=self.content.end as usize).contains(&source);
        let step = self.steps.partition_point(|&(_, at, _)| at as usize <= source).checked_sub(1)?;
        let &(decoded, at, raw) = self.steps.get(step).filter(|_| is_inside)?;
        Some(decoded as usize + if raw { source - at as usize } else { 0 })
    }

    /// The source span of bytes `start..end` of the string; includes whole escapes.
    pub fn to_source_span(&self, start: usize, end: usize) -> Span {
        let first = self.to_source(start);
        let last = self.to_source(end);
        // An end inside of the output of an escape includes that escape.
        let step = self.steps.partition_point(|&(at, _, _)| (at as usize) < end);
        let behind = self.steps.get(step).map(|&(_, source, _)| source as usize);
        let inside =
            step.checked_sub(1).and_then(|step| self.steps.get(step)).is_some_and(|&(_, _, raw)| !raw);
        let end = if inside && start < end { behind.unwrap_or(last).max(last) } else { last };
        Span::new(first, end)
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
