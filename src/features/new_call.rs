//! New calls: for each known tool a call, with the block that contains it.
//!
//! The snippet is the completion of `toolcall`, at a position that the user did not prepare.

use std::ops::Range;

use serde::Serialize;

use crate::document::{Document, Language};

use super::completion::{ANY, Completion, CompletionRequest, fenced_calls};
use super::tool_uses::tool_uses;

/// A new call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NewCall {
    /// The tool's name.
    pub tool_name: String,
    /// A short description of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The LSP snippet: its tab stops are the arguments, the result and the position after the
    /// call.
    pub snippet: String,
}

/// The new calls for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewCalls {
    /// The replaced range, in document offsets: a blank line, or empty.
    pub range: Range<usize>,
    /// One call for each known tool, or only for the requested tool.
    pub calls: Vec<NewCall>,
}

/// The new calls for the line of the byte `at`: replacing the line if it is blank, otherwise after
/// it, or after the call that it is a part of. `None` in logs.
pub fn new_calls(document: &Document, at: usize, tool: Option<&str>) -> Option<NewCalls> {
    if document.language() != Language::Markdown {
        return None;
    }
    let (range, before) = place(document, at);
    // Editors indent the lines of a snippet to match the current line.
    let request = CompletionRequest { trigger: None, snippets: true, indents: true };
    let offered = fenced_calls(document, range.clone(), before, tool, request);
    let offered = offered.into_iter().filter(|item| item.label != ANY);
    let call =
        |item: Completion| NewCall { tool_name: item.label, detail: item.detail, snippet: item.edit.1 };
    Some(NewCalls { range, calls: offered.map(call).collect() })
}

/// The range that a new fence replaces, and the line breaks before the fence.
fn place(document: &Document, at: usize) -> (Range<usize>, &'static str) {
    let text = document.text();
    let line = text.line_of_byte(at.min(text.len()));
    // A call in the line, or around it.
    let around = tool_uses(document, &text.line_content(line)).tool_uses;
    let behind = around.iter().map(|listed| listed.range.end).max();
    let number = behind.map_or(line, |end| text.line_of_byte(end));
    let line = text.line_content(number);
    let is_blank = |line: Range<usize>| text.slice(line).trim().is_empty();
    if !is_blank(line.clone()) {
        return (line.end..line.end, "\n\n");
    }
    let follows_text = number.checked_sub(1).is_some_and(|above| !is_blank(text.line_content(above)));
    (line, if follows_text { "\n" } else { "" })
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
    fn known_tool_gets_its_own_fence() {
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
        // In a quote, the call is part of the quote.
        let found = new_calls(&open("> text\n"), 0, Some("a")).unwrap();
        assert!(found.calls[0].snippet.starts_with("\n> \n> ```tool\n> {\n"), "{}", found.calls[0].snippet);
    }

    #[test]
    fn call_is_inserted_behind_the_call_at_the_position() {
        let after = |text: &str, at: &str| {
            let found = new_calls(&open(text), text.find(at).unwrap(), Some("read")).unwrap();
            assert_eq!(found.calls.len(), 1, "{text}");
            text[found.range.start..].to_owned()
        };
        let text = format!("text\n\n{KNOWN}\nmore\n");
        for at in ["```tool", "\"toolName", "```\n\nmore"] {
            assert_eq!(after(&text, at), "\n\nmore\n", "{at}");
        }
        assert_eq!(after("<tool>read(\na=1)\n\n2</tool>\n\nmore\n", "a=1"), "\n\nmore\n");
    }

    #[test]
    fn all_known_tools_or_the_named_one() {
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
    fn logs_have_no_new_calls() {
        let document = Document::new(Text::new("{}\n"), Language::Log, Arc::new(Settings::default()));
        assert_eq!(new_calls(&document, 0, None), None);
    }
}
