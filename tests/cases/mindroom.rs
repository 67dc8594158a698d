//! `<tool>` tags as mindroom writes and completes them.

use std::sync::Arc;

use chatls::call::{Outcome, Part, Said, Status};
use chatls::config::Settings;
use chatls::convert::convert;
use chatls::dialect::DIALECTS;
use chatls::document::Document;
use chatls::features::refactorings::Refactoring;
use serde_json::{Value, json};

use super::reading::{events, markdown, text_of};
use super::table::{Case, check, recorded};

/// What is written for a call, and what is read in that.
#[test]
fn tags_are_written_and_read_alike() {
    let cases = recorded("mindroom-tags").into_iter().map(|case| {
        let text = case["text"].as_str().unwrap();
        Case {
            name: case["name"].as_str().unwrap().to_owned(),
            reference: json!({ "text": text.trim_matches('\n'), "read": trace_of(&case) }),
            chatls: json!({ "text": written(&case), "read": read(&markdown(text)) }),
        }
    });
    check("mindroom/tags", &cases.collect::<Vec<_>>());
}

fn trace_of(case: &Value) -> Value {
    let trace = &case["trace"];
    json!({
        "tool": case["tool"], "completed": trace["completed"], "args": trace["args"], "result": trace["result"],
        "truncated": trace["truncated"],
    })
}

/// A trace has nothing where there is no text.
fn read(document: &Document) -> Value {
    let uses = document.tool_uses();
    let [tool_use] = &uses[..] else { return uses.len().into() };
    let result = tool_use.output.as_ref().map(Said::to_text).filter(|text| !text.is_empty());
    json!({
        "tool": tool_use.name, "completed": tool_use.status == Status::Done, "args": tool_use.arguments,
        "result": result, "truncated": tool_use.truncated,
    })
}

/// The tag of the same call in a fence. A tool that returns nothing has a state and no output there.
fn written(case: &Value) -> String {
    let mut fence = json!({ "toolName": case["tool"], "input": case["input"] });
    match case.get("result") {
        None => {}
        Some(Value::Null) => fence["state"] = "output-available".into(),
        Some(result) => fence["output"] = result.clone(),
    }
    let uses = markdown(&format!("```tool\n{fence}\n```\n")).tool_uses();
    let tag = DIALECTS.iter().find(|dialect| dialect.name == "tag").unwrap();
    convert(&uses[0], tag, &Arc::new(Settings::default())).unwrap().text
}

#[test]
fn pending_calls_are_completed_alike() {
    let cases = recorded("mindroom-completion").into_iter().map(|case| {
        let document = markdown(case["text"].as_str().unwrap());
        let outcome = match case["result"].as_str() {
            Some(text) => Outcome::Output(Said::Text(text.to_owned())),
            None => Outcome::Empty,
        };
        Case {
            name: case["name"].as_str().unwrap().to_owned(),
            reference: case["updated"].clone(),
            chatls: completed(&document, case["tool"].as_str().unwrap(), outcome).into(),
        }
    });
    check("mindroom/completion", &cases.collect::<Vec<_>>());
}

/// The text after the last pending call of `tool` got its result.
fn completed(document: &Document, tool: &str, outcome: Outcome) -> String {
    let uses = document.uses();
    let is_pending = |at: &&chatls::document::BlockAt<'_>| {
        at.block.part == Part::Call
            && at.block.status == Status::Pending
            && at.block.name().is_some_and(|it| it.text == tool)
    };
    let last = uses.blocks.iter().rev().find(is_pending).map(|at| document.range_of(at).start);
    let edits = last.and_then(|at| Refactoring::Complete { at, outcome }.edits(document)).unwrap_or_default();
    let edited = document.edited(&edits);
    edited.text().slice(0..edited.text().len()).into_owned()
}

#[test]
fn later_markers_are_text() {
    for case in recorded("mindroom-markers") {
        for text in case["texts"].as_array().unwrap() {
            let text = text.as_str().unwrap();
            let document = markdown(text);
            assert!(document.tool_uses().is_empty() && document.problems().is_empty(), "{text}");
            assert_eq!(text_of(&events(&document)), text);
        }
    }
}
