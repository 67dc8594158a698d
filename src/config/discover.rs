//! Finds the `chatls.toml` of a document: the nearest one upwards, up to its workspace folder, or
//! to the file system's root if the document is in no workspace folder.

use std::path::{Component, Path, PathBuf};

/// The name of the configuration file.
pub const FILE_NAME: &str = "chatls.toml";

/// The workspace folder that contains `path`; the deepest of several.
pub(super) fn folder_of<'a>(path: &Path, folders: &'a [PathBuf]) -> Option<&'a Path> {
    folders
        .iter()
        .map(PathBuf::as_path)
        .filter(|folder| path.starts_with(folder))
        .max_by_key(|folder| folder.components().count())
}

/// The possible paths of the configuration for a file in `start`, nearest first.
pub(super) fn candidates<'a>(start: &'a Path, top: Option<&'a Path>) -> impl Iterator<Item = PathBuf> + 'a {
    let mut done = false;
    start
        .ancestors()
        .take_while(move |folder| {
            let take = !done && !folder.as_os_str().is_empty();
            done = Some(*folder) == top;
            take
        })
        .map(|folder| folder.join(FILE_NAME))
}

/// `path` without `.` and `..`, resolved lexically: `a/../b` is `b`, even if `a` is a link.
pub fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if clean.file_name().is_some() => _ = clean.pop(),
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: &str, top: Option<&str>, expected: &[&str]) {
        let paths: Vec<_> = candidates(Path::new(start), top.map(Path::new)).collect();
        let expected: Vec<_> = expected.iter().map(|folder| Path::new(folder).join(FILE_NAME)).collect();
        assert_eq!(paths, expected);
    }

    #[test]
    fn search_stops_at_the_workspace_folder() {
        check("/w/a/b", Some("/w"), &["/w/a/b", "/w/a", "/w"]);
        check("/w", Some("/w"), &["/w"]);
        check("/w/a", None, &["/w/a", "/w", "/"]);
        check("", None, &[]);
    }

    #[test]
    fn the_deepest_folder_counts() {
        let folders = [PathBuf::from("/w"), PathBuf::from("/w/inner"), PathBuf::from("/x")];
        assert_eq!(folder_of(Path::new("/w/inner/a.md"), &folders), Some(Path::new("/w/inner")));
        assert_eq!(folder_of(Path::new("/w/innermost/a.md"), &folders), Some(Path::new("/w")));
        assert_eq!(folder_of(Path::new("/y/a.md"), &folders), None);
    }

    #[test]
    fn a_clean_path_has_no_dots() {
        for (path, expected) in
            [("/a/./b/../c", "/a/c"), ("/../a", "/../a"), ("../a", "../a"), ("/a/b/..", "/a")]
        {
            assert_eq!(clean(Path::new(path)), Path::new(expected));
        }
    }
}
