//! The tools of an MCP server: `{name, description, inputSchema, outputSchema}` (Model Context Protocol,
//! `tools/list`).

use serde_json::{Map, Value};

use super::{Entry, key};

/// Reads a tool of this form.
pub(super) fn read(tool: &Map<String, Value>) -> Option<Entry> {
    let schema = tool.get("inputSchema")?;
    let mut entry = Entry::of(tool, &[]);
    entry.input_schema = entry.schema(Some(schema), vec![key("inputSchema")]);
    entry.output_schema = entry.schema(tool.get("outputSchema"), vec![key("outputSchema")]);
    Some(entry)
}
