//! A tool use in full, combined from its parts, for output, conversion and comparison.

use std::collections::HashMap;
use std::ops::Range;

use super::display::text_parts;
use super::long_json::{CallText, LongJson};
use super::{Call, CallData, CallPart, UseStatus};
use crate::json::{self, JsonKind, Value, quote, to_compact};

/// A tool use in full; also one part of it, while the tool use is put together. JSON is compact
/// text with the author's order and spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolUse {
    /// The dialect of its first part.
    pub dialect: &'static str,
    /// True if it has a call.
    pub has_call: bool,
    /// True if readers recognize the call: its block is closed, and its payload is valid.
    pub has_valid_call: bool,
    /// True if it has a result.
    pub has_result: bool,
    /// Its id as written; a call without one has the fallback of formats.md §1.
    pub id: Option<String>,
    /// The tool's name, if there is one.
    pub name: Option<String>,
    /// Its state as written; for a log, the state after its records.
    pub state: Option<String>,
    /// The input of the tool.
    pub input: Option<UseData>,
    /// Of a tag: its arguments as displayed.
    pub arguments: Option<String>,
    /// The output of the tool.
    pub output: Option<UseData>,
    /// The error message of a failed tool use.
    pub error_text: Option<String>,
    /// Other fields, in order; for duplicate keys the later value.
    pub extra: Vec<(String, UseData)>,
    /// True if the result is known to be incomplete.
    pub truncated: bool,
    /// Its batch, as an index into [`crate::document::Pairs::batches`].
    pub batch: Option<usize>,
    /// True if its id is a fallback rather than written.
    pub id_is_fallback: bool,
    /// Its status.
    pub status: UseStatus,
    /// True if a part of it is invalid for readers.
    pub has_errors: bool,
    /// True if its input was also streamed as deltas.
    pub has_pieces: bool,
    /// The range from its first part to its last, in document offsets.
    pub range: Range<usize>,
    /// Its joined deltas, until [`ToolUse::finish`].
    pub(crate) deltas: String,
    /// Other fields of the last result, until [`ToolUse::finish`].
    pub(crate) extra_of_result: Vec<(String, UseData)>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseData {
    /// JSON text.
    Json(String),
    /// JSON text that is read when it is needed.
    Long(LongJson),
    /// Plain text.
    Text(String),
    /// Named arguments of a display, in order.
    Arguments(Vec<(String, String)>),
}

/// The outcome that completes a pending call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseOutcome {
    /// A result without content.
    Empty,
    /// A result.
    Output(UseData),
    /// An error message.
    Error(String),
}

impl UseOutcome {
    /// The output as JSON text; `null` for an empty result.
    pub fn to_json(&self) -> Option<String> {
        match self {
            Self::Empty => Some("null".to_owned()),
            Self::Output(output) => Some(output.to_json()),
            Self::Error(_) => None,
        }
    }

    /// The outcome as plain text.
    pub fn to_text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Output(output) => output.to_text(),
            Self::Error(text) => text.clone(),
        }
    }
}

impl ToolUse {
    /// The name of its tool; `tool` if none is written.
    pub fn shown_name(&self) -> &str {
        self.name.as_deref().unwrap_or("tool")
    }

    /// Its id, unless the id is a fallback.
    pub fn written_id(&self) -> Option<&str> {
        self.id.as_deref().filter(|_| !self.id_is_fallback)
    }

    /// Its error message, or else its output as plain text.
    pub fn result_text(&self) -> Option<String> {
        self.error_text.clone().or_else(|| self.output.as_ref().map(UseData::to_text))
    }

    /// Its state as written, or the implied state of a tool use without one (formats.md §1).
    pub fn state_or_implied(&self) -> &str {
        self.state.as_deref().unwrap_or(self.status.state())
    }

    /// Its input as JSON; `{}` if the input is absent or `null`.
    pub fn input_as_json(&self) -> String {
        let input = self.input.as_ref().map(UseData::to_json).filter(|input| input != "null");
        input.unwrap_or_else(|| "{}".to_owned())
    }

    /// Its result; `None` while it is pending.
    pub fn outcome(&self) -> Option<UseOutcome> {
        match self.status {
            UseStatus::Pending => None,
            UseStatus::Done => Some(self.output.clone().map_or(UseOutcome::Empty, UseOutcome::Output)),
            UseStatus::Failed => Some(UseOutcome::Error(self.error_text.clone().unwrap_or_default())),
        }
    }

    /// This call with the result `outcome`.
    #[must_use]
    pub fn with_outcome(self, outcome: UseOutcome) -> Self {
        let (output, error_text, status) = match outcome {
            UseOutcome::Empty => (None, None, UseStatus::Done),
            UseOutcome::Output(output) => (Some(output), None, UseStatus::Done),
            UseOutcome::Error(text) => (None, Some(text), UseStatus::Failed),
        };
        Self { has_result: true, output, error_text, status, ..self }
    }

    /// A tool use with the contents of one part. Its long values stay in `text`.
    pub(crate) fn of_part(call: &Call<'_>, text: Option<CallText<'_>>) -> Self {
        let payload = |data: &CallData<'_>| {
            let long = text.and_then(|text| text.long_json(data, call));
            long.map_or_else(|| UseData::of(data), UseData::Long)
        };
        let is_call = call.part.has_call();
        // APIs send an empty string for no arguments.
        let is_none = |input: &CallData<'_>| matches!(input, CallData::Text(text) if text.trim().is_empty());
        let input = call.input.as_ref().filter(|input| is_call && !is_none(input));
        let mut extra: Vec<(String, UseData)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (key, value) in &call.extra {
            let value = payload(&CallData::Json(*value));
            match places.get(&**key).and_then(|place| extra.get_mut(*place)) {
                Some(known) => known.1 = value,
                None => {
                    places.insert(key, extra.len());
                    extra.push((key.to_string(), value));
                }
            }
        }
        Self {
            has_call: is_call,
            has_valid_call: is_call && call.valid,
            has_result: matches!(call.part, CallPart::Result | CallPart::Both),
            id: call.id.as_ref().map(|id| id.text.to_string()),
            name: call.name.as_ref().map(|name| name.text.to_string()),
            state: call.state.as_ref().map(|state| state.text.to_string()),
            input: input.map(payload),
            arguments: call.arguments.as_ref().map(ToString::to_string),
            output: call.output.as_ref().map(payload),
            error_text: call.error_text.as_ref().map(ToString::to_string),
            extra,
            truncated: call.truncated(),
            has_errors: !call.valid,
            has_pieces: matches!(call.part, CallPart::Start | CallPart::Delta | CallPart::End),
            deltas: call.delta.as_ref().map(|delta| delta.text.to_string()).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Adds the next part. A later result replaces an earlier one entirely.
    pub(crate) fn add_part(&mut self, part: Self) {
        if self.dialect.is_empty() {
            (self.dialect, self.range) = (part.dialect, part.range.clone());
        }
        self.range.end = self.range.end.max(part.range.end);
        let is_orphan = part.is_orphan();
        self.deltas.push_str(&part.deltas);
        if part.has_result {
            (self.output, self.error_text, self.truncated) = (part.output, part.error_text, part.truncated);
        } else if part.error_text.is_some() {
            self.error_text = part.error_text;
        }
        if is_orphan {
            self.extra_of_result = part.extra;
        } else {
            merge(&mut self.extra, part.extra);
        }
        self.has_call |= part.has_call;
        self.has_valid_call |= part.has_valid_call;
        self.has_pieces |= part.has_pieces;
        self.has_errors |= part.has_errors;
        self.has_result |= part.has_result;
        self.id = part.id.or(self.id.take());
        self.name = self.name.take().or(part.name);
        self.state = part.state.or(self.state.take());
        self.input = part.input.or(self.input.take());
        self.arguments = part.arguments.or(self.arguments.take());
    }

    /// Completes the tool use once all parts are present. "`args: {}` followed by deltas is filled
    /// by them", and so is an absent call.
    pub(crate) fn finish(&mut self) {
        merge(&mut self.extra, std::mem::take(&mut self.extra_of_result));
        let is_empty = match &self.input {
            None => true,
            Some(UseData::Json(text)) => text == "{}",
            Some(_) => false,
        };
        let deltas = std::mem::take(&mut self.deltas);
        if let (true, Some(json)) = (is_empty, json_of_argument(&deltas)) {
            self.input = Some(UseData::Json(json));
        }
    }

    /// True if it is a result without a call.
    pub fn is_orphan(&self) -> bool {
        self.has_result && !self.has_call
    }
}

impl UseData {
    /// The value as JSON text; an argument is JSON if it parses as such, "else a string"
    /// (formats.md §3.3).
    pub fn to_json(&self) -> String {
        match self {
            Self::Json(text) => text.clone(),
            Self::Long(long) => long.read(),
            Self::Text(text) => quote(text),
            Self::Arguments(arguments) => {
                let value = |shown: &str| json_of_argument(shown).unwrap_or_else(|| quote(shown));
                let member = |(key, shown): &(String, String)| format!("{}:{}", quote(key), value(shown));
                format!("{{{}}}", arguments.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// The value as plain text: a JSON string and parts of text, a line each, without JSON; any
    /// other value as compact JSON.
    pub fn to_text(&self) -> String {
        match self {
            Self::Json(text) => text_of_json(text),
            Self::Long(long) => text_of_json(&long.read()),
            Self::Text(text) => text.clone(),
            Self::Arguments(_) => self.to_json(),
        }
    }

    /// True if [`UseData::to_text`] has all of the value: a string, or parts of text without other
    /// members.
    pub fn is_text(&self) -> bool {
        let text = self.to_json();
        let json = json::parse(&text);
        let Some(root) = json.root(&text) else { return false };
        let is_plain = |part: Value<'_>| {
            part.entries().all(|(key, _)| key.as_str().is_some_and(|key| matches!(&*key, "type" | "text")))
        };
        root.is_text() || (!text_parts(root).is_empty() && root.items().all(is_plain))
    }

    /// The number of bytes of [`UseData::to_text`].
    pub fn text_len(&self) -> usize {
        match self {
            Self::Json(text) => text_len_of_json(text),
            Self::Long(long) => text_len_of_json(&long.read()),
            Self::Text(text) => text.len(),
            Self::Arguments(_) => self.to_text().len(),
        }
    }

    /// The value of `data`; invalid JSON becomes its source text.
    fn of(data: &CallData<'_>) -> Self {
        match data {
            // A value that is being typed.
            CallData::Json(value) if value.kind() == JsonKind::Missing => Self::Json("null".to_owned()),
            CallData::Json(value) if value.is_valid() => Self::Json(to_compact(*value)),
            CallData::Json(value) => Self::Text(value.raw().to_owned()),
            CallData::Text(text) => Self::Text(text.to_string()),
            CallData::Arguments(arguments) => {
                let owned = arguments.iter().map(|(key, value)| (key.to_string(), value.to_string()));
                Self::Arguments(owned.collect())
            }
        }
    }
}

fn text_of_json(text: &str) -> String {
    let json = json::parse(text);
    let Some(root) = json.root(text) else { return text.to_owned() };
    let parts: Vec<_> = text_parts(root).into_iter().filter_map(Value::as_str).collect();
    if parts.is_empty() {
        return root.as_str().map_or_else(|| text.to_owned(), Into::into);
    }
    parts.join("\n")
}

/// The length of [`text_of_json`].
fn text_len_of_json(text: &str) -> usize {
    let json = json::parse(text);
    let Some(root) = json.root(text) else { return text.len() };
    let parts: Vec<_> = text_parts(root).into_iter().filter_map(Value::text_len).collect();
    if parts.is_empty() {
        return root.text_len().unwrap_or(text.len());
    }
    parts.iter().sum::<usize>() + parts.len() - 1
}

/// Merges fields into others; for duplicate keys the later value takes the earlier position.
fn merge(fields: &mut Vec<(String, UseData)>, later: Vec<(String, UseData)>) {
    if fields.is_empty() {
        *fields = later;
        return;
    }
    for (key, value) in later {
        match fields.iter_mut().find(|(known, _)| *known == key) {
            Some(known) => known.1 = value,
            None => fields.push((key, value)),
        }
    }
}

/// "A value that reads as JSON is JSON, else a string": the JSON text of a displayed argument, if
/// it is JSON.
pub fn json_of_argument(shown: &str) -> Option<String> {
    json::parse(shown).valid_root(shown).map(to_compact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_their_lengths() {
        for (json, text) in [
            (r#""a\u00e9\ud83d\n""#, "aé\u{fffd}\n"),
            (r#"[{"type":"text","text":"a"},{"text":"\t漢"}]"#, "a\n\t漢"),
            (r#"[{"type":"text","text":"a"},1]"#, r#"[{"type":"text","text":"a"},1]"#),
            ("{}", "{}"),
            ("", ""),
        ] {
            let data = UseData::Json(json.to_owned());
            assert_eq!((data.to_text().as_str(), data.text_len()), (text, text.len()));
        }
        let arguments = UseData::Arguments(vec![("a".to_owned(), "1".to_owned())]);
        assert_eq!(arguments.text_len(), arguments.to_text().len());
    }
}
