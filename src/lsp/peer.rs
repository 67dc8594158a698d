//! Requests and notifications to the client, sent by request handlers.

use crate::convert::{ConversionLoss, loss_text as words};
use crate::dialect::Dialect;
use crate::features::conversion::{ConversionPlan, words_of};
use crate::lsp::wire::message::failed;
use crate::lsp::wire::outbox::Outbox;
#[cfg(feature = "run")]
use lsp_types::request::WorkDoneProgressCreate;
use lsp_types::request::{ApplyWorkspaceEdit, Request};
use lsp_types::{ApplyWorkspaceEditResponse, MessageActionItem, MessageType};
#[cfg(feature = "run")]
use lsp_types::{NumberOrString, WorkDoneProgressCreateParams};
use serde_json::{Value, json};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::runtime::Handle;
use tower_lsp::jsonrpc::Error;

/// The time that a client has to apply an edit.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The time that a user has to answer.
pub(crate) const THINKING: Duration = Duration::from_secs(600);

/// `workspace/applyEdit` with its params in JSON: lsp-types drops the annotations of edits.
enum ApplyEdit {}

impl Request for ApplyEdit {
    type Params = Value;
    type Result = ApplyWorkspaceEditResponse;
    const METHOD: &'static str = ApplyWorkspaceEdit::METHOD;
}

/// The connection of a request handler to the client.
#[derive(Clone)]
pub struct ClientPeer {
    /// Sends requests; `None` before the client is ready for them.
    pub client: Option<tower_lsp::Client>,
    /// Waits for responses.
    pub runtime: Handle,
    /// Queues notifications.
    pub outbox: Arc<Outbox>,
}

impl ClientPeer {
    /// Lets the user choose one of the `possible` dialects.
    pub(crate) fn choose_dialect(&self, possible: &[(&'static Dialect, &str)]) -> Option<&'static Dialect> {
        let words: Vec<&str> = possible.iter().map(|(_, words)| *words).collect();
        let chosen = self.show_message_request("Convert to which dialect of tool calls?", &words)?;
        possible.iter().find(|(_, words)| *words == chosen).map(|(dialect, _)| *dialect)
    }

    /// Asks the user to accept the losses of `plan`.
    pub(crate) fn confirms(&self, plan: &ConversionPlan, to: &Dialect) -> bool {
        const CONVERT: &str = "Convert";
        if plan.losses.is_empty() && plan.left == 0 {
            return true;
        }
        let calls = |count: usize| if count == 1 { "tool call" } else { "tool calls" };
        let mut question =
            format!("Converting {} {} to {}", plan.converted, calls(plan.converted), words_of(to));
        match plan.losses() {
            lost if lost.is_empty() => question.push_str(" loses nothing"),
            lost => question.extend([" ", &lost]),
        }
        match plan.left {
            0 => {}
            1 => question.push_str("; 1 tool call cannot be converted and is unchanged"),
            left => {
                question.push_str(&format!("; {left} tool calls cannot be converted and are unchanged"));
            }
        }
        self.show_message_request(&question, &[CONVERT, "Cancel"]).is_some_and(|chosen| chosen == CONVERT)
    }

    /// Asks the user to accept a result with `losses`.
    pub(crate) fn accepts(&self, losses: &[ConversionLoss]) -> bool {
        const WRITE: &str = "Write it";
        let question = format!("Writing the result in this form {}", words::of_one(losses));
        self.show_message_request(&question, &[WRITE, "Cancel"]).is_some_and(|chosen| chosen == WRITE)
    }

    /// The user's answer to `question`, if any.
    pub(crate) fn show_message_request(&self, question: &str, answers: &[&str]) -> Option<String> {
        let item =
            |title: &&str| MessageActionItem { title: (*title).to_owned(), properties: Default::default() };
        let actions = answers.iter().map(item).collect();
        let client = self.client.clone()?;
        let question = question.to_owned();
        let asking =
            async move { client.show_message_request(MessageType::INFO, question, Some(actions)).await };
        wait_for(&self.runtime, THINKING, asking)?.ok()?.map(|item| item.title)
    }

    /// Shows a message to the user.
    pub(crate) fn show_message(&self, message: String) {
        self.show(MessageType::INFO, message);
    }

    /// Shows a warning to the user.
    pub(crate) fn show_warning(&self, message: String) {
        self.show(MessageType::WARNING, message);
    }

    fn show(&self, kind: MessageType, message: String) {
        if let Some(client) = self.client.clone() {
            self.runtime.spawn(async move { client.show_message(kind, message).await });
        }
    }

    /// Asks the client to show progress with the token `token`, and returns whether it does.
    #[cfg(feature = "run")]
    pub(crate) fn create_progress(&self, token: &NumberOrString) -> bool {
        let Some(client) = self.client.clone() else { return false };
        let params = WorkDoneProgressCreateParams { token: token.clone() };
        let creating = async move { client.send_request::<WorkDoneProgressCreate>(params).await };
        wait_for(&self.runtime, PATIENCE, creating).is_some_and(|created| created.is_ok())
    }

    /// Sends an edit to the client, which applies it.
    pub(crate) fn apply_edit(&self, edit: &Value) -> Result<Value, Error> {
        let answer = self.offer_edit(edit, PATIENCE)?;
        if answer.applied {
            return Ok(Value::Null);
        }
        let reason = answer.failure_reason.unwrap_or_else(|| "no reason given".to_owned());
        Err(failed(&format!("the editor did not apply the edit: {reason}")))
    }

    /// Sends an edit to the client. The answer says whether it was applied.
    pub(crate) fn offer_edit(
        &self,
        edit: &Value,
        patience: Duration,
    ) -> Result<ApplyWorkspaceEditResponse, Error> {
        self.offer_labelled_edit(edit, None, async move { tokio::time::sleep(patience).await })
    }

    /// Sends an edit to the client, with its name in the list of what can be undone. The response
    /// is waited for until `patience` ends; the client may still apply the edit afterwards.
    pub(crate) fn offer_labelled_edit(
        &self,
        edit: &Value,
        label: Option<&str>,
        patience: impl Future<Output = ()> + Send + 'static,
    ) -> Result<ApplyWorkspaceEditResponse, Error> {
        let params = match label {
            Some(label) => json!({"label": label, "edit": edit}),
            None => json!({"edit": edit}),
        };
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
        // Not dropped after that: a response that nobody waits for makes `tower_lsp` panic.
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
