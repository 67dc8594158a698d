//! Where a block's content meets its document: places and edits of the one as those of the other.

use std::borrow::Cow;
use std::ops::Range;

use super::reading::{BlockUnit, ReadContext};
use super::rewrite::{container_prefix, line_end};
use crate::call::SegmentAttachment;
use crate::syntax::LocatedSegment;
use crate::syntax::container::Container;
use crate::text::{Span, Text};

/// The longest prefix of containers that is written again, in bytes.
const LONGEST_PREFIX: usize = 1 << 10;

/// Where a block's content meets its document.
#[derive(Clone, Copy)]
pub(super) struct BlockBoundary<'a> {
    pub context: ReadContext<'a>,
    pub located: &'a LocatedSegment<'a, SegmentAttachment>,
    pub unit: &'a BlockUnit<'a>,
}

impl BlockBoundary<'_> {
    /// A span of the content in the document.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        self.located.absolute(self.unit.content.to_segment(span))
    }

    /// The byte of the content at the byte `at` of the document; `None` where that is not in the content, but on a
    /// fence's own lines.
    pub(super) fn content_at(&self, at: usize) -> Option<usize> {
        let content = &self.unit.content;
        let len = content.text.len();
        let whole = self.range(Span::new(0, len));
        // A last line of only prefixes is behind them.
        let whole = whole.start..whole.end.max(self.range(Span::empty(len)).start);
        // Behind the last line end the closing fence begins.
        let is_closing = at == whole.end && self.unit.source.closed && content.text.ends_with(['\n', '\r']);
        let is_inside = whole.start <= at && at <= whole.end && !is_closing;
        let at = Span::empty(at.checked_sub(self.located.offset)?).start;
        is_inside.then(|| content.from_segment(at) as usize)
    }

    /// An edit of the content as one of the document.
    pub(super) fn edit(&self, (span, text): (Span, String)) -> (Range<usize>, String) {
        let is_empty = self.unit.content.text.is_empty();
        let missing = self.missing_prefix(span).filter(|_| !is_empty && !text.is_empty()).unwrap_or_default();
        let is_short = !missing.is_empty();
        let text = if text.contains('\n') { self.with_prefixes(span, &text, is_short) } else { text };
        let text = missing + &text;
        // A fence without a line has nothing but its opening to write behind.
        let opening = Span { start: self.unit.opening.end, end: self.unit.opening.end };
        let span = if is_empty { opening } else { self.unit.content.to_segment(span) };
        (self.located.absolute(span), text)
    }

    /// The white space `text` between tokens of the content as an edit of the document. New lines begin with the prefix that
    /// the block's containers ask for, whatever its lines begin with now, so that formatting twice is formatting once.
    pub(super) fn layout(&self, (span, text): (Span, &str)) -> (Range<usize>, String) {
        let lines = self.context.text;
        let opening = self.located.offset + self.unit.opening.start as usize;
        let number = lines.line_of_byte(opening);
        let mut regions = self.located.segment.regions().iter();
        let region = regions.find(|it| it.span == self.unit.full_span);
        let prefix = match region {
            Some(region) => prefix_of(region.within.as_deref().unwrap_or_default()),
            None => container_prefix(&lines.slice(lines.byte_of_line(number)..opening)),
        };
        // What the container has before a line's text is part of the space.
        let place = |at: u32| self.range(Span { start: at, end: at }).start;
        let mut written = text.replace('\n', &format!("{}{prefix}", line_end(lines, number)));
        let mut start = place(span.start);
        // The first line of a fence may be blank, without all of its prefix.
        if region.is_none() && span.start == 0 {
            start = lines.byte_of_line(lines.line_of_byte(start));
            written = prefix + &written;
        }
        (start..place(span.end), written)
    }

    /// What a blank line where `span` begins lacks of what its block's lines begin with: text there would end a list item.
    fn missing_prefix(&self, span: Span) -> Option<String> {
        let lines = self.context.text;
        let start = Span::empty(span.start as usize);
        let at = self.located.absolute(self.unit.content.to_segment(start)).start;
        let line = lines.line_content(lines.line_of_byte(at));
        // A line may be very long, and have very many blocks.
        if !lines.chunks(at..line.end.max(at)).flat_map(str::chars).all(char::is_whitespace) {
            return None;
        }
        let opening = self.located.offset + self.unit.opening.start as usize;
        let of_opening = lines.byte_of_line(lines.line_of_byte(opening));
        let prefix = container_prefix(&beginning(lines, of_opening..opening));
        prefix.strip_prefix(&*lines.slice(line.start..at)).map(str::to_owned)
    }

    /// `text`, which goes where `span` is, with its line breaks as the document has them, and behind each what its
    /// lines begin with in front of the block's content; the line there `is_short` of it.
    fn with_prefixes(&self, span: Span, text: &str, is_short: bool) -> String {
        let content = &self.unit.content.text;
        let first = match content.is_empty() || is_short {
            true => self.unit.opening.start,
            false => {
                // Asked of the document, which finds lines fast.
                let lines = self.context.text;
                let at = self
                    .located
                    .absolute(self.unit.content.to_segment(Span::empty(span.start as usize)))
                    .start;
                let line = lines.byte_of_line(lines.line_of_byte(at));
                let line = self
                    .unit
                    .content
                    .from_segment(Span::empty(line.saturating_sub(self.located.offset)).start);
                self.unit.content.to_segment(Span::empty(line as usize)).start
            }
        };
        let opening = self.located.offset + self.unit.opening.start as usize;
        with_prefixes(self.context.text, self.located.offset + first as usize, opening, text)
    }
}

/// What lines in `containers` begin with.
fn prefix_of(containers: &[Container]) -> String {
    let prefix = |container: &Container| match container {
        Container::Quote => "> ".to_owned(),
        Container::Item { indent, .. } => " ".repeat(*indent as usize),
    };
    containers.iter().map(prefix).collect()
}

/// The text of `range`, cut behind what the prefixes of containers take.
fn beginning(lines: &Text, range: Range<usize>) -> Cow<'_, str> {
    let end = lines.floor_boundary(range.end.min(range.start + LONGEST_PREFIX));
    lines.slice(range.start..end)
}

/// `text`, with its line breaks as the line of `opening` has one, and behind each what the line of `first` has in front of
/// that byte.
pub(super) fn with_prefixes(lines: &Text, first: usize, opening: usize, text: &str) -> String {
    let number = lines.line_of_byte(first);
    let prefix = container_prefix(&beginning(lines, lines.byte_of_line(number)..first));
    let line_end = line_end(lines, lines.line_of_byte(opening));
    text.replace('\n', &format!("{line_end}{prefix}"))
}
