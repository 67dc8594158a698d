//! The file of a document, as commands see it.

use std::path::Path;

/// A document's file.
#[derive(Clone, Copy)]
pub(in crate::cli) struct InputFile<'a> {
    /// The name for messages and reports.
    pub display_name: &'a str,
    /// The path; `None` for standard input, and for the session of an agent.
    pub path: Option<&'a Path>,
    /// True if it is the session of an agent, which is printed instead of written.
    pub is_session: bool,
    /// True if the configuration excludes the file. Only commands that print documents see such
    /// files.
    pub is_kept_out: bool,
}
