//! `--exclude`: globs of files in folders that are not read.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::config::{clean, why_unmatchable};

/// The globs of `--exclude` and the folder that they are relative to.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Excluded {
    base: PathBuf,
    set: GlobSet,
}

impl Excluded {
    /// Compiles `globs`, relative to `base`.
    pub fn new(base: &Path, globs: &[Glob]) -> Self {
        let mut set = GlobSetBuilder::new();
        globs.iter().cloned().for_each(|glob| _ = set.add(glob));
        // Each glob was compiled when the arguments were parsed; only a size limit of the set can
        // fail here.
        Self { base: base.to_owned(), set: set.build().unwrap_or_default() }
    }

    /// True if the absolute path `path`, or a folder above it, is excluded.
    pub fn has(&self, path: &Path) -> bool {
        if self.set.is_empty() {
            return false;
        }
        let path = clean(path);
        let path = path.strip_prefix(&self.base).unwrap_or(&path);
        path.ancestors().any(|path| self.set.is_match(path))
    }
}

/// Parses a glob with the syntax of `exclude` in a configuration; the error is the reason why it is
/// invalid.
pub(super) fn glob(text: &str) -> Result<Glob, String> {
    let pattern = text.strip_prefix("./").unwrap_or(text);
    let pattern = pattern.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(pattern);
    // `./` is the folder itself.
    if !pattern.is_empty()
        && let Some(reason) = why_unmatchable(pattern)
    {
        return Err(format!("it matches nothing: {reason}"));
    }
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map_err(|error| format!("it is not a glob: {}", error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_excluded_with_their_content() {
        let check = |pattern: &str, path: &str, expected| {
            let excluded = Excluded::new(Path::new("/w"), &[glob(pattern).unwrap()]);
            assert_eq!(excluded.has(Path::new(path)), expected, "{pattern} {path}");
        };
        check("old", "/w/old/a/b.md", true);
        check("./old/", "/w/old/b.md", true);
        check("old", "/w/new/old/b.md", false);
        check("**/old", "/w/new/old/b.md", true);
        check("*.md", "/w/a.md", true);
        check("*.md", "/w/a/b.md", false);
        check("**/*.md", "/w/a/b.md", true);
        check("/else/**", "/else/b.md", true);
        assert!(glob("!a").unwrap_err().starts_with("it matches nothing: "));
        assert!(glob("a{").unwrap_err().starts_with("it is not a glob: "));
    }
}
