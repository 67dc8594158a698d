//! Parsing shared by the dialects whose payload is one JSON object; they differ only in their keys.

use crate::call::shape::{FieldRole, FieldType, ObjectShape, swallowed_fence};
use crate::call::{Call, CallData, CallPart, Field, ToolUse, UseData, UseStatus, error_text};
use crate::json::{self, JsonKind, JsonLayout, JsonTape, Value, laid_out, quote};
use crate::json_repair::members;
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::Span;

/// Parses the text of a fence, and returns whether its object is complete or the fence closed. "An
/// unfinished last block is normal": the text after the object in an unclosed fence is not checked.
pub fn parse(text: &str, has_end: bool) -> (JsonTape, bool) {
    // Editors end every text with a line end, which does not end the line being typed.
    let json = json::parse(if has_end { text } else { text.trim_end() });
    let is_valid = json.errors.is_empty() && json.extra(text).is_none();
    let closed = has_end && (is_valid || swallowed_fence(text).is_none());
    let is_fine = closed || json.beginning || json.errors.is_empty();
    (if is_fine { json } else { json::parse(text_before_next_fence(text)) }, closed)
}

/// The latest possible end of the payload in the text of a fence, while the author types at byte
/// `at`; `None` if `at` is after it.
pub fn end_of(text: &str, has_end: bool, at: usize) -> Option<usize> {
    let (_, closed) = parse(text, has_end);
    if closed {
        return Some(text.len());
    }
    let next = swallowed_fence(text).map_or(text.len(), |next| next.start as usize);
    let json = json::parse(text.trim_end());
    let own = text_before_next_fence(text).len();
    let end = if json.beginning || json.errors.is_empty() { next } else { next.min(own) };
    if at <= end {
        return Some(end);
    }
    // A blank line belongs to the payload, unless the following text would, too.
    let is_blank = |text: Option<&str>| text.is_none_or(|text| text.trim().is_empty());
    let mut behind = text.get(at..next)?.split_inclusive('\n').take(2);
    let is_free = is_blank(text.get(end..at)) && is_blank(behind.next()) && is_blank(behind.next());
    is_free.then_some(at)
}

/// The part of an unclosed fence's text that is certainly its own: up to the next fence or blank
/// line.
fn text_before_next_fence(text: &str) -> &str {
    let end = swallowed_fence(text).map_or(text.len(), |next| next.start as usize);
    let text = text.get(..end).or_never();
    let start = text.len() - text.trim_start().len();
    let mut end = start;
    for line in text.get(start..).or_never().split_inclusive(['\n', '\r']) {
        // The `\n` of a `\r\n` is a separate line here, but not a blank one.
        let is_seam = line == "\n" && text.get(..end).is_some_and(|before| before.ends_with('\r'));
        if line.trim().is_empty() && !is_seam {
            break;
        }
        end += line.len();
    }
    // After a blank line an object may be the payload, but no other text.
    let own = text.get(..end).or_never().trim_end();
    let is_first = !text.get(..start).or_never().contains(['\n', '\r']);
    if is_first || own.trim_start().starts_with('{') { own } else { "" }
}

/// A tool use as a compact object of `shape`, after the members `first`: the fields of the shape,
/// and other fields. Fallback ids are omitted.
pub fn write(tool_use: &ToolUse, shape: &ObjectShape, first: &[(&str, String)]) -> String {
    let value = |role: FieldRole| match role {
        FieldRole::Id => tool_use.written_id().map(quote),
        FieldRole::Name => tool_use.name.as_deref().map(quote),
        FieldRole::State => tool_use.state.as_deref().map(quote),
        FieldRole::Input => tool_use.input.as_ref().map(UseData::to_json),
        FieldRole::Output => tool_use.output.as_ref().map(UseData::to_json),
        FieldRole::Error => tool_use.error_text.as_deref().map(quote),
        _ => None,
    };
    let own = shape.fields.iter().filter_map(|field| Some((field.key, value(field.role)?)));
    let is_own = |key: &str| shape.field(key).is_some() || first.iter().any(|(other, _)| *other == key);
    let extra = tool_use.extra.iter().filter(|(key, _)| !is_own(key));
    let members = first
        .iter()
        .map(|(key, value)| (*key, value.clone()))
        .chain(own)
        .chain(extra.map(|(key, value)| (&**key, value.to_json())));
    let members: Vec<_> = members.map(|(key, value)| format!("{}:{value}", quote(key))).collect();
    format!("{{{}}}", members.join(","))
}

/// Converts the object of `payload` to a call. Fields of a wrong type count as absent; of duplicate
/// keys the last wins; an empty `errorText` counts as absent (formats.md §1).
pub fn read<'a>(part: CallPart, payload: ParsedPayload<'a>, shape: &'static ObjectShape) -> Call<'a> {
    let mut call = Call::new(part, payload.text);
    call.valid = payload.is_valid();
    call.shape = Some(shape);
    call.checks_tool = part == CallPart::Call;
    call.payload = Some(payload);
    let Some(object) = payload.root().filter(|root| root.kind() == JsonKind::Object) else { return call };
    call.object = Some(object);
    for (key, value) in object.entries() {
        let name = key.as_str().or_never();
        let field = shape.field(&name);
        match field.map(|field| field.role) {
            Some(FieldRole::Id) => call.id = string_field(value, payload.start),
            Some(FieldRole::Name) => call.name = string_field(value, payload.start),
            Some(FieldRole::State) => call.state = string_field(value, payload.start),
            Some(FieldRole::Error) => {
                let takes_any = field.is_some_and(|field| field.takes == FieldType::Any);
                call.error_text = if takes_any { error_text(value) } else { value.as_str() };
                call.error_text = call.error_text.take().filter(|text| !text.is_empty());
            }
            Some(FieldRole::Output) => call.output = Some(CallData::Json(value)),
            Some(FieldRole::Input) => call.input = input_of(value, shape),
            Some(FieldRole::Delta) => {
                let span = value.span().shifted(payload.start);
                call.delta = value.as_str().map(|text| Field { text, span });
            }
            Some(FieldRole::PassedOver) => {}
            Some(FieldRole::Other) | None => call.extra.push((name, value)),
        }
    }
    call
}

/// The status of a call with these fields, for readers of fences: an error takes precedence over an
/// output.
pub fn status_of(call: &Call<'_>) -> UseStatus {
    let state = call.state.as_ref().map(|state| &*state.text);
    if call.error_text.is_some() || matches!(state, Some("output-error" | "output-denied")) {
        UseStatus::Failed
    } else if call.output.is_some() || state == Some("output-available") {
        UseStatus::Done
    } else {
        UseStatus::Pending
    }
}

/// The edits that write the member `key` with the JSON `value` into the object of `call`: in place
/// of the member with one of the keys `results`, or as the last member. Empty if it has several
/// such members, because only its author can choose.
pub fn result_edits(
    call: &Call<'_>,
    (key, value): (&str, &str),
    results: &[&str],
) -> Option<Vec<(Span, String)>> {
    let (object, payload) = (call.object?, call.payload?);
    let key = quote(key);
    let text = payload.text.get(payload.start..);
    let is_result =
        |(key, _): &(Value<'_>, Value<'_>)| key.as_str().is_some_and(|key| results.contains(&&*key));
    let mut known = object.entries().filter(is_result);
    if let Some((old_key, old)) = known.next() {
        if known.next().is_some() {
            return None;
        }
        let value = match text.and_then(|text| indent_of(old_key, text)) {
            Some(indent) if old.raw().contains('\n') => {
                laid_out(value, JsonLayout::Pretty { indent: 2 }).replace('\n', &format!("\n{indent}"))
            }
            _ => value.to_owned(),
        };
        let edits = [(old_key.span(), key), (old.span(), value)];
        return Some(edits.map(|(span, text)| (span.shifted(payload.start), text)).into());
    }
    let (place, member) = members::append(object, &format!("{key}: {value}"));
    let indent = text.and_then(|text| line_of_last(object, text));
    let member = match (indent, member.strip_prefix(", ")) {
        (Some(indent), Some(added)) => format!(",\n{indent}{added}"),
        _ => member,
    };
    Some(vec![(place.shifted(payload.start), member)])
}

/// The indentation of the last member, if it begins its line, so that a further member gets a line
/// of its own.
fn line_of_last<'a>(object: Value<'_>, text: &'a str) -> Option<&'a str> {
    let (key, _) = object.entries().last()?;
    indent_of(key, text)
}

/// The white space before `key`, if it begins its line.
fn indent_of<'a>(key: Value<'_>, text: &'a str) -> Option<&'a str> {
    let before = text.get(..key.span().start as usize)?;
    let indent = before.get(before.rfind(['\n', '\r'])? + 1..)?;
    indent.trim_matches([' ', '\t']).is_empty().then_some(indent)
}

fn input_of<'a>(value: Value<'a>, shape: &ObjectShape) -> Option<CallData<'a>> {
    let takes_objects = shape.of_role(FieldRole::Input).is_some_and(|field| field.takes == FieldType::Object);
    (!takes_objects || value.kind() == JsonKind::Object).then_some(CallData::Json(value))
}

/// The text of an unclosed string is not known yet.
fn string_field(value: Value<'_>, start: usize) -> Option<Field<'_>> {
    if !value.is_closed() {
        return None;
    }
    Some(Field { text: value.as_str()?, span: value.span().shifted(start) })
}
