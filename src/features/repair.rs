//! Repair of message logs, also in fences: messages, calls and results are removed, moved, added or
//! numbered anew where servers reject them, and nothing else is changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use serde::de::IgnoredAny;

use crate::checks::Problem;
use crate::diagnostic::{Code, Fix, Severity};
use crate::document::{Document, Language};
use crate::fixes::{LINK_TITLE, MessageFix, RequestFix};
use crate::rules::links::{CrossBlockFact, CrossBlockIssue};
use crate::text::patch::Patch;

mod cut_off;
mod lines;
mod summary;
#[cfg(test)]
mod tests;

pub use summary::{changes, lines_in_words};

/// Maximum number of rounds in which the number of issues does not fall: a fix may uncover others.
const MOST_VAIN_ROUNDS: usize = 8;

/// Maximum number of rounds that change lines: of lines that touch, each changes at least half.
const MOST_LINE_ROUNDS: usize = 64;

/// A problem of a round, with its fix.
struct RepairIssue {
    /// Its document offset.
    start: usize,
    code: Code,
    fix: Option<Fix<Range<usize>>>,
    /// See [`MessageFix::stacks`].
    stacks: bool,
}

/// The edits of a round, which do not overlap or touch each other.
#[derive(Default)]
struct RoundEdits {
    /// The texts to write, by their ranges; texts at one place are in order.
    texts: BTreeMap<(usize, usize), Vec<String>>,
    /// The texts at the places where insertions stack.
    stacks: HashMap<usize, HashSet<String>>,
}

/// The result of a repair.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The repaired document.
    pub document: Document,
    /// The edits of all rounds, in the offsets of the given document and in document order.
    pub edits: Vec<(Range<usize>, String)>,
    /// The changes, in the order in which they were made.
    pub steps: Vec<RepairStep>,
    /// The problems that remain.
    pub left: Vec<RepairStep>,
}

/// A change, or a problem that cannot be repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairStep {
    /// The line of the problem, from 1, in the document of its round.
    pub line: usize,
    /// The code of the problem; `None` for a line that is not a JSON object.
    pub code: Option<Code>,
    /// The change in the imperative.
    pub title: String,
}

/// Repairs `document`.
pub fn repair(document: &Document) -> Repair {
    repair_only(document, &|_| true)
}

/// Makes the changes to `document` whose titles `is_wanted` accepts.
pub fn repair_only(document: &Document, is_wanted: &dyn Fn(&str) -> bool) -> Repair {
    let patch = Patch::new(document.text().len());
    let mut run = RepairRun { document: document.clone(), patch, steps: Vec::new(), is_wanted };
    let left = if document.is_active() { run.rounds() } else { Vec::new() };
    let title = "chatls cannot repair this: change it by hand";
    let mut left: Vec<_> = left.iter().map(|issue| run.step(issue, title)).collect();
    if document.is_active() {
        let others = run.nameless_calls(title).into_iter();
        let others: Vec<_> = others.filter(|it| left.iter().all(|known| known.line != it.line)).collect();
        left.extend(others);
        left.extend(run.broken_lines());
    }
    Repair { document: run.document, edits: run.patch.into_edits(), steps: run.steps, left }
}

/// True if [`repair`] finds a problem in `document`; editors ask often.
pub fn needs_repair(document: &Document) -> bool {
    let is_fault = |code| matches!(code, Code::BrokenLine | Code::LineSeparator);
    let has_faulty_line = || match document.is_message_log() {
        true => document.diagnostics().iter().any(|problem| is_fault(problem.code)),
        false => !lines::faulty_lines(document).is_empty(),
    };
    let has_lost_parent = || !document.lost_parents().is_empty();
    document.is_active() && (has_issue(document) || has_faulty_line() || has_lost_parent())
}

/// The state of a repair: a document to which fixes are applied round by round.
struct RepairRun<'f> {
    document: Document,
    patch: Patch,
    steps: Vec<RepairStep>,
    /// Returns whether to make the change with a title.
    is_wanted: &'f dyn Fn(&str) -> bool,
}

impl RepairRun<'_> {
    /// Repairs the document. Returns the problems that remain.
    fn rounds(&mut self) -> Vec<RepairIssue> {
        self.mend_lines();
        let (mut fewest, mut vain) = (usize::MAX, 0);
        let left = loop {
            let issues = issues_of(&self.document, self.is_wanted);
            vain = if issues.len() < fewest { 0 } else { vain + 1 };
            fewest = fewest.min(issues.len());
            if vain > MOST_VAIN_ROUNDS || !self.apply_round(&issues) {
                break issues;
            }
        };
        // A line that was added may have taken the place of a missing one.
        self.link_lines();
        left
    }

    /// Links the lines whose parents are missing.
    fn link_lines(&mut self) {
        let lost = self.document.lost_parents();
        let edits: Vec<_> = lost.iter().filter_map(|it| self.document.link_to_record_before(it)).collect();
        // The parent may be on a line that cannot be read.
        let is_readable = || lines::faulty_lines(&self.document).iter().all(|line| line.change.is_some());
        if edits.is_empty() || !(self.is_wanted)(LINK_TITLE) || !is_readable() {
            return;
        }
        let step =
            |(place, _): &(Range<usize>, _)| self.step_at(place.start, Some(Code::LostParent), LINK_TITLE);
        let steps: Vec<_> = edits.iter().map(step).collect();
        self.apply(&edits);
        self.steps.extend(steps);
    }

    fn apply(&mut self, edits: &[(Range<usize>, String)]) {
        self.patch.apply(edits);
        self.document = self.document.edited(edits);
    }

    /// Mends the lines that are not one JSON object. A line may have several faults.
    fn mend_lines(&mut self) {
        for _ in 0..MOST_LINE_ROUNDS {
            let found = lines::faulty_lines(&self.document).into_iter();
            let mut changes: Vec<_> =
                found.filter_map(|it| it.change).filter(|it| (self.is_wanted)(it.0)).collect();
            let mut behind = None;
            changes.retain(|(_, (range, _))| {
                let is_apart = behind.is_none_or(|behind| behind < range.start);
                behind = if is_apart { Some(range.end) } else { behind };
                is_apart
            });
            if changes.is_empty() {
                break;
            }
            let step = |(title, (range, _)): &lines::LineChange| self.step_at(range.start, None, title);
            let steps: Vec<_> = changes.iter().map(step).collect();
            let edits: Vec<_> = changes.into_iter().map(|(_, edit)| edit).collect();
            self.apply(&edits);
            self.steps.extend(steps);
        }
    }

    /// Applies the fixes that do not touch an earlier one. Returns whether there are any.
    fn apply_round(&mut self, issues: &[RepairIssue]) -> bool {
        let mut edits = RoundEdits::default();
        for (issue, fix) in issues.iter().filter_map(|issue| Some((issue, issue.fix.as_ref()?))) {
            if (self.is_wanted)(&fix.title) && edits.add(&fix.edits, issue.stacks) {
                let step = self.step(issue, &fix.title);
                self.steps.push(step);
            }
        }
        let edits = edits.into_edits();
        if !edits.is_empty() {
            self.apply(&edits);
        }
        !edits.is_empty()
    }

    /// The calls without a member that only their author knows, such as a name.
    fn nameless_calls(&self, title: &str) -> Vec<RepairStep> {
        if !self.document.has_messages() {
            return Vec::new();
        }
        let found = self.document.diagnostics().into_iter();
        let rejected = found.filter(|it| it.code == Code::WrongType && it.severity == Severity::Error);
        rejected.map(|it| self.step_at(it.range.start, Some(it.code), title)).collect()
    }

    /// The lines that are still invalid, or the error of an invalid document.
    fn broken_lines(&self) -> Vec<RepairStep> {
        let whole = || match self.document.language() {
            Language::Json => {
                let text = self.document.text();
                serde_json::from_str::<IgnoredAny>(&text.slice(text.mark_len()..text.len())).err()
            }
            _ => None,
        };
        let lines = lines::faulty_lines(&self.document).into_iter().filter(|it| it.change.is_none());
        let lines = lines.map(|it| {
            let title = "this line is not JSON: chatls cannot repair it, change it by hand";
            self.step_at(it.start, Some(Code::BrokenLine), title)
        });
        let whole = whole().map(|error| {
            let title = "the document is not JSON from here on: change it by hand, then repair it again";
            RepairStep { line: error.line(), code: None, title: title.to_owned() }
        });
        lines.chain(whole).collect()
    }

    fn step(&self, issue: &RepairIssue, title: &str) -> RepairStep {
        self.step_at(issue.start, Some(issue.code), title)
    }

    fn step_at(&self, offset: usize, code: Option<Code>, title: &str) -> RepairStep {
        let line = self.document.text().line_of_byte(offset) + 1;
        RepairStep { line, code, title: title.to_owned() }
    }
}

/// True if [`issues_of`] finds a problem; makes no fixes. A result without an id is a problem by
/// itself.
fn has_issue(document: &Document) -> bool {
    let is_rejected = |issue: &CrossBlockIssue| issue.fact != CrossBlockFact::ReusedId;
    document.request_problems().iter().any(|found| !found.may_be_meant())
        || document.conversation_issues().iter().any(is_rejected)
}

/// The problems of a document. Problems between calls and results come first, because their fixes
/// may resolve other problems. Fixes that `is_wanted` rejects are not made.
fn issues_of(document: &Document, is_wanted: &dyn Fn(&str) -> bool) -> Vec<RepairIssue> {
    let of_requests = document.request_fixes();
    // Where a result gets its id, its call only seems to have no result; where a call gets its id,
    // its result only seems to have no call.
    let is_made = |fix: &Fix<Range<usize>>| is_wanted(&fix.title);
    let gives_id = |(found, fix): &RequestFix| found.lacks_id() && fix.as_ref().is_some_and(is_made);
    let gives_ids = of_requests.iter().any(gives_id);
    let is_rejected = |found: &MessageFix| match found.fact {
        CrossBlockFact::ReusedId => false,
        CrossBlockFact::Unanswered | CrossBlockFact::NoCall => !gives_ids,
        _ => true,
    };
    let mut of_links = document.message_fixes();
    // A repeated message is removed before an edit of it makes it another one.
    of_links.sort_by_key(|found| found.fact != CrossBlockFact::RepeatedCall);
    let of_links = of_links.into_iter().filter(is_rejected).map(|found| RepairIssue {
        start: found.start,
        code: code_of(found.fact),
        fix: found.fix,
        stacks: found.stacks,
    });
    let of_requests = of_requests.into_iter().filter(|(found, _)| !found.may_be_meant());
    let of_requests = of_requests.map(|(Problem { diagnostic, .. }, fix)| RepairIssue {
        start: diagnostic.range.start,
        code: diagnostic.code,
        fix,
        stacks: false,
    });
    of_links.chain(of_requests).collect()
}

fn code_of(fact: CrossBlockFact) -> Code {
    match fact {
        CrossBlockFact::NoCall => Code::OrphanResult,
        CrossBlockFact::SecondResult => Code::DuplicateResult,
        CrossBlockFact::DuplicateId | CrossBlockFact::RepeatedCall => Code::DuplicateId,
        CrossBlockFact::TooEarly => Code::StreamOrder,
        _ => Code::MissingResult,
    }
}

impl RoundEdits {
    /// Adds the edits of a fix, unless one touches an edit of another fix. For `stacks` see
    /// [`MessageFix::stacks`].
    fn add(&mut self, edits: &[(Range<usize>, String)], stacks: bool) -> bool {
        let key = |range: &Range<usize>| (range.start, range.end);
        let stacked = edits.first().filter(|_| stacks);
        if let Some((range, text)) = stacked
            && let Some(known) = self.stacks.get_mut(&range.start)
        {
            // The same text may be the result of another call with the same id.
            let is_new = known.insert(text.clone());
            if is_new {
                self.texts.entry(key(range)).or_default().push(text.clone());
            }
            return is_new;
        }
        if edits.iter().any(|(range, _)| self.touches(range)) {
            return false;
        }
        self.stacks.extend(stacked.map(|(range, text)| (range.start, HashSet::from([text.clone()]))));
        self.texts.extend(edits.iter().map(|(range, text)| (key(range), vec![text.clone()])));
        true
    }

    /// True if `range` overlaps or touches one of the edits.
    fn touches(&self, range: &Range<usize>) -> bool {
        let before = self.texts.range(..=(range.end, usize::MAX)).next_back();
        before.is_some_and(|((_, end), _)| *end >= range.start)
    }

    /// The edits, in document order.
    fn into_edits(self) -> Vec<(Range<usize>, String)> {
        let of_place = |((start, end), texts): (_, Vec<String>)| (start..end, texts.concat());
        self.texts.into_iter().map(of_place).collect()
    }
}
