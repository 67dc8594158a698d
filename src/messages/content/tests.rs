//! The roles and texts of messages of each family.

use super::super::attachment::attachment;
use super::*;
use crate::forms::built_in::FORMS;
use crate::json;

/// A message of any form, which does not begin its text.
fn message_of(text: &str) -> MessageContent {
    let form = FORMS.iter().find(|form| matches!(form.role, FormRole::Message)).unwrap();
    let list = format!("[{text}]");
    let json = json::parse(&list);
    read_message(form, text, json.root(&list).and_then(|root| root.items().next()).unwrap())
}

/// The texts of a message of any form, each after a mark of its kind.
fn read(text: &str) -> (Option<MessageRole>, Vec<String>) {
    let message = message_of(text);
    let shown = |piece: &ContentText| {
        let raw = piece.span.of(text);
        let mark = match piece.kind {
            TextKind::Prose if piece.continues => "+",
            TextKind::Prose => "",
            TextKind::Thinking if piece.continues => "+~",
            TextKind::Thinking => "~",
            TextKind::Summary => "#",
            TextKind::Attachment => return attachment(raw),
        };
        format!("{mark}{}", serde_json::from_str::<String>(raw).unwrap())
    };
    (message.role, message.texts.iter().map(shown).collect())
}

#[track_caller]
fn check(text: &str, role: Option<MessageRole>, expected: &[&str]) {
    let (found, texts) = read(text);
    assert_eq!((found, texts.iter().map(String::as_str).collect::<Vec<_>>()), (role, expected.to_vec()));
}

const USER: Option<MessageRole> = Some(MessageRole::User);
const ASSISTANT: Option<MessageRole> = Some(MessageRole::Assistant);
const SYSTEM: Option<MessageRole> = Some(MessageRole::System);

#[test]
fn texts_of_all_families_are_read() {
    check(r#"{"role": "user", "content": "a\nb"}"#, USER, &["a\nb"]);
    check(
        r#"{"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "a"},
            {"type": "tool_use", "id": "i", "name": "n", "input": {}}, "b"], "reasoning_content": "r"}"#,
        ASSISTANT,
        &["~r", "~t", "a", "b"],
    );
    check(r#"{"role": "developer", "content": [{"type": "input_text", "text": "a"}]}"#, SYSTEM, &["a"]);
    check(r#"{"from": "gpt", "value": "a"}"#, ASSISTANT, &["a"]);
    check(
        r#"{"role": "model", "parts": [{"text": "t", "thought": true}, {"text": "a"}, {"functionCall": {"name": "f"}}]}"#,
        ASSISTANT,
        &["~t", "a"],
    );
    check(
        r#"{"role": "assistant", "content": "a", "parts": [{"type": "reasoning", "text": "r"}, {"type": "text", "text": "a"}]}"#,
        ASSISTANT,
        &["~r", "a"],
    );
    check(r#"{"info": {"role": "user"}, "parts": [{"type": "text", "text": "a"}]}"#, USER, &["a"]);
    check(
        r#"{"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}], "encrypted_content": "x"}"#,
        ASSISTANT,
        &["~a"],
    );
    check(r#"{"role": "reasoning", "content": "a"}"#, ASSISTANT, &["~a"]);
    check(r#"{"role": "user", "content": null, "text": "a"}"#, USER, &["a"]);
    check(
        r#"{"source": "agent", "step_id": 2, "message": "a", "reasoning_content": "r"}"#,
        ASSISTANT,
        &["~r", "a"],
    );
    check(
        r#"{"source": "user", "action": "message", "message": "a", "args": {"content": "a"}}"#,
        USER,
        &["a"],
    );
    check(r#"{"source": "agent", "observation": "run", "message": "a", "content": "b"}"#, ASSISTANT, &[]);
    check(r#"{"type": "summary", "summary": "a"}"#, SYSTEM, &["#a"]);
    check(r#"{"type": "ai", "content": "a"}"#, ASSISTANT, &["a"]);
    check(
        r#"{"role": "assistant", "content": [{"type": "reasoning", "value": "r"}, {"type": "text", "value": "a"}]}"#,
        ASSISTANT,
        &["~r", "a"],
    );
    check(
        r#"{"role": "assistant", "parts": [{"type": "reasoning", "content": "r"}, {"type": "text", "content": "a"}]}"#,
        ASSISTANT,
        &["~r", "a"],
    );
    check(r#"{"role": "user", "contents": [{"$type": "text", "text": "a"}]}"#, USER, &["a"]);
    check(
        r#"{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": ["a", {"kind": "image-url", "url": "u"}]},
            {"part_kind": "retry-prompt", "content": "b"}, {"part_kind": "retry-prompt", "content": "c", "tool_name": "f"}]}"#,
        USER,
        &["a", "b"],
    );
    let both = message_of(
        r#"{"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "s"}, {"part_kind": "user-prompt", "content": "u"}]}"#,
    );
    let roles: Vec<_> = both.texts.iter().map(|text| (text.role, text.order == TextOrder::First)).collect();
    assert_eq!(roles, [(SYSTEM, false), (USER, false)]);
    check(
        r#"{"kind": "response", "parts": [{"part_kind": "thinking", "content": "t"}, {"part_kind": "text", "content": "a"}]}"#,
        ASSISTANT,
        &["~t", "a"],
    );
    check(r#"{"source": "weather_agent", "type": "TextMessage", "content": "a"}"#, ASSISTANT, &["a"]);
    check(r#"{"source": "user", "type": "TextMessage", "content": "a"}"#, USER, &["a"]);
    check(r#"{"type": "assistant", "message": {"role": "assistant", "content": "a"}}"#, None, &[]);
    check(r#"{"role": "tool", "content": ""}"#, None, &[]);
    // Cursor, API-Bank, Copilot CLI, Kimi Code, pieces of Bedrock and of Chat Completions.
    check(r#"{"role": "user", "message": {"content": [{"type": "text", "text": "a"}]}}"#, USER, &["a"]);
    check(r#"{"role": "AI", "text": "a"}"#, ASSISTANT, &["a"]);
    check(r#"{"type": "user.message", "data": {"content": "a"}}"#, USER, &["a"]);
    check(r#"{"type": "turn.prompt", "input": [{"type": "text", "text": "a"}]}"#, USER, &["a"]);
    let part = |part: &str| {
        format!(
            r#"{{"type": "context.append_loop_event", "event": {{"type": "content.part", "part": {part}}}}}"#
        )
    };
    check(&part(r#"{"type": "think", "think": "t"}"#), ASSISTANT, &["~t"]);
    check(&part(r#"{"type": "text", "text": "a"}"#), ASSISTANT, &["a"]);
    check(r#"{"delta": {"text": " a"}, "contentBlockIndex": 0}"#, ASSISTANT, &["+ a"]);
    check(r#"{"delta": {"reasoningContent": {"text": "a"}}}"#, ASSISTANT, &["+~a"]);
    check(r#"{"type": "content_block_delta", "delta": {"thinking": "\n"}}"#, ASSISTANT, &["+~\n"]);
    check(r#"{"type": "TEXT_MESSAGE_CONTENT", "delta": " a"}"#, ASSISTANT, &["+ a"]);
    check(r#"{"type": "response.output_text.delta", "delta": " a"}"#, ASSISTANT, &["+ a"]);
    check(r#"{"type": "response.reasoning_summary_text.delta", "delta": " a"}"#, ASSISTANT, &["+~ a"]);
    check(r#"{"type": "REASONING_MESSAGE_CONTENT", "delta": " a"}"#, ASSISTANT, &["+~ a"]);
    let chunk =
        |name: &str| format!(r#"{{"sessionUpdate": "{name}", "content": {{"type": "text", "text": "a"}}}}"#);
    check(r#"{"role": "user", "content": {"text": "a"}}"#, USER, &[]);
    check(&chunk("user_message_chunk"), USER, &["+a"]);
    check(&chunk("agent_thought_chunk"), ASSISTANT, &["+~a"]);
    check(&chunk("agent_message_chunk"), ASSISTANT, &["+a"]);
    check(
        r#"{"object": "chat.completion.chunk", "choices": [{"delta": {"content": "a"}}]}"#,
        ASSISTANT,
        &["+a"],
    );
}

#[test]
fn requests_of_vs_code_have_two_roles() {
    let text = r#"{"requestId": "r", "message": {"text": "q", "parts": []}, "response": [{"value": "a "},
        {"kind": "inlineReference", "name": "f"}, {"kind": "undoStop"}, {"kind": "thinking", "value": "t"}]}"#;
    check(text, None, &["q", "+a ", "+f", "~t"]);
    let message = message_of(text);
    let roles: Vec<_> = message.texts.iter().map(|text| text.role).collect();
    assert_eq!(roles, [USER, ASSISTANT, ASSISTANT, ASSISTANT]);
}

#[test]
fn envelopes_have_times_and_agents() {
    let message = message_of(
        r#"{"type": "user", "isSidechain": true, "agentId": "x", "timestamp": "2026-01-01T00:00:00Z", "message": {}}"#,
    );
    assert_eq!(
        (message.attribution.agent.as_deref(), message.attribution.time.as_deref()),
        (Some("x"), Some("2026-01-01T00:00:00Z"))
    );
    let message = message_of(r#"{"info": {"role": "assistant", "modelID": "m", "time": {"created": 5}}}"#);
    assert_eq!(
        (message.attribution.model.as_deref(), message.attribution.time.as_deref()),
        (Some("m"), Some("5"))
    );
    assert_eq!(message_of(r#"{"isSidechain": false, "agentId": "x"}"#).attribution.agent, None);
}
