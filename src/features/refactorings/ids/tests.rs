//! Other ids that are offered without a trial, for the calls of real transcripts.

use std::path::Path;
use std::sync::Arc;

use super::are_replaceable;
use crate::document::{Document, Language};
use crate::features::refactorings::Refactoring;
use crate::features::samples::SAMPLES;
use crate::text::Text;

/// A transcript of each family of programs, and the samples.
fn transcripts() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/families");
    let files = std::fs::read_dir(folder).expect("the transcripts").map(|file| file.expect("a file").path());
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        let language = Language::of("", &path.to_string_lossy(), &Text::new(&text));
        Some((text, language))
    };
    let all = files.filter_map(|path| read(&path)).chain(SAMPLES.iter().cloned());
    all.map(|(text, language)| Document::new(Text::new(&text), language, Arc::default())).collect()
}

#[test]
fn replaceable_ids_can_be_replaced() {
    let mut count = 0;
    for document in transcripts() {
        let uses = document.paired_uses();
        if !are_replaceable(&document, &uses) {
            continue;
        }
        count += usize::from(!uses.uses.is_empty());
        let numbered = Refactoring::NumberIds.edits(&document);
        let text = document.text().slice(0..document.text().len());
        assert!(numbered.is_ok() || super::number(&document).is_empty(), "{numbered:?}\n{text}");
        for at in uses.blocks() {
            let renamed = Refactoring::NewId(document.range_of(at).start).edits(&document);
            assert!(renamed.is_ok(), "{renamed:?}\n{text}");
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn a_trial_is_needed() {
    let check = |text: &str, language, expected| {
        let document = Document::new(Text::new(text), language, Arc::default());
        assert_eq!(are_replaceable(&document, &document.paired_uses()), expected, "{text}");
    };
    let call =
        |id: &str| format!("```tool\n{{\"toolCallId\": {id}, \"toolName\": \"x\", \"input\": {{}}}}\n```\n");
    let plain = call("\"a\"") + "\nText.\n\n" + &call("\"b\"");
    check(&plain, Language::Markdown, true);
    // One id for two tool uses, an escape, no string, and none.
    for id in ["\"a\"", "\"b\\u0062\"", "7", "\"\""] {
        check(&plain.replace("\"b\"", id), Language::Markdown, false);
    }
    let part = |role: &str, part: &str| format!("{{\"role\": \"{role}\", \"content\": [{part}]}}");
    let used = part("assistant", r#"{"type": "tool_use", "id": "a", "name": "x", "input": {}}"#);
    let result = part("user", r#"{"type": "tool_result", "tool_use_id": "a", "content": "r"}"#);
    check(&format!("[{used}, {result}]"), Language::Json, true);
    // The result has no id of its own.
    let orphan = part("user", r#"{"type": "tool_result", "content": "r"}"#);
    check(&format!("[{used}, {orphan}]"), Language::Json, false);
    // The id of the result is a key.
    let round = r#"{"response": "", "toolCalls": [{"id": "c", "name": "x", "arguments": "{}"}]}"#;
    let rounds = format!(
        r#"{{"requests": [{{"requestId": "r", "message": {{"text": "Q"}},
            "response": [{{"kind": "toolInvocationSerialized", "toolId": "x", "toolCallId": "c"}}],
            "result": {{"metadata": {{"toolCallRounds": [{round}],
            "toolCallResults": {{"c": {{"content": [{{"value": "dry"}}]}}}}}}}}}}]}}"#
    );
    check(&rounds, Language::Json, false);
    // Text of the assistant is a document of its own.
    let delta = r#"{"type": "text-delta", "id": "t", "delta": "Text."}"#;
    check(&format!("{{\"type\": \"start\"}}\n{delta}\n"), Language::Log, false);
}
