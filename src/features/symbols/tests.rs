//! Fixtures of outlines: the text, and its outline as `kind name | detail «selected» ` with a dash
//! per level.

use std::sync::Arc;

use proptest::prelude::*;

use super::{OutlineSymbol, SymbolKind, document_symbols};
use crate::call::RoleNames;
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::Text;

fn open(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

fn show(document: &Document, symbols: &[OutlineSymbol], depth: usize, lines: &mut Vec<String>) {
    for symbol in symbols {
        let kind = match symbol.kind {
            SymbolKind::Conversation => "conversation",
            SymbolKind::Message => "message",
            SymbolKind::Batch => "batch",
            SymbolKind::Call => "call",
        };
        let text = document.text();
        let line = |at: usize| text.line_of_byte(at);
        let (start, end) = (line(symbol.range.start), line(symbol.range.end.saturating_sub(1)));
        let detail = if symbol.detail.is_empty() { String::new() } else { format!(" | {}", symbol.detail) };
        let selected = text.slice(symbol.selection.clone());
        let dashes = "-".repeat(depth);
        lines.push(format!("{dashes}{start}-{end} {kind} {}{detail} «{selected}»", symbol.name));
        show(document, &symbol.children, depth + 1, lines);
    }
}

#[track_caller]
fn check_in(language: Language, text: &str, expected: &[&str]) {
    let document = open(text, language);
    let symbols = document_symbols(&document, || true);
    let mut lines = Vec::new();
    show(&document, &symbols, 0, &mut lines);
    assert_eq!(lines, expected, "in\n{text}");
    assert_nested(&symbols, 0..document.text().len());
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    check_in(Language::Markdown, text, expected);
    check_in(Language::Markdown, &text.replace('\n', "\r\n"), expected);
}

/// Checks the requirements of LSP for document symbols.
fn assert_nested(symbols: &[OutlineSymbol], within: std::ops::Range<usize>) {
    for symbol in symbols {
        let (range, selection) = (&symbol.range, &symbol.selection);
        assert!(
            within.start <= range.start && range.start <= range.end && range.end <= within.end,
            "{symbol:?}"
        );
        assert!(range.start <= selection.start && selection.start <= selection.end, "{symbol:?}");
        assert!(selection.end <= range.end && !symbol.name.is_empty(), "{symbol:?}");
        assert_nested(&symbol.children, range.clone());
    }
}

#[test]
fn messages_contain_batches_and_batches_calls() {
    check(
        "# Chat 👋\n\nUser: what is it?\n\n**Assistant:**\n\nLet me see.\n\n```tool\n{\"toolName\": \"find\", \"input\": {\"q\": \"é\"}, \"output\": 3}\n```\n\n```tool\n{}\n```\n\nIt is 3.\n\nUser: thanks\n",
        &[
            "2-2 message User | what is it? «User»",
            "4-16 message Assistant | Let me see. «Assistant»",
            "-8-14 batch 2 tool calls | 1 pending «»",
            "--8-10 call find | (q=é) → 3 «\"find\"»",
            "--12-14 call tool | () ⏳ «»",
            "18-18 message User | thanks «User»",
        ],
    );
}

#[test]
fn lines_of_one_paragraph_are_messages() {
    check(
        "User: hi\nAssistant: <tool>run(cmd=ls)\na\nUser: b</tool>\nfine\nUser: ok\n",
        &[
            "0-0 message User | hi «User»",
            "1-4 message Assistant «Assistant»",
            "-1-3 call run | (cmd=ls) → 2 lines «run»",
            "5-5 message User | ok «User»",
        ],
    );
}

#[test]
fn syntax_of_calls_is_no_headline() {
    check(
        "**Assistant:**\n\n<tool>f(a=1)</tool>\n\nDone.\n\nAssistant: Now:\n<tool>f(b=2)</tool>\n",
        &[
            "0-4 message Assistant «Assistant»",
            "-2-2 call f | (a=1) ⏳ «f»",
            "6-7 message Assistant | Now: «Assistant»",
            "-7-7 call f | (b=2) ⏳ «f»",
        ],
    );
}

#[test]
fn headings_are_not_symbols() {
    check(
        "# Log\n\n## Set 1\n\n### User\n\nhi\n\n### 🤖 Assistant (x)\n\n#### Plan\n\n## Set 2\n\n### User\n\nbye\n",
        &[
            "4-6 message User | hi «User»",
            "8-10 message Assistant (x) | #### Plan «Assistant (x)»",
            "14-16 message User | bye «User»",
        ],
    );
    // There is no text before the first message, so that no heading ends one.
    check(
        "User: hi\n\nAssistant:\n\n# Answer\n\n## Why\n\ntext\n\n# More\n\nUser: ok\n",
        &[
            "0-0 message User | hi «User»",
            "2-10 message Assistant | # Answer «Assistant»",
            "12-12 message User | ok «User»",
        ],
    );
    check(
        "# T\n\n## Intro\n\n## User\n\nhi\n\n## Notes\n\nUser\n----\n\n#\n",
        &["4-8 message User | hi «User»", "10-11 message User «User»"],
    );
}

#[test]
fn role_names_come_from_settings() {
    let turns = RoleNames { user: vec!["Ünal".to_owned()], ..RoleNames::default() };
    let settings = Arc::new(Settings { turns, ..Settings::default() });
    let document = Document::new(Text::new("User: a\nünal:\nÜnal: b\n"), Language::Markdown, settings);
    let symbols = document_symbols(&document, || true);
    let names: Vec<_> = symbols.iter().map(OutlineSymbol::label).collect();
    assert_eq!(names, ["Ünal: b"]);
}

#[test]
fn text_outside_of_messages_has_no_symbol() {
    check(
        "> User: hi\n\n- Assistant: no\n\n```\nUser: no\n```\n\n    User: no\n\n<!--\nUser: no\n-->\n",
        &[],
    );
}

#[test]
fn conversations_of_a_log_contain_their_messages() {
    let line = concat!(
        r#"{"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "q"}, "#,
        r#"{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}]}"#,
        "\n"
    );
    let turns = [
        "-0-0 message System | s «»",
        "-0-0 message User | q «»",
        "-0-0 message Assistant «»",
        "--0-0 call f | () ⏳ «\"f\"»",
    ];
    check_in(Language::Log, line, &turns.map(|turn| turn.strip_prefix('-').unwrap_or(turn)));
    let of_line = |number: usize| {
        let begin = format!("{number}-{number} conversation Conversation {} | q «»", number + 1);
        let turns = turns.iter().map(|turn| turn.replace("0-0", &format!("{number}-{number}")));
        std::iter::once(begin).chain(turns).collect::<Vec<_>>()
    };
    let expected = [of_line(0), of_line(1)].concat();
    check_in(Language::Log, &line.repeat(2), &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

/// `calls` prints the same numbers: the conversation of a sub-agent has a number, too.
#[test]
fn conversations_of_sub_agents_are_numbered() {
    let line = concat!(
        r#"{"messages": [{"role": "user", "content": "q"}, "#,
        r#"{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]}, "#,
        r#"{"isSidechain": true, "agentId": "x", "role": "user", "content": "r"}]}"#,
        "\n"
    );
    let document = open(&line.repeat(2), Language::Log);
    let symbols = document_symbols(&document, || true);
    let names: Vec<_> = symbols.iter().map(|symbol| symbol.name.as_str()).collect();
    assert_eq!(names, ["Conversation 1", "Conversation 3"]);
}

#[test]
fn calls_of_each_dialect() {
    check(
        "###:{\"toolName\": \"a\"}\n\n*🔧 Executed a: fine*\n\ntext\n\n🔧 **Tool Call:** `b(x=1)`\n",
        &["0-2 call a | () → fine «\"a\"»", "6-6 call b | (x=1) ⏳ «b»"],
    );
    check("> - ```tool\n>   {\"toolName\": \"half", &["0-1 call tool | () ⏳ «»"]);
    let log = concat!(
        "{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"x\",\"input\":{}}\n",
        "{\"type\":\"tool-call\",\"toolCallId\":\"2\",\"toolName\":\"y\",\"input\":{}}\n",
        "{\"type\":\"tool-result\",\"toolCallId\":\"1\",\"toolName\":\"x\",\"output\":\"é\"}\n",
        "{\"type\":\"text-delta\",\"delta\":\"<tool>said()</tool>\"}\n",
    );
    check_in(
        Language::Log,
        log,
        &[
            "0-2 batch 2 tool calls | 1 pending «»",
            "-0-0 call x | () → é «\"x\"»",
            "-1-1 call y | () ⏳ «\"y\"»",
            "3-3 call said | () ⏳ «<tool>said()</tool>»",
        ],
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn symbols_are_nested_in_truncated_documents(
        (text, language) in cut_documents(),
        inserted in prop::sample::select(&["User: ", "\n# x\n", "```tool\n", "<tool>", "{", ""][..]),
        at in any::<prop::sample::Index>(),
    ) {
        let mut text = text;
        text.insert_str(text.floor_char_boundary(at.index(text.len() + 1)), inserted);
        let document = open(&text, language);
        assert_nested(&document_symbols(&document, || true), 0..text.len());
    }
}

fn count(symbols: &[OutlineSymbol], kind: SymbolKind) -> usize {
    let of = |symbol: &OutlineSymbol| usize::from(symbol.kind == kind) + count(&symbol.children, kind);
    symbols.iter().map(of).sum()
}

/// Editors request it after every change, and draw all of it.
#[test]
fn large_documents_have_bounded_symbols() {
    let message = "User: go\n\n<tool>a()</tool>\n<tool>b()</tool>\n\nand\n\n";
    for (messages, expected) in
        [(400, [400, 400, 800]), (600, [600, 600, 0]), (1500, [1500, 0, 0]), (3000, [2000, 0, 0])]
    {
        let document = open(&message.repeat(messages), Language::Markdown);
        let symbols = document_symbols(&document, || true);
        let found =
            [SymbolKind::Message, SymbolKind::Batch, SymbolKind::Call].map(|kind| count(&symbols, kind));
        assert_eq!(found, expected, "of {messages} messages");
    }
}

/// A session log.
const LOG: &str = r#"{"type": "user", "timestamp": "2026-01-01T00:00:00Z", "message": {"role": "user", "content": "Please\nread"}}
{"type": "assistant", "message": {"role": "assistant", "model": "m", "content": [{"type": "text", "text": "Yes."}]}}
{"type": "assistant", "message": {"role": "assistant", "model": "m", "content": [{"type": "tool_use", "id": "1", "name": "rd", "input": {}}]}}
{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "x"}]}}
{"type": "user", "message": {"role": "user", "content": "Thanks"}}
"#;

#[test]
fn turns_of_message_logs() {
    check_in(
        Language::Log,
        LOG,
        &[
            "0-0 message User · 2026-01-01 00:00:00Z | Please «»",
            "1-3 message Assistant · m | Yes. «»",
            "-2-3 call rd | () → x «\"rd\"»",
            "4-4 message User | Thanks «»",
        ],
    );
}

#[test]
fn tokens_of_templates_are_no_text() {
    let header = |role: &str| format!("<|start_header_id|>{role}<|end_header_id|>\n\n");
    let text = [&*header("user"), "q<|eot_id|>", &header("assistant"), "hi\n\nyou<|eot_id|>\n"].concat();
    check(&text, &["0-2 message user | q «user»", "2-6 message assistant | hi «assistant»"]);
}
