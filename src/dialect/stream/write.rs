//! Tool uses as records: a call and its result, in a fence.

use super::records;
use crate::call::{Layer, Said, Status, ToolUse};
use crate::config::{Protocol, Settings};
use crate::dialect::object;
use crate::json::quote;

/// A fenced log of the call and its result: the full stream of AI SDK 5, or that of 4 where `protocol` says so.
pub(super) fn write(tool_use: &ToolUse, settings: &Settings) -> Option<String> {
    tool_use.name.as_ref().filter(|name| !name.is_empty())?;
    let layer = if settings.protocol == Protocol::V4 { Layer::V4 } else { Layer::Full };
    // Records find each other by their ids.
    let call = ToolUse { id_is_fallback: false, ..tool_use.clone() };
    let answer = ToolUse { input: None, extra: Vec::new(), ..call.clone() };
    let answer = match (tool_use.status, layer) {
        (Status::Pending, _) => None,
        (Status::Failed, Layer::V4) => {
            let text = tool_use.error_text.as_deref().unwrap_or_default();
            let output = Said::Json(format!("{{\"error\":{}}}", quote(text)));
            Some(("tool-result", ToolUse { output: Some(output), ..answer }))
        }
        (Status::Failed, _) => {
            let error_text = Some(tool_use.error_text.clone().unwrap_or_default());
            Some(("tool-error", ToolUse { error_text, ..answer }))
        }
        (Status::Done, _) => {
            let output = tool_use.output.clone().unwrap_or_else(|| Said::Json("null".to_owned()));
            Some(("tool-result", ToolUse { output: Some(output), ..answer }))
        }
    };
    let record = |(name, tool_use): &(&str, ToolUse)| {
        let shape = records::find(name, Some(layer), None)?.shape;
        Some(object::write(tool_use, shape, &[("type", quote(name))]))
    };
    let records: Option<Vec<_>> = [Some(("tool-call", call)), answer].iter().flatten().map(record).collect();
    Some(format!("```jsonl\n{}\n```", records?.join("\n")))
}
