//! The tools of an AI SDK call: an object of `name: {description, inputSchema}`. `jsonSchema()`
//! puts the schema one level deeper, as `inputSchema.jsonSchema`; version 4 called it `parameters`.

use serde_json::{Map, Value};

use super::{ListedTool, ListedToolError, ValueStep, key, text};

const SCHEMA_KEYS: [&str; 3] = ["inputSchema", "parameters", "input_schema"];

/// True if `tool` has the keys of this form.
pub(super) fn is_tool(tool: &Map<String, Value>) -> bool {
    SCHEMA_KEYS.iter().any(|key| tool.get(*key).is_some_and(Value::is_object))
        || (tool.get("description").is_some_and(Value::is_string) && !tool.contains_key("name"))
}

/// Reads the tool with the key `name`.
pub(super) fn read(name: &str, tool: &Map<String, Value>) -> ListedTool {
    let mut entry =
        ListedTool { name: name.to_owned(), description: text(tool, "description"), ..ListedTool::default() };
    if name.is_empty() {
        entry.faults.push(ListedToolError::new(Vec::new(), "the name of this tool is empty"));
    }
    let input = SCHEMA_KEYS.iter().find_map(|key| tool.get_key_value(*key));
    if let Some((key, value)) = input {
        let (value, path) = unwrapped(key, value);
        entry.set_input(Some(value), path);
    }
    if let Some((key, value)) = tool.get_key_value("outputSchema") {
        let (value, path) = unwrapped(key, value);
        entry.set_output(Some(value), path);
    }
    entry
}

fn unwrapped<'a>(name: &str, value: &'a Value) -> (&'a Value, Vec<ValueStep>) {
    match value.get("jsonSchema") {
        Some(inner) => (inner, vec![key(name), key("jsonSchema")]),
        None => (value, vec![key(name)]),
    }
}
