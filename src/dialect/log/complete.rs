//! Writes results into the objects of their calls, for parts of AI SDK messages.

use crate::call::{Call, UseOutcome};
use crate::dialect::object::result_edits;
use crate::json::{Value, quote};
use crate::text::Span;

/// The edits that write `outcome` into a part of an AI SDK `UIMessage`, or into a `ToolInvocation`
/// of its version 4, which has no failures; empty for other objects.
pub(super) fn complete(call: &Call<'_>, outcome: &UseOutcome) -> Vec<(Span, String)> {
    let Some(object) = call.object.filter(|object| object.get("toolCallId").is_some()) else {
        return Vec::new();
    };
    let text_at = |key| object.get(key).and_then(Value::as_str);
    let Some(state) = text_at("state") else { return Vec::new() };
    let is_part = text_at("type").is_some_and(|kind| kind == "dynamic-tool" || kind.starts_with("tool-"));
    let is_v4 = matches!(&*state, "call" | "partial-call" | "result") && text_at("toolName").is_some();
    let (key, value, state) = match outcome {
        // Without a value, a call counts as pending.
        UseOutcome::Empty if is_part => ("output", "\"\"".to_owned(), "output-available"),
        UseOutcome::Output(output) if is_part => ("output", output.to_json(), "output-available"),
        UseOutcome::Error(text) if is_part => ("errorText", quote(text), "output-error"),
        UseOutcome::Empty if is_v4 => ("result", "\"\"".to_owned(), "result"),
        UseOutcome::Output(output) if is_v4 => ("result", output.to_json(), "result"),
        _ => return Vec::new(),
    };
    let Some(mut edits) = result_edits(call, (key, &value), &["output", "errorText", "result"]) else {
        return Vec::new();
    };
    edits.extend(object.get("state").map(|written| (written.span(), quote(state))));
    edits
}
