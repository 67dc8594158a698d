//! `chatls/newToolUse`: a new call at a position, as a snippet (docs/extensions.md).

use lsp_types::{Position, Range};
use serde::{Deserialize, Serialize};

use crate::features::new_call::{NewCall, new_calls};

use crate::lsp::request::{ActiveRequest, HandlerResult};

/// The params of the request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewToolUseParams {
    position: Position,
    /// The tool to call. Default: all known tools.
    #[serde(default)]
    tool_name: Option<String>,
}

#[derive(Serialize)]
struct NewToolUse {
    version: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
    calls: Vec<NewCall>,
}

/// Handles `chatls/newToolUse`.
pub fn new_tool_use(params: NewToolUseParams, request: &ActiveRequest) -> HandlerResult {
    let at = request.byte(params.position);
    let found = new_calls(&request.document, at, params.tool_name.as_deref());
    let range = found.as_ref().map(|found| request.range(&found.range));
    let calls = found.map(|found| found.calls).unwrap_or_default();
    request.respond(NewToolUse { version: request.version, range, calls })
}
