//! Fixes of a configuration: the most similar key or value, and the correct form of a value of the
//! wrong type.
//!
//! The fixes here may be wrong: each is tested on a copy of the file before it is offered.

use std::ops::Range;

use crate::config::node::ConfigNode;
use crate::trial::FileFix;

/// Renames the key at `span` to a name of `near`; the name needs no quotes.
pub(super) fn rename(span: &Range<usize>, near: &[&str]) -> Vec<FileFix> {
    preferring_first(
        near.iter()
            .map(|name| FileFix::replace(format!("Rename to `{name}`"), span.clone(), *name))
            .collect(),
    )
}

/// Writes a string of `near` at `span`.
pub(super) fn write_string(span: &Range<usize>, near: &[&str]) -> Vec<FileFix> {
    write(span, near.iter().map(|value| format!("\"{value}\"")))
}

/// Replaces `node`, a string that contains a boolean, by the boolean.
pub(super) fn boolean(node: &ConfigNode) -> Vec<FileFix> {
    let value = node.as_str().and_then(|text| text.to_ascii_lowercase().parse::<bool>().ok());
    write(&node.span, value.map(|value| value.to_string()))
}

/// Replaces `node`, a string that contains a number, by the number.
pub(super) fn integer(node: &ConfigNode) -> Vec<FileFix> {
    let value = node.as_str().and_then(|text| text.trim().parse::<i64>().ok());
    write(&node.span, value.map(|value| value.to_string()))
}

/// Replaces `node`, a string, by a list of it.
pub(super) fn list_of_one(node: &ConfigNode, is_preferred: bool) -> Option<FileFix> {
    let list = format!("[{}]", serde_json::Value::from(node.as_str()?));
    let fix = FileFix::replace(format!("Write `{list}`"), node.span.clone(), list);
    Some(FileFix { is_preferred, ..fix })
}

/// Changes the table header `[KEY]` to the first `[[KEY]]`.
pub(super) fn list_of_tables(key: &Range<usize>, name: &str) -> FileFix {
    let edits = vec![(key.start..key.start, "[".to_owned()), (key.end..key.end, "]".to_owned())];
    FileFix::new(format!("Write `[[{name}]]`"), edits).preferred()
}

fn write(span: &Range<usize>, values: impl IntoIterator<Item = String>) -> Vec<FileFix> {
    let fix = |value: String| FileFix::replace(format!("Write `{value}`"), span.clone(), value);
    preferring_first(values.into_iter().map(fix).collect())
}

fn preferring_first(mut fixes: Vec<FileFix>) -> Vec<FileFix> {
    if let Some(first) = fixes.first_mut() {
        first.is_preferred = true;
    }
    fixes
}
