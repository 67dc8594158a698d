//! The limit on the diagnostics of one document.
//!
//! A set is sent again after every change, and clients need milliseconds for each thousand. The
//! last diagnostic counts the omitted ones; `chatls check` prints all.

use std::ops::Range;

use crate::diagnostic::{Diagnostic, Severity, SeverityCounts};

/// The maximum number of diagnostics that are sent for a text, including the diagnostic that counts
/// the others. VS Code itself ignores all diagnostics beyond a thousand.
pub const MOST: usize = 1000;

/// The sent diagnostics of a text, in order, and the omitted ones.
pub struct LimitedDiagnostics<'a> {
    /// The sent diagnostics.
    pub diagnostics: Vec<&'a Diagnostic>,
    /// The omitted diagnostics.
    pub left_out: Option<OmittedDiagnostics>,
}

/// The omitted diagnostics.
#[derive(Debug, PartialEq, Eq)]
pub struct OmittedDiagnostics {
    /// The range of the first one.
    pub first_range: Range<usize>,
    counts: SeverityCounts,
}

impl<'a> LimitedDiagnostics<'a> {
    /// The most severe diagnostics of `problems`; of equal severity, the first ones.
    pub fn new(problems: &'a [Diagnostic]) -> Self {
        Self::to(MOST, problems)
    }

    fn to(most: usize, problems: &'a [Diagnostic]) -> Self {
        if problems.len() <= most {
            return Self { diagnostics: problems.iter().collect(), left_out: None };
        }
        let mut room = severity_quota(most - 1, problems);
        let mut counts = SeverityCounts::default();
        let mut first = None;
        let is_shown = |problem: &&Diagnostic| {
            if let left @ 1.. = room.of(problem.severity) {
                *left -= 1;
                return true;
            }
            first.get_or_insert_with(|| problem.range.clone());
            *counts.of(problem.severity) += 1;
            false
        };
        let shown = problems.iter().filter(is_shown).collect();
        Self { diagnostics: shown, left_out: first.map(|at| OmittedDiagnostics { first_range: at, counts }) }
    }
}

/// The number of diagnostics to send of each severity.
fn severity_quota(most: usize, problems: &[Diagnostic]) -> SeverityCounts {
    let mut room = SeverityCounts::default();
    for problem in problems {
        *room.of(problem.severity) += 1;
    }
    let mut left = most;
    for severity in Severity::ALL {
        let count = room.of(severity);
        *count = left.min(*count);
        left -= *count;
    }
    room
}

impl OmittedDiagnostics {
    /// The message of the diagnostic that counts them, with the name of the document's file, which
    /// may be empty.
    pub fn message(&self, name: &str) -> String {
        let (count, of_each) = (self.counts.total(), self.counts.words());
        let command = format!("chatls check {name}");
        format!(
            "{count} more diagnostics are not shown ({of_each}): editors get at most {MOST} per document, the most severe first. `{}` prints all.",
            command.trim_end(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn problems(severities: &[Severity]) -> Vec<Diagnostic> {
        let problem = |(at, severity): (usize, &Severity)| {
            Diagnostic::new(Code::InvalidJson, *severity, at..at + 1, "")
        };
        severities.iter().enumerate().map(problem).collect()
    }

    #[track_caller]
    fn check(most: usize, severities: &[Severity], expected: &[usize], left_out: Option<(usize, &str)>) {
        let problems = problems(severities);
        let bounded = LimitedDiagnostics::to(most, &problems);
        let shown: Vec<_> = bounded.diagnostics.iter().map(|problem| problem.range.start).collect();
        assert_eq!(shown, expected);
        let message = bounded.left_out.map(|it| (it.first_range.start, it.message("a.md")));
        let expected = left_out.map(|(at, counts)| {
            let words = "editors get at most 1000 per document, the most severe first. `chatls check a.md` prints all.";
            (at, format!("{counts}: {words}"))
        });
        assert_eq!(message, expected);
    }

    #[test]
    fn the_most_severe_problems_are_shown_in_the_order_of_the_text() {
        use crate::diagnostic::Severity::{Error, Hint, Information, Warning};
        check(2, &[], &[], None);
        check(2, &[Hint, Error], &[0, 1], None);
        let left_out = "2 more diagnostics are not shown (1 error, 1 hint)";
        check(3, &[Error, Hint, Error, Error], &[0, 2], Some((1, left_out)));
        let left_out = "4 more diagnostics are not shown (1 information, 3 hints)";
        check(
            4,
            &[Hint, Hint, Information, Hint, Information, Warning, Error],
            &[2, 5, 6],
            Some((0, left_out)),
        );
        let left_out = "2 more diagnostics are not shown (2 warnings)";
        check(2, &[Warning, Warning, Warning], &[0], Some((1, left_out)));
    }
}
