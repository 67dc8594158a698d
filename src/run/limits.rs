//! The limits of everything that comes from a server or program.

use std::time::Duration;

/// The limits of one server or program. The defaults are for interactive use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time for a server to complete the handshake. Package runners may download it first.
    pub start: Duration,
    /// Time for the list of all tools.
    pub list: Duration,
    /// Time for a call without progress.
    pub idle: Duration,
    /// Time for a call with progress.
    pub call: Duration,
    /// Time for an orderly end, before the process is killed.
    pub end: Duration,
    /// Bytes of one message of a server, or of the output of a program.
    pub message: usize,
    /// Pages of the list of tools.
    pub pages: usize,
    /// Tools of a server.
    pub tools: usize,
    /// Bytes of the list of tools.
    pub listing: usize,
    /// Consecutive lines that are not messages, and messages that were not requested.
    pub noise: usize,
    /// Bytes of stderr output that are kept, from its end.
    pub log: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            list: Duration::from_secs(30),
            idle: Duration::from_secs(120),
            call: Duration::from_secs(600),
            end: Duration::from_secs(2),
            message: 16 << 20,
            pages: 100,
            tools: 2000,
            listing: 16 << 20,
            noise: 100_000,
            log: 64 << 10,
        }
    }
}
