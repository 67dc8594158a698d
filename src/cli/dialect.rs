//! `dialect`: shows what the configured forms match in documents, for authors of forms.

use std::io::{self, Write};

use clap::{Args, Subcommand};

use super::inputs::{self, InputFile, PathArgs, TextHolding};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_warning, printable, unless_reader_left};
use crate::document::Document;
use crate::features::own_forms::{FormLineKind, form_lines};
use crate::prose::counted;

const EXAMPLES: &str = "\
Examples:
  chatls dialect test notes.md      what is read in it, and lines that only look like own forms";

/// The arguments of `dialect`.
#[derive(Args, Debug)]
pub(super) struct DialectArgs {
    #[command(subcommand)]
    action: DialectAction,
}

#[derive(Debug, Subcommand)]
enum DialectAction {
    /// Show the tool calls that are read in documents, and lines that look like own forms and are
    /// not
    Test(TestArgs),
}

#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
struct TestArgs {
    #[command(flatten)]
    paths: PathArgs,
}

/// Runs the command.
pub(super) fn run(command: &DialectArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let DialectAction::Test(command) = &command.action;
    let mut out = io::BufWriter::new(io::stdout());
    let (mut read, mut left, mut has_forms) = (0, 0, false);
    let make = |_: &str, document: Document| {
        let settings = document.settings();
        let has_own = !settings.texts.is_empty() || !settings.forms.own().is_empty();
        (form_lines(&document), has_own)
    };
    let summary = inputs::for_each(
        &command.paths,
        common,
        TextHolding::Parts,
        make,
        |InputFile { display_name: shown, .. }, (lines, has_own)| {
            has_forms |= has_own;
            for (line, kind) in lines {
                let place = format!("{}:{}", printable(shown), line + 1);
                match kind {
                    FormLineKind::Read(label) => {
                        read += 1;
                        writeln!(out, "{place}: {}", printable(&label))?;
                    }
                    FormLineKind::Left(name) => {
                        left += 1;
                        writeln!(out, "{place}: left, looks like `{}`", printable(&name))?;
                    }
                }
            }
            Ok(())
        },
    )?;
    writeln!(out, "{}, {} left", counted(read, "tool call"), counted(left, "line"))?;
    unless_reader_left(out.flush())?;
    if summary.documents > 0 && !has_forms {
        print_warning(
            "no valid `[[text]]` or `[[dialect]]` table applies here; `chatls check chatls.toml` reports \
             errors in them",
        );
    } else if summary.config_problems > 0 {
        print_warning(&format!(
            "the configuration has {}, which `chatls check chatls.toml` reports",
            counted(summary.config_problems, "problem")
        ));
    }
    Ok(summary.status(ExitStatus::Clean))
}
