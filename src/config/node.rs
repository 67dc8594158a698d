//! A configuration as a tree of plain values with their ranges, from TOML or JSON. The reader of
//! keys does not depend on the format.

use std::ops::Range;

use serde_json::Value;
use toml::de::{DeTable, DeValue};

use crate::trial::FileFix;

/// A value and its byte range; `0..0` for editor settings, which have no text.
#[derive(Clone, Debug)]
pub(super) struct ConfigNode {
    pub span: Range<usize>,
    pub data: NodeData,
}

#[derive(Clone, Debug)]
pub(super) enum NodeData {
    Null,
    Bool(bool),
    Integer(i64),
    String(String),
    Array(Vec<ConfigNode>),
    Table(Vec<(NodeKey, ConfigNode)>),
    /// The type name of a value that no key accepts.
    Other(&'static str),
}

#[derive(Clone, Debug)]
pub(super) struct NodeKey {
    pub span: Range<usize>,
    pub name: String,
}

/// An error in a configuration; its code is `config`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConfigError {
    pub span: Range<usize>,
    pub message: String,
    /// The fixes, best first.
    pub fixes: Vec<FileFix>,
}

impl ConfigError {
    /// Creates an error without fixes.
    pub fn new(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), fixes: Vec::new() }
    }

    /// Adds fixes to the error.
    pub fn fixes(mut self, fixes: impl IntoIterator<Item = FileFix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

impl ConfigNode {
    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match &self.data {
            NodeData::String(text) => Some(text),
            _ => None,
        }
    }

    /// The entries, if it is a table.
    pub fn entries(&self) -> &[(NodeKey, ConfigNode)] {
        match &self.data {
            NodeData::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The name of its type, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.data {
            NodeData::Null => "null",
            NodeData::Bool(_) => "a boolean",
            NodeData::Integer(_) => "an integer",
            NodeData::String(_) => "a string",
            NodeData::Array(_) => "an array",
            NodeData::Table(_) => "a table",
            NodeData::Other(name) => name,
        }
    }
}

/// Parses the TOML `text` as far as possible. Also returns the first syntax error; later ones
/// mostly follow from it.
pub(super) fn from_toml(text: &str) -> (ConfigNode, Option<ConfigError>) {
    // TOML allows a byte order mark at the start; the parser skips it, but spans include it.
    let (table, errors) = DeTable::parse_recoverable(text);
    let start = |error: &&toml::de::Error| error.span().map_or(0, |span| span.start);
    let fault = errors.iter().min_by_key(start).map(|error| {
        let message = format!("this is not TOML: {}", error.message().trim_end());
        ConfigError::new(error.span().unwrap_or(0..0), message)
    });
    (ConfigNode { span: table.span(), data: table_data(table.get_ref()) }, fault)
}

fn table_data(table: &DeTable<'_>) -> NodeData {
    let mut entries: Vec<_> = table
        .iter()
        .map(|(key, value)| {
            let key = NodeKey { span: key.span(), name: key.get_ref().to_string() };
            (key, ConfigNode { span: value.span(), data: toml_data(value.get_ref()) })
        })
        .collect();
    entries.sort_by_key(|(key, _)| key.span.start);
    NodeData::Table(entries)
}

fn toml_data(value: &DeValue<'_>) -> NodeData {
    match value {
        DeValue::String(text) => NodeData::String(text.to_string()),
        DeValue::Integer(integer) => {
            let digits = integer.as_str().replace('_', "");
            i64::from_str_radix(&digits, integer.radix())
                .map_or(NodeData::Other("a number"), NodeData::Integer)
        }
        DeValue::Boolean(value) => NodeData::Bool(*value),
        DeValue::Array(items) => NodeData::Array(
            items
                .iter()
                .map(|item| ConfigNode { span: item.span(), data: toml_data(item.get_ref()) })
                .collect(),
        ),
        DeValue::Table(table) => table_data(table),
        DeValue::Float(_) => NodeData::Other("a number"),
        DeValue::Datetime(_) => NodeData::Other("a date"),
    }
}

/// Converts editor settings to a tree. Empty lists mean the defaults, as `null` does: some editors
/// send them at start.
pub(super) fn from_json(value: &Value) -> ConfigNode {
    let data = match value {
        Value::Null => NodeData::Null,
        Value::Bool(value) => NodeData::Bool(*value),
        Value::Number(number) => number.as_i64().map_or(NodeData::Other("a number"), NodeData::Integer),
        Value::String(text) => NodeData::String(text.clone()),
        Value::Array(items) if items.is_empty() => NodeData::Null,
        Value::Array(items) => NodeData::Array(items.iter().map(from_json).collect()),
        Value::Object(entries) => NodeData::Table(
            entries
                .iter()
                .map(|(name, value)| (NodeKey { span: 0..0, name: name.clone() }, from_json(value)))
                .collect(),
        ),
    };
    ConfigNode { span: 0..0, data }
}
