//! The texts of streams.

use super::*;

/// White space at the ends of pieces is part of the text.
#[test]
fn pieces_of_a_text_are_one_text() {
    let chunk = |delta: &str| {
        format!("{{\"object\":\"chat.completion.chunk\",\"choices\":[{{\"delta\":{delta}}}]}}\n")
    };
    let text = [
        r#"{"role":"assistant","content":" I "}"#,
        r#"{"content":"look"}"#,
        r#"{"content":"\n\n"}"#,
        r#"{"content":"here. "}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#,
    ];
    let expected = r#"{"messages":[{"role":"assistant","content":"I look\n\nhere.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}]}"#;
    check(&text.map(chunk).concat(), Language::Log, "openai", expected, "");
}

/// Records of a log of which nothing is read are a loss, if they have a text.
#[test]
fn texts_that_are_not_read_are_losses() {
    let log = |record: &str| {
        let call = r#"{"type":"tool_use","id":"a","name":"f","input":{}}"#;
        format!(
            "{{\"role\":\"user\",\"content\":\"x\"}}\n{{\"role\":\"assistant\",\"content\":[{call}]}}\n{record}\n"
        )
    };
    let check = |record: &str, expected: &str| {
        let written = write_form(&open(&log(record), Language::Log), form("openai")).expect("messages");
        assert_eq!(written.losses.words(), expected, "{record}");
    };
    let unread = "drops 1 message of an unknown form";
    check(r#"{"source":"MODEL","type":"GENERIC","content":"x"}"#, unread);
    check(
        r#"data: {"object":"chat.completion.chunk","choices":[{"delta":{"reasoning_content":"x"}}]}"#,
        "drops 1 piece of reasoning",
    );
    check(r#"{"type":"content_block_delta","delta":{"type":"text_delta","text":"x"}}"#, "");
    check(
        r#"{"method":"session/update","params":{"update":{"content":{"type":"text","text":"x"}}}}"#,
        unread,
    );
    check(
        r#"{"method":"session/update","params":{"update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"x"}}}}"#,
        "",
    );
    check(r#"{"type":"queue-operation","content":"x"}"#, "");
    check(r#"{"source":"MODEL","content":" "}"#, "");
    check(r#"{"type":"ping"}"#, "");
}
