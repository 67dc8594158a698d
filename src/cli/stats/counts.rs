//! What is counted of documents: of each by itself, and of all together.

use std::collections::{BTreeMap, BTreeSet};

use super::failures::Failures;
use super::sizes::SizeHistogram;
use crate::call::{ToolUse, UseData, UseStatus};
use crate::cli::wanted::UseFilterArgs;
use crate::document::Document;

/// Everything that is counted.
#[derive(Debug, Default)]
pub(super) struct StatsCounts {
    /// The documents, in bytes.
    pub documents: SizeHistogram,
    /// The documents with tool uses, in tool uses.
    pub calls: SizeHistogram,
    /// The batches, in tool uses.
    pub batches: SizeHistogram,
    /// All tool uses.
    pub outcomes: OutcomeCounts,
    /// The tool uses of each dialect.
    pub dialects: BTreeMap<&'static str, OutcomeCounts>,
    /// The tool uses of each tool, by its name; `None` where none is written.
    pub tools: BTreeMap<Option<String>, ToolStats>,
    /// What failed, and why.
    pub failures: Failures,
}

/// What came of tool uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct OutcomeCounts {
    /// Those that have a result.
    pub done: u64,
    /// Those that failed.
    pub failed: u64,
    /// Those without a result.
    pub pending: u64,
    /// Those of them that are results of no call.
    pub without_call: u64,
}

/// What is counted of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ToolStats {
    /// In how many documents it is used.
    pub documents: u64,
    /// What came of its uses.
    pub outcomes: OutcomeCounts,
    /// What it is given, in bytes.
    pub input: SizeHistogram,
    /// What it gives, in bytes.
    pub output: SizeHistogram,
}

impl OutcomeCounts {
    /// How many tool uses there are.
    pub fn all(&self) -> u64 {
        self.done + self.failed + self.pending
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

impl ToolStats {
    /// Counts all of `other`.
    pub fn merge(&mut self, other: &Self) {
        self.documents += other.documents;
        self.outcomes.merge(&other.outcomes);
        self.input.merge(&other.input);
        self.output.merge(&other.output);
    }
}

impl StatsCounts {
    /// Counts `document`, and those of its tool uses that are wanted.
    pub fn of(document: &Document, wanted: &UseFilterArgs) -> Self {
        let mut counts = Self::default();
        counts.documents.add(document.text().len());
        let mut batches = BTreeSet::new();
        for tool_use in document.tool_uses().iter().filter(|it| wanted.matches(it)) {
            counts.add(tool_use);
            batches.extend(tool_use.batch);
            if tool_use.status == UseStatus::Failed {
                let line = document.text().line_of_byte(tool_use.range.start) + 1;
                let text = tool_use.error_text.as_deref();
                counts.failures.add(tool_use.name.as_deref(), text, tool_use.state_or_implied(), line);
            }
        }
        if counts.outcomes.all() > 0 {
            counts.calls.add(usize::try_from(counts.outcomes.all()).unwrap_or(usize::MAX));
        }
        if !batches.is_empty() {
            let all = document.paired_uses().batches();
            batches
                .into_iter()
                .filter_map(|batch| all.get(batch))
                .for_each(|at| counts.batches.add(at.batch.uses));
        }
        counts
    }

    /// Counts all of `other`, which are of the document `file`.
    pub fn merge(&mut self, other: Self, file: &str) {
        self.documents.merge(&other.documents);
        self.calls.merge(&other.calls);
        self.batches.merge(&other.batches);
        self.outcomes.merge(&other.outcomes);
        for (dialect, outcomes) in other.dialects {
            self.dialects.entry(dialect).or_default().merge(&outcomes);
        }
        for (name, tool) in other.tools {
            self.tools.entry(name).or_default().merge(&tool);
        }
        self.failures.merge(other.failures, file);
    }

    fn add(&mut self, tool_use: &ToolUse) {
        self.outcomes.add(tool_use);
        self.dialects.entry(tool_use.dialect).or_default().add(tool_use);
        let tool = self.tools.entry(tool_use.name.clone()).or_default();
        tool.documents = 1;
        tool.outcomes.add(tool_use);
        let measure = |said: &Option<UseData>, sizes: &mut SizeHistogram| {
            if let Some(said) = said {
                sizes.add(said.to_text().len());
            }
        };
        measure(&tool_use.input, &mut tool.input);
        measure(&tool_use.output, &mut tool.output);
    }
}
