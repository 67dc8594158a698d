//! `chatls/nextToolUse`: the next tool use after a position, without the list of all
//! (docs/extensions.md).

use lsp_types::{Position, Range};
use serde::{Deserialize, Serialize};

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
    status: Option<WantedStatus>,
    /// True if it continues at the other end of the document.
    #[serde(default)]
    wrap: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum WantedStatus {
    Pending,
    Done,
    Failed,
}

impl From<WantedStatus> for UseStatus {
    fn from(status: WantedStatus) -> Self {
        match status {
            WantedStatus::Pending => Self::Pending,
            WantedStatus::Done => Self::Done,
            WantedStatus::Failed => Self::Failed,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct NextUseResult {
    version: Option<i32>,
    total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use: Option<WireNextToolUse>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireNextToolUse {
    index: usize,
    wrapped: bool,
    label: String,
    status: &'static str,
    range: Range,
    selection_range: Range,
}

/// Handles `chatls/nextToolUse`.
pub fn next_tool_use(params: NextParams, request: &ActiveRequest) -> HandlerResult {
    let steps = NextUseSteps {
        from: request.byte(params.position),
        count: params.count,
        status: params.status.map(UseStatus::from),
        wraps: params.wrap,
    };
    let (total, found) = feature::next_tool_use(&request.document, steps);
    let tool_use = found.map(|found| WireNextToolUse {
        index: found.index,
        wrapped: found.wrapped,
        label: found.listed.label,
        status: found.listed.status.name(),
        range: request.range(&found.listed.range),
        selection_range: request.range(&found.listed.name),
    });
    request.respond(NextUseResult { version: request.version, total, tool_use })
}
