//! Formatting of payloads by `[format]`: for a document, for a range, and on typing.
//!
//! Only white space between tokens changes. The order of keys, the spelling of numbers and strings
//! and all other text stay the same. Invalid payloads and logs, whose records are lines, are not
//! formatted.

use std::ops::Range;

use crate::config;
use crate::document::{Document, touches};
use crate::json::{DEEPEST, JsonLayout, depth_at, layout};
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::places::call_position::CallPosition;
use crate::text::{DocumentEdit, Span};

/// The trigger characters of [`format_on_type`].
pub const ON_TYPE: [char; 3] = ['}', ']', '\n'];

/// Edits in document order that format the payloads of `document`, as far as they touch the byte
/// range `range`. Stops early, with the edits so far, when `is_wanted` returns false.
pub fn format(document: &Document, range: &Range<usize>, is_wanted: &dyn Fn() -> bool) -> Vec<DocumentEdit> {
    let mut edits = Vec::new();
    let Some(style) = style(document) else { return edits };
    document
        .all_call_positions_at(range, is_wanted, &mut |position| format_call(position, style, &mut edits));
    edits.retain(|(edited, _)| touches(edited, range));
    without_same(document, edits)
}

/// The same for several ranges: an edit that touches two of them is there once.
pub fn format_ranges(
    document: &Document,
    ranges: &[Range<usize>],
    is_wanted: &dyn Fn() -> bool,
) -> Vec<DocumentEdit> {
    let mut edits: Vec<_> = ranges.iter().flat_map(|range| format(document, range, is_wanted)).collect();
    edits.sort_by_key(|(edited, _)| (edited.start, edited.end));
    edits.dedup();
    edits
}

/// The edits after typing `typed`, which ends at the byte `at`. Indents a new line, or a line that
/// begins with a closing bracket; formats a payload when its last bracket is typed.
pub fn format_on_type(document: &Document, at: usize, typed: char) -> Vec<DocumentEdit> {
    let Some(style) = style(document) else { return Vec::new() };
    let edits = document.call_position_at(at, |position| on_type(position, style, typed));
    without_same(document, edits.unwrap_or_default())
}

/// The elements of `edits` that change something.
fn without_same(document: &Document, mut edits: Vec<DocumentEdit>) -> Vec<DocumentEdit> {
    edits.retain(|(range, written)| document.text().slice(range.clone()) != *written);
    edits
}

fn on_type(position: &CallPosition<'_>, style: JsonLayout, typed: char) -> Vec<DocumentEdit> {
    let (Some(at), Some(payload)) = (position.offset, own_payload(position)) else { return Vec::new() };
    let is_end = || {
        let root = payload.root().filter(|_| payload.is_valid());
        root.is_some_and(|root| root.span().shifted(payload.start).end as usize == at)
    };
    if typed != '\n' && is_end() {
        let mut edits = Vec::new();
        format_call(position, style, &mut edits);
        return edits;
    }
    // The closing tag of a block follows the text of its payload.
    let Some(before) = payload.text.get(..at) else { return Vec::new() };
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    if line <= payload.start {
        return Vec::new();
    }
    let rest = payload.text.get(line..).or_never();
    let space = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let begins = rest.get(space..).or_never();
    let is_first = typed == '\n' || line + space + typed.len_utf8() == at;
    let Some(depth) = depth_at(payload.body(), line - payload.start).filter(|_| is_first) else {
        return Vec::new();
    };
    let depth = if begins.starts_with(['}', ']']) { depth.saturating_sub(1) } else { depth };
    // The blank line after the payload has no depth; one before its end does.
    let wanted = " ".repeat(indent(position.source.settings.format.indent, style) * depth);
    vec![position.edit(Span::new(line, line + space), wanted)]
}

/// A new line is indented even if payloads are compact.
fn indent(of_settings: usize, style: JsonLayout) -> usize {
    match style {
        JsonLayout::Pretty { indent } => indent,
        JsonLayout::Compact => of_settings,
    }
}

fn style(document: &Document) -> Option<JsonLayout> {
    let format = document.settings().format;
    // Documents excluded by `include` and `exclude` are not formatted.
    match format.payload {
        _ if !document.is_active() => None,
        config::PayloadLayout::Pretty => Some(JsonLayout::Pretty { indent: format.indent }),
        config::PayloadLayout::Compact => Some(JsonLayout::Compact),
        config::PayloadLayout::AsWritten => None,
    }
}

/// The payload of a call, unless it is a line of a log.
fn own_payload<'a>(position: &CallPosition<'a>) -> Option<ParsedPayload<'a>> {
    let is_log = position.source.language.is_none() && position.dialect.lines;
    position.call.payload.filter(|_| !is_log && position.call.shape.is_some() && !is_record_of_log(position))
}

/// True if the call is a line of a fenced log.
fn is_record_of_log(position: &CallPosition<'_>) -> bool {
    position.source.language.is_some() && position.call.span.is_some()
}

fn format_call(position: &CallPosition<'_>, style: JsonLayout, edits: &mut Vec<DocumentEdit>) {
    let payload = own_payload(position).filter(ParsedPayload::is_valid);
    let Some((payload, root)) = payload.and_then(|payload| Some((payload, payload.root()?))) else { return };
    // Most of the output would be indentation.
    if depth(root.raw()) > DEEPEST {
        return;
    }
    let is_fence = position.source.language.is_some();
    let value = root.span().shifted(payload.start);
    // In running text, a payload on one line stays on one line.
    if !is_fence && style != JsonLayout::Compact && !root.raw().contains(['\n', '\r']) {
        return;
    }
    let mut gap = |span: Span, space: &str| edits.push(position.layout(span, space));
    if is_fence && value.start > 0 {
        gap(Span { start: 0, end: value.start }, "");
    }
    for (span, space) in layout(root, style) {
        gap(span.shifted(payload.start), &space);
    }
    // The last line end belongs to the closing fence.
    let text = payload.text;
    let end = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\n', '\r'])).unwrap_or(text).len();
    if is_fence && position.source.closed {
        gap(Span::new(value.end as usize, end), "");
    }
}

/// Nesting depth of the arrays and objects of the valid JSON `text`.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest, mut in_string, mut escaped) = (0_usize, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_string,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

#[cfg(test)]
mod tests;
