//! Compatibility with the systems behind the dialects, in small cases: accepts what they accept,
//! and reports what they lose or reject. docs/differences.md explains deliberate differences.

use std::sync::Arc;

use crate::call::UseData;
use crate::config::{Protocol, Settings};
use crate::document::{Document, Language};
use crate::text::Text;

fn read(text: &str, language: Language, protocol: Protocol) -> Document {
    Document::new(Text::new(text), language, Arc::new(Settings { protocol, ..Settings::default() }))
}

/// Each tool use as `id name state input -> output !error`, without missing parts.
fn uses(document: &Document) -> Vec<String> {
    let shown = |payload: &UseData| match payload {
        UseData::Json(_) | UseData::Long(_) => payload.to_json(),
        UseData::Text(text) => format!("'{text}'"),
        UseData::Arguments(arguments) => {
            arguments.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(";")
        }
    };
    document
        .tool_uses()
        .iter()
        .map(|found| {
            let mut parts: Vec<String> =
                [&found.id, &found.name, &found.state].into_iter().flatten().cloned().collect();
            parts.extend(found.input.as_ref().map(shown));
            parts.extend(found.output.as_ref().map(|output| format!("-> {}", shown(output))));
            parts.extend(found.error_text.as_ref().map(|error| format!("!{error}")));
            parts.join(" ")
        })
        .collect()
}

#[track_caller]
fn check_read(document: &Document, expected: &[&str], codes: &[&str]) {
    assert_eq!(uses(document), expected, "{}", document.text());
    let found: Vec<_> = document.diagnostics().iter().map(|problem| problem.code.name()).collect();
    assert_eq!(found, codes, "{}", document.text());
}

#[track_caller]
fn check(text: &str, expected: &[&str], codes: &[&str]) {
    check_read(&read(text, Language::Markdown, Protocol::Auto), expected, codes);
}

#[track_caller]
fn check_log(text: &str, expected: &[&str], codes: &[&str]) {
    check_read(&read(text, Language::Log, Protocol::Auto), expected, codes);
}

#[test]
fn fences_match_their_parser() {
    check(
        "Before\n```tool\n{\"toolCallId\":\"one\",\"toolName\":\"find\",\"input\":{\"q\":1},\"output\":[]}\n```\nAfter\n",
        &["one find {\"q\":1} -> []"],
        &[],
    );
    // YAML, callouts and the like came later: the original parser leaves them in the text, so that
    // the call is lost.
    check("```tool find one\nstate: output-available\n```\n", &["tool-call-1"], &["invalid-json"]);
    check("> [!tool find one]\n> input:\n>   q: 1\n", &[], &[]);
}

#[test]
fn states_and_fields_match_the_validation() {
    let check = |fields: &str, protocol, codes: &[&str]| {
        let text = format!("```tool\n{{\"toolName\":\"find\",\"toolCallId\":\"one\",{fields}}}\n```\n");
        let document = read(&text, Language::Markdown, protocol);
        let found: Vec<_> = document.diagnostics().iter().map(|problem| problem.code.name()).collect();
        assert_eq!(found, codes, "{fields}");
    };
    for protocol in [Protocol::V5, Protocol::V6, Protocol::V7] {
        check("\"state\":\"input-streaming\"", protocol, &[]);
        check("\"state\":\"input-available\",\"input\":{},\"more\":1", protocol, &[]);
        check("\"state\":\"output-available\",\"output\":1,\"preliminary\":true", protocol, &[]);
        check("\"state\":\"output-error\",\"input\":{},\"errorText\":\"x\"", protocol, &[]);
        check("\"state\":\"output-error\",\"errorText\":\"x\",\"output\":1", protocol, &["state-mismatch"]);
        check("\"state\":\"input-available\",\"output\":1", protocol, &["state-mismatch"]);
        check(
            "\"state\":\"result\",\"args\":{},\"result\":1",
            protocol,
            &["bad-state", "misnamed-field", "misnamed-field"],
        );
        let denied: &[&str] = if protocol == Protocol::V5 { &["bad-state"] } else { &[] };
        check("\"state\":\"output-denied\",\"approval\":{\"id\":\"a\",\"approved\":false}", protocol, denied);
    }
}

#[test]
fn markers_match_their_parser() {
    check(
        "###:{\"toolName\":\"a\",\"parameters\":{\"b\":{\"c\":\"}\"}}}\n",
        &["marker-call-1 a {\"b\":{\"c\":\"}\"}}"],
        &[],
    );
    check(
        "Sure! ###:{\"toolName\":\"a\"}\n###:{\"toolName\":\"b\"}\n",
        &["marker-call-1 a", "marker-call-2 b"],
        &[],
    );
    check("###:{\"toolName\":\"a\",\"parameters\":null}\n", &["marker-call-1 a"], &[]);
    check("### {\"toolName\":\"a\"}\n\n### Weather\n\n### :{}\n", &[], &[]);
    // Its parameters would be lost.
    check("###:{\"toolName\":\"a\",\"args\":{}}\n", &["marker-call-1 a"], &["misnamed-field"]);
    check("###:{\"parameters\":{}}\n", &["marker-call-1 {}"], &["missing-name"]);
    // However the deltas of a stream split it.
    let delta = |text: &str| format!("{{\"type\":\"text-delta\",\"text\":{text:?}}}\n");
    check_log(&[delta("##"), delta("#"), delta(":{\"toolName\":\"a\"}")].concat(), &["marker-call-1 a"], &[]);
}

#[test]
fn tags_match_their_writer() {
    check(
        "<tool>run(args=[&quot;pwd&quot;])\n/app</tool>\n",
        &["tag-call-1 run args=[\"pwd\"] -> '/app'"],
        &[],
    );
    check("<tool>save(file=a.py)\n</tool>\n", &["tag-call-1 save file=a.py -> ''"], &[]);
    check("<tool>save(code=print(&#x27;x&#x27;))</tool>\n", &["tag-call-1 save code=print('x')"], &[]);
    check(
        "<tool>a()\nold</tool><tool>a\nnew</tool>\n",
        &["tag-call-1 a -> 'old'", "tag-call-2 a -> 'new'"],
        &[],
    );
    check(
        "<tool>a()</tool><validation>a\nok</validation>\n",
        &["tag-call-1 a -> 'ok'"],
        &["legacy-validation"],
    );
    check("<tool/> <tool x=1>\n", &[], &[]);
    check("<tool >a()</tool>\n", &[], &["stray-tag"]);
}

#[test]
fn legacy_lines_match_their_reader() {
    check(
        "🔧 **Tool Call:** `save(file=a.py)`\r\n✅ **`save` result:**\r\nok\r\n",
        &["legacy-call-1 save file=a.py -> 'ok'"],
        &["legacy-markdown"],
    );
    check("🔧 **Tool Call:** `run(cmd=1)\nrest\n", &[], &[]);
    check("✅ **`a` done:**\nok\n", &[], &[]);
}

#[test]
fn logs_match_their_readers() {
    check_log(
        "{\"type\":\"tool-input-available\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n\
         {\"type\":\"tool-output-available\",\"toolCallId\":\"a\",\"output\":\"50%\",\"preliminary\":true}\n\
         {\"type\":\"tool-output-available\",\"toolCallId\":\"a\",\"output\":\"100%\"}\n",
        &["a x output-available {} -> \"100%\""],
        &[],
    );
    // The tool may reject the model's input; the reason is included twice.
    check_log(
        "{\"type\":\"tool-input-error\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":\"{bad\",\"errorText\":\"no\"}\n\
         {\"type\":\"tool-output-error\",\"toolCallId\":\"a\",\"errorText\":\"no\"}\n",
        &["a x output-error \"{bad\" !no"],
        &[],
    );
    // Calls in parallel.
    check_log(
        "{\"type\":\"tool-input-start\",\"toolCallId\":\"a\",\"toolName\":\"x\"}\n\
         {\"type\":\"tool-input-start\",\"toolCallId\":\"b\",\"toolName\":\"y\"}\n\
         {\"type\":\"tool-input-delta\",\"toolCallId\":\"b\",\"inputTextDelta\":\"{\\\"k\\\":2}\"}\n\
         {\"type\":\"tool-input-delta\",\"toolCallId\":\"a\",\"inputTextDelta\":\"{}\"}\n\
         {\"type\":\"tool-input-available\",\"toolCallId\":\"b\",\"toolName\":\"y\",\"input\":{\"k\":2}}\n\
         {\"type\":\"tool-input-available\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"input\":{}}\n\
         {\"type\":\"tool-output-available\",\"toolCallId\":\"a\",\"output\":1}\n\
         {\"type\":\"tool-output-available\",\"toolCallId\":\"b\",\"output\":2}\n",
        &["a x output-available {} -> 1", "b y output-available {\"k\":2} -> 2"],
        &[],
    );
    // A call whose arguments follow it.
    check_log(
        "data: {\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"x\",\"args\":{}}\n\n\
         data: {\"type\":\"tool-call-delta\",\"toolCallId\":\"a\",\"argsTextDelta\":\"{\\\"k\\\":\"}\n\n\
         data: {\"type\":\"tool-call-delta\",\"toolCallId\":\"a\",\"argsTextDelta\":\"1}\"}\n\n\
         data: {\"type\":\"tool-result\",\"toolCallId\":\"a\",\"result\":{\"error\":\"gone\"}}\n\n",
        &["a x output-error {\"k\":1} -> {\"error\":\"gone\"} !gone"],
        &[],
    );
    // The published wire of AI SDK 4.
    check_log(
        "f:{\"messageId\":\"m\"}\n0:\"Looking.\"\nb:{\"toolCallId\":\"a\",\"toolName\":\"x\"}\n\
         c:{\"toolCallId\":\"a\",\"argsTextDelta\":\"{}\"}\n9:{\"toolCallId\":\"a\",\"toolName\":\"x\",\"args\":{}}\n\
         a:{\"toolCallId\":\"a\",\"result\":null}\ne:{\"finishReason\":\"stop\"}\n3:\"boom\"\n2:[1]\n",
        &["a x output-available {} -> null"],
        &[],
    );
}
