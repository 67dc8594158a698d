//! Folding ranges (formats.md §4): batches, calls, JSON, messages, sections and other fences, each
//! with the label shown when folded.
//!
//! At most one fold starts on a line: a tool call has precedence over a message that begins there,
//! otherwise the larger fold wins. No fold ends on the line on which another starts.

use std::cmp::Reverse;
use std::ops::Range;

use crate::call::label_of_batch;
use crate::call::pairing::Pairing;
use crate::document::Document;
use crate::document::kept::KeptLines;
use crate::document::paired_uses::{LocatedBatch, LocatedUseBlock, PairedUse, PairedUses};
use crate::document::segment_data::SegmentAttachment;
use crate::syntax::{LocatedSegment, SegmentKind};
use crate::text::LineCursor;

/// The client's capabilities for folding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldingCapabilities {
    /// Maximum number of folds (`rangeLimit`).
    pub range_limit: Option<usize>,
}

/// A fold of whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first line, counted from 0; it stays visible.
    pub start_line: usize,
    /// The last line, counted from 0.
    pub end_line: usize,
    /// The kind.
    pub kind: FoldKind,
    /// The text shown when folded.
    pub label: Option<String>,
}

/// The kind of a fold, in the order of priority for limited clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldKind {
    /// A batch of tool uses.
    Batch,
    /// One tool use.
    Call,
    /// A heading's section, a message, or another fenced code block.
    Section,
    /// A JSON object or array, with its depth inside of the payload (the outermost has 0).
    Json(u16),
}

/// Maximum number of characters of a message in the label of its fold.
const HEADLINE: usize = 80;

/// The folds of `document`, by start line.
pub fn folding_ranges(document: &Document, client: FoldingCapabilities) -> Vec<Fold> {
    let mut folds = FoldCollector::of(document, 0..usize::MAX).one_a_line();
    if let Some(limit) = client.range_limit.filter(|limit| *limit < folds.len()) {
        folds.sort_by_key(|fold| (fold.kind, fold.start_line));
        folds.truncate(limit);
        folds.sort_by_key(|fold| fold.start_line);
    }
    folds
}

/// The folds of a part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldingPage {
    /// Number of folds in the whole document.
    pub total: usize,
    /// The folds with a line in the part, by start line.
    pub folds: Vec<Fold>,
}

/// The folds of `document` with a line in `lines`. Computes labels for these only.
pub fn folding_ranges_in(document: &Document, lines: Range<usize>) -> FoldingPage {
    let mut folds = FoldCollector::of(document, lines.clone()).one_a_line();
    let total = folds.len();
    folds.retain(|fold| meets(fold.start_line, fold.end_line, &lines));
    FoldingPage { total, folds }
}

/// True if one of the lines from `start` to `end` is in `lines`.
fn meets(start: usize, end: usize, lines: &Range<usize>) -> bool {
    start < lines.end && end >= lines.start
}

struct FoldCollector<'d> {
    document: &'d Document,
    lines: LineCursor<'d>,
    /// The lines whose folds need labels.
    labelled: Range<usize>,
    folds: Vec<Fold>,
}

/// The first and the last line of a block.
struct BlockLines {
    own: (usize, usize),
    /// With the fence of a log that begins with it, if `opens`, or ends with it, if `closes`.
    outer: (usize, usize),
    opens: bool,
    closes: bool,
    /// The line of its `{`, or else the first one.
    brace: usize,
}

impl BlockLines {
    /// A block that is on one line.
    fn on(line: usize) -> Self {
        let lines = (line, line);
        Self { own: lines, outer: lines, opens: false, closes: false, brace: line }
    }
}

impl<'d> FoldCollector<'d> {
    fn of(document: &'d Document, labelled: Range<usize>) -> Self {
        let lines = LineCursor::new(document.text());
        let mut folds = FoldCollector { document, lines, labelled, folds: Vec::new() };
        if !document.is_active() {
            return folds;
        }
        let (blocks, inner) = folds.lines_of_segments();
        folds.add_batches_and_calls(&document.paired_uses(), &blocks);
        folds.add_sections();
        folds.folds.extend(inner);
        folds
    }

    /// All folds by start line, at most one per line: the largest, but a tool call before a
    /// message.
    fn one_a_line(mut self) -> Vec<Fold> {
        let is_other = |kind: FoldKind| !matches!(kind, FoldKind::Batch | FoldKind::Call);
        self.folds
            .sort_by_key(|fold| (fold.start_line, is_other(fold.kind), Reverse(fold.end_line), fold.kind));
        self.folds.dedup_by_key(|fold| fold.start_line);
        without_meetings(self.folds, self.document.text().line_count())
    }

    /// Adds a fold if it has at least two lines.
    fn add(
        &mut self,
        (start_line, end_line): (usize, usize),
        kind: FoldKind,
        label: impl FnOnce() -> Option<String>,
    ) {
        if end_line > start_line {
            let label = meets(start_line, end_line, &self.labelled).then(label).flatten();
            self.folds.push(Fold { start_line, end_line, kind, label });
        }
    }

    /// The first and the last line of a range.
    fn lines_of(&mut self, range: &Range<usize>) -> (usize, usize) {
        (self.lines.line_of_byte(range.start), self.lines.line_of_byte(range.end.saturating_sub(1)))
    }

    /// The lines of all blocks that may be parts of tool uses, in order, and the folds of fences and
    /// of JSON.
    fn lines_of_segments(&mut self) -> (Vec<BlockLines>, Vec<Fold>) {
        let (mut blocks, mut folds) = (Vec::new(), Vec::new());
        for located in self.document.tree().iter() {
            let attachment = &located.segment.attachment;
            let own = attachment.data.as_deref().map_or(&[][..], |data| &data.blocks);
            if own.is_empty() && !matches!(located.segment.kind, SegmentKind::Fence(_)) {
                continue;
            }
            let first = self.lines.line_of_byte(located.offset);
            if located.segment.kind == SegmentKind::Line {
                blocks.extend(own.iter().map(|_| BlockLines::on(first)));
                continue;
            }
            let kept = attachment.kept.lines(|| self.lines_in(&located));
            let line = |line: u32| first + line as usize;
            let mut fence_end = first;
            let mut add = |start_line, end_line, kind| {
                if end_line > start_line {
                    folds.push(Fold { start_line, end_line, kind, label: None });
                }
            };
            for part in kept {
                match *part {
                    // For a tool use that is all of a fence, its own fold comes first.
                    KeptLines::Fence { end } => {
                        fence_end = line(end);
                        add(first, fence_end, FoldKind::Section);
                    }
                    KeptLines::Block { start, brace, end, opens, closes } => {
                        let own = (line(start), line(end));
                        let outer =
                            (if opens { first } else { own.0 }, if closes { fence_end } else { own.1 });
                        blocks.push(BlockLines { own, outer, opens, closes, brace: line(brace) });
                    }
                    KeptLines::Container { start, end, depth } => {
                        add(line(start), line(end), FoldKind::Json(depth));
                    }
                }
            }
        }
        (blocks, folds)
    }

    /// The lines of what may fold in the segment `located`.
    fn lines_in(&mut self, located: &LocatedSegment<'_, SegmentAttachment>) -> Vec<KeptLines> {
        let document = self.document;
        let first = self.lines.line_of_byte(located.offset);
        let relative = |line: usize| u32::try_from(line.saturating_sub(first)).unwrap_or(u32::MAX);
        let mut kept = Vec::new();
        if let Some(fence) = document.tree().fence_at(located) {
            kept.push(KeptLines::Fence { end: relative(self.lines_of(&fence.range).1) });
        }
        let data = located.segment.attachment.data.as_deref();
        let LocatedSegment { index: segment, offset, .. } = *located;
        for (number, block) in data.iter().flat_map(|data| &data.blocks).enumerate() {
            let at = LocatedUseBlock { segment, offset, number, block, gap: false };
            let (own, outer) = (document.range_of(&at), document.outer_range_of(&at));
            let (start, end) = self.lines_of(&own);
            let brace = block.brace.map(|brace| self.lines.line_of_byte(offset + brace as usize));
            kept.push(KeptLines::Block {
                start: relative(start),
                brace: relative(brace.unwrap_or(start)),
                end: relative(end),
                opens: outer.start != own.start,
                closes: outer.end != own.end,
            });
        }
        for container in data.iter().flat_map(|data| data.containers()) {
            let (start, end) = self.lines_of(&located.absolute(container.span));
            // "A JSON fold ends on the line before its closing bracket, which stays visible."
            let end = if container.closed { end.saturating_sub(1) } else { end };
            if end > start {
                let depth = container.depth;
                kept.push(KeptLines::Container { start: relative(start), end: relative(end), depth });
            }
        }
        kept
    }

    fn add_batches_and_calls(&mut self, uses: &PairedUses<'_>, blocks: &[BlockLines]) {
        uses.blocks();
        let batches = uses.batches();
        for found in &batches {
            if let (Some(first), Some(last)) =
                (blocks.get(found.blocks.start), blocks.get(found.blocks.end - 1))
            {
                let lines = (first.outer.0, last.outer.1);
                self.add(lines, FoldKind::Batch, || Some(label_of_batch(found.batch)));
            }
        }
        for tool_use in uses.uses.iter().filter(|tool_use| uses.is_adjacent(tool_use)) {
            self.add_call(uses, tool_use, &batches, blocks);
        }
        for tool_use in uses.uses.iter().filter(|tool_use| !uses.is_adjacent(tool_use)) {
            self.add_objects(uses, tool_use, blocks);
        }
    }

    /// Adds the objects of a message log that are one tool use, each with its label.
    fn add_objects(&mut self, uses: &PairedUses<'_>, tool_use: &PairedUse, blocks: &[BlockLines]) {
        for part in &tool_use.parts {
            let block = uses.block(*part).filter(|at| at.block.pairing == Pairing::InConversation);
            if let Some(lines) = block.and_then(|_| blocks.get(*part)) {
                self.add(lines.own, FoldKind::Call, || Some(uses.label_of(tool_use)));
            }
        }
    }

    /// "The first call of a batch folds from the line of its `{` instead, if it has one."
    fn add_call(
        &mut self,
        uses: &PairedUses<'_>,
        tool_use: &PairedUse,
        batches: &[LocatedBatch],
        blocks: &[BlockLines],
    ) {
        let (Some(first), Some(last)) = (tool_use.parts.first(), tool_use.parts.last()) else { return };
        let opens_batch = batches.binary_search_by_key(first, |found| found.blocks.start).is_ok();
        let has_brace = uses.block(*first).is_some_and(|at| at.block.brace.is_some());
        let (Some(first), Some(last)) = (blocks.get(*first), blocks.get(*last)) else { return };
        // A tool use that is all of a fence includes the fence.
        let mut lines = match first.opens && last.closes {
            true => (first.outer.0, last.outer.1),
            false => (first.own.0, last.own.1),
        };
        if opens_batch && has_brace {
            lines.0 = first.brace;
        }
        self.add(lines, FoldKind::Call, || Some(uses.label_of(tool_use)));
    }

    fn add_sections(&mut self) {
        for section in self.document.sections() {
            let lines = self.lines_of(&section.range);
            self.add(lines, FoldKind::Section, || None);
        }
        for turn in self.document.log_turns(usize::MAX) {
            let lines = self.lines_of(&turn.range);
            let document = self.document;
            let label = || format!("{}: {}", turn.name(), document.headline(&turn, HEADLINE));
            self.add(lines, FoldKind::Section, || Some(label()));
        }
    }
}

/// Ensures that no fold ends on the line on which another starts: keeps the one with the higher
/// priority for limited clients, and the first of two with the same kind.
fn without_meetings(mut folds: Vec<Fold>, lines: usize) -> Vec<Fold> {
    let mut starts = vec![false; lines];
    let mut ends = vec![false; lines];
    let at = |lines: &[bool], line: usize| lines.get(line).copied().unwrap_or_default();
    let mark = |lines: &mut [bool], line: usize| lines.get_mut(line).map_or((), |marked| *marked = true);
    folds.iter().for_each(|fold| mark(&mut starts, fold.start_line));
    if !folds.iter().any(|fold| at(&starts, fold.end_line)) {
        return folds;
    }
    starts.fill(false);
    folds.sort_by_key(|fold| (fold.kind, fold.start_line));
    folds.retain(|fold| {
        let stays = !at(&ends, fold.start_line) && !at(&starts, fold.end_line);
        if stays {
            mark(&mut starts, fold.start_line);
            mark(&mut ends, fold.end_line);
        }
        stays
    });
    folds.sort_by_key(|fold| fold.start_line);
    folds
}

#[cfg(test)]
mod tests;
