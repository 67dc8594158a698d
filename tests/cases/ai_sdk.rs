//! Records, streams and parts of messages as the AI SDK reads them.

use chatls::call::{CallPart, ToolUse, UseStatus};
use chatls::config::Protocol;
use chatls::diagnostic::{Code, Diagnostic, Severity};
use chatls::document::{Document, Language};
use serde_json::{Map, Value, json};

use super::reading::{document, fields, is_faulty, log, markdown_for, value};
use super::table::{Case, check, recorded};

/// The `protocol` of a version.
fn protocol(version: &str) -> Protocol {
    match version {
        "5" => Protocol::V5,
        "6" => Protocol::V6,
        "7" => Protocol::V7,
        _ => unreachable!("no version: {version}"),
    }
}

#[test]
fn streams_result_in_the_same_parts() {
    let mut cases = Vec::new();
    for case in recorded("ai-sdk-ui-stream") {
        let records = case["records"].as_array().unwrap();
        for (versions, read) in case["read"].as_object().unwrap() {
            for version in versions.split(' ') {
                let throws = read["throws"] == true;
                cases.push(Case {
                    name: format!("{} {version}", case["name"].as_str().unwrap()),
                    reference: if throws { json!("a fault") } else { said_there(read) },
                    chatls: said_here(records, protocol(version), throws),
                });
            }
        }
    }
    check("ai-sdk/ui-stream", &cases);
}

fn said_there(read: &Value) -> Value {
    let part = |part: &Value| {
        let Value::Object(mut part) = part.clone() else { unreachable!() };
        let Some(Value::String(kind)) = part.remove("type") else { unreachable!() };
        if let Some(name) = kind.strip_prefix("tool-") {
            part.insert("toolName".to_owned(), name.into());
        }
        // This input is not an input.
        if let Some(input) = part.remove("rawInput") {
            part.insert("input".to_owned(), input);
        }
        part
    };
    let parts: Vec<_> = read["parts"].as_array().unwrap().iter().map(part).collect();
    json!({ "parts": parts, "states": read["states"] })
}

/// The tool uses of `records`, in the reader's form. Where the reader throws, a diagnostic is
/// required.
fn said_here(records: &[Value], protocol: Protocol, throws: bool) -> Value {
    let document = log(records, protocol);
    if throws && is_faulty(&document) {
        return json!("a fault");
    }
    let part = |it: &ToolUse| {
        let mut fields = fields(it);
        fields.extend(it.extra.iter().map(|(key, said)| (key.clone(), value(said))));
        fields
    };
    let parts: Vec<_> = document.tool_uses().iter().map(part).collect();
    let mut states: Vec<String> =
        (1..=records.len()).map(|end| states(&log(&records[..end], protocol))).collect();
    states.dedup();
    states.retain(|states| !states.is_empty());
    json!({ "parts": parts, "states": states })
}

fn states(document: &Document) -> String {
    let uses = document.tool_uses();
    uses.iter().map(|it| it.state.clone().unwrap()).collect::<Vec<_>>().join(",")
}

/// A record of the full stream equals the chunk that it becomes.
#[test]
fn records_of_the_full_stream_equal_chunks() {
    let cases = recorded("ai-sdk-full-stream").into_iter().map(|case| {
        let chunk = &case["chunk"];
        let document = log([&case["record"]], Protocol::V7);
        Case {
            name: case["name"].as_str().unwrap().to_owned(),
            reference: if chunk.is_null() { json!("nothing") } else { chunk.clone() },
            chatls: chunk_of(&document, chunk),
        }
    });
    check("ai-sdk/full-stream", &cases.collect::<Vec<_>>());
}

/// The only record of `document` in the UI message stream, with the fields that `chunk` has,
/// because results do not repeat their call there.
fn chunk_of(document: &Document, chunk: &Value) -> Value {
    let (uses, full) = (document.paired_uses(), document.tool_uses());
    let ([at], [tool_use]) = (uses.blocks(), &full[..]) else { return uses.block_count().into() };
    let kind = match (at.block.part, at.block.status) {
        (CallPart::Start, _) => "tool-input-start",
        (CallPart::Call, UseStatus::Pending) => "tool-input-available",
        (CallPart::Call, _) => "tool-input-error",
        (CallPart::Result, UseStatus::Done) => "tool-output-available",
        (CallPart::Result, _) if tool_use.error_text.is_none() => "tool-output-denied",
        (CallPart::Result, _) => "tool-output-error",
        _ => return json!("nothing"),
    };
    let mut fields = fields(tool_use);
    fields.extend(tool_use.extra.iter().map(|(key, said)| (key.clone(), value(said))));
    fields.insert("type".to_owned(), kind.into());
    fields.retain(|key, _| chunk.get(key).is_some());
    fields.into()
}

#[test]
fn lines_of_ai_sdk_4_have_the_same_tool_uses() {
    let cases = recorded("ai-sdk-v4-wire").into_iter().map(|case| {
        let document = document(case["line"].as_str().unwrap(), Language::Log, Protocol::Auto);
        Case {
            name: case["name"].as_str().unwrap().to_owned(),
            reference: case.get("part").map_or(json!("a fault"), part_of_tool),
            chatls: if says_a_fault(&document) && case.get("part").is_none() {
                json!("a fault")
            } else {
                wire_part(&document)
            },
        }
    });
    check("ai-sdk/v4-wire", &cases.collect::<Vec<_>>());
}

/// A result without its call is not an error of its line.
fn says_a_fault(document: &Document) -> bool {
    let is_of_line = |it: &Diagnostic| it.code != Code::OrphanResult && it.severity >= Severity::Warning;
    document.diagnostics().iter().any(is_of_line)
}

/// Parts of other kinds mean nothing to `chatls`.
fn part_of_tool(part: &Value) -> Value {
    if part["type"].as_str().unwrap().starts_with("tool_") { part.clone() } else { json!("nothing") }
}

fn wire_part(document: &Document) -> Value {
    let (uses, full) = (document.paired_uses(), document.tool_uses());
    let ([at], [tool_use]) = (uses.blocks(), &full[..]) else { return json!("nothing") };
    let mut said = Map::new();
    let names =
        [("toolCallId", "toolCallId"), ("toolName", "toolName"), ("input", "args"), ("output", "result")];
    let fields = fields(tool_use);
    said.extend(names.iter().filter_map(|(key, name)| Some(((*name).to_owned(), fields.get(*key)?.clone()))));
    let kind = match at.block.part {
        CallPart::Start => "tool_call_streaming_start",
        CallPart::Delta => {
            said.insert("argsTextDelta".to_owned(), delta_of(document, at.block.delta().unwrap()));
            "tool_call_delta"
        }
        CallPart::Call => "tool_call",
        _ => "tool_result",
    };
    json!({ "type": kind, "value": said })
}

/// The string at byte `start`.
fn delta_of(document: &Document, start: u32) -> Value {
    let text = document.text().to_string();
    serde_json::Deserializer::from_str(&text[start as usize..]).into_iter().next().unwrap().unwrap()
}

/// A message part, written as a tool fence, is valid if the AI SDK's validation accepts it.
#[test]
fn parts_are_valid_for_both() {
    let mut cases = Vec::new();
    for case in recorded("ai-sdk-parts") {
        let Value::Object(mut part) = case["part"].clone() else { unreachable!() };
        let Some(Value::String(kind)) = part.remove("type") else { unreachable!() };
        if let Some(name) = kind.strip_prefix("tool-") {
            part.insert("toolName".to_owned(), name.into());
        }
        let text = format!("```tool\n{}\n```\n", Value::Object(part));
        for version in ["5", "6", "7"] {
            cases.push(Case {
                name: format!("{} {version}", case["name"].as_str().unwrap()),
                reference: case["valid"].clone(),
                chatls: (!is_faulty(&markdown_for(&text, protocol(version)))).into(),
            });
        }
    }
    check("ai-sdk/parts", &cases);
}
