//! Documents after edits, and the extent that these leave unchanged: testing a fix costs only what
//! its edits damage.

use std::ops::Range;
use std::sync::Arc;

use crate::call::Block;
use crate::call::pairing::Pairing;
use crate::document::{Document, UnchangedExtent};
use crate::text::{Splice, Text};

/// The fixed cost of an edit, in bytes that can be parsed in that time.
const EACH: usize = 1 << 10;

impl Document {
    /// The document after `edits`, which are in document order and do not overlap.
    pub fn edited(&self, edits: &[(Range<usize>, String)]) -> Self {
        self.edited_with_unchanged(edits).0
    }

    /// Like [`Document::edited`], with the unchanged extent, or `None` if it is unknown. Applies
    /// edits one by one, unless parsing the whole text is less work: many edits may lie in one
    /// paragraph, or change one id.
    pub(crate) fn edited_with_unchanged(
        &self,
        edits: &[(Range<usize>, String)],
    ) -> (Self, Option<UnchangedExtent>) {
        let damage = |(range, _): &(Range<usize>, String)| {
            self.tree.segment_at(range.start).map_or(0, |located| located.segment.len as usize).max(EACH)
        };
        if edits.len() > 1 && edits.iter().map(damage).sum::<usize>() > self.text.len() {
            let text = Text::new(&self.text_after(edits));
            let read = Self::read(text, self.language, Arc::clone(&self.settings), self.role);
            return (read.assumed(self.is_transcript()), None);
        }
        let mut edited = self.trial_copy();
        let mut unchanged = Some(UnchangedExtent::ALL);
        for (range, written) in edits.iter().rev() {
            let splice = Splice { start: range.start, removed: range.len(), inserted: written.len() };
            let unchanged_by_edit = edited.apply_with_unchanged(splice, written);
            unchanged = unchanged.zip(unchanged_by_edit).map(|(one, other)| one.min(other));
        }
        (edited, unchanged)
    }

    fn text_after(&self, edits: &[(Range<usize>, String)]) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut end = 0;
        for (range, written) in edits {
            text.extend(self.text.chunks(end..range.start.max(end)));
            text.push_str(written);
            end = range.end.max(end);
        }
        text.extend(self.text.chunks(end..self.text.len()));
        text
    }

    /// Number of bytes outside of the extent `unchanged`.
    pub(crate) fn len_outside(&self, unchanged: UnchangedExtent) -> usize {
        let len = self.delta_text.as_ref().map_or(0, |delta_text| delta_text.text.len());
        let own = self.text.len().saturating_sub(unchanged.prefix.saturating_add(unchanged.suffix));
        own + len.saturating_sub(unchanged.delta_text.0.saturating_add(unchanged.delta_text.1))
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
    pub(crate) fn segments_outside(&self, unchanged: Option<(usize, usize)>) -> Range<usize> {
        let Some((head, tail)) = unchanged else { return 0..self.tree.len() };
        let index_at = |offset| self.tree.segment_at(offset).map_or(self.tree.len(), |located| located.index);
        let end = self.text.len().saturating_sub(tail);
        match end.checked_sub(1).filter(|last| head <= *last) {
            Some(last) => index_at(head)..index_at(last) + 1,
            None => 0..0,
        }
    }
}
