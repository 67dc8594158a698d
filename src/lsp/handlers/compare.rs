//! `chatls/compare`: the document's tool uses compared with those of another transcript
//! (docs/extensions.md).

use std::ops;
use std::sync::Arc;

use lsp_types::Range;
use serde::{Deserialize, Serialize};

use crate::document::{Document, Language};
use crate::features::compare::{
    ComparedUse, Comparison, Difference, UsePair, compare as compare_documents, normalised,
};
use crate::text::Text;

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

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ComparisonResult<'a> {
    version: Option<i32>,
    is_same: bool,
    pairs: Vec<WirePair<'a>>,
    only_left: Vec<WireUse<'a>>,
    only_right: Vec<WireUse<'a>>,
    left_text: String,
    right_text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WirePair<'a> {
    left: WireUse<'a>,
    right: WireUse<'a>,
    by: &'static str,
    differences: Vec<WireDifference<'a>>,
    more_differences: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireUse<'a> {
    tool_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    label: &'a str,
    status: &'static str,
    range: Range,
}

/// Values are JSON text, because not every client's JSON can represent all payloads.
#[derive(Serialize)]
struct WireDifference<'a> {
    path: &'a str,
    left: Option<&'a str>,
    right: Option<&'a str>,
}

/// Handles `chatls/compare`.
pub fn compare(params: CompareParams, request: &ActiveRequest) -> HandlerResult {
    let CompareParams { other, .. } = params;
    let left = &request.document;
    let text = Text::new(&other.text);
    let language = Language::of(&other.language_id, &other.uri, &text);
    let right = Document::new(text, language, Arc::clone(left.settings()));
    let found = compare_documents(left, &right);
    let place = |document: &Document, range: &ops::Range<usize>| {
        lsp_range(document.text(), range, request.client.encoding)
    };
    let answered = comparison_result(&found, request.version, (left, &right), &place);
    request.respond(answered)
}

fn comparison_result<'a>(
    found: &'a Comparison,
    version: Option<i32>,
    (left, right): (&Document, &Document),
    place: &dyn Fn(&Document, &ops::Range<usize>) -> Range,
) -> ComparisonResult<'a> {
    let wire = |document: &Document, one: &'a ComparedUse| WireUse {
        tool_name: &one.tool_name,
        tool_call_id: one.id.as_deref(),
        label: &one.label,
        status: one.status.name(),
        range: place(document, &one.range),
    };
    let pair = |pair: &'a UsePair| WirePair {
        left: wire(left, &pair.left),
        right: wire(right, &pair.right),
        by: if pair.by_id { "id" } else { "order" },
        differences: pair.differences.iter().map(difference).collect(),
        more_differences: pair.more,
    };
    ComparisonResult {
        version,
        is_same: found.is_same(),
        pairs: found.pairs.iter().map(pair).collect(),
        only_left: found.only_left.iter().map(|one| wire(left, one)).collect(),
        only_right: found.only_right.iter().map(|one| wire(right, one)).collect(),
        left_text: normalised(left),
        right_text: normalised(right),
    }
}

fn difference(one: &Difference) -> WireDifference<'_> {
    WireDifference { path: &one.path, left: one.left.as_deref(), right: one.right.as_deref() }
}
