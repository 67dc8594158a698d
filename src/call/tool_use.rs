//! A tool use in full: what its parts say, put together; what is printed, converted and compared.

use std::collections::HashMap;
use std::ops::Range;

use super::{Call, CallData, CallPart, UseStatus};
use crate::json::{self, JsonKind, quote, to_compact};

/// One tool use in full. JSON is compact text with the author's order and spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolUse {
    /// The dialect of its first part.
    pub dialect: &'static str,
    /// Whether a call is there.
    pub has_call: bool,
    /// Whether readers see the call: its block has an end, and its payload is what they accept.
    pub has_valid_call: bool,
    /// Whether a result is there.
    pub has_result: bool,
    /// Its id as written; a call without one has the fallback of formats.md §1.
    pub id: Option<String>,
    /// The tool's name, where one is written.
    pub name: Option<String>,
    /// Its state as written; of a log the one that its records come to.
    pub state: Option<String>,
    /// What the tool is given.
    pub input: Option<UseData>,
    /// Of a tag: its arguments as they are displayed.
    pub arguments: Option<String>,
    /// What the tool gave.
    pub output: Option<UseData>,
    /// Why it failed.
    pub error_text: Option<String>,
    /// Other fields, in order; of a key that comes twice the later value.
    pub extra: Vec<(String, UseData)>,
    /// Whether the result is known not to be all of it.
    pub truncated: bool,
    /// Its batch, as an index of [`crate::document::PairedUses::batches`].
    pub batch: Option<usize>,
    /// Whether nobody wrote its id.
    pub id_is_fallback: bool,
    /// How it stands.
    pub status: UseStatus,
    /// Whether a part of it is not what readers accept.
    pub has_errors: bool,
    /// Whether its input also came in pieces.
    pub has_pieces: bool,
    /// From its first part to its last, in document offsets.
    pub range: Range<usize>,
    /// What its deltas say, joined, until all parts are there.
    pub(crate) deltas: String,
    /// What the last result says besides, until all parts are there.
    pub(crate) extra_of_result: Vec<(String, UseData)>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseData {
    /// JSON text.
    Json(String),
    /// Plain text.
    Text(String),
    /// Named arguments of a display, in order.
    Arguments(Vec<(String, String)>),
}

/// What a pending call comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UseOutcome {
    /// A result that says nothing.
    Empty,
    /// A result.
    Output(UseData),
    /// Why it failed.
    Error(String),
}

impl UseOutcome {
    /// The output as JSON text; of an empty result `null`.
    pub fn to_json(&self) -> Option<String> {
        match self {
            Self::Empty => Some("null".to_owned()),
            Self::Output(output) => Some(output.to_json()),
            Self::Error(_) => None,
        }
    }

    /// It as plain text.
    pub fn to_text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Output(output) => output.to_text(),
            Self::Error(text) => text.clone(),
        }
    }
}

impl ToolUse {
    /// Its state: as written, or the one that a tool use without one is in (formats.md §1).
    pub fn state_or_implied(&self) -> &str {
        self.state.as_deref().unwrap_or(match self.status {
            UseStatus::Pending => "input-available",
            UseStatus::Done => "output-available",
            UseStatus::Failed => "output-error",
        })
    }

    /// What one part says by itself.
    pub(crate) fn of_part(call: &Call<'_>) -> Self {
        let payload = |data: &CallData<'_>| UseData::of(data, call);
        let is_call = matches!(call.part, CallPart::Call | CallPart::Both);
        let mut extra: Vec<(String, UseData)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (key, value) in &call.extra {
            let value = UseData::of(&CallData::Json(*value), call);
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
            input: call.input.as_ref().filter(|_| is_call).map(payload),
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

    /// Takes in one more part. A later result takes the place of an earlier one, with all that it said.
    pub(crate) fn take(&mut self, part: Self) {
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

    /// When all parts are there. "`args: {}` followed by deltas is filled by them", and so is a call that has not come
    /// yet.
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

    /// Whether it is the result of no call.
    pub fn is_orphan(&self) -> bool {
        self.has_result && !self.has_call
    }
}

impl UseData {
    /// As JSON text: an argument that reads as JSON is that, "else a string" (formats.md §3.3).
    pub fn to_json(&self) -> String {
        match self {
            Self::Json(text) => text.clone(),
            Self::Text(text) => quote(text),
            Self::Arguments(arguments) => {
                let value = |shown: &str| json_of_argument(shown).unwrap_or_else(|| quote(shown));
                let member = |(key, shown): &(String, String)| format!("{}:{}", quote(key), value(shown));
                format!("{{{}}}", arguments.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// As plain text: a JSON string is its text, any other value is compact JSON.
    pub fn to_text(&self) -> String {
        match self {
            Self::Json(text) => {
                let json = json::parse(text);
                json.root(text).and_then(|root| root.as_str()).map_or_else(|| text.clone(), Into::into)
            }
            Self::Text(text) => text.clone(),
            Self::Arguments(_) => self.to_json(),
        }
    }

    /// What `data`, a piece of `call`, says: faulty JSON is the text that stands there.
    fn of(data: &CallData<'_>, call: &Call<'_>) -> Self {
        match data {
            CallData::Json(value)
                if call.payload.is_none_or(|payload| payload.has_no_error_in(value.span())) =>
            {
                Self::Json(to_compact(*value))
            }
            CallData::Json(value) => Self::Text(value.raw().to_owned()),
            CallData::Text(text) => Self::Text(text.to_string()),
            CallData::Arguments(arguments) => {
                let owned = arguments.iter().map(|(key, value)| (key.to_string(), value.to_string()));
                Self::Arguments(owned.collect())
            }
        }
    }
}

/// Adds fields to others; of two with one key the later value stays, in the place of the earlier.
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

/// "A value that reads as JSON is JSON, else a string": the JSON text of an argument's display, if it has one.
fn json_of_argument(shown: &str) -> Option<String> {
    let json = json::parse(shown);
    let is_json = json.errors.is_empty() && json.extra(shown).is_none();
    json.root(shown).filter(|root| is_json && root.kind() != JsonKind::Missing).map(to_compact)
}
