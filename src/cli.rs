//! The command line: arguments in, exit status out; one file per command.
//!
//! Commands read documents through `inputs` and call the functions that the server calls, so that both say
//! the same. stdout carries what was asked for, stderr what hindered it.

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

/// What every command takes.
#[derive(Args, Clone, Debug)]
struct CommonArgs {
    /// Use this configuration file instead of the nearest chatls.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Refuse tool registries and linked configurations outside of the project: where a chatls.toml came with
    /// the documents of others, as in CI
    #[arg(long, global = true)]
    no_outside: bool,
    /// When to use colours; `auto` asks NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and the terminal
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Write the log to this file instead of stderr (what it holds is set by CHATLS_LOG, like `debug`)
    #[arg(long, global = true, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

impl CommonArgs {
    /// What reads configurations, as far as they are trusted.
    fn loader(&self) -> Loader {
        let home = std::env::home_dir();
        // Neither the whole disk nor all that a user has is a project.
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
    /// Speak LSP on stdin and stdout, for an editor
    Serve(serve::ServeArgs),
    /// Say what is wrong in transcripts
    Check(check::CheckArgs),
    /// Print every tool use as one line of JSON
    Calls(calls::CallsArgs),
    /// Count tool uses: which tools, how often, what came of them, how large they are
    Stats(stats::StatsArgs),
    /// Write the tool calls of transcripts in another dialect
    Convert(convert::ConvertArgs),
    /// Lay out payloads as `[format]` says
    Fmt(fmt::FmtArgs),
    /// Write transcripts as the AI SDK's UI message stream
    Events(events::EventsArgs),
    /// Draw transcripts as chats, each batch of tool calls in one line
    View(view::ViewArgs),
    /// Compare two transcripts by their tool uses: what differs in inputs and results
    Diff(diff::DiffArgs),
    /// List the tools that transcripts may call, or tell what one takes
    Tools(tools::ToolsArgs),
    /// Explain a code: what it means, why it matters, and how to get it right
    Explain(explain::ExplainArgs),
    /// Write a first chatls.toml
    Init(init::InitArgs),
    /// Play an editing session against the real server, and draw it
    Demo(demo::DemoArgs),
    /// Print the JSON Schema of chatls.toml, for editors of TOML
    Schema,
    /// Print what completes arguments in a shell
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

    /// What the arguments say, before they are read in full: help and errors of arguments have colours, too. Where they say
    /// nothing, `FORCE_COLOR` counts, unless `NO_COLOR` does.
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

/// Reads the arguments. Where they are wrong, clap ends the process, with status 2 like all that cannot do its work.
fn arguments() -> CliArguments {
    let color = Color::from_arguments();
    color.choice().write_global();
    let of_help = match color {
        Color::Auto => clap::ColorChoice::Auto,
        Color::Always => clap::ColorChoice::Always,
        Color::Never => clap::ColorChoice::Never,
    };
    let matches = CliArguments::command().color(of_help).try_get_matches();
    let arguments = matches.and_then(|matches| CliArguments::from_arg_matches(&matches));
    arguments.unwrap_or_else(|error| exit_with_usage_error(&error))
}

/// Ends the process with what clap says of its arguments: a hook may pass on a file name that commands the terminal.
fn exit_with_usage_error(error: &clap::Error) -> ! {
    let commands = |argument: OsString| argument.to_string_lossy().contains(names::is_command);
    if !error.use_stderr() || !std::env::args_os().any(commands) {
        error.exit();
    }
    print_to_stderr(error.render().to_string().trim_end());
    std::process::exit(error.exit_code())
}

/// How a command ended; its exit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum ExitStatus {
    /// Nothing to say at or above the severity that counts.
    #[default]
    Clean = 0,
    /// Something to say.
    Findings = 1,
    /// It could not do its work.
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
    // The server ends as its client says.
    #[cfg(unix)]
    if !matches!(command, CliCommand::Serve(_)) {
        signals::listen();
    }
    let result = match command {
        // The server has its own log, which goes to the client too.
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

/// `written`, where a reader that is gone is no failure: who closes the pipe has read enough, as `head` has. The
/// command ends early and quietly, and its status says what it had found until then.
fn unless_reader_left(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Says on stderr what hinders the command, which makes it fail.
fn print_error(message: &str) {
    print(AnsiColor::BrightRed, "error", message);
}

/// Says on stderr what somebody may want to know though the command goes on without it.
fn print_warning(message: &str) {
    print(AnsiColor::Yellow, "warning", message);
}

fn print(color: AnsiColor, word: &str, message: &str) {
    let style = color.on_default().bold();
    write_line(&format!("{style}{word}{style:#}: {}", names::printable_text(message)));
}

/// Writes a line to stderr.
fn print_to_stderr(line: &str) {
    write_line(&names::printable_text(line));
}

fn write_line(line: &str) {
    // Nobody is left to tell when stderr is closed too.
    _ = progress::with_line_hidden(|| writeln!(anstream::stderr(), "{line}"));
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_are_sound() {
        super::CliArguments::command().debug_assert();
    }
}
