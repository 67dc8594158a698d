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

use super::super::{Document, Same};
use super::touches;
use crate::json::MAX_FAULTS;
use crate::rules::{Code, Problem};
use crate::text::Splice;

/// Edits in document offsets, in the order of the text.
pub(super) type Edits = [(Range<usize>, String)];

/// How many bytes are read again at most for one question: in a paragraph of thousands of problems each fix costs all
/// of the paragraph.
const MOST_BYTES: usize = 32 << 20;
/// What a trial costs besides what it reads again.
const EACH: usize = 256;

/// Tries fixes, as many as one question may cost.
pub(super) struct Trials {
    bytes_left: usize,
}

impl Trials {
    /// None tried yet.
    pub(super) fn new() -> Self {
        Self { bytes_left: MOST_BYTES }
    }

    /// The document after `edits`, if they mend `problems` and break nothing. `None` as well where too much was tried
    /// before.
    pub(super) fn after<'p>(
        &mut self,
        before: &Document,
        problems: impl Iterator<Item = &'p Problem> + Clone,
        edits: &Edits,
    ) -> Option<Document> {
        let apart = edits.windows(2).all(|two| matches!(two, [one, next] if one.0.end <= next.0.start));
        if edits.is_empty() || !apart || self.bytes_left == 0 {
            return None;
        }
        let mut after = before.to_try();
        let mut same = Some(Same { head: usize::MAX, tail: usize::MAX, said: (usize::MAX, usize::MAX) });
        for (range, text) in edits.iter().rev() {
            let splice = Splice { start: range.start, removed: range.len(), inserted: text.len() };
            let kept = after.apply_and_tell(splice, text);
            same = same.zip(kept).map(|(one, other)| one.min(other));
        }
        // Problems that are about several blocks come and go far from an edit.
        let fences = |document: &Document| {
            let sum = document.tree.summary().attachment;
            (sum.own, sum.own_without_id)
        };
        let with_links = !before.links.is_shared(&after.links) || fences(before) != fences(&after);
        let cost = same.map_or(after.text.len(), |same| same.differs(&after));
        self.bytes_left = self.bytes_left.saturating_sub(cost + EACH);
        // What a fix damages is compared. Where it mends a problem that is about several blocks, all is: such problems
        // come and go far from an edit.
        let local = same.and_then(|same| {
            let (before, after) =
                (before.problems_but(same, with_links), after.problems_but(same, with_links));
            holds(problems.clone(), &before, &after, edits)
        });
        let holds = local.or_else(|| holds(problems, &before.problems(), &after.problems(), edits));
        holds.unwrap_or_default().then_some(after)
    }
}

impl Same {
    fn min(self, other: Self) -> Self {
        let said = (self.said.0.min(other.said.0), self.said.1.min(other.said.1));
        Self { head: self.head.min(other.head), tail: self.tail.min(other.tail), said }
    }

    /// How many bytes of `document` do not read as before.
    fn differs(self, document: &Document) -> usize {
        let said = document.speech.as_ref().map_or(0, |speech| speech.text.len());
        let own = document.text.len().saturating_sub(self.head.saturating_add(self.tail));
        own + said.saturating_sub(self.said.0.saturating_add(self.said.1))
    }
}

impl Document {
    /// Its problems, but for those in what is the `same` as before; those of a fence's bodies are its head's. With
    /// those that several blocks have to do with, wherever they are, if `with_links`.
    fn problems_but(&self, same: Same, with_links: bool) -> Vec<Problem> {
        let end = self.last_block();
        let segments = self.segments_but(same.head, same.tail);
        let mut problems = self.problems_of(segments, with_links, Some(end));
        if let Some(speech) = &self.speech {
            let is_last = self.last_speech().is_some_and(|(index, _)| index == end);
            let segments = speech.segments_but(same.said.0, same.said.1);
            let said = speech.problems_of(segments, true, is_last.then(|| speech.last_block()));
            problems.extend(self.problems_of_speech(said));
            problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
        }
        problems
    }

    /// The segments but for those within `head` bytes at the beginning and `tail` at the end.
    fn segments_but(&self, head: usize, tail: usize) -> Range<usize> {
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
    mended: impl Iterator<Item = &'p Problem>,
    before: &[Problem],
    after: &[Problem],
    edits: &Edits,
) -> Option<bool> {
    let key = |problem: &Problem| (problem.code, problem.range.start, problem.range.end);
    let mut targets: BTreeMap<_, usize> = BTreeMap::new();
    mended.for_each(|problem| *targets.entry(key(problem)).or_default() += 1);
    let mends = |code| targets.keys().any(|(mended, ..)| *mended == code);
    let (of_json, of_end) = (mends(Code::InvalidJson), mends(Code::UnclosedTag));
    let moves = Moves::new(edits);
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
        while left.get(first_left).is_some_and(Option::is_none) {
            first_left += 1;
        }
        let is_same = |it: &&mut Option<(Code, Range<usize>)>| {
            it.as_ref().is_some_and(|(code, range)| *code == found.code && touches(range, &found.range))
        };
        if let Some(known) = left.iter_mut().skip(first_left).find(is_same) {
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
fn is_uncovered(found: &Problem, moves: &Moves<'_>) -> bool {
    const NEVER_SILENT: &[Code] = &[
        Code::InvalidJson,
        Code::UnclosedFence,
        Code::UnclosedMarker,
        Code::UnclosedTag,
        Code::StrayTag,
        Code::UnescapedMarkup,
    ];
    !NEVER_SILENT.contains(&found.code) && !moves.has_made_up(&found.range)
}

/// Where edits move what is around them.
struct Moves<'e> {
    edits: &'e Edits,
    /// How many bytes the edits before each one, and before the end, take out and put in.
    sums: Vec<(usize, usize)>,
}

impl<'e> Moves<'e> {
    fn new(edits: &'e Edits) -> Self {
        let mut sums = vec![(0, 0)];
        for (range, text) in edits {
            let (removed, inserted) = sums.last().copied().unwrap_or_default();
            sums.push((removed + range.len(), inserted + text.len()));
        }
        Self { edits, sums }
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
    fn has_made_up(&self, found: &Range<usize>) -> bool {
        self.edits.iter().enumerate().any(|(index, (edit, text))| {
            let start = self.shifted(edit.start, index);
            edit.is_empty() && start <= found.start && found.end <= start + text.len()
        })
    }
}
