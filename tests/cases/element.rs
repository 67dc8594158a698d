//! Tags and legacy lines as parsed by mindroom's Element client.

use chatls::document::Document;
use chatls::features::refactorings::Refactoring;
use serde_json::{Value, json};

use super::reading::markdown;
use super::table::{Case, check, recorded};
use super::tags::{said, said_in_tags};

#[test]
fn the_same_tags_are_found() {
    let cases = recorded("element-tags").into_iter().map(|case| Case {
        name: case["name"].as_str().unwrap().to_owned(),
        reference: case["matches"].clone(),
        chatls: tags(&markdown(case["input"].as_str().unwrap())),
    });
    check("element/tags", &cases.collect::<Vec<_>>());
}

/// The tag of results that its successor no longer writes.
const RESULT: &str = "<validation>";

/// The tag of each block, its content, and its offset.
fn tags(document: &Document) -> Value {
    let block = |at: &chatls::document::LocatedBlock<'_>| {
        let range = document.range_of(at);
        let text = document.text().slice(range.clone()).into_owned();
        let (tag, inner) = text.strip_prefix('<').unwrap().split_once('>').unwrap();
        json!([tag, inner.strip_suffix(&format!("</{tag}>")).unwrap_or(inner), range.start])
    };
    document.paired_uses().blocks().iter().map(block).collect()
}

#[test]
fn legacy_lines_have_the_same_calls() {
    let cases = recorded("element-legacy").into_iter().map(|case| {
        let document = markdown(case["input"].as_str().unwrap());
        let (mut reference, mut chatls) =
            (said_in_tags(case["normalized"].as_str().unwrap()), said(&document));
        // A result in a tag of its own differs in the same way in every case, so only one is
        // compared.
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
