//! Whether a fix mends: tried on a copy of the document, which costs what its edits damage.
//!
//! A fix holds if every finding of the document after it is one that was there before, other than the one that it mends.
//! Two things are not new, though nobody said them before:
//!
//! - behind a mended fault of `invalid-json`, what rules say of a payload that were silent because of the fault: they
//!   speak about text that was there already. Not another `invalid-json`, nor a block that is no longer closed.
//! - findings behind the last of as many as are told at most.

use std::ops::Range;

use super::super::Document;
use super::touches;
use crate::json::MAX_FAULTS;
use crate::rules::{Code, Problem};
use crate::text::Splice;

/// Edits in document offsets.
type Edits = [(Range<usize>, String)];

/// The document after `edits`, in the order of the text, if they mend `problem` and break nothing.
pub(super) fn after(before: &Document, problem: &Problem, edits: &Edits) -> Option<Document> {
    let apart = edits.windows(2).all(|two| matches!(two, [one, next] if one.0.end <= next.0.start));
    if edits.is_empty() || !apart {
        return None;
    }
    let mut after = before.clone();
    // How many bytes at the beginning and at the end read as before.
    let mut same = Some((before.text.len(), before.text.len()));
    for (range, text) in edits.iter().rev() {
        let splice = Splice { start: range.start, removed: range.len(), inserted: text.len() };
        let kept = after.apply_and_tell(splice, text);
        same = same.zip(kept).map(|(one, other)| (one.0.min(other.0), one.1.min(other.1)));
    }
    // Problems that are about several blocks change far from an edit: where there are such, those of the whole
    // document are compared as well.
    let (old, new) = match same {
        Some((head, tail)) => {
            let problems =
                |it: &Document| it.problems_between(head..it.text.len().saturating_sub(tail).max(head));
            (problems(before), problems(&after))
        }
        None => (before.problems(), after.problems()),
    };
    holds(problem, &old, &new, edits).then_some(after)
}

fn holds(problem: &Problem, before: &[Problem], after: &[Problem], edits: &Edits) -> bool {
    let is_mended = |other: &Problem| other.code == problem.code && other.range == problem.range;
    let Some(mended) = before.iter().position(is_mended) else { return false };
    let mut left: Vec<(Code, Range<usize>)> =
        before.iter().map(|other| (other.code, moved(&other.range, edits))).collect();
    let told_end = |code: Code| {
        let told = left.iter().filter(|(other, _)| *other == code).map(|(_, range)| range.start);
        (told.clone().count() >= MAX_FAULTS).then(|| told.max()).flatten()
    };
    let ends: Vec<_> = after.iter().map(|found| told_end(found.code)).collect();
    left.remove(mended);
    after.iter().zip(ends).all(|(found, told_end)| {
        let is_same =
            |(code, range): &(Code, Range<usize>)| *code == found.code && touches(range, &found.range);
        if let Some(at) = left.iter().position(is_same) {
            left.remove(at);
            return true;
        }
        told_end.is_some_and(|end| found.range.start >= end) || is_uncovered(problem.code, found, edits)
    })
}

/// Whether a rule was silent on `found` because of a fault.
fn is_uncovered(mended: Code, found: &Problem, edits: &Edits) -> bool {
    const NEVER_SILENT: &[Code] = &[
        Code::InvalidJson,
        Code::UnclosedFence,
        Code::UnclosedMarker,
        Code::UnclosedTag,
        Code::StrayTag,
        Code::UnescapedMarkup,
    ];
    let is_made_up = |(range, text): &(Range<usize>, String)| {
        let start = moved(range, edits).start;
        range.is_empty() && start <= found.range.start && found.range.end <= start + text.len()
    };
    mended == Code::InvalidJson && !NEVER_SILENT.contains(&found.code) && !edits.iter().any(is_made_up)
}

/// Where `range` is after `edits`: with all that was put in at its ends or in the place of a part of it.
fn moved(range: &Range<usize>, edits: &Edits) -> Range<usize> {
    let (mut start, mut end) = (range.start, range.end);
    for (edit, text) in edits.iter().rev() {
        let grown = |at: usize| at - edit.len() + text.len();
        if edit.end < range.start {
            start = grown(start);
        } else if edit.start < range.start {
            start -= range.start - edit.start;
        }
        if edit.end <= range.end {
            end = grown(end);
        } else if edit.start < range.end {
            end = end - (range.end - edit.start) + text.len();
        }
    }
    start..end.max(start)
}
