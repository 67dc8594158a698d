//! Moves a batch, or a single call, to a stream log of its own; a link with its label stays.

use std::ops::Range;

use super::super::conversion::{ConversionScope, new_errors, start_of, uses_in_scope};
use super::MOST_PLANNED;
use crate::call::{ToolUse, UseCounts, label_of_batch};
use crate::convert::{ConversionLoss, convert};
use crate::dialect::stream;
use crate::document::{Document, Language, LocatedBlock, PairedUses};
use crate::syntax::FenceView;
use crate::text::DocumentEdit;

/// The moved tool uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extraction {
    /// The text of the log.
    pub log: String,
    /// The label of the link to the log.
    pub label: String,
    /// The losses.
    pub losses: Vec<ConversionLoss>,
    /// The byte range of the document that the link replaces.
    pub range: Range<usize>,
}

/// The tool uses of a batch, or of a single call, that can be moved together.
pub(super) struct MovableUses {
    /// Their blocks, as a range of [`PairedUses::blocks`].
    blocks: Range<usize>,
    /// As indices of `Pairs::uses`.
    uses: Vec<usize>,
    /// Their byte range.
    range: Range<usize>,
}

impl MovableUses {
    /// The batch at the byte `at` of a Markdown document, or else the call: other languages have no
    /// links. `None` if there is none, parts of it are elsewhere, or its fence contains more.
    pub(super) fn at(document: &Document, uses: &PairedUses<'_>, at: usize) -> Option<Self> {
        if document.language() != Language::Markdown {
            return None;
        }
        let block = uses.block_at(at)?;
        let (blocks, scope) = match uses.batch_of(block) {
            Some(batch) => (batch.blocks.clone(), ConversionScope::Batch(at)),
            None => (block..block + 1, ConversionScope::Call(at)),
        };
        let wanted = uses_in_scope(uses, scope)?;
        let mut parts = wanted.iter().filter_map(|index| uses.uses.get(*index)).flat_map(|it| &it.parts);
        if parts.any(|part| !blocks.contains(part)) {
            return None;
        }
        let range = bytes_of(document, &uses.block(blocks.start)?, &uses.block(blocks.end.checked_sub(1)?)?)?;
        Some(Self { blocks, uses: wanted, range })
    }

    /// True if there are several.
    pub(super) fn is_batch(&self) -> bool {
        self.uses.len() > 1
    }

    /// The losses when they are moved; `None` if the log cannot express them. The losses of very
    /// many are left to [`Extraction::at`], as is the test on a copy.
    pub(super) fn losses(&self, document: &Document, uses: &PairedUses<'_>) -> Option<Vec<ConversionLoss>> {
        if self.uses.len() > MOST_PLANNED {
            return Some(Vec::new());
        }
        log_of(document, &document.tool_uses_of(uses, &self.uses)).map(|(_, losses)| losses)
    }
}

impl Extraction {
    /// The extraction of the batch at the byte `at`, or else of the call, tested on a copy. `None`
    /// if there is none that can be moved.
    pub fn at(document: &Document, at: usize) -> Option<Self> {
        let uses = document.paired_uses();
        let found = MovableUses::at(document, &uses, at)?;
        let (log, losses) = log_of(document, &document.tool_uses_of(&uses, &found.uses))?;
        let moved = UseCounts::of(uses.uses_in(found.blocks.clone()).map(|tool_use| tool_use.status));
        let extraction = Self { log, label: label_of_batch(moved), losses, range: found.range };
        let after = document.edited(&[extraction.link("log.jsonl")]);
        let is_gone = after.paired_uses().uses.len() + found.uses.len() == uses.uses.len();
        (is_gone && new_errors(document, &after).is_empty()).then_some(extraction)
    }

    /// The edit that leaves a link to `target`, a URI reference.
    pub fn link(&self, target: &str) -> DocumentEdit {
        (self.range.clone(), format!("[{}]({target})", self.label))
    }
}

/// The records of `tool_uses`, and their losses.
fn log_of(document: &Document, tool_uses: &[ToolUse]) -> Option<(String, Vec<ConversionLoss>)> {
    let (mut log, mut losses) = (String::new(), Vec::new());
    for tool_use in tool_uses {
        let converted = convert(tool_use, &stream::DIALECT, document.settings())?;
        let records = converted.text.lines().filter(|line| !line.starts_with("```"));
        records.for_each(|record| log.extend([record, "\n"]));
        losses.extend(converted.losses);
    }
    losses.sort();
    losses.dedup();
    Some((log, losses))
}

/// The byte range of adjacent blocks, from `first` to `last`. The lines of a log include their
/// fence if it contains nothing else.
fn bytes_of(document: &Document, first: &LocatedBlock<'_>, last: &LocatedBlock<'_>) -> Option<Range<usize>> {
    let (outer_first, outer_last) = (document.outer_range_of(first), document.outer_range_of(last));
    let fence_of = |at: &LocatedBlock<'_>| document.tree().fence(at.segment);
    let is_fence = |fence: &FenceView, at: &LocatedBlock<'_>| start_of(fence) == document.range_of(at).start;
    let (opening, closing) = (fence_of(first), fence_of(last));
    let begins = |it: &FenceView| is_fence(it, first) || it.range.start == outer_first.start;
    let ends = |it: &FenceView| is_fence(it, last) || it.range.end == outer_last.end;
    if !opening.as_ref().is_none_or(begins) || !closing.as_ref().is_none_or(ends) {
        return None;
    }
    let start = opening.map_or(outer_first.start, |fence| start_of(&fence));
    let text = document.text().slice(start..outer_last.end);
    Some(start..start + text.trim_end_matches(['\n', '\r']).len())
}
