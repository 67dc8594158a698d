//! Message logs: tool uses that stand as elements in the text of messages.

use std::fmt::Write;
use std::sync::Arc;

use super::diagnostics::check_with;
use super::logs::{check, read};
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::json::quote;
use crate::registry::{Registry, read_source};
use crate::text::Text;

/// A conversation of messages, each a role and a text.
fn messages(messages: &[(&str, &str)]) -> String {
    let message =
        |(role, text): &(&str, &str)| format!("{{\"role\": \"{role}\", \"content\": {}}}", quote(text));
    format!("[{}]", messages.iter().map(message).collect::<Vec<_>>().join(", "))
}

const CALL: &str = "<tool_call>\n{\"name\": \"a\", \"arguments\": {\"b\": 1}}\n</tool_call>";

#[test]
fn calls_of_hermes_are_read() {
    let two =
        format!("Let me look.\n{CALL}\n<tool_call>{{\"name\": \"c\", \"arguments\": \"{{}}\"}}</tool_call>");
    let text = messages(&[
        ("system", &format!("Write calls so:\n{CALL}")),
        ("user", "What is b?"),
        ("assistant", &two),
        (
            "tool",
            "<tool_response>\n{\"name\": \"c\", \"content\": 2}\n</tool_response>\n<tool_response>\nx\n</tool_response>",
        ),
        ("assistant", CALL),
        ("user", "<tool_response>y</tool_response>"),
    ]);
    let first = r#"c {} → "{\"name\": \"c\", \"content\": 2}""#;
    check(&text, &[r#"a {"b":1} → "x""#, first, r#"a {"b":1} → "y""#]);
    // Other programs escape `/`, or all of `<`, `/` and `>`.
    for escaped in [text.replace("</", "<\\/"), text.replace('<', "\\u003c").replace('>', "\\u003e")] {
        check(&escaped, &[r#"a {"b":1} → "x""#, first, r#"a {"b":1} → "y""#]);
    }
    // ShareGPT, a conversation a line.
    let line = format!(
        "{{\"conversations\": [{{\"from\": \"human\", \"value\": \"b?\"}}, {{\"from\": \"gpt\", \"value\": {}}}, {{\"from\": \"tool\", \"value\": {}}}]}}\n",
        quote(CALL),
        quote("<tool_response>\nx\n</tool_response>")
    );
    check(&line.repeat(2), &[r#"a {"b":1} → "x""#, r#"a {"b":1} → "x""#]);
}

/// As in Markdown, an element may have a list of calls, and a call may stand in `function`.
#[test]
fn lists_of_calls_are_read() {
    let list = r#"[{"name": "a", "arguments": {"b": 1}}, {"function": {"name": "c", "arguments": {}}}]"#;
    let call = |inner: &str| format!("<tool_call>\n{inner}\n</tool_call>");
    let text = |inner: &str| messages(&[("user", "?"), ("assistant", &call(inner)), ("tool", "x")]);
    check(&text(list), &[r#"a {"b":1} → "x""#, "c {}"]);
    check(&text(r#"{"type": "function", "function": {"name": "c", "arguments": {}}}"#), &[r#"c {} → "x""#]);
    for none in [r#"[{"name": "a"}, {"title": "b"}]"#, "[]", r#"[{"name": "<function-name>"}]"#] {
        assert_eq!(read(&messages(&[("assistant", &call(none))])).tool_uses(), [], "{none}");
    }
}

#[test]
fn a_call_beside_its_text_counts_once() {
    let call = r#"[{"id": "i", "type": "function", "function": {"name": "a", "arguments": "{}"}}]"#;
    let message = |calls: &str| {
        format!("[{{\"role\": \"assistant\", \"content\": {}, \"tool_calls\": {calls}}}]", quote(CALL))
    };
    check(&message(call), &["a#i {}"]);
    check(&message("[]"), &[r#"a {"b":1}"#]);
}

#[test]
fn elements_of_other_models_are_read() {
    // Qwen Coder, and Llama.
    let call = "<function=run>\n<parameter=c>\nls\n</parameter>\n<parameter=n>\n1\n</parameter>\n</function>";
    check(
        &messages(&[("assistant", &format!("<tool_call>\n{call}\n</tool_call>"))]),
        &[r#"run {"c":"ls","n":1}"#],
    );
    check(&messages(&[("assistant", call)]), &[r#"run {"c":"ls","n":1}"#]);
    check(&messages(&[("assistant", "<function=run>{\"c\": 1}</function>")]), &[r#"run {"c":1}"#]);
    // The results of SWE-agent, and of OpenHands.
    for result in ["OBSERVATION:\nx\ny\n", "EXECUTION RESULT of [run]:\nx\ny"] {
        let text = messages(&[("assistant", call), ("user", result)]);
        check(&text, &[r#"run {"c":"ls","n":1} → "x\ny""#]);
    }
    // Anthropic.
    let prefix = concat!("ant", "ml:");
    for prefix in ["", prefix] {
        let call = format!(
            "I will.\n<{prefix}function_calls>\n<{prefix}invoke name=\"run\">\n<{prefix}parameter name=\"c\">ls</{prefix}parameter>\n</{prefix}invoke>\n</{prefix}function_calls>"
        );
        check(&messages(&[("assistant", &call)]), &[r#"run {"c":"ls"}"#]);
    }
}

/// The messages of Anthropic that Cline keeps.
#[test]
fn calls_of_cline_are_read() {
    let part = |text: &str| format!("{{\"type\": \"text\", \"text\": {}}}", quote(text));
    let call = "<thinking>Look.</thinking>\n<write_to_file>\n<path>a.md</path>\n<content>\n# </content>\n</content>\n</write_to_file>";
    let text = format!(
        "[{{\"role\": \"user\", \"content\": [{}]}}, {{\"role\": \"assistant\", \"content\": [{}]}}, {{\"role\": \"user\", \"content\": [{}, {}]}}]",
        part(&format!("Write {call}")),
        part(call),
        part("[write_to_file for 'a.md'] Result:\n\nsaved"),
        part("<environment_details>\n</environment_details>")
    );
    let expected = r##"write_to_file {"path":"a.md","content":"# </content>"} → "saved""##;
    check(&text, &[expected]);
    // In a long document, the message begins in another segment.
    let long = format!(
        "[{{\"role\": \"assistant\", \"content\": [\n {}{}]}}]",
        (part("text") + ",\n ").repeat(400),
        part(call)
    );
    check(&long, &[r##"write_to_file {"path":"a.md","content":"# </content>"}"##]);
    check(&long.replacen("assistant", "user", 1), &[]);
    let failed = [
        ("assistant", "<read_file>\n<path>b</path>\n</read_file>"),
        ("user", "[read_file for 'b'] Result:\nThe tool execution failed: none"),
    ];
    check(&messages(&failed), &[r#"read_file {"path":"b"} ✗ The tool execution failed: none"#]);
    let long = [
        ("assistant", "<execute_command>\n<command>a\nb</command>\n</execute_command>"),
        ("user", "[execute_command for 'a\nb'] Result:\nc"),
    ];
    check(&messages(&long), &[r#"execute_command {"command":"a\nb"} → "c""#]);
}

#[test]
fn text_about_elements_is_silent() {
    let code = format!("As in\n```xml\n{CALL}\n```\n");
    let texts = [
        ("user", CALL),
        ("system", CALL),
        ("assistant", &*code),
        ("assistant", "Write `<tool_call>{\"name\": \"a\", \"arguments\": {}}</tool_call>`."),
        ("assistant", "<tool_call>\n{\"name\": <function-name>, \"arguments\": {}}\n</tool_call>"),
        ("assistant", "<tool_call>{\"name\": \"a\"}\n\n<tool_call></tool_call>"),
        ("assistant", "<read_file>\n</read_file> and <list_files><where>a</where></list_files>"),
        ("assistant", "In <read_file><path>a</path></read_file> a path is named."),
        ("assistant", "<think><tool_call>{\"name\": \"a\"}</tool_call></think>No."),
        ("assistant", "<tool_response>x</tool_response>"),
        ("user", "See <tool_response>x</tool_response>"),
        ("user", "[read_me for 'a'] Result: x"),
        ("user", "OBSERVATIONS: x"),
        ("user", "EXECUTION RESULT of [a b]: x"),
    ];
    for text in texts {
        assert_eq!(read(&messages(&[text])).tool_uses(), [], "{text:?}");
        assert!(read(&messages(&[text])).diagnostics().is_empty(), "{text:?}");
    }
}

#[test]
fn problems_have_their_place_in_the_string() {
    const TOOLS: &str = r#"[{"name": "read", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}}}]"#;
    let mut registry = Registry::default();
    registry.add(&read_source(TOOLS, "tools.json"));
    let registry = Arc::new(registry);
    let check = |call: &str| {
        let settings = Settings { registry: Arc::clone(&registry), ..Settings::default() };
        let text =
            format!(r#"[{{"role": "assistant", "content": "\n\u00e9 <tool_call>{call}</tool_call>"}}]"#);
        check_with(&text, Language::Json, settings);
    };
    check(r#"{\"name\": \"read\", \"arguments\": {\"path\": \"\\n\"}}"#);
    check(r#"{\"name\": «unknown-tool:\"raed\"», \"arguments\": {}}"#);
    check(r#"{\"name\": \"read\", \"arguments\": {\"path\": «invalid-input:1»}}"#);
    check(r#"{\"name\": \"read\", \"arguments\": \"{\\\"path\\\": «invalid-input:1»}\"}"#);
    check(r#"{\"name\": \"read\", \"arguments\": {\"path\": \"x\"«invalid-json:,»}}"#);
}

#[test]
fn names_and_parameters_in_markdown_are_checked() {
    const TOOLS: &str = r#"[{"name": "read_file", "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "additionalProperties": false}}]"#;
    let mut registry = Registry::default();
    registry.add(&read_source(TOOLS, "tools.json"));
    let registry = Arc::new(registry);
    let check = |call: &str| {
        let settings = Settings { is_named: true, registry: Arc::clone(&registry), ..Settings::default() };
        check_with(&format!("User: go\n\nAssistant:\n\n{call}\n"), Language::Markdown, settings);
    };
    check("<invoke name=\"«unknown-tool:reed_file»\">\n<parameter name=\"path\">a</parameter>\n</invoke>");
    check(
        "<invoke name=\"read_file\">\n<parameter name=\"«unknown-parameter:paht»\">a b</parameter>\n</invoke>",
    );
    check("<function=read_file>{\"path\": «invalid-input:1»}</function>");
    check("<read_file>\n<path>a</path>\n<«unknown-parameter:regex»>1</regex>\n</read_file>");
    check("<list_files>\n<path>a</path>\n</list_files>");
    check(
        "**Tool: «unknown-tool:reed»**\n\n**Input:**\n```json\n{\"path\": 1}\n```\n\n**Output:**\n```\nx\n```",
    );
    check(
        "**Tool: read_file**\n\n**Input:**\n```json\n{\"path\": «invalid-input:1»}\n```\n\n**Output:**\n```\nx\n```",
    );
}

/// However it is cut off, a call is read once it is closed, and nothing is reported before.
#[test]
fn half_a_call_is_silent() {
    let text = messages(&[("assistant", CALL)]);
    let end = text.find("</tool_call>").unwrap();
    for cut in (1..end).filter(|cut| text.is_char_boundary(*cut)) {
        let document = Document::new(Text::new(&text[..cut]), Language::Json, Arc::default());
        assert_eq!(document.tool_uses(), [], "{}", &text[..cut]);
        assert!(document.diagnostics().is_empty(), "{}", &text[..cut]);
    }
}

#[test]
fn many_openers_cost_their_length() {
    let mut text = String::new();
    for number in 0..20_000 {
        let opener = ["<tool_call>{", "<read_file><path>", "<function=a>", "<invoke name=\"a\">"][number % 4];
        writeln!(text, "{opener}").unwrap();
    }
    assert_eq!(read(&messages(&[("assistant", &text)])).tool_uses(), []);
    let steps = "Action: a[\nAction: a\nAction Input: [\nObservation: 1\n".repeat(5_000);
    assert_eq!(read(&messages(&[("assistant", &steps)])).tool_uses().len(), 5_000);
    let line = "<tool_call>{\"name\": \"a\", \"arguments\": {}}</tool_call> ".repeat(2_000);
    assert_eq!(read(&messages(&[("assistant", &line)])).tool_uses().len(), 2_000);
}

/// DeepSeek, FunctionGemma, Gemma, Llama, and names of several words.
#[test]
fn calls_of_other_models_are_read() {
    let text = |call: &str| messages(&[("user", "?"), ("assistant", call), ("tool", "x")]);
    let deep_seek = "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n\
        <｜DSML｜parameter name=\"a\" string=\"true\">b</｜DSML｜parameter>\n\
        <｜DSML｜parameter name=\"c\" string=\"false\">[1]</｜DSML｜parameter>\n\
        </｜DSML｜invoke>\n</｜DSML｜function_calls>";
    check(&text(deep_seek), &[r#"f {"a":"b","c":[1]} → "x""#]);
    let gemma = "<start_function_call>call:f{a:<escape>b, c<escape>,d:1}<end_function_call>";
    check(&text(gemma), &[r#"f {"a":"b, c","d":1} → "x""#]);
    check(&text("[f(a=\"b\", c=[1])]"), &[r#"f {"a":"b","c":[1]} → "x""#]);
    let named = "<tool_call>\n{\"name\": \"Search Managers\", \"parameters\": {}}\n</tool_call>";
    check(&text(named), &[r#"Search Managers {} → "x""#]);
    check(&text(&named.replace("Search Managers", "Tool name")), &[r#"- → "x""#]);
    let fenced = messages(&[
        ("assistant", "I look.\n```tool_code\nf(a='b')\n```"),
        ("user", "```tool_output\nx\n```"),
    ]);
    check(&fenced, &[r#"f {"a":"b"} → "x""#]);
}

#[test]
fn results_of_bfcl_in_python_are_read() {
    let line =
        |result: &str| format!("{{\"id\": \"simple_0\", \"result\": \"{result}\", \"latency\": 1.4}}\n");
    let text = [line("[f(a=1), g.h(b='x')]"), line("I cannot do that."), line("[k(c=2)]")].concat();
    check(&text, &[r#"f {"a":1}"#, r#"g.h {"b":"x"}"#, r#"k {"c":2}"#]);
}

/// The name in a prompt of Llama is none of a tool.
#[test]
fn the_example_of_llama_is_no_call() {
    let prompt = "<function=example_function_name>{\"example_name\": \"example_value\"}</function>";
    assert_eq!(read(&messages(&[("assistant", prompt)])).tool_uses(), []);
}

#[test]
fn calls_of_glaive_are_read() {
    let call = "<functioncall> {\"name\": \"f\", \"arguments\": '{\"a\": 5}'}";
    let chat = format!(
        "USER: ?\n\n\nASSISTANT: {call} <|endoftext|>\n\n\nFUNCTION RESPONSE: {{\"b\": 4}}\n\n\nASSISTANT: 4 <|endoftext|>"
    );
    let record = format!("{{\"system\": \"SYSTEM: f\", \"chat\": {}}}\n", quote(&chat));
    check(&record.repeat(2), &[r#"f {"a":5} → "{\"b\": 4}""#].repeat(2));
    let text = messages(&[
        ("assistant", call),
        ("tool", "x"),
        ("assistant", "<functioncall> {\"name\": \"g\", \"arguments\": {}}"),
    ]);
    check(&text, &[r#"f {"a":5} → "x""#, "g {}"]);
}

/// ReAct: the observation is the next message, or stands below its call.
#[test]
fn steps_of_react_are_read() {
    let text = messages(&[
        ("system", "Action: the action\nAction Input: its input\nObservation: its result"),
        ("user", "Who?"),
        ("assistant", "Thought: I look.\nAction: look\nAction Input: {\"q\": 1}"),
        ("user", "Observation: one\n\ntwo"),
        ("assistant", "Thought 2: I find.\nAction 2: find[a [b]]\n"),
        ("user", "Observation 2:\nthree"),
        ("assistant", "Thought: It is.\nAction: finish[Ines]"),
    ]);
    check(&text, &[r#"look {"q":1} → "one\n\ntwo""#, r#"find "a [b]" → "three""#, r#"finish "Ines""#]);
    let gpt = text.replace("\"role\"", "\"from\"").replace("assistant", "gpt").replace("content", "value");
    check(&gpt, &[r#"look {"q":1} → "one\n\ntwo""#, r#"find "a [b]" → "three""#, r#"finish "Ines""#]);
    let python =
        messages(&[("assistant", "Action: ask\nAction Input: {'q': 1}"), ("user", "Observation: x")]);
    check(&python, &[r#"ask "{'q': 1}" → "x""#]);
    assert!(read(&python).diagnostics().is_empty());
    let whole = "Thought: I find.\nAction: find[a]\nObservation: one\nThought: So.\nAction: finish[one]";
    let pair = format!("{{\"instruction\": \"Who?\", \"input\": \"\", \"output\": {}}}", quote(whole));
    check(&format!("[{pair}, {pair}]"), &[r#"find "a" → "one""#, r#"finish "one""#].repeat(2));
    for text in [
        "Action: buy milk\nAction Input: money",
        "Action: read the list [1]",
        "Action: look\n\nI look.",
        "So Action: find[a]",
        "```\nAction: find[a]\n```",
        "<think>\nAction: find[a]\n</think>No.",
        "Observation: it rains",
    ] {
        assert_eq!(read(&messages(&[("user", "?"), ("assistant", text)])).tool_uses(), [], "{text}");
    }
    for text in ["Action: find[a]", "My Observation: it rains", "Observations: none"] {
        assert_eq!(read(&messages(&[("user", text), ("assistant", "?")])).tool_uses(), [], "{text}");
    }
}
