//! `check`: says what is wrong in documents, in their configuration and registries.

use std::io;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use super::inputs::{self, Input, Paths};
use super::output::{Format, Tally};
use super::{Common, Status, unless_reader_left};
use crate::document::Fixable;
use crate::rules::{Problem, Severity};
use crate::text::Text;

const EXAMPLES: &str = "\
Examples:
  chatls check                            every transcript below the current folder
  chatls check --fail-on error logs/      status 1 for errors only
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
    let mut output = command.format.output();
    let mut tally = Tally::default();
    let mut texts = LastText::default();
    let summary = inputs::for_each(&command.paths, common, |input| match &input {
        Input::Document(file, document) => {
            let plain = |problem| Fixable { problem, fixes: Vec::new() };
            let findings = match output.shows_fixes() {
                true => document.fixes_in(0..document.text().len()),
                false => document.problems().into_iter().map(plain).collect(),
            };
            findings.iter().try_for_each(|finding| {
                tally.add(file.shown, finding.problem.severity);
                output.finding(file.shown, Some(document.text()), finding)
            })
        }
        Input::Problem(file, found) | Input::Fatal(file, found) => {
            // What makes the run fail is an error, whatever the configuration wants it to be.
            let severity = if matches!(input, Input::Fatal(..)) { Severity::Error } else { found.severity };
            tally.add(file, severity);
            let text = found.text.as_ref().map(|text| texts.of(text));
            let problem = Problem::new(found.code, severity, found.range.clone(), found.message.clone());
            output.finding(file, text, &Fixable { problem, fixes: found.fixes.clone() })
        }
    })?;
    tally.documents = summary.documents;
    tally.failed = summary.failed;
    unless_reader_left(output.finish(&tally))?;
    Ok(match () {
        () if summary.failed => Status::Failed,
        () if tally.has(command.fail_on.into()) => Status::Found,
        () => Status::Clean,
    })
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
