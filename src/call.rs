//! The model: tool uses of all dialects are parsed into [`Call`]s; a document stores them as
//! [`Block`]s.
//!
//! Rules and editor features work on the model and do not know the dialects. A `Call` borrows its
//! payload and contains all of it; a `Block` is small, owned and stored with its segment.

pub mod pairing;
pub mod pending_calls;

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::call::pairing::Pairing;
use crate::json::{EncodedString, Value};
use crate::text::Span;

mod block;
mod chat_api;
mod conversation;
mod display;
mod evidence;
mod expanded;
mod label;
mod long_json;
pub mod message_header;
mod message_start;
pub mod program;
mod role_line;
pub mod shape;
mod sink;
pub mod template;
mod tool_use;

pub use crate::call::pending_calls::PendingCalls;
pub use crate::json_repair::payload::ParsedPayload;
pub use block::{Block, ResultLine};
pub use chat_api::{CallFault, ChatApi};
pub use conversation::{
    Conversation, ConversationPlace, RecordLink, Thread, ThreadLink, fixed_hash, half_of_hash,
};
pub use display::{arguments_of_object, display_of_value, error_text, result_of_text, result_of_value};
pub(crate) use display::{is_shown_result, text_parts};
pub use evidence::Evidence;
pub use expanded::ExpandedToolUse;
pub use label::{LABEL_ARGUMENTS, UseCounts, UseLabel, label_of_batch};
pub(crate) use long_json::CallText;
pub use long_json::LongJson;
pub use message_header::{MessageHeader, SentContent, SentRole};
pub use message_start::{MessageRole, MessageStart, SpeakerCounts};
pub use role_line::{RoleNames, role_heading, role_line};
pub use shape::ObjectShape;
pub use sink::CallSink;
pub use tool_use::{ToolUse, UseData, UseOutcome, json_of_argument};

/// The part of a tool use that a block is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CallPart {
    /// The call alone.
    #[default]
    Call,
    /// The result alone.
    Result,
    /// A call with its result.
    Both,
    /// In a stream: the start of the call's input.
    Start,
    /// In a stream: a delta of the input's text.
    Delta,
    /// In a stream: the end of the input's text.
    End,
    /// In a stream: other information about a tool use.
    Notice,
}

impl CallPart {
    /// True if it contains a whole call.
    pub fn has_call(self) -> bool {
        matches!(self, Self::Call | Self::Both)
    }
}

/// A string of the payload and its span; JSON strings include their quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// The decoded text.
    pub text: Cow<'a, str>,
    /// Its span, in bytes of the block's content.
    pub span: Span,
}

/// An input or output, in the form of its dialect.
#[derive(Clone, Debug)]
pub enum CallData<'a> {
    /// A JSON value.
    Json(Value<'a>),
    /// Plain text: the result of a tag.
    Text(Cow<'a, str>),
    /// Arguments in display form, `key=value`, in order; values as written, unescaped.
    Arguments(Vec<(Cow<'a, str>, Cow<'a, str>)>),
}

impl CallData<'_> {
    /// Arguments in display form, as one text.
    pub fn shown_arguments<'s>(&self) -> Option<Cow<'s, str>> {
        let Self::Arguments(arguments) = self else { return None };
        let shown: Vec<_> = arguments.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Some(shown.join(", ").into())
    }
}

/// An input that is encoded in a JSON string, with the decoded text around it.
#[derive(Clone, Copy, Debug)]
pub struct EncodedInput<'a> {
    /// The decoded text, parsed.
    pub payload: ParsedPayload<'a>,
    /// The map to the block's content.
    pub string: EncodedString<'a>,
    /// True if the text may be anything: it is shown to people.
    pub is_display: bool,
    /// The part of the decoded text that belongs to this call: several may stand in one string.
    pub own: Span,
}

/// One block, parsed in full. Spans are bytes of the block's content (a payload without container
/// prefixes).
#[derive(Clone, Debug, Default)]
pub struct Call<'a> {
    /// Its part of the tool use.
    pub part: CallPart,
    /// The block's content, which all spans refer to.
    pub content: &'a str,
    /// The span of this part in the content; `None` if it is the whole block, including its opening
    /// and closing lines.
    pub span: Option<Span>,
    /// The payload's JSON object, if there is one.
    pub object: Option<Value<'a>>,
    /// `toolCallId`.
    pub id: Option<Field<'a>>,
    /// `toolName`.
    pub name: Option<Field<'a>>,
    /// `state`, including unknown ones.
    pub state: Option<Field<'a>>,
    /// `input`.
    pub input: Option<CallData<'a>>,
    /// For an input in a JSON string: that string, decoded.
    pub encoded: Option<EncodedInput<'a>>,
    /// `output`.
    pub output: Option<CallData<'a>>,
    /// The span of an output that is plain text.
    pub output_span: Option<Span>,
    /// `errorText`; an empty one counts as absent.
    pub error_text: Option<Cow<'a, str>>,
    /// All other fields, in order.
    pub extra: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Of a tag: its arguments as displayed.
    pub arguments: Option<Cow<'a, str>>,
    /// The span of `arguments`.
    pub arguments_span: Option<Span>,
    /// In a stream: the input text of a delta.
    pub delta: Option<Field<'a>>,
    /// The status of the tool use after this part.
    pub status: UseStatus,
    /// Of a result: whether another result may follow (formats.md §3.4: `preliminary`,
    /// `_clientSideTool`).
    pub is_provisional: bool,
    /// Of a call: whether the deltas after it fill its input (formats.md §3.4: v4's `args: {}`).
    pub is_open: bool,
    /// Of a call: whether its input may be anything (formats.md §3.4: `invalid: true`, a failed
    /// call).
    pub is_invalid: bool,
    /// True if the block is a call whose tool's name is complete, so rules check the name.
    pub checks_tool: bool,
    /// True if the block's form alone is evidence of a transcript (formats.md §2).
    pub is_evidence: bool,
    /// True if documentation may contain such a block. Then it is evidence only beside a role line
    /// or, for a call, beside a result.
    pub is_example: bool,
    /// The documented form of its object, if it has one.
    pub shape: Option<&'static ObjectShape>,
    /// Its strategy for pairing, if that differs from its dialect's.
    pub pairing: Option<Pairing>,
    /// Of a message log: the API that rejects its calls without results.
    pub api: Option<ChatApi>,
    /// The fault of the call itself that its API rejects.
    pub fault: Option<CallFault>,
    /// The payload, if it is JSON.
    pub payload: Option<ParsedPayload<'a>>,
    /// True if an earlier call has the same payload: the payload is checked only with the earlier
    /// call.
    pub is_further: bool,
    /// True if readers accept the payload: valid JSON, an object, and nothing after it.
    pub valid: bool,
}

impl<'a> Call<'a> {
    /// A call without any fields.
    pub fn new(part: CallPart, content: &'a str) -> Self {
        Self { part, content, valid: true, ..Self::default() }
    }

    /// True if `field` is free of syntax errors, which could have changed its text: with a word
    /// directly after it, a missing quote made it end where another string begins.
    pub fn is_complete(&self, field: &Field<'_>) -> bool {
        let is_torn = |payload: &ParsedPayload<'_>| {
            let behind = payload.text.get(field.span.end as usize..);
            behind.is_some_and(|behind| behind.starts_with(char::is_alphanumeric))
        };
        self.payload.is_none_or(|payload| payload.has_no_error_in_text(field.span) && !is_torn(&payload))
    }

    /// Maps `span` from the JSON text that contains the input to the content.
    pub fn input_span(&self, span: Span) -> Span {
        match &self.encoded {
            Some(encoded) => encoded.string.span(span),
            None => span.shifted(self.payload.map_or(0, |payload| payload.start)),
        }
    }

    /// An edit of the JSON text that the input stands in, as an edit of the content.
    pub fn input_edit(&self, (span, text): (Span, String)) -> (Span, String) {
        let text = self.encoded.map_or_else(|| text.clone(), |encoded| encoded.string.written(&text));
        (self.input_span(span), text)
    }

    /// Maps the byte `at` of the content to the JSON text that contains the input; `None` if `at`
    /// is outside of the input.
    pub fn input_offset(&self, at: usize) -> Option<usize> {
        let Some(CallData::Json(input)) = &self.input else { return None };
        let at = match &self.encoded {
            Some(encoded) => encoded.string.decoded(at)?,
            None => at.checked_sub(self.payload?.start)?,
        };
        let span = input.span();
        (span.start as usize <= at && at <= span.end as usize).then_some(at)
    }

    /// The payload that contains the input: the decoded string, or else the block's payload.
    pub fn input_payload(&self) -> Option<ParsedPayload<'a>> {
        self.encoded.map(|encoded| encoded.payload).or(self.payload)
    }

    /// True if its result is known to be incomplete (formats.md §3.3: it ends in a truncation
    /// note).
    pub fn truncated(&self) -> bool {
        let text = match &self.output {
            Some(CallData::Text(text)) => Some(text.clone()),
            Some(CallData::Json(value)) if may_have_note(value.raw()) => value.as_str(),
            _ => None,
        };
        text.is_some_and(|text| note_of_truncation(&text).is_some())
    }
}

static ELLIPSIS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("…"));
static ESCAPED_ELLIPSIS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\\u2026"));

/// A fast check of the JSON string `raw`: false if it has no truncation note, so that it need not
/// be decoded.
pub fn may_have_note(raw: &str) -> bool {
    [&ELLIPSIS, &ESCAPED_ELLIPSIS].iter().any(|ellipsis| ellipsis.find(raw.as_bytes()).is_some())
}

/// The truncation note at the end of `text`: `…` or `… (truncated, 2.3KB)`.
pub fn note_of_truncation(text: &str) -> Option<Range<usize>> {
    const ELLIPSIS: &str = "…";
    let text = text.trim_end();
    // Programs show such a word while they work: `Initializing…`.
    let is_progress =
        text.starts_with(char::is_uppercase) && text.ends_with("ing…") && !text.contains(char::is_whitespace);
    if text.ends_with(ELLIPSIS) && !is_progress {
        return Some(text.len() - ELLIPSIS.len()..text.len());
    }
    let start = text.strip_suffix(')')?.rfind("… (truncated, ")?;
    let note = text.get(start..)?;
    (note.find(')') == Some(note.len() - 1)).then_some(start..text.len())
}

/// The AI SDK protocol of a stream log (formats.md §3.4). They share type names, but not keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamProtocol {
    /// The full stream of AI SDK 5 and later.
    Full,
    /// The UI message stream.
    Ui,
    /// The data stream of AI SDK 4.
    V4,
}

impl StreamProtocol {
    /// Its name, for messages.
    pub fn display_name(self) -> &'static str {
        match self {
            Self::Full => "the full stream of AI SDK 5 and later",
            Self::Ui => "the UI message stream of the AI SDK",
            Self::V4 => "the data stream of AI SDK 4",
        }
    }
}

/// The status of a tool use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UseStatus {
    /// Without a result.
    #[default]
    Pending,
    /// With a result.
    Done,
    /// Failed.
    Failed,
}

impl UseStatus {
    /// Its name in options, classes and on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }

    /// The state of a tool use with this status (formats.md §1).
    pub fn state(self) -> &'static str {
        match self {
            Self::Pending => "input-available",
            Self::Done => "output-available",
            Self::Failed => "output-error",
        }
    }
}

/// A JSON object or array on several lines, for folding; also a value by which edits in long lines
/// find their place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonContainer {
    /// Its range, with brackets or quotes, relative to the segment.
    pub span: Span,
    /// The number of enclosing containers in its payload.
    pub depth: u16,
    /// True if its closing bracket exists.
    pub closed: bool,
}
