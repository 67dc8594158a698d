//! What mends the problems of a document: quick fixes, and all that can be mended unseen.
//!
//! Rules propose, the document tries: a fix is offered only if, applied to this very document, it takes its finding
//! away and brings no other one. What counts as new is said in [`trial`].

use std::collections::BTreeMap;
use std::ops::Range;

use super::Document;
use crate::rules::{Code, Diagnostic, Fix};

mod links;
mod patch;
mod propose;
mod suppressing;
mod trial;

use patch::Patch;
use propose::Proposal;
use trial::FixTrials;

/// How often [`Document::fix_all`] looks again for what its own edits uncovered: of a payload with very many faults only
/// the first ones are told.
const ROUNDS: usize = 50;

/// A problem, and what mends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixableDiagnostic {
    /// As [`Document::problems`] has it.
    pub problem: Diagnostic,
    /// The ways to mend it, the best first, in document offsets; edits are in the order of the text and do not
    /// overlap.
    pub fixes: Vec<Fix<Range<usize>>>,
}

impl Document {
    /// The problems that touch the bytes `range`, and what mends each. Reads again only the segments with such problems,
    /// and what each fix damages; after very much of that, what is left is not tried and has no fixes.
    pub fn fixes_in_range(&self, range: Range<usize>) -> Vec<FixableDiagnostic> {
        let touching = |problem: &Diagnostic| touches(&problem.range, &range);
        let problems: Vec<_> = self.diagnostics().into_iter().filter(touching).collect();
        let mut proposed = self.proposed_fixes(&range, None, &problems);
        let mut trials = FixTrials::try_each();
        let fixable = |problem: Diagnostic| {
            let mut fixes = take_proposed(&mut proposed, &problem);
            fixes.retain(|fix| trials.document_after(self, std::iter::once(&problem), &fix.edits).is_some());
            let preferred = fixes.iter().position(|fix| fix.is_preferred);
            for (at, fix) in fixes.iter_mut().enumerate() {
                fix.is_preferred = Some(at) == preferred;
            }
            FixableDiagnostic { problem, fixes }
        };
        problems.into_iter().map(fixable).collect()
    }

    /// The edits that make all safe and preferred fixes, of all codes or of one, to be applied at once: in the order of
    /// the text and without overlaps, in document offsets. Of fixes that overlap the first is made first, and the others if
    /// they are still wanted after it.
    pub fn fix_all(&self, only: Option<Code>) -> Vec<(Range<usize>, String)> {
        self.fix_all_where(only, |fix| fix.is_safe)
    }

    /// The edits that make all preferred fixes of `code`, safe or not; see [`Document::fix_all`].
    pub fn fix_each(&self, code: Code) -> Vec<(Range<usize>, String)> {
        self.fix_all_where(Some(code), |_| true)
    }

    /// The edits that make all preferred fixes of all codes, safe or not; see [`Document::fix_all`].
    pub fn fix_all_unsafe(&self) -> Vec<(Range<usize>, String)> {
        self.fix_all_where(None, |_| true)
    }

    fn fix_all_where(
        &self,
        only: Option<Code>,
        is_wanted: fn(&Fix<Range<usize>>) -> bool,
    ) -> Vec<(Range<usize>, String)> {
        let mut mending = FixAllRun {
            document: self.clone(),
            patch: Patch::new(self.text.len()),
            trials: FixTrials::try_all_together(),
        };
        for _ in 0..ROUNDS {
            let fixes = mending.document.preferred_fixes(only, is_wanted);
            if !mending.make(&fixes) {
                break;
            }
        }
        mending.patch.into_edits()
    }

    /// Whether [`Document::fix_all`] may have more than `count` fixes to make: without trying them.
    pub fn has_safe_fixes(&self, only: Option<Code>, count: usize) -> bool {
        self.preferred_fixes(only, |fix| fix.is_safe).len() > count
    }

    /// The preferred fixes that are proposed for its problems and wanted, in the order of the text and without overlaps.
    fn preferred_fixes(
        &self,
        only: Option<Code>,
        is_wanted: fn(&Fix<Range<usize>>) -> bool,
    ) -> Vec<(Diagnostic, Fix<Range<usize>>)> {
        let mut problems = self.diagnostics();
        problems.retain(|problem| only.is_none_or(|only| only == problem.code));
        // Of what several blocks have to do with, only this is safe.
        let outdated: Vec<_> =
            problems.iter().filter(|problem| problem.code.is_deprecation()).cloned().collect();
        let mut proposed = self.proposed_fixes(&(0..self.text.len()), only, &outdated);
        let mut fixes: Vec<_> = problems
            .into_iter()
            .filter_map(|problem| {
                let fixes = take_proposed(&mut proposed, &problem);
                let fix = fixes.into_iter().find(|fix| fix.is_preferred && is_wanted(fix))?;
                Some((problem, fix))
            })
            .collect();
        let mut end = 0;
        fixes.sort_by_key(|(_, fix)| extent(fix).start);
        fixes.retain(|(_, fix)| {
            let extent = extent(fix);
            let is_free = extent.start >= end;
            if is_free {
                // Of two insertions in one place one waits as well.
                end = extent.end.max(extent.start + 1);
            }
            is_free
        });
        fixes
    }

    /// What is proposed for the problems that touch `range`, of all codes or of one, by their places; of those that several
    /// blocks have to do with for `problems` only.
    fn proposed_fixes(
        &self,
        range: &Range<usize>,
        only: Option<Code>,
        problems: &[Diagnostic],
    ) -> ProposalsByDiagnostic {
        let mut proposed = ProposalsByDiagnostic::new();
        let mut add = |mut proposal: Proposal<Range<usize>>| {
            proposal
                .fixes
                .iter_mut()
                .for_each(|fix| fix.edits.sort_by_key(|(range, _)| (range.start, range.end)));
            let key = (proposal.place.start, proposal.place.end, proposal.code);
            proposed.entry(key).or_default().push(proposal);
        };
        // The first ones, since rules propose nothing for these.
        self.proposals_of_links(problems).into_iter().for_each(&mut add);
        self.proposals_in(range, only).into_iter().for_each(&mut add);
        self.proposals_in_delta_text(range, only).into_iter().for_each(&mut add);
        proposed
    }
}

/// A document whose safe fixes are made one after the other.
struct FixAllRun {
    document: Document,
    patch: Patch,
    trials: FixTrials,
}

impl FixAllRun {
    /// Makes `fixes`, which are in order and do not overlap, all at once; where that does not hold, each half of them by
    /// itself, the last ones first, so that they move none of the others. Returns whether it made any.
    fn make(&mut self, fixes: &[(Diagnostic, Fix<Range<usize>>)]) -> bool {
        let edits: Vec<_> = fixes.iter().flat_map(|(_, fix)| fix.edits.iter().cloned()).collect();
        let problems = fixes.iter().map(|(problem, _)| problem);
        if let Some(after) = self.trials.document_after(&self.document, problems, &edits) {
            self.patch.apply(&edits);
            self.document = after;
            return true;
        }
        if fixes.len() < 2 {
            return false;
        }
        let (front, behind) = fixes.split_at(fixes.len() / 2);
        let any = self.make(behind);
        self.make(front) || any
    }
}

/// Proposals by the places and codes of their problems.
type ProposalsByDiagnostic = BTreeMap<(usize, usize, Code), Vec<Proposal<Range<usize>>>>;

/// What is proposed for `problem`; two problems that look the same have one each.
fn take_proposed(proposed: &mut ProposalsByDiagnostic, problem: &Diagnostic) -> Vec<Fix<Range<usize>>> {
    let key = (problem.range.start, problem.range.end, problem.code);
    let Some(found) = proposed.get_mut(&key) else { return Vec::new() };
    let at = found.iter().position(|proposal| proposal.message == problem.message);
    at.map(|at| found.remove(at).fixes).unwrap_or_default()
}

/// From the first byte that a fix edits to the last.
fn extent(fix: &Fix<Range<usize>>) -> Range<usize> {
    let start = fix.edits.iter().map(|(range, _)| range.start).min().unwrap_or_default();
    start..fix.edits.iter().map(|(range, _)| range.end).max().unwrap_or_default()
}

/// Whether two ranges share a byte, or one ends where the other begins.
pub fn touches(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}
