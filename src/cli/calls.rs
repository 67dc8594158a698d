//! `calls`: lists every tool use of documents as a line of JSON or a table row.

use std::io::{self, IsTerminal};

use clap::{Args, ValueEnum};

use super::console::printable;
use super::escape::Escaping;
use super::inputs::{self, PathArgs, StdinInput, TextHolding};
use super::progress::stdout_beside_line;
use crate::checks::SummarizedNeed;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{print_error, refused, unless_reader_left};
use crate::cli::use_filter::UseFilterArgs;
use crate::document::Document;
use crate::features::call_records::for_each_record;

mod columns;
mod flow;
mod parquet;
mod writer;

use parquet::Parquet;
use writer::{CallsJsonLines, Csv, RecordWriter};

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
pub(super) struct CallsArgs {
    #[command(flatten)]
    paths: PathArgs,
    #[command(flatten)]
    filter: UseFilterArgs,
    /// Output format
    #[arg(long, default_value = "jsonl")]
    format: CallsFormat,
    /// Do not escape control characters and formulas in CSV cells
    #[arg(long)]
    csv_raw: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CallsFormat {
    /// JSON Lines
    Jsonl,
    /// Comma-separated values with a header; inputs and outputs are JSON
    Csv,
    /// Apache Parquet, compressed; inputs and outputs are JSON
    Parquet,
}

/// Runs `calls`.
pub(super) fn run(command: &CallsArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    if command.format == CallsFormat::Parquet && io::stdout().is_terminal() {
        return refused(
            "Parquet is a binary format: write it to a file, as in `chatls calls --format parquet >calls.parquet`",
        );
    }
    if command.csv_raw && command.format != CallsFormat::Csv {
        return refused("`--csv-raw` would do nothing without `--format csv`");
    }
    let out = io::BufWriter::new(stdout_beside_line(io::stdout()));
    match command.format {
        CallsFormat::Jsonl => {
            // Records are written in small pieces; escaping costs less in large ones.
            write(command, common, CallsJsonLines(io::BufWriter::new(Escaping::json(out))))
        }
        CallsFormat::Csv => write(command, common, Csv::new(out)?),
        CallsFormat::Parquet => write(command, common, Parquet::new(out)?),
    }
}

fn write<W: RecordWriter>(command: &CallsArgs, common: &CommonArgs, mut out: W) -> io::Result<ExitStatus> {
    if let Some(stdin) = StdinInput::alone(&command.paths, common)? {
        return flow::run(stdin, command, out);
    }
    let make = |file: &str, document: Document| match document.text().is_in_source() {
        true => CallsOutput::Document(document),
        false => CallsOutput::Rows(rows_of::<W>(command, file, &document)),
    };
    let mut is_intact = true;
    let summary = inputs::for_each(
        &command.paths,
        common,
        TextHolding::Summarized(SummarizedNeed::UsesAndMessages),
        make,
        |file, made| match made {
            CallsOutput::Rows(rows) => out.write(rows),
            CallsOutput::Document(document) => {
                write_in_parts(command, file.display_name, &document, &mut out)?;
                if !document.text().is_intact() {
                    is_intact = false;
                    print_error(&format!("`{}` was changed while it was read", printable(file.display_name)));
                }
                Ok(())
            }
        },
    )?;
    unless_reader_left(out.finish())?;
    Ok(if summary.failed || !is_intact { ExitStatus::Failed } else { ExitStatus::Clean })
}

/// The output of a document.
enum CallsOutput<R> {
    /// The formatted records.
    Rows(R),
    /// A document that is too long to hold all of its records: they are formatted when the output
    /// of the preceding documents is written.
    Document(Document),
}

/// Formats all records of `document`.
fn rows_of<W: RecordWriter>(command: &CallsArgs, file: &str, document: &Document) -> W::Rows {
    W::rows(command, |visit| {
        for_each_record(file, document, &|found| command.filter.matches(found), &mut |record| visit(record))
    })
}

/// Writes the records of `document`, one after the other.
fn write_in_parts<W: RecordWriter>(
    command: &CallsArgs,
    file: &str,
    document: &Document,
    out: &mut W,
) -> io::Result<()> {
    let mut written = Ok(());
    for_each_record(file, document, &|found| command.filter.matches(found), &mut |record| {
        if written.is_ok() {
            written = out.write_record(command, record);
        }
    });
    written
}
