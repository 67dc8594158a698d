//! The tools of an Anthropic request: `{name, description, input_schema}`, and the server's own
//! tools, which are only `{type, name}`. A tool with only a name is read in the same way.

use serde_json::{Map, Value};

use super::{ListedTool, NameLocation, key};

/// Reads a tool of this form.
pub(super) fn read(tool: &Map<String, Value>) -> Option<ListedTool> {
    let schema = tool.get("input_schema");
    if schema.is_none() && !tool.contains_key("name") {
        return built_in(tool);
    }
    let mut entry = ListedTool::of(tool, &[]);
    entry.set_input(schema, vec![key("input_schema")]);
    Some(entry)
}

/// A tool that the API provides, with only its type: `{"type": "web_search"}`.
fn built_in(tool: &Map<String, Value>) -> Option<ListedTool> {
    const SCHEMA_TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];
    let name = tool.get("type")?.as_str()?;
    let is_schema = SCHEMA_TYPES.contains(&name) || tool.contains_key("properties");
    if is_schema || name.is_empty() || name == "custom" {
        return None;
    }
    let name_at = NameLocation::Type(vec![key("type")]);
    Some(ListedTool { name: name.to_owned(), name_at, ..ListedTool::default() })
}
