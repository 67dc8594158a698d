//! Edits of an object's members: put one in, take one out with its comma.
//!
//! New members stay on the line where they are put: a line of their own would need the prefix of every container that
//! the block is in.

use crate::json::{Value, quote};
use crate::json_repair::ContentEdits;
use crate::text::Span;

/// Puts the member `text` in front of the members of `object`.
pub(crate) fn prepend(object: Value<'_>, text: &str) -> (Span, String) {
    match object.entries().next() {
        Some((key, _)) => (Span::empty(key.span().start as usize), format!("{text},{}", gap(object, key))),
        None => (behind_brace(object), text.to_owned()),
    }
}

/// Puts the member `text` behind the members of `object`.
pub(crate) fn append(object: Value<'_>, text: &str) -> (Span, String) {
    match object.entries().next().zip(object.entries().last()) {
        Some(((first, _), (_, value))) => {
            (Span::empty(value.span().end as usize), format!(",{}{text}", gap(object, first)))
        }
        None => (behind_brace(object), text.to_owned()),
    }
}

/// What stands between members: a line end and the indentation of the first key, where that begins a line.
fn gap(object: Value<'_>, first: Value<'_>) -> String {
    let before = (first.span().start - object.span().start) as usize;
    let before = object.raw().get(1..before).unwrap_or_default();
    match before.rsplit_once(['\n', '\r']) {
        Some((_, indentation)) if before.trim().is_empty() => format!("\n{indentation}"),
        _ => " ".to_owned(),
    }
}

/// `object` without the member of `key`: what stands before is looked at for the last one alone.
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

/// `object` with `value` as what `key` has: in the place of what it has, or as a member more.
pub(crate) fn set(object: Value<'_>, key: &str, value: &str) -> (Span, String) {
    match object.get(key) {
        Some(old) => (old.span(), value.to_owned()),
        None => append(object, &format!("{}: {value}", quote(key))),
    }
}

/// `edits` of a payload's own text as edits of the text that it begins at `start` of.
pub(crate) fn shifted(edits: impl IntoIterator<Item = (Span, String)>, start: usize) -> ContentEdits {
    edits.into_iter().map(|(span, text)| (span.shifted(start), text)).collect()
}

fn behind_brace(object: Value<'_>) -> Span {
    Span::empty(object.span().start as usize + 1)
}
