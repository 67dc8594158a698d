//! `chatls/nextToolUse`: the next tool use after a position, without the list of all
//! (docs/extensions.md).

use lsp_types::Position;
use serde::Deserialize;
use serde_json::json;

use crate::call::UseStatus;
use crate::features::next_tool_use as feature;
use crate::features::next_tool_use::NextUseSteps;

use crate::lsp::request::{ActiveRequest, HandlerResult};

/// The params of the request.
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
    let (total, found) = feature::next_tool_use(&request.document, steps);
    let mut answer = json!({"version": request.version, "total": total});
    if let Some(feature::NextUseStep { index, wrapped, listed }) = found {
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
