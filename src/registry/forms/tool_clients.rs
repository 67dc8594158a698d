//! The `toolClients` of the chat shell: `{name, description, parameters}`, where `parameters` is a
//! list of `{name, type, description, isRequired, schema}`.

use serde_json::{Map, Value, json};

use super::{ListedTool, ListedToolError, ParameterPart, ValueStep, key, kind, text};
use crate::registry::write::ANY_TYPE;

/// Reads a tool of this form.
pub(super) fn read(tool: &Map<String, Value>) -> Option<ListedTool> {
    let Some(Value::Array(parameters)) = tool.get("parameters") else {
        return None;
    };
    let mut entry = ListedTool::of(tool, &[]);
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (index, parameter) in parameters.iter().enumerate() {
        let path = [key("parameters"), ValueStep::Index(index)];
        match read_parameter(parameter, &path, &mut entry.faults) {
            Some((name, schema, is_required)) => {
                if is_required {
                    required.push(Value::String(name.clone()));
                }
                let has_type_beside = parameter.pointer("/schema/type").is_none();
                entry.parts.push(ParameterPart { name: name.clone(), path: path.to_vec(), has_type_beside });
                properties.insert(name, schema);
            }
            None => {
                entry.faults.push(ListedToolError::nameless(path.to_vec(), "this parameter has no `name`"))
            }
        }
    }
    entry.input_path = vec![key("parameters")];
    entry.input_schema = Some(json!({ "type": "object", "properties": properties, "required": required }));
    Some(entry)
}

/// The name of a parameter, its schema, and whether it is required.
fn read_parameter(
    parameter: &Value,
    path: &[ValueStep],
    faults: &mut Vec<ListedToolError>,
) -> Option<(String, Value, bool)> {
    let parameter = parameter.as_object()?;
    let name = text(parameter, "name").filter(|name| !name.is_empty())?;
    let mut schema = match parameter.get("schema") {
        Some(Value::Object(schema)) => schema.clone(),
        None | Some(Value::Null) => Map::new(),
        Some(other) => {
            let path = path.iter().cloned().chain([key("schema")]).collect();
            faults.push(ListedToolError::new(
                path,
                format!("a JSON Schema is an object; found {}", kind(other)),
            ));
            Map::new()
        }
    };
    if let Some(declared) = parameter.get("type").and_then(Value::as_str) {
        match schema.get("type") {
            Some(Value::String(inner)) if inner != declared => {
                let path = path.iter().cloned().chain([key("type")]).collect();
                let message = format!(
                    "`{name}` is `{declared}` here and `{inner}` in its `schema`: they must be equal"
                );
                faults.push(ListedToolError::new(path, message));
            }
            None if takes_type_from(&schema) && declared != ANY_TYPE => {
                schema.insert("type".to_owned(), Value::String(declared.to_owned()));
            }
            _ => {}
        }
    }
    if let Some(description) = parameter.get("description").filter(|text| text.is_string())
        && !schema.contains_key("description")
    {
        schema.insert("description".to_owned(), description.clone());
    }
    let is_required = parameter.get("isRequired").and_then(Value::as_bool) == Some(true);
    Some((name, Value::Object(schema), is_required))
}

/// True if the type beside `schema` describes its values: with keys such as `anyOf` they may have
/// other types, too.
fn takes_type_from(schema: &Map<String, Value>) -> bool {
    let keys = ["anyOf", "oneOf", "allOf", "$ref", "enum", "const"];
    keys.iter().all(|key| !schema.contains_key(*key))
}
