//! Reads tool uses in the attributes of traces: messages in strings of JSON, and paths as keys
//! (`llm.output_messages.0.message.tool_calls.0.tool_call.function.name`).

use std::collections::HashMap;

use super::outline::PREVIEW;
use super::read::{TestedObject, UseReader, encoded};
use crate::call::{Call, CallData, CallPart, CallSink, Field, UseStatus};
use crate::forms::built_in::traces::{MESSAGES, OBSERVED, STRINGS};
use crate::forms::form::{Form, FormRole, Layout, UsePaths, at};
use crate::forms::{FormTable, Members};
use crate::json::{self, EncodedString, Value};

/// Maximum number of containers around an object in a string.
const MOST_AROUND: usize = 16;
/// The ends of the keys of a call and of a result, which follow the key of their message.
const NAME: &str = ".tool_call.function.name";
const RESULT: &str = ".message.tool_call_id";
/// The beginning of the key of a tool name of DSPy, before the number of its step.
const STEP_NAME: &str = "tool_name_";
/// The beginning of the keys of sent messages, which repeat the messages of earlier spans.
const SENT: &str = "llm.input_messages.";

/// Reads the messages in the attributes of `root`. `root` may also be a single attribute with its
/// value (OTLP).
pub(super) fn read_messages(reader: &UseReader<'_>, root: Value<'_>, sink: &mut dyn CallSink) {
    let attributes = MESSAGES.iter().chain(&OBSERVED).filter_map(|key| root.get(key));
    for value in attributes.chain(STRINGS.iter().filter_map(|path| at(root, path))) {
        let Some((text, map)) = value.as_str_with_map() else { continue };
        let tape = json::parse(&text);
        // Exporters truncate long values, which are then no valid JSON.
        let list = tape.root(&text).filter(|_| tape.errors.is_empty() && tape.extra(&text).is_none());
        let within = encoded(&text, &tape, EncodedString::new(&map, None), value.is_closed());
        let reader = reader.inside(within);
        list.into_iter().for_each(|list| read_objects(&reader, list, 0, sink));
    }
}

/// Reads the tool uses in `value` and in everything below it, in order.
fn read_objects(reader: &UseReader<'_>, value: Value<'_>, depth: usize, sink: &mut dyn CallSink) {
    if depth > MOST_AROUND {
        return;
    }
    if !value.is_object() {
        return value.items().for_each(|item| read_objects(reader, item, depth + 1, sink));
    }
    match use_of(value) {
        Some((form, paths)) => {
            let span = reader.span(value.span());
            reader.of(form, paths).read(value, Some(span), sink);
        }
        None => value.entries().for_each(|(_, member)| read_objects(reader, member, depth + 1, sink)),
    }
}

/// The form of `object`, if it is part of a tool use.
fn use_of(object: Value<'_>) -> Option<(&'static Form, &'static UsePaths)> {
    let (table, text) = (FormTable::built_in(), object.text());
    let mut members = Members::default();
    for (key, value) in object.entries() {
        members.push(table, key.as_str()?.as_bytes(), value.span().start as usize);
    }
    let preview = |start: usize| {
        let end = text.floor_char_boundary(start + PREVIEW);
        text.get(start..end).unwrap_or_default().into()
    };
    let tested = TestedObject::of(|| object.raw().into());
    let (_, form) = table.find(&members, preview, |form| tested.is_form(form))?;
    match &form.role {
        FormRole::Use(paths) if paths.layout == Layout::Paths && paths.encoded.is_empty() => {
            Some((form, paths))
        }
        _ => None,
    }
}

/// Reads the tool uses whose values are under keys of `root`.
pub(super) fn read_flat(reader: &UseReader<'_>, root: Value<'_>, sink: &mut dyn CallSink) {
    let members: HashMap<_, _> =
        root.entries().filter_map(|(key, value)| Some((key.as_str()?.into_owned(), value))).collect();
    let field =
        |value: Value<'_>| Some(Field { text: value.as_str()?.into_owned().into(), span: value.span() });
    for (key, value) in root.entries() {
        let Some(path) = key.as_str() else { continue };
        let is_number =
            |number: &&str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(number) = path.strip_prefix(STEP_NAME).filter(is_number) {
            let member = |key: &str| members.get(&format!("{key}_{number}")).copied();
            let output = member("observation");
            let call = Call {
                part: if output.is_some() { CallPart::Both } else { CallPart::Call },
                name: field(value),
                span: Some(value.span()),
                output: output.map(CallData::Json),
                status: if output.is_some() { UseStatus::Done } else { UseStatus::Pending },
                ..reader.empty()
            };
            read_arguments(call, member("tool_args"), sink);
            continue;
        }
        if !path.starts_with("llm.") {
            continue;
        }
        if let Some(of_call) = path.strip_suffix(NAME) {
            let member = |key: &str| members.get(&format!("{of_call}.tool_call.{key}")).copied();
            let id = member("id").and_then(field);
            if id.is_none() && path.starts_with(SENT) {
                continue;
            }
            // A name that is being typed is not there yet.
            let name = field(value).filter(|name| value.is_closed() || !name.text.is_empty());
            let call = Call { id, name, span: Some(value.span()), ..reader.empty() };
            read_arguments(call, member("function.arguments"), sink);
        } else if let Some(message) = path.strip_suffix(RESULT) {
            let output = members.get(&format!("{message}.message.content")).copied();
            sink.call(Call {
                part: CallPart::Result,
                id: field(value),
                span: Some(value.span()),
                output: output.map(CallData::Json),
                status: UseStatus::Done,
                checks_tool: false,
                ..reader.empty()
            });
        }
    }
}

/// Passes on `call` with its arguments: a string of JSON, which some programs decode.
fn read_arguments(call: Call<'_>, arguments: Option<Value<'_>>, sink: &mut dyn CallSink) {
    let is_closed = arguments.is_none_or(Value::is_closed);
    let Some((text, map)) = arguments.and_then(Value::as_str_with_map) else {
        return sink.call(Call { input: arguments.map(CallData::Json), ..call });
    };
    let tape = json::parse(&text);
    let within = encoded(&text, &tape, EncodedString::new(&map, None), is_closed);
    let object = tape.root(&text).filter(|value| value.is_object() && tape.extra(&text).is_none());
    let input = object.map_or_else(|| CallData::Text((&*text).into()), CallData::Json);
    sink.call(Call { input: Some(input), encoded: Some(within), ..call });
}
