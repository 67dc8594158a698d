//! Finds the transcripts in a folder, for the command line and for the server alike.
//!
//! Skips hidden files, those matched by a `.gitignore` (even outside of a repository), and folders
//! of dependencies, so that the result depends on the files alone. Links are not followed.

use std::path::{Path, PathBuf};

use ignore::DirEntry;

use super::ignored::walker;
use crate::config::is_transcript;

/// Folders in which package managers install dependencies, independent of any `.gitignore`.
const DEPENDENCIES: [&str; 8] = [
    "node_modules",
    "bower_components",
    "jspm_packages",
    "vendor",
    "site-packages",
    "dist-packages",
    "__pycache__",
    "__pypackages__",
];

/// Files that mark a generated folder: the build folder of cargo and other caches
/// (bford.info/cachedir), and a virtual environment of Python.
const MARKS: [&str; 2] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEntry {
    /// The folder itself, or a searched folder in it.
    Folder(PathBuf),
    /// A transcript.
    Transcript(PathBuf),
    /// A file of rules, such as `.gitignore`, that is not read, with the reason.
    Unread(PathBuf, String),
    /// Another file, which a configuration may declare as a transcript.
    Other(PathBuf),
}

/// The transcripts in `folder` and the searched folders, in order. Skips the file that standard
/// output is redirected to, which would be read while it is written. Searches hidden files and
/// folders only if `shows` accepts their paths.
///
/// # Errors
///
/// Any item may be an error: an unreadable folder does not end the walk.
pub fn walk(
    folder: &Path,
    shows: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> impl Iterator<Item = Result<WalkEntry, ignore::Error>> {
    let (mut walk, unread) = walker(folder, may_be_owned_by_user, shows);
    let found = walk.skip_stdout(true).build().filter_map(|entry| match entry {
        Ok(entry) => match entry.file_type() {
            Some(kind) if kind.is_dir() => Some(Ok(WalkEntry::Folder(entry.into_path()))),
            Some(kind) if kind.is_file() && is_transcript(entry.path()) => {
                Some(Ok(WalkEntry::Transcript(entry.into_path())))
            }
            Some(kind) if kind.is_file() => Some(Ok(WalkEntry::Other(entry.into_path()))),
            _ => None,
        },
        Err(error) => Some(Err(error)),
    });
    let unread = std::iter::once_with(move || unread.take()).flatten();
    found.chain(unread.map(|(path, reason)| Ok(WalkEntry::Unread(path, reason))))
}

/// True if an entry may be the user's own file. An entry that is given by name always is.
pub fn may_be_owned_by_user(entry: &DirEntry) -> bool {
    if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return true;
    }
    let is_dependency = entry.file_name().to_str().is_some_and(|name| DEPENDENCIES.contains(&name));
    !is_dependency && !MARKS.iter().any(|mark| entry.path().join(mark).exists())
}

/// The canonical path of a file; the given path if the file does not exist.
pub fn identity(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
