//! The documented form of a dialect's JSON object, and a payload that is held against it.

use crate::json::{JsonKind, JsonTape, Value};
use crate::rules::Code;
use crate::text::Span;

/// What a field of the model is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// Documented, and nothing that the model keeps: a record's type, an input that a result repeats.
    PassedOver,
    /// `toolCallId`
    Id,
    /// `toolName`
    Name,
    /// `state`
    State,
    /// `input`
    Input,
    /// `output`
    Output,
    /// `errorText`
    Error,
    /// The text of a delta record.
    Delta,
    /// Something that the dialect documents and the model does not know.
    Other,
}

impl FieldRole {
    /// How many there are.
    pub const COUNT: usize = Self::Other as usize + 1;
}

/// What readers take as the value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A string.
    String,
    /// An object; `null` means that there is none.
    Object,
    /// Anything.
    Any,
}

/// One documented field.
#[derive(Clone, Copy, Debug)]
pub struct FieldShape {
    /// Its key.
    pub key: &'static str,
    /// What it is in the model.
    pub slot: FieldRole,
    /// What readers take.
    pub takes: FieldType,
}

/// The documented form of an object.
#[derive(Debug)]
pub struct ObjectShape {
    /// What it is, with its article, for messages: "a tool fence".
    pub description: &'static str,
    /// Its fields.
    pub fields: &'static [FieldShape],
    /// Whether it must name its tool.
    pub needs_name: bool,
    /// What is said where the block's end is missing.
    pub unclosed: Code,
    /// Whether keys that are not documented are arguments that were put in the wrong place.
    pub extra_is_misplaced: bool,
    /// Where readers see the block's end that look for it with a pattern, whatever the object says.
    pub pattern_end: PatternEnd,
}

/// What readers take for the end of a block that know no JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternEnd {
    /// There are no such readers.
    None,
    /// The next three backticks.
    Backticks,
    /// The first `}`.
    Brace,
}

impl ObjectShape {
    /// The documented field of the key `key`.
    pub fn field(&self, key: &str) -> Option<&'static FieldShape> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The documented field that is `slot` in the model.
    pub fn slot(&self, slot: FieldRole) -> Option<&'static FieldShape> {
        self.fields.iter().find(|field| field.slot == slot)
    }
}

/// A payload as it was read, for the rules that judge it.
#[derive(Clone, Copy, Debug)]
pub struct ParsedPayload<'a> {
    /// The text that holds it.
    pub text: &'a str,
    /// Where in `text` the payload's own text begins.
    pub start: usize,
    /// What was read of `text[start..]`; its spans are relative to `start`.
    pub json: &'a JsonTape,
    /// Whether the block's end is there.
    pub closed: bool,
    /// What would close the block on a line of its own; empty where its object's end is the block's.
    pub closer: &'a str,
    /// Whether more of it may come on the same line: a log's last line while it is being written.
    pub growing: bool,
}

/// The first line of `text` that opens a fence of some language: no block holds one that was closed, and one that was not
/// takes in the next.
pub fn swallowed_fence(text: &str) -> Option<Span> {
    let mut start = 0;
    text.split(['\n', '\r']).find_map(|line| {
        let fence = line.trim_start_matches(' ');
        let indent = line.len() - fence.len();
        let at = start + indent;
        start += line.len() + 1;
        let word = fence.trim_start_matches(['`', '~']).trim_start();
        let opens = (fence.starts_with("```") || fence.starts_with("~~~"))
            && word.starts_with(|first: char| first.is_alphanumeric());
        (indent < 4 && opens).then(|| Span::new(at, at + fence.trim_end().len()))
    })
}

/// A shorthand for tables of fields.
pub const fn field(key: &'static str, slot: FieldRole, takes: FieldType) -> FieldShape {
    FieldShape { key, slot, takes }
}

impl<'a> ParsedPayload<'a> {
    /// The payload's own text.
    pub fn body(&self) -> &'a str {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// Its value, if there is any.
    pub fn root(&self) -> Option<Value<'a>> {
        self.json.root(self.body())
    }

    /// What follows the value, without white space around it, relative to `text`; `None` where nothing does.
    pub fn trailing_text(&self) -> Option<Span> {
        self.json.extra(self.body()).map(|span| span.shifted(self.start))
    }

    /// Whether what follows a text that was cut short may change what is read of it.
    pub fn depends_on_cut_text(&self) -> bool {
        !self.json.gave_up && self.trailing_text().is_none()
    }

    /// Whether no fault is in the bytes `span` of its own text.
    pub fn has_no_error_in(&self, span: Span) -> bool {
        let meets = |fault: Span| {
            fault.start < span.end.max(span.start + 1) && span.start < fault.end.max(fault.start + 1)
        };
        !self.json.errors.iter().any(|fault| meets(fault.span))
    }

    /// Whether no fault is in the bytes `span` of [`ParsedPayload::text`].
    pub fn has_no_error_in_text(&self, span: Span) -> bool {
        let own = |at: u32| at.saturating_sub(Span::empty(self.start).start);
        self.has_no_error_in(Span { start: own(span.start), end: own(span.end) })
    }

    /// Whether it is what readers accept: one JSON object and nothing else.
    pub fn is_valid(&self) -> bool {
        self.json.errors.is_empty()
            && self.root().is_some_and(|root| root.kind() == JsonKind::Object)
            && self.trailing_text().is_none()
    }
}
