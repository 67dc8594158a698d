//! Steps, calls that were made together or one by one, and marks that are no text.

use super::{check, form, open};
use crate::document::Language;
use crate::features::chat_forms::write_form;
use crate::features::repair::repair;

/// Calls that were made together come back together, and other calls one by one.
#[test]
fn steps_of_the_ai_sdk_come_back() {
    let call = |id: &str| {
        format!(r#"{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#)
    };
    let result = |id: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"x"}}"#);
    let calls = |calls: &str| format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}}"#);
    let user = r#"{"role":"user","content":"q"}"#;
    let both = format!("{},{}", call("a"), call("b"));
    let together = format!("{},{},{}", calls(&both), result("a"), result("b"));
    let apart = format!("{},{},{},{}", calls(&call("a")), result("a"), calls(&call("b")), result("b"));
    for (messages, steps) in [(together, 0), (apart, 1)] {
        let text = format!(r#"{{"messages":[{user},{messages}]}}"#);
        let written = write_form(&open(&text, Language::Json), form("ai-sdk")).expect("a conversation").text;
        assert_eq!(written.matches("step-start").count(), steps);
        check(&written, Language::Json, "openai", &text, "");
    }
}

/// A step of ReAct is no text: its thought is, and the text below its input.
#[test]
fn steps_of_react_are_no_text() {
    let step = "Thought: hm\\nAction: z\\nAction Input: {\\\"q\\\": 1}";
    let call = r#"{"id":"call_1","type":"function","function":{"name":"z","arguments":"{\"q\":1}"}}"#;
    let result = r#"{"role":"tool","tool_call_id":"call_1","content":"r"}"#;
    let message = |role: &str, text: &str| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let with_call = format!(r#"{{"role":"assistant","content":"Thought: hm","tool_calls":[{call}]}}"#);
    let check = |messages: &[String], expected: &str| {
        let text = format!("[{},{}]", message("user", "q"), messages.join(","));
        let expected = format!(r#"{{"messages":[{},{expected}]}}"#, message("user", "q"));
        check(&text, Language::Json, "openai", &expected, "");
    };
    let alone = [message("assistant", step), message("user", "Observation: r")];
    check(&alone, &format!("{with_call},{result}"));
    check(&[message("assistant", &format!("{step}\\nObservation: r"))], &format!("{with_call},{result}"));
    let after = message("assistant", "After.");
    check(&[message("assistant", &format!("{step}\\n\\nAfter."))], &format!("{with_call},{after}"));
}

/// Chat templates of Llama and ChatML: their tokens are no text, and an example in the prompt is no
/// call.
#[test]
fn tokens_of_templates_are_no_text() {
    let call = r#"{"id":"call_1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}"#;
    let check = |text: &str, prompt: &str| {
        let expected = format!(
            r#"{{"messages":[{{"role":"system","content":"{prompt}"}},{{"role":"user","content":"hi"}},{{"role":"assistant","content":null,"tool_calls":[{call}]}},{{"role":"tool","tool_call_id":"call_1","content":"ok"}},{{"role":"assistant","content":"fin"}}]}}"#
        );
        check(text, Language::Markdown, "openai", &expected, "");
    };
    let header = |role: &str| format!("<|start_header_id|>{role}<|end_header_id|>\n\n");
    let [system, user, assistant, tool] = ["system", "user", "assistant", "ipython"].map(header);
    check(
        &format!(
            "<|begin_of_text|>{system}So:\n\nEnd.<|eot_id|>{user}hi<|eot_id|>{assistant}\
             <function=f>{{\"a\": 1}}</function><|eom_id|>{tool}ok<|eot_id|>{assistant}fin<|eot_id|>\n"
        ),
        "So:\\n\\nEnd.",
    );
    let call = |name: &str, input: &str| {
        format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {input}}}\n</tool_call>")
    };
    check(
        &format!(
            "<|im_start|>system\nSo.<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n{}<|im_end|>\n\
             <|im_start|>user\n<tool_response>\nok\n</tool_response><|im_end|>\n<|im_start|>assistant\nfin<|im_end|>\n",
            call("f", r#"{"a": 1}"#)
        ),
        "So.",
    );
}

/// A byte order mark is no text, and no syntax error.
#[test]
fn a_byte_order_mark_is_no_loss() {
    let json = "\u{feff}{\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":\"a\"}]}";
    let markdown = "\u{feff}```tool\n{\"toolName\": \"a\", \"output\": 1}\n```\n\n**User:** q\n";
    for (text, language) in [(json, Language::Json), (markdown, Language::Markdown)] {
        let written = write_form(&open(text, language), form("openai")).expect("a conversation");
        assert_eq!((written.losses.words(), written.text.contains('\u{feff}')), (String::new(), false));
    }
    assert_eq!(repair(&open(json, Language::Json)).left, []);
}
