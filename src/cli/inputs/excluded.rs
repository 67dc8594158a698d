//! `--exclude`: globs of files in folders that are not read.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use crate::config::{clean, relative_glob, why_unmatchable};

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
        for glob in globs {
            // Each was compiled when the arguments were parsed; only the set may be too large.
            let relative = compiled(relative_glob(glob.glob(), base));
            set.add(relative.unwrap_or_else(|_| glob.clone()));
        }
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
    // Globs are relative to a folder that is known later.
    let pattern = relative_glob(text, Path::new("."));
    match why_unmatchable(pattern) {
        Some(reason) => Err(format!("it matches nothing: {reason}")),
        None => compiled(pattern).map_err(|error| format!("it is not a glob: {}", error.kind())),
    }
}

fn compiled(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
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
        check("/w/old", "/w/old/b.md", true);
        for all in ["", "./", "/", "."] {
            assert!(glob(all).unwrap_err().ends_with("`**` is all files"), "{all}");
        }
        assert!(glob("!a").unwrap_err().starts_with("it matches nothing: "));
        assert!(glob("a{").unwrap_err().starts_with("it is not a glob: "));
    }
}
