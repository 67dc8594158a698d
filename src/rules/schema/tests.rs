//! Fixtures of schema diagnostics, with `«…»` around the span and the messages beside; and tests of
//! their fixes.

use std::sync::Arc;

use crate::config::Settings;
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::document::{Document, Language};
use crate::registry::{Registry, preset, read_source};
use crate::rules;
use crate::text::Text;

mod elements;
mod planted;
mod property;

const TOOLS: &str = r##"{"tools": [
    {"name": "read", "inputSchema": {"type": "object", "required": ["path"], "properties": {
        "path": {"type": "string", "description": "The file. Relative."}, "limit": {"type": "integer", "minimum": 1},
        "follow": {"type": "boolean"}, "range": {"$ref": "#/$defs/range"}}, "$defs": {
        "range": {"type": "object", "required": ["start", "end"], "properties": {
            "start": {"type": "number"}, "end": {"type": "number"}, "unit": {"enum": ["line", "byte", "page"]}}}}}},
    {"name": "write", "inputSchema": {"type": "object", "additionalProperties": false, "required": ["path", "mode"],
        "properties": {"path": {"type": "string", "minLength": 1}, "mode": {"enum": ["append", "replace"]},
            "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}}},
    {"name": "draw", "inputSchema": {"type": "object", "required": ["shape"], "properties": {"shape": {"oneOf": [
        {"type": "object", "required": ["kind", "radius"], "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}},
        {"type": "object", "required": ["kind", "side"], "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}}]},
        "fill": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "grid": {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"enum": ["auto", "none"]}]}}}},
    {"name": "open", "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}},
        "additionalProperties": {"type": "number"}}},
    {"name": "any", "inputSchema": {"type": "object"}},
    {"name": "count", "inputSchema": {}, "outputSchema": {"type": "object", "required": ["total"],
        "properties": {"total": {"type": "integer"}}}}
]}"##;

fn settings() -> Arc<Settings> {
    let mut registry = Registry::default();
    for source in [read_source(TOOLS, "tools.json"), read_source(preset("chartsmith").unwrap(), "chartsmith")]
    {
        assert_eq!(source.problems, []);
        registry.add(&source);
    }
    Arc::new(Settings { registry: Arc::new(registry), ..Settings::default() })
}

/// `marked` has `«»` around the spans of the schema diagnostics, in order; `expected` has their
/// messages.
#[track_caller]
fn check_as(marked: &str, language: Language, expected: &[&str]) {
    let text = marked.replace(['«', '»'], "");
    let document = Document::new(Text::new(&text), language, settings());
    let diagnostics = document.diagnostics();
    let of_schemas = |code| matches!(code, Code::InvalidInput | Code::UnknownParameter);
    let mut found = text.clone();
    let mut edges: Vec<(usize, char)> = Vec::new();
    let mut ranges: Vec<_> = diagnostics
        .iter()
        .filter(|diagnostic| of_schemas(diagnostic.code))
        .map(|diagnostic| diagnostic.range.clone())
        .collect();
    ranges.dedup();
    for range in ranges {
        edges.extend([(range.start, '«'), (range.end, '»')]);
    }
    edges.sort();
    for (at, edge) in edges.into_iter().rev() {
        found.insert(at, edge);
    }
    assert_eq!(found, marked, "{diagnostics:#?}");
    let messages: Vec<&str> = diagnostics
        .iter()
        .filter(|diagnostic| of_schemas(diagnostic.code))
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    assert_eq!(messages, expected, "in {text}");
}

#[track_caller]
fn check(marked: &str, expected: &[&str]) {
    check_as(marked, Language::Markdown, expected);
}

/// Like [`check`], for an input in every dialect whose input is JSON.
#[track_caller]
fn check_input(tool: &str, input: &str, expected: &[&str]) {
    check(&format!("```tool\n{{\"toolName\": \"{tool}\", \"input\": {input}}}\n```\n"), expected);
    check(
        &format!("> - ```tool\n>   {{\"toolName\": \"{tool}\",\n>   \"input\":\n>   {input}}}\n>   ```\n"),
        expected,
    );
    check(&format!("> Sure ###: {{\"toolName\": \"{tool}\", \"parameters\": {input}}}\n"), expected);
    for fields in [
        "\"type\":\"tool-call\",\"input\"",
        "\"type\":\"tool-input-available\",\"input\"",
        "\"type\":\"tool-call\",\"args\"",
    ] {
        let record = format!("{{\"toolCallId\":\"c\",\"toolName\":\"{tool}\",{fields}:{input}}}\n");
        check_as(&record, Language::Log, expected);
        check(&format!("```jsonl\n{record}```\n"), expected);
    }
}

#[test]
fn a_valid_input_has_no_diagnostics() {
    check_input("read", r#"{"path": "a", "limit": 3, "range": {"start": 1, "end": 2.5}}"#, &[]);
    check_input("read", r#"{"path": "a", "limit": 123456789012345678901234567890}"#, &[]);
    check_input("read", r#"{"path": 1, "path": "a", "range": {"start": 1e999, "end": -1e999}}"#, &[]);
    check_input(
        "draw",
        r#"{"shape": {"kind": "circle", "radius": 1, "side": 2}, "fill": null, "grid": "auto"}"#,
        &[],
    );
    check_input("open", r#"{"name": "a", "b": 1}"#, &[]);
    check_input("any", r#"{"a": {"b": [1]}}"#, &[]);
    check_input("nothing", r#"{"a": {"b": [1]}}"#, &[]);
    check_input("text_editor", r#"{"command": "create", "path": "a", "content": ""}"#, &[]);
}

#[test]
fn violations_are_reported_at_their_spans() {
    check_input("read", r#"«{»"limit": 3}"#, &["`path` is missing: `read` needs it (string: The file)"]);
    check_input(
        "read",
        r#"{"path": «1», "limit": «"5"»}"#,
        &["`path` must be a string, found a number", "`limit` must be an integer, found a string"],
    );
    check_input("read", r#"{"path": "a", "limit": «0»}"#, &["`limit` must be at least `1`, found `0`"]);
    check_input("read", r#"{"path": "a", "limit": «1.5»}"#, &["`limit` must be an integer, found `1.5`"]);
    check_input(
        "read",
        r#"{"path": "a", "range": «{»"start": 1}}"#,
        &["`end` is missing: `range` needs it (number)"],
    );
    check_input(
        "read",
        r#"{"path": "a", "range": {"start": 1, "end": 2, "unit": «"lines"»}}"#,
        &["`unit` must be `line`, `byte` or `page`, found `lines`; did you mean `line`?"],
    );
    check_input(
        "write",
        r#"{"path": «""», "mode": «"Append"», "tags": «[«1», "a", "a"]»}"#,
        &[
            "`path` must not be empty",
            "`mode` must be `append` or `replace`, found `Append`; did you mean `append`?",
            "`tags` must not contain duplicate items",
            "`tags[0]` must be a string, found a number",
        ],
    );
    check_input(
        "write",
        r#"{"path": "a", "mode": "append", «"mod\u0065s"»: 1}"#,
        &["`modes` is not allowed: `write` takes only `mode`, `path` and `tags`; did you mean `mode`?"],
    );
    check(
        "```tool\n{\"toolName\": \"read\", \"input\": «[1]»}\n```\n",
        &["the input must be an object, found an array"],
    );
}

#[test]
fn the_closest_alternative_is_reported() {
    check_input(
        "draw",
        r#"{"shape": «{»"kind": "square"}}"#,
        &["`side` is missing: `shape` needs it (number)"],
    );
    check_input(
        "draw",
        r#"{"shape": {"kind": «"squar"», "side": 1}}"#,
        &["`kind` must be `square` or `circle`, found `squar`; did you mean `square`?"],
    );
    check_input(
        "draw",
        r#"{"shape": {"kind": "circle", "radius": «"1"»}}"#,
        &["`radius` must be a number, found a string"],
    );
    check_input(
        "draw",
        r#"{"shape": «1», "fill": «2»}"#,
        &["`shape` must be an object, found a number", "`fill` must be a string or `null`, found a number"],
    );
    check_input(
        "draw",
        r#"{"shape": {"kind": "circle", "radius": 1}, "grid": [1, «"2"»]}"#,
        &["`grid[1]` must be an integer, found a string"],
    );
    check_input(
        "text_editor",
        r#"«{»"command": "str_replace", "path": "a", "old_str": ""}"#,
        &[
            "`new_str` is missing: `text_editor` needs it (string: For `str_replace`: the text that replaces it)",
        ],
    );
    check_input(
        "text_editor",
        r#"«{»"command": "create", "path": "a"}"#,
        &["`content`, `new_str` or `file_text` is missing: `text_editor` needs one of them"],
    );
}

#[test]
fn unknown_names_are_reported() {
    check_input(
        "read",
        r#"{"path": "a", «"limt"»: 3}"#,
        &["`read` names no parameter `limt`; did you mean `limit`?"],
    );
    check_input(
        "read",
        r#"{"path": "a", "range": {"start": 1, "end": 2, «"x"»: 3}}"#,
        &["`range` names no property `x`"],
    );
    check_input(
        "draw",
        r#"{"shape": {"kind": "circle", "radius": 1, «"sid"»: 2}}"#,
        &["`shape` names no property `sid`; did you mean `side`?"],
    );
}

#[test]
fn an_absent_input_is_an_empty_object() {
    let missing = "`path` is missing: `read` needs it (string: The file)";
    check("```tool\n«{»\"toolName\": \"read\"}\n```\n", &[missing]);
    check("```tool\n«{»\"toolName\": \"read\", \"input\": null}\n```\n", &[missing]);
    check("###:«{»\"toolName\": \"read\", \"parameters\": null}\n", &[missing]);
    check("```tool\n{\"toolName\": \"read\", \"args\": {\"path\": \"a\"}}\n```\n", &[]);
    check("```tool\n{\"toolName\": \"read\", \"errorText\": \"no input\"}\n```\n", &[]);
    check("###:{\"toolName\": \"read\", \"parameters\": \"a\"}\n", &[]);
    check("```tool\n{\"toolName\": \"any\"}\n```\n", &[]);
}

#[test]
fn incomplete_and_invalid_calls_are_not_validated() {
    check("```tool\n{\"toolName\": \"read\", \"state\": \"input-streaming\"}\n```\n", &[]);
    check(
        "```tool\n{\"toolName\": \"write\", \"state\": \"input-streaming\", \"input\": {\"mode\": \"app\"}}\n```\n",
        &[],
    );
    check(
        "```tool\n{\"toolName\": \"read\", \"state\": \"input-streaming\", \"input\": {\"path\": «1»}}\n```\n",
        &["`path` must be a string, found a number"],
    );
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"path\": 1,}}\n```\n", &[]);
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"pa", &[]);
    for record in [
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"read\",\"input\":{\"path\":1},\"invalid\":true}\n",
        "{\"type\":\"tool-input-error\",\"toolCallId\":\"c\",\"toolName\":\"read\",\"input\":{\"path\":1},\"errorText\":\"x\"}\n",
        "{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"toolName\":\"read\",\"input\":{\"path\":1},\"output\":1}\n",
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"read\",\"args\":{}}\n",
        "{\"type\":\"tool-input-start\",\"id\":\"c\",\"toolName\":\"read\"}\n",
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"read\",\"input\":{\"path\":1}",
    ] {
        check_as(record, Language::Log, &[]);
    }
    let deep = format!("{{\"path\": {}1{}}}", "[".repeat(5000), "]".repeat(5000));
    check_input("read", &deep, &[]);
}

/// Typing a valid call character by character causes no schema diagnostics.
#[test]
fn typing_a_valid_call_causes_no_diagnostics() {
    let fields =
        "\"toolName\": \"write\", \"input\": {\"path\": \"a\", \"mode\": \"append\", \"tags\": [\"b\"]}";
    for text in [
        format!("> ```tool\n> {{{fields}, \"output\": 1}}\n> ```\n"),
        "###: {\"toolName\": \"read\", \"parameters\": {\"path\": \"a\", \"range\": {\"start\": 1, \"end\": 2}}}\n".to_owned(),
        format!("```jsonl\n{{\"type\": \"tool-call\", \"toolCallId\": \"c\", {fields}}}\n```\n"),
        "<tool>write(path=a, mode=append)\nok</tool>\n🔧 **Tool Call:** `write(path=a, mode=append)`\n".to_owned(),
    ] {
        for (end, _) in text.char_indices() {
            check(&text[..end], &[]);
        }
    }
}

#[test]
fn only_names_are_checked_in_display_text() {
    check("<tool>read(path=1, limit=many…)\nok</tool>\n", &[]);
    check(
        "> <tool>read(«limt»=5, path=a)</tool>\n",
        &["`read` names no parameter `limt`; did you mean `limit`?"],
    );
    check(
        "🔧 **Tool Call:** `write(path=a, «mdoe»=append)`\n",
        &["`write` names no parameter `mdoe`; did you mean `mode`?"],
    );
    check(
        "<tool>write(«foo»=1, «bar»=2)</tool>\n",
        &["`write` names no parameter `foo`", "`write` names no parameter `bar`"],
    );
    // It may be text: `path` extends to the end.
    check("<tool>read(path=def f(a, foo=1))</tool>\n", &[]);
    check("<tool>open(foo=1)</tool>\n<tool>any(foo=1)</tool>\n<tool>read()</tool>\n<tool>read(limt=1", &[]);
}

#[test]
fn an_output_is_validated_by_its_own_schema() {
    let fence = |output: &str, expected: &[&str]| {
        check(&format!("```tool\n{{\"toolName\": \"count\", \"output\": {output}}}\n```\n"), expected);
        let record = format!(
            "{{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"toolName\":\"count\",\"output\":{output}}}\n"
        );
        check_as(&record, Language::Log, expected);
    };
    let missing = "the output does not match the `outputSchema` of `count`: `total` is missing: the output of `count` needs it (integer)";
    fence(r#"«{»"sum": 1}"#, &[missing]);
    fence(
        r#"{"total": «"1"»}"#,
        &[
            "the output does not match the `outputSchema` of `count`: `total` must be an integer, found a string",
        ],
    );
    fence(r#"{"content": [], "structuredContent": «{»}}"#, &[missing]);
    fence(r#"{"total": 1, "more": 2}"#, &[]);
    for silent in [
        r#""3 files""#,
        "[]",
        "null",
        r#"{"content": [{"type": "text", "text": "3"}]}"#,
        r#"{"isError": true, "message": "no"}"#,
        r#"{"type": "json", "value": {}}"#,
    ] {
        fence(silent, &[]);
    }
    check("```tool\n{\"toolName\": \"count\", \"output\": {}, \"errorText\": \"no\"}\n```\n", &[]);
}

#[test]
fn messages_do_not_repeat_secrets() {
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    check_input(
        "write",
        &format!(r#"{{"path": "a", "mode": «"{token}"»}}"#),
        &["`mode` must be `append` or `replace`, found what looks like a secret"],
    );
    let long = "x".repeat(500);
    check_input(
        "write",
        &format!(r#"{{"path": "a", "mode": «"{long}"»}}"#),
        &[&format!("`mode` must be `append` or `replace`, found `{}…`", "x".repeat(39))],
    );
}

#[test]
fn at_most_twenty_violations_are_reported() {
    let expected: Vec<_> =
        (0..20).map(|at| format!("`tags[{at}]` must be a string, found a number")).collect();
    let items: Vec<String> =
        (0..30).map(|at| if at < 20 { format!("«{at}»") } else { at.to_string() }).collect();
    let input = format!(r#"{{"path": "a", "mode": "append", "tags": [{}]}}"#, items.join(", "));
    check_input("write", &input, &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

/// The schema diagnostics of the one block of `text`, and its content.
fn diagnostics_of(text: &str) -> (Vec<CallDiagnostic>, String) {
    let settings = settings();
    let document = Document::new(Text::new(text), Language::Markdown, settings.clone());
    let (mut diagnostics, mut content) = (Vec::new(), String::new());
    document.visit_calls(0, &mut |_, call| {
        content = call.content.to_owned();
        rules::check_call(call, &settings, &mut diagnostics);
    });
    (diagnostics, content)
}

fn applied(content: &str, fix: &Fix) -> String {
    let mut edits = fix.edits.clone();
    edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
    let mut text = content.to_owned();
    for (span, new) in edits {
        text.replace_range(span.range(), &new);
    }
    text
}

/// Applies the first fix of each diagnostic on a fence with `payload`; expects the results and
/// titles.
#[track_caller]
fn check_fixes(payload: &str, expected: &[(&str, &str)]) {
    let fence = |payload: &str| format!("```tool\n{payload}\n```\n");
    let (diagnostics, content) = diagnostics_of(&fence(payload));
    let mut found = Vec::new();
    for diagnostic in &diagnostics {
        for fix in &diagnostic.fixes {
            let mended = applied(&content, fix);
            let (after, _) = diagnostics_of(&fence(mended.trim_end()));
            assert!(!after.iter().any(|other| other.message == diagnostic.message), "{mended}: {after:#?}");
            assert!(after.len() < diagnostics.len(), "{mended}: {after:#?}");
            found.push((mended.trim_end().to_owned(), fix.title.clone()));
        }
    }
    let found: Vec<_> = found.iter().map(|(mended, title)| (mended.as_str(), title.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn fixes_correct_inputs() {
    check_fixes(
        r#"{"toolName": "read"}"#,
        &[(r#"{"toolName": "read", "input": {"path":""}}"#, "Insert `path`")],
    );
    check_fixes(
        r#"{"toolName": "read", "input": null}"#,
        &[(r#"{"toolName": "read", "input": {"path":""}}"#, "Insert `path`")],
    );
    check_fixes(
        r#"{"toolName": "read", "input": {}}"#,
        &[(r#"{"toolName": "read", "input": {"path": ""}}"#, "Insert `path`")],
    );
    let both = (
        r#"{"toolName": "write", "input": {"tags": [], "path": "x", "mode": "append"}}"#,
        "Insert `path`, `mode`",
    );
    check_fixes(r#"{"toolName": "write", "input": {"tags": []}}"#, &[both, both]);
    check_fixes(
        r#"{"toolName": "write", "input": {"path": "a", "mode": "Replace"}}"#,
        &[
            (r#"{"toolName": "write", "input": {"path": "a", "mode": "replace"}}"#, "Write `replace`"),
            (r#"{"toolName": "write", "input": {"path": "a", "mode": "append"}}"#, "Write `append`"),
        ],
    );
    check_fixes(
        r#"{"toolName": "read", "input": {"path": 1, "limit": "5"}}"#,
        &[
            (r#"{"toolName": "read", "input": {"path": 1, "limit": 5}}"#, "Write `5` without quotes"),
            (r#"{"toolName": "read", "input": {"path": "1", "limit": "5"}}"#, "Quote it"),
        ],
    );
    check_fixes(r#"{"toolName": "read", "input": {"path": "a", "limit": "0"}}"#, &[]);
    check_fixes(
        r#"{"toolName": "read", "input": "{\"path\": \"a\"}"}"#,
        &[(r#"{"toolName": "read", "input": {"path": "a"}}"#, "Write `{\"path\":\"a\"}` without quotes")],
    );
    let renamed = r#"{"toolName": "read", "input": {"path": "a"}}"#;
    check_fixes(
        r#"{"toolName": "read", "input": {"pth": "a"}}"#,
        &[
            (renamed, "Rename `pth` to `path`"),
            (r#"{"toolName": "read", "input": {"pth": "a", "path": ""}}"#, "Insert `path`"),
            (renamed, "Rename to `path`"),
        ],
    );
    check_fixes(
        r#"{"toolName": "read", "input": {"path": "a", "Limit": 5}}"#,
        &[(r#"{"toolName": "read", "input": {"path": "a", "limit": 5}}"#, "Rename to `limit`")],
    );
    check_fixes(r#"{"toolName": "read", "input": {"path": "a", "paths": 5}}"#, &[]);
    check_fixes(
        r#"{"toolName": "draw", "input": {"shape": {"kind": "square"}}}"#,
        &[(r#"{"toolName": "draw", "input": {"shape": {"kind": "square", "side": 0}}}"#, "Insert `side`")],
    );
    check_fixes(
        r#"{"toolName": "text_editor", "input": {"command": "create", "path": "a"}}"#,
        &[(
            r#"{"toolName": "text_editor", "input": {"command": "create", "path": "a", "content": ""}}"#,
            "Insert `content`",
        )],
    );
    let all = (
        r#"{"toolName": "text_editor", "input": {"command": "create", "path": "", "content": ""}}"#,
        "Insert `path`, `content`",
    );
    check_fixes(r#"{"toolName": "text_editor", "input": {"command": "create"}}"#, &[all, all]);
}
