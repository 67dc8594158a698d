//! Tools that a text lists for its own calls.

use std::fmt::Write;
use std::sync::Arc;

use super::diagnostics::check_with;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::registry::{Registry, read_source};
use crate::text::{Splice, Text};

const SCHEMA: &str =
    r#"{"type": "object", "required": ["path"], "properties": {"path": {"type": "string"}}}"#;

/// A conversation with the list `tools` and calls of `read` and `write`.
fn conversation(tools: &str) -> String {
    format!(
        r#"{{"messages": [{{"role": "assistant", "tool_calls": [{{"id": "a", "type": "function", "function": {{"name": "read", "arguments": "{{\"path\": «invalid-input:1»}}"}}}}]}},
            {{"role": "tool", "tool_call_id": "a", "content": ""}},
            {{"role": "assistant", "content": [{{"type": "tool_use", "id": "b", "name": «unknown-tool:"write"», "input": {{}}}}]}}], {tools}}}"#
    )
}

#[track_caller]
fn check(tools: &str) {
    let text = conversation(&tools.replace("SCHEMA", SCHEMA));
    check_with(&text, Language::Json, Settings::default());
    check_with(&text.replace('\n', " "), Language::Log, Settings::default());
}

#[track_caller]
fn check_silent(text: &str) {
    check_with(text, Language::Json, Settings::default());
}

#[test]
fn lists_of_all_forms_are_the_registry() {
    check(r#""tools": [{"type": "function", "function": {"name": "read", "parameters": SCHEMA}}]"#);
    check(r#""tools": [{"type": "function", "name": "read", "parameters": SCHEMA}]"#);
    check(r#""tools": [{"name": "read", "input_schema": SCHEMA}]"#);
    check(r#""functions": [{"name": "read", "parameters": SCHEMA}]"#);
    check(r#""tools": {"read": {"inputSchema": SCHEMA}}"#);
    check(
        r#""tools": [{"functionDeclarations": [{"name": "read", "parameters": {"type": "OBJECT", "properties": {"path": {"type": "STRING"}}}}]}]"#,
    );
    check(
        r#""toolConfig": {"tools": [{"toolSpec": {"name": "read", "inputSchema": {"json": SCHEMA}}}, {"cachePoint": {"type": "default"}}]}"#,
    );
    let text = format!(r#"[{{"name": "read", "parameters": {SCHEMA}}}]"#).replace('"', "\\\"");
    check(&format!(r#""tools": "{text}""#));
}

#[test]
fn other_members_list_no_tools() {
    // The list of a run of AG-UI lacks the tools of the agent.
    check_silent(
        r#"{"threadId": "t", "runId": "r", "tools": [{"name": "x", "parameters": {}}], "messages": [{"role": "assistant", "toolCalls": [{"id": "a", "type": "function", "function": {"name": "y", "arguments": "{}"}}]}, {"role": "tool", "toolCallId": "a", "content": ""}]}"#,
    );
    // A session of Hermes Agent has the tools of its last run.
    check_silent(
        r#"{"session_id": "s", "session_start": "2026-01-01T00:00:00", "tools": [{"type": "function", "function": {"name": "x", "parameters": {}}}], "messages": [{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "y", "arguments": "{}"}}]}, {"role": "tool", "tool_call_id": "a", "content": ""}]}"#,
    );
    let call = |rest: &str| {
        format!(
            r#"{{"messages": [{{"content": [{{"type": "tool_use", "id": "a", "name": "x", "input": {{}}}}]}}], {rest}}}"#
        )
    };
    for rest in [
        r#""tools": []"#,
        r#""tools": ["Bash"]"#,
        r#""tools": 1"#,
        r#""tools": {"bash": true}"#,
        r#""tools": "all""#,
    ] {
        check_silent(&call(rest));
    }
    // The tools of a server are not known.
    check_silent(&call(
        r#""tools": [{"type": "mcp", "server_label": "s"}, {"type": "function", "name": "read"}]"#,
    ));
}

/// The tools of a server stand in an item among the calls; others may exist.
#[test]
fn items_list_the_tools_of_servers() {
    let item = format!(
        r#"{{"type": "mcp_list_tools", "server_label": "s", "tools": [{{"name": "read", "input_schema": {SCHEMA}}}]}}"#
    );
    let call = r#"{"type": "mcp_call", "id": "a", "server_label": "s", "name": "read", "arguments": "{\"path\": «invalid-input:1»}", "output": "1"}"#;
    let other = r#"{"type": "mcp_call", "id": "b", "server_label": "t", "name": "write", "arguments": "{}", "output": "1"}"#;
    let text = format!(r#"{{"output": [{{"type": "reasoning"}}, {item}, {call}, {other}]}}"#);
    check_with(&text, Language::Json, Settings::default());
    check_with(&text, Language::Log, Settings::default());
    let beside = format!(
        r#"{{"tools": [{{"type": "function", "name": "write", "parameters": {SCHEMA}}}], "output": [{item}, {call}, {}]}}"#,
        other.replace("\"{}\"", "\"«invalid-input:{»}\"")
    );
    check_with(&beside, Language::Json, Settings::default());
    check_with(&beside, Language::Log, Settings::default());
    // Far away, with an edit of the list.
    let text = text.replace("«invalid-input:1»", "1");
    let padding: String = (0..300).map(|n| format!("{{\"type\": \"reasoning\", \"n\": {n}}},\n")).collect();
    let text = text.replacen(
        call.replace("«invalid-input:1»", "1").as_str(),
        &(padding + &call.replace("«invalid-input:1»", "1")),
        1,
    );
    let settings = Arc::new(Settings::default());
    let mut document = Document::new(Text::new(&text), Language::Json, Arc::clone(&settings));
    for (from, to, expected) in [
        ("string", "number", 0),
        ("number", "string", 1),
        ("mcp_list", "mcp_lost", 0),
        ("mcp_lost", "mcp_list", 1),
        ("label\": \"s", "label\": \"t", 0),
        ("label\": \"t", "label\": \"s", 1),
    ] {
        let start = document.text().to_string().find(from).expect("the text to replace");
        document.apply(Splice { start, removed: from.len(), inserted: to.len() }, to);
        let fresh = Document::new(document.text().clone(), Language::Json, Arc::clone(&settings));
        assert_eq!(document.diagnostics(), fresh.diagnostics(), "after {from} → {to}");
        assert_eq!(document.diagnostics().len(), expected, "after {from} → {to}");
    }
}

/// Tools of several servers may have the same names.
#[test]
fn an_item_lists_tools_for_the_calls_of_its_server() {
    let item = format!(
        r#"{{"type": "mcp_list_tools", "server_label": "s", "tools": [{{"name": "read", "input_schema": {SCHEMA}}}]}}"#
    );
    let mcp = |id: &str, server: &str, arguments: &str| {
        format!(
            r#"{{"type": "mcp_call", "id": "{id}", {server}"name": "read", "arguments": "{arguments}", "output": "1"}}"#
        )
    };
    let calls = [
        mcp("a", r#""server_label": "s", "#, "«invalid-input:{»}"),
        mcp("b", r#""server_label": "st", "#, "{}"),
        mcp("c", "", "«invalid-input:{»}"),
        r#"{"type": "function_call", "call_id": "d", "name": "read", "arguments": "{}"}, {"type": "function_call_output", "call_id": "d", "output": "1"}"#.to_owned(),
    ];
    let text = format!(r#"{{"output": [{item}, {}]}}"#, calls.join(", "));
    check_with(&text, Language::Json, Settings::default());
    check_with(&text, Language::Log, Settings::default());
    // Of a server without a name.
    let text = text.replacen(r#""server_label": "s", "#, "", 1);
    let text = text.replace(
        r#""st", "name": "read", "arguments": "{}""#,
        r#""st", "name": "read", "arguments": "«invalid-input:{»}""#,
    );
    check_with(&text, Language::Json, Settings::default());
    check_with(&text, Language::Log, Settings::default());
}

#[test]
fn a_list_applies_to_its_own_conversation() {
    let one = |name: &str, tool: &str| {
        format!(
            r#"{{"tools": [{{"name": "{tool}", "input_schema": {{}}}}], "messages": [{{"content": [{{"type": "tool_use", "id": "a", "name": {name}, "input": {{}}}}]}}]}}"#
        )
    };
    let list = format!("[{},\n{}]", one("\"x\"", "x"), one("«unknown-tool:\"x\"»", "y"));
    check_with(&list, Language::Json, Settings::default());
    let mut registry = Registry::default();
    registry.add(&read_source(
        &format!(r#"[{{"name": "read", "inputSchema": {SCHEMA}}}, {{"name": "x"}}]"#),
        "tools.json",
    ));
    let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
    let own = r#"{"tools": [{"name": "read", "input_schema": {"type": "object"}}], "messages": [{"content": [{"type": "tool_use", "id": "a", "name": "read", "input": {}}, {"type": "tool_use", "id": "b", "name": "x", "input": {}}]}]}"#;
    check_with(own, Language::Json, settings);
}

/// A long document: the list, the object around it and the calls are in segments far apart.
#[test]
fn edits_of_a_list_check_its_calls_again() {
    let mut text = String::from("{\"messages\": [\n");
    for number in 0..400 {
        let _ = writeln!(
            text,
            r#"{{"role": "assistant", "content": [{{"type": "tool_use", "id": "t{number}", "name": "read", "input": {{"path": "x"}}}}]}}, {{"role": "user", "content": [{{"type": "tool_result", "tool_use_id": "t{number}", "content": "{number}"}}]}},"#
        );
    }
    text.push_str("{\"role\": \"user\", \"content\": \"bye\"}],\n\"tools\": [{\"name\": \"read\", \"input_schema\": {\"type\": \"object\", \"properties\": {\"path\": {\"type\": \"string\"}}}}]}\n");
    let settings = small(&Settings::default());
    let mut document = Document::new(Text::new(&text), Language::Json, Arc::clone(&settings));
    assert_eq!(document.diagnostics(), []);
    let mut change = |from: &str, to: &str, expected: usize| {
        let text = document.text().to_string();
        let start = text.rfind(from).expect("the text to replace");
        document.apply(Splice { start, removed: from.len(), inserted: to.len() }, to);
        let fresh = Document::new(document.text().clone(), Language::Json, Arc::clone(&settings));
        assert_eq!(document.diagnostics(), fresh.diagnostics(), "after {from} → {to}");
        assert_eq!(document.diagnostics().len(), expected, "after {from} → {to}");
    };
    change("\"string\"", "\"number\"", 400);
    change("\"number\"", "\"string\"", 0);
    change("\"name\": \"read\", \"input_schema\"", "\"name\": \"reed\", \"input_schema\"", 400);
    change("\"tools\"", "\"tolls\"", 0);
    change("\"tolls\"", "\"tools\"", 400);
    change("\"name\": \"reed\"", "\"name\": \"read\"", 0);
    change("\"name\": \"read\", \"input\"", "\"name\": \"write\", \"input\"", 1);
}
