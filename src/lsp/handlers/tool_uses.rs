//! `chatls/toolUses`: the tool uses and batches of a document; `chatls/nextToolUse`: the next one
//! after a position, without the list of all; and `chatls/newToolUse`: a new call at a position, as
//! a snippet (docs/extensions.md).

use std::ops;

use lsp_types::{Position, Range};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::call::{UseCounts, UseStatus};
use crate::features::new_call::new_calls;
use crate::features::next_tool_use::{self, NextUseStep, NextUseSteps};
use crate::features::tool_uses::{self, ListedBatch, ListedUse};

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
    let part = params.range.map(|range| request.bytes(range));
    let place = |range: &ops::Range<usize>| request.range(range);
    let listing = tool_uses::tool_uses(&request.document, &part.unwrap_or(0..request.text().len()));
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
    request.respond(WireToolUseListing {
        version: request.version,
        enabled: request.document.settings().enabled,
        is_transcript: request.document.is_active(),
        counts: json!({"toolUses": uses, "failed": failed, "pending": pending, "batches": batches}),
        tool_uses: listing.tool_uses.into_iter().map(tool_use).collect(),
        batches: listing.batches.into_iter().map(batch).collect(),
    })
}

/// The params of `chatls/nextToolUse`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NextParams {
    position: Position,
    /// The number of tool uses to go forward; backward if negative.
    count: i32,
    #[serde(default)]
    status: Option<UseStatus>,
    /// True if it continues at the other end of the document.
    #[serde(default)]
    wrap: bool,
}

/// Handles `chatls/nextToolUse`.
pub fn next_tool_use(params: NextParams, request: &ActiveRequest) -> HandlerResult {
    let steps = NextUseSteps {
        from: request.byte(params.position),
        count: params.count,
        status: params.status,
        wraps: params.wrap,
    };
    let (total, found) = next_tool_use::next_tool_use(&request.document, steps);
    let mut answer = json!({"version": request.version, "total": total});
    if let Some(NextUseStep { index, wrapped, listed }) = found {
        answer["toolUse"] = json!({
            "index": index,
            "wrapped": wrapped,
            "label": listed.label,
            "status": listed.status.name(),
            "range": request.range(&listed.range),
            "selectionRange": request.range(&listed.name),
        });
    }
    request.respond(answer)
}

/// The params of `chatls/newToolUse`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewToolUseParams {
    position: Position,
    /// The tool to call. Default: all known tools.
    #[serde(default)]
    tool_name: Option<String>,
}

/// Handles `chatls/newToolUse`.
pub fn new_tool_use(params: NewToolUseParams, request: &ActiveRequest) -> HandlerResult {
    let at = request.byte(params.position);
    let mut answer = json!({"version": request.version, "calls": []});
    if let Some(found) = new_calls(&request.document, at, params.tool_name.as_deref()) {
        answer["range"] = json!(request.range(&found.range));
        answer["calls"] = json!(found.calls);
    }
    request.respond(answer)
}
