//! The built-in forms of calls that programs keep flat: an id, a name and an input, most without
//! a type.

use crate::call::CallPart::Both;
use crate::call::MessageRole;
use crate::forms::form::Form;
use crate::forms::form::ValueTest::{Absent, Any, Array, Object, Prose, Text};
use crate::forms::rows::{at, call, encoded, error, fails_is, flag, is, no_success, part, result, value};

const FLAT: &str = "flat";

/// The keys of the id and of the input. Older versions of LangChain have `args`.
const KEYS: [(&str, &str); 3] = [("id", "arguments"), ("id", "args"), ("tool_call_id", "arguments")];

/// The keys of the name and of the input of calls without ids.
const LISTED: [(&str, &str); 4] =
    [("name", "args"), ("name", "arguments"), ("tool", "args"), ("tool_name", "tool_input")];

/// The keys of the name, of the input and of the output of calls that programs log with their
/// results.
const LOGGED: ([&str; 2], [&str; 7], [&str; 3]) = (
    ["tool", "tool_name"],
    ["args", "arguments", "input", "params", "tool_args", "tool_input", "input_args"],
    ["result", "output", "tool_output"],
);

/// The parts of their tool uses.
pub(super) fn flat() -> Vec<Form> {
    let calls = KEYS.iter().map(|(id, input)| {
        let absent = ["type", "kind", "description", "status"].map(|key| (key, Absent));
        let signature = [&[(*id, Text), ("name", Text), (*input, Object)], &absent[..]].concat();
        part(FLAT, Both, &signature, (&[*id], at("name")), &[value(input)], &["result"], &[error("error")])
    });
    // GLM: results in the content of one message of the role `tool`.
    let listed = result(
        FLAT,
        &[("tool_call_id", Text), ("output", Any), ("type", Absent), ("role", Absent)],
        &["tool_call_id"],
        &["output"],
    );
    // Azure AI: `azure-ai-evaluation`, messages of agents.
    let of_azure = call(
        FLAT,
        &[("type", is(&["tool_call"])), ("tool_call_id", Text), ("name", Text)],
        &["tool_call_id"],
        at("name"),
        // `parameters`: Hume, https://dev.hume.ai.
        &[encoded("arguments"), encoded("input"), encoded("parameters")],
    );
    let answered = result(
        FLAT,
        &[("type", is(&["tool_response"])), ("tool_call_id", Text), ("content", Any)],
        &["tool_call_id"],
        &["content"],
    )
    .named(at("tool_name"));
    // Calls in a list of a message of the assistant: older threads of Zed.
    let with_input = call(
        FLAT,
        &[
            ("id", Text),
            ("name", Text),
            ("input", Object),
            ("type", Absent),
            ("kind", Absent),
            ("description", Absent),
            ("status", Absent),
        ],
        &["id"],
        at("name"),
        &[value("input")],
    )
    .of(MessageRole::Assistant);
    // Agents that people write for themselves; their lines have a type.
    let typed = call(
        FLAT,
        &[("type", is(&["tool_call"])), ("id", Text), ("name", Text), ("input", Any)],
        &["id"],
        at("name"),
        &[encoded("input")],
    );
    // Calls without ids, in a list of a message of the assistant, often with their results.
    let listed_calls = LISTED.iter().map(|(name, input)| {
        let absent = ["id", "call_id", "tool_call_id", "toolCallId", "type", "kind", "description"]
            .map(|key| (key, Absent));
        let signature = [&[(*name, Text), (*input, Object)], &absent[..]].concat();
        part(FLAT, Both, &signature, (&[], at(name)), &[value(input)], &["result", "tool_output"], &[])
            .of(MessageRole::Assistant)
    });
    // Steps of ReAct in JSON.
    let step = part(
        FLAT,
        Both,
        &[("action", Text), ("thought", Text), ("action_input", Any), ("role", Absent), ("args", Absent)],
        (&[], at("action")),
        &[value("action_input")],
        &["observation", "result"],
        &[],
    )
    .into_message();
    // ComplexFuncBench (https://github.com/zai-org/ComplexFuncBench): a list of the results of all
    // calls in a message.
    let observed =
        result(FLAT, &[("role", is(&["observation"])), ("content", Array)], &[], &["content"]).into_message();
    let results = [("tool_call_id", "output"), ("id", "output"), ("call_id", "outcome")];
    let results = results.map(|(id, output)| {
        let signature = [("type", is(&["tool_result"])), (id, Text), (output, Any)];
        let outputs = ["output", "outcome.result", "outcome"];
        result(FLAT, &signature, &[id], &outputs).failing(&[flag("is_error"), error("error")])
    });
    let rows = [listed, of_azure, answered, typed, with_input, step, observed];
    calls.chain(rows).chain(logged()).chain(listed_calls).chain(results).collect()
}

/// Calls that are logged with their results.
fn logged() -> impl Iterator<Item = Form> {
    let (names, inputs, outputs) = LOGGED;
    let keys = names.into_iter().flat_map(move |name| {
        inputs.into_iter().flat_map(move |input| outputs.into_iter().map(move |output| (name, input, output)))
    });
    // Traces with latencies list each call twice, which only an id shows.
    let timed = (("tool_name", "arguments", "result"), ("tool_call_id", Text));
    // Configurations have tools with arguments and an output, but no time.
    let beside = |(name, _, output): &(&str, &str, &str)| match (*name, *output) {
        ("tool", "output") => ("timestamp", Any),
        _ => ("latency_ms", Absent),
    };
    keys.map(move |keys| (keys, beside(&keys))).chain([timed]).map(|((name, input, output), beside)| {
        let absent = ["type", "kind", "description", "role"].map(|key| (key, Absent));
        let signature = [&[(name, Prose), (input, Object), (output, Any), beside], &absent[..]].concat();
        let failure = [("status", "error"), ("status", "failed"), ("tool_status", "error")];
        let failure = failure.map(|(key, text)| fails_is(key, text));
        let failure = [&[error("error"), no_success("success")], &failure[..]].concat();
        let ids = ["tool_call_id", "call_id", "toolCallId"];
        part(FLAT, Both, &signature, (&ids, at(name)), &[value(input)], &[output], &failure)
    })
}
