//! Message logs: the forms of applications with agents, and of programs that observe them.

use super::logs::check;

#[test]
fn hooks_of_claude_code_are_read() {
    // With ids, the events before and after a call are one; one that did not run is pending.
    check(
        r#"{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"look"}
{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Read","tool_input":{"p":1},"tool_use_id":"a"}
{"session_id":"s","hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"p":1},"tool_response":{"type":"text"},"tool_use_id":"a"}
{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{},"tool_use_id":"b"}
{"session_id":"s","hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{},"tool_use_id":"b","error":"no"}
{"session_id":"s","hook_event_name":"PreToolUse","tool_name":"Glob","tool_input":{},"tool_use_id":"c"}
{"session_id":"s","hook_event_name":"Stop","stop_hook_active":false}"#,
        &[r#"Read#a {"p":1} → {"type":"text"}"#, "Bash#b {} ✗ no", "Glob#c {}"],
    );
    check(
        r#"[{"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {"p": 1}, "tool_response": {"content": [{"type": "tool_use", "id": "x", "name": "y", "input": {}}]}},
            {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": {"p": 1}, "tool_response": "x"}]"#,
        &[
            r#"Read {"p":1} → {"content":[{"type":"tool_use","id":"x","name":"y","input":{}}]}"#,
            r#"Read {"p":1} → "x""#,
        ],
    );
    // Settings of hooks.
    check(r#"{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}, "tool_name": "Bash"}"#, &[]);
}

#[test]
fn lines_with_types_are_read() {
    check(
        r#"{"type":"message","role":"user","content":"list"}
{"type":"tool_call","id":"a","name":"ls","input":{"p":1}}
{"type":"tool_result","tool_call_id":"a","output":"x"}
{"type":"tool_call","id":"b","name":"cat","input":{}}
{"type":"tool_result","id":"b","output":"no","is_error":true}"#,
        &[r#"ls#a {"p":1} → "x""#, "cat#b {} ✗ no"],
    );
    // oh-my-opencode: without ids.
    check(
        r#"{"type":"user","content":"list"}
{"type":"tool_use","tool_name":"ls","tool_input":{"p":1}}
{"type":"tool_use","tool_name":"cat","tool_input":{}}
{"type":"tool_result","tool_name":"cat","tool_input":{},"tool_output":"y"}
{"type":"tool_result","tool_name":"ls","tool_input":{"p":1},"tool_output":{"output":"x","title":"ls"}}"#,
        &[r#"ls {"p":1} → "x""#, r#"cat {} → "y""#],
    );
}

#[test]
fn events_of_the_app_server_of_codex_are_read() {
    // An older server writes both kinds of events, with the same ids.
    check(
        r#"{"method":"codex/event/exec_command_begin","params":{"msg":{"type":"exec_command_begin","call_id":"a","command":["ls"]}}}
{"method":"item/started","params":{"item":{"type":"commandExecution","id":"b","command":"ls","status":"inProgress","aggregatedOutput":null,"exitCode":null}}}
{"method":"item/completed","params":{"item":{"type":"commandExecution","id":"b","command":"ls","status":"failed","aggregatedOutput":"no","exitCode":1}}}
{"method":"codex/event/exec_command_end","params":{"msg":{"type":"exec_command_end","call_id":"a","stdout":"","aggregated_output":"x","exit_code":0}}}
{"method":"codex/event","params":{"msg":{"type":"mcp_tool_call_begin","call_id":"c","invocation":{"server":"s","tool":"f","arguments":{"q":1}}}}}
{"method":"codex/event","params":{"msg":{"type":"mcp_tool_call_end","call_id":"c","result":{"Err":"no"}}}}
{"method":"item/completed","params":{"item":{"type":"mcpToolCall","id":"d","server":"s","tool":"f","arguments":{},"status":"completed","result":{"content":[]}}}}"#,
        &[
            r#"exec_command#a ["ls"] → "x""#,
            r#"commandExecution#b "ls" ✗ no"#,
            r#"f#c {"q":1} ✗ no"#,
            "f#d {} → []",
        ],
    );
}

#[test]
fn conversations_of_applications_are_read() {
    // Auggie.
    check(
        r#"{"chatHistory": [
            {"exchange": {"request_message": "hi", "response_text": "", "response_nodes": [{"id": 1, "type": 5, "tool_use": {"tool_use_id": "a", "tool_name": "view", "input_json": "{\"p\": 1}"}}]}},
            {"exchange": {"request_message": "", "request_nodes": [{"id": 1, "type": 1, "tool_result_node": {"tool_use_id": "a", "content": "no", "is_error": true}}], "response_text": "b"}}]}"#,
        &[r#"view#a {"p":1} ✗ no"#],
    );
    // Cursor.
    check(
        r#"{"conversation": [{"type": 1, "text": "hi"},
            {"type": 2, "toolFormerData": {"toolCallId": "a", "status": "completed", "name": "read_file", "rawArgs": "{\"p\": 1}", "params": "{}", "result": "x"}},
            {"type": 2, "toolFormerData": {"additionalData": {}}}]}"#,
        &[r#"read_file#a {"p":1} → "x""#],
    );
    // assistant-ui.
    check(
        r#"{"messages": [{"role": "assistant", "content": [
            {"type": "tool-call", "toolCallId": "a", "toolName": "f", "args": {"p": 1}, "argsText": "{\"p\":1}", "result": {"t": 1}},
            {"type": "tool-call", "toolCallId": "b", "toolName": "g", "argsText": "{}", "result": "no", "isError": true},
            {"type": "tool-call", "toolCallId": "c", "toolName": "h", "args": {}, "argsText": "{}"}]}]}"#,
        &[r#"f#a {"p":1} → {"t":1}"#, "g#b {} ✗ no", "h#c {}"],
    );
    // xAI.
    check(
        r#"{"object": "response", "output": [{"type": "x_search_call", "id": "a", "call_id": "", "name": "x_semantic_search", "arguments": "{\"q\": 1}", "status": "completed"}]}"#,
        &[r#"x_semantic_search#a {"q":1} → "completed""#],
    );
}

/// Their results stand beside the calls, or in the same object.
#[test]
fn results_beside_calls_are_read() {
    // Langflow, by both names of the input.
    check(
        r#"{"contents": [
            {"type": "tool_use", "name": "f", "tool_input": {"p": 1}, "output": "x", "error": null},
            {"type": "tool_use", "name": "g", "input": {"p": 1}, "output": null, "error": "no"}]}"#,
        &[r#"f {"p":1} → "x""#, r#"g {"p":1} ✗ no"#],
    );
    // browser-use. The second action is not done after an error of the first.
    check(
        r#"{"history": [
            {"model_output": {"action": [{"open": {"p": 1}}]}, "result": [{"extracted_content": "x"}], "state": {}},
            {"model_output": {"action": [{"read": {}}, {"wait": {}}]}, "result": [{"extracted_content": "y", "error": null}, {"error": "no"}], "state": {}},
            {"model_output": {"action": [{"read": {}}, {"wait": {}}]}, "result": [{"error": "late"}], "state": {}}]}"#,
        &[r#"open {"p":1} → "x""#, r#"read {} → "y""#, "wait {} ✗ no", "read {} ✗ late", "wait {}"],
    );
}

#[test]
fn flat_calls_of_applications_are_read() {
    // Hume, and older threads of Zed.
    check(
        r#"[{"type": "tool_call", "name": "f", "parameters": "{\"p\": 1}", "tool_call_id": "a", "tool_type": "function"},
            {"type": "tool_response", "tool_call_id": "a", "content": "x"}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
    check(
        r#"{"messages": [
            {"id": 1, "role": "assistant", "segments": [], "tool_uses": [{"id": "a", "name": "f", "input": {"p": 1}}], "tool_results": []},
            {"id": 2, "role": "user", "segments": [], "tool_uses": [], "tool_results": [{"tool_use_id": "a", "is_error": true, "content": "x"}]}]}"#,
        &[r#"f#a {"p":1} ✗ x"#],
    );
}

#[test]
fn steps_of_lang_chain_are_pairs() {
    check(
        r#"{"input": "?", "output": "2", "intermediate_steps": [
            [{"tool": "f", "tool_input": "1 + 1", "log": ""}, "2"], null, [], [{"tool": "g", "tool_input": {}}, "3"]]}"#,
        &[r#"f "1 + 1" → "2""#, r#"g {} → "3""#],
    );
}

/// Spans that run tools, between the spans of the model that have the same calls.
#[test]
fn a_call_counts_once_in_spans_of_its_tool_and_of_models() {
    check(
        r#"[{"attributes": {"ai.response.toolCalls": "[{\"toolCallId\": \"a\", \"toolName\": \"f\", \"args\": {\"p\": 1}}]"}},
            {"attributes": {"ai.toolCall.name": "f", "ai.toolCall.id": "a", "ai.toolCall.args": "{\"p\": 1}", "ai.toolCall.result": "x"}},
            {"attributes": {"ai.prompt.messages": "[{\"role\": \"tool\", \"content\": [{\"type\": \"tool-result\", \"toolCallId\": \"a\", \"toolName\": \"f\", \"result\": \"x\"}]}]"}}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
    check(
        r#"[{"attributes": {"gen_ai.output.messages": "[{\"role\": \"assistant\", \"parts\": [{\"type\": \"tool_call\", \"id\": \"a\", \"name\": \"f\", \"arguments\": {\"p\": 1}}]}]"}},
            {"attributes": {"gen_ai.tool.name": "f", "gen_ai.tool.call.id": "a", "tool_arguments": "{\"p\": 1}", "tool_response": "x"}}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
}
