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
