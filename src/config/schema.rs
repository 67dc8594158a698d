//! The JSON Schema with which editors complete and validate `chatls.toml`.

use serde_json::{Map, Value, json};

use super::keys::{SEVERITIES, TYPES};
use super::layer::ConfigLayer;
use super::table::{ConfigTable, table_schema};
use crate::diagnostic::{Code, Severity};

/// The JSON Schema (draft 7, which TOML editors know) of `chatls.toml`.
pub fn schema() -> Value {
    let mut root = table_schema(ConfigLayer::KEYS);
    root.insert("$schema".into(), "http://json-schema.org/draft-07/schema#".into());
    root.insert("title".into(), "chatls.toml".into());
    root.insert(
        "description".into(),
        "The configuration of chatls, the language server for chat documents, for the documents in this folder and below it.".into(),
    );
    let severities: Map<_, _> = Code::ALL.iter().map(|code| (code.name().into(), severity(*code))).collect();
    root.insert(
        "definitions".into(),
        json!({
            "lint": {"type": "object", "properties": severities, "additionalProperties": false},
            "signature": signature(),
        }),
    );
    Value::Object(root)
}

/// The schema of a signature: a table of types and constants by key, which may have tables in it.
fn signature() -> Value {
    let member = json!({"anyOf": [
        {"enum": TYPES.map(|(name, ..)| name)},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}, "minItems": 1},
        {"$ref": "#/definitions/signature"},
    ]});
    json!({"type": "object", "minProperties": 1, "additionalProperties": member})
}

fn severity(code: Code) -> Value {
    json!({
        "description": code.summary(),
        "enum": SEVERITIES.map(|(name, _)| name),
        "default": code.default_severity().map_or("off", Severity::name),
    })
}
