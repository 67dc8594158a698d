//! Inlay hints at the ends of lines: the label of a batch, the result of a call, and the id that a
//! call gets. Long lines of a log have a hint at their start, because their end is out of sight: a
//! short form of the message, with its tool uses.
//!
//! The settings select which hints are shown (formats.md §7). Delta text has none.

use std::ops::Range;

use crate::call::{CallPart, label_of_batch};
use crate::config::HintSettings;
use crate::document::{Document, LocatedBlock, PairedUse, PairedUses};
use crate::syntax::SegmentKind;

/// An inlay hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The position, as a document offset.
    pub offset: usize,
    /// The kind.
    pub kind: HintKind,
    /// The text.
    pub label: String,
}

/// Minimum length in bytes of a line whose end is out of sight.
const LONG_LINE: u32 = 400;
/// Maximum number of lines of a log in one answer.
const MOST_LINES: usize = 2_000;
/// Maximum number of characters of the text, and of tool uses, in the hint of a line.
const LINE: usize = 60;
const LABELS: usize = 3;

/// The kind of a hint, in the order of hints at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HintKind {
    /// The id of a call without a written id.
    Id,
    /// The result of a call, or that it is pending.
    Result,
    /// The message or the tool uses of a long line of a log, at its start.
    Line,
    /// The label of a batch.
    Batch,
}

/// The hints in the byte range `range` of `document`, both ends included, in document order; none
/// if `include` and `exclude` exclude the document.
pub fn inlay_hints(document: &Document, range: Range<usize>) -> Vec<InlayHint> {
    let enabled = document.settings().hints;
    let tree = document.tree();
    let first = tree.segment_at(range.start).map_or(0, |located| document.head_of(located.index));
    let next = tree.next_attached(first, |data| data.blocks || data.messages);
    let is_there = next.is_some_and(|next| tree.offset_of(next) <= range.end);
    let is_wanted = document.is_active() && (enabled.batch || enabled.result || enabled.id);
    if !is_there || !is_wanted {
        return Vec::new();
    }
    let uses = document.paired_uses();
    let last = tree.segment_at(range.end).map_or(0, |located| located.index);
    let blocks = uses.blocks_of_segments(first..last + 1);
    let mut hints = HintCollector { document, uses: &uses, first, end: range.end, blocks, hints: Vec::new() };
    if enabled.batch {
        hints.add_batches();
        hints.add_long_lines();
    }
    if enabled.result || enabled.id {
        hints.add_calls(enabled);
    }
    let mut hints = hints.hints;
    hints.retain(|hint| range.start <= hint.offset && hint.offset <= range.end);
    hints.sort_by_key(|hint| (hint.offset, hint.kind));
    hints
}

/// The document offset of a batch's hint; `first` is the first block of the batch: "at the end of
/// its first line" (formats.md §4).
pub fn place_of_batch(document: &Document, first: &LocatedBlock<'_>) -> usize {
    let start = document.outer_range_of(first).start;
    if is_long_line(document, first.segment) { first.offset } else { end_of_line(document, start) }
}

/// The batch whose label is shown at the document offset `at`, expanded.
pub fn details(document: &Document, at: usize) -> Option<String> {
    let uses = document.paired_uses();
    let is_here = |first: &LocatedBlock<'_>| first.offset <= at && place_of_batch(document, first) == at;
    let found = uses.batches.iter().find(|it| uses.block(it.blocks.start).as_ref().is_some_and(is_here));
    found.map(|found| document.expanded(&uses, found))
}

struct HintCollector<'d> {
    document: &'d Document,
    uses: &'d PairedUses<'d>,
    /// The first requested segment, and the end of the last one.
    first: usize,
    end: usize,
    /// The blocks of the requested segments.
    blocks: Range<usize>,
    hints: Vec<InlayHint>,
}

impl<'d> HintCollector<'d> {
    fn add_batches(&mut self) {
        let batches = &self.uses.batches;
        let before = batches.partition_point(|found| found.blocks.start < self.blocks.start);
        for found in batches.iter().skip(before).take_while(|found| found.blocks.start < self.blocks.end) {
            if let Some(first) = self.uses.block(found.blocks.start) {
                let at = place_of_batch(self.document, &first);
                self.hints.push(InlayHint {
                    offset: at,
                    kind: HintKind::Batch,
                    label: label_of_batch(found.counts),
                });
            }
        }
    }

    /// Adds the contents of the long lines of a log. The line that begins a batch has its label.
    fn add_long_lines(&mut self) {
        let document = self.document;
        let lines = (self.first..document.tree().len()).filter_map(|index| document.tree().locate(index));
        let lines = lines.take_while(|located| located.offset <= self.end).take(MOST_LINES);
        let labels: Vec<InlayHint> = lines
            .filter(|located| is_long_line(document, located.index))
            .filter_map(|located| {
                let label = self.label_of_line(located.index)?;
                Some(InlayHint { offset: located.offset, kind: HintKind::Line, label })
            })
            .collect();
        self.hints.extend(labels);
    }

    /// The role and the text of the message of a line, and its tool uses.
    fn label_of_line(&self, segment: usize) -> Option<String> {
        let messages = self.document.messages_in(segment..segment + 1, 1);
        let message = messages.of_log().first().map(|message| {
            match self.document.headline(&mut self.document.cursor(), message, LINE) {
                text if text.is_empty() => message.role_name().to_owned(),
                text => format!("{}: {text}", message.role_name()),
            }
        });
        let blocks = self.uses.blocks_of_segments(segment..segment + 1);
        let first = self.uses.block(blocks.start).filter(|_| !blocks.is_empty());
        let is_batch = self
            .hints
            .iter()
            .any(|hint| hint.kind == HintKind::Batch && first.is_some_and(|at| at.offset == hint.offset));
        let uses = self.uses.uses_in(blocks).take(if is_batch { 0 } else { LABELS });
        let labels: Vec<String> =
            message.into_iter().chain(uses.map(|found| self.uses.label_of(found).to_string())).collect();
        (!labels.is_empty()).then(|| labels.join(" · "))
    }

    fn add_calls(&mut self, enabled: HintSettings) {
        for index in self.uses.indices_in(self.blocks.clone()) {
            let Some(tool_use) = self.uses.uses.get(index) else { continue };
            let Some(shown_at) = self.shown_at(tool_use).filter(|at| self.is_asked_for(at)) else { continue };
            let at = self.place_of(&shown_at);
            let label = self.uses.label_of(tool_use).outcome();
            if enabled.result && !label.is_empty() {
                self.hints.push(InlayHint { offset: at, kind: HintKind::Result, label });
            }
            let has_id = self.uses.parts(tool_use).any(|part| part.block.id().is_some());
            if enabled.id
                && !has_id
                && let Some(label) = self.uses.fallback_id(index)
            {
                // The offset at which an id would be inserted, if possible. The object of several
                // calls begins before them.
                let start = self.document.range_of(&shown_at).start;
                let brace = shown_at.block.brace.map(|brace| start.max(shown_at.offset + brace as usize));
                let offset = brace.map_or(at, |brace| brace + 1);
                self.hints.push(InlayHint { offset, kind: HintKind::Id, label });
            }
        }
    }

    /// The part after which the result is shown: the call, or else a start or delta. `None` for a
    /// result alone, which shows itself.
    fn shown_at(&self, tool_use: &PairedUse) -> Option<LocatedBlock<'d>> {
        let parts = || self.uses.parts(tool_use);
        let call = parts().find(|at| at.block.part.has_call());
        call.or_else(|| parts().find(|at| matches!(at.block.part, CallPart::Start | CallPart::Delta)))
    }

    fn is_asked_for(&self, at: &LocatedBlock<'_>) -> bool {
        self.first <= at.segment && at.offset <= self.end
    }

    /// The end of the line with the tool name, or else of the first line; the end of the block if
    /// it comes earlier.
    fn place_of(&self, at: &LocatedBlock<'_>) -> usize {
        let block = self.document.range_of(at);
        let name = at.block.name_span().map(|name| at.offset + name.start as usize);
        end_of_line(self.document, name.unwrap_or(block.start)).min(block.end)
    }
}

/// True if the segment is a line of a log whose end is out of sight.
fn is_long_line(document: &Document, segment: usize) -> bool {
    let segment = document.tree().get(segment);
    segment.is_some_and(|segment| segment.kind == SegmentKind::Line && segment.content_len > LONG_LINE)
}

fn end_of_line(document: &Document, offset: usize) -> usize {
    let text = document.text();
    text.line_content(text.line_of_byte(offset)).end
}

#[cfg(test)]
mod tests;
