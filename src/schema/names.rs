//! The property names of schemas, and the properties of a value that they do not name.
//!
//! All schemas that may apply are considered: through `$ref`, `allOf`, all branches of `anyOf` and
//! `oneOf`, and conditions. If one of them describes additional properties, or cannot be followed,
//! any name is valid.

use std::collections::BTreeMap;

use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};

use super::{MAX_VIOLATIONS, Schema, ValueStep};

/// Maximum number of schemas that apply to one value; beyond it, names are unknown.
const MOST: usize = 200;

/// The property names of an object.
#[derive(Clone, Debug)]
pub struct PropertyNames<'s> {
    /// The names with the schemas of their values.
    pub known: BTreeMap<&'s str, Vec<&'s Value>>,
    /// True if a schema forbids all other names.
    pub closed: bool,
}

/// A property that is allowed but not named.
#[derive(Clone, Debug)]
pub struct UnknownProperty<'s> {
    /// The path of its object.
    pub path: Vec<ValueStep>,
    /// Its name.
    pub key: String,
    /// The known names of the object's properties.
    pub known: Vec<&'s str>,
}

impl<'s> PropertyNames<'s> {
    /// The names that `schemas`, parts of `root`, have for the properties of one object; `None` if
    /// they have none, or accept any.
    pub fn of(root: &'s Value, schemas: &[&'s Value]) -> Option<Self> {
        let mut names = Self { known: BTreeMap::new(), closed: false };
        let mut required = Vec::new();
        for schema in applicable(root, schemas)? {
            for (key, property) in object_at(schema, "properties") {
                names.known.entry(key).or_default().push(property);
            }
            if object_at(schema, "patternProperties").next().is_some() {
                return None;
            }
            for key in ["additionalProperties", "unevaluatedProperties"] {
                match schema.get(key) {
                    // Additional properties are described: their names are up to the author.
                    Some(Value::Object(others)) if !others.is_empty() => return None,
                    Some(Value::Bool(false)) => names.closed = true,
                    _ => {}
                }
            }
            required.extend(schema.get("required").and_then(Value::as_array).into_iter().flatten());
        }
        if names.known.is_empty() {
            return None;
        }
        for key in required.into_iter().filter_map(Value::as_str) {
            names.known.entry(key).or_default();
        }
        Some(names)
    }
}

impl<'s> Schema<'s> {
    /// The properties in `instance` that the schema allows without naming them, although it names
    /// others of the same object.
    pub fn unknown(&self, instance: &Value) -> Vec<UnknownProperty<'s>> {
        let root = self.value;
        let mut found = Vec::new();
        let mut stack: Vec<(Vec<ValueStep>, &Value, Vec<&'s Value>)> =
            vec![(Vec::new(), instance, vec![root])];
        while let Some((path, value, schemas)) = stack.pop() {
            let steps: Vec<(ValueStep, &Value)> = match value {
                Value::Object(members) => {
                    if let Some(names) = PropertyNames::of(root, &schemas).filter(|names| !names.closed) {
                        let unknown = members.keys().filter(|key| !names.known.contains_key(key.as_str()));
                        found.extend(unknown.map(|key| UnknownProperty {
                            path: path.clone(),
                            key: key.clone(),
                            known: names.known.keys().copied().collect(),
                        }));
                    }
                    members.iter().map(|(key, member)| (ValueStep::Key(key.clone()), member)).collect()
                }
                Value::Array(items) => {
                    items.iter().enumerate().map(|(at, item)| (ValueStep::Index(at), item)).collect()
                }
                _ => continue,
            };
            if found.len() >= MAX_VIOLATIONS {
                break;
            }
            for (step, below) in steps.into_iter().filter(|(_, below)| below.is_object() || below.is_array())
            {
                let schemas = schemas_one_step_down(root, &schemas, &step);
                if !schemas.is_empty() {
                    let mut path = path.clone();
                    path.push(step);
                    stack.push((path, below, schemas));
                }
            }
        }
        found.truncate(MAX_VIOLATIONS);
        found
    }
}

/// The schemas in `root` that apply to the value at `path`.
pub(super) fn schemas_at<'s>(root: &'s Value, path: &[ValueStep]) -> Vec<&'s Value> {
    path.iter().fold(vec![root], |schemas, step| schemas_one_step_down(root, &schemas, step))
}

/// The schemas that apply to a child of a value to which `schemas` apply.
fn schemas_one_step_down<'s>(root: &'s Value, schemas: &[&'s Value], step: &ValueStep) -> Vec<&'s Value> {
    let mut below = Vec::new();
    for schema in applicable(root, schemas).unwrap_or_default() {
        match step {
            ValueStep::Key(key) => {
                match schema.get("properties").and_then(|properties| properties.get(key)) {
                    Some(property) => below.push(property),
                    // It is unknown here which pattern a name matches.
                    None if !schema.contains_key("patternProperties") => {
                        below.extend(schema.get("additionalProperties"));
                    }
                    None => {}
                }
            }
            ValueStep::Index(at) => {
                let (tuple, rest) = match schema.get("items") {
                    Some(Value::Array(tuple)) => (Some(tuple), schema.get("additionalItems")),
                    items => (schema.get("prefixItems").and_then(Value::as_array), items),
                };
                below.extend(tuple.and_then(|tuple| tuple.get(*at)).or(rest));
            }
        }
    }
    below
}

/// All schemas that apply to a value to which `schemas` apply; `None` if one cannot be followed.
pub(super) fn applicable<'s>(root: &'s Value, schemas: &[&'s Value]) -> Option<Vec<&'s Map<String, Value>>> {
    let mut found: Vec<&Map<String, Value>> = Vec::new();
    let mut stack: Vec<&Value> = schemas.iter().rev().copied().collect();
    while let Some(schema) = stack.pop() {
        let Value::Object(schema) = schema else { continue };
        if found.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        if found.len() >= MOST || schema.contains_key("$dynamicRef") || schema.contains_key("$recursiveRef") {
            return None;
        }
        found.push(schema);
        if let Some(Value::String(target)) = schema.get("$ref") {
            stack.push(resolve(root, target)?);
        }
        let first = stack.len();
        let alternatives =
            ["allOf", "anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array());
        stack.extend(alternatives.flatten());
        stack.extend(["if", "then", "else"].into_iter().filter_map(|key| schema.get(key)));
        for key in ["dependentSchemas", "dependencies"] {
            stack.extend(object_at(schema, key).map(|(_, dependent)| dependent));
        }
        // The first is taken next.
        stack.get_mut(first..).unwrap_or_default().reverse();
    }
    Some(found)
}

fn object_at<'s>(schema: &'s Map<String, Value>, key: &str) -> impl Iterator<Item = (&'s str, &'s Value)> {
    let object = schema.get(key).and_then(Value::as_object);
    object.into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

/// The target of the reference `target` (`$ref`) within `schema`, if it is a JSON pointer.
pub(super) fn resolve<'s>(schema: &'s Value, target: &str) -> Option<&'s Value> {
    let pointer = percent_decode_str(target.strip_prefix('#')?).decode_utf8().ok()?;
    schema.pointer(&pointer)
}
