//! Edits that put a member into an object.
//!
//! It stays on the line where it is put: a line of its own would need the prefix of every container that the block is in.

use serde_json::Value as Any;

use crate::json::Value;
use crate::text::Span;

/// Puts the member `key` with `value` behind the members of `object`; the place is in the text of its payload.
pub(super) fn insert_member(object: Value<'_>, key: &str, value: &Any) -> (Span, String) {
    insert_members(object, [(key, value)])
}

/// As [`insert_member`], with several.
pub(super) fn insert_members<'m>(
    object: Value<'_>,
    members: impl IntoIterator<Item = (&'m str, &'m Any)>,
) -> (Span, String) {
    let members: Vec<String> =
        members.into_iter().map(|(key, value)| format!("{}: {value}", Any::from(key))).collect();
    let members = members.join(", ");
    match object.entries().last() {
        Some((_, last)) => (Span::empty(last.span().end as usize), format!(", {members}")),
        None => (Span::empty(object.span().start as usize + 1), members),
    }
}
