//! `check`: says what is wrong in documents, in their configuration and registries.

use std::io;
use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::baseline::Baseline;
use super::codes::CodeSelectionArgs;
use super::inputs::{self, PathArgs};
use super::output::DiagnosticFormat;
use super::{CommonArgs, ExitStatus};
use crate::config::Selection;
use crate::rules::Severity;

mod files;
mod judged;
mod report;
mod settings;
mod watch;

use judged::check_document;
use report::CheckReport;

const EXAMPLES: &str = "\
Examples:
  chatls check                            every transcript below the current folder
  chatls check --fail-on error logs/      status 1 for errors only
  chatls check --select secret,bad-state  these codes only; --ignore leaves codes out
  chatls check --fix                      mend commas, quotes and escapes in their files
  chatls check --add-suppressions old/    accept what is there, with comments; --diff shows them
  chatls check --format sarif >out.sarif  for code scanning
  chatls check --baseline known.jsonl     only what is new; --write-baseline makes the file
  chatls check --watch                    again whenever something changes
  some-agent | chatls check --stdin-filename run.sse -";

/// The arguments of `check`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, group(ArgGroup::new("mends").args(["fix", "diff"]).multiple(true)))]
pub(super) struct CheckArgs {
    #[command(flatten)]
    paths: PathArgs,
    #[command(flatten)]
    selected: CodeSelectionArgs,
    /// How to write what is found
    #[arg(long, default_value = "human")]
    format: DiagnosticFormat,
    /// The lowest severity that makes the exit status 1; all are printed
    #[arg(long, value_name = "SEVERITY", default_value = "warning")]
    fail_on: FailOn,
    /// Make all safe fixes in the files, and report what is left. Of standard input, print the fixed text; what is left goes to
    /// stderr
    #[arg(long, conflicts_with = "records")]
    fix: bool,
    /// Write nothing: print what the fixes would change; what they would leave goes to stderr
    #[arg(long, conflicts_with = "records")]
    diff: bool,
    /// With `--fix` or `--diff`: make also the fixes that drop text, choose among meanings, or guess where something ends
    #[arg(long, requires = "mends", conflicts_with = "add_suppressions")]
    unsafe_fixes: bool,
    /// Write a comment before each block with findings that suppresses them; with `--diff` print what would be written. Not
    /// in logs, which have no comments: there `[lint]` of the configuration turns codes off
    #[arg(long, conflicts_with_all = ["records", "fix"])]
    add_suppressions: bool,
    /// Check nothing: list the files that would be read, and as what
    #[arg(long, conflicts_with_all = ["fix", "diff", "add_suppressions", "watch", "write_baseline", "output_file"])]
    show_files: bool,
    /// Check nothing: print the settings that hold for the files that are named, or in the folders, and where each comes from
    #[arg(long, conflicts_with_all = ["fix", "diff", "add_suppressions", "watch", "write_baseline", "output_file", "show_files"])]
    show_settings: bool,
    /// Leave out the findings that are in this file; paths in it are relative to its folder
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to the baseline; entries of files that are not checked stay
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff", "add_suppressions", "select", "ignore", "exclude"])]
    write_baseline: bool,
    /// Count the findings of each code at the end
    #[arg(long)]
    statistics: bool,
    /// Print findings only: no summary, and nothing of what is known or mended
    #[arg(long, short)]
    quiet: bool,
    /// End with status 0 also where something is found; what cannot be done still is 2
    #[arg(long)]
    exit_zero: bool,
    /// Write the findings into this file, as `--format` says; the summary goes to stderr. The file is replaced as a whole at the end
    #[arg(long, short, value_name = "FILE", conflicts_with = "watch")]
    output_file: Option<PathBuf>,
    /// Stay, and check again whenever a transcript, a configuration or a registry changes; Ctrl+C ends it
    #[arg(long, conflicts_with_all = ["records", "fix", "diff", "add_suppressions", "write_baseline"])]
    watch: bool,
}

impl CheckArgs {
    /// The baseline, where one is named.
    fn baseline(&self) -> io::Result<Option<Baseline>> {
        let read = if self.write_baseline { Baseline::to_write } else { Baseline::read };
        self.baseline.as_deref().map(read).transpose()
    }
}

impl CheckArgs {
    /// Whether documents are written anew, or what that would change is printed.
    fn rewrites(&self) -> bool {
        self.fix || self.diff || self.add_suppressions
    }

    /// Whether it prints documents or diffs to stdout. Findings go to stderr then.
    fn prints_documents(&self) -> bool {
        self.diff || self.rewrites() && self.paths.has_stdin()
    }

    /// Whether its arguments leave out codes or files that are found without them.
    fn leaves_out(&self) -> bool {
        self.selected.selection() != Selection::default() || self.paths.excludes()
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
pub(super) fn run(command: &CheckArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if command.show_files {
        return files::run(command, common);
    }
    if command.show_settings {
        return settings::run(command, common);
    }
    if command.watch {
        return watch::run(command, common);
    }
    let mut report = CheckReport::new(command, command.baseline()?)?;
    let shows_fixes = command.format.shows_fixes();
    let make = |_: &str, document| check_document(document, command, shows_fixes);
    let selection = command.selected.selection();
    let summary = inputs::for_each_input(&command.paths, common, selection, make, |input| report.add(input))?;
    Ok(report.finish(summary)?.status)
}
