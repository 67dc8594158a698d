//! One block as stored in a document: small, because there are many.
//!
//! Its strings are stored consecutively in one allocation.

use std::borrow::Cow;

use super::chat_api::CallFault;
use super::{CallPart, ChatApi, Conversation, UseStatus};
use crate::call::pairing::Pairing;
use crate::never::OrNever;
use crate::text::{Span, saturate};

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

/// A string in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockString<'a> {
    /// The decoded text.
    pub text: &'a str,
    /// Its span, relative to the segment.
    pub span: Span,
}

/// A result as shown in a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultLine<'a> {
    /// One line, short enough to show.
    Line(Cow<'a, str>),
    /// The number of lines of a result that is too long to show.
    Lines(u32),
}

/// The contents of a new block.
#[derive(Clone, Debug, Default)]
pub struct BlockLabels<'a> {
    /// `toolCallId`, if there is one.
    pub id: Option<BlockString<'a>>,
    /// `toolName`, if there is one.
    pub name: Option<BlockString<'a>>,
    /// The call's arguments as shown in a label.
    pub arguments: Cow<'a, str>,
    /// Of a delta: the start of its string, in bytes relative to the segment.
    pub delta: Option<u32>,
    /// The fingerprint of the call's input, which the deltas must match.
    pub input: Option<u32>,
    /// The result as shown in a label; the message of an error.
    pub result: Option<ResultLine<'a>>,
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
    /// A block at the start of its segment, of the dialect with this index and pairing.
    pub fn new(
        (dialect, pairing): (u8, Pairing),
        part: CallPart,
        status: UseStatus,
        labels: BlockLabels<'_>,
    ) -> Self {
        let ((id, id_span), (name, name_span)) = (split(labels.id), split(labels.name));
        let (line, result) = match &labels.result {
            None => {
                let input = labels.input.map(ResultKind::Input);
                let delta = labels.delta.map(ResultKind::Delta);
                ("", input.or(delta).unwrap_or(ResultKind::None))
            }
            Some(ResultLine::Line(line)) => (&**line, ResultKind::Line),
            Some(ResultLine::Lines(lines)) => ("", ResultKind::Lines(*lines)),
        };
        let pieces = [id, name, &labels.arguments, line];
        let mut end = 0;
        let ends = [0, 1, 2].map(|piece: usize| {
            end += pieces.get(piece).map_or(0, |piece| piece.len());
            saturate(end)
        });
        Self {
            dialect,
            pairing,
            part,
            status,
            after_text: false,
            is_readable: true,
            is_provisional: false,
            is_open: false,
            api: None,
            fault: None,
            conversation: Conversation::default(),
            span: None,
            brace: None,
            id_span,
            name_span,
            result,
            texts: pieces.concat().into(),
            ends,
        }
    }

    /// `toolCallId`, if there is one.
    pub fn id(&self) -> Option<BlockString<'_>> {
        self.written(0, self.ends[0], self.id_span)
    }

    /// `toolName`, if there is one.
    pub fn name(&self) -> Option<BlockString<'_>> {
        self.written(self.ends[0], self.ends[1], self.name_span)
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
            && self.id().map(|id| id.text) == other.id().map(|id| id.text)
            && self.name().map(|name| name.text) == other.name().map(|name| name.text)
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
            id_span: self.id().map_or_else(Span::default, |id| place(id.span)),
            name_span: self.name().map_or_else(Span::default, |name| place(name.span)),
            ..self.clone()
        }
    }

    fn written(&self, start: u32, end: u32, span: Span) -> Option<BlockString<'_>> {
        (span.end > 0).then(|| BlockString { text: self.text(start, end), span })
    }

    fn text(&self, start: u32, end: u32) -> &str {
        Span { start, end }.of(&self.texts)
    }
}

fn split(written: Option<BlockString<'_>>) -> (&str, Span) {
    written.map_or_else(Default::default, |written| (written.text, written.span))
}
