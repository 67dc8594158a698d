//! Rules on an input in a string of JSON: `invalid-json`, `extra-content`, `text-arguments`.

use serde_json::Value as Any;

use crate::call::{Call, CallData, EncodedInput};
use crate::config::Settings;
use crate::diagnostic::{CallDiagnostic, Code, DiagnosticTarget, Fix};
use crate::json_repair::push_json_errors;
use crate::schema::wording::ValueNames;
use crate::text::Span;

/// Checks the JSON string that contains the input of `call`.
pub fn check(call: &Call<'_>, settings: &Settings, diagnostics: &mut Vec<CallDiagnostic>) {
    let Some(encoded) = &call.encoded else { return };
    let text = encoded.payload.body().trim();
    let is_valid = encoded.payload.json.errors.is_empty() && !matches!(call.input, Some(CallData::Text(_)));
    // APIs send an empty string for no arguments.
    if text.is_empty() || is_valid || takes_text(call, encoded, settings) {
        return;
    }
    if is_container(text, call) {
        return diagnostics.extend(faults(encoded).into_iter().map(|found| in_content(call, found)));
    }
    // A string that is being typed does not begin an object yet.
    if !encoded.is_display && encoded.payload.closed {
        let message =
            "the arguments are text, not a JSON object: write an object, or use a tool whose input is text";
        diagnostics.push(CallDiagnostic::new(Code::TextArguments, call.input_span(encoded.own), message));
    }
}

/// True if the text is meant as JSON: an object, or a list of calls.
fn is_container(text: &str, call: &Call<'_>) -> bool {
    text.starts_with('{') || (text.starts_with('[') && matches!(call.input, Some(CallData::Json(_))))
}

/// True if the schema of the tool accepts the text as it is.
fn takes_text(call: &Call<'_>, encoded: &EncodedInput<'_>, settings: &Settings) -> bool {
    let tool = call.name.as_ref().and_then(|name| settings.registry.tools.get(&*name.text));
    let Some(schema) = tool.and_then(|tool| tool.input()) else { return false };
    let speaker = ValueNames { root: "the input", owner: "", property: "parameter" };
    let text = Any::from(encoded.payload.body());
    schema.violations(&text, &speaker).is_ok_and(|violations| violations.is_empty())
}

/// The errors of the call's part of the text, relative to it.
fn faults(encoded: &EncodedInput<'_>) -> Vec<CallDiagnostic> {
    let mut found = Vec::new();
    push_json_errors(&encoded.payload, &mut found);
    if let (Some(rest), true) = (encoded.payload.trailing_text(), found.is_empty()) {
        let message = "the arguments are one JSON object and nothing else; remove the text after it";
        found.push(CallDiagnostic::new(Code::ExtraContent, rest, message));
    }
    let len = encoded.payload.body().len();
    let is_own = |span: Span| {
        let is_before_next = span.start < encoded.own.end || encoded.own.end as usize == len;
        // The end of a string that is being typed may be half of an escape.
        let is_certain = encoded.payload.closed || (span.end as usize) < len;
        encoded.own.start <= span.start && is_before_next && is_certain
    };
    found.retain(|found| matches!(found.target, DiagnosticTarget::Span(span) if is_own(span)));
    found
}

/// `found`, relative to the decoded text, as a diagnostic of the block's content.
pub(super) fn in_content(call: &Call<'_>, found: CallDiagnostic) -> CallDiagnostic {
    let target = match found.target {
        DiagnosticTarget::Span(span) => DiagnosticTarget::Span(call.input_span(span)),
        DiagnosticTarget::Opening => DiagnosticTarget::Opening,
    };
    let fixes = found.fixes.into_iter().map(|fix| fix_in_content(call, fix)).collect();
    let mut related = found.related;
    related.iter_mut().for_each(|related| related.place = call.input_span(related.place));
    CallDiagnostic { target, fixes, related, ..found }
}

/// `fix`, relative to the text that the input stands in, as a fix of the block's content.
pub(super) fn fix_in_content(call: &Call<'_>, fix: Fix) -> Fix {
    Fix { edits: fix.edits.into_iter().map(|edit| call.input_edit(edit)).collect(), ..fix }
}
