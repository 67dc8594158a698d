//! Fixtures of diagnostics: the text contains the expectation, `«code:…»` around the range of the
//! diagnostic; `«code/severity:…»` if the severity is not the code's default.

use std::sync::Arc;

use crate::config::{Protocol, Settings};
use crate::diagnostic::{Code, Severity};
use crate::document::{Document, Language};
use crate::features::samples::small;
use crate::registry::{Registry, Tool};
use crate::text::Text;

/// Settings with a registry that contains `search` and `read_file`.
fn with_registry() -> Settings {
    let tool = |name: &str| Arc::new(Tool { name: name.into(), ..Tool::default() });
    let tools = ["search", "read_file"].map(|name| (name.into(), tool(name)));
    let registry = Registry { configured: true, tools: tools.into_iter().collect(), ..Registry::default() };
    Settings { registry: Arc::new(registry), ..Settings::default() }
}

/// Removes the expectations from a fixture. Returns the text, and
/// `code/severity:covered text@offset` for each.
fn expectations(fixture: &str) -> (String, Vec<String>) {
    let mut text = String::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    let mut rest = fixture;
    while let Some(at) = rest.find(['«', '»']) {
        let (before, behind) = rest.split_at(at);
        text.push_str(before);
        if let Some(behind) = behind.strip_prefix('«') {
            let (code, behind) = behind.split_once(':').expect("a code");
            open.push((code.to_owned(), text.len()));
            rest = behind;
        } else {
            let (code, start) = open.pop().expect("an open expectation");
            found.push((start, text.len(), code));
            rest = behind.strip_prefix('»').expect("the end");
        }
    }
    text.push_str(rest);
    found.sort();
    let found =
        found.iter().map(|(start, end, code)| format!("{code}:{}@{start}", &text[*start..*end])).collect();
    (text, found)
}

fn problems_of(document: &Document, text: &str) -> Vec<String> {
    let mut problems = document.diagnostics();
    problems.sort_by_key(|problem| (problem.range.start, problem.range.end, problem.code.name()));
    problems
        .iter()
        .map(|problem| {
            let severity = match problem.severity {
                severity if Some(severity) == problem.code.default_severity() => String::new(),
                severity => format!("/{}", severity.name()),
            };
            let covered = &text[problem.range.clone()];
            format!("{}{severity}:{covered}@{}", problem.code.name(), problem.range.start)
        })
        .collect()
}

/// These fixtures contain one block each, of any form; diagnostics about missing other blocks are
/// tested elsewhere.
const ABOUT_OTHERS: [Code; 4] =
    [Code::PendingCall, Code::OrphanResult, Code::LegacyMarkdown, Code::LegacyValidation];

#[track_caller]
pub(super) fn check_with(fixture: &str, language: Language, mut settings: Settings) {
    settings.lint.extend(ABOUT_OTHERS.map(|code| (code, None)));
    check_all(fixture, language, settings);
}

#[track_caller]
pub(super) fn check_all(fixture: &str, language: Language, settings: Settings) {
    let (text, expected) = expectations(fixture);
    for settings in [small(&settings), Arc::new(settings)] {
        let document = Document::new(Text::new(&text), language, settings);
        assert_eq!(problems_of(&document, &text), expected, "in\n{text}\n{:#?}", document.diagnostics());
    }
}

#[track_caller]
pub(super) fn check(fixture: &str) {
    check_with(fixture, Language::Markdown, Settings::default());
}

#[track_caller]
pub(super) fn check_log(fixture: &str) {
    check_with(fixture, Language::Log, Settings::default());
}

#[test]
fn a_valid_fence_has_no_diagnostics() {
    check(
        "Hello\n\n```tool\n{\"toolCallId\":\"c\",\"toolName\":\"search\",\"state\":\"output-available\",\"input\":{},\"output\":[]}\n```\n\nBye\n",
    );
    check("```tool\n{\n}\n```\n");
    check("```tool\n{\"toolName\": \"x\", \"note\": 1, \"n\": 1e999}\n```");
    check("```tools\n{\"state\": 1\n```\n");
    check("````markdown\n```tool\n{\"state\": 1}\n```\n````\n");
    check("    ```tool\n    {\"state\": 1}\n    ```\n");
}

#[test]
fn each_json_error_is_reported() {
    check("```tool\n{\"a\": 1 «invalid-json:\"b\"»: 2, \"c\": «invalid-json:True»}\n```\n");
    check("```tool\n{\"toolName\": \"x\", \"input\": {\"a\": 1«invalid-json:,»}}\n```\n");
    check("> ```tool\n> {«invalid-json:other»: 1,\n>  \"b\": «invalid-json:'x'»}\n> ```\n");
}

#[test]
fn a_payload_is_one_object() {
    check("«not-an-object:```tool»\n```\n");
    check("«not-an-object:```tool»\n\n  \n```\n");
    check("- «not-an-object:```tool some info»\n  ```\n");
    check("```tool\n«not-an-object:[1, 2]»\n```\n");
    check("```tool\n«not-an-object:\"text\"»\n```\n");
    check("```tool\n{}\n«extra-content:{\"a\": 1}»\n```\n");
    check("```tool\n{} «extra-content:and more»\nof it\n```\n");
}

#[test]
fn fields_are_checked_against_the_format() {
    check(
        "```tool\n{\"toolCallId\": «wrong-type:12», \"toolName\": «wrong-type:null», \"errorText\": «wrong-type:{}»}\n```\n",
    );
    check("```tool\n{\"state\": «bad-state:\"done\"»}\n```\n");
    check("```tool\n{\"state\": «bad-state:\"output-denied\"»}\n```\n");
    check("```tool\n{\"toolName\": «empty-name:\"\"», \"toolCallId\": «empty-id:\"\"»}\n```\n");
    check(
        "```tool\n{«misnamed-field:\"name\"»: \"x\", «misnamed-field:\"args\"»: {}, «misnamed-field:\"tool_call_id\"»: \"c\", «misnamed-field:\"result\"»: 1}\n```\n",
    );
    // Beside the documented field the other one is an additional field.
    check("```tool\n{\"toolName\": \"x\", \"name\": \"y\", \"input\": {}, \"args\": {}}\n```\n");
    let v6 = || Settings { protocol: Protocol::V6, ..Settings::default() };
    check_with("```tool\n{\"state\": \"output-denied\"}\n```\n", Language::Markdown, v6());
}

#[test]
fn keys_of_an_object_are_unique() {
    check(
        "```tool\n{\"toolName\": \"x\", «duplicate-key:\"toolName\"»: \"y\", \"a\": {\"b\": 1, «duplicate-key:\"\\u0062\"»: 2}}\n```\n",
    );
    check(
        "```tool\n{\"input\": [{\"a\": 1}, {\"a\": 1, «duplicate-key:\"a\"»: {\"a\": {\"a\": 1}}, «duplicate-key:\"a\"»: 2}]}\n```\n",
    );
    check("Sure ###:{\"toolName\": \"x\", \"parameters\": {\"a\": 1, «duplicate-key:\"a\"»: 2}}\n");
    check_log(
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"input\":{\"q\":1,«duplicate-key:\"q\"»:2}}\n{\"a\":1,\"a\":2}\n",
    );
    // Many members.
    let keys = |last: &str| {
        let keys: Vec<_> = (0..30).map(|key| format!("\"k{key}\": 1")).collect();
        format!("```tool\n{{{}, {last}: 2}}\n```\n", keys.join(", "))
    };
    check(&keys("«duplicate-key:\"k0\"»"));
    check(&keys("«duplicate-key:\"k29\"»"));
    check(&keys("\"K0\""));
    // At most 20.
    let many = ", «duplicate-key:\"a\"»: 1".repeat(20) + &", \"a\": 1".repeat(5);
    check(&format!("```tool\n{{\"a\": 0{many}, \"b\": {{}}}}\n```\n"));
    // Nearly equal keys, and keys that are equal because of errors.
    check("```tool\n{\"a\": 1, \"A\": 1, \"a \": 1, \"\": 1, \"b\": {\"a\": 1}}\n```\n");
    check("```tool\n{\"l\": [«invalid-json:{»\"a\": 1 «invalid-json:{»\"a\": 2}]}\n```\n");
    check("```tool\n{\"a\": 1, «duplicate-key:\"a\"»: 2, \"b\": «invalid-json:True»}\n```\n");
    check("«unclosed-fence/information:```tool»\n{\"a\": 1, \"a");
    check("«unclosed-fence/information:```tool»\n{\"a\": 1, \"a\"");
}

#[test]
fn a_state_matches_the_other_fields() {
    let fence = |members: &str| check(&format!("```tool\n{members}\n```\n"));
    fence(r#"{"state": «state-mismatch:"input-streaming"», "output": 1}"#);
    fence(r#"{"state": «state-mismatch:"input-available"», "errorText": "no"}"#);
    fence(r#"{"output": null, "errorText": "no", "state": «state-mismatch:"input-available"»}"#);
    fence(r#"{"state": «state-mismatch:"output-available"»}"#);
    fence(r#"{"state": «state-mismatch:"output-available"», "errorText": "no"}"#);
    fence(r#"{"state": «state-mismatch:"output-error"»}"#);
    fence(r#"{"state": «state-mismatch:"output-error"», "errorText": ""}"#);
    fence(r#"{"state": «state-mismatch:"output-error"», "errorText": "no", "output": 1}"#);
    fence(r#"«state-mismatch:{»"errorText": "no", "output": 1}"#);
    // Matching fields, and cases that other codes report.
    fence(r#"{"state": "input-available", "input": {"output": 1}, "errorText": ""}"#);
    fence(r#"{"state": "output-available", "output": null}"#);
    fence(r#"{"state": "output-error", "errorText": "no"}"#);
    fence(r#"{"output": 1}"#);
    fence(r#"{"state": "output-error", "errorText": «wrong-type:{}»}"#);
    fence(r#"{"state": "output-error", «misnamed-field:"error"»: "no"}"#);
    fence(r#"{"state": "output-available", «misnamed-field:"Output"»: 1}"#);
    fence(r#"{"state": «state-mismatch:"output-error"», "errorText": "", "error": "no"}"#);
    fence(r#"{"state": «bad-state:"done"»}"#);
    fence(r#"{"state": "output-available", "result":«invalid-json:}»"#);
    check("«unclosed-fence/information:```tool»\n{\"state\": \"output-available\", ");
    check_log("{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"state\":\"input-available\",\"output\":1}\n");
}

#[test]
fn half_a_surrogate_pair_is_reported() {
    let lone = r"«lone-surrogate:\ud83d»";
    check(&format!(
        "```tool\n{{\"a\": \"x{lone}y{lone}\", \"b{lone}\": [\"«lone-surrogate:\\uDE00»\"]}}\n```\n"
    ));
    check(&format!("> Sure ###:{{\"toolName\": \"x\", \"parameters\": {{\"a\": \"{lone}\"}}}}\n"));
    check_log(&format!("{{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":\"{lone}\"}}\n"));
    check_log("{\"type\":\"text-delta\",\"delta\":\"\\ud83d\"}\n");
    check("```tool\n{\"a\": \"\\ud83d\\ude00 \\\\ud83d \\u00e9\"}\n```\n");
    check("«unclosed-fence/information:```tool»\n{\"a\": \"\\ud83d");
    check("```tool\n{\"a\": \"\\ud83d «invalid-json:\\x»\"}\n```\n");
    // Such keys are distinguished by their spelling.
    check(&format!("```tool\n{{\"{lone}\": 1, \"«lone-surrogate:\\ud801»\": 1}}\n```\n"));
    // At most 20.
    let many = format!("{}{}", lone.repeat(20), "\\ud83d".repeat(5));
    check(&format!("```tool\n{{\"a\": \"{many}\"}}\n```\n"));
}

#[test]
fn backticks_in_a_string_end_a_fence_early() {
    check("```tool\n{\"a\": \"x «early-close:```» y «early-close:`````»\", \"«early-close:```»\": 1}\n```\n");
    check("> ````tool\n> {\"a\": [\"«early-close:```»\"]}\n> ````\n");
    check("```tool\n{\"a\": \"`` x `` `\\u0060` \\u0060\\u0060\\u0060\"}\n```\n");
    check("###:{\"toolName\": \"x\", \"parameters\": {\"a\": \"```\"}}\n");
    check_log("{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":\"```\"}\n");
    check("```tool\n{\"a\": «invalid-json:```»}\n```\n");
    check("«unclosed-fence/information:```tool»\n{\"a\": \"x ```");
    check("«unclosed-fence/information:```tool»\n{\"a\": \"x\"}\n``");
}

#[test]
fn a_truncated_result_is_reported_at_its_note() {
    check("<tool>run(a=1)\na &lt; b\n«truncated:… (truncated, 2.3KB)»\n</tool>\n");
    check(
        "<tool>run(a=1…)\nok«truncated:…»</tool>\n<tool>run</tool>\n<validation>run\nx«truncated:…»</validation>\n",
    );
    check("🔧 **Tool Call:** `run(q=1)`\n✅ **`run` result:**\n«truncated:… (truncated, 9 lines)»\n");
    check("```tool\n{\"output\": \"a \\n«truncated:… (truncated, 3KB)»\\n\"}\n```\n");
    check("```tool\n{\"output\": \"é\\t«truncated:\\u2026»\"}\n```\n");
    check_log("{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":\"a«truncated:…»\"}\n");
    check("###:{\"toolName\": \"a\"}\n*🔧 Executed a: some«truncated:…»*\n");
    check("<tool>run(a=1)\n… (truncated, 2KB) and (more)</tool>\n<tool>run(a…)\n</tool>\n");
    check("```tool\n{\"output\": \"a… b\", \"input\": \"…\"}\n```\n");
    check("```tool\n{\"output\": {\"a\": \"…\"}}\n```\n");
    // What a program shows while it works is whole.
    check("<tool>run(a=1)\nInitializing…</tool>\n");
    check("«unclosed-fence/information:```tool»\n{\"output\": \"a…");
    check("«unclosed-tag/information:<tool>»run(a=1)\nok…");
}

#[test]
fn a_tag_contains_escaped_text() {
    check(
        "<tool>run(a=1 «unescaped-markup:&»«unescaped-markup:&» b)\n«unescaped-markup:<»b> &amp; «unescaped-markup:&»lt ok</tool>\n",
    );
    check("> <tool>run(a=1)\n> x «unescaped-markup:<» y</tool>\n");
    check("<tool>run</tool>\n<validation>run\n«unescaped-markup:&»;</validation>\n");
    check("<tool>run(a=&quot;x&#39;&#x27;&nbsp;&lt;)\na > b</tool> a & b < c\n");
    check(
        "<tool>run(«unescaped-markup:&»#;«unescaped-markup:&»#x;«unescaped-markup:&»#12a;«unescaped-markup:&»é;)</tool>\n",
    );
    check("🔧 **Tool Call:** `run(q=a & b < c)`\n");
    check("«unclosed-tag/information:<tool>»run(a < b & c");
    let many = "«unescaped-markup:<»".repeat(20) + &"<".repeat(5);
    check(&format!("<tool>run\n{many} </tool>\n"));
}

#[test]
fn an_edit_has_a_search_block_and_its_replacement() {
    let fence = |block: &str| {
        let input = format!("{{\"searchReplaceBlock\": {block}}}");
        check(&format!("```tool\n{{\"toolName\": \"edit_file\", \"input\": {input}}}\n```\n"));
        check(&format!("> ###:{{\"toolName\": \"edit_file\", \"parameters\": {input}}}\n"));
        for layer in ["\"toolName\":\"edit_file\",\"input\"", "\"toolName\":\"edit_file\",\"args\""] {
            check_log(&format!("{{\"type\":\"tool-call\",\"toolCallId\":\"c\",{layer}:{input}}}\n"));
        }
    };
    fence(r#""<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE""#);
    fence(
        r#""\r\n<<<<<<< SEARCH \r\n=======\r\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\na\n=======\n=======\n>>>>>>> REPLACE\n""#,
    );
    fence(r#"«search-replace:"<<<<<<< SEARCH\na\n=======\nb"»"#);
    fence(r#"«search-replace:"<<<<<<< SEARCH\na\n>>>>>>> REPLACE"»"#);
    fence(r#"«search-replace:">>>>>>> REPLACE\n=======\n<<<<<<< SEARCH"»"#);
    fence(r#"«search-replace:"<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE\n<<<<<<< SEARCH"»"#);
    fence(r#"«search-replace:"<<<<<<< SEARCH a ======= b >>>>>>> REPLACE"»"#);
    fence(r#"«search-replace:""»"#);
    fence("1");
    check(
        "```tool\n{\"toolName\": \"edit_file\", \"state\": \"input-streaming\", \"input\": {\"searchReplaceBlock\": \"<<<<\"}}\n```\n",
    );
    check("```tool\n{\"toolName\": \"edit\", \"input\": {\"searchReplaceBlock\": \"\"}}\n```\n");
    check(
        "«unclosed-fence/information:```tool»\n{\"toolName\": \"edit_file\", \"input\": {\"searchReplaceBlock\": \"<<<<",
    );
    check("<tool>edit_file(searchReplaceBlock=a)</tool>\n");
}

#[test]
fn a_brace_inside_of_a_marker_is_reported_if_enabled() {
    let check = |fixture: &str| {
        let lint = [(Code::FirstBrace, Some(Severity::Warning))].into();
        check_with(fixture, Language::Markdown, Settings { lint, ..Settings::default() });
    };
    check(
        "> ###:{\"toolName\": \"a\", \"parameters\": {\"x\": {\"y\": 1«first-brace/warning:}»}}} and more}\n",
    );
    check("###:{\"toolName\": \"«first-brace/warning:}»\"}\n");
    check("###:{\"toolName\": \"a\", \"parameters\": null} and }\n");
    check("###:{\"toolName\": \"a\", \"parameters\": {\"x\": «invalid-json:True»}}\n");
    check("```tool\n{\"toolName\": \"a\", \"input\": {}}\n```\n");
    check("«unclosed-marker/information:###:»{\"toolName\": \"a\", \"parameters\": {}");
}

#[test]
fn tools_are_looked_up_only_with_a_registry() {
    check("```tool\n{\"toolName\": \"nothing\"}\n```\n");
    let check = |fixture: &str| check_with(fixture, Language::Markdown, with_registry());
    check("```tool\n{\"toolName\": «unknown-tool:\"serch\"»}\n```\n");
    check("```tool\n{\"toolName\": \"search\"}\n```\n```tool\n{}\n```\n");
    check("###:{\"toolName\": «unknown-tool:\"serch\"»}\n");
    check("<tool>«unknown-tool:serch»(q=1)\nok</tool>\n<tool>«unknown-tool:reed»</tool>\n");
    check("🔧 **Tool Call:** `«unknown-tool:serch»(q=1)`\n✅ **`serch` result:**\nok\n");
    check(
        "```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":«unknown-tool:\"serch\"»,\"input\":{}}\n```\n",
    );
}

#[test]
fn unfinished_blocks_are_information_while_they_grow() {
    check("«unclosed-fence/information:```tool»");
    check("Text\n\n«unclosed-fence/information:```tool»\n{\"toolName\": \"se");
    check("«unclosed-fence/information:```tool»\n{\"toolName\": \"x\"}\n\n");
    check("> «unclosed-fence:```tool»\n> {\"toolName\": \"x\"\n\nAfter\n");
    check("«unclosed-fence:```tool»\n{\"a\": 1}\n\nText that it swallows.\n");
    check("«unclosed-fence:```tool»\n{\"a\": «invalid-json:True»\n\nText that it swallows.\n");
    check("«unclosed-marker/information:###:»{\"toolName\": \"a\", \"parameters\": {");
    check("«unclosed-marker:###:»{\"toolName\": \"a\",\n\nAfter\n");
    check("«unclosed-marker:###:»{\"toolName\": «invalid-json:True»,\n\nAfter\n");
    check("«unclosed-tag/information:<tool>»run(a=1)");
    check("«unclosed-tag:<tool>»run(a=1)\n\nAfter\n");
    check("«unclosed-tag:<tool>»run(a=1)\n<tool>b()</tool>\n");
    check("Stray «stray-tag:</tool>» here\n");
    check("`</tool>` and `<tool>` are silent\n");
}

#[test]
fn markers_have_a_name_and_parameters() {
    check("Sure! ###:{\"toolName\": \"a\", \"parameters\": {\"x\": {\"y\": 1}}}\n");
    check("###:«missing-name:{»\"parameters\": {}}\n");
    check("###:{\"toolName\": \"a\", \"parameters\": null}\n");
    check("###:{\"toolName\": \"a\", \"parameters\": «wrong-type:1»}\n");
    check("###:{\"toolName\": \"a\", «misnamed-field:\"x\"»: 1}\n");
    check("###:«missing-name:{»«misnamed-field:\"name\"»: \"a\", «misnamed-field:\"args\"»: {}}\n");
    check("###:\n{\"toolName\": \"a\"«invalid-json:,»}\n");
    check("### Heading\n\n####:{x\n\n### {\"toolName\": 1}\n");
}

#[test]
fn logs_are_parsed_in_their_stream_protocol() {
    check_log("{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{}}\n");
    check_log(concat!(
        "{\"type\":\"tool-input-start\",\"id\":\"c\",\"toolName\":\"x\"}\n",
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",«misnamed-field:\"args\"»:{}}\n",
        "{\"type\":\"tool-result\",\"toolCallId\":\"c\",«misnamed-field:\"result\"»:{}}\n",
    ));
    check_log(concat!(
        "data: {\"type\":\"tool-input-available\",\"toolCallId\":«empty-id:\"\"»,\"toolName\":«empty-name:\"\"»,\"input\":1}\r\n",
        "\r\n",
        "event: x\r\n: ping\r\ndata: [DONE]\r\n",
        "data: {\"type\":\"tool-input-start\",«misnamed-field:\"id\"»:\"c\",\"toolName\":\"x\"}\r\n",
    ));
    check_log(
        "b:{\"toolCallId\":\"c\",\"toolName\":\"x\"}\n9:«missing-name:{»\"toolCallId\":\"c\",\"args\":{}}\n0:\"text\"\nd:{oops\n",
    );
    check_log(
        "{\"type\":\"other\",\"args\": 1,}\nnot json\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\"«invalid-json:,»}\n",
    );
    check_log("{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolNa");
    check_log(
        "«invalid-json:{»\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\"\n{\"type\":\"finish\"}\n",
    );
    let v5 = Settings { protocol: Protocol::V5, ..Settings::default() };
    check_with(
        "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",«misnamed-field:\"args\"»:{}}\n",
        Language::Log,
        v5,
    );
}

#[test]
fn consequences_of_an_error_are_not_reported() {
    check("###:{\"toolName\":\"a\",\n«invalid-json:-» «invalid-json:\"x\"»\n}\n");
    check("```tool\n{«invalid-json:name»: \"a\"}\n```\n");
    check_with(
        "The «unclosed-tag/information:<tool>» element wraps a call.\n",
        Language::Markdown,
        with_registry(),
    );
    check("Use «empty-name:<tool>»</tool> here\n");
    let broken = Registry { configured: true, broken: vec!["tools.json".to_owned()], ..Registry::default() };
    let settings = Settings { registry: Arc::new(broken), ..Settings::default() };
    check_with("```tool\n{\"toolName\": \"x\"}\n```\n", Language::Markdown, settings);
}

/// A fence is parsed in windows: the deciding part may be far after the first one.
#[test]
fn long_json_fences_are_parsed_to_their_end() {
    let long = format!("\"input\": [{}1]", "1, ".repeat(20_000));
    let record = format!("{{\"type\": \"tool-call\", {long}, \"toolName\": \"x\", \"toolCallId\": ");
    check(&format!("```json\n{record}«wrong-type:1»}}\n```\n"));
    check(&format!("```json\n{record}1}}\n{}more\n```\n", "\n".repeat(20_000)));
    check(&format!("```tool\n{{{long}, \"state\": «bad-state:\"done\"»}}\n```\n"));
    check(&format!("```tool\n{{{long}}}\n{}«extra-content:more»\n```\n", "\n".repeat(20_000)));
}

#[test]
fn logs_in_fences_are_parsed_like_documents() {
    check(
        "```json\n{\"type\": \"tool-call\",\n \"toolCallId\": «wrong-type:1», \"toolName\": \"x\", \"input\": {}}\n```\n",
    );
    check("```json\n{\"type\": \"other\",}\n```\n```json\n[1,]\n```\n");
    check(
        "> ```sse\n> data: {\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":«wrong-type:1»,\"input\":{}}\n> ```\n",
    );
    check(
        "«unclosed-fence/information:```jsonl»\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"inp",
    );
}

#[test]
fn an_error_makes_an_unclosed_log_more_than_unfinished() {
    let call = |comma: &str| {
        format!("{{\"type\":\"tool-call\",\"toolCallId\":\"c\",{comma}\"toolName\":\"x\",\"input\":{{}}}}\n")
    };
    check(&format!("«unclosed-fence/information:```jsonl»\n{}{{\"ty", call("")));
    check(&format!("«unclosed-fence:```jsonl»\n{}{{\"ty", call("«invalid-json:,»")));
}

#[test]
fn delta_text_is_parsed_for_markers_and_tags() {
    let delta = |key: &str, text: &str| format!("{{\"type\":\"text-delta\",\"{key}\":\"{text}\"}}\n");
    check_log(
        &(delta("textDelta", "Sure ##") + &delta("textDelta", "#:{\\\"toolName\\\":«empty-name:\\\"\\\"»}")),
    );
    check_log(&(delta("text", "a «unclosed-tag:<tool>»b") + &delta("text", "c\\n\\nmore")));
    check_log(
        "{\"event\":\"provider-event\",\"data\":{\"type\":\"text-delta\",\"textDelta\":\"x «stray-tag:</tool>»\"}}\n",
    );
    check(&format!("```jsonl\n{}```\n", delta("delta", "x «stray-tag:</tool>»")));
    let both = delta("delta", "x «stray-tag:</tool>» ") + &delta("delta", "long\\ner «stray-tag:</tool>»");
    check(&format!("```jsonl\n{both}```\n"));
    check_log(&both);
    check_log(&delta("delta", "a «unclosed-tag/information:<tool>»b"));
    check_log(&(delta("delta", "a «unclosed-tag:<tool>»b") + "{\"type\":\"finish\"}\n"));
    check_log("{\"event\":\"text-delta\",\"data\":{\"text\":\"x «stray-tag:</tool>»\"}}\n");
    check_log(&delta("delta", &"«stray-tag:</tool>» \\u00e9 ".repeat(500)));
}

/// A forgotten closing fence, in its most common form: the following text is not reported, even if
/// the end of the next fence is taken.
#[test]
fn a_fence_that_contains_the_next_one_is_unclosed() {
    let next = "\n```tool\n{\"toolName\": \"y\", \"state\": \"what\"}\n```\n";
    for own in [
        "{\"toolName\": \"x\"}\n",
        "{\"toolName\": \"x\"",
        "{\"toolName\": \"x",
        "{\"toolName\": \"x\",\n \"state\":\n",
        "",
    ] {
        check(&format!("«unclosed-fence:```tool»\n{own}{next}"));
        check(&format!("«unclosed-fence:```tool»\n{own}\n\nText.\n{next}"));
    }
    check(&format!("«unclosed-fence:~~~tool»\n{{\"a\": «invalid-json:True»\n{next}~~~\n"));
    check("> «unclosed-fence:```tool»\n> {\"a\": 1}\n>\n> ```json\n> {}\n> ```\n");
    let call = "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"input\":{}}\n";
    check(&format!("«unclosed-fence:```jsonl»\n{call}{next}"));
    check(&format!("«unclosed-fence:```json»\n{call}{next}"));
    // Text that only looks like a fence, or is part of a string.
    check("```tool\n{}\n    «extra-content:```tool»\n```\n");
    check("````tool\n{}\n«extra-content:```»\n````\n");
    check("```tool\n{\"a\": \"\\n~~~tool\"}\n```\n");
}

#[test]
fn invalid_parts_are_not_checked_by_other_rules() {
    check("```tool\n{\"state\": «invalid-json:done»}\n```\n");
    let tools = |fixture: &str| check_with(fixture, Language::Markdown, with_registry());
    tools("```tool\n{\"toolName\": «invalid-json:serch»}\n```\n");
    check(
        "```jsonl\n{\"type\":\"text-delta\",\"delta\":\"</tool>\n{\"type\":\"text-delta\",\"delta\":\"«stray-tag:</tool>»\"}\n```\n",
    );
}
