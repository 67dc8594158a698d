//! Rules on a payload as JSON: `invalid-json`, `not-an-object`, `extra-content`, `first-brace`, and its block's missing end.

use super::{AtEnd, Code, Remark, UNCLOSED_FENCE};
use crate::call::shape::PatternEnd;
use crate::call::{Call, Payload, Shape};
use crate::config::Settings;
use crate::json::{Fault, Kind, Value};
use crate::text::Span;

/// Judges the payload of `call`, if it has one.
pub fn check(call: &Call<'_>, settings: &Settings, remarks: &mut Vec<Remark>) {
    let (Some(payload), Some(shape)) = (&call.payload, call.shape) else { return };
    if !payload.closed {
        remarks.push(unclosed(payload, shape));
    }
    match payload.root() {
        None if payload.json.faults.iter().all(is_end) => {
            // A block that has only been opened is a valid beginning; a closed one holds nothing.
            if payload.closed {
                let message = format!("{} holds one JSON object; this one is empty", shape.what);
                remarks.push(Remark::at_opening(Code::NotAnObject, message, AtEnd::Same));
            }
            return;
        }
        _ => faults(payload, remarks),
    }
    let Some(root) = payload.root() else { return };
    if root.kind() != Kind::Object && payload.json.faults.is_empty() {
        let message = format!("{} holds one JSON object, found {}", shape.what, with_article(root));
        remarks.push(Remark::new(Code::NotAnObject, root.span().shifted(payload.start), message));
    }
    if let (Some(rest), true, true) = (payload.rest(), payload.closed, payload.json.faults.is_empty()) {
        let message =
            format!("{} holds one JSON object and nothing else; remove what follows it", shape.what);
        remarks.push(Remark::new(Code::ExtraContent, first_line(payload.text, rest), message));
    }
    // It is true of most markers, so that it is looked for only where somebody wants to know.
    let asked = shape.pattern_end == PatternEnd::Brace && settings.severity(Code::FirstBrace).is_some();
    if asked && call.valid && payload.closed {
        first_brace(root, payload, remarks);
    }
}

/// Readers with a pattern stop at any `}`, also at one in a string.
fn first_brace(root: Value<'_>, payload: &Payload<'_>, remarks: &mut Vec<Remark>) {
    let Some(first) = memchr::memchr(b'}', root.raw().as_bytes()) else { return };
    if first + 1 < root.raw().len() {
        let start = root.span().start as usize + first;
        let message = "readers that look for the first `}` end the object here, and lose the call";
        let brace = Span::new(start, start + 1).shifted(payload.start);
        remarks.push(Remark::new(Code::FirstBrace, brace, message));
    }
}

fn unclosed(payload: &Payload<'_>, shape: &Shape) -> Remark {
    // A closing fence is typed one character after the other.
    let rest = payload.rest().map_or("", |rest| rest.of(payload.text));
    let growing = payload.json.faults.iter().all(is_end) && rest.trim_matches(['`', '~']).is_empty();
    let at_end = if growing { AtEnd::Information } else { AtEnd::Same };
    let message = match shape.unclosed {
        Code::UnclosedMarker => "this marker's object is never closed: add `}`".to_owned(),
        _ => UNCLOSED_FENCE.to_owned(),
    };
    Remark::at_opening(shape.unclosed, message, at_end)
}

/// Every fault, except that an unclosed block ends too soon (which is said of the block), and that what an
/// unclosed block swallows behind a blank line is not its author's fault.
fn faults(payload: &Payload<'_>, remarks: &mut Vec<Remark>) {
    let swallowed = if payload.closed { usize::MAX } else { blank_line(payload.body()) };
    for fault in &payload.json.faults {
        if !payload.closed && (is_end(fault) || fault.span.start as usize >= swallowed) {
            continue;
        }
        let span = fault.span.shifted(payload.start);
        let at_end = if payload.growing && is_end(fault) { AtEnd::Silent } else { AtEnd::Same };
        remarks.push(Remark::new(Code::InvalidJson, span, fault.message(payload.body())).at_end(at_end));
    }
}

fn is_end(fault: &Fault) -> bool {
    fault.kind.is_end()
}

/// What `value` is, for messages.
pub(super) fn with_article(value: Value<'_>) -> &'static str {
    match value.kind() {
        Kind::Null => "`null`",
        Kind::Bool => "a boolean",
        Kind::Number => "a number",
        Kind::String { .. } | Kind::Key { .. } => "a string",
        Kind::Array => "an array",
        Kind::Object => "an object",
        Kind::Missing => "nothing",
    }
}

/// Where the first blank line of `text` begins.
fn blank_line(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive(['\n', '\r']) {
        // The `\n` of a `\r\n` is a piece of its own here, and no blank line.
        let seam = line == "\n" && text.get(..at).is_some_and(|before| before.ends_with('\r'));
        if line.trim().is_empty() && !seam && at > 0 {
            return at;
        }
        at += line.len();
    }
    usize::MAX
}

fn first_line(text: &str, span: Span) -> Span {
    let covered = span.of(text);
    let len = covered.find(['\n', '\r']).unwrap_or(covered.len());
    Span::new(span.start as usize, span.start as usize + len)
}
