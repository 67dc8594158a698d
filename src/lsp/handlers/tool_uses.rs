//! `chatls/toolUses`: the tool uses and batches of a document (docs/extensions.md).

use std::ops;

use lsp_types::Range;
use serde::Serialize;
use serde_json::{Value, json};

use crate::call::UseCounts;
use crate::features::tool_uses as feature;
use crate::features::tool_uses::{ListedBatch, ListedUse};

use crate::lsp::conversions::locations::PartParams;
use crate::lsp::request::{ActiveRequest, HandlerResult};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireToolUseListing {
    version: Option<i32>,
    enabled: bool,
    is_transcript: bool,
    counts: Value,
    tool_uses: Vec<WireToolUse>,
    batches: Vec<Value>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireToolUse {
    tool_name: String,
    label: String,
    status: &'static str,
    dialect: &'static str,
    range: Range,
    selection_range: Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<usize>,
}

/// Handles `chatls/toolUses`.
pub fn tool_uses(params: PartParams, request: &ActiveRequest) -> HandlerResult {
    let PartParams { range, .. } = params;
    let part = range.map(|range| request.bytes(range));
    let place = |range: &ops::Range<usize>| request.range(range);
    let listing = feature::tool_uses(&request.document, &part.unwrap_or(0..request.text().len()));
    let tool_use = |listed: ListedUse| WireToolUse {
        tool_name: listed.tool_name,
        label: listed.label,
        status: listed.status.name(),
        dialect: listed.dialect,
        range: place(&listed.range),
        selection_range: place(&listed.name),
        batch: listed.batch,
    };
    let batch = |ListedBatch { label, counts, range }: ListedBatch| {
        let UseCounts { uses, failed, pending } = counts;
        json!({"label": label, "range": place(&range), "toolUses": uses, "failed": failed, "pending": pending})
    };
    let (UseCounts { uses, failed, pending }, batches) = (listing.counts, listing.batch_count);
    let answer = WireToolUseListing {
        version: request.version,
        enabled: request.document.settings().enabled,
        is_transcript: request.document.is_active(),
        counts: json!({"toolUses": uses, "failed": failed, "pending": pending, "batches": batches}),
        tool_uses: listing.tool_uses.into_iter().map(tool_use).collect(),
        batches: listing.batches.into_iter().map(batch).collect(),
    };
    request.respond(answer)
}
