//! Inputs in strings of JSON: diagnostics at their place in the outer text, and their fixes.

use std::sync::Arc;

use super::diagnostics::check_with;
use super::fixes::applied;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::registry::{Registry, read_source};
use crate::text::Text;

const TOOLS: &str = r#"[
    {"name": "read", "inputSchema": {"type": "object", "required": ["path"], "properties": {
        "path": {"type": "string"}, "limit": {"type": "integer"}}}},
    {"name": "python", "inputSchema": {"type": "string"}}]"#;

fn settings() -> Settings {
    let mut registry = Registry::default();
    registry.add(&read_source(TOOLS, "tools.json"));
    Settings { registry: Arc::new(registry), ..Settings::default() }
}

/// A message with a call of `name` whose arguments are written as `arguments`.
fn call(name: &str, arguments: &str) -> String {
    format!(
        "{{\"messages\": [{{\"role\": \"assistant\", \"tool_calls\": [\n{{\"id\": \"a\", \"function\": {{\"name\": {name}, \"arguments\": \"{arguments}\"}}}}]}}]}}"
    )
}

#[track_caller]
fn check(arguments: &str) {
    check_with(&call("\"read\"", arguments), Language::Json, settings());
    check_with(&call("\"other\"", arguments), Language::Json, Settings::default());
}

#[track_caller]
fn check_schema(name: &str, arguments: &str) {
    check_with(&call(name, arguments), Language::Json, settings());
}

/// The text after the first fix of the first diagnostic.
#[track_caller]
fn fixed(text: &str, title: &str) -> String {
    let document = Document::new(Text::new(text), Language::Json, Arc::new(settings()));
    let fixables = document.fixes_in_range(0..text.len());
    let fix = fixables.iter().flat_map(|fixable| &fixable.fixes).find(|fix| fix.title == title);
    applied(text, &fix.unwrap_or_else(|| panic!("{fixables:#?}")).edits)
}

#[track_caller]
fn check_fix(arguments: &str, title: &str, expected: &str) {
    assert_eq!(fixed(&call("\"read\"", arguments), title), call("\"read\"", expected));
}

#[test]
fn errors_have_their_place_in_the_string() {
    check(r#"{\"path\": \"x\"}"#);
    check(r#"{\"path\": \"x\"«invalid-json:,»}"#);
    check(r#"{\"path\": \"\\\"é\\n\" «invalid-json:\"limit\"»: 1}"#);
    check(r#"{«invalid-json:path»: \"x\", \"limit\": 1}"#);
    check(r#"{\"path\": \"x\"} «extra-content:and more»"#);
    check(r#"«invalid-json:{»\"path\": \"x\""#);
    check("");
    let typed = r#"{"function": {"name": "read", "arguments": "{\"path\": "#;
    check_with(typed, Language::Json, settings());
}

#[test]
fn errors_have_their_place_in_two_strings() {
    let value = |value: &str| {
        format!("{{\"conversations\": [{{\"from\": \"function_call\", \"value\": \"{value}\"}}]}}")
    };
    let check = |text: &str| check_with(&value(text), Language::Json, settings());
    check(r#"{\"name\": \"read\", \"arguments\": {\"path\": \"x\"}}"#);
    check(r#"{\"name\": \"read\", \"arguments\": {\"path\": \"x\"«invalid-json:,»}}"#);
    check(r#"{\"name\": \"read\", \"arguments\": {\"path\": «invalid-input:1»}}"#);
    check(r#"{\"name\": \"read\", \"arguments\": \"{\\\"path\\\": «invalid-input:1»}\"}"#);
    check(r#"{\"name\": «unknown-tool:\"raed\"», \"arguments\": {}}"#);
    check(
        r#"[{\"name\": \"read\", \"arguments\": «invalid-input:{»}}, {\"name\": \"read\", \"arguments\": {\"path\": \"x\"}} «invalid-json:{»\"name\": \"read\", \"arguments\": {\"path\": \"x\"}}]"#,
    );
}

#[test]
fn text_is_an_input_only_of_tools_that_take_text() {
    check("«text-arguments:print(1)»");
    check(r#"«text-arguments:l=[1, \"a\"]\nl.sort()»"#);
    check("«text-arguments:[1]»");
    check_schema("\"python\"", "print(1)");
    check_schema("\"python\"", "{1, 2}");
    let display = r#"{"kind": "toolInvocationSerialized", "toolId": "t", "toolCallId": "a", "resultDetails": {"input": "ls -l", "output": []}}"#;
    check_with(display, Language::Json, Settings::default());
}

#[test]
fn schemas_apply_to_message_logs() {
    check_schema("\"read\"", r#"{\"path\": «invalid-input:12»}"#);
    check_schema("\"read\"", r#"«invalid-input:{»\"limit\": 1}"#);
    check_schema("\"read\"", r#"{\"path\": \"x\", «unknown-parameter:\"limti\"»: 1}"#);
    check_schema("«unknown-tool:\"raed\"»", r#"{\"path\": 12}"#);
    let forms = [
        r#"{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {"path": «invalid-input:1»}}]}"#,
        r#"{"functionCall": {"name": "read", "args": {"path": «invalid-input:1»}}}"#,
        r#"{"type": "function_call", "call_id": "a", "name": "read", "arguments": "{\"path\": «invalid-input:1»}"}"#,
        r#"{"type": "tool-read", "toolCallId": "a", "state": "input-available", "input": {"path": «invalid-input:1»}}"#,
        r#"{"type": "tool-read", "toolCallId": "a", "state": "input-streaming", "input": {}}"#,
        r#"{"type": "tool-read", "toolCallId": "a", "state": "output-error", "rawInput": {}, "errorText": "no"}"#,
        r#"{"type": "web_search_call", "id": "a", "status": "completed", "action": {}}"#,
    ];
    for form in forms {
        check_with(form, Language::Json, settings());
    }
}

#[test]
fn fixes_are_escaped_for_the_string() {
    check_fix(r#"{path: \"x\"}"#, "Quote the key", r#"{\"path\": \"x\"}"#);
    check_fix(r#"{\"path\": \"x\",}"#, "Remove the comma", r#"{\"path\": \"x\"}"#);
    check_fix(r#"{\"limit\": 1}"#, "Insert `path`", r#"{\"limit\": 1, \"path\": \"\"}"#);
    check_fix(
        r#"{\"path\": \"x\", \"limti\": 1}"#,
        "Rename to `limit`",
        r#"{\"path\": \"x\", \"limit\": 1}"#,
    );
    let part = |name: &str| {
        format!(
            "{{\"type\": \"tool-{name}\", \"toolCallId\": \"a\", \"state\": \"input-available\", \"input\": {{\"path\": \"x\"}}}}"
        )
    };
    assert_eq!(fixed(&part("raed"), "Call `read`"), part("read"));
    let nested = |name: &str| {
        format!(
            "{{\"from\": \"function_call\", \"value\": \"{{\\\"name\\\": \\\"{name}\\\", \\\"arguments\\\": {{\\\"path\\\": \\\"x\\\"}}}}\"}}"
        )
    };
    assert_eq!(fixed(&nested("raed"), "Call `read`"), nested("read"));
}
