//! `textDocument/formatting`, `rangeFormatting`, `rangesFormatting` and `onTypeFormatting`.
//!
//! `[format]` defines the format of payloads, so that it is the same for all authors of a document
//! and in CI; the editor's tab settings are ignored.

use lsp_types::Position;
use serde::Deserialize;

use crate::features::formatting::{self, ON_TYPE, format, format_on_type};

use crate::lsp::conversions::edits::text_edits;
use crate::lsp::conversions::locations::{DocumentParams, RangeParams};
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// The params of `textDocument/onTypeFormatting`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnTypeParams {
    position: Position,
    ch: String,
}

/// Handles `textDocument/formatting`.
pub fn formatting(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let whole = 0..request.text().len();
    let edits = format(&request.document, &whole, &|| request.is_wanted());
    request.respond(text_edits(request, edits))
}

/// Handles `textDocument/rangeFormatting`.
pub fn range_formatting(params: RangeParams, request: &ActiveRequest) -> HandlerResult {
    format_ranges(&[params.range], request)
}

/// The params of `textDocument/rangesFormatting`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RangesFormattingParams {
    ranges: Vec<lsp_types::Range>,
}

/// Handles `textDocument/rangesFormatting` (LSP 3.18): several selections at once.
pub fn ranges_formatting(params: RangesFormattingParams, request: &ActiveRequest) -> HandlerResult {
    format_ranges(&params.ranges, request)
}

fn format_ranges(ranges: &[lsp_types::Range], request: &ActiveRequest) -> HandlerResult {
    let ranges: Vec<_> = ranges.iter().map(|range| request.bytes(*range)).collect();
    let edits = formatting::format_ranges(&request.document, &ranges, &|| request.is_wanted());
    request.respond(text_edits(request, edits))
}

/// Handles `textDocument/onTypeFormatting`.
pub fn on_type_formatting(params: OnTypeParams, request: &ActiveRequest) -> HandlerResult {
    let at = request.byte(params.position);
    let typed = params.ch.chars().next().filter(|typed| ON_TYPE.contains(typed));
    let edits = typed.map(|typed| format_on_type(&request.document, at, typed)).unwrap_or_default();
    request.respond(text_edits(request, edits))
}
