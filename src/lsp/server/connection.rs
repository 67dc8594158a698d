//! The connection to the client on stdin and stdout.

use std::sync::mpsc;
use std::time::Duration;

#[cfg(feature = "run")]
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::request::{ApplyWorkspaceEdit, Request};
use lsp_types::{ApplyWorkspaceEditResponse, MessageActionItem, MessageType};
#[cfg(feature = "run")]
use lsp_types::{NumberOrString, WorkDoneProgressCreateParams};
use serde_json::Value;
use tokio::runtime::Handle;
use tower_lsp::jsonrpc::Error;

#[cfg(feature = "run")]
use crate::lsp::peer::PATIENCE;
use crate::lsp::peer::{ClientConnection, THINKING};
use crate::lsp::wire::message::failed;

/// `workspace/applyEdit` with its params in JSON: lsp-types drops the annotations of edits.
enum ApplyEdit {}

impl Request for ApplyEdit {
    type Params = Value;
    type Result = ApplyWorkspaceEditResponse;
    const METHOD: &'static str = ApplyWorkspaceEdit::METHOD;
}

/// The connection to the client.
#[derive(Clone)]
pub struct ServerConnection {
    /// Sends requests; `None` before the client is ready for them.
    pub client: Option<tower_lsp::Client>,
    /// Waits for responses.
    pub runtime: Handle,
}

impl ClientConnection for ServerConnection {
    fn ask(&self, question: &str, answers: &[&str]) -> Option<String> {
        let item =
            |title: &&str| MessageActionItem { title: (*title).to_owned(), properties: Default::default() };
        let actions = answers.iter().map(item).collect();
        let client = self.client.clone()?;
        let question = question.to_owned();
        let asking =
            async move { client.show_message_request(MessageType::INFO, question, Some(actions)).await };
        wait_for(&self.runtime, THINKING, asking)?.ok()?.map(|item| item.title)
    }

    fn apply_edit(&self, params: Value, patience: Duration) -> Result<ApplyWorkspaceEditResponse, Error> {
        self.apply_edit_until(params, async move { tokio::time::sleep(patience).await })
    }
}

impl ServerConnection {
    /// Asks the client to show progress with the token `token`, and returns whether it does.
    #[cfg(feature = "run")]
    pub(crate) fn create_progress(&self, token: &NumberOrString) -> bool {
        let Some(client) = self.client.clone() else { return false };
        let params = WorkDoneProgressCreateParams { token: token.clone() };
        let creating = async move { client.send_request::<WorkDoneProgressCreate>(params).await };
        wait_for(&self.runtime, PATIENCE, creating).is_some_and(|created| created.is_ok())
    }

    /// See [`ClientConnection::apply_edit`].
    pub(crate) fn apply_edit_until(
        &self,
        params: Value,
        patience: impl Future<Output = ()> + Send + 'static,
    ) -> Result<ApplyWorkspaceEditResponse, Error> {
        let client = self.client.clone().ok_or_else(|| failed("the editor is not ready"))?;
        let applying = async move { client.send_request::<ApplyEdit>(params).await };
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
        // The task is kept after that: `tower_lsp` panics on a response for which no task waits.
        let answer = tokio::spawn(answer);
        tokio::select! {
            biased;
            Ok(answer) = answer => {
                // The receiver only disappears with the process.
                drop(sender.send(answer));
            }
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
