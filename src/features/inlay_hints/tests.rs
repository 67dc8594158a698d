//! Fixtures of hints: the text with each hint in `«»` at its position.

use std::sync::Arc;

use proptest::prelude::*;

use super::{HintKind, InlayHint, inlay_hints, place_of_batch};
use crate::config::{HintSettings, Settings};
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::Text;

const ALL: HintSettings = HintSettings { batch: true, result: true, id: true };
const BATCH: HintSettings = HintSettings { batch: true, result: false, id: false };
const RESULT: HintSettings = HintSettings { batch: false, result: true, id: false };
const ID: HintSettings = HintSettings { batch: false, result: false, id: true };

fn open(text: &str, language: Language, hints: HintSettings) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings { hints, ..Settings::default() }))
}

/// `text` with `hints` in it.
fn shown(text: &str, hints: &[InlayHint]) -> String {
    let mut shown = text.to_owned();
    for hint in hints.iter().rev() {
        shown.insert_str(hint.offset, &format!("«{}»", hint.label));
    }
    shown
}

#[track_caller]
fn check_in(language: Language, hints: HintSettings, expected: &str) {
    for expected in [expected.to_owned(), expected.replace('\n', "\r\n")] {
        let mut text = expected.clone();
        while let (Some(start), Some(end)) = (text.find('«'), text.find('»')) {
            text.replace_range(start..end + '»'.len_utf8(), "");
        }
        let document = open(&text, language, hints);
        assert_eq!(shown(&text, &inlay_hints(&document, 0..text.len())), expected);
    }
}

#[track_caller]
fn check(hints: HintSettings, expected: &str) {
    check_in(Language::Markdown, hints, expected);
}

#[test]
fn batch_label_is_after_first_line() {
    check(
        BATCH,
        "a\n\n```tool x«🔧 2 tool calls · 1 pending»\n{\"output\": 1}\n```\n\n> ```tool\n> {}\n> ```\n",
    );
    check(BATCH, "> <tool>a</tool> <tool>b</tool>«🔧 2 tool calls · 2 pending»\n");
    check(BATCH, "```tool\n{}\n```\n\ntext\n\n```tool\n{}\n```\n");
    let log =
        "{\"type\":\"tool-call\",\"toolCallId\":\"a\"}\n{\"type\":\"tool-call\",\"toolCallId\":\"b\"}\n";
    check(
        BATCH,
        &format!("- ```jsonl«🔧 2 tool calls · 2 pending»\n  {}  ```\n", log.replacen('\n', "\n  ", 1)),
    );
    check_in(Language::Log, BATCH, &log.replacen('\n', "«🔧 2 tool calls · 2 pending»\n", 1));
    // The label grows while a payload is being typed.
    check(BATCH, "<tool>👋(a=1)</tool>«🔧 2 tool calls · 2 pending»\n\n```tool\n{\"toolName\": \"re");
}

#[test]
fn result_is_on_the_line_of_the_name() {
    check(RESULT, "```tool\n{\n  \"toolName\": \"rd\",«→ 2 lines»\n  \"output\": \"a\\nb\"\n}\n```\n");
    check(
        RESULT,
        "```tool«⏳»\n{}\n```\n\n```tool\n{\"toolName\": \"👋\", \"errorText\": \"no\"}«✗ no»\n```\n",
    );
    check(RESULT, "a <tool>rd(p=1)</tool>«⏳» b\n\n- <tool>rd(p=1)«→ fine»\n  fine</tool>\n");
    check(
        RESULT,
        "<tool>rd()«→ ok»</tool>\n\n<validation>rd\nok</validation>\n"
            .replace("«→ ok»</tool>", "</tool>«→ ok»")
            .as_str(),
    );
    check(RESULT, "###:\n{\"toolName\": \"a\"}«→ fine»\n\n*🔧 Executed a: fine*\n\n*🔧 Executed b: fine*\n");
    check(RESULT, "🔧 **Tool Call:** `rd(p=1)`«⏳»\n");
    check(RESULT, "<validation>rd\nok</validation>\n");
    check(RESULT, "```tool«⏳»\n{\"toolName\": \"re");
    check_in(
        Language::Log,
        RESULT,
        "data: {\"type\":\"tool-input-start\",\"toolCallId\":\"a\",\"toolName\":\"x\"}\n\
         data: {\"type\":\"tool-input-available\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}«→ [1]»\n\
         data: {\"type\":\"tool-output-available\",\"toolCallId\":\"a\",\"output\":[1]}\n\
         data: {\"type\":\"tool-input-start\",\"toolCallId\":\"b\",\"toolName\":\"x\"}«⏳»\n",
    );
}

#[test]
fn generated_id_is_shown() {
    check(
        ID,
        "```tool\n{«tool-call-1»\"toolName\": \"rd\"}\n```\n\n```tool\n{\"toolCallId\": \"a\"}\n```\n\n```tool\n{«tool-call-3»\n}\n```\n",
    );
    check(ID, "```tool«tool-call-1»\n```\n\n<tool>a()</tool>«tag-call-1»\n\n<tool>b()</tool>«tag-call-2»\n");
    check(
        ID,
        "<validation>a\nb</validation>\n\n###:{«marker-call-1»\"toolName\": \"a\"}\n\n*🔧 Executed a*\n",
    );
    check(
        ALL,
        "<tool>a()</tool>«tag-call-1»«⏳»«🔧 2 tool calls · 2 pending»\n<tool>b()</tool>«tag-call-2»«⏳»\n",
    );
}

#[test]
fn disabled_hints_are_not_shown() {
    let none = HintSettings { batch: false, result: false, id: false };
    let text = "<tool>a</tool>\n<tool>b</tool>\n";
    check(none, text);
    let settings = Settings { enabled: false, ..Settings::default() };
    let left_out = Document::new(Text::new(text), Language::Markdown, Arc::new(settings));
    assert_eq!(inlay_hints(&left_out, 0..text.len()), []);
    assert_eq!(HintSettings::default(), BATCH);
}

#[test]
fn batch_label_has_tooltip() {
    let text = "a\n\n> <tool>a()\n> 1</tool>\n> <tool>b()</tool>\n";
    let document = open(text, Language::Markdown, ALL);
    let details = |at| super::details(&document, at);
    let at = text.find("\n> 1").unwrap();
    assert_eq!(details(at).as_deref(), Some("🔧 2 tool calls · 1 pending\n  a() → 1\n  b() ⏳"));
    assert_eq!(details(at - 1), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any truncated document: hints are at character boundaries, each call has at most one
    /// result and each batch one label, and the hints of a range are the hints of the document in
    /// that range.
    #[test]
    fn hints_are_valid_in_truncated_documents(
        (text, language) in cut_documents(),
        from in any::<prop::sample::Index>(),
    ) {
        let text = &*text;
        let document = open(text, language, ALL);
        let all = inlay_hints(&document, 0..text.len());
        prop_assert!(all.iter().all(|hint| text.is_char_boundary(hint.offset) && !hint.label.is_empty()));
        prop_assert!(all.is_sorted_by_key(|hint| hint.offset));
        let uses = document.paired_uses();
        let batches = &uses.batches;
        let places: Vec<_> = batches.iter().map(|it| place_of_batch(&document, &uses.blocks()[it.blocks.start])).collect();
        let shown: Vec<_> = all.iter().filter(|hint| hint.kind == HintKind::Batch).map(|hint| hint.offset).collect();
        prop_assert_eq!(shown, places);
        let of_kind = |kind| all.iter().filter(|hint| hint.kind == kind).count();
        prop_assert!(of_kind(HintKind::Result) <= uses.uses.len());
        let given = document.tool_uses().iter().filter_map(|it| it.id.clone()).collect::<Vec<_>>();
        let ids = all.iter().filter(|hint| hint.kind == HintKind::Id);
        for id in ids {
            prop_assert!(given.contains(&id.label), "{}", id.label);
        }
        let from = from.index(text.len() + 1);
        let to = (from + 200).min(text.len());
        let inside: Vec<_> = all.into_iter().filter(|hint| from <= hint.offset && hint.offset <= to).collect();
        prop_assert_eq!(inlay_hints(&document, from..to), inside);
    }
}

#[test]
fn long_lines_of_logs_have_hints_at_their_start() {
    let pad = "x".repeat(400);
    let user =
        format!(r#"{{"type": "user", "message": {{"role": "user", "content": "Please\nread {pad}"}}}}"#);
    let call = |id: u8| {
        format!(
            r#"{{"type": "assistant", "message": {{"role": "assistant", "content": [{{"type": "tool_use", "id": "{id}", "name": "rd", "input": {{"path": "{pad}"}}}}]}}}}"#
        )
    };
    let short = r#"{"type": "user", "message": {"role": "user", "content": "Thanks"}}"#;
    let text = [user.clone(), call(1), short.to_owned(), call(2), call(3)].join("\n");
    let document = open(&text, Language::Log, BATCH);
    let found: Vec<_> = inlay_hints(&document, 0..text.len())
        .into_iter()
        .map(|hint| (text[..hint.offset].matches('\n').count(), hint.label))
        .collect();
    let shown: Vec<_> = found.iter().map(|(line, label)| format!("{line} {label}")).collect();
    let args = format!("path={}…", "x".repeat(54));
    assert_eq!(
        shown,
        [
            "0 User: Please".to_owned(),
            format!("1 Assistant · 🔧 rd({args}) ⏳"),
            "3 Assistant".to_owned(),
            "3 🔧 2 tool calls · 2 pending".to_owned(),
            format!("4 Assistant · 🔧 rd({args}) ⏳"),
        ]
    );
    let hints = inlay_hints(&document, text.len() - 5..text.len());
    assert_eq!(hints, []);
}
