//! `chatls/events`: the document as the UI message stream of the AI SDK (docs/extensions.md).

use serde::Serialize;
use serde_json::value::RawValue;

use crate::events::{Deltas, events_of_document};

use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::message::unserializable;
use crate::lsp::wire::recover;

#[derive(Serialize)]
struct EventsResult {
    version: Option<i32>,
    events: Vec<Box<RawValue>>,
}

/// Handles `chatls/events`.
pub fn events(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let events = events_of_document(&request.document, Deltas::OnePerText).into_iter().map(raw);
    let events = events.collect::<serde_json::Result<_>>().map_err(unserializable)?;
    request.respond(EventsResult { version: request.version, events })
}

/// The event unchanged, except for halves of surrogate pairs, which payloads may contain but not
/// every client's JSON.
fn raw(event: String) -> serde_json::Result<Box<RawValue>> {
    let mended = recover::lone_surrogates(event.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
    RawValue::from_string(mended.unwrap_or(event))
}
