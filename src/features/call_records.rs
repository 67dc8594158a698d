//! The record of a tool use as `chatls calls` writes it, with the field names of formats.md §8.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::value::RawValue;

use crate::call::{LongJson, ToolUse, UseData};
use crate::document::Document;
use crate::json::with_whole_characters;
use crate::text::Text;

/// One record: a tool use, or only its call or result. Fields that the document does not have are
/// omitted.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CallRecord<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The name of the dialect.
    pub dialect: &'a str,
    /// `call`, `result` or `both`.
    pub kind: &'a str,
    /// The id as written. A call without an id has a generated one, which is unique across files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The name of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The state as written, or else the state that the fields imply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<RecordJson>,
    /// The display text of a tag's arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// The output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<RecordJson>,
    /// The text of the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_text: Option<String>,
    /// Other fields, in document order.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "as_object")]
    pub extra: Vec<(String, RecordJson)>,
    /// True if the log marks something as cut off.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The number of the batch, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<usize>,
    /// The number of the conversation in a file with several conversations, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conversation: Option<usize>,
    /// The number of the turn in its conversation, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The first line, from 1.
    pub line: usize,
    /// The last line, from 1.
    pub end_line: usize,
    /// True if the id is generated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub generated_id: bool,
}

/// A JSON value of a record.
#[derive(Debug)]
pub enum RecordJson {
    /// The value.
    Value(Box<RawValue>),
    /// A value that is read whenever it is written.
    Long(LongJson),
}

/// Calls `visit` with each tool use of `document`, the file `file`, that `matches`.
pub fn for_each_record<'f>(
    file: &'f str,
    document: &Document,
    matches: &dyn Fn(&ToolUse) -> bool,
    visit: &mut dyn FnMut(CallRecord<'f>),
) {
    let messages = document.messages();
    document.for_each_tool_use(|found| {
        if matches(&found) {
            let lines = lines_of(&found, document.text());
            let place = messages.message_of(&found);
            let conversation = place.and_then(|place| messages.conversation_of(place));
            let turn = place.map(|place| place.number as usize);
            visit(CallRecord { conversation, turn, ..CallRecord::of(file, found, lines) });
        }
    });
}

/// The first and last line of `found` in `text`, from 0.
pub fn lines_of(found: &ToolUse, text: &Text) -> (usize, usize) {
    let line_of = |offset: usize| text.line_of_byte(offset);
    (line_of(found.range.start), line_of(found.range.end.max(found.range.start + 1) - 1))
}

impl<'a> CallRecord<'a> {
    /// Creates the record of `found` in `file`, with its first and last line, from 0.
    pub fn of(file: &'a str, found: ToolUse, (line, end_line): (usize, usize)) -> Self {
        Self {
            file,
            dialect: found.dialect,
            kind: match (found.is_orphan(), found.has_result) {
                (true, _) => "result",
                (false, true) => "both",
                (false, false) => "call",
            },
            state: Some(found.state_or_implied().to_owned()),
            generated_id: found.id_is_fallback,
            tool_call_id: match found.id_is_fallback {
                true => found.id.map(|id| format!("{file}#{id}")),
                false => found.id,
            },
            tool_name: found.name,
            input: found.input.and_then(RecordJson::of),
            arguments: found.arguments,
            output: found.output.and_then(RecordJson::of),
            error_text: found.error_text,
            extra: found
                .extra
                .into_iter()
                .filter_map(|(key, value)| Some((key, RecordJson::of(value)?)))
                .collect(),
            truncated: found.truncated,
            batch: found.batch.map(|batch| batch + 1),
            conversation: None,
            turn: None,
            line: line + 1,
            end_line: end_line + 1,
        }
    }
}

impl RecordJson {
    /// Converts a payload to JSON; a payload that is not JSON becomes a string.
    fn of(payload: UseData) -> Option<Self> {
        match payload {
            UseData::Json(text) => json(&text).or_else(|| string(&text)).map(Self::Value),
            UseData::Long(long) => Some(Self::Long(long)),
            UseData::Text(_) | UseData::Arguments(_) => json(&payload.to_json()).map(Self::Value),
        }
    }

    /// The JSON text.
    pub fn into_text(self) -> String {
        let value = match self {
            Self::Value(value) => Some(value),
            Self::Long(long) => long_json(&long),
        };
        value.map(|value| Box::<str>::from(value).into()).unwrap_or_default()
    }
}

impl Serialize for RecordJson {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => value.serialize(serializer),
            Self::Long(long) => long_json(long).serialize(serializer),
        }
    }
}

/// Parses the JSON text `text`. Digits and escapes are preserved, except for escapes that many
/// parsers reject. `None` if it is not JSON.
fn json(text: &str) -> Option<Box<RawValue>> {
    whole(serde_json::from_str(text).ok()?)
}

/// Like [`json`], without a second copy.
fn long_json(long: &LongJson) -> Option<Box<RawValue>> {
    RawValue::from_string(long.read()).map_or_else(|_| string(&long.read()), whole)
}

fn whole(value: Box<RawValue>) -> Option<Box<RawValue>> {
    match with_whole_characters(value.get()) {
        Cow::Borrowed(_) => Some(value),
        Cow::Owned(whole) => RawValue::from_string(whole).ok(),
    }
}

fn string(text: &str) -> Option<Box<RawValue>> {
    json(&serde_json::to_string(text).ok()?)
}

fn as_object<S: serde::Serializer>(
    entries: &[(String, RecordJson)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(entries.len()))?;
    for (key, value) in entries {
        map.serialize_entry(key, value)?;
    }
    map.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_fields_of_the_document() {
        let value = |text: &str| json(text).map(RecordJson::Value);
        let line = CallRecord {
            file: "a.md",
            dialect: "fence",
            kind: "both",
            tool_name: Some("x".to_owned()),
            input: value("{\"a b\\\" c\":[1.50e400,2]}"),
            extra: vec![
                ("z".to_owned(), value("1").unwrap()),
                ("a".to_owned(), value("\"\\u00e9\"").unwrap()),
            ],
            line: 3,
            end_line: 9,
            ..CallRecord::default()
        };
        assert_eq!(
            serde_json::to_string(&line).unwrap(),
            r#"{"file":"a.md","dialect":"fence","kind":"both","toolName":"x","input":{"a b\" c":[1.50e400,2]},"extra":{"z":1,"a":"\u00e9"},"line":3,"endLine":9}"#
        );
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        for (text, expected) in [
            (
                r#"{"a\ud83d":["\ud83d\ude00","\\ud83d","\ude00x\uD83D"]}"#,
                r#"{"a\ufffd":["\ud83d\ude00","\\ud83d","\ufffdx\ufffd"]}"#,
            ),
            (r#"["\u00e9\n"]"#, r#"["\u00e9\n"]"#),
        ] {
            assert_eq!(json(text).unwrap().get(), expected);
        }
    }

    #[test]
    fn invalid_json_becomes_a_string() {
        assert!(json("{").is_none());
        assert!(json("1 2").is_none());
        assert!(json(&"[".repeat(100_000)).is_none());
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert_eq!(json(&deep).unwrap().get(), deep);
    }
}
