//! `chatls/export`: the document as one HTML page, or as Markdown (docs/extensions.md).

use lsp_types::{TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};

use crate::features::export;

use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// Its name.
pub const METHOD: &str = "chatls/export";

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportParams {
    text_document: TextDocumentIdentifier,
    format: ExportFormat,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ExportFormat {
    Html,
    Markdown,
}

#[derive(Serialize)]
struct ExportResult {
    version: Option<i32>,
    text: String,
}

/// The work of `chatls/export`.
pub fn export(params: ExportParams) -> (Url, RequestWork) {
    let ExportParams { text_document, format } = params;
    let title = name_of(&text_document.uri);
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let text = match format {
            ExportFormat::Html => export::html(&snapshot.document, &title),
            ExportFormat::Markdown => export::markdown(&snapshot.document),
        };
        Frame::of(&Answer::new(&pending.id, ExportResult { version: snapshot.version, text }))
    });
    (text_document.uri, work)
}

/// The last part of a URI's path, as people read it.
fn name_of(uri: &Url) -> String {
    let name = uri.path().rsplit('/').next().unwrap_or_default();
    percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned()
}
