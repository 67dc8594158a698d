//! The texts of streams, and texts that are not read or have no place in another form.

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

/// BFCL's questions have no answers, and a chat of VS Code may have no calls.
#[test]
fn messages_without_calls_are_converted() {
    let question = r#"{"id":"a","question":[[{"role":"user","content":"x"}]]}"#;
    check(question, Language::Log, "openai", r#"{"messages":[{"role":"user","content":"x"}]}"#, "");
    let chat = r#"{"requests":[{"requestId":"r","message":{"text":"x"},"response":[{"value":"y"}]}]}"#;
    let expected = r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}"#;
    check(chat, Language::Json, "openai", expected, "");
}

#[test]
fn messages_of_other_authors_are_losses() {
    let text = r#"[{"role":"user","content":"x"},{"role":"critic","content":"y"},{"role":"assistant","content":"z"}]"#;
    let expected = r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"z"}]}"#;
    check(text, Language::Json, "openai", expected, "drops 1 message of an unknown form");
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

#[test]
fn parts_that_are_not_read_and_citations_are_losses() {
    let parts = r#"{"type":"redacted_thinking","data":"Rm9v"},{"type":"step-start"},{"type":"text","text":"y","citations":[{"cited_text":"a"},{"cited_text":"b"}]}"#;
    let answer = format!(r#"{{"role":"assistant","content":[{parts}]}}"#);
    let expected = "drops 1 part of an unknown kind; drops 2 citations";
    let losses = |text: &str, language| {
        write_form(&open(text, language), form("openai")).expect("a conversation").losses.words()
    };
    let request = format!(r#"{{"messages":[{{"role":"user","content":"x"}},{answer}]}}"#);
    assert_eq!(losses(&request, Language::Json), expected);
    let line = |kind: &str, message: &str| format!("{{\"type\":\"{kind}\",\"message\":{message}}}\n");
    let session = line("user", r#"{"role":"user","content":"x"}"#) + &line("assistant", &answer);
    assert_eq!(losses(&session, Language::Log), expected);
}

/// A message that is not to be learned from would be one without its weight.
#[test]
fn members_that_a_form_lacks_are_losses() {
    let text = r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}"#;
    let weighed = text.replace(r#""y"}"#, r#""y","weight":0,"name":"","refusal":null}"#);
    check(&weighed, Language::Json, "finetune", text, "drops `weight`");
    let named = text.replace(r#"","content"#, r#"","name":"Ada","content"#);
    let asked = named.replacen('{', r#"{"model":"m","max_completion_tokens":9,"stream":true,"#, 1);
    check(&asked, Language::Json, "openai", text, "drops `max_tokens`, `model`, 2 `name`");
    let marked =
        text.replace(r#""y""#, r#"[{"type":"text","text":"y","cache_control":{"type":"ephemeral"}}]"#);
    check(&marked, Language::Json, "openai", text, "drops `cache_control`");
}

/// Parts of text are joined, and stay parts where there is a place for them.
#[test]
fn parts_of_text_in_a_result_are_no_loss() {
    let request = |content: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":[{{"type":"tool_use","id":"t","name":"f","input":{{}}}}]}},{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t","content":{content}}}]}}]}}"#
        )
    };
    let openai = |content: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"t","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}},{{"role":"tool","tool_call_id":"t","content":{content}}}]}}"#
        )
    };
    let parts = request(r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#);
    check(&parts, Language::Json, "openai", &openai(r#""a\nb""#), "");
    check(&parts, Language::Json, "anthropic", &parts, "");
    let blank = request(r#"[{"type":"text","text":"a"},{"type":"text","text":""}]"#);
    check(&blank, Language::Json, "anthropic", &request(r#""a\n""#), "");
    let marked = request(r#"[{"type":"text","text":"a","cache_control":{}}]"#);
    check(&marked, Language::Json, "anthropic", &request(r#""a""#), "changes 1 output");
    let markdown = write_markdown(&open(&parts, Language::Json), dialect("hermes")).expect("a conversation");
    assert_eq!(markdown.losses.words(), "drops 1 id");
}

#[test]
fn an_empty_string_counts_as_no_arguments() {
    let openai = |arguments: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"q"}},{{"role":"assistant","content":null,"tool_calls":[{{"id":"t","type":"function","function":{{"name":"f","arguments":"{arguments}"}}}}]}},{{"role":"tool","tool_call_id":"t","content":"x"}}]}}"#
        )
    };
    check(&openai(""), Language::Json, "openai", &openai("{}"), "");
    let document = open(&openai(""), Language::Json);
    assert_eq!(document.tool_uses()[0].input, None);
    let written = write_form(&document, form("anthropic")).expect("a conversation");
    assert_eq!(written.losses.words(), "");
    assert!(written.text.contains("\"input\": {}"), "{}", written.text);
    let markdown = write_markdown(&document, dialect("hermes")).expect("a conversation");
    assert_eq!(markdown.losses.words(), "drops 1 id");
}

#[test]
fn line_ends_of_markdown_are_a_loss() {
    let text = r#"{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"a\r\nb"}]}"#;
    check(text, Language::Json, "openai", text, "");
    let markdown = write_markdown(&open(text, Language::Json), dialect("hermes")).expect("a conversation");
    assert_eq!(markdown.losses.words(), "changes the line ends of 1 text");
}

/// Text between the calls of a list, and after them, stays where it is.
#[test]
fn text_in_a_list_of_calls_is_kept() {
    let call = "<invoke name=\"f\">\n<parameter name=\"a\">1</parameter>\n</invoke>\n";
    for calls in [format!("{call}between\n{call}"), format!("{call}behind\n")] {
        let text = format!("User: q\n\nAssistant: a\n\n<function_calls>\n{calls}</function_calls>\n");
        let written = write_form(&open(&text, Language::Markdown), form("openai")).expect("a conversation");
        let is_kept = ["between", "behind"].iter().any(|text| written.text.contains(text));
        assert!(is_kept, "{}", written.text);
    }
}

/// Texts in events of OpenHands, beside texts in messages.
#[test]
fn texts_of_events_are_read() {
    let events = concat!(
        r#"{"kind": "SystemPromptEvent", "system_prompt": {"type": "text", "text": "Be brief."}}"#,
        "\n",
        r#"{"kind": "ActionEvent", "thought": [{"type": "text", "text": "I look."}], "reasoning_content": "Hm.", "tool_name": "f", "tool_call_id": "a", "tool_call": {"id": "a", "name": "f", "arguments": "{}"}}"#,
        "\n",
        r#"{"kind": "ObservationEvent", "tool_name": "f", "tool_call_id": "a", "observation": {"content": "x"}}"#,
        "\n",
    );
    check(
        events,
        Language::Log,
        "openai",
        r#"{"messages":[{"role":"system","content":"Be brief."},{"role":"assistant","content":"I look.","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"x"}]}"#,
        "drops 1 piece of reasoning",
    );
}
