//! Message logs: the forms of frameworks and applications, and of traces.

use std::fmt::Write as _;
use std::sync::Arc;

use super::diagnostics::check_with;
use super::logs::check;
use crate::call::MessageRole;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::Text;

#[test]
fn semantic_kernel_is_read() {
    check(
        r#"[{"Role": {"Label": "user"}, "Items": [{"$type": "TextContent", "Text": "weather?"}]},
            {"Role": {"Label": "assistant"}, "Items": [{"$type": "FunctionCallContent", "Id": "a", "PluginName": "P", "FunctionName": "f", "Arguments": {"p": 1}}]},
            {"Role": {"Label": "tool"}, "Items": [{"$type": "FunctionResultContent", "CallId": "a", "FunctionName": "f", "Result": "x"}]}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
}

#[test]
fn histories_of_camel_are_read() {
    check(
        r#"[{"user": "go", "assistant": "done", "tool_calls": [{"tool_name": "f", "args": {"p": 1}, "result": [], "tool_call_id": "a"}]}]"#,
        &[r#"f#a {"p":1} → []"#],
    );
}

#[test]
fn calls_of_libre_chat_contain_their_output() {
    check(
        r#"{"messages": [{"messageId": "1", "sender": "User", "isCreatedByUser": true, "text": "q"},
            {"messageId": "2", "sender": "GPT", "isCreatedByUser": false, "content": [{"type": "tool_call", "tool_call": {"id": "a", "name": "f", "args": "{\"p\": 1}", "type": "tool_call", "output": "x"}}]}]}"#,
        &[r#"f#a {"p":1} → "x""#],
    );
}

#[test]
fn roles_of_vapi_are_its_own() {
    let chat = r#"{"messages": [{"role": "system", "message": "s"}, {"role": "user", "message": "q"}, {"role": "bot", "message": "a"},
        {"role": "tool_calls", "message": "", "toolCalls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool_call_result", "name": "f", "result": "x", "toolCallId": "a"}, {"role": "bot", "message": "b"}]}"#;
    check(chat, &[r#"f#a {} → "x""#]);
    let document = Document::new(Text::new(chat), Language::Json, Arc::default());
    assert_eq!(document.diagnostics(), []);
    let roles: Vec<_> = document.messages().first_parts().map(|message| message.role).collect();
    assert_eq!(roles, [MessageRole::System, MessageRole::User, MessageRole::Assistant]);
}

#[test]
fn results_of_lang_chain4j_vapi_and_the_live_api_are_paired() {
    check(
        r#"[{"contents": [{"text": "go", "type": "TEXT"}], "type": "USER"},
            {"text": "hm", "toolExecutionRequests": [{"id": "a", "name": "f", "arguments": "{\"p\": 1}"}], "type": "AI"},
            {"id": "a", "toolName": "f", "text": "x", "type": "TOOL_EXECUTION_RESULT"}]"#,
        &[r#"f#a {"p":1} → "x""#],
    );
    check(
        r#"{"messages": [{"role": "tool_calls", "message": "", "toolCalls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool_call_result", "name": "f", "result": "x", "toolCallId": "a"}]}"#,
        &[r#"f#a {} → "x""#],
    );
    check(
        r#"{"toolCall": {"functionCalls": [{"id": "a", "name": "f", "args": {"p": 1}}]}}
{"toolResponse": {"functionResponses": [{"id": "a", "name": "f", "response": {"r": 2}}]}}"#,
        &[r#"f#a {"p":1} → {"r":2}"#],
    );
}

/// A step of smolagents has the output of its call beside it.
#[test]
fn observations_of_a_step_are_the_output_of_its_call() {
    let call = |id: &str| {
        format!(
            r#"{{"id": "{id}", "type": "function", "function": {{"name": "f", "arguments": {{"p": 1}}}}}}"#
        )
    };
    let step = |calls: &str| {
        format!(
            r#"{{"steps": [{{"step_number": 1, "tool_calls": [{calls}], "observations": "x", "error": null}}]}}"#
        )
    };
    check(&step(&call("a")), &[r#"f#a {"p":1} → "x""#]);
    check(&step(&[call("a"), call("b")].join(", ")), &[r#"f#a {"p":1}"#, r#"f#b {"p":1}"#]);
}

#[test]
fn calls_of_an_mcp_server_are_paired_by_their_ids() {
    check(
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "f", "inputSchema": {"type": "object"}}]}}
{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "f", "arguments": {"p": 1}}}
{"jsonrpc": "2.0", "id": 2, "result": {"content": [{"type": "text", "text": "x"}], "isError": false}}
{"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "f", "arguments": {}}}
{"jsonrpc": "2.0", "id": 3, "result": {"content": [{"type": "text", "text": "no"}], "isError": true}}"#,
        &[r#"f#2 {"p":1} → [{"type":"text","text":"x"}]"#, r#"f#3 {} ✗ no"#],
    );
}

#[test]
fn jean_claude_and_trae_agent_are_read() {
    check(
        r#"[{"id": "m", "role": "assistant", "parts": [{"type": "tool-use", "toolId": "a", "toolName": "f", "input": {"p": 1}}]}]"#,
        &[r#"f#a {"p":1}"#],
    );
    let call = r#"{"call_id": "a", "name": "f", "arguments": {"p": 1}, "id": null}"#;
    check(
        &format!(
            r#"{{"llm_interactions": [{{"response": {{"content": "", "tool_calls": [{call}]}}}}],
                "agent_steps": [{{"tool_calls": [{call}], "tool_results": [{{"call_id": "a", "success": true, "result": "x", "error": null}}]}}]}}"#
        ),
        &[r#"f#a {"p":1} → "x""#],
    );
}

/// A span has an attribute for each member of its messages. The messages that it sends to a model
/// repeat messages of earlier spans.
#[test]
fn spans_with_many_attributes_are_read() {
    let mut attributes = String::new();
    for number in 0..100 {
        let _ = write!(attributes, r#""llm.input_messages.{number}.message.role": "user", "#);
    }
    let call = |list: &str, id: &str| {
        let path = format!("llm.{list}_messages.0.message.tool_calls.0.tool_call");
        let id = if id.is_empty() { String::new() } else { format!(r#""{path}.id": "{id}", "#) };
        format!(r#"{id}"{path}.function.name": "f", "{path}.function.arguments": "{{\"p\": 1}}""#)
    };
    let span = |own: &str| format!(r#"{{"attributes": {{{attributes}{own}}}}}"#);
    let answer = |id: &str| {
        format!(
            r#"{}, "llm.input_messages.0.message.tool_call_id": "{id}", "llm.input_messages.0.message.content": "x""#,
            call("input", id)
        )
    };
    check(&span(&call("output", "a")), &[r#"f#a {"p":1}"#]);
    check(&span(&answer("a")), &[r#"f#a {"p":1} → "x""#]);
    let spans = [span(&call("output", "a")), span(&answer("a")), span(&answer("a"))];
    check(&format!("[{}]", spans.join(", ")), &[r#"f#a {"p":1} → "x""#]);
    // Without an id, nothing shows which call is repeated.
    let spans = [span(&call("output", "")), span(&call("input", ""))];
    check(&format!("[{}]", spans.join(", ")), &[r#"f {"p":1}"#]);
    // Long objects of other families are none.
    let words: String = (0..100).map(|word| format!(r#""{word}": "x", "#)).collect();
    check(&format!(r#"{{{words}"role": "user", "content": "x"}}"#), &[]);
}

/// One call in two forms in one message is one call.
#[test]
fn a_call_that_is_also_a_part_is_answered() {
    let check = |text: &str| check_with(text, Language::Json, Settings::default());
    let (call, part) = (
        r#"{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}"#,
        r#"{"type": "tool_call", "tool_call_id": "a", "name": "f", "arguments": "{}"}"#,
    );
    let of = |content: &str, call: &str| {
        format!(
            r#"{{"messages": [{{"role": "user", "content": "go"}}, {{"role": "assistant", "content": [{content}], "tool_calls": [{call}]}},
                {{"role": "tool", "tool_call_id": "a", "content": "x"}}, {{"role": "user", "content": "go"}}]}}"#
        )
    };
    check(&of(part, call));
    let open = of(part, &call.replacen(r#""a""#, "«missing-result:\"a\"»", 1));
    check(&open.replace(r#"{"role": "tool", "tool_call_id": "a", "content": "x"}, "#, ""));
}

/// Choices of an answer, and the run of an agent, are not sent.
#[test]
fn records_of_agents_are_no_requests() {
    let check = |text: &str| check_with(text, Language::Json, Settings::default());
    let choice = |id: &str| {
        format!(
            r#"{{"role": "assistant", "finish_reason": "tool_calls", "content": [{{"id": "{id}", "type": "function", "function": {{"name": "f", "arguments": {{}}}}}}]}}"#
        )
    };
    check(&format!(r#"{{"output": [{}, {}]}}"#, choice("a"), choice("b")));
    check(
        r#"{"model": "m", "run_id": "r", "messages": [{"role": "user", "content": "go"},
            {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": {"p": 1}}}]},
            {"role": "tool", "tool_call_id": "a", "content": "x"}]}"#,
    );
}

/// Open WebUI escapes values for HTML, and its input is a string of JSON in JSON.
#[test]
fn chats_of_open_webui_are_read() {
    let text = r#"[{"role": "user", "content": "a"}, {"role": "assistant", "content": "I look.\n<details type=\"tool_calls\" done=\"true\" id=\"call_1\" name=\"look\" arguments=\"&quot;{\\&quot;at\\&quot;: \\&quot;a &amp;amp; b\\&quot;}&quot;\" result=\"&quot;dry&quot;\">\n<summary>Tool Executed</summary>\n</details>\n<details type=\"tool_calls\" done=\"false\" id=\"call_2\" name=\"ask\" arguments=\"{}\">\n<summary>Executing...</summary>\n</details>\n<details type=\"reasoning\" done=\"true\">\n&gt; b\n</details>"}]"#;
    check(text, &[r#"look#call_1 {"at":"a &amp; b"} → "dry""#, "ask#call_2 {}"]);
}

/// Messages of LangChain under the names of their classes, with and without ids.
#[test]
fn classes_of_langchain_are_read() {
    for (call, result) in [(r#", "id": "a""#, r#""tool_call_id": "a""#), ("", r#""tool_name": "f""#)] {
        let text = format!(
            r#"[{{"type": "HumanMessage", "content": "q"}},
            {{"type": "AIMessage", "content": "", "tool_calls": [{{"name": "f", "args": {{"p": 1}}{call}}}]}},
            {{"type": "ToolMessage", "content": "x", {result}}}]"#
        );
        let id = if call.is_empty() { "" } else { "#a" };
        check(&text, &[&format!(r#"f{id} {{"p":1}} → "x""#)]);
    }
}

/// A span of a tool in OTLP, whose attributes are a list; without an id it may be a call that
/// stands elsewhere.
#[test]
fn spans_of_tools_in_otlp_are_read() {
    let attribute =
        |key: &str, value: &str| format!(r#"{{"key": "{key}", "value": {{"stringValue": "{value}"}}}}"#);
    let span = |attributes: &[String]| {
        format!(r#"{{"spans": [{{"name": "execute_tool f", "attributes": [{}]}}]}}"#, attributes.join(", "))
    };
    let [id, input, output] = [
        attribute("gen_ai.tool.call.id", "a"),
        attribute("gen_ai.tool.call.arguments", r#"{\"p\": 1}"#),
        attribute("gen_ai.tool.call.result", "x"),
    ];
    check(&span(&[input.clone(), output.clone()]), &[]);
    check(&span(&[id, input, output]), &[r#"f#a {"p":1} → "x""#]);
}
