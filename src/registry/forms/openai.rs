//! The tools of an OpenAI request: `{type: "function", function: {name, description, parameters}}`,
//! flat in the Responses API (`{type: "function", name, parameters}`), and bare in the older
//! `functions`.

use serde_json::{Map, Value};

use super::{ListedTool, key};

/// Reads a tool of this form.
pub(super) fn read(tool: &Map<String, Value>) -> Option<ListedTool> {
    if let Some(Value::Object(function)) = tool.get("function") {
        let mut entry = ListedTool::of(function, &[key("function")]);
        let path = vec![key("function"), key("parameters")];
        entry.set_input(function.get("parameters"), path);
        return Some(entry);
    }
    let is_function = tool.get("type").and_then(Value::as_str) == Some("function");
    if !is_function && !tool.contains_key("parameters") {
        return None;
    }
    let mut entry = ListedTool::of(tool, &[]);
    entry.set_input(tool.get("parameters"), vec![key("parameters")]);
    Some(entry)
}
