//! Fixtures of selection ranges: `|` is the cursor; each step is the selected text, cut in the
//! middle.

use std::sync::Arc;

use proptest::prelude::*;

use super::selection_ranges;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::Text;

fn open(text: &str) -> Document {
    let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

/// Compares all steps except the last one, which is the whole document.
#[track_caller]
fn check(marked: &str, expected: &[&str]) {
    for line_end in ["\n", "\r\n"] {
        let marked = marked.replace('\n', line_end);
        let at = marked.find('|').expect("a position");
        let text = marked.replacen('|', "", 1);
        let ranges = selection_ranges(&open(&text), &[at]);
        let (last, steps) = ranges[0].split_last().expect("a step");
        assert_eq!(*last, 0..text.len(), "{marked}");
        let steps: Vec<_> = steps.iter().map(|range| text[range.clone()].to_owned()).collect();
        let expected: Vec<_> = expected.iter().map(|step| step.replace('\n', line_end)).collect();
        assert_eq!(steps, expected, "{marked}");
    }
}

#[test]
fn from_a_word_in_json_to_the_message() {
    check(
        "# T\n\nUser: hi\n\nAssistant:\n\n> ```tool\n> {\"input\": {\n>   \"q\": [\"two wo|rds\", 2]\n> }}\n> ```\n>\n> ```tool\n> {}\n> ```\n\nDone.\n\nUser: ok\n",
        &[
            "words",
            "two words",
            "\"two words\"",
            "[\"two words\", 2]",
            "\"q\": [\"two words\", 2]",
            "{\n>   \"q\": [\"two words\", 2]\n> }",
            "\"input\": {\n>   \"q\": [\"two words\", 2]\n> }",
            "{\"input\": {\n>   \"q\": [\"two words\", 2]\n> }}",
            "```tool\n> {\"input\": {\n>   \"q\": [\"two words\", 2]\n> }}\n> ```",
            "```tool\n> {\"input\": {\n>   \"q\": [\"two words\", 2]\n> }}\n> ```\n>\n> ```tool\n> {}\n> ```",
            "> ```tool\n> {\"input\": {\n>   \"q\": [\"two words\", 2]\n> }}\n> ```\n>\n> ```tool\n> {}\n> ```\n\nDone.",
            "Assistant:\n\n> ```tool\n> {\"input\": {\n>   \"q\": [\"two words\", 2]\n> }}\n> ```\n>\n> ```tool\n> {}\n> ```\n\nDone.",
            "# T\n\nUser: hi\n\nAssistant:\n\n> ```tool\n> {\"input\": {\n>   \"q\": [\"two words\", 2]\n> }}\n> ```\n>\n> ```tool\n> {}\n> ```\n\nDone.\n\nUser: ok",
        ],
    );
}

#[test]
fn in_half_typed_json() {
    check(
        "```tool\n{\"a\": {\"b\": \"x y|\n",
        &[
            "y",
            "x y",
            "\"x y",
            "\"b\": \"x y",
            "{\"b\": \"x y",
            "\"a\": {\"b\": \"x y",
            "{\"a\": {\"b\": \"x y",
            "```tool\n{\"a\": {\"b\": \"x y",
        ],
    );
    check("```tool\n{\"a\": |\n```\n", &["\"a\": ", "{\"a\": ", "```tool\n{\"a\": \n```"]);
}

#[test]
fn escape_letters_are_not_part_of_a_word() {
    let whole = r#"```tool
{"a": "one\ntwo \\n \u00e9tat"}
```
"#;
    for (place, word) in [("two", "two"), ("one", "one"), ("n \\u", "n"), ("tat", "tat")] {
        let at = whole.find(place).expect("a position");
        let steps = selection_ranges(&open(whole), &[at + 1]).remove(0);
        assert_eq!(&whole[steps[0].clone()], word, "at {place}");
    }
    check("C:\\n|ew\n", &["new", "C:\\new"]);
}

#[test]
fn in_markers_tags_and_lines() {
    check(
        "👋 ###: {\"toolName\": \"a|\"} b\nc\n",
        &[
            "a",
            "\"a\"",
            "\"toolName\": \"a\"",
            "{\"toolName\": \"a\"}",
            "###: {\"toolName\": \"a\"}",
            "👋 ###: {\"toolName\": \"a\"} b\nc",
        ],
    );
    check(
        "<tool>run(a=1, text=one |two)\nok</tool>\n",
        &[
            "two",
            "one two",
            "text=one two",
            "a=1, text=one two",
            "run(a=1, text=one two)",
            "<tool>run(a=1, text=one two)\nok</tool>",
        ],
    );
    check(
        "<tool>run()\none |two\nthree</tool>\n",
        &["two", "one two\nthree", "<tool>run()\none two\nthree</tool>"],
    );
    check("🔧 **Tool Call:** `a(x=1|)`\n", &["1", "x=1", "a(x=1)", "🔧 **Tool Call:** `a(x=1)`"]);
    check("a b|c d\ne\n\nf\n", &["bc", "a bc d", "a bc d\ne"]);
}

#[test]
fn in_logs() {
    let call = "{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"a\",\"input\":{\"q\":1}}";
    let input = "\"input\":{\"q\":1}";
    let marked = format!("{}\n", call.replace(":1", ":|1"));
    check(&marked, &["1", "\"q\":1", "{\"q\":1}", input, call]);
    let record = "{\"type\":\"text-delta\",\"delta\":\"one t|wo\"}";
    let whole = record.replace('|', "");
    check(
        &format!("data: {record}\n\n"),
        &["two", "one two", "\"one two\"", "\"delta\":\"one two\"", &whole, &format!("data: {whole}")],
    );
}

#[test]
fn messages_in_one_paragraph_are_separate() {
    check("User: one\nAssistant: t|wo\nUser: three\n", &["two", "Assistant: two"]);
}

#[test]
fn empty_document_has_one_step() {
    for text in ["", "\n", "a"] {
        assert_eq!(selection_ranges(&open(text), &[0]).len(), 1);
        assert_eq!(selection_ranges(&open(text), &[0])[0].last(), Some(&(0..text.len())));
    }
    assert_eq!(selection_ranges(&open("a"), &[0, 1, 7]).len(), 3);
}

/// An edit splits JSON into other pieces than the same text has when it is opened.
#[test]
fn json_documents_do_not_depend_on_earlier_edits() {
    let call = "{\"role\": \"assistant\", \"tool_calls\": [{\n  \"id\": \"a\", \"function\": \
                {\n    \"name\": \"f\", \"arguments\": \"{}\"\n  }\n}]}";
    let said = "{\n  \"role\": \"user\",\n  \"content\": \"several words of a message\"\n}";
    let before = format!("[\n{said},\n{call},\n{said},\n{call},\n{said}\n]\n");
    let settings = Arc::new(Settings::default());
    let open = |text: &str| Document::new(Text::new(text), Language::Json, Arc::clone(&settings));
    for place in (0..before.len()).step_by(7) {
        let mut text = before.clone();
        text.insert_str(place, "  ");
        let edited = open(&before).edited(&[(place..place, "  ".to_owned())]);
        let places: Vec<_> = (0..=text.len()).collect();
        assert_eq!(selection_ranges(&edited, &places), selection_ranges(&open(&text), &places), "{place}");
    }
}

#[test]
fn very_deep_json_has_limited_steps() {
    let text = format!("```tool\n{}7{}\n```\n", "[".repeat(500), "]".repeat(500));
    let steps = selection_ranges(&open(&text), &[text.find('7').expect("a position")]).remove(0);
    assert_eq!((steps.len(), &text[steps[0].clone()]), (128, "7"));
    assert_eq!(steps.last(), Some(&(0..text.len())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// LSP 3.17: each parent contains its child, and the first one the position.
    #[test]
    fn each_step_contains_the_previous_one((text, language) in cut_documents()) {
        let document = Document::new(Text::new(&text), language, Arc::new(Settings::default()));
        let places: Vec<_> = (0..=text.len()).collect();
        for (at, steps) in places.iter().zip(selection_ranges(&document, &places)) {
            let at = text.floor_char_boundary(*at);
            prop_assert!(steps.iter().all(|range| range.start <= at && at <= range.end && text.get(range.clone()).is_some()));
            let grows = |two: &[std::ops::Range<usize>]| {
                two[1].start <= two[0].start && two[0].end <= two[1].end && two[0] != two[1]
            };
            prop_assert!(steps.windows(2).all(grows));
            prop_assert_eq!(steps.last(), Some(&(0..text.len())));
        }
    }
}
