//! `explain`: the page of a code, in the terminal.

use std::io::{self, Write};

use clap::Args;

use super::names::printable;
use super::{Status, complain};
use crate::nearest::{did_you_mean, nearest};
use crate::rules::{Code, Severity};

const EXAMPLES: &str = "\
Examples:
  chatls explain bad-state
  chatls explain                 all codes, a line each";

/// The arguments of `explain`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Explain {
    /// The code, as messages show it in brackets; without one, all codes are listed
    code: Option<String>,
}

/// Prints the page of a code, or the list of all.
pub(super) fn run(command: &Explain) -> io::Result<Status> {
    let mut out = io::stdout().lock();
    match &command.code {
        None => {
            for code in Code::ALL {
                writeln!(
                    out,
                    "{:<18} {:<12} {}",
                    code.name(),
                    code.default_severity().map_or("off", Severity::name),
                    code.summary()
                )?;
            }
        }
        Some(name) => match Code::from_name(name) {
            Some(code) => write!(out, "{}", code.page())?,
            None => {
                let near = nearest(name, Code::ALL.iter().map(|code| code.name()));
                complain(&format!("there is no code `{}`{}", printable(name), did_you_mean(&near)));
                return Ok(Status::Failed);
            }
        },
    }
    Ok(Status::Clean)
}
