//! The text inside of a fence or region, without the prefixes of its containers, and its source
//! map.
//!
//! Spans in a [`MappedContent`] and spans in its segment differ; only [`MappedContent::to_segment`]
//! and [`MappedContent::from_segment`] convert between them.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::container::{Container, Containers, LineContentCursor};
use super::segment::Attachment;
use super::tree::{FenceView, Tree};
use crate::never::OrNever;
use crate::text::{Span, Text, saturate};

/// The text of a fence's content or of a region. Line ends are preserved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MappedContent<'t> {
    /// The text.
    pub text: Cow<'t, str>,
    /// True if the limit cut it short, after a line end.
    pub is_cut: bool,
    /// Its start, relative to the segment.
    start: u32,
    /// The source positions after omitted prefixes: the text from `at` on comes from `source`,
    /// relative to the segment.
    pieces: Vec<SourcePiece>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SourcePiece {
    at: u32,
    source: u32,
}

impl<'t> From<&'t str> for MappedContent<'t> {
    /// Text without omissions that starts at the start of its segment.
    fn from(text: &'t str) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

impl<'t> MappedContent<'t> {
    /// Text without omissions that starts at the byte `start` of its segment.
    pub fn at(text: &'t str, start: u32) -> Self {
        Self { text: text.into(), start, ..Self::default() }
    }
}

impl MappedContent<'_> {
    /// Maps `span` of this text to the segment; for a fence, to its head segment.
    pub fn to_segment(&self, span: Span) -> Span {
        let start = self.source_of(span.start, 0);
        if span.is_empty() {
            return Span { start, end: start };
        }
        // Maps the last byte, not the end: after a line end, the end would be after the next
        // line's prefix.
        Span { start, end: self.source_of(span.end - 1, 1).max(start) }
    }

    /// The offset in this text for the byte `at` of the segment; for omitted bytes the next offset,
    /// and for bytes outside the start or end of the text.
    pub fn from_segment(&self, at: u32) -> u32 {
        let end = saturate(self.text.len());
        let index = self.pieces.partition_point(|piece| piece.source <= at);
        let Some(piece) = index.checked_sub(1).and_then(|last| self.pieces.get(last)) else {
            return match self.pieces.first() {
                Some(first) if at < first.source => first.at,
                _ => at.saturating_sub(self.start).min(end),
            };
        };
        let next = self.pieces.get(index).map_or(end, |next| next.at);
        piece.at.saturating_add(at - piece.source).min(next)
    }

    fn source_of(&self, at: u32, behind: u32) -> u32 {
        let index = self.pieces.partition_point(|piece| piece.at <= at);
        let Some(piece) = index.checked_sub(1).and_then(|last| self.pieces.get(last)) else {
            return self.start.saturating_add(at).saturating_add(behind);
        };
        let source = piece.source.saturating_add(at - piece.at).saturating_add(behind);
        // Spaces for a part of a tab have no source bytes of their own.
        self.pieces.get(index).map_or(source, |next| source.min(next.source))
    }
}

impl<A: Attachment> Tree<A> {
    /// The content of `fence`, a fence of this tree: its lines without the prefixes of its
    /// containers and without its own indentation. Stops after the first line end at or after
    /// `limit` bytes of source.
    pub fn fence_content<'t>(&self, text: &'t Text, fence: &FenceView, limit: usize) -> MappedContent<'t> {
        content_of(fence, &self.containers_of_fence(text, fence), text, limit)
    }

    /// The text of `range`, a part of `fence` that ends in its content, with spaces for the opening
    /// line and for the markers of quotes. So offsets in it equal offsets in the document.
    pub fn fence_in_place<'t>(&self, text: &'t Text, fence: &FenceView, range: Range<usize>) -> Cow<'t, str> {
        let containers = self.containers_of_fence(text, fence);
        let opening = fence.content.start.clamp(range.start, range.end) - range.start;
        let raw = text.slice(range.clone());
        if opening == 0 && !containers.contains(&Container::Quote) {
            return raw;
        }
        let start = range.start + opening;
        let mut has_prefix = text.byte_of_line(text.line_of_byte(start)) == start;
        let mut in_place = " ".repeat(opening);
        for line in lines(raw.get(opening..).or_never()) {
            let mut cursor = LineContentCursor::new(line.trim_end_matches(['\r', '\n']).as_bytes());
            if std::mem::replace(&mut has_prefix, true) {
                cursor.skip_containers(&containers);
            }
            let (prefix, rest) = line.split_at(cursor.offset);
            in_place.push_str(&prefix.replace('>', " "));
            in_place.push_str(rest);
        }
        in_place.into()
    }

    /// The containers of the fenced code block.
    fn containers_of_fence(&self, text: &Text, fence: &FenceView) -> Containers {
        let state = self.get(fence.segments.start).and_then(|segment| segment.start.as_deref());
        let is_indented = fence.head.fence.start == u32::from(fence.head.indent)
            && text.byte(fence.range.start) != Some(b'>');
        if state.is_none() && is_indented {
            // Nothing is open, and only indentation precedes the fence. A `>` with a tab has as
            // many columns as bytes.
            return Containers::new();
        }
        let mut state = state.cloned().unwrap_or_default();
        let line = text.slice(fence.range.start..fence.range.start + fence.head.info.start as usize);
        let line = if fence.range.start == 0 { line.trim_start_matches('\u{feff}') } else { &line };
        state.read_line(line.as_bytes(), || false);
        state.containers
    }
}

/// The text of the region `span` of a segment whose content is `segment`, without the prefixes of
/// its `containers`.
pub fn region_content<'t>(
    segment: &'t str,
    span: Span,
    containers: &[Container],
    colours: Colours,
) -> MappedContent<'t> {
    strip(span.of(segment).into(), span.start as usize, containers, 0, FirstLine::Bare, colours)
}

/// The treatment of the colours of a terminal in a text: sequences `ESC[…m`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// They are part of it.
    Kept,
    /// They are left out.
    Skipped,
}

/// The beginning of a colour.
pub(super) const COLOUR: &str = "\x1b[";

/// The length of the colour at the start of `text`.
pub(super) fn colour_len(text: &[u8]) -> Option<usize> {
    let behind = text.strip_prefix(COLOUR.as_bytes())?;
    let len = behind.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
    (behind.get(len) == Some(&b'm')).then_some(COLOUR.len() + len + 1)
}

fn content_of<'t>(
    fence: &FenceView,
    containers: &[Container],
    text: &'t Text,
    limit: usize,
) -> MappedContent<'t> {
    let mut range = fence.content.clone();
    let is_cut = range.len() > limit && {
        let last_line = text.line_of_byte(range.start + limit.saturating_sub(1));
        let end = text.byte_of_line(last_line + 1);
        let is_cut = end < range.end;
        range.end = range.end.min(end);
        is_cut
    };
    let indent = usize::from(fence.head.indent);
    let start = fence.head.content as usize;
    MappedContent {
        is_cut,
        ..strip(text.slice(range), start, containers, indent, FirstLine::Prefixed, Colours::Kept)
    }
}

/// True if a range begins with a line's prefix or after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstLine {
    Prefixed,
    Bare,
}

/// The text `raw` without the prefixes of `containers` and without up to `indent` further columns;
/// its map is relative to the text in which `raw` begins at `start`.
pub(super) fn strip<'t>(
    raw: Cow<'t, str>,
    start: usize,
    containers: &[Container],
    indent: usize,
    first: FirstLine,
    colours: Colours,
) -> MappedContent<'t> {
    let start = saturate(start);
    let is_plain = colours == Colours::Kept || !raw.contains(COLOUR);
    if containers.is_empty() && indent == 0 && is_plain {
        return MappedContent { text: raw, is_cut: false, start, pieces: Vec::new() };
    }
    let mut out = PrefixStripper { text: String::with_capacity(raw.len()), pieces: Vec::new() };
    let mut at = 0;
    for line in lines(&raw) {
        let is_bare = at == 0 && first == FirstLine::Bare;
        let skip = if is_bare { 0 } else { out.skip_prefix(line, start as usize + at, containers, indent) };
        let (own, source) = (line.get(skip..).or_never(), start as usize + at + skip);
        if is_plain {
            out.push(own, source)
        } else {
            out.push_without_colours(own, source)
        }
        at += line.len();
    }
    MappedContent { text: Cow::Owned(out.text), is_cut: false, start, pieces: out.pieces }
}

struct PrefixStripper {
    text: String,
    pieces: Vec<SourcePiece>,
}

impl PrefixStripper {
    /// The length of the prefix of `line`. If the prefix ends inside of a tab, the rest of the tab
    /// is added as spaces.
    fn skip_prefix(&mut self, line: &str, source: usize, containers: &[Container], indent: usize) -> usize {
        let mut cursor = LineContentCursor::new(line.trim_end_matches(['\r', '\n']).as_bytes());
        cursor.skip_containers(containers);
        cursor.skip_columns(indent);
        if cursor.tab_rest == 0 {
            return cursor.offset;
        }
        self.push("   ".get(..cursor.tab_rest).or_never(), source + cursor.offset);
        cursor.offset + 1
    }

    fn push_without_colours(&mut self, text: &str, source: usize) {
        let mut end = 0;
        for at in memmem::find_iter(text.as_bytes(), COLOUR) {
            if let Some(len) = text.as_bytes().get(at..).and_then(colour_len) {
                self.push(text.get(end..at).or_never(), source + end);
                end = at + len;
            }
        }
        self.push(text.get(end..).or_never(), source + end);
    }

    fn push(&mut self, text: &str, source: usize) {
        let piece = SourcePiece { at: saturate(self.text.len()), source: saturate(source) };
        let follows = self.pieces.last().is_some_and(|last| piece.source - last.source == piece.at - last.at);
        if !follows {
            self.pieces.push(piece);
        }
        self.text.push_str(text);
    }
}

/// The lines of `text`, with their line ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let len = memchr::memchr2(b'\n', b'\r', bytes)
            .map_or(bytes.len(), |at| at + if bytes.get(at..at + 2) == Some(b"\r\n") { 2 } else { 1 });
        let (line, behind) = rest.split_at(len);
        rest = behind;
        Some(line)
    })
}
