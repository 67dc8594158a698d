//! Documents that are written anew: into their files, to stdout, or as a diff.

use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::Args;
use similar::{ChangeTag, TextDiff};
use tempfile::NamedTempFile;

use super::complain;
use super::inputs::File;
use super::names::{printable, printable_text};

/// The arguments that say what becomes of documents that are written anew.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Rewrite {
    /// Write nothing: say which files would change, with exit status 1 if any would
    #[arg(long)]
    check: bool,
    /// Write nothing: print what would change, with exit status 1 if anything would
    #[arg(long, conflicts_with = "check")]
    diff: bool,
}

/// What became of one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// It is as it was.
    Same,
    /// It would change, and was not written.
    Different,
    /// It was written.
    Done,
    /// It could not be written, which was said.
    Failed,
}

impl Rewrite {
    /// Writes.
    pub fn write() -> Self {
        Self { check: false, diff: false }
    }

    /// Prints what would change.
    pub fn diff() -> Self {
        Self { check: false, diff: true }
    }

    /// Gives back `after`, which was `before`: standard input to `out`, a file to its place.
    pub fn give(self, out: &mut dyn Write, file: File<'_>, before: &str, after: &str) -> io::Result<Written> {
        if self.diff {
            write!(out, "{}", diff(file.shown, before, after))?;
        } else if self.check && before != after {
            writeln!(out, "{}", printable(file.shown))?;
        }
        match (file.path, before == after) {
            (None, is_same) if !self.check && !self.diff => {
                out.write_all(after.as_bytes())?;
                Ok(if is_same { Written::Same } else { Written::Done })
            }
            (_, true) => Ok(Written::Same),
            (Some(path), false) if !self.check && !self.diff => match write_file(path, after) {
                Ok(()) => Ok(Written::Done),
                Err(error) => {
                    complain(&format!("cannot write `{}`: {error}", printable(file.shown)));
                    Ok(Written::Failed)
                }
            },
            (_, false) => Ok(Written::Different),
        }
    }
}

/// Writes `text` into the file at `path`, where that may be written. What is there is replaced by all of it, or stays: a new file
/// beside it, of the same owner and with the same permissions, takes its place. Where it has other names (hard links), or an owner that
/// cannot be kept, it is written itself.
pub(super) fn write_file(path: &Path, text: &str) -> io::Result<()> {
    // Of a link, where it leads.
    let Ok(place) = std::fs::canonicalize(path) else { return std::fs::write(path, text) };
    let known = std::fs::metadata(&place)?;
    if !known.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    // Not even a folder that may be written lets a file be that may not.
    let mut file = std::fs::OpenOptions::new().write(true).open(&place)?;
    let mut beside = NamedTempFile::new_in(place.parent().unwrap_or(Path::new(".")))?;
    if !takes_place_of(beside.as_file(), &known) {
        file.set_len(0)?;
        return file.write_all(text.as_bytes());
    }
    beside.write_all(text.as_bytes())?;
    beside.as_file().set_permissions(known.permissions())?;
    beside.persist(&place)?;
    Ok(())
}

/// Gives `new` the owner of the file that is `known`. Whether it is as good as that one then.
#[cfg(unix)]
fn takes_place_of(new: &std::fs::File, known: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is_same = |made: std::fs::Metadata| (made.uid(), made.gid()) == (known.uid(), known.gid());
    known.nlink() == 1
        && (new.metadata().is_ok_and(is_same) || fchown(new, Some(known.uid()), Some(known.gid())).is_ok())
}

#[cfg(not(unix))]
fn takes_place_of(_: &std::fs::File, _: &std::fs::Metadata) -> bool {
    true
}

const HEADER: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();

/// How `after` differs from `before`, as unified diffs have it; empty where it does not.
fn diff(name: &str, before: &str, after: &str) -> String {
    let mut drawn = String::new();
    let differences = TextDiff::from_lines(before, after);
    for hunk in differences.unified_diff().context_radius(3).iter_hunks() {
        if drawn.is_empty() {
            let name = printable(name);
            drawn = format!("{HEADER}--- {name}{HEADER:#}\n{HEADER}+++ {name}{HEADER:#}\n");
        }
        drawn.push_str(&format!("{HUNK}{}{HUNK:#}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let style = match change.tag() {
                ChangeTag::Delete => AnsiColor::Red.on_default(),
                ChangeTag::Insert => AnsiColor::Green.on_default(),
                ChangeTag::Equal => Style::new(),
            };
            let line = change.value().trim_end_matches('\n');
            let (content, end) = line.strip_suffix('\r').map_or((line, ""), |content| (content, "\r"));
            drawn.push_str(&format!("{style}{}{}{style:#}{end}\n", change.tag(), printable_text(content)));
            if change.missing_newline() {
                drawn.push_str("\\ No newline at end of file\n");
            }
        }
    }
    drawn
}
