//! The forms of tool definitions, detected by their structure.
//!
//! A form reads one tool. Each has a file with one function, `read`, which returns `None` for
//! values of another form. The first form that accepts a tool reads it, so the order is from the
//! most specific form to the least.

use serde_json::{Map, Value};

use crate::registry::fixes::RegistryRepair;
use crate::schema::{ValueStep, wording};

mod ai_sdk;
mod anthropic;
mod bedrock;
mod mcp;
mod openai;
mod tool_clients;

/// A tool as read by its form.
#[derive(Debug, Default)]
pub(super) struct ListedTool {
    /// The name; empty if it is missing, which is then one of the errors.
    pub name: String,
    pub name_at: NameLocation,
    pub description: Option<String>,
    pub input_schema: Option<Value>,
    pub output_schema: Option<Value>,
    /// The paths of the schemas, relative to the tool's value.
    pub input_path: Vec<ValueStep>,
    pub output_path: Vec<ValueStep>,
    /// The paths of the parts of a composed input schema.
    pub parts: Vec<ParameterPart>,
    /// The errors of the tool.
    pub faults: Vec<ListedToolError>,
}

/// The location of a tool's name.
#[derive(Debug, Default)]
pub(super) enum NameLocation {
    /// The tool's key.
    #[default]
    Key,
    /// A path relative to the tool's value.
    Below(Vec<ValueStep>),
    /// The same, as the type of a tool that an API provides.
    Type(Vec<ValueStep>),
}

/// An error in a tool, or in a value that should be a tool.
#[derive(Debug)]
pub(super) struct ListedToolError {
    /// The path, relative to the tool's value.
    pub path: Vec<ValueStep>,
    /// The message for users: the error and its remedy.
    pub message: String,
    /// The kind of repair.
    pub repair: RegistryRepair,
}

/// A parameter of a composed input schema.
#[derive(Debug)]
pub(super) struct ParameterPart {
    pub name: String,
    /// The path, relative to the tool's value.
    pub path: Vec<ValueStep>,
    /// True if its type is beside its schema.
    pub has_type_beside: bool,
}

type ToolListReader = fn(&Map<String, Value>) -> Option<ListedTool>;

const FORMS: [ToolListReader; 5] =
    [mcp::read, tool_clients::read, bedrock::read, openai::read, anthropic::read];

/// Reads an element of a list of tools.
pub(super) fn read_listed(value: &Value) -> Result<ListedTool, ListedToolError> {
    let Value::Object(object) = value else {
        let message = format!("expected a tool, which is an object; found {}", kind(value));
        return Err(ListedToolError::new(Vec::new(), message));
    };
    FORMS.iter().find_map(|form| form(object)).ok_or_else(|| {
        let message = "this object is not a tool in any known form: expected a `name`, with `inputSchema`, `input_schema` or \
                       `parameters`";
        ListedToolError::nameless(Vec::new(), message)
    })
}

/// Reads the tool `value` with the key `name`.
pub(super) fn read_named(name: &str, value: &Value) -> Result<ListedTool, ListedToolError> {
    let Value::Object(object) = value else {
        let message = format!("expected the tool `{name}`, which is an object; found {}", kind(value));
        return Err(ListedToolError::new(Vec::new(), message));
    };
    Ok(ai_sdk::read(name, object))
}

/// True if `value` looks like a tool that is named by its key.
pub(super) fn is_named_tool(value: &Value) -> bool {
    value.as_object().is_some_and(ai_sdk::is_tool)
}

/// True if `value` is an item between the tools of a list that marks the end of the part that
/// Bedrock caches.
pub(super) fn is_cache_point(value: &Value) -> bool {
    value.as_object().is_some_and(|object| object.len() == 1 && object.contains_key("cachePoint"))
}

impl ListedToolError {
    /// Creates an error without a repair.
    pub(super) fn new(path: Vec<ValueStep>, message: impl Into<String>) -> Self {
        Self { path, message: message.into(), repair: RegistryRepair::None }
    }

    /// Creates the error for an object at `path` without a name.
    fn nameless(path: Vec<ValueStep>, message: &str) -> Self {
        Self { repair: RegistryRepair::Rename("name"), ..Self::new(path, message) }
    }
}

impl ListedTool {
    /// Reads the name and description of `object`, the tool's value itself or below it at `path`.
    fn of(object: &Map<String, Value>, path: &[ValueStep]) -> Self {
        let mut entry = Self { description: text(object, "description"), ..Self::default() };
        let mut at_name = path.to_vec();
        at_name.push(key("name"));
        entry.name_at = NameLocation::Below(at_name.clone());
        match object.get("name") {
            Some(Value::String(name)) if !name.is_empty() => entry.name.clone_from(name),
            Some(Value::String(_)) => {
                entry.faults.push(ListedToolError::new(at_name, "the name of this tool is empty"));
            }
            Some(other) => {
                let found = kind(other);
                let message = format!("the name of a tool must be a string; found {found}");
                entry.faults.push(ListedToolError {
                    repair: RegistryRepair::Quote,
                    ..ListedToolError::new(at_name, message)
                });
            }
            None => entry.faults.push(ListedToolError::nameless(path.to_vec(), "this tool has no `name`")),
        }
        entry
    }

    /// The path, relative to the tool's value, of the part of its input schema at `path`.
    pub(super) fn place_in_input(&self, path: &[ValueStep]) -> Vec<ValueStep> {
        if let [ValueStep::Key(properties), ValueStep::Key(name), rest @ ..] = path
            && properties == "properties"
            && let Some(part) = self.parts.iter().find(|part| part.name == *name)
        {
            let is_type = part.has_type_beside && rest.first() == Some(&key("type"));
            let schema = (!is_type).then(|| key("schema"));
            return part.path.iter().cloned().chain(schema).chain(rest.iter().cloned()).collect();
        }
        self.input_path.iter().chain(path).cloned().collect()
    }

    /// Sets the schema of the input to `value`, which is at `path`.
    fn set_input(&mut self, value: Option<&Value>, path: Vec<ValueStep>) {
        self.input_schema = self.schema(value, &path);
        self.input_path = path;
    }

    /// Sets the schema of the output to `value`, which is at `path`.
    fn set_output(&mut self, value: Option<&Value>, path: Vec<ValueStep>) {
        self.output_schema = self.schema(value, &path);
        self.output_path = path;
    }

    /// The schema `value`, which is at `path`; reports an error if its type is invalid for a JSON
    /// Schema.
    fn schema(&mut self, value: Option<&Value>, path: &[ValueStep]) -> Option<Value> {
        match value {
            None | Some(Value::Null) => None,
            Some(schema @ (Value::Object(_) | Value::Bool(_))) => Some(schema.clone()),
            Some(other) => {
                let message = format!("a JSON Schema is an object; found {}", kind(other));
                self.faults.push(ListedToolError::new(path.to_vec(), message));
                None
            }
        }
    }
}

fn key(name: &str) -> ValueStep {
    ValueStep::Key(name.to_owned())
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// The name of the type of `value`, for messages.
fn kind(value: &Value) -> &'static str {
    if value.is_null() { "null" } else { wording::kind(value) }
}
