//! The check of messages around possible faults, held against the check of all messages.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;

use crate::call::ChatApi;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::segments::data::SegmentAttachment;
use crate::syntax::{Attachment, Segment};
use crate::text::{Splice, Text};

fn document(text: &str) -> Document {
    Document::new(Text::new(text), Language::Json, small(&Settings::default()))
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

/// Asserts that the check around faults finds the same as the check of all messages.
#[track_caller]
fn assert_agree(document: &Document) {
    assert_eq!(document.request_issues(), document.issues_of_all_messages(), "{}", document.text());
}

/// A change of one message of a conversation, at a share of it in thousandths.
#[derive(Clone, Copy, Debug)]
enum Fault {
    Missing,
    /// Moved by so many messages.
    Late(usize),
    Twice,
    /// Its first id is also the id of another message.
    Reused(usize),
    Inserted(&'static str),
    /// Its parts stand in the following message.
    Joined,
}

fn faults() -> impl Strategy<Value = Fault> {
    let inserted = [
        r#"{"role":"system","content":"s"}"#,
        r#"{"role":"human","content":"q"}"#,
        r#"{"role":"user","content":""}"#,
        r#"{"role":"user","content":"q"}"#,
        r#"{"role":"assistant","content":"a"}"#,
        r#"{"role":"user","content":[{"type":"text","text":""}]}"#,
        r#"{"role":"user","content":[{"type":"image"},{"type":"tool_result","tool_use_id":"c9","content":"1"}]}"#,
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"c9","name":"a.b","input":{}}]}"#,
        r#"{"role":"tool","tool_call_id":"c17","content":"1"}"#,
        r#"{"type":"function_call_output","call_id":"c9","output":"1"}"#,
        "1",
    ];
    prop_oneof![
        Just(Fault::Missing),
        (1..6_usize).prop_map(Fault::Late),
        Just(Fault::Twice),
        (0..1000_usize).prop_map(Fault::Reused),
        prop::sample::select(inserted.to_vec()).prop_map(Fault::Inserted),
        Just(Fault::Joined),
    ]
}

/// The ids in a message.
fn ids_in(message: &str) -> Vec<&str> {
    message.split('"').filter(|part| part.starts_with('c') && part[1..].parse::<u32>().is_ok()).collect()
}

fn apply(fault: Fault, place: usize, messages: &mut Vec<String>) {
    let at = messages.len() * place / 1000;
    let Some(message) = messages.get(at).cloned() else { return };
    match fault {
        Fault::Missing => _ = messages.remove(at),
        Fault::Late(by) => {
            let moved = messages.remove(at);
            messages.insert((at + by).min(messages.len()), moved);
        }
        Fault::Twice => messages.insert(at, message),
        Fault::Reused(other) => {
            let other = messages[messages.len() * other / 1000].clone();
            if let (Some(own), Some(id)) = (ids_in(&message).first(), ids_in(&other).first()) {
                messages[at] = message.replace(&format!("\"{own}\""), &format!("\"{id}\""));
            }
        }
        Fault::Inserted(inserted) => messages.insert(at, inserted.to_owned()),
        Fault::Joined => {
            if let Some(next) = messages.get(at + 1)
                && let Some((head, tail)) = next.split_once("\"content\":[")
                && let Some((_, parts)) = message.split_once("\"content\":[")
                && let Some((parts, "")) = parts.split_once("]}")
            {
                messages[at + 1] = format!("{head}\"content\":[{parts},{tail}");
                messages.remove(at);
            }
        }
    }
}

/// The messages of a conversation without a fault.
fn conversation(is_anthropic: bool, kinds: &[(usize, usize)]) -> Vec<String> {
    let mut messages = vec![message(is_anthropic, 0, &[])];
    let mut next = 10;
    for (kind, count) in kinds {
        if *kind < 2 {
            messages.push(message(is_anthropic, *kind, &[]));
            continue;
        }
        let ids: Vec<u8> = (next..).take(*count).collect();
        next += *count as u8;
        messages.push(message(is_anthropic, 4, &ids));
        if is_anthropic {
            messages.push(message(is_anthropic, 7, &ids));
        } else {
            messages.extend(ids.iter().map(|id| message(is_anthropic, 7, &[*id])));
        }
    }
    messages
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn faults_are_found_wherever_they_are(
        is_anthropic: bool,
        is_pretty: bool,
        api in prop::sample::select(vec![None, Some(ChatApi::OpenAi), Some(ChatApi::Anthropic)]),
        shape in 0..2_usize,
        kinds in vec((0..5_usize, 1..3_usize), 0..40),
        faults in vec((faults(), 0..1000_usize), 0..5),
        edit in (0..4000_usize, 0..40_usize, "[\\[\\]{},\"c1]{0,3}"),
    ) {
        let mut messages = conversation(is_anthropic, &kinds);
        for (fault, place) in faults {
            apply(fault, place, &mut messages);
        }
        let text = text(&[format!("[{}]", messages.join(","))], shape, is_pretty);
        let settings = Arc::new(Settings { api, ..Settings::default() });
        let mut document = Document::new(Text::new(&text), Language::Json, settings);
        assert_agree(&document);
        let (at, removed, inserted) = edit;
        let start = at.min(text.len());
        let removed = removed.min(text.len() - start);
        document.apply(Splice { start, removed, inserted: inserted.len() }, &inserted);
        assert_agree(&document);
    }

    #[test]
    fn other_orders_are_checked_alike(
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

/// The first segment that is read for a fault after the first question after `text`.
fn fault_behind_question(document: &Document, text: &str) -> usize {
    let all = document.text().to_string();
    let (_, behind) = all.split_once(text).expect("the text");
    let question = all.len() - behind.len() + behind.find("question").expect("a question");
    let mut index = document.tree().segment_at(question).expect("a segment").index;
    while !document.tree().get(index).is_some_and(begins_with_message) {
        index -= 1;
    }
    document.fault_behind(index)
}

fn begins_with_message(segment: &Segment<SegmentAttachment>) -> bool {
    segment.attachment.summary().requests.begins_with_message()
}

#[test]
fn messages_without_faults_are_passed_over() {
    let kinds: Vec<_> = [(2, 2), (1, 0), (0, 0), (2, 1)].into_iter().cycle().take(80).collect();
    for (is_anthropic, is_pretty) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut messages = conversation(is_anthropic, &kinds);
        let whole =
            |messages: &[String]| document(&text(&[format!("[{}]", messages.join(","))], 0, is_pretty));
        let document = whole(&messages);
        assert!(document.request_sum().is_accepted() && document.context().only_array().is_some());
        assert_eq!(fault_behind_question(&document, "c11"), document.tree().len());
        // A result that is missing.
        let call = messages.iter().position(|message| message.contains("\"c40\"")).expect("a call");
        messages.remove(call + 1);
        let document = whole(&messages);
        let first = document.tree().offset_of(fault_behind_question(&document, "c11"));
        let text = document.text().to_string();
        let call = text.find("\"c40\"").expect("the call");
        assert!(text[..first].contains("\"c38\"") && first < call, "{first} of {call}");
        assert_eq!(fault_behind_question(&document, "\"c45\""), document.tree().len());
        // The first message of a request is from the user.
        if is_anthropic {
            let text = format!(r#"{{"model":"m","messages":[{}]}}"#, messages[1..].join(","));
            assert_ne!(self::document(&text).diagnostics(), []);
        }
    }
}

/// A result without an id shows no API, and the last call of a request needs none.
#[test]
fn a_last_result_without_an_id_is_found() {
    let last = [message(false, 4, &[0]), message(false, 7, &[0]).replace("tool_call_id", "id_of_call")];
    let document = document(&text(&[format!("[{}]", last.join(","))], 0, true));
    assert_eq!(document.request_issues().len(), 1);
    assert_agree(&document);
}
