//! `chatls/redacted`: a copy of the document that can be shared (docs/extensions.md).

use serde_json::json;

use crate::features::redact::{RedactedDocument, redacted as copy_of};

use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::handlers::export::name_of;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::message::failed;

/// Handles `chatls/redacted`.
pub fn redacted(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let copy = copy_of(&request.document, &name_of(&request.uri)).map_err(|reason| failed(&reason))?;
    let RedactedDocument { document, name, left, counts } = copy;
    let (version, text, counts) = (request.version, document.text().to_string(), counts.to_string());
    request.respond(json!({"version": version, "text": text, "name": name, "counts": counts, "left": left}))
}
