//! The JSON objects and arrays of several lines in a payload, for folding.
//!
//! What has a container on the tape has a fold; where a payload is faulty, line structure helps out, so that a stray
//! bracket that someone is typing takes no fold away.

use smallvec::SmallVec;

use crate::call::ParsedPayload;
use crate::text::Span;

/// One container of several lines. Its span is in bytes of the payload's own text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineContainer {
    pub span: Span,
    pub depth: u16,
    pub closed: bool,
}

/// The containers of `payload`, in order of their openings.
pub(super) fn of(payload: &ParsedPayload<'_>) -> Vec<LineContainer> {
    let mut found = on_tape(payload);
    if !payload.json.errors.is_empty() {
        // Of two that open on one line the larger folds.
        found.extend(by_indentation(payload.body()));
        found.sort_by_key(|lines| lines.span);
    }
    found
}

fn on_tape(payload: &ParsedPayload<'_>) -> Vec<LineContainer> {
    let mut found = Vec::new();
    // Where the containers that are open end on the tape.
    let mut open: SmallVec<[u32; 16]> = SmallVec::new();
    let body = payload.body().as_bytes();
    // The first line break at or behind the last opening bracket.
    let mut line_break = 0;
    for (index, node) in payload.json.nodes.iter().enumerate().filter(|(_, node)| node.kind.is_container()) {
        while open.last().is_some_and(|next| *next as usize <= index) {
            open.pop();
        }
        let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
        open.push(node.next);
        let Span { start, end } = node.span;
        if line_break < start || index == 0 {
            let behind = body.get(start as usize..).unwrap_or_default();
            line_break = memchr::memchr2(b'\n', b'\r', behind)
                .and_then(|at| u32::try_from(start as usize + at).ok())
                .unwrap_or(u32::MAX);
        }
        if line_break < end {
            found.push(LineContainer { span: node.span, depth, closed: node.closed });
        }
    }
    found
}

/// A bracket at the end of a line, or anywhere on a line that is followed by deeper ones, belongs to the closing one that
/// begins the next line of the same indentation and has nothing but brackets and commas with it.
fn by_indentation(body: &str) -> Vec<LineContainer> {
    let mut found = Vec::new();
    // Lines with a bracket that opens: their indentation, and where the bracket is.
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
                found.push(LineContainer { span: Span::new(start, at + indent + 1), depth, closed: true });
            }
            if let Some(bracket) = text.rfind(['{', '[']) {
                open.push((indent, at + bracket));
            }
        }
        at += line.len();
    }
    found
}
