//! Rules on the keys of objects: `duplicate-key`.
//!
//! All objects of a payload are checked, because a duplicate loses a value at any depth.

use std::borrow::Cow;
use std::collections::BTreeMap;

use smallvec::SmallVec;

use crate::call::Call;
use crate::diagnostic::{CallDiagnostic, Code, Fix};
use crate::json::{JsonKind, MAX_FAULTS, Value};
use crate::json_repair::members;
use crate::json_repair::payload::ParsedPayload;
use crate::never::OrNever;
use crate::text::{Span, cut};

/// The number of keys up to which each is compared with each: most objects are small.
const FEW: usize = 16;

/// Checks the keys in the payload of `call`; reports at most `MAX_FAULTS`.
pub fn check(call: &Call<'_>, diagnostics: &mut Vec<CallDiagnostic>) {
    // The objects of message logs have no documented shape; their JSON is left to other checkers.
    let (Some(payload), Some(_), Some(_)) = (&call.payload, call.object, call.shape) else { return };
    let before = diagnostics.len();
    for (index, node) in (0..).zip(&payload.json.nodes) {
        let left = MAX_FAULTS.saturating_sub(diagnostics.len() - before);
        if left == 0 {
            return;
        }
        if node.kind == JsonKind::Object
            && let Some(object) = Value::at(payload.json, payload.body(), index)
        {
            diagnostics.extend(check_object(object, payload, left));
        }
    }
}

/// The duplicate keys of one object, at most `most`, because each fix searches all preceding
/// members.
fn check_object(object: Value<'_>, payload: &ParsedPayload<'_>, most: usize) -> Vec<CallDiagnostic> {
    let mut diagnostics = Vec::new();
    let mut few: SmallVec<[ComparedKey<'_>; FEW]> = SmallVec::new();
    // The first occurrence of each key, in large objects.
    let mut many: BTreeMap<Cow<'_, str>, Value<'_>> = BTreeMap::new();
    for (key, value) in object.entries() {
        // An incomplete member may still get another key, and has no value yet.
        if !key.is_closed() || value.kind() == JsonKind::Missing {
            continue;
        }
        let first = if few.len() < FEW {
            let key = ComparedKey::of(key);
            let first = few.iter().find(|first| first.is_same(&key)).map(|first| first.key);
            few.push(key);
            first
        } else {
            if many.is_empty() {
                many.extend(few.iter().rev().map(|ComparedKey { key, .. }| (name_of(*key), *key)));
            }
            match many.get(&name_of(key)) {
                Some(first) => Some(*first),
                None => many.insert(name_of(key), key),
            }
        };
        if let Some(first) = first {
            // A syntax error in between may have merged two objects.
            let between = Span { start: first.span().start, end: key.span().end };
            if payload.has_no_error_in(between) {
                diagnostics
                    .push(duplicate_key(first, key, payload.start).fix(remove_earlier(object, key, payload)));
                if diagnostics.len() >= most {
                    break;
                }
            }
        }
    }
    diagnostics
}

fn duplicate_key(first: Value<'_>, key: Value<'_>, start: usize) -> CallDiagnostic {
    let name = cut(&key.as_str().or_never(), 40);
    let message = format!("duplicate key `{name}`: readers keep only the last one; remove or rename one");
    CallDiagnostic::new(Code::DuplicateKey, key.span().shifted(start), message)
        .related(first.span().shifted(start), format!("the first `{name}`"))
}

/// Removes the earlier members with the same key: readers keep only the last.
fn remove_earlier(object: Value<'_>, key: Value<'_>, payload: &ParsedPayload<'_>) -> Fix {
    let earlier = object.entries().map(|(other, _)| other).take_while(|other| other.index() < key.index());
    let compared = ComparedKey::of(key);
    let edits = earlier
        .filter(|other| ComparedKey::of(*other).is_same(&compared))
        .map(|other| (members::without(object, other).shifted(payload.start), String::new()))
        .collect();
    let name = cut(&key.as_str().or_never(), 40);
    Fix::new(format!("Remove the earlier `{name}`"), edits).preferred()
}

/// The text by which keys are compared; a key with a lone surrogate has none and is compared as
/// written.
fn name_of(key: Value<'_>) -> Cow<'_, str> {
    match key.lone_surrogates().next() {
        Some(_) => key.raw().into(),
        None => key.as_str().or_never(),
    }
}

/// A key with the text by which it is compared.
struct ComparedKey<'a> {
    key: Value<'a>,
    /// Its source, unless it has escapes.
    plain: Option<&'a str>,
}

impl<'a> ComparedKey<'a> {
    fn of(key: Value<'a>) -> Self {
        let is_plain = key.kind() == JsonKind::Key { escaped: false };
        Self { key, plain: is_plain.then(|| key.raw()) }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self.plain, other.plain) {
            (Some(plain), Some(other)) => plain == other,
            _ => name_of(self.key) == name_of(other.key),
        }
    }
}
