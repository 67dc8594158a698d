//! The call at an offset.

use std::sync::Arc;

use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::places::call_position::CallPosition;
use crate::text::{Span, Text};

fn read(text: &str) -> Document {
    let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, small(&Settings::default()))
}

/// Checks the call at `|` of `marked`: the dialect, the name, and the text on the line of the
/// call's content up to the offset, if it is inside. Mapping to the content and back returns the
/// same offset.
#[track_caller]
fn check(marked: &str, expected: &str) {
    let at = marked.find('|').expect("a position");
    let document = read(&marked.replacen('|', "", 1));
    let found = document.call_position_at(at, |position| {
        let before = position.offset.map(|place| {
            assert_eq!(position.range_of(Span::empty(place)).start, at, "{marked}");
            let before = &position.source.text[..place];
            before.rsplit('\n').next().unwrap_or_default().to_owned()
        });
        let name = position.call.name.as_ref().map_or("-", |name| &*name.text);
        format!("{} {name} {before:?}", position.dialect.name)
    });
    assert_eq!(found.as_deref().unwrap_or("nothing"), expected, "{marked}");
}

#[test]
fn in_each_dialect() {
    check("a\n\n```tool\n{\"toolName\": |\"a\"}\n```\n", "fence a Some(\"{\\\"toolName\\\": \")");
    check("> ```tool\n> {\"toolName\": \"a\",\n>  |\"input\": {}}\n> ```\n", "fence a Some(\" \")");
    check(
        "- x\n\n      no\n\n  ~~~tool\n  {\"toolName\": \"a\"}|",
        "fence a Some(\"{\\\"toolName\\\": \\\"a\\\"}\")",
    );
    check("x ###: {\"toolName\": \"b\"|} y", "marker b Some(\"###: {\\\"toolName\\\": \\\"b\\\"\")");
    check(
        "> ###:\n> {\"toolName\": \"b\",\n> \"parameters\": {|}} y",
        "marker b Some(\"\\\"parameters\\\": {\")",
    );
    check("a <tool>f(x|=1)</tool>", "tag f Some(\"<tool>f(x\")");
    check("a <tool>f(x=|", "tag f Some(\"<tool>f(x=\")");
    check("🔧 **Tool Call:** `f(x|=1)`", "legacy f Some(\"🔧 **Tool Call:** `f(x\")");
    check(
        "{\"type\":\"tool-call\",\"toolCallId\":\"1\",|\"toolName\":\"c\"}\n",
        "stream c Some(\"{\\\"type\\\":\\\"tool-call\\\",\\\"toolCallId\\\":\\\"1\\\",\")",
    );
}

#[test]
fn at_ends_and_outside() {
    check("|```tool\n{}\n```\n", "fence - None");
    check("```tool|\n{}\n```\n", "fence - None");
    check("```tool\n|{}\n```\n", "fence - Some(\"\")");
    check("```tool\n{}|\n```\n", "fence - Some(\"{}\")");
    check("```tool\n{}\n|```\n", "fence - None");
    check("```tool\n{}\n```|\n", "fence - None");
    check("```tool\n{}\n```\n|", "nothing");
    check("```tool\n|\n```\n", "fence - Some(\"\")");
    check("```tool\n|", "fence - Some(\"\")");
    check("```tool\n\n|", "fence - Some(\"\")");
    check("a| ###:{\"toolName\":\"b\"}", "nothing");
    check("###:{\"toolName\":\"b\"}|###:{\"toolName\":\"c\"}", "marker c Some(\"\")");
    check("###:{\"toolName\":\"b\"}| x", "marker b Some(\"###:{\\\"toolName\\\":\\\"b\\\"}\")");
    check("no| call", "nothing");
    check("|", "nothing");
}

#[test]
fn records_of_a_fenced_log_are_calls() {
    let record = |name: &str| {
        format!("{{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"{name}\",\"input\":{{}}}}")
    };
    let marked = format!("> ```jsonl\n> {}\n> {}|\n> ```\n", record("a"), record("b"));
    let document = read(&marked.replacen('|', "", 1));
    let at = marked.find('|').expect("a position");
    let found = document.call_position_at(at, |position| {
        let (range, text) = position.edit(Span::empty(position.offset.unwrap_or_default()), "\nx");
        (position.call.name.as_ref().map(|name| name.text.to_string()), range, text)
    });
    assert_eq!(found, Some((Some("b".to_owned()), at..at, "\n> x".to_owned())));
}

/// In JSON, a call may begin in the segment in which another one ends.
#[test]
fn every_call_of_a_message_is_found() {
    let part = |id: &str| format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}"#);
    let parts: Vec<_> = (10..40).map(|number| part(&format!("c{number}"))).collect();
    let text = format!(r#"[{{"role":"assistant","content":[{}]}}]"#, parts.join(","));
    let document = Document::new(Text::new(&text), Language::Json, Arc::new(Settings::default()));
    let uses = document.tool_uses();
    assert_eq!(uses.len(), parts.len());
    for tool_use in uses {
        let at = tool_use.range.start;
        let id_of = |position: &CallPosition<'_>| position.call.id.as_ref().map(|id| id.text.to_string());
        assert_eq!(document.call_position_at(at, id_of), Some(tool_use.id), "{at}");
        let name = at + part("c10").find("\"f\"").expect("a name") + 1;
        let occurrence = document.name_occurrence_at(name).expect("a name");
        assert!(occurrence.text == "f" && occurrence.written.contains(&name), "{at}");
        assert_eq!(document.block_positions_at(name, &mut |_| Some(())), Some(()), "{at}");
    }
}

/// Places of all segments, in any order and several times, are looked up as each of them alone.
#[test]
fn many_places_are_as_each_alone() {
    let call = r#"{"type":"tool-call","toolCallId":"1","toolName":"a","input":{"q":1}}"#;
    let part = |id: &str| format!(r#"{{"type":"tool_use","id":"{id}","name":"f","input":{{}}}}"#);
    let message = format!(r#"{{"role":"assistant","content":[{},{}]}}"#, part("a"), part("b"));
    let texts = [
        format!(
            "a\n\n```tool\n{call}\n```\n```tool\n{call}\n```\n\n###:{call}###:{call} b <tool>f()</tool>\n"
        ),
        format!("> ```jsonl\n> {call}\n> {call}\n> ```\n"),
        format!("{call}\n{message}\n{call}\n"),
    ];
    for text in texts {
        let document = read(&text);
        let name = |position: &CallPosition<'_>| {
            format!("{} {:?} {:?}", position.call.content, position.range, position.offset)
        };
        let places: Vec<_> = (0..=text.len()).rev().chain([0, 9, 9]).collect();
        let mut found = vec![None; places.len()];
        document.call_positions_at(&places, &mut |index, position| {
            assert_eq!(found[index].replace(name(position)), None, "once");
        });
        let alone: Vec<_> = places.iter().map(|at| document.call_position_at(*at, name)).collect();
        assert_eq!(found, alone, "{text}");
        assert!(found.iter().flatten().count() > text.len() / 2, "{text}");
    }
}
