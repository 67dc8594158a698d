//! The expected construct at an offset; a completion there keeps valid text valid.

use proptest::prelude::*;

use super::*;
use crate::json::{JsonTape, quote};

/// `text` with `put` inserted at `cursor`, including the comma.
fn complete(text: &str, cursor: &JsonCursor, put: &str) -> String {
    let Span { start, end } = cursor.written;
    let head = &text[..start as usize];
    let head = match cursor.comma_at {
        Some(at) => format!("{},{}", &head[..at], &head[at..]),
        None => head.to_owned(),
    };
    format!("{head}{put}{}", &text[end as usize..])
}

/// The text that replaces the written part of a key, as JSON; `value` is used if the member has
/// none.
fn member(cursor: &JsonCursor, key: &str, value: &str) -> String {
    match cursor.expects {
        CursorExpectation::Key => key.to_owned(),
        CursorExpectation::KeyAndColon => [cursor.missing_before, key, ": "].concat(),
        _ => [cursor.missing_before, key, ": ", value, cursor.trail].concat(),
    }
}

/// The same for a value.
fn value(cursor: &JsonCursor, value: &str) -> String {
    [cursor.missing_before, value, cursor.trail].concat()
}

fn way(cursor: &JsonCursor) -> String {
    let step = |place: &ValueStep| match place {
        ValueStep::Key(key) => key.clone(),
        ValueStep::Index(at) => at.to_string(),
    };
    cursor.path.iter().map(step).collect::<Vec<_>>().join("/")
}

/// The result of a completion at `|`: a key `"K"` with the value `V` if a key is expected, else the
/// value `V`; and the path.
#[track_caller]
fn check(marked: &str, expected: &str) {
    let at = marked.find('|').expect("a position");
    let text = marked.replacen('|', "", 1);
    let found = cursor(&text, at).map(|cursor| {
        let put = if cursor.is_key() { member(&cursor, "\"K\"", "V") } else { value(&cursor, "V") };
        assert!(!cursor.written.of(&text).contains(['\n', '\r']), "{marked}");
        format!("{} @{}", complete(&text, &cursor, &put), way(&cursor))
    });
    assert_eq!(found.as_deref().unwrap_or("nothing"), expected, "{marked}");
}

#[test]
fn keys() {
    check("{|", "{\"K\": V @");
    check("{|}", "{\"K\": V} @");
    check("{\"|\"}", "{\"K\": V} @");
    check("{\"to|", "{\"K\": V @");
    check("{\"to|}", "{\"K\": V} @");
    check("{to|}", "{\"K\": V} @");
    check("{t|o}", "{\"K\": V} @");
    check("{|to\": 1}", "{\"K\": 1} @");
    check("{to|\": 1}", "{\"K\": 1} @");
    check("{'to|'}", "{\"K\": V} @");
    check("{“to|”}", "{\"K\": V} @");
    check("{\"t|o\": 1}", "{\"K\": 1} @");
    check("{\"t|o\"}", "{\"K\": V} @");
    check("{to| 1}", "{\"K\":  1} @");
    check("{\"to|\n \"b\": 1}", "{\"K\": V,\n \"b\": 1} @");
    check("{\"to|, \"b\": 1}", "{\"K\": V, \"b\": 1} @");
    check("{|\"b\": 1}", "{\"K\": V, \"b\": 1} @");
    check("{\"a\": 1,| \"b\": 2}", "{\"a\": 1,\"K\": V, \"b\": 2} @");
    check("{\"a\": 1, | \"b", "{\"a\": 1, \"K\": V, \"b @");
    check("{\"a\": 1,\n  |\n}", "{\"a\": 1,\n  \"K\": V\n} @");
    check("{\"a\": {\"x\": [0, {\"|\"}]}}", "{\"a\": {\"x\": [0, {\"K\": V}]}} @a/x/1");
    check("{\"a\": 1, \"é😀|\": 2}", "{\"a\": 1, \"K\": 2} @");
}

#[test]
fn keys_after_a_value() {
    check("{\"a\": \"x\"|}", "{\"a\": \"x\", \"K\": V} @");
    check("{\"a\": {}|", "{\"a\": {}, \"K\": V @");
    check("{\"a\": 1 |}", "{\"a\": 1, \"K\": V} @");
    check("{\"a\": 1\n  |\n}", "{\"a\": 1,\n  \"K\": V\n} @");
    check("{\"a\": \"x\"\r\n  \"to|\r\n}", "{\"a\": \"x\"\r\n  \"K\": V\r\n} @");
    check("{\"a\": 1 | , \"b\": 2}", "{\"a\": 1, \"K\": V , \"b\": 2} @");
    check("{\"a\": 1 | \"b\": 2}", "{\"a\": 1, \"K\": V, \"b\": 2} @");
}

#[test]
fn values() {
    check("{\"a\": |", "{\"a\": V @a");
    check("{\"a\":|}", "{\"a\":V} @a");
    check("{\"a\": \"re|\"}", "{\"a\": V} @a");
    check("{\"a\": \"re|", "{\"a\": V @a");
    check("{\"a\": \"re|}", "{\"a\": V} @a");
    check("{\"a\": \"re|, \"b\": {}}", "{\"a\": V, \"b\": {}} @a");
    check("{\"a\": \"re|\n  \"b\": {}}", "{\"a\": V,\n  \"b\": {}} @a");
    check("{\"a\": \"b,\n \"|c\": 1}", "nothing");
    check("{\"a\": tr|}", "{\"a\": V} @a");
    check("{\"a\": t|rue, \"b\": 2}", "{\"a\": V, \"b\": 2} @a");
    check("{\"a\": 1|}", "{\"a\": V} @a");
    check("{\"a\": |1}", "{\"a\": V} @a");
    check("{\"a\": |\n  \"b\": 2}", "{\"a\": V,\n  \"b\": 2} @a");
    check("{\"a\" |}", "{\"a\" : V} @a");
    check("{\"a\"|", "{\"a\": V @a");
    check("{\"a\": \n \"b|\": 1}", "{\"a\": \n \"K\": 1} @");
    check("{\"a\": [|]}", "{\"a\": [V]} @a/0");
    check("{\"a\": [1, |]}", "{\"a\": [1, V]} @a/1");
    check("{\"a\": [[2], \"|\", 3]}", "{\"a\": [[2], V, 3]} @a/1");
    check("{\"a\": [1 |]}", "{\"a\": [1, V]} @a/1");
    check("{\"a\": [|1]}", "{\"a\": [V, 1]} @a/0");
    check("|", "V @");
    check(" \n|\n", " \nV\n @");
    check("re|", "V @");
    check("\n|re\n", "\nV\n @");
    check("{\"a\": \"one, tw|o, three", "{\"a\": V @a");
}

#[test]
fn nothing_is_expected() {
    check("{\"a\": | 1}", "nothing");
    check("{\"a\": |{}}", "nothing");
    check("{\"a\" |: 1}", "nothing");
    check("{\"a\": 1}|", "nothing");
    check("|{}", "nothing");
    check("{} |", "nothing");
    check("no json |", "nothing");
    check("re |", "nothing");
    check("{\"to| 1}", "nothing");
    check("{\"a\": \"x\"| y\"}", "nothing");
    check("{\"a\": [\"|, 3]}", "nothing");
    check("{\"a\": 1|``", "nothing");
    check("\"re|", "nothing");
    check("{\"a\": 1, // to|\n}", "nothing");
    check("{\"a\": \"one\n two |", "nothing");
}

#[test]
fn siblings_on_both_sides() {
    let siblings = |marked: &str| {
        let at = marked.find('|').expect("a position");
        cursor(&marked.replacen('|', "", 1), at).expect("a cursor").siblings
    };
    assert_eq!(siblings("{\"a\": {\"x\": 1}, \"b|\": 2, \"c\": 3}"), ["a", "c"]);
    assert_eq!(siblings("{\"a\": 1,\n \"b|\n \"c\\u0064\": 3}"), ["a", "cd"]);
    assert_eq!(siblings("{\"a\": {\"x\": 1, |}, \"b\": 2}"), ["x"]);
}

/// The values at `path`; more than one if keys are duplicated.
fn at<'a>(root: Value<'a>, path: &[ValueStep]) -> Vec<Value<'a>> {
    path.iter().fold(vec![root], |values, place| {
        let below = |value: Value<'a>| -> Vec<Value<'a>> {
            match place {
                ValueStep::Key(key) => {
                    let is_it =
                        |(name, _): &(Value<'a>, Value<'a>)| name.as_str().is_some_and(|name| name == *key);
                    value.entries().filter(is_it).map(|(_, value)| value).collect()
                }
                ValueStep::Index(at) => value.items().nth(*at).into_iter().collect(),
            }
        };
        values.into_iter().flat_map(below).collect()
    })
}

fn is_right(json: &JsonTape, text: &str) -> bool {
    (json.errors.is_empty() || json.beginning) && json.extra(text).is_none()
}

/// Completes at each byte of `text`, which is valid or a valid prefix. Returns the number of
/// completions.
fn complete_everywhere(text: &str) -> Result<usize, TestCaseError> {
    let before = parse(text);
    prop_assert!(is_right(&before, text), "{text}");
    let mut completions = 0;
    for place in (0..=text.len()).filter(|place| text.is_char_boundary(*place)) {
        let Some(cursor) = cursor(text, place) else { continue };
        completions += 1;
        let written = cursor.written;
        prop_assert!(written.start as usize <= place && place <= written.end as usize);
        prop_assert!(!written.of(text).contains(['\n', '\r']));
        let new = "n😀\"w";
        let put = match cursor.is_key() {
            true => member(&cursor, &quote(new), "[7]"),
            false => value(&cursor, "[7]"),
        };
        let completed = complete(text, &cursor, &put);
        let after = parse(&completed);
        prop_assert!(is_right(&after, &completed), "{text}\nat {place}:\n{completed}\n{:?}", after.errors);
        prop_assert!(
            !before.errors.is_empty() || after.errors.is_empty() || cursor.expects == CursorExpectation::Root
        );
        let mut path = cursor.path.clone();
        if cursor.is_key() {
            path.push(ValueStep::Key(new.to_owned()));
        }
        let found = after.root(&completed).map(|root| at(root, &path)).unwrap_or_default();
        prop_assert!(!found.is_empty(), "{text}\nat {place}:\n{completed}");
        if cursor.expects == CursorExpectation::Member || !cursor.is_key() {
            let is_there = found.iter().any(|value| value.raw() == "[7]");
            prop_assert!(is_there, "{text}\nat {place}:\n{completed}");
        }
    }
    Ok(completions)
}

#[test]
fn completing_keeps_samples_valid() {
    let text = "{\r\n  \"a\": [1, {\"b\": \"x, \\\" y\"}, [], true],\n\t\"é\": {},\n  \"c\":null\n}\n";
    let mut completions = 0;
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        completions += complete_everywhere(&text[..end]).expect("valid JSON");
    }
    assert!(completions > text.len() * 10, "{completions}");
}

proptest! {
    #[test]
    fn completing_keeps_valid_text_valid(text in crate::json::tests::oracle::object(), cut in 0.0..=1.0f64) {
        complete_everywhere(&text)?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a share")]
        let mut end = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        complete_everywhere(&text[..end])?;
    }

    #[test]
    fn any_text_has_a_cursor_or_none(text in "[\\[\\]{}:,\"'\\\\a1 \n/*é]{0,40}") {
        for place in (0..=text.len()).filter(|place| text.is_char_boundary(*place)) {
            if let Some(cursor) = cursor(&text, place) {
                let written = cursor.written;
                prop_assert!(written.start as usize <= place && place <= written.end as usize);
                prop_assert!(!written.of(&text).contains(['\n', '\r']), "{text:?} at {place}");
                prop_assert!(cursor.comma_at.is_none_or(|at| at < written.start as usize));
            }
        }
    }
}
