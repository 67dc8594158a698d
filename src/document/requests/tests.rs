//! The sum of a document's messages, held against the check of all of them.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{Document, Language};
use crate::config::Settings;
use crate::text::{Splice, Text};

fn document(text: &str) -> Document {
    Document::new(Text::new(text), Language::Json, Arc::new(Settings::default()))
}

/// A message of the kind `kind`, with the calls or results `ids`.
fn message(is_anthropic: bool, kind: usize, ids: &[u8]) -> String {
    let parts = |part: &dyn Fn(&u8) -> String| ids.iter().map(part).collect::<Vec<_>>().join(",");
    match (kind, is_anthropic) {
        (0, _) => r#"{"role":"user","content":"question"}"#.to_owned(),
        (1, _) => r#"{"role":"assistant","content":"answer"}"#.to_owned(),
        (2, _) => r#"{"role":"user","content":""}"#.to_owned(),
        (3, _) => r#"{"role":"human","content":"question"}"#.to_owned(),
        (4 | 5, true) => {
            let calls = parts(&|id| format!(r#"{{"type":"tool_use","id":"c{id}","name":"f","input":{{}}}}"#));
            let text = r#"{"type":"text","text":"Let me look."}"#;
            format!(r#"{{"role":"assistant","content":[{text},{calls}]}}"#).replace(",]", "]")
        }
        (4 | 5, false) => {
            let calls = parts(&|id| {
                format!(r#"{{"id":"c{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}"#)
            });
            format!(r#"{{"role":"assistant","content":null,"tool_calls":[{calls}]}}"#)
        }
        (6, true) => {
            let results =
                parts(&|id| format!(r#"{{"type":"tool_result","tool_use_id":"c{id}","content":"1"}}"#));
            let text = r#"{"type":"text","text":"There."}"#;
            format!(r#"{{"role":"user","content":[{text},{results}]}}"#).replace(",]", "]")
        }
        (_, true) => {
            let results =
                parts(&|id| format!(r#"{{"type":"tool_result","tool_use_id":"c{id}","content":"1"}}"#));
            format!(r#"{{"role":"user","content":[{results}]}}"#)
        }
        (_, false) => {
            let result = |id: &u8| format!(r#"{{"role":"tool","tool_call_id":"c{id}","content":"1"}}"#);
            parts(&result)
        }
    }
}

/// An array of `messages`, of which each call that is followed by another kind gets its results.
fn array(is_anthropic: bool, messages: &[(usize, Vec<u8>)], answers: bool) -> String {
    let mut all = Vec::new();
    for (number, (kind, ids)) in messages.iter().enumerate() {
        // Unanswered calls have the same ids, so that late results find them.
        let ids: Vec<u8> =
            if answers { (0..ids.len()).map(|at| (number * 8 + at) as u8).collect() } else { ids.clone() };
        all.push(message(is_anthropic, *kind, &ids));
        if answers && matches!(kind, 4 | 5) {
            all.push(message(is_anthropic, 7, &ids));
        }
    }
    all.retain(|message| !message.is_empty());
    format!("[{}]", all.join(","))
}

fn text(arrays: &[String], shape: usize, is_pretty: bool) -> String {
    let text = match shape {
        0 => arrays.first().cloned().unwrap_or_default(),
        1 => format!(r#"{{"model":"m","messages":{}}}"#, arrays.join(r#","other":"#)),
        _ => format!(
            "[{}]",
            arrays
                .iter()
                .map(|it| format!(r#"{{"model":"m","messages":{it}}}"#))
                .collect::<Vec<_>>()
                .join(",")
        ),
    };
    let pretty = || serde_json::from_str::<serde_json::Value>(&text).map(|value| format!("{value:#}"));
    if is_pretty { pretty().expect("valid JSON") } else { text }
}

/// Asserts that the sum only promises what the check finds.
#[track_caller]
fn assert_agree(document: &Document) {
    let checked = document.checked_requests();
    assert!(checked.is_empty() || !document.has_sound_requests(), "{}\n{checked:?}", document.text());
}

proptest! {
    #[test]
    fn the_sum_promises_nothing_that_the_check_refutes(
        is_anthropic: bool,
        answers: bool,
        is_pretty: bool,
        shape in 0..3_usize,
        arrays in vec(vec((0..8_usize, vec(0..4_u8, 0..3)), 0..8), 1..3),
        edit in (0..2000_usize, 0..40_usize, "[\\[\\]{},\"a]{0,3}"),
    ) {
        let arrays: Vec<_> = arrays.iter().map(|it| array(is_anthropic, it, answers)).collect();
        let text = text(&arrays, shape, is_pretty);
        let mut document = document(&text);
        assert_agree(&document);
        let (at, removed, inserted) = edit;
        let start = at.min(text.len());
        let removed = removed.min(text.len() - start);
        document.apply(Splice { start, removed, inserted: inserted.len() }, &inserted);
        assert_agree(&document);
    }
}

#[test]
fn conversations_without_faults_need_no_check() {
    for is_anthropic in [false, true] {
        let turn =
            [(0, vec![]), (4, vec![1, 2]), (1, vec![]), (0, vec![]), (5, vec![3]), (4, vec![4]), (1, vec![])];
        let messages: Vec<_> = turn.iter().cycle().take(40).cloned().collect();
        let one = array(is_anthropic, &messages, true);
        for (shape, is_pretty) in [(0, false), (0, true), (1, false), (1, true)] {
            let document = document(&text(std::slice::from_ref(&one), shape, is_pretty));
            assert!(document.has_sound_requests(), "{}", document.text());
        }
    }
    // The first message of a request is one of the user, the calls have their results.
    for faulty in [
        format!(r#"{{"model":"m","messages":[{},{}]}}"#, message(true, 4, &[1]), message(true, 7, &[1])),
        format!("[{},{},{}]", message(false, 4, &[1]), message(false, 0, &[]), message(false, 7, &[1])),
    ] {
        let document = document(&faulty);
        assert!(!document.has_sound_requests());
        assert!(!document.diagnostics().is_empty());
    }
}
