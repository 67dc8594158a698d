//! `fence`: a fenced code block of the language `tool` with one JSON object (formats.md §3.1).

use super::{Dialect, Pairing, Progress, Sink, Source, object};
use crate::call::shape::{FieldShape, PatternEnd, Shape, Slot, Takes, field};
use crate::call::{Part, Payload, Status};
use crate::json;
use crate::rules::Code;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "fence",
    fence: Some(|language, settings| settings.fence_languages.iter().any(|known| known == language)),
    inline: &[],
    lines: false,
    pairing: Pairing::Own,
    outdated: None,
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
    // Editors end every text with a line end: what is being written there has not ended its line.
    let text = if source.closed { source.text } else { without_line_end(source.text) };
    let json = json::parse(text);
    let payload =
        Payload { text, start: 0, json: &json, closed: source.closed, closer: source.closer, growing: false };
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

fn without_line_end(text: &str) -> &str {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text)
}
