//! Requests that have no response yet, by id, and their cancellation.

use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::json_writer::JsonWriter;
use crate::lsp::wire::message::{self, Answer};
use crate::lsp::wire::outbox::Outbox;
use crate::never::lock;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Response};

/// The maximum number of requests without a response.
const PENDING_LIMIT: usize = 10_000;

/// The requests without a response.
#[derive(Clone)]
pub struct PendingRequests {
    table: Arc<Mutex<PendingTable>>,
    outbox: Arc<Outbox>,
}

#[derive(Default)]
struct PendingTable {
    /// The serial number of each request id: ids may be reused.
    serials: HashMap<Id, u64>,
    last: u64,
}

impl PendingRequests {
    /// No requests; `outbox` gets the error responses of dropped requests.
    pub fn new(outbox: Arc<Outbox>) -> Self {
        Self { table: Arc::default(), outbox }
    }

    /// Takes in a request.
    ///
    /// # Errors
    ///
    /// `InvalidRequest` if its id is in use, `ServerCancelled` if too many requests or responses
    /// wait.
    pub fn begin(&self, id: &Id) -> Result<PendingRequest, Error> {
        let mut table = lock(&self.table);
        if table.serials.contains_key(id) {
            return Err(message::error(ErrorCode::InvalidRequest, "the id is in use"));
        }
        if table.serials.len() >= PENDING_LIMIT || self.outbox.is_full() {
            return Err(message::server_cancelled("too many requests without a response"));
        }
        table.last += 1;
        let serial = table.last;
        table.serials.insert(id.clone(), serial);
        Ok(PendingRequest { id: id.clone(), serial, table: self.clone() })
    }

    /// Drops all requests: the session ends without their responses.
    pub fn drop_all(&self) {
        lock(&self.table).serials.clear();
    }

    /// Removes `id`; returns whether it was pending.
    pub fn cancel(&self, id: &Id) -> bool {
        lock(&self.table).serials.remove(id).is_some()
    }
}

/// A pending response. If dropped without one, it is answered with `InternalError`.
pub struct PendingRequest {
    /// The request's id.
    pub id: Id,
    serial: u64,
    table: PendingRequests,
}

impl PendingRequest {
    /// The response with `result`, serialized directly into a frame.
    ///
    /// # Errors
    ///
    /// `InternalError` if `result` cannot be serialized.
    pub fn response(&self, result: impl Serialize) -> Result<Frame, Error> {
        Frame::of(&Answer::new(&self.id, result)).map_err(message::unserializable)
    }

    /// The response with the result that `write` writes.
    ///
    /// # Errors
    ///
    /// `InternalError` for the errors of `write`.
    pub fn written_response(
        &self,
        write: impl FnOnce(&mut JsonWriter<'_>) -> serde_json::Result<()>,
    ) -> Result<Frame, Error> {
        let written = Frame::written(|json| {
            json.value("{\"jsonrpc\":\"2.0\",\"id\":", &self.id)?;
            json.raw(",\"result\":");
            write(json)?;
            json.raw("}");
            Ok(())
        });
        written.map_err(message::unserializable)
    }

    /// Sends the response with `result`, unless the request was answered or cancelled.
    pub fn answer(&self, result: impl Serialize) {
        if self.respond() {
            self.table.outbox.send(&Answer::new(&self.id, result));
        }
    }

    /// Sends an error as the response, unless the request was answered or cancelled.
    pub fn refuse(&self, error: Error) {
        if self.respond() {
            self.table.outbox.send(&Response::from_error(self.id.clone(), error));
        }
    }

    /// Sends the result of a handler, unless the request was answered or cancelled. May wait for
    /// the client, where a thread writes to it.
    pub fn finish(&self, result: Result<Frame, Error>) {
        match result {
            Ok(frame) if self.respond() => self.table.outbox.deliver(frame),
            Ok(_) => {}
            Err(error) => self.refuse(error),
        }
    }

    /// True if it is neither answered nor cancelled.
    pub fn is_wanted(&self) -> bool {
        lock(&self.table.table).serials.get(&self.id) == Some(&self.serial)
    }

    /// Claims the response; true for the first caller, unless the request was cancelled.
    fn respond(&self) -> bool {
        let mut table = lock(&self.table.table);
        table.serials.get(&self.id) == Some(&self.serial) && table.serials.remove(&self.id).is_some()
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        self.refuse(Error::internal_error());
    }
}
