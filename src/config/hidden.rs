//! Hidden files and folders that `include` names: folders are searched for them, too.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::clean;

/// The hidden files and folders that globs of `include` name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenNames {
    /// The folder that the globs are relative to.
    base: PathBuf,
    /// The globs, each cut off after a hidden name or after a later one.
    globs: Vec<String>,
}

impl HiddenNames {
    /// The hidden names in the globs `patterns`, which are relative to `base`.
    pub(super) fn of<'p>(base: &Path, patterns: impl Iterator<Item = &'p str>) -> Self {
        let globs = patterns.flat_map(beginnings).collect();
        Self { base: base.to_owned(), globs }
    }

    /// The test whether a hidden file or folder at a path is to be searched.
    pub fn matcher(&self) -> impl Fn(&Path) -> bool + Send + Sync + 'static {
        let mut set = GlobSetBuilder::new();
        self.globs.iter().filter_map(|glob| path_glob(glob).ok()).for_each(|glob| {
            set.add(glob);
        });
        let set: GlobSet = set.build().unwrap_or_default();
        let base = self.base.clone();
        move |path| {
            let absolute = std::path::absolute(path).map(|path| clean(&path));
            !set.is_empty()
                && absolute.is_ok_and(|path| set.is_match(path.strip_prefix(&base).unwrap_or(&path)))
        }
    }
}

/// The glob `text` over paths, whose case matters as it does in the names of files.
pub(super) fn path_glob(text: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(text).literal_separator(true).case_insensitive(cfg!(windows)).build()
}

/// `glob` up to its first hidden name, and up to each later one: of `.a/b/*` these are `.a`, `.a/b`
/// and `.a/b/*`.
fn beginnings(glob: &str) -> impl Iterator<Item = String> {
    let parts: Vec<_> = glob.strip_prefix("./").unwrap_or(glob).split('/').collect();
    let first = parts.iter().position(|part| part.starts_with('.')).unwrap_or(parts.len());
    let ends: Vec<_> =
        (first + 1..=parts.len()).filter_map(|end| Some(parts.get(..end)?.join("/"))).collect();
    ends.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_named_ones_are_searched() {
        let globs = [".claude/projects/**", "**/.aider.chat.history.md", "**/*.md"];
        // On Windows, with a drive.
        let base = std::path::absolute("/w").expect("a path");
        let is_searched = HiddenNames::of(&base, globs.into_iter()).matcher();
        for (path, expected) in [
            ("/w/.claude", true),
            ("/w/.claude/projects", true),
            ("/w/.claude/projects/.x/a.jsonl", true),
            ("/w/.claude/.settings", false),
            ("/w/a/.claude", false),
            ("/w/.aider.chat.history.md", true),
            ("/w/a/b/.aider.chat.history.md", true),
            ("/w/.git", false),
            ("/w/.notes.md", false),
        ] {
            assert_eq!(is_searched(Path::new(path)), expected, "{path}");
        }
        assert!(!HiddenNames::default().matcher()(Path::new("/w/.claude")));
    }
}
