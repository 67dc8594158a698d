//! Rules on a state and the fields beside it: `state-mismatch`.

use super::fields::has_misnamed_field;
use crate::call::shape::FieldRole;
use crate::call::{Call, ObjectShape};
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::{Value, quote};
use crate::json_repair::members;
use crate::json_repair::payload::ParsedPayload;
use crate::text::Span;

/// Reports contradictions between the state and the fields of `call`. A syntax error may hide
/// fields, so only valid payloads are checked.
pub fn check(call: &Call<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    let (Some(object), Some(shape), Some(payload)) = (call.object, call.shape, &call.payload) else { return };
    // In records, the type determines the state.
    if shape.of_role(FieldRole::State).is_none() || !payload.json.errors.is_empty() {
        return;
    }
    let Some(message) = contradiction(call, object, shape) else { return };
    let fixes = fixes(call, object, shape, payload.start);
    diagnostics
        .push(CallDiagnostic::new(Code::StateMismatch, place(call, object, payload), message).fixes(fixes));
}

fn contradiction(call: &Call<'_>, object: Value<'_>, shape: &ObjectShape) -> Option<String> {
    let state = call.state.as_ref().map(|state| &*state.text);
    let (output, error) = (call.output.is_some(), call.error_text.is_some());
    let there = match (output, error) {
        (true, true) => "`output` and `errorText` are",
        (true, false) => "`output` is",
        (false, true) => "`errorText` is",
        (false, false) => "",
    };
    match state {
        Some(state @ ("input-streaming" | "input-available")) if output || error => {
            let fits = if error { "output-error" } else { "output-available" };
            Some(format!("`{state}` means that there is no result yet, but {there} present; did you mean `{fits}`?"))
        }
        _ if output && error => {
            Some("a call has `output` or `errorText`, not both: readers treat it as failed; remove one".to_owned())
        }
        Some("output-available") if error => Some(
            "`output-available` means that the call succeeded, but `errorText` is present; did you mean `output-error`?"
                .to_owned(),
        ),
        Some("output-available") if !output && !has_misnamed_field(object, shape, FieldRole::Output) => {
            Some("`output-available` needs `output`: add it, or write `input-available`".to_owned())
        }
        Some("output-error") if !error && !has_misnamed_field(object, shape, FieldRole::Error) => {
            Some("`output-error` needs `errorText`, the error message: add it".to_owned())
        }
        _ => None,
    }
}

/// Fixes that change the state to match the fields, then fixes that change the fields to match the
/// state.
fn fixes(call: &Call<'_>, object: Value<'_>, shape: &ObjectShape, start: usize) -> Vec<Fix> {
    let key_of = |role| shape.of_role(role).map_or("", |field| field.key);
    let (output, error) = (call.output.is_some(), call.error_text.is_some());
    let state = call.state.as_ref().map(|state| &*state.text);
    let set = |fits: &str| {
        (state != Some(fits)).then(|| members::set(object, key_of(FieldRole::State), &quote(fits)))
    };
    let new = |title: String, edits: Vec<(Span, String)>| Fix::new(title, members::shifted(edits, start));
    let with_state = |fits: &str| new(format!("Set the state `{fits}`"), set(fits).into_iter().collect());
    let without = |role: FieldRole, fits: &str| {
        let (key, _) = object.get_entry(key_of(role))?;
        let removal = Some((members::without(object, key), String::new()));
        let state = state.is_some().then(|| set(fits)).flatten();
        let edits = removal.into_iter().chain(state).collect();
        Some(new(format!("Remove `{}`", key_of(role)), edits))
    };
    let with_field = |role: FieldRole, value: &str| {
        new(format!("Add `{}`", key_of(role)), vec![members::set(object, key_of(role), value)])
    };
    match (output, error, state) {
        (true, true, _) => {
            [without(FieldRole::Output, "output-error"), without(FieldRole::Error, "output-available")]
                .into_iter()
                .flatten()
                .collect()
        }
        (true, false, _) => vec![with_state("output-available").preferred()],
        (false, true, _) => vec![with_state("output-error").preferred()],
        (false, false, Some("output-available")) => {
            vec![with_field(FieldRole::Output, "null"), with_state("input-available")]
        }
        (false, false, _) => vec![
            with_field(FieldRole::Error, "\"An unknown tool error occurred.\""),
            with_state("input-available"),
        ],
    }
}

fn place(call: &Call<'_>, object: Value<'_>, payload: &ParsedPayload<'_>) -> Span {
    let brace = object.span().start as usize;
    let brace = Span::new(brace, brace + 1).shifted(payload.start);
    call.state.as_ref().map_or(brace, |state| state.span)
}
