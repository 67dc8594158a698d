//! A value of a payload as the validator takes it.
//!
//! Of duplicate keys the last wins. A number beyond what the validator holds becomes a very large one: it stays the number, or
//! the integer, that it is.

use serde_json::{Map, Number, Value};

use crate::json;

/// Values that nest deeper are not judged: validators recurse.
const MAX_DEPTH: usize = 100;

/// `value`, which has no faults; `None` where it nests too deep to be judged.
pub fn to_value(value: json::Value<'_>) -> Option<Value> {
    convert(value, MAX_DEPTH)
}

fn convert(value: json::Value<'_>, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    Some(match value.kind() {
        json::JsonKind::Null | json::JsonKind::Missing => Value::Null,
        json::JsonKind::Bool => Value::Bool(value.as_bool().unwrap_or_default()),
        json::JsonKind::Number => Value::Number(number(value.raw())),
        json::JsonKind::String { .. } | json::JsonKind::Key { .. } => {
            Value::String(value.as_str().unwrap_or_default().into_owned())
        }
        json::JsonKind::Array => {
            Value::Array(value.items().map(|item| convert(item, depth)).collect::<Option<_>>()?)
        }
        json::JsonKind::Object => {
            let mut members = Map::new();
            for (key, member) in value.entries() {
                members.insert(key.as_str().unwrap_or_default().into_owned(), convert(member, depth)?);
            }
            Value::Object(members)
        }
    })
}

fn number(written: &str) -> Number {
    let is_integer = !written.contains(['.', 'e', 'E']);
    if let Ok(number) = written.parse::<Number>()
        && !(is_integer && number.is_f64())
    {
        return number;
    }
    let is_negative = written.starts_with('-');
    if is_integer {
        return match (written.trim_matches(['-', '0']).is_empty(), is_negative) {
            (true, _) => 0.into(),
            // Round ones, that are multiples of what others are multiples of.
            (false, true) => (-9_000_000_000_000_000_000_i64).into(),
            (false, false) => 10_000_000_000_000_000_000_u64.into(),
        };
    }
    Number::from_f64(if is_negative { f64::MIN } else { f64::MAX }).unwrap_or_else(|| 0.into())
}
