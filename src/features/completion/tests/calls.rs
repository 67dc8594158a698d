//! Whole calls: ids and states like nearby calls, a tab stop for the result, and the end of the
//! fence.

use super::*;

#[test]
fn calls_have_ids_like_their_neighbours() {
    let before = "```tool\n{\"toolCallId\": \"c7\", \"toolName\": \"read\"}\n```\n\n";
    accept(
        &format!("{before}```tool\n{{|}}\n```\n"),
        "now",
        &format!(
            "{before}```tool\n{{\"toolCallId\": \"c8\", \"toolName\": \"now\", \"input\": {{$1\\}}, \"output\": \"$2\"}}\n```\n"
        ),
    );
    // The tool called last comes first.
    check(&format!("{before}```tool\n|\n```\n"), "read now search");
}

#[test]
fn calls_have_states_like_their_neighbours() {
    let before = "> ```tool\n> {\"toolName\": \"read\", \"state\": \"input-available\"}\n> ```\n\n";
    accept(
        &format!("{before}```tool\n{{|}}\n```\n"),
        "now",
        &format!(
            "{before}```tool\n{{\"toolName\": \"now\", \"state\": \"output-available\", \"input\": {{$1\\}}, \"output\": \"$2\"}}\n```\n"
        ),
    );
}

/// The last tab stop is after the call, and so after its fence.
#[test]
fn open_fence_is_closed() {
    let now = "{\n  \"toolCallId\": \"call_1\",\n  \"toolName\": \"now\",\n  \"state\": \"output-available\",\n  \"input\": {$1\\},\n  \"output\": \"$2\"\n\\}\n```\n$0";
    accept("a\n\n```tool\n|", "now", &format!("a\n\n```tool\n{now}"));
    let next = "\n\n```tool\n{}\n```\n";
    accept(&format!("```tool\n|{next}"), "now", &format!("```tool\n{now}{next}"));
}

#[test]
fn results_match_output_schema() {
    let check = |schema: &str, expected: &str| {
        let tool = format!(r#"[{{"name": "t", "inputSchema": {{}}, "outputSchema": {schema}}}]"#);
        let mut registry = Registry::default();
        registry.add(&read_source(&tool, "tools.json"));
        let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
        let (_, items) = offered("```tool\n{\"toolName\": \"t\", |}\n```\n", settings, SNIPPETS);
        let output = items.iter().find(|item| item.label == "output").unwrap();
        assert_eq!(output.edit.1, format!("\"output\": {expected}"), "{schema}");
    };
    check(r#"{"type": "string"}"#, "\"$1\"");
    check("{}", "\"$1\"");
    check(r#"{"type": "integer"}"#, "${1:0}");
    check(r#"{"type": "boolean"}"#, "${1|false,true|}");
    check(r#"{"type": "array"}"#, "[$1]");
    check(r#"{"enum": ["low", "high"]}"#, "\"${1|low,high|}\"");
    let object = r#"{"type": "object", "required": ["n"], "properties": {"n": {"type": "null"}}}"#;
    check(object, "{\"n\": ${1:null}\\}");
}

/// After the opener of a call that is there, nothing is offered.
#[test]
fn bodies_on_the_next_line_are_kept() {
    let call = "{\"name\": \"read\", \"arguments\": {}}";
    check(&format!("<tool_call>|\n{call}\n</tool_call>\n"), "");
    check(&format!("> <tool_call>|\n> {call}\n> </tool_call>\n"), "");
    check(&format!("<tool_call>|\n\n<tool_call>\n{call}\n</tool_call>\n"), "read now search");
}
