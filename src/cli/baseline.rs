//! A baseline: a file of known diagnostics. They are not reported, so only new diagnostics are.
//!
//! The file is JSON Lines, sorted, so that its diffs are readable and can be merged. Paths are
//! relative to the folder of the baseline.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::console::slashed;
use super::inputs::arguments::PathArgs;
use super::output::Fingerprints;
use super::rewrite::write_file;
use crate::cli::console::{printable, printable_path, read};
use crate::config::clean;
use crate::diagnostic::Diagnostic;
use crate::files::identity;
use crate::text::Text;

/// Maximum number of unmatched entries that are listed individually.
const LISTED: usize = 3;

/// The entries of a baseline, and the diagnostics of this run.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    path: PathBuf,
    /// The folder of the baseline, with symbolic links resolved.
    folder: PathBuf,
    entries: BTreeSet<BaselineEntry>,
    seen: BTreeSet<BaselineEntry>,
    /// The files that were checked, by their names in the baseline.
    checked: HashSet<String>,
    fingerprints: Fingerprints,
}

#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
struct BaselineEntry {
    file: String,
    code: String,
    fingerprint: String,
}

/// The scope of a run; entries of files outside of it are preserved.
pub(super) struct BaselineScope {
    /// The folders that were searched, with symbolic links resolved.
    folders: Vec<PathBuf>,
    /// True if the documents are records, which have names but no files.
    records: bool,
}

/// The result of writing a baseline.
pub(super) struct BaselineSaved {
    /// Number of entries.
    pub entries: usize,
    /// Number of entries of files that were not checked.
    pub kept: usize,
    /// Number of entries that were removed because they match no diagnostic.
    pub removed: usize,
}

impl BaselineScope {
    /// The scope of a run on `paths`.
    pub fn of(paths: &PathArgs) -> Self {
        let folders = paths.named().filter(|path| path.is_dir()).map(identity).collect();
        Self { folders, records: paths.records() }
    }
}

impl Baseline {
    /// Reads the baseline at `path`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a baseline.
    pub fn read(path: &Path) -> io::Result<Self> {
        let name = printable_path(path);
        let text = read(path)
            .map_err(|reason| io::Error::other(format!("the baseline `{name}` cannot be read: {reason}")))?;
        let entry = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| {
                io::Error::other(format!("`{name}` is not a baseline: line {}: {error}", number + 1))
            })
        };
        let known = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(entry);
        Ok(Self { entries: known.collect::<io::Result<_>>()?, ..Self::new(path)? })
    }

    /// Reads the existing baseline at `path`, which is to be overwritten, or creates an empty one.
    ///
    /// # Errors
    ///
    /// If the file exists and is not a baseline.
    pub fn to_write(path: &Path) -> io::Result<Self> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::new(path),
            _ => Self::read(path).map_err(|error| {
                io::Error::other(format!("{error}; `--write-baseline` only replaces baselines"))
            }),
        }
    }

    fn new(path: &Path) -> io::Result<Self> {
        let absolute = clean(&std::path::absolute(path)?);
        let folder = identity(absolute.parent().unwrap_or(&absolute));
        Ok(Self { path: path.to_owned(), folder, ..Self::default() })
    }

    /// The name of the file at `path` in the baseline.
    pub fn name_of(&self, path: &Path) -> String {
        let absolute = clean(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let place = match (absolute.parent(), absolute.file_name()) {
            (Some(folder), Some(name)) => identity(folder).join(name),
            _ => absolute,
        };
        let name = pathdiff::diff_paths(&place, &self.folder).unwrap_or(place);
        slashed(&name)
    }

    /// Records that the file `name` was checked.
    pub fn check(&mut self, name: &str) {
        if !self.checked.contains(name) {
            self.checked.insert(name.to_owned());
        }
    }

    /// Records the diagnostic `problem` of the file `name`. Returns whether the baseline contains
    /// it.
    pub fn contains(&mut self, name: &str, text: Option<&Text>, problem: &Diagnostic) -> bool {
        let fingerprint = self.fingerprints.of(name, text, problem);
        let found =
            BaselineEntry { file: name.to_owned(), code: problem.code.name().to_owned(), fingerprint };
        let is_known = self.entries.contains(&found);
        self.seen.insert(found);
        is_known
    }

    /// Describes the entries that match no diagnostic of this run; `None` if there are none.
    pub fn unmatched(&self, scope: &BaselineScope) -> Option<String> {
        let unmatched: Vec<_> =
            self.entries.difference(&self.seen).filter(|it| self.covers(scope, it)).collect();
        let (count, baseline) = (unmatched.len(), printable_path(&self.path));
        let mut sentence = match count {
            0 => return None,
            1 => format!("1 entry of `{baseline}` no longer matches a diagnostic"),
            _ => format!("{count} entries of `{baseline}` no longer match a diagnostic"),
        };
        for (index, entry) in unmatched.iter().take(LISTED).enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            _ = write!(sentence, "{before}{} in `{}`", printable(&entry.code), printable(&entry.file));
        }
        if count > LISTED {
            _ = write!(sentence, " and {} more", count - LISTED);
        }
        Some(sentence + "; `--write-baseline` removes them")
    }

    /// Writes the diagnostics of this run, and the entries of files outside of `scope`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn save(&self, scope: &BaselineScope) -> io::Result<BaselineSaved> {
        let (covered, outside): (Vec<_>, Vec<_>) = self.entries.iter().partition(|it| self.covers(scope, it));
        let removed = covered.into_iter().filter(|it| !self.seen.contains(it)).count();
        let mut text = String::new();
        let entries: BTreeSet<&BaselineEntry> = self.seen.iter().chain(outside.iter().copied()).collect();
        for entry in &entries {
            text.push_str(&serde_json::to_string(entry)?);
            text.push('\n');
        }
        write_file(&self.path, &text).map_err(|error| {
            io::Error::other(format!("cannot write `{}`: {error}", printable_path(&self.path)))
        })?;
        Ok(BaselineSaved { entries: entries.len(), kept: outside.len(), removed })
    }

    /// True if a run with `scope` would have reported the diagnostic of `entry`: its file was
    /// checked, is in a searched folder, or does not exist any more.
    fn covers(&self, scope: &BaselineScope, entry: &BaselineEntry) -> bool {
        if self.checked.contains(&entry.file) {
            return true;
        }
        if scope.records || entry.file == "-" {
            return false;
        }
        let file = clean(&self.folder.join(&entry.file));
        scope.folders.iter().any(|folder| file.starts_with(folder)) || !file.exists()
    }
}

/// True if `text` is a baseline rather than a transcript: its first line is an entry.
pub(super) fn is_baseline(text: &Text) -> bool {
    /// Longer than any entry.
    const LINE_LIMIT: usize = 1 << 14;
    let first = text.line_content(0);
    first.len() < LINE_LIMIT && serde_json::from_str::<BaselineEntry>(&text.slice(first)).is_ok()
}
