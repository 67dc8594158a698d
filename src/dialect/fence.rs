//! `fence`: a fenced code block of the language `tool` with one JSON object (formats.md §3.1).

use super::{Dialect, Pairing, Progress, Sink, Source, nothing_newer, object};
use crate::call::shape::{FieldShape, PatternEnd, Shape, Slot, Takes, field};
use crate::call::{Call, Part, Payload, Status};
use crate::rules::{Code, members};
use crate::text::Span;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "fence",
    fence: Some(|language, settings| settings.fence_languages.iter().any(|known| known == language)),
    inline: &[],
    lines: false,
    pairing: Pairing::Own,
    outdated: None,
    complete,
    unify: nothing_newer,
    write_name: str::to_owned,
    read,
};

const FIELDS: &[FieldShape] = &[
    field("toolCallId", Slot::Id, Takes::String),
    field("toolName", Slot::Name, Takes::String),
    field("state", Slot::State, Takes::String),
    field("input", Slot::Input, Takes::Any),
    field("output", Slot::Output, Takes::Any),
    field("errorText", Slot::Error, Takes::String),
];

static SHAPE: Shape = Shape {
    what: "a tool fence",
    fields: FIELDS,
    needs_name: false,
    unclosed: Code::UnclosedFence,
    extra_is_misplaced: false,
    pattern_end: PatternEnd::Backticks,
};

fn read(source: &Source<'_>, sink: &mut dyn Sink) -> Progress {
    let (json, closed) = object::parse(source.text, source.closed);
    let payload =
        Payload { text: source.text, start: 0, json: &json, closed, closer: source.closer, growing: false };
    if source.cut && payload.may_go_on() {
        return Progress::MoreText;
    }
    let mut call = object::read(Part::Call, payload, &SHAPE);
    call.status = object::status_of(&call);
    if call.status != Status::Pending {
        call.part = Part::Both;
    }
    sink.call(call);
    Progress::Done
}

/// Its state, where one is written, and an output.
fn complete(call: &Call<'_>) -> Vec<(Span, String)> {
    let (Some(object), Some(payload)) = (call.object, call.payload) else { return Vec::new() };
    let (place, output) = members::append(object, "\"output\": null");
    let state = call.state.as_ref().map(|state| (state.span, "\"output-available\"".to_owned()));
    state.into_iter().chain([(place.shifted(payload.start), output)]).collect()
}
