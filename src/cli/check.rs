//! `check`: reports the diagnostics of documents, and of their configurations and registries.

pub mod document;

use std::io;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args};

use super::baseline::Baseline;
use super::codes::CodeSelectionArgs;
use super::inputs::{self, PathArgs, TextHolding};
use super::output::DiagnosticFormat;
use crate::checks::SummarizedNeed;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::config::Selection;
use crate::diagnostic::Severity;
use crate::never::OrNever;

mod files;
mod report;
mod settings;
mod watch;
mod whole_json;

use crate::cli::check::document::check_document;
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
#[command(after_help = EXAMPLES, group(ArgGroup::new("fixes").args(["fix", "diff"]).multiple(true)))]
pub(super) struct CheckArgs {
    #[command(flatten)]
    paths: PathArgs,
    #[command(flatten)]
    selected: CodeSelectionArgs,
    /// Output format
    #[arg(long, default_value = "human")]
    format: DiagnosticFormat,
    /// Lowest severity that sets exit status 1. All diagnostics are printed
    #[arg(long, value_name = "SEVERITY", default_value = "warning", value_parser = severities())]
    fail_on: Severity,
    /// Write safe fixes into the files, and report what remains. Safe fixes correct commas, quotes
    /// and escapes or rewrite outdated forms, and keep all content. For stdin, print the fixed text
    /// and report to stderr
    #[arg(long, short = 'w', visible_alias = "write", alias = "in-place", conflicts_with = "records")]
    fix: bool,
    /// Print a diff of the fixes instead of applying them. Remaining diagnostics go to stderr
    #[arg(long, conflicts_with = "records")]
    diff: bool,
    /// With `--fix` or `--diff`: include unsafe fixes, which may remove text or guess
    #[arg(long, requires = "fixes", conflicts_with = "add_suppressions")]
    unsafe_fixes: bool,
    /// Add a suppression comment before each block with diagnostics; with `--diff`, print the diff.
    /// Logs have no comments: use `[lint]`
    #[arg(long, conflicts_with_all = ["records", "fix"])]
    add_suppressions: bool,
    /// List the files that would be checked, with their language
    #[arg(long, conflicts_with_all = ["fix", "diff", "add_suppressions", "watch", "write_baseline", "output_file"])]
    show_files: bool,
    /// Print the effective settings of the given files or folders, with their origin
    #[arg(long, conflicts_with_all = ["fix", "diff", "add_suppressions", "watch", "write_baseline", "output_file", "show_files"])]
    show_settings: bool,
    /// Ignore the diagnostics recorded in this baseline file
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all diagnostics to the baseline. Keeps entries of files that are not checked
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff", "add_suppressions", "select", "ignore", "exclude"])]
    write_baseline: bool,
    /// Print the number of diagnostics per code
    #[arg(long)]
    statistics: bool,
    /// Print diagnostics only, without a summary
    #[arg(long, short)]
    quiet: bool,
    /// Exit with status 0 even if diagnostics are found. Errors still exit with 2
    #[arg(long)]
    exit_zero: bool,
    /// Write the report to this file, atomically. The summary goes to stderr
    #[arg(long, short, value_name = "FILE", conflicts_with = "watch")]
    output_file: Option<PathBuf>,
    /// Watch files and check again on changes. Stop with Ctrl+C
    #[arg(long, conflicts_with_all = ["records", "fix", "diff", "add_suppressions", "write_baseline"])]
    watch: bool,
}

/// Parses the name of a severity; help and errors list the possible names.
fn severities() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(Severity::ALL.map(Severity::name))
        .map(|name| Severity::from_name(&name).or_never_but(Severity::Warning))
}

impl CheckArgs {
    /// Reads the baseline, if one is given.
    fn baseline(&self) -> io::Result<Option<Baseline>> {
        let read = if self.write_baseline { Baseline::to_write } else { Baseline::read };
        self.baseline.as_deref().map(read).transpose()
    }
}

impl CheckArgs {
    /// True if documents are rewritten, or a diff of that is printed.
    fn rewrites(&self) -> bool {
        self.fix || self.diff || self.add_suppressions
    }

    /// True if documents or diffs are printed to stdout. Diagnostics then go to stderr.
    fn prints_documents(&self) -> bool {
        self.diff || self.rewrites() && self.paths.has_stdin()
    }

    /// True if the arguments exclude codes or files.
    fn leaves_out(&self) -> bool {
        self.selected.selection() != Selection::default() || self.paths.excludes()
    }
}

/// Runs `check`.
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
    let holding = match shows_fixes || command.rewrites() {
        true => TextHolding::Parts,
        false => TextHolding::Summarized(SummarizedNeed::Diagnostics),
    };
    let selection = command.selected.selection();
    let summary =
        inputs::for_each_input(&command.paths, common, holding, selection, make, |input| report.add(input))?;
    Ok(report.finish(summary)?.status)
}
