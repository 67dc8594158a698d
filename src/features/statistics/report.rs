//! Selects and sorts the statistics to show.

use std::cmp::Reverse;

use super::counts::{GroupStats, StatsCounts};
use super::failures::FailureKind;

/// The sort key of tools, or of other groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Number of uses
    Calls,
    /// Name
    Name,
    /// Number of failed uses
    Failed,
    /// Share of failed uses
    FailureRate,
    /// Number of uses without a result
    Pending,
    /// Total size of inputs
    Input,
    /// Total size of outputs
    Output,
}

/// The statistics to show, sorted.
pub struct StatsReport<'a> {
    /// All statistics.
    pub counts: &'a StatsCounts,
    /// The groups to show, with their names.
    pub groups: Vec<(Option<&'a str>, &'a GroupStats)>,
    /// The number of other groups and the sum of their statistics, if there are any.
    pub other_groups: Option<(usize, GroupStats)>,
    /// The failures to show: tool, kind and count.
    pub failures: Vec<(Option<&'a str>, &'a str, &'a FailureKind)>,
    /// Number of other failures.
    pub other_failures: u64,
}

impl<'a> StatsReport<'a> {
    /// Selects at most `top` groups and failures of `counts`.
    pub fn of(counts: &'a StatsCounts, sort: Sort, top: usize) -> Self {
        let mut groups: Vec<_> = counts.groups.iter().map(|(name, group)| (name.as_deref(), group)).collect();
        // The sort is stable, and groups are already sorted by name.
        groups.sort_by(|(_, one), (_, other)| compare(sort, one, other));
        let others = groups.split_off(top.min(groups.len()));
        let other_groups = (!others.is_empty()).then(|| {
            let mut all = GroupStats::default();
            others.iter().for_each(|(_, tool)| all.merge(tool));
            (others.len(), all)
        });
        let mut failures = counts.failures.sorted();
        failures.truncate(top);
        let shown: u64 = failures.iter().map(|(.., failure)| failure.count).sum();
        let other_failures = counts.outcomes.failed.saturating_sub(shown);
        Self { counts, groups, other_groups, failures, other_failures }
    }

    /// The number of tool uses in the largest group.
    pub fn most_uses(&self) -> u64 {
        self.groups.iter().map(|(_, tool)| tool.outcomes.all()).max().unwrap_or_default()
    }

    /// The headline, such as `62 tool calls in 9 of 23 documents`.
    pub fn headline(&self) -> String {
        let StatsCounts { documents, calls, outcomes, .. } = self.counts;
        let of = match documents.count {
            1 => "1 document".to_owned(),
            all if calls.count == all || calls.count == 0 => format!("{} documents", grouped(all)),
            all => format!("{} of {} documents", grouped(calls.count), grouped(all)),
        };
        match outcomes.all() {
            0 => format!("no tool calls in {of}"),
            1 => format!("1 tool call in {of}"),
            all => format!("{} tool calls in {of}", grouped(all)),
        }
    }
}

fn compare(sort: Sort, one: &GroupStats, other: &GroupStats) -> std::cmp::Ordering {
    let by = |key: fn(&GroupStats) -> u64| Reverse(key(one)).cmp(&Reverse(key(other)));
    let by_calls = by(|tool| tool.outcomes.all());
    match sort {
        Sort::Name => std::cmp::Ordering::Equal,
        Sort::Calls => by_calls,
        Sort::Failed => by(|tool| tool.outcomes.failed).then(by_calls),
        Sort::FailureRate => {
            // Fractions are compared by cross-multiplication.
            let rate = |of: &GroupStats, than: &GroupStats| {
                u128::from(of.outcomes.failed) * u128::from(than.outcomes.all())
            };
            rate(other, one).cmp(&rate(one, other)).then(by_calls)
        }
        Sort::Pending => by(|tool| tool.outcomes.pending).then(by_calls),
        Sort::Input => by(|tool| tool.input.sum).then(by_calls),
        Sort::Output => by(|tool| tool.output.sum).then(by_calls),
    }
}

/// The name of `count` other groups.
pub fn others(count: usize) -> String {
    format!("{} {}", grouped(count as u64), if count == 1 { "other" } else { "others" })
}

/// Formats a number with thousands separators: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && at % 3 == first {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a number of bytes with a unit: `2.3KB`.
pub fn bytes(count: u64) -> String {
    crate::prose::byte_size(usize::try_from(count).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::statistics::counts::OutcomeCounts;

    fn counts(tools: &[(&str, u64, u64, usize)]) -> StatsCounts {
        let mut counts = StatsCounts::default();
        for (name, done, failed, output) in tools {
            let mut tool = GroupStats {
                outcomes: OutcomeCounts { done: *done, failed: *failed, ..OutcomeCounts::default() },
                ..GroupStats::default()
            };
            tool.output.add(*output);
            counts.groups.insert(Some((*name).to_owned()), tool);
            counts.outcomes.done += done;
            counts.outcomes.failed += failed;
        }
        counts
    }

    #[test]
    fn tools_are_sorted_and_the_others_summed() {
        let counts = counts(&[("a", 5, 1, 10), ("b", 1, 1, 30), ("c", 8, 0, 20), ("d", 5, 1, 5)]);
        let names = |sort, top| {
            let report = StatsReport::of(&counts, sort, top);
            report.groups.iter().filter_map(|(name, _)| *name).collect::<Vec<_>>().join("")
        };
        assert_eq!(names(Sort::Calls, 9), "cadb");
        assert_eq!(names(Sort::Name, 9), "abcd");
        assert_eq!(names(Sort::Failed, 9), "adbc");
        assert_eq!(names(Sort::FailureRate, 9), "badc");
        assert_eq!(names(Sort::Output, 9), "bcad");
        assert_eq!(names(Sort::Calls, 2), "ca");
        let (others, all) = StatsReport::of(&counts, Sort::Calls, 2).other_groups.unwrap();
        assert_eq!((others, all.outcomes.all(), all.output.sum), (2, 8, 35));
        assert!(StatsReport::of(&counts, Sort::Calls, 4).other_groups.is_none());
    }

    #[test]
    fn numbers_are_readable() {
        let shown: Vec<_> = [0, 999, 1000, 12_345, 1_234_567].into_iter().map(grouped).collect();
        assert_eq!(shown, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn headline_counts_documents() {
        let mut all = StatsCounts::default();
        assert_eq!(StatsReport::of(&all, Sort::Calls, 1).headline(), "no tool calls in 0 documents");
        all.documents.add(5);
        assert_eq!(StatsReport::of(&all, Sort::Calls, 1).headline(), "no tool calls in 1 document");
        all.documents.add(5);
        all.calls.add(1);
        all.outcomes.done = 1;
        assert_eq!(StatsReport::of(&all, Sort::Calls, 1).headline(), "1 tool call in 1 of 2 documents");
    }
}
