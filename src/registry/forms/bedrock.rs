//! The tools of a request to Bedrock: `{toolSpec: {name, description, inputSchema: {json}}}`
//! (<https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolSpecification.html>).

use serde_json::{Map, Value};

use super::{ListedTool, key};

/// Reads a tool of this form.
pub(super) fn read(tool: &Map<String, Value>) -> Option<ListedTool> {
    let specification = tool.get("toolSpec")?.as_object()?;
    let path = |name: &str| vec![key("toolSpec"), key(name), key("json")];
    let schema_in = |name: &str| specification.get(name).and_then(|schema| schema.get("json"));
    let mut entry = ListedTool::of(specification, &[key("toolSpec")]);
    entry.set_input(schema_in("inputSchema"), path("inputSchema"));
    Some(entry)
}
