//! Steps, calls that were made together and others, and marks that are no text.

use super::{check, form, open};
use crate::document::Language;
use crate::features::chat_forms::write_form;
use crate::features::repair::repair;

/// Calls that were made together come back together, and others one by one.
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
