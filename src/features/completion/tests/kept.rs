//! Invariants of completions: accepted at any byte of truncated documents, an item changes only the
//! range of its edit and adds no error.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::features::completion::CompletionKind as Kind;
use crate::features::samples::{SAMPLES, cut_documents};

/// The text of a snippet with its defaults.
fn filled(snippet: &str) -> String {
    let mut plain = String::new();
    let mut rest = snippet.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => plain.extend(rest.next()),
            '$' if rest.next_if_eq(&'{').is_some() => {
                while rest.next_if(char::is_ascii_digit).is_some() {}
                let is_choice = rest.next() == Some('|');
                let mut taken = true;
                while let Some(c) = rest.next() {
                    match c {
                        '\\' => {
                            let c = rest.next();
                            plain.extend(c.filter(|_| taken));
                        }
                        '}' if !is_choice => break,
                        '|' if is_choice => {
                            assert_eq!(rest.next(), Some('}'));
                            break;
                        }
                        ',' if is_choice => taken = false,
                        c => plain.extend(Some(c).filter(|_| taken)),
                    }
                }
            }
            '$' => while rest.next_if(char::is_ascii_digit).is_some() {},
            c => plain.push(c),
        }
    }
    plain
}

/// The number of errors of each code.
fn errors(document: &Document) -> BTreeMap<Code, usize> {
    errors_but(document, |_| false)
}

/// The same without errors that depend on later text, such as a string that ends with its line.
fn errors_but_late_ones(document: &Document) -> BTreeMap<Code, usize> {
    errors_but(document, |problem| problem.message.contains("at the end of this string"))
}

fn errors_but(document: &Document, is_late: impl Fn(&Diagnostic) -> bool) -> BTreeMap<Code, usize> {
    let mut counts = BTreeMap::new();
    for problem in document.diagnostics() {
        if problem.severity == Severity::Error && !is_late(&problem) {
            *counts.entry(problem.code).or_default() += 1;
        }
    }
    counts
}

/// True if rules may have reported nothing because the construct at `at` is incomplete.
fn is_half_typed(document: &Document, at: usize) -> bool {
    let is_open = |problem: &Diagnostic| {
        matches!(
            problem.code,
            Code::InvalidJson
                | Code::UnclosedFence
                | Code::UnclosedMarker
                | Code::UnclosedTag
                | Code::NotAnObject
                | Code::ExtraContent
        )
    };
    let near = |problem: &Diagnostic| problem.range.start <= at + 4096 && at <= problem.range.end + 4096;
    document.diagnostics().iter().any(|problem| is_open(problem) && near(problem))
}

/// True if an unclosed block contains `at`.
fn is_open(document: &Document, at: usize) -> bool {
    let is_open = |problem: &Diagnostic| {
        matches!(problem.code, Code::UnclosedFence | Code::UnclosedMarker) && problem.range.start <= at
    };
    document.diagnostics().iter().any(is_open)
}

/// True if `code` is reported inside the text of the edit.
fn is_at(after: &Document, code: Code, (range, text): &(std::ops::Range<usize>, String)) -> bool {
    let put = range.start..range.start + text.len();
    let meets = |problem: &Diagnostic| problem.range.start < put.end && put.start < problem.range.end;
    after.diagnostics().iter().any(|problem| problem.code == code && meets(problem))
}

/// Accepts some of the items offered at the byte `at`. Returns the number of items.
fn accept_at(document: &Document, at: usize, before: &BTreeMap<Code, usize>) -> usize {
    let plain = completions(document, at, CompletionRequest::default());
    let snippets = completions(document, at, SNIPPETS);
    assert_eq!(plain.len(), snippets.len());
    let picks = [0, at % plain.len().max(1), (at * 7 + 3) % plain.len().max(1)];
    for (index, (item, snippet)) in plain.iter().zip(&snippets).enumerate() {
        let text = if snippet.is_snippet { filled(&snippet.edit.1) } else { snippet.edit.1.clone() };
        assert_eq!(text, item.edit.1, "{snippet:?}");
        if !picks.contains(&index) {
            continue;
        }
        let mut after = document.clone();
        for (range, text) in std::iter::once(&item.edit).chain(&item.more) {
            let splice = Splice { start: range.start, removed: range.len(), inserted: text.len() };
            after.apply(splice, text);
        }
        let is_type = item.label == "type" || item.label.starts_with("tool-");
        let allowed = |code: Code| match code {
            // Changing a fence to a tool fence changes the meaning of its content on purpose.
            _ if item.kind == Kind::Language && !item.edit.1.contains('\n') => true,
            // The content of an unclosed block is checked once it is complete. So is a line that is
            // a record now.
            Code::InvalidJson => (is_open(document, at) || is_type) && !is_at(&after, code, &item.edit),
            // A single record is not a log yet.
            Code::StreamOrder => !is_at(&after, code, &item.edit),
            Code::EmptyId | Code::DuplicateId if matches!(item.kind, Kind::Id | Kind::Call) => false,
            Code::BadState | Code::EmptyName if !matches!(item.kind, Kind::Field | Kind::Parameter) => false,
            // With a tool name, the existing members become the input.
            Code::InvalidInput if item.label == "toolName" => true,
            // The removed text may have been required.
            _ => !item.edit.0.is_empty() || is_half_typed(document, at),
        };
        for (code, count) in errors_but_late_ones(&after) {
            let new = count > before.get(&code).copied().unwrap_or(0);
            let whole = document.text().to_string();
            let (head, tail) = whole.split_at(at);
            assert!(
                !new || allowed(code),
                "{code:?} after {item:#?}\nin\n{head}|{tail}\nwhich makes\n{}",
                after.text()
            );
        }
    }
    plain.len()
}

fn new(language: Language, text: &str) -> Document {
    Document::new(Text::new(text), language, Arc::new(settings_of_samples()))
}

/// Settings with the tools that the samples call.
fn settings_of_samples() -> Settings {
    let mut registry = Registry::default();
    for preset in ["file-tools", "chartsmith"] {
        registry.add(&read_source(crate::registry::preset(preset).expect("a preset"), preset));
    }
    registry.add(&read_source(TOOLS, "tools.json"));
    // The registry lacks some tools of the samples.
    Settings { registry: Arc::new(registry), lint: [(Code::UnknownTool, None)].into(), ..Settings::default() }
}

/// True for every third byte, beginning with another one in each document. [`in_containers`] takes
/// any byte.
fn is_sampled(number: usize, at: usize) -> bool {
    (number + at).is_multiple_of(3)
}

/// The old and the new text of an edit are two stops.
#[test]
fn an_edit_has_stops_for_both_texts() {
    let document = new(Language::Markdown, "```tool\n\n```\n");
    let items = completions(&document, 8, SNIPPETS);
    let edit = items.iter().find(|item| item.label == "edit_file").expect("the tool");
    let snippet = edit.edit.1.replace("\\\\", "\\");
    let block = r"<<<<<<< SEARCH\n$2\n=======\n$3\n>>>>>>> REPLACE";
    assert!(snippet.contains(block), "{snippet}");
}

#[test]
fn anywhere_in_documents() {
    let mut offered = 0;
    for (number, (text, language)) in SAMPLES.iter().enumerate() {
        let document = new(*language, text);
        let before = errors(&document);
        for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at) && is_sampled(number, *at)) {
            offered += accept_at(&document, at, &before);
        }
    }
    assert!(offered > 5_000, "{offered}");
}

#[test]
fn at_the_end_of_truncated_documents() {
    let mut offered = 0;
    for (number, (text, language)) in SAMPLES.iter().enumerate() {
        let mut document = new(*language, "");
        for (at, c) in text.char_indices() {
            let splice = Splice { start: at, removed: 0, inserted: c.len_utf8() };
            document.apply(splice, &text[at..at + c.len_utf8()]);
            if is_sampled(number, at) {
                let before = errors(&document);
                offered += accept_at(&document, document.text().len(), &before);
            }
        }
    }
    assert!(offered > 2_000, "{offered}");
}

/// Small documents in each dialect, in containers, with other line ends and characters.
const SMALL: [&str; 12] = [
    "> - ```tool\r\n>   {\"toolName\": \"read\",\r\n>   \"input\": {\"path\": \"é😀\"}}\r\n>   ```\r\n",
    "```tool\n{\"toolName\":\"search\",\"input\":{\"query\":\"a, b\",\"filter\":{\"kind\":\"web\",\"tags\":[\"a\",3]}}}\n```\n",
    "```tool\n\n{\n  \"state\": \"output-error\",\n  \"errorText\": \"x\"\n}\n~~~\n```\nmore\n",
    "a ###: {\"toolName\": \"read\", \"parameters\": {\"mode\": \"text\", \"path\": \"}\"}} b\n",
    "> ###:{\"toolName\": \"read\",\n> \"parameters\": {\"all\": true}}\n>\n> *🔧 Executed read: ok*\n",
    "a <tool>read(path=a, b, mode=text)\nok</tool> b\n\n<tool>search(query=1, filter={&quot;kind&quot;: 1})</tool>\n",
    "🔧 **Tool Call:** `read(path=a, limit=3)`\n✅ **`read` result:**\nok\n\n<validation>read\nx</validation>\n",
    "```jsonl\n{\"type\":\"tool-input-start\",\"id\":\"c\",\"toolName\":\"read\"}\n\n{\"type\":\"tool-input-end\",\"id\":\"c\"}\n```\n",
    "- ```json\n  {\"type\": \"tool-call\", \"toolCallId\": \"c\", \"toolName\": \"read\",\n   \"input\": {\"path\": 1}}\n  ```\n",
    "```sse\ndata: {\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"now\",\"input\":{}}\n\n```\n",
    "```jsonl\n9:{\"toolCallId\":\"c\",\"toolName\":\"now\",\"args\":{}}\n\na:{\"toolCallId\":\"c\",\"result\":1}\n```\n",
    "a\n\n```\n\nb\n\n```tool\n{}\n```\n",
];

/// Removes a few words at each position; the text after them stays as written.
#[test]
fn in_the_middle_of_small_documents() {
    let mut offered = 0;
    for whole in SMALL {
        let document = new(Language::Markdown, whole);
        let boundaries: Vec<usize> = (0..=whole.len()).filter(|at| whole.is_char_boundary(*at)).collect();
        for (index, at) in boundaries.iter().enumerate() {
            for width in [0, 1, 3, 8, 21, 55, usize::MAX] {
                let end = boundaries.get(index.saturating_add(width)).copied().unwrap_or(whole.len());
                let mut holed = document.clone();
                holed.apply(Splice { start: *at, removed: end - at, inserted: 0 }, "");
                offered += accept_at(&holed, *at, &errors(&holed));
            }
        }
    }
    assert!(offered > 10_000, "{offered}");
}

proptest! {
    /// In quotes and lists, with any line ends: at the end of truncated documents, and anywhere
    /// before it.
    #[test]
    fn in_containers((text, language) in cut_documents(), place in any::<prop::sample::Index>()) {
        let document = new(language, &text);
        let before = errors(&document);
        let at = document.text().floor_boundary(place.index(text.len() + 1));
        accept_at(&document, at, &before);
        accept_at(&document, text.len(), &before);
    }
}
