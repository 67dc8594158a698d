//! The model: every tool use, whatever its dialect, is read into a [`Call`]; what a document keeps of it is a
//! [`Block`].
//!
//! Rules and editor features work on the model and do not know the dialects. A `Call` borrows the payload
//! that it was read from and holds all of it; a `Block` is small, owned and cached with its segment.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::dialect::Pairing;
use crate::json::Value;
use crate::rules::SegmentDiagnostic;
use crate::rules::suppression::Directive;
use crate::syntax::Attachment;
use crate::syntax::sum_tree::SumTreeSummary;
use crate::text::Span;

mod block;
mod display;
mod expanded;
mod label;
mod open_calls;
pub mod shape;
mod tool_use;
pub mod turn;

pub use block::{Block, BlockLabels, BlockString, ResultLine};
pub use display::{arguments_of_object, cut, display_of_value, result_of_text, result_of_value};
pub use expanded::{ExpandedToolUse, total_lines};
pub use label::{BatchCounts, label_of_batch, label_of_outcome, label_of_use, summary_of_use};
pub use open_calls::PendingCalls;
pub use shape::{ObjectShape, ParsedPayload};
pub use tool_use::{ToolUse, UseData, UseOutcome};
pub use turn::{MessageRole, SpeakerCounts, Turn, TurnStart};

/// Which part of a tool use one block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CallPart {
    /// The call alone.
    Call,
    /// The result alone.
    Result,
    /// A call with its result.
    Both,
    /// In a stream: the call's input is about to come.
    Start,
    /// In a stream: a piece of the input's text.
    Delta,
    /// In a stream: the input's text is complete.
    End,
    /// In a stream: something else that is said of a tool use.
    Notice,
}

/// A string of the payload and where it stands: of JSON strings with their quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its decoded text.
    pub text: Cow<'a, str>,
    /// Where it stands, in bytes of the block's content.
    pub span: Span,
}

/// An input or output, as its dialect writes it.
#[derive(Clone, Debug)]
pub enum CallData<'a> {
    /// A JSON value.
    Json(Value<'a>),
    /// Plain text: the result of a tag.
    Text(Cow<'a, str>),
    /// Arguments for display, `key=value`, in order; values as written, unescaped.
    Arguments(Vec<(Cow<'a, str>, Cow<'a, str>)>),
}

/// One block, read in full. Spans are bytes of the block's content (a payload without container prefixes).
#[derive(Clone, Debug)]
pub struct Call<'a> {
    /// Which part of a tool use it is.
    pub part: CallPart,
    /// The block's content: what spans are bytes of.
    pub content: &'a str,
    /// The piece of the block's content that this part is; `None` where it is the whole block, with its opening
    /// and closing lines.
    pub span: Option<Span>,
    /// Its JSON object, where it has one that could be read.
    pub object: Option<Value<'a>>,
    /// `toolCallId`.
    pub id: Option<Field<'a>>,
    /// `toolName`.
    pub name: Option<Field<'a>>,
    /// `state`, also one that readers do not know.
    pub state: Option<Field<'a>>,
    /// `input`.
    pub input: Option<CallData<'a>>,
    /// `output`.
    pub output: Option<CallData<'a>>,
    /// Where an output that is plain text stands.
    pub output_span: Option<Span>,
    /// `errorText`; an empty one counts as absent.
    pub error_text: Option<Cow<'a, str>>,
    /// The fields that are none of these, in order.
    pub extra: Vec<(Cow<'a, str>, Value<'a>)>,
    /// Of a tag: its arguments as they are displayed.
    pub arguments: Option<Cow<'a, str>>,
    /// Where these stand.
    pub arguments_span: Option<Span>,
    /// In a stream: the piece of the input's text that a delta brings.
    pub delta: Option<Field<'a>>,
    /// How the tool use stands after this part.
    pub status: UseStatus,
    /// Of a result: whether another one may follow (formats.md §3.4: `preliminary`, `_clientSideTool`).
    pub is_provisional: bool,
    /// Of a call: whether deltas behind it fill its input (formats.md §3.4: v4's `args: {}`).
    pub is_open: bool,
    /// Of a call: whether its input may be anything (formats.md §3.4: `invalid: true`, a call that failed).
    pub is_invalid: bool,
    /// Whether the tool that it names must be known.
    pub checks_tool: bool,
    /// Whether the block's form alone shows that its document is a transcript (formats.md §2).
    pub is_evidence: bool,
    /// The documented form of its object, where it has one.
    pub shape: Option<&'static ObjectShape>,
    /// The payload that it was read from, where that is JSON.
    pub payload: Option<ParsedPayload<'a>>,
    /// Whether the payload is what readers accept: JSON, an object, nothing behind it.
    pub valid: bool,
}

impl<'a> Call<'a> {
    /// A part of the block that `content` is, with nothing read yet.
    pub fn new(part: CallPart, content: &'a str) -> Self {
        Self {
            part,
            content,
            span: None,
            object: None,
            id: None,
            name: None,
            state: None,
            input: None,
            output: None,
            output_span: None,
            error_text: None,
            extra: Vec::new(),
            arguments: None,
            arguments_span: None,
            delta: None,
            status: UseStatus::Pending,
            is_provisional: false,
            is_open: false,
            is_invalid: false,
            checks_tool: false,
            is_evidence: false,
            shape: None,
            payload: None,
            valid: true,
        }
    }

    /// Whether `field` says what its author wrote: no fault is in it, which may have made it of other text.
    pub fn is_complete(&self, field: &Field<'_>) -> bool {
        self.payload.is_none_or(|payload| payload.has_no_error_in_text(field.span))
    }

    /// Whether its result is known not to be all of the result (formats.md §3.3: it ends in a truncation note).
    pub fn truncated(&self) -> bool {
        let text = match &self.output {
            Some(CallData::Text(text)) => Some(text.clone()),
            Some(CallData::Json(value)) => value.as_str(),
            _ => None,
        };
        text.is_some_and(|text| note_of_truncation(&text).is_some())
    }
}

/// The note at the end of `text` which says that it is not all: `…` or `… (truncated, 2.3KB)`.
pub fn note_of_truncation(text: &str) -> Option<Range<usize>> {
    const ELLIPSIS: &str = "…";
    let text = text.trim_end();
    if text.ends_with(ELLIPSIS) {
        return Some(text.len() - ELLIPSIS.len()..text.len());
    }
    let start = text.strip_suffix(')')?.rfind("… (truncated, ")?;
    let note = text.get(start..)?;
    (note.find(')') == Some(note.len() - 1)).then_some(start..text.len())
}

/// The layer of the AI SDK that a stream log speaks (formats.md §3.4). They share type names, not keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StreamProtocol {
    /// The full stream of AI SDK 5 and later.
    Full,
    /// The UI message stream.
    Ui,
    /// The wire of AI SDK 4.
    V4,
}

impl StreamProtocol {
    /// What it is, for messages.
    pub fn display_name(self) -> &'static str {
        match self {
            Self::Full => "the full stream of AI SDK 5 and later",
            Self::Ui => "the UI message stream of the AI SDK",
            Self::V4 => "the stream of AI SDK 4",
        }
    }
}

/// How a tool use stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UseStatus {
    /// It has no result yet.
    #[default]
    Pending,
    /// It has a result.
    Done,
    /// It failed.
    Failed,
}

/// A JSON object or array of several lines, for folding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonContainer {
    /// From its opening bracket to behind its closing one, relative to the segment.
    pub span: Span,
    /// How many containers of the same payload it stands in.
    pub depth: u16,
    /// Whether its closing bracket is there.
    pub closed: bool,
}

/// All that is known of one segment, but for what is said in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentData {
    /// Its blocks, in order.
    pub blocks: SmallVec<[Block; 1]>,
    /// Whether there is anything but blank space behind the last block.
    pub ends_in_text: bool,
    /// Whether there is anything but blank space before, between or behind the blocks.
    pub has_text: bool,
    /// Whether it counts as blank space between blocks (`event:` lines and the like in a stream log).
    pub blank: bool,
    /// In a stream log: the layer that it shows.
    pub protocol: Option<StreamProtocol>,
    /// Whether one of its findings is `mixed-protocol`: known here, as sums are asked for often and findings may be many.
    pub is_mixed: bool,
    /// Whether one of its blocks shows that the document is a transcript.
    pub is_evidence: bool,
    /// How much its turns say for that.
    pub speaker_counts: SpeakerCounts,
    /// What few segments have.
    pub rare: Option<Box<RareSegmentData>>,
}

/// What few segments have: there are many that have not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RareSegmentData {
    /// What is wrong in it, in order.
    pub diagnostics: Box<[SegmentDiagnostic]>,
    /// The JSON containers of several lines in it, in order of their opening brackets.
    pub containers: Box<[JsonContainer]>,
    /// The comments in it that suppress findings, in order.
    pub directives: Box<[Directive]>,
    /// Where messages begin in it, in order.
    pub turns: Box<[Turn]>,
}

impl RareSegmentData {
    /// It, unless there is nothing in it.
    pub fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

impl SegmentData {
    /// Whether it says no more than that there is text.
    pub fn is_plain_text(&self) -> bool {
        self.blocks.is_empty()
            && self.diagnostics().is_empty()
            && self.protocol.is_none()
            && !self.blank
            && self.directives().is_empty()
            && self.turns().is_empty()
    }

    /// What is wrong in it, in order.
    pub fn diagnostics(&self) -> &[SegmentDiagnostic] {
        self.rare.as_deref().map_or(&[], |rare| &rare.diagnostics)
    }

    /// The JSON containers of several lines in it, in order of their opening brackets.
    pub fn containers(&self) -> &[JsonContainer] {
        self.rare.as_deref().map_or(&[], |rare| &rare.containers)
    }

    /// The comments in it that suppress findings, in order.
    pub fn directives(&self) -> &[Directive] {
        self.rare.as_deref().map_or(&[], |rare| &rare.directives)
    }

    /// Where messages begin in it, in order.
    pub fn turns(&self) -> &[Turn] {
        self.rare.as_deref().map_or(&[], |rare| &rare.turns)
    }
}

/// What a document hangs on a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentAttachment {
    /// What was read in it; `None` for plain text, which most segments are. Segments that read alike may share it.
    pub data: Option<Arc<SegmentData>>,
    /// In a stream log: the length in bytes of what is said in it (`text-delta`), decoded.
    pub delta_text_len: u32,
    /// What tells it from other segments for good, where its blocks have to do with those of others: greater than
    /// that of all before it; 0 where they have not.
    pub key: u32,
}

/// What is known of the readings of a run of segments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentDataSummary {
    /// Whether there is a block.
    pub blocks: bool,
    /// Whether there is a finding.
    pub has_diagnostics: bool,
    /// Whether there is a comment that suppresses findings.
    pub directives: bool,
    /// Whether there is a record that the log's layer lacks.
    pub mixed: bool,
    /// The layer that the first record shows that shows one.
    pub protocol: Option<StreamProtocol>,
    /// The bytes of what is said.
    pub delta_text_len: usize,
    /// The last key; 0 where there is none.
    pub key: u32,
    /// Whether there is anything but blank space beside blocks.
    pub text: bool,
    /// The blocks that are tool uses by themselves (tool fences).
    pub self_contained_uses: u32,
    /// Those of them without an id.
    pub own_without_id: u32,
    /// Whether one of them has no result.
    pub own_pending: bool,
    /// Whether there is a block that shows that the document is a transcript.
    pub evidence: bool,
    /// How much turns say for that.
    pub speaker_counts: SpeakerCounts,
}

impl Attachment for SegmentAttachment {
    type Summary = SegmentDataSummary;

    fn summary(&self) -> SegmentDataSummary {
        let reading = self.data.as_deref();
        // A fence is a segment by itself.
        let own = reading
            .and_then(|reading| reading.blocks.first())
            .filter(|block| block.pairing() == Pairing::SelfContained);
        SegmentDataSummary {
            blocks: reading.is_some_and(|reading| !reading.blocks.is_empty()),
            has_diagnostics: reading.is_some_and(|reading| !reading.diagnostics().is_empty()),
            directives: reading.is_some_and(|reading| !reading.directives().is_empty()),
            mixed: reading.is_some_and(|reading| reading.is_mixed),
            protocol: reading.and_then(|reading| reading.protocol),
            delta_text_len: self.delta_text_len as usize,
            key: self.key,
            text: reading.is_none_or(|reading| reading.has_text),
            self_contained_uses: own.is_some().into(),
            own_without_id: own.is_some_and(|block| block.id().is_none()).into(),
            own_pending: own.is_some_and(Block::is_left_pending),
            evidence: reading.is_some_and(|reading| reading.is_evidence),
            speaker_counts: reading.map(|reading| reading.speaker_counts).unwrap_or_default(),
        }
    }
}

impl SumTreeSummary for SegmentDataSummary {
    fn add(&mut self, behind: &Self) {
        self.blocks |= behind.blocks;
        self.has_diagnostics |= behind.has_diagnostics;
        self.directives |= behind.directives;
        self.mixed |= behind.mixed;
        self.protocol = self.protocol.or(behind.protocol);
        self.delta_text_len += behind.delta_text_len;
        self.key = self.key.max(behind.key);
        self.text |= behind.text;
        self.self_contained_uses += behind.self_contained_uses;
        self.own_without_id += behind.own_without_id;
        self.own_pending |= behind.own_pending;
        self.evidence |= behind.evidence;
        self.speaker_counts.add(behind.speaker_counts);
    }
}
