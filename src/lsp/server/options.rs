//! Options of `chatls serve`.

use std::path::PathBuf;

/// The options of the server.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The log file, instead of stderr.
    pub log_file: Option<PathBuf>,
    /// True if the test hooks exist ([`test_hooks`](crate::lsp::server::test_hooks)); never in
    /// release builds.
    pub testing: bool,
    /// True if nothing is asked through the proxies of the environment.
    pub no_proxy: bool,
}

impl Options {
    /// The options of the environment. `CHATLS_TEST` enables the test hooks of debug builds.
    pub fn from_env() -> Self {
        let testing = cfg!(debug_assertions) && std::env::var_os("CHATLS_TEST").is_some();
        Self { testing, ..Self::default() }
    }
}
