//! Long payloads in fences: an edit inside of an object or array of the input or output reads that
//! value, and the document equals a fresh one.

use proptest::prelude::*;

use super::edited_messages::{check, splice_at};
use super::fences::CONTAINERS;
use super::incremental::soup;
use crate::document::Language;
use crate::json::quote;
use crate::text::Splice;

/// Values on several lines, or on one.
const ITEMS: [&str; 11] = [
    "{\n  \"name\": \"part\",\n  \"path\": \"src/part.rs\",\n  \"lines\": [1, 200]\n}",
    "[\n  1,\n  [],\n  {\"a\": [\n    2\n  ]}\n]",
    "{\"type\": \"text\",\n \"text\": \"one\\ntwo\"}",
    "{\"z\": {\n\"y\": \"\\ud83d\\ude00\"},\n\"a\": {\n\"y\": null\n}\n}",
    "{\r\n\"text\": {\r}\n}",
    "[\n[\n[\n\"deep\"\n]\n]\n]",
    "{\"name\": \"in a line\", \"lines\": [1, {\"to\": \"]\\\"\"}]}",
    "[[\"flat\"], {\"text\": \"\\\\\"}]",
    // Strings that are long in tests.
    "\"one, two (three) and more words, \\\"four\\\" and \\ud83d\\ude00, \\\\\\\\, five,\\n six, seven: words\"",
    "{\"text\": \"a long text, with ends\\nof lines and so on; its words \\u0041 are none … that mean anything (truncated, 1KB)\"}",
    "{\"long words as a key, which may be repeated, and is no value\": [\"2\", {}, 1, 2, 3, 4, 5, 6], \"b\": true}",
];

/// A fence whose input or output is an array, or an object of arrays, of these items.
fn payload(items: &[usize], is_output: bool, is_array: bool) -> String {
    let picked: Vec<&str> = items.iter().map(|at| ITEMS[at % ITEMS.len()]).collect();
    let array = format!("[\n{}\n]", picked.join(",\n"));
    let value =
        if is_array { array } else { format!("{{\"path\": \"a\", \"items\": {array}, \"b\": {array}}}") };
    let (key, state, other) = match is_output {
        true => ("output", "output-available", "\"input\": {\"q\": \"long enough for a label of a call\"}"),
        false => ("input", "input-available", "\"note\": {\n}"),
    };
    format!(
        "Text\n\n```tool\n{{\n{other},\n\"state\": \"{state}\",\n\"{key}\": {value},\n\"toolName\": \"x\"\n}}\n```\n\nText\n"
    )
}

/// A fence whose input or output is on one line: an array of these items, an object of two such
/// arrays, or one string.
fn line(items: &[usize], is_output: bool, form: LineForm) -> String {
    let text = payload(items, is_output, form != LineForm::Object).replace("\r\n", " ");
    let (head, rest) = text.split_once("{\n").expect("a brace");
    let (body, tail) = rest.rsplit_once("\n}\n").expect("a brace");
    let mut body = body.replace(['\n', '\r'], " ");
    if form == LineForm::String {
        let start = body.find(": [ ").expect("an array") + 2;
        let end = body.rfind(" ]").expect("an array") + 2;
        let string = quote(&body[start..end].replace("```", "")).replace("[ ", "so ");
        body.replace_range(start..end, &string);
    }
    format!("{head}{{{body}}}\n{tail}")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineForm {
    Array,
    Object,
    String,
}

/// Types `inserted` after the last occurrence of `mark`; returns whether only a part of the
/// payload was read.
#[track_caller]
fn types(text: &str, mark: &str, inserted: &str) -> bool {
    let start = text.rfind(mark).expect("the mark") + mark.len();
    check(text, Language::Markdown, Splice { start, removed: 0, inserted: inserted.len() }, inserted)
}

#[test]
fn an_edit_in_an_item_reads_it_alone() {
    let long: Vec<usize> = [0, 1].repeat(120);
    for is_output in [false, true] {
        for is_array in [false, true] {
            let text = &payload(&long, is_output, is_array);
            assert!(types(text, "src/part", "x"));
            assert!(types(text, "200", ", 3"));
            assert!(types(text, "\"part\"", ",\n\"more\": {\n}"));
            // Faults of the value, and what ends it.
            for inserted in ["\"", "\\", "\\ud800", "```", "\", \"name\": \"", "\"}, {\"a\": \"", "\n```\n"] {
                assert!(!types(text, "src/part", inserted), "{inserted}");
            }
            // Between the items, all of them are read.
            assert_eq!(types(text, "200]\n}", ", 1"), !is_array);
            let in_lines = &payload(&[6, 7].repeat(120), is_output, is_array);
            for at_once in [in_lines, &in_lines.replace(",\n{\"name", ",{\"name").replace(",\n[", ",[")] {
                for mark in ["a line", "[1", "]\\\"", "\"flat\"", "\"text\": \"\\\\"] {
                    assert!(types(at_once, mark, " "), "{mark}");
                }
                // An array that is no longer one value, or no longer on one line.
                for inserted in ["]", ",\n2"] {
                    assert!(!types(at_once, "[1", inserted), "{inserted}");
                }
            }
        }
    }
}

#[test]
fn an_edit_in_a_long_line_reads_a_part_of_it() {
    for is_output in [false, true] {
        for form in [LineForm::Array, LineForm::Object] {
            let text = &line(&[0, 6, 4, 10].repeat(60), is_output, form);
            for mark in ["src/part", "[1, 200", "[1", "{\"to\": ", "{}, 1, 2", "b\": tru"] {
                assert!(types(text, mark, " ") != (mark == "b\": tru"), "{mark} {form:?}");
            }
            for inserted in ["]", "\"", "\\", "\n", "}"] {
                assert!(!types(text, "{\"to\": ", inserted), "{inserted}");
            }
        }
        let array = &line(&[8, 9].repeat(60), is_output, LineForm::Array);
        let string = &line(&[0, 5].repeat(300), is_output, LineForm::String);
        for (text, mark) in [(array, "(three) a"), (array, "ends"), (string, "deep"), (string, "src/part")] {
            for inserted in ["x", " x ", "é,", "👋"] {
                // Results near the end of a string may be truncated.
                assert_eq!(types(text, mark, inserted), !is_output, "{mark}");
                let start = text.len() * 2 / 3 + text[text.len() * 2 / 3..].find(mark).expect("the mark");
                let splice = Splice { start, removed: 0, inserted: inserted.len() };
                let is_long = !is_output || text == string;
                assert_eq!(check(text, Language::Markdown, splice, inserted), is_long, "{mark}");
            }
            for inserted in ["\"", "\\x", "\n", "\\u12", "\\ud83d", "```", "\", \""] {
                assert!(!types(text, mark, inserted), "{mark} {inserted}");
            }
        }
    }
}

#[test]
fn an_edit_that_labels_show_reads_the_payload() {
    let long: Vec<usize> = [2].repeat(300);
    // Each part of text counts for the number of lines, and the first item is shown.
    assert!(!types(&payload(&long, true, true), "one", "\\n"));
    assert!(types(&payload(&long, true, false), "one", "\\n"));
    let input = payload(&[3, 3, 3, 3], false, true);
    let first = input.find("ude00").expect("the text");
    assert!(!check(&input, Language::Markdown, Splice { start: first + 5, removed: 0, inserted: 1 }, "x"));
    assert!(types(&input, "ude00", "x"));
    // Payloads with faults, of other fences, and in containers.
    assert!(!types(&input.replace("\"state\"", "\"state\": 1, \"state\""), "ude00", "x"));
    assert!(!types(&input.replace("\"input\"", "\"args\""), "ude00", "x"));
    assert!(!types(&input.replace('\n', "\n> "), "ude00", "x"));
    assert!(!types(&input.replace("```", " ```"), "ude00", "x"));
}

/// Fragments that are relevant for payloads.
const PIECES: &[&str] = &[
    "x",
    "👋",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\t",
    "\n",
    "\r",
    "`",
    "```",
    "\n```\n",
    "1,",
    "\"a\": 1,",
    "\"a\": {\n}, ",
    "{}, ",
    "[\n],",
    "\\ud800",
    "\"text\": ",
    "null",
    "}, {",
    "], [",
    "\", \"",
    "word ",
    "\\n",
    "\\\\",
    "…",
    ")",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn edits_in_payloads_equal_a_fresh_parse(
        items in prop::collection::vec(0..ITEMS.len(), 3..40),
        repeated in prop_oneof![3 => Just(1usize), 1 => Just(20usize)],
        is_output: bool,
        is_array: bool,
        share in 0.1..0.95f64,
        removed in prop_oneof![4 => 0..6usize, 1 => 0..60usize],
        inserted in prop::collection::vec(0..PIECES.len(), 0..3),
    ) {
        let text = payload(&items.repeat(repeated), is_output, is_array);
        let inserted = soup(PIECES, &inserted);
        check(&text, Language::Markdown, splice_at(&text, share, removed, &inserted), &inserted);
    }

    #[test]
    fn edits_in_long_lines_equal_a_fresh_parse(
        items in prop::collection::vec(0..ITEMS.len(), 3..40),
        repeated in prop_oneof![1 => Just(1usize), 2 => Just(20usize)],
        is_output: bool,
        form in prop_oneof![Just(LineForm::Array), Just(LineForm::Object), Just(LineForm::String)],
        container in prop_oneof![4 => Just(0), 1 => 0..CONTAINERS.len()],
        is_org: bool,
        share in 0.05..1.0f64,
        removed in prop_oneof![4 => 0..6usize, 1 => 0..60usize],
        inserted in prop::collection::vec(0..PIECES.len(), 0..3),
    ) {
        let text = line(&items.repeat(repeated), is_output, form);
        let (first, other) = CONTAINERS[container];
        let text = text.replace("\n", &format!("\n{other}")).replace(&format!("{other}```tool"), &format!("{first}```tool"));
        let (text, language) = match is_org {
            true => {
                let org = text.replace("```tool", "#+begin_src tool").replace("}\n```\n", "}\n#+end_src\n");
                (org, Language::Org)
            }
            false => (text, Language::Markdown),
        };
        let inserted = soup(PIECES, &inserted);
        check(&text, language, splice_at(&text, share, removed, &inserted), &inserted);
    }
}
