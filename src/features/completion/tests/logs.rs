//! Completions in the calls of message logs: in strings of JSON, and from tools in the text.

use super::*;

/// A message with a call whose name and arguments are written so.
fn message(name: &str, arguments: &str) -> String {
    format!(
        "{{\"tool_calls\": [{{\"id\": \"a\", \"function\": {{\"name\": {name}, \"arguments\": {arguments}}}}}]}}"
    )
}

/// Members of other programs' records are no members of records of the AI SDK.
#[test]
fn records_of_other_programs_have_no_completions() {
    let start =
        r#"{"type": "tool.execution_start", "data": {"toolCallId": "a", "toolName": "f", "arguments": {}}}"#;
    check(&format!("{start}\n{}", start.replace("tool.execution_start", "|")), "");
}

#[test]
fn calls_of_message_logs() {
    let read = |arguments: &str| message("\"read\"", arguments);
    check(&read(r#""{|}""#), "path limit mode all");
    check(&read(r#""|""#), "{…}");
    check(&read(r#""{\"path\": \"x\", \"mode\": |}""#), "text binary");
    check(&read(r#""{\"path\": \"x\", \"mode\": \"|\"}""#), "text binary");
    check(&read("{|}"), "path limit mode all");
    check(&message("\"re|\"", "\"{}\""), "now read search");
    check(r#"{"type": "tool_use", "id": "a", "name": "read", "input": {"mode": |}}"#, "text binary");
    let plain = CompletionRequest::default();
    let accept = |before: &str, label: &str, after: &str| {
        accept_as(plain, &read(before), label, &read(after));
    };
    accept(r#""{|}""#, "limit", r#""{\"limit\":100}""#);
    accept(r#""{\"path\": \"x\"|}""#, "limit", r#""{\"path\": \"x\",\"limit\":100}""#);
    accept(r#""{\"li|\"}""#, "limit", r#""{\"limit\":100}""#);
    accept(r#""{\"mode\": \"te|\"}""#, "text", r#""{\"mode\": \"text\"}""#);
    accept(r#"{"mode": |}"#, "text", r#"{"mode": "text"}"#);
    accept_as(plain, &message("\"re|\"", "{}"), "read", &message("\"read\"", "{}"));
    accept_as(SNIPPETS, &read(r#""{|}""#), "path", &read(r#""{\\"path\\":\\"$1\\"}""#));
    let encoded = |name: &str| {
        format!(r#"{{"from": "function_call", "value": "{{\"name\": \"{name}\", \"arguments\": {{}}}}"}}"#)
    };
    accept_as(plain, &encoded("re|"), "read", &encoded("read"));
}

#[test]
fn tools_that_the_text_lists() {
    let log = |name: &str, arguments: &str| {
        format!(
            r#"{{"tools": [{{"name": "look", "description": "Looks.", "input_schema": {{"properties": {{"far": {{"type": "boolean"}}}}}}}}], "messages": [{}]}}"#,
            message(name, arguments)
        )
    };
    check_with(Settings::default(), &log("\"lo|\"", "\"{}\""), "look");
    check_with(Settings::default(), &log("\"look\"", r#""{|}""#), "far");
    let (_, found) = offered(&log("\"lo|\"", "\"{}\""), Settings::default(), SNIPPETS);
    assert!(found[0].page.to_plain().contains("Looks."), "{found:?}");
}

#[test]
fn calls_in_fences() {
    let read = |arguments: &str| {
        let message = message("\"read\"", arguments).replacen('{', "{\"role\": \"assistant\",\n  ", 1);
        format!("```json\n[{{\"role\": \"user\", \"content\": \"q\"}},\n {message}]\n```\n")
    };
    check(&read(r#""{|}""#), "path limit mode all");
    check(&read("{\n    |\n  }"), "path limit mode all");
    let plain = CompletionRequest::default();
    let quoted = |text: &str| text.lines().map(|line| format!("> {line}\n")).collect::<String>();
    let accept = |before: &str, label: &str, after: &str| {
        accept_as(plain, &read(before), label, &read(after));
        accept_as(plain, &quoted(&read(before)), label, &quoted(&read(after)));
    };
    accept(r#""{\"li|\"}""#, "limit", r#""{\"limit\":100}""#);
    accept("{\n    \"path\": \"x\"|\n  }", "limit", "{\n    \"path\": \"x\", \"limit\": 100\n  }");
}
