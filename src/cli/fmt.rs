//! `fmt`: formats the payloads of transcripts with the settings of `[format]`, like formatting in
//! an editor.

use std::io;

use clap::Args;

use super::inputs::{self, PathArgs};
use super::rewrite::RewriteArgs;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::features::formatting::format;

const EXAMPLES: &str = "\
Examples:
  chatls fmt                       every transcript below the current folder, in its place
  chatls fmt --check logs/         say which files would change, with exit status 1
  chatls fmt - <chat.md            from standard input to standard output";

/// The arguments of `fmt`.
#[derive(Args, Debug)]
// Records have no files to rewrite.
#[command(after_help = EXAMPLES, mut_arg("records", |argument| argument.hide(true)))]
pub(super) struct FmtArgs {
    #[command(flatten)]
    paths: PathArgs,
    #[command(flatten)]
    rewrite: RewriteArgs,
}

/// Runs `fmt`.
pub(super) fn run(command: &FmtArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let mut out = command.rewrite.stdout();
    let mut status = ExitStatus::Clean;
    let summary = inputs::for_each_to_rewrite(&command.paths, common, |file, document| {
        let before = document.text().to_string();
        let edits = format(&document, &(0..before.len()), &|| true);
        let after = document.edited(&edits).text().to_string();
        let result = command.rewrite.output_document(&mut out, file, &before, &after)?;
        status = status.max(result.status());
        Ok(())
    })?;
    summary.finish(&mut out, status)
}
