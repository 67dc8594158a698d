//! The output of `check`: diagnostics one at a time, and a summary at the end.

use std::borrow::Borrow;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::CheckArgs;
use crate::cli::baseline::{Baseline, BaselineSaved, BaselineScope};
use crate::cli::check::document::CheckedDocument;
use crate::cli::common::ExitStatus;
use crate::cli::console::{print_to_stderr, printable_path, unless_reader_left};
use crate::cli::inputs::{InputEvent, InputFile, InputSummary};
use crate::cli::output::diagnostic_output::{DiagnosticOutput, DiagnosticRow, DiagnosticTally};
use crate::cli::output::{Fingerprints, OutputSink, OutputTarget};
use crate::cli::rewrite::{RewriteArgs, RewriteResult};
use crate::diagnostic::{Diagnostic, Severity};
use crate::fixes::FixableDiagnostic;
use crate::text::Text;

/// Writes the output of a run.
pub(super) struct CheckReport<'c> {
    command: &'c CheckArgs,
    output: Box<dyn DiagnosticOutput>,
    /// The output file; `None` for stdout.
    target: Option<OutputTarget>,
    baseline: Option<Baseline>,
    fingerprints: Fingerprints,
    tally: DiagnosticTally,
    texts: CachedText,
    /// Number of diagnostics that were fixed, and number that the baseline contains.
    fixed: usize,
    known: usize,
    /// Number of remaining diagnostics that unsafe fixes would resolve.
    left_unsafe: usize,
    left_unsuppressed: usize,
    /// True if a log has diagnostics that were to be suppressed.
    has_log: bool,
}

/// The outcome of a run.
pub(super) struct CheckOutcome {
    pub status: ExitStatus,
    /// Number of diagnostics that were printed.
    pub found: usize,
    /// Number of files that were checked.
    pub checked: usize,
    /// True if the output still has a reader.
    pub is_read: bool,
}

impl<'c> CheckReport<'c> {
    /// Creates a report with the options of `command`.
    ///
    /// # Errors
    ///
    /// If the output file cannot be written.
    pub fn new(command: &'c CheckArgs, baseline: Option<Baseline>) -> io::Result<Self> {
        let (target, sink) = match &command.output_file {
            Some(path) => {
                let (target, sink) = OutputTarget::new(path)?;
                (Some(target), sink)
            }
            // Stdout is used for the documents.
            None if command.prints_documents() => (None, OutputSink::Stderr),
            None => (None, OutputSink::Stdout),
        };
        let output = command.format.output(sink, command.fail_on);
        let mut tally = DiagnosticTally::default();
        tally.is_quiet = command.quiet || target.is_some();
        let (fingerprints, texts) = (Fingerprints::default(), CachedText::default());
        Ok(Self {
            command,
            output,
            target,
            baseline,
            fingerprints,
            tally,
            texts,
            fixed: 0,
            known: 0,
            left_unsafe: 0,
            left_unsuppressed: 0,
            has_log: false,
        })
    }

    /// Reports the diagnostics of an input.
    pub fn add<J: Borrow<CheckedDocument>>(&mut self, input: InputEvent<'_, J>) -> io::Result<()> {
        match input {
            InputEvent::Document(file, checked_document) => self.document(file, checked_document.borrow()),
            InputEvent::Problem { file, problem: found, is_fatal } => {
                // A fatal diagnostic is an error regardless of the configured severity, and never
                // in a baseline.
                let severity = if is_fatal { Severity::Error } else { found.severity };
                let text = found.text.as_ref().map(|text| self.texts.of(text));
                let problem =
                    Diagnostic::new(found.code, severity, found.range.clone(), found.message.clone());
                let diagnostic = FixableDiagnostic { problem, fixes: found.fixes.clone() };
                let name = self.baseline.as_ref().filter(|_| !is_fatal);
                let name =
                    name.map(|it| found.path.as_deref().map_or_else(String::new, |path| it.name_of(path)));
                if !self.tally.settings.contains(file) {
                    self.tally.settings.insert(file.to_owned());
                }
                let name = ReportedPath { shown: file, in_baseline: name.as_deref() };
                self.diagnostic(name, text.as_ref(), &diagnostic)
            }
        }
    }

    fn document(&mut self, file: InputFile<'_>, checked_document: &CheckedDocument) -> io::Result<()> {
        let in_baseline = self.name_in_baseline(file);
        if let (Some(baseline), Some(name)) = (&mut self.baseline, &in_baseline) {
            baseline.check(name);
        }
        let name = ReportedPath { shown: file.display_name, in_baseline: in_baseline.as_deref() };
        self.left_unsafe += checked_document.left_unsafe;
        self.left_unsuppressed += checked_document.left_unsuppressed;
        self.has_log |= checked_document.is_log && !checked_document.diagnostics.is_empty();
        if let Some(before) = &checked_document.before {
            let rewrite = if self.command.diff { RewriteArgs::diff() } else { RewriteArgs::write() };
            let after = checked_document.text.to_string();
            let mut out = rewrite.stdout();
            let written = rewrite.output_document(&mut *out, file, before, &after)?;
            out.flush()?;
            self.tally.failed |= written == RewriteResult::Failed;
            self.tally.would_change |= written == RewriteResult::Different;
            if written == RewriteResult::Done {
                self.fixed += checked_document.fixed_count;
            }
            if written == RewriteResult::Failed {
                let text = Text::new(before);
                let all = checked_document.before_fixes.iter();
                return all.cloned().try_for_each(|problem| {
                    self.diagnostic(name, Some(&text), &FixableDiagnostic { problem, fixes: Vec::new() })
                });
            }
        }
        checked_document
            .diagnostics
            .iter()
            .try_for_each(|diagnostic| self.diagnostic(name, Some(&checked_document.text), diagnostic))
    }

    /// The name of `file` in the baseline, if there is one. Records and standard input have no path
    /// that could be relative to it.
    fn name_in_baseline(&self, file: InputFile<'_>) -> Option<String> {
        let baseline = self.baseline.as_ref()?;
        Some(match file.path {
            None if self.command.paths.records() || file.display_name == "-" => file.display_name.to_owned(),
            path => baseline.name_of(path.unwrap_or(Path::new(file.display_name))),
        })
    }

    fn diagnostic(
        &mut self,
        name: ReportedPath<'_>,
        text: Option<&Text>,
        diagnostic: &FixableDiagnostic,
    ) -> io::Result<()> {
        let file = name.shown;
        // Computed for hidden diagnostics, too: fingerprints count equal diagnostics.
        let fingerprint = match self.output.shows_fingerprints() {
            true => self.fingerprints.of(file, text, &diagnostic.problem),
            false => String::new(),
        };
        if let (Some(baseline), Some(name)) = (&mut self.baseline, name.in_baseline)
            && (baseline.contains(name, text, &diagnostic.problem) || self.command.write_baseline)
        {
            self.known += 1;
            return Ok(());
        }
        self.tally.add(file, &diagnostic.problem);
        self.output.diagnostic(&DiagnosticRow::new(file, text, diagnostic, &fingerprint))
    }

    fn save_baseline(&self, scope: &BaselineScope) -> io::Result<()> {
        let (Some(path), Some(baseline)) = (&self.command.baseline, &self.baseline) else { return Ok(()) };
        let path = printable_path(path);
        if self.tally.failed {
            print_to_stderr(&format!("`{path}` is unchanged, because some files could not be read"));
            return Ok(());
        }
        let BaselineSaved { entries, kept, removed } = baseline.save(scope)?;
        let mut saved = format!("{} known now, in `{path}`", are(entries));
        if removed > 0 {
            saved +=
                &format!("; {removed} without a match {} removed", if removed == 1 { "is" } else { "are" });
        }
        if kept > 0 {
            saved += &format!(
                "; {kept} of files that were not checked {}",
                if kept == 1 { "stays" } else { "stay" }
            );
        }
        print_to_stderr(&saved);
        Ok(())
    }

    /// Writes the summary.
    pub fn finish(mut self, summary: InputSummary) -> io::Result<CheckOutcome> {
        self.tally.documents = summary.documents;
        self.tally.failed |= summary.failed;
        let scope = BaselineScope::of(&self.command.paths);
        if self.command.write_baseline {
            self.save_baseline(&scope)?;
        } else if self.known > 0 {
            self.print_note(&format!("{} known, and not shown", are(self.known)));
        }
        if self.fixed > 0 {
            let what = if self.command.add_suppressions { "suppressed" } else { "fixed" };
            self.print_note(&format!("{} {what}", are(self.fixed)));
        }
        if self.left_unsafe > 0 {
            self.print_note(&format!("{} more with `--unsafe-fixes`", self.left_unsafe));
        }
        if self.left_unsuppressed > 0 {
            self.print_note(&format!(
                "{} left: a comment before the block would have no effect, change a tool use or add a diagnostic",
                are(self.left_unsuppressed)
            ));
        }
        if self.command.add_suppressions && self.has_log {
            self.print_note("logs have no comments: turn codes off in `[lint]` of chatls.toml");
        }
        let written = self.output.finish(&self.tally);
        let is_read = written.is_ok();
        unless_reader_left(written)?;
        if let Some(target) = self.target.take() {
            target.finish()?;
            if let Some(sentence) = self.tally.sentence() {
                self.print_note(&sentence);
            }
        }
        // Unmatched entries can only be determined if everything was checked.
        let is_whole = is_read && !self.tally.failed && !self.command.diff && !self.command.leaves_out();
        let is_whole = is_whole && !self.command.write_baseline;
        if let Some(unmatched) =
            self.baseline.as_ref().filter(|_| is_whole).and_then(|it| it.unmatched(&scope))
        {
            self.print_note(&unmatched);
        }
        if self.command.statistics {
            self.tally.codes().for_each(|(code, count)| print_to_stderr(&format!("{count:>7}  {code}")));
        }
        let checked = self.tally.checked();
        let status = match () {
            () if self.tally.failed => ExitStatus::Failed,
            () if self.command.exit_zero => ExitStatus::Clean,
            () if self.tally.would_change || self.tally.has(self.command.fail_on) => ExitStatus::Found,
            () => ExitStatus::Clean,
        };
        let found = self.tally.codes().map(|(_, count)| count).sum();
        Ok(CheckOutcome { status, found, checked, is_read })
    }

    /// Prints a note to stderr, unless `--quiet` is given.
    fn print_note(&self, line: &str) {
        if !self.command.quiet {
            print_to_stderr(line);
        }
    }
}

/// The names of a file: the display name, and its name in the baseline if it can have entries
/// there.
#[derive(Clone, Copy)]
struct ReportedPath<'a> {
    shown: &'a str,
    in_baseline: Option<&'a str>,
}

fn are(count: usize) -> String {
    if count == 1 { "1 diagnostic is".to_owned() } else { format!("{count} diagnostics are") }
}

/// The text of the last reported file. Diagnostics are reported file by file, so each text is built
/// once.
#[derive(Default)]
struct CachedText {
    last: Option<(Arc<str>, Text)>,
}

impl CachedText {
    fn of(&mut self, text: &Arc<str>) -> Text {
        let known = self.last.take().filter(|(last, _)| Arc::ptr_eq(last, text));
        let (_, text) = self.last.insert(known.unwrap_or_else(|| (Arc::clone(text), Text::new(text))));
        text.clone()
    }
}
