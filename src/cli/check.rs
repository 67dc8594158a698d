//! `check`: says what is wrong in documents, in their configuration and registries.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::baseline::Baseline;
use super::inputs::{self, File, Input, Paths};
use super::names::printable_path;
use super::output::{Format, Output, Tally};
use super::rewrite::{Rewrite, Written};
use super::{Common, Status, unless_reader_left};
use crate::document::{Document, Fixable};
use crate::rules::{Problem, Severity};
use crate::text::Text;

const EXAMPLES: &str = "\
Examples:
  chatls check                            every transcript below the current folder
  chatls check --fail-on error logs/      status 1 for errors only
  chatls check --fix                      mend commas, quotes and escapes in their files
  chatls check --format sarif >out.sarif  for code scanning
  chatls check --baseline known.jsonl     only what is new; --write-baseline makes the file
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
    /// Leave out the findings that this file knows, by the names that files are called by here
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all findings to the baseline, in the place of those that it knows
    #[arg(long, requires = "baseline", conflicts_with_all = ["fix", "diff"])]
    write_baseline: bool,
    /// Count the findings of each code at the end
    #[arg(long)]
    statistics: bool,
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
    let baseline = match &command.baseline {
        Some(path) if !command.write_baseline => Baseline::read(path)?,
        _ => Baseline::default(),
    };
    let tally = Tally::default();
    let mut check =
        Checking { command, output: command.format.output(), baseline, tally, mended: 0, known: 0 };
    let mut texts = LastText::default();
    let shows_fixes = check.output.shows_fixes();
    let make = |document: Document| judged(document, command, shows_fixes);
    let summary = inputs::for_each_made(&command.paths, common, make, |input| match &input {
        Input::Document(file, judged) => check.document(*file, judged),
        Input::Problem(file, found) | Input::Fatal(file, found) => {
            let is_fatal = matches!(input, Input::Fatal(..));
            // What makes the run fail is an error, whatever the configuration wants it to be, and no baseline knows it.
            let severity = if is_fatal { Severity::Error } else { found.severity };
            let text = found.text.as_ref().map(|text| texts.of(text));
            let problem = Problem::new(found.code, severity, found.range.clone(), found.message.clone());
            let finding = Fixable { problem, fixes: found.fixes.clone() };
            if is_fatal { check.report(file, text, &finding) } else { check.finding(file, text, &finding) }
        }
    })?;
    check.tally.documents = summary.documents;
    check.tally.failed |= summary.failed;
    check.finish()
}

/// A document that was looked at.
struct Judged {
    text: Text,
    findings: Vec<Fixable>,
    /// What it was before fixes were made, where they were to be.
    before: Option<String>,
    /// What was wrong then.
    unmended: Vec<Problem>,
    /// How many findings they mend.
    mended: usize,
}

fn judged(document: Document, command: &Check, shows_fixes: bool) -> Judged {
    let plain = |problem| Fixable { problem, fixes: Vec::new() };
    let (mut document, mut before, mut unmended, mut mended) = (document, None, Vec::new(), 0);
    if command.fix || command.diff {
        let after = document.edited(&document.fix_all(None));
        unmended = document.problems();
        mended = unmended.len().saturating_sub(after.problems().len());
        before = Some(document.text().to_string());
        document = after;
    }
    let findings = match shows_fixes {
        true => document.fixes_in(0..document.text().len()),
        false => document.problems().into_iter().map(plain).collect(),
    };
    Judged { text: document.text().clone(), findings, before, unmended, mended }
}

/// A run of `check`.
struct Checking<'c> {
    command: &'c Check,
    output: Box<dyn Output>,
    baseline: Baseline,
    tally: Tally,
    /// How many findings were mended, and how many are known.
    mended: usize,
    known: usize,
}

impl Checking<'_> {
    fn document(&mut self, file: File<'_>, judged: &Judged) -> io::Result<()> {
        if let Some(before) = &judged.before {
            let rewrite = if self.command.diff { Rewrite::diff() } else { Rewrite::write() };
            let after = judged.text.to_string();
            let written = rewrite.give(&mut anstream::stdout().lock(), file, before, &after)?;
            self.tally.failed |= written == Written::Failed;
            self.tally.would_change |= written == Written::Different;
            if written == Written::Done {
                self.mended += judged.mended;
            }
            if self.command.diff {
                return Ok(());
            }
            if written == Written::Failed {
                let text = Text::new(before);
                let all = judged.unmended.iter();
                return all.cloned().try_for_each(|problem| {
                    self.finding(file.shown, Some(&text), &Fixable { problem, fixes: Vec::new() })
                });
            }
        }
        judged.findings.iter().try_for_each(|finding| self.finding(file.shown, Some(&judged.text), finding))
    }

    fn finding(&mut self, file: &str, text: Option<&Text>, finding: &Fixable) -> io::Result<()> {
        if self.command.baseline.is_some()
            && (self.baseline.knows(file, text, &finding.problem) || self.command.write_baseline)
        {
            self.known += 1;
            return Ok(());
        }
        self.report(file, text, finding)
    }

    fn report(&mut self, file: &str, text: Option<&Text>, finding: &Fixable) -> io::Result<()> {
        self.tally.add(file, &finding.problem);
        // Below a text or a diff that is printed, what is left can only be counted.
        if self.prints_text() { Ok(()) } else { self.output.finding(file, text, finding) }
    }

    /// Whether texts or diffs are printed, and no findings.
    fn prints_text(&self) -> bool {
        self.command.diff || (self.command.fix && self.command.paths.has_stdin())
    }

    fn finish(mut self) -> io::Result<Status> {
        let baseline = self.command.baseline.as_deref().filter(|_| self.command.write_baseline);
        if let Some(path) = baseline.filter(|_| self.tally.failed) {
            say(&format!("`{}` stays as it is, since not all could be read", printable_path(path)));
        } else if let Some(path) = baseline {
            let count = self.baseline.write(path)?;
            say(&format!("{} known now, in `{}`", are(count), printable_path(path)));
        } else if self.known > 0 {
            say(&format!("{} known, and not shown", are(self.known)));
        }
        if self.mended > 0 {
            say(&format!("{} mended", are(self.mended)));
        }
        if !self.prints_text() {
            unless_reader_left(self.output.finish(&self.tally))?;
        }
        if self.command.statistics {
            self.tally.codes().for_each(|(code, count)| say(&format!("{count:>7}  {code}")));
        }
        Ok(match () {
            () if self.tally.failed => Status::Failed,
            () if self.tally.would_change || self.tally.has(self.command.fail_on.into()) => Status::Found,
            () => Status::Clean,
        })
    }
}

fn are(count: usize) -> String {
    if count == 1 { "1 finding is".to_owned() } else { format!("{count} findings are") }
}

/// Says on stderr what is no finding.
fn say(message: &str) {
    _ = writeln!(anstream::stderr(), "{message}");
}

/// The text of the file that was last reported on: problems come file by file, and a text is made once.
#[derive(Default)]
struct LastText {
    last: Option<(Arc<str>, Text)>,
}

impl LastText {
    fn of(&mut self, text: &Arc<str>) -> &Text {
        let known = self.last.take().filter(|(last, _)| Arc::ptr_eq(last, text));
        let (_, text) = self.last.insert(known.unwrap_or_else(|| (Arc::clone(text), Text::new(text))));
        text
    }
}
