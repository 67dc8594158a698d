//! Fixes for the diagnostics of a document: quick fixes, and the fix-all of safe fixes.
//!
//! Rules propose fixes, and `trial` tests them: a fix is offered only if applying it to a copy of
//! the document removes its diagnostic and adds none that counts as new.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::checks::{Cause, Problem};
use crate::diagnostic::{Code, Diagnostic, Fix};
use crate::document::{Document, touches};
use crate::never::OrNever;
use crate::text::DocumentEdit;
use crate::text::patch::Patch;

mod links;
mod message_edits;
mod messages;
mod problem_fixer;
mod propose;
mod requests;
mod secrets;
mod sessions;
mod suppressing;
mod trial;

pub use messages::MessageFix;
use problem_fixer::ProblemFixer;
pub use requests::RequestFix;
pub use sessions::{LINK_TITLE, uuid_after};
use trial::FixTrials;

/// Maximum number of rounds of [`Document::fix_all`]: edits may uncover further errors, as only the
/// first errors of a payload are reported.
const ROUNDS: usize = 50;

/// A diagnostic and its fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixableDiagnostic {
    /// The diagnostic, as in [`Document::diagnostics`].
    pub problem: Diagnostic,
    /// The fixes, best first, in document offsets; edits are in document order and do not overlap.
    pub fixes: Vec<Fix<Range<usize>>>,
}

/// Maximum number of fixes, and of bytes of their document, that are tested before all are offered.
const FEW_FIXES: usize = 8;
const LONGEST_TESTED: usize = 1 << 17;

impl Document {
    /// The diagnostics that touch the bytes `range`, with their fixes. Parses only the segments
    /// with such diagnostics, and the segments that each fix damages. The amount of work is
    /// limited; diagnostics beyond the limit have no fixes.
    pub fn fixes_in_range(&self, range: Range<usize>) -> Vec<FixableDiagnostic> {
        let touching = |problem: &Problem| touches(&problem.diagnostic.range, &range);
        let problems: Vec<_> = self.problems().into_iter().filter(touching).collect();
        let mut fixer = ProblemFixer::new(self, &range, None);
        let mut trials = FixTrials::try_each();
        let mut searched = false;
        let fixable = |found: Problem| {
            let problem = &found.diagnostic;
            if problem.code == Code::Secret {
                // Each costs a search of the whole text. It is not tried: no other diagnostic is a
                // reason to keep a secret.
                let is_affordable =
                    trials.charge(self.text().len()) || !std::mem::replace(&mut searched, true);
                let fixes = if is_affordable { vec![self.redaction(problem)] } else { Vec::new() };
                return FixableDiagnostic { problem: found.diagnostic, fixes };
            }
            let mut fixes: Vec<_> = fixer
                .fixes_of(&found)
                .into_iter()
                .filter_map(|fix| {
                    let after = trials.document_after(self, std::iter::once(problem), &fix.edits);
                    if after.is_some() { Some(fix) } else { self.fix_everywhere(problem, fix, &mut trials) }
                })
                .collect();
            let preferred = fixes.iter().position(|fix| fix.is_preferred);
            for (at, fix) in fixes.iter_mut().enumerate() {
                fix.is_preferred = Some(at) == preferred;
            }
            FixableDiagnostic { problem: found.diagnostic, fixes }
        };
        problems.into_iter().map(fixable).collect()
    }

    /// The safe fix `fix` of `problem`, applied to all equal diagnostics together: an id that is
    /// wrong in a call and in its result can only be fixed in both.
    fn fix_everywhere(
        &self,
        problem: &Diagnostic,
        fix: Fix<Range<usize>>,
        trials: &mut FixTrials,
    ) -> Option<Fix<Range<usize>>> {
        if !fix.is_safe || !trials.charge(self.text().len()) {
            return None;
        }
        let fixes = self.preferred_fixes(Some(problem.code), false);
        let is_equal = |other: &Diagnostic| other.code == problem.code && other.message == problem.message;
        let fixes = self.apart(fixes.iter().collect()).0;
        let equal = || fixes.iter().copied().filter(|(other, _)| is_equal(other));
        equal().nth(1)?;
        let edits = edits_of(equal());
        trials.document_after(self, equal().map(|(other, _)| other), &edits)?;
        Some(Fix { title: format!("{} everywhere", fix.title), edits, ..fix })
    }

    /// The edits that apply all safe and preferred fixes, of all codes or of one, at once: in
    /// document order, without overlaps, in document offsets. Of overlapping fixes, the first is
    /// applied first, and the others only if they are still needed, or if it fails.
    pub fn fix_all(&self, only: Option<Code>) -> Vec<DocumentEdit> {
        self.fix_all_where(only, false)
    }

    /// The edits that apply all preferred fixes of `code`, safe or not; see [`Document::fix_all`].
    /// Fixes between calls and results, and of requests, are left to editors and `repair`, except
    /// for outdated forms.
    pub fn fix_each(&self, code: Code) -> Vec<DocumentEdit> {
        self.fix_all_where(Some(code), true)
    }

    /// The edits that apply all preferred fixes of all codes, safe or not; see
    /// [`Document::fix_each`].
    pub fn fix_all_unsafe(&self) -> Vec<DocumentEdit> {
        self.fix_all_where(None, true)
    }

    fn fix_all_where(&self, only: Option<Code>, with_unsafe: bool) -> Vec<DocumentEdit> {
        let mut run = FixAllRun {
            document: self.clone(),
            patch: Patch::new(self.text().len()),
            trials: FixTrials::try_all_together(),
        };
        // Redactions are preferred and not safe.
        if with_unsafe && only.is_none_or(|only| only == Code::Secret) {
            run.redact();
        }
        for _ in 0..ROUNDS {
            let fixes = run.document.preferred_fixes(only, with_unsafe);
            // A guess is only made where no safe fix helps. New forms are written apart: errors
            // that a fix of JSON reveals do not count as new.
            let kinds = [(true, false), (true, true), (false, false), (false, true)];
            let is_changed = kinds.into_iter().any(|kind| {
                let is_of_kind =
                    |(problem, fix): &DiagnosticWithFix| (fix.is_safe, problem.code.is_deprecation()) == kind;
                run.make_some(fixes.iter().filter(|fix| is_of_kind(fix)).collect())
            });
            if !is_changed {
                break;
            }
        }
        run.patch.into_edits()
    }

    /// True if [`Document::fix_all`] has more than `count` fixes to apply. Many fixes, and fixes of
    /// long documents, are not tested.
    pub fn has_safe_fixes(&self, only: Option<Code>, count: usize) -> bool {
        let fixes = self.apart(self.preferred_fixes(only, false).iter().collect()).0.len();
        let is_tested = fixes <= FEW_FIXES && self.text().len() <= LONGEST_TESTED;
        fixes > count && (!is_tested || !self.fix_all(only).is_empty())
    }

    /// The best preferred fix of each diagnostic, of all codes or of one, in document order: a safe
    /// one, or any if `with_unsafe`.
    fn preferred_fixes(&self, only: Option<Code>, with_unsafe: bool) -> Vec<DiagnosticWithFix> {
        let mut fixer = ProblemFixer::new(self, &(0..self.text().len()), only);
        let mut fixes = Vec::new();
        for found in self.problems() {
            let code = found.diagnostic.code;
            // Of the fixes between several blocks, only those of outdated forms are safe.
            let is_local = matches!(found.cause, Cause::Own) || code.is_deprecation();
            if is_local && only.is_none_or(|only| only == code) {
                let is_wanted = |fix: &Fix<Range<usize>>| fix.is_preferred && (fix.is_safe || with_unsafe);
                let wanted = fixer.fixes_of(&found).into_iter().filter(is_wanted);
                let fix = wanted.min_by_key(|fix| !fix.is_safe);
                fixes.extend(fix.map(|fix| (found.diagnostic, fix)));
            }
        }
        fixes.sort_by_key(|(_, fix)| extent(fix).start);
        fixes
    }

    /// Splits `fixes`, which are in order, into the fixes to apply together, and the rest: each of
    /// these overlaps an earlier fix, or makes another kind of guess in the same payload.
    fn apart<'f>(
        &self,
        fixes: DiagnosticsWithFixes<'f>,
    ) -> (DiagnosticsWithFixes<'f>, DiagnosticsWithFixes<'f>) {
        let (mut end, mut guesses) = (0, HashMap::new());
        fixes.into_iter().partition(|(problem, fix)| {
            let extent = extent(fix);
            // An error in JSON may be the consequence of an earlier one of another kind.
            let is_guess = !fix.is_safe && problem.code == Code::InvalidJson;
            let head = || Some(self.tree().head_of(self.tree().segment_at(problem.range.start)?.index));
            let mut is_first = |title: &'f String| *guesses.entry(head()).or_insert(title) == title;
            let is_free = extent.start >= end && (!is_guess || is_first(&fix.title));
            if is_free {
                // Of two insertions at the same offset, the second waits for the next round.
                end = extent.end.max(extent.start + 1);
            }
            is_free
        })
    }
}

/// The state of a fix-all run: a document to which safe fixes are applied one after the other.
struct FixAllRun {
    document: Document,
    patch: Patch,
    trials: FixTrials,
}

impl FixAllRun {
    /// Redacts every copy of the secrets that are reported.
    fn redact(&mut self) {
        for _ in 0..ROUNDS {
            let edits = self.document.redactions_of_reported();
            if edits.is_empty() {
                return;
            }
            self.patch.apply(&edits);
            self.document = self.document.edited(&edits);
        }
    }

    /// Applies those of `fixes`, which are in order, that do not overlap; if all of them fail, the
    /// others. Returns whether any fix was applied.
    fn make_some(&mut self, mut fixes: Vec<&DiagnosticWithFix>) -> bool {
        while !fixes.is_empty() {
            let (first, others) = self.document.apart(fixes);
            if self.make(&first) || self.make_everywhere(&first) {
                return true;
            }
            fixes = others;
        }
        false
    }

    /// Applies `fixes`, which are in order and do not overlap, together; if that fails, each half
    /// by itself, the last half first, so that the offsets of the first half stay valid. Returns
    /// whether any fix was applied.
    fn make(&mut self, fixes: &[&DiagnosticWithFix]) -> bool {
        if self.try_together(fixes.iter().copied()) {
            return true;
        }
        if fixes.len() < 2 {
            return false;
        }
        let (front, behind) = fixes.split_at(fixes.len() / 2);
        let any = self.make(behind);
        self.make(front) || any
    }

    /// Applies the fixes of the first diagnostics that are equal and hold together. Returns whether
    /// there are any.
    fn make_everywhere(&mut self, fixes: &[&DiagnosticWithFix]) -> bool {
        let mut equal: BTreeMap<(Code, &str), Vec<&DiagnosticWithFix>> = BTreeMap::new();
        for fix in fixes.iter().copied().filter(|(_, fix)| fix.is_safe) {
            equal.entry((fix.0.code, fix.0.message.as_str())).or_default().push(fix);
        }
        equal.values().any(|fixes| fixes.len() > 1 && self.try_together(fixes.iter().copied()))
    }

    /// Applies `fixes` together if they hold. Returns whether they do.
    fn try_together<'f>(&mut self, fixes: impl Iterator<Item = &'f DiagnosticWithFix> + Clone) -> bool {
        let edits = edits_of(fixes.clone());
        let problems = fixes.map(|(problem, _)| problem);
        let Some(after) = self.trials.document_after(&self.document, problems, &edits) else {
            return false;
        };
        self.patch.apply(&edits);
        self.document = after;
        true
    }
}

/// A diagnostic and one of its fixes.
type DiagnosticWithFix = (Diagnostic, Fix<Range<usize>>);
type DiagnosticsWithFixes<'f> = Vec<&'f DiagnosticWithFix>;

/// The edits of `fixes`, in order.
fn edits_of<'f>(fixes: impl Iterator<Item = &'f DiagnosticWithFix>) -> Vec<DocumentEdit> {
    fixes.flat_map(|(_, fix)| fix.edits.iter().cloned()).collect()
}

/// The range from the first to the last edit of a fix.
fn extent(fix: &Fix<Range<usize>>) -> Range<usize> {
    let start = fix.edits.iter().map(|(range, _)| range.start).min().or_never();
    start..fix.edits.iter().map(|(range, _)| range.end).max().or_never()
}
