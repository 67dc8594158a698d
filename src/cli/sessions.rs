//! `sessions`: lists the sessions of coding agents on this machine, the newest first.
//!
//! Files are listed by their times, and only the sessions that are shown are read.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::columns::{Columns, TableCell, cut_to};
use super::escape::Escaping;
use crate::cli::common::ExitStatus;
use crate::cli::console::{print_warning, printable, unless_reader_left};
use crate::config::clean;
use crate::features::session_list::{SessionRow, session_rows};
use crate::sessions::{AGENTS, Places, Session, sessions};

mod table;

const EXAMPLES: &str = "\
Examples:
  chatls sessions                        the newest 20 of all agents
  chatls sessions --folder . --limit 0   all of the current project
  chatls sessions --agent codex --format jsonl | jq -r 'select(.failed > 0).id'
  chatls view 39b5bd57                   show one, by the beginning of its id
  chatls convert --to fence 39b5bd57 >session.chat.md

Sessions are files of the agents. They are read, and never written.";

/// The default number of sessions.
const LIMIT: usize = 20;
/// The minimum length of the beginning of an id that stands for the id.
const SHORTEST_ID: usize = 8;

/// The arguments of `sessions`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct SessionsArgs {
    /// Only sessions of this agent. Repeatable
    #[arg(long, value_name = "AGENT", value_parser = agents())]
    agent: Vec<String>,
    /// Only sessions in this folder and below it
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Maximum number of sessions; 0 lists all
    #[arg(long, value_name = "N", default_value_t = LIMIT)]
    limit: usize,
    /// Output format
    #[arg(long, default_value = "table")]
    format: SessionsFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SessionsFormat {
    /// For people
    Table,
    /// For programs: one array
    Json,
    /// JSON Lines: one session a line
    Jsonl,
}

fn agents() -> PossibleValuesParser {
    AGENTS.iter().map(|agent| agent.name).collect::<Vec<_>>().into()
}

/// Runs `sessions`.
pub(super) fn run(command: &SessionsArgs) -> io::Result<ExitStatus> {
    let places = Places::of_process();
    let all = sessions(&places);
    let is_wanted = |session: &&Session| {
        command.agent.is_empty() || command.agent.iter().any(|name| name == session.agent.name)
    };
    let wanted: Vec<_> = all.iter().filter(is_wanted).collect();
    let rows = read(command, &wanted)?;
    if rows.is_empty() {
        print_warning(match all.is_empty() {
            true => "no sessions of coding agents found",
            false => "no session matches the options",
        });
    }
    let listed = match (command.format, rows.len()) {
        (SessionsFormat::Table, 0) => Ok(()),
        (SessionsFormat::Table, shown) => {
            let hidden = if command.folder.is_some() { 0 } else { wanted.len() - shown };
            table::write(&rows, &all, &places, hidden)
        }
        (format, _) => write_json(&rows, format),
    };
    unless_reader_left(listed)?;
    Ok(ExitStatus::Clean)
}

/// Reads the newest of `wanted`, up to the limit.
fn read<'s>(command: &SessionsArgs, wanted: &[&'s Session]) -> io::Result<Vec<SessionRow<'s>>> {
    let limit = if command.limit == 0 { usize::MAX } else { command.limit };
    let folder = command.folder.as_deref().map(std::path::absolute).transpose()?.map(|it| clean(&it));
    session_rows(wanted, folder.as_deref(), limit)
}

/// Writes a line for each session; as one array, if that is the format. All keys are always
/// present; missing values are null.
fn write_json(rows: &[SessionRow<'_>], format: SessionsFormat) -> io::Result<()> {
    let rows: Vec<_> = rows.iter().map(|row| row.json().to_string()).collect();
    let text = match format {
        SessionsFormat::Json => {
            format!("[{}\n]\n", rows.iter().map(|row| format!("\n{row}")).collect::<Vec<_>>().join(","))
        }
        _ => rows.iter().map(|row| format!("{row}\n")).collect(),
    };
    let mut out = Escaping::json(io::stdout());
    out.write_all(text.as_bytes())?;
    out.flush()
}
