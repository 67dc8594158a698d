//! One block as stored in a document: small, because there are many.
//!
//! Its strings are stored consecutively in one allocation.

use std::borrow::Cow;

use super::chat_api::CallFault;
use super::{
    Call, CallData, CallPart, ChatApi, Conversation, Field, LABEL_ARGUMENTS, ParsedPayload, UseStatus,
    arguments_of_object, result_of_text, result_of_value,
};
use crate::call::pairing::Pairing;
use crate::json::fingerprint;
use crate::never::OrNever;
use crate::text::{Span, cut, saturate};

/// The maximum number of characters of an error message in a label.
const LABEL_ERROR: usize = 79;

/// One block as stored in a document. Spans are relative to its segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The index of its dialect in the list of dialects.
    pub dialect: u8,
    /// The dialect's strategy for pairing results with calls.
    pub pairing: Pairing,
    /// Its part of the tool use.
    pub part: CallPart,
    /// The status of the tool use after this block.
    pub status: UseStatus,
    /// True if there is anything but white space between this block and the preceding one in its
    /// segment (or the segment's start).
    pub after_text: bool,
    /// True if its payload and state are free of errors, so that absent fields are really absent.
    pub is_readable: bool,
    /// Of a result: whether another result may follow. Of a call: whether it may be a call of the
    /// same message with another id.
    pub is_provisional: bool,
    /// Of a call: whether the deltas after it fill its input.
    pub is_open: bool,
    /// Of a message log: the API that rejects its calls without results.
    pub api: Option<ChatApi>,
    /// The fault of the call itself that its API rejects.
    pub fault: Option<CallFault>,
    /// The conversation that it is part of.
    pub conversation: Conversation,
    /// Its span; `None` for a line of a stream log: the whole segment except trailing white space.
    pub span: Option<Span>,
    /// The offset of its object's `{`, if it has one.
    pub brace: Option<u32>,
    /// The spans of its id and name; empty and at 0 if absent.
    id_span: Span,
    name_span: Span,
    result: ResultKind,
    /// The id, the name, the arguments and the result line, with the ends of the first three.
    texts: Box<str>,
    ends: [u32; 3],
}

/// A result as shown in a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultLine<'a> {
    /// One line, short enough to show.
    Line(Cow<'a, str>),
    /// The number of lines of a result that is too long to show.
    Lines(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultKind {
    None,
    Line,
    Lines(u32),
    /// The fingerprint of an input; there is no result.
    Input(u32),
    /// No result, but the start of a delta's string. Its text is not stored, so that deltas with
    /// one id have equal, shared data.
    Delta(u32),
}

impl Block {
    /// The block of `call` in its dialect, which has this index and this pairing. `place` maps
    /// spans of the call to its segment. What the text around shows is not set: `span`,
    /// `conversation`, `after_text` and `is_readable`.
    pub fn of(call: &Call<'_>, (dialect, pairing): (u8, Pairing), place: &dyn Fn(Span) -> Span) -> Self {
        let (id, id_span) = written(call.id.as_ref(), place);
        let (name, name_span) = written(call.name.as_ref(), place);
        let (arguments, result) = (arguments_of(call), result_of(call));
        let (line, result) = match &result {
            Some(ResultLine::Line(line)) => (&**line, ResultKind::Line),
            Some(ResultLine::Lines(lines)) => ("", ResultKind::Lines(*lines)),
            None => {
                let input = fingerprint_of_input(call, pairing, &arguments).map(ResultKind::Input);
                let delta = call.delta.as_ref().map(|delta| ResultKind::Delta(place(delta.span).start));
                ("", input.or(delta).unwrap_or(ResultKind::None))
            }
        };
        let brace_in = |payload: ParsedPayload<'_>| Some(call.object?.span().shifted(payload.start));
        let pieces = [id, name, &arguments, line];
        let mut end = 0;
        let ends = [0, 1, 2].map(|piece: usize| {
            end += pieces.get(piece).map_or(0, |piece| piece.len());
            saturate(end)
        });
        Self {
            dialect,
            pairing: call.pairing.unwrap_or(pairing),
            part: call.part,
            status: call.status,
            after_text: false,
            is_readable: true,
            is_provisional: call.is_provisional,
            is_open: call.is_open,
            api: call.api,
            fault: call.fault,
            conversation: Conversation::default(),
            span: None,
            brace: call.payload.and_then(brace_in).map(|object| place(object).start),
            id_span,
            name_span,
            result,
            texts: pieces.concat().into(),
            ends,
        }
    }

    /// `toolCallId`, if there is one.
    pub fn id(&self) -> Option<&str> {
        self.id_span().map(|_| self.text(0, self.ends[0]))
    }

    /// The span of its id, relative to the segment.
    pub fn id_span(&self) -> Option<Span> {
        Some(self.id_span).filter(|span| span.end > 0)
    }

    /// `toolName`, if there is one.
    pub fn name(&self) -> Option<&str> {
        self.name_span().map(|_| self.text(self.ends[0], self.ends[1]))
    }

    /// The span of its name, relative to the segment.
    pub fn name_span(&self) -> Option<Span> {
        Some(self.name_span).filter(|span| span.end > 0)
    }

    /// True if it is a call that certainly contains no result.
    pub fn is_left_pending(&self) -> bool {
        self.part == CallPart::Call && self.status == UseStatus::Pending && self.is_readable
    }

    /// True if both pair alike in one conversation: they differ at most in arguments, results,
    /// places and conversation.
    pub fn pairs_like(&self, other: &Self) -> bool {
        let flags = |it: &Self| (it.after_text, it.is_readable, it.is_provisional, it.is_open);
        let kind = |it: &Self| (it.dialect, it.pairing, it.part, it.status);
        (kind(self), flags(self)) == (kind(other), flags(other))
            && self.id() == other.id()
            && self.name() == other.name()
    }

    /// The fingerprint of its input, which the deltas must match.
    pub fn input(&self) -> Option<u32> {
        match self.result {
            ResultKind::Input(fingerprint) => Some(fingerprint),
            _ => None,
        }
    }

    /// Of a delta: the start of its string, in bytes relative to the segment.
    pub fn delta(&self) -> Option<u32> {
        match self.result {
            ResultKind::Delta(start) => Some(start),
            _ => None,
        }
    }

    /// The call's arguments as shown in a label.
    pub fn arguments(&self) -> &str {
        self.text(self.ends[1], self.ends[2])
    }

    /// The result as shown in a label; the message of an error.
    pub fn result(&self) -> Option<ResultLine<'_>> {
        match self.result {
            ResultKind::None | ResultKind::Input(_) | ResultKind::Delta(_) => None,
            ResultKind::Line => {
                let line = self.texts.get(self.ends[2] as usize..).or_never();
                Some(ResultLine::Line(line.into()))
            }
            ResultKind::Lines(lines) => Some(ResultLine::Lines(lines)),
        }
    }

    /// This block at another position, with its spans mapped by `place`. Only used in logs, where
    /// the new block is never part of a batch.
    pub fn moved(&self, place: impl Fn(Span) -> Span) -> Self {
        Self { after_text: true, ..self.placed(place) }
    }

    /// The same block with its spans mapped by `place`.
    pub fn placed(&self, place: impl Fn(Span) -> Span) -> Self {
        Self {
            span: self.span.map(&place),
            brace: self.brace.map(|brace| place(Span { start: brace, end: brace }).start),
            id_span: self.id_span().map(&place).unwrap_or_default(),
            name_span: self.name_span().map(&place).unwrap_or_default(),
            ..self.clone()
        }
    }

    fn text(&self, start: u32, end: u32) -> &str {
        Span { start, end }.of(&self.texts)
    }
}

/// The text of `field`, and its span mapped by `place`.
fn written<'c>(field: Option<&'c Field<'_>>, place: &dyn Fn(Span) -> Span) -> (&'c str, Span) {
    field.map_or_else(Default::default, |field| (&*field.text, place(field.span)))
}

/// The fingerprint of an input that deltas of the same call may repeat, or that another call with
/// the same id may share. Of the latter, `arguments` show the input if it is short.
fn fingerprint_of_input(call: &Call<'_>, pairing: Pairing, arguments: &str) -> Option<u32> {
    let is_compared = match pairing {
        Pairing::ById => call.valid && !call.is_invalid,
        Pairing::InConversation => arguments.ends_with('…'),
        _ => false,
    };
    match &call.input {
        Some(CallData::Json(input)) if is_compared && call.part == CallPart::Call => fingerprint(*input),
        _ => None,
    }
}

fn arguments_of<'c>(call: &'c Call<'_>) -> Cow<'c, str> {
    match (&call.arguments, &call.input) {
        (Some(shown), _) => cut(shown, LABEL_ARGUMENTS).into(),
        (None, Some(CallData::Json(value))) => arguments_of_object(*value, LABEL_ARGUMENTS).into(),
        (None, Some(CallData::Text(text))) => cut(text, LABEL_ARGUMENTS).into(),
        (None, _) => "".into(),
    }
}

fn result_of<'c>(call: &'c Call<'_>) -> Option<ResultLine<'c>> {
    if call.status == UseStatus::Failed {
        let message = call.error_text.as_deref().unwrap_or_default();
        return Some(ResultLine::Line(cut(message.trim(), LABEL_ERROR).into()));
    }
    match (call.part, &call.output) {
        (CallPart::Result | CallPart::Both, Some(CallData::Json(value))) => Some(result_of_value(*value)),
        (CallPart::Result | CallPart::Both, Some(CallData::Text(text))) => {
            Some(result_of_text((&**text).into()))
        }
        _ => None,
    }
}
