//! One block as a document keeps it: small, for there are many.
//!
//! Its strings lie behind each other in one piece of memory.

use std::borrow::Cow;

use super::{CallPart, UseStatus};
use crate::call::pairing::Pairing;
use crate::text::Span;

/// One block as a document keeps it. Spans are relative to its segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its dialect, as an index in the list of all.
    pub dialect: u8,
    /// The dialect's strategy for pairing results with calls.
    pub pairing: Pairing,
    /// Which part of a tool use it is.
    pub part: CallPart,
    /// How the tool use stands after this block.
    pub status: UseStatus,
    /// Whether there is anything but blank space between the block before it in its segment (or the segment's
    /// start) and this block.
    pub after_text: bool,
    /// Whether its payload and state can be read: what is not there is not hidden by a fault.
    pub is_readable: bool,
    /// Of a result: whether another one may follow.
    pub is_provisional: bool,
    /// Of a call: whether deltas behind it fill its input.
    pub is_open: bool,
    /// The block; `None` for a line of a stream log: all of its segment but blank space at the end.
    pub span: Option<Span>,
    /// Where its object's `{` is, if it has one.
    pub brace: Option<u32>,
    /// Where its id and its name stand; empty and at 0 where none is written.
    id_span: Span,
    name_span: Span,
    result: ResultKind,
    /// The id, the name, the arguments and the result's line, and where the first three of them end.
    texts: Box<str>,
    ends: [u32; 3],
}

/// A string that was written in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockString<'a> {
    /// The decoded text.
    pub text: &'a str,
    /// Where it stands, relative to the segment.
    pub span: Span,
}

/// What is shown of a result in a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultLine<'a> {
    /// One line, short enough to be shown.
    Line(Cow<'a, str>),
    /// Too much to be shown: its number of lines.
    Lines(u32),
}

/// What a new block says.
#[derive(Clone, Debug, Default)]
pub struct BlockLabels<'a> {
    /// `toolCallId`, where one is written.
    pub id: Option<BlockString<'a>>,
    /// `toolName`, where one is written.
    pub name: Option<BlockString<'a>>,
    /// The call's arguments as a label shows them.
    pub arguments: Cow<'a, str>,
    /// Of a delta: where its string begins, in bytes relative to the segment.
    pub delta: Option<u32>,
    /// The fingerprint of the call's input, where deltas must say the same.
    pub input: Option<u32>,
    /// The result as a label shows it: of an error its message.
    pub result: Option<ResultLine<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultKind {
    None,
    Line,
    Lines(u32),
    /// None, but the fingerprint of an input.
    Input(u32),
    /// None, but where the string of a delta begins. Its text is not kept: then deltas with one id read alike, and share what is kept.
    Delta(u32),
}

impl Block {
    /// A block of a dialect, given by its index and pairing, at the start of its segment.
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
            Span::empty(end).start
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
            span: None,
            brace: None,
            id_span,
            name_span,
            result,
            texts: pieces.concat().into(),
            ends,
        }
    }

    /// `toolCallId`, where one is written.
    pub fn id(&self) -> Option<BlockString<'_>> {
        self.written(0, self.ends[0], self.id_span)
    }

    /// `toolName`, where one is written.
    pub fn name(&self) -> Option<BlockString<'_>> {
        self.written(self.ends[0], self.ends[1], self.name_span)
    }

    /// Whether it is a call that certainly has no result in it.
    pub fn is_left_pending(&self) -> bool {
        self.part == CallPart::Call && self.status == UseStatus::Pending && self.is_readable
    }

    /// The fingerprint of its input, where deltas must say the same.
    pub fn input(&self) -> Option<u32> {
        match self.result {
            ResultKind::Input(fingerprint) => Some(fingerprint),
            _ => None,
        }
    }

    /// Of a delta: where its string begins, in bytes relative to the segment.
    pub fn delta(&self) -> Option<u32> {
        match self.result {
            ResultKind::Delta(start) => Some(start),
            _ => None,
        }
    }

    /// The call's arguments as a label shows them.
    pub fn arguments(&self) -> &str {
        self.text(self.ends[1], self.ends[2])
    }

    /// The result as a label shows it: of an error its message.
    pub fn result(&self) -> Option<ResultLine<'_>> {
        match self.result {
            ResultKind::None | ResultKind::Input(_) | ResultKind::Delta(_) => None,
            ResultKind::Line => {
                let line = self.texts.get(self.ends[2] as usize..).unwrap_or_default();
                Some(ResultLine::Line(line.into()))
            }
            ResultKind::Lines(lines) => Some(ResultLine::Lines(lines)),
        }
    }

    /// The same block elsewhere, with its spans moved by `place`; in a log it is never part of a batch.
    pub fn moved(&self, place: impl Fn(Span) -> Span) -> Self {
        Self {
            span: self.span.map(&place),
            brace: self.brace.map(|brace| place(Span { start: brace, end: brace }).start),
            after_text: true,
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
