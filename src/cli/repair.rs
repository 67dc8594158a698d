//! `repair`: changes message logs so that servers accept them again.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::inputs::{self, InputFile, PathArgs};
use super::rewrite::{RewriteArgs, RewriteResult};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, print_to_stderr, printable, printable_path, unless_reader_left};
use crate::features::repair::{Repair, RepairStep, changes, repair};

const EXAMPLES: &str = "\
Examples:
  chatls repair session.jsonl           show the changes as a diff
  chatls repair --write session.jsonl   make them; the old text is kept in session.jsonl.bak
  chatls repair - <session.jsonl        from standard input: the diff

Repairs what servers reject: calls without results, results without calls, second results, ids that
are used again, results that do not stand after their calls, empty messages, unknown roles, names of
tools with other characters, and lines that are not one record: cut off, or written over several.

Exit status: 0 nothing to repair or all repaired, 1 changes are shown, 2 error or problems remain.";

/// The arguments of `repair`.
#[derive(Args, Debug)]
// Records have no files to rewrite.
#[command(after_help = EXAMPLES, mut_arg("records", |argument| argument.hide(true)))]
pub(super) struct RepairArgs {
    #[command(flatten)]
    paths: PathArgs,
    /// Write the repaired text; the old one is kept beside it, as FILE.bak
    #[arg(long, short, aliases = ["in-place", "fix"])]
    write: bool,
}

/// Runs `repair`.
pub(super) fn run(command: &RepairArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let rewrite = if command.write { RewriteArgs::write() } else { RewriteArgs::diff() };
    let mut out = rewrite.stdout();
    let mut status = ExitStatus::Clean;
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        let repaired = repair(&document);
        let before = document.text().to_string();
        let after = repaired.document.text().to_string();
        let copy = match file.path.filter(|_| command.write && before != after) {
            Some(path) => match keep_copy(file, path, &before) {
                Some(copy) => Some(copy),
                None => {
                    status = ExitStatus::Failed;
                    return Ok(());
                }
            },
            None => None,
        };
        let result = rewrite.output_document(&mut out, file, &before, &after)?;
        if let Some(copy) = copy {
            match result {
                // The file still has the old text.
                RewriteResult::Failed => _ = std::fs::remove_file(copy),
                _ => print_to_stderr(&format!("the old text is kept in `{}`", printable_path(&copy))),
            }
        }
        status = status.max(result.status());
        unless_reader_left(out.flush())?;
        if result == RewriteResult::Failed {
            return Ok(());
        }
        let is_written = command.write && !file.is_session;
        report(file, &repaired, is_written);
        if !repaired.left.is_empty() {
            status = ExitStatus::Failed;
        }
        Ok(())
    })?;
    summary.finish(&mut out, status)
}

/// Prints the steps of a repair to stderr.
fn report(file: InputFile<'_>, repaired: &Repair, is_written: bool) {
    let name = printable(file.display_name);
    let line = |step: &RepairStep| {
        let code = step.code.map(|code| format!(" [{}]", code.name())).unwrap_or_default();
        format!("{name}:{}: {}{code}", step.line, step.title)
    };
    for step in &repaired.steps {
        print_to_stderr(&line(step));
    }
    for step in &repaired.left {
        print_error(&line(step));
    }
    print_to_stderr(&match (repaired.steps.len(), is_written) {
        (0, _) if repaired.left.is_empty() => format!("{name}: nothing to repair"),
        (0, _) => format!("{name}: nothing was changed"),
        (count, true) => format!("{name}: {} made", changes(count)),
        (count, false) if file.is_session => format!("{name}: {} to make", changes(count)),
        (count, false) => format!("{name}: {} to make; `--write` makes them", changes(count)),
    });
}

/// Writes a copy of a file's text beside `path`. `None` if that fails, which is reported.
fn keep_copy(file: InputFile<'_>, path: &Path, text: &str) -> Option<PathBuf> {
    let report = |error: &io::Error| {
        let name = printable(file.display_name);
        print_error(&format!("cannot keep a copy of `{name}`, which was not changed: {error}"));
    };
    copy_beside(path, text).inspect_err(report).ok()
}

/// Writes `text` to the first free name of `PATH.bak`, `PATH.bak.1`, ….
fn copy_beside(path: &Path, text: &str) -> io::Result<PathBuf> {
    for number in 0.. {
        let mut name = path.as_os_str().to_owned();
        name.push(".bak");
        if number > 0 {
            name.push(format!(".{number}"));
        }
        let copy = PathBuf::from(name);
        let mut file = match private_options().open(&copy) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        return write_copy(&mut file, path, text).map(|()| copy.clone()).inspect_err(|_| {
            // Removes an incomplete copy.
            _ = std::fs::remove_file(&copy);
        });
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Options that create a file that only its owner can read: sessions are private.
fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes `text`, and gives `copy` the permissions of the file at `path`.
fn write_copy(copy: &mut File, path: &Path, text: &str) -> io::Result<()> {
    copy.write_all(text.as_bytes())?;
    copy.set_permissions(std::fs::metadata(path)?.permissions())?;
    copy.sync_data()
}
