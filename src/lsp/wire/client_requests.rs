//! The server's own requests to the client, by the ids of their responses.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use lsp_types::request::{Request as _, ShowMessageRequest};
use lsp_types::{MessageActionItem, MessageType};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::oneshot::{Receiver, Sender, channel};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::lsp::wire::message::error;
use crate::lsp::wire::outbox::Outbox;
use crate::never::lock;

/// Sends requests to the client, which is ready for them after `initialized`.
pub struct ClientRequests {
    outbox: Arc<Outbox>,
    waiting: Mutex<WaitingRequests>,
}

#[derive(Default)]
struct WaitingRequests {
    /// The id of the next request.
    next: i64,
    by_id: HashMap<Id, Sender<Result<Value, Error>>>,
}

/// A request that is waited for. Afterwards, its response is ignored.
struct OpenRequest {
    client: Arc<ClientRequests>,
    id: Id,
}

impl ClientRequests {
    /// No requests; they are sent through `outbox`.
    pub fn new(outbox: Arc<Outbox>) -> Self {
        Self { outbox, waiting: Mutex::default() }
    }

    /// Sends a request once it is awaited. The result is the client's response or its error;
    /// `ParseError` if the response has another type.
    pub fn send<T: DeserializeOwned>(
        self: &Arc<Self>,
        method: &'static str,
        params: Value,
    ) -> impl Future<Output = Result<T, Error>> + Send + 'static + use<T> {
        let client = Arc::clone(self);
        async move {
            let (open, response) = client.begin();
            client.outbox.send(&Request::build(method).params(params).id(open.id.clone()).finish());
            let result = response.await.map_err(|_| Error::internal_error())??;
            serde_json::from_value(result).map_err(|fault| error(ErrorCode::ParseError, fault.to_string()))
        }
    }

    /// Asks the user for one of `answers`; `None` without an answer.
    pub fn ask(
        self: &Arc<Self>,
        typ: MessageType,
        message: String,
        answers: &[&str],
    ) -> impl Future<Output = Option<String>> + Send + 'static + use<> {
        let actions: Vec<_> = answers.iter().map(|title| json!({"title": title})).collect();
        let params = json!({"type": typ, "message": message, "actions": actions});
        let asking = self.send::<Option<MessageActionItem>>(ShowMessageRequest::METHOD, params);
        async move { asking.await.ok()?.map(|item| item.title) }
    }

    /// Takes in a response. Its request may have been given up.
    pub fn receive(&self, response: Response) {
        let (id, result) = response.into_parts();
        match lock(&self.waiting).by_id.remove(&id) {
            Some(sender) => drop(sender.send(result)),
            None => tracing::debug!(%id, "a response to no open request"),
        }
    }

    fn begin(self: &Arc<Self>) -> (OpenRequest, Receiver<Result<Value, Error>>) {
        let (sender, receiver) = channel();
        let mut waiting = lock(&self.waiting);
        let id = Id::Number(waiting.next);
        waiting.next += 1;
        waiting.by_id.insert(id.clone(), sender);
        (OpenRequest { client: Arc::clone(self), id }, receiver)
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        lock(&self.client.waiting).by_id.remove(&self.id);
    }
}
