//! `chatls/export`: the document as one HTML page, or as Markdown (docs/extensions.md).

use std::borrow::Cow;

use lsp_types::Url;
use serde::Deserialize;
use serde_json::json;

use crate::features::export;
use crate::features::redact::redacted;

use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::message::failed;

/// Its params.
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
        let copy = redacted(&document, &title).map_err(|reason| failed(&reason))?;
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

/// The last segment of a URI's path, decoded for people.
pub fn name_of(uri: &Url) -> String {
    let name = uri.path().rsplit('/').next().unwrap_or_default();
    percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned()
}
