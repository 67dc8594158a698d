//! The validity of values by their pieces, held against serde_json on the whole text.

use proptest::collection::vec;
use proptest::prelude::*;

use super::ValueEnd;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::forms::FormTable;
use crate::messages::outline::outline;
use crate::text::{Splice, Text};

/// Elements, members, and what makes a text invalid.
const PIECES: &[&str] = &[
    "{\"role\": \"user\", \"content\": \"hello\"},\n",
    "[\"one\", {\"two\": [3, {\"four\": \"five\"}]}, []],\n",
    "\"key\": {\"inner\": [true, false, null]},\n",
    "\"key\": ",
    "\"text\", ",
    "1, -0, 2.5e-3, 10E+2,\n",
    "[[[[",
    "]]]],\n",
    "{\"a\": {\"b\": {\"c\": ",
    "}}}",
    "{}",
    "[]",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\"\\u00e9 \\ud800 \\/ \\\"\",",
    "\"\\u12\",",
    "\"\\x\",",
    "\"a\tb\",",
    "\"a\nb\",",
    "01,",
    "1.,",
    "-,",
    ".5,",
    "1e,",
    "tru,",
    "nul",
    "NaN,",
    "// comment\n",
    "/* , */",
    "'a',",
    "\u{FEFF}",
    "\u{A0}",
    "\u{7F}",
    "👋",
    "\r",
    "\n",
    " ",
];

fn text_of(picks: &[usize]) -> String {
    picks.iter().filter_map(|pick| PIECES.get(pick % PIECES.len())).copied().collect()
}

/// A valid document with many pieces.
fn valid(picks: &[usize]) -> String {
    let mut text = String::from("{\"messages\": [");
    for pick in picks {
        text.push_str(match pick % 6 {
            0 => "{\"role\": \"user\", \"content\": \"hello\"},\n",
            1 => "[\"one\", {\"two\": [3, {\"four\": \"five\"}]}, []], ",
            2 => "{\"a\": {\"b\": {\"c\": [[[[1, 2], 3, 4], 5, 6], 7]}, \"d\": \"\\n\"}, \"e\": null},",
            3 => "-1.5e3, \"\\ud800\", true, ",
            4 => "[[], [[]], {\"long\": \"a text that is longer than a segment of a document\"}],",
            _ => "{\"a\": [], \"b\": {}, \"c\": 0},\r\n",
        });
    }
    format!("{text}1], \"model\": \"m\", \"rest\": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]}}\n")
}

/// Compares the ends of all containers, and of the document.
#[track_caller]
fn assert_agree(document: &Document) {
    let text = document.text().to_string();
    let containers = outline(&text, FormTable::built_in()).containers;
    let starts = containers.iter().map(|container| container.start as usize).chain([0]);
    for start in starts {
        let whole = match ValueEnd::of(&text[start..]) {
            ValueEnd::At(end) => Some(start + end),
            ValueEnd::Open | ValueEnd::Broken => None,
        };
        assert_eq!(document.valid_value_end(start), whole, "at {start} of {text:?}");
    }
}

fn json(text: &str) -> Document {
    Document::new(Text::new(text), Language::Json, small(&Settings::default()))
}

/// Applies an edit at a share of the text, in thousandths.
fn edit(document: &mut Document, (place, removed, picks): &(usize, usize, Vec<usize>)) {
    let text = document.text().clone();
    let start = text.floor_boundary(text.len() * place / 1000);
    let end = text.floor_boundary((start + removed).min(text.len())).max(start);
    let inserted = text_of(picks);
    document.apply(Splice { start, removed: end - start, inserted: inserted.len() }, &inserted);
}

proptest! {
    #[test]
    fn pieces_are_valid_as_the_whole_is(
        is_valid: bool,
        picks in vec(0..1000_usize, 0..30),
        edits in vec((0..1000_usize, 0..12_usize, vec(0..1000_usize, 0..2)), 0..6),
    ) {
        let text = if is_valid { valid(&picks) } else { text_of(&picks) };
        let mut document = json(&text);
        assert_agree(&document);
        for change in &edits {
            edit(&mut document, change);
            assert_agree(&document);
        }
    }
}

#[test]
fn values_may_be_nested_deeply() {
    for depth in [10, 127, 128, 129, 2000] {
        let element = "{\"a\": 1, \"b\": [1, 2, 3]}, ";
        let text = format!("{}{}0{}", "[".repeat(depth), element.repeat(5), "]".repeat(depth));
        for (text, is_valid) in [(text.clone(), true), (text.replacen("]]", "]}", 1), false)] {
            let document = json(&text);
            assert_eq!(document.valid_value_end(0), is_valid.then_some(text.len()), "{depth}");
            assert_eq!(ValueEnd::of(&text) == ValueEnd::At(text.len()), is_valid);
        }
    }
}

/// The text after a value, or before it, does not matter to it.
#[test]
fn values_are_checked_by_themselves() {
    let array = format!("[{}0]", "{\"a\": [1, 2, 3]}, ".repeat(10));
    for (before, behind) in
        [("", " x"), ("{\"a\": 01, \"b\": ", "}}"), ("]", "["), ("{\"a\": [}, \"b\": ", "")]
    {
        let text = format!("{before}{array}{behind}");
        let end = before.len() + array.len();
        assert_eq!(json(&text).valid_value_end(before.len()), Some(end), "{text}");
    }
}
