//! The transcripts in a folder: found the same by the command line and by the server.
//!
//! Hidden files, those that a `.gitignore` names, also outside of a repository, and folders of dependencies are passed over:
//! what is found depends on the files alone. Links are not followed.

use std::path::{Path, PathBuf};

use ignore::DirEntry;

use super::ignored::walker;

/// What is read in folders; anything can be named or opened.
pub const EXTENSIONS: [&str; 5] = ["md", "markdown", "jsonl", "ndjson", "sse"];

/// Folders in which package managers keep the code of others, whatever a `.gitignore` says.
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

/// Files that mark a folder as one that a program made: the build folder of cargo and other caches (bford.info/cachedir), and a
/// virtual environment of Python.
const MARKS: [&str; 2] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/// Something in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WalkEntry {
    /// The folder itself, or one in it that is looked through.
    Folder(PathBuf),
    /// A transcript.
    Transcript(PathBuf),
    /// A file of rules, as `.gitignore`, that is not read, and why.
    Unread(PathBuf, String),
    /// Another file, which a configuration may name as a transcript.
    Other(PathBuf),
}

/// The transcripts in `folder`, and the folders that are looked through for them, in their order. The file that standard output goes
/// to is none: it would be read while it is written.
///
/// # Errors
///
/// Each item may be one: a folder that cannot be read ends nothing.
pub fn walk(folder: &Path) -> impl Iterator<Item = Result<WalkEntry, ignore::Error>> {
    let (mut walk, unread) = walker(folder, may_be_owned_by_user);
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

/// Whether an entry may be the user's own: what was named is, whatever its name.
pub fn may_be_owned_by_user(entry: &DirEntry) -> bool {
    if entry.depth() == 0 || !entry.file_type().is_some_and(|kind| kind.is_dir()) {
        return true;
    }
    let is_dependency = entry.file_name().to_str().is_some_and(|name| DEPENDENCIES.contains(&name));
    !is_dependency && !MARKS.iter().any(|mark| entry.path().join(mark).exists())
}

/// Whether a file of that name is read where it is found in a folder.
pub fn is_transcript(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// The one path of a file that may be named in many ways; the given one where the file is not there.
pub fn identity(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
