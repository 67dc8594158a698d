//! Incomplete text causes no loud diagnostics while it is typed, at the end of a document and in
//! its middle.
//!
//! The typed documents have no diagnostics when complete: the right example of every code's page,
//! the samples, and some in containers. A diagnostic is loud if it is more severe than information
//! and was not there before the typing began.

use std::ops::Range;
use std::sync::Arc;

use chatls::config::Settings;
use chatls::diagnostic::{Code, Diagnostic, Severity};
use chatls::document::{Document, Language};
use chatls::registry::{Registry, preset, read_source};
use chatls::text::{Splice, Text};

use super::pages::{example, settings_of};
use super::samples::samples;

/// Content missing from pages and samples: other fences, containers, surrounding text.
const MORE: &[&str] = &[
    "~~~~tool\n{\"toolName\": \"add_package\", \"output\": 1, \"input\": {\"name\": \"a\"}}\n~~~~\n",
    "> - ```tool\n>   {\"toolName\": \"search_docs\", \"errorText\": \"no\"}\n>   ```\n",
    "Text.\n\n```tool\n{\n  \"toolCallId\": \"c\\u0041\",\n\n  \"state\": \"output-available\",\n  \"input\": {\"a\": [-1.5e3, true, null]},\n  \"output\": []\n}\n```\n\nMore.\n",
    "Sure: ###: {\"toolName\": \"delete_file\", \"parameters\": {\"path\": \"}\"}} and more\n",
    "<tool>delete_file(path=[1])\nok</tool>\n\n<tool>read</tool>\n<validation>read\nx</validation>\n",
    "```json\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"delete_file\",\n \"input\":{\"path\":\"a\"}}\n```\n",
    "```jsonl\n{\"type\":\"text-delta\",\"delta\":\"<tool>a(b=1)\\nc</tool> ###:{\\\"toolName\\\": \\\"delete_file\\\", \\\"parameters\\\": {\\\"path\\\": \\\"a\\\"}}\"}\n```\n",
    "```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"delete_file\",\"args\":{}}\n{\"type\":\"tool-call-delta\",\"toolCallId\":\"c\",\"argsTextDelta\":\"{\\\"path\\\":1}\"}\n{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"result\":1}\n```\n",
];

fn file_tools() -> Settings {
    let mut registry = Registry::default();
    for tools in ["file-tools", "chartsmith"] {
        registry.add(&read_source(preset(tools).unwrap(), tools));
    }
    // The registry does not contain all tools called here.
    let lint = [(Code::UnknownTool, None)].into();
    Settings { registry: Arc::new(registry), lint, ..Settings::default() }
}

/// Documents without diagnostics.
fn documents() -> Vec<Document> {
    let mut all: Vec<Document> = samples()
        .into_iter()
        .filter(|(name, _)| !name.starts_with("broken"))
        .flat_map(|(_, document)| {
            let mut judged = document.clone();
            judged.set_settings(Arc::new(file_tools()));
            [document, judged]
        })
        .collect();
    let new = |text: &str, settings| Document::new(Text::new(text), Language::Markdown, Arc::new(settings));
    for code in Code::ALL {
        let (language, right) = example(code.page(), "Right");
        if language.starts_with("markdown") {
            all.push(new(right, settings_of(language)));
            let quoted: String = right.lines().map(|line| format!("> {line}\n")).collect();
            all.push(new(&quoted, settings_of(language)));
        }
    }
    for text in MORE {
        all.push(new(text, file_tools()));
        all.push(new(&text.replace('\n', "\r\n"), file_tools()));
    }
    all
}

fn loud(document: &Document) -> Vec<Diagnostic> {
    document.diagnostics().into_iter().filter(|problem| problem.severity > Severity::Information).collect()
}

fn insert(document: &mut Document, at: usize, text: &str) {
    document.apply(Splice { start: at, removed: 0, inserted: text.len() }, text);
}

/// Fails on diagnostics that are neither in `known` nor accepted by `is_asked_for`.
#[track_caller]
fn check(document: &Document, known: &[Diagnostic], is_asked_for: impl Fn(&Diagnostic) -> bool) {
    let is_known = |problem: &Diagnostic| {
        known.iter().any(|known| known.code == problem.code && known.message == problem.message)
    };
    let new: Vec<_> =
        loud(document).into_iter().filter(|problem| !is_known(problem) && !is_asked_for(problem)).collect();
    assert_eq!(new, [], "in {:?}", document.text().slice(0..document.text().len()));
}

/// formats.md §3.3: an open tag "takes only its own paragraph", which blank lines and headings end.
fn is_cut_off(document: &Document, problem: &Diagnostic) -> bool {
    let behind = document.text().slice(problem.range.start..document.text().len());
    let mut lines = behind.lines().map(|line| line.trim_start_matches(['>', ' ']));
    problem.code == Code::UnclosedTag && lines.any(|line| line.is_empty() || line.starts_with('#'))
}

/// Typed at the end by a model or a person, letter by letter, with any line end that editors add.
#[test]
fn typing_at_the_end_causes_no_loud_diagnostics() {
    for whole in documents() {
        let known = loud(&whole);
        let mut document = Document::new(Text::new(""), whole.language(), Arc::clone(whole.settings()));
        for (at, character) in whole.text().slice(0..whole.text().len()).char_indices() {
            insert(&mut document, at, character.encode_utf8(&mut [0; 4]));
            check(&document, &known, |problem| is_cut_off(&document, problem));
            if at.is_multiple_of(3) {
                let mut ended = document.clone();
                insert(&mut ended, document.text().len(), ["\n", "\r\n"][at % 2]);
                check(&ended, &known, |problem| is_cut_off(&ended, problem));
            }
        }
    }
}

/// The blocks that authors write in one go: lines of a log, otherwise blocks.
fn pieces(document: &Document) -> Vec<Range<usize>> {
    let text = document.text().slice(0..document.text().len());
    let without_end = |range: Range<usize>| range.start..range.start + text[range].trim_end().len();
    match document.language() {
        Language::Log => {
            let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
            starts.map(|start| start..start + text[start..].find('\n').unwrap_or(0)).collect()
        }
        Language::Markdown | Language::Org | Language::Json => {
            let mut pieces: Vec<Range<usize>> = Vec::new();
            for at in document.paired_uses().blocks() {
                let range = document.range_of(at);
                // The calls of a list touch each other, and are written in one go.
                let goes_on = !text[..range.start].ends_with(['\n', '\r']);
                match pieces.last_mut().filter(|last| goes_on && last.end == range.start) {
                    Some(last) => last.end = range.end,
                    None => pieces.push(range),
                }
            }
            pieces.into_iter().map(without_end).collect()
        }
    }
}

/// A block typed between others is only as loud as formats.md §6 requires: "`unclosed-*`: warning",
/// and in logs "a broken line is `invalid-json`" or `broken-line`.
#[test]
fn typing_in_the_middle_is_only_loud_about_its_end() {
    for whole in documents() {
        for piece in pieces(&whole) {
            let text = whole.text().slice(piece.clone()).into_owned();
            let mut document = whole.clone();
            document.apply(Splice { start: piece.start, removed: piece.len(), inserted: 0 }, "");
            let known: Vec<_> = loud(&whole).into_iter().chain(loud(&document)).collect();
            let behind = whole.text().slice(piece.end..whole.text().len());
            let is_record = |at: usize| text.starts_with('{') || text[..at].contains("\"type\"");
            // The rest of its line may become part of it.
            let goes_on = text.starts_with("###:") && !behind.starts_with(['\n', '\r']);
            for (at, character) in text.char_indices() {
                insert(&mut document, piece.start + at, character.encode_utf8(&mut [0; 4]));
                check(&document, &known, |problem| match problem.code {
                    Code::UnclosedFence | Code::UnclosedMarker | Code::UnclosedTag | Code::LeakedMarkup => {
                        true
                    }
                    Code::InvalidJson | Code::BrokenLine => is_record(at) || goes_on,
                    _ => false,
                });
            }
        }
    }
}
