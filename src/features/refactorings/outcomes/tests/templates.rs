//! Results that are written by the templates of the table of forms.

use super::*;

/// Writes the output `1` and the error `no` for the first call of `pending`: `done` and `failed`
/// are the documents then. Both results are read, replaced by each other, and without diagnostics.
#[track_caller]
fn check_form(pending: &str, done: &str, failed: &str) {
    check(pending, &output("1"), done);
    check(pending, &error("no"), failed);
    for (outcome, expected) in [(output("1"), done), (error("no"), failed)] {
        let document = open(expected, language_of(expected));
        let tool_use = &document.tool_uses()[0];
        let fails = matches!(outcome, UseOutcome::Error(_)) && done.replace("\"1\"", "\"no\"") != failed;
        let status = if fails { UseStatus::Failed } else { UseStatus::Done };
        assert_eq!(tool_use.status, status, "{expected}");
        let text = tool_use
            .error_text
            .clone()
            .unwrap_or_else(|| tool_use.output.as_ref().expect("an output").to_text());
        assert!(text.contains(if outcome == output("1") { "1" } else { "no" }), "{text}");
        let found: Vec<_> = document.diagnostics().into_iter().map(|it| it.message).collect();
        assert_eq!(found, Vec::<String>::new(), "{expected}");
    }
}

/// `messages` with a message of the user before them, as a document and as lines.
fn documents(user: &str, messages: &[&str]) -> [String; 2] {
    let all: Vec<_> = std::iter::once(user).chain(messages.iter().copied()).collect();
    [format!("[\n  {}\n]\n", all.join(",\n  ")), format!("{}\n", all.join("\n"))]
}

#[track_caller]
fn check_messages(user: &str, call: &str, done: &str, failed: &str) {
    let pending = documents(user, &[call]);
    let [done, failed] = [done, failed].map(|result| documents(user, &[call, result]));
    for ((pending, done), failed) in pending.iter().zip(&done).zip(&failed) {
        check_form(pending, done, failed);
    }
}

#[test]
fn results_are_parts_of_bedrock() {
    let user = r#"{"role":"user","content":[{"text":"go"}]}"#;
    let call = r#"{"role":"assistant","content":[{"text":"so"},{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]}"#;
    let message = |content: &str, status: &str| {
        format!(
            r#"{{"role":"user","content":[{{"toolResult":{{"toolUseId":"a","content":[{{{content}}}],"status":"{status}"}}}}]}}"#
        )
    };
    let done = message(r#""text":"1""#, "success");
    check_messages(user, call, &done, &message(r#""text":"no""#, "error"));
    let [pending, _] = documents(user, &[call]);
    let [with, _] = documents(user, &[call, &message(r#""json":{"x":1}"#, "success")]);
    check(&pending, &json(r#"{"x":1}"#), &with);
    // JSON is an object there.
    let [list, _] = documents(user, &[call, &message(r#""text":"[1]""#, "success")]);
    check(&pending, &json("[1]"), &list);
    check(&with, &json("[1]"), &list);
}

#[test]
fn results_are_messages_of_langchain() {
    let call =
        r#"{"type":"ai","content":"","tool_calls":[{"type":"tool_call","id":"a","name":"f","args":{}}]}"#;
    let result = |text: &str, status: &str| {
        format!(r#"{{"content":"{text}","type":"tool","name":"f","tool_call_id":"a","status":"{status}"}}"#)
    };
    let user = r#"{"type":"human","content":"go"}"#;
    check_messages(user, call, &result("1", "success"), &result("no", "error"));
}

#[test]
fn results_are_messages_by_the_form_of_their_calls() {
    let user = r#"{"role":"user","content":"go"}"#;
    let function = |text: &str| format!(r#"{{"role":"function","name":"f","content":"{text}"}}"#);
    let call = r#"{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}"#;
    check_messages(user, call, &function("1"), &function("no"));
    for (call, result) in [("function_call", "observation"), ("tool_call", "tool_response")] {
        let message = |from: &str, value: &str| format!(r#"{{"from":"{from}","value":"{value}"}}"#);
        let call = message(call, r#"{\"name\":\"f\",\"arguments\":{}}"#);
        check_messages(&message("human", "go"), &call, &message(result, "1"), &message(result, "no"));
    }
    let part = |role: &str, kind: &str, value: &str| {
        format!(r#"{{"role":"{role}","content":[{{"type":"{kind}","value":"{value}"}}]}}"#)
    };
    check_messages(
        &part("user", "text", "go"),
        &part("assistant", "tool_call", r#"{\"name\":\"f\",\"arguments\":{}}"#),
        &part("tool", "text", "1"),
        &part("tool", "text", "no"),
    );
    let inspect = |content: &str, rest: &str| {
        format!(r#"{{"role":"tool","content":"{content}","tool_call_id":"a","function":"f"{rest}}}"#)
    };
    let call = r#"{"role":"assistant","content":"","tool_calls":[{"id":"a","function":"f","arguments":{}}]}"#;
    let failure = r#","error":{"type":"unknown","message":"no"}"#;
    check_messages(user, call, &inspect("1", ""), &inspect("", failure));
    let [failed, _] = documents(user, &[call, &inspect("", failure)]);
    let [done, _] = documents(user, &[call, &inspect("1", r#","error":null"#)]);
    check(&failed, &output("1"), &done);
}

#[test]
fn results_are_those_of_agents() {
    let pi = |text: &str, fails: bool| {
        format!(
            r#"{{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{{"type":"text","text":"{text}"}}],"isError":{fails},"timestamp":12}}"#
        )
    };
    check_messages(
        r#"{"role":"user","content":"go","timestamp":11}"#,
        r#"{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}],"timestamp":12}"#,
        &pi("1", false),
        &pi("no", true),
    );
    let goose = |text: &str, fails: bool| {
        format!(
            r#"{{"role":"user","created":12,"content":[{{"type":"toolResponse","id":"a","toolResult":{{"status":"success","value":{{"content":[{{"type":"text","text":"{text}"}}],"isError":{fails}}}}}}}]}}"#
        )
    };
    check_messages(
        r#"{"role":"user","created":11,"content":[{"type":"text","text":"go"}]}"#,
        r#"{"role":"assistant","created":12,"content":[{"type":"toolRequest","id":"a","toolCall":{"status":"success","value":{"name":"f","arguments":{}}}}]}"#,
        &goose("1", false),
        &goose("no", true),
    );
}

#[test]
fn results_are_those_of_frameworks() {
    let parts = |text: &str| {
        format!(r#"{{"role":"tool","parts":[{{"type":"tool_call_response","id":"a","response":"{text}"}}]}}"#)
    };
    let user = r#"{"role":"user","parts":[{"type":"text","content":"go"}]}"#;
    let call = r#"{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"f","arguments":{}}]}"#;
    check_messages(user, call, &parts("1"), &parts("no"));
    check_messages(
        r#"{"parts":[{"content":"go","part_kind":"user-prompt"}],"kind":"request"}"#,
        r#"{"parts":[{"tool_name":"f","args":{},"tool_call_id":"a","part_kind":"tool-call"}],"kind":"response"}"#,
        r#"{"parts":[{"tool_name":"f","content":"1","tool_call_id":"a","part_kind":"tool-return"}],"kind":"request"}"#,
        r#"{"parts":[{"content":"no","tool_name":"f","tool_call_id":"a","part_kind":"retry-prompt"}],"kind":"request"}"#,
    );
    let contents = |text: &str| {
        format!(
            r#"{{"role":"tool","contents":[{{"$type":"functionResult","callId":"a","result":"{text}"}}]}}"#
        )
    };
    check_messages(
        r#"{"role":"user","contents":[{"$type":"text","text":"go"}]}"#,
        r#"{"role":"assistant","contents":[{"$type":"functionCall","callId":"a","name":"f","arguments":{}}]}"#,
        &contents("1"),
        &contents("no"),
    );
    let message = |text: &str| format!(r#"{{"role":"tool","content":"{text}","tool_call_id":"a"}}"#);
    check_messages(
        r#"{"role":"user","content":"go"}"#,
        r#"{"role":"assistant","tool_calls":[{"id":"a","name":"f","arguments":"{}","type":"function"}]}"#,
        &message("1"),
        &message("no"),
    );
}

#[test]
fn results_are_in_the_steps_of_atif() {
    let log = |rest: &str| {
        format!(
            "{{\"steps\": [\n  {{\"step_id\": 1, \"source\": \"user\", \"message\": \"go\"}},\n  {{\n    \"step_id\": 2,\n    \"source\": \"agent\",\n    \"message\": \"so\",\n    \"tool_calls\": [\n      {{\"tool_call_id\": \"a\", \"function_name\": \"f\", \"arguments\": {{}}}},\n      {{\"tool_call_id\": \"b\", \"function_name\": \"f\", \"arguments\": {{}}}}\n    ]{rest}\n  }}\n]}}\n"
        )
    };
    let result = |id: &str, text: &str| format!(r#"{{"source_call_id":"{id}","content":"{text}"}}"#);
    let observed = |results: &str| log(&format!(",\n    \"observation\": {{\"results\":[{results}]}}"));
    let [done, failed] = ["1", "no"].map(|text| observed(&result("a", text)));
    check(&log(""), &output("1"), &done);
    check(&log(""), &error("no"), &failed);
    check(&done, &error("no"), &failed);
    check(&log(",\n    \"observation\": null"), &output("1"), &done);
    let document = open(&done, Language::Json);
    let both = observed(&format!("{}, {}", result("a", "1"), result("b", "2")));
    let written = written(&document, 1, &output("2")).expect("a result");
    assert_eq!(text_of(&written), both);
    assert!(
        written.diagnostics().is_empty() && written.tool_uses().iter().all(|it| it.status == UseStatus::Done)
    );
}

#[test]
fn results_that_need_times_or_ids_of_their_own_are_not_written() {
    for text in [
        r#"[{"info":{"role":"assistant"},"parts":[{"type":"tool","callID":"a","tool":"f","state":{"status":"running","input":{}}}]}]"#,
        r#"[{"requestId":"r","response":[{"kind":"toolInvocationSerialized","toolId":"f","toolCallId":"a","resultDetails":{"input":"{}"}}]}]"#,
        r#"[{"action":"run","args":{"command":"ls"},"source":"agent","id":3}]"#,
        "{\"type\":\"tool.execution_start\",\"data\":{\"toolCallId\":\"a\",\"toolName\":\"f\",\"arguments\":{}}}\n{\"type\":\"x\"}\n",
        "{\"type\":\"message\",\"id\":\"1\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"go\"}}\n{\"type\":\"message\",\"id\":\"2\",\"parentId\":\"1\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"a\",\"name\":\"f\",\"arguments\":{}}]}}\n",
        r#"{"v":1,"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"go"}]},{"role":"assistant","messageId":1,"content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}"#,
        // The calls of AutoGen and of Grok Build look the same.
        "{\"type\":\"user\",\"content\":\"go\"}\n{\"type\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"id\":\"a\",\"name\":\"f\",\"arguments\":\"{}\"}]}\n",
        "{\"source\":\"x\",\"type\":\"ToolCallRequestEvent\",\"content\":[{\"id\":\"a\",\"arguments\":\"{}\",\"name\":\"f\"}]}\n{\"source\":\"x\",\"type\":\"TextMessage\",\"content\":\"so\"}\n",
        // A message that is a whole document has no place for another one.
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}"#,
        // The members around the messages are not known.
        r#"[{"type":"ai","data":{"type":"ai","content":"","tool_calls":[{"type":"tool_call","id":"a","name":"f","args":{}}]}}]"#,
        r#"[{"lc":1,"kwargs":{"type":"ai","content":"","tool_calls":[{"type":"tool_call","id":"a","name":"f","args":{}}]}}]"#,
    ] {
        let document = open(text, language_of(text));
        assert_eq!(document.tool_uses().len(), 1, "{text}");
        let outcome = written(&document, 0, &output("1")).map(|after| text_of(&after));
        let is_announced = matches!(
            outcome,
            Err(UnwrittenOutcome::Rejected(ConversionError::NoForm | ConversionError::NoPlace))
        );
        assert!(is_announced, "{text}: {outcome:?}");
    }
}
