//! Fixtures of tokens: the text, and each of its tokens as `letter:text`.

use std::sync::Arc;

use proptest::prelude::*;

use super::{SemanticTokenKind, semantic_tokens};
use crate::config::Settings;
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::text::Text;

fn open(text: &str, language: Language) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings::default()))
}

fn letter(kind: SemanticTokenKind) -> &'static str {
    match kind {
        SemanticTokenKind::Mark => "m",
        SemanticTokenKind::Tool => "t",
        SemanticTokenKind::Field => "f",
        SemanticTokenKind::Parameter => "p",
        SemanticTokenKind::Property => "k",
        SemanticTokenKind::Id => "i",
        SemanticTokenKind::State => "s",
        SemanticTokenKind::String => "\"",
        SemanticTokenKind::Number => "n",
        SemanticTokenKind::Constant => "c",
        SemanticTokenKind::OutdatedMark => "m~",
        SemanticTokenKind::Error => "\"!",
    }
}

/// Compares the tokens of `text` with `expected`, joined by two spaces; `!` marks an error, `~` an
/// outdated form.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_in(Language::Markdown, text, expected);
}

#[track_caller]
fn check_in(language: Language, text: &str, expected: &str) {
    let document = open(text, language);
    let tokens = semantic_tokens(&document, 0..text.len(), &|| true);
    let shown = tokens.iter().map(|token| format!("{}:{}", letter(token.kind), &text[token.range.clone()]));
    assert_eq!(shown.collect::<Vec<_>>().join("  "), expected, "{text}");
}

/// The tool list and the answers of an object of xLAM are several calls in one object.
#[test]
fn several_calls_in_an_object() {
    check_in(
        Language::Json,
        r#"[{"query": "q", "tools": [{"name": "f", "description": "d", "parameters": {}}], "answers": [{"name": "f", "arguments": {"a": 1}}]}]"#,
        r#"k:"query"  ":"q"  k:"tools"  k:"name"  ":"f"  k:"description"  ":"d"  k:"parameters"  k:"answers"  k:"name"  t:"f"  k:"arguments"  p:"a"  n:1"#,
    );
}

#[test]
fn fences() {
    check(
        "``` tool x\n{\"toolCallId\": \"a\", \"toolName\": \"rd\", \"state\": \"output-error\",\n \"input\": {\"p\": {\"q\": [1, true]}, \"r\": \"👋\"},\n \"errorText\": \"no\", \"note\": null}\n```\n",
        "m:tool  f:\"toolCallId\"  i:\"a\"  f:\"toolName\"  t:\"rd\"  f:\"state\"  s:\"output-error\"  f:\"input\"  p:\"p\"  k:\"q\"  n:1  c:true  p:\"r\"  \":\"👋\"  f:\"errorText\"  \"!:\"no\"  f:\"note\"  c:null",
    );
    check("```json\n{\"toolName\": \"a\"}\n```\n\n    ```tool\n    {}\n", "");
    check("```tool\n[1, {\"a\": \"b\"}]\n```\n", "m:tool  n:1  k:\"a\"  \":\"b\"");
}

#[test]
fn incomplete_payloads() {
    check("```tool", "m:tool");
    check("```tool\n{\"toolName\": \"re", "m:tool  f:\"toolName\"  t:\"re");
    check("```tool\r\n{\"input\": {\"a\": , b: Tru", "m:tool  f:\"input\"  p:\"a\"  p:b  \":Tru");
    check("```tool\r\n{\"input\": {\"a\": True", "m:tool  f:\"input\"  p:\"a\"  c:True");
    check(
        "```tool\n{\"input\" {\"a\" 1 \"b\": 'x'}\n```\n",
        "m:tool  f:\"input\"  p:\"a\"  n:1  p:\"b\"  \":'x'",
    );
}

#[test]
fn markers() {
    check(
        "> x ###:\r\n> {\"toolName\": \"rd\", \"parameters\": {\"p\": 1}} y\r\n\r\n*🔧 Executed rd: fine*\r\n",
        "m:###:  f:\"toolName\"  t:\"rd\"  f:\"parameters\"  p:\"p\"  n:1  m:*🔧 Executed  t:rd  \":fine  m:*",
    );
    check("###: {}\n\n*❌ Tool rd not available*\n", "m:###:  m:*❌ Tool  t:rd  \"!: not available*");
    check("###: {}\n\n*❌ Invalid tool call format*\n", "m:###:  \"!:*❌ Invalid tool call format*");
}

#[test]
fn tags() {
    check(
        "- <tool>rd(p=a &lt; b, n=-1.5, c=true)\n  one\n\n  two</tool>\n",
        "m:<tool>  t:rd  p:p  \":a &lt; b  p:n  n:-1.5  p:c  c:true  \":one  \":two  m:</tool>",
    );
    check("<tool>rd()</tool> <tool>ls</tool>", "m:<tool>  t:rd  m:</tool>  m:<tool>  t:ls  m:</tool>");
    check("<tool>rd(cats) and</tool>", "m:<tool>  t:rd  \":cats  m:</tool>");
    check("<tool>rd(p=1\nmore", "m:<tool>  t:rd  p:p  n:1");
    check("<tool>r", "m:<tool>");
    check("<tool>", "m:<tool>");
    check("<validation>rd\nok</validation>", "m~:<validation>  t:rd  \":ok  m~:</validation>");
    check("a </tool> b", "");
}

#[test]
fn legacy_lines() {
    check(
        "🔧 **Tool Call:** `rd(p=1)`\n✅ **`rd` result:**\nok\nfine\n",
        "m~:🔧 **Tool Call:** `  t:rd  p:p  n:1  m~:`  m~:✅ **`  t:rd  m~:` result:**  \":ok  \":fine",
    );
}

#[test]
fn logs() {
    let log = "{\"type\":\"text-delta\",\"delta\":\"x\"}\ndata: {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"output\":{\"x\":1}}\n";
    let tokens = "m:\"tool-result\"  f:\"toolCallId\"  i:\"a\"  f:\"output\"  k:\"x\"  n:1";
    check_in(Language::Log, log, &format!("m:data:  f:\"type\"  {tokens}"));
    check(&format!("```sse\n{log}```\n"), &format!("m:sse  m:data:  f:\"type\"  {tokens}"));
    check_in(
        Language::Log,
        "9:{\"toolCallId\":\"a\",\"toolName\":\"rd\",\"args\":{\"p\":1}}",
        "m:9:  f:\"toolCallId\"  i:\"a\"  f:\"toolName\"  t:\"rd\"  f:\"args\"  p:\"p\"  n:1",
    );
}

#[test]
fn range_request_returns_only_its_tokens() {
    let text = "```tool\n{\"toolName\": \"a\"}\n```\n\n<tool>b</tool>\n";
    let document = open(text, Language::Markdown);
    let texts = |range| -> Vec<_> {
        semantic_tokens(&document, range, &|| true).into_iter().map(|token| &text[token.range]).collect()
    };
    assert_eq!(texts(9..10), ["\"toolName\""]);
    assert_eq!(texts(text.len() - 12..text.len()), ["<tool>", "b", "</tool>"]);
    assert_eq!(texts(0..0), Vec::<&str>::new());
    let settings = Settings { enabled: false, ..Settings::default() };
    let left_out = Document::new(Text::new(text), Language::Markdown, Arc::new(settings));
    assert_eq!(semantic_tokens(&left_out, 0..text.len(), &|| true), []);
    assert_eq!(semantic_tokens(&document, 0..text.len(), &|| false), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any truncated document, tokens are in order, disjoint, within one line and at character
    /// boundaries; the tokens of a range are the tokens of the document that touch the range.
    #[test]
    fn tokens_are_valid_in_truncated_documents(
        (text, language) in cut_documents(),
        from in any::<prop::sample::Index>(),
    ) {
        let text = &*text;
        let document = open(text, language);
        let all = semantic_tokens(&document, 0..text.len(), &|| true);
        let mut end = 0;
        for token in &all {
            prop_assert!(end <= token.range.start, "{:?}", token);
            let shown = text.get(token.range.clone());
            prop_assert!(shown.is_some_and(|it| !it.trim().is_empty() && !it.contains(['\n', '\r'])), "{:?}", token);
            end = token.range.end;
        }
        let from = from.index(text.len() + 1);
        let to = (from + 200).min(text.len());
        let touching: Vec<_> =
            all.into_iter().filter(|it| it.range.start < to && from < it.range.end).collect();
        prop_assert_eq!(semantic_tokens(&document, from..to, &|| true), touching);
    }
}

#[test]
fn arguments_in_strings_have_tokens() {
    check_in(
        Language::Log,
        r#"{"id": "a", "function": {"name": "f", "arguments": "{\"x\": [1, \"y\", {\"z\": null}]}"}}"#,
        "k:\"id\"  i:\"a\"  k:\"function\"  k:\"name\"  t:\"f\"  k:\"arguments\"  p:\\\"x\\\"  n:1  \":\\\"y\\\"  k:\\\"z\\\"  c:null",
    );
    check_in(
        Language::Log,
        r#"{"type": "tool_use", "id": "a", "name": "f", "input": {"x": {"y": 1}}}"#,
        "k:\"type\"  \":\"tool_use\"  k:\"id\"  i:\"a\"  k:\"name\"  t:\"f\"  k:\"input\"  p:\"x\"  k:\"y\"  n:1",
    );
}

#[test]
fn calls_in_the_text_of_a_message() {
    check_in(
        Language::Log,
        r#"{"role": "assistant", "content": "Now\n<read_file>\n<path>a</path>\n</read_file>\n<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1}}</tool_call>\n<invoke name=\"g\"></invoke>"}"#,
        "k:\"role\"  \":\"assistant\"  k:\"content\"  t:read_file  k:\\\"name\\\"  t:\\\"f\\\"  k:\\\"arguments\\\"  p:\\\"x\\\"  n:1  t:g",
    );
}
