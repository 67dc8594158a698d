//! The transcripts in a folder: found the same by the command line and by the server.
//!
//! Hidden files and those that a `.gitignore` names are passed over, also outside of a repository: what is found depends
//! on the files alone. Links are not followed.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

/// What is read in folders; anything can be named or opened.
const EXTENSIONS: [&str; 5] = ["md", "markdown", "jsonl", "ndjson", "sse"];

/// The paths of the transcripts in `folder`, in their order.
///
/// # Errors
///
/// Each item may be one: a folder that cannot be read ends nothing.
pub fn transcripts(folder: &Path) -> impl Iterator<Item = Result<PathBuf, ignore::Error>> {
    let walk = WalkBuilder::new(folder).require_git(false).sort_by_file_path(Path::cmp).build();
    walk.filter_map(|entry| match entry {
        Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) && is_transcript(entry.path()) => {
            Some(Ok(entry.into_path()))
        }
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
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
