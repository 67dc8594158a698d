//! `diff`: compares two transcripts by their tool uses.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::escape::Escaping;
use super::inputs::{self, PathArgs, TextHolding};
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, printable_path, refused, unless_reader_left};
use crate::document::Document;
use crate::features::compare::compare;

mod human;
mod json;

const EXAMPLES: &str = "\
Examples:
  chatls diff before.chat.md after.chat.md
  chatls diff run-1.jsonl run-2.jsonl --format json | jq '.pairs[].differences'
  some-agent | chatls diff expected.jsonl -

Exit status: 0 no tool use differs, 1 some do, 2 a transcript could not be read.";

/// The arguments of `diff`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArgs {
    /// First transcript; `-` is stdin
    left: PathBuf,
    /// Second transcript. Its tool uses are paired with tool uses of the first by id, else by
    /// position among the calls of the same tool
    right: PathBuf,
    /// Output format
    #[arg(long, default_value = "human")]
    format: DiffFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For people: each tool use that differs, with the paths of the differences
    Human,
    /// For programs: one JSON object with all pairs
    Json,
}

/// One of the two transcripts.
struct DiffSide {
    /// The display name.
    shown: String,
    document: Document,
}

impl DiffSide {
    /// The line of the byte `offset`, from 1.
    fn line(&self, offset: usize) -> usize {
        self.document.text().line_of_byte(offset) + 1
    }
}

/// Runs `diff`.
pub(super) fn run(command: &DiffArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let is_stdin = |path: &Path| path.as_os_str() == "-";
    if is_stdin(&command.left) && is_stdin(&command.right) {
        return refused("standard input can be one of the two transcripts, not both");
    }
    let (left, right) = (read(&command.left, common)?, read(&command.right, common)?);
    let (Some(left), Some(right)) = (left, right) else { return Ok(ExitStatus::Failed) };
    let comparison = compare(&left.document, &right.document);
    let mut out = io::BufWriter::new(anstream::stdout());
    let written = match command.format {
        DiffFormat::Human => human::write(&mut out, &left, &right, &comparison),
        DiffFormat::Json => json::write(&mut Escaping::json(&mut out), &left, &right, &comparison),
    };
    unless_reader_left(written.and_then(|()| out.flush()))?;
    Ok(if comparison.is_same() { ExitStatus::Clean } else { ExitStatus::Found })
}

/// Reads the transcript at `path`. `None` if that fails, which is reported.
fn read(path: &Path, common: &CommonArgs) -> io::Result<Option<DiffSide>> {
    if path.is_dir() {
        print_error(&format!("`{}` is a folder: specify two transcripts", printable_path(path)));
        return Ok(None);
    }
    let mut found = None;
    let make = |_: &str, document| document;
    let summary = inputs::for_each(
        &PathArgs::of_file(path.to_owned()),
        common,
        TextHolding::Parts,
        make,
        |file, document| {
            found = Some(DiffSide { shown: file.display_name.to_owned(), document });
            Ok(())
        },
    )?;
    Ok(found.filter(|_| !summary.failed))
}
