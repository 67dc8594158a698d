//! Edits of an object's members: insertion, and removal with the comma.
//!
//! New members stay on their line: a new line would need the prefix of every container of the
//! block.

use crate::json::{Value, quote};
use crate::json_repair::ContentEdits;
use crate::text::Span;

/// Inserts the member `text` before the members of `object`.
pub(crate) fn prepend(object: Value<'_>, text: &str) -> (Span, String) {
    match object.entries().next() {
        Some((key, _)) => (Span::empty(key.span().start as usize), format!("{text},{}", gap(object, key))),
        None => (behind_brace(object), text.to_owned()),
    }
}

/// Inserts the member `text` after the members of `object`.
pub(crate) fn append(object: Value<'_>, text: &str) -> (Span, String) {
    match object.entries().next().zip(object.entries().last()) {
        Some(((first, _), (_, value))) => {
            (Span::empty(value.span().end as usize), format!(",{}{text}", gap(object, first)))
        }
        None => (behind_brace(object), text.to_owned()),
    }
}

/// The text between members: a line end and the indentation of the first key, if the key begins a
/// line. The object may lack its opening bracket.
fn gap(object: Value<'_>, first: Value<'_>) -> String {
    let before = (first.span().start - object.span().start) as usize;
    let before = object.raw().get(1..before).unwrap_or_default();
    match before.rsplit_once(['\n', '\r']) {
        Some((_, indentation)) if before.trim().is_empty() => format!("\n{indentation}"),
        _ => " ".to_owned(),
    }
}

/// The span to remove so that `object` loses the member of `key`. The preceding text is only
/// scanned for the last member.
pub(crate) fn without(object: Value<'_>, key: Value<'_>) -> Span {
    let start = key.span().start;
    let mut entries = object.entries_from(key);
    let Some((_, value)) = entries.next() else { return Span::empty(start as usize) };
    if let Some((next, _)) = entries.next() {
        return Span { start, end: next.span().start };
    }
    let before = object.entries().take_while(|(other, _)| other.index() < key.index()).last();
    Span { start: before.map_or(start, |(_, value)| value.span().end), end: value.span().end }
}

/// Sets `key` of `object` to `value`, by replacement or as a new member.
pub(crate) fn set(object: Value<'_>, key: &str, value: &str) -> (Span, String) {
    match object.get(key) {
        Some(old) => (old.span(), value.to_owned()),
        None => append(object, &format!("{}: {value}", quote(key))),
    }
}

/// Shifts `edits` of a payload's text, which begins at byte `start` of the content.
pub(crate) fn shifted(edits: impl IntoIterator<Item = (Span, String)>, start: usize) -> ContentEdits {
    edits.into_iter().map(|(span, text)| (span.shifted(start), text)).collect()
}

fn behind_brace(object: Value<'_>) -> Span {
    Span::empty(object.span().start as usize + 1)
}
