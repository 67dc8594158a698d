//! `schema`: prints the JSON Schema of `chatls.toml`, for completion and validation in editors.

use std::io::{self, Write};

use crate::cli::common::ExitStatus;
use crate::cli::console::unless_reader_left;

/// Prints the schema.
pub(super) fn run() -> io::Result<ExitStatus> {
    unless_reader_left(writeln!(io::stdout(), "{:#}", crate::config::schema()))?;
    Ok(ExitStatus::Clean)
}
