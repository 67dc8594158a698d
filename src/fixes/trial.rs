//! Tests fixes on a copy of the document; the cost depends on the damage of their edits.
//!
//! Fixes hold if every diagnostic after them existed before, and the diagnostics that they fix are
//! gone; a diagnostic of text that a fix moves may move with it. Four kinds of diagnostics do not
//! count as new, although they were not reported before:
//!
//! - after a fixed `invalid-json` error: diagnostics of rules that skipped the payload because of
//!   the error, as they concern existing text. This excludes other `invalid-json` errors, and
//!   blocks that are no longer closed;
//! - after a fixed `unknown-tool` error: diagnostics of the input, which only a known tool has;
//! - diagnostics after the last one, where the maximum number was reported before;
//! - pending calls, results without a call or in an outdated form, and unused suppressions: these
//!   are not reported if an error may hide the cause.

use std::collections::BTreeMap;
use std::ops::Range;

use super::DocumentEdit;
use crate::checks::Problem;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, touches};
use crate::json::MAX_FAULTS;
use crate::never::OrNever;

/// Maximum number of bytes parsed to test the fixes of one request: in a paragraph with thousands
/// of diagnostics, each fix costs the whole paragraph.
const MOST_BYTES: usize = 4 << 20;
/// The same limit for fix-all, for which users wait.
const MOST_BYTES_OF_ALL: usize = 32 << 20;
/// Fixed cost of a trial besides the bytes parsed, and of each compared diagnostic.
const EACH: usize = 256;
/// The cost of each block that is paired again by its position.
const EACH_PAIRED: usize = 4;

/// Tests fixes within a budget.
pub(super) struct FixTrials {
    bytes_left: usize,
}

impl FixTrials {
    /// The budget for testing single fixes.
    pub(super) fn try_each() -> Self {
        Self { bytes_left: MOST_BYTES }
    }

    /// The budget for testing all fixes of a document together.
    pub(super) fn try_all_together() -> Self {
        Self { bytes_left: MOST_BYTES_OF_ALL }
    }

    /// Charges for parsing `bytes`, or for work that costs as much. False if the budget is used up.
    pub(super) fn charge(&mut self, bytes: usize) -> bool {
        self.bytes_left = self.bytes_left.saturating_sub(bytes);
        self.bytes_left > 0
    }

    /// The document after `edits`, if they fix `problems` and add no diagnostic. Also `None` if the
    /// budget is used up.
    pub(super) fn document_after<'p>(
        &mut self,
        before: &Document,
        problems: impl Iterator<Item = &'p Diagnostic> + Clone,
        edits: &[DocumentEdit],
    ) -> Option<Document> {
        let apart = edits.windows(2).all(|two| matches!(two, [one, next] if one.0.end <= next.0.start));
        if edits.is_empty() || !apart || self.bytes_left == 0 {
            return None;
        }
        let (after, unchanged) = before.edited_with_unchanged(edits);
        let with_links = !before.shares_link_diagnostics(&after);
        let cost = unchanged.map_or(after.text().len(), |unchanged| {
            after.len_outside(unchanged) + after.paired_again(unchanged) * EACH_PAIRED
        });
        self.charge(cost + EACH);
        // Compares the damaged part. For a link diagnostic, compares the whole document, because
        // such diagnostics may change far from an edit.
        let local = unchanged.and_then(|unchanged| {
            let (before, after) = (
                before.problems_outside(Some(unchanged), with_links),
                after.problems_outside(Some(unchanged), with_links),
            );
            self.charge((before.len() + after.len()) * EACH);
            holds(problems.clone(), &before, &after, edits)
        });
        let holds = local.or_else(|| {
            let (before, after) = (before.problems(), after.problems());
            self.charge((before.len() + after.len()) * EACH);
            holds(problems, &before, &after, edits)
        });
        holds.unwrap_or_default().then_some(after)
    }
}

/// True if `after` contains none of `fixed` and no new diagnostic; `None` if `before` lacks some of
/// `fixed`.
fn holds<'p>(
    fixed: impl Iterator<Item = &'p Diagnostic>,
    before: &[Problem],
    after: &[Problem],
    edits: &[DocumentEdit],
) -> Option<bool> {
    let key = |problem: &Diagnostic| (problem.code, problem.range.start, problem.range.end);
    let mut targets: BTreeMap<_, usize> = BTreeMap::new();
    fixed.for_each(|problem| *targets.entry(key(problem)).or_default() += 1);
    let is_fixed_code = |code| targets.keys().any(|(fixed, ..)| *fixed == code);
    let (of_json, of_end) = (is_fixed_code(Code::InvalidJson), is_fixed_code(Code::UnclosedTag));
    let of_tool = is_fixed_code(Code::UnknownTool);
    let of_last: Vec<Code> = REPORTED_LAST.iter().copied().filter(|code| !is_fixed_code(*code)).collect();
    let moves = OffsetMap::new(edits);
    // For each code, the number of diagnostics and the end of the last one.
    let mut reported: BTreeMap<Code, (usize, usize)> = BTreeMap::new();
    let mut left: Vec<Option<(&Diagnostic, Range<usize>)>> = Vec::with_capacity(before.len());
    for Problem { diagnostic: problem, .. } in before {
        let range = moves.moved(&problem.range);
        let (count, last) = reported.entry(problem.code).or_default();
        (*count, *last) = (*count + 1, range.start.max(*last));
        let target = targets.get_mut(&key(problem)).filter(|count| **count > 0);
        left.push(match target {
            Some(count) => {
                *count -= 1;
                None
            }
            None => Some((problem, range)),
        });
    }
    if targets.values().any(|count| *count > 0) {
        return None;
    }
    let mut first_left = 0;
    let holds = after.iter().all(|Problem { diagnostic: found, .. }| {
        // Both lists are in document order: a diagnostic that ends before this one matches no later
        // one.
        let is_over = |it: &Option<(&Diagnostic, Range<usize>)>| {
            it.as_ref().is_none_or(|(_, range)| range.end < found.range.start)
        };
        while left.get(first_left).is_some_and(is_over) {
            first_left += 1;
        }
        let may_touch = |it: &&mut Option<(&Diagnostic, Range<usize>)>| {
            it.as_ref().is_none_or(|(_, range)| range.start <= found.range.end)
        };
        let is_same = |it: &&mut Option<(&Diagnostic, Range<usize>)>| {
            it.as_ref().is_some_and(|(known, range)| known.code == found.code && touches(range, &found.range))
        };
        if let Some(known) = left.iter_mut().skip(first_left).take_while(may_touch).find(is_same) {
            *known = None;
            return true;
        }
        let is_moved = |it: &&mut Option<(&Diagnostic, Range<usize>)>| {
            it.as_ref().is_some_and(|(known, _)| {
                (known.code, &known.message) == (found.code, &found.message) && moves.removes(&known.range)
            })
        };
        if moves.edits_with(&found.range).next().is_some()
            && let Some(known) = left.iter_mut().find(is_moved)
        {
            *known = None;
            return true;
        }
        let is_behind_all =
            |(count, last): &(usize, usize)| *count >= MAX_FAULTS && found.range.start >= *last;
        reported.get(&found.code).is_some_and(is_behind_all)
            || (of_json && is_uncovered(found, &moves))
            || (of_tool && REPORTED_IF_KNOWN.contains(&found.code))
            || (of_end && REPORTED_IF_CLOSED.contains(&found.code))
            || of_last.contains(&found.code)
    });
    Some(holds)
}

/// Codes that are reported only if no error hides anything.
const REPORTED_LAST: &[Code] = &[Code::PendingCall, Code::UnusedSuppression];
/// Codes that are reported only for known tools.
const REPORTED_IF_KNOWN: &[Code] = &[Code::InvalidInput, Code::UnknownParameter, Code::NotChecked];
/// Codes that are reported only for closed tags.
const REPORTED_IF_CLOSED: &[Code] = &[Code::OrphanResult, Code::LegacyValidation];

/// True if a rule did not report `found` before because of an error.
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

/// Maps offsets across edits.
struct OffsetMap<'e> {
    edits: &'e [DocumentEdit],
    /// The number of bytes removed and inserted by the edits before each edit, and by all of them.
    sums: Vec<(usize, usize)>,
    /// The start offset of each insertion.
    starts: Vec<usize>,
}

impl<'e> OffsetMap<'e> {
    fn new(edits: &'e [DocumentEdit]) -> Self {
        let mut sums = vec![(0, 0)];
        for (range, text) in edits {
            let (removed, inserted) = sums.last().copied().or_never();
            sums.push((removed + range.len(), inserted + text.len()));
        }
        let mut moves = Self { edits, sums, starts: Vec::new() };
        let starts = edits.iter().enumerate().map(|(index, (edit, _))| moves.shifted(edit.start, index));
        moves.starts = starts.collect();
        moves
    }

    /// The range after the edits, including text inserted at its ends or replacing a part of it.
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

    /// The byte `at`, shifted by the first `edits` edits.
    fn shifted(&self, at: usize, edits: usize) -> usize {
        let (removed, inserted) = self.sums.get(edits).copied().or_never();
        (at + inserted).saturating_sub(removed)
    }

    /// True if an edit removes or replaces `range`, a range before the edits.
    fn removes(&self, range: &Range<usize>) -> bool {
        let edit = self.edits.get(self.edits.partition_point(|(edit, _)| edit.end < range.end));
        edit.is_some_and(|(edit, _)| edit.start <= range.start && !edit.is_empty())
    }

    /// True if `found` lies in text that was inserted without replacing other text.
    fn contains_inserted(&self, found: &Range<usize>) -> bool {
        self.edits_with(found).any(|(edit, _)| edit.is_empty())
    }

    /// The edits with `found`, a range after them, in their new text.
    fn edits_with(&self, found: &Range<usize>) -> impl Iterator<Item = &DocumentEdit> {
        let behind = self.starts.partition_point(|start| *start <= found.start);
        let before = self.edits.iter().zip(&self.starts).take(behind).rev();
        // Two edits may begin there if one inserts nothing.
        let is_inside = |((_, text), start): &(&DocumentEdit, &usize)| found.end <= **start + text.len();
        before.take(2).filter(is_inside).map(|(edit, _)| edit)
    }
}
