//! The documented form of a dialect's JSON object.

use crate::diagnostic::{AtDocumentEnd, CallDiagnostic, Code};
use crate::text::Span;

/// The meaning of a field in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldRole {
    /// Documented but not part of the model: a record's type, an input repeated by a result.
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
    /// Documented by the dialect, but unknown to the model.
    Other,
}

/// The type that readers accept for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A string.
    String,
    /// An object; `null` counts as absent.
    Object,
    /// Any value.
    Any,
}

/// One documented field.
#[derive(Clone, Copy, Debug)]
pub struct FieldShape {
    /// Its key.
    pub key: &'static str,
    /// Its role in the model.
    pub role: FieldRole,
    /// The type that readers accept.
    pub takes: FieldType,
}

/// The documented form of an object.
#[derive(Debug)]
pub struct ObjectShape {
    /// Its description with its article, for messages: "a tool fence".
    pub description: &'static str,
    /// Its fields.
    pub fields: &'static [FieldShape],
    /// True if it must name its tool.
    pub needs_name: bool,
    /// The code that reports an unclosed block.
    pub unclosed: Code,
    /// True if undocumented keys are misplaced arguments.
    pub extra_is_misplaced: bool,
    /// The end of the block for readers that search it with a pattern, regardless of the object.
    pub pattern_end: PatternEnd,
}

/// The end of a block for readers that do not parse JSON.
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
    /// The documented field with the key `key`.
    pub fn field(&self, key: &str) -> Option<&'static FieldShape> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The documented field with the role `role`.
    pub fn of_role(&self, role: FieldRole) -> Option<&'static FieldShape> {
        self.fields.iter().find(|field| field.role == role)
    }
}

/// The first line of `text` that opens a fence with a language: a closed block contains none, and
/// an unclosed one extends over the next.
pub fn swallowed_fence(text: &str) -> Option<Span> {
    let has = |fence: &[u8]| memchr::memmem::find(text.as_bytes(), fence).is_some();
    if !has(b"```") && !has(b"~~~") {
        return None;
    }
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

/// Shorthand for tables of fields.
pub const fn field(key: &'static str, role: FieldRole, takes: FieldType) -> FieldShape {
    FieldShape { key, role, takes }
}

/// The diagnostic of an unclosed fence that contains `text`; `growing` is whether that is a valid
/// beginning.
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
    let message = format!("this fence is not closed before the next one: {CLOSE}");
    CallDiagnostic::at_opening(Code::UnclosedFence, message, AtDocumentEnd::AsAnywhere)
        .related(next, "the next fence")
}
