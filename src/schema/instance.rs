//! Converts a payload's value to one for the validator.
//!
//! Of duplicate keys the last one counts. A number that the validator cannot represent becomes a
//! very large one of the same kind: a number or an integer.

use serde_json::{Map, Number, Value};

use crate::json;
use crate::never::OrNever;

/// Maximum depth of validated values: validators recurse.
const MAX_DEPTH: usize = 100;

/// Converts `value`, which has no errors; `None` if it is nested too deeply for validation.
pub fn to_value(value: json::Value<'_>) -> Option<Value> {
    convert(value, MAX_DEPTH)
}

fn convert(value: json::Value<'_>, depth: usize) -> Option<Value> {
    let depth = depth.checked_sub(1)?;
    Some(match value.kind() {
        json::JsonKind::Null | json::JsonKind::Missing => Value::Null,
        json::JsonKind::Bool => Value::Bool(value.as_bool().or_never()),
        json::JsonKind::Number => Value::Number(number(value.raw())),
        json::JsonKind::String { .. } | json::JsonKind::Key { .. } => {
            Value::String(value.as_str().or_never().into_owned())
        }
        json::JsonKind::Array => {
            Value::Array(value.items().map(|item| convert(item, depth)).collect::<Option<_>>()?)
        }
        json::JsonKind::Object => {
            let mut members = Map::new();
            for (key, member) in value.entries() {
                members.insert(key.as_str().or_never().into_owned(), convert(member, depth)?);
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
            // Round numbers, because they are multiples of common divisors.
            (false, true) => (-9_000_000_000_000_000_000_i64).into(),
            (false, false) => 10_000_000_000_000_000_000_u64.into(),
        };
    }
    Number::from_f64(if is_negative { f64::MIN } else { f64::MAX }).unwrap_or_else(|| 0.into())
}
