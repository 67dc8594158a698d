//! Calls and results that a document repeats in other conversations are listed once.

use std::fmt::Write as _;
use std::sync::Arc;

use super::logs::{read, shown};
use crate::document::{Document, Language};
use crate::text::Text;

/// Checks the tool uses of a text.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found: Vec<String> = read(text).tool_uses().iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

/// Checks the tool uses of a log with these lines.
#[track_caller]
fn check_lines(lines: &[&str], expected: &[&str]) {
    check(&format!("{}\n", lines.join("\n")), expected);
}

const USER: &str = r#"{"role": "user", "content": "x"}"#;

fn call(id: &str, arguments: &str) -> String {
    format!(
        r#"{{"role": "assistant", "tool_calls": [{{"id": "{id}", "type": "function", "function": {{"name": "f", "arguments": "{arguments}"}}}}]}}"#
    )
}

fn result(id: &str, content: &str) -> String {
    format!(r#"{{"role": "tool", "tool_call_id": "{id}", "content": "{content}"}}"#)
}

#[test]
fn the_end_of_a_stream_of_responses_repeats_its_items() {
    let item = |n: u8| {
        format!(
            r#"{{"id": "fc_{n}", "type": "function_call", "call_id": "call_{n}", "name": "f", "arguments": "{{\"n\": {n}}}"}}"#
        )
    };
    let mut text = String::new();
    for n in 1..=3 {
        for kind in ["added", "done"] {
            let _ = writeln!(text, r#"{{"type": "response.output_item.{kind}", "item": {}}}"#, item(n));
        }
    }
    let output = [1, 2, 3].map(item).join(", ");
    let _ = writeln!(text, r#"{{"type": "response.completed", "response": {{"output": [{output}]}}}}"#);
    let lines: Vec<&str> = text.lines().collect();
    check_lines(&lines, &[r#"f#call_1 {"n":1}"#, r#"f#call_2 {"n":2}"#, r#"f#call_3 {"n":3}"#]);
}

#[test]
fn the_states_of_a_run_repeat_its_messages() {
    let all = [USER.to_owned(), call("1", "{}"), result("1", "one"), call("2", "{}"), result("2", "two")];
    let states: Vec<String> = (1..=all.len())
        .map(|len| format!(r#"{{"messages": [{}], "next": []}}"#, all[..len].join(", ")))
        .collect();
    let states: Vec<&str> = states.iter().map(String::as_str).collect();
    let uses = [r#"f#1 {} → "one""#, r#"f#2 {} → "two""#];
    check_lines(&states, &uses);
    check(&format!("[{}]", states.join(", ")), &uses);
    // Another conversation counts its calls anew.
    let other = states.last().expect("a state").replace("\"x\"", "\"y\"");
    check_lines(&[states[4], &other], &[uses, uses].concat());
}

#[test]
fn the_spans_of_a_trace_repeat_its_messages() {
    const ID: &str = "call_1oGK863sxQHlPreFhDdEs3yl";
    let (call, result) = (call(ID, "{}"), result(ID, "one"));
    let one = format!("f#{ID} {{}} → \"one\"");
    let spans = [
        format!(r#"{{"input": [{USER}], "output": [{call}]}}"#),
        format!(r#"{{"input": [{USER}, {call}, {result}]}}"#),
        format!(r#"{{"output": [{result}]}}"#),
    ];
    for order in [[0, 1, 2], [0, 2, 1], [2, 0, 1], [1, 0, 2]] {
        let spans = order.map(|at| spans[at].as_str());
        check(&format!("[{}]", spans.join(", ")), &[&one]);
        check_lines(&spans, &[&one]);
    }
    // Its first result stays.
    let emptied = spans[1].replace("one", "(removed)");
    check_lines(&[&spans[1], &emptied], &[&one]);
    // Other arguments are another call.
    let other = format!("f#{ID} {{\"p\":1}}");
    let changed = spans[0].replace("\"{}\"", r#""{\"p\": 1}""#);
    check_lines(&[&spans[0], &changed], &[&format!("f#{ID} {{}}"), &other]);
}

#[test]
fn a_counted_id_is_no_sign_of_a_repetition() {
    // The name of the tool makes an id no longer.
    let id = "functions.read_a_long_name:0";
    let call = call(id, "{}").replace("\"f\"", "\"read_a_long_name\"");
    let of = |content: &str| format!(r#"{{"output": [{call}, {}]}}"#, result(id, content));
    let expected = |content: &str| format!("read_a_long_name#{id} {{}} → \"{content}\"");
    check(&format!("[{}, {}]", of("1"), of("2")), &[&expected("1"), &expected("2")]);
}

#[test]
fn examples_of_a_training_set_repeat_nothing() {
    let id = "call_1oGK863sxQHlPreFhDdEs3yl";
    let messages = [USER, &call(id, "{}"), &result(id, "1"), r#"{"role": "assistant", "content": "y"}"#];
    let line = format!(r#"{{"messages": [{}]}}"#, messages.join(", "));
    let one = format!("f#{id} {{}} → \"1\"");
    check_lines(&[&line, &line], &[&one, &one]);
}

#[test]
fn events_and_answers_of_servers_repeat_messages() {
    // `pi --mode json`, which repeats its messages.
    check(
        r#"{"type":"message_start","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}]}}
{"type":"message_end","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{"p":1}}]}}
{"type":"tool_execution_start","toolCallId":"a","toolName":"f","args":{"p":1}}
{"type":"tool_execution_end","toolCallId":"a","toolName":"f","result":{"content":"x"},"isError":false}
{"type":"tool_execution_start","toolCallId":"b","toolName":"g","args":{}}
{"type":"agent_end","messages":[{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{"p":1}}]}]}"#,
        &[r#"f#a {"p":1} → "x""#, "g#b {}"],
    );
    // mini-swe-agent repeats the answer of the server beside the message.
    check(
        r#"{"messages": [{"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
            "extra": {"actions": [], "response": {"choices": [{"message": {"role": "assistant", "tool_calls": [
              {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}}]}}},
            {"role": "tool", "tool_call_id": "a", "content": "x"}]}"#,
        &[r#"f#a {} → "x""#],
    );
}

/// Calls with one id are two if their arguments differ, however late.
#[test]
fn long_arguments_are_compared() {
    let long = |end: &str| format!(r#"{{\"p\": \"{}{end}\"}}"#, "x".repeat(200));
    let result = |text: &str| format!(r#"{{"role": "tool", "tool_call_id": "a", "content": "{text}"}}"#);
    let lines = [call("a", &long("1")), result("one"), call("a", &long("2")), result("two")];
    let outputs: Vec<_> = read(&lines.join("\n"))
        .tool_uses()
        .iter()
        .filter_map(|it| Some(it.output.as_ref()?.to_text()))
        .collect();
    assert_eq!(outputs, ["one", "two"]);
}

/// A call with long arguments repeats one that contains its result.
#[test]
fn long_calls_are_repeated_with_their_results() {
    let (id, long) = ("call_abcdefghijklmnop", "x".repeat(200));
    let text = format!(
        r#"{{"sent": [{USER}, {{"role": "assistant", "content": [{{"type": "tool-call", "toolCallId": "{id}", "toolName": "f", "input": {{"p": "{long}"}}}}]}}],
            "shown": [{USER}, {{"role": "assistant", "parts": [{{"type": "tool-f", "toolCallId": "{id}", "state": "output-available", "input": {{"p": "{long}"}}, "output": "o"}}]}}]}}"#
    );
    assert_eq!(read(&text).tool_uses().len(), 1);
}

/// Each event of LangGraph has the message as far as it is known.
#[test]
fn events_of_a_stream_repeat_their_message() {
    let event = |kind: &str, input: &str| {
        format!(
            r#"event: messages/{kind}
data: [{{"content":[{{"type":"tool_use","id":"a","name":"f","input":{input}}}],"type":"ai","id":"run-1","tool_calls":[{{"name":"f","args":{input},"id":"a","type":"tool_call"}}]}}]

"#
        )
    };
    let events =
        [event("partial", "{}"), event("partial", r#"{"p":[1]}"#), event("complete", r#"{"p":[1,2]}"#)];
    let result = r#"data: [{"type": "tool", "tool_call_id": "a", "content": "x"}]"#;
    let text = Text::new(&format!("{}{result}\n", events.concat()));
    let document = Document::new(text, Language::Log, Arc::default());
    let found: Vec<String> = document.tool_uses().iter().map(shown).collect();
    assert_eq!(found, [r#"f#a {"p":[1,2]} → "x""#]);
}

/// A step of LangGraph has only its new messages; a line of a data set is a whole conversation.
#[test]
fn steps_of_a_graph_are_one_conversation() {
    let line = |step: &str, messages: &str| format!("{{\"{step}\": {{\"messages\": [{messages}]}}}}\n");
    let call = r#"{"type": "ai", "content": "", "tool_calls": [{"name": "f", "args": {}, "id": "a", "type": "tool_call"}]}"#;
    let result = r#"{"type": "tool", "content": "x", "name": "f", "tool_call_id": "a"}"#;
    let shown = |text: &str| {
        let document = Document::new(Text::new(text), Language::Log, Arc::default());
        document.tool_uses().iter().map(shown).collect::<Vec<_>>()
    };
    let call_line = line("agent", call);
    assert_eq!(shown(&(call_line.clone() + &line("tools", result))), [r#"f#a {} → "x""#]);
    let user = r#"{"type": "human", "content": "b"}, "#;
    let lines = line("input", &format!("{user}{call}")) + &line("input", &format!("{user}{result}"));
    assert_eq!(shown(&lines).len(), 2);
}

/// Each request sends the messages so far, and the response adds one to them.
#[test]
fn recorded_requests_repeat_what_came_before() {
    let call = |name: &str| {
        format!(r#"{{"role": "model", "parts": [{{"functionCall": {{"name": "{name}", "args": {{}}}}}}]}}"#)
    };
    let result = |name: &str, text: &str| {
        let response = format!(r#"{{"name": "{name}", "response": {{"text": "{text}"}}}}"#);
        format!(r#"{{"role": "user", "parts": [{{"functionResponse": {response}}}]}}"#)
    };
    let sent = [call("f"), result("f", "1"), call("g"), result("g", "2"), call("f"), result("f", "3")];
    let body = |text: &str| serde_json::Value::from(text).to_string();
    let exchange = |len: usize| {
        let request = format!(r#"{{"contents": [{}]}}"#, sent[..len].join(", "));
        let next = sent.get(len).map_or(r#"{"role": "model", "parts": [{"text": "Done."}]}"#, String::as_str);
        // Some servers keep a connection alive by lines of white space.
        let response = format!("\n         \n         \n{{\"candidates\": [{{\"content\": {next}}}]}}");
        format!(
            r#"{{"request": {{"body": {}, "method": "POST"}}, "response": {{"body": {{"string": {}}}, "status": {{}}}}}}"#,
            body(&request),
            body(&response),
        )
    };
    let recorded = [0, 2, 4, 6].map(exchange).join(",\n");
    let shown = |name: &str, text: &str| format!(r#"{name} {{}} → "{{\"text\":\"{text}\"}}""#);
    let uses = [shown("f", "1"), shown("g", "2"), shown("f", "3")];
    check(
        &format!("{{\"interactions\": [\n{recorded}\n], \"version\": 1}}"),
        &uses.each_ref().map(String::as_str),
    );
    // Another conversation may begin with the same call.
    let asked = |question: &str, result: &str| {
        let ask = format!(r#"{{"role": "user", "parts": [{{"text": "{question}"}}]}}"#);
        let request = format!(r#"{{"contents": [{ask}, {}, {result}]}}"#, call("f"));
        format!(
            r#"{{"request": {{"body": {}, "method": "POST"}}, "response": {{"status": {{}}}}}}"#,
            body(&request)
        )
    };
    let two = [asked("Bonn?", &result("f", "1")), asked("Rome?", &result("f", "2"))].join(",\n");
    check(&format!("[{two}]"), &[&*shown("f", "1"), &*shown("f", "2")]);
}
