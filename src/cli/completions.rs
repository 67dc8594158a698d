//! `completions`: what completes arguments in a shell.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, Status, unless_reader_left};

const EXAMPLES: &str = "\
Examples:
  chatls completions bash >~/.local/share/bash-completion/completions/chatls
  chatls completions fish >~/.config/fish/completions/chatls.fish
  chatls completions zsh >~/.zfunc/_chatls          with ~/.zfunc in fpath";

/// The arguments of `completions`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

/// Prints the completions of a shell.
pub(super) fn run(command: &Completions) -> io::Result<Status> {
    let mut script = Vec::new();
    clap_complete::generate(command.shell, &mut Arguments::command(), "chatls", &mut script);
    unless_reader_left(io::stdout().write_all(&script))?;
    Ok(Status::Clean)
}
