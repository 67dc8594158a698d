//! Fixes of missing or surplus brackets, and the completion of a payload that ends early.

use crate::diagnostic::Fix;
use crate::json::JsonKind;
use crate::json::error::{JsonError, JsonErrorKind, UnfinishedPart};
use crate::json_repair::payload::ParsedPayload;
use crate::json_repair::{BLANK, ContentEdits, JsonRepair};
use crate::never::OrNever;
use crate::text::Span;

impl JsonRepair<'_> {
    /// Closes a bracket before the byte `before`, or before the comma there.
    pub(super) fn unclosed_bracket(&self, before: usize) -> Fix {
        let found = self.error.span.of(self.body);
        let partner = if found == "[" { "]" } else { "}" };
        let end = self.end_before(before);
        let at = comma_before(self.body, end).unwrap_or(Span::empty(end));
        Fix::replace(format!("Close the `{found}`"), at, partner).preferred()
    }

    /// Members follow the `}`: removes it, and inserts the missing comma or brace after them.
    pub(super) fn surplus_close(&self) -> Fix {
        let span = self.error.span;
        let behind = self.body.get(span.end as usize..).or_never().trim_start_matches(BLANK);
        let comma = if behind.starts_with(',') { "" } else { "," };
        let mut edits = vec![(span, comma.to_owned())];
        edits.extend(self.missing_close());
        Fix::new("Remove the premature `}`", edits).preferred()
    }

    pub(super) fn missing_open(&self) -> Fix {
        let mut edits = vec![(Span::empty(self.error.span.start as usize), "{".to_owned())];
        edits.extend(self.missing_close());
        Fix::new("Insert the `{`", edits).preferred()
    }

    /// Completes a payload that ends in `unfinished`.
    pub(super) fn ended_too_soon(&self, unfinished: UnfinishedPart) -> Option<Fix> {
        let title = match unfinished {
            UnfinishedPart::String => "Close the string",
            UnfinishedPart::Word => "Complete the word",
            _ => "Close the open brackets",
        };
        ended(self.payload).map(|edits| Fix::new(title, edits).preferred())
    }

    /// The missing brackets at the end that have no error of their own.
    fn missing_close(&self) -> Option<(Span, String)> {
        let open = open_at_end(self.payload);
        let end = self.end_before(self.payload.json.end as usize);
        (!open.is_empty()).then(|| (Span::empty(end), open))
    }
}

/// The edits of the block's content that complete a payload that ends early; empty if it is
/// complete. `None` if a value would have to be invented.
pub(crate) fn completion(payload: &ParsedPayload<'_>) -> Option<ContentEdits> {
    let shift = |(span, text): (Span, String)| (span.shifted(payload.start), text);
    let is_end = payload.json.errors.iter().any(|fault| fault.kind.is_end());
    if is_end { Some(ended(payload)?.into_iter().map(shift).collect()) } else { Some(ContentEdits::new()) }
}

/// Like [`completion`], relative to the payload's text.
fn ended(payload: &ParsedPayload<'_>) -> Option<ContentEdits> {
    let body = payload.body();
    let fault = payload.json.errors.iter().find(|fault| fault.kind.is_end())?;
    let JsonErrorKind::EndedTooSoon(unfinished) = fault.kind else { return None };
    if payload.json.nodes.last().is_none_or(|last| last.kind == JsonKind::Missing) {
        return None;
    }
    let brackets = open_at_end(payload);
    let edit = match unfinished {
        UnfinishedPart::Container => {
            let read = body.get(..payload.json.end as usize).or_never();
            let end = read.trim_end_matches(BLANK).len();
            let unclosed = |fault: &JsonError| {
                fault.kind == JsonErrorKind::UnclosedString && fault.span.end as usize == end
            };
            match payload.json.errors.iter().any(unclosed) {
                true => (Span::empty(end), format!("\"{brackets}")),
                false => (comma_before(body, end).unwrap_or(Span::empty(end)), brackets),
            }
        }
        UnfinishedPart::String => {
            let start = text_end(fault.span.of(body), &brackets) + fault.span.start as usize;
            (Span::new(start, fault.span.end as usize), format!("\"{brackets}"))
        }
        UnfinishedPart::Word => {
            let word = fault.span.of(body);
            let rest = ["true", "false", "null"].iter().find_map(|literal| literal.strip_prefix(word))?;
            (Span::empty(fault.span.end as usize), format!("{rest}{brackets}"))
        }
        UnfinishedPart::Empty | UnfinishedPart::Number => return None,
    };
    Some(vec![edit])
}

/// The end of the text of a string that is not closed: before closing brackets at its end, if those
/// close `open` ones around it and none in it.
fn text_end(string: &str, open: &str) -> usize {
    let text = string.trim_end_matches(['}', ']', ' ', '\t', '\n', '\r']);
    let closing: String = string.get(text.len()..).or_never().split_whitespace().collect();
    let is_outside = !closing.is_empty() && open.starts_with(&closing) && !text.contains(['{', '[']);
    if is_outside { text.len() } else { string.len() }
}

/// The `,` that ends at `end`, which separates nothing.
fn comma_before(body: &str, end: usize) -> Option<Span> {
    let rest = body.get(..end).never_none()?.strip_suffix(',')?;
    Some(Span::new(rest.len(), end))
}

/// The closing brackets of all open containers at the end, innermost first.
fn open_at_end(payload: &ParsedPayload<'_>) -> String {
    let json = payload.json;
    if json.gave_up {
        return String::new();
    }
    let is_reported = |start: u32| {
        let unclosed = |kind| matches!(kind, JsonErrorKind::UnclosedBracket { .. });
        json.errors.iter().any(|fault| fault.span.start == start && unclosed(fault.kind))
    };
    let open =
        json.nodes.iter().rev().filter(|node| {
            node.kind.is_container() && !node.closed && node.next as usize == json.nodes.len()
        });
    open.filter(|node| !is_reported(node.span.start))
        .map(|node| if node.kind == JsonKind::Object { '}' } else { ']' })
        .collect()
}
