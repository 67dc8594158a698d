//! Fixtures of refactorings: the text with the cursor or selection, and the resulting text.

use std::sync::Arc;

use proptest::prelude::*;

use super::{ConversionOffers, Extraction, LONGEST_TRIED, Refactoring, conversion_scopes, refactorings};
use crate::call::{UseData, UseOutcome};
use crate::config::{FormatSettings, PayloadLayout, Settings};
use crate::document::{Document, Language};
use crate::features::conversion::{ConversionScope, new_errors, targets};
use crate::features::samples::cut_documents;
use crate::registry::{Registry, read_source};
use crate::text::Text;

fn open(text: &str, language: Language) -> Document {
    let format = FormatSettings { payload: PayloadLayout::Compact, ..FormatSettings::default() };
    Document::new(Text::new(text), language, Arc::new(Settings { format, ..Settings::default() }))
}

fn language_of(text: &str) -> Language {
    match text.chars().next() {
        Some('{' | 'd') => Language::Log,
        Some('[') => Language::Json,
        _ => Language::Markdown,
    }
}

/// The text after the refactoring that `make` returns for `marked`, in which `|` marks a position,
/// or two of them a selection.
#[track_caller]
fn made(marked: &str, make: impl FnOnce(std::ops::Range<usize>) -> Refactoring) -> Option<String> {
    let start = marked.find('|').unwrap_or_default();
    let end = marked.rfind('|').unwrap_or_default().saturating_sub(1).max(start);
    let document = open(&marked.replace('|', ""), language_of(marked));
    let edits = make(start..end).edits(&document).ok()?;
    let after = document.edited(&edits);
    Some(after.text().slice(0..after.text().len()).into_owned())
}

/// Applies the offered refactoring whose title begins with `title`, at `|`.
#[track_caller]
fn check(marked: &str, title: &str, expected: &str) {
    let start = marked.find('|').expect("a position");
    let end = marked.rfind('|').expect("a position").saturating_sub(1).max(start);
    let document = open(&marked.replace('|', ""), language_of(marked));
    let offered = refactorings(&document, &(start..end), ConversionOffers::Listed);
    let titles: Vec<_> = offered.iter().map(|it| it.title.as_str()).collect();
    let found =
        offered.iter().find(|it| it.title.starts_with(title)).unwrap_or_else(|| panic!("{titles:#?}"));
    let after = document.edited(&found.refactoring.edits(&document).expect("edits"));
    assert_eq!(after.text().slice(0..after.text().len()), expected);
}

#[track_caller]
fn offered(marked: &str, expected: &[&str]) {
    let at = marked.find('|').expect("a position");
    let document = open(&marked.replace('|', ""), language_of(marked));
    let offered = refactorings(&document, &(at..at), ConversionOffers::Listed);
    assert_eq!(offered.iter().map(|it| it.title.as_str()).collect::<Vec<_>>(), expected);
}

#[test]
fn offered_refactorings() {
    offered("prose| and nothing else\n", &[]);
    // Results of these calls cannot be written.
    offered(
        "{\"type\":\"agent.tool_use\",|\"id\":\"x\",\"name\":\"a\",\"input\":{}}\n",
        &["Give the call another id", "Number the ids of all calls in the document"],
    );
    offered(
        "```tool\n{\"toolCallId\":\"c\",|\"toolName\":\"a\",\"input\":[1]}\n```\n",
        &[
            "Complete the call with an empty result",
            "Give the call another id",
            "Move the call to a stream log of its own",
            "Convert to a `<tool>` tag (drops the id; changes the input)",
            "Convert to records of a stream log",
            "Number the ids of all calls in the document",
        ],
    );
    let others = || {
        targets()
            .filter(|(to, _)| to.name != "tag" && !to.is_of_other_programs)
            .map(|(_, description)| description)
    };
    let drops = "drops 1 list of unnamed arguments";
    let mut expected = vec![
        "Complete the call with an empty result".to_owned(),
        "Move the batch to a stream log of its own (drops the unnamed arguments)".to_owned(),
    ];
    expected.extend(others().map(|to| format!("Convert to {to}")));
    for what in ["the batch", "all tool calls in the document"] {
        expected.extend(others().map(|to| format!("Convert {what} to {to} ({drops})")));
    }
    let expected: Vec<_> = expected.iter().map(String::as_str).collect();
    offered("<tool>a()|</tool>\n<tool>b(c)</tool>\n\ntext\n\n<tool>c()\n</tool>\n", &expected);
}

#[test]
fn completing() {
    let empty = "Complete the call with an empty result";
    check(
        "```tool\n{\"toolName\":\"a\"|}\n```\n",
        empty,
        "```tool\n{\"toolName\":\"a\", \"output\": null}\n```\n",
    );
    check("<tool>a(|)</tool>\n", empty, "<tool>a()\n</tool>\n");
    let complete = |outcome: UseOutcome| {
        |range: std::ops::Range<usize>| Refactoring::Complete { at: range.start, outcome }
    };
    let text = || UseOutcome::Output(UseData::Text("x\n<y>".to_owned()));
    let failure = || UseOutcome::Error("no\nway".to_owned());
    let check = |marked: &str, outcome: UseOutcome, expected: &str| {
        assert_eq!(made(marked, complete(outcome)).as_deref(), Some(expected));
    };
    check(
        "> ```tool\n> {\"toolName\":\"a\",|\"state\":\"input-available\"}\n> ```\n",
        text(),
        "> ```tool\n> {\"toolName\":\"a\",\"state\":\"output-available\", \"output\": \"x\\n<y>\"}\n> ```\n",
    );
    check(
        "> ```tool\n> {\n>   \"toolName\": \"a\"|\n> }\n> ```\n",
        text(),
        "> ```tool\n> {\n>   \"toolName\": \"a\",\n>   \"output\": \"x\\n<y>\"\n> }\n> ```\n",
    );
    check("```tool\n{|}\n```\n", failure(), "```tool\n{\"errorText\": \"no\\nway\"}\n```\n");
    check("> <tool>a(|)</tool>\r\n", text(), "> <tool>a()\r\n> x\r\n> &lt;y&gt;</tool>\r\n");
    check("###: {\"toolName\": \"a\"|}\n", text(), "###: {\"toolName\": \"a\"}\n\n*🔧 Executed a: x <y>*\n");
    check(
        "###: {\"toolName\": \"a\"|}\n",
        failure(),
        "###: {\"toolName\": \"a\"}\n\n*❌ Error processing tool call*\n",
    );
    let call =
        "data: {\"type\":\"tool-input-available\",\"toolCallId\":\"c\",|\"toolName\":\"a\",\"input\":{}}\n";
    check(
        call,
        failure(),
        &format!(
            "{}\ndata: {{\"type\":\"tool-output-error\",\"toolCallId\":\"c\",\"errorText\":\"no\\nway\"}}\n",
            call.replace('|', "")
        ),
    );
    assert_eq!(made("```tool\n{|\"output\":1}\n```\n", complete(text())), None);
    assert_eq!(made("prose|\n", complete(text())), None);
}

#[test]
fn completing_by_name() {
    let text = || UseOutcome::Output(UseData::Text("ok".to_owned()));
    let check = |before: &str, outcome: UseOutcome, expected: Option<&str>| {
        let complete = |_| Refactoring::CompleteTool { tool: "a".to_owned(), outcome };
        assert_eq!(made(before, complete).as_deref(), expected, "{before}");
    };
    // The last pending call.
    check(
        "<tool>a(n=1)</tool> <tool>a(n=2)</tool> <tool>b()</tool> `<tool>a()</tool>`\n",
        text(),
        Some("<tool>a(n=1)</tool> <tool>a(n=2)\nok</tool> <tool>b()</tool> `<tool>a()</tool>`\n"),
    );
    check("<tool>a()</tool>", UseOutcome::Empty, Some("<tool>a()\n</tool>"));
    // No call is pending.
    let done = "<tool>a()\nold</tool>";
    for (end, gap) in [("", "\n\n"), ("\n", "\n"), ("\n\n", "")] {
        let expected = format!("{done}{end}{gap}<tool>a()\nok</tool>\n");
        check(&format!("{done}{end}"), text(), Some(&expected));
    }
    check("b\r\n", text(), Some("b\r\n\r\n```tool\r\n{\"toolName\":\"a\",\"output\":\"ok\"}\r\n```\r\n"));
    check(
        "",
        UseOutcome::Error("no".to_owned()),
        Some("```tool\n{\"toolName\":\"a\",\"errorText\":\"no\"}\n```\n"),
    );
    check("b\n", UseOutcome::Empty, None);
    // The text would become part of the open fence.
    check("````\nb\n", text(), None);
    check("{\"type\":\"finish\"}\n", text(), None);
}

#[test]
fn merging_and_unifying() {
    let two = "<tool>a()|</tool>\n\nand\n\n<validation>a\nok</validation>\n\n🔧 **Tool Call:** `b()`\n";
    let merged = "<tool>a()\nok</tool>\n\nand\n\n🔧 **Tool Call:** `b()`\n";
    check(two, "Write the result into its call", merged);
    check(&two.replace("a()|", "a()").replace("n>a", "n>|a"), "Write the result into its call", merged);
    check(two, "Convert all older forms", &merged.replace("🔧 **Tool Call:** `b()`", "<tool>b()</tool>"));
    // With the line ends of the document.
    let with_result = format!("{two}\n✅ **`b` result:**\none\ntwo\n");
    let unified = merged.replace("🔧 **Tool Call:** `b()`", "<tool>b()\none\ntwo</tool>");
    for line_end in ["\n", "\r\n", "\r"] {
        let written = |text: &str| text.replace('\n', line_end);
        check(&written(two), "Write the result into its call", &written(merged));
        check(&written(&with_result), "Convert all older forms", &written(&unified));
    }
    // A result without a call stays.
    let orphan = "<validation>c\nok</validation>\n\n";
    let converted = merged.replace("🔧 **Tool Call:** `b()`", "<tool>b()</tool>");
    check(&format!("{orphan}{two}"), "Convert all older forms", &format!("{orphan}{converted}"));
}

#[test]
fn ids() {
    let two =
        "```tool\n{\"toolCallId\":\"x\",|\"toolName\":\"a\"}\n```\n\n```tool\n{\"toolName\":\"b\"}\n```\n";
    check(
        two,
        "Give the call another id",
        "```tool\n{\"toolCallId\":\"x_1\",\"toolName\":\"a\"}\n```\n\n```tool\n{\"toolName\":\"b\"}\n```\n",
    );
    let second = two.replace('|', "").replace("\"b\"", "|\"b\"");
    check(
        &second,
        "Give the call an id",
        "```tool\n{\"toolCallId\":\"x\",\"toolName\":\"a\"}\n```\n\n```tool\n{\"toolCallId\": \"call_1\", \"toolName\":\"b\"}\n```\n",
    );
    // A value that is no id is replaced, and a misnamed id is renamed by its own fix.
    for value in ["5", "null", "{}"] {
        let text = |id: &str| format!("```tool\n{{\"toolName\":\"r\",\"toolCallId\":{id}}}\n```\n");
        check(&text(&format!("|{value}")), "Give the call an id", &text("\"call_1\""));
    }
    let record = "{\"type\":\"tool-call\",\"toolCallId\":7,\"toolName\":\"r\",\"input\":{}}\n";
    check(&format!("{{|{}", &record[1..]), "Give the call an id", &record.replace('7', "\"call_1\""));
    let misnamed = "```tool\n{\"toolName\":\"r\",|\"tool_call_id\":\"x\"}\n```\n";
    assert_eq!(made(misnamed, |range| Refactoring::NewId(range.start)), None);
    // On a line of its own if the members have lines of their own, with the container's prefix.
    for (prefix, line_end) in [("", "\n"), ("> ", "\r\n")] {
        let lines =
            |lines: &[&str]| lines.iter().map(|line| format!("{prefix}{line}{line_end}")).collect::<String>();
        check(
            &lines(&["```tool", "{", "  \"toolName\": |\"b\",", "  \"input\": {}", "}", "```"]),
            "Give the call an id",
            &lines(&[
                "```tool",
                "{",
                "  \"toolCallId\": \"call_1\",",
                "  \"toolName\": \"b\",",
                "  \"input\": {}",
                "}",
                "```",
            ]),
        );
    }
    let log = "{\"type\":\"tool-input-start\",\"id\":\"x\",|\"toolName\":\"a\"}\n{\"type\":\"tool-call\",\"toolCallId\":\"y\",\"toolName\":\"a\",\"input\":{}}\n{\"type\":\"tool-call\",\"toolCallId\":\"x\",\"toolName\":\"a\",\"input\":{}}\n{\"type\":\"tool-result\",\"toolCallId\":\"x\",\"output\":1}\n";
    check(
        log,
        "Number the ids",
        &log.replace('|', "").replace("\"x\"", "\"call_1\"").replace("\"y\"", "\"call_2\""),
    );
    // Where they have these numbers, it is not offered.
    let numbered = log.replace("\"x\"", "\"call_1\"").replace("\"y\"", "\"call_2\"");
    let at = numbered.find('|').expect("a position");
    let offered =
        refactorings(&open(&numbered.replace('|', ""), Language::Log), &(at..at), ConversionOffers::Listed);
    let is_one = |it: &super::OfferedRefactoring| matches!(it.refactoring, Refactoring::NumberIds);
    assert!(!offered.iter().any(is_one), "{offered:?}");
    // Nor where it fails: here the id is an attribute in a string.
    let escaped = include_str!("../../../tests/data/families/open-webui.json");
    let document = open(escaped, Language::Json);
    let at = escaped.find("name=").expect("a call");
    let offered = refactorings(&document, &(at..at), ConversionOffers::Listed);
    assert!(!offered.iter().any(is_one), "{offered:?}");
}

#[test]
fn secrets() {
    let key = "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\\n";
    let text = format!(
        "```tool\n{{\"toolName\":\"a\",|\"output\":\"{key}\"}}\n```\n\n```tool\n{{\"output\":\"{key}\"}}\n```\n"
    );
    let document = open(&text.replace('|', ""), Language::Markdown);
    let edits = Refactoring::Redact.edits(&document).expect("edits");
    assert_eq!(edits.len(), 2);
    assert!(!document.edited(&edits).text().to_string().contains("MIIE"));
}

#[test]
fn selections() {
    check(
        "<tool>a()</tool>\n\n|one\n\ntwo <2>|\n\nthree\n",
        "Make it the result of `a`",
        "<tool>a()\none\n\ntwo &lt;2&gt;</tool>\n\nthree\n",
    );
    check(
        "> ```tool\n> {\"toolName\":\"a\"}\n> ```\n>\n> |one\n>\n> two|\n",
        "Make it the result of `a`",
        "> ```tool\n> {\"toolName\":\"a\", \"output\": \"one\\n\\ntwo\"}\n> ```\n",
    );
    check(
        "Say |one| two\n",
        "Wrap it as a tool's result",
        "Say\n\n```tool\n{\"toolName\":\"tool\",\"output\":\"one\"}\n```\n\ntwo\n",
    );
    // Of a code block, the content.
    for selected in ["|```sh\none\n```|", "```sh\n|one|\n```"] {
        check(
            &format!("<tool>a()</tool>\n\n{selected}\n\ntwo\n"),
            "Make it the result of `a`",
            "<tool>a()\none</tool>\n\ntwo\n",
        );
    }
    check("<tool>a()\n</tool>\n\n|one|\n", "Wrap it", "<tool>a()\n</tool>\n\n<tool>tool()\none</tool>\n");
    // Helix sends the character under the cursor as a selection.
    let document = open("# Title\n", Language::Markdown);
    assert!(
        refactorings(&document, &(0..1), ConversionOffers::Listed).is_empty()
            && !refactorings(&document, &(0..2), ConversionOffers::Listed).is_empty()
    );
    // The losses are in the title.
    check(
        "###: {\"toolName\": \"a\"}\n\n|one\ntwo|\n",
        "Make it the result of `a` (changes the output)",
        "###: {\"toolName\": \"a\"}\n\n*🔧 Executed a: one two*\n",
    );
    let long = format!("<tool>a()\n</tool>\n\n{}", "word ".repeat(120));
    let found = refactorings(&open(&long, Language::Markdown), &(19..long.len()), ConversionOffers::Listed);
    assert_eq!(found[0].title, "Wrap it as a tool's result");
    // With a registry, an unknown name would be an error.
    let mut registry = Registry::default();
    registry.add(&read_source(r#"[{"name": "a"}]"#, "tools.json"));
    let settings = Settings { registry: Arc::new(registry), ..Settings::default() };
    let document =
        Document::new(Text::new("<tool>a()\n</tool>\n\none\n"), Language::Markdown, Arc::new(settings));
    let edits = Refactoring::Wrap(19..22).edits(&document).expect("edits");
    let after = document.edited(&edits);
    assert_eq!(after.text().slice(19..after.text().len()), "```tool\n{\n  \"output\": \"one\"\n}\n```\n");
    let none = |marked: &str| {
        let (start, end) = (marked.find('|').unwrap(), marked.rfind('|').unwrap() - 1);
        let document = open(&marked.replace('|', ""), language_of(marked));
        assert!(refactorings(&document, &(start..end), ConversionOffers::Listed).is_empty(), "{marked}");
    };
    none("a | | b\n");
    none("|text <tool>a()</tool>|\n");
    // The new call would get no result: the one before it would.
    none("<invoke name=\"a\">\n</invoke>\n\nso\n\n|one two|\n");
    // Results cannot be written in the form of the call before.
    let legacy = "🔧 **Tool Call:** `a(x=1)`\n\n";
    let written = format!("{legacy}```tool\n{{\"toolName\":\"tool\",\"output\":\"one two\"}}\n```\n");
    check(&format!("{legacy}|one two|\n"), "Wrap it", &written);
    // A fence that ends elsewhere, a result of another call, and messages of a request.
    none(
        "```tool\n{\"toolName\": \"a\"}\n```\n\n|```jsonl|\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"f\",\"input\":{}}\n```\n",
    );
    none("<read_file>\n<path>a</path>\n</read_file>\n\n|**User:**|\n\n[read_file for 'a'] Result:\n\none\n");
    none(r#"[{"role":"user","content":"|one two|"}]"#);
}

#[test]
fn records() {
    let result = "{\"type\":\"tool-result\",\"toolCallId\":\"x\",\"output\":1}\n";
    let start = "{\"type\":\"tool-input-start\",\"id\":\"x\",\"toolName\":\"a\"}\n";
    let call = "{\"type\":\"tool-call\",\"toolCallId\":\"x\",\"toolName\":\"a\",\"input\":{}}\n";
    let other = "{\"type\":\"text-delta\",\"text\":\"hi\"}\n";
    let title = "Sort the records";
    let log = |lines: &[&str]| lines.concat();
    let marked = |text: String| text.replacen("\"type\"", "\"|type\"", 1);
    check(&marked(log(&[result, other, call, start])), title, &log(&[start, other, call, result]));
    let fenced = |text: String| {
        format!(
            "> ```jsonl\n{}> ```\n",
            text.split_inclusive('\n').map(|line| format!("> {line}")).collect::<String>()
        )
    };
    check(&marked(fenced(log(&[call, start]))), title, &fenced(log(&[start, call])));
    let sorted = open(&log(&[start, call, result]), Language::Log);
    assert!(
        refactorings(&sorted, &(3..3), ConversionOffers::Listed)
            .iter()
            .all(|it| !it.title.starts_with(title))
    );
}

/// Editors ask for refactorings after each key: what they lose is only shown if that is soon known.
#[test]
fn refactorings_of_very_many_calls_are_offered_without_their_losses() {
    let titles = |text: &str, conversions| {
        let at = text.find("x=").expect("a call");
        let found = refactorings(&open(text, Language::Markdown), &(at..at), conversions);
        found.into_iter().map(|it| it.title).filter(|it| it.contains("stream log")).collect::<Vec<_>>()
    };
    let calls = |count| "<tool>a([1], x=2)\n</tool>\n".repeat(count);
    let moved = "Move the batch to a stream log of its own";
    let lost = format!("{moved} (drops the unnamed arguments)");
    assert_eq!(titles(&calls(3), ConversionOffers::Chosen), std::slice::from_ref(&lost));
    assert_eq!(titles(&calls(101), ConversionOffers::Chosen), [moved]);
    let long = format!("{}\n{}", calls(3), "text\n".repeat(LONGEST_TRIED / 5));
    assert_eq!(titles(&long, ConversionOffers::Chosen), [lost]);
}

#[test]
fn a_choice_is_offered_if_one_of_the_scopes_can_be_converted() {
    let is_offered = |text: &str| {
        let found = refactorings(&open(text, Language::Markdown), &(9..9), ConversionOffers::Chosen);
        found.iter().any(|it| it.title == "Convert…")
    };
    let (broken, call) = ("```tool\n{\"toolName\": \"a\",, \"input\": {\n```\n", "<tool>b()</tool>\n");
    assert!(!is_offered(broken));
    assert!(is_offered(&format!("{broken}\n{call}")));
    assert!(is_offered(&format!("{broken}\ntext\n\n{call}")));
}

#[test]
fn extraction() {
    let check = |marked: &str, log: &str, expected: &str| {
        let at = marked.find('|').expect("a position");
        let document = open(&marked.replace('|', ""), Language::Markdown);
        let found = Extraction::at(&document, at);
        let Some(found) = found else { return assert_eq!(expected, "", "{marked}") };
        assert_eq!(found.log, log);
        let after = document.edited(&[found.link("chat.calls-1.jsonl")]);
        assert_eq!(after.text().slice(0..after.text().len()), expected);
    };
    let a = "{\"type\":\"tool-call\",\"toolCallId\":\"x\",\"toolName\":\"a\"}\n";
    let b = "{\"type\":\"tool-call\",\"toolCallId\":\"tag-call-1\",\"toolName\":\"b\"}\n{\"type\":\"tool-result\",\"toolCallId\":\"tag-call-1\",\"toolName\":\"b\",\"output\":\"\"}\n";
    check(
        "> one\n>\n> ```tool\n> {\"toolCallId\":\"x\",|\"toolName\":\"a\"}\n> ```\n>\n> <tool>b()\n> </tool>\n\ntwo\n",
        &format!("{a}{b}"),
        "> one\n>\n> [🔧 2 tool calls · 1 pending](chat.calls-1.jsonl)\n\ntwo\n",
    );
    check(
        &format!("- ```jsonl\n  {}  ```\n", a.replace("\"type\"", "\"|type\"")),
        a,
        "- [🔧 1 tool call · 1 pending](chat.calls-1.jsonl)\n",
    );
    check("<tool>a()|</tool>\n\nand\n\n<validation>a\nok</validation>\n", "", "");
    check(&format!("```jsonl\n{}{{\"type\":\"finish\"}}\n```\n", a.replace("\"type\"", "\"|type\"")), "", "");
    check("prose|\n", "", "");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For every offered refactoring in any truncated document: its edits fit, and it adds no
    /// error.
    #[test]
    fn offered_refactorings_add_no_errors(
        (text, language) in cut_documents(),
        at in any::<prop::sample::Index>(),
        len in 0..60_usize,
    ) {
        let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap();
        let start = boundary(at.index(text.len() + 1));
        let document = open(&text, language);
        for offered in refactorings(&document, &(start..boundary(start + len)), ConversionOffers::Listed) {
            let edits = offered.refactoring.edits(&document);
            // An offered conversion can be applied, and so can other ids; in Markdown another id of
            // one call is offered without a trial.
            let is_promised = match offered.refactoring {
                Refactoring::Convert { .. } | Refactoring::NumberIds => true,
                Refactoring::NewId(_) => language != Language::Markdown,
                _ => false,
            };
            prop_assert!(edits.is_ok() || !is_promised, "{}", offered.title);
            let Ok(edits) = edits else { continue };
            let mut end = 0;
            for (range, _) in &edits {
                prop_assert!(end <= range.start && text.get(range.clone()).is_some(), "{}", offered.title);
                end = range.end;
            }
            prop_assert_eq!(new_errors(&document, &document.edited(&edits)), [], "{}", offered.title);
        }
    }
}

/// Calls in one block are converted together.
#[test]
fn scopes_are_those_that_can_be_converted() {
    let text = "<tool_call>\n[{\"name\": \"a\", \"arguments\": {}},\n {\"name\": \"b\", \"arguments\": {}}]\n</tool_call>\n";
    let document = open(text, Language::Markdown);
    let scopes = conversion_scopes(&document, text.find("\"a\"").unwrap());
    assert!(scopes.iter().all(|(scope, count)| *count == 2 && !matches!(scope, ConversionScope::Call(_))));
    assert!(!scopes.is_empty());
}

/// The result of a streamed call is in the next request, not in the stream.
#[test]
fn streamed_calls_take_no_result() {
    let call = r#"{"index":0,"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}"#;
    let text = format!(
        "data: {{\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"choices\":[{{\"index\":0,\"delta\":{{\"role\":\"assistant\",\"tool_calls\":[{call}]}}}}]}}\n"
    );
    let document = open(&text, Language::Log);
    assert_eq!(document.tool_uses().len(), 1);
    let at = text.find("\"name\"").unwrap();
    let offered = refactorings(&document, &(at..at), ConversionOffers::Chosen);
    assert!(!offered.iter().any(|it| it.title.starts_with("Complete")), "{offered:?}");
}
