//! The `[redact]` table: additional patterns for `chatls redact`, and exceptions.

use regex::Regex;

use crate::config::compare_rules::regex;

/// The `[redact]` table, without invalid patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RedactSettings {
    /// Patterns of additional texts to replace.
    pub patterns: Vec<String>,
    /// Texts that are not replaced.
    pub keep: Vec<String>,
}

impl RedactSettings {
    /// Reads a pattern.
    ///
    /// # Errors
    ///
    /// The reason why it is not valid.
    pub fn pattern(pattern: &str) -> Result<Regex, String> {
        let regex = regex(pattern)?;
        match regex.is_match("") {
            true => Err(format!("`{pattern}` matches the empty text: it would match everywhere")),
            false => Ok(regex),
        }
    }
}
