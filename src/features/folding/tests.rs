//! Fixtures of folds: the text, and its folds as `first-last kind label`, lines from 0.

use std::sync::Arc;

use super::{Fold, FoldKind, FoldingCapabilities, folding_ranges, folding_ranges_in};
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::{Splice, Text};

fn open(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

fn show(fold: &Fold) -> String {
    let kind = match fold.kind {
        FoldKind::Batch => "batch".to_owned(),
        FoldKind::Call => "call".to_owned(),
        FoldKind::Section => "section".to_owned(),
        FoldKind::Json(depth) => format!("json{depth}"),
    };
    let label = fold.label.as_ref().map_or_else(String::new, |label| format!(" {label}"));
    format!("{}-{} {kind}{label}", fold.start_line, fold.end_line)
}

#[track_caller]
fn check_in(language: Language, text: &str, expected: &[&str]) {
    let document = open(text, language);
    let folds: Vec<_> = folding_ranges(&document, FoldingCapabilities::default()).iter().collect();
    let shown: Vec<_> = folds.iter().map(show).collect();
    assert_eq!(shown, expected, "in\n{text}");
    for fold in &folds {
        let meets = folds.iter().any(|other| fold.end_line == other.start_line);
        assert!(!meets, "a fold ends where another starts: {shown:?}");
        let crosses = |other: &&Fold| {
            (fold.start_line + 1..=fold.end_line).contains(&other.start_line)
                && other.end_line > fold.end_line
        };
        assert_eq!(folds.iter().find(crosses), None, "folds cross: {shown:?}");
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    check_in(Language::Markdown, text, expected);
    check_in(Language::Markdown, &text.replace('\n', "\r\n"), expected);
}

const SEARCH: &str = "```tool\n{\n  \"toolName\": \"search\",\n  \"input\": {\n    \"query\": \"cats\"\n  },\n  \"output\": [1]\n}\n```\n";

#[test]
fn call_folds_with_its_label() {
    check(SEARCH, &["0-8 call 🔧 search(query=cats) → [1]", "1-6 json0", "3-4 json1"]);
    check("a\n\n```tool\n{}\n```\n\nb\n", &["2-4 call 🔧 tool() ⏳"]);
    check("```tool\n{\"errorText\": \"no\\nway\"}\n```\n", &["0-2 call 🔧 tool() ✗ no way"]);
    check("```tool\n{\"output\": \"a\\nb\\n\"}\n```\n", &["0-2 call 🔧 tool() → 2 lines"]);
}

#[test]
fn batch_is_one_fold() {
    let two =
        format!("{SEARCH}\n{}", SEARCH.replace("  \"output\": [1]\n", "  \"state\": \"output-error\"\n"));
    check(
        &two,
        &[
            "0-18 batch 🔧 2 tool calls · 1 failed",
            "1-8 call 🔧 search(query=cats) → [1]",
            "3-4 json1",
            "10-18 call 🔧 search(query=cats) ✗",
            "11-16 json0",
            "13-14 json1",
        ],
    );
    check(
        &format!("{SEARCH}text\n{SEARCH}"),
        &[
            "0-8 call 🔧 search(query=cats) → [1]",
            "1-6 json0",
            "3-4 json1",
            "10-18 call 🔧 search(query=cats) → [1]",
            "11-16 json0",
            "13-14 json1",
        ],
    );
    // A call and its separate result count once.
    check("###:{\"toolName\": \"a\"}\n\n*🔧 Executed a: fine*\n\ntext\n", &["0-2 call 🔧 a() → fine"]);
    check(
        "> ```tool\n> {}\n> ```\n>\n> ```tool\n> {\"output\": 1}\n> ```\n",
        &["0-6 batch 🔧 2 tool calls · 1 pending", "1-2 call 🔧 tool() ⏳", "4-6 call 🔧 tool() → 1"],
    );
}

/// A folded message would hide its batch, and editors allow one fold per line.
#[test]
fn tool_uses_have_precedence_over_messages() {
    check(
        "User: go\n\nAssistant: <tool>a()\nx</tool>\n<tool>b()\ny</tool>\n\nDone.\n\nUser: ok\n\nand\n",
        &["2-5 batch 🔧 2 tool calls", "4-5 call 🔧 b() → y", "9-11 section"],
    );
    check("Assistant: <tool>a()\nx</tool>\n\nDone.\n\nUser: ok\n", &["0-1 call 🔧 a() → x"]);
}

#[test]
fn tags_and_legacy_blocks_fold() {
    check(
        "<tool>run(cmd=pwd)\n/app</tool>\n\n<tool>run(cmd=[&quot;a&quot;])\nx\ny</tool>\n<tool>wait()</tool>\n",
        &["0-6 batch 🔧 3 tool calls · 1 pending", "3-5 call 🔧 run(cmd=[\"a\"]) → 2 lines"],
    );
    check("<tool>a()</tool>\n<validation>a\nok</validation>\n", &["0-2 call 🔧 a() → ok"]);
    check(
        "🔧 **Tool Call:** `save(file=a.py)`\n✅ **`save` result:**\nok\n",
        &["0-2 call 🔧 save(file=a.py) → ok"],
    );
    // Results that are not adjacent to their calls: the tool uses have no folds of their own.
    check(
        "###:{\"toolName\": \"a\"}\n###:{\"toolName\": \"b\"}\n*🔧 Executed a*\n*🔧 Executed b*\n",
        &["0-3 batch 🔧 2 tool calls"],
    );
}

#[test]
fn sections_and_other_fences_fold() {
    check(
        "# A\n\ntext\n\n## B\nmore\n\n```rust\nfn x() {}\n```\n\n# C\n> # not a section\n",
        &["0-9 section", "4-9 section", "7-9 section", "11-12 section"],
    );
    check("Title\n=====\ntext\n", &["0-2 section"]);
}

#[test]
fn records_of_a_log_fold_by_tool_use() {
    let log = concat!(
        "{\"type\":\"tool-input-start\",\"id\":\"c\",\"toolName\":\"search\"}\n",
        "{\"type\":\"tool-input-delta\",\"id\":\"c\",\"delta\":\"{}\"}\n",
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"search\",\"input\":{\"q\":1}}\n",
        "{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":\"ok\"}\n",
    );
    check_in(Language::Log, log, &["0-3 call 🔧 search(q=1) → ok"]);
    let two = format!("{log}{}", log.replace("\"c\"", "\"d\""));
    check_in(Language::Log, &two, &["0-7 batch 🔧 2 tool calls", "4-7 call 🔧 search(q=1) → ok"]);
    let error = "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{}}\n{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"result\":{\"error\":\"gone\"}}\n";
    check_in(Language::Log, error, &["0-1 call 🔧 x() ✗ gone"]);
}

#[test]
fn fenced_log_folds_with_its_fence() {
    let call = |id: &str| {
        format!("{{\"type\":\"tool-call\",\"toolCallId\":\"{id}\",\"toolName\":\"x\",\"input\":{{}}}}\n")
    };
    check(&format!("```jsonl\n{}```\n", call("a")), &["0-2 call 🔧 x() ⏳"]);
    check(&format!("```jsonl\n{}{}```\n", call("a"), call("b")), &["0-3 batch 🔧 2 tool calls · 2 pending"]);
    check(
        &format!("```jsonl\n{{\"type\":\"start\"}}\n{}{{\"type\":\"finish\"}}\n```\n", call("a")),
        &["0-4 section"],
    );
}

#[test]
fn no_fold_ends_where_another_starts() {
    check("<tool>a()\nx</tool> and <tool>b()\ny</tool>\n", &["0-1 call 🔧 a() → x"]);
}

#[test]
fn stray_bracket_removes_no_fold() {
    for stray in ["}", "]", "{", "["] {
        for place in ["\"input\": {", "\n    \"query\"", "\"toolName\": "] {
            let at = SEARCH.find(place).expect("a position") + place.len()
                - if place.starts_with('\n') { 7 } else { 0 };
            let text = format!("{}{stray}{}", &SEARCH[..at], &SEARCH[at..]);
            let document = open(&text, Language::Markdown);
            let starts: Vec<_> = folding_ranges(&document, FoldingCapabilities::default())
                .iter()
                .map(|fold| fold.start_line)
                .collect();
            assert!([0, 1, 3].iter().all(|start| starts.contains(start)), "{starts:?} in\n{text}");
        }
    }
}

#[test]
fn limited_client_gets_batches_first() {
    let document = open(&format!("# Title\n\n{SEARCH}\n{SEARCH}"), Language::Markdown);
    let kept = |limit| {
        let folds =
            folding_ranges(&document, FoldingCapabilities { range_limit: Some(limit), ..Default::default() });
        folds.iter().map(|fold| fold.kind).collect::<Vec<_>>()
    };
    assert_eq!(kept(1), [FoldKind::Batch]);
    assert_eq!(kept(3), [FoldKind::Batch, FoldKind::Call, FoldKind::Call]);
    assert_eq!(kept(5).last(), Some(&FoldKind::Json(0)));
}

/// "A fold stays in every reply while what it folds is being edited": at every step of typing a
/// member into a call, the folds that end after it stay.
#[test]
fn folds_stay_while_typing() {
    let before = format!("# Title\n\n{SEARCH}\n{SEARCH}");
    let mut document = open(&before, Language::Markdown);
    let starts = |document: &Document| {
        let folds = folding_ranges(document, FoldingCapabilities::default());
        folds.iter().map(|fold| fold.start_line).collect::<Vec<_>>()
    };
    let expected = starts(&document);
    let mut at = before.find("\"query\"").expect("a position to type at");
    for typed in "\"limit\": [\"a\\\"{\", {\"x\": tru}, 1], } ".chars() {
        let typed = typed.to_string();
        document.apply(Splice { start: at, removed: 0, inserted: typed.len() }, &typed);
        at += typed.len();
        // The typed text may start folds of its own.
        let now = starts(&document);
        let lost: Vec<_> = expected.iter().filter(|start| !now.contains(start)).collect();
        assert!(lost.is_empty(), "lost {lost:?} after {:?}", document.text().slice(0..at));
    }
}

#[test]
fn part_has_folds_with_a_line_in_it() {
    let text = "# One\n\n<tool>a()\nx</tool>\n\ntext\n\n# Two\n\n<tool>b()\ny</tool>\n\n<tool>c()\nz</tool>\n\n# Three\n\ntext\n";
    let document = open(text, Language::Markdown);
    let part = |lines| {
        let (total, found) = folding_ranges_in(&document, FoldingCapabilities::default(), lines);
        (total, found.iter().map(|fold| show(&fold)).collect::<Vec<_>>())
    };
    let all = folding_ranges(&document, FoldingCapabilities::default());
    let all: Vec<_> = all.iter().map(|fold| show(&fold)).collect();
    assert_eq!(part(0..usize::MAX), (all.len(), all.clone()));
    assert_eq!(part(3..4), (all.len(), vec!["0-5 section".to_owned(), "2-3 call 🔧 a() → x".to_owned()]));
    assert_eq!(part(15..99), (all.len(), vec!["15-17 section".to_owned()]));
    assert!(part(99..199).1.is_empty());
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
    check_in(Language::Log, LOG, &["1-3 section Assistant · m: Yes.", "2-3 call 🔧 rd() → x"]);
}

#[test]
fn a_message_ends_before_a_call_that_leaves_it() {
    let header = |role: &str| format!("<|start_header_id|>{role}<|end_header_id|>\n\n");
    let text = [
        &*header("user"),
        "q<|eot_id|>",
        &header("assistant"),
        "text\n\n<function=f>{\"a\": \"b\"}</function><|eom_id|>",
        &header("ipython"),
        "{\"r\": 1}<|eot_id|>",
        &header("assistant"),
        "done<|eot_id|>\n",
    ];
    check(&text.concat(), &["0-1 section", "2-5 section", "6-8 call 🔧 f(a=b) → {\"r\": 1}"]);
}

#[test]
fn a_call_does_not_begin_with_the_object_of_several_calls() {
    let call = |name: &str| {
        format!("  {{\n   \"name\": \"{name}\",\n   \"input_parameters\": {{}},\n   \"output\": \"d\"\n  }}")
    };
    let text = format!(
        "[\n{{\n \"input\": \"q\",\n \"tools_called\": [\n{},\n{}\n ]\n}}\n]\n",
        call("a"),
        call("b")
    );
    check_in(
        Language::Json,
        &text,
        &["1-15 section User: q", "3-13 json1", "4-13 batch 🔧 2 tool calls", "9-13 call 🔧 b() → d"],
    );
}

#[test]
fn a_batch_that_ends_in_a_fence_has_no_fold_of_the_fence() {
    let text = "```tool\n{\"toolName\":\"a\"}\n```\n```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"b\",\"input\":{}}\n{\"type\":\"finish\"}\n```\n";
    check(text, &["0-4 batch 🔧 2 tool calls · 2 pending", "1-2 call 🔧 a() ⏳"]);
}
