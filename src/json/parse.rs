//! The reader: tokens to a tape, with its own stack.
//!
//! This file reads what is valid; every other token goes to [`recover`](super::recover), which takes it in,
//! passes it over, or changes what is expected and asks for the same token again. Each of these moves on in
//! the text, towards a finished member, or out of a container, so reading ends in linear time.

use super::fault::{ExpectedToken, JsonError, JsonErrorKind, UnfinishedPart};
use super::lexer::{JsonToken, JsonTokenKind, Lexer};
use super::{JsonKind, JsonNode, JsonTape, MAX_FAULTS};
use crate::text::Span;

/// What the text is to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseScope {
    /// The value is meant to be the whole of the text.
    WholeText,
    /// Other text follows the value.
    Prefix,
}

/// How reading goes on after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseFlow {
    /// With the next token.
    Next,
    /// With the same token, as something else is expected now.
    Retry,
    /// Not at all.
    Stop,
}

pub(super) struct JsonParser<'a> {
    pub lexer: Lexer<'a>,
    pub scope: ParseScope,
    /// What can come next.
    pub state: ExpectedToken,
    pub nodes: Vec<JsonNode>,
    /// Tape indices of the open containers, the innermost last.
    pub stack: Vec<u32>,
    /// How many of them are objects.
    pub open_objects: usize,
    pub errors: Vec<JsonError>,
    /// Where the last `,` stands.
    pub comma: Span,
    /// A fault was told for what is expected now, so that it is missing is not told again.
    pub excused: bool,
    /// The root object need not be closed: its bracket is missing at the start, or came too early.
    pub root_excused: bool,
    pub gave_up: bool,
}

impl<'a> JsonParser<'a> {
    pub(super) fn new(text: &'a str, scope: ParseScope) -> Self {
        Self {
            lexer: Lexer::new(text),
            scope,
            state: ExpectedToken::Root,
            nodes: Vec::with_capacity((text.len() / 12).clamp(4, 1024)),
            stack: Vec::new(),
            open_objects: 0,
            errors: Vec::new(),
            comma: Span::default(),
            excused: false,
            root_excused: false,
            gave_up: false,
        }
    }

    pub(super) fn run(mut self) -> JsonTape {
        self.read();
        self.finish()
    }

    /// Reads to the end of the value or the text, and leaves open what is open there.
    pub(super) fn read(&mut self) {
        let mut token = JsonToken { kind: JsonTokenKind::End, start: 0, end: 0 };
        let mut flow = ParseFlow::Next;
        while flow != ParseFlow::Stop && !self.gave_up {
            if flow == ParseFlow::Next {
                token = self.lexer.next();
            }
            flow = self.step(token);
        }
    }

    #[inline(always)]
    fn step(&mut self, token: JsonToken) -> ParseFlow {
        use ExpectedToken as E;
        use JsonTokenKind as T;
        match (self.state, token.kind) {
            (E::Root | E::Value | E::FirstItem | E::Item, kind) => match kind {
                T::OpenObject => self.open(token, JsonKind::Object),
                T::OpenArray => self.open(token, JsonKind::Array),
                T::String => self.value(token, JsonKind::String { escaped: false }),
                T::EscapedString => self.value(token, JsonKind::String { escaped: true }),
                T::Number => self.value(token, JsonKind::Number),
                T::Bool => self.value(token, JsonKind::Bool),
                T::Null => self.value(token, JsonKind::Null),
                T::CloseArray if self.state == E::FirstItem => self.close(token),
                _ => self.recover(token),
            },
            (E::FirstKey | E::Key, T::String) => self.key(token, JsonKind::Key { escaped: false }),
            (E::FirstKey | E::Key, T::EscapedString) => self.key(token, JsonKind::Key { escaped: true }),
            (E::Colon, T::Colon) => self.expect(E::Value),
            (E::MemberEnd, T::Comma) => self.comma(token, E::Key),
            (E::ItemEnd, T::Comma) => self.comma(token, E::Item),
            (E::FirstKey | E::MemberEnd, T::CloseObject) | (E::ItemEnd, T::CloseArray) => self.close(token),
            _ => self.recover(token),
        }
    }

    /// What was expected has come; now `state` is.
    #[inline]
    pub(super) fn expect(&mut self, state: ExpectedToken) -> ParseFlow {
        self.state = state;
        self.excused = false;
        ParseFlow::Next
    }

    #[inline]
    pub(super) fn comma(&mut self, token: JsonToken, state: ExpectedToken) -> ParseFlow {
        self.comma = Span::new(token.start, token.end);
        self.expect(state)
    }

    #[inline]
    pub(super) fn push(&mut self, kind: JsonKind, span: Span, closed: bool) {
        let next = Span::empty(self.nodes.len() + 1).start;
        self.nodes.push(JsonNode { span, next, kind, closed });
    }

    fn open(&mut self, token: JsonToken, kind: JsonKind) -> ParseFlow {
        self.stack.push(Span::empty(self.nodes.len()).start);
        self.push(kind, Span::new(token.start, token.end), false);
        let object = kind == JsonKind::Object;
        self.open_objects += usize::from(object);
        self.expect(if object { ExpectedToken::FirstKey } else { ExpectedToken::FirstItem })
    }

    /// The innermost open container ends, closed, with `token`.
    pub(super) fn close(&mut self, token: JsonToken) -> ParseFlow {
        self.pop(token.end, true);
        if self.stack.is_empty() {
            return self.root_closed(token);
        }
        ParseFlow::Next
    }

    /// The innermost open container ends at `end`.
    pub(super) fn pop(&mut self, end: usize, closed: bool) {
        let Some(index) = self.stack.pop() else { return };
        let next = Span::empty(self.nodes.len()).start;
        let Some(node) = self.nodes.get_mut(index as usize) else { return };
        node.span = Span::new(node.span.start as usize, end);
        node.next = next;
        node.closed = closed;
        self.open_objects -= usize::from(node.kind == JsonKind::Object);
        let state = self.value_end();
        self.expect(state);
    }

    /// What can follow a value where the reader stands.
    #[inline]
    pub(super) fn value_end(&self) -> ExpectedToken {
        match self.top() {
            Some(JsonNode { kind: JsonKind::Object, .. }) => ExpectedToken::MemberEnd,
            Some(_) => ExpectedToken::ItemEnd,
            None => ExpectedToken::Root,
        }
    }

    /// The innermost open container.
    #[inline]
    pub(super) fn top(&self) -> Option<JsonNode> {
        self.stack.last().and_then(|&index| self.nodes.get(index as usize)).copied()
    }

    fn key(&mut self, token: JsonToken, kind: JsonKind) -> ParseFlow {
        self.push(kind, Span::new(token.start, token.end), true);
        self.expect(ExpectedToken::Colon)
    }

    pub(super) fn value(&mut self, token: JsonToken, kind: JsonKind) -> ParseFlow {
        self.push(kind, Span::new(token.start, token.end), true);
        self.scalar_read()
    }

    #[inline]
    pub(super) fn scalar_read(&mut self) -> ParseFlow {
        let state = self.value_end();
        self.expect(state);
        if state == ExpectedToken::Root { self.root_scalar() } else { ParseFlow::Next }
    }

    /// Tells a fault.
    pub(super) fn report(&mut self, kind: JsonErrorKind, span: Span) {
        if !self.gave_up {
            self.errors.push(JsonError { kind, span });
            self.gave_up = self.errors.len() >= MAX_FAULTS;
        }
    }

    /// Tells that something expected is missing, unless a fault that explains it was told.
    pub(super) fn report_missing(&mut self, kind: JsonErrorKind, span: Span) {
        if !self.excused {
            self.report(kind, span);
        }
    }

    /// Ends all that is open, at the place that was reached.
    fn finish(mut self) -> JsonTape {
        let end = self.lexer.pos;
        if !self.gave_up {
            self.ended();
        }
        if matches!(self.state, ExpectedToken::Colon | ExpectedToken::Value) {
            self.push(JsonKind::Missing, Span::empty(end), true);
        }
        while !self.stack.is_empty() {
            self.pop(end, false);
        }
        self.errors.sort_by_key(|fault| fault.span);
        let beginning = matches!(self.errors.as_slice(), [fault] if fault.kind.is_end());
        JsonTape {
            nodes: self.nodes,
            errors: self.errors,
            end: Span::empty(end).start,
            gave_up: self.gave_up,
            beginning,
        }
    }

    /// The text is at its end: tells what that leaves unfinished, once.
    fn ended(&mut self) {
        let told = self.errors.last().is_some_and(|fault| fault.kind.is_end());
        if told || (self.root_excused && self.stack.len() == 1) {
            return;
        }
        if let Some(top) = self.top() {
            let bracket = top.span.start as usize;
            self.report(
                JsonErrorKind::EndedTooSoon(UnfinishedPart::Container),
                Span::new(bracket, bracket + 1),
            );
        } else if self.nodes.is_empty() {
            self.report(JsonErrorKind::EndedTooSoon(UnfinishedPart::Empty), Span::empty(self.lexer.pos));
        }
    }
}
