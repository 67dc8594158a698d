//! The parse of a text by `chatls`, in comparable forms.

use std::sync::Arc;

use chatls::call::{ToolUse, UseData};
use chatls::config::{Protocol, Settings};
use chatls::diagnostic::Severity;
use chatls::document::{Document, Language};
use chatls::events::{Deltas, events_of_document};
use chatls::text::Text;
use serde_json::{Map, Value};

pub fn markdown(text: &str) -> Document {
    markdown_for(text, Protocol::Auto)
}

pub fn markdown_for(text: &str, protocol: Protocol) -> Document {
    document(text, Language::Markdown, protocol)
}

/// A stream log with one record per line.
pub fn log<'v>(records: impl IntoIterator<Item = &'v Value>, protocol: Protocol) -> Document {
    let text: String = records.into_iter().map(|record| format!("{record}\n")).collect();
    document(&text, Language::Log, protocol)
}

pub fn document(text: &str, language: Language, protocol: Protocol) -> Document {
    let settings = Settings { protocol, ..Settings::default() };
    Document::new(Text::new(text), language, Arc::new(settings))
}

/// A value as JSON.
pub fn value(said: &UseData) -> Value {
    serde_json::from_str(&said.to_json()).unwrap()
}

/// The fields of a tool use by their names in the model, as written, without fallback ids.
pub fn fields(tool_use: &ToolUse) -> Map<String, Value> {
    let mut fields = Map::new();
    let mut add = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            fields.insert(key.to_owned(), value);
        }
    };
    add("toolCallId", tool_use.id.clone().filter(|_| !tool_use.id_is_fallback).map(Value::from));
    add("toolName", tool_use.name.clone().map(Value::from));
    add("state", tool_use.state.clone().map(Value::from));
    add("input", tool_use.input.as_ref().map(value));
    add("output", tool_use.output.as_ref().map(value));
    add("errorText", tool_use.error_text.clone().map(Value::from));
    fields
}

/// The events of a document.
pub fn events(document: &Document) -> Vec<Value> {
    events_of_document(document, Deltas::OnePerText)
        .iter()
        .map(|event| serde_json::from_str(event).unwrap())
        .collect()
}

/// The whole text of `events`.
pub fn text_of(events: &[Value]) -> String {
    events.iter().filter_map(|event| event["delta"].as_str()).collect()
}

/// The `events` of tool uses.
pub fn of_tools(events: &[Value]) -> Vec<Value> {
    events.iter().filter(|event| !event["toolCallId"].is_null()).cloned().collect()
}

/// True if `chatls` reports an error or a warning.
pub fn is_faulty(document: &Document) -> bool {
    document.diagnostics().iter().any(|problem| problem.severity >= Severity::Warning)
}
