//! Validation of outputs against a tool's `outputSchema`.
//!
//! Transcripts wrap outputs in many ways, most of them text for a model; only what is certainly the
//! structured output of a successful call is validated.

use super::{place, unchecked_input, unless_secret};
use crate::call::{Call, CallData, UseStatus};
use crate::diagnostic::{CallDiagnostic, Code};
use crate::json::{JsonKind, Value};
use crate::registry::Tool;
use crate::schema::wording::ValueNames;
use crate::schema::{ViolationKind, to_value};

/// Checks the output of `call`.
pub(super) fn check(call: &Call<'_>, tool: &Tool, diagnostics: &mut Vec<CallDiagnostic>) {
    let is_preliminary =
        call.extra.iter().any(|(key, value)| key == "preliminary" && value.as_bool() == Some(true));
    let (Some(CallData::Json(output)), Some(payload), UseStatus::Done, false) =
        (&call.output, &call.payload, call.status, is_preliminary)
    else {
        return;
    };
    let Some((schema, output)) = tool.output().zip(structured(*output)) else { return };
    let Some(instance) = to_value(output) else { return };
    let owner = format!("the output of `{}`", tool.name);
    let speaker = ValueNames { root: "the output", owner: &owner, property: "property" };
    let Ok(violations) = schema.violations(&instance, &speaker) else {
        let place = output.span().shifted(payload.start);
        return diagnostics.push(unchecked_input(place, "the output", &tool.name));
    };
    for violation in violations {
        // Other values may be wrapped in an unknown way.
        if violation.path.is_empty()
            && !matches!(violation.kind, ViolationKind::Missing(_) | ViolationKind::NotAllowed(..))
        {
            continue;
        }
        let place = place(output, &violation).shifted(payload.start);
        let message =
            violation.message_with(unless_secret(violation.actual.as_deref(), place.of(call.content)));
        let message = format!("the output does not match the `outputSchema` of `{}`: {message}", tool.name);
        diagnostics.push(CallDiagnostic::new(Code::InvalidInput, place, message));
    }
}

/// The value that an output schema describes: the `structuredContent` of MCP's `CallToolResult`, or
/// an object without a wrapper.
fn structured(output: Value<'_>) -> Option<Value<'_>> {
    let is_true = |key: &str| output.get(key).and_then(Value::as_bool) == Some(true);
    if !output.is_object() || is_true("isError") {
        return None;
    }
    if let Some(structured) = output.get("structuredContent") {
        return structured.is_object().then_some(structured);
    }
    let is_text = output.get("content").is_some_and(|content| content.kind() == JsonKind::Array);
    // `{"type": "json", "value": …}` is the form in which the AI SDK passes outputs to models.
    let is_wrapped = output.get("type").is_some() && output.get("value").is_some();
    let is_other =
        is_text || is_wrapped || output.get("_clientSideTool").is_some() || output.get("error").is_some();
    (!is_other).then_some(output)
}
