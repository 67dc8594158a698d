//! The command line interface: parses the arguments, runs a command and sets the exit status. Each
//! command has a file of its own.
//!
//! Commands read documents through `inputs` and call the same functions as the server, so that both
//! report the same. Results go to stdout, errors and warnings to stderr.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::AnsiColor;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::config::{Loader, TrustSettings};

mod baseline;
mod calls;
mod changes;
mod check;
mod codes;
mod completions;
mod convert;
mod demo;
mod diff;
mod escape;
mod events;
mod explain;
mod fmt;
mod init;
mod inputs;
mod logging;
mod man;
mod names;
mod ordered;
mod output;
mod progress;
mod rewrite;
mod schema;
mod serve;
#[cfg(unix)]
mod signals;
mod stats;
mod temporaries;
mod tools;
mod view;
mod wanted;

const EXAMPLES: &str = "\
Examples:
  chatls demo                         watch an editing session, drawn in the terminal
  chatls check                        check every transcript below the current folder
  chatls check notes.chat.md logs/    check a file and a folder
  chatls check --format jsonl -       check standard input, for a program to read
  chatls calls run.jsonl              print each tool use as one line of JSON
  chatls stats logs/                  which tools, how often, how many failed, how large
  chatls view --expand run.jsonl      draw a transcript as a chat
  chatls events --sse chat.md         write it as the AI SDK's UI message stream
  chatls diff before.md after.md      what differs between two transcripts, call by call
  chatls convert --to tag chat.md     write its tool calls in another dialect
  chatls fmt                          lay out payloads
  chatls explain bad-state            what a code means, and how to get it right
  chatls init                         write a first chatls.toml
  chatls serve                        speak LSP on stdin and stdout, for an editor

Exit status: 0 nothing found, 1 something found, 2 the work could not be done.";

/// A language server for chat documents: transcripts of AI conversations with tool calls in them.
#[derive(Debug, Parser)]
#[command(name = "chatls", version, about, after_help = EXAMPLES, max_term_width = 100)]
struct CliArguments {
    #[command(subcommand)]
    command: CliCommand,
    #[command(flatten)]
    common: CommonArgs,
}

/// The options that all commands share.
#[derive(Args, Clone, Debug)]
struct CommonArgs {
    /// Path to the configuration file. Default: the nearest chatls.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Do not read tool registries and configurations outside the project. Use it for untrusted
    /// repositories, as in CI
    #[arg(long, global = true)]
    no_outside: bool,
    /// When to use colors. `auto` respects NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and the terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Write the log to this file instead of stderr. CHATLS_LOG sets the level, for example `debug`
    #[arg(long, global = true, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

impl CommonArgs {
    /// The loader of configurations, with the trust settings of this run.
    fn loader(&self) -> Loader {
        let home = std::env::home_dir();
        // The root folder and the home folder are no projects.
        let is_project = |folder: &PathBuf| folder.parent().is_some() && home.as_ref() != Some(folder);
        let working_folder = std::env::current_dir().ok().filter(is_project);
        Loader::new(TrustSettings { working_folder, refuses_outside: self.no_outside })
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
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
    /// Convert transcripts to the AI SDK UI message stream
    Events(events::EventsArgs),
    /// Show transcripts as chats, with one line per batch of tool calls
    View(view::ViewArgs),
    /// Compare the tool calls of two transcripts
    Diff(diff::DiffArgs),
    /// List the known tools, or describe one
    Tools(tools::ToolsArgs),
    /// Explain a diagnostic code
    Explain(explain::ExplainArgs),
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

impl Color {
    fn choice(self) -> anstream::ColorChoice {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
    }

    /// Finds the value of `--color` before the arguments are parsed: help and usage errors are
    /// colored, too. Without the option, `FORCE_COLOR` applies unless `NO_COLOR` is set.
    fn from_arguments() -> Self {
        let arguments: Vec<_> = std::env::args_os().take_while(|argument| argument != "--").collect();
        let given = arguments.iter().enumerate().rev().find_map(|(at, argument)| {
            match argument.to_str()?.strip_prefix("--color")? {
                "" => arguments.get(at + 1)?.to_str(),
                rest => rest.strip_prefix('='),
            }
        });
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_forced =
            is_set("FORCE_COLOR") && std::env::var_os("FORCE_COLOR").is_some_and(|value| value != "0");
        match given.and_then(|given| Self::from_str(given, false).ok()) {
            Some(Self::Auto) | None if is_forced && !is_set("NO_COLOR") => Self::Always,
            given => given.unwrap_or(Self::Auto),
        }
    }
}

/// Parses the arguments. If they are invalid, clap ends the process with status 2, the status of
/// all errors.
fn arguments() -> CliArguments {
    let color = Color::from_arguments();
    color.choice().write_global();
    let help_color = match color {
        Color::Auto => clap::ColorChoice::Auto,
        Color::Always => clap::ColorChoice::Always,
        Color::Never => clap::ColorChoice::Never,
    };
    let matches = CliArguments::command().color(help_color).try_get_matches();
    let arguments = matches.and_then(|matches| CliArguments::from_arg_matches(&matches));
    arguments.unwrap_or_else(|error| exit_with_usage_error(&error))
}

/// Ends the process with clap's usage error. Control characters of file names are escaped: hooks
/// pass on names that may contain terminal commands.
fn exit_with_usage_error(error: &clap::Error) -> ! {
    let commands = |argument: OsString| argument.to_string_lossy().contains(names::is_command);
    if !error.use_stderr() || !std::env::args_os().any(commands) {
        error.exit();
    }
    print_to_stderr(error.render().to_string().trim_end());
    std::process::exit(error.exit_code())
}

/// The exit status of a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum ExitStatus {
    /// No diagnostic at or above the severity of `--fail-on`, and no other difference to report.
    #[default]
    Clean = 0,
    /// At least one diagnostic or difference was reported.
    Findings = 1,
    /// An error prevented the command from doing its work.
    Failed = 2,
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
    if let Color::Always | Color::Never = common.color {
        common.color.choice().write_global();
    }
    // The server ends on request of its client.
    #[cfg(unix)]
    if !matches!(command, CliCommand::Serve(_)) {
        signals::listen();
    }
    let result = match command {
        // The server sets up its own log, which is also sent to the client.
        CliCommand::Serve(command) => serve::run(&command, &common),
        CliCommand::Check(command) => logging::start(&common).and_then(|()| check::run(&command, &common)),
        CliCommand::Calls(command) => logging::start(&common).and_then(|()| calls::run(&command, &common)),
        CliCommand::Stats(command) => logging::start(&common).and_then(|()| stats::run(&command, &common)),
        CliCommand::Convert(command) => {
            logging::start(&common).and_then(|()| convert::run(&command, &common))
        }
        CliCommand::Fmt(command) => logging::start(&common).and_then(|()| fmt::run(&command, &common)),
        CliCommand::Events(command) => logging::start(&common).and_then(|()| events::run(&command, &common)),
        CliCommand::View(command) => logging::start(&common).and_then(|()| view::run(&command, &common)),
        CliCommand::Diff(command) => logging::start(&common).and_then(|()| diff::run(&command, &common)),
        CliCommand::Tools(command) => logging::start(&common).and_then(|()| tools::run(&command, &common)),
        CliCommand::Explain(command) => explain::run(&command),
        CliCommand::Init(command) => init::run(&command),
        CliCommand::Demo(command) => logging::start(&common).and_then(|()| demo::run(&command, &common)),
        CliCommand::Schema => schema::run(),
        CliCommand::Completions(command) => completions::run(&command),
        CliCommand::Man => man::run(),
    };
    let status = result.unwrap_or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => ExitStatus::Clean,
        _ => {
            print_error(&error.to_string());
            ExitStatus::Failed
        }
    });
    ExitCode::from(status as u8)
}

/// Ignores a broken pipe: a reader that closes the pipe, as `head` does, has read enough. The
/// command then ends early without a message, and its status reflects the diagnostics reported
/// until then.
fn unless_reader_left(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Prints an error to stderr. Errors make the command fail.
fn print_error(message: &str) {
    print(AnsiColor::BrightRed, "error", message);
}

/// Prints a warning to stderr. Warnings do not affect the exit status.
fn print_warning(message: &str) {
    print(AnsiColor::Yellow, "warning", message);
}

fn print(color: AnsiColor, word: &str, message: &str) {
    let style = color.on_default().bold();
    write_line(&format!("{style}{word}{style:#}: {}", names::printable_text(message)));
}

/// Writes a line to stderr, with control characters escaped.
fn print_to_stderr(line: &str) {
    write_line(&names::printable_text(line));
}

fn write_line(line: &str) {
    // An error is ignored: there is no other stream to report it to.
    _ = progress::with_line_hidden(|| writeln!(anstream::stderr(), "{line}"));
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn argument_definitions_are_valid() {
        super::CliArguments::command().debug_assert();
    }
}
