//! The connection to the client on stdin and stdout.

use std::sync::{Arc, mpsc};
use std::time::Duration;

#[cfg(feature = "run")]
use lsp_types::NumberOrString;
#[cfg(feature = "run")]
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::request::{ApplyWorkspaceEdit, Request};
use lsp_types::{ApplyWorkspaceEditResponse, MessageType};
use serde_json::Value;
#[cfg(feature = "run")]
use serde_json::json;
use tokio::runtime::Handle;
use tower_lsp::jsonrpc::Error;

#[cfg(feature = "run")]
use crate::lsp::peer::PATIENCE;
use crate::lsp::peer::{ClientConnection, THINKING};
use crate::lsp::wire::client_requests::ClientRequests;
use crate::lsp::wire::message::failed;

/// The connection to the client.
#[derive(Clone)]
pub struct ServerConnection {
    /// Sends requests; `None` before the client is ready for them.
    pub client: Option<Arc<ClientRequests>>,
    /// Waits for responses.
    pub runtime: Handle,
}

impl ClientConnection for ServerConnection {
    fn ask(&self, question: &str, answers: &[&str]) -> Option<String> {
        let asking = self.client.as_ref()?.ask(MessageType::INFO, question.to_owned(), answers);
        wait_for(&self.runtime, THINKING, asking)?
    }

    fn apply_edit(&self, params: Value, patience: Duration) -> Result<ApplyWorkspaceEditResponse, Error> {
        self.apply_edit_until(params, async move { tokio::time::sleep(patience).await })
    }
}

impl ServerConnection {
    /// Asks the client to show progress with the token `token`, and returns whether it does.
    #[cfg(feature = "run")]
    pub(crate) fn create_progress(&self, token: &NumberOrString) -> bool {
        let Some(client) = &self.client else { return false };
        let creating = client.send::<()>(WorkDoneProgressCreate::METHOD, json!({"token": token}));
        wait_for(&self.runtime, PATIENCE, creating).is_some_and(|created| created.is_ok())
    }

    /// See [`ClientConnection::apply_edit`].
    pub(crate) fn apply_edit_until(
        &self,
        params: Value,
        patience: impl Future<Output = ()> + Send + 'static,
    ) -> Result<ApplyWorkspaceEditResponse, Error> {
        let client = self.client.as_ref().ok_or_else(|| failed("the editor is not ready"))?;
        let applying = client.send(ApplyWorkspaceEdit::METHOD, params);
        let answer = wait_until(&self.runtime, patience, applying);
        answer.unwrap_or_else(|| Err(failed("the editor did not say whether it applied the edit")))
    }
}

/// Waits for `answer` on `runtime`. `None` after `patience`, or if the runtime ends first.
fn wait_for<T: Send + 'static>(
    runtime: &Handle,
    patience: Duration,
    answer: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    wait_until(runtime, async move { tokio::time::sleep(patience).await }, answer)
}

/// Waits for `answer` on `runtime`. `None` once `patience` ends, or if the runtime ends first.
///
/// The runtime's own thread polls the timer: a timer polled by another thread panics when the
/// runtime shuts down.
fn wait_until<T: Send + 'static>(
    runtime: &Handle,
    patience: impl Future<Output = ()> + Send + 'static,
    answer: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = mpsc::channel();
    runtime.spawn(async move {
        tokio::select! {
            biased;
            // The receiver only disappears with the process.
            answer = answer => drop(sender.send(answer)),
            () = patience => {}
        }
    });
    receiver.recv().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::peer::PATIENCE;

    #[test]
    fn a_wait_ends_with_its_runtime() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build();
        let runtime = runtime.expect("a runtime");
        let handle = runtime.handle().clone();
        assert_eq!(wait_for(&handle, PATIENCE, async { 1 }), Some(1));
        assert_eq!(wait_for(&handle, Duration::from_millis(1), std::future::pending::<()>()), None);
        let (begin, begun) = mpsc::channel();
        let never = async move {
            begin.send(()).expect("somebody who waits for it");
            std::future::pending::<()>().await;
        };
        let waiting = std::thread::spawn(move || wait_for(&handle, PATIENCE, never));
        begun.recv().expect("a runtime that runs it");
        runtime.shutdown_background();
        assert_eq!(waiting.join().expect("no panic"), None);
    }
}
