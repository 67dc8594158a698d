//! The tool uses of a document in full, for output: what their parts say, put together.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::{BlockAt, Document, Use, Uses};
use crate::call::{Call, Data, Part, Status};
use crate::dialect::{self, DIALECTS, Pairing};
use crate::json::{self, Kind, to_compact};
use crate::text::Span;

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
    pub input: Option<Payload>,
    /// Of a tag: its arguments as they are displayed.
    pub arguments: Option<String>,
    /// What the tool gave.
    pub output: Option<Payload>,
    /// Why it failed.
    pub error_text: Option<String>,
    /// Other fields, in order; of a key that comes twice the later value.
    pub extra: Vec<(String, Payload)>,
    /// Whether the result is known not to be all of it.
    pub truncated: bool,
    /// Its batch, as an index of [`Uses::batches`].
    pub batch: Option<usize>,
    /// From its first part to its last, in document offsets.
    pub range: Range<usize>,
    /// What its deltas say, joined, until all parts are there.
    deltas: String,
    /// What the last result says besides, until all parts are there.
    extra_of_result: Vec<(String, Payload)>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Payload {
    /// JSON text.
    Json(String),
    /// Plain text.
    Text(String),
    /// Named arguments of a display, in order.
    Arguments(Vec<(String, String)>),
}

impl Document {
    /// Its tool uses in full, in order: reads every block again.
    pub fn tool_uses(&self) -> Vec<ToolUse> {
        let uses = self.uses();
        let batches = uses.batches();
        let mut parts = self.parts_of(&uses.blocks);
        let mut found: Vec<ToolUse> = uses
            .uses
            .iter()
            .zip(uses.numbers())
            .map(|(tool_use, number)| {
                let said = tool_use.parts.iter().filter_map(|part| parts.get_mut(*part).map(std::mem::take));
                let mut full = self.put_together(tool_use, uses.parts(tool_use).zip(said));
                let first = tool_use.parts.first().copied().unwrap_or_default();
                let batch = batches.partition_point(|found| found.blocks.end <= first);
                full.batch =
                    batches.get(batch).is_some_and(|found| found.blocks.contains(&first)).then_some(batch);
                full.id = full.id.take().or_else(|| uses.fallback_id(tool_use, number?));
                full
            })
            .collect();
        if let Some(speech) = self.speech() {
            let said = speech.tool_uses();
            let ranges = self.ranges_of_speech(said.iter().map(|said| said.range.clone()));
            found.extend(said.into_iter().zip(ranges).map(|(said, range)| ToolUse {
                range,
                batch: None,
                ..said
            }));
            found.sort_by_key(|found| found.range.start);
        }
        found
    }

    /// The tool use at `index` of `uses` in full, but for its batch: reads only its own blocks again.
    pub fn tool_use(&self, uses: &Uses<'_>, index: usize) -> Option<ToolUse> {
        let tool_use = uses.uses.get(index)?;
        let blocks: Vec<BlockAt<'_>> = uses.parts(tool_use).collect();
        let parts = self.parts_of(&blocks);
        let mut full = self.put_together(tool_use, blocks.into_iter().zip(parts));
        let number = || uses.numbers().get(index).copied().flatten();
        full.id = full.id.take().or_else(|| uses.fallback_id(tool_use, number()?));
        Some(full)
    }

    /// What each of `blocks` says, in their order: reads each segment once.
    pub(super) fn parts_of(&self, blocks: &[BlockAt<'_>]) -> Vec<ToolUse> {
        let mut parts: Vec<ToolUse> = Vec::new();
        parts.resize_with(blocks.len(), ToolUse::default);
        let mut before = 0;
        for of_segment in blocks.chunk_by(|one, other| one.segment == other.segment) {
            let places: HashMap<(Option<Span>, Part), usize> = of_segment
                .iter()
                .zip(before..)
                .map(|(at, index)| ((at.block.span, at.block.part), index))
                .collect();
            before += of_segment.len();
            let Some(segment) = of_segment.first().map(|at| at.segment) else { continue };
            self.visit_calls(segment, &mut |span, call| {
                let place = places.get(&(Some(span), call.part)).or_else(|| places.get(&(None, call.part)));
                if let Some(part) = place.and_then(|place| parts.get_mut(*place)) {
                    *part = ToolUse::of_part(call);
                }
            });
        }
        parts
    }

    fn put_together<'d>(
        &self,
        tool_use: &Use,
        parts: impl Iterator<Item = (BlockAt<'d>, ToolUse)>,
    ) -> ToolUse {
        let mut full = ToolUse::default();
        for (at, part) in parts {
            let range = self.range_of(&at);
            if full.dialect.is_empty() {
                full.range = range.clone();
                full.dialect = dialect::at(at.block.dialect).map_or("", |dialect| dialect.name);
            }
            full.range.end = full.range.end.max(range.end);
            full.take(part);
        }
        full.finish();
        if is_log(full.dialect) {
            full.state = Some(state_of(tool_use.status, full.has_call).to_owned());
        }
        full
    }
}

impl ToolUse {
    /// What one part says by itself.
    fn of_part(call: &Call<'_>) -> Self {
        let payload = |data: &Data<'_>| Payload::of(data, call);
        let is_call = matches!(call.part, Part::Call | Part::Both);
        let mut extra: Vec<(String, Payload)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (key, value) in &call.extra {
            let value = Payload::of(&Data::Json(*value), call);
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
            has_result: matches!(call.part, Part::Result | Part::Both),
            id: call.id.as_ref().map(|id| id.text.to_string()),
            name: call.name.as_ref().map(|name| name.text.to_string()),
            state: call.state.as_ref().map(|state| state.text.to_string()),
            input: call.input.as_ref().filter(|_| is_call).map(payload),
            arguments: call.arguments.as_ref().map(ToString::to_string),
            output: call.output.as_ref().map(payload),
            error_text: call.error_text.as_ref().map(ToString::to_string),
            extra,
            truncated: call.truncated(),
            deltas: call.delta.as_deref().unwrap_or_default().to_owned(),
            ..Self::default()
        }
    }

    /// Takes in one more part. A later result takes the place of an earlier one, with all that it said.
    fn take(&mut self, part: Self) {
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
        self.has_result |= part.has_result;
        self.id = part.id.or(self.id.take());
        self.name = self.name.take().or(part.name);
        self.state = part.state.or(self.state.take());
        self.input = part.input.or(self.input.take());
        self.arguments = part.arguments.or(self.arguments.take());
    }

    /// When all parts are there. "`args: {}` followed by deltas is filled by them", and so is a call that has not come
    /// yet.
    fn finish(&mut self) {
        merge(&mut self.extra, std::mem::take(&mut self.extra_of_result));
        let is_empty = match &self.input {
            None => true,
            Some(Payload::Json(text)) => text == "{}",
            Some(_) => false,
        };
        let deltas = std::mem::take(&mut self.deltas);
        if let (true, Some(json)) = (is_empty, json_of_argument(&deltas)) {
            self.input = Some(Payload::Json(json));
        }
    }

    /// Whether it is the result of no call.
    pub fn is_orphan(&self) -> bool {
        self.has_result && !self.has_call
    }
}

impl Payload {
    /// What `data`, a piece of `call`, says: faulty JSON is the text that stands there.
    fn of(data: &Data<'_>, call: &Call<'_>) -> Self {
        match data {
            Data::Json(value) if call.payload.is_none_or(|payload| payload.is_sound(value.span())) => {
                Self::Json(to_compact(*value))
            }
            Data::Json(value) => Self::Text(value.raw().to_owned()),
            Data::Text(text) => Self::Text(text.to_string()),
            Data::Arguments(arguments) => {
                let owned = arguments.iter().map(|(key, value)| (key.to_string(), value.to_string()));
                Self::Arguments(owned.collect())
            }
        }
    }

    /// As people read it: of a JSON string what it says, other values as JSON.
    pub fn to_text(&self) -> String {
        match self {
            Self::Json(text) => {
                let json = json::parse(text);
                let said = json.root(text).and_then(json::Value::as_str);
                said.map_or_else(|| text.clone(), Cow::into_owned)
            }
            Self::Text(text) => text.clone(),
            Self::Arguments(_) => self.to_json(),
        }
    }

    /// As JSON: of arguments an object, of text a string.
    pub fn to_json(&self) -> String {
        match self {
            Self::Json(text) => text.clone(),
            Self::Text(text) => json::quote(text),
            Self::Arguments(arguments) => {
                let member = |(key, value): &(String, String)| {
                    let value = json_of_argument(value).unwrap_or_else(|| json::quote(value));
                    format!("{}:{value}", json::quote(key))
                };
                format!("{{{}}}", arguments.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }
}

/// Adds fields to others; of two with one key the later value stays, in the place of the earlier.
fn merge(fields: &mut Vec<(String, Payload)>, later: Vec<(String, Payload)>) {
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
    let is_json = json.faults.is_empty() && json.extra(shown).is_none();
    json.root(shown).filter(|root| is_json && root.kind() != Kind::Missing).map(to_compact)
}

fn is_log(dialect: &str) -> bool {
    DIALECTS.iter().any(|known| known.name == dialect && known.pairing == Pairing::ById)
}

fn state_of(status: Status, has_call: bool) -> &'static str {
    match status {
        Status::Failed => "output-error",
        Status::Done => "output-available",
        Status::Pending if has_call => "input-available",
        Status::Pending => "input-streaming",
    }
}
