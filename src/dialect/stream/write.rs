//! Writes records: a tool use in a fence, and the result after a call.

use super::records;
use crate::call::shape::FieldRole;
use crate::call::{Call, Field, StreamProtocol, ToolUse, UseData, UseOutcome};
use crate::config::{Protocol, Settings};
use crate::dialect::object;
use crate::json::quote;
use crate::text::{Span, saturate};

/// A fenced log of the call and its result: the full stream of AI SDK 5, or the data stream of AI
/// SDK 4 if `protocol` is `v4`.
pub(super) fn write(tool_use: &ToolUse, settings: &Settings) -> Option<String> {
    tool_use.name.as_ref().filter(|name| !name.is_empty())?;
    let protocol = if settings.protocol == Protocol::V4 { StreamProtocol::V4 } else { StreamProtocol::Full };
    // Records are paired by their ids.
    let call = ToolUse { id_is_fallback: false, ..tool_use.clone() };
    let shape = records::find("tool-call", Some(protocol), None)?.shape;
    let record = object::write(&call, shape, &[("type", quote("tool-call"))]);
    let answer = match tool_use.outcome() {
        Some(outcome) => format!("\n{}", result(&call, &outcome, protocol)?),
        None => String::new(),
    };
    Some(format!("```jsonl\n{record}{answer}\n```"))
}

/// The record of a result on a line of its own, in the line format of the log.
pub(super) fn complete(call: &Call<'_>, outcome: &UseOutcome) -> Vec<(Span, String)> {
    let (Some(line), Some(payload), Some(shape)) = (call.span, call.payload, call.shape) else {
        return Vec::new();
    };
    let before = Span { start: line.start, end: saturate(payload.start) }.of(call.content);
    let has_code = before.trim_start().len() == 2 && before.ends_with(':');
    let text = |field: &Option<Field<'_>>| field.as_ref().map(|field| field.text.to_string());
    let (Some(id), Some(name)) = (text(&call.id), text(&call.name)) else { return Vec::new() };
    // Results with prefix codes do not name their tool.
    let answer = ToolUse { id: Some(id), name: Some(name).filter(|_| !has_code), ..ToolUse::default() };
    let Some(protocol) = records::protocol_of_record(shape) else { return Vec::new() };
    let record = match result(&answer, outcome, protocol) {
        // The code replaces the type.
        Some(record) if has_code => record.replacen("{\"type\":\"tool-result\",", "a:{", 1),
        Some(record) => record,
        None => return Vec::new(),
    };
    // Blank lines separate events.
    let (gap, before) = match before.trim_start().starts_with("data:") {
        true => ("\n\n", before.trim_start()),
        false => ("\n", ""),
    };
    vec![(Span { start: line.end, end: line.end }, format!("{gap}{before}{record}"))]
}

/// The record of `outcome` for the call with the id and name of `answer`.
fn result(answer: &ToolUse, outcome: &UseOutcome, protocol: StreamProtocol) -> Option<String> {
    let (name, output, error_text) = match (protocol, outcome) {
        (StreamProtocol::Full, UseOutcome::Error(text)) => ("tool-error", None, Some(text)),
        (StreamProtocol::Ui, UseOutcome::Error(text)) => ("tool-output-error", None, Some(text)),
        (StreamProtocol::V4, UseOutcome::Error(text)) => {
            ("tool-result", Some(UseData::Json(format!("{{\"error\":{}}}", quote(text)))), None)
        }
        (StreamProtocol::Ui, _) => ("tool-output-available", outcome.to_json().map(UseData::Json), None),
        _ => ("tool-result", outcome.to_json().map(UseData::Json), None),
    };
    let shape = records::find(name, Some(protocol), None)?.shape;
    // Some record types may name their tool; in others the name would be an extra field.
    let names = shape.of_role(FieldRole::Name).is_some();
    let record = ToolUse {
        id: answer.id.clone(),
        name: answer.name.clone().filter(|_| names),
        output,
        error_text: error_text.cloned(),
        ..ToolUse::default()
    };
    Some(object::write(&record, shape, &[("type", quote(name))]))
}
