//! `schema`: the JSON Schema of `chatls.toml`, for editors that complete and check TOML with one.

use std::io::{self, Write};

use super::{Status, unless_reader_left};

/// Prints it.
pub(super) fn run() -> io::Result<Status> {
    unless_reader_left(writeln!(io::stdout(), "{:#}", crate::config::schema()))?;
    Ok(Status::Clean)
}
