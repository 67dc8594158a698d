//! `fence`: a fenced code block of the language `tool` with one JSON object (formats.md §3.1).

use super::draft::{Draft, DraftObject, ObjectForm};
use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome};
use super::object;
use crate::call::pairing::Pairing;
use crate::call::shape::{FieldRole, FieldShape, FieldType, ObjectShape, PatternEnd, field};
use crate::call::{Call, CallPart, CallSink, ToolUse, UseOutcome, UseStatus};
use crate::config::{self, Settings};
use crate::diagnostic::Code;
use crate::json::{JsonLayout, laid_out, quote};
use crate::json_repair::payload::ParsedPayload;
use crate::text::Span;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "fence",
    form: "a fenced code block with the info string `tool` and a JSON object",
    fence: Some(|language, info, settings| {
        // gptel's calls belong to the dialect `tagged`.
        !info.starts_with('(') && settings.fence_languages.iter().any(|known| known == language)
    }),
    languages: |settings| settings.fence_languages.clone(),
    pairing: Pairing::SelfContained,
    complete,
    draft,
    writer: Some(DialectWriter { description: "a `tool` fence", write }),
    read,
    ..Dialect::BASE
};

const FIELDS: &[FieldShape] = &[
    field("toolCallId", FieldRole::Id, FieldType::String),
    field("toolName", FieldRole::Name, FieldType::String),
    field("state", FieldRole::State, FieldType::String),
    field("input", FieldRole::Input, FieldType::Any),
    field("output", FieldRole::Output, FieldType::Any),
    field("errorText", FieldRole::Error, FieldType::String),
];

static SHAPE: ObjectShape = ObjectShape {
    description: "a tool fence",
    fields: FIELDS,
    needs_name: false,
    unclosed: Code::UnclosedFence,
    extra_is_misplaced: false,
    pattern_end: PatternEnd::Backticks,
};

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    if is_foreign(source) {
        sink.text();
        return ReadOutcome::Done;
    }
    let (json, closed) = object::parse(source.text, source.closed);
    let payload = ParsedPayload {
        text: source.text,
        start: 0,
        json: &json,
        closed,
        closer: source.closer,
        growing: false,
    };
    if source.cut && payload.depends_on_cut_text() {
        return ReadOutcome::MoreText;
    }
    let mut call = object::read(CallPart::Call, payload, &SHAPE);
    call.status = object::status_of(&call);
    if call.status != UseStatus::Pending {
        call.part = CallPart::Both;
    }
    call.is_evidence = source.text.trim_start().starts_with('{');
    sink.call(call);
    ReadOutcome::Done
}

/// True if the block is a tool call of gptel, an s-expression, without its info string.
fn is_foreign(source: &BlockSource<'_>) -> bool {
    source.text.trim_start().starts_with("(:")
}

fn draft(source: &BlockSource<'_>, at: usize, _: &str) -> Option<Draft> {
    if is_foreign(source) {
        return None;
    }
    let end = object::end_of(source.text, source.closed, at)?;
    let form = ObjectForm { tag: None, part: CallPart::Call, failed: false, shape: &SHAPE, prefix: "" };
    let object = DraftObject { span: Span::new(0, end), forms: vec![form], form: Some(0), is_line: false };
    Some(Draft::Object(object))
}

/// Appends the result to the object, or replaces its result.
fn complete(call: &Call<'_>, outcome: &UseOutcome) -> Vec<(Span, String)> {
    let (key, value, state) = match outcome.to_json() {
        Some(output) => ("output", output, "\"output-available\""),
        None => ("errorText", quote(&outcome.to_text()), "\"output-error\""),
    };
    let written = call.state.as_ref().map(|written| (written.span, state.to_owned()));
    let edits = object::result_edits(call, (key, &without_fences(&value)), &["output", "errorText"]);
    edits.map(|edits| written.into_iter().chain(edits).collect()).unwrap_or_default()
}

/// A fence with one object, formatted according to the settings.
fn write(tool_use: &ToolUse, settings: &Settings) -> Option<String> {
    let language = settings.fence_languages.first()?;
    let object = object::write(tool_use, &SHAPE, &[]);
    let layout = match settings.format.payload {
        config::PayloadLayout::Compact => JsonLayout::Compact,
        _ => JsonLayout::Pretty { indent: settings.format.indent },
    };
    let text = without_fences(&laid_out(&object, layout));
    Some(format!("```{language}\n{text}\n```"))
}

/// `json` with escapes for three backticks, which only occur in strings: simple readers end the
/// fence there.
fn without_fences(json: &str) -> String {
    json.replace("```", "\\u0060\\u0060\\u0060")
}
