//! Fixtures of hovers: the text with the position at `|`, the hovered text, and the plain text of
//! the hover.

use std::sync::Arc;

use proptest::prelude::*;

use super::hover;
use crate::config::{Protocol, Settings};
use crate::document::{Document, Language};
use crate::features::samples::cut_documents;
use crate::registry::{Registry, read_source};
use crate::text::Text;

const TOOLS: &str = r#"{"tools": [{
    "name": "rd",
    "description": "Reads a file.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "The | file."},
            "how": {"type": "object", "properties": {"mode": {"enum": ["fast", "safe"], "default": "safe"}}},
            "list": {"type": "array", "items": {"type": "integer", "description": "A number."}}
        },
        "required": ["path"]
    },
    "outputSchema": {"type": "object", "properties": {"size": {"type": "integer", "description": "Its bytes."}}}
}]}"#;

fn settings(protocol: Protocol) -> Settings {
    let mut registry = Registry::default();
    registry.add(&read_source(TOOLS, "tools.json"));
    Settings { registry: Arc::new(registry), protocol, ..Settings::default() }
}

fn open(text: &str) -> Document {
    let language = if text.starts_with(['{', 'd']) { Language::Log } else { Language::Markdown };
    Document::new(Text::new(text), language, Arc::new(settings(Protocol::Auto)))
}

/// At `|` of `marked` the hover of `text` begins with `expected`; there is no hover if `text` is
/// empty.
#[track_caller]
fn check(marked: &str, text: &str, expected: &str) {
    for marked in [marked.to_owned(), marked.replace('\n', "\r\n")] {
        let at = marked.find('|').expect("a position");
        let plain = marked.replacen('|', "", 1);
        let document = open(&plain);
        let found = hover(&document, at);
        let found = found.map(|hover| (plain[hover.range].replace("\r\n", "\n"), hover.prose.to_plain()));
        let (stands_at, shown) = found.unwrap_or_default();
        assert_eq!(stands_at, text, "{marked}: {shown}");
        assert!(shown.replace("\r\n", "\n").starts_with(expected), "{marked}:\n{shown}");
    }
}

#[track_caller]
fn check_nothing(marked: &str) {
    check(marked, "", "");
}

const TOOL: &str = "rd – a tool, from `tools.json`\n\nReads a file.\n\n- `path`  `string`  yes  The | file.\n- `how`  `object`\n- `list`  `array`";

#[test]
fn a_tool() {
    check("```tool\n{\"toolName\": \"r|d\"}\n```\n", "\"rd\"", TOOL);
    check("> ###: {\"toolName\": |\"rd\"}\n", "\"rd\"", TOOL);
    check("- <tool>|rd(path=a)</tool>\n", "rd", TOOL);
    check("<tool>r|d", "", "");
    check("🔧 **Tool Call:** `r|d()`\n", "rd", TOOL);
    check("<validation>r|d\nx</validation>\n", "rd", TOOL);
    check("*🔧 Executed x*\n\n###: {\"toolName\": \"rd\"}\n\n*🔧 Executed r|d: fine*\n", "rd", TOOL);
    check("data: {\"type\":\"tool-call\",\"toolName\":\"r|d\"}\n", "\"rd\"", TOOL);
    check(
        "```tool\n{\"toolName\": \"r|x\"}\n```\n",
        "\"rx\"",
        "rx – a tool\n\nNo registry has it; did you mean `rd`?",
    );
    let table = hover(&open("<tool>rd</tool>"), 6).unwrap().prose.to_markdown();
    assert!(table.contains("| `path` | `string` | yes | The \\| file. |"), "{table}");
}

#[test]
fn text_that_is_no_json() {
    check("```tool\n|“a”\n```\n", "", "");
}

#[test]
fn a_parameter() {
    let path = "path – `string`, required\n\nThe | file.";
    check("```tool\n{\"toolName\": \"rd\", \"input\": {\"pa|th\": 1}}\n```\n", "\"path\"", path);
    check("```tool\n{\"toolName\": \"rd\", \"input\": {\"path\": |1, x", "1", path);
    check("###: {\"toolName\": \"rd\", \"parameters\": {\"pa|th\": ", "\"path\"", path);
    check("<tool>rd(pa|th=👋 &lt;)</tool>\n", "path", path);
    check("<tool>rd(path=👋 &l|t;)\n</tool>\n", "👋 &lt;", &format!("{path}\n\n👋 <"));
    check("🔧 **Tool Call:** `rd(list=1, pa|th=2)`\n", "path", path);
    check(
        "{\"type\":\"tool-call\",\"toolName\":\"rd\",\"args\":{\"path\":\"a\\n|b\"}}\n",
        "\"a\\nb\"",
        &format!("{path}\n\na\nb"),
    );
    let mode = "mode – a parameter\n\nOne of: `fast`, `safe`. Default: `safe`.";
    check("```tool\n{\"toolName\": \"rd\", \"input\": {\"how\": {\"mo|de\": 1}}}\n```\n", "\"mode\"", mode);
    check(
        "```tool\n{\"toolName\": \"rd\", \"input\": {\"list\": [1, |2]}}\n```\n",
        "2",
        "[1] – `integer`\n\nA number.",
    );
    check(
        "```tool\n{\"toolName\": \"rd\", \"output\": {\"si|ze\": 1}}\n```\n",
        "\"size\"",
        "size – `integer`\n\nIts bytes.",
    );
    check_nothing("```tool\n{\"toolName\": \"rd\", \"input\": {\"ot|her\": 1}}\n```\n");
    check_nothing(
        "```tool\n{\"toolName\": \"rd\", \"input\": {|\"path\": 1}}\n```\n".replace("{|\"", "{| \"").as_str(),
    );
}

#[test]
fn a_field() {
    check(
        "```tool\n{\"toolCa|llId\": \"a\"}\n```\n",
        "\"toolCallId\"",
        "toolCallId – a string, in a tool fence\n\nThe unique id of the call",
    );
    check(
        "```tool\n{\"toolCallId\": \"|a\"}\n```\n",
        "\"a\"",
        "toolCallId – a string, in a tool fence\n\nThe unique id of the call",
    );
    check(
        "```tool\n{\"|input\" 1}\n```\n",
        "\"input\"",
        "input – any JSON, in a tool fence\n\nThe input of the tool",
    );
    check(
        "```tool\n{\"note|\": 1}\n```\n",
        "\"note\"",
        "note – not documented in a tool fence\n\nReaders ignore it",
    );
    check(
        "###: {\"pa|th\": 1}",
        "\"path\"",
        "path – not documented in a marker\n\nThe input of the tool belongs in `parameters`.",
    );
    check("###: {\"para|meters\": {}}", "\"parameters\"", "parameters – an object, in a marker");
    let log = "{\"type\":\"tool-input-delta\",\"id\":\"a\",\"delta\":\"{\\\"a\"}\n";
    check(
        &log.replace("\"id", "\"|id"),
        "\"id\"",
        "id – a string, in a `tool-input-delta` record\n\nThe id of the tool use",
    );
    check(&log.replace("\"delta\":", "\"del|ta\":"), "\"delta\"", "delta – a string");
    check(&log.replace("{\\\"", "{|\\\""), "\"{\\\"a\"", "{\"a");
    check(
        "{\"type\":\"tool-result\",\"toolCallId\":\"a\",\"preli|minary\":true}\n",
        "\"preliminary\"",
        "preliminary – a boolean, in a `tool-result` record",
    );
}

#[test]
fn a_state() {
    let done = "output-available – a state\n\nThe tool has returned `output`. Readers show";
    check("> ```tool\n> {\"state\": \"|output-available\"}\n> ```\n", "\"output-available\"", done);
    check(
        "```tool\n{\"sta|te\": 1}\n```\n",
        "\"state\"",
        "state – a string, in a tool fence\n\nThe state of the call",
    );
    check("```tool\n{\"state\": \"d|one\"}\n```\n", "\"done\"", "state – a string, in a tool fence");
    let text = "```tool\n{\"state\": \"output-denied\"}\n```\n";
    let shown = |protocol| {
        let document = Document::new(Text::new(text), Language::Markdown, Arc::new(settings(protocol)));
        let prose = hover(&document, 20).unwrap().prose.to_plain();
        let key = hover(&document, 10).unwrap().prose.to_plain();
        (prose.contains("protocol"), key.contains("`output-denied`"))
    };
    assert_eq!(shown(Protocol::Auto), (true, false));
    assert_eq!(shown(Protocol::V6), (false, true));
}

#[test]
fn decoded_string() {
    check("```tool\n{\"output\": \"a\\n|\\u00e9\\tb\"}\n```\n", "\"a\\n\\u00e9\\tb\"", "a\né\tb");
    check("```tool\n{\"output\": [{\"a\": \"x|\"}]}\n```\n", "\"x\"", "x");
    check("```tool\n{\"errorText\": \"n|o\"", "\"no\"", "no");
    check("```tool\n{\"output\": \"half \\n| writ", "\"half \\n writ", "half \n writ");
    check("> <tool>rd()\n> a &lt;| b\n> &amp;c</tool>\n", "a &lt; b\n> &amp;c", "a < b\n&c");
    check("<tool>run(c|ats)</tool>", "cats", "cats");
    check("<tool>run(a=\"b|\\tc\")</tool>", "\"b\\tc\"", "b\tc");
    check("<tool>run(a=[\"b|\"])</tool>", "[\"b\"]", "[\"b\"]");
    check("🔧 **Tool Call:** `rd()`\n✅ **`rd` result:**\no|k\nfine\n", "ok\nfine", "ok\nfine");
    check_nothing("```tool\n{\"output\": \"|\"}\n```\n".replace("\"|\"", "|\"\"").as_str());
    let long = format!("```tool\n{{\"output\": \"|{}\"}}\n```\n", "x\\n".repeat(100));
    let at = long.find('|').unwrap();
    let shown = hover(&open(&long.replace('|', "")), at).unwrap().prose.to_plain();
    assert_eq!(shown, format!("{}\n\n… (200B in all)", "x\n".repeat(60).trim_end()));
}

const CALL: &str = r#"{"type":"tool-input-available","toolCallId":"#;

#[test]
fn a_call_with_its_batch_and_its_events() {
    let one = "🔧 rd(path=a) → 1\n\nIn the UI message stream it is:\n\n".to_owned()
        + CALL
        + "\"tool-call-1\",\"toolName\":\"rd\",\"input\":{\"path\":\"a\"}}\n"
        + "{\"type\":\"tool-output-available\",\"toolCallId\":\"tool-call-1\",\"output\":1}";
    let fence = "```tool x\n{\"toolName\": \"rd\", \"input\": {\"path\": \"a\"}, \"output\": 1}\n```\n";
    check(&fence.replace("``tool", "``to|ol"), "```tool x", &one);
    check(&fence.replace("{\"toolName", "|{\"toolName"), "{", &one);
    check_nothing(&fence.replace("\n```\n", "\n|```\n"));
    check_nothing(&fence.replace(", \"output", ",| \"output"));
    let two = "> <to|ol>a()</tool>\n> <tool>b()\n> x\n> y</tool>\n";
    let batch =
        "🔧 2 tool calls · 1 pending\n  a() ⏳\n  b()\n    x\n    y\n\nIn the UI message stream it is:";
    check(two, "<tool>", batch);
    check(&two.replace('|', "").replace("> <tool>b", "> |<tool>b"), "<tool>", batch);
    check(
        "###|:\n{\"toolName\": \"a\"}\n\n*🔧 Executed a: fine*\n",
        "###:",
        "🔧 a() → fine\n\nIn the UI message stream it is:",
    );
    check(
        "###: {\"toolName\": \"a\"}\n\n*|❌ Invalid tool call format*\n",
        "*❌ Invalid tool call format*",
        "🔧 a() ✗ Invalid",
    );
    check("🔧 **To|ol Call:** `a()`\n", "🔧 **Tool Call:** `", "🔧 a() ⏳");
    let log = "data: {\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"a\",\"input\":{}}\n\
               data: {\"type\":\"tool-result\",\"toolCallId\":\"1\",\"output\":2}\n";
    let of_log = format!(
        "🔧 a() → 2\n\nIn the UI message stream it is:\n\n{CALL}\"1\",\"toolName\":\"a\",\"input\":{{}}}}\n{{\"type\":\"tool-out"
    );
    check(&log.replacen("data", "da|ta", 1), "data:", &of_log);
    check(&log.replace("tool-result", "tool-|result"), "\"tool-result\"", &of_log);
    check(&format!("> ```s|se\n> {}> ```\n", log.trim_end().replace('\n', "\n> ") + "\n"), "```sse", &of_log);
    let broken = "Readers recognize no call here";
    check("```to|ol\n{\"toolName\": \"rd\n", "```tool", &format!("🔧 tool() ⏳\n\n{broken}"));
    check("<to|ol>rd(a=1", "<tool>", &format!("🔧 rd(a=1) ⏳\n\n{broken}"));
    // A result without a call becomes no event.
    check("<valid|ation>rd\nx</validation>\n", "<validation>", "🔧 rd() → x");
}

#[test]
fn no_hover_elsewhere() {
    check_nothing("> <tool>rd()\n>| a\n> b</tool>\n");
    for text in
        ["te|xt\n", "|", "```json\n{\"a|\": 1}\n```\n", "    ```tool\n    {\"sta|te\": 1}\n", "`<to|ol>`"]
    {
        check_nothing(text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// For any truncated document: a hover contains the position, ends at character boundaries, and
    /// both of its forms have text.
    #[test]
    fn hovers_are_valid_in_truncated_documents(
        (text, language) in cut_documents(),
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..30),
    ) {
        let text = &*text;
        let document = Document::new(Text::new(text), language, Arc::new(settings(Protocol::V6)));
        let uses = document.paired_uses();
        for place in places {
            // A position of each kind: anywhere, and at a block.
            let at = place.index(2 * (text.len() + 1));
            let block = uses.block(place.index(uses.block_count().max(1)));
            let at = if at <= text.len() { at } else { block.map_or(0, |it| document.range_of(&it).start + at % 90) };
            if let Some(found) = hover(&document, at) {
                prop_assert!(text.get(found.range.clone()).is_some_and(|it| !it.is_empty()), "{:?}", found);
                prop_assert!(found.range.start <= at && at <= found.range.end, "{} {:?}", at, found);
                prop_assert!(!found.prose.to_markdown().trim().is_empty());
                prop_assert!(!found.prose.to_plain().is_empty());
                prop_assert!(found.prose.to_markdown().len() < 60_000);
            }
        }
    }
}

#[test]
fn message_of_a_log_is_its_text() {
    let text = concat!(
        r#"{"type": "user", "message": {"role": "user", "content": "Please\n*read*"}}"#,
        "\n",
        r#"{"type": "assistant", "message": {"role": "assistant", "model": "m", "content": [{"type": "thinking", "thinking": "Hm"}, {"type": "text", "text": "Yes."}]}}"#,
        "\n",
    );
    let document = open(text);
    let shown = |at: usize| hover(&document, at).map(|hover| hover.prose.to_markdown()).unwrap_or_default();
    assert!(shown(text.find("Please").unwrap()).ends_with("Please\n*read*"), "{}", shown(60));
    let line = text.find('\n').unwrap() + 1;
    assert!(
        shown(line).ends_with("> 💭 Hm\n\nYes.") && shown(line).contains("Assistant · m"),
        "{}",
        shown(line)
    );
    assert!(
        shown(text.find("Yes").unwrap()).ends_with("Yes.")
            && !shown(text.find("Yes").unwrap()).contains("Hm")
    );
    // In a JSON document only texts have hovers.
    let text = r#"[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]"#;
    let document = Document::new(Text::new(text), Language::Json, Arc::new(settings(Protocol::Auto)));
    assert!(hover(&document, text.find("user").unwrap()).is_none());
    assert!(hover(&document, text.find("\"b").unwrap()).is_some());
}

#[test]
fn calls_of_message_logs() {
    let call = |rest: &str| format!(r#"{{"tool_calls": [{{"id": "a", "function": {rest}}}]}}"#);
    check(&call(r#"{"name": "r|d", "arguments": "{}"}"#), "\"rd\"", "rd – a tool");
    check(
        &call(r#"{"name": "rd", "arguments": "{\"pa|th\": \"a\\nb\"}"}"#),
        r#"\"path\""#,
        "path – `string`, required",
    );
    check(&call(r#"{"name": "rd", "arguments": "{\"list\": [1, |2]}"}"#), "2", "[1] – `integer`");
    check(
        r#"{"type": "tool_use", "id": "a", "name": "rd", "input": {"pa|th": 1}}"#,
        "\"path\"",
        "path – `string`",
    );
    let listed = r#"{"tools": [{"name": "own", "input_schema": {"properties": {"far": {"type": "boolean"}}}}], "messages": [{"content": [{"type": "tool_use", "id": "a", "name": "own", "input": {"f|ar": true}}]}]}"#;
    check(listed, "\"far\"", "far – `boolean`");
}
