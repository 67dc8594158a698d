//! Whether fixes mend: tried on a copy of the document, which costs what their edits damage.
//!
//! Fixes hold if every finding of the document after them is one that was there before, other than those that they mend.
//! Three things are not new, though nobody said them before:
//!
//! - behind a mended fault of `invalid-json`, what rules say of a payload that were silent because of the fault: they
//!   speak about text that was there already. Not another `invalid-json`, nor a block that is no longer closed.
//! - findings behind the last of as many as are told at most;
//! - that a call is pending, that its result has no call or is in a form that was replaced, and that a comment suppresses
//!   nothing: nobody says so of what a fault may hide.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::{Document, UnchangedExtent};
use super::touches;
use crate::json::MAX_FAULTS;
use crate::rules::{Code, Diagnostic};

/// Edits in document offsets, in the order of the text.
pub(super) type DocumentEdits = [(Range<usize>, String)];

/// How many bytes are read again at most to say what mends some problems: in a paragraph of thousands of problems each fix
/// costs all of the paragraph.
const MOST_BYTES: usize = 4 << 20;
/// As many for mending all of a document at once, which the user waits for.
const MOST_BYTES_OF_ALL: usize = 32 << 20;
/// What a trial costs besides what it reads again, and for each problem that is compared.
const EACH: usize = 256;

/// Tries fixes, as many as one question may cost.
pub(super) struct FixTrials {
    bytes_left: usize,
}

impl FixTrials {
    /// Tries each of some fixes.
    pub(super) fn try_each() -> Self {
        Self { bytes_left: MOST_BYTES }
    }

    /// Tries all fixes of a document together.
    pub(super) fn try_all_together() -> Self {
        Self { bytes_left: MOST_BYTES_OF_ALL }
    }

    /// The document after `edits`, if they mend `problems` and break nothing. `None` as well where too much was tried
    /// before.
    pub(super) fn document_after<'p>(
        &mut self,
        before: &Document,
        problems: impl Iterator<Item = &'p Diagnostic> + Clone,
        edits: &DocumentEdits,
    ) -> Option<Document> {
        let apart = edits.windows(2).all(|two| matches!(two, [one, next] if one.0.end <= next.0.start));
        if edits.is_empty() || !apart || self.bytes_left == 0 {
            return None;
        }
        let (after, same) = before.edited_with_unchanged(edits);
        // Problems that are about several blocks come and go far from an edit.
        let fences = |document: &Document| {
            let sum = document.tree.summary().attachment;
            (sum.self_contained_uses, sum.own_without_id)
        };
        let with_links = !before.links.is_shared(&after.links) || fences(before) != fences(&after);
        let cost = same.map_or(after.text.len(), |same| same.differs(&after));
        self.bytes_left = self.bytes_left.saturating_sub(cost + EACH);
        // What a fix damages is compared. Where it mends a problem that is about several blocks, all is: such problems
        // come and go far from an edit.
        let local = same.and_then(|same| {
            let (before, after) =
                (before.diagnostics_outside(same, with_links), after.diagnostics_outside(same, with_links));
            self.spend(before.len() + after.len());
            holds(problems.clone(), &before, &after, edits)
        });
        let holds = local.or_else(|| {
            let (before, after) = (before.diagnostics(), after.diagnostics());
            self.spend(before.len() + after.len());
            holds(problems, &before, &after, edits)
        });
        holds.unwrap_or_default().then_some(after)
    }

    /// Counts that `problems` were made and compared: in a document with very many, few fixes are tried.
    fn spend(&mut self, problems: usize) {
        self.bytes_left = self.bytes_left.saturating_sub(problems * EACH);
    }
}

impl UnchangedExtent {
    /// Nothing differs.
    pub(in crate::document) const ALL: Self =
        Self { prefix: usize::MAX, suffix: usize::MAX, delta_text: (usize::MAX, usize::MAX) };

    /// What both leave as it is.
    pub(in crate::document) fn min(self, other: Self) -> Self {
        let said = (self.delta_text.0.min(other.delta_text.0), self.delta_text.1.min(other.delta_text.1));
        Self {
            prefix: self.prefix.min(other.prefix),
            suffix: self.suffix.min(other.suffix),
            delta_text: said,
        }
    }

    /// How many bytes of `document` do not read as before.
    fn differs(self, document: &Document) -> usize {
        let said = document.delta_text.as_ref().map_or(0, |speech| speech.text.len());
        let own = document.text.len().saturating_sub(self.prefix.saturating_add(self.suffix));
        own + said.saturating_sub(self.delta_text.0.saturating_add(self.delta_text.1))
    }
}

impl Document {
    /// Its problems, but for those in what is the `same` as before; those of a fence's bodies are its head's. With
    /// those that several blocks have to do with, wherever they are, if `with_links`.
    fn diagnostics_outside(&self, same: UnchangedExtent, with_links: bool) -> Vec<Diagnostic> {
        let end = self.last_block();
        let segments = self.segments_outside(same.prefix, same.suffix);
        let mut problems = self.diagnostics_of_segments(segments, with_links, Some(end));
        if let Some(speech) = &self.delta_text {
            let is_last = self.last_delta_text().is_some_and(|(index, _)| index == end);
            let segments = speech.segments_outside(same.delta_text.0, same.delta_text.1);
            let said = speech.diagnostics_of_segments(segments, true, is_last.then(|| speech.last_block()));
            problems.extend(self.map_delta_text_diagnostics(said));
            problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
        }
        problems
    }

    /// The segments but for those within `head` bytes at the beginning and `tail` at the end.
    fn segments_outside(&self, head: usize, tail: usize) -> Range<usize> {
        let index_at = |offset| self.tree.segment_at(offset).map_or(self.tree.len(), |located| located.index);
        let end = self.text.len().saturating_sub(tail);
        match end.checked_sub(1).filter(|last| head <= *last) {
            Some(last) => index_at(head)..index_at(last) + 1,
            None => 0..0,
        }
    }
}

/// Whether `after` has nothing of `mended`, and nothing new; `None` where `before` has not all of them.
fn holds<'p>(
    mended: impl Iterator<Item = &'p Diagnostic>,
    before: &[Diagnostic],
    after: &[Diagnostic],
    edits: &DocumentEdits,
) -> Option<bool> {
    let key = |problem: &Diagnostic| (problem.code, problem.range.start, problem.range.end);
    let mut targets: BTreeMap<_, usize> = BTreeMap::new();
    mended.for_each(|problem| *targets.entry(key(problem)).or_default() += 1);
    let mends = |code| targets.keys().any(|(mended, ..)| *mended == code);
    let (of_json, of_end) = (mends(Code::InvalidJson), mends(Code::UnclosedTag));
    let moves = OffsetMap::new(edits);
    // Of each code how many are told, and where the last one is.
    let mut told: BTreeMap<Code, (usize, usize)> = BTreeMap::new();
    let mut left: Vec<Option<(Code, Range<usize>)>> = Vec::with_capacity(before.len());
    for problem in before {
        let range = moves.moved(&problem.range);
        let (count, last) = told.entry(problem.code).or_default();
        (*count, *last) = (*count + 1, range.start.max(*last));
        let target = targets.get_mut(&key(problem)).filter(|count| **count > 0);
        left.push(match target {
            Some(count) => {
                *count -= 1;
                None
            }
            None => Some((problem.code, range)),
        });
    }
    if targets.values().any(|count| *count > 0) {
        return None;
    }
    let mut first_left = 0;
    let holds = after.iter().all(|found| {
        // Both are in the order of the text: what ends before this one is no later one either.
        let is_over = |it: &Option<(Code, Range<usize>)>| {
            it.as_ref().is_none_or(|(_, range)| range.end < found.range.start)
        };
        while left.get(first_left).is_some_and(is_over) {
            first_left += 1;
        }
        let may_touch = |it: &&mut Option<(Code, Range<usize>)>| {
            it.as_ref().is_none_or(|(_, range)| range.start <= found.range.end)
        };
        let is_same = |it: &&mut Option<(Code, Range<usize>)>| {
            it.as_ref().is_some_and(|(code, range)| *code == found.code && touches(range, &found.range))
        };
        if let Some(known) = left.iter_mut().skip(first_left).take_while(may_touch).find(is_same) {
            *known = None;
            return true;
        }
        let is_behind_all =
            |(count, last): &(usize, usize)| *count >= MAX_FAULTS && found.range.start >= *last;
        told.get(&found.code).is_some_and(is_behind_all)
            || (of_json && is_uncovered(found, &moves))
            || (of_end && SAID_OF_CLOSED.contains(&found.code))
            || SAID_LAST.contains(&found.code)
    });
    Some(holds)
}

/// What is said only once nothing is hidden by a fault.
const SAID_LAST: &[Code] = &[Code::PendingCall, Code::UnusedSuppression];
/// What is said only of a tag that is closed.
const SAID_OF_CLOSED: &[Code] = &[Code::OrphanResult, Code::LegacyValidation];

/// Whether a rule was silent on `found` because of a fault.
fn is_uncovered(found: &Diagnostic, moves: &OffsetMap<'_>) -> bool {
    const NEVER_SILENT: &[Code] = &[
        Code::InvalidJson,
        Code::UnclosedFence,
        Code::UnclosedMarker,
        Code::UnclosedTag,
        Code::StrayTag,
        Code::UnescapedMarkup,
    ];
    !NEVER_SILENT.contains(&found.code) && !moves.contains_inserted(&found.range)
}

/// Where edits move what is around them.
struct OffsetMap<'e> {
    edits: &'e DocumentEdits,
    /// How many bytes the edits before each one, and before the end, take out and put in.
    sums: Vec<(usize, usize)>,
    /// Where what each edit puts in begins.
    starts: Vec<usize>,
}

impl<'e> OffsetMap<'e> {
    fn new(edits: &'e DocumentEdits) -> Self {
        let mut sums = vec![(0, 0)];
        for (range, text) in edits {
            let (removed, inserted) = sums.last().copied().unwrap_or_default();
            sums.push((removed + range.len(), inserted + text.len()));
        }
        let mut moves = Self { edits, sums, starts: Vec::new() };
        let starts = edits.iter().enumerate().map(|(index, (edit, _))| moves.shifted(edit.start, index));
        moves.starts = starts.collect();
        moves
    }

    /// Where `range` is after the edits: with all that was put in at its ends or in the place of a part of it.
    fn moved(&self, range: &Range<usize>) -> Range<usize> {
        let first = self.edits.partition_point(|(edit, _)| edit.end < range.start);
        let start = match self.edits.get(first) {
            Some((edit, _)) if edit.start < range.start => edit.start,
            _ => range.start,
        };
        let behind = self.edits.partition_point(|(edit, _)| edit.end <= range.end);
        let (end, edits) = match self.edits.get(behind) {
            Some((edit, _)) if edit.start < range.end => (edit.end, behind + 1),
            _ => (range.end, behind),
        };
        let start = self.shifted(start, first);
        start..self.shifted(end, edits).max(start)
    }

    /// Where the byte `at` is behind the first `edits` ones.
    fn shifted(&self, at: usize, edits: usize) -> usize {
        let (removed, inserted) = self.sums.get(edits).copied().unwrap_or_default();
        (at + inserted).saturating_sub(removed)
    }

    /// Whether `found` lies in text that was put in without any taken out for it.
    fn contains_inserted(&self, found: &Range<usize>) -> bool {
        let behind = self.starts.partition_point(|start| *start <= found.start);
        let before = self.edits.iter().zip(&self.starts).take(behind).rev();
        // Two may begin there, if one puts in nothing.
        before.take(2).any(|((edit, text), start)| edit.is_empty() && found.end <= start + text.len())
    }
}
