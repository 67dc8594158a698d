//! Logs whose lines are messages and nothing else: requests.

use std::sync::Arc;

use super::requests::{ANTHROPIC, OPENAI, USER, check_log};
use crate::diagnostic::{Code, Severity};
use crate::document::{Document, Language};
use crate::features::repair::repair;
use crate::text::Text;

#[test]
fn lines_that_are_messages_are_a_request() {
    let (call, result) = OPENAI.split_once(",\n").expect("two messages");
    let result = result.trim();
    let check_repair = |lines: &[&str], expected: &[&str]| {
        let document = Document::new(Text::new(&lines.join("\n")), Language::Log, Arc::default());
        let found = document.diagnostics();
        assert!(
            !found.is_empty()
                && found.iter().all(|it| it.severity <= Severity::Warning || it.code == Code::MissingResult),
            "{found:?} {lines:?}"
        );
        let repaired = repair(&document);
        assert_eq!(repaired.document.text().to_string(), expected.join("\n"));
        assert_eq!((repaired.left, repaired.document.diagnostics()), (Vec::new(), Vec::new()));
    };
    check_repair(&[USER, call, USER, result, ""], &[USER, call, result, USER, ""]);
    // The result gets its id, and no other is added.
    let nameless = result.replace(r#""tool_call_id": "a", "#, "");
    let named =
        result.replace(r#""role": "tool", "tool_call_id": "a""#, r#""tool_call_id": "a", "role": "tool""#);
    check_repair(&[USER, call, &nameless, USER], &[USER, call, &named, USER]);
    let empty = r#"{"role": "assistant", "content": "x", "tool_calls": []}"#;
    check_repair(
        &[USER, call, result, empty],
        &[USER, call, result, &empty.replace(r#", "tool_calls": []"#, "")],
    );
    let null = r#"{"role": "assistant", "content": null}"#;
    check_repair(&[USER, call, result, null], &[USER, call, result, &null.replace("null", "\"\"")]);
    let (call, result) = ANTHROPIC.split_once(",\n").expect("two messages");
    let empty = r#"{"type": "text", "text": ""}, "#;
    let with =
        |text: &str| format!(r#"{{"role": "user", "content": [{text}{{"type": "text", "text": "x"}}]}}"#);
    check_repair(&[USER, call, result.trim(), &with(empty)], &[USER, call, result.trim(), &with("")]);
    let (call, result) = OPENAI.split_once(",\n").map(|(call, result)| (call, result.trim())).expect("two");
    // Other systems have other roles and members.
    let without = |lines: &[&str]| check_log(&lines.join("\n"));
    without(&[r#"{"role": "_checkpoint", "id": 0}"#, USER, null, call, result]);
    without(&[r#"{"type": "meta"}"#, r#"{"role": "environment", "content": "e"}"#, call, result]);
    // The last line is being written.
    without(&[USER, call, result, r#"{"role": "assistant«broken-line/information:"»"#]);
}
