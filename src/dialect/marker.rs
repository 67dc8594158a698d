//! `marker`: `###:` and one JSON object in running text, and the outcome lines that the chat shell
//! writes after it (formats.md §3.2).

use super::draft::{Draft, DraftObject, ObjectForm, OpenerBody, Start};
use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome};
use super::object;
use crate::call::pairing::{Pairing, PairingOrder};
use crate::call::shape::{FieldRole, FieldShape, FieldType, ObjectShape, PatternEnd, field};
use crate::call::{Call, CallData, CallPart, CallSink, Field, ToolUse, UseOutcome, UseStatus};
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::json::{self, quote};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::syntax::{InlineRule, OpenerPlace, RegionEnd};
use crate::text::{Span, cut};

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "marker",
    form: r#"`###:{"toolName": "getWeather", "parameters": {…}}` and `*🔧 Executed getWeather: …*`"#,
    inline: INLINE,
    pairing: Pairing::EarlierCall { order: PairingOrder::NearestFirst, orphans_are_text: true },
    complete,
    starts: &[Start {
        opener: MARKER,
        least: MARKER.len(),
        body: OpenerBody::Object { form: FORM, before: "", closer: "" },
    }],
    draft,
    writer: Some(DialectWriter { description: "a `###:` marker", write }),
    read,
    ..Dialect::BASE
};

const MARKER: &str = "###:";
const EXECUTED: &str = "*🔧 Executed ";
const FAILED: &str = "*❌ ";
/// The texts of failures that name no tool.
const FAILURES: [&str; 2] = ["Invalid tool call format", "Error processing tool call"];

const INLINE: &[InlineRule] = &[
    InlineRule { openers: &[MARKER], place: OpenerPlace::Anywhere, accept: &opens, end: RegionEnd::Brace },
    InlineRule {
        openers: &[EXECUTED, FAILED],
        place: OpenerPlace::LineStart,
        accept: &|_, _| true,
        end: RegionEnd::Line(&|rest| rest.find(['\n', '\r']).or(Some(rest.len()))),
    },
];

const FIELDS: &[FieldShape] = &[
    field("toolName", FieldRole::Name, FieldType::String),
    field("parameters", FieldRole::Input, FieldType::Object),
];

static SHAPE: ObjectShape = ObjectShape {
    description: "a marker",
    fields: FIELDS,
    needs_name: true,
    unclosed: Code::UnclosedMarker,
    extra_is_misplaced: true,
    pattern_end: PatternEnd::Brace,
};

const FORM: ObjectForm =
    ObjectForm { tag: None, part: CallPart::Call, failed: false, shape: &SHAPE, prefix: "" };

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    if source.rule == 0 {
        read_marker(source, sink)
    } else {
        read_outcome(source, sink)
    }
    ReadOutcome::Done
}

fn read_marker(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    let start = source.text.find('{').unwrap_or(source.text.len());
    let json = json::parse_prefix(source.text.get(start..).or_never());
    let (text, closed) = (source.text, source.closed);
    let payload = ParsedPayload { text, start, json: &json, closed, closer: "", growing: false };
    let mut call = object::read(CallPart::Call, payload, &SHAPE);
    call.is_evidence = true;
    sink.call(call);
}

fn draft(source: &BlockSource<'_>, at: usize, _: &str) -> Option<Draft> {
    let text = source.text;
    if source.rule == 0 {
        let start = text.find('{')?;
        let object = DraftObject {
            span: Span::new(start, text.len()),
            forms: vec![FORM],
            form: Some(0),
            is_line: false,
        };
        return (start <= at).then_some(Draft::Object(object));
    }
    let name = text.strip_prefix(EXECUTED)?;
    let end = EXECUTED.len() + name.find([':', '*', '\n', '\r']).unwrap_or(name.len());
    let closer = if end == text.len() { "*" } else { "" };
    (EXECUTED.len() <= at && at <= end)
        .then_some(Draft::Name { span: Span::new(EXECUTED.len(), end), closer })
}

/// The outcome line after the block.
fn complete(call: &Call<'_>, outcome: &UseOutcome) -> Vec<(Span, String)> {
    let name = call.name.as_ref().filter(|name| !name.text.is_empty());
    let line = |name: &Field<'_>| outcome_line(&name.text, outcome);
    name.map(|name| (Span::empty(call.content.len()), format!("\n\n{}", line(name)))).into_iter().collect()
}

/// The outcome line of the chat shell; it cannot express all failures.
fn outcome_line(name: &str, outcome: &UseOutcome) -> String {
    let text = cut(outcome.to_text().trim(), usize::MAX);
    if let UseOutcome::Error(_) = outcome {
        let line = format!("{FAILED}{text}*");
        let is_known = LineOutcome::of(&line).is_some_and(|known| known.failed);
        return if is_known { line } else { format!("{FAILED}{}*", FAILURES[1]) };
    }
    let gap = if text.is_empty() { "" } else { ": " };
    format!("{EXECUTED}{name}{gap}{text}*")
}

/// A marker on a line of its own, and its outcome line.
fn write(tool_use: &ToolUse, _: &Settings) -> Option<String> {
    let name = tool_use.name.as_deref().filter(|name| !name.is_empty())?;
    let input = tool_use.input_as_json();
    // Readers accept only objects.
    if !input.starts_with('{') {
        return None;
    }
    let call = format!("{MARKER} {{\"toolName\": {}, \"parameters\": {input}}}", quote(name));
    let Some(outcome) = tool_use.outcome() else { return Some(call) };
    Some(format!("{call}\n\n{}", outcome_line(name, &outcome)))
}

fn read_outcome(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    // A line that only begins like an outcome is text.
    let Some(outcome) = LineOutcome::of(source.text) else { return sink.text() };
    let mut call = Call::new(CallPart::Result, source.text);
    call.name = outcome.name.map(|name| Field { text: name.into(), span: source.span_of(name) });
    if outcome.failed {
        call.status = UseStatus::Failed;
        call.error_text = Some(outcome.message.into());
    } else {
        call.status = UseStatus::Done;
        call.output = Some(CallData::Text(outcome.message.into()));
        call.output_span = Some(source.span_of(outcome.message));
    }
    sink.call(call);
}

/// The contents of an outcome line.
struct LineOutcome<'a> {
    name: Option<&'a str>,
    message: &'a str,
    failed: bool,
}

impl<'a> LineOutcome<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let line = line.trim_end().strip_suffix('*')?;
        if let Some(rest) = line.strip_prefix(EXECUTED) {
            let (name, message) =
                rest.split_once(": ").unwrap_or((rest.strip_suffix(':').unwrap_or(rest), ""));
            return (!name.is_empty()).then_some(Self { name: Some(name), message, failed: false });
        }
        let message = line.strip_prefix(FAILED)?;
        if FAILURES.contains(&message) {
            return Some(Self { name: None, message, failed: true });
        }
        let name = message.strip_prefix("Tool ")?.strip_suffix(" not available")?;
        (!name.is_empty()).then_some(Self { name: Some(name), message, failed: true })
    }
}

/// True if `###:` opens a marker: not preceded by another `#`, and followed by an object, after any
/// white space with at most one line break.
fn opens(before: Option<char>, behind: &str) -> bool {
    let rest = behind.trim_start_matches([' ', '\t']);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r'])).unwrap_or(rest);
    before != Some('#') && rest.trim_start_matches([' ', '\t']).starts_with('{')
}
