//! `calls`: every tool use of documents as a record: a line of JSON, or a row.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};

use super::escape::Escaping;
use super::inputs::{self, Paths, Stdin};
use super::progress::beside;
use super::wanted::Wanted;
use super::{Common, Status, complain, unless_reader_left};
use crate::document::Document;

mod flow;
mod line;
mod parquet;
mod writer;

use line::for_each_line;
use parquet::Parquet;
use writer::{Csv, JsonLines, Writer};

const EXAMPLES: &str = "\
Examples:
  chatls calls chat.md | jq -r .toolName | sort | uniq -c
  chatls calls logs/ | jq 'select(.errorText)'
  chatls calls --tool read_file --state output-error --format csv logs/ >failures.csv
  chatls calls --format parquet logs/ >calls.parquet
  tail -f run.jsonl | chatls calls -          each tool use of a log when its result is there
  chatls calls logs/ >calls.jsonl && duckdb -c \"select toolName, count(*) from 'calls.jsonl' group by all\"";

/// The arguments of `calls`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Calls {
    #[command(flatten)]
    paths: Paths,
    #[command(flatten)]
    wanted: Wanted,
    /// How to write them
    #[arg(long, default_value = "jsonl")]
    format: Format,
    /// Write cells of CSV as they are: with control characters, and with what spreadsheets run as formulas
    #[arg(long)]
    csv_raw: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A JSON object a line
    Jsonl,
    /// Comma-separated values with a header; inputs and outputs are JSON
    Csv,
    /// Apache Parquet, compressed; inputs and outputs are JSON
    Parquet,
}

/// Prints the tool uses of all that is named.
pub(super) fn run(command: &Calls, common: &Common) -> io::Result<Status> {
    if command.format == Format::Parquet && io::stdout().is_terminal() {
        complain(
            "Parquet is not for terminals: write it to a file, as in `chatls calls --format parquet >calls.parquet`",
        );
        return Ok(Status::Failed);
    }
    let out = io::BufWriter::new(beside(io::stdout()));
    match command.format {
        Format::Jsonl => write(command, common, JsonLines(Escaping::json(out))),
        Format::Csv => write(command, common, Csv::new(out)?),
        Format::Parquet => write(command, common, Parquet::new(out)?),
    }
}

fn write<W: Writer>(command: &Calls, common: &Common, mut out: W) -> io::Result<Status> {
    if let Some(stdin) = Stdin::alone(&command.paths, common)? {
        return flow::run(stdin, command, out);
    }
    let make = |file: &str, document: Document| {
        W::rows(command, |visit| for_each_line(file, &document, &command.wanted, visit))
    };
    let summary = inputs::for_each(&command.paths, common, make, |_, rows| out.write(rows))?;
    unless_reader_left(out.finish())?;
    Ok(if summary.failed { Status::Failed } else { Status::Clean })
}
