//! Handlers that ask the client. No thread can wait for an answer: the handler runs again with each
//! answer.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::Duration;

use lsp_types::request::{ApplyWorkspaceEdit, Request as _, ShowMessageRequest};
use lsp_types::{ApplyWorkspaceEditResponse, MessageType};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};

use crate::lsp::peer::ClientConnection;
use crate::lsp::request::{ActiveRequest, HandlerResult, Route};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;
use crate::never::lock;
use std::sync::Arc;

/// A request whose handler may wait for the client.
pub struct Dialog {
    pub route: &'static Route,
    pub params: Value,
    pub pending: PendingRequest,
    /// The data of the request, as it was in the request's turn.
    pub snapshot: Snapshot,
    pub replay: Arc<Replay>,
}

impl Dialog {
    /// Runs the handler from its beginning.
    pub fn run(&self) -> HandlerResult {
        self.replay.begin();
        let work = self.route.work(self.params.clone())?;
        work(&ActiveRequest { snapshot: &self.snapshot, pending: &self.pending })
    }
}

/// The answers of the client to a handler, in order, and its next question.
#[derive(Default)]
pub struct Replay(Mutex<ReplayState>);

#[derive(Default)]
struct ReplayState {
    answers: Vec<Result<Value>>,
    left: VecDeque<Result<Value>>,
    asked: Option<(&'static str, Value)>,
}

impl Replay {
    fn begin(&self) {
        let mut state = lock(&self.0);
        state.left = state.answers.iter().cloned().collect();
    }

    /// The question that has no answer yet, if the last run had one.
    pub fn asked(&self) -> Option<(&'static str, Value)> {
        lock(&self.0).asked.take()
    }

    /// Takes in the answer to the last question.
    pub fn answer(&self, answer: Result<Value>) {
        lock(&self.0).answers.push(answer);
    }

    /// The result of a request; `None` if the client has not answered it yet.
    fn request(&self, method: &'static str, params: Value) -> Option<Result<Value>> {
        let mut state = lock(&self.0);
        if state.asked.is_some() {
            return None;
        }
        let answer = state.left.pop_front();
        if answer.is_none() {
            state.asked = Some((method, params));
        }
        answer
    }
}

impl ClientConnection for Replay {
    fn ask(&self, question: &str, answers: &[&str]) -> Option<String> {
        let actions: Vec<_> = answers.iter().map(|title| json!({"title": title})).collect();
        let params = json!({"type": MessageType::INFO, "message": question, "actions": actions});
        let answer = self.request(ShowMessageRequest::METHOD, params)?.ok()?;
        answer["title"].as_str().map(str::to_owned)
    }

    fn apply_edit(&self, params: Value, _: Duration) -> Result<ApplyWorkspaceEditResponse> {
        let no_answer = || failed("the editor did not say whether it applied the edit");
        let answer = self.request(ApplyWorkspaceEdit::METHOD, params).ok_or_else(no_answer)??;
        serde_json::from_value(answer).map_err(|error| Error::invalid_params(error.to_string()))
    }
}
