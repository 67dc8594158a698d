//! Steps: calls that were made together, and others.

use super::{check, form, open};
use crate::document::Language;
use crate::features::chat_forms::write_form;

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
