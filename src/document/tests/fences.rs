//! Message logs in fences: they are read like files, wherever the fence stands; documentation is
//! not.

use std::sync::Arc;

use super::diagnostics::check_all;
use super::fixes::applied;
use super::logs::shown;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::folding::{FoldingCapabilities, folding_ranges};
use crate::features::goto::{GotoLinks, definition};
use crate::features::hover::hover;
use crate::features::inlay_hints::{HintKind, inlay_hints};
use crate::features::references::{references, subject};
use crate::features::rename::rename_id;
use crate::features::repair::repair;
use crate::features::semantic_tokens::semantic_tokens;
use crate::features::symbols::{OutlineSymbol, document_symbols};
use crate::features::transcript::{MessagePart, messages};
use crate::text::Text;

fn markdown(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::default())
}

/// The ways in which a fence may stand in Markdown: the prefix of its first line, and the prefix of
/// all others.
pub(super) const CONTAINERS: [(&str, &str); 6] =
    [("", ""), ("- ", "  "), ("> ", "> "), ("> 1. ", ">    "), ("- > ", "  >\t"), (">\t", ">\t")];

/// `json` in a fence of `language`, with text around it.
pub(super) fn fenced(json: &str, language: &str, (first, other): (&str, &str)) -> String {
    let lines = json.trim_end().lines().map(|line| format!("{other}{line}\n")).collect::<String>();
    format!("Text\n\n{first}```{language}\n{lines}{other}```\n\nText\n")
}

/// The tool uses and the problems of a document.
fn observed(document: &Document) -> (Vec<String>, Vec<String>, Vec<String>) {
    let text = document.text().to_string();
    let problems = document.diagnostics().into_iter().map(|problem| {
        format!("{}:{}:{}", problem.code.name(), &text[problem.range.clone()], problem.message)
    });
    let messages = document.messages().of_log().iter();
    let messages =
        messages.map(|it| format!("{}: {}", it.name(), document.headline(&mut document.cursor(), it, 80)));
    (document.tool_uses().iter().map(shown).collect(), problems.collect(), messages.collect())
}

/// Checks that a log in a fence is read like the same log as a file, in all containers, and that a
/// repair makes the same changes.
#[track_caller]
fn check_like_file(json: &str, language: Language, info: &str) {
    for line_end in ["\n", "\r\n"] {
        let file = Document::new(Text::new(&json.replace('\n', line_end)), language, Arc::default());
        let repaired = repair(&file).document.text().to_string();
        assert!(!file.tool_uses().is_empty(), "{json}");
        for container in CONTAINERS {
            let text = fenced(json, info, container).replace('\n', line_end);
            let document = markdown(&text);
            assert_eq!(observed(&document), observed(&file), "{text}");
            let expected = fenced(&repaired, info, container).replace('\n', line_end);
            assert_eq!(repair(&document).document.text().to_string(), expected);
        }
    }
}

const PRETTY: &str = r#"{
  "model": "m",
  "tools": [
    {"name": "read", "input_schema": {"type": "object", "properties": {"p": {"type": "string"}}}}
  ],
  "messages": [
    {"role": "user", "content": "q"},
    {
      "role": "assistant",
      "content": [
        {"type": "text", "text": "I read."},
        {"type": "tool_use", "id": "a", "name": "read", "input": {"p": 1}},
        {"type": "tool_use", "id": "b", "name": "raed", "input": {"p": "é👋"}}
      ]
    },
    {
      "role": "user",
      "content": [
        {"type": "text", "text": "See:"},
        {"type": "tool_result", "tool_use_id": "b", "content": "x"}
      ]
    },
    {"role": "asistant", "content": ""},
    {"role": "user", "content": "q"}
  ]
}
"#;

const LINES: &str = r#"{"role": "user", "content": "q"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{\"é\": 1,}"}}]}
{"role": "user", "content": "q"}
{"role": "assistant", "content": null, "tool_calls": [{"id": "b", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
{"role": "tool", "tool_call_id": "b", "content": "1"}
{"role": "tool", "tool_call_id": "c", "content": "2"}
"#;

const SESSION: &str = r#"{"type":"user","uuid":"1","parentUuid":null,"message":{"role":"user","content":"q"}}
{"type":"assistant","uuid":"2","parentUuid":"1","message":{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}}
{"type":"user","uuid":"3","parentUuid":"2","message":{"role":"user","content":"q"}}
"#;

#[test]
fn fences_are_read_like_files() {
    check_like_file(PRETTY, Language::Json, "json");
    check_like_file(PRETTY, Language::Json, "jsonc title=\"a {b}\"");
    check_like_file(LINES, Language::Log, "jsonl");
    check_like_file(SESSION, Language::Log, "ndjson");
}

/// The title of each fix, and the text after it.
fn fixes_of(document: &Document) -> Vec<(String, String)> {
    let text = document.text().to_string();
    let fixes = document.fixes_in_range(0..text.len()).into_iter().flat_map(|it| it.fixes);
    fixes.map(|fix| (fix.title.clone(), applied(&text, &fix.edits))).collect()
}

#[test]
fn fixes_write_the_prefixes_of_containers() {
    let pretty =
        PRETTY.replace("\"input\": {\"p\": 1}", "\"input\": {\n          \"p\": \"x\"\n        }").replace(
            "\"string\"}}}",
            "\"string\"}, \"n\": {\"type\": \"integer\"}}, \"required\": [\"p\", \"n\"]}",
        );
    for (json, language, info) in [(&*pretty, Language::Json, "json"), (LINES, Language::Log, "jsonl")] {
        let file = fixes_of(&Document::new(Text::new(json), language, Arc::default()));
        assert!(!file.is_empty());
        assert!(
            language == Language::Log || file.iter().any(|(_, text)| text.contains(",\n          \"n\": "))
        );
        for container in CONTAINERS {
            // Fixes that suppress a problem are comments, which JSON does not have.
            let mut found = fixes_of(&markdown(&fenced(json, info, container)));
            found.retain(|(title, _)| !title.starts_with("Suppress"));
            let expected: Vec<_> =
                file.iter().map(|(title, text)| (title.clone(), fenced(text, info, container))).collect();
            // Tabs become spaces.
            let plain = |all: Vec<(String, String)>| {
                all.into_iter().map(|(title, text)| (title, text.replace("\t", "  "))).collect::<Vec<_>>()
            };
            assert_eq!(plain(found), plain(expected), "{container:?}");
        }
    }
}

/// The outline, folds with labels, tokens and hints; and for each id its hover, references,
/// declaration and renaming.
fn features(document: &Document) -> Vec<Vec<String>> {
    let text = document.text().to_string();
    let all = 0..text.len();
    fn names(symbols: &[OutlineSymbol]) -> Vec<String> {
        symbols.iter().flat_map(|it| std::iter::once(it.label()).chain(names(&it.children))).collect()
    }
    let folds = folding_ranges(document, FoldingCapabilities::default());
    let tokens = semantic_tokens(document, all.clone(), &|| true).into_iter();
    let hints = inlay_hints(document, all).into_iter().filter(|hint| hint.kind != HintKind::Line);
    let ids = ["\"a\"", "\"read\", \"input\""].iter().flat_map(|it| text.match_indices(it));
    let ids = ids.map(|(at, _)| {
        let hover = hover(document, at + 1).map(|hover| hover.prose.to_plain());
        let found = subject(document, at + 1).map(|subject| references(document, &subject).len());
        let targets = |found| match found {
            GotoLinks::Here { targets, .. } => {
                targets.into_iter().map(|it| text[it.selection].to_owned()).collect()
            }
            _ => Vec::new(),
        };
        let declared = definition(document, at + 1).map(targets);
        let renamed = rename_id(document, at + 1, "new").map(|edits| edits.len());
        format!("{hover:?} {found:?} {declared:?} {renamed:?}")
    });
    vec![
        names(&document_symbols(document, || true)),
        folds.iter().filter_map(|fold| Some(fold.label?.to_string())).collect(),
        tokens.map(|token| format!("{:?} {}", token.kind, &text[token.range])).collect(),
        hints.map(|hint| hint.label).collect(),
        ids.collect(),
    ]
}

#[test]
fn features_show_fences_like_files() {
    for (json, language, info) in [(PRETTY, Language::Json, "json"), (LINES, Language::Log, "jsonl")] {
        let file = Document::new(Text::new(json), language, Arc::default());
        for container in CONTAINERS {
            let text = fenced(json, info, container);
            assert_eq!(features(&markdown(&text)), features(&file), "{text}");
        }
    }
}

#[test]
fn transcripts_show_fences_as_chats() {
    let document = markdown(&fenced(LINES, "jsonl", ("> ", "> ")));
    let parts = messages(&document).into_iter().flat_map(|message| message.items);
    let parts = parts.map(|part| match part {
        MessagePart::Text(text, _) | MessagePart::Thinking(text, _) => text.trim().to_owned(),
        MessagePart::Tools(tools) => tools.label,
    });
    assert_eq!(
        parts.collect::<Vec<_>>(),
        [
            "Text\n\n\n\n**User**\n\nq\n\n**Assistant**",
            "🔧 f(é=1) ⏳",
            "**User**\n\nq\n\n**Assistant**",
            "🔧 2 tool calls",
            "Text",
        ]
    );
    // To other forms of conversations, the fence is text.
    assert!(document.quoting_messages().tool_uses().is_empty());
}

#[test]
fn problems_stand_at_their_places() {
    let check = |fixture: &str| check_all(fixture, Language::Markdown, Settings::default());
    check(
        "> ```json\n> [{\"role\": \"user\", \"content\": \"q\"},\n>  {\"role\": \"assistant\", \"tool_calls\": [{\"id\": «missing-result:\"a\"», \
         \"type\": \"function\", \"function\": {\"name\": \"f\",\n>   \"arguments\": \"{\\\"é\\\": 1«invalid-json:,»}\"}}]},\n>  {\"role\": \"user\", \"content\": \"q\"}]\n> ```\n",
    );
    // An array that is cut off, or has gaps, is no whole conversation.
    check(
        "```json\n[{\"role\": \"user\", \"content\": \"q\"},\n {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \
         \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}]},\n ...\n {\"role\": \"user\", \"content\": \"q\"}]\n```\n",
    );
    check(&format!("```jsonl\n{LINES}...\n```\n").replacen("1,}", "1}", 1));
}

/// The number of tool uses in a fence of a transcript.
fn uses_in(json: &str, info: &str) -> usize {
    markdown(&format!("```{info}\n{json}\n```\n")).tool_uses().len()
}

#[test]
fn parts_of_conversations_are_documentation() {
    const CALL: &str = r#"{"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}"#;
    const RESULT: &str = r#"{"role": "tool", "tool_call_id": "a", "content": "1"}"#;
    const USER: &str = r#"{"role": "user", "content": "q"}"#;
    for (json, info, expected) in [
        (format!("[{USER}, {CALL}]"), "json", 1),
        (format!("[{CALL}, {RESULT}]"), "json", 1),
        (format!("{{\"messages\": [{USER}, {CALL}]}}"), "jsonc", 1),
        (format!("[[{USER}, {CALL}], [{USER}, {CALL}, {RESULT}]]"), "json", 1),
        (format!("{USER}\n{CALL}"), "jsonl", 1),
        (format!("{{\"jsonrpc\": 1, \"x\": {USER}}}\n{{\"jsonrpc\": 1, \"x\": {CALL}}}"), "json", 1),
        (format!("{{\"messages\": [{USER}, {CALL}]}}"), "ndjson", 1),
        // A call, a message, an answer of a server.
        (CALL.to_owned(), "json", 0),
        (format!("{{\"jsonrpc\": 1, \"x\": {USER}}}\n{CALL}"), "json", 0),
        (format!("[{CALL}]"), "json", 0),
        (CALL.to_owned(), "jsonl", 0),
        (format!("{{\"choices\": [{{\"message\": {CALL}}}]}}"), "json", 0),
        ("[{\"id\": \"a\", \"type\": \"function\", \"function\": {\"name\": \"f\", \"arguments\": \"{}\"}}]".to_owned(), "json", 0),
        // Results first.
        (format!("[{RESULT}, {USER}, {CALL}]"), "json", 0),
        // No calls.
        (format!("[{USER}, {USER}]"), "json", 0),
        // Not JSON, or not one value.
        (format!("messages = [{USER}, {CALL}]"), "json", 0),
        (format!("{USER}\n{CALL}"), "json", 0),
        (format!("[{USER}, {CALL}]"), "python", 0),
        (format!("[{USER}, {CALL}]"), "", 0),
        (String::new(), "json", 0),
    ] {
        assert_eq!(uses_in(&json, info), expected, "{info} {json}");
    }
}

#[test]
fn fences_are_conversations_of_their_own() {
    let text = format!("{}\n{}", fenced(PRETTY, "json", ("", "")), fenced(LINES, "jsonl", ("> ", "> ")));
    let (file, log) = (
        Document::new(Text::new(PRETTY), Language::Json, Arc::default()),
        Document::new(Text::new(LINES), Language::Log, Arc::default()),
    );
    let (mut uses, mut problems, mut turns) = observed(&file);
    let others = observed(&log);
    uses.extend(others.0);
    problems.extend(others.1);
    turns.extend(others.2);
    assert_eq!(observed(&markdown(&text)), (uses, problems, turns));
    // The same twice: nothing is a repetition.
    let twice = fenced("[{\"role\": \"user\", \"content\": \"q\"}, {\"role\": \"assistant\", \"content\": [{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"f\", \"input\": {}}]}]", "json", ("> ", "> ")).repeat(2);
    assert_eq!(markdown(&twice).tool_uses().len(), 2);
    assert_eq!(markdown(&twice).diagnostics(), []);
}

#[test]
fn fences_are_no_evidence() {
    let settings = Arc::new(Settings { is_named: false, ..Settings::default() });
    let read = |text: &str| Document::new(Text::new(text), Language::Markdown, Arc::clone(&settings));
    let text = fenced(PRETTY, "json", ("", ""));
    assert!(!read(&text).is_transcript());
    let document =
        read(&format!("{text}\n```tool\n{{\"toolName\": \"x\", \"input\": {{}}, \"output\": 1}}\n```\n"));
    assert!(document.is_transcript());
    assert_eq!(document.tool_uses().len(), 3);
    // An example of documentation is no conversation that a server has to accept.
    let example = fenced(
        "[{\"role\": \"user\", \"content\": \"q\"}, {\"role\": \"assistant\", \"content\": [{\"type\": \"tool_use\", \"id\": \"a\", \"name\": \"f\", \"input\": {}}]}, {\"role\": \"user\", \"content\": \"\"}]",
        "json",
        ("", ""),
    );
    let tool = "```tool\n{\"toolName\": \"x\", \"input\": {}, \"output\": 1}\n```\n";
    let text = format!("{example}\n{tool}");
    assert_eq!(read(&text).diagnostics(), []);
    assert_eq!(read(&text).tool_uses().len(), 2);
    assert_ne!(markdown(&text).diagnostics(), []);
}

#[test]
fn other_dialects_keep_their_fences() {
    let record = r#"{"type":"tool-call","toolCallId":"a","toolName":"x","input":{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}]}]}}"#;
    for info in ["json", "jsonl", "tool"] {
        let dialects: Vec<_> = markdown(&format!("```{info}\n{record}\n```\n"))
            .tool_uses()
            .iter()
            .map(|it| it.dialect)
            .collect();
        assert_eq!(dialects, [if info == "tool" { "fence" } else { "stream" }], "{info}");
    }
}
