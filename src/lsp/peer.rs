//! Requests and notifications to the client, sent by request handlers.

use crate::convert::{ConversionLoss, loss_text as words};
use crate::dialect::Dialect;
use crate::features::conversion::{ConversionPlan, words_of};
use crate::lsp::wire::message::{Notification, failed, show_message};
use crate::lsp::wire::outbox::Outbox;
use crate::prose::counted;
use lsp_types::{ApplyWorkspaceEditResponse, MessageType, NumberOrString};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tower_lsp::jsonrpc::Error;

/// The time that a client has to apply an edit.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// The time that a user has to answer.
pub(crate) const THINKING: Duration = Duration::from_secs(600);

/// The client, for a request handler that waits for it.
pub trait ClientConnection: Send + Sync {
    /// The user's answer to `question`, one of `answers`; `None` without one.
    fn ask(&self, question: &str, answers: &[&str]) -> Option<String>;

    /// Sends the params of `workspace/applyEdit`, and waits for the response until `patience` ends;
    /// the client may still apply the edit afterwards.
    ///
    /// # Errors
    ///
    /// The errors of the client, and a missing response.
    fn apply_edit(&self, params: Value, patience: Duration) -> Result<ApplyWorkspaceEditResponse, Error>;
}

/// The connection of a request handler to the client.
#[derive(Clone)]
pub struct ClientPeer {
    /// Sends requests.
    pub connection: Arc<dyn ClientConnection>,
    /// Queues notifications.
    pub outbox: Arc<Outbox>,
}

impl ClientPeer {
    /// Lets the user choose one of the `possible` dialects.
    pub(crate) fn choose_dialect(&self, possible: &[(&'static Dialect, &str)]) -> Option<&'static Dialect> {
        let question = "Convert to which dialect of tool calls?";
        self.choose(question, possible, |(_, words)| words).map(|(dialect, _)| *dialect)
    }

    /// Asks the user to accept the losses of `plan`.
    pub(crate) fn confirms(&self, plan: &ConversionPlan, to: &Dialect) -> bool {
        let losses = plan.losses();
        if losses.is_empty() && plan.left == 0 {
            return true;
        }
        let mut question = format!("Converting {} to {}", counted(plan.converted, "tool call"), words_of(to));
        match losses {
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
        self.agrees(&question, "Convert")
    }

    /// Asks the user to accept a result with `losses`.
    pub(crate) fn accepts(&self, losses: &[ConversionLoss]) -> bool {
        let question = format!("Writing the result in this form {}", words::of_one(losses));
        self.agrees(&question, "Write it")
    }

    /// True if the user gives the answer `yes` to `question`.
    pub(crate) fn agrees(&self, question: &str, yes: &str) -> bool {
        self.connection.ask(question, &[yes, "Cancel"]).is_some_and(|answer| answer == yes)
    }

    /// Lets the user choose one of `items` by its words.
    pub(crate) fn choose<'i, T>(
        &self,
        question: &str,
        items: &'i [T],
        words: impl Fn(&T) -> &str,
    ) -> Option<&'i T> {
        let answers: Vec<&str> = items.iter().map(&words).collect();
        let answer = self.connection.ask(question, &answers)?;
        items.iter().find(|item| words(item) == answer)
    }

    /// Shows a message to the user.
    pub(crate) fn show_message(&self, message: String) {
        self.outbox.send(&show_message(MessageType::INFO, message));
    }

    /// Shows a warning to the user.
    pub(crate) fn show_warning(&self, message: String) {
        self.outbox.send(&show_message(MessageType::WARNING, message));
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
        self.connection.apply_edit(json!({"edit": edit}), patience)
    }
}

/// Sends the progress of a request, or parts of its result, to a client that has given a token.
#[derive(Clone)]
pub struct ProgressReporter {
    outbox: Arc<Outbox>,
    token: Option<NumberOrString>,
}

/// LSP 3.17, `ProgressParams`.
#[derive(Serialize)]
struct ProgressParams<'a, T> {
    token: &'a NumberOrString,
    value: T,
}

impl ProgressReporter {
    /// Reports with `token`; without one, nothing is sent.
    pub fn new(outbox: &Arc<Outbox>, token: Option<NumberOrString>) -> Self {
        Self { outbox: Arc::clone(outbox), token }
    }

    /// True if the client has given a token.
    pub fn has_token(&self) -> bool {
        self.token.is_some()
    }

    /// Sends `value`.
    pub fn send(&self, value: impl Serialize) {
        if let Some(token) = &self.token {
            self.outbox.send(&Notification::new("$/progress", ProgressParams { token, value }));
        }
    }

    /// Reports a message.
    pub fn message(&self, message: &str) {
        self.send(json!({"kind": "report", "message": message}));
    }
}
