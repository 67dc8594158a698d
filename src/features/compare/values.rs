//! Differences of two JSON values.

use std::collections::HashMap;

use super::Difference;
use crate::json::{self, JsonKind, Value, quote, to_compact};
use crate::never::OrNever;

/// Maximum depth at which values are compared member by member; deeper ones are compared as a
/// whole.
const DEPTH: usize = 100;

/// Reports to `found` the differences of the JSON texts `left` and `right`, which are at `path`.
pub(super) fn differences_of_values(path: &str, left: &str, right: &str, found: &mut dyn FnMut(Difference)) {
    if left == right {
        return;
    }
    let (one, other) = (json::parse(left), json::parse(right));
    let valid = one.errors.is_empty() && other.errors.is_empty();
    match (one.root(left), other.root(right)) {
        (Some(one), Some(other)) if valid => compare(&mut path.to_owned(), one, other, 0, found),
        _ => found(difference(path, Some(left.to_owned()), Some(right.to_owned()))),
    }
}

fn compare(
    path: &mut String,
    left: Value<'_>,
    right: Value<'_>,
    depth: usize,
    found: &mut dyn FnMut(Difference),
) {
    let length = path.len();
    match (left.kind(), right.kind()) {
        (JsonKind::Object, JsonKind::Object) if depth < DEPTH => {
            let (ours, theirs) = (members(left), members(right));
            for (key, value) in &ours.list {
                push_key(path, key);
                match theirs.get(key) {
                    Some(other) => compare(path, *value, other, depth + 1, found),
                    None => found(difference(path, Some(to_compact(*value)), None)),
                }
                path.truncate(length);
            }
            for (key, value) in theirs.list.iter().filter(|(key, _)| ours.get(key).is_none()) {
                push_key(path, key);
                found(difference(path, None, Some(to_compact(*value))));
                path.truncate(length);
            }
        }
        (JsonKind::Array, JsonKind::Array) if depth < DEPTH => {
            let (mut ours, mut theirs) = (left.items(), right.items());
            for index in 0_usize.. {
                let (one, other) = (ours.next(), theirs.next());
                path.push_str(&format!("[{index}]"));
                match (one, other) {
                    (Some(one), Some(other)) => compare(path, one, other, depth + 1, found),
                    (None, None) => {}
                    (one, other) => found(difference(path, one.map(to_compact), other.map(to_compact))),
                }
                path.truncate(length);
                if one.is_none() && other.is_none() {
                    break;
                }
            }
        }
        _ if is_same(left, right) => {}
        _ => found(difference(path, Some(to_compact(left)), Some(to_compact(right)))),
    }
}

/// True if two values that are not both objects or both arrays, or that are too deep, are equal.
fn is_same(left: Value<'_>, right: Value<'_>) -> bool {
    if left.raw() == right.raw() {
        return true;
    }
    match (left.as_str(), right.as_str()) {
        (Some(one), Some(other)) => return one == other,
        (None, None) => {}
        _ => return false,
    }
    // For numbers that an f64 holds exactly, `1.0` equals `1`; for longer ones each digit counts.
    let is_short = left.raw().len() <= 15 && right.raw().len() <= 15;
    let numbers = left.as_f64().zip(right.as_f64()).filter(|(one, _)| is_short && one.is_finite());
    numbers.is_some_and(|(one, other)| one == other) || to_compact(left) == to_compact(right)
}

/// The members of an object; of duplicate keys the last.
struct Members<'a> {
    list: Vec<(String, Value<'a>)>,
    places: HashMap<String, usize>,
}

impl<'a> Members<'a> {
    fn get(&self, key: &str) -> Option<Value<'a>> {
        self.places.get(key).and_then(|place| self.list.get(*place)).map(|(_, value)| *value)
    }
}

fn members(object: Value<'_>) -> Members<'_> {
    let mut members = Members { list: Vec::new(), places: HashMap::new() };
    for (key, value) in object.entries() {
        let key = key.as_str().or_never().into_owned();
        match members.places.get(&key).and_then(|place| members.list.get_mut(*place)) {
            Some(known) => known.1 = value,
            None => {
                members.places.insert(key.clone(), members.list.len());
                members.list.push((key, value));
            }
        }
    }
    members
}

/// Appends a member's key to a path: `.key`, or `["a key"]` if it is not a plain name.
fn push_key(path: &mut String, key: &str) {
    let is_start = |c: char| c.is_alphabetic() || matches!(c, '_' | '$');
    let is_plain =
        key.starts_with(is_start) && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'));
    match is_plain {
        true => path.push_str(&format!(".{key}")),
        false => path.push_str(&format!("[{}]", quote(key))),
    }
}

fn difference(path: &str, left: Option<String>, right: Option<String>) -> Difference {
    Difference { path: path.to_owned(), left, right }
}
