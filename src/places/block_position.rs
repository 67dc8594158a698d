//! A block at an offset, even if it could not be parsed: used by editor features that help while
//! typing.
//!
//! On a blank line of a log, or in an incomplete record, there is no call yet; the dialect still
//! knows what can be written there.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use crate::call::Call;
use crate::dialect::draft::Draft;
use crate::dialect::{BlockSource, DIALECTS, Dialect, ReadOutcome, log};
use crate::document::LocatedBlock;
use crate::document::{Document, Language};
use crate::places::block_boundary::{BlockBoundary, with_prefixes};
use crate::places::inner_call::InnerCall;
use crate::segments::data::SegmentDataSummary;
use crate::segments::read::units;
use crate::text::Span;

/// Number of bytes of a fence that are parsed after the offset; the construct at the offset may
/// precede much of the fence.
const READ_BEHIND: usize = 1 << 20;
/// Maximum number of lines of a log that are searched for a line that is not blank.
const LINES_BEFORE: usize = 16;
/// Maximum length of the white space before the offset.
const MOST_BLANK: usize = 256;
/// Number of bytes of the preceding line that identify its record.
const BEGINNING: usize = 64;

/// A block and an offset in its text.
pub struct BlockPosition<'a> {
    /// The dialect of the block.
    pub dialect: &'static Dialect,
    /// The block.
    pub source: &'a BlockSource<'a>,
    /// The offset in bytes of the block's text.
    pub offset: usize,
    /// For a line of a log: the start of the nearest preceding line that is not blank.
    pub before: &'a str,
    mapping: BlockMapping<'a>,
}

/// Maps the block's text to the document.
enum BlockMapping<'a> {
    Block(BlockBoundary<'a>),
    /// The name and the input of a call in a message log.
    Inner(BlockBoundary<'a>, &'a InnerCall<'a>),
    /// A line that starts at this document offset.
    Line(usize),
}

impl BlockPosition<'_> {
    /// The construct that is being typed at the offset.
    pub fn draft(&self) -> Option<Draft> {
        match &self.mapping {
            BlockMapping::Inner(_, inner) => Some(log::draft_of_call(&inner.text, inner.is_encoded())),
            _ => (self.dialect.draft)(self.source, self.offset, self.before),
        }
    }

    /// The document range of `span`, in bytes of the block's text.
    pub fn range_of(&self, span: Span) -> Range<usize> {
        match &self.mapping {
            BlockMapping::Block(boundary) => boundary.range(span),
            BlockMapping::Inner(boundary, inner) => boundary.range(inner.span(span)),
            BlockMapping::Line(start) => span.range_at(*start),
        }
    }

    /// Converts an edit of the block's text to an edit of the document, like
    /// [`CallPosition::edit`](crate::places::CallPosition::edit).
    pub fn edit(&self, span: Span, text: String) -> (Range<usize>, String) {
        match &self.mapping {
            BlockMapping::Block(boundary) => (boundary.range(span), boundary.edit((span, text)).1),
            BlockMapping::Inner(boundary, _) => {
                let range = self.range_of(span);
                let text = boundary.with_marks(range.start, text);
                (range, text)
            }
            BlockMapping::Line(_) => (self.range_of(span), text),
        }
    }

    /// `text`, which replaces `span`, with the escapes that it needs there.
    pub fn written(&self, span: Span, text: &str) -> String {
        match &self.mapping {
            BlockMapping::Inner(_, inner) => inner.written(span, text),
            BlockMapping::Block(_) | BlockMapping::Line(_) => text.to_owned(),
        }
    }
}

/// Passes the call of a message log whose name or input is at the byte `at` to `look`.
fn look_at_call<T>(
    boundary: BlockBoundary<'_>,
    at: usize,
    look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
) -> Option<T> {
    let unit = boundary.unit;
    let mut result = None;
    let mut handle = |call: Call<'_>| {
        let Some(inner) = InnerCall::at(&call, at).filter(|_| result.is_none()) else { return };
        let source = BlockSource { text: &inner.text, ..unit.source };
        result = look(&BlockPosition {
            dialect: unit.dialect,
            source: &source,
            offset: inner.offset,
            before: "",
            mapping: BlockMapping::Inner(boundary, &inner),
        });
    };
    (unit.dialect.read)(&unit.source, &mut handle);
    result
}

impl Document {
    /// Passes the blocks that contain the byte `at`, or end there, to `look`, valid or not, until
    /// it returns a value; in a log, the block of its line. Does not visit the delta text.
    pub fn block_positions_at<T>(
        &self,
        at: usize,
        look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
    ) -> Option<T> {
        if !self.is_active() {
            return None;
        }
        let found = self.unit_position_at(at, look);
        if found.is_none() && self.language() == Language::Log {
            return self.line_position_at(at, look);
        }
        found
    }

    fn unit_position_at<T>(
        &self,
        at: usize,
        look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
    ) -> Option<T> {
        let here = self.tree().segment_at(at)?.index;
        let head = self.head_of(here);
        // In JSON, another block may begin in this segment, after the end of the one from the head.
        let own = Some(here).filter(|own| *own != head);
        [Some(head), own].into_iter().flatten().find_map(|segment| self.position_in(segment, at, look))
    }

    /// [`Document::unit_position_at`] in the blocks that begin in `segment`.
    fn position_in<T>(
        &self,
        segment: usize,
        at: usize,
        look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
    ) -> Option<T> {
        let located = self.tree().locate(segment)?;
        let mut result = None;
        units(self.context(), &located, &mut |unit| {
            if unit.is_line {
                return ReadOutcome::Done;
            }
            let boundary = BlockBoundary { context: self.context(), located: &located, unit };
            let source = &unit.source;
            if source.cut && source.text.len() < READ_BEHIND + at.saturating_sub(located.offset) {
                return ReadOutcome::MoreText;
            }
            // In a fence without lines, the end of the fence is the position.
            let is_closing = source.closed && source.text.is_empty();
            if result.is_some() || is_closing {
                return ReadOutcome::Done;
            }
            let mut look_at = |source: &BlockSource<'_>, at: usize| {
                let (dialect, mapping) = (unit.dialect, BlockMapping::Block(boundary));
                look(&BlockPosition { dialect, source, offset: at, before: "", mapping })
            };
            result = match boundary.content_at(at) {
                Some(at) if unit.dialect.name == log::DIALECT.name => look_at_call(boundary, at, look),
                Some(at) => look_at(source, at),
                // White space does not belong to the end of a block, unless the block continues
                // after it.
                None => self.blank_after_block(&boundary, at).and_then(|blank| {
                    let text = [source.text, &*blank].concat();
                    look_at(&BlockSource { text: &text, ..*source }, text.len())
                }),
            };
            ReadOutcome::Done
        });
        result
    }

    /// The white space between the end of an unclosed region and the byte `at`, on one line.
    fn blank_after_block(&self, boundary: &BlockBoundary<'_>, at: usize) -> Option<Cow<'_, str>> {
        let unit = boundary.unit;
        let end = boundary.located.offset + unit.full_span.end as usize;
        let is_region = !unit.source.closed && unit.source.language.is_none();
        let near = is_region && end < at && at - end <= MOST_BLANK;
        let blank = near.then(|| self.text().slice(end..at))?;
        blank.bytes().all(|byte| matches!(byte, b' ' | b'\t')).then_some(blank)
    }

    fn line_position_at<T>(
        &self,
        at: usize,
        look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
    ) -> Option<T> {
        let line = self.text().line_of_byte(at);
        let content = self.text().line_content(line);
        let before = (line.saturating_sub(LINES_BEFORE)..line).rev().map(|line| {
            let content = self.text().line_content(line);
            self.text().slice(content.start..content.end.min(content.start + BEGINNING))
        });
        let before = before.into_iter().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let text = self.text().slice(content.clone());
        let source =
            BlockSource { protocol: self.context().protocol, ..BlockSource::new(&text, self.settings()) };
        let dialect = DIALECTS.iter().find(|dialect| dialect.lines)?;
        let at = at.min(content.end).checked_sub(content.start)?;
        let way = BlockMapping::Line(content.start);
        look(&BlockPosition { dialect, source: &source, offset: at, before: &before, mapping: way })
    }

    /// Converts the line breaks of `text` to the line breaks of the document, and adds the
    /// container prefixes of the line of `at` to each following line.
    pub fn with_prefixes(&self, at: usize, text: &str) -> String {
        with_prefixes(self.text(), at, at, text)
    }

    /// The blocks of the segment at the byte `at` and of up to `most` segments on each side, in
    /// order.
    pub fn blocks_near(&self, at: usize, most: usize) -> Vec<LocatedBlock<'_>> {
        let Some(here) = self.tree().segment_at(at) else { return Vec::new() };
        let has_blocks = |summary: &SegmentDataSummary| summary.blocks;
        let mut segments = VecDeque::new();
        let mut from = here.index + 1;
        while let Some(index) =
            self.tree().previous_attached(from, has_blocks).filter(|_| segments.len() <= most)
        {
            segments.push_front(index);
            from = index;
        }
        let behind = self.tree().attached_from(here.index + 1, has_blocks).take(most);
        segments.extend(behind.map(|located| located.index));
        let located = segments.into_iter().filter_map(|segment| self.tree().locate(segment));
        located.flat_map(|located| LocatedBlock::all_in(&located)).collect()
    }
}
