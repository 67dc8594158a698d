//! Folding ranges (formats.md §4): batches, calls, JSON, messages, sections and other fences, each
//! with the label shown when folded.
//!
//! At most one fold starts on a line: a tool call has precedence over a message that begins there,
//! otherwise the larger fold wins. No fold ends on the line on which another starts.

use std::cmp::Reverse;
use std::ops::Range;

use crate::call::label_of_batch;
use crate::call::pairing::Pairing;
use crate::dialect::by_index;
use crate::document::kept::KeptLines;
use crate::document::paired_uses::{LocatedBatch, LocatedUseBlock, PairedUse, PairedUses};
use crate::document::segment_data::SegmentAttachment;
use crate::document::{Document, Message};
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
    let mut collector = FoldCollector::of(document);
    let mut folds = collector.one_a_line();
    if let Some(limit) = client.range_limit.filter(|limit| *limit < folds.len()) {
        folds.sort_by_key(|fold| (fold.kind, fold.start_line));
        folds.truncate(limit);
        folds.sort_by_key(|fold| fold.start_line);
    }
    folds.into_iter().map(|found| collector.fold(&found)).collect()
}

/// The folds of a part of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldingPage {
    /// Number of folds in the whole document.
    pub total: usize,
    /// The folds with a line in the part, by start line.
    pub folds: Vec<Fold>,
}

/// The folds of `document` with a line in `lines`. Makes labels for these only.
pub fn folding_ranges_in(document: &Document, lines: Range<usize>) -> FoldingPage {
    let mut collector = FoldCollector::of(document);
    let folds = collector.one_a_line();
    let in_part = folds.iter().filter(|fold| fold.start_line < lines.end && fold.end_line >= lines.start);
    FoldingPage { total: folds.len(), folds: in_part.map(|found| collector.fold(found)).collect() }
}

struct FoldCollector<'d> {
    document: &'d Document,
    lines: LineCursor<'d>,
    uses: PairedUses<'d>,
    messages: &'d [Message],
    folds: Vec<FoundFold>,
}

/// A fold, of which the label is not made yet: many are left out.
struct FoundFold {
    start_line: usize,
    end_line: usize,
    kind: FoldKind,
    subject: FoldSubject,
}

/// The subject of the label of a fold, as an index.
#[derive(Clone, Copy)]
enum FoldSubject {
    Batch(usize),
    Use(usize),
    Message(usize),
    /// It has no label.
    Other,
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
    fn of(document: &'d Document) -> Self {
        let uses = document.paired_uses();
        let messages = document.messages().of_log();
        let lines = LineCursor::new(document.text());
        let mut folds = FoldCollector { document, lines, uses, messages, folds: Vec::new() };
        if document.is_active() {
            let (blocks, inner) = folds.lines_of_segments();
            folds.add_batches_and_calls(&blocks);
            folds.add_sections();
            folds.folds.extend(inner);
        }
        folds
    }

    /// All folds by start line, at most one per line: the largest, but a tool call before a
    /// message.
    fn one_a_line(&mut self) -> Vec<FoundFold> {
        let mut folds = std::mem::take(&mut self.folds);
        let is_other = |kind: FoldKind| !matches!(kind, FoldKind::Batch | FoldKind::Call);
        folds.sort_by_key(|fold| (fold.start_line, is_other(fold.kind), Reverse(fold.end_line), fold.kind));
        folds.dedup_by_key(|fold| fold.start_line);
        without_meetings(folds, self.document.text().line_count())
    }

    /// The fold `found` with its label.
    fn fold(&self, found: &FoundFold) -> Fold {
        let FoundFold { start_line, end_line, kind, subject } = *found;
        let label = match subject {
            FoldSubject::Batch(index) => {
                self.uses.batches.get(index).map(|found| label_of_batch(found.batch))
            }
            FoldSubject::Use(index) => self.uses.uses.get(index).map(|found| self.uses.label_of(found)),
            FoldSubject::Message(index) => self
                .messages
                .get(index)
                .map(|it| format!("{}: {}", it.name(), self.document.headline(it, HEADLINE))),
            FoldSubject::Other => None,
        };
        Fold { start_line, end_line, kind, label }
    }

    /// The lines of all blocks that may be parts of tool uses, in order, and the folds of fences
    /// and of JSON.
    fn lines_of_segments(&mut self) -> (Vec<BlockLines>, Vec<FoundFold>) {
        let (mut blocks, mut folds) = (Vec::new(), Vec::new());
        for located in self.document.tree().iter() {
            let attachment = &located.segment.attachment;
            let own = attachment.data.as_deref().map_or(&[][..], |data| &data.blocks);
            if own.is_empty() && !matches!(located.segment.kind, SegmentKind::Fence(_)) {
                continue;
            }
            let first = located.line;
            if located.segment.kind == SegmentKind::Line {
                blocks.extend(own.iter().map(|_| BlockLines::on(first)));
                continue;
            }
            let kept = attachment.kept.lines(|| self.lines_in(&located));
            let line = |line: u32| first + line as usize;
            let mut fence_end = first;
            let mut add = |start, end, kind| {
                folds.extend(FoundFold::of((start, end), kind, FoldSubject::Other));
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
        let relative = |line: usize| u32::try_from(line.saturating_sub(located.line)).unwrap_or(u32::MAX);
        let mut kept = Vec::new();
        if let Some(fence) = document.tree().fence_at(located) {
            kept.push(KeptLines::Fence { end: relative(lines_of(&mut self.lines, &fence.range).1) });
        }
        let data = located.segment.attachment.data.as_deref();
        let LocatedSegment { index: segment, offset, .. } = *located;
        for (number, block) in data.iter().flat_map(|data| &data.blocks).enumerate() {
            let at = LocatedUseBlock { segment, offset, number, block, gap: false };
            let (own, outer) = (document.range_of(&at), document.outer_range_of(&at));
            let (start, end) = lines_of(&mut self.lines, &own);
            let brace = block.brace.map(|brace| self.lines.line_of_byte(offset + brace as usize));
            kept.push(KeptLines::Block {
                start: relative(start),
                brace: relative(brace.unwrap_or(start)),
                end: relative(end),
                opens: outer.start != own.start,
                closes: outer.end != own.end,
            });
        }
        for container in data.iter().flat_map(|data| &data.rare().containers) {
            let (start, end) = lines_of(&mut self.lines, &located.absolute(container.span));
            // "A JSON fold ends on the line before its closing bracket, which stays visible."
            let end = if container.closed { end.saturating_sub(1) } else { end };
            if end > start {
                let depth = container.depth;
                kept.push(KeptLines::Container { start: relative(start), end: relative(end), depth });
            }
        }
        kept
    }

    fn add_batches_and_calls(&mut self, blocks: &[BlockLines]) {
        let Self { uses, folds, .. } = self;
        let (uses, batches) = (&*uses, &uses.batches);
        for (index, found) in batches.iter().enumerate() {
            if let (Some(first), Some(last)) =
                (blocks.get(found.blocks.start), blocks.get(found.blocks.end - 1))
            {
                let lines = (first.outer.0, last.outer.1);
                folds.extend(FoundFold::of(lines, FoldKind::Batch, FoldSubject::Batch(index)));
            }
        }
        uses.find_blocks();
        let of_kind = |is_adjacent: bool| {
            let all = uses.uses.iter().enumerate();
            all.filter(move |(_, tool_use)| uses.is_adjacent(tool_use) == is_adjacent)
        };
        for (index, tool_use) in of_kind(true) {
            let lines = lines_of_call(uses, tool_use, batches, blocks);
            let call = |lines| FoundFold::of(lines, FoldKind::Call, FoldSubject::Use(index));
            folds.extend(lines.and_then(call));
        }
        // The objects of a message log that are one tool use fold each, with its label; so do the
        // blocks of other programs, which may stand in two messages.
        let folds_alone = |at: &LocatedUseBlock<'_>| {
            at.block.pairing == Pairing::InConversation
                || by_index(at.block.dialect).is_some_and(|dialect| dialect.is_of_other_programs)
        };
        for (index, tool_use) in of_kind(false) {
            for part in &tool_use.parts {
                let block = uses.block(*part).filter(folds_alone);
                let lines = block.and_then(|_| blocks.get(*part)).map(|lines| lines.own);
                let object = |lines| FoundFold::of(lines, FoldKind::Call, FoldSubject::Use(index));
                folds.extend(lines.and_then(object));
            }
        }
    }

    fn add_sections(&mut self) {
        for section in self.document.sections() {
            let lines = lines_of(&mut self.lines, &section.range);
            self.folds.extend(FoundFold::of(lines, FoldKind::Section, FoldSubject::Other));
        }
        let Self { lines, messages, folds, .. } = self;
        for (index, message) in messages.iter().enumerate() {
            let lines = lines_of(lines, &message.range);
            folds.extend(FoundFold::of(lines, FoldKind::Section, FoldSubject::Message(index)));
        }
    }
}

impl FoundFold {
    /// A fold of these lines; `None` for a single one.
    fn of((start_line, end_line): (usize, usize), kind: FoldKind, subject: FoldSubject) -> Option<Self> {
        (end_line > start_line).then_some(Self { start_line, end_line, kind, subject })
    }
}

/// The first and the last line of a range.
fn lines_of(lines: &mut LineCursor<'_>, range: &Range<usize>) -> (usize, usize) {
    (lines.line_of_byte(range.start), lines.line_of_byte(range.end.saturating_sub(1)))
}

/// "The first call of a batch folds from the line of its `{` instead, if it has one."
fn lines_of_call(
    uses: &PairedUses<'_>,
    tool_use: &PairedUse,
    batches: &[LocatedBatch],
    blocks: &[BlockLines],
) -> Option<(usize, usize)> {
    let (first, last) = (tool_use.parts.first()?, tool_use.parts.last()?);
    let opens_batch = batches.binary_search_by_key(first, |found| found.blocks.start).is_ok();
    let has_brace = uses.block(*first)?.block.brace.is_some();
    let (first, last) = (blocks.get(*first)?, blocks.get(*last)?);
    // A tool use that is all of a fence includes the fence.
    let (start, end) = match first.opens && last.closes {
        true => (first.outer.0, last.outer.1),
        false => (first.own.0, last.own.1),
    };
    Some((if opens_batch && has_brace { first.brace } else { start }, end))
}

/// Ensures that no fold ends on the line on which another starts: keeps the one with the higher
/// priority for limited clients, and the first of two with the same kind.
fn without_meetings(mut folds: Vec<FoundFold>, lines: usize) -> Vec<FoundFold> {
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
