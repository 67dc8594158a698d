//! `hermes`: `<tool_call>` with a JSON object and `<tool_response>`.
//!
//! The form of [Hermes](https://github.com/NousResearch/Hermes-Function-Calling) and Qwen models.
//!
//! - A call is an object with the keys `name` and `arguments`. It counts only if the name is a
//!   string: what prompts write (`{"name": <function-name>, …}`) is text. A call of `function_name`
//!   or `tool_name`, or a response that is a placeholder (`<result>`), does not show a
//!   transcript.
//! - An element may have several calls in a list, and a call may stand in `function`.
//! - A response begins a line, and its text the same line or the next one. JSON in it is data,
//!   everything else is plain text; an object with `content` is the output `content` of the tool
//!   `name`.
//! - Several calls and then several responses are paired in order, or by name where a response has
//!   one. A call that has no response before the next calls gets none. A response without a call is
//!   text.
//! - Calls and responses take all text up to their closing tag. If another opening tag begins a
//!   line first, or no closing tag comes at all, they are unclosed and take only their own
//!   paragraph.

use super::draft::{Draft, DraftObject, ObjectForm, OpenerBody, Start};
use super::element_draft;
use super::interface::{BlockSource, Dialect, DialectWriter, ReadOutcome, shared_spans};
use super::object;
use crate::call::pairing::{Pairing, PairingOrder};
use crate::call::shape::{FieldRole, FieldShape, FieldType, ObjectShape, PatternEnd, field};
use crate::call::{Call, CallData, CallPart, CallSink, ToolUse, UseOutcome, UseStatus};
use crate::config::Settings;
use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code, Fix};
use crate::forms::element::calls_of;
use crate::json::{self, JsonKind, JsonTape, Value, quote};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::syntax::{InlineRule, OpenerPlace, RegionEnd};
use crate::text::Span;

/// The dialect.
pub const DIALECT: Dialect = Dialect {
    name: "hermes",
    form: r#"`<tool_call>{"name": "read_file", "arguments": {…}}</tool_call>` and `<tool_response>` … `</tool_response>`"#,
    inline: INLINE,
    pairing: Pairing::EarlierCall { order: PairingOrder::OldestFirst, orphans_are_text: true },
    complete,
    starts: &[Start { opener: CALL.0, least: "<tool_".len(), body: NEW }],
    draft,
    writer: Some(DialectWriter { description: "a `<tool_call>` element", write }),
    read,
    ..Dialect::BASE
};

const CALL: (&str, &str) = ("<tool_call>", "</tool_call>");
const RESPONSE: (&str, &str) = ("<tool_response>", "</tool_response>");
const OPENERS: &[&str] = &[CALL.0, RESPONSE.0];

const INLINE: &[InlineRule] = &[
    InlineRule {
        openers: &[CALL.0],
        place: OpenerPlace::Anywhere,
        accept: &|_, behind| behind.trim_start().starts_with(['{', '[']),
        end: RegionEnd::Closer { closer: CALL.1, before: None, barred_by: OPENERS },
    },
    InlineRule {
        openers: &[RESPONSE.0],
        place: OpenerPlace::LineStart,
        accept: &|_, behind| {
            let line = behind.split(['\n', '\r']).next().unwrap_or_default();
            // Prose that names the tag has a space after it.
            let is_text = line.starts_with(|c: char| !c.is_whitespace() && c != '`');
            line.trim().is_empty() || line.contains(RESPONSE.1) || is_text
        },
        end: RegionEnd::Closer { closer: RESPONSE.1, before: None, barred_by: OPENERS },
    },
];

static CALL_SHAPE: ObjectShape = ObjectShape {
    description: "a `<tool_call>`",
    fields: CALL_FIELDS,
    needs_name: true,
    unclosed: Code::UnclosedTag,
    extra_is_misplaced: false,
    pattern_end: PatternEnd::None,
};
static RESPONSE_SHAPE: ObjectShape = ObjectShape {
    description: "a `<tool_response>`",
    fields: RESPONSE_FIELDS,
    needs_name: false,
    ..CALL_SHAPE
};

const CALL_FIELDS: &[FieldShape] = &[
    field("name", FieldRole::Name, FieldType::String),
    field("arguments", FieldRole::Input, FieldType::Object),
];
const RESPONSE_FIELDS: &[FieldShape] =
    &[field("name", FieldRole::Name, FieldType::String), field("content", FieldRole::Output, FieldType::Any)];

const FORM: ObjectForm =
    ObjectForm { tag: None, part: CallPart::Call, failed: false, shape: &CALL_SHAPE, prefix: "" };
const NEW: OpenerBody = OpenerBody::Object { form: FORM, before: "\n", closer: "\n</tool_call>" };

fn read(source: &BlockSource<'_>, sink: &mut dyn CallSink) -> ReadOutcome {
    if source.rule == 0 {
        read_call(source, sink)
    } else {
        read_response(source, sink)
    }
    ReadOutcome::Done
}

fn read_call(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    let text = without_closer(source, CALL);
    let json = json::parse(text.get(CALL.0.len()..).or_never().trim_end());
    let payload = payload(source, text, &json, CALL);
    let Some(root) = payload.root() else { return sink.text() };
    if root.kind() == JsonKind::Array || root.get("function").is_some_and(Value::is_object) {
        return read_calls(source, payload, root, sink);
    }
    // Prompts describe the form: `{"name": <function-name>, …}`.
    if !names_tool(root, source.closed) {
        return sink.text();
    }
    sink.call(call_of(source, payload));
}

fn call_of<'a>(source: &BlockSource<'a>, payload: ParsedPayload<'a>) -> Call<'a> {
    let mut call = object::read(CallPart::Call, payload, &CALL_SHAPE);
    call.content = source.text;
    let name = call.name.as_ref().map(|name| &*name.text).unwrap_or_default();
    call.is_example = source.closed && !is_template_name(name);
    call
}

/// Reads the calls in a list, or the call in `function`. Incomplete calls are skipped.
fn read_calls<'a>(
    source: &BlockSource<'a>,
    payload: ParsedPayload<'a>,
    root: Value<'a>,
    sink: &mut dyn CallSink,
) {
    let is_list = root.kind() == JsonKind::Array;
    let calls: Vec<_> = calls_of(root).filter(|it| it.is_closed() && names_tool(*it, true)).collect();
    if calls.is_empty() {
        return sink.text();
    }
    // A list is read when it is whole.
    if is_list && !source.closed {
        return report_unclosed(source, CALL.1, sink);
    }
    let starts = calls.iter().map(|item| item.span().shifted(payload.start).start as usize);
    for (item, part) in calls.iter().zip(shared_spans(starts, source.text.len())) {
        let span = item.span().shifted(payload.start);
        let json = json::parse(item.raw());
        let text = source.text.get(..span.end as usize).or_never();
        let own = ParsedPayload { text, start: span.start as usize, json: &json, closed: true, ..payload };
        sink.call(Call { span: part, ..call_of(source, own) });
    }
    // Where a comma is missing, the error is at the start of the next item.
    let is_outside = |at: Span| !calls.iter().any(|it| it.span().start < at.start && at.end <= it.span().end);
    let between = payload.json.errors.iter().find(|error| !error.kind.is_end() && is_outside(error.span));
    if let Some(error) = between {
        let (place, message) = (error.span.shifted(payload.start), error.message(payload.body()));
        sink.diagnostic(CallDiagnostic::new(Code::InvalidJson, place, message));
    }
    report_unclosed(source, CALL.1, sink);
}

/// True if `name` is a placeholder for a tool name: `<function-name>`, `{name}`, `$NAME`, `...`.
fn is_placeholder(name: &str) -> bool {
    name.starts_with(['<', '{', '$', '…']) || name == "..."
}

/// True if `name` is a placeholder, or the name that templates have in its place.
fn is_template_name(name: &str) -> bool {
    is_placeholder(name) || ["function_name", "tool_name"].contains(&&*name.replace('-', "_"))
}

/// True if all of `text` is a placeholder, such as `<result>` without a closing tag, which HTML
/// would have.
fn is_placeholder_text(text: &str) -> bool {
    let inner = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    inner.is_some_and(|inner| !inner.contains(['<', '>', '/', '"', '\n'])) || ["...", "…"].contains(&text)
}

/// True if the object names a tool in a string, or is open and may get a name.
fn names_tool(root: Value<'_>, closed: bool) -> bool {
    let Some(name) = root.get("name") else { return !closed && root.is_object() };
    match name.kind() {
        JsonKind::String { .. } => {
            name.raw().starts_with(['"', '\'', '“'])
                && !name.as_str().is_some_and(|name| is_placeholder(&name))
        }
        kind => !closed && kind == JsonKind::Missing,
    }
}

/// Reads a response, which is any text: JSON as data, and an object with `content` in the
/// documented form.
fn read_response(source: &BlockSource<'_>, sink: &mut dyn CallSink) {
    let text = without_closer(source, RESPONSE);
    let inner = text.get(RESPONSE.0.len()..).or_never();
    let json = json::parse(inner);
    let payload = payload(source, text, &json, RESPONSE);
    let root = payload.root().filter(|_| json.errors.is_empty() && payload.trailing_text().is_none());
    let mut call = match root {
        Some(root) if root.get("content").is_some() => {
            object::read(CallPart::Result, payload, &RESPONSE_SHAPE)
        }
        _ => Call::new(CallPart::Result, source.text),
    };
    if call.shape.is_none() {
        call.output = Some(match root {
            Some(root) => CallData::Json(root),
            None => CallData::Text(inner.trim().into()),
        });
        call.payload = root.map(|_| payload);
        call.output_span = root.is_none().then(|| source.span_of(inner.trim()));
    }
    let named = payload.root().filter(|root| root.get("name").is_some());
    let is_template = match (root, named) {
        (Some(_), Some(root)) => {
            root.get("name").and_then(Value::as_str).is_some_and(|name| is_template_name(&name))
        }
        // `{"name": <function-name>, …}` is not JSON.
        (None, Some(root)) => !names_tool(root, true),
        (_, None) => is_placeholder_text(inner.trim()),
    };
    call.content = source.text;
    call.valid &= source.closed;
    call.status = UseStatus::Done;
    call.is_example = source.closed && !is_template;
    // Of an object, the rules report it.
    let is_reported = call.shape.is_some();
    sink.call(call);
    if !is_reported {
        // A response is any text, so any beginning is valid.
        report_unclosed(source, RESPONSE.1, sink);
    }
}

fn report_unclosed(source: &BlockSource<'_>, closer: &str, sink: &mut dyn CallSink) {
    if !source.closed {
        let message = format!("this tag is never closed: add `{closer}`");
        let end = Span::empty(source.text.trim_end().len());
        let fix = Fix::replace("Close the tag", end, format!("\n{closer}")).preferred();
        let diagnostic = CallDiagnostic::at_opening(Code::UnclosedTag, message, AtDocumentEnd::Information);
        sink.diagnostic(diagnostic.fix(fix));
    }
}

fn payload<'a>(
    source: &BlockSource<'a>,
    text: &'a str,
    json: &'a JsonTape,
    element: (&'static str, &'static str),
) -> ParsedPayload<'a> {
    let (start, closer) = (element.0.len(), element.1);
    ParsedPayload { text, start, json, closed: source.closed, closer, growing: false }
}

/// The block's text up to its closer.
fn without_closer<'a>(source: &BlockSource<'a>, element: (&str, &str)) -> &'a str {
    source.text.strip_suffix(element.1).filter(|_| source.closed).unwrap_or(source.text)
}

fn draft(source: &BlockSource<'_>, at: usize, _: &str) -> Option<Draft> {
    // Qwen Coder models write `<function=…>` inside of the element.
    if source.rule == 0 && source.text.strip_prefix(CALL.0)?.trim_start().starts_with("<function=") {
        return element_draft::of_last(source.text, at);
    }
    let (element, shape, part) = match source.rule {
        0 => (CALL, &CALL_SHAPE, CallPart::Call),
        _ => (RESPONSE, &RESPONSE_SHAPE, CallPart::Result),
    };
    let text = without_closer(source, element);
    let start = text.find('{').filter(|start| *start <= at && at <= text.len())?;
    let form = ObjectForm { shape, part, ..FORM };
    let span = Span::new(start, text.len());
    Some(Draft::Object(DraftObject { span, forms: vec![form], form: Some(0), is_line: false }))
}

/// The response after the call.
fn complete(call: &Call<'_>, outcome: &UseOutcome) -> Vec<(Span, String)> {
    let name = call.name.as_ref().filter(|name| !name.text.is_empty());
    let content = outcome.to_json().unwrap_or_else(|| quote(&outcome.to_text()));
    let response = |name: &str| format!("\n{}", response(name, &content));
    name.map(|name| (Span::empty(call.content.len()), response(&name.text))).into_iter().collect()
}

fn write(tool_use: &ToolUse, _: &Settings) -> Option<String> {
    let name = tool_use.name.as_deref().filter(|name| !name.is_empty())?;
    let input = tool_use.input_as_json();
    // Readers accept an object and nothing else.
    if !input.starts_with('{') {
        return None;
    }
    let call = element(CALL, &format!("{{\"name\": {}, \"arguments\": {input}}}", quote(name)));
    let Some(outcome) = tool_use.outcome() else { return Some(call) };
    let content = outcome.to_json().unwrap_or_else(|| quote(&outcome.to_text()));
    Some(format!("{call}\n{}", response(name, &content)))
}

fn response(name: &str, content: &str) -> String {
    element(RESPONSE, &format!("{{\"name\": {}, \"content\": {content}}}", quote(name)))
}

/// An element with a JSON object, in which a string cannot close it.
fn element((opener, closer): (&str, &str), json: &str) -> String {
    let json = json.replace(closer, &closer.replacen('<', "\\u003c", 1));
    format!("{opener}\n{json}\n{closer}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::config::Settings;
    use crate::convert::convert;
    use crate::document::{Document, Language};
    use crate::features::completion::{CompletionRequest, completions};
    use crate::text::Text;

    fn new(text: &str) -> Document {
        // A document that only its text can declare as a transcript.
        let settings = Settings { is_named: false, ..Settings::default() };
        Document::new(Text::new(text), Language::Markdown, Arc::new(settings))
    }

    /// The labels of the tool uses, and the codes of the diagnostics.
    #[track_caller]
    fn check(text: &str, labels: &[&str], codes: &[&str]) {
        let document = new(text);
        let uses = document.paired_uses();
        let found: Vec<_> = uses.uses.iter().map(|it| uses.label_of(it).to_string()).collect();
        assert_eq!(found, labels, "{text}");
        let found: Vec<_> = document.diagnostics().iter().map(|it| it.code.name()).collect();
        assert_eq!(found, codes, "{text}");
    }

    const CALL: &str = "<tool_call>\n{\"name\": \"a\", \"arguments\": {\"b\": 1}}\n</tool_call>\n";

    #[test]
    fn responses_belong_to_calls_in_their_order() {
        let other = CALL.replace("\"a\"", "\"c\"");
        let responses = "<tool_response>\nx\n</tool_response>\n<tool_response>[1]</tool_response>\n";
        check(&format!("{CALL}{other}\n{responses}"), &["🔧 a(b=1) → x", "🔧 c(b=1) → [1]"], &[]);
        let named = "<tool_response>\n{\"name\": \"c\", \"content\": \"y\"}\n</tool_response>\n";
        check(
            &format!("> {CALL}> {other}>\n> {named}").replace("\n{", "\n> {").replace("\n</", "\n> </"),
            &["🔧 a(b=1) ⏳", "🔧 c(b=1) → y"],
            &[],
        );
    }

    #[test]
    fn a_response_without_a_call_is_text() {
        check(&format!("<tool_response>\nx\n</tool_response>\n\n{CALL}"), &["🔧 a(b=1) ⏳"], &[]);
    }

    #[test]
    fn prose_and_code_are_silent() {
        for text in [
            "Write calls within <tool_call></tool_call> tags, and `<tool_call>{\"name\": \"a\"}</tool_call>`.\n",
            "as in\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>\n",
            "<tool_call>\n{\"arguments\": {}}\n</tool_call>\n\n<tool_call>{\"name\": 1}</tool_call>\n",
            "<tool_response> is a tag\n\n<tool_response>\nand\n\n<tool_call>\n",
            "```\n<tool_call>\n{\"name\": \"a\"}\n</tool_call>\n```\n\n    <tool_call>{\"name\": \"a\"}</tool_call>\n",
            "<!-- <tool_call>{\"name\": \"a\"}</tool_call> -->\n",
        ] {
            check(text, &[], &[]);
            assert!(!new(text).is_transcript(), "{text}");
        }
    }

    /// Templates for a prompt show no transcript, in calls and in responses.
    #[test]
    fn templates_are_silent() {
        let template =
            |name: &str| format!("<tool_call>\n{{\"name\": {name}, \"arguments\": {{}}}}\n</tool_call>\n");
        let response = |content: &str| format!("<tool_response>\n{content}\n</tool_response>\n");
        let named = |name: &str| response(&format!("{{\"name\": {name}, \"content\": 1}}"));
        for name in
            ["<function-name>", "\"<function-name>\"", "\"{name}\"", "\"function_name\"", "\"tool-name\""]
        {
            for text in [
                template(name).repeat(2),
                format!("{}\n{}", template(name), response("<result>")),
                format!("{}\n{}", template(name), named("\"a\"")),
                format!("{CALL}\n{}", named(name)),
                format!("User: the person\n\n{}", template(name)),
            ] {
                check(&text, &[], &[]);
                assert!(!new(&text).is_transcript(), "{text}");
            }
        }
        for content in ["<result>", "<tool output as JSON>", "..."] {
            assert!(!new(&format!("{CALL}\n{}", response(content))).is_transcript(), "{content}");
        }
        // Outputs are any text.
        for content in ["<p>", "<br/>", "<b>x</b>", "{\"name\": null}", "{\"name\": \"a\"} {", "{}"] {
            let is_one = content != "<p>";
            assert_eq!(new(&format!("{CALL}\n{}", response(content))).is_transcript(), is_one, "{content}");
        }
        // Beside other evidence of a transcript, any response counts.
        check(&format!("User: go\n\n{CALL}\n{}", response("<result>")), &["🔧 a(b=1) → <result>"], &[]);
    }

    #[test]
    fn faults_in_calls_are_reported() {
        let with = |text: &str| format!("User: go\n\n{CALL}\n{text}");
        check(
            &with("<tool_call>{\"name\": \"c\", \"parameters\": {}}</tool_call>"),
            &["🔧 a(b=1) ⏳", "🔧 c() ⏳"],
            &["misnamed-field"],
        );
        check(
            &with("<tool_call>{\"name\": \"c\" \"arguments\": {}}</tool_call>"),
            &["🔧 a(b=1) ⏳", "🔧 c() ⏳"],
            &["invalid-json"],
        );
        check(
            &with("<tool_call>{\"name\": \"c\"} x</tool_call>"),
            &["🔧 a(b=1) ⏳", "🔧 c() ⏳"],
            &["extra-content"],
        );
        check(
            &with("<tool_call>{\"name\": \"c\", \"argum"),
            &["🔧 a(b=1) ⏳", "🔧 c() ⏳"],
            &["unclosed-tag"],
        );
        check(&with("<tool_response>\nx"), &["🔧 a(b=1) → x"], &["unclosed-tag"]);
        check(&with("<tool_response>x\ny"), &["🔧 a(b=1) → 2 lines"], &["unclosed-tag"]);
        let object = with("<tool_response>\n{\"name\": \"a\", \"content\": \"x\"}");
        check(&object, &["🔧 a(b=1) → x"], &["unclosed-tag"]);
    }

    #[test]
    fn calls_in_lists_and_functions_are_read() {
        let item = |name: &str| format!("{{\"name\": \"{name}\", \"arguments\": {{\"b\": 1}}}}");
        let function = |name: &str| format!("{{\"type\": \"function\", \"function\": {}}}", item(name));
        let responses = "<tool_response>x\ny</tool_response>\n<tool_response>\nz\n</tool_response>\n";
        let labels = ["🔧 a(b=1) → 2 lines", "🔧 c(b=1) → z"];
        for item in [&item as &dyn Fn(&str) -> String, &function] {
            let list = |comma: &str| format!("<tool_call>\n[{}{comma} {}]", item("a"), item("c"));
            check(&format!("{}\n</tool_call>\n{responses}", list(",")), &labels, &[]);
            check(
                &format!("User: go\n\n{}\n</tool_call>\n{responses}", list("")),
                &labels,
                &["invalid-json"],
            );
            check(&format!("User: go\n\n{CALL}\n{}", list(",")), &["🔧 a(b=1) ⏳"], &["unclosed-tag"]);
        }
        let one = format!("<tool_call>{}</tool_call>\n<tool_response>\nz\n</tool_response>\n", function("a"));
        check(&one, &["🔧 a(b=1) → z"], &[]);
        check("<tool_call>[1, {\"function\": {}}]</tool_call>\n", &[], &[]);
    }

    #[test]
    fn an_open_call_is_closed() {
        for (open, closed) in [
            ("{\"name\": \"c\"", "{\"name\": \"c\"}\n</tool_call>"),
            ("{\"name\": \"c\"}\n</tool", "{\"name\": \"c\"}\n</tool_call>"),
            ("{\"name\": \"c\"}\nmore", "{\"name\": \"c\"}\n</tool_call>\nmore"),
        ] {
            let text = format!("User: go\n\n{CALL}\n<tool_call>\n{open}");
            let fixable = new(&text).fixes_in_range(0..text.len());
            let fix = fixable[0].fixes.first().expect("a fix");
            let fixed = crate::text::edit::applied(&text, &fix.edits).expect("edits in order");
            assert_eq!(fixed, format!("User: go\n\n{CALL}\n<tool_call>\n{closed}"));
        }
    }

    #[test]
    fn tool_uses_are_converted() {
        let document = new(
            "```tool\n{\"toolName\": \"a\", \"input\": {\"b\": \"</tool_call>\"}, \"output\": [1]}\n```\n",
        );
        let tool_uses = document.tool_uses();
        let converted = convert(&tool_uses[0], &super::DIALECT, &Arc::default()).expect("a text");
        let expected = "<tool_call>\n{\"name\": \"a\", \"arguments\": {\"b\":\"\\u003c/tool_call>\"}}\n</tool_call>\n\
                        <tool_response>\n{\"name\": \"a\", \"content\": [1]}\n</tool_response>";
        assert_eq!(converted.text, expected);
        assert_eq!(converted.losses, []);
        check(&converted.text, &["🔧 a(b=</tool_call>) → [1]"], &[]);
    }

    #[test]
    fn calls_and_keys_are_completed() {
        let text = format!("User: go\n\n{CALL}\n<tool_c");
        let offered = completions(&new(&text), text.len(), CompletionRequest::default());
        let first = offered.first().expect("an item");
        assert_eq!(first.edit.1, "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>");
        let text = format!("User: go\n\n{CALL}\n<tool_call>\n{{\"name\": \"a\", \"\"}}\n</tool_call>");
        let at = text.rfind("\"}").expect("a key");
        let offered = completions(&new(&text), at, CompletionRequest::default());
        assert!(offered.iter().any(|item| item.label == "arguments"));
    }
}
