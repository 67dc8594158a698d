//! Tags and legacy lines as the Element client of mindroom reads them.

use chatls::document::Document;
use chatls::features::refactorings::Refactoring;
use serde_json::{Map, Value, json};

use super::reading::markdown;
use super::table::{Case, check, recorded};

#[test]
fn the_same_tags_are_found() {
    let cases = recorded("element-tags").into_iter().map(|case| Case {
        name: case["name"].as_str().unwrap().to_owned(),
        reference: case["matches"].clone(),
        chatls: tags(&markdown(case["input"].as_str().unwrap())),
    });
    check("element/tags", &cases.collect::<Vec<_>>());
}

/// The tag of results that its successor writes no more.
const RESULT: &str = "<validation>";

/// The tag of each block, what is in it, and where it begins.
fn tags(document: &Document) -> Value {
    let block = |at: &chatls::document::BlockAt<'_>| {
        let range = document.range_of(at);
        let text = document.text().slice(range.clone()).into_owned();
        let (tag, inner) = text.strip_prefix('<').unwrap().split_once('>').unwrap();
        json!([tag, inner.strip_suffix(&format!("</{tag}>")).unwrap_or(inner), range.start])
    };
    document.uses().blocks.iter().map(block).collect()
}

#[test]
fn legacy_lines_say_the_same() {
    let cases = recorded("element-legacy").into_iter().map(|case| {
        let document = markdown(case["input"].as_str().unwrap());
        let (mut reference, mut chatls) =
            (said_in_tags(case["normalized"].as_str().unwrap()), said(&document));
        // Where a result stands in a tag of its own there, what one tag says is told for one case only.
        let unified = case
            .get("unified")
            .or(Some(&case["normalized"]))
            .filter(|it| !it.as_str().unwrap().contains(RESULT));
        if let Some(unified) = unified {
            reference["unified"] = unified.clone();
            let edits = Refactoring::Unify.edits(&document).unwrap_or_default();
            let unified = document.edited(&edits);
            chatls["unified"] = unified.text().slice(0..unified.text().len()).into();
        }
        Case { name: case["name"].as_str().unwrap().to_owned(), reference, chatls }
    });
    check("element/legacy", &cases.collect::<Vec<_>>());
}

/// What text around blocks says, and not how much blank space is there.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn said(document: &Document) -> Value {
    let uses = document.uses();
    let mut around: String = document.text().slice(0..document.text().len()).into();
    for at in uses.blocks.iter().rev() {
        around.replace_range(document.range_of(at), " ");
    }
    let call = |it: &chatls::call::ToolUse| {
        let result = it.output.as_ref().map(|output| output.to_text().into());
        entry(
            it.name.as_deref().unwrap(),
            it.has_call.then(|| it.arguments.as_deref().unwrap_or_default()),
            result,
        )
    };
    let calls: Vec<_> = document.tool_uses().iter().map(call).collect();
    json!({ "calls": calls, "text": words(&around) })
}

fn entry(name: &str, arguments: Option<&str>, result: Option<Value>) -> Value {
    let mut entry = Map::from_iter([("name".to_owned(), name.into())]);
    entry.extend(arguments.map(|arguments| ("arguments".to_owned(), arguments.into())));
    entry.extend(result.map(|result| ("result".to_owned(), result)));
    entry.into()
}

/// The calls of `<tool>` and `<validation>` tags in `text` and the text around them, as the client's pattern finds them.
fn said_in_tags(text: &str) -> Value {
    let (mut calls, mut around, mut rest) = (Vec::<Value>::new(), String::new(), text);
    while let Some((start, tag)) = ["tool", "validation"]
        .into_iter()
        .filter_map(|tag| Some((rest.find(&format!("<{tag}>"))?, tag)))
        .min()
        .filter(|(start, tag)| rest[*start..].contains(&format!("</{tag}>")))
    {
        around.push_str(&rest[..start]);
        let (inner, behind) = rest[start + tag.len() + 2..].split_once(&format!("</{tag}>")).unwrap();
        rest = behind;
        around.push(' ');
        if tag == "tool" {
            let (name, arguments) = inner.strip_suffix(')').unwrap().split_once('(').unwrap();
            calls.push(entry(name, Some(arguments), None));
            continue;
        }
        let (name, result) = inner.split_once('\n').unwrap();
        let is_open = |call: &&mut Value| call["name"] == name && call.get("result").is_none();
        match calls.iter_mut().rev().find(is_open) {
            Some(call) => call["result"] = result.into(),
            None => calls.push(entry(name, None, Some(result.into()))),
        }
    }
    around.push_str(rest);
    json!({ "calls": calls, "text": words(&around) })
}
