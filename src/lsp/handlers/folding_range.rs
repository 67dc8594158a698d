//! `textDocument/foldingRange`, and `chatls/foldingRanges`: the folds of a part of a document
//! (docs/extensions.md).

use lsp_types::Range;
use serde::Serialize;

use crate::features::folding;

use crate::lsp::conversions::locations::{DocumentParams, PartParams};
use crate::lsp::conversions::to_proto::FoldingRanges;
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// Handles `textDocument/foldingRange`.
pub fn folding_range(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let folds = folding::folding_ranges(&request.document, request.client.folding);
    request.respond(
        request.is_wanted().then_some(FoldingRanges { folds: &folds, has_regions: request.client.region }),
    )
}

#[derive(Serialize)]
struct WireFoldPart<'a> {
    version: Option<i32>,
    total: usize,
    ranges: FoldingRanges<'a>,
}

/// Handles `chatls/foldingRanges`.
pub fn folding_ranges_in(params: PartParams, request: &ActiveRequest) -> HandlerResult {
    let line = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let lines = |part: Range| line(part.start.line)..line(part.end.line).saturating_add(1);
    let lines = params.range.map_or(0..usize::MAX, lines);
    let (total, folds) = folding::folding_ranges_in(&request.document, request.client.folding, lines);
    let ranges = FoldingRanges { folds: &folds, has_regions: request.client.region };
    request.respond(WireFoldPart { version: request.version, total, ranges })
}
