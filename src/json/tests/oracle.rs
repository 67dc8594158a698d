//! Oracles: `serde_json` decides validity and meaning; a completion proves a prefix.

use proptest::prelude::*;

use super::super::{
    JsonKind, JsonNode, JsonTape, MAX_FAULTS, Value, is_compact, parse, parse_prefix, to_compact, to_display,
};
use super::check;
use crate::text::Span;

/// Valid JSON, with space between tokens and strings of all kinds.
fn json() -> impl Strategy<Value = String> {
    let space = || prop::sample::select(vec!["", "", "", " ", "\n  ", "\r\n", "\t"]);
    let string = || {
        let piece = prop::sample::select(vec![
            "a",
            "key",
            "é",
            "😀",
            "\\n",
            "\\\"",
            "\\\\",
            "\\/",
            "\\u00e9",
            "\\ud83d\\ude00",
            "\\u0000",
            ":",
            ",",
            "{",
            "]",
            "'",
            "// x",
            "#",
            "“",
            "\u{a0}",
            "\u{7f}",
            "12345678",
        ]);
        prop::collection::vec(piece, 0..5).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
    };
    let scalar = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "false",
            "0",
            "-0",
            "1",
            "-12.50",
            "3e8",
            "1E-7",
            "1.5e+3",
            "123456789012345678901234567890"
        ])
        .prop_map(str::to_owned),
        string(),
    ];
    scalar.prop_recursive(5, 40, 5, move |value| {
        let item = (space(), value.clone(), space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
        let member = (space(), string(), space(), item.clone())
            .prop_map(|(a, key, b, item)| format!("{a}{key}{b}:{item}"));
        prop_oneof![
            (prop::collection::vec(item, 0..5), space())
                .prop_map(|(items, s)| bracketed("[", &items, s, "]")),
            (prop::collection::vec(member, 0..5), space())
                .prop_map(|(members, s)| bracketed("{", &members, s, "}")),
        ]
    })
}

fn bracketed(open: &str, children: &[String], space: &str, close: &str) -> String {
    if children.is_empty() {
        format!("{open}{space}{close}")
    } else {
        format!("{open}{}{close}", children.join(","))
    }
}

pub(in super::super) fn object() -> impl Strategy<Value = String> {
    prop::collection::vec(json(), 0..4).prop_map(|values| {
        let members: Vec<String> =
            values.iter().enumerate().map(|(n, value)| format!(" \"k\\u003{n}\": {value}")).collect();
        bracketed("{", &members, "", "}")
    })
}

/// Fragments of invalid JSON.
const SOUP: [&str; 62] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\"a\"",
    "\"b\":",
    "\"c\": 1,",
    "1",
    "-",
    "01",
    "1.",
    ".5",
    "1e",
    "+",
    "0x1F",
    "true",
    "tru",
    "null",
    "None",
    "x",
    "é",
    "“",
    "”",
    "'",
    "'q'",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\u{a0}",
    "\u{b}",
    "\u{c}",
    "\u{feff}",
    "\\",
    "\\u12",
    "\\n",
    "\\ud800",
    "\\udc00",
    "//",
    "/*",
    "*/",
    "#",
    "=",
    "=>",
    ";",
    "(",
    ")",
    "`",
    "\u{0}",
    "\u{7f}",
    "1e999",
    "-1e400",
    "\"\\ud800\"",
    "state: x\n",
    "\"a: 1,\n",
    "\"x",
    "{\"a\": ",
    "}, \"z\": 1",
    "nul",
];

fn soup(length: usize) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(SOUP.to_vec()), 0..length).prop_map(|tokens| tokens.concat())
}

/// Valid JSON with a few random changes.
fn mutated() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..3usize, prop::sample::select(SOUP.to_vec()), 0..3usize);
    (json(), prop::collection::vec(change, 1..4)).prop_map(|(mut text, changes)| {
        for (index, removed, inserted, kind) in changes {
            let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
            let at = index.index(ends.len());
            let end = if kind == 1 { at } else { (at + removed).min(ends.len() - 1) };
            text.replace_range(ends[at]..ends[end], if kind == 0 { "" } else { inserted });
        }
        text
    })
}

/// `text`, with numbers beyond an `f64` and lone surrogates replaced, which are valid here but not
/// for `serde_json`.
fn for_serde(json: &JsonTape, text: &str) -> String {
    let mut patches: Vec<(Span, &str)> = Vec::new();
    for index in 0..json.nodes.len() {
        let value = Value::at(json, text, u32::try_from(index).unwrap()).unwrap();
        if value.as_f64().is_some_and(f64::is_infinite) {
            patches.push((value.span(), "0"));
        }
        patches.extend(value.lone_surrogates().map(|span| (span, "\\ufffd")));
    }
    let mut patched = text.to_owned();
    for (span, with) in patches.into_iter().rev() {
        patched.replace_range(span.range(), with);
    }
    patched
}

fn agrees(text: &str) {
    let json = check(text);
    let valid = json.errors.is_empty() && json.extra(text).is_none();
    let for_serde = for_serde(&json, text);
    match serde_json::from_str::<serde_json::Value>(&for_serde) {
        Ok(value) => {
            assert!(valid, "valid for serde_json: {text:?}, but {:?}", json.errors);
            let root = json.root(text).unwrap();
            if for_serde == text {
                same(root, &value);
            }
            let compact = to_compact(root);
            assert_eq!(is_compact(root), compact == root.raw(), "{text:?}");
            let shown = to_display(root, usize::MAX);
            let again = |text: &str| {
                let json = check(text);
                serde_json::from_str::<serde_json::Value>(&self::for_serde(&json, text)).unwrap()
            };
            assert_eq!(again(&compact), value);
            assert_eq!(again(&shown), value);
            let some = shown.chars().count() / 2;
            assert_eq!(to_display(root, some), shown.chars().take(some).collect::<String>());
        }
        Err(error) => assert!(!valid || error.to_string().contains("recursion limit"), "{text:?}: {error}"),
    }
}

/// Compares structure and decoded text with `serde_json`.
fn same(ours: Value<'_>, theirs: &serde_json::Value) {
    match theirs {
        serde_json::Value::Null => assert!(ours.is_null()),
        serde_json::Value::Bool(theirs) => assert_eq!(ours.as_bool(), Some(*theirs)),
        serde_json::Value::Number(theirs) => {
            // serde_json parses long numbers to within one unit of the last place.
            let (ours, theirs) = (ours.as_f64().unwrap(), theirs.as_f64().unwrap());
            assert!((ours - theirs).abs() <= ours.abs() * 1e-15, "{ours} {theirs}");
        }
        serde_json::Value::String(theirs) => {
            assert_eq!(ours.as_str().unwrap(), theirs.as_str());
            maps(ours);
        }
        serde_json::Value::Array(theirs) => {
            assert_eq!(ours.items().count(), theirs.len());
            ours.items().zip(theirs).for_each(|(ours, theirs)| same(ours, theirs));
        }
        serde_json::Value::Object(theirs) => {
            for (key, value) in ours.entries() {
                assert!(theirs.contains_key(&*key.as_str().unwrap()), "{:?}", key.raw());
                assert!(!matches!(value.kind(), JsonKind::Key { .. } | JsonKind::Missing));
            }
            theirs.iter().for_each(|(key, theirs)| same(ours.get(key).unwrap(), theirs));
        }
    }
}

/// Checks that the source of every character of a string decodes to that character.
fn maps(string: Value<'_>) {
    let (decoded, map) = string.as_str_with_map().unwrap();
    assert_eq!(decoded, string.as_str().unwrap());
    assert_eq!(string.text_len(), Some(decoded.len()));
    for min_len in 0..5 {
        let beginning = string.beginning(min_len).unwrap();
        assert!(decoded.starts_with(&*beginning), "{beginning:?} {decoded:?}");
        assert!(beginning.len() >= min_len.min(decoded.len()), "{beginning:?} {decoded:?}");
    }
    for (at, c) in decoded.char_indices() {
        let span = map.to_source_span(at, at + c.len_utf8());
        let start = string.span().start as usize;
        let source = &string.raw()[span.start as usize - start..span.end as usize - start];
        assert_eq!(
            parse(&format!("\"{source}\"")).root(&format!("\"{source}\"")).unwrap().as_str().unwrap(),
            c.to_string()
        );
    }
    assert_eq!(map.to_source(decoded.len()), string.content_span().end as usize);
}

/// True if some suffix makes `text` valid, as `beginning` claims.
fn can_be_completed(json: &JsonTape, text: &str) -> bool {
    let unfinished = [
        "", "\"", "n\"", "\\\"", "u0000\"", "0000\"", "000\"", "00\"", "0\"", "0", "rue", "ue", "e", "alse",
        "lse", "se", "ull", "ll", "l",
    ];
    let rest = ["", "0", ":0", "\"\":0"];
    let open = |node: &&JsonNode| node.kind.is_container() && !node.closed;
    let closers: String = json
        .nodes
        .iter()
        .filter(open)
        .map(|node| if node.kind == JsonKind::Object { '}' } else { ']' })
        .rev()
        .collect();
    unfinished.iter().any(|unfinished| {
        rest.iter().any(|rest| {
            let whole = format!("{text}{unfinished}{rest}{closers}");
            let json = check(&whole);
            serde_json::from_str::<serde::de::IgnoredAny>(&for_serde(&json, &whole)).is_ok()
        })
    })
}

fn is_beginning_rightly(text: &str) {
    let json = check(text);
    if json.beginning {
        assert!(can_be_completed(&json, text), "no beginning: {text:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn valid_json_agrees(text in json()) {
        assert!(parse(&text).errors.is_empty(), "{text:?}");
        agrees(&text);
    }

    #[test]
    fn mutated_json_agrees(text in mutated()) {
        agrees(&text);
        is_beginning_rightly(&text);
    }

    #[test]
    fn soup_agrees(text in soup(12)) {
        agrees(&text);
        is_beginning_rightly(&text);
    }

    #[test]
    fn prose_agrees(text in "\\PC{0,40}") {
        agrees(&text);
    }

    #[test]
    fn every_prefix_is_a_beginning(text in object()) {
        let whole = check(&text);
        prop_assert!(whole.errors.is_empty() && !whole.beginning, "{:?}", text);
        for (at, _) in text.char_indices() {
            let json = check(&text[..at]);
            prop_assert!(json.beginning && json.errors.len() == 1, "{:?}: {:?}", &text[..at], json.errors);
        }
    }

    #[test]
    fn a_prefix_ends_with_its_value(text in object(), rest in soup(6)) {
        let json = parse_prefix(&format!("{text}{rest}"));
        prop_assert_eq!(json.end as usize, text.len());
        prop_assert!(json.errors.is_empty());
    }

    #[test]
    fn errors_have_messages_and_a_limit(text in soup(120)) {
        let json = check(&text);
        prop_assert!(json.errors.iter().all(|fault| fault.message(&text).chars().count() < 120));
        prop_assert_eq!(json.errors.len() >= MAX_FAULTS, json.errors.len() == MAX_FAULTS && json.gave_up);
    }
}
