//! A new call at a place: one of each known tool, with the block that it stands in.
//!
//! The block is tried on a copy of the document. What can be written in it is what completion offers there.

use std::ops::Range;

use crate::document::{Document, Language};
use crate::json::quote;
use crate::text::Splice;

use super::completion::{Asked, Completion, CompletionKind, completions};

/// A call that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCall {
    /// The tool's name.
    pub tool_name: String,
    /// What there is to say of the tool, in a few words.
    pub detail: Option<String>,
    /// What is written, as an LSP snippet: its stops are the arguments, the result and the place behind the call.
    pub snippet: String,
}

/// The calls that can be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCalls {
    /// What is replaced, in document offsets: a blank line, or nothing.
    pub range: Range<usize>,
    /// One of each known tool; of the tool that was named alone, if one was.
    pub calls: Vec<NewCall>,
}

/// The calls that can be written in the line of the byte `at`, if it is blank, or else behind it. `None` in logs.
pub fn new_calls(document: &Document, at: usize, tool: Option<&str>) -> Option<NewCalls> {
    if document.language() == Language::Stream {
        return None;
    }
    let frame = Frame::at(document, at);
    let offered = frame.offered(document);
    let mut calls: Vec<NewCall> = offered
        .into_iter()
        .filter(|item| tool.is_none_or(|tool| item.label == tool))
        .map(|item| frame.call(&item.label, item.detail, &item.edit.1, item.is_snippet))
        .collect();
    if let (Some(tool), true) = (tool, calls.is_empty()) {
        calls.push(frame.call(tool, None, &unknown(tool), true));
    }
    Some(NewCalls { range: frame.range, calls })
}

/// The object of a call of a tool that is not known.
fn unknown(tool: &str) -> String {
    let name = escape(&quote(tool));
    format!("{{\n  \"toolName\": {name},\n  \"input\": {{$1\\}},\n  \"output\": \"$2\"\n\\}}")
}

/// The object of a call with a place for its result, where it has none.
fn with_result(body: String) -> String {
    match body.strip_suffix("\n\\}") {
        Some(members) if !body.contains("\"output\"") => {
            format!("{members},\n  \"output\": \"${}\"\n\\}}", last_stop(&body) + 1)
        }
        _ => body,
    }
}

/// The greatest number of a stop in a snippet.
fn last_stop(snippet: &str) -> u32 {
    let stops = snippet.split('$').skip(1).map(|rest| {
        let rest = rest.trim_start_matches('{');
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        rest.get(..digits).and_then(|number| number.parse().ok()).unwrap_or(0)
    });
    stops.max().unwrap_or(0)
}

fn escape(text: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '$' | '}').then_some('\\').into_iter().chain([c]);
    text.chars().flat_map(special).collect()
}

/// A fence around the place of a new call.
struct Frame {
    range: Range<usize>,
    before: &'static str,
}

/// What completion calls a call of no tool.
const ANY: &str = "tool call";
const OPENER: &str = "```tool\n";
const CLOSER: &str = "\n```\n";

impl Frame {
    fn at(document: &Document, at: usize) -> Self {
        let text = document.text();
        let number = text.line_of_byte(at.min(text.len()));
        let line = text.line_content(number);
        let is_blank = |line: Range<usize>| text.slice(line).trim().is_empty();
        if !is_blank(line.clone()) {
            return Self { range: line.end..line.end, before: "\n\n" };
        }
        let follows_text = number.checked_sub(1).is_some_and(|above| !is_blank(text.line_content(above)));
        Self { range: line, before: if follows_text { "\n" } else { "" } }
    }

    /// What completion offers for whole calls in the empty fence.
    fn offered(&self, document: &Document) -> Vec<Completion> {
        let mut tried = document.as_transcript();
        let fence = format!("{}{OPENER}{CLOSER}", self.before);
        let splice = Splice { start: self.range.start, removed: self.range.len(), inserted: fence.len() };
        tried.apply(splice, &fence);
        let place = self.range.start + self.before.len() + OPENER.len();
        let asked = Asked { trigger: None, snippets: true, indents: false };
        let mut offered = completions(&tried, place, asked);
        offered.retain(|item| {
            item.kind == CompletionKind::Call && item.edit.0 == (place..place) && item.label != ANY
        });
        offered
    }

    fn call(&self, tool: &str, detail: Option<String>, body: &str, is_snippet: bool) -> NewCall {
        let body = with_result(if is_snippet { body.replace("$0", "") } else { escape(body) });
        let snippet = format!("{}{OPENER}{body}{CLOSER}$0", self.before);
        NewCall { tool_name: tool.to_owned(), detail, snippet }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::Settings;
    use crate::text::Text;

    const KNOWN: &str = "```tool\n{\"toolName\": \"read\", \"input\": {}, \"output\": 1}\n```\n";

    fn open(text: &str) -> Document {
        Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
    }

    #[test]
    fn a_call_of_a_known_tool_stands_in_a_fence_of_its_own() {
        let text = format!("{KNOWN}\ntext\n\n");
        let document = open(&text);
        let found = new_calls(&document, text.len(), Some("read")).unwrap();
        let [call] = &found.calls[..] else { panic!("{found:?}") };
        assert_eq!(found.range, text.len()..text.len());
        assert!(call.snippet.starts_with("```tool\n{"), "{}", call.snippet);
        assert!(call.snippet.contains("\"toolName\": \"read\""), "{}", call.snippet);
        assert!(call.snippet.contains("\"input\": {$1\\},\n  \"output\": \"$2\"\n\\}"), "{}", call.snippet);
        assert!(call.snippet.ends_with("\n```\n$0"), "{}", call.snippet);
        assert_eq!(call.snippet.matches("$0").count(), 1);
        let behind_text = new_calls(&document, text.find("text").unwrap(), Some("read")).unwrap();
        assert!(behind_text.calls[0].snippet.starts_with("\n\n```tool\n"));
        assert_eq!(behind_text.range.start, text.find("text").unwrap() + 4);
    }

    #[test]
    fn all_known_tools_are_offered_and_an_unknown_one_can_be_named() {
        let document = open(KNOWN);
        let names = |tool| -> Vec<String> {
            let found = new_calls(&document, KNOWN.len(), tool).unwrap();
            found.calls.into_iter().map(|call| call.tool_name).collect()
        };
        assert_eq!(names(None), ["read"]);
        assert_eq!(names(Some("o\"ther")), ["o\"ther"]);
        let other = new_calls(&document, KNOWN.len(), Some("o\"ther$")).unwrap();
        assert!(other.calls[0].snippet.contains(r#""o\\"ther\$""#), "{}", other.calls[0].snippet);
    }

    #[test]
    fn a_log_has_no_such_call() {
        let document = Document::new(Text::new("{}\n"), Language::Stream, Arc::new(Settings::default()));
        assert_eq!(new_calls(&document, 0, None), None);
    }
}
