//! Tools as requests list them: the other direction of the forms.

use serde_json::{Map, Value, json};

use super::Tool;
use crate::schema::wording::type_of_value;

/// The form of a list of tools in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolListForm {
    /// `tools` of OpenAI chat completions:
    /// <https://platform.openai.com/docs/api-reference/chat/create>.
    OpenAi,
    /// `functions` of older requests of OpenAI, and `tools` of LLaMA-Factory, as a string of JSON:
    /// <https://github.com/hiyouga/LLaMA-Factory/blob/main/data/README.md>.
    Functions,
    /// `tools` of the Anthropic Messages API: <https://docs.anthropic.com/en/api/messages>.
    Anthropic,
    /// `toolClients` of the chat shell: a list of parameters instead of a JSON Schema.
    ToolClients,
}

/// The description of `tool` in `form`. A tool without a schema takes any object.
///
/// `toolClients` cannot express parts of a schema beside its properties, such as `$defs`.
pub fn listed(tool: &Tool, form: ToolListForm) -> Value {
    let schema = tool.input_schema.clone().unwrap_or_else(|| json!({ "type": "object" }));
    let mut listed = Map::new();
    listed.insert("name".to_owned(), json!(tool.name.as_str()));
    let description = tool.description.as_deref().filter(|text| !text.trim().is_empty());
    if let Some(description) = description {
        listed.insert("description".to_owned(), json!(description));
    }
    match form {
        ToolListForm::OpenAi => {
            listed.insert("parameters".to_owned(), schema);
            json!({ "type": "function", "function": listed })
        }
        ToolListForm::Functions => {
            listed.insert("parameters".to_owned(), schema);
            Value::Object(listed)
        }
        ToolListForm::Anthropic => {
            listed.insert("input_schema".to_owned(), schema);
            Value::Object(listed)
        }
        ToolListForm::ToolClients => {
            listed.entry("description").or_insert_with(|| json!(""));
            listed.insert("parameters".to_owned(), parameters(&schema));
            Value::Object(listed)
        }
    }
}

/// The properties of a schema as a list of parameters.
fn parameters(schema: &Value) -> Value {
    let required = schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|it| it == name));
    let properties = schema.get("properties").and_then(Value::as_object);
    let root = schema;
    let parameters = properties.into_iter().flatten().map(|(name, schema)| {
        let mut parameter = Map::new();
        parameter.insert("name".to_owned(), json!(name));
        let kind = type_of(schema, root, MOST_STEPS).unwrap_or(ANY_TYPE);
        parameter.insert("type".to_owned(), json!(kind));
        let description = schema.get("description").and_then(Value::as_str).unwrap_or_default();
        parameter.insert("description".to_owned(), json!(description));
        parameter.insert("isRequired".to_owned(), json!(is_required(name)));
        parameter.insert("schema".to_owned(), schema.clone());
        Value::Object(parameter)
    });
    parameters.collect()
}

/// The type of a parameter whose schema takes values of any type.
pub(super) const ANY_TYPE: &str = "any";
/// The maximum number of references and branches that lead to a type.
const MOST_STEPS: usize = 8;

/// The type of the values that `schema`, a part of `root`, takes. A parameter has one type: of
/// several, the first that is not `null`. The schema beside it names all.
fn type_of<'s>(schema: &'s Value, root: &'s Value, steps: usize) -> Option<&'s str> {
    let steps = steps.checked_sub(1)?;
    let not_null = |kind: &&str| *kind != "null";
    let of_branch = |branch: &'s Value| type_of(branch, root, steps);
    let first = |key: &str| {
        let branches = schema.get(key)?.as_array()?;
        branches.iter().filter_map(of_branch).find(not_null)
    };
    let written = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).find(not_null),
        kind => kind.and_then(Value::as_str),
    };
    let of_values = || {
        let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
        values.chain(schema.get("const")).map(type_of_value).find(not_null)
    };
    let referenced = || {
        let place = schema.get("$ref")?.as_str()?.strip_prefix('#')?;
        type_of(root.pointer(place)?, root, steps)
    };
    let by_keys = || match schema {
        _ if schema.get("properties").is_some() => Some("object"),
        _ if schema.get("items").is_some() => Some("array"),
        _ => None,
    };
    let branches = || ["anyOf", "oneOf", "allOf"].into_iter().find_map(first);
    written.or_else(of_values).or_else(referenced).or_else(branches).or_else(by_keys)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{preset, read_source};

    #[test]
    fn listed_tools_are_read_as_the_same_tools() {
        let presets =
            ["file-tools", "chartsmith"].map(|name| read_source(preset(name).expect("a preset"), name));
        let tools: Vec<_> = presets.iter().flat_map(|preset| &preset.tools).collect();
        assert!(tools.len() > 6);
        for form in [
            ToolListForm::OpenAi,
            ToolListForm::Functions,
            ToolListForm::Anthropic,
            ToolListForm::ToolClients,
        ] {
            let list: Value = tools.iter().map(|tool| listed(tool, form)).collect();
            let read = read_source(&list.to_string(), "request");
            assert_eq!(read.problems.len(), 0, "{form:?}: {:?}", read.problems);
            for (tool, read) in tools.iter().zip(&read.tools) {
                assert_eq!(
                    (&tool.name, tool.description.as_deref()),
                    (&read.name, read.description.as_deref()),
                    "{form:?}"
                );
                if form != ToolListForm::ToolClients {
                    assert_eq!(tool.input_schema, read.input_schema, "{form:?}");
                }
            }
        }
    }

    #[test]
    fn parameters_say_what_is_required() {
        let schema = json!({
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Where"}, "any": {"enum": [1, "a"]}},
            "required": ["city"],
        });
        let tool = Tool { name: "getWeather".into(), input_schema: Some(schema), ..Tool::default() };
        assert_eq!(
            listed(&tool, ToolListForm::ToolClients),
            json!({"name": "getWeather", "description": "", "parameters": [
                {"name": "city", "type": "string", "description": "Where", "isRequired": true,
                 "schema": {"type": "string", "description": "Where"}},
                {"name": "any", "type": "number", "description": "", "isRequired": false,
                 "schema": {"enum": [1, "a"]}},
            ]})
        );
    }

    #[test]
    fn each_parameter_has_a_type() {
        let check = |schema: Value, expected: &str| {
            let schema = json!({
                "type": "object",
                "properties": {"p": schema},
                "$defs": {"id": {"type": "integer"}, "loop": {"$ref": "#/$defs/loop"}},
            });
            let tool = Tool { name: "f".into(), input_schema: Some(schema), ..Tool::default() };
            let listed = listed(&tool, ToolListForm::ToolClients);
            assert_eq!(listed["parameters"][0]["type"], expected, "{listed}");
            // The type excludes no values of branches.
            let read = read_source(&json!([listed]).to_string(), "request");
            let read = read.tools[0].input_schema.as_ref().expect("a schema");
            let mut expected_schema = listed["parameters"][0]["schema"].clone();
            expected_schema["description"] = json!("");
            if expected_schema.get("items").is_some() {
                expected_schema["type"] = json!("array");
            }
            assert_eq!(read["properties"]["p"], expected_schema);
        };
        check(json!({"type": "integer"}), "integer");
        check(json!({"type": ["null", "boolean"]}), "boolean");
        check(json!({"anyOf": [{"type": "string"}, {"type": "array"}]}), "string");
        check(json!({"oneOf": [{"type": "null"}, {"properties": {}}]}), "object");
        check(json!({"allOf": [{"minimum": 1}, {"$ref": "#/$defs/id"}]}), "integer");
        check(json!({"const": "a"}), "string");
        check(json!({"items": {"type": "string"}}), "array");
        check(json!({"$ref": "#/$defs/loop"}), "any");
        check(json!({"type": "null"}), "null");
        check(json!({}), "any");
    }
}
