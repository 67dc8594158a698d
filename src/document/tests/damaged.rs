//! Calls and results that lost a member.

use super::diagnostics::check_with;
use super::logs::{read, shown};
use crate::config::Settings;
use crate::document::Language;

#[test]
fn missing_members_of_calls_are_reported() {
    let check = |text: &str, label: &str| {
        check_with(text, Language::Json, Settings::default());
        let (_, calls) = (text, read(&text.replace(['«', '»'], "").replace("wrong-type:", "")).tool_uses());
        assert_eq!(calls.iter().map(shown).collect::<Vec<_>>(), [label], "{text}");
    };
    check(
        r#"{"input": [{"type": "function_call", "call_id": "a", "name": «wrong-type:"f"»},
            {"type": "function_call_output", "call_id": "a", "output": "x"}]}"#,
        r#"f#a → "x""#,
    );
    check(r#"{"input": [{"type": "function_call", "name": «wrong-type:"f"», "arguments": "{}"}]}"#, "f {}");
    check(
        r#"[{"role": "assistant", "content": [{"toolUse": {"name": «wrong-type:"f"», "input": {"p": 1}}}]}]"#,
        r#"f {"p":1}"#,
    );
    check(
        r#"{"contents": [{"role": "model", "parts": [«wrong-type:{»"functionCall": {"args": {"p": 1}}}]}]}"#,
        r#"- {"p":1}"#,
    );
    check(
        r#"{"messages": [{"role": "assistant", "tool_calls": [«wrong-type:{»"id": "a", "type": "function", "function": {"arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "a", "content": "x"}]}"#,
        r#"-#a {} → "x""#,
    );
    check(
        r#"{"messages": [{"role": "assistant", "content": [«wrong-type:{»"type": "tool_use", "id": "a", "input": {"p": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}]}"#,
        r#"-#a {"p":1} → "x""#,
    );
    check(
        r#"{"input": [«wrong-type:{»"type": "function_call", "call_id": "a", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "x"}]}"#,
        r#"-#a {} → "x""#,
    );
    let typed = r#"{"input": [{"type": "function_call", "call_id": "a", "name": "f""#;
    check_with(typed, Language::Json, Settings::default());
}
