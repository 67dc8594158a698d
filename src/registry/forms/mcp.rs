//! The tools of an MCP server: `{name, description, inputSchema, outputSchema}` (Model Context
//! Protocol, `tools/list`).

use serde_json::{Map, Value};

use super::{ListedTool, key};

/// Reads a tool of this form.
pub(super) fn read(tool: &Map<String, Value>) -> Option<ListedTool> {
    let schema = tool.get("inputSchema")?;
    let mut entry = ListedTool::of(tool, &[]);
    entry.set_input(Some(schema), vec![key("inputSchema")]);
    entry.set_output(tool.get("outputSchema"), vec![key("outputSchema")]);
    Some(entry)
}
