//! `completions`: prints a shell completion script.
//!
//! The script runs chatls with `CHATLS_COMPLETE` set to get candidates, which include codes, and
//! tools from the registries of the current folder.

use std::io::{self, Write};

use clap::Args;
use clap::builder::StyledStr;
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{CompletionCandidate, Shell};

use super::program;
use crate::cli::common::ExitStatus;
use crate::cli::console::unless_reader_left;
use crate::config::{ConfigLocation, Loader};
use crate::files::DiskFiles;

/// The environment variable that requests completion; its value is the name of the shell.
const VARIABLE: &str = "CHATLS_COMPLETE";

const EXAMPLES: &str = "\
Examples:
  chatls completions bash >~/.local/share/bash-completion/completions/chatls
  chatls completions fish >~/.config/fish/completions/chatls.fish
  chatls completions zsh >~/.zfunc/_chatls          with ~/.zfunc in fpath";

/// The arguments of `completions`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct CompletionsArgs {
    /// Name of the shell
    shell: Shell,
}

/// Prints the completion script.
pub(super) fn run(command: &CompletionsArgs) -> io::Result<ExitStatus> {
    let shell = command.shell.to_string();
    let shells = Shells::builtins();
    let completer = shells.completer(&shell);
    let completer =
        completer.ok_or_else(|| io::Error::other(format!("there are no completions for {shell}")))?;
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, "chatls", "chatls", "chatls", &mut script)?;
    unless_reader_left(io::stdout().write_all(&script))?;
    Ok(ExitStatus::Clean)
}

/// Prints completion candidates if a shell requests them. Returns whether it does.
pub(super) fn complete() -> io::Result<bool> {
    let here = std::env::current_dir().ok();
    let completed = CompleteEnv::with_factory(program)
        .var(VARIABLE)
        .bin("chatls")
        .try_complete(std::env::args_os(), here.as_deref());
    completed.map_err(io::Error::other)
}

/// The tools in the registries of the current folder.
pub(super) fn tools() -> Vec<CompletionCandidate> {
    let Ok(here) = std::env::current_dir() else { return Vec::new() };
    let document = here.join("chat.md");
    let place = ConfigLocation::of_file(&document, &here, None);
    let loaded = Loader::default().load(&DiskFiles, &place);
    let candidate = |tool: &crate::registry::Tool| {
        let description = tool
            .description
            .as_deref()
            .and_then(|text| text.lines().next())
            .map(|line| StyledStr::from(line.to_owned()));
        CompletionCandidate::new(tool.name.as_str()).help(description)
    };
    loaded.settings.registry.tools.values().map(|tool| candidate(tool)).collect()
}
