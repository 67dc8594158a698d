//! Message logs: the forms of data sets, of events of agents, and of protocols.

use super::logs::check;

#[test]
fn simulations_of_tau2_bench_are_read() {
    check(
        r#"{"simulations": [{"messages": [
        {"role": "assistant", "content": "Hello", "tool_calls": null, "raw_data": {"message": {"role": "assistant", "content": "Hello"}}},
        {"role": "assistant", "content": "One moment", "tool_calls": [
            {"id": "a", "name": "find_order", "arguments": {"number": 7}, "requestor": "assistant"},
            {"id": "b", "name": "find_user", "arguments": {}, "requestor": "assistant"}],
         "raw_data": {"index": 0, "message": {"role": "assistant", "content": "One moment", "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "find_order", "arguments": "{\"number\":7}"}},
            {"id": "b", "type": "function", "function": {"name": "find_user", "arguments": "{}"}}]}}},
        {"id": "a", "role": "tool", "content": "sent", "requestor": "assistant", "error": false},
        {"id": "b", "role": "tool", "content": "no", "requestor": "assistant", "error": true},
        {"role": "user", "content": null, "tool_calls": [{"id": "c", "name": "toggle", "arguments": {}, "requestor": "user"}], "raw_data": null},
        {"id": "c", "role": "tool", "content": "on", "requestor": "user", "error": false}]}],
        "tasks": [{"actions": [{"action_id": "x", "requestor": "assistant", "name": "find_order", "arguments": {}}]}]}"#,
        &[r#"find_order#a {"number":7} → "sent""#, "find_user#b {} ✗ no", r#"toggle#c {} → "on""#],
    );
}

#[test]
fn answers_of_xlam_are_read() {
    check(
        concat!(
            r#"{"query": "2 + 3?", "tools": "[{\"name\": \"add\"}]", "answers": "[{\"name\": \"add\", \"arguments\": {\"a\": 2}}, {\"name\": \"show\", \"arguments\": {}}]"}"#,
            "\n",
            r#"{"query": "Hello", "tools": "[]", "answers": "[]"}"#,
            "\n",
        ),
        &[r#"add {"a":2}"#, "show {}"],
    );
    // The messages of the query belong to other calls.
    check(
        r#"[{"query": [{"role": "tool", "content": "5"}], "tools": [{"name": "add", "parameters": {"a": {"type": "int"}}}],
            "answers": [{"name": "add", "arguments": {"a": 2}}, {"name": "show", "arguments": "{}"}]}]"#,
        &[r#"add {"a":2}"#, "show {}"],
    );
}

#[test]
fn dialogues_of_api_bank_are_read() {
    check(
        concat!(
            r#"{"role": "User", "text": "Wake me at 7."}"#,
            "\n",
            r#"{"role": "API", "api_name": "SetAlarm", "param_dict": {"t": 7}, "result": {"input": {"t": 7}, "output": "ok", "exception": null}}"#,
            "\n",
            r#"{"role": "API", "api_name": "SetAlarm", "param_dict": {}, "result": {"output": null, "exception": "no time"}}"#,
        ),
        &[r#"SetAlarm {"t":7} → "ok""#, "SetAlarm {} ✗ no time"],
    );
}

#[test]
fn events_of_agents_are_read() {
    // Gemini CLI, as a stream.
    check(
        r#"{"type":"message","role":"user","content":"list"}
{"type":"tool_use","tool_name":"ls","tool_id":"a","parameters":{"p":1}}
{"type":"tool_result","tool_id":"a","status":"success","output":"x"}
{"type":"tool_use","tool_name":"cat","tool_id":"b","parameters":{}}
{"type":"tool_result","tool_id":"b","status":"error","error":{"type":"none","message":"no"}}
{"type":"result","status":"success","stats":{}}"#,
        &[r#"ls#a {"p":1} → "x""#, "cat#b {} ✗ no"],
    );
    // Continue.
    check(
        r#"{"eventName":"toolUsage","toolCallId":"a","functionName":"read","toolCallArgs":"{\"p\":1}","succeeded":true,"output":["x"]}
{"eventName":"toolUsage","toolCallId":"b","functionName":"run","functionArgs":"{}","accepted":false,"succeeded":false}"#,
        &[r#"read#a {"p":1} → ["x"]"#, "run#b {} ✗ failed"],
    );
    // Kimi Code.
    check(
        r#"{"type":"context.append_loop_event","event":{"type":"step.begin","step":1}}
{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"a","name":"Read","args":{"p":1}}}
{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"a","result":{"output":"x"}}}
{"type":"context.append_loop_event","event":{"type":"tool.call","toolCallId":"b","name":"Bash","args":{}}}
{"type":"context.append_loop_event","event":{"type":"tool.result","toolCallId":"b","result":{"output":"no","isError":true}}}"#,
        &[r#"Read#a {"p":1} → "x""#, "Bash#b {} ✗ no"],
    );
    // OpenHands' SDK.
    check(
        r#"{"kind":"ActionEvent","source":"agent","action":{"c":1},"tool_name":"shell","tool_call_id":"a","tool_call":{"id":"a","name":"shell","arguments":"{\"c\":1}"}}
{"kind":"ObservationEvent","source":"environment","tool_name":"shell","tool_call_id":"a","observation":{"content":"x","is_error":false}}
{"kind":"ActionEvent","source":"agent","action":{},"tool_name":"edit","tool_call_id":"b"}
{"kind":"AgentErrorEvent","source":"agent","tool_name":"edit","tool_call_id":"b","error":"no"}
{"kind":"ActionEvent","source":"agent","action":{},"tool_name":"edit","tool_call_id":"c"}
{"kind":"UserRejectObservation","tool_name":"edit","tool_call_id":"c","rejection_reason":"not now"}"#,
        &[r#"shell#a {"c":1} → "x""#, "edit#b {} ✗ no", "edit#c {} ✗ not now"],
    );
    // Some write a file per event.
    check(
        r#"{"kind":"ObservationEvent","tool_name":"shell","tool_call_id":"a","observation":{"content":"x"}}"#,
        &[r#"shell#a → "x""#],
    );
    // Messages of AG-UI, which may have no content.
    check(
        r#"{"threadId": "t", "messages": [{"role": "user", "content": "q"},
            {"role": "assistant", "toolCalls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "toolCallId": "a", "content": "x"}]}"#,
        &[r#"f#a {} → "x""#],
    );
    // droid.
    check(
        r#"{"type":"tool_call","id":"a","toolId":"LS","toolName":"LS","parameters":{"p":1}}
{"type":"tool_result","id":"a","toolId":"LS","isError":false,"value":"x"}"#,
        &[r#"LS#a {"p":1} → "x""#],
    );
    // `codex exec --json`.
    check(
        r#"{"type":"item.started","item":{"id":"i0","type":"command_execution","command":"ls","aggregated_output":"","status":"in_progress"}}
{"type":"item.completed","item":{"id":"i0","type":"command_execution","command":"ls","aggregated_output":"x","exit_code":0,"status":"completed"}}
{"type":"item.completed","item":{"id":"i1","type":"mcp_tool_call","server":"s","tool":"find","arguments":{"q":1},"result":null,"error":{"message":"no"},"status":"failed"}}
{"type":"item.completed","item":{"id":"i2","type":"file_change","changes":[],"status":"completed"}}"#,
        &[
            r#"command_execution#i0 "ls" → "x""#,
            r#"find#i1 {"q":1} ✗ no"#,
            r#"file_change#i2 [] → "completed""#,
        ],
    );
    // LlamaIndex in Python.
    check(
        r#"[{"role": "assistant", "additional_kwargs": {}, "blocks": [{"block_type": "tool_call", "tool_call_id": "a", "tool_name": "f", "tool_kwargs": {"p": 1}}]},
            {"role": "tool", "additional_kwargs": {"tool_call_id": "a"}, "blocks": [{"block_type": "text", "text": "x"}]}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
    // OpenClaw, by position.
    check(
        r#"{"type":"tool.start","toolName":"exec","params":{"c":1}}
{"type":"tool.end","toolName":"exec","durationMs":5,"success":true}
{"type":"tool.start","toolName":"exec","params":{}}
{"type":"tool.end","toolName":"exec","durationMs":5,"success":false,"error":"no"}"#,
        &[r#"exec {"c":1}"#, "exec {} ✗ no"],
    );
    // Antigravity.
    check(
        r#"{"step_index":1,"source":"MODEL","type":"PLANNER_RESPONSE","tool_calls":[{"name":"view","args":{"p":1}},{"name":"grep","args":{}}]}
{"step_index":2,"source":"MODEL","type":"GENERIC","content":"x"}"#,
        &[r#"view {"p":1}"#, "grep {}"],
    );
    // Managed agents of Anthropic.
    check(
        r#"{"type":"agent.tool_use","id":"a","name":"bash","input":{"c":1},"evaluated_permission":"allow"}
{"type":"agent.tool_result","id":"r","tool_use_id":"a","content":"x"}
{"type":"agent.mcp_tool_use","id":"b","name":"find","input":{}}
{"type":"agent.mcp_tool_result","id":"s","mcp_tool_use_id":"b","content":"no","is_error":true}"#,
        &[r#"bash#a {"c":1} → "x""#, "find#b {} ✗ no"],
    );
    // The debug logs of Copilot in VS Code.
    check(
        r#"{"type":"tool_call","name":"read","spanId":"a","status":"ok","attrs":{"args":"{\"p\":1}","result":"x"}}
{"type":"tool_call","name":"run","spanId":"b","status":"error","attrs":{"args":"{}","result":"no"}}"#,
        &[r#"read#a {"p":1} → "x""#, "run#b {} ✗ no"],
    );
}

/// A call that Cohere streams is no record of the AI SDK, and one of Gemini's Interactions needs no
/// `call_id`.
#[test]
fn streams_of_apis_are_read() {
    check(
        r#"data: {"type":"tool-call-start","index":0,"delta":{"message":{"tool_calls":{"id":"a","type":"function","function":{"name":"find","arguments":""}}}}}
data: {"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"{\"q\":"}}}}}
data: {"type":"tool-call-delta","index":0,"delta":{"message":{"tool_calls":{"function":{"arguments":"1}"}}}}}
data: {"type":"tool-call-end","index":0}
{}"#,
        &[r#"find#a {"q":1}"#],
    );
    check(
        r#"{"index":1,"step":{"id":"a","type":"function_call","name":"run","arguments":{}},"event_type":"step.start"}
{"index":1,"delta":{"arguments":"{\"c\":1}","type":"arguments_delta"},"event_type":"step.delta"}
{"index":1,"event_type":"step.stop"}"#,
        &[r#"run#a {"c":1}"#],
    );
    check(
        r#"{"steps": [
            {"type": "function_call", "id": "a", "name": "run", "arguments": {"c": 1}},
            {"type": "function_result", "call_id": "a", "name": "run", "result": "x"}]}"#,
        &[r#"run#a {"c":1} → "x""#],
    );
}

/// Servers run some tools themselves, and answer calls with a text in the same answer.
#[test]
fn tools_of_servers_are_no_fault() {
    check(
        r#"{"tools": [{"name": "find", "input_schema": {"type": "object"}}], "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [
                {"type": "server_tool_use", "id": "a", "name": "code_execution", "input": {}}]}]}"#,
        &["code_execution#a {}"],
    );
    check(
        r#"{"object": "response", "output": [
            {"type": "custom_tool_call", "call_id": "a", "name": "x_search", "input": "q", "id": "c", "status": "completed"},
            {"type": "message", "role": "assistant", "id": "m", "status": "completed",
             "content": [{"type": "output_text", "text": "b"}]}]}"#,
        &[r#"x_search#a "q""#],
    );
}

#[test]
fn events_of_protocols_are_read() {
    // AG-UI.
    check(
        r#"[{"type":"TOOL_CALL_START","toolCallId":"a","toolCallName":"search"},
            {"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"{}"},
            {"type":"TOOL_CALL_END","toolCallId":"a"},
            {"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"a","content":"x"}]"#,
        &[r#"search#a {} → "x""#],
    );
    // Agent Client Protocol: the kind of a call stands for its name, or else its title.
    check(
        r#"{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"a","title":"Read it","kind":"read","status":"pending","content":[],"rawInput":{"p":1}}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"in_progress"}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call_update","toolCallId":"a","status":"completed","rawOutput":"x"}}}
{"method":"session/update","params":{"update":{"sessionUpdate":"tool_call","toolCallId":"b","title":"Say it","status":"failed","rawInput":{},"rawOutput":"no"}}}"#,
        &[r#"read#a {"p":1} → "x""#, "Say it#b {} ✗ no"],
    );
}

#[test]
fn messages_that_cline_shows_are_read() {
    check(
        r#"[{"ts": 1, "type": "say", "say": "text", "text": "Look at a."},
            {"ts": 2, "type": "say", "say": "api_req_started", "text": "{\"request\": \"x\"}"},
            {"ts": 3, "type": "ask", "ask": "tool", "text": "{\"tool\":\"readFile\",\"path\":\"a\",\"content\":\"/w/a\"}", "partial": false},
            {"ts": 4, "type": "ask", "ask": "command", "text": "mkdir b"},
            {"ts": 5, "type": "say", "say": "command", "text": "ls"},
            {"ts": 6, "type": "ask", "ask": "command_output", "text": ""},
            {"ts": 7, "type": "say", "say": "command_output", "text": "a"},
            {"ts": 8, "type": "say", "say": "command_output", "text": "b"},
            {"ts": 9, "type": "ask", "ask": "use_mcp_server", "text": "{\"serverName\":\"s\",\"type\":\"use_mcp_tool\",\"toolName\":\"find\",\"arguments\":\"{\\\"q\\\": 1}\"}"},
            {"ts": 10, "type": "say", "say": "mcp_server_response", "text": "found"},
            {"ts": 11, "type": "ask", "ask": "tool", "text": ""}]"#,
        &[
            r#"readFile {"tool":"readFile","path":"a","content":"/w/a"} → "/w/a""#,
            r#"command "mkdir b""#,
            r#"command "ls" → "b""#,
            r#"find {"q":1} → "found""#,
        ],
    );
}

#[test]
fn attributes_of_traces_are_read() {
    // OpenTelemetry, as an object and as it is exported.
    let messages = r#"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"sun\",\"arguments\":{\"p\":1}}]},{\"role\":\"tool\",\"parts\":[{\"type\":\"tool_call_response\",\"id\":\"a\",\"response\":\"x\"}]}]"#;
    let expected = [r#"sun#a {"p":1} → "x""#];
    check(&format!(r#"{{"gen_ai.system": "m", "gen_ai.prompt": "{messages}"}}"#), &expected);
    let exported = format!(r#"{{"key": "gen_ai.input.messages", "value": {{"stringValue": "{messages}"}}}}"#);
    check(
        &format!(r#"{{"spans": [{{"attributes": [{exported}]}}, {{"attributes": [{exported}]}}]}}"#),
        &expected,
    );
    // The AI SDK.
    check(
        r#"{"attributes": {"ai.prompt.messages": "[{\"role\":\"user\",\"content\":\"q\"}]",
            "ai.response.toolCalls": "[{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"sun\",\"input\":{\"p\":1}}]"}}"#,
        &[r#"sun#a {"p":1}"#],
    );
    // OpenInference.
    check(
        r#"{"attributes": {"llm.model_name": "m",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.tool_calls.0.tool_call.id": "a",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "sun",
            "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{\"p\": 1}",
            "llm.output_messages.0.message.tool_calls.1.tool_call.function.name": "now",
            "llm.output_messages.0.message.tool_calls.1.tool_call.function.arguments": "{}",
            "llm.input_messages.1.message.tool_call_id": "a",
            "llm.input_messages.1.message.content": "x"}}"#,
        &[r#"sun#a {"p":1} → "x""#, "now {}"],
    );
    // As Langfuse keeps it, with a repetition.
    let id = "call_0123456789abcdef";
    check(
        &format!(
            r#"[{{"output": [{{"type": "function_call", "call_id": "{id}", "name": "sun", "arguments": "{{\"p\": 1}}"}}]}},
            {{"llm.output_messages.0.message.tool_calls.0.tool_call.id": "{id}",
             "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "sun",
             "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": {{"p": 1}}}}]"#
        ),
        &[&*format!(r#"sun#{id} {{"p":1}}"#)],
    );
    check(
        r#"{"llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "sun",
            "output.value": {"parts": [{"functionCall": {"name": "sun", "args": {"p": 1}}}]}}"#,
        &[r#"sun {"p":1}"#],
    );
    // An observation of Langfuse, whose values are strings of JSON.
    check(
        r#"{"observations": [{"id": "o", "traceId": "t", "parentObservationId": null, "input": "[{\"role\":\"user\",\"content\":\"a\"}]",
            "output": "{\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"sun\",\"input\":{\"p\":1}}]}"}]}"#,
        &[r#"sun#a {"p":1}"#],
    );
    check(
        r#"{"traceId": "t", "parentObservationId": null, "input": "[]",
            "output": {"type": "tool_use", "id": "a", "name": "sun", "input": {"p": 1}}}"#,
        &[r#"sun#a {"p":1}"#],
    );
    for silent in [
        r#"{"gen_ai.prompt": "[1, 2", "gen_ai.completion": "[]"}"#,
        r#"{"key": "gen_ai.prompt", "value": {"stringValue": "[{\"role\":\"user\"}"}}"#,
        r#"{"llm.output_messages.0.message.role": "assistant", "llm.model_name": "m"}"#,
    ] {
        check(silent, &[]);
    }
}

#[test]
fn evaluations_of_adk_are_read() {
    check(
        r#"{"conversation": [{"intermediate_data": {"tool_uses": [{"id": null, "args": {"a": 1}, "name": "look"}]}}]}"#,
        &[r#"look {"a":1}"#],
    );
    check(
        r#"[{"query": "q", "expected_tool_use": [{"tool_name": "look", "tool_input": {"a": 1}}]}]"#,
        &[r#"look {"a":1}"#],
    );
}

#[test]
fn options_of_llamaindex_are_read() {
    check(
        r#"[{"role": "assistant", "content": "", "options": {"toolCall": [{"id": "a", "name": "sun", "input": {"p": 1}}, {"id": "b", "name": "time", "input": "{}"}]}},
            {"role": "user", "content": "x", "options": {"toolResult": {"id": "a", "result": "x", "isError": false}}},
            {"role": "user", "content": "no", "options": {"toolResult": {"id": "b", "result": "no", "isError": true}}}]"#,
        &[r#"sun#a {"p":1} → "x""#, "time#b {} ✗ no"],
    );
}

#[test]
fn calls_without_ids_are_read_by_position() {
    // Cursor.
    check(
        r#"{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Shell","input":{"c":1}}]}}
{"role":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}
{"role":"assistant","message":{"content":[{"type":"tool_use","name":"Read","input":{}}]}}"#,
        &[r#"Shell {"c":1} → "x""#, "Read {}"],
    );
    // Ollama, a record a line.
    check(
        r#"{"model":"m","message":{"role":"assistant","content":"","tool_calls":[{"function":{"name":"f","arguments":{"p":1}}}]},"done":false}
{"model":"m","message":{"role":"assistant","content":""},"done":true}"#,
        &[r#"f {"p":1}"#],
    );
}

#[test]
fn calls_without_a_member_are_calls() {
    check(
        r#"{"choices": [{"message": {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f"}}]}}]}"#,
        &["f#a"],
    );
    check(
        r#"{"messages": [{"type": "gemini", "content": "", "toolCalls": [{"name": "ls", "args": {"p": 1}, "status": "cancelled"}]}]}"#,
        &[r#"ls {"p":1}"#],
    );
}

#[test]
fn flat_calls_are_read() {
    check(
        r#"[{"role": "assistant", "content": "", "tool_calls": [
            {"id": "a", "name": "f", "arguments": {"p": 1}}, {"id": "b", "name": "g", "arguments": {}}]},
            {"role": "tool", "tool_call_id": "a", "content": "x"}]"#,
        &[r#"f#a {"p":1} → "x""#, "g#b {}"],
    );
    // LangChain, GLM, and Azure AI.
    check(
        r#"[{"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {"p": 1}, "id": "a"}]},
            {"type": "tool", "tool_call_id": "a", "content": "x"}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
    check(
        r#"[{"role": "assistant", "tool_calls": [{"tool_call_id": "a", "name": "f", "arguments": {}}]},
            {"role": "tool", "content": [{"tool_call_id": "a", "output": "x"}]}]"#,
        &[r#"f#a {} → "x""#],
    );
    check(
        r#"[{"role": "assistant", "content": [{"type": "tool_call", "tool_call_id": "a", "name": "f", "arguments": {}}]},
            {"role": "tool", "tool_call_id": "a", "content": [{"type": "tool_result", "tool_result": "x"}]}]"#,
        &[r#"f#a {} → [{"type":"tool_result","tool_result":"x"}]"#],
    );
    for silent in [
        r#"[{"role": "user", "content": "q", "context": [{"name": "f", "arguments": {}}]}]"#,
        r#"{"id": "a", "name": "f", "arguments": ["-v"]}"#,
        r#"{"id": "a", "name": "f", "description": "d", "arguments": {}}"#,
        r#"[{"role": "assistant", "content": "a", "tools": [{"name": "f", "description": "d", "parameters": {}}]}]"#,
        r#"{"type": "agent", "steps": [{"tool": "g", "args": {}}]}"#,
    ] {
        check(silent, &[]);
    }
}

#[test]
fn logs_of_applications_are_read() {
    // Cursor CLI: a call that is recorded twice, and one whose key has no suffix.
    check(
        r#"{"type":"tool_call","subtype":"started","call_id":"a","tool_call":{"globToolCall":{"args":{"p":1}}}}
{"type":"tool_call","subtype":"completed","call_id":"a","tool_call":{"globToolCall":{"args":{"p":1},"result":{"success":"x"}}}}
{"type":"tool_call","subtype":"completed","call_id":"b","tool_call":{"mcp":{"args":{},"result":{"rejected":"no"}}}}"#,
        &[r#"glob#a {"p":1} → "x""#, "mcp#b {} ✗ no"],
    );
    // OpenAI's Agents SDK for JavaScript.
    check(
        r#"[{"type": "function_call", "id": "fc", "callId": "a", "name": "f", "arguments": "{\"p\": 1}"},
            {"type": "function_call_result", "callId": "a", "name": "f", "output": {"type": "text", "text": "x"}}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
    // The data export of claude.ai.
    check(
        r#"[{"chat_messages": [{"sender": "assistant", "text": "", "content": [
            {"type": "tool_use", "name": "f", "input": {"p": 1}},
            {"type": "tool_result", "name": "f", "content": [], "is_error": false}]}]}]"#,
        &[r#"f {"p":1} → []"#],
    );
    // Copilot, and its requests.
    check(
        r#"{"logs": [{"id": "a", "kind": "toolCall", "tool": "f", "args": "{\"p\":1}", "response": ["x"]}]}"#,
        &[r#"f#a {"p":1} → ["x"]"#],
    );
    check(
        r#"[{"role": 2, "content": [], "toolCalls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": 3, "toolCallId": "a", "content": "x"}]"#,
        &[r#"f#a {} → "x""#],
    );
    // browser-use, and a tree of StableToolBench.
    check(
        r#"{"history": [{"model_output": {"action": [{"open": {"p": 1}}, {"done": {}}]}, "result": [], "state": {}}]}"#,
        &[r#"open {"p":1}"#, "done {}"],
    );
    check(
        r#"{"role": "tool", "message": {"name": "f", "arguments": "{\"p\": 1}", "response": "x"}, "next": [
            {"role": "tool", "message": {"name": "g", "arguments": "{}", "response": "y"}, "next": []}]}"#,
        &[r#"f {"p":1} → "x""#, r#"g {} → "y""#],
    );
    // The body of a recorded response. The tools that a request lists are no calls.
    check(
        r#"[{"request": {"headers": {}, "body": "{\"tools\": [{\"name\": \"f\", \"parameters\": {}}]}"},
            "response": {"status": 200, "body": {"string": "{\"content\": [{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"f\", \"input\": {\"p\": 1}}]}"}}}]"#,
        &[r#"f#a {"p":1}"#],
    );
}

/// Programs of their own write their calls without ids.
#[test]
fn calls_without_ids_are_read() {
    check(
        r#"[{"role": "assistant", "tool_calls": [{"tool": "f", "args": {"p": 1}, "result": "a"}, {"tool": "g", "args": {}}]},
            {"role": "assistant", "tool_calls": [{"tool_name": "h", "tool_input": {}, "tool_output": 2}]}]"#,
        &[r#"f {"p":1} → "a""#, "g {}", "h {} → 2"],
    );
    check(
        r#"[{"step": 1, "thought": "so", "action": "f", "action_input": {"p": 1}, "result": "a"},
            {"step": 2, "thought": "so", "action": "finish", "action_input": "b", "observation": ""}]"#,
        &[r#"f {"p":1} → "a""#, r#"finish "b" → """#],
    );
    check(
        r#"[{"role": "user", "content": "x"}, {"role": "assistant", "function_call": [{"name": "f", "arguments": {"p": 1}}]},
            {"role": "observation", "content": [{"q": 2}]}]"#,
        &[r#"f {"p":1} → [{"q":2}]"#],
    );
    // The id of a call's record is the id of the call.
    check(
        r#"[{"type": "tool_use", "uuid": "a", "name": "f", "input": {}}, {"type": "tool_result", "uuid": "b", "tool_use_id": "a", "content": "1"}]"#,
        &[r#"f#a {} → "1""#],
    );
}

/// A call that servers reject is read and reported.
#[test]
fn like_objects_of_other_programs_are_silent() {
    for text in [
        r#"{"query": "q", "tools": ["hammer"], "answers": [{"text": "a"}]}"#,
        r#"{"query": "q", "answers": "[{\"name\": \"a\", \"arguments\": {}}]"}"#,
        r#"{"action_id": "x", "requestor": "assistant", "name": "f", "arguments": {}}"#,
        r#"{"eventName": "toolUsage", "count": 3}"#,
        r#"{"type": "tool.start", "tool": "drill"}"#,
        r#"{"kind": "ActionEvent", "action": "click"}"#,
        r#"{"type": "tool_result", "toolId": "a", "value": 1}"#,
        r#"{"options": {"toolCall": []}, "role": "x"}"#,
        r#"{"expected": {"tool_calls": [{"name": "f", "args": {}}]}}"#,
        r#"{"type": "tool_use", "name": "hammer"}"#,
        r#"{"sessionUpdate": "plan", "toolCallId": "a"}"#,
        r#"{"tool_choice": {"type": "function", "function": {"name": "f"}}}"#,
        r#"{"id": "a", "type": "function", "function": {"name": "f", "parameters": {}}}"#,
        r#"{"name": "worker", "args": ["-v"], "status": "success"}"#,
    ] {
        check(text, &[]);
    }
}
