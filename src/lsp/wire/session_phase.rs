//! The phases of a session (LSP 3.17, "Server lifecycle").

use tower_lsp::jsonrpc::{Error, ErrorCode};

use super::message;

/// The phase of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SessionPhase {
    /// Before `initialize`.
    #[default]
    Uninitialized,
    /// Up to `shutdown`.
    Running,
    /// After `shutdown`: only `exit` may follow.
    ShutDown,
}

impl SessionPhase {
    /// Fails for requests that this phase does not allow.
    pub fn allow(self, method: &str) -> Result<(), Error> {
        match (self, method == "initialize") {
            (Self::Uninitialized, true) | (Self::Running, false) => Ok(()),
            (Self::Uninitialized, false) => Err(message::not_initialized()),
            (Self::Running, true) => Err(Error::invalid_request()),
            (Self::ShutDown, _) => Err(message::error(ErrorCode::InvalidRequest, "shut down")),
        }
    }
}
