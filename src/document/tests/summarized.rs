//! A summarized log has the diagnostics, tool uses and messages of the whole document.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use proptest::prelude::*;
use proptest::sample::select;

use super::dialects::{OWN, settings_of};
use super::incremental::{JSON, LINES};
use crate::call::UseStatus;
use crate::call::pairing::Pairing;
use crate::checks::SummarizedNeed;
use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::links::group_of_id;
use crate::document::message_collector::MessageCollector;
use crate::document::{Document, Language};
use crate::features::samples::{cut_documents, small};
use crate::text::{Text, TextSource};

/// Fails unless the document of `text` is the same if it is summarized. Returns whether it can be,
/// and whether the data of some lines were not held.
fn check(text: &str, settings: &Arc<Settings>) -> Result<(bool, bool), TestCaseError> {
    let settings = &small(settings);
    let whole = Document::new(Text::new(text), Language::Log, Arc::clone(settings));
    let summarized = |need| Document::summarized(Text::new(text), Arc::clone(settings), need);
    let Some(checked) = summarized(SummarizedNeed::Diagnostics) else {
        // All lines of a request that may have a fault are held, but their uses need few.
        prop_assert!(whole.lines_may_be_rejected() || summarized(SummarizedNeed::Uses).is_none());
        return Ok((false, false));
    };
    checked.tree.assert_invariants();
    prop_assert_eq!(checked.diagnostics(), whole.diagnostics());
    prop_assert_eq!(checked.message_count(), whole.message_count());
    prop_assert_eq!(checked.has_tool_uses(), whole.has_tool_uses());
    prop_assert_eq!(checked.is_active(), whole.is_active());
    let uses = summarized(SummarizedNeed::UsesAndMessages).expect("it can be summarized");
    prop_assert_eq!(uses.tool_uses(), whole.tool_uses());
    prop_assert_eq!(uses.batch_sizes(), whole.batch_sizes());
    let mut messages = MessageCollector::without_texts();
    if whole.is_active() {
        messages.add_segments(whole.context(), 0..whole.tree.len());
    }
    prop_assert_eq!(uses.messages(), &messages.finish());
    Ok((true, checked.is_summarized()))
}

/// A line of a log with messages. Most are calls and their results, in turns; some have an id that
/// occurs in other lines, some are of a sub-agent, and some are no messages.
fn line(number: usize, kind: u32, reused: &str, other: &str) -> String {
    let own = format!("n{}", number / 2);
    let id = if kind % 8 == 7 { reused } else { &own };
    let side = if other == "f" { r#""isSidechain":true,"agentId":"x","# } else { "" };
    let call = format!(r#"{{"type":"tool_use","id":"{id}","name":"read","input":{{"path":"{other}"}}}}"#);
    let result = format!(r#"{{"type":"tool_result","tool_use_id":"{id}","content":"text of {other}"}}"#);
    let link = match kind % 16 {
        3 | 11 => format!(r#""uuid":"l{number}","parentUuid":null,"#),
        5 => format!(r#""uuid":"m{number}","parentUuid":"l{}","#, number / 2),
        _ => String::new(),
    };
    let sent = |role: &str, parts: &str| {
        format!(r#"{{{side}{link}"type":"{role}","message":{{"role":"{role}","content":[{parts}]}}}}"#)
    };
    let called = format!(
        r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
    );
    let answer = format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{other}"}}"#);
    let user = r#"{"role":"user","content":"hello"}"#;
    match kind {
        0..40 if number.is_multiple_of(2) => sent("assistant", &call),
        0..40 => sent("user", &result),
        40 => sent("assistant", &[&*call, &call.replace(id, other)].join(",")),
        41 => sent("user", r#"{"type":"text","text":"go on"}"#),
        42..45 => format!(r#"{{"type":"progress","toolUseID":"{id}"}}"#),
        45..48 => format!(r#"{{"messages":[{user},{called},{answer}]}}"#),
        48 => format!(r#"{{"messages":[{user},{called}]}}"#),
        49 => format!(r#"{{"messages":[{user},{called},{user}]}}"#),
        50 => format!("[[{called},{answer}],[{called},{answer},{called}]]"),
        51 => called,
        52 => sent("assistant", &call.replace(r#""id""#, r#""i""#)),
        53 => sent("user", &result.replace("tool_use_id", "tool_use_ix")),
        _ => [&*answer, "\n"].concat(),
    }
}

/// A call without a result and a result without a call, whose ids are in one group, are no pair.
#[test]
fn ids_of_one_group_are_different() -> Result<(), TestCaseError> {
    let mut groups = HashMap::new();
    let ids = (0..).map(|number| format!("call_{number}"));
    let (one, other) = ids
        .filter_map(|id| Some((groups.insert(group_of_id(Pairing::InConversation, &id), id.clone())?, id)))
        .next()
        .expect("two ids in one group");
    let part = |text: &str| format!(r#"{{"at":1,"role":"assistant","content":[{text}]}}"#) + "\n";
    let call = part(&format!(r#"{{"type":"tool_use","id":"{one}","name":"f","input":{{}}}}"#));
    let result = part(&format!(r#"{{"type":"tool_result","tool_use_id":"{other}","content":"x"}}"#));
    let others = part(r#"{"type":"text","text":"go on"}"#).repeat(100);
    let text = [&*others, &call, &others, &result, &others].concat();
    let settings = small(&Settings::default());
    prop_assert_eq!(check(&text, &settings)?, (true, true));
    let found = Document::summarized(Text::new(&text), settings, SummarizedNeed::Diagnostics);
    let codes: Vec<_> = found.expect("a log").diagnostics().iter().map(|it| it.code).collect();
    prop_assert_eq!(codes, [Code::MissingResult, Code::OrphanResult]);
    Ok(())
}

/// A call and a result are no pair if only a hash of 64 bits of their ids is the same.
#[test]
fn ids_of_one_hash_are_different() -> Result<(), TestCaseError> {
    let ids = ["oQVBgLGefsF", "f0g4JSdNO0F"];
    let hash = |id: &str| BuildHasherDefault::<DefaultHasher>::default().hash_one(id);
    prop_assert_eq!(ids.map(hash)[0], ids.map(hash)[1]);
    let text = format!(
        r#"{{"role":"assistant","content":null,"tool_calls":[{{"id":"{}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}
{{"role":"tool","tool_call_id":"{}","content":"x"}}
"#,
        ids[0], ids[1]
    );
    check(&text, &Arc::default())?;
    let document = Document::new(Text::new(&text), Language::Log, Arc::default());
    prop_assert_eq!(document.use_statuses(), [UseStatus::Pending, UseStatus::Done]);
    Ok(())
}

fn lines() -> impl Strategy<Value = Vec<String>> {
    let part = (0u32..55, select(vec!["a", "b", "n3", "n9"]), select(vec!["a", "b", "f", "g"]));
    prop::collection::vec(part, 0..160).prop_map(|parts| {
        let lines = parts.into_iter().enumerate();
        lines.map(|(number, (kind, reused, other))| line(number, kind, reused, other)).collect()
    })
}

proptest! {
    #[test]
    fn messages(lines in lines(), end in select(vec!["\n", "\r\n", "\r"]), is_cut: bool) {
        let text = lines.join(end);
        let text = if is_cut { text.get(..text.len() - text.len() / 9).unwrap_or_default() } else { &text };
        check(text, &Arc::default())?;
    }

    #[test]
    fn samples((text, _) in cut_documents()) {
        check(&text, &settings_of(OWN))?;
    }

    #[test]
    fn logs(pieces in prop::collection::vec(select([LINES, JSON].concat()), 0..40)) {
        check(&pieces.concat(), &settings_of(OWN))?;
    }
}

/// Several calls in one object: none begins where that does.
#[test]
fn lists_of_calls_are_found_again() -> Result<(), TestCaseError> {
    let list = r#"[{\"name\": \"a\", \"arguments\": {\"b\": 1}}, {\"name\": \"c\", \"arguments\": {}}]"#;
    let lines = format!("{{\"query\": \"q\", \"tools\": \"[]\", \"answers\": \"{list}\"}}\n").repeat(40);
    prop_assert_eq!(check(&lines, &Arc::default())?, (true, true));
    Ok(())
}

#[test]
fn the_lines_between_faults_are_summarized() {
    let pair = |id: usize| {
        let call = format!(
            r#"{{"type":"assistant","message":{{"role":"assistant","content":[{{"type":"tool_use","id":"id{id}","name":"f","input":{{}}}}]}}}}"#
        );
        let result = format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"id{id}","content":"1"}}]}}}}"#
        );
        format!("{call}\n{result}\n")
    };
    let mut pairs: Vec<String> = (0..400).map(pair).collect();
    // A result that is not there, an id that occurs again much later, and a line of no JSON.
    pairs[100] = pairs[100].split_inclusive('\n').take(1).collect();
    pairs[300] = pair(200).replace("\"input\":{}", "\"input\":{\"b\":2}");
    pairs[350] = "{\"a\": 1,}\n".to_owned();
    let text = pairs.concat();
    assert_eq!(check(&text, &Arc::default()).unwrap(), (true, true));
    let document =
        Document::summarized(Text::new(&text), small(&Settings::default()), SummarizedNeed::Diagnostics)
            .unwrap();
    let (held, lines) = (document.tree.len(), text.lines().count());
    assert!(held < lines / 3, "{held} of {lines}");
    let codes: Vec<_> = document.diagnostics().iter().map(|found| found.code.name()).collect();
    assert_eq!(codes, ["missing-result", "duplicate-id", "broken-line"]);
}

#[test]
fn a_turn_that_begins_behind_summarized_lines_is_found() {
    let call = line(0, 0, "", "a");
    let (user, note) = (line(1, 41, "", "a"), line(1, 42, "", "a"));
    for end in ["\n", "\r\n", "\r"] {
        for notes in [50, 170, 171, 172, 350] {
            let notes = vec![&*note; notes];
            let text = [&[&*user; 40], &[&*call][..], &notes, &[&*user], &notes].concat().join(end);
            check(&text, &Arc::default()).unwrap();
            let need = SummarizedNeed::Diagnostics;
            let document = Document::summarized(Text::new(&text), small(&Settings::default()), need).unwrap();
            assert_eq!(document.diagnostics().len(), 1, "{end:?} {}", notes.len());
        }
    }
}

/// A file that another program empties while it is read: blank from the second reading on.
#[derive(Debug)]
struct ChangingSource {
    text: String,
    is_changed: AtomicBool,
}

impl TextSource for ChangingSource {
    fn read_at(&self, offset: usize, to: &mut [u8]) -> io::Result<()> {
        if self.is_changed.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        to.copy_from_slice(&self.text.as_bytes()[offset..offset + to.len()]);
        Ok(())
    }

    fn is_intact(&self) -> bool {
        !self.is_changed.load(Ordering::Relaxed)
    }
}

#[test]
fn a_text_may_be_changed_before_its_tool_uses_are_read() {
    let text = (0..200).map(|number| line(number, 0, "", "a") + "\n").collect::<String>();
    let len = text.len();
    let source = Arc::new(ChangingSource { text, is_changed: AtomicBool::new(false) });
    let text = Text::of_source(Arc::clone(&source) as Arc<dyn TextSource>, len, 64).unwrap();
    let summarized =
        Document::summarized(text.clone(), small(&Settings::default()), SummarizedNeed::Uses).unwrap();
    let whole = Document::new(text, Language::Log, Arc::default());
    assert_eq!(summarized.tool_uses(), whole.tool_uses());
    source.is_changed.store(true, Ordering::Relaxed);
    for document in [summarized, whole] {
        assert!(document.tool_uses().iter().all(|it| it.name.is_none()));
    }
}
