//! Accessors of values, and large inputs.

use super::super::{JsonKind, JsonNode, MAX_FAULTS, parse, parse_prefix, to_compact, to_display};
use super::check;

/// Length of a large input in bytes.
const SIZE: usize = 80_000;

#[test]
fn members_are_found_by_their_decoded_key_the_last_of_duplicates() {
    let text = r#"{"a": 1, "\u0061": 2, "b": {"a": 3}, c: x y}"#;
    let json = check(text);
    let root = json.root(text).unwrap();
    assert_eq!(root.get("a").unwrap().raw(), "2");
    assert_eq!(root.get("b").unwrap().get("a").unwrap().raw(), "3");
    assert_eq!(root.get("c").unwrap().as_str().unwrap(), "x y");
    assert!(root.get("d").is_none());
    assert_eq!(root.entries().count(), 4);
}

#[test]
fn unclosed_and_missing_values_are_marked() {
    let text = "{\"a\": {\"b\": [1, \"x";
    let json = check(text);
    let open: Vec<(JsonKind, bool)> = json.containers().map(|node| (node.kind, node.closed)).collect();
    assert_eq!(open, [(JsonKind::Object, false), (JsonKind::Object, false), (JsonKind::Array, false)]);
    let list = json.root(text).unwrap().get("a").unwrap().get("b").unwrap();
    assert_eq!(list.items().map(|item| item.is_closed()).collect::<Vec<_>>(), [true, false]);
    let text = "{\"a\": , \"b\"}";
    let kinds: Vec<JsonKind> =
        check(text).root(text).unwrap().entries().map(|(_, value)| value.kind()).collect();
    assert_eq!(kinds, [JsonKind::Missing, JsonKind::Missing]);
}

#[test]
fn lone_surrogates_are_valid_and_can_be_found() {
    let text = r#""a\ud800\u0041\udc00\ud83d\ude00""#;
    let json = check(text);
    let root = json.root(text).unwrap();
    assert!(json.errors.is_empty());
    assert_eq!(root.as_str().unwrap(), "a\u{fffd}A\u{fffd}😀");
    let lone: Vec<&str> = root.lone_surrogates().map(|span| span.of(text)).collect();
    assert_eq!(lone, ["\\ud800", "\\udc00"]);
    assert_eq!(to_compact(root), r#""a\ud800A\udc00😀""#);
}

#[test]
fn a_prefix_ends_where_its_value_does() {
    let ends = |text: &str| parse_prefix(text).end as usize;
    assert_eq!(ends("{\"a\": 1}, \"b\": 2}"), 8);
    assert_eq!(ends(" [1], x"), 4);
    assert_eq!(ends("\"x\": 1"), 3);
    assert_eq!(ends("12, b=1"), 2);
    assert_eq!(ends("True)"), 4);
    assert_eq!(ends("  hello"), 2);
}

#[test]
fn display_sorts_and_stops() {
    let text = r#"{"b":[1,2.50,"x\/\u001f"],"a":{"d":null,"c":[]},"b2":1,"b2":True}"#;
    let json = check(text);
    let root = json.root(text).unwrap();
    let shown = r#"{"a": {"c": [], "d": null}, "b": [1, 2.50, "x/\u001f"], "b2": True}"#;
    assert_eq!(to_display(root, usize::MAX), shown);
    assert_eq!(to_display(root, 10), shown[..10]);
    assert_eq!(to_display(root, 0), "");
    assert_eq!(to_compact(root), r#"{"b":[1,2.50,"x/\u001f"],"a":{"d":null,"c":[]},"b2":True}"#);
}

#[test]
fn a_node_is_small() {
    assert!(size_of::<JsonNode>() <= 16);
}

#[test]
fn prose_is_given_up_at_once() {
    let text = "Some prose, as \"people\" write it.\n".repeat(30_000);
    let json = parse(&text);
    assert!(json.gave_up && json.end < 100 && json.errors.len() == 1);
    let text = format!("{{{text}");
    let json = parse(&text);
    assert!(json.gave_up && json.end < 3000, "{}", json.end);
}

/// Parses an input of about [`SIZE`] bytes: this takes milliseconds in linear time, and hours for
/// all of these inputs in quadratic time.
fn is_parsed_in_linear_time(text: &str) {
    let json = parse(text);
    assert!(json.end as usize <= text.len() && json.errors.len() <= MAX_FAULTS);
}

#[test]
fn every_input_is_parsed_in_linear_time() {
    let units = [
        "[",
        "{",
        "{\"a\":",
        "[[{",
        "]",
        "}",
        "\"",
        "\"\n",
        "'",
        "“",
        "\"a\" ",
        "\"a\":",
        ",",
        ":",
        "{}",
        "[]}",
        "{]",
        "}{",
        "a ",
        "a",
        "é",
        "1",
        "-",
        "0",
        "\\",
        "\"\\",
        "\\u",
        "//",
        "/*",
        "/* \n",
        "#",
        "@",
        "@ ",
        "\t",
        "\u{1}",
        "\u{a0}",
        "“a\"",
        "\"a: 1,\n",
        "\"a\n",
        "x\n",
        "\"x\"y",
        "\"a\\\":",
        ";",
        "=",
        "1 ",
        "\"a\" \"b\"",
        "\n",
        " ",
        "}\n",
        "\"x\":\n",
        "{\"a\":1},",
        "'\n",
        "\"”",
        "tru",
        "1e",
    ];
    let starts = [
        "",
        "{",
        "[",
        "{\"a\": ",
        "{\"a",
        "{\"a\":1 ",
        "{\"a\": \"x\n",
        "[\"x,\n",
        "{\"a\":1 @",
        "[}",
        "{\"a\": 1}, \"b\": ",
    ];
    for unit in units {
        let many = unit.repeat(SIZE / unit.len());
        for start in starts {
            is_parsed_in_linear_time(&format!("{start}{many}"));
        }
    }
    let deep = "[".repeat(SIZE);
    for unit in units {
        is_parsed_in_linear_time(&format!("{deep}1{}", unit.repeat(SIZE / unit.len())));
    }
}

#[test]
fn deep_and_long_inputs_are_parsed() {
    let depth = 100_000;
    let text = "[{\"a\":".repeat(depth) + "1" + &"}]".repeat(depth);
    let json = check(&text);
    assert!(json.errors.is_empty());
    assert_eq!(json.containers().count(), 2 * depth);
    assert_eq!(to_compact(json.root(&text).unwrap()), text);
    let crossed = "[".repeat(depth) + &"{\"a\":".repeat(depth) + "1" + &"]".repeat(depth);
    assert!(check(&crossed).gave_up);
    let long = format!("{{\"a\": \"{}\"}}", "x\\n“".repeat(1_000_000));
    let json = check(&long);
    assert_eq!(json.root(&long).unwrap().get("a").unwrap().as_str().unwrap().len(), 5_000_000);
}

#[test]
fn an_unquoted_word_is_not_valid() {
    for text in [r#"{"a": nope}"#, r#"{"a":=nope}"#, r#"{"a"::nope}"#, r#"{"a": [nope]}"#] {
        let json = check(text);
        assert!(!json.root(text).unwrap().get("a").unwrap().is_valid(), "{text}");
    }
    let text = r#"{"a":= "nope"}"#;
    assert!(check(text).root(text).unwrap().get("a").unwrap().is_valid());
}
