//! Rules on a state and the fields beside it: `state-mismatch`.

use super::{Code, Remark};
use crate::call::shape::Slot;
use crate::call::{Call, Payload, Shape};
use crate::json::{Kind, Value};
use crate::text::Span;

/// Judges whether the state and the fields of `call` contradict each other. What is not there may be hidden by a
/// fault, so that only a readable payload is judged.
pub fn check(call: &Call<'_>, remarks: &mut Vec<Remark>) {
    let (Some(object), Some(shape), Some(payload)) = (call.object, call.shape, &call.payload) else { return };
    // Records say their state by their types.
    if shape.slot(Slot::State).is_none() || !payload.json.faults.is_empty() {
        return;
    }
    let Some(message) = contradiction(call, object, shape) else { return };
    remarks.push(Remark::new(Code::StateMismatch, place(call, object, payload), message));
}

fn contradiction(call: &Call<'_>, object: Value<'_>, shape: &Shape) -> Option<String> {
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
            Some(format!("`{state}` says that there is no result yet, but {there} there; did you mean `{fits}`?"))
        }
        _ if output && error => {
            Some("a call has `output` or `errorText`, not both: readers take it as failed; remove one".to_owned())
        }
        Some("output-available") if error => Some(
            "`output-available` says that the call succeeded, but `errorText` is there; did you mean `output-error`?"
                .to_owned(),
        ),
        Some("output-available") if !output => {
            Some("`output-available` needs `output`: add it, or write `input-available`".to_owned())
        }
        Some("output-error") if !error && !has_wrong_error(object, shape) => {
            Some("`output-error` needs `errorText`, which says what went wrong: add it".to_owned())
        }
        _ => None,
    }
}

/// Whether there is an error of another type than readers take: that is said of itself.
fn has_wrong_error(object: Value<'_>, shape: &Shape) -> bool {
    let error = shape.slot(Slot::Error).and_then(|field| object.get(field.key));
    error.is_some_and(|error| !matches!(error.kind(), Kind::String { .. }))
}

fn place(call: &Call<'_>, object: Value<'_>, payload: &Payload<'_>) -> Span {
    let brace = object.span().start as usize;
    let brace = Span::new(brace, brace + 1).shifted(payload.start);
    call.state.as_ref().map_or(brace, |state| state.span)
}
