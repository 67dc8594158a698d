//! `schema`: the JSON Schema of `chatls.toml`, for editors that complete and check TOML with one.

use std::io::{self, Write};

use super::{ExitStatus, unless_reader_left};

/// Prints it.
pub(super) fn run() -> io::Result<ExitStatus> {
    unless_reader_left(writeln!(io::stdout(), "{:#}", crate::config::schema()))?;
    Ok(ExitStatus::Clean)
}
