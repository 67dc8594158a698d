//! Fixtures of completions: a document with a position, the items offered there, and the document
//! after accepting one.

mod calls;
mod elements;
mod kept;
mod logs;
mod typing;

use std::sync::Arc;

use super::{Completion, CompletionRequest, completions};
use crate::config::{Protocol, Settings};
use crate::document::{Document, Language};
use crate::registry::{Registry, read_source};
use crate::text::{Splice, Text};

const TOOLS: &str = r#"[
    {"name": "now", "description": "Tells the time.\nExactly."},
    {"name": "read", "description": "Reads a file.", "inputSchema": {"type": "object", "properties": {
        "limit": {"type": "integer", "default": 100},
        "path": {"type": "string"},
        "mode": {"enum": ["text", "binary"]},
        "all": {"type": "boolean", "deprecated": true}}, "required": ["path"]}},
    {"name": "search", "inputSchema": {"type": "object", "properties": {
        "query": {"type": "string", "examples": ["cats, \"and\" dogs"]},
        "filter": {"type": "object", "required": ["kind"], "properties": {
            "kind": {"enum": ["web", "news"]}, "tags": {"type": "array", "items": {"enum": ["a", "b", 3, null]}}}}},
        "required": ["filter", "query"]}}
]"#;

fn settings() -> Settings {
    let mut registry = Registry::default();
    registry.add(&read_source(TOOLS, "tools.json"));
    Settings { registry: Arc::new(registry), ..Settings::default() }
}

const SNIPPETS: CompletionRequest = CompletionRequest { trigger: None, snippets: true, indents: false };

fn open(text: &str, settings: Settings) -> Document {
    let is_log = text.starts_with(['{', 'd', '9']) || text.is_empty();
    let language = if is_log { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, Arc::new(settings))
}

fn offered(marked: &str, settings: Settings, request: CompletionRequest) -> (String, Vec<Completion>) {
    let at = marked.find('|').expect("a position");
    let text = marked.replacen('|', "", 1);
    let found = completions(&open(&text, settings), at, request);
    for item in &found {
        let range = &item.edit.0;
        assert!(range.start <= at && at <= range.end, "{item:?} in {marked}");
        assert!(!text[range.clone()].contains(['\n', '\r']), "{item:?} in {marked}");
    }
    (text, found)
}

/// Compares the items offered at `|` of `marked`, best first.
#[track_caller]
fn check_with(settings: Settings, marked: &str, expected: &str) {
    let (_, found) = offered(marked, settings, SNIPPETS);
    let labels: Vec<_> = found.iter().map(|item| item.label.as_str()).collect();
    assert_eq!(labels.join(" "), expected, "{marked}");
}

#[track_caller]
fn check(marked: &str, expected: &str) {
    check_with(settings(), marked, expected);
    check_with(settings(), &marked.replace('\n', "\r\n"), expected);
    if !open(marked, settings()).text().is_empty() && !marked.starts_with(['{', 'd', '9', '|']) {
        let quoted = marked.lines().map(|line| format!("> {line}\n")).collect::<String>();
        check_with(settings(), quoted.trim_end_matches('\n'), expected);
    }
}

/// Compares `marked` after accepting the item `label` at `|` as a snippet.
#[track_caller]
fn accept_as(request: CompletionRequest, marked: &str, label: &str, expected: &str) {
    let (mut text, found) = offered(marked, settings(), request);
    let item = found.iter().find(|item| item.label == label);
    let Some(item) = item else { panic!("{label} is not in {found:#?}") };
    let (range, new) = &item.edit;
    let typed = marked.find('|').map(|at| &text[range.start..at]).expect("a position");
    assert_eq!(item.filter.starts_with(['"', '\'']), typed.starts_with(['"', '\'']), "{item:?}");
    text.replace_range(range.clone(), new);
    if let Some((range, new)) = &item.more {
        assert!(range.end < item.edit.0.start, "{item:?}");
        text.replace_range(range.clone(), new);
    }
    assert_eq!(text, expected, "{label} in {marked}");
}

#[track_caller]
fn accept(marked: &str, label: &str, expected: &str) {
    accept_as(SNIPPETS, marked, label, expected);
}

#[test]
fn whole_calls() {
    check("```tool\n|\n```\n", "now read search");
    check("a\n\n```tool\n\n|", "now read search");
    check("```tool\nre|\n```\n", "now read search");
    check("x ###:|", "now read search");
    check("x ###: re| y", "now read search");
    check("x <tool>|", "now read search");
    check("x <tool>re| y", "now read search");
    check("x <to|", "now read search");
    accept(
        "```tool\n|\n```\n",
        "read",
        "```tool\n{\n  \"toolCallId\": \"call_1\",\n  \"toolName\": \"read\",\n  \"state\": \"output-available\",\n  \"input\": {\n    \"path\": \"$1\"\n  \\},\n  \"output\": \"$2\"\n\\}$0\n```\n",
    );
    accept(
        "> - ```tool\r\n>   re|\r\n>   ```\r\n",
        "now",
        "> - ```tool\r\n>   {\r\n>     \"toolCallId\": \"call_1\",\r\n>     \"toolName\": \"now\",\r\n>     \"state\": \"output-available\",\r\n>     \"input\": {$1\\},\r\n>     \"output\": \"$2\"\r\n>   \\}$0\r\n>   ```\r\n",
    );
    accept(
        "👋 ###: re|",
        "search",
        "👋 ###: {\"toolName\": \"search\", \"parameters\": {\"query\": \"${1:cats, \\\\\"and\\\\\" dogs}\", \"filter\": {\"kind\": \"${2|web,news|}\"\\}\\}\\}$0",
    );
    accept("a <tool>| b\n", "read", "a <tool>read(path=$1)</tool>$0 b\n");
    accept("a <tool>r|e</tool> b\n", "read", "a <tool>read(path=$1)$0</tool> b\n");
    accept(
        "a <to|",
        "search",
        "a <tool>search(query=$1, filter=${2:{&quot;kind&quot;: &quot;web&quot;\\}})</tool>$0",
    );
    accept("<tool>re|(a=1)</tool>", "read", "<tool>read(a=1)</tool>");
    let plain = CompletionRequest::default();
    accept_as(plain, "a ###:|", "read", "a ###:{\"toolName\": \"read\", \"parameters\": {\"path\": \"\"}}");
    accept_as(plain, "a <tool>|", "now", "a <tool>now()</tool>");
}

#[test]
fn fields() {
    let all = "toolCallId toolName state input output errorText";
    check("```tool\n{\"|\"}\n```\n", all);
    check("```tool\n{\"|", all);
    check("```tool\n{|}\n```\n", &format!("now read search {all}"));
    check("```tool\n{re|}\n```\n", &format!("{all} now read search"));
    check("```tool\n{\"toolName\": \"x\", \"output\": 1, |}\n```\n", "toolCallId state input");
    check("x ###:{\"|\"}", "toolName parameters");
    check("```tool\n{\n  \"toolName\": \"x\",\n  |\n\nmore\n", "toolCallId state input output errorText");
    check("```tool\n{\n  \"toolName\": \"x\",\n  |\nmore\n", "");
    accept(
        "```tool\n{\"|\"}\n```\n",
        "toolName",
        "```tool\n{\"toolName\": \"${1|now,read,search|}\"}\n```\n",
    );
    accept(
        "```tool\n{\"toolCallId\": \"a\"\n  |\n}\n```\n",
        "output",
        "```tool\n{\"toolCallId\": \"a\",\n  \"output\": \"$1\"\n}\n```\n",
    );
    accept(
        "```tool\n{'st|'}\n```\n",
        "state",
        "```tool\n{\"state\": \"${1|input-available,input-streaming,output-available,output-error|}\"}\n```\n",
    );
    accept("```tool\n{\"|\": 1}\n```\n", "output", "```tool\n{\"output\": 1}\n```\n");
    accept(
        "###:{\"toolName\": \"read\" |}",
        "parameters",
        "###:{\"toolName\": \"read\", \"parameters\": {\"path\": \"$1\"\\}}",
    );
}

#[test]
fn parameters() {
    check("```tool\n{\"toolName\": \"read\", \"input\": {|}}\n```\n", "path limit mode all");
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"path\": \"a\", \"|\n", "limit mode all");
    check("###:{\"toolName\": \"search\", \"parameters\": {\"filter\": {\"|\"}}}", "kind tags");
    check("```tool\n{\"input\": {|}}\n```\n", "");
    accept(
        "```tool\n{\"toolName\": \"read\", \"input\": {\"path\": \"a\" \"mo|\"}}\n```\n",
        "mode",
        "```tool\n{\"toolName\": \"read\", \"input\": {\"path\": \"a\" \"mode\": \"${1|text,binary|}\"}}\n```\n",
    );
    accept(
        "> ```tool\n> {\"toolName\": \"read\", \"input\": {\n>   \"path\": \"😀\"\n>   |\n> }}\n> ```\n",
        "limit",
        "> ```tool\n> {\"toolName\": \"read\", \"input\": {\n>   \"path\": \"😀\",\n>   \"limit\": ${1:100}\n> }}\n> ```\n",
    );
}

#[test]
fn values() {
    check("```tool\n{\"toolName\": |}\n```\n", "now read search");
    check("```tool\n{\"toolName\": \"re|\"}\n```\n", "now read search");
    check(
        "```tool\n{\"state\": \"|\", \"errorText\": \"x\"}\n```\n",
        "output-error input-streaming input-available output-available",
    );
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"mode\": \"|\"}}\n```\n", "text binary");
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"all\": |}}\n```\n", "true false");
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"limit\": |}}\n```\n", "100");
    check("```tool\n{\"toolName\": \"read\", \"input\": {\"path\": \"|\"}}\n```\n", "");
    check("```tool\n{\"toolName\": \"read\", \"input\": |}\n```\n", "{…}");
    check(
        "```tool\n{\"toolName\": \"search\", \"input\": {\"filter\": {\"tags\": [\"a\", |]}}}\n```\n",
        "a b 3 null",
    );
    check("```tool\n{\"toolName\": \"search\", \"input\": {\"filter\": {\"tags\": [\"|\"]}}}\n```\n", "a b");
    check("```tool\n{\"toolName\": \"search\", \"output\": \"|\"}\n```\n", "");
    accept("```tool\n{\"toolName\":|}\n```\n", "read", "```tool\n{\"toolName\": \"read\"}\n```\n");
    accept(
        "```tool\n{\"toolName\": \"re|, \"input\": {}}\n```\n",
        "read",
        "```tool\n{\"toolName\": \"read\", \"input\": {}}\n```\n",
    );
    accept("```tool\n{\"toolName\" |}\n```\n", "read", "```tool\n{\"toolName\" : \"read\"}\n```\n");
    let newer = Settings { protocol: Protocol::V6, ..settings() };
    check_with(
        newer,
        "```tool\n{\"state\": \"out|\"}\n```\n",
        "input-available input-streaming output-available output-error approval-requested approval-responded output-denied",
    );
}

#[test]
fn arguments() {
    check("<tool>read(|)</tool>", "path limit mode all");
    check("<tool>read(path=a, |", "limit mode all");
    check("<tool>read(path=a, l|</tool>", "limit mode all");
    check("<tool>read(mode=|)</tool>", "text binary");
    check("<tool>read(limit=1, all=|)</tool>", "true false");
    check("<tool>read(path=|)</tool>", "");
    check("<tool>read(path=a)\n|</tool>", "");
    check("🔧 **Tool Call:** `read(|)`", "path limit mode all");
    check("🔧 **Tool Call:** `re|`", "now read search");
    check("🔧 **Tool Call:** `read(a=1)`\n✅ **`re|` result:**\nok", "read now search");
    check("<validation>re|\nx</validation>", "now read search");
    check("###:{\"toolName\": \"read\", |", "parameters");
    check("###:{\"toolName\":\"read\"}\n\n*🔧 Executed |", "read now search");
    accept("<tool>read(path=a,|)</tool>", "mode", "<tool>read(path=a, mode=${1|text,binary|})</tool>");
    accept("<tool>read(|path=a)</tool>", "limit", "<tool>read(limit=${1:100}, path=a)</tool>");
    accept("<tool>read(pa|=a)</tool>", "limit", "<tool>read(limit=a)</tool>");
    accept(
        "<tool>search(query=|)</tool>",
        "cats, &quot;and&quot; dogs",
        "<tool>search(query=cats, &quot;and&quot; dogs)</tool>",
    );
    accept(
        "🔧 **Tool Call:** `search(query=|)`",
        "cats, \"and\" dogs",
        "🔧 **Tool Call:** `search(query=cats, \"and\" dogs)`",
    );
    accept("*🔧 Executed |", "now", "*🔧 Executed now*");
}

const START: &str = "{\"type\":\"tool-input-start\",\"id\":\"c1\",\"toolName\":\"read\"}\n";
const CALL: &str =
    "{\"type\":\"tool-call\",\"toolCallId\":\"c1\",\"toolName\":\"read\",\"input\":{\"path\":\"a\"}}\n";
const RESULT: &str = "{\"type\":\"tool-result\",\"toolCallId\":\"c1\",\"toolName\":\"read\",\"output\":1}\n";

#[test]
fn records() {
    check(
        &format!("{START}|"),
        "read read now search tool-input-start tool-input-delta tool-input-end tool-result tool-error",
    );
    check(&format!("{START}{CALL}|"), "read now search tool-input-start tool-result tool-error");
    check(&format!("{START}{CALL}{RESULT}|"), "read now search tool-input-start");
    check(&format!("{START}{CALL}|\n{RESULT}"), "read now search tool-input-start");
    check(
        &format!("```jsonl\n{START}{CALL}|\n```\n"),
        "read now search tool-input-start tool-result tool-error",
    );
    check("```json\n|\n```\n", "");
    accept(
        &format!("{START}{CALL}to|"),
        "tool-result",
        &format!(
            "{START}{CALL}{{\"type\":\"tool-result\",\"toolCallId\":\"c1\",\"toolName\":\"read\",\"output\":\"$1\"\\}}$0"
        ),
    );
    accept(
        &format!("{START}|"),
        "read",
        &format!(
            "{START}{{\"type\":\"tool-call\",\"toolCallId\":\"c1\",\"toolName\":\"read\",\"input\":{{\"path\":\"$1\"\\}}\\}}$0"
        ),
    );
    accept(
        &format!("data: {CALL}\n|"),
        "search",
        &format!(
            "data: {CALL}\ndata: {{\"type\":\"tool-call\",\"toolCallId\":\"c2\",\"toolName\":\"search\",\"input\":{{\"query\":\"${{1:cats, \\\\\"and\\\\\" dogs}}\",\"filter\":{{\"kind\":\"${{2|web,news|}}\"\\}}\\}}\\}}$0"
        ),
    );
    accept(
        "9:{\"toolCallId\":\"c1\",\"toolName\":\"now\",\"args\":{}}\n|",
        "now",
        "9:{\"toolCallId\":\"c1\",\"toolName\":\"now\",\"args\":{}}\n9:{\"toolCallId\":\"c2\",\"toolName\":\"now\",\"args\":{$1\\}\\}$0",
    );
}

#[test]
fn blank_line_in_list_item_is_indented() {
    accept(
        "- a\n\n  ```tool\n|\n  ```\n",
        "now",
        "- a\n\n  ```tool\n  {\n    \"toolCallId\": \"call_1\",\n    \"toolName\": \"now\",\n    \"state\": \"output-available\",\n    \"input\": {$1\\},\n    \"output\": \"$2\"\n  \\}$0\n  ```\n",
    );
    accept(
        "> 1. ```tool\n>    {\"toolName\": \"read\", \"input\": {\n>\n>|\n>    }}\n>    ```\n",
        "mode",
        "> 1. ```tool\n>    {\"toolName\": \"read\", \"input\": {\n>\n>    \"mode\": \"${1|text,binary|}\"\n>    }}\n>    ```\n",
    );
}

#[test]
fn new_tag_does_not_end_with_the_next_one() {
    let now = "<tool>now($1)</tool>$0";
    let behind = "\n\nMore <tool>now()</tool>\n";
    // On separate lines, the result has a line of its own.
    let with_result = "<tool>now($1)\n$2</tool>$0";
    accept(&format!("<tool>n|{behind}"), "now", &format!("{with_result}{behind}"));
    accept(&format!("- <to|{behind}"), "now", &format!("- {}{behind}", with_result.replace('\n', "\n  ")));
    accept("a <tool>n|<tool>now()</tool>\n", "now", &format!("a {now}<tool>now()</tool>\n"));
    accept("<tool>n|</tool>\n", "now", "<tool>now($1)$0</tool>\n");
}

#[test]
fn comma_is_followed_by_a_space() {
    accept(
        "###:{\"toolName\": \"read\", \"parameters\": {\"path\": \"a\",|}}",
        "mode",
        "###:{\"toolName\": \"read\", \"parameters\": {\"path\": \"a\", \"mode\": \"${1|text,binary|}\"}}",
    );
    accept(
        "{\"type\":\"tool-call\",\"toolName\":\"read\",\"input\":{\"path\":\"a\",|}}",
        "limit",
        "{\"type\":\"tool-call\",\"toolName\":\"read\",\"input\":{\"path\":\"a\",\"limit\":${1:100}}}",
    );
}

#[test]
fn calls_of_one_tool_have_distinct_details() {
    let check = |marked: &str, expected: &[&str]| {
        let (_, found) = offered(marked, settings(), SNIPPETS);
        let found = found.iter().filter(|item| item.label == "read");
        assert_eq!(found.filter_map(|item| item.detail.as_deref()).collect::<Vec<_>>(), expected, "{marked}");
    };
    check("|", &["tool-call · Reads a file.", "tool-input-available · Reads a file."]);
    check(&format!("{START}|"), &["c1 · Reads a file.", "Reads a file."]);
    check("```tool\n|\n```\n", &["Reads a file."]);
}

#[test]
fn line_code_determines_form_of_object() {
    check("9:{|}", "now read search toolName toolCallId args");
    accept("9:{|}", "now", "9:{\"toolCallId\":\"call_1\",\"toolName\":\"now\",\"args\":{$1\\}}");
}

#[test]
fn pieces_of_records() {
    let types = "tool-input-start tool-input-delta tool-input-end tool-call tool-result tool-error";
    check(&format!("{CALL}{{\"type\":\"|\"}}"), types);
    check(&format!("{CALL}{{\"|\"}}"), "type");
    check(&format!("{CALL}{{\"type\":\"tool-result\",\"|\"}}"), "toolCallId toolName input output");
    check(&format!("{CALL}{{\"type\":\"tool-result\",\"toolCallId\":\"|\"}}"), "c1");
    check(&format!("{CALL}{{\"type\":\"tool-call\",\"toolCallId\":\"|\"}}"), "c2");
    check(
        &format!("{CALL}{{\"type\":\"tool-call\",\"toolName\":\"read\",\"input\":{{|"),
        "path limit mode all",
    );
    check(
        "```json\n{\"type\": \"tool-call\", \"toolName\": \"read\",\n \"input\": {\"|\"}}\n```\n",
        "path limit mode all",
    );
    accept(
        &format!("{CALL}{{\"type\":\"tool-result\"|}}"),
        "output",
        &format!("{CALL}{{\"type\":\"tool-result\",\"output\":\"$1\"}}"),
    );
    accept(&format!("{CALL}{{\"type\":|}}"), "tool-error", &format!("{CALL}{{\"type\":\"tool-error\"}}"));
}

#[test]
fn languages() {
    check("a\n\n```|", "tool jsonl ndjson sse");
    check("a\n\n~~~ to|\n~~~\n", "tool jsonl ndjson sse");
    check("```\nx\n```|\n", "");
    check("```tool x|\n```\n", "");
    accept("- a\n\n  ```|\n\nmore\n", "tool", "- a\n\n  ```tool\n  {$1\\}\n  ```\n  $0\n\nmore\n");
    accept("````to|\n````\n", "tool", "````tool\n{$1\\}\n````\n");
    accept("```|\n{\"a\": 1}\n```\n", "tool", "```tool\n{\"a\": 1}\n```\n");
    accept("```|\n\n```tool\n{}\n```\n", "tool", "```tool\n{$1\\}\n```\n$0\n\n```tool\n{}\n```\n");
    accept("```js|", "jsonl", "```jsonl\n$1\n```\n$0");
    let indents = CompletionRequest { indents: true, ..SNIPPETS };
    accept_as(indents, "- a\n\n  ```|\n", "tool", "- a\n\n  ```tool\n{$1\\}\n```\n$0\n");
    accept_as(
        indents,
        "> - ```tool\n>   |\n>   ```\n",
        "now",
        "> - ```tool\n>   {\n>     \"toolCallId\": \"call_1\",\n>     \"toolName\": \"now\",\n>     \"state\": \"output-available\",\n>     \"input\": {$1\\},\n>     \"output\": \"$2\"\n>   \\}$0\n>   ```\n",
    );
}

#[test]
fn nothing_is_offered_in_prose() {
    for quiet in [
        "|",
        "Some prose. |",
        "# Heading|",
        "###|",
        "####: |",
        "a < b|",
        "a <|",
        "`###:|`",
        "`<tool|`",
        "    ###:|",
        "<!-- ###:| -->\n",
        "```js\n###:|\n```\n",
        "```js\n{\"|\"}\n```\n",
        "a \"quoted\": |",
        "```tool\n{}\n```\n|",
        "```tool\n{} |\n```\n",
        "###:|{\"toolName\": \"read\"}",
        "https://|",
    ] {
        let marked = format!("Prose.\n\n{quiet}");
        check_with(settings(), &marked, "");
    }
}

#[test]
fn trigger_character_limits_items() {
    let check = |trigger: char, marked: &str, expected: &str| {
        let (_, found) =
            offered(marked, settings(), CompletionRequest { trigger: Some(trigger), ..SNIPPETS });
        let labels: Vec<_> = found.iter().map(|item| item.label.as_str()).collect();
        assert_eq!(labels.join(" "), expected, "{trigger:?} in {marked}");
    };
    check('"', "###:{\"|\"}", "toolName parameters");
    check('"', "###:{\"toolName\": \"|\"}", "now read search");
    check(':', "###:{\"toolName\":|}", "");
    check(' ', "###:{\"toolName\": |}", "");
    check(' ', "###:{\"toolName\": \"read\", |}", "");
    check(' ', "###:{ |}", "");
    check('"', "###:{\"toolName\": \"read\"|}", "");
    check('"', "###:{\"toolName\": \"read\", \"parameters\": {\"path\": \"a\"|", "");
    check(':', "x ###:|", "now read search");
    check(' ', "x ###: |", "");
    check('<', "<|", "");
    check('>', "<tool>|", "now read search");
    check('>', "```tool\n>|\n```\n", "");
    check('(', "<tool>read(|", "path limit mode all");
    check(' ', "<tool>read(path=a, |", "");
    check('=', "<tool>read(mode=|", "text binary");
    check('=', "<tool>read(mode=text)\na=|", "");
    check('`', "```|", "");
    check('`', "`|", "");
}

#[test]
fn called_tools_are_offered_without_registry() {
    let none = Settings::default;
    check_with(none(), "```tool\n|\n```\n", "tool call");
    check_with(none(), "<tool>a(x=1)</tool>\n\n###:{\"toolName\": \"b\"}\n\n<tool>|", "b a");
    check_with(none(), "```tool\n{\"toolName\": \"a\"}\n```\n\n```tool\n{\"toolName\": \"|\"}\n```\n", "a");
}

#[test]
fn items_have_details() {
    let (_, found) =
        offered("```tool\n{\"toolName\": \"read\", \"input\": {\"|\"}}\n```\n", settings(), SNIPPETS);
    let details: Vec<_> =
        found.iter().map(|item| (item.detail.as_deref().unwrap_or_default(), item.is_deprecated)).collect();
    assert_eq!(
        details,
        [
            ("string, required", false),
            ("integer", false),
            ("\"text\" | \"binary\"", false),
            ("boolean", true)
        ]
    );
    assert!(found.iter().all(|item| item.filter == format!("\"{}", item.label)));
    let (_, found) = offered("```tool\n|\n```\n", settings(), SNIPPETS);
    assert_eq!(found[0].detail.as_deref(), Some("Tells the time."));
}
