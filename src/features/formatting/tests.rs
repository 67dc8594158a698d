//! Fixtures of formatting: the text before and after.

use std::ops::Range;
use std::sync::Arc;

use proptest::prelude::*;

use super::{ON_TYPE, format, format_on_type};
use crate::config::{FormatSettings, PayloadLayout, Settings};
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::{DocumentEdit, Text};

fn settings(payload: PayloadLayout) -> Settings {
    Settings { format: FormatSettings { payload, ..FormatSettings::default() }, ..Settings::default() }
}

fn open(text: &str, language: Language, payload: PayloadLayout) -> Document {
    Document::new(Text::new(text), language, Arc::new(settings(payload)))
}

fn applied(text: &str, edits: &[DocumentEdit]) -> String {
    crate::text::edit::applied(text, edits).expect("edits in order")
}

fn formatted(text: &str, language: Language, payload: PayloadLayout, range: &Range<usize>) -> String {
    applied(text, &format(&open(text, language, payload), range, &|| true))
}

#[track_caller]
fn check(text: &str, pretty: &str, compact: &str) {
    for (payload, expected) in
        [(PayloadLayout::Pretty, pretty), (PayloadLayout::Compact, compact), (PayloadLayout::AsWritten, text)]
    {
        let once = formatted(text, Language::Markdown, payload, &(0..text.len()));
        assert_eq!(once, expected, "{payload:?}");
        let edits = format(&open(&once, Language::Markdown, payload), &(0..once.len()), &|| true);
        assert_eq!(edits, [], "{payload:?}");
    }
}

#[test]
fn fences() {
    check(
        "a  b\n```tool x\n{\"toolName\" : \"a\",\n\n \"input\":{\"n\": 1.50e0, \"l\": [ ], \"o\":{}, \"s\": \"\\u0061  b\"} }\n\n```\n",
        "a  b\n```tool x\n{\n  \"toolName\": \"a\",\n  \"input\": {\n    \"n\": 1.50e0,\n    \"l\": [],\n    \"o\": {},\n    \"s\": \"\\u0061  b\"\n  }\n}\n```\n",
        "a  b\n```tool x\n{\"toolName\":\"a\",\"input\":{\"n\":1.50e0,\"l\":[],\"o\":{},\"s\":\"\\u0061  b\"}}\n```\n",
    );
    check("```tool\n\n  {}   \n```\n", "```tool\n{}\n```\n", "```tool\n{}\n```\n");
    check("```tool\n{\"a\": 1}", "```tool\n{\n  \"a\": 1\n}", "```tool\n{\"a\":1}");
}

/// Formatting is idempotent in any container.
#[test]
fn lines_keep_container_prefixes() {
    for text in [
        "   a ###: {\"a\": 1,\n\"b\": {\"c\": 2}}\n",
        "1. ###: {\"a\": 1,\n\"b\": {\"c\": 2}}\n",
        "> ###: {\"a\": 1,\n\"b\": {\"c\": 2}}\n",
        " ```tool\n\n\n{\"a\": 1,\n\"b\": {\"c\": 2}}\n ```\n",
        "- ###:{\"a\": 1,\n\"b\": 2}###:{\"a\": 1,\n\"b\": 2}\n",
        "- ```tool\n    \n    {}",
        "> ```tool\n>\n> {}\n",
    ] {
        let once = formatted(text, Language::Markdown, PayloadLayout::Pretty, &(0..text.len()));
        assert_eq!(
            formatted(&once, Language::Markdown, PayloadLayout::Pretty, &(0..once.len())),
            once,
            "{text}"
        );
    }
    check(
        "   a ###: {\"a\": 1,\n\"b\": 2}\n",
        "   a ###: {\n  \"a\": 1,\n  \"b\": 2\n}\n",
        "   a ###: {\"a\":1,\"b\":2}\n",
    );
}

/// Parts of documents with payloads in containers, after text and over several lines.
const PIECES: &[&str] = &[
    "###:",
    "###: ",
    "{\"a\":1,",
    "\n\"b\":2}",
    "{\"toolName\":\"x\",\n\"parameters\":{\"c\":\n1}}",
    "    ",
    " ",
    "  ",
    "text ",
    "> ",
    "- ",
    "1. ",
    "\t",
    "\n",
    "\n\n",
    "```tool\n",
    "```\n",
    "{}",
    "{\"input\":{\"q\":[1,2]}}\n",
    "<tool>",
    "</tool>",
    "a\n",
    "# h\n",
    "\r\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn formatting_is_idempotent(picks in prop::collection::vec(prop::sample::select(PIECES), 3..10)) {
        let text = picks.concat();
        for payload in [PayloadLayout::Pretty, PayloadLayout::Compact] {
            let once = formatted(&text, Language::Markdown, payload, &(0..text.len()));
            let twice = formatted(&once, Language::Markdown, payload, &(0..once.len()));
            prop_assert_eq!(&twice, &once, "{:?} of {:?}", payload, text);
        }
    }
}

#[test]
fn containers_and_line_ends() {
    check(
        "> - ```tool\r\n>   {\"a\":1,\r\n>\r\n>   \"b\": 2}\r\n>   ```\r\n",
        "> - ```tool\r\n>   {\r\n>     \"a\": 1,\r\n>     \"b\": 2\r\n>   }\r\n>   ```\r\n",
        "> - ```tool\r\n>   {\"a\":1,\"b\":2}\r\n>   ```\r\n",
    );
    check(
        "  ~~~tool\n  {\"a\":[1]}\n  ~~~\n",
        "  ~~~tool\n  {\n    \"a\": [\n      1\n    ]\n  }\n  ~~~\n",
        "  ~~~tool\n  {\"a\":[1]}\n  ~~~\n",
    );
}

#[test]
fn markers() {
    let line = "So ###: {\"toolName\": \"a\", \"parameters\": { }} it is.\n";
    check(line, line, "So ###: {\"toolName\":\"a\",\"parameters\":{}} it is.\n");
    check(
        "###:\n{\"toolName\": \"a\",\n\"parameters\": {\"p\": 1}}\n",
        "###:\n{\n  \"toolName\": \"a\",\n  \"parameters\": {\n    \"p\": 1\n  }\n}\n",
        "###:\n{\"toolName\":\"a\",\"parameters\":{\"p\":1}}\n",
    );
    check(
        "> So many words: ###: {\"toolName\": \"a\",\n> \"parameters\": {}}\n",
        "> So many words: ###: {\n>   \"toolName\": \"a\",\n>   \"parameters\": {}\n> }\n",
        "> So many words: ###: {\"toolName\":\"a\",\"parameters\":{}}\n",
    );
}

#[test]
fn unformatted_text() {
    let same = |text: &str| check(text, text, text);
    same("```tool\n{\"a\":1,}\n```\n");
    same("```tool\n{\"a\":1} x\n```\n");
    same("```tool\n{\"a\":1\n");
    same("```tool\n[1]\n```\n");
    same("```json\n{\"a\":1}\n```\n");
    same("<tool>a(b={\"c\":1})</tool>\n\n🔧 **Tool Call:** `a(b={\"c\":1})`\n");
    same("```jsonl\n{\"type\":\"tool-call\",  \"toolCallId\":\"a\",\"toolName\":\"b\",\"input\":{}}\n```\n");
    let log = "{\"type\":\"tool-call\",  \"toolCallId\":\"a\",\"toolName\":\"b\",\"input\":{}}\n";
    assert_eq!(formatted(log, Language::Log, PayloadLayout::Pretty, &(0..log.len())), log);
}

#[test]
fn record_as_only_content_of_a_fence() {
    check(
        "```json\n{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"b\"}\n```\n",
        "```json\n{\n  \"type\": \"tool-call\",\n  \"toolCallId\": \"a\",\n  \"toolName\": \"b\"\n}\n```\n",
        "```json\n{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"b\"}\n```\n",
    );
}

#[test]
fn range_request_returns_only_its_edits() {
    let text = "```tool\n{\"a\":1,\n\"b\":2}\n```\n\n```tool\n{\"a\":1}\n```\n";
    let check = |range, expected: &str| {
        assert_eq!(formatted(text, Language::Markdown, PayloadLayout::Pretty, &range), expected);
    };
    check(0..5, text);
    check(
        16..17,
        "```tool\n{\"a\":1,\n  \"b\": 2}\n```\n\n```tool\n{\"a\":1}\n```\n".replace(": 2", ":2").as_str(),
    );
    check(30..text.len(), "```tool\n{\"a\":1,\n\"b\":2}\n```\n\n```tool\n{\n  \"a\": 1\n}\n```\n");
}

/// Compares the document after typing the character before `|` of `marked`; white space there is
/// the editor's own indentation after a line end.
#[track_caller]
fn typed(marked: &str, expected: &str) {
    let at = marked.find('|').expect("a position");
    let text = marked.replacen('|', "", 1);
    let character = text[..at].chars().next_back().expect("a character");
    let character = if character == ' ' { '\n' } else { character };
    let document = open(&text, Language::Markdown, PayloadLayout::Pretty);
    assert_eq!(applied(&text, &format_on_type(&document, at, character)), expected, "{marked}");
}

#[test]
fn on_type() {
    typed("```tool\n{\n|\n```\n", "```tool\n{\n  \n```\n");
    typed("```tool\n{\n|}\n```\n", "```tool\n{\n}\n```\n");
    typed("```tool\n{\n  \"input\": {\n|\"a\": 1\n```\n", "```tool\n{\n  \"input\": {\n    \"a\": 1\n```\n");
    typed("```tool\n{\n      |\"a\": 1", "```tool\n{\n  \"a\": 1");
    typed(
        "```tool\n{\n  \"input\": {\n    \"a\": [\n        ]|\n",
        "```tool\n{\n  \"input\": {\n    \"a\": [\n    ]\n",
    );
    typed("```tool\n{\"input\": {\"a\": 1}|\n```\n", "```tool\n{\"input\": {\"a\": 1}\n```\n");
    typed("```tool\n{\"a\":1}|\n```\n", "```tool\n{\n  \"a\": 1\n}\n```\n");
    typed("```tool\n{\"a\": \"}|\n```\n", "```tool\n{\"a\": \"}\n```\n");
    typed("> ```tool\n> {\n> |\"a\": 1\n", "> ```tool\n> {\n>   \"a\": 1\n");
    typed("a\n|b {\n", "a\nb {\n");
    typed("<tool>a(b={\n|", "<tool>a(b={\n");
    let hermes = "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_|call>\n";
    typed(hermes, &hermes.replace('|', ""));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]

    /// For any truncated document in any container: formatting keeps the tool uses and the
    /// diagnostics, and is idempotent.
    #[test]
    fn formatting_keeps_meaning_and_is_idempotent(
        (text, language) in cut_documents(),
        payload in prop::sample::select(vec![PayloadLayout::Pretty, PayloadLayout::Compact]),
    ) {
        let before = open(&text, language, payload);
        let edits = format(&before, &(0..text.len()), &|| true);
        let mut end = 0;
        for (range, written) in &edits {
            prop_assert!(end <= range.start && text.get(range.clone()).is_some());
            prop_assert!(text[range.clone()] != **written);
            prop_assert!(written.trim_matches(|c: char| c.is_whitespace() || c == '>').is_empty());
            end = range.end;
        }
        let after = before.edited(&edits);
        let uses = |document: &Document| -> Vec<_> {
            let mut uses = document.tool_uses();
            uses.iter_mut().for_each(|it| it.range = 0..0);
            uses
        };
        prop_assert_eq!(uses(&before), uses(&after));
        let diagnostics = |document: &Document| -> Vec<_> {
            document.diagnostics().into_iter().map(|it| (it.code, it.message)).collect()
        };
        prop_assert_eq!(diagnostics(&before), diagnostics(&after));
        prop_assert_eq!(format(&after, &(0..after.text().len()), &|| true), []);
    }

    #[test]
    fn typing_anywhere_is_safe((text, language) in cut_documents(), at in any::<prop::sample::Index>(), typed in 0..ON_TYPE.len()) {
        let mut text = text;
        let at = (0..=at.index(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        text.insert(at, ON_TYPE[typed]);
        let document = open(&text, language, PayloadLayout::Pretty);
        for (range, _) in format_on_type(&document, at + 1, ON_TYPE[typed]) {
            prop_assert!(text[range].trim_matches(|c: char| c.is_whitespace() || c == '>').is_empty());
        }
    }
}
