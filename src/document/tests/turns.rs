//! The turns of message logs: roles, times, models, conversations and repetitions.

use std::fmt::Write;
use std::sync::Arc;

use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::Text;

/// The turns of a text, each with its name and its texts.
fn turns(text: &str) -> String {
    let is_log = text.trim_end().lines().skip(1).any(|line| line.starts_with('{'));
    let language = if is_log { Language::Log } else { Language::Json };
    let document = Document::new(Text::new(text), language, Arc::new(Settings::default()));
    let mut drawn = String::new();
    for message in document.assume_transcript().messages().of_log() {
        let texts: Vec<String> = message
            .texts
            .iter()
            .map(|text| format!("{:?} {}", text.kind, document.message_text(text, 100)))
            .collect();
        let _ = writeln!(drawn, "{}: {}", message.name(), texts.join(" | "));
    }
    drawn
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(turns(text), expected, "{text}");
}

#[test]
fn messages_of_the_assistant_are_one_turn() {
    check(
        r#"{"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "a\n\"b\""},
            {"role": "assistant", "content": "c", "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "1", "content": "r"},
            {"role": "assistant", "content": "d"}, {"role": "user", "content": "e"}]}"#,
        "System: Prose s\nUser: Prose a\n\"b\"\nAssistant: Prose c | Prose d\nUser: Prose e\n",
    );
}

/// tau2-bench keeps each message as the API returned it, too.
#[test]
fn messages_that_a_message_repeats_are_no_turns() {
    check(
        r#"{"messages": [{"role": "user", "content": "a", "raw_data": {"message": {"role": "assistant", "content": "a"}}},
            {"role": "assistant", "content": "b", "raw_data": {"message": {"role": "assistant", "content": "b"}}}]}"#,
        "User: Prose a\nAssistant: Prose b\n",
    );
}

#[test]
fn envelopes_give_times_and_agents() {
    check(
        concat!(
            "{\"type\": \"summary\", \"summary\": \"About\", \"leafUuid\": \"u\"}\n",
            "{\"type\": \"user\", \"timestamp\": \"2026-01-01T00:00:00.5Z\", \"message\": {\"role\": \"user\", \"content\": \"a\"}}\n",
            "{\"type\": \"assistant\", \"isSidechain\": true, \"agentId\": \"x\", \"message\": {\"role\": \"assistant\", \"model\": \"m\", \"content\": [{\"type\": \"thinking\", \"thinking\": \"t\"}]}}\n",
            "{\"type\": \"assistant\", \"message\": {\"role\": \"assistant\", \"model\": \"<synthetic>\", \"content\": [{\"type\": \"text\", \"text\": \"b\"}]}}\n",
        ),
        "Summary: Summary About\nUser · 2026-01-01 00:00:00Z: Prose a\n\
         Assistant · sub-agent x · m: Thinking t\nAssistant: Prose b\n",
    );
    check(
        concat!(
            "{\"timestamp\": \"2026-01-01T00:00:00Z\", \"type\": \"turn_context\", \"payload\": {\"model\": \"gpt\"}}\n",
            "{\"timestamp\": \"2026-01-01T00:00:01Z\", \"type\": \"event_msg\", \"payload\": {\"type\": \"agent_message\", \"message\": \"a\"}}\n",
            "{\"timestamp\": \"2026-01-01T00:00:02Z\", \"type\": \"response_item\", \"payload\": {\"type\": \"reasoning\", \"summary\": [{\"type\": \"summary_text\", \"text\": \"r\"}]}}\n",
            "{\"timestamp\": \"2026-01-01T00:00:03Z\", \"type\": \"response_item\", \"payload\": {\"type\": \"message\", \"role\": \"assistant\", \"content\": [{\"type\": \"output_text\", \"text\": \"a\"}]}}\n",
        ),
        "Assistant · gpt · 2026-01-01 00:00:02Z: Thinking r | Prose a\n",
    );
}

#[test]
fn repeated_messages_are_left_out() {
    // Inspect: the input and the output repeat messages of the sample, with their ids.
    check(
        r#"{"input": [{"id": "message-in-a-sample-1", "role": "user", "content": "q"}],
            "messages": [{"id": "message-in-a-sample-0", "role": "system", "content": "s"}, {"id": "message-in-a-sample-1", "role": "user", "content": "q"},
                {"id": "message-in-a-sample-2", "role": "assistant", "content": "a"}],
            "output": {"choices": [{"message": {"id": "message-in-a-sample-2", "role": "assistant", "content": "a"}}]}}"#,
        "System: Prose s\nUser: Prose q\nAssistant: Prose a\n",
    );
    // Numbers are no such ids: each conversation counts its own messages.
    check(
        r#"[{"messages": [{"id": 0, "role": "system", "content": "s"}]}, {"messages": [{"id": 0, "role": "system", "content": "s"}]}]"#,
        "System: Prose s\nSystem: Prose s\n",
    );
    // A list of conversations that begin alike.
    check(
        r#"[[{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}],
            [{"role": "user", "content": "q"}, {"role": "assistant", "content": "b"}]]"#,
        "User: Prose q\nAssistant: Prose a\nAssistant: Prose b\n",
    );
    // Lines are no such list.
    check(
        "[{\"role\": \"user\", \"content\": \"q\"}]\n[{\"role\": \"user\", \"content\": \"q\"}]\n",
        "User: Prose q\nUser: Prose q\n",
    );
    // Without ids, equal messages are different ones.
    check(
        r#"[{"role": "user", "content": "q"}, {"role": "user", "content": "q"}]"#,
        "User: Prose q\nUser: Prose q\n",
    );
}

#[test]
fn long_texts_are_cut() {
    let found = turns(&format!(r#"[{{"role": "user", "content": "{}"}}]"#, "é\\n".repeat(2000)));
    assert!(found.contains("…\n\n[8 kB left out]"), "{found}");
}

#[test]
fn chats_without_calls_are_transcripts() {
    let is_transcript = |text: &str| {
        let settings = Settings { is_named: false, ..Settings::default() };
        Document::new(Text::new(text), Language::Json, Arc::new(settings)).is_transcript()
    };
    assert!(is_transcript(r#"[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]"#));
    assert!(!is_transcript(r#"[{"role": "user", "content": "a"}, {"role": "admin", "content": "b"}]"#));
    assert!(!is_transcript(r#"{"role": "user", "content": "a"}"#));
}
