//! The stdio transport of MCP: a JSON-RPC message per line, with limits. The transport of `rmcp`
//! skips lines that are too long or broken, and the requests that these lines answer would wait in
//! vain.

use std::sync::{Arc, Mutex};

use rmcp::model::{NumberOrString, ServerJsonRpcMessage};
use rmcp::service::{RoleClient, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdin, ChildStdout};

use super::shown;
use crate::never::lock;
use crate::run::Limits;
use crate::run::process::Log;

/// The transport.
#[derive(Debug)]
pub(super) struct StdioTransport {
    stdin: Arc<tokio::sync::Mutex<Option<ChildStdin>>>,
    stdout: BufReader<ChildStdout>,
    /// The line that is being read. It outlives a read that is cancelled.
    line: Vec<u8>,
    limits: Limits,
    fault: Fault,
    /// Hides secrets, and values that the server was given.
    log: Log,
    /// The number of the last request; all before it were sent, too.
    last_request: i64,
    /// Lines and messages since the last answer.
    unasked: usize,
}

/// The faults of a server.
#[derive(Clone, Debug, Default)]
pub(super) struct Fault(Arc<Mutex<Faults>>);

#[derive(Debug, Default)]
struct Faults {
    /// The reason why the connection was closed.
    reason: Option<String>,
    /// The first line that is not a message.
    stray: Option<String>,
}

impl Fault {
    /// The reason why the connection was closed, for users.
    pub fn reason(&self) -> Option<String> {
        lock(&self.0).reason.clone()
    }

    /// The end of a message on a server that did not answer.
    pub fn noise(&self) -> String {
        let faults = lock(&self.0);
        faults.stray.as_ref().map(|line| format!("; it wrote `{line}`, which is not MCP")).unwrap_or_default()
    }

    fn close(&self, reason: impl Into<String>) {
        lock(&self.0).reason.get_or_insert(reason.into());
    }

    fn stray(&self, line: impl FnOnce() -> String) {
        let mut faults = lock(&self.0);
        faults.stray.get_or_insert_with(line);
    }
}

impl StdioTransport {
    pub fn new(stdin: ChildStdin, stdout: ChildStdout, limits: &Limits, fault: Fault, log: Log) -> Self {
        Self {
            stdin: Arc::new(tokio::sync::Mutex::new(Some(stdin))),
            stdout: BufReader::new(stdout),
            line: Vec::new(),
            limits: limits.clone(),
            fault,
            log,
            last_request: -1,
            unasked: 0,
        }
    }

    /// Reads a line into `self.line`; false at the end, or if it is too long. Nothing is lost if
    /// the future is dropped: bytes are consumed when they are in `self.line`.
    async fn read_line(&mut self) -> bool {
        loop {
            let Ok(available) = self.stdout.fill_buf().await else { return false };
            if available.is_empty() {
                return false;
            }
            let end = memchr::memchr(b'\n', available);
            let taken = end.map_or(available.len(), |end| end + 1);
            if self.line.len() + taken > self.limits.message {
                let most = self.limits.message >> 20;
                self.fault.close(format!("it sent a message of more than {most} MiB"));
                return false;
            }
            self.line.extend_from_slice(available.get(..taken).unwrap_or_default());
            self.stdout.consume(taken);
            if end.is_some() {
                return true;
            }
        }
    }

    /// The message in `line`; `None` if it is to be skipped.
    fn message(&mut self, line: &[u8]) -> Result<Option<ServerJsonRpcMessage>, String> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        self.unasked += 1;
        if self.unasked > self.limits.noise {
            return Err(format!("it sent {} lines that nothing asked for", self.unasked));
        }
        let message = match serde_json::from_slice::<ServerJsonRpcMessage>(line) {
            Ok(message) => message,
            Err(_) => {
                let value: Value = serde_json::from_slice(line).unwrap_or_default();
                let is_answer = value.get("id").is_some()
                    && (value.get("result").is_some() || value.get("error").is_some());
                let text = || shown(String::from_utf8_lossy(line).trim(), &self.log);
                self.fault.stray(text);
                return if is_answer {
                    Err(format!("it answered `{}`, which is not MCP", text()))
                } else {
                    Ok(None)
                };
            }
        };
        let id = match &message {
            ServerJsonRpcMessage::Response(response) => Some(&response.id),
            ServerJsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            let is_known = matches!(id, NumberOrString::Number(id) if (0..=self.last_request).contains(id));
            if !is_known {
                return Err(format!(
                    "it answered a request with the id `{}`, which was not sent",
                    shown(&id.to_string(), &self.log)
                ));
            }
            self.unasked = 0;
        }
        Ok(Some(message))
    }
}

impl Transport<RoleClient> for StdioTransport {
    type Error = std::io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let TxJsonRpcMessage::<RoleClient>::Request(request) = &item
            && let NumberOrString::Number(id) = request.id
        {
            self.last_request = self.last_request.max(id);
        }
        let stdin = Arc::clone(&self.stdin);
        async move {
            let mut line = serde_json::to_vec(&item)?;
            line.push(b'\n');
            let mut stdin = stdin.lock().await;
            let stdin = stdin.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
            stdin.write_all(&line).await?;
            stdin.flush().await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        while self.read_line().await {
            let line = std::mem::take(&mut self.line);
            match self.message(&line) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(reason) => {
                    self.fault.close(reason);
                    break;
                }
            }
        }
        None
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.stdin.lock().await.take();
        Ok(())
    }
}
