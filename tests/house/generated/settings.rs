//! The settings of the VS Code extension, made from the JSON Schema of `chatls.toml`.

use serde_json::{Map, Value, json};

/// The groups in the settings editor, and their keys of the schema.
const GROUPS: [(&str, &[&str]); 3] = [
    (
        "Documents and tools",
        &[
            "enable", "tools", "protocol", "api", "include", "exclude", "override", "dialect", "text",
            "fence", "turns",
        ],
    ),
    ("Appearance and format", &["hints", "lenses", "format"]),
    ("Diagnostics", &["lint"]),
];
/// Keys of files only.
const OF_FILES: [&str; 6] = ["extends", "root", "servers", "run", "compare", "redact"];

/// Replaces all groups of settings in `manifest` but the first, which is the extension's own.
pub fn replace(manifest: &mut Value, schema: &Value) {
    let is_known = |key: &&str| OF_FILES.contains(key) || GROUPS.iter().any(|(_, keys)| keys.contains(key));
    let unknown: Vec<_> = properties(schema).map(|(key, _)| key).filter(|key| !is_known(key)).collect();
    assert!(unknown.is_empty(), "{unknown:?} of the schema: add them to a group");
    let groups = manifest["contributes"]["configuration"].as_array_mut().unwrap();
    groups.truncate(1);
    groups.extend(GROUPS.map(|(title, keys)| group(schema, title, keys)));
}

fn group(schema: &Value, title: &str, keys: &[&str]) -> Value {
    let mut settings = Vec::new();
    for key in keys {
        add_settings(schema, format!("chatls.{key}"), &schema["properties"][key], &mut settings);
    }
    let in_order = settings.into_iter().enumerate().map(|(order, (name, setting))| {
        let setting = object([("order", json!(order))]).into_iter().chain(setting);
        (name, setting.collect::<Map<_, _>>().into())
    });
    json!({"title": title, "properties": in_order.collect::<Map<_, _>>()})
}

/// Adds the setting of a key, or those of its own keys if it is a table.
fn add_settings(
    schema: &Value,
    name: String,
    value: &Value,
    settings: &mut Vec<(String, Map<String, Value>)>,
) {
    let value = resolve(schema, value);
    if value["properties"].is_object() {
        for (key, inner) in properties(&value) {
            add_settings(schema, format!("{name}.{key}"), inner, settings);
        }
        return;
    }
    let description = in_settings(&value["description"]);
    let mut setting = object([("scope", json!("resource"))]);
    setting.extend(shape(schema, &value));
    setting.insert("markdownDescription".into(), description);
    settings.push((name, setting));
}

/// The type of a setting as the settings editor draws it: lists without their short form.
fn shape(schema: &Value, value: &Value) -> Map<String, Value> {
    let default = value.get("default").cloned().unwrap_or(json!([]));
    if let Some(list) = list_of(value) {
        return object([("type", json!("array")), ("items", list["items"].clone()), ("default", default)]);
    }
    if let Some(choices) = value.get("enum") {
        return object([("type", json!("string")), ("enum", choices.clone()), ("default", default)]);
    }
    let mut shape = object([("type", value["type"].clone())]);
    shape.extend(value.get("items").map(|items| ("items".to_owned(), inlined(schema, items))));
    for limit in ["minimum", "maximum"] {
        shape.extend(value.get(limit).map(|it| (limit.to_owned(), it.clone())));
    }
    shape.insert("default".into(), default);
    shape
}

/// A value of the schema without references, which a manifest cannot contain.
fn inlined(schema: &Value, value: &Value) -> Value {
    let value = resolve(schema, value);
    let mut inlined = value.as_object().unwrap().clone();
    inlined.retain(|key, _| !["anyOf", "properties", "description"].contains(&key.as_str()));
    inlined.extend(list_of(&value).and_then(Value::as_object).cloned().unwrap_or_default());
    if value["description"].is_string() {
        inlined.insert("description".into(), in_settings(&value["description"]));
    }
    // The members of a signature may be signatures.
    inlined.retain(|key, value| key != "additionalProperties" || !value.is_object());
    if value["properties"].is_object() {
        let inner = properties(&value).map(|(key, inner)| (key.to_owned(), self::inlined(schema, inner)));
        inlined.insert("properties".into(), inner.collect::<Map<_, _>>().into());
    }
    inlined.into()
}

/// The long form of a list that may also be written as a single value.
fn list_of(value: &Value) -> Option<&Value> {
    value["anyOf"].as_array()?.iter().find(|form| form["type"] == "array")
}

/// A description, for settings that are in no file.
fn in_settings(description: &Value) -> Value {
    let description = description.as_str().unwrap();
    description.replace("relative to this file", "relative to the workspace folder").into()
}

/// The definition that `value` refers to, with its own description.
fn resolve(schema: &Value, value: &Value) -> Value {
    let Some(reference) = value["allOf"][0]["$ref"].as_str() else { return value.clone() };
    let mut resolved = schema.pointer(reference.trim_start_matches('#')).unwrap().clone();
    resolved["description"] = value["description"].clone();
    resolved
}

fn properties(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value["properties"].as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn object<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
