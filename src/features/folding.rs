//! Folding ranges (formats.md §4): batches, calls, JSON, messages, sections and other fences, each
//! with the label shown when folded.
//!
//! At most one fold starts on a line: a tool call has precedence over a message that begins there,
//! otherwise the larger fold wins. No fold ends on the line on which another starts.

use std::cmp::Reverse;
use std::ops::Range;

use smallvec::SmallVec;

use crate::call::pairing::Pairing;
use crate::call::{Block, label_of_batch};
use crate::dialect::by_index;
use crate::document::{Document, LocatedBatch, LocatedBlock, Message, PairedUse, PairedUses};
use crate::never::never;
use crate::segments::data::DocumentSegment;
use crate::segments::kept::KeptLines;
use crate::syntax::SegmentKind;
use crate::text::{TextCursor, saturate};

/// Looking up one block takes as long as listing about so many.
const LOOKUP: usize = 8;

/// The client's capabilities for folding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FoldingCapabilities {
    /// Maximum number of folds (`rangeLimit`).
    pub range_limit: Option<usize>,
    /// True if it does not show the labels of folds.
    pub omits_labels: bool,
}

/// A fold of whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first line, counted from 0; it stays visible.
    pub start_line: u32,
    /// The last line, counted from 0.
    pub end_line: u32,
    /// The kind.
    pub kind: FoldKind,
    /// The text shown when folded, for clients that show one.
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

impl FoldKind {
    /// True for tool uses and batches of them.
    pub fn is_of_tools(self) -> bool {
        matches!(self, Self::Batch | Self::Call)
    }
}

/// Maximum number of characters of a message in the label of its fold.
const HEADLINE: usize = 80;

/// The folds of `document`, by start line.
pub fn folding_ranges(document: &Document, client: FoldingCapabilities) -> Folds<'_> {
    let mut folds = Folds::all(document, client);
    if let Some(limit) = client.range_limit.filter(|limit| *limit < folds.found.len()) {
        let priority = |fold: &FoundFold| (fold.kind, fold.start_line);
        let mut priorities: Vec<_> = folds.found.iter().map(priority).collect();
        let (_, first_omitted, _) = priorities.select_nth_unstable(limit);
        folds.found.retain(|fold| priority(fold) < *first_omitted);
    }
    folds
}

/// The folds of `document` with a line in `lines`, and the number of all.
pub fn folding_ranges_in(
    document: &Document,
    client: FoldingCapabilities,
    lines: Range<usize>,
) -> (usize, Folds<'_>) {
    let mut folds = Folds::all(document, client);
    let total = folds.found.len();
    let is_in_part =
        |fold: &FoundFold| (fold.start_line as usize) < lines.end && fold.end_line as usize >= lines.start;
    folds.found.retain(is_in_part);
    (total, folds)
}

/// The folds of a document, or of a part of one. Their labels are made one by one, because there
/// may be very many folds, and clients may want few of them.
pub struct Folds<'d> {
    document: &'d Document,
    client: FoldingCapabilities,
    uses: PairedUses<'d>,
    messages: &'d [Message],
    found: Vec<FoundFold>,
}

impl<'d> Folds<'d> {
    /// The folds, by start line.
    pub fn iter(&self) -> impl Iterator<Item = Fold> {
        let of_uses = self.found.iter().filter(|fold| matches!(fold.subject, FoldSubject::Use(_)));
        if !self.client.omits_labels && of_uses.count() * LOOKUP > self.uses.block_count() {
            self.uses.blocks();
        }
        self.found.iter().map(|found| {
            let FoundFold { start_line, end_line, kind, subject } = *found;
            let label = if self.client.omits_labels { None } else { self.label_of(subject) };
            Fold { start_line, end_line, kind, label }
        })
    }

    fn label_of(&self, subject: FoldSubject) -> Option<String> {
        Some(match subject {
            FoldSubject::Batch(index) => label_of_batch(self.uses.batches.get(index as usize)?.counts),
            FoldSubject::Use(index) => self.uses.label_of(self.uses.uses.get(index as usize)?).to_string(),
            FoldSubject::Message(index) => {
                let message = self.messages.get(index as usize)?;
                let headline = self.document.headline(&mut self.document.cursor(), message, HEADLINE);
                format!("{}: {headline}", message.name())
            }
            FoldSubject::Other => return None,
        })
    }
}

/// A fold, of which the label is not made yet: many are left out.
struct FoundFold {
    start_line: u32,
    end_line: u32,
    kind: FoldKind,
    subject: FoldSubject,
}

/// The subject of the label of a fold, as an index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FoldSubject {
    Batch(u32),
    Use(u32),
    Message(u32),
    /// It has no label.
    Other,
}

/// The first and the last line of a block.
struct BlockLines {
    own: (u32, u32),
    /// With the fence of a log that begins with it, if `opens`, or ends with it, if `closes`.
    outer: (u32, u32),
    opens: bool,
    closes: bool,
    /// The line of its `{`, if it has one.
    brace: Option<u32>,
    /// True if it folds by itself where the parts of its tool use are not adjacent.
    folds_alone: bool,
}

impl BlockLines {
    /// A block that is on one line.
    fn on(line: u32, block: &Block) -> Self {
        let brace = block.brace.map(|_| line);
        let (lines, folds_alone) = ((line, line), folds_alone(block));
        Self { own: lines, outer: lines, opens: false, closes: false, brace, folds_alone }
    }
}

/// True if `block` folds by itself where the parts of its tool use are not adjacent: an object of a
/// message log, with the label of the tool use; or a block of other programs, whose tool uses may
/// stand in two messages.
fn folds_alone(block: &Block) -> bool {
    block.pairing == Pairing::InConversation
        || by_index(block.dialect).is_some_and(|dialect| dialect.is_of_other_programs)
}

impl<'d> Folds<'d> {
    /// The folds of `document` by start line, at most one per line.
    fn all(document: &'d Document, client: FoldingCapabilities) -> Self {
        let (uses, messages) = (document.paired_uses(), document.messages().of_log());
        let mut folds = Self { document, client, uses, messages, found: Vec::new() };
        if document.is_active() {
            let lines = &mut document.cursor();
            let blocks = folds.add_segments(lines);
            folds.add_batches_and_calls(&blocks);
            folds.add_sections(lines);
        }
        folds.found = one_a_line(folds.found, document.text().line_count());
        folds
    }

    /// Adds the folds of fences and of JSON. Returns the lines of all blocks that may be parts of
    /// tool uses, in order.
    fn add_segments(&mut self, lines: &mut TextCursor<'_>) -> Vec<BlockLines> {
        let mut all_lines = Vec::with_capacity(self.uses.block_count());
        for located in self.document.tree().iter() {
            let own = &located.data().blocks;
            if own.is_empty() && !matches!(located.segment.kind, SegmentKind::Fence(_)) {
                continue;
            }
            let first = saturate(located.line);
            if located.segment.kind == SegmentKind::Line {
                all_lines.extend(own.iter().map(|block| BlockLines::on(first, block)));
                continue;
            }
            let kept = located.segment.attachment.kept.lines(|| lines_in(self.document, lines, &located));
            let line = |line: u32| first.saturating_add(line);
            let (mut fence_end, mut blocks) = (first, own.iter());
            let mut add = |start, end, kind| {
                self.found.extend(FoundFold::of((start, end), kind, FoldSubject::Other));
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
                        let block = blocks.next();
                        let brace = block.and_then(|block| block.brace).map(|_| line(brace));
                        let folds_alone = block.is_some_and(folds_alone);
                        all_lines.push(BlockLines { own, outer, opens, closes, brace, folds_alone });
                    }
                    KeptLines::Container { start, end, depth } => {
                        add(line(start), line(end), FoldKind::Json(depth));
                    }
                }
            }
        }
        never!(all_lines.len() != self.uses.block_count(), "a block has no lines");
        all_lines
    }

    fn add_batches_and_calls(&mut self, blocks: &[BlockLines]) {
        let Self { uses, found: folds, .. } = self;
        let (uses, batches) = (&*uses, &uses.batches);
        for (index, found) in batches.iter().enumerate() {
            if let (Some(first), Some(last)) =
                (blocks.get(found.blocks.start), blocks.get(found.blocks.end - 1))
            {
                let lines = (first.outer.0, last.outer.1);
                folds.extend(FoundFold::of(lines, FoldKind::Batch, FoldSubject::Batch(saturate(index))));
            }
        }
        let of_kind = |is_adjacent: bool| {
            let all = uses.uses.iter().enumerate();
            all.filter(move |(_, tool_use)| uses.is_adjacent(tool_use) == is_adjacent)
        };
        for (index, tool_use) in of_kind(true) {
            let lines = lines_of_call(tool_use, batches, blocks);
            let call = |lines| FoundFold::of(lines, FoldKind::Call, FoldSubject::Use(saturate(index)));
            folds.extend(lines.and_then(call));
        }
        for (index, tool_use) in of_kind(false) {
            for part in &tool_use.parts {
                let lines = blocks.get(*part).filter(|lines| lines.folds_alone).map(|lines| lines.own);
                let object = |lines| FoundFold::of(lines, FoldKind::Call, FoldSubject::Use(saturate(index)));
                folds.extend(lines.and_then(object));
            }
        }
    }

    fn add_sections(&mut self, lines: &mut TextCursor<'_>) {
        for section in self.document.sections() {
            self.found.extend(FoundFold::of(section.lines, FoldKind::Section, FoldSubject::Other));
        }
        for (index, message) in self.messages.iter().enumerate() {
            let lines = lines_of(lines, &message.range);
            self.found.extend(FoundFold::of(lines, FoldKind::Section, FoldSubject::Message(saturate(index))));
        }
    }
}

impl FoundFold {
    /// A fold of these lines; `None` for a single one.
    fn of((start_line, end_line): (u32, u32), kind: FoldKind, subject: FoldSubject) -> Option<Self> {
        (end_line > start_line).then_some(Self { start_line, end_line, kind, subject })
    }
}

/// The first and the last line of a range.
fn lines_of(lines: &mut TextCursor<'_>, range: &Range<usize>) -> (u32, u32) {
    let mut line_of = |at| saturate(lines.line_of_byte(at));
    (line_of(range.start), line_of(range.end.saturating_sub(1)))
}

/// The lines that may fold in the segment `located`.
fn lines_in(
    document: &Document,
    lines: &mut TextCursor<'_>,
    located: &DocumentSegment<'_>,
) -> SmallVec<[KeptLines; 1]> {
    let first = saturate(located.line);
    let relative = |line: u32| line.saturating_sub(first);
    let mut kept = SmallVec::new();
    if let Some(fence) = document.tree().fence_at(located) {
        kept.push(KeptLines::Fence { end: relative(lines_of(lines, &fence.range).1) });
    }
    let data = located.data();
    for at in LocatedBlock::all_in(located) {
        let (own, outer) = (document.range_of(&at), document.outer_range_of(&at));
        let (start, end) = lines_of(lines, &own);
        let brace = at.block.brace.map(|brace| saturate(lines.line_of_byte(at.offset + brace as usize)));
        kept.push(KeptLines::Block {
            start: relative(start),
            brace: relative(brace.unwrap_or(start)),
            end: relative(end),
            opens: outer.start != own.start,
            closes: outer.end != own.end,
        });
    }
    for container in &data.rare().containers {
        let (start, end) = lines_of(lines, &located.absolute(container.span));
        // "A JSON fold ends on the line before its closing bracket, which stays visible."
        let end = if container.closed { end.saturating_sub(1) } else { end };
        if end > start {
            let depth = container.depth;
            kept.push(KeptLines::Container { start: relative(start), end: relative(end), depth });
        }
    }
    kept
}

/// "The first call of a batch folds from the line of its `{` instead, if it has one."
fn lines_of_call(
    tool_use: &PairedUse,
    batches: &[LocatedBatch],
    blocks: &[BlockLines],
) -> Option<(u32, u32)> {
    let (first, last) = (tool_use.parts.first()?, tool_use.parts.last()?);
    let opens_batch = batches.binary_search_by_key(first, |found| found.blocks.start).is_ok();
    let (first, last) = (blocks.get(*first)?, blocks.get(*last)?);
    // A tool use that is all of a fence includes the fence.
    let (start, end) = match first.opens && last.closes {
        true => (first.outer.0, last.outer.1),
        false => (first.own.0, last.own.1),
    };
    // The object of several calls begins before them.
    let brace = first.brace.filter(|brace| opens_batch && *brace >= start);
    Some((brace.unwrap_or(start), end))
}

/// The folds by start line, at most one per line: the largest fold, but a tool call before a
/// message, and of equal folds one with a label.
fn one_a_line(mut folds: Vec<FoundFold>, lines: usize) -> Vec<FoundFold> {
    let is_bare = |fold: &FoundFold| fold.subject == FoldSubject::Other;
    folds.sort_by_key(|fold| {
        (fold.start_line, !fold.kind.is_of_tools(), Reverse(fold.end_line), fold.kind, is_bare(fold))
    });
    folds.dedup_by_key(|fold| fold.start_line);
    nest_in_tools(&mut folds);
    without_meetings(folds, lines)
}

/// Nests the folds, which are ordered by their start lines, because editors drop the later one of
/// two that cross. Folds of tools stay; a message or section ends before one that begins in it and
/// leaves it, as where the next message begins in the middle of a result's last line; other folds
/// are left out.
fn nest_in_tools(folds: &mut Vec<FoundFold>) {
    let mut around: Vec<usize> = Vec::new();
    for index in 0..folds.len() {
        let Some(&FoundFold { start_line, end_line, kind, .. }) = folds.get(index) else { return };
        let mut stays = true;
        while let Some(outer) = around.last().and_then(|outer| folds.get_mut(*outer)) {
            if outer.end_line >= end_line {
                break;
            }
            if outer.end_line >= start_line && outer.kind.is_of_tools() != kind.is_of_tools() {
                stays = kind.is_of_tools();
                if !stays {
                    break;
                }
                outer.end_line =
                    if outer.kind == FoldKind::Section { start_line - 1 } else { outer.start_line };
            }
            around.pop();
        }
        match folds.get_mut(index) {
            Some(fold) if !stays => fold.end_line = start_line,
            _ => around.push(index),
        }
    }
    folds.retain(|fold| fold.end_line > fold.start_line);
}

/// Ensures that no fold ends on the line on which another starts: keeps the fold with the higher
/// priority for limited clients, and the first of two with the same kind.
fn without_meetings(mut folds: Vec<FoundFold>, lines: usize) -> Vec<FoundFold> {
    let mut starts = vec![false; lines];
    let mut ends = vec![false; lines];
    let at = |lines: &[bool], line: u32| lines.get(line as usize).copied().unwrap_or_default();
    let mark =
        |lines: &mut [bool], line: u32| lines.get_mut(line as usize).map_or((), |marked| *marked = true);
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
