//! The command line interface: parses the arguments, runs a command and sets the exit status. Each
//! command has a file of its own.
//!
//! Commands read documents through `inputs` and call the same functions as the server, so that both
//! report the same. Results go to stdout, errors and warnings to stderr.

mod common;
mod console;
mod file_watcher;
mod use_filter;

use crate::cli::common::{CommonArgs, ExitStatus, color_from_arguments, set_color};
use crate::cli::console::{print_error, print_to_stderr};
use crate::text::visible::is_command;
use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand};

mod baseline;
mod calls;
mod check;
mod codes;
mod columns;
mod completions;
#[cfg(feature = "run")]
mod consent;
#[cfg(feature = "run")]
mod continuing;
mod convert;
mod demo;
mod dialect;
mod diff;
mod escape;
mod events;
mod explain;
mod fmt;
mod idle_options;
mod init;
mod inputs;
#[cfg(feature = "run")]
mod interruption;
mod logging;
mod man;
mod output;
mod progress;
mod redact;
mod repair;
mod request;
mod rewrite;
#[cfg(feature = "run")]
mod run;
mod schema;
mod serve;
mod sessions;
mod signals;
mod stats;
mod temporaries;
mod tools;
#[cfg(feature = "run")]
mod trust;
mod view;

const EXAMPLES: &str = "\
Examples:
  chatls demo                         show an editing session in the terminal
  chatls check                        check every transcript below the current folder
  chatls check notes.chat.md logs/    check a file and a folder
  chatls check --format jsonl -       check standard input, with output for programs
  chatls calls run.jsonl              print each tool use as one line of JSON
  chatls stats logs/                  show counts, failures and sizes by tool
  chatls view --expand run.jsonl      show a transcript as a chat
  chatls sessions                     list the sessions of Claude Code, Codex and others
  chatls events --sse chat.md         convert it to the AI SDK's UI message stream
  chatls diff before.md after.md      show the differences between two transcripts
  chatls convert --to tag chat.md     convert its tool calls to another dialect
  chatls fmt                          format payloads
  chatls redact run.jsonl -o copy.jsonl  write a copy without secrets and names, to share
  chatls repair session.jsonl         show how to repair a session that servers reject
  chatls run --in . chat.md           run its next pending call in this folder
  chatls explain bad-state            explain a code and its fixes
  chatls init                         create a chatls.toml
  chatls serve                        run the language server for an editor

Exit status: 0 success, 1 diagnostics or differences found, 2 error.";

/// A language server for chat documents: transcripts of AI conversations with tool calls in them.
#[derive(Debug, Parser)]
#[command(name = "chatls", version, about, after_help = EXAMPLES, max_term_width = 100)]
struct CliArguments {
    #[command(subcommand)]
    command: CliCommand,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    /// Run the language server on stdin and stdout
    Serve(serve::ServeArgs),
    /// Check transcripts and report problems
    Check(check::CheckArgs),
    /// List tool calls as JSON Lines
    Calls(calls::CallsArgs),
    /// Show statistics of tool calls: counts, results, sizes
    Stats(stats::StatsArgs),
    /// Convert tool calls to another dialect
    Convert(convert::ConvertArgs),
    /// Format the JSON in tool calls
    Fmt(fmt::FmtArgs),
    /// Write copies to share: without secrets, names and addresses
    Redact(redact::RedactArgs),
    /// Repair message logs that servers reject
    Repair(repair::RepairArgs),
    /// Run the tool calls of a transcript and record their results
    #[cfg(feature = "run")]
    Run(run::RunArgs),
    /// Print the request that continues a conversation
    Request(request::RequestArgs),
    /// Ask a model for the next message, and write it into the transcript
    #[cfg(feature = "run")]
    Continue(continuing::ContinueArgs),
    /// Convert transcripts to the AI SDK UI message stream
    Events(events::EventsArgs),
    /// Show transcripts as chats, with one line per batch of tool calls
    View(view::ViewArgs),
    /// List the sessions of coding agents on this machine
    Sessions(sessions::SessionsArgs),
    /// Compare the tool calls of two transcripts
    Diff(diff::DiffArgs),
    /// List the known tools, or describe one
    Tools(tools::ToolsArgs),
    /// List, grant and take back consents to start servers and programs
    #[cfg(feature = "run")]
    Trust(trust::TrustArgs),
    /// Explain a diagnostic code
    Explain(explain::ExplainArgs),
    /// Try the forms of tool calls that a chatls.toml describes
    Dialect(dialect::DialectArgs),
    /// Create a chatls.toml
    Init(init::InitArgs),
    /// Show a demo session with the language server
    Demo(demo::DemoArgs),
    /// Print the JSON Schema of chatls.toml
    Schema,
    /// Print a shell completion script
    Completions(completions::CompletionsArgs),
    /// Print the manual page, for `man -l -`
    Man,
}

/// The definition of all arguments.
fn program() -> clap::Command {
    idle_options::hidden(CliArguments::command())
}

/// Parses the arguments. If they are invalid, clap ends the process with status 2, the status of
/// all errors.
fn arguments() -> CliArguments {
    let color = color_from_arguments();
    set_color(color);
    let mut command = program().color(color);
    let matches = command.clone().try_get_matches();
    let arguments = matches.and_then(|matches| {
        idle_options::refuse(&mut command, &matches)?;
        CliArguments::from_arg_matches(&matches)
    });
    arguments.unwrap_or_else(|error| exit_with_usage_error(&error))
}

/// Ends the process with clap's usage error. Control characters of file names are escaped: hooks
/// pass on names that may contain terminal commands.
fn exit_with_usage_error(error: &clap::Error) -> ! {
    let commands = |argument: OsString| argument.to_string_lossy().contains(is_command);
    if !error.use_stderr() || !std::env::args_os().any(commands) {
        error.exit();
    }
    print_to_stderr(error.render().to_string().trim_end());
    std::process::exit(error.exit_code())
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    match completions::complete() {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) => {}
        Err(error) => {
            print_error(&error.to_string());
            return ExitCode::from(ExitStatus::Failed as u8);
        }
    }
    let CliArguments { command, common } = arguments();
    if common.color != ColorChoice::Auto {
        set_color(common.color);
    }
    signals::listen();
    let status = run(command, &common).unwrap_or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => ExitStatus::Clean,
        _ => {
            print_error(&error.to_string());
            ExitStatus::Failed
        }
    });
    ExitCode::from(status as u8)
}

fn run(command: CliCommand, common: &CommonArgs) -> io::Result<ExitStatus> {
    // The server sets up its own log, which is also sent to the client; the others have none.
    if !matches!(
        command,
        CliCommand::Serve(_)
            | CliCommand::Explain(_)
            | CliCommand::Init(_)
            | CliCommand::Schema
            | CliCommand::Completions(_)
            | CliCommand::Man
    ) {
        logging::start(common)?;
    }
    match command {
        CliCommand::Serve(command) => serve::run(&command, common),
        CliCommand::Check(command) => check::run(&command, common),
        CliCommand::Calls(command) => calls::run(&command, common),
        CliCommand::Stats(command) => stats::run(&command, common),
        CliCommand::Convert(command) => convert::run(&command, common),
        CliCommand::Fmt(command) => fmt::run(&command, common),
        CliCommand::Redact(command) => redact::run(&command, common),
        CliCommand::Repair(command) => repair::run(&command, common),
        CliCommand::Request(command) => request::run(&command, common),
        #[cfg(feature = "run")]
        CliCommand::Run(command) => run::run(&command, common),
        #[cfg(feature = "run")]
        CliCommand::Continue(command) => continuing::run(&command, common),
        CliCommand::Events(command) => events::run(&command, common),
        CliCommand::View(command) => view::run(&command, common),
        CliCommand::Sessions(command) => sessions::run(&command),
        CliCommand::Diff(command) => diff::run(&command, common),
        CliCommand::Tools(command) => tools::run(&command, common),
        #[cfg(feature = "run")]
        CliCommand::Trust(command) => trust::run(&command, common),
        CliCommand::Explain(command) => explain::run(&command),
        CliCommand::Dialect(command) => dialect::run(&command, common),
        CliCommand::Init(command) => init::run(&command),
        CliCommand::Demo(command) => demo::run(&command, common),
        CliCommand::Schema => schema::run(),
        CliCommand::Completions(command) => completions::run(&command),
        CliCommand::Man => man::run(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn argument_definitions_are_valid() {
        super::program().debug_assert();
    }
}
