//! `explain`: shows the documentation page of a code in the terminal.

use std::io::{self, Write};

use clap::Args;

use super::codes::{CodeOrAll, CodeParser};
use crate::cli::common::ExitStatus;
use crate::diagnostic::{Code, Severity};

const EXAMPLES: &str = "\
Examples:
  chatls explain bad-state
  chatls explain                 all codes, a line each";

/// The arguments of `explain`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ExplainArgs {
    /// Diagnostic code. Without it, all codes are listed
    #[arg(value_parser = CodeParser { takes_all: false }, hide_possible_values = true)]
    code: Option<CodeOrAll>,
}

/// Prints the page of a code, or the list of all codes.
pub(super) fn run(command: &ExplainArgs) -> io::Result<ExitStatus> {
    let mut out = io::stdout().lock();
    match command.code.and_then(|it| it.code) {
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
        Some(code) => write!(out, "{}", code.page())?,
    }
    Ok(ExitStatus::Clean)
}
