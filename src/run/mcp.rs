//! Connections to MCP servers: a process over its standard streams, or an address over streamable
//! HTTP. `rmcp` speaks the protocol; this module keeps the limits.
//!
//! A server that hangs, dies, floods or lies gets a clear error, and is ended.

mod handler;
mod http;
mod listing;
mod stdio;

pub use listing::Listing;

use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, ListToolsRequest, PaginatedRequestParams,
    ProtocolVersion, ServerResult,
};
use rmcp::service::{ClientInitializeError, PeerRequestOptions, RoleClient, RunningService, ServiceError};
use serde_json::{Map, Value};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use self::handler::ClientEvents;
use self::listing::ListingReader;
use self::stdio::{Fault, StdioTransport};
use super::outcome::outcome_of_mcp;
use super::process::{Log, ProcessGroup, hidden_values};
use super::subject::{Environment, SubjectStart};
use super::{Consented, Limits, Progress, RunError, RunErrorKind};
use crate::call::UseOutcome;

/// A connection to a server after the handshake.
#[derive(Debug)]
pub struct McpConnection {
    service: RunningService<RoleClient, ClientEvents>,
    /// The process of the server, if it is one.
    group: Option<ProcessGroup>,
    fault: Fault,
    log: Log,
    limits: Limits,
}

/// The name and version that a server reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerIdentity {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
}

impl McpConnection {
    /// Starts the server that the user agreed to, or connects to it, and introduces chatls.
    ///
    /// # Errors
    ///
    /// If it cannot be started, does not answer in time, or breaks the protocol.
    pub async fn open(
        consented: &Consented,
        environment: &Environment,
        limits: &Limits,
    ) -> Result<Self, RunError> {
        let fault = Fault::default();
        let events = ClientEvents::new();
        let (group, log, started) = match &consented.subject().start {
            SubjectStart::Command { .. } => {
                let (group, pipes) = ProcessGroup::start(consented, environment, limits)?;
                let log = pipes.log.clone();
                let transport =
                    StdioTransport::new(pipes.stdin, pipes.stdout, limits, fault.clone(), log.clone());
                (Some(group), log, tokio::time::timeout(limits.start, events.serve(transport)).await)
            }
            SubjectStart::Address { url, headers } => {
                let transport = http::transport(url, headers, environment, limits)?;
                let log = Log::new(limits.log, hidden_values(std::iter::empty(), headers, environment));
                (None, log, tokio::time::timeout(limits.start, events.serve(transport)).await)
            }
        };
        let failed = match started {
            Ok(Ok(service)) => {
                let connection = Self { service, group, fault, log, limits: limits.clone() };
                return match connection.check_version() {
                    Ok(()) => Ok(connection),
                    Err(error) => {
                        connection.close().await;
                        Err(error)
                    }
                };
            }
            Ok(Err(error)) => not_introduced(&error, &fault, &log),
            Err(_) => {
                let message = late("introduce itself", limits.start) + &fault.noise();
                RunError::new(RunErrorKind::Timeout, message)
            }
        };
        if let Some(mut group) = group {
            group.settle().await;
        }
        Err(failed.with_log(&log))
    }

    /// The name and version of the server.
    pub fn identity(&self) -> ServerIdentity {
        let info = self.service.peer().peer_info();
        let server = info.and_then(|info| info.server_info.clone());
        let [name, version] = server
            .map(|it| [it.name, it.version].map(|it| self.log.without_secrets(&it)))
            .unwrap_or_default();
        ServerIdentity { name, version }
    }

    /// Changes whenever the server reports a change of its tools
    /// (`notifications/tools/list_changed`).
    pub fn tools_changed(&self) -> watch::Receiver<u64> {
        self.service.service().tools_changed()
    }

    /// The end of the server's stderr.
    pub fn log(&self) -> String {
        self.log.text()
    }

    /// True if the connection is still open.
    pub fn is_open(&self) -> bool {
        !self.service.is_closed() && !self.service.peer().is_transport_closed()
    }

    /// The tools of the server, from all pages.
    ///
    /// # Errors
    ///
    /// If it does not answer in time, or breaks the protocol or a limit.
    pub async fn tools(&self) -> Result<Listing, RunError> {
        let mut reader = ListingReader::new(self.identity(), &self.limits);
        let all = async {
            loop {
                let mut request = ListToolsRequest::default();
                let cursor = reader.cursor().map(str::to_owned);
                request.params =
                    cursor.map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
                let sent = self.service.peer().send_request(ClientRequest::ListToolsRequest(request)).await;
                let mut result = value_of(&sent.map_err(|error| self.failed(&error))?);
                self.hide_values(&mut result);
                if !reader.add(&result)? {
                    return Ok(());
                }
            }
        };
        let listed = match tokio::time::timeout(self.limits.list, all).await {
            Ok(listed) => listed,
            Err(_) => {
                let message = late("list its tools", self.limits.list) + &self.fault.noise();
                Err(RunError::new(RunErrorKind::Timeout, message))
            }
        };
        listed.map_err(|error| error.with_log(&self.log))?;
        Ok(reader.finish())
    }

    /// Calls the tool `tool`. `on_progress` gets the progress that the server reports; once
    /// `cancelled` is ready, and after a time limit, the server gets `notifications/cancelled`.
    ///
    /// # Errors
    ///
    /// If the server refuses the call, does not answer in time, or breaks the protocol or a limit.
    /// A tool that fails is no error; see [`UseOutcome::Error`].
    pub async fn call(
        &self,
        tool: &str,
        input: Map<String, Value>,
        mut on_progress: impl FnMut(Progress),
        cancelled: impl Future<Output = ()>,
    ) -> Result<UseOutcome, RunError> {
        let mut events = self.service.service().progress();
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(input);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sent =
            self.service.peer().send_cancellable_request(request, PeerRequestOptions::no_options()).await;
        let mut handle = sent.map_err(|error| self.failed(&error))?;
        let end = tokio::time::sleep(self.limits.call);
        let idle = tokio::time::sleep(self.limits.idle);
        tokio::pin!(cancelled, end, idle);
        let (kind, message) = loop {
            tokio::select! {
                biased;
                response = &mut handle.rx => {
                    let result = response.unwrap_or(Err(ServiceError::TransportClosed));
                    let result = result.map_err(|error| self.failed(&error))?;
                    return outcome_of(&result).map_err(|error| error.with_log(&self.log));
                }
                () = &mut cancelled => break (RunErrorKind::Cancelled, "it was cancelled".to_owned()),
                () = &mut end => break (RunErrorKind::Timeout, late("answer", self.limits.call)),
                () = &mut idle => break (RunErrorKind::Timeout, late("answer", self.limits.idle)),
                event = events.recv() => match event {
                    Ok((token, progress)) if token == handle.progress_token => {
                        idle.as_mut().reset(tokio::time::Instant::now() + self.limits.idle);
                        let message = progress.message.map(|message| self.log.without_secrets(&message));
                        on_progress(Progress { message, ..progress });
                    }
                    Ok(_) | Err(RecvError::Lagged(_)) => {}
                    // The connection ends, which the response reports.
                    Err(RecvError::Closed) => std::future::pending().await,
                },
            }
        };
        // A server that does not read must not hold us up.
        _ = tokio::time::timeout(self.limits.end, handle.cancel(Some(message.clone()))).await;
        let noise = if kind == RunErrorKind::Timeout { self.fault.noise() } else { String::new() };
        Err(RunError::new(kind, message + &noise).with_log(&self.log))
    }

    /// Closes the connection, and ends the process with all that it started.
    pub async fn close(mut self) {
        // Closes its stdin, or deletes the session.
        _ = self.service.close_with_timeout(self.limits.end).await;
        if let Some(group) = self.group.take() {
            group.end(&self.limits).await;
        }
    }

    /// Hides the values that the server was given in the descriptions in `listed`. Names and
    /// schemas stay as they are, because such a value may be a word in them.
    fn hide_values(&self, listed: &mut Value) {
        match listed {
            Value::Array(items) => items.iter_mut().for_each(|item| self.hide_values(item)),
            Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        Value::String(text) if matches!(&**name, "description" | "title") => {
                            *text = self.log.without_secrets(text);
                        }
                        value => self.hide_values(value),
                    }
                }
            }
            _ => {}
        }
    }

    fn check_version(&self) -> Result<(), RunError> {
        let info = self.service.peer().peer_info();
        let Some(version) = info.map(|info| info.protocol_version.clone()) else { return Ok(()) };
        if ProtocolVersion::KNOWN_VERSIONS.contains(&version) {
            return Ok(());
        }
        let message = format!(
            "it speaks version `{}` of MCP, which chatls does not know",
            shown(version.as_str(), &self.log)
        );
        Err(RunError::new(RunErrorKind::Protocol, message).with_log(&self.log))
    }

    fn failed(&self, error: &ServiceError) -> RunError {
        let failed = match error {
            ServiceError::McpError(error) => RunError::new(
                RunErrorKind::Refused,
                format!("it answered with an error: {}", shown(&error.message, &self.log)),
            ),
            ServiceError::TransportClosed => match self.fault.reason() {
                Some(reason) => RunError::new(RunErrorKind::Protocol, reason),
                None => RunError::new(RunErrorKind::Ended, "it closed the connection"),
            },
            ServiceError::TransportSend(error) => {
                RunError::new(RunErrorKind::Ended, with_sources(error.error.as_ref(), &self.log))
            }
            other => RunError::new(RunErrorKind::Protocol, other.to_string()),
        };
        failed.with_log(&self.log)
    }
}

/// The error of a failed handshake.
fn not_introduced(error: &ClientInitializeError, fault: &Fault, log: &Log) -> RunError {
    if let Some(reason) = fault.reason() {
        return RunError::new(RunErrorKind::Protocol, reason);
    }
    match error {
        ClientInitializeError::ConnectionClosed(_) => {
            let message = format!("it ended before it introduced itself{}", fault.noise());
            RunError::new(RunErrorKind::Ended, message)
        }
        ClientInitializeError::JsonRpcError(error) => {
            let message = format!("it answered `initialize` with an error: {}", shown(&error.message, log));
            RunError::new(RunErrorKind::Refused, message)
        }
        ClientInitializeError::TransportError { error, .. } => RunError::new(
            RunErrorKind::Start,
            format!("it cannot be reached: {}", with_sources(error.error.as_ref(), log)),
        ),
        ClientInitializeError::ConflictInitResponseId(..)
        | ClientInitializeError::UncorrelatedErrorResponse { .. } => {
            RunError::new(RunErrorKind::Protocol, "its answer to `initialize` has the id of another request")
        }
        _ => RunError::new(RunErrorKind::Protocol, "its answer to `initialize` is not one of MCP"),
    }
}

/// The text of an error with its causes.
fn with_sources(error: &(dyn std::error::Error + 'static), log: &Log) -> String {
    let mut texts = vec![error.to_string()];
    let mut source = error.source();
    while let Some(error) = source {
        let text = error.to_string();
        if !texts.iter().any(|known| known.contains(&text)) {
            texts.push(text);
        }
        source = error.source();
    }
    shown(&texts.join(": "), log)
}

fn outcome_of(result: &ServerResult) -> Result<UseOutcome, RunError> {
    let is_other = matches!(
        result,
        ServerResult::InitializeResult(_)
            | ServerResult::ListToolsResult(_)
            | ServerResult::CreateTaskResult(_)
    );
    if is_other {
        return Err(RunError::new(RunErrorKind::Protocol, "its answer is not the result of a tool"));
    }
    if matches!(result, ServerResult::InputRequiredResult(_)) {
        return Err(RunError::new(
            RunErrorKind::Refused,
            "it asks for further input, which chatls cannot give",
        ));
    }
    Ok(outcome_of_mcp(&value_of(result)))
}

fn value_of(result: &ServerResult) -> Value {
    serde_json::to_value(result).unwrap_or_default()
}

/// The beginning of a text from a server, for a message. Secrets are hidden before truncation,
/// because a part of a secret would not be recognized.
fn shown(text: &str, log: &Log) -> String {
    cut(&log.without_secrets(text))
}

/// The beginning of a text of a server that has no values of the user.
fn cut(text: &str) -> String {
    crate::text::abbreviate::cut(text, 300)
}

/// The message that a server did not do `what` within `limit`.
fn late(what: &str, limit: Duration) -> String {
    format!("it did not {what} within {} s", limit.as_secs_f32())
}
