//! A new call in its own fence, as one snippet: its tab stops are the arguments, the result and the
//! position after the call.
//!
//! The fence is inserted into a copy of the document. Its content is the completion at that place.

use std::ops::Range;

use super::snippet::escape;
use super::{Completion, CompletionKind, CompletionRequest, completions, named_call, unindented};
use crate::document::Document;

/// Calls that replace `range` on one line of `document`, with `before` before their fence: one for
/// each known tool and one without a tool; if `tool` is given, only that one, known or not.
pub fn fenced_calls(
    document: &Document,
    range: Range<usize>,
    before: &str,
    tool: Option<&str>,
    request: CompletionRequest,
) -> Vec<Completion> {
    let Some(language) = document.settings().fence_languages.first() else { return Vec::new() };
    let opening = document.with_prefixes(range.start, &format!("{before}```{language}\n"));
    let closing = document.with_prefixes(range.start, "\n```\n");
    let copy = document.assume_transcript().edited(&[(range.clone(), format!("{opening}{closing}"))]);
    let inside = range.start + opening.len();
    let inner = CompletionRequest { trigger: None, indents: false, ..request };
    let is_whole = |item: &Completion| {
        item.kind == CompletionKind::Call && item.edit.0.is_empty() && item.more.is_none()
    };
    let mut calls = completions(&copy, inside, inner);
    calls.retain(|item| is_whole(item) && tool.is_none_or(|tool| item.label == tool));
    if let (Some(tool), true) = (tool, calls.is_empty()) {
        calls.extend(named_call(&copy, inside, tool, inner));
    }
    let in_fence = |item: Completion| {
        let indent = copy.text().slice(item.edit.0.start..inside);
        let body = match item.is_snippet {
            true => item.edit.1.strip_suffix("$0").unwrap_or(&item.edit.1).to_owned(),
            false if request.snippets => escape(&item.edit.1, &['\\', '$', '}']),
            false => item.edit.1,
        };
        let end = if request.snippets { "$0" } else { "" };
        let written = format!("{opening}{indent}{body}{closing}{end}");
        let written = if request.indents { unindented(document, &range, &written) } else { written };
        Completion { edit: (range.clone(), written), is_snippet: request.snippets, ..item }
    };
    calls.into_iter().map(in_fence).collect()
}
