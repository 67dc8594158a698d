//! Maps positions and edits between a block's content and its document.

use std::borrow::Cow;
use std::ops::Range;

use crate::dialect::log;
use crate::places::rewrite::{container_prefix, line_end};
use crate::segments::block_unit::{BlockUnit, ReadContext};
use crate::segments::data::DocumentSegment;
use crate::syntax::SegmentKind;
use crate::syntax::container::Container;
use crate::text::{Span, Text, saturate};

/// Maximum length in bytes of a container prefix that is repeated on new lines.
const LONGEST_PREFIX: usize = 1 << 10;

/// Maps a block's content to its document.
#[derive(Clone, Copy)]
pub(crate) struct BlockBoundary<'a> {
    pub context: ReadContext<'a>,
    pub located: &'a DocumentSegment<'a>,
    pub unit: &'a BlockUnit<'a>,
}

impl BlockBoundary<'_> {
    /// The document range of a span of the content.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        self.located.absolute(self.unit.content.to_segment(span))
    }

    /// The content offset of the byte `at` of the document; `None` on a fence's own lines or
    /// outside of the content.
    pub(super) fn content_at(&self, at: usize) -> Option<usize> {
        let content = &self.unit.content;
        let len = content.text.len();
        let whole = self.range(Span::new(0, len));
        // If the last line is only a container prefix, the content ends after that prefix.
        let whole = whole.start..whole.end.max(self.range(Span::empty(len)).start);
        // The closing fence starts after the last line end.
        let is_closing = at == whole.end && self.unit.source.closed && content.text.ends_with(['\n', '\r']);
        let is_inside = whole.start <= at && at <= whole.end && !is_closing;
        let at = saturate(at.checked_sub(self.located.offset)?);
        is_inside.then(|| content.from_segment(at) as usize)
    }

    /// Converts an edit of the content to an edit of the document.
    pub(crate) fn edit(&self, (span, text): (Span, String)) -> (Range<usize>, String) {
        let is_empty = self.unit.content.text.is_empty();
        let missing = self.missing_prefix(span).filter(|_| !is_empty && !text.is_empty()).unwrap_or_default();
        let is_short = !missing.is_empty();
        let text = match text.contains('\n') {
            true if self.is_in_place() => self.with_marks(self.range(span).start, text),
            true => self.with_prefixes(span, &text, is_short),
            false => text,
        };
        let text = missing + &text;
        // In a fence without lines, new text goes after the opening line.
        let opening = Span { start: self.unit.opening.end, end: self.unit.opening.end };
        let span = if is_empty { opening } else { self.unit.content.to_segment(span) };
        (self.located.absolute(span), text)
    }

    /// True if the block is in a fence that is read in place as JSON, with spaces for its quote
    /// markers.
    fn is_in_place(&self) -> bool {
        let is_fence = matches!(self.located.segment.kind, SegmentKind::Fence(_));
        is_fence && self.unit.dialect.name == log::DIALECT.name
    }

    /// Prepares `text` for insertion at the byte `at` of the document: the quote markers of the
    /// line at `at` are repeated on each new line, in place of as much indentation.
    pub(super) fn with_marks(&self, at: usize, text: String) -> String {
        let lines = self.context.text;
        let line = lines.byte_of_line(lines.line_of_byte(at));
        if !self.is_in_place() || !text.contains('\n') {
            return text;
        }
        let written = beginning(lines, line..at);
        let read = self.context.json_slice(line..line + written.len());
        let last = written.bytes().zip(read.bytes()).rposition(|(written, read)| written != read);
        let marks = written.get(..last.map_or(0, |last| last + 1)).unwrap_or_default();
        let mut marked = String::with_capacity(text.len());
        for (number, line) in text.split('\n').enumerate() {
            if number == 0 {
                marked.push_str(line);
                continue;
            }
            let indent = (line.len() - line.trim_start_matches(' ').len()).min(marks.len());
            let rest = line.get(indent..).unwrap_or_default();
            marked.extend(["\n", marks, if indent < marks.len() { " " } else { "" }, rest]);
        }
        marked
    }

    /// Converts the white space `text` between tokens of the content to an edit of the document.
    /// New lines start with the canonical prefix of the block's containers, whatever the prefixes
    /// of its other lines are, so that formatting is idempotent.
    pub(super) fn layout(&self, (span, text): (Span, &str)) -> (Range<usize>, String) {
        let lines = self.context.text;
        let opening = self.located.offset + self.unit.opening.start as usize;
        let number = lines.line_of_byte(opening);
        let parts = self.located.segment.parts();
        let region = parts.regions().iter().find(|it| it.span == self.unit.full_span);
        let prefix = match region {
            Some(region) => prefix_of(parts.containers_of(region)),
            None => container_prefix(&lines.slice(lines.byte_of_line(number)..opening)),
        };
        // The container prefix before the text of a line is part of the white space.
        let place = |at: u32| self.range(Span { start: at, end: at }).start;
        let mut written = text.replace('\n', &format!("{}{prefix}", line_end(lines, number)));
        let mut start = place(span.start);
        // The first line of a fence may be blank and lack a part of its prefix.
        if region.is_none() && span.start == 0 {
            start = lines.byte_of_line(lines.line_of_byte(start));
            written = prefix + &written;
        }
        (start..place(span.end), written)
    }

    /// The part of the container prefix that a blank line at the start of `span` lacks; without it,
    /// text there would end a list item.
    fn missing_prefix(&self, span: Span) -> Option<String> {
        let lines = self.context.text;
        let at = self.range(Span::empty(span.start as usize)).start;
        let line = lines.line_content(lines.line_of_byte(at));
        // A line may be very long and contain many blocks.
        if !lines.chunks(at..line.end.max(at)).all(|piece| piece.chars().all(char::is_whitespace)) {
            return None;
        }
        let opening = self.located.offset + self.unit.opening.start as usize;
        let of_opening = lines.byte_of_line(lines.line_of_byte(opening));
        let prefix = container_prefix(&beginning(lines, of_opening..opening));
        prefix.strip_prefix(&*lines.slice(line.start..at)).map(str::to_owned)
    }

    /// `text`, to be inserted at `span`, with the document's line breaks and with the prefix of the
    /// block's lines after each of them. `is_short` means that the line at `span` lacks the prefix.
    fn with_prefixes(&self, span: Span, text: &str, is_short: bool) -> String {
        let content = &self.unit.content.text;
        let first = match content.is_empty() || is_short {
            true => self.unit.opening.start,
            false => {
                // The document finds lines faster than the content does.
                let lines = self.context.text;
                let at = self.range(Span::empty(span.start as usize)).start;
                let line = lines.byte_of_line(lines.line_of_byte(at));
                let line = self.unit.content.from_segment(saturate(line.saturating_sub(self.located.offset)));
                self.unit.content.to_segment(Span::empty(line as usize)).start
            }
        };
        let opening = self.located.offset + self.unit.opening.start as usize;
        with_prefixes(self.context.text, self.located.offset + first as usize, opening, text)
    }
}

/// The line prefix of `containers`.
fn prefix_of(containers: &[Container]) -> String {
    let prefix = |container: &Container| match container {
        Container::Quote => "> ".to_owned(),
        Container::Item { indent, .. } => " ".repeat(*indent as usize),
    };
    containers.iter().map(prefix).collect()
}

/// The text of `range`, limited to the length of container prefixes.
fn beginning(lines: &Text, range: Range<usize>) -> Cow<'_, str> {
    let end = lines.floor_boundary(range.end.min(range.start + LONGEST_PREFIX));
    lines.slice(range.start..end)
}

/// `text` with the line breaks of the line of `opening`, each followed by the prefix that the line
/// of `first` has before that byte.
pub(crate) fn with_prefixes(lines: &Text, first: usize, opening: usize, text: &str) -> String {
    let number = lines.line_of_byte(first);
    let prefix = container_prefix(&beginning(lines, lines.byte_of_line(number)..first));
    let line_end = line_end(lines, lines.line_of_byte(opening));
    text.replace('\n', &format!("{line_end}{prefix}"))
}
