//! A baseline: a file of known findings, which are not shown, so that old transcripts cannot get worse.
//!
//! The file has a JSON object a line, sorted, so that its changes can be read and merged. Paths in it are relative to
//! the folder that it is in.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::inputs::PathArgs;
use super::names::{printable, printable_path, read};
use super::output::{Fingerprints, slashed};
use super::rewrite::write_file;
use crate::config::clean;
use crate::rules::Diagnostic;
use crate::text::Text;

/// The most entries that are listed one by one where they match no finding.
const LISTED: usize = 3;

/// The entries of a baseline, and the findings of this run.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    path: PathBuf,
    /// The folder that it is in, without links.
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

/// What a run covers: entries of other files are left alone.
pub(super) struct BaselineScope {
    /// The folders that were searched, without links.
    folders: Vec<PathBuf>,
    /// Whether the documents are records, which have names but no files.
    records: bool,
}

/// How a baseline was written.
pub(super) struct BaselineSaved {
    /// How many entries it has.
    pub entries: usize,
    /// How many of them are of files that were not checked.
    pub kept: usize,
    /// How many entries were removed, since they match no finding.
    pub removed: usize,
}

impl BaselineScope {
    /// The scope of a run on `paths`.
    pub fn of(paths: &PathArgs) -> Self {
        let folders = paths.named().filter(|path| path.is_dir()).map(without_links).collect();
        Self { folders, records: paths.records() }
    }
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
        let entry = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| {
                io::Error::other(format!("`{name}` is no baseline: line {}: {error}", number + 1))
            })
        };
        let known = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(entry);
        Ok(Self { entries: known.collect::<io::Result<_>>()?, ..Self::new(path)? })
    }

    /// The baseline that is to be written to `path`: the one that is there, or an empty one.
    ///
    /// # Errors
    ///
    /// Where another file is there.
    pub fn to_write(path: &Path) -> io::Result<Self> {
        match path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::new(path),
            _ => Self::read(path).map_err(|error| {
                io::Error::other(format!("{error}; `--write-baseline` replaces nothing but a baseline"))
            }),
        }
    }

    fn new(path: &Path) -> io::Result<Self> {
        let absolute = clean(&std::path::absolute(path)?);
        let folder = without_links(absolute.parent().unwrap_or(&absolute));
        Ok(Self { path: path.to_owned(), folder, ..Self::default() })
    }

    /// The name in the baseline of the file at `path`.
    pub fn name_of(&self, path: &Path) -> String {
        let absolute = clean(&std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let place = match (absolute.parent(), absolute.file_name()) {
            (Some(folder), Some(name)) => without_links(folder).join(name),
            _ => absolute,
        };
        let name = pathdiff::diff_paths(&place, &self.folder).unwrap_or(place);
        slashed(&name.to_string_lossy()).into_owned()
    }

    /// Notes that the file `name` was checked.
    pub fn check(&mut self, name: &str) {
        if !self.checked.contains(name) {
            self.checked.insert(name.to_owned());
        }
    }

    /// Notes the finding `problem` of the file `name`. Whether the baseline has it.
    pub fn contains(&mut self, name: &str, text: Option<&Text>, problem: &Diagnostic) -> bool {
        let fingerprint = self.fingerprints.of(name, text, problem);
        let found =
            BaselineEntry { file: name.to_owned(), code: problem.code.name().to_owned(), fingerprint };
        let is_known = self.entries.contains(&found);
        self.seen.insert(found);
        is_known
    }

    /// A sentence on the entries that match no finding of this run; `None` where there are none.
    pub fn unmatched(&self, scope: &BaselineScope) -> Option<String> {
        let unmatched: Vec<_> =
            self.entries.difference(&self.seen).filter(|it| self.covers(scope, it)).collect();
        let (count, baseline) = (unmatched.len(), printable_path(&self.path));
        let mut sentence = match count {
            0 => return None,
            1 => format!("1 entry of `{baseline}` matches no finding any more"),
            _ => format!("{count} entries of `{baseline}` match no finding any more"),
        };
        for (index, entry) in unmatched.iter().take(LISTED).enumerate() {
            let before = if index == 0 { ": " } else { ", " };
            _ = write!(sentence, "{before}{} in `{}`", printable(&entry.code), printable(&entry.file));
        }
        if count > LISTED {
            _ = write!(sentence, " and {} more", count - LISTED);
        }
        Some(sentence + "; `--write-baseline` removes what is mended")
    }

    /// Writes the findings of this run, and the entries of files that it did not cover.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written.
    pub fn save(&self, scope: &BaselineScope) -> io::Result<BaselineSaved> {
        let (covered, kept): (Vec<_>, Vec<_>) = self.entries.iter().partition(|it| self.covers(scope, it));
        let removed = covered.into_iter().filter(|it| !self.seen.contains(it)).count();
        let mut text = String::new();
        let entries: BTreeSet<&BaselineEntry> = self.seen.iter().chain(kept.iter().copied()).collect();
        for entry in &entries {
            text.push_str(&serde_json::to_string(entry)?);
            text.push('\n');
        }
        write_file(&self.path, &text).map_err(|error| {
            io::Error::other(format!("cannot write `{}`: {error}", printable_path(&self.path)))
        })?;
        Ok(BaselineSaved { entries: entries.len(), kept: kept.len(), removed })
    }

    /// Whether a run with `scope` would have found what `entry` stands for: its file was checked, is not in a folder that was
    /// searched any more, or is gone.
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

/// Whether `text` is a baseline, and so no transcript: its first line is an entry.
pub(super) fn is_baseline(text: &Text) -> bool {
    /// More than any entry has.
    const LINE_LIMIT: usize = 1 << 14;
    let first = text.line_content(0);
    first.len() < LINE_LIMIT && serde_json::from_str::<BaselineEntry>(&text.slice(first)).is_ok()
}

fn without_links(folder: &Path) -> PathBuf {
    std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
}
