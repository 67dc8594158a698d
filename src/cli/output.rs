//! How findings are written: one file per `--format`, all of one shape.

use std::io;

use crate::document::Fixable;
use crate::rules::Severity;
use crate::text::Text;

mod human;
mod jsonl;

/// A way of writing findings.
pub(super) trait Output {
    /// Writes one finding, in the text `text` of the file called `file`; `None` where it has no text.
    fn finding(&mut self, file: &str, text: Option<&Text>, finding: &Fixable) -> io::Result<()>;

    /// Whether it says what mends a finding: only then that is looked for.
    fn shows_fixes(&self) -> bool {
        false
    }

    /// Writes what stands at the end.
    fn finish(&mut self, tally: &Tally) -> io::Result<()>;
}

/// The `--format` of findings.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Format {
    /// For people: the message, the line and a caret under the fault
    Human,
    /// For programs: a JSON object a line
    Jsonl,
}

impl Format {
    /// Its writer, to stdout.
    pub fn output(self) -> Box<dyn Output> {
        match self {
            Self::Human => Box::new(human::Human::new(io::BufWriter::new(anstream::stdout()))),
            Self::Jsonl => Box::new(jsonl::JsonLines::new(io::BufWriter::new(io::stdout()))),
        }
    }
}

/// What was found, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Documents that were read.
    pub documents: usize,
    /// Whether something could not be done.
    pub failed: bool,
    /// Files with findings.
    pub files: std::collections::BTreeSet<String>,
    counts: [usize; 4],
}

impl Tally {
    /// Counts one finding.
    pub fn add(&mut self, file: &str, severity: Severity) {
        if !self.files.contains(file) {
            self.files.insert(file.to_owned());
        }
        if let Some(count) = self.counts.get_mut(severity as usize) {
            *count += 1;
        }
    }

    /// Whether something at or above `severity` was found.
    pub fn has(&self, severity: Severity) -> bool {
        self.counts.iter().skip(severity as usize).any(|count| *count > 0)
    }

    /// `3 errors, 1 warning in 2 files`; `None` where nothing was read because it could not be.
    pub fn sentence(&self) -> Option<String> {
        let names = [
            (Severity::Error, "error", "errors"),
            (Severity::Warning, "warning", "warnings"),
            (Severity::Information, "information", "information"),
            (Severity::Hint, "hint", "hints"),
        ];
        let counted: Vec<_> = names
            .into_iter()
            .filter_map(|(severity, one, many)| {
                let count = *self.counts.get(severity as usize)?;
                (count > 0).then(|| format!("{count} {}", if count == 1 { one } else { many }))
            })
            .collect();
        match counted.is_empty() {
            true if self.failed && self.documents == 0 => None,
            true => Some(format!("no problems in {}", files(self.documents))),
            false => Some(format!("{} in {}", counted.join(", "), files(self.files.len()))),
        }
    }
}

fn files(count: usize) -> String {
    format!("{count} {}", if count == 1 { "file" } else { "files" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_plain_words() {
        let mut tally = Tally::default();
        assert_eq!(tally.sentence().unwrap(), "no problems in 0 files");
        tally.failed = true;
        assert_eq!(tally.sentence(), None);
        tally.documents = 1;
        assert_eq!(tally.sentence().unwrap(), "no problems in 1 file");
        tally.add("a", Severity::Hint);
        assert!(!tally.has(Severity::Information));
        tally.add("a", Severity::Error);
        tally.add("b", Severity::Error);
        assert!(tally.has(Severity::Warning));
        assert_eq!(tally.sentence().unwrap(), "2 errors, 1 hint in 2 files");
    }
}
