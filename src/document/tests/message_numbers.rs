//! Messages have the same numbers, however much of the document is read.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::dialects::{OWN, settings_of};
use super::incremental::JSON;
use crate::call::ToolUse;
use crate::config::Settings;
use crate::document::message_collector::MessageCollector;
use crate::document::{Document, Language, Message, Messages};
use crate::features::samples::{cut_documents, small};
use crate::messages::attribution::Attribution;
use crate::text::Text;

/// A message, its numbers, and the starts of its parts, with their indices among all: broken JSON
/// may have several parts at one byte.
#[derive(Debug)]
struct ExpectedMessage {
    conversation: usize,
    number: usize,
    message: Message,
    parts: Vec<(usize, usize)>,
}

/// The messages by their definition: each part is a message of its own, or continues the last one
/// of its conversation.
fn expected(parts: Vec<Message>) -> Vec<ExpectedMessage> {
    let mut conversations = Vec::new();
    let mut messages: Vec<ExpectedMessage> = Vec::new();
    for (index, part) in parts.into_iter().enumerate() {
        let known = conversations.iter().position(|known| *known == part.conversation);
        let conversation = known.unwrap_or_else(|| {
            conversations.push(part.conversation);
            conversations.len() - 1
        }) + 1;
        let last = messages.iter_mut().rfind(|message| message.conversation == conversation);
        let number = last.as_ref().map_or(1, |last| last.number + 1);
        match last {
            Some(last) if part.continues(&last.message) => {
                last.message.add_model_of(&part);
                last.parts.push((part.range.start, index));
            }
            _ => {
                let parts = vec![(part.range.start, index)];
                messages.push(ExpectedMessage { conversation, number, message: part, parts });
            }
        }
    }
    messages
}

/// All that is known of a message.
type Shown = (Option<usize>, usize, String, bool, Option<String>);

fn shown_in(messages: &Messages, message: &Message) -> Shown {
    let Attribution { model, agent, .. } = message.attribution();
    let model = model.as_ref().map(ToString::to_string);
    let conversation = messages.conversation_of(message);
    (conversation, message.number as usize, message.role_name().to_owned(), agent.is_some(), model)
}

fn all_in(messages: &Messages) -> Vec<Shown> {
    messages.first_parts().map(|message| shown_in(messages, message)).collect()
}

fn check(document: &Document, ends: &[prop::sample::Index]) -> Result<(), TestCaseError> {
    let numbered = document.messages();
    let (own, of_log) = (expected(numbered.own.clone()), expected(numbered.of_log.clone()));
    let has_several = of_log.iter().any(|message| message.conversation > 1);
    let expect = |it: &ExpectedMessage, has_number: bool| -> Shown {
        let (_, _, role, is_of_agent, model) = shown_in(numbered, &it.message);
        (has_number.then_some(it.conversation), it.number, role, is_of_agent, model)
    };
    let mut all: Vec<_> = own.iter().map(|message| expect(message, false)).collect();
    let log = all.len();
    all.extend(of_log.iter().map(|message| expect(message, has_several)));
    prop_assert_eq!(all_in(numbered), &*all);

    // The last part that begins at or before an offset counts.
    for (messages, dialect, has_number) in [(&own, "fence", false), (&of_log, "log", has_several)] {
        let mut starts: Vec<((usize, usize), Shown)> = Vec::new();
        for message in messages {
            starts.extend(message.parts.iter().map(|start| (*start, expect(message, has_number))));
        }
        starts.sort_by_key(|(start, _)| *start);
        for pair in starts.windows(2).filter(|pair| pair[0].0.0 < pair[1].0.0) {
            let next = pair[1].0.0;
            let range = next - 1..next;
            let tool_use = ToolUse { dialect, range, ..ToolUse::default() };
            let found = numbered.message_of(&tool_use).map(|message| shown_in(numbered, message));
            prop_assert_eq!(found, Some(pair[0].1.clone()));
        }
    }

    if !document.is_active() {
        return Ok(());
    }
    let len = document.tree().len();
    let mut ends: Vec<usize> = ends.iter().map(|end| end.index(len + 1)).chain([len]).collect();
    ends.sort_unstable();
    let mut collector = MessageCollector::without_texts();
    let mut start = 0;
    for end in ends {
        let copy = document.clone();
        collector.add_segments(copy.context(), start..end);
        start = end;
    }
    prop_assert_eq!(all_in(&collector.finish()), &all[log..]);
    Ok(())
}

/// Messages of several conversations, envelopes, sub-agents, and repetitions of them.
static MESSAGES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let ids = ["message-in-a-sample-1", "message-in-a-sample-2", "3"];
    let id = |at: usize| ids.get(at).copied().unwrap_or_default();
    let message = |at: usize, role: &str, model: &str| {
        format!(r#"{{"id": "{}", "role": "{role}"{model}, "content": "t{at}"}}"#, id(at))
    };
    let (one, other) = (r#", "model": "m1""#, r#", "model": "m2""#);
    let mut found = Vec::new();
    for at in 0..3 {
        found.extend(["user", "system"].map(|role| message(at, role, "")));
        found.extend(["", one, other].map(|model| message(at, "assistant", model)));
    }
    let agents = [
        r#""isSidechain": false"#,
        r#""isSidechain": true, "agentId": "a""#,
        r#""isSidechain": true, "agentId": "b""#,
        r#""isSidechain": true, "uuid": "1", "parentUuid": null"#,
        r#""isSidechain": true, "uuid": "2", "parentUuid": "1""#,
        r#""isSidechain": true"#,
    ];
    let call =
        r#"{"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}"#;
    let result =
        r#"{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "1"}]}"#;
    for agent in agents {
        for inner in [call, result, &message(1, "assistant", one), &message(1, "user", "")] {
            found.push(format!(r#"{{{agent}, "type": "assistant", "message": {inner}}}"#));
        }
    }
    let summary = r#"{"type": "summary", "id": "summary-of-a-session", "summary": "About", "leafUuid": "u"}"#;
    found.push(summary.to_owned());
    found.push(format!(r#"{{"timestamp": "2026-01-01", "type": "assistant", "message": {summary}}}"#));
    found.push(r#"{"type": "turn_context", "payload": {"model": "m3"}}"#.to_owned());
    found.push(
        r#"{"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}}"#
            .to_owned(),
    );
    found.push(
        r#"{"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "s"}, {"part_kind": "user-prompt", "content": "u"}]}"#
            .to_owned(),
    );
    found
});

fn messages(most: usize) -> impl Strategy<Value = String> {
    let some = prop::collection::vec(prop::sample::select(&MESSAGES[..]), 1..most);
    some.prop_map(|some| some.join(", "))
}

/// A line of a log, or an element of an array.
fn item() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(&MESSAGES[..]),
        1 => messages(5).prop_map(|some| format!("[{some}]")),
        2 => messages(5).prop_map(|some| format!("{{\"model\": \"m4\", \"messages\": [{some}]}}")),
        1 => (messages(4), messages(4)).prop_map(|(one, other)| format!("[[{one}], [{other}]]")),
        1 => (messages(3), messages(3))
            .prop_map(|(one, other)| format!("{{\"input\": [{one}], \"messages\": [{one}, {other}], \"output\": {{\"message\": {other}}}}}")),
    ]
}

fn ends() -> impl Strategy<Value = Vec<prop::sample::Index>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..4)
}

fn document(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, small(&settings_of(""))).assume_transcript()
}

proptest! {
    #[test]
    fn samples((text, language) in cut_documents(), ends in ends()) {
        check(&Document::new(Text::new(&text), language, small(&Settings::default())), &ends)?;
    }

    #[test]
    fn logs(lines in prop::collection::vec(item(), 0..16), ends in ends()) {
        check(&document(&lines.join("\n"), Language::Log), &ends)?;
    }

    #[test]
    fn arrays(elements in prop::collection::vec(item(), 0..10), ends in ends()) {
        let text = format!("[{}]", elements.join(",\n"));
        check(&document(&text, Language::Json), &ends)?;
        // Long enough for several segments.
        check(&document(&text.replace(", ", &format!(",{}", "\n".repeat(600))), Language::Json), &ends)?;
    }

    #[test]
    fn fences(lines in prop::collection::vec(item(), 0..8), ends in ends()) {
        let text = lines.chunks(3).map(|some| format!("```jsonl\n{}\n```\n\n", some.join("\n")));
        check(&document(&text.collect::<String>(), Language::Markdown), &ends)?;
    }

    #[test]
    fn pieces(pieces in prop::collection::vec(prop::sample::select(JSON), 0..40), ends in ends()) {
        for language in [Language::Json, Language::Log] {
            let document = Document::new(Text::new(&pieces.concat()), language, small(&settings_of(OWN)));
            check(&document.assume_transcript(), &ends)?;
        }
    }
}

#[test]
fn a_repeated_summary_is_none() {
    let summary = r#"{"type": "summary", "id": "summary-of-a-session", "summary": "About", "leafUuid": "u"}"#;
    let text = format!(
        "{{\"timestamp\": \"2026-01-01\", \"type\": \"assistant\", \"message\": {summary}}}\n{{\"messages\": [{summary}]}}\n"
    );
    let document = document(&text, Language::Log);
    let messages = document.messages();
    assert_eq!(messages.first_parts().map(Message::role_name).collect::<Vec<_>>(), ["System", "Summary"]);
    check(&document, &[]).unwrap();
}
