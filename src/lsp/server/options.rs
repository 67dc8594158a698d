//! Options of `chatls serve`.

use std::path::PathBuf;

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where logs go instead of stderr.
    pub log_file: Option<PathBuf>,
    /// Whether the requests under `chatls/test/`, which do harm on purpose, are there.
    pub testing: bool,
}

impl Options {
    /// The options that the environment gives: `CHATLS_TEST`.
    pub fn from_env() -> Self {
        Self { log_file: None, testing: std::env::var_os("CHATLS_TEST").is_some() }
    }
}
