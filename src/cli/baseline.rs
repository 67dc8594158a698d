//! A baseline: the findings that are known and not shown, so that a folder of old transcripts can be kept from getting worse.
//!
//! The file has a JSON object a line, sorted, so that its changes can be read and merged.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::names::{printable_path, read};
use super::output::slashed;
use super::rewrite::write_file;
use crate::rules::Problem;

/// The known findings, and those that are seen in this run.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    known: BTreeSet<Known>,
    seen: BTreeSet<Known>,
}

#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
struct Known {
    file: String,
    code: String,
    fingerprint: String,
}

impl Baseline {
    /// The baseline in the file at `path`.
    ///
    /// # Errors
    ///
    /// Where it cannot be read, or is none.
    pub fn read(path: &Path) -> io::Result<Self> {
        let name = printable_path(path);
        let text = read(path)
            .map_err(|reason| io::Error::other(format!("the baseline `{name}` cannot be read: {reason}")))?;
        let line = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| {
                io::Error::other(format!("`{name}` is no baseline: line {}: {error}", number + 1))
            })
        };
        let known = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(line);
        Ok(Self { known: known.collect::<io::Result<_>>()?, ..Self::default() })
    }

    /// Whether the finding, with its fingerprint, is known; it is seen now.
    pub fn knows(&mut self, file: &str, problem: &Problem, fingerprint: &str) -> bool {
        let fingerprint = fingerprint.to_owned();
        let found =
            Known { file: slashed(file).into_owned(), code: problem.code.name().to_owned(), fingerprint };
        let is_known = self.known.contains(&found);
        self.seen.insert(found);
        is_known
    }

    /// Writes what was seen to the file at `path`.
    ///
    /// # Errors
    ///
    /// Where it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<usize> {
        let mut text = String::new();
        for known in &self.seen {
            text.push_str(&serde_json::to_string(known)?);
            text.push('\n');
        }
        write_file(path, &text)
            .map_err(|error| io::Error::other(format!("cannot write `{}`: {error}", printable_path(path))))?;
        Ok(self.seen.len())
    }
}
