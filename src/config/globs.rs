//! Globs over paths that are relative to a folder.
//!
//! `*` and `?` stop at `/` and `**` does not, as in `.gitignore` and editors. This includes
//! patterns without `/`: `README.md` is the file beside the configuration, `**/README.md` every
//! one. On Windows the case of letters does not matter. Folders are also searched for the hidden
//! files and folders that `include` names.

use std::path::{Path, PathBuf, is_separator};

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

use super::clean;
use super::layer::ConfigString;
use super::node::ConfigError;

/// A set of globs and the folder that they are relative to.
#[derive(Clone, Debug)]
pub(super) struct Globs {
    base: PathBuf,
    set: GlobSet,
    /// The globs that name a file ending.
    kinds: GlobSet,
    /// The globs of `set`, in the same order.
    patterns: Vec<ConfigString>,
    /// True if each glob matched a path.
    matched: Vec<bool>,
}

impl Globs {
    /// Compiles the valid globs of `patterns` and adds an error to `faults` for each of the others.
    pub fn new(base: &Path, patterns: &[ConfigString], faults: &mut Vec<ConfigError>) -> Self {
        let (mut builder, mut kinds) = (GlobSetBuilder::new(), GlobSetBuilder::new());
        let (mut good, mut matched) = (Vec::new(), Vec::new());
        for pattern in patterns {
            let text = relative_glob(&pattern.text, base);
            let unmatchable = why_unmatchable(text);
            if let Some(reason) = unmatchable {
                let message = format!("`{}` matches nothing: {reason}", pattern.text);
                faults.push(ConfigError::new(pattern.span.clone(), message));
            }
            match path_glob(text) {
                Ok(glob) => {
                    good.push(pattern.clone());
                    // A glob that is reported as unmatchable is not also reported as matching no
                    // file.
                    matched.push(unmatchable.is_some());
                    if names_a_kind(text) {
                        kinds.add(glob.clone());
                    }
                    builder.add(glob);
                }
                Err(error) => {
                    let message = format!("`{}` is not a glob: {}", pattern.text, error.kind());
                    faults.push(ConfigError::new(pattern.span.clone(), message));
                }
            }
        }
        let set = builder.build().unwrap_or_else(|error| {
            // Each glob is valid, but together they are too large to compile.
            let span = good.first().map_or(0..0, |glob: &ConfigString| glob.span.clone());
            faults.push(ConfigError::new(span, format!("the globs match nothing: {}", error.kind())));
            GlobSet::empty()
        });
        let kinds = kinds.build().unwrap_or_default();
        Self { base: base.to_owned(), set, kinds, patterns: good, matched }
    }

    /// True if there are no valid globs.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// True if a glob matches `path`. A path outside of the folder is matched as it is.
    pub fn matches(&self, path: &Path) -> bool {
        self.set.is_match(self.relative(path))
    }

    /// True if a glob matches `path`, or a folder that it is in.
    pub fn matches_within(&self, path: &Path) -> bool {
        let mut places = self.relative(path).ancestors().filter(|place| !place.as_os_str().is_empty());
        places.any(|place| self.set.is_match(place))
    }

    /// True if a glob matches `path` and names a file ending, as `**/*.log` does.
    pub fn names_kind_of(&self, path: &Path) -> bool {
        self.kinds.is_match(self.relative(path))
    }

    /// True if the globs have the same positions in the file and are relative to the same folder.
    pub fn is_same(&self, other: &Self) -> bool {
        let place = |glob: &ConfigString| glob.span.start;
        self.patterns.iter().map(place).eq(other.patterns.iter().map(place))
            && self.patterns.iter().zip(&other.patterns).all(|(own, other)| own.text == other.text)
            && self.base == other.base
    }

    /// The folder that the globs are relative to.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// Marks the globs that match `path`.
    pub fn mark_matched(&mut self, path: &Path) {
        if self.matched.contains(&false) {
            for index in self.set.matches(self.relative(path)) {
                if let Some(matched) = self.matched.get_mut(index) {
                    *matched = true;
                }
            }
        }
    }

    /// The hidden files and folders that the globs name.
    pub fn hidden_names(&self) -> HiddenNames {
        HiddenNames::of(&self.base, self.patterns.iter().map(|glob| glob.text.as_str()))
    }

    /// The globs, and whether each has matched a path.
    pub fn matched_globs(&self) -> impl Iterator<Item = (&ConfigString, bool)> {
        self.patterns.iter().zip(self.matched.iter().copied())
    }

    fn relative<'p>(&self, path: &'p Path) -> &'p Path {
        path.strip_prefix(&self.base).unwrap_or(path)
    }
}

/// The glob `text` without a `./` before it and a `/` after it. If `text` is a whole path in the
/// folder `base`, it becomes relative to `base`.
pub fn relative_glob<'g>(text: &'g str, base: &Path) -> &'g str {
    let base = base.to_str().map(|base| base.trim_end_matches(is_separator));
    let inside = base.and_then(|base| text.strip_prefix(base)?.strip_prefix(is_separator));
    let text = inside.or_else(|| text.strip_prefix("./")).unwrap_or(text);
    text.strip_suffix('/').unwrap_or(text)
}

/// The reason why no path can match the glob `text`; `None` if one can.
pub fn why_unmatchable(text: &str) -> Option<&'static str> {
    let has = |part: &str| text.split('/').any(|it| it == part);
    match text {
        "" => Some("it names no file; `**` is all files"),
        _ if text.starts_with('!') => Some("globs cannot be negated with `!`"),
        _ if has("..") => Some("no path has `..`; name what is outside of the folder by its whole path"),
        _ if has(".") => Some("no path has `.`; `**` is all files"),
        _ => None,
    }
}

/// True if `glob` names a file ending: there is text after its last wildcard.
fn names_a_kind(glob: &str) -> bool {
    let name = glob.rsplit('/').next().unwrap_or(glob);
    !name.is_empty() && !name.ends_with(['*', '?', ']'])
}

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
    fn of<'p>(base: &Path, patterns: impl Iterator<Item = &'p str>) -> Self {
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
fn path_glob(text: &str) -> Result<Glob, globset::Error> {
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

    #[track_caller]
    fn check(pattern: &str, path: &str, expected: bool) {
        let written = ConfigString { text: pattern.to_owned(), span: 0..0 };
        let globs = Globs::new(Path::new("/w"), &[written], &mut Vec::new());
        assert_eq!(globs.matches(Path::new(path)), expected, "{pattern} {path}");
    }

    #[test]
    fn globs_are_relative_to_their_folder() {
        check("README.md", "/w/README.md", true);
        check("README.md", "/w/a/README.md", false);
        check("./README.md", "/w/README.md", true);
        check("**/*.chat.md", "/w/a.chat.md", true);
        check("**/*.chat.md", "/w/a/b/c.chat.md", true);
        check("logs/**", "/w/logs/a/b.jsonl", true);
        check("logs/**", "/w/other/logs/b.jsonl", false);
        check("*.md", "/w/a/b.md", false);
        check("**/*.md", "/elsewhere/b.md", true);
        check("logs/**", "/elsewhere/logs/b.md", false);
        check("{a,b}/*.md", "/w/b/x.md", true);
        check("/w/logs/**", "/w/logs/b.md", true);
        check("/w", "/w/logs/b.md", false);
        check("/word/**", "/word/b.md", true);
        check("Logs/*.MD", "/w/logs/a.md", cfg!(windows));
    }

    #[test]
    fn globs_that_name_a_file_ending() {
        for (glob, expected) in [
            ("**/*.log", true),
            ("*.{log,mdx}", true),
            ("logs/run", true),
            ("logs/**", false),
            ("logs/", false),
            ("**/*", false),
            ("*.l?", false),
            ("*.[ch]", false),
        ] {
            assert_eq!(names_a_kind(glob), expected, "{glob}");
        }
    }

    #[test]
    fn invalid_glob_is_an_error_at_its_range() {
        let mut faults = Vec::new();
        let patterns = [
            ConfigString { text: "a{".to_owned(), span: 3..5 },
            ConfigString { text: "b".to_owned(), span: 6..7 },
        ];
        let globs = Globs::new(Path::new("/w"), &patterns, &mut faults);
        assert_eq!(faults.len(), 1);
        assert_eq!(faults[0].span, 3..5);
        assert!(globs.matches(Path::new("/w/b")));
    }

    #[test]
    fn globs_that_match_nothing_are_errors() {
        for (glob, expected) in [
            ("", true),
            (".", true),
            ("!x", true),
            ("../x", true),
            ("a/../b", true),
            ("a/./b", true),
            ("\\!x", false),
            ("./x", false),
            ("a/", false),
            ("..x/.y", false),
            ("/w/a", false),
        ] {
            let mut faults = Vec::new();
            let written = ConfigString { text: glob.to_owned(), span: 3..5 };
            // It stays, since a list without globs may mean all files.
            assert!(!Globs::new(Path::new("/w"), &[written], &mut faults).is_empty());
            assert_eq!(faults.iter().any(|it| it.span == (3..5)), expected, "{glob}");
        }
    }

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
