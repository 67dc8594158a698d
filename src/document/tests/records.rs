//! Records that do not belong to a tool use, in logs with and without tool calls.

use std::sync::Arc;

use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::Text;

const CALL: &str =
    "{\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"t\",\"input\":{}}\n";
const RESULT: &str = "{\"type\":\"tool-output-available\",\"toolCallId\":\"c\",\"output\":1}\n";

/// Checks the diagnostics of the log `text`: codes and lines from 0.
#[track_caller]
fn check(text: &str, expected: &[(&str, usize)]) {
    let document = Document::new(Text::new(text), Language::Log, Arc::new(Settings::default()));
    let found: Vec<_> = document
        .diagnostics()
        .iter()
        .map(|problem| (problem.code.name(), document.text().line_of_byte(problem.range.start)))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn an_invalid_record_of_a_known_type_is_reported() {
    let broken = "{\"type\":\"text-start\",\"id\":\"t2\"\n";
    check(&[CALL, broken, RESULT].concat(), &[("invalid-json", 1)]);
    check(&[CALL, RESULT, "{\"type\":\"finish\",}\n"].concat(), &[("invalid-json", 2)]);
    // The last line may still be incomplete.
    check(&[CALL, RESULT, broken.trim_end()].concat(), &[]);
    // Another program's log is ignored.
    check(&[broken, "{\"type\":\"error\",}\n"].concat(), &[]);
    check(&[CALL, RESULT, "{\"type\":\"something\",}\n", "{\"a\":\n", "{}\n"].concat(), &[]);
}

#[test]
fn a_type_similar_to_a_known_one_is_a_hint() {
    check(&[CALL, "{\"type\":\"text-strat\",\"id\":\"t\"}\n", RESULT].concat(), &[("unknown-type", 1)]);
    check(&[CALL, "{\"type\":\"data-finish\"}\n{\"type\":\"message\"}\n", RESULT].concat(), &[]);
    check("{\"type\":\"text-strat\",\"id\":\"t\"}\n", &[]);
    let text = [CALL, "{\"type\":\"text-strat\",\"id\":\"t\"}\n", RESULT].concat();
    let document = Document::new(Text::new(&text), Language::Log, Arc::new(Settings::default()));
    let fixes = document.fixes_in_range(0..text.len());
    let fix = fixes.first().and_then(|fixable| fixable.fixes.first()).expect("a fix");
    assert_eq!(document.edited(&fix.edits).text().to_string(), text.replace("text-strat", "text-start"));
}
