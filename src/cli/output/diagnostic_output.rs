//! Types shared by the output formats: located diagnostics and their tally.

use crate::diagnostic::{Code, Diagnostic, Fix, Severity, SeverityCounts};
use crate::fixes::FixableDiagnostic;
use crate::prose::counted;
use crate::text::Text;
use crate::text::position::{PrintedPosition, byte_to_printed_position};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::ops::Range;

/// A diagnostic with all that the formats show of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiagnosticRow<'a> {
    /// The display name of the file.
    pub file: &'a str,
    /// The text of the file; `None` if it is not available.
    pub text: Option<&'a Text>,
    /// The diagnostic.
    pub problem: &'a Diagnostic,
    /// Its location; the start of the file if there is no text.
    pub place: TextLocation,
    /// Its fixes, best first.
    pub fixes: &'a [Fix<Range<usize>>],
    /// The fingerprint; empty unless [`DiagnosticOutput::shows_fingerprints`] returns true.
    pub fingerprint: &'a str,
}

impl<'a> DiagnosticRow<'a> {
    /// The row of `found` in the file `file`, which has `text`.
    pub fn new(
        file: &'a str,
        text: Option<&'a Text>,
        found: &'a FixableDiagnostic,
        fingerprint: &'a str,
    ) -> Self {
        let FixableDiagnostic { problem, fixes } = found;
        let place = TextLocation::of(text, &problem.range);
        Self { file, text, problem, place, fixes, fingerprint }
    }

    /// The location of other bytes of the file.
    pub fn place_of(&self, range: &Range<usize>) -> TextLocation {
        TextLocation::of(self.text, range)
    }

    /// The name of its severity among `names`; see [`level_of`].
    pub fn level(&self, names: [&'static str; 3]) -> &'static str {
        level_of(self.problem.severity, names)
    }
}

/// The name of `severity` among the names for errors, warnings, and everything else.
pub(crate) fn level_of(severity: Severity, [error, warning, other]: [&'static str; 3]) -> &'static str {
    match severity {
        Severity::Error => error,
        Severity::Warning => warning,
        Severity::Information | Severity::Hint => other,
    }
}

/// An output format of diagnostics.
pub(crate) trait DiagnosticOutput {
    /// Writes one diagnostic.
    fn diagnostic(&mut self, row: &DiagnosticRow<'_>) -> io::Result<()>;

    /// True if the format includes fingerprints.
    fn shows_fingerprints(&self) -> bool {
        false
    }

    /// Writes the end of the output.
    fn finish(&mut self, tally: &DiagnosticTally) -> io::Result<()>;
}

/// A format that writes the diagnostics one by one between a beginning and an end.
#[derive(Clone, Copy)]
pub(crate) struct ListFormat {
    /// The text before the first diagnostic, or before the end.
    pub begin: fn() -> String,
    /// The text of a diagnostic.
    pub row: fn(&DiagnosticRow<'_>) -> String,
    /// The text between two diagnostics.
    pub between: &'static str,
    /// The text after the last diagnostic.
    pub end: fn(&DiagnosticTally) -> String,
    /// True if it includes fingerprints.
    pub shows_fingerprints: bool,
}

impl ListFormat {
    /// A line for each diagnostic.
    pub const LINES: Self = Self {
        begin: String::new,
        row: |_| String::new(),
        between: "",
        end: |_| String::new(),
        shows_fingerprints: false,
    };
    /// One JSON array.
    pub const ARRAY: Self = Self {
        begin: || "[".to_owned(),
        between: ",",
        end: |tally| if tally.files.is_empty() { "]\n".to_owned() } else { "\n]\n".to_owned() },
        ..Self::LINES
    };
}

/// Writes diagnostics in a [`ListFormat`].
pub(crate) struct ListOutput<W> {
    out: W,
    format: ListFormat,
    is_begun: bool,
}

impl<W: Write> ListOutput<W> {
    pub fn new(out: W, format: ListFormat) -> Self {
        Self { out, format, is_begun: false }
    }

    /// Writes the beginning once, and `further` at each further call.
    fn begin(&mut self, further: &str) -> io::Result<()> {
        match std::mem::replace(&mut self.is_begun, true) {
            true => self.out.write_all(further.as_bytes()),
            false => self.out.write_all((self.format.begin)().as_bytes()),
        }
    }
}

impl<W: Write> DiagnosticOutput for ListOutput<W> {
    fn diagnostic(&mut self, row: &DiagnosticRow<'_>) -> io::Result<()> {
        self.begin(self.format.between)?;
        self.out.write_all((self.format.row)(row).as_bytes())
    }

    fn shows_fingerprints(&self) -> bool {
        self.format.shows_fingerprints
    }

    fn finish(&mut self, tally: &DiagnosticTally) -> io::Result<()> {
        self.begin("")?;
        self.out.write_all((self.format.end)(tally).as_bytes())?;
        self.out.flush()
    }
}

/// The URL of the documentation page of `code`, for this version.
pub(crate) fn page_of(code: Code) -> String {
    let (repository, version) = (env!("CARGO_PKG_REPOSITORY"), env!("CARGO_PKG_VERSION"));
    format!("{repository}/blob/v{version}/docs/rules/{}.md", code.name())
}

/// A range of text. Lines and columns start at 1; columns count Unicode scalar values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextLocation {
    pub start: PrintedPosition,
    pub end: PrintedPosition,
}

impl TextLocation {
    /// The location of the bytes `range` of `text`; the start of the file if there is no text.
    pub(crate) fn of(text: Option<&Text>, range: &Range<usize>) -> Self {
        let beginning = PrintedPosition { line: 1, column: 1 };
        let at = |offset| text.map_or(beginning, |text| byte_to_printed_position(text, offset));
        Self { start: at(range.start), end: at(range.end) }
    }
}

/// Counts of the reported diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct DiagnosticTally {
    /// Number of documents that were read.
    pub documents: usize,
    /// True if an error occurred.
    pub failed: bool,
    /// Files with diagnostics.
    pub files: BTreeSet<String>,
    /// The configurations and registries among `files`.
    pub settings: BTreeSet<String>,
    /// True if fixes would change a document that was not written.
    pub would_change: bool,
    /// True if the summary is omitted from the output.
    pub is_quiet: bool,
    counts: SeverityCounts,
    codes: BTreeMap<&'static str, usize>,
}

impl DiagnosticTally {
    /// Counts one diagnostic.
    pub fn add(&mut self, file: &str, problem: &Diagnostic) {
        if !self.files.contains(file) {
            self.files.insert(file.to_owned());
        }
        *self.codes.entry(problem.code.name()).or_default() += 1;
        *self.counts.of(problem.severity) += 1;
    }

    /// The number of diagnostics per code, in descending order.
    pub fn codes(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let mut codes: Vec<_> = self.codes.iter().map(|(code, count)| (*code, *count)).collect();
        codes.sort_by_key(|(_, count)| Reverse(*count));
        codes.into_iter()
    }

    /// True if a diagnostic at or above `severity` was reported.
    pub fn has(&self, severity: Severity) -> bool {
        self.counts.has(severity)
    }

    /// Number of files that were checked: documents, and configurations and registries with
    /// diagnostics.
    pub fn checked(&self) -> usize {
        self.documents + self.settings.len()
    }

    /// The line with the summary for people; empty with `--quiet`.
    pub fn last_line(&self) -> String {
        let sentence = self.sentence().filter(|_| !self.is_quiet);
        sentence.map_or_else(String::new, |sentence| sentence + "\n")
    }

    /// The summary, such as `3 errors, 1 warning in 2 of 5 files`, where 5 is the number of checked
    /// files. `None` if no file was checked.
    pub fn sentence(&self) -> Option<String> {
        let found = self.counts.words();
        match found.is_empty() {
            true if self.documents == 0 => None,
            true => Some(format!("no problems in {}", counted(self.documents, "file"))),
            false => {
                let (with, checked) = (self.files.len(), self.checked());
                let of = if with == checked { String::new() } else { format!("{with} of ") };
                Some(format!("{found} in {of}{}", counted(checked, "file")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Diagnostic, Severity};

    #[test]
    fn counts_in_plain_words() {
        let mut tally = DiagnosticTally::default();
        assert_eq!(tally.sentence(), None);
        tally.documents = 1;
        assert_eq!(tally.sentence().unwrap(), "no problems in 1 file");
        let problem = |severity| Diagnostic::new(Code::BadState, severity, 0..0, "m");
        tally.add("a", &problem(Severity::Hint));
        assert!(!tally.has(Severity::Information));
        tally.add("a", &problem(Severity::Error));
        tally.add("b", &problem(Severity::Error));
        assert!(tally.has(Severity::Warning));
        tally.documents = 5;
        assert_eq!(tally.sentence().unwrap(), "2 errors, 1 hint in 2 of 5 files");
        tally.add("chatls.toml", &problem(Severity::Warning));
        tally.settings.insert("chatls.toml".to_owned());
        assert_eq!(tally.sentence().unwrap(), "2 errors, 1 warning, 1 hint in 3 of 6 files");
        tally.documents = 2;
        assert_eq!(tally.sentence().unwrap(), "2 errors, 1 warning, 1 hint in 3 files");
    }
}
