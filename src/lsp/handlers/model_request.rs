//! `chatls/modelRequest`: the request that continues a conversation (docs/extensions.md).

use std::borrow::Cow;

use lsp_types::Position;
use serde::Deserialize;
use serde_json::json;
use tower_lsp::jsonrpc::Error;

use crate::features::chat_forms::ChatError;
use crate::features::chat_forms::request::{REQUEST_FORMS, RequestOptions, write_request};
use crate::features::redact::redacted;

use crate::lsp::conversions::locations::byte_at;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::message::failed;

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRequestParams {
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

/// Handles `chatls/modelRequest`.
pub fn model_request(params: ModelRequestParams, request: &ActiveRequest) -> HandlerResult {
    let mut document = Cow::Borrowed(&request.document);
    let mut left = None;
    if params.redact {
        let copy = redacted(&document, "").map_err(|reason| failed(&reason))?;
        (document, left) = (Cow::Owned(copy.document), copy.left);
    }
    let form = REQUEST_FORMS.iter().find(|form| form.name == params.to);
    let form = form.ok_or_else(|| Error::invalid_params(unknown(&params.to)))?;
    let at = params.position.map(|position| byte_at(document.text(), position, request.client.encoding));
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
    request.respond(json!({"version": request.version, "text": written.text, "warnings": warnings}))
}

fn unknown(name: &str) -> String {
    let names: Vec<_> = REQUEST_FORMS.iter().map(|form| form.name).collect();
    format!("`to` must be {}, not `{name}`", names.join(", "))
}
