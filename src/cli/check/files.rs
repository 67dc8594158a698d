//! `check --show-files`: lists the files that would be checked, with their language.

use std::io::{self, Write};

use serde_json::json;

use super::CheckArgs;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::printable;
use crate::cli::inputs::{self, InputFile, TextHolding};
use crate::cli::output::DiagnosticFormat;
use crate::document::{Document, Language};

/// Lists the files, one per line; as JSON if `--format` is `jsonl` or `json`.
pub(super) fn run(command: &CheckArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let mut out = io::BufWriter::new(io::stdout());
    let make = |_: &str, document: Document| document.language();
    let is_json = matches!(command.format, DiagnosticFormat::Jsonl | DiagnosticFormat::Json);
    let summary = inputs::for_each(
        &command.paths,
        common,
        TextHolding::Parts,
        make,
        |InputFile { display_name: shown, .. }, language| {
            let (name, id) = match language {
                Language::Log => ("log", "stream"),
                Language::Json => ("JSON", "json"),
                Language::Markdown => ("Markdown", "markdown"),
                Language::Org => ("Org", "org"),
            };
            match is_json {
                true => writeln!(out, "{}", json!({"file": shown, "language": id})),
                false => writeln!(out, "{}: {name}", printable(shown)),
            }
        },
    )?;
    summary.finish(&mut out, ExitStatus::Clean)
}
