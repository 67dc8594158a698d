//! Running tools: the tools of presets in a folder, and servers and programs. No server or program
//! is started without consent.
//!
//! A [`Subject`] describes exactly what would be started or connected to. [`TrustStore`] keeps the
//! user's consents outside of every workspace and turns a subject into a [`Consented`]; nothing
//! else can be started. `docs/security.md` describes this for users.

pub mod cache;
pub mod compare;
pub mod connections;
mod http_client;
mod known;
pub mod limits;
pub mod mcp;
pub mod model;
pub mod offers;
mod outcome;
pub mod preset;
pub mod process;
pub mod program;
pub mod question;
mod ready_call;
pub mod subject;
mod tool_host;
pub mod trust;
pub mod turns;
pub mod user_settings;

use std::{fmt, io};

pub use cache::listing_places;
pub use known::{KnownRunner, RunnerKind, known_runners};
pub use limits::Limits;
pub use ready_call::{CallRunner, ReadyCall};
pub use subject::{Environment, Subject, SubjectHash};
pub use tokio_util::sync::CancellationToken;
pub use tool_host::{CallEffect, NotRun, RunPermission, ToolHost};
pub use trust::{Consented, TrustStore};

/// A server or program could not be started or used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// The kind.
    pub kind: RunErrorKind,
    /// The reason, for users, without the name of the server. It may quote what a server wrote.
    pub message: String,
    /// The last lines that it wrote to stderr; may be empty.
    pub log: String,
}

/// The kinds of [`RunError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunErrorKind {
    /// It could not be started, or the address could not be reached.
    Start,
    /// It ended, or closed the connection.
    Ended,
    /// It did not answer in time.
    Timeout,
    /// It broke the protocol, or a limit.
    Protocol,
    /// It answered with an error.
    Refused,
    /// The call was cancelled by the caller.
    Cancelled,
}

impl RunError {
    fn new(kind: RunErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), log: String::new() }
    }

    /// Adds the end of `log`, which also hides secrets in the message.
    fn with_log(self, log: &process::Log) -> Self {
        Self { message: log.without_secrets(&self.message), log: log.text(), ..self }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for RunError {}

/// Progress of a call, as its server reports it.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// The progress until now, in units of the server.
    pub done: f64,
    /// The progress at the end, if the server knows it.
    pub total: Option<f64>,
    /// The description of the current step.
    pub message: Option<String>,
}

/// Runs `task` to its end on this thread, for commands that do one thing.
///
/// # Errors
///
/// If the system has no resources for it.
pub fn block_on<T>(task: impl Future<Output = T>) -> io::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(task);
    // Does not wait: remaining tasks are dropped, and their process groups with them.
    runtime.shutdown_background();
    Ok(result)
}

#[cfg(all(test, unix))]
mod tests;
