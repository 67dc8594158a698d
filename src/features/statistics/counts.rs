//! The statistics of one document, or of all documents.

use std::collections::{BTreeMap, BTreeSet};

use super::failures::Failures;
use super::groups::{GroupBy, name_in_all};
use super::sizes::SizeHistogram;
use crate::call::{ToolUse, UseData, UseStatus};
use crate::document::Document;

/// All statistics.
#[derive(Debug, Default)]
pub struct StatsCounts {
    /// Document sizes in bytes.
    pub documents: SizeHistogram,
    /// Number of tool uses per document, for documents with tool uses.
    pub calls: SizeHistogram,
    /// Number of tool uses per batch.
    pub batches: SizeHistogram,
    /// Outcomes of all tool uses.
    pub outcomes: OutcomeCounts,
    /// Outcomes by dialect.
    pub dialects: BTreeMap<&'static str, OutcomeCounts>,
    /// The kind of groups.
    pub by: GroupBy,
    /// Statistics by group: by default by tool name, `None` for tool uses without a name.
    pub groups: BTreeMap<Option<String>, GroupStats>,
    /// The failures, by tool and kind.
    pub failures: Failures,
}

/// Numbers of tool uses by status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    /// Tool uses with a result.
    pub done: u64,
    /// Failed tool uses.
    pub failed: u64,
    /// Tool uses without a result.
    pub pending: u64,
    /// Results without a call, among the above.
    pub without_call: u64,
}

/// The statistics of one group, by default of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupStats {
    /// Number of documents with the group.
    pub documents: u64,
    /// Number of turns; 0 for tools.
    pub turns: u64,
    /// Outcomes of its tool uses.
    pub outcomes: OutcomeCounts,
    /// Sizes of its inputs in bytes.
    pub input: SizeHistogram,
    /// Sizes of its outputs in bytes.
    pub output: SizeHistogram,
}

impl OutcomeCounts {
    /// The total number of tool uses.
    pub fn all(&self) -> u64 {
        self.done + self.failed + self.pending
    }

    /// The numbers above zero, with the names of their statuses.
    pub fn by_status(&self) -> impl Iterator<Item = (u64, &'static str)> + use<> {
        let all = [(self.done, "done"), (self.failed, "failed"), (self.pending, "pending")];
        all.into_iter().filter(|(count, _)| *count > 0)
    }

    fn add(&mut self, tool_use: &ToolUse) {
        match tool_use.status {
            UseStatus::Done => self.done += 1,
            UseStatus::Failed => self.failed += 1,
            UseStatus::Pending => self.pending += 1,
        }
        self.without_call += u64::from(tool_use.is_orphan());
    }

    fn merge(&mut self, other: &Self) {
        self.done += other.done;
        self.failed += other.failed;
        self.pending += other.pending;
        self.without_call += other.without_call;
    }
}

impl GroupStats {
    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.turns += other.turns;
        self.outcomes.merge(&other.outcomes);
        self.input.merge(&other.input);
        self.output.merge(&other.output);
    }
}

impl StatsCounts {
    /// Computes the statistics of `document` in groups, for tool uses that match the filter.
    pub fn of(document: &Document, matches: &dyn Fn(&ToolUse) -> bool, by: GroupBy) -> Self {
        let mut counts = Self { by, ..Self::default() };
        for group in by.of_turns(document) {
            let group = counts.groups.entry(group).or_default();
            group.documents = 1;
            group.turns += 1;
        }
        counts.documents.add(document.text().len());
        let mut batches = BTreeSet::new();
        document.for_each_tool_use(|tool_use| {
            if !matches(&tool_use) {
                return;
            }
            counts.add(&tool_use, by.of_use(document, &tool_use));
            batches.extend(tool_use.batch);
            if tool_use.status == UseStatus::Failed {
                let line = document.text().line_of_byte(tool_use.range.start) + 1;
                let text = tool_use.error_text.as_deref();
                counts.failures.add(tool_use.name.as_deref(), text, tool_use.state_or_implied(), line);
            }
        });
        if counts.outcomes.all() > 0 {
            counts.calls.add(usize::try_from(counts.outcomes.all()).unwrap_or(usize::MAX));
        }
        if !batches.is_empty() {
            let all = document.batch_sizes();
            batches.into_iter().filter_map(|batch| all.get(batch)).for_each(|size| counts.batches.add(*size));
        }
        counts
    }

    /// Adds the statistics of `other`, which is the document `file`.
    pub fn merge(&mut self, other: Self, file: &str) {
        self.documents.merge(&other.documents);
        self.calls.merge(&other.calls);
        self.batches.merge(&other.batches);
        self.outcomes.merge(&other.outcomes);
        for (dialect, outcomes) in other.dialects {
            self.dialects.entry(dialect).or_default().merge(&outcomes);
        }
        for (name, group) in other.groups {
            self.groups.entry(name_in_all(other.by, name, file)).or_default().merge(&group);
        }
        self.failures.merge(other.failures, file);
    }

    fn add(&mut self, tool_use: &ToolUse, group: Option<String>) {
        self.outcomes.add(tool_use);
        self.dialects.entry(tool_use.dialect).or_default().add(tool_use);
        let group = self.groups.entry(group).or_default();
        group.documents = 1;
        group.outcomes.add(tool_use);
        let measure = |data: &Option<UseData>, sizes: &mut SizeHistogram| {
            if let Some(data) = data {
                sizes.add(data.text_len());
            }
        };
        measure(&tool_use.input, &mut group.input);
        measure(&tool_use.output, &mut group.output);
    }
}
