//! The evidence that makes a document a transcript; all other documents have no diagnostics.

use std::sync::Arc;

use crate::config::Settings;
use crate::diagnostic::Code;
use crate::document::{Document, Language};
use crate::features::code_lens::code_lenses;
use crate::features::completion::{CompletionRequest, completions};
use crate::features::folding::{FoldingCapabilities, folding_ranges};
use crate::features::symbols::document_symbols;
use crate::registry::{Registry, Tool};
use crate::text::{Splice, Text};

/// A document without a name, with a registry that contains `search`.
fn document(text: &str, language: Language) -> Document {
    let search = Arc::new(Tool { name: "search".into(), ..Tool::default() });
    let tools = [("search".into(), search)].into_iter().collect();
    let registry = Arc::new(Registry { configured: true, tools, ..Registry::default() });
    let settings = Settings { is_named: false, registry, ..Settings::default() };
    Document::new(Text::new(text), language, Arc::new(settings))
}

#[track_caller]
fn check(text: &str, expected: bool) {
    let quoted: String = text.lines().map(|line| format!("> {line}\n")).collect();
    // Turns in quotes are quotations.
    let has_turns = text.contains("User") || text.contains("Human");
    for text in [text, &text.replace('\n', "\r\n"), if has_turns { text } else { &quoted }] {
        let document = document(text, Language::Markdown);
        assert_eq!(document.is_transcript(), expected, "{text}");
        if !expected {
            is_left_alone(&document);
        }
    }
}

/// Checks that no feature reports anything.
#[track_caller]
fn is_left_alone(document: &Document) {
    assert_eq!(document.diagnostics(), []);
    assert!(document.paired_uses().uses.is_empty() && document.sections().is_empty());
    assert_eq!(folding_ranges(document, FoldingCapabilities::default()).iter().next(), None);
    assert_eq!(document_symbols(document, || true), []);
    assert!(code_lenses(document).is_empty());
    for at in 0..=document.text().len() {
        let at = document.text().floor_boundary(at);
        assert!(document.call_position_at(at, |_| ()).is_none() && document.name_occurrence_at(at).is_none());
        assert_eq!(completions(document, at, CompletionRequest::default()), []);
    }
}

#[test]
fn objects_in_tool_fences_and_markers_show_a_transcript() {
    check("```tool\n{}\n```\n", true);
    check("```tool\n{\"state\": done,\n", true);
    check("~~~tool x\n\n  {\n~~~\n", true);
    check("and ###: {\"toolName\": \"a\"", true);
    check("###:\n{\n", true);
    check("```tool\n```\n", false);
    check("```tool\nhammer --help\n```\n", false);
    check("```tool\n[1]\n```\n", false);
    check("```tools\n{}\n```\n", false);
    check("### Heading: {x}\n\n####:{}\n", false);
    check("````\n```tool\n{}\n```\n````\n", false);
    check("`###:{}` and <!-- ###:{} -->\n", false);
}

#[test]
fn whole_tags_of_calls_show_a_transcript() {
    check("<tool>run(cmd=ls)</tool>\n", true);
    check("<tool>run(cmd=ls, all=true)\na\n\nb</tool>\n", true);
    check("<tool>now()</tool>\n", true);
    check("<tool>search</tool>\n", true);
    check("<validation>search\nok</validation>\n", true);
    check("a `<tool>` element, a <tool> element\n", false);
    check("<tool>\nhammer\n</tool>\n", false);
    check("<tool>hammer</tool> and <validation>none\nno</validation>\n", false);
    check("<tool>the hammer (small)</tool>\n", false);
    check("<tool>run(cmd=ls)\n", false);
    check("<tool>search(\n", false);
    check("</tool>\n", false);
}

#[test]
fn older_lines_and_records_show_a_transcript() {
    check("🔧 **Tool Call:** `run(cmd=ls)`\n", true);
    check("User: Go.\n\n```json\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"input\":{}}\n```\n", true);
    check("✅ **`make test` result:** fine\n", false);
    check("*❌ Error processing tool call*\n\n*🔧 Executed it*\n", false);
    check("```json\n{\"type\":\"tool-call\"}\n```\n", false);
    check("```jsonl\n{\"type\":\"text-delta\",\"delta\":\"<tool>\"}\n```\n", false);
}

#[test]
fn messages_of_two_roles_show_a_transcript() {
    check("User: hi\n\nAssistant: yes\n", true);
    check("**Human:** hi\n\n**Claude:** yes\n", true);
    check("### User\n\na\n\n### Assistant\n\nb\n\n### User\n\nc\n\n### Assistant\n\nd\n", true);
    check("User: hi\n\nUser: there\n\nSystem: x\n", false);
    check("# API\n\n## User\n\na\n\n## Agent\n\nb\n\n## System\n\nc\n", false);
    check("## User\n\na <tool> b\n\n## User\n\nc\n\n## Assistant\n", false);
}

/// gptel (Emacs) writes ` ``` tool (name :key "value") ` and an s-expression with the result below.
#[test]
fn fences_of_gptel_are_not_invalid_calls() {
    let call = "``` tool (get_weather :city \"Paris\")\n(:name \"get_weather\" :args (:city \"Paris\"))\n\nSunny\n```\n";
    check(call, true);
    check("```tool\n(:name \"x\")\n```\n", false);
    check("``` tool (x\n", false);
    let ours = format!("{call}\n```tool\n{{\"output\": 1}}\n```\n\n{call}");
    let document = document(&ours, Language::Markdown);
    assert!(document.is_transcript());
    assert_eq!(document.paired_uses().uses.len(), 3);
    assert_eq!(document.diagnostics(), []);
    // A tool fence without an id never gets one of their ids.
    let fences = "```tool\n{\"output\": 1}\n```\n\n```tool\n{\"toolCallId\": \"tool-call-2\"}\n```\n";
    assert_eq!(self::document(&format!("{call}\n{fences}"), Language::Markdown).diagnostics(), []);
}

#[test]
fn known_records_show_a_log() {
    let check = |text: &str, expected: bool| {
        let document = document(text, Language::Log);
        assert_eq!(document.is_transcript(), expected, "{text}");
        if !expected {
            is_left_alone(&document);
        }
    };
    check("{\"type\":\"tool-call\"}\n", true);
    check("data: {\"type\":\"text-delta\",\"delta\":\"a\"}\n", true);
    check("{\"level\":\"info\"\n{\"type\":\"user\"}\n", false);
    check("", false);
}

/// The name decides, whatever the text is; exclusion takes precedence.
#[test]
fn named_documents_are_transcripts() {
    let mut named = document("a <tool> element\n", Language::Markdown);
    is_left_alone(&named);
    let settings = Settings { is_named: true, ..(**named.settings()).clone() };
    named.set_settings(Arc::new(settings.clone()));
    let codes: Vec<_> = named.diagnostics().iter().map(|problem| problem.code).collect();
    assert_eq!(codes, [Code::UnclosedTag]);
    named.set_settings(Arc::new(Settings { enabled: false, ..settings }));
    is_left_alone(&named);
}

/// Diagnostics appear with the keystroke that adds evidence, and disappear with the evidence.
#[test]
fn evidence_changes_with_edits() {
    let mut document = document("a <tool> element\n\n```tool\n", Language::Markdown);
    let end = document.text().len();
    let is_silent = |document: &Document| !document.is_transcript() && document.diagnostics().is_empty();
    assert!(is_silent(&document));
    document.apply(Splice { start: end, removed: 0, inserted: 1 }, "{");
    assert_eq!(document.diagnostics().len(), 2);
    document.apply(Splice { start: end, removed: 1, inserted: 0 }, "");
    assert!(is_silent(&document));
}

#[test]
fn an_example_in_documentation_shows_no_transcript() {
    let fence = |records: &str| format!("# Logs API\n\n```jsonl\n{records}\n```\n");
    let call = r#"{"type":"tool-call","toolCallId":"1","toolName":"f","input":{}}"#;
    let result = r#"{"type":"tool-result","toolCallId":"1","toolName":"f","output":1}"#;
    check(&fence(call), false);
    check(&fence(&format!("{call}\n{result}")), false);
    check(&format!("**User:** Hi\n\n{}", fence(call)), true);
    let template = "<tool_call>\n{\"name\": \"NAME\", \"arguments\": {}}\n</tool_call>\n";
    check(&format!("# Agents\n\nAnswer with\n\n{template}\nand wait.\n"), false);
    check(&format!("{template}\n<tool_response>\n1\n</tool_response>\n"), true);
    check(&format!("**User:** Go.\n\nAssistant: I look.\n\n{template}"), true);
}
