//! What `check` prints: findings as they come, and at the end what they come to.

use std::borrow::Borrow;
use std::io;
use std::sync::Arc;

use super::Check;
use super::judged::Judged;
use crate::cli::baseline::Baseline;
use crate::cli::inputs::{File, Input, Summary};
use crate::cli::names::printable_path;
use crate::cli::output::{Fingerprints, Found, Output, Tally};
use crate::cli::progress::beside;
use crate::cli::rewrite::{Rewrite, Written};
use crate::cli::{Status, tell, unless_reader_left};
use crate::document::Fixable;
use crate::rules::{Problem, Severity};
use crate::text::Text;

/// What is printed of all that is named.
pub(super) struct Report<'c> {
    command: &'c Check,
    output: Box<dyn Output>,
    baseline: Baseline,
    fingerprints: Fingerprints,
    tally: Tally,
    texts: LastText,
    found: usize,
    /// How many findings were mended, and how many are known.
    mended: usize,
    known: usize,
}

/// How it came out.
pub(super) struct Outcome {
    pub status: Status,
    /// How many findings were printed.
    pub found: usize,
    /// How many documents were read.
    pub documents: usize,
    /// Whether somebody still reads what is printed.
    pub is_read: bool,
}

impl<'c> Report<'c> {
    pub fn new(command: &'c Check, baseline: Baseline) -> Self {
        let (output, tally, texts) = (command.format.output(), Tally::default(), LastText::default());
        let fingerprints = Fingerprints::default();
        Self { command, output, baseline, fingerprints, tally, texts, found: 0, mended: 0, known: 0 }
    }

    /// Whether it says what mends a finding.
    pub fn shows_fixes(&self) -> bool {
        self.output.shows_fixes()
    }

    /// Reports what was read.
    pub fn add<J: Borrow<Judged>>(&mut self, input: Input<'_, J>) -> io::Result<()> {
        match &input {
            Input::Document(file, judged) => self.document(*file, judged.borrow()),
            Input::Problem(file, found) | Input::Fatal(file, found) => {
                let is_fatal = matches!(input, Input::Fatal(..));
                // What makes the run fail is an error, whatever the configuration wants it to be, and no baseline knows it.
                let severity = if is_fatal { Severity::Error } else { found.severity };
                let text = found.text.as_ref().map(|text| self.texts.of(text));
                let problem = Problem::new(found.code, severity, found.range.clone(), found.message.clone());
                let finding = Fixable { problem, fixes: found.fixes.clone() };
                self.finding(file, text.as_ref(), &finding, !is_fatal)
            }
        }
    }

    fn document(&mut self, file: File<'_>, judged: &Judged) -> io::Result<()> {
        if let Some(before) = &judged.before {
            let rewrite = if self.command.diff { Rewrite::diff() } else { Rewrite::write() };
            let after = judged.text.to_string();
            let written = rewrite.give(&mut beside(anstream::stdout()), file, before, &after)?;
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
                    self.finding(file.shown, Some(&text), &Fixable { problem, fixes: Vec::new() }, true)
                });
            }
        }
        judged
            .findings
            .iter()
            .try_for_each(|finding| self.finding(file.shown, Some(&judged.text), finding, true))
    }

    fn finding(
        &mut self,
        file: &str,
        text: Option<&Text>,
        finding: &Fixable,
        can_be_known: bool,
    ) -> io::Result<()> {
        let asks_baseline = can_be_known && self.command.baseline.is_some();
        // One for all who know a finding by it: it counts those that are alike.
        let fingerprint = match asks_baseline || self.output.shows_fingerprints() {
            true => self.fingerprints.of(file, text, &finding.problem),
            false => String::new(),
        };
        if asks_baseline
            && (self.baseline.knows(file, &finding.problem, &fingerprint) || self.command.write_baseline)
        {
            self.known += 1;
            return Ok(());
        }
        self.tally.add(file, &finding.problem);
        self.found += 1;
        // Below a text or a diff that is printed, what is left can only be counted.
        if self.prints_text() {
            Ok(())
        } else {
            self.output.finding(Found { file, text, finding, fingerprint: &fingerprint })
        }
    }

    /// Whether texts or diffs are printed, and no findings.
    fn prints_text(&self) -> bool {
        self.command.diff || (self.command.fix && self.command.paths.has_stdin())
    }

    /// Says what it all comes to.
    pub fn finish(mut self, summary: Summary) -> io::Result<Outcome> {
        self.tally.documents = summary.documents;
        self.tally.failed |= summary.failed;
        let baseline = self.command.baseline.as_deref().filter(|_| self.command.write_baseline);
        if let Some(path) = baseline.filter(|_| self.tally.failed) {
            tell(&format!("`{}` stays as it is, since not all could be read", printable_path(path)));
        } else if let Some(path) = baseline {
            let count = self.baseline.write(path)?;
            tell(&format!("{} known now, in `{}`", are(count), printable_path(path)));
        } else if self.known > 0 {
            tell(&format!("{} known, and not shown", are(self.known)));
        }
        if self.mended > 0 {
            tell(&format!("{} mended", are(self.mended)));
        }
        let written = if self.prints_text() { Ok(()) } else { self.output.finish(&self.tally) };
        let is_read = written.is_ok();
        unless_reader_left(written)?;
        if self.command.statistics {
            self.tally.codes().for_each(|(code, count)| tell(&format!("{count:>7}  {code}")));
        }
        let status = match () {
            () if self.tally.failed => Status::Failed,
            () if self.tally.would_change || self.tally.has(self.command.fail_on.into()) => Status::Found,
            () => Status::Clean,
        };
        Ok(Outcome { status, found: self.found, documents: summary.documents, is_read })
    }
}

fn are(count: usize) -> String {
    if count == 1 { "1 finding is".to_owned() } else { format!("{count} findings are") }
}

/// The text of the file that was last reported on: problems come file by file, and a text is made once.
#[derive(Default)]
struct LastText {
    last: Option<(Arc<str>, Text)>,
}

impl LastText {
    fn of(&mut self, text: &Arc<str>) -> Text {
        let known = self.last.take().filter(|(last, _)| Arc::ptr_eq(last, text));
        let (_, text) = self.last.insert(known.unwrap_or_else(|| (Arc::clone(text), Text::new(text))));
        text.clone()
    }
}
