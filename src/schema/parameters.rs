//! Descriptions of values by their schemas, for completion and hover.
//!
//! All schemas that may apply are considered, as for names; a property is required only if a schema
//! that certainly applies requires it.

use serde_json::{Map, Value};

use super::ValueStep;
use super::names::{applicable, resolve, schemas_at};

/// Maximum number of characters of a type that lists its values.
const TYPE: usize = 80;

/// The description of a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueDescription<'s> {
    /// The allowed types, as JSON Schema names them, in the order of the schemas; empty if no type
    /// is given.
    pub types: Vec<&'s str>,
    /// The description by the schema's author.
    pub description: Option<&'s str>,
    /// The allowed values (`enum`, `const`), if they are listed.
    pub values: Vec<&'s Value>,
    /// The default value.
    pub default: Option<&'s Value>,
    /// Example values by the schema's author.
    pub examples: Vec<&'s Value>,
    /// For strings, the `format`.
    pub format: Option<&'s str>,
    /// True if it is deprecated.
    pub is_deprecated: bool,
}

/// A property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter<'s> {
    /// Its name.
    pub name: &'s str,
    /// True if the object must have it.
    pub is_required: bool,
    /// The description of its value.
    pub about: ValueDescription<'s>,
}

impl ValueDescription<'_> {
    /// The type, in the notation of values: `"a" | "b"`, `string (uri)`, `integer | null`; empty if
    /// any type is allowed.
    pub fn type_words(&self) -> String {
        let values: Vec<_> = self.values.iter().map(|value| value.to_string()).collect();
        let values = values.join(" | ");
        if !values.is_empty() && values.chars().count() <= TYPE {
            return values;
        }
        let format = self.format.map(|format| format!(" ({format})")).unwrap_or_default();
        format!("{}{format}", self.types.join(" | "))
    }
}

impl Parameter<'_> {
    /// The type and whether the value is required: `string, required`.
    pub fn words(&self) -> String {
        let words = self.about.type_words();
        match (words.is_empty(), self.is_required) {
            (_, false) => words,
            (true, true) => "required".to_owned(),
            (false, true) => format!("{words}, required"),
        }
    }
}

/// The description that the schema `root` has for the value at `path`.
pub fn about<'s>(root: &'s Value, path: &[ValueStep]) -> ValueDescription<'s> {
    description_of(root, &schemas_at(root, path))
}

/// The properties that the schema `root` names for the object at `path`: required ones first,
/// otherwise in the order of the schema.
pub fn parameters<'s>(root: &'s Value, path: &[ValueStep]) -> Vec<Parameter<'s>> {
    let schemas = schemas_at(root, path);
    let required: Vec<&str> = is_definite(root, &schemas)
        .into_iter()
        .filter_map(|schema| schema.get("required")?.as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut found: Vec<(&str, Vec<&Value>)> = Vec::new();
    for schema in applicable(root, &schemas).unwrap_or_default() {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            match found.iter_mut().find(|(known, _)| known == name) {
                Some((_, schemas)) => schemas.push(property),
                None => found.push((name, vec![property])),
            }
        }
    }
    let mut parameters: Vec<_> = found
        .into_iter()
        .map(|(name, schemas)| Parameter {
            name,
            is_required: required.contains(&name),
            about: description_of(root, &schemas),
        })
        .collect();
    parameters.sort_by_key(|parameter| !parameter.is_required);
    parameters
}

fn description_of<'s>(root: &'s Value, schemas: &[&'s Value]) -> ValueDescription<'s> {
    let mut about = ValueDescription::default();
    for schema in applicable(root, schemas).unwrap_or_default() {
        let types = match schema.get("type") {
            Some(Value::Array(types)) => types.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        add_new(&mut about.types, types.iter().filter_map(Value::as_str));
        about.description = about.description.or_else(|| schema.get("description")?.as_str());
        let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        add_new(&mut about.values, values.chain(schema.get("const")));
        about.default = about.default.or_else(|| schema.get("default"));
        add_new(&mut about.examples, schema.get("examples").and_then(Value::as_array).into_iter().flatten());
        about.format = about.format.or_else(|| schema.get("format")?.as_str());
        about.is_deprecated |= schema.get("deprecated") == Some(&Value::Bool(true));
    }
    about
}

fn add_new<T: PartialEq>(list: &mut Vec<T>, more: impl Iterator<Item = T>) {
    for item in more {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// The applicable schemas that do not depend on a branch.
fn is_definite<'s>(root: &'s Value, schemas: &[&'s Value]) -> Vec<&'s Map<String, Value>> {
    let mut found: Vec<&Map<String, Value>> = Vec::new();
    let mut stack: Vec<&Value> = schemas.iter().rev().copied().collect();
    while let Some(schema) = stack.pop() {
        let Value::Object(schema) = schema else { continue };
        if found.iter().any(|known| std::ptr::eq(*known, schema)) {
            continue;
        }
        found.push(schema);
        stack.extend(schema.get("$ref").and_then(Value::as_str).and_then(|target| resolve(root, target)));
        stack.extend(schema.get("allOf").and_then(Value::as_array).into_iter().flatten().rev());
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parameters_of_all_applicable_schemas() {
        let schema = json!({
            "properties": {
                "z": {"type": "string", "description": "the last letter", "examples": ["Z"]},
                "a": {"$ref": "#/$defs/a"},
            },
            "required": ["a"],
            "allOf": [{"properties": {"m": {"type": ["integer", "null"], "default": 3}}}],
            "anyOf": [{"properties": {"z": {"enum": ["x", "y"]}}, "required": ["z"]}, {"required": ["m"]}],
            "$defs": {"a": {"type": "object", "properties": {"b": {"const": true, "deprecated": true}}}},
        });
        let names = |path: &[ValueStep]| -> Vec<_> {
            parameters(&schema, path).iter().map(|it| (it.name, it.is_required)).collect()
        };
        assert_eq!(names(&[]), [("a", true), ("z", false), ("m", false)]);
        let (a, b) = (ValueStep::Key("a".to_owned()), ValueStep::Key("b".to_owned()));
        assert_eq!(names(std::slice::from_ref(&a)), [("b", false)]);
        let inner = about(&schema, &[a, b]);
        assert_eq!((inner.values, inner.is_deprecated), (vec![&json!(true)], true));
        let z = about(&schema, &[ValueStep::Key("z".to_owned())]);
        assert_eq!(z.types, ["string"]);
        assert_eq!(z.values, [&json!("x"), &json!("y")]);
        assert_eq!((z.description, z.examples), (Some("the last letter"), vec![&json!("Z")]));
        let m = about(&schema, &[ValueStep::Key("m".to_owned())]);
        assert_eq!((m.types, m.default), (vec!["integer", "null"], Some(&json!(3))));
        assert_eq!(parameters(&json!(true), &[]), []);
    }
}
