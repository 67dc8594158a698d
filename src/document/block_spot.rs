//! A block at a place, whatever could be read in it: what editor features look at that help while one writes.
//!
//! A place on a blank line of a log, or in a half-typed record, is in no call yet; its dialect can still say what belongs there.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use super::edge::{BlockBoundary, with_prefixes};
use super::reading::units;
use super::{Document, Language, LocatedUseBlock};
use crate::call::SegmentDataSummary;
use crate::config::Settings;
use crate::dialect::draft::Draft;
use crate::dialect::{BlockSource, DIALECTS, Dialect, ReadOutcome};
use crate::text::Span;

/// How much of a fence is read behind a place in it: what is written there may stand before much more of it.
const READ_BEHIND: usize = 1 << 20;
/// How many lines of a log are looked at for one that is not blank.
const LINES_BEFORE: usize = 16;
/// How much blank space may stand before the place.
const MOST_BLANK: usize = 256;
/// How many bytes of it tell how it begins.
const BEGINNING: usize = 64;

/// A block, and a place in its text.
pub struct BlockPosition<'a> {
    /// The dialect that it is written in.
    pub dialect: &'static Dialect,
    /// The block.
    pub source: &'a BlockSource<'a>,
    /// What holds for the document.
    pub settings: &'a Settings,
    /// The place in bytes of the block's text.
    pub offset: usize,
    /// Of a line of a log: how the nearest line before it begins that is not blank.
    pub before: &'a str,
    mapping: BlockMapping<'a>,
}

/// The way from a block to its document.
enum BlockMapping<'a> {
    Block(BlockBoundary<'a>),
    /// A line that begins there.
    Line(usize),
}

impl BlockPosition<'_> {
    /// What is being written at the place.
    pub fn draft(&self) -> Option<Draft> {
        (self.dialect.draft)(self.source, self.offset, self.before)
    }

    /// Where `span`, bytes of the block's text, stands in the document.
    pub fn range_of(&self, span: Span) -> Range<usize> {
        match &self.mapping {
            BlockMapping::Block(edge) => edge.range(span),
            BlockMapping::Line(start) => start + span.start as usize..start + span.end as usize,
        }
    }

    /// An edit of the block's text as one of the document, as [`Spot::edit`](super::Spot::edit).
    pub fn edit(&self, span: Span, text: String) -> (Range<usize>, String) {
        match &self.mapping {
            BlockMapping::Block(edge) => (edge.range(span), edge.edit((span, text)).1),
            BlockMapping::Line(_) => (self.range_of(span), text),
        }
    }
}

impl Document {
    /// Looks at the blocks that hold the byte `at`, or end there, whatever was read in them, until `look` finds something; in
    /// a log at its line. Not at what a log's speaker says.
    pub fn block_positions_at<T>(
        &self,
        at: usize,
        look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
    ) -> Option<T> {
        if !self.is_active() {
            return None;
        }
        if self.language == Language::Stream {
            return self.line_position_at(at, look);
        }
        let here = self.tree.segment_at(at)?;
        let located = self.tree.locate(self.tree.head_of(here.index))?;
        let mut found = None;
        units(self.context(), &located, &mut |unit| {
            let edge = BlockBoundary { context: self.context(), located: &located, unit };
            let source = &unit.source;
            if source.cut && source.text.len() < READ_BEHIND + at.saturating_sub(located.offset) {
                return ReadOutcome::MoreText;
            }
            // Where a fence has no line, its end is the place.
            let is_closing = source.closed && source.text.is_empty();
            if found.is_some() || is_closing {
                return ReadOutcome::Done;
            }
            let settings = &self.settings;
            let mut look_at = |source: &BlockSource<'_>, at: usize| {
                let way = BlockMapping::Block(edge);
                look(&BlockPosition {
                    dialect: unit.dialect,
                    source,
                    settings,
                    offset: at,
                    before: "",
                    mapping: way,
                })
            };
            found = match edge.content_at(at) {
                Some(at) => look_at(source, at),
                // Blank space is no part of a block's end, unless more of it is being written there.
                None => self.blank_after_block(&edge, at).and_then(|blank| {
                    let text = [source.text, &*blank].concat();
                    look_at(&BlockSource { text: &text, ..*source }, text.len())
                }),
            };
            ReadOutcome::Done
        });
        found
    }

    /// The blank space between the end of an unclosed region and the byte `at`, on one line.
    fn blank_after_block(&self, edge: &BlockBoundary<'_>, at: usize) -> Option<Cow<'_, str>> {
        let unit = edge.unit;
        let end = edge.located.offset + unit.full_span.end as usize;
        let is_region = !unit.source.closed && unit.source.language.is_none();
        let near = is_region && end < at && at - end <= MOST_BLANK;
        let blank = near.then(|| self.text.slice(end..at))?;
        blank.bytes().all(|byte| matches!(byte, b' ' | b'\t')).then_some(blank)
    }

    fn line_position_at<T>(
        &self,
        at: usize,
        look: &mut dyn FnMut(&BlockPosition<'_>) -> Option<T>,
    ) -> Option<T> {
        let line = self.text.line_of_byte(at);
        let content = self.text.line_content(line);
        let before = (line.saturating_sub(LINES_BEFORE)..line).rev().map(|line| {
            let content = self.text.line_content(line);
            self.text.slice(content.start..content.end.min(content.start + BEGINNING))
        });
        let before = before.into_iter().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let source = BlockSource {
            text: &self.text.slice(content.clone()),
            language: None,
            info: "",
            rule: 0,
            closed: true,
            closer: "",
            cut: false,
            settings: &self.settings,
            protocol: self.protocol,
        };
        let dialect = DIALECTS.iter().find(|dialect| dialect.lines)?;
        let at = at.min(content.end).checked_sub(content.start)?;
        let way = BlockMapping::Line(content.start);
        look(&BlockPosition {
            dialect,
            source: &source,
            settings: &self.settings,
            offset: at,
            before: &before,
            mapping: way,
        })
    }

    /// `text` with line breaks of the document's own, and behind each what the line of `at` begins with in front of it, as
    /// lines that go on there do.
    pub fn with_prefixes(&self, at: usize, text: &str) -> String {
        with_prefixes(&self.text, at, at, text)
    }

    /// The blocks of up to `most` segments on each side of the byte `at`, and of its own, in order.
    pub fn blocks_near(&self, at: usize, most: usize) -> Vec<LocatedUseBlock<'_>> {
        let Some(here) = self.tree.segment_at(at) else { return Vec::new() };
        let has_blocks = |readings: &SegmentDataSummary| readings.blocks;
        let mut segments = VecDeque::new();
        let mut from = here.index + 1;
        while let Some(index) =
            self.tree.previous_attached(from, has_blocks).filter(|_| segments.len() <= most)
        {
            segments.push_front(index);
            from = index;
        }
        let mut from = here.index + 1;
        for _ in 0..most {
            let Some(index) = self.tree.next_attached(from, has_blocks) else { break };
            segments.push_back(index);
            from = index + 1;
        }
        let blocks = |segment: usize| {
            let located = self.tree.locate(segment);
            let reading = located.and_then(|it| Some((it.offset, it.segment.attachment.data.as_deref()?)));
            let blocks = reading.map(|(offset, reading)| (offset, reading.blocks.iter()));
            blocks.into_iter().flat_map(move |(offset, blocks)| {
                blocks.map(move |block| LocatedUseBlock { segment, offset, block, gap: true })
            })
        };
        segments.into_iter().flat_map(blocks).collect()
    }
}
