//! Pairs and their differences.

use std::sync::Arc;

use super::*;
use crate::config::Settings;
use crate::document::Language;
use crate::text::Text;

fn document(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

fn fence(payload: &str) -> String {
    format!("```tool\n{payload}\n```\n\n")
}

/// Compares the pairs, as `label by differences`, then the unpaired tool uses as `< label` and `>
/// label`.
#[track_caller]
fn check(left: &str, right: &str, expected: &[&str]) {
    let comparison = compare(&document(left), &document(right));
    let shown = |pair: &UsePair| {
        let difference = |it: &Difference| {
            let or_dash = |side: &Option<String>| side.clone().unwrap_or_else(|| "-".to_owned());
            format!(" {} {}|{}", it.path, or_dash(&it.left), or_dash(&it.right))
        };
        let by = if pair.by_id { "id" } else { "nth" };
        let differences: String = pair.differences.iter().map(difference).collect();
        format!("{} {by}{differences}", label_of(&pair.left))
    };
    let mut found: Vec<String> = comparison.pairs.iter().map(shown).collect();
    found.extend(comparison.only_left.iter().map(|it| format!("< {}", label_of(it))));
    found.extend(comparison.only_right.iter().map(|it| format!("> {}", label_of(it))));
    assert_eq!(found, expected);
    let same = comparison.pairs.iter().all(|pair| pair.differences.is_empty());
    let alone = comparison.only_left.len() + comparison.only_right.len();
    assert_eq!(comparison.is_same(), same && alone == 0);
}

#[test]
fn calls_are_paired_by_id_or_index() {
    let call = |id: &str, name: &str, a: u8| {
        fence(&format!("{{\"toolCallId\": \"{id}\", \"toolName\": \"{name}\", \"input\": {{\"a\": {a}}}}}"))
    };
    check(
        &[call("1", "f", 1), call("2", "f", 2), call("3", "g", 3)].concat(),
        &[call("x", "f", 1), call("1", "f", 9), call("4", "h", 3)].concat(),
        &["f(a=1) id input.a 1|9", "f(a=2) nth input.a 2|1", "< g(a=3)", "> h(a=3)"],
    );
    // An id that two calls share is ambiguous.
    let twice = [call("1", "f", 1), call("1", "f", 2)].concat();
    check(&twice, &twice, &["f(a=1) nth", "f(a=2) nth"]);
    check(&call("1", "f", 1), &call("1", "g", 1), &["f(a=1) id toolName \"f\"|\"g\""]);
    check("text", "other text", &[]);
}

#[test]
fn values_are_compared_by_path_in_any_dialect() {
    let left = fence(
        "{\"toolName\": \"f\", \"input\": {\"a\": [1, {\"b c\": \"x\"}], \"n\": 1.0, \"z\": null}, \"output\": \"ok\"}",
    );
    let right = fence(
        "{\"toolName\": \"f\", \"input\": {\"n\": 1, \"a\": [1, {\"b c\": \"\\u0079\"}, 2], \"y\": {}}, \"output\": \"ok\"}",
    );
    let expected = "f(a=[1, {\"b c\": \"x\"}], n=1.0, z=null) nth input.a[1][\"b c\"] \"x\"|\"y\" input.a[2] -|2 \
                    input.z null|- input.y -|{}";
    check(&left, &right, &[expected]);
    check(
        "<tool>f(a=1)\nok</tool>\n",
        &fence("{\"toolName\": \"f\", \"input\": {\"a\": 1}, \"output\": \"ok\"}"),
        &["f(a=1) nth"],
    );
    check(
        &fence("{\"toolName\": \"f\", \"input\": {\"a\": 1e400}}"),
        &fence("{\"toolName\": \"f\", \"input\": {\"a\": 1e500}}"),
        &["f(a=1e400) nth input.a 1e400|1e500"],
    );
    check(
        &fence("{\"toolName\": \"f\", \"input\": {\"a\": 12345678901234567890}, \"output\": 1}"),
        &fence("{\"toolName\": \"f\", \"input\": {\"a\": 12345678901234567891}, \"errorText\": \"no\"}"),
        &["f(a=12345678901234567890) nth state \"output-available\"|\"output-error\" \
           input.a 12345678901234567890|12345678901234567891 output 1|- errorText -|\"no\""],
    );
}

#[test]
fn deep_and_wide_values_are_bounded() {
    let deep = |inside: &str| {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        fence(&format!("{{\"toolName\": \"f\", \"input\": {{\"a\": {open}{inside}{close}}}}}"))
    };
    let comparison = compare(&document(&deep("1")), &document(&deep("2")));
    assert_eq!(comparison.pairs[0].differences.len(), 1);
    let wide = |by: usize| {
        let members: Vec<_> = (0..20_000).map(|key| format!("\"k{key}\":{}", key * by)).collect();
        fence(&format!("{{\"toolName\": \"f\", \"input\": {{{}}}}}", members.join(",")))
    };
    let comparison = compare(&document(&wide(1)), &document(&wide(2)));
    assert_eq!((comparison.pairs[0].differences.len(), comparison.pairs[0].more), (100, 19_899));
}

#[test]
fn normalised_texts_have_no_ids() {
    let text =
        fence("{\"toolCallId\": \"x\", \"toolName\": \"f\", \"input\": {\"a\": 1}, \"output\": \"ok\"}");
    let expected = "f #1\nstate: output-available\ninput: {\n  \"a\": 1\n}\noutput: \"ok\"\n\n\
                    f #2\nstate: output-error\nerrorText: \"no\"\n\n";
    let other = fence("{\"toolName\": \"f\", \"errorText\": \"no\"}");
    assert_eq!(normalised(&document(&[text, other].concat())), expected);
}

/// Some forms have one place for outputs and errors, and some always have an input.
#[test]
fn one_call_in_several_forms_is_the_same() {
    let failed =
        fence(r#"{"toolCallId": "1", "toolName": "f", "state": "output-error", "errorText": "away"}"#);
    let messages = r#"[{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "away", "is_error": true}]}]"#;
    let open = |text: &str| Document::new(Text::new(text), Language::Json, Arc::default());
    assert!(compare(&document(&failed), &open(messages)).is_same());
    assert!(compare(&open(messages), &document(&failed)).is_same());
    let other = open(&messages.replace("away", "gone"));
    let differences = &compare(&document(&failed), &other).pairs[0].differences;
    assert_eq!(differences.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["errorText"]);
    let (left, right) = (normalised(&document(&failed)), normalised(&open(messages)));
    assert_eq!(left, right);
}
