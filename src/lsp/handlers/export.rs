//! `chatls/export`: the document as one HTML page, or as Markdown; and `chatls/redacted`: a copy of
//! the document that can be shared (docs/extensions.md).

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::json;

use crate::features::export;
use crate::features::redact::{self, RedactedDocument};

use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::document_uri::name_of;
use crate::lsp::wire::message::failed;

/// The params of `chatls/export`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportParams {
    format: ExportFormat,
    /// True for pseudonyms in place of secrets, user names and addresses.
    #[serde(default)]
    redact: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ExportFormat {
    Html,
    Markdown,
}

/// Handles `chatls/export`.
pub fn export(params: ExportParams, request: &ActiveRequest) -> HandlerResult {
    let ExportParams { format, redact } = params;
    let mut title = name_of(&request.uri);
    let mut document = Cow::Borrowed(&request.document);
    if redact {
        let copy = redact::redacted(&document, &title).map_err(|reason| failed(&reason))?;
        if let Some(left) = copy.left {
            request.peer.show_warning(left);
        }
        (document, title) = (Cow::Owned(copy.document), copy.name);
    }
    let text = match format {
        ExportFormat::Html => export::html(&document, &title),
        ExportFormat::Markdown => export::markdown(&document),
    };
    request.respond(json!({"version": request.version, "text": text}))
}

/// Handles `chatls/redacted`.
pub fn redacted(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let copy =
        redact::redacted(&request.document, &name_of(&request.uri)).map_err(|reason| failed(&reason))?;
    let RedactedDocument { document, name, left, counts } = copy;
    let (version, text, counts) = (request.version, document.text().to_string(), counts.to_string());
    request.respond(json!({"version": version, "text": text, "name": name, "counts": counts, "left": left}))
}
