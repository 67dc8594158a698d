//! The one-line labels of calls and batches (formats.md §4).

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::{ResultLine, UseStatus};
use crate::prose::counted;
use crate::text::abbreviate::{cut, is_short_line};

/// The maximum number of characters of arguments in a label.
pub const LABEL_ARGUMENTS: usize = 60;
/// The maximum number of characters of a tool's name in a label.
const NAME: usize = 60;

/// The number of some tool uses, such as the tool uses of a batch, by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UseCounts {
    /// All tool uses; a call and its separate result are one.
    pub uses: usize,
    /// Failed tool uses.
    pub failed: usize,
    /// Tool uses without a result.
    pub pending: usize,
}

impl UseCounts {
    /// Counts tool uses with these statuses.
    pub fn of(statuses: impl IntoIterator<Item = UseStatus>) -> Self {
        let mut counts = Self::default();
        statuses.into_iter().for_each(|status| counts.add(status));
        counts
    }

    /// Counts one more tool use.
    pub fn add(&mut self, status: UseStatus) {
        self.uses += 1;
        match status {
            UseStatus::Pending => self.pending += 1,
            UseStatus::Failed => self.failed += 1,
            UseStatus::Done => {}
        }
    }
}

/// The label of a batch: `🔧 5 tool calls · 1 failed · 2 pending`.
pub fn label_of_batch(batch: UseCounts) -> String {
    let mut label = format!("🔧 {}", counted(batch.uses, "tool call"));
    if batch.failed > 0 {
        label.push_str(&format!(" · {} failed", batch.failed));
    }
    if batch.pending > 0 {
        label.push_str(&format!(" · {} pending", batch.pending));
    }
    label
}

/// The label of a tool use: `🔧 read_file(path=src/App.tsx) → 42 lines`. It is written piece by
/// piece: folds have very many of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UseLabel<'a> {
    /// The name of the tool.
    pub name: &'a str,
    /// The arguments, as they are shown.
    pub arguments: Cow<'a, str>,
    /// The status.
    pub status: UseStatus,
    /// The last result.
    pub result: Option<ResultLine<'a>>,
}

impl UseLabel<'_> {
    /// The label without the tool's name: `(path=src/App.tsx) → 42 lines`.
    pub fn summary(&self) -> String {
        written(|to| self.write_summary(to))
    }

    /// The end of the label, which shows the outcome: `→ 42 lines`, `✗ no such file`, `⏳`; empty if
    /// there is none.
    pub fn outcome(&self) -> String {
        written(|to| self.write_outcome(to, ""))
    }

    fn write_summary(&self, to: &mut dyn Write) -> fmt::Result {
        ["(", &*self.arguments, ")"].into_iter().try_for_each(|piece| to.write_str(piece))?;
        self.write_outcome(to, " ")
    }

    /// Writes the outcome, if there is one, after `gap`.
    fn write_outcome(&self, to: &mut dyn Write, gap: &str) -> fmt::Result {
        let (sign, result) = match (self.status, &self.result) {
            (UseStatus::Pending, _) => ("⏳", None),
            (UseStatus::Done, None) => return Ok(()),
            (UseStatus::Done, Some(ResultLine::Line(line))) if line.is_empty() => return Ok(()),
            (UseStatus::Done, result) => ("→ ", result.as_ref()),
            (UseStatus::Failed, Some(ResultLine::Line(line))) if line.is_empty() => ("✗", None),
            (UseStatus::Failed, Some(result)) => ("✗ ", Some(result)),
            (UseStatus::Failed, None) => ("✗", None),
        };
        to.write_str(gap)?;
        to.write_str(sign)?;
        match result {
            Some(ResultLine::Line(line)) => to.write_str(line),
            Some(ResultLine::Lines(1)) => to.write_str("1 line"),
            Some(ResultLine::Lines(lines)) => write!(to, "{lines} lines"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for UseLabel<'_> {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("🔧 ")?;
        match is_short_line(self.name, NAME) {
            true => to.write_str(self.name)?,
            false => to.write_str(&cut(self.name, NAME))?,
        }
        self.write_summary(to)
    }
}

/// The text that `write` writes.
fn written(write: impl FnOnce(&mut dyn Write) -> fmt::Result) -> String {
    let mut text = String::with_capacity(LABEL_ARGUMENTS);
    // Writing to a string does not fail.
    let _ = write(&mut text);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batch_labels_have_counts() {
        let check = |uses, failed, pending, expected: &str| {
            assert_eq!(label_of_batch(UseCounts { uses, failed, pending }), expected);
        };
        check(5, 0, 0, "🔧 5 tool calls");
        check(5, 1, 2, "🔧 5 tool calls · 1 failed · 2 pending");
        check(2, 0, 1, "🔧 2 tool calls · 1 pending");
    }

    #[test]
    fn uses_show_call_and_result() {
        let line = |text: &'static str| Some(ResultLine::Line(text.into()));
        let check = |status, result: Option<ResultLine<'_>>, expected: &str| {
            let label = UseLabel { name: "read", arguments: "path=a".into(), status, result };
            assert_eq!(label.to_string(), expected);
            let summary = label.summary();
            assert_eq!(format!("🔧 read{summary}"), expected);
            assert_eq!(format!("(path=a) {}", label.outcome()).trim_end(), summary);
        };
        check(UseStatus::Pending, None, "🔧 read(path=a) ⏳");
        check(UseStatus::Done, line("ok"), "🔧 read(path=a) → ok");
        check(UseStatus::Done, line(""), "🔧 read(path=a)");
        check(UseStatus::Done, Some(ResultLine::Lines(42)), "🔧 read(path=a) → 42 lines");
        check(UseStatus::Failed, line("no such file"), "🔧 read(path=a) ✗ no such file");
    }
}
