//! Ignored files: by `.gitignore`, `.ignore`, `.git/info/exclude` and Git's global file, in the
//! folder and above it.
//!
//! The rules are the same as in the `ignore` crate. That crate would open any file with such a
//! name; here a pipe, a device or a file of gigabytes is reported instead of read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};
use ignore::{DirEntry, Match, WalkBuilder};

use super::regular::read_regular;
use crate::never::lock;

/// Maximum size of a file of rules, in bytes: its memory use may be two thousand times as large.
const SIZE_LIMIT: u64 = 256 << 10;
/// Maximum total size of the files of rules that apply to one folder, in bytes.
const TOTAL_LIMIT: u64 = 1 << 20;

/// Files of rules that were not read, each with the reason, as they are encountered.
#[derive(Clone, Debug, Default)]
pub struct UnreadRules(Arc<Mutex<Vec<(PathBuf, String)>>>);

impl UnreadRules {
    /// Returns and removes the collected files.
    pub fn take(&self) -> Vec<(PathBuf, String)> {
        std::mem::take(&mut lock(&self.0))
    }
}

/// Walks `folder` by all rules that apply there; also skips entries that `wants` rejects, and
/// hidden ones unless `shows` accepts their paths.
pub fn walker(
    folder: &Path,
    wants: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
    shows: impl Fn(&Path) -> bool + Send + Sync + 'static,
) -> (WalkBuilder, UnreadRules) {
    let unread = UnreadRules::default();
    let rules = Mutex::new(IgnoreStack::of(folder, unread.clone()));
    let mut walk = WalkBuilder::new(folder);
    walk.standard_filters(false).sort_by_file_path(Path::cmp);
    walk.filter_entry(move |entry| wants(entry) && !lock(&rules).is_ignored(entry, &shows));
    (walk, unread)
}

/// The rules that apply to the current folder of a walk.
struct IgnoreStack {
    /// The folder as given, and its canonical path.
    folder: PathBuf,
    base: PathBuf,
    /// The rules of each folder from the file system's root to the current one.
    levels: Vec<IgnoreLevel>,
    global: IgnoreRules,
    unread: UnreadRules,
}

/// The rules of one file, and its size in bytes.
struct IgnoreRules {
    matcher: Gitignore,
    size: u64,
}

/// The rules in one folder.
struct IgnoreLevel {
    folder: PathBuf,
    ignore: IgnoreRules,
    git: IgnoreRules,
    exclude: IgnoreRules,
}

impl IgnoreStack {
    fn of(folder: &Path, unread: UnreadRules) -> Self {
        let base = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let global = global(&unread);
        let mut ignored =
            Self { folder: folder.to_owned(), base: base.clone(), levels: Vec::new(), global, unread };
        let mut above: Vec<_> = base.ancestors().skip(1).collect();
        above.reverse();
        above.into_iter().for_each(|folder| ignored.enter(folder));
        ignored
    }

    /// True if `entry`, the next one of the walk, is ignored.
    fn is_ignored(&mut self, entry: &DirEntry, shows: &dyn Fn(&Path) -> bool) -> bool {
        let path = self.base.join(entry.path().strip_prefix(&self.folder).unwrap_or(entry.path()));
        let Some(folder) = path.parent() else { return false };
        while self.levels.last().is_some_and(|level| !folder.starts_with(&level.folder)) {
            self.levels.pop();
        }
        if self.levels.last().is_none_or(|level| level.folder != folder) {
            self.enter(folder);
        }
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        match self.matched(&path, is_folder) {
            Match::Ignore(()) => true,
            Match::Whitelist(()) => false,
            Match::None => is_hidden(entry) && !shows(entry.path()),
        }
    }

    /// The nearest rule of each kind counts; kinds have a fixed order of precedence.
    fn matched(&self, path: &Path, is_folder: bool) -> Match<()> {
        let nearest = |rules: fn(&IgnoreLevel) -> &IgnoreRules| {
            let levels = self.levels.iter().rev();
            let matched = levels.map(|level| rules(level).matcher.matched(path, is_folder));
            matched.map(|it| it.map(|_| ())).find(|it| !it.is_none()).unwrap_or(Match::None)
        };
        nearest(|level| &level.ignore)
            .or(nearest(|level| &level.git))
            .or(nearest(|level| &level.exclude))
            .or(self.global.matcher.matched(path, is_folder).map(|_| ()))
    }

    fn enter(&mut self, folder: &Path) {
        let of_level = |level: &IgnoreLevel| level.ignore.size + level.git.size + level.exclude.size;
        let above = self.global.size + self.levels.iter().map(of_level).sum::<u64>();
        let mut left = TOTAL_LIMIT.saturating_sub(above);
        let mut rules = |file: PathBuf| {
            let rules = rules(folder, &file, left, &self.unread);
            left -= rules.size;
            rules
        };
        let level = IgnoreLevel {
            folder: folder.to_owned(),
            ignore: rules(folder.join(".ignore")),
            git: rules(folder.join(".gitignore")),
            exclude: repository(folder).map_or_else(IgnoreRules::none, |it| rules(it.join("info/exclude"))),
        };
        self.levels.push(level);
    }
}

impl IgnoreRules {
    fn none() -> Self {
        Self { matcher: Gitignore::empty(), size: 0 }
    }
}

/// The folder of the Git repository with the work tree `folder`; for a linked work tree, the folder
/// of the main repository.
fn repository(folder: &Path) -> Option<PathBuf> {
    let git = folder.join(".git");
    let kind = std::fs::metadata(&git).ok()?.file_type();
    if kind.is_dir() {
        return Some(git);
    }
    // Git's documentation, gitrepository-layout: `gitdir: PATH` in the file, and the common
    // folder's path in `commondir` there.
    let line = |path: &Path| {
        let text = String::from_utf8(read_regular(path, SIZE_LIMIT).ok()?).ok()?;
        Some(text.lines().next()?.to_owned())
    };
    let own = folder.join(line(&git)?.strip_prefix("gitdir: ")?);
    line(&own.join("commondir")).map(|common| own.join(common))
}

/// Git's global file of rules, which are relative to the working folder of the program.
fn global(unread: &UnreadRules) -> IgnoreRules {
    match (gitconfig_excludes_path(), std::env::current_dir()) {
        (Some(path), Ok(here)) => rules(&here, &path, TOTAL_LIMIT, unread),
        _ => IgnoreRules::none(),
    }
}

/// The rules in `file`, relative to `folder`; empty if the file does not exist or has more than
/// `left` bytes.
fn rules(folder: &Path, file: &Path, left: u64, unread: &UnreadRules) -> IgnoreRules {
    let content = match read_regular(file, SIZE_LIMIT.min(left)) {
        Ok(content) => content,
        Err(error) => {
            // A missing file, or one without read permission, has no rules and is not reported.
            if matches!(error.kind(), io::ErrorKind::Other | io::ErrorKind::FileTooLarge) {
                lock(&unread.0).push((file.to_owned(), error.to_string()));
            }
            return IgnoreRules::none();
        }
    };
    let size = content.len() as u64;
    let content = content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&content);
    let mut builder = GitignoreBuilder::new(folder);
    // As Git does by default (`core.ignoreCase`).
    _ = builder.case_insensitive(cfg!(windows));
    for line in content.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        // An invalid rule does not affect the others.
        _ = std::str::from_utf8(line).map(|line| builder.add_line(None, line).map(|_| ()));
    }
    IgnoreRules { matcher: builder.build().unwrap_or_else(|_| Gitignore::empty()), size }
}

#[cfg(not(windows))]
fn is_hidden(entry: &DirEntry) -> bool {
    entry.file_name().as_encoded_bytes().starts_with(b".")
}

#[cfg(windows)]
fn is_hidden(entry: &DirEntry) -> bool {
    use std::os::windows::fs::MetadataExt;
    const HIDDEN: u32 = 2;
    let has_attribute = |found: std::fs::Metadata| found.file_attributes() & HIDDEN != 0;
    entry.file_name().as_encoded_bytes().starts_with(b".") || entry.metadata().is_ok_and(has_attribute)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths that a walk through `walk` finds by its own rules.
    fn paths_of(mut walk: WalkBuilder, folder: &Path) -> Vec<String> {
        let paths = walk.sort_by_file_path(Path::cmp).build().filter_map(Result::ok);
        paths
            .map(|it| it.path().strip_prefix(folder).expect("a relative path").to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn rules_are_those_of_the_ignore_crate() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let root = folder.path().join("above");
        for (file, text) in [
            (".gitignore", "/walked/by-parent.md\n*.log\n"),
            ("walked/.gitignore", "\u{feff}*.tmp\r\n!kept.log\nout/\n/anchored.md\n# c\n[\n\\#odd\n!.seen\n"),
            ("walked/.ignore", "!anchored.md\nignored.md\nBy-Case.md\n"),
            ("walked/.git/info/exclude", "excluded.md\n"),
            ("walked/sub/.gitignore", "!a.tmp\ninner/*.md\n"),
            ("main/.git/worktrees/x/commondir", "../..\n"),
            ("main/.git/info/exclude", "of-main.md\n"),
        ] {
            write(&root.join(file), text);
        }
        // Git writes an absolute path.
        let main = root.join("main/.git/worktrees/x");
        write(&root.join("walked/linked/.git"), &format!("gitdir: {}\n", main.display()));
        let names = [
            "a.md",
            "a.tmp",
            "a.log",
            "kept.log",
            "by-parent.md",
            "anchored.md",
            "ignored.md",
            "by-case.md",
            "excluded.md",
        ];
        let folders = ["", "sub/", "sub/inner/", "out/", "linked/", ".hidden/", ".seen/", "sub/deep/er/"];
        for folder in folders {
            names.iter().for_each(|name| write(&root.join("walked").join(folder).join(name), ""));
        }
        write(&root.join("walked/linked/of-main.md"), "");
        write(&root.join("walked/#odd"), "");
        for walked in ["walked", "walked/sub", "walked/out", "walked/linked", "walked/.hidden", ""] {
            let walked = root.join(walked);
            let mut theirs = WalkBuilder::new(&walked);
            theirs.require_git(false).ignore_case_insensitive(cfg!(windows));
            let (ours, unread) = walker(&walked, |_| true, |_| false);
            let ours = paths_of(ours, &walked);
            assert_eq!(ours, paths_of(theirs, &walked), "{}", walked.display());
            assert!(ours.len() > 3 && unread.take().is_empty(), "{ours:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn irregular_files_have_no_rules() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        write(&at("a.md"), "");
        let made = std::process::Command::new("mkfifo").arg(at(".gitignore")).status().expect("mkfifo");
        assert!(made.success());
        std::os::unix::fs::symlink("/dev/zero", at(".ignore")).expect("a link");
        std::fs::create_dir_all(at(".git/info")).expect("a folder");
        let large = std::fs::File::create(at(".git/info/exclude")).expect("a file");
        large.set_len(SIZE_LIMIT + 1).expect("a sparse file");
        let (walk, unread) = walker(folder.path(), |_| true, |_| false);
        assert_eq!(paths_of(walk, folder.path()), ["", "a.md"]);
        let reasons: Vec<_> = unread.take().into_iter().map(|(_, reason)| reason).collect();
        assert_eq!(
            reasons,
            [
                "it is a device, not a regular file",
                "it is a pipe, not a regular file",
                "it is larger than 256 KiB"
            ]
        );
    }

    #[test]
    fn total_size_of_rules_is_bounded() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let rules = "# abcd\n".repeat(SIZE_LIMIT as usize / 7);
        let mut deepest = folder.path().to_owned();
        for _ in 0..6 {
            deepest.push("in");
            write(&deepest.join(".gitignore"), &rules);
        }
        write(&deepest.join("a.md"), "");
        let (walk, unread) = walker(folder.path(), |_| true, |_| false);
        assert!(paths_of(walk, folder.path()).iter().any(|path| path.ends_with("a.md")));
        assert_eq!(unread.take().len(), 2);
    }

    fn write(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}
