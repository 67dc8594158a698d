//! The extent of a document that edits leave unchanged, and the diagnostics outside of it: testing
//! a fix costs only what its edits damage.

use std::ops::Range;

use super::Document;
use crate::call::Block;
use crate::call::pairing::Pairing;
use crate::diagnostic::Diagnostic;

/// The unchanged prefix and suffix of an edit, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnchangedExtent {
    pub(super) prefix: usize,
    pub(super) suffix: usize,
    /// The unchanged prefix and suffix of the delta text.
    pub(super) delta_text: (usize, usize),
}

impl UnchangedExtent {
    /// No change.
    pub(super) const ALL: Self =
        Self { prefix: usize::MAX, suffix: usize::MAX, delta_text: (usize::MAX, usize::MAX) };

    /// The extent that is unchanged in both.
    pub(super) fn min(self, other: Self) -> Self {
        let delta_text =
            (self.delta_text.0.min(other.delta_text.0), self.delta_text.1.min(other.delta_text.1));
        Self { prefix: self.prefix.min(other.prefix), suffix: self.suffix.min(other.suffix), delta_text }
    }

    /// Number of bytes of `document` outside of the extent.
    pub(crate) fn differs(self, document: &Document) -> usize {
        let len = document.delta_text.as_ref().map_or(0, |delta_text| delta_text.text.len());
        let own = document.text.len().saturating_sub(self.prefix.saturating_add(self.suffix));
        own + len.saturating_sub(self.delta_text.0.saturating_add(self.delta_text.1))
    }
}

impl Document {
    /// The diagnostics outside of the extent `unchanged`; all if it is `None`. A fence whose body
    /// changed counts from its head. Includes all link diagnostics if `with_links`. Does not apply
    /// suppression comments.
    pub(crate) fn diagnostics_outside(
        &self,
        unchanged: Option<UnchangedExtent>,
        with_links: bool,
    ) -> Vec<Diagnostic> {
        let end = self.last_block();
        let segments = self.segments_outside(unchanged.map(|it| (it.prefix, it.suffix)));
        let mut problems = self.diagnostics_of_segments(segments, with_links, Some(end));
        if let Some(delta_text) = &self.delta_text {
            // The last block of the delta text is unfinished only if nothing else follows it.
            let is_last = self.last_delta_text().is_some_and(|(index, _)| index == end);
            let segments = delta_text.segments_outside(unchanged.map(|it| it.delta_text));
            let diagnostics =
                delta_text.diagnostics_of_segments(segments, true, is_last.then(|| delta_text.last_block()));
            problems.extend(self.map_delta_text_diagnostics(diagnostics));
            problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
        }
        problems
    }

    /// True if the diagnostics that concern several blocks are the same here and in `other`, a copy
    /// with edits: such diagnostics may be far from an edit.
    pub(crate) fn shares_link_diagnostics(&self, other: &Self) -> bool {
        let fences = |document: &Document| {
            let sum = document.tree.summary().attachment;
            (sum.self_contained_uses, sum.fences_without_id)
        };
        self.links.is_shared(&other.links) && fences(self) == fences(other)
    }

    /// The number of blocks that pair by position, if one of them is outside of the extent
    /// `unchanged`: then all are paired again.
    pub(crate) fn paired_again(&self, unchanged: UnchangedExtent) -> usize {
        let changed = self.segments_outside(Some((unchanged.prefix, unchanged.suffix)));
        let mut data = self.tree.iter_from(changed.start).take(changed.len());
        let is_by_position = |block: &Block| matches!(block.pairing, Pairing::EarlierCall { .. });
        let has_one = data.any(|located| located.data().blocks.iter().any(is_by_position));
        if has_one { self.links.paired_by_position() } else { 0 }
    }

    /// The segments that extend beyond the given numbers of bytes at the start and end.
    fn segments_outside(&self, unchanged: Option<(usize, usize)>) -> Range<usize> {
        let Some((head, tail)) = unchanged else { return 0..self.tree.len() };
        let index_at = |offset| self.tree.segment_at(offset).map_or(self.tree.len(), |located| located.index);
        let end = self.text.len().saturating_sub(tail);
        match end.checked_sub(1).filter(|last| head <= *last) {
            Some(last) => index_at(head)..index_at(last) + 1,
            None => 0..0,
        }
    }
}
