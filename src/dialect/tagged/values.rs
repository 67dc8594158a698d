//! Writes the values of a form into its call.

use std::borrow::Cow;

use crate::call::{Call, CallData, CallPart, UseStatus};
use crate::dialect::interface::BlockSource;
use crate::json::JsonTape;
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;

/// The outcome of a tool use.
pub(super) struct Outcome<'a> {
    pub status: UseStatus,
    pub text: Option<Cow<'a, str>>,
}

/// Sets the input of `call`. `json` is its parsed text; it counts as JSON if it is one object.
pub(super) fn set_input<'a>(
    call: &mut Call<'a>,
    source: &BlockSource<'a>,
    input: Option<CallData<'a>>,
    json: &'a JsonTape,
) {
    if let Some(CallData::Text(Cow::Borrowed(text))) = input {
        let end = source.span_of(text).end as usize;
        let (text, start) = (source.text.get(..end).or_never(), end - text.len());
        let payload = ParsedPayload { text, start, json, closed: true, closer: "", growing: false };
        if payload.is_valid() {
            (call.input, call.payload) = (payload.root().map(CallData::Json), Some(payload));
            // Other inputs are shown in short.
            (call.object, call.checks_tool) = (payload.root(), call.part != CallPart::Result);
            return;
        }
    }
    call.arguments = input.as_ref().and_then(CallData::shown_arguments);
    call.input = input;
}

/// Sets the outcome of `call`.
pub(super) fn set_outcome<'a>(call: &mut Call<'a>, source: &BlockSource<'a>, outcome: Outcome<'a>) {
    call.status = outcome.status;
    if outcome.status == UseStatus::Failed {
        call.error_text = Some(outcome.text.unwrap_or_default());
        return;
    }
    call.output_span = match &outcome.text {
        Some(Cow::Borrowed(text)) => Some(source.span_of(text)),
        _ => None,
    };
    call.output = Some(CallData::Text(outcome.text.unwrap_or_default()));
}
