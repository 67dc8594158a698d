//! The documented form of a dialect's JSON object, and a payload that is held against it.

use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code};
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

/// What is said of a fence that holds `text` and has no end of its own; `growing` is whether that is a valid beginning.
pub fn unclosed_fence(text: &str, growing: bool) -> CallDiagnostic {
    const CLOSE: &str = "add a closing fence on a line of its own";
    let Some(next) = swallowed_fence(text) else {
        let at_end = if growing { AtDocumentEnd::Information } else { AtDocumentEnd::AsAnywhere };
        return CallDiagnostic::at_opening(
            Code::UnclosedFence,
            format!("this fence is never closed: {CLOSE}"),
            at_end,
        );
    };
    let message = format!("this fence is not closed before the next one opens: {CLOSE}");
    CallDiagnostic::at_opening(Code::UnclosedFence, message, AtDocumentEnd::AsAnywhere)
        .related(next, "the fence that it takes in")
}
