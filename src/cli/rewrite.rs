//! Rewrites documents: in place, to stdout, or as a diff.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use anstyle::{AnsiColor, Style};
use clap::Args;
use similar::ChangeTag;

use super::inputs::InputFile;
use super::progress::stdout_beside_line;
use crate::cli::common::ExitStatus;
use crate::cli::console::{print_error, print_warning, printable, printable_text};
use crate::files::is_yaml;
use crate::text::line_diff::{diff_hunks, lines_with_ends};

mod replace;

pub(super) use replace::write_file;
use replace::{YAML_IS_READ, replace_file};

/// The arguments that select the output of rewritten documents.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct RewriteArgs {
    /// List the files that would change; exit with status 1 if any
    #[arg(long)]
    check: bool,
    /// Print a diff; exit with status 1 if anything would change
    #[arg(long, conflicts_with = "check")]
    diff: bool,
    /// Write the files in place, which is the default
    #[arg(long, short, hide = true, alias = "in-place", conflicts_with_all = ["check", "diff"])]
    write: bool,
}

/// The outcome for one document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RewriteResult {
    /// The text is unchanged.
    Unchanged,
    /// The text would change; the file was not written.
    Different,
    /// The file was written.
    Done,
    /// The file could not be written, which was reported.
    Failed,
}

impl RewriteResult {
    /// The exit status of a command that rewrites one document.
    pub fn status(self) -> ExitStatus {
        match self {
            Self::Unchanged | Self::Done => ExitStatus::Clean,
            Self::Different => ExitStatus::Found,
            Self::Failed => ExitStatus::Failed,
        }
    }
}

impl RewriteArgs {
    /// The arguments that write files.
    pub fn write() -> Self {
        Self { check: false, diff: false, write: true }
    }

    /// The arguments that print a diff.
    pub fn diff() -> Self {
        Self { check: false, diff: true, write: false }
    }

    /// The stdout for the output: a diff may be styled, a document is written byte for byte.
    pub fn stdout(self) -> Box<dyn Write> {
        match self.diff {
            true => Box::new(io::BufWriter::new(stdout_beside_line(anstream::stdout()))),
            false => Box::new(io::BufWriter::new(stdout_beside_line(io::stdout()))),
        }
    }

    /// Outputs `after`, the new text of `before`: for standard input to `out`, for a file in place.
    pub fn output_document(
        self,
        out: &mut dyn Write,
        file: InputFile<'_>,
        before: &str,
        after: &str,
    ) -> io::Result<RewriteResult> {
        let (is_same, name) = (before == after, printable(file.display_name));
        let failed = |reason: &dyn Display| {
            print_error(&format!("cannot write `{name}`: {reason}"));
            RewriteResult::Failed
        };
        let is_yaml = is_yaml(Path::new(file.display_name));
        Ok(match file.path {
            // Both texts are JSON, which is not in the file.
            _ if is_yaml && !is_same => failed(&YAML_IS_READ),
            _ if self.check || self.diff => {
                match is_same {
                    true => return Ok(RewriteResult::Unchanged),
                    false if self.diff => write!(out, "{}", diff(&name, before, after))?,
                    false => writeln!(out, "{name}")?,
                }
                RewriteResult::Different
            }
            None if is_yaml => failed(&YAML_IS_READ),
            None => {
                if self.write {
                    warn_if_session(file);
                }
                out.write_all(after.as_bytes())?;
                if is_same { RewriteResult::Unchanged } else { RewriteResult::Done }
            }
            Some(_) if is_same => RewriteResult::Unchanged,
            Some(path) => match rewrite_file(file, path, before, after) {
                Ok(()) => RewriteResult::Done,
                Err(error) => failed(&error),
            },
        })
    }
}

/// Warns that the session of an agent is not written.
pub(super) fn warn_if_session(file: InputFile<'_>) {
    if file.is_session {
        print_warning(&format!(
            "nothing was written: `{}` belongs to the agent, so the result is on standard output; give the file's name instead of the id to change it",
            printable(file.display_name)
        ));
    }
}

/// Replaces `before`, the text of `file` at `path`, by `after`; warns of side effects.
pub(super) fn rewrite_file(file: InputFile<'_>, path: &Path, before: &str, after: &str) -> io::Result<()> {
    if replace_file(path, before, after)? {
        let shown = printable(file.display_name);
        print_warning(&format!(
            "`{shown}` had other hard links: they keep the old text and are now separate files"
        ));
    }
    Ok(())
}

const HEADER: Style = Style::new().bold();
const HUNK: Style = AnsiColor::Cyan.on_default();

/// The unified diff of `before` and `after`, which differ, of the file with the printable name
/// `name`.
fn diff(name: &str, before: &str, after: &str) -> String {
    let mut drawn = format!("{HEADER}--- {name}{HEADER:#}\n{HEADER}+++ {name}{HEADER:#}\n");
    for hunk in diff_hunks(&lines_with_ends(before), &lines_with_ends(after), 3) {
        drawn.push_str(&format!("{HUNK}{}{HUNK:#}\n", hunk.header()));
        for (change, whole) in &hunk.lines {
            let style = match change {
                ChangeTag::Delete => AnsiColor::Red.on_default(),
                ChangeTag::Insert => AnsiColor::Green.on_default(),
                ChangeTag::Equal => Style::new(),
            };
            let line = whole.trim_end_matches('\n');
            let (content, end) = line.strip_suffix('\r').map_or((line, ""), |content| (content, "\r"));
            drawn.push_str(&format!("{style}{change}{}{style:#}{end}\n", printable_text(content)));
            if !whole.ends_with(['\n', '\r']) {
                drawn.push_str("\\ No newline at end of file\n");
            }
        }
    }
    drawn
}
