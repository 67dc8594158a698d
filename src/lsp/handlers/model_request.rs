//! `chatls/modelRequest`: the request that continues a conversation (docs/extensions.md).

use std::borrow::Cow;

use lsp_types::{Position, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Error;

use crate::features::chat_forms::ChatError;
use crate::features::chat_forms::request::{REQUEST_FORMS, RequestOptions, write_request};
use crate::features::redact::redacted;
use crate::text::ClientPosition;
use crate::text::position::client_position_to_byte;

use crate::lsp::request::{HandlerResult, RequestHandler};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRequestParams {
    text_document: TextDocumentIdentifier,
    position: Option<Position>,
    to: String,
    model: Option<String>,
    max_tokens: Option<u64>,
    #[serde(default)]
    stream: bool,
    /// True for pseudonyms in place of secrets, user names and addresses.
    #[serde(default)]
    redact: bool,
}

#[derive(Serialize)]
struct ModelRequestResult {
    version: Option<i32>,
    text: String,
    warnings: Vec<String>,
}

/// Handles `chatls/modelRequest`.
pub struct ModelRequestHandler;

impl RequestHandler for ModelRequestHandler {
    const METHOD: &'static str = "chatls/modelRequest";
    type Params = ModelRequestParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn handle(params: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let mut document = Cow::Borrowed(&snapshot.document);
        let mut left = None;
        if params.redact {
            let copy = redacted(&document, "").map_err(|reason| failed(&reason))?;
            (document, left) = (Cow::Owned(copy.document), copy.left);
        }
        let form = REQUEST_FORMS.iter().find(|form| form.name == params.to);
        let form = form.ok_or_else(|| Error::invalid_params(unknown(&params.to)))?;
        let at = params.position.map(|position| {
            let position = ClientPosition { line: position.line, column: position.character };
            client_position_to_byte(document.text(), position, snapshot.client.encoding)
        });
        let ModelRequestParams { model, max_tokens, stream, .. } = params;
        let options = RequestOptions { at, model, max_tokens, stream };
        let written = write_request(&document, form, &options).map_err(|error| match error {
            ChatError::Several(count) => {
                failed(&format!("the document has {count} conversations: a `position` is needed"))
            }
            other => failed(&format!("there is no request: {other}")),
        })?;
        let mut warnings = written.warnings(form, &options);
        warnings.extend(left);
        pending.response(ModelRequestResult { version: snapshot.version, text: written.text, warnings })
    }
}

fn unknown(name: &str) -> String {
    let names: Vec<_> = REQUEST_FORMS.iter().map(|form| form.name).collect();
    format!("`to` must be {}, not `{name}`", names.join(", "))
}
