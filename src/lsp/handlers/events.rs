//! `chatls/events`: the document as the UI message stream of the AI SDK (docs/extensions.md).

use lsp_types::Url;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::events::{Deltas, events_of_document};

use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;
use crate::lsp::wire::recover;

/// Its name.
pub const METHOD: &str = "chatls/events";

#[derive(Serialize)]
struct EventsResult {
    version: Option<i32>,
    events: Vec<Box<RawValue>>,
}

/// The work of `chatls/events`.
pub fn events(params: DocumentParams) -> (Url, RequestWork) {
    let work: RequestWork = Box::new(|snapshot, pending| {
        let events = events_of_document(&snapshot.document, Deltas::OnePerText).into_iter().map(raw);
        let events = events.collect::<serde_json::Result<_>>()?;
        Frame::of(&Answer::new(&pending.id, EventsResult { version: snapshot.version, events }))
    });
    (params.uri(), work)
}

/// An event as it is, but for halves of surrogate pairs, which a payload may have and not every client's JSON.
fn raw(event: String) -> serde_json::Result<Box<RawValue>> {
    let mended = recover::lone_surrogates(event.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok());
    RawValue::from_string(mended.unwrap_or(event))
}
