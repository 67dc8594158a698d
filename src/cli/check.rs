//! `check`: says what is wrong in documents, in their configuration and registries.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::baseline::Baseline;
use super::inputs::{self, Paths};
use super::output::Format;
use super::{Common, Status};
use crate::rules::Severity;

mod judged;
mod report;
mod watch;

use judged::judged;
use report::Report;

const EXAMPLES: &str = "\
Examples:
  chatls check                            every transcript below the current folder
  chatls check --fail-on error logs/      status 1 for errors only
  chatls check --fix                      mend commas, quotes and escapes in their files
  chatls check --format sarif >out.sarif  for code scanning
  chatls check --baseline known.jsonl     only what is new; --write-baseline makes the file
  chatls check --watch                    again whenever something changes
  some-agent | chatls check --stdin-filename run.sse -";

/// The arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Check {
    #[command(flatten)]
    paths: Paths,
    /// How to write what is found
    #[arg(long, default_value = "human")]
    format: Format,
    /// The lowest severity that makes the exit status 1; all are printed
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    fail_on: FailOn,
    /// Make all safe fixes in the files, and say what is left; of standard input, print the text with the fixes made instead
    #[arg(long, conflicts_with = "records")]
    fix: bool,
    /// Write nothing: print what the fixes would change
    #[arg(long, conflicts_with = "records")]
    diff: bool,
    /// Leave out the findings that are in this file; paths in it are relative to its folder
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to the baseline; entries of files that are not checked stay
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff"])]
    write_baseline: bool,
    /// Count the findings of each code at the end
    #[arg(long)]
    statistics: bool,
    /// Stay, and check again whenever a transcript, a configuration or a registry changes; Ctrl+C ends it
    #[arg(long, conflicts_with_all = ["records", "fix", "diff", "write_baseline"])]
    watch: bool,
}

impl Check {
    /// The baseline, where one is named.
    fn baseline(&self) -> io::Result<Option<Baseline>> {
        let read = if self.write_baseline { Baseline::to_write } else { Baseline::read };
        self.baseline.as_deref().map(read).transpose()
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Information,
    Hint,
}

impl From<FailOn> for Severity {
    fn from(severity: FailOn) -> Self {
        match severity {
            FailOn::Error => Self::Error,
            FailOn::Warning => Self::Warning,
            FailOn::Information => Self::Information,
            FailOn::Hint => Self::Hint,
        }
    }
}

/// Checks all that is named.
pub(super) fn run(command: &Check, common: &Common) -> io::Result<Status> {
    if command.watch {
        return watch::run(command, common);
    }
    let mut report = Report::new(command, command.baseline()?);
    let shows_fixes = report.shows_fixes();
    let make = |_: &str, document| judged(document, command, shows_fixes);
    let summary = inputs::for_each_input(&command.paths, common, make, |input| report.add(input))?;
    Ok(report.finish(summary)?.status)
}
