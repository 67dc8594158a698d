//! `chatls/compare`: the document's tool uses compared with the tool uses of another transcript
//! (docs/extensions.md).

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::call::ToolUse;
use crate::document::{Document, Language};
use crate::features::compare::{
    Difference, UsePair, compare as compare_documents, id_of, label_of, normalised,
};
use crate::text::{Encoding, Text};

use crate::lsp::conversions::locations::lsp_range;
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// Its params: the document, and the text of the other transcript, which need not be open.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompareParams {
    other: OtherTranscript,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OtherTranscript {
    uri: String,
    #[serde(default)]
    language_id: String,
    text: String,
}

/// Handles `chatls/compare`.
pub fn compare(params: CompareParams, request: &ActiveRequest) -> HandlerResult {
    let CompareParams { other } = params;
    let left = &request.document;
    let text = Text::new(&other.text);
    let language = Language::of(&other.language_id, &other.uri, &text);
    let right = Document::new(text, language, Arc::clone(left.settings()));
    let found = compare_documents(left, &right);
    let encoding = request.client.encoding;
    let pair = |pair: &UsePair| {
        json!({
            "left": wire(left, &pair.left, encoding),
            "right": wire(&right, &pair.right, encoding),
            "by": if pair.by_id { "id" } else { "order" },
            "differences": pair.differences.iter().map(difference).collect::<Value>(),
            "moreDifferences": pair.more,
        })
    };
    request.respond(json!({
        "version": request.version,
        "isSame": found.is_same(),
        "pairs": found.pairs.iter().map(pair).collect::<Value>(),
        "onlyLeft": found.only_left.iter().map(|one| wire(left, one, encoding)).collect::<Value>(),
        "onlyRight": found.only_right.iter().map(|one| wire(&right, one, encoding)).collect::<Value>(),
        "leftText": normalised(left),
        "rightText": normalised(&right),
    }))
}

fn wire(document: &Document, one: &ToolUse, encoding: Encoding) -> Value {
    let range = document.cursor().without_line_ends(one.range.clone());
    let range = lsp_range(document.text(), &range, encoding);
    let (name, label, status) = (one.shown_name(), label_of(one), one.status);
    let mut wire = json!({"toolName": name, "label": label, "status": status, "range": range});
    if let Some(id) = id_of(one) {
        wire["toolCallId"] = id.into();
    }
    wire
}

/// Values are JSON text, because not every client's JSON can represent all payloads.
fn difference(one: &Difference) -> Value {
    json!({"path": one.path, "left": one.left, "right": one.right})
}
