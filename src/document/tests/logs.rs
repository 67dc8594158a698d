//! Message logs: the forms of all families, conversations, and objects that are no forms.

use std::fmt::Write;
use std::sync::Arc;

use crate::call::{ToolUse, UseData};
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::text::Text;

/// Reads a text as a JSON document, or as a log if it has several lines that begin with `{`.
pub(super) fn read(text: &str) -> Document {
    let is_log = text.trim_end().lines().skip(1).any(|line| line.starts_with('{'));
    let language = if is_log { Language::Log } else { Language::Json };
    let settings = Settings { is_named: false, ..Settings::default() };
    Document::new(Text::new(text), language, Arc::new(settings))
}

pub(super) fn shown(found: &ToolUse) -> String {
    let mut line = found.name.clone().unwrap_or_else(|| "-".to_owned());
    let id = found.id.as_deref().filter(|_| !found.id_is_fallback);
    let data = |data: &Option<UseData>| data.as_ref().map(UseData::to_json);
    let parts = [
        ("#", id.map(str::to_owned)),
        (" ", data(&found.input)),
        (" → ", data(&found.output).filter(|_| found.error_text.is_none())),
        (" ✗ ", found.error_text.clone()),
    ];
    for (mark, part) in parts {
        if let Some(part) = part {
            let _ = write!(line, "{mark}{part}");
        }
    }
    line
}

/// Checks the tool uses of a text.
#[track_caller]
pub(super) fn check(text: &str, expected: &[&str]) {
    let document = read(text);
    let found: Vec<String> = document.tool_uses().iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
    let problems = document.diagnostics();
    let others: Vec<_> = problems.iter().filter(|found| found.code != Code::TextArguments).collect();
    assert!(others.is_empty(), "{others:?} in {text}");
    assert_eq!(document.is_active(), !expected.is_empty(), "{text}");
}

#[test]
fn anthropic_blocks_are_read() {
    check(
        r#"{"messages": [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "read", "input": {"p": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "text"}]},
            {"role": "assistant", "content": [{"type": "server_tool_use", "id": "b", "name": "web_search", "input": {}}]},
            {"content": [{"tool_use_id": "b", "content": [{"type": "text", "text": "no"}], "is_error": true, "type": "tool_result"}], "role": "user"}
        ]}"#,
        &[r#"read#a {"p":1} → "text""#, "web_search#b {} ✗ no"],
    );
}

#[test]
fn sessions_of_other_agents_are_read() {
    // Gemini CLI.
    check(
        r#"{"messages": [{"type": "gemini", "content": "", "toolCalls": [
            {"id": "a", "name": "ls", "args": {"p": 1}, "status": "success",
             "result": [{"functionResponse": {"id": "a", "name": "ls", "response": {"output": "x"}}}]},
            {"id": "b", "name": "ls", "args": {}, "status": "error",
             "result": [{"functionResponse": {"id": "b", "name": "ls", "response": {"error": "no"}}}]}]}]}"#,
        &[r#"ls#a {"p":1} → {"output":"x"}"#, "ls#b {} ✗ no"],
    );
    // Copilot CLI.
    check(
        r#"{"type": "tool.execution_start", "data": {"toolCallId": "a", "toolName": "view", "arguments": {"p": 1}}}
{"type": "tool.execution_complete", "data": {"toolCallId": "a", "success": true, "result": {"content": "x"}}}
{"type": "tool.execution_start", "data": {"toolCallId": "b", "toolName": "view", "arguments": {}}}
{"type": "tool.execution_complete", "data": {"toolCallId": "b", "success": false, "error": {"message": "no"}}}"#,
        &[r#"view#a {"p":1} → "x""#, "view#b {} ✗ no"],
    );
    // pi.
    check(
        r#"{"type": "message", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "a", "name": "read", "arguments": {"p": 1}}]}}
{"type": "message", "message": {"role": "toolResult", "toolCallId": "a", "toolName": "read", "content": "no", "isError": true}}"#,
        &[r#"read#a {"p":1} ✗ no"#],
    );
    // A sub-agent of pi, in the result of the call that started it.
    check(
        r#"{"type": "message", "message": {"role": "assistant", "content": [{"type": "toolCall", "id": "a", "name": "subagent", "arguments": {}}]}}
{"type": "message", "message": {"role": "toolResult", "toolCallId": "a", "toolName": "subagent", "content": "two", "details": {"mode": "single", "results": [{"agent": "g", "messages": [
{"role": "user", "content": "count"}, {"role": "assistant", "content": [{"type": "toolCall", "id": "b", "name": "ls", "arguments": {"p": 1}}]},
{"role": "toolResult", "toolCallId": "b", "toolName": "ls", "content": "x y", "details": {}, "isError": false}, {"role": "assistant", "content": "two"}]}]}, "isError": false}}"#
            .replace(",\n", ",")
            .replace("[\n", "[")
            .as_str(),
        &[r#"subagent#a {} → "two""#, r#"ls#b {"p":1} → "x y""#],
    );
    // Amp.
    check(
        r#"{"messages": [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "Read", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "toolUseID": "a", "run": {"status": "done", "result": "x"}}]}]}"#,
        &[r#"Read#a {} → "x""#],
    );
    // goose.
    check(
        r#"{"role": "assistant", "content": [{"type": "toolRequest", "id": "a", "toolCall": {"status": "success", "value": {"name": "shell", "arguments": {"c": 1}}}}]}
{"role": "user", "content": [{"type": "toolResponse", "id": "a", "toolResult": {"status": "success", "value": {"content": "x"}}}]}
{"role": "assistant", "content": [{"type": "toolRequest", "id": "b", "toolCall": {"status": "success", "value": {"name": "shell", "arguments": {}}}}]}
{"role": "user", "content": [{"type": "toolResponse", "id": "b", "toolResult": {"status": "error", "error": "no"}}]}"#,
        &[r#"shell#a {"c":1} → "x""#, "shell#b {} ✗ no"],
    );
}

#[test]
fn chat_completions_are_read() {
    check(
        r#"[{"role": "assistant", "content": null, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"x\": \"\\n\"}"}},
            {"id": "b", "type": "function", "function": {"name": "g", "arguments": "not JSON"}}]},
          {"role": "tool", "tool_call_id": "b", "content": "2"},
          {"role": "tool", "tool_call_id": "a", "content": "1"}]"#,
        &[r#"f#a {"x":"\n"} → "1""#, r#"g#b "not JSON" → "2""#],
    );
    // Without ids, by position; the older form.
    check(
        r#"[{"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}},
          {"role": "function", "name": "f", "content": "1"},
          {"role": "assistant", "tool_calls": [{"function": {"name": "g", "arguments": {}}}, {"function": {"name": "h", "arguments": {}}}]},
          {"role": "tool", "content": "2"}, {"role": "tool", "content": [{"type": "text", "text": "3"}]}]"#,
        &[r#"f {} → "1""#, r#"g {} → "2""#, r#"h {} → [{"type":"text","text":"3"}]"#],
    );
}

#[test]
fn responses_and_rollouts_are_read() {
    check(
        r#"{"output": [{"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "mcp_call", "id": "m", "name": "g", "arguments": "{\"q\": 1}", "output": "2", "error": null},
            {"type": "web_search_call", "id": "w", "status": "completed", "action": {"query": "q"}},
            {"type": "shell_call", "call_id": "s", "status": "completed", "action": {"commands": ["ls"]}},
            {"type": "shell_call_output", "call_id": "s", "output": []},
            {"type": "tool_search_call", "id": "tsc", "call_id": null, "status": "completed", "arguments": {"paths": ["h"]}},
            {"type": "tool_search_output", "id": "tso", "call_id": null, "status": "completed", "tools": []}]}"#,
        &[
            r#"f#a {} → "1""#,
            r#"g#m {"q":1} → "2""#,
            r#"web_search#w {"query":"q"} → "completed""#,
            r#"shell#s {"commands":["ls"]} → []"#,
            r#"tool_search#tsc {"paths":["h"]} → []"#,
        ],
    );
    check(
        concat!(
            "{\"type\": \"response_item\", \"payload\": {\"type\": \"custom_tool_call\", \"call_id\": \"a\", \"name\": \"patch\", \"input\": \"*** Begin\"}}\n",
            "{\"type\": \"event_msg\", \"payload\": {\"type\": \"token_count\"}}\n",
            "{\"type\": \"response_item\", \"payload\": {\"type\": \"custom_tool_call_output\", \"call_id\": \"a\", \"output\": \"ok\"}}\n",
        ),
        &[r#"patch#a "*** Begin" → "ok""#],
    );
}

#[test]
fn exports_of_editors_are_read() {
    check(
        r#"{"messages": [{"info": {"role": "assistant"}, "parts": [
            {"type": "tool", "callID": "a", "tool": "bash", "state": {"status": "completed", "input": {"c": "ls"}, "output": "x"}},
            {"type": "tool", "callID": "b", "tool": "bash", "state": {"status": "error", "input": {}, "error": "no"}},
            {"type": "tool", "callID": "c", "tool": "bash", "state": {"status": "running", "input": {}}}]}]}"#,
        &[r#"bash#a {"c":"ls"} → "x""#, "bash#b {} ✗ no", "bash#c {}"],
    );
    check(
        r#"{"requests": [{"requestId": "r", "response": [
            {"kind": "toolInvocationSerialized", "toolId": "t", "toolCallId": "a", "resultDetails": {"input": "{\"q\": 1}", "output": [], "isError": false}}],
            "result": {"metadata": {"toolCallRounds": [{"toolCalls": [{"id": "z", "name": "t", "arguments": "{\"q\": 1}"}]}]}}}]}"#,
        &[r#"t#z {"q":1} → []"#],
    );
    // The rounds have other ids and names, and calls that are not shown.
    check(
        r#"{"requests": [{"requestId": "r", "response": [
            {"kind": "toolInvocationSerialized", "toolId": "copilot_readFile", "toolCallId": "a"},
            {"kind": "toolInvocationSerialized", "toolId": "inner", "toolCallId": "b"},
            {"kind": "toolInvocationSerialized", "toolId": "copilot_findFiles", "toolCallId": "y"}],
            "result": {"metadata": {"toolCallRounds": [
                {"toolCalls": [{"id": "w", "name": "todo", "arguments": "{}"}, {"id": "x", "name": "read_file", "arguments": "{\"p\": 1}"}]},
                {"toolCalls": [{"id": "y", "name": "file_search", "arguments": "{}"}, {"id": "z", "name": "file_search", "arguments": "{}"}]}],
                "toolCallResults": {"x": {"content": [{"value": "c"}]}, "z": {"content": []}}}}},
          {"requestId": "s", "response": [], "result": {"metadata": {"toolCallRounds": [
                {"toolCalls": [{"id": "v", "name": "inner", "arguments": "{}"}]}]}}}]}"#,
        &[
            r#"copilot_readFile#x {"p":1} → "c""#,
            "inner#b",
            "copilot_findFiles#y {}",
            "todo#w {}",
            "file_search#z {} → []",
            "inner#v {}",
        ],
    );
}

#[test]
fn training_and_evaluation_sets_are_read() {
    check(
        r#"[{"conversations": [{"from": "human", "value": "hi"},
            {"from": "function_call", "value": "{\"name\": \"f\", \"arguments\": {\"x\": 1}}"},
            {"from": "observation", "value": "1"}]},
          {"conversations": [{"from": "function_call", "value": "[{\"name\": \"f\", \"arguments\": {}}, {\"name\": \"g\", \"arguments\": {}}]"},
            {"from": "observation", "value": "2"}]}]"#,
        &[r#"f {"x":1} → "1""#, r#"f {} → "2""#, "g {}"],
    );
    check(
        r#"{"samples": [{"messages": [
            {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}]},
            {"role": "tool", "tool_call_id": "a", "content": "x", "function": "bash", "error": {"type": "timeout", "message": "too slow"}}],
          "events": [{"event": "tool", "timestamp": "t", "id": "a", "function": "bash", "arguments": {"cmd": "ls"}}]}]}"#,
        &[r#"bash#a {"cmd":"ls"} ✗ too slow"#],
    );
}

#[test]
fn sessions_of_grok_are_read() {
    check(
        r#"{"type": "assistant", "content": "x", "tool_calls": [{"id": "a", "name": "f", "arguments": "{\"p\": 1}"}]}
{"type": "tool_result", "tool_call_id": "a", "content": "1"}"#,
        &[r#"f#a {"p":1} → "1""#],
    );
}

#[test]
fn messages_of_frameworks_are_read() {
    // OpenTelemetry.
    check(
        r#"[{"role": "user", "parts": [{"type": "text", "content": "q"}]},
            {"role": "assistant", "parts": [{"type": "tool_call", "id": "a", "name": "f", "arguments": {"p": 1}}], "finish_reason": "tool_call"},
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "a", "response": "1"}]},
            {"role": "assistant", "parts": [{"type": "tool_call", "id": "b", "name": "f", "arguments": "{\"p\": 2}"}]},
            {"role": "tool", "parts": [{"type": "tool_call_response", "id": "b", "result": {"n": 2}}]}]"#,
        &[r#"f#a {"p":1} → "1""#, r#"f#b {"p":2} → {"n":2}"#],
    );
    // Langfuse.
    check(
        r#"[{"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": "{\"p\": 1}", "type": "function"}]},
            {"role": "tool", "content": "1", "tool_call_id": "a"}]"#,
        &[r#"f#a {"p":1} → "1""#],
    );
    // Pydantic AI.
    check(
        r#"[{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": "q"}]},
            {"kind": "response", "parts": [
                {"part_kind": "tool-call", "tool_name": "f", "args": {"p": 1}, "tool_call_id": "a"},
                {"part_kind": "tool-call", "tool_name": "g", "args": "{\"p\": 2}", "tool_call_id": "b"}]},
            {"kind": "request", "parts": [
                {"part_kind": "tool-return", "tool_name": "f", "content": [1], "tool_call_id": "a"},
                {"part_kind": "retry-prompt", "tool_name": "g", "content": "no", "tool_call_id": "b"}]}]"#,
        &[r#"f#a {"p":1} → [1]"#, r#"g#b {"p":2} ✗ no"#],
    );
    // Microsoft.Extensions.AI.
    check(
        r#"[{"role": "assistant", "contents": [{"$type": "functionCall", "callId": "a", "name": "f", "arguments": {"p": 1}}]},
            {"role": "tool", "contents": [{"$type": "functionResult", "callId": "a", "result": "1"}]}]"#,
        &[r#"f#a {"p":1} → "1""#],
    );
    // AutoGen.
    check(
        r#"[{"source": "x", "type": "ToolCallRequestEvent", "content": [{"id": "a", "arguments": "{}", "name": "f"}, {"id": "b", "arguments": "{}", "name": "g"}]},
            {"source": "x", "type": "ToolCallExecutionEvent", "content": [{"content": "1", "name": "f", "call_id": "a", "is_error": false},
                {"content": "no", "name": "g", "call_id": "b", "is_error": true}]}]"#,
        &[r#"f#a {} → "1""#, "g#b {} ✗ no"],
    );
    // Haystack.
    check(
        r#"[{"role": "assistant", "content": [{"tool_call": {"id": "a", "tool_name": "f", "arguments": {}}}]},
            {"role": "tool", "content": [{"tool_call_result": {"result": "1", "error": false, "origin": {"id": "a", "tool_name": "f", "arguments": {}}}}]}]"#,
        &[r#"f#a {} → "1""#],
    );
    // Continue: a state of a call beside its message, and a message.
    check(
        r#"{"history": [{"message": {"role": "assistant", "content": "", "toolCalls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
              "toolCallStates": [
                {"toolCallId": "a", "toolCall": {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}, "status": "done", "output": [{"content": "1"}]}]},
            {"message": {"role": "tool", "content": "2", "toolCallId": "b"}},
            {"message": {"role": "assistant", "content": "", "toolCalls": [
                {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                {"id": "d", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
              "toolCallStates": [
                {"toolCallId": "c", "toolCall": {"id": "c"}, "status": "errored"},
                {"toolCallId": "d", "toolCall": {"id": "d"}, "status": "generated"}]},
            {"message": {"role": "tool", "content": "4", "toolCallId": "d"}},
            {"message": {"role": "tool", "content": "3", "toolCallId": "c"}}]}"#,
        &[r#"f#a {} → [{"content":"1"}]"#, r#"g#b {} → "2""#, r#"f#c {} → "3""#, r#"g#d {} → "4""#],
    );
    // Steps of OpenAI's assistants.
    check(
        r#"{"data": [{"step_details": {"type": "tool_calls", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}", "output": "1"}}]}}]}"#,
        &[r#"f#a {} → "1""#],
    );
}

#[test]
fn objects_that_look_like_messages_of_frameworks_are_silent() {
    check(
        r##"{"nodes": [{"type": "function", "name": "rgb", "arguments": "1, 2"}, {"type": "function", "name": "var", "arguments": ["a"]}],
            "steps": [{"type": "tool_call", "name": "lint"}, {"type": "tool_call_response", "code": 1}],
            "records": [{"call_id": "7", "name": "x", "content": "y", "is_error": null}],
            "policy": {"tool_call": {"tool_name": "x"}}, "tools": [{"type": "function", "name": "f", "parameters": {}}]}"##,
        &[],
    );
}

#[test]
fn in_a_request_a_reused_id_is_always_another_call() {
    let call = r#"{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}"#;
    let result = r#"{"role": "tool", "tool_call_id": "a", "content": "1"}"#;
    let request = format!(r#"{{"messages": [{call}, {result}, {call}, {result}]}}"#);
    assert_eq!(read(&request).tool_uses().len(), 2);
    // Calls of one message get their results in order, calls of several messages from the last on.
    let other = call.replace("\"f\"", "\"g\"");
    let check_uses = |messages: &str, expected: &[&str]| {
        let request = format!(r#"{{"messages": [{messages}]}}"#);
        let found: Vec<_> = read(&request).tool_uses().iter().map(shown).collect();
        assert_eq!(found, expected, "{request}");
    };
    let (one, two) = (&call[..call.len() - 2], &other[other.find("[{").unwrap() + 1..]);
    let second = result.replace('1', "2");
    check_uses(&format!("{one}, {two}, {result}, {second}"), &[r#"f#a {} → "1""#, r#"g#a {} → "2""#]);
    check_uses(&format!("{one}, {two}, {result}"), &[r#"f#a {} → "1""#, "g#a {}"]);
    check_uses(&format!("{call}, {other}, {result}"), &["f#a {}", r#"g#a {} → "1""#]);
    check_uses(&format!("{call}, {other}, {result}, {second}"), &[r#"f#a {} → "2""#, r#"g#a {} → "1""#]);
    // The steps of a trace, and the records of a log, may have the same messages.
    let step =
        |indent: &str| format!(r#"{{"output": {{"message":{indent}{call}, "result":{indent}{result}}}}}"#);
    let trace = format!("[{}, {}]", step(" "), step("\n    ").replace(", \"", ",\n        \""));
    check(&trace, &[r#"f#a {} → "1""#]);
    assert_eq!(read(&[call, result, call, result].join("\n")).tool_uses().len(), 1);
}

#[test]
fn a_call_that_reuses_an_id_is_another_one() {
    assert_eq!(
        read(
            r#"{"messages": [
            {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "1"},
            {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "2"},
            {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "3"}]}"#
        )
        .tool_uses()
        .iter()
        .map(shown)
        .collect::<Vec<_>>(),
        [r#"f#a {} → "1""#, r#"g#a {} → "2""#, r#"f#a {} → "3""#]
    );
}

#[test]
fn trajectories_are_read() {
    check(
        r#"[{"id": 1, "source": "user", "action": "message", "args": {"content": "hi"}},
          {"id": 2, "source": "agent", "action": "run", "args": {"command": "ls"}, "tool_call_metadata": {"tool_calls": [{"id": "z", "function": {"name": "n", "arguments": "{}"}}]}},
          {"id": 3, "source": "agent", "cause": 2, "observation": "run", "content": "x", "extras": {}, "success": false},
          {"id": 4, "source": "environment", "observation": "agent_state_changed", "content": "", "extras": {}}]"#,
        &[r#"run#2 {"command":"ls"} ✗ x"#],
    );
    check(
        r#"{"steps": [{"step_id": 1, "source": "agent", "tool_calls": [{"tool_call_id": "a", "function_name": "f", "arguments": {}}],
            "observation": {"results": [{"source_call_id": "a", "content": "1"}]}}]}"#,
        &[r#"f#a {} → "1""#],
    );
    // SWE-agent: a call is also an action, and an action alone is a line of a shell.
    check(
        r#"{"history": [
            {"role": "assistant", "content": "x", "thought": "x", "action": "open a.py\n", "agent": "main", "message_type": "action",
             "tool_calls": [{"function": {"name": "open", "arguments": "{\"path\": \"a.py\"}"}, "id": "a", "type": "function"}]},
            {"role": "tool", "content": "1", "agent": "main", "message_type": "observation", "tool_call_ids": ["a"]},
            {"role": "assistant", "content": "x", "thought": "x", "action": "ls\n", "agent": "main"}],
          "trajectory": [{"action": "open a.py\n", "observation": "1", "response": "x", "thought": "x"}]}"#,
        &[r#"open#a {"path":"a.py"} → "1""#],
    );
}

#[test]
fn parts_of_gemini_bedrock_and_the_ai_sdk_are_read() {
    check(
        r#"{"contents": [{"role": "model", "parts": [{"functionCall": {"name": "f", "args": {"x": 1}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"y": 2}}}]}]}"#,
        &[r#"f {"x":1} → {"y":2}"#],
    );
    check(
        r#"[{"role": "assistant", "content": [{"toolUse": {"toolUseId": "a", "name": "f", "input": {}}}]},
          {"role": "user", "content": [{"toolResult": {"toolUseId": "a", "content": [{"text": "no"}], "status": "error"}}]}]"#,
        &["f#a {} ✗ no"],
    );
    check(
        r#"[{"role": "assistant", "parts": [
            {"type": "tool-read", "toolCallId": "a", "state": "output-available", "input": {"p": 1}, "output": 2},
            {"type": "dynamic-tool", "toolName": "x", "toolCallId": "b", "state": "output-error", "input": {}, "errorText": "no"},
            {"type": "tool-read", "toolCallId": "c", "state": "input-available", "input": {}}]}]"#,
        &[r#"read#a {"p":1} → 2"#, "x#b {} ✗ no", "read#c {}"],
    );
    check(
        r#"[{"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "a", "toolName": "f", "input": {}}]},
          {"role": "tool", "content": [{"type": "tool-result", "toolCallId": "a", "toolName": "f", "output": {"type": "json", "value": 1}}]}]"#,
        &[r#"f#a {} → {"type":"json","value":1}"#],
    );
    // A call that the user denied is over: it must not run.
    check(
        r#"[{"role": "assistant", "parts": [
            {"type": "tool-rm", "toolCallId": "a", "state": "output-denied", "input": {}, "approval": {"id": "x", "approved": false}},
            {"type": "dynamic-tool", "toolName": "rm", "toolCallId": "b", "state": "output-denied", "input": {}}]}]"#,
        &["rm#a {} ✗ failed", "rm#b {} ✗ failed"],
    );
}

/// Ids, order and positions hold within a conversation.
#[test]
fn conversations_are_apart() {
    let one = r#"{"messages": [{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {}}}]}, {"role": "tool", "tool_call_id": "a", "content": "1"}]}"#;
    let two = one.replace("\"1\"", "\"2\"");
    let both = &[r#"f#a {} → "1""#, r#"f#a {} → "2""#];
    check(&format!("[{one}, {two}]"), both);
    check(&format!("{one}\n{two}\n"), both);
    // A line is a conversation of its own, whatever it begins with.
    let call = r#"{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}"#;
    let line = format!(r#"[{{"role": "assistant", "tool_calls": [{call}]}}]"#);
    check(&format!("{line}\n{line}\n"), &["f#a {}"; 2]);
    // Of lists of messages that begin alike, the calls are the same.
    let list = r#"[{"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}, {"role": "function", "name": "f", "content": "1"}]"#;
    check(&format!("{{\"train_messages\": [{list}, {list}]}}"), &[r#"f {} → "1""#]);
}

#[test]
fn faults_of_json_are_left_to_other_servers() {
    for text in [
        r#"{"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1,}}],}"#,
        r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}"#,
        r#"[{'role': "assistant" "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}]}"#,
    ] {
        let document = read(text);
        assert_eq!(document.tool_uses().len(), 1, "{text}");
        assert_eq!(document.diagnostics(), [], "{text}");
    }
}

#[test]
fn other_json_is_silent() {
    for text in [
        r#"{"name": "package", "version": "1.0.0", "scripts": {"test": "x"}}"#,
        r#"[{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object"}}}]"#,
        r#"{"name": "tool", "input_schema": {"type": "object"}, "id": "x"}"#,
        r#"{"action": "push", "repository": {"id": 1}, "sender": {}}"#,
        r#"{"type": "tool_use"}"#,
        r#"{"type": "tool", "name": "hammer", "state": "new"}"#,
        r#"{"role": "admin", "content": []}"#,
        r#"{"messages": [{"role": "user", "content": "{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"x\", \"input\": {}}"}]}"#,
        "{\"type\":\"push\"}\n{\"type\":\"pull\",\"id\":\"a\",\"name\":\"b\"}\n",
        "",
        "{",
        "]]]}}}",
    ] {
        check(text, &[]);
    }
}

/// A log is read while it is being written.
#[test]
fn a_line_that_is_cut_off_is_read() {
    let text = "{\"role\":\"user\",\"content\":\"hi\"}\n{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{\"p\":\"/ho";
    assert_eq!(read(text).tool_uses().len(), 1);
    assert_eq!(read(text).message_count(), 2);
}
