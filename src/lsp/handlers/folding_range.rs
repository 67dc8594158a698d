//! `textDocument/foldingRange`, and `chatls/foldingRanges`: the folds of a part of a document
//! (docs/extensions.md).

use lsp_types::Range;

use crate::features::folding::{self, Folds};

use crate::lsp::conversions::locations::{DocumentParams, PartParams};
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::wire::json_writer::JsonWriter;

/// Handles `textDocument/foldingRange`.
pub fn folding_range(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let folds = folding::folding_ranges(&request.document, request.client.folding);
    match request.is_wanted() {
        true => request.respond_written(|json| write_folds(json, &folds, request.client.region)),
        false => request.respond(()),
    }
}

/// Handles `chatls/foldingRanges`.
pub fn folding_ranges_in(params: PartParams, request: &ActiveRequest) -> HandlerResult {
    let line = |line: u32| usize::try_from(line).unwrap_or(usize::MAX);
    let lines = |part: Range| line(part.start.line)..line(part.end.line).saturating_add(1);
    let lines = params.range.map_or(0..usize::MAX, lines);
    let (total, folds) = folding::folding_ranges_in(&request.document, request.client.folding, lines);
    request.respond_written(|json| {
        json.value("{\"version\":", &request.version)?;
        json.value(",\"total\":", &total)?;
        json.raw(",\"ranges\":");
        write_folds(json, &folds, request.client.region)?;
        json.raw("}");
        Ok(())
    })
}

/// Writes an array of `FoldingRange`; `has_regions` is true if the client supports the kind
/// `region`.
fn write_folds(json: &mut JsonWriter<'_>, folds: &Folds<'_>, has_regions: bool) -> serde_json::Result<()> {
    json.array(folds.iter(), |json, fold| {
        json.value("{\"startLine\":", &fold.start_line)?;
        json.value(",\"endLine\":", &fold.end_line)?;
        // Only tool calls are regions, so that an editor's command for regions folds nothing else.
        if has_regions && fold.kind.is_of_tools() {
            json.raw(",\"kind\":\"region\"");
        }
        if let Some(label) = fold.label {
            json.value(",\"collapsedText\":", &label)?;
        }
        json.raw("}");
        Ok(())
    })
}
