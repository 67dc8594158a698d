//! Empty texts in Claude Code's sessions, and results that a compaction parted from their calls.

use std::sync::Arc;

use super::diagnostics::check_log;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::features::repair::repair;
use crate::text::Text;

const ENDED: &str = r#""stop_reason": "stop_sequence", "usage": {"output_tokens": 0}, "#;

/// A record with the id `own` after `parent`, whose message has the members `members` and the
/// content `content`.
fn record(own: &str, parent: &str, role: &str, members: &str, content: &str) -> String {
    let message = format!(r#"{{{members}"role": "{role}", "content": {content}}}"#);
    format!(r#"{{"parentUuid": {parent}, "type": "{role}", "message": {message}, "uuid": "{own}"}}"#) + "\n"
}

/// Checks a session, and that its repair is `expected`.
#[track_caller]
fn check_session(lines: &[String], expected: &[String]) {
    let text = lines.concat();
    check_log(&text);
    let plain = text.replace("«empty-content/warning:", "").replace('»', "");
    let repaired = repair(&Document::new(Text::new(&plain), Language::Log, Arc::default()));
    assert_eq!(repaired.document.text().to_string(), expected.concat());
    assert_eq!((repaired.left, repaired.document.diagnostics()), (Vec::new(), Vec::new()));
}

fn question() -> String {
    record("u", "null", "user", "", "\"q\"")
}

#[test]
fn empty_texts_are_removed_with_their_records() {
    let text = r#"{"type": "text", "text": «empty-content/warning:""»}"#;
    let call = r#"{"type": "tool_use", "id": "t", "name": "f", "input": {}}"#;
    let result =
        r#"[{"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": ""}]}]"#;
    let end =
        |parent: &str| record("r", parent, "user", "", result) + &record("e", "\"r\"", "user", "", "\"x\"");
    check_session(
        &[
            question(),
            record("a", "\"u\"", "assistant", r#""id": "m", "#, &format!("[{text}]")),
            record("b", "\"a\"", "assistant", r#""id": "m", "#, &format!("[{text}]")),
            record("c", "\"b\"", "assistant", r#""id": "m", "#, &format!("[{text}, {call}]")),
            end("\"c\""),
        ],
        &[
            question(),
            record("c", "\"u\"", "assistant", r#""id": "m", "#, &format!("[{call}]")),
            end("\"c\""),
        ],
    );
}

#[test]
fn an_answer_that_was_ended_is_removed_at_the_end() {
    for content in [
        r#"[{"type": "text", "text": «empty-content/warning:"<synthetic>"»}]"#,
        r#"[{"type": "text", "text": «empty-content/warning:""»}]"#,
        "«empty-content/warning:[]»",
    ] {
        check_session(&[question(), record("a", "\"u\"", "assistant", ENDED, content)], &[question()]);
    }
}

#[test]
fn what_claude_code_leaves_out_is_not_reported() {
    // Claude Code leaves out white space; a note on an error has a text; other logs belong to other
    // programs.
    for content in [r#"[{"type": "text", "text": "\n\n"}]"#, r#"[{"type": "text", "text": "API Error"}]"#] {
        let lines = question() + &record("a", "\"u\"", "assistant", ENDED, content);
        check_log(&lines);
    }
    // A line that is being written.
    let whole = record("a", "\"u\"", "assistant", "", r#"[{"type": "text", "text": ""}]"#);
    let cut = question() + &whole[..whole.find("]}").unwrap()];
    let found = Document::new(Text::new(&cut), Language::Log, Arc::default()).diagnostics();
    assert!(found.iter().all(|it| it.code == Code::BrokenLine), "{found:?}");
    let synthetic = r#"[{"type": "text", "text": "<synthetic>"}]"#;
    let lines = [
        question(),
        record("a", "\"u\"", "assistant", ENDED, synthetic),
        record("b", "\"a\"", "user", "", "\"q\""),
    ];
    check_log(&lines.concat());
    let other = record("a", "\"u\"", "assistant", "", r#"[{"type": "text", "text": ""}]"#);
    check_log(&other.replace("parentUuid", "parent").repeat(2));
}

/// A result after a compaction, and one whose call the compaction dropped.
#[test]
fn a_compaction_parts_no_result_from_its_call() {
    let call = r#"[{"type": "tool_use", "id": "t", "name": "f", "input": {}}]"#;
    let result = r#"[{"type": "tool_result", "tool_use_id": "t", "content": "x"}]"#;
    let compaction = concat!(
        r#"{"parentUuid": null, "logicalParentUuid": "a", "type": "system", "#,
        r#""subtype": "compact_boundary", "uuid": "k"}"#,
        "\n",
    );
    let summary = record("s", "\"k\"", "user", "", "\"summary\"");
    let end = |parent: &str| record("e", parent, "assistant", "", "\"x\"");
    let called = question() + &record("a", "\"u\"", "assistant", "", call);
    let text = |result: &str, last: &str| format!("{called}{compaction}{summary}{result}{}", end(last));
    let found = |text: &str| {
        let document = Document::new(Text::new(text), Language::Log, Arc::default());
        let found: Vec<_> = document.diagnostics().iter().map(|it| it.code.name()).collect();
        let repaired = repair(&document);
        assert_eq!((repaired.left, repaired.document.diagnostics()), (Vec::new(), Vec::new()));
        (found, repaired.document.text().to_string())
    };
    let parted = text(&record("r", "\"s\"", "user", "", result), "\"r\"");
    let (codes, repaired) = found(&parted);
    assert_eq!(codes, ["orphan-result"]);
    let lines: Vec<_> = repaired.lines().collect();
    assert_eq!(lines.len(), 6);
    assert!(lines[2].contains(&result[1..result.len() - 1]) && lines[2].contains(r#""parentUuid":"a""#));
    assert_eq!(lines[5], end("\"s\"").trim_end());
    let document = Document::new(Text::new(&parted), Language::Log, Arc::default());
    assert!(document.fixes_in_range(0..parted.len()).iter().all(|it| it.fixes.len() == 1));
    // The call was dropped; the result stands before the compaction.
    let dropped = parted.replacen(called.lines().nth(1).unwrap(), "", 1).replace("\n\n", "\n");
    let expected = format!("{}{compaction}{summary}{}", question(), end("\"s\""));
    assert_eq!(found(&dropped), (vec!["orphan-result"], expected));
    let valid =
        text("", "\"s\"").replacen(compaction, &(record("r", "\"a\"", "user", "", result) + compaction), 1);
    check_log(&valid);
}
