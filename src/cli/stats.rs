//! `stats`: statistics of tool uses: counts per tool, results, sizes and failures.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::escape::Escaping;
use super::inputs::{self, PathArgs, TextHolding};
use crate::checks::SummarizedNeed;
use crate::cli::common::{CommonArgs, ExitStatus};
use crate::cli::console::{terminal_width, unless_reader_left};
use crate::cli::use_filter::UseFilterArgs;
use crate::document::Document;
use crate::features::statistics::counts::StatsCounts;
use crate::features::statistics::groups::GroupBy;
use crate::features::statistics::json;
use crate::features::statistics::report::{Sort, StatsReport};

mod svg;
mod table;
mod words;

const EXAMPLES: &str = "\
Sizes are bytes of UTF-8: the text of strings, compact JSON for other values. p95 is what 95 of 100 do not exceed.
Median and p95 are exact up to 2047, and accurate to a thousandth beyond.

Examples:
  chatls stats                                 all transcripts below the current folder
  chatls stats --sort failure-rate --top 5 logs/
  chatls stats --by model ~/.claude/projects   turns, calls and sizes of each model
  chatls stats --format svg logs/ >stats.svg   a picture, for light and dark pages
  chatls stats --format json logs/ | jq '.tools[] | select(.failed > 0).toolName'
  chatls calls --state output-error --tool run logs/   the failed calls themselves";

/// Default number of groups and failures shown to people.
const TOP: usize = 20;
/// Line width if the output is not a terminal.
const WIDTH: usize = 100;

/// The arguments of `stats`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct StatsArgs {
    #[command(flatten)]
    paths: PathArgs,
    #[command(flatten)]
    filter: UseFilterArgs,
    /// Groups to count. Turns and roles come from messages, models from message logs
    #[arg(long, value_name = "GROUP", default_value = "tool")]
    by: GroupBy,
    /// Sort key, descending
    #[arg(long, default_value = "calls")]
    sort: Sort,
    /// Maximum number of groups and failures; the rest is summed up. 0 shows all. Default: 20, all
    /// for json
    #[arg(long, value_name = "N")]
    top: Option<usize>,
    /// Output format
    #[arg(long, default_value = "table")]
    format: StatsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StatsFormat {
    /// For people
    Table,
    /// For programs: one JSON object
    Json,
    /// A chart
    Svg,
}

impl StatsArgs {
    fn top(&self) -> usize {
        match (self.top, self.format) {
            (Some(0), _) | (None, StatsFormat::Json) => usize::MAX,
            (Some(top), _) => top,
            (None, StatsFormat::Table | StatsFormat::Svg) => TOP,
        }
    }
}

/// Runs `stats`.
pub(super) fn run(command: &StatsArgs, common: &CommonArgs) -> io::Result<ExitStatus> {
    let mut counts = StatsCounts { by: command.by, ..StatsCounts::default() };
    let make = |_: &str, document: Document| {
        StatsCounts::of(&document, &|found| command.filter.matches(found), command.by)
    };
    let need = if command.by.needs_turns() { SummarizedNeed::UsesAndMessages } else { SummarizedNeed::Uses };
    let summary = inputs::for_each(
        &command.paths,
        common,
        TextHolding::Summarized(need),
        make,
        |file, of_document| {
            counts.merge(of_document, file.display_name);
            Ok(())
        },
    )?;
    // If nothing could be read, there are no statistics to print.
    if summary.documents > 0 || !summary.failed {
        unless_reader_left(write(&StatsReport::of(&counts, command.sort, command.top()), command.format))?;
    }
    Ok(summary.status(ExitStatus::Clean))
}

fn write(report: &StatsReport<'_>, format: StatsFormat) -> io::Result<()> {
    let mut out: Box<dyn Write> = match format {
        StatsFormat::Table => Box::new(io::BufWriter::new(anstream::stdout())),
        StatsFormat::Json => Box::new(Escaping::json(io::BufWriter::new(io::stdout()))),
        StatsFormat::Svg => Box::new(io::BufWriter::new(io::stdout())),
    };
    match format {
        StatsFormat::Table => table::write(report, terminal_width().unwrap_or(WIDTH), &mut out)?,
        StatsFormat::Json => writeln!(out, "{}", json::object(report))?,
        StatsFormat::Svg => svg::write(report, &mut out)?,
    }
    out.flush()
}
