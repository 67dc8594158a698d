//! Placeholder values for missing properties: a value from the schema, or the simplest one of its
//! type.
//!
//! Each value is validated before it is proposed, so that it adds no violation.

use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::names::{self, applicable};
use super::{Schema, ValueStep};

/// Maximum depth to which objects are filled with required properties.
const MAX_DEPTH: usize = 4;

/// Maximum number of values that are tried at one location.
const MOST_TRIED: usize = 30;

impl Schema<'_> {
    /// Values for the properties `keys`, which the object at `path` of `instance` lacks; each of
    /// them is valid there.
    pub fn placeholders(
        &self,
        instance: &mut Value,
        path: &[ValueStep],
        keys: &[String],
    ) -> Option<Vec<Value>> {
        let object = get_mut(instance, path)?.as_object_mut()?;
        object.extend(keys.iter().map(|key| (key.clone(), Value::Null)));
        let mut below = path.to_vec();
        let values = keys.iter().map(|key| {
            below.truncate(path.len());
            below.push(ValueStep::Key(key.clone()));
            let value = self.placeholder(instance, &below)?;
            *get_mut(instance, &below)? = value.clone();
            Some(value)
        });
        let values = values.collect();
        let object = get_mut(instance, path)?.as_object_mut()?;
        keys.iter().for_each(|key| drop(object.remove(key)));
        values
    }

    fn placeholder(&self, instance: &mut Value, path: &[ValueStep]) -> Option<Value> {
        let schemas = names::schemas_at(self.value, path);
        let mut candidates = candidates(self.value, &schemas, MAX_DEPTH).take(MOST_TRIED);
        candidates.find(|candidate| self.fits(instance, path, candidate))
    }

    /// True if `instance` would be valid at `path` with `value` in place of the current value.
    /// Restores `instance` afterwards.
    pub fn fits(&self, instance: &mut Value, path: &[ValueStep], value: &Value) -> bool {
        let Some(place) = get_mut(instance, path) else { return false };
        let before = std::mem::replace(place, value.clone());
        let fits = self.accepts(instance).is_some_and(|accepts| accepts || !self.violates(instance, path));
        if let Some(place) = get_mut(instance, path) {
            *place = before;
        }
        fits
    }

    /// True if there is a violation at `path` or below it, or above it if its location is unknown.
    fn violates(&self, instance: &Value, path: &[ValueStep]) -> bool {
        let pointer: String = path
            .iter()
            .map(|step| match step {
                ValueStep::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
                ValueStep::Index(at) => format!("/{at}"),
            })
            .collect();
        let is_there = |error: jsonschema::ValidationError<'_>| {
            let place = error.instance_path().as_str();
            place.strip_prefix(&pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let violates = self.run_validator(instance, || self.validator.iter_errors(instance).any(is_there));
        violates.unwrap_or(true)
    }
}

pub(super) fn get_mut<'v>(value: &'v mut Value, path: &[ValueStep]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, step| match step {
        ValueStep::Key(key) => value.get_mut(key),
        ValueStep::Index(at) => value.get_mut(at),
    })
}

/// Values that may match `schemas`, best first; lazy, as objects may need very many other values.
fn candidates<'s>(
    root: &'s Value,
    schemas: &[&'s Value],
    depth: usize,
) -> Box<dyn Iterator<Item = Value> + 's> {
    let schemas: Rc<[_]> = applicable(root, schemas).unwrap_or_default().into();
    let each = || {
        let schemas = Rc::clone(&schemas);
        (0..schemas.len()).filter_map(move |at| schemas.get(at).copied())
    };
    let of_key = |key| each().filter_map(move |schema| schema.get(key));
    let single = of_key("const").chain(of_key("default")).cloned();
    let listed = of_key("enum").chain(of_key("examples")).filter_map(Value::as_array);
    let listed = listed.flat_map(|list| list.iter().take(10)).cloned();
    let typed = each().flat_map(move |schema| {
        let types: Vec<&str> = match schema.get("type") {
            Some(Value::String(one)) => vec![one],
            Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).take(7).collect(),
            _ => Vec::new(),
        };
        types.into_iter().filter_map(move |name| plainest(root, schema, name, depth))
    });
    let anything = ["string", "number", "boolean", "array", "object", "null"].into_iter();
    let anything = anything.filter_map(move |name| plainest(root, &Map::new(), name, depth));
    Box::new(single.chain(listed).chain(typed).chain(anything))
}

/// The simplest value of the type `name` that `schema` accepts.
fn plainest(root: &Value, schema: &Map<String, Value>, name: &str, depth: usize) -> Option<Value> {
    let count = |key: &str| schema.get(key).and_then(Value::as_u64).unwrap_or(0);
    Some(match name {
        "string" => match count("minLength") {
            length @ 0..=100 => Value::String("x".repeat(usize::try_from(length).unwrap_or(0))),
            _ => return None,
        },
        "number" | "integer" => number(schema),
        "boolean" => Value::Bool(false),
        "null" => Value::Null,
        "array" if depth > 0 => {
            let item =
                || candidates(root, &schema.get("items").into_iter().collect::<Vec<_>>(), depth - 1).next();
            let count = usize::try_from(count("minItems").min(10)).unwrap_or(0);
            match count {
                0 => json!([]),
                _ => Value::Array(vec![item()?; count]),
            }
        }
        "object" if depth > 0 => {
            let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            let mut members = Map::new();
            for key in required.filter_map(Value::as_str).take(20) {
                let property = schema.get("properties").and_then(|properties| properties.get(key));
                let value = candidates(root, &property.into_iter().collect::<Vec<_>>(), depth - 1).next();
                members.insert(key.to_owned(), value?);
            }
            Value::Object(members)
        }
        _ => return None,
    })
}

/// Zero, or the nearest allowed number.
fn number(schema: &Map<String, Value>) -> Value {
    let limit = |key: &str| schema.get(key).filter(|value| value.is_number());
    let beyond = |limit: &Value, by: i64| match limit.as_i64() {
        Some(limit) => json!(limit.saturating_add(by)),
        None => json!(limit.as_f64().unwrap_or_default() + f64::from(i32::try_from(by).unwrap_or(0))),
    };
    let is_positive = |value: &Value| value.as_f64().is_some_and(|value| value > 0.0);
    let is_negative = |value: &Value| value.as_f64().is_some_and(|value| value < 0.0);
    if let Some(least) = limit("minimum").filter(|least| is_positive(least)) {
        return least.clone();
    }
    if let Some(least) = limit("exclusiveMinimum").filter(|least| !is_negative(least)) {
        return beyond(least, 1);
    }
    if let Some(most) = limit("maximum").filter(|most| is_negative(most)) {
        return most.clone();
    }
    match limit("exclusiveMaximum").filter(|most| !is_positive(most)) {
        Some(most) => beyond(most, -1),
        None => json!(0),
    }
}
