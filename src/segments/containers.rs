//! The multi-line JSON objects and arrays of a payload, for folding, and values by which edits in
//! long lines find their place.
//!
//! Containers on the tape fold. In invalid payloads the line structure is used as well, so that a
//! stray bracket does not remove folds while typing.

use smallvec::SmallVec;

use crate::call::JsonContainer;
use crate::json::JsonKind;
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::Span;

/// The multi-line containers of `payload`, in order of their opening brackets; where it is valid,
/// also all values of at least `long` bytes, and one of their items or members after each `long`
/// bytes. Their spans are in bytes of the payload's text.
pub(crate) fn of(payload: &ParsedPayload<'_>, long: usize) -> Vec<JsonContainer> {
    let is_long = payload.json.errors.is_empty() && payload.body().len() >= long;
    let mut containers = on_tape(payload, is_long.then_some(long));
    if !payload.json.errors.is_empty() {
        // Of two containers that open on the same line, the larger one folds.
        containers.extend(by_indentation(payload.body()));
        containers.sort_by_key(|lines| lines.span);
    }
    containers
}

fn on_tape(payload: &ParsedPayload<'_>, long: Option<usize>) -> Vec<JsonContainer> {
    let mut containers = Vec::new();
    // The ends of the containers that are open on the tape, and whether they are in the list.
    let mut open: SmallVec<[(u32, bool); 16]> = SmallVec::new();
    let body = payload.body().as_bytes();
    // The first line break at or after the last opening bracket.
    let mut line_break = 0;
    // The last boundary of a value in the list.
    let mut known = 0;
    for (index, node) in payload.json.nodes.iter().enumerate() {
        let is_container = node.kind.is_container();
        if !is_container && (long.is_none() || matches!(node.kind, JsonKind::Key { .. })) {
            continue;
        }
        let Span { start, end } = node.span;
        let is_long = long.is_some_and(|long| node.span.len() >= long);
        let is_far = long.is_some_and(|long| start as usize >= known + long);
        if !is_container && !is_long && !is_far {
            continue;
        }
        while open.last().is_some_and(|(next, _)| *next as usize <= index) {
            open.pop();
        }
        let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
        let has_lines = is_container && {
            if line_break < start || index == 0 {
                let behind = body.get(start as usize..).or_never();
                line_break = memchr::memchr2(b'\n', b'\r', behind)
                    .and_then(|at| u32::try_from(start as usize + at).ok())
                    .unwrap_or(u32::MAX);
            }
            line_break < end
        };
        let is_mark = is_far && open.last().is_none_or(|(_, is_listed)| *is_listed);
        let is_listed = has_lines || is_long || is_mark;
        if is_container {
            open.push((node.next, is_listed));
        }
        if is_listed {
            containers.push(JsonContainer { span: node.span, depth, closed: node.closed });
            known = if is_long || has_lines { start } else { end } as usize;
        }
    }
    containers
}

/// Pairs a bracket at the end of a line, or anywhere on a line that is followed by deeper ones,
/// with the closing bracket that starts the next line of the same indentation, if that line only
/// contains brackets and commas.
fn by_indentation(body: &str) -> Vec<JsonContainer> {
    let mut containers = Vec::new();
    // Lines with an opening bracket: their indentation and the offset of the bracket.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in body.split_inclusive(['\n', '\r']) {
        let text = line.trim_end();
        let bare = text.trim_start();
        let indent = text.len() - bare.len();
        if !bare.is_empty() {
            while open.last().is_some_and(|(opener, _)| *opener > indent) {
                open.pop();
            }
            let closes =
                bare.starts_with(['}', ']']) && bare.trim_start_matches(['}', ']', ',', ' ']).len() < 2;
            if let Some((_, start)) = open.pop_if(|(opener, _)| *opener == indent)
                && closes
            {
                let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
                containers.push(JsonContainer {
                    span: Span::new(start, at + indent + 1),
                    depth,
                    closed: true,
                });
            }
            if let Some(bracket) = text.rfind(['{', '[']) {
                open.push((indent, at + bracket));
            }
        }
        at += line.len();
    }
    containers
}
