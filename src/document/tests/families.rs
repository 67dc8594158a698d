//! Message logs: the forms of data sets.

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
    // The messages of the query are those of other calls.
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
fn like_objects_of_other_programs_are_silent() {
    for text in [
        r#"{"query": "q", "tools": ["hammer"], "answers": [{"text": "a"}]}"#,
        r#"{"query": "q", "answers": "[{\"name\": \"a\", \"arguments\": {}}]"}"#,
        r#"{"action_id": "x", "requestor": "assistant", "name": "f", "arguments": {}}"#,
    ] {
        check(text, &[]);
    }
}
