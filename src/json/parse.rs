//! The parser: converts tokens to a tape, with its own stack.
//!
//! This file parses valid JSON; every other token goes to [`recover`](super::recover), which
//! accepts it, skips it, or changes the expected token and retries. Each of these advances in the
//! text, towards a finished member, or out of a container, so parsing takes linear time.

use super::lexer::{JsonToken, JsonTokenKind, Lexer};
use super::{JsonKind, JsonNode, JsonTape, MAX_FAULTS};
use crate::json::error::{ExpectedToken, JsonError, JsonErrorKind, UnfinishedPart};
use crate::never::OrNever;
use crate::text::{Span, saturate};

/// The scope of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseScope {
    /// The value is the whole text.
    WholeText,
    /// Other text follows the value.
    Prefix,
}

/// The next step after a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseFlow {
    /// Continue with the next token.
    Next,
    /// Continue with the same token, after the expected token has changed.
    Retry,
    /// Stop.
    Stop,
}

pub(super) struct JsonParser<'a> {
    pub lexer: Lexer<'a>,
    pub scope: ParseScope,
    /// The next expected token.
    pub state: ExpectedToken,
    pub nodes: Vec<JsonNode>,
    /// Tape indices of the open containers, the innermost last.
    pub stack: Vec<u32>,
    /// Number of open containers that are objects.
    pub open_objects: usize,
    pub errors: Vec<JsonError>,
    /// The span of the last `,`.
    pub comma: Span,
    /// True if an error was reported for the expected token; then its absence is not reported
    /// again.
    pub excused: bool,
    /// True if the root object need not be closed: its bracket is missing at the start, or came too
    /// early.
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

    /// Parses to the end of the value or of the text, and leaves open containers open.
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
        use crate::json::error::ExpectedToken as E;
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

    /// Continues with the next token, for which `state` is expected.
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
        let next = saturate(self.nodes.len() + 1);
        self.nodes.push(JsonNode { span, next, kind, closed });
    }

    fn open(&mut self, token: JsonToken, kind: JsonKind) -> ParseFlow {
        self.stack.push(saturate(self.nodes.len()));
        self.push(kind, Span::new(token.start, token.end), false);
        let object = kind == JsonKind::Object;
        self.open_objects += usize::from(object);
        self.expect(if object { ExpectedToken::FirstKey } else { ExpectedToken::FirstItem })
    }

    /// Closes the innermost open container with `token`.
    pub(super) fn close(&mut self, token: JsonToken) -> ParseFlow {
        self.pop(token.end, true);
        if self.stack.is_empty() {
            return self.root_closed(token);
        }
        ParseFlow::Next
    }

    /// Ends the innermost open container at `end`.
    pub(super) fn pop(&mut self, end: usize, closed: bool) {
        let Some(index) = self.stack.pop().never_none() else { return };
        let next = saturate(self.nodes.len());
        let Some(node) = self.nodes.get_mut(index as usize).never_none() else { return };
        node.span = Span::new(node.span.start as usize, end);
        node.next = next;
        node.closed = closed;
        self.open_objects -= usize::from(node.kind == JsonKind::Object);
        let state = self.value_end();
        self.expect(state);
    }

    /// The tokens that may follow a value at the current position.
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

    /// Reports an error.
    pub(super) fn report(&mut self, kind: JsonErrorKind, span: Span) {
        if !self.gave_up {
            self.errors.push(JsonError { kind, span });
            self.gave_up = self.errors.len() >= MAX_FAULTS;
        }
    }

    /// Reports a missing token, unless an error that explains it was already reported.
    pub(super) fn report_missing(&mut self, kind: JsonErrorKind, span: Span) {
        if !self.excused {
            self.report(kind, span);
        }
    }

    /// Ends all open containers at the current position.
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
            end: saturate(end),
            gave_up: self.gave_up,
            beginning,
        }
    }

    /// Reports the construct that is incomplete at the end of the text, once.
    fn ended(&mut self) {
        let is_reported = self.errors.last().is_some_and(|fault| fault.kind.is_end());
        if is_reported || (self.root_excused && self.stack.len() == 1) {
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
