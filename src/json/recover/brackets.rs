//! Recovery from mismatched brackets: decides which bracket is the mistake.
//!
//! A bracket that closes an outer container leaves the inner ones unclosed, unless the following
//! text shows that it stands for another bracket, or is surplus.

use super::super::lexer::{JsonToken, JsonTokenKind};
use super::super::parse::{JsonParser, ParseFlow, ParseScope};
use super::super::{JsonKind, JsonNode};
use crate::json::error::{ExpectedToken, JsonErrorKind};
use crate::text::{Span, saturate};

impl JsonParser<'_> {
    /// Handles a closing bracket that does not match the innermost container.
    pub(super) fn mismatched(&mut self, token: JsonToken) -> ParseFlow {
        let object = token.kind == JsonTokenKind::CloseObject;
        let open = if object { self.open_objects } else { self.stack.len() - self.open_objects };
        if open == 0 && !self.is_in_place_of_another(token) {
            return self.skip(token);
        }
        let root = self.stack.first().and_then(|&index| self.nodes.get(index as usize));
        let ends_root = open == 1 && root.is_some_and(|root| (root.kind == JsonKind::Object) == object);
        if open == 0 || (ends_root && self.scope == ParseScope::WholeText && self.goes_on(token.end)) {
            let expected = if object { ']' } else { '}' };
            self.report_missing(JsonErrorKind::WrongClose(expected), Span::new(token.start, token.end));
            return self.close(token);
        }
        while let Some(top) = self.top()
            && (top.kind == JsonKind::Object) != object
        {
            let bracket = top.span.start as usize;
            let before = saturate(token.start);
            self.report(JsonErrorKind::UnclosedBracket { before }, Span::new(bracket, bracket + 1));
            self.pop(token.start, false);
        }
        ParseFlow::Retry
    }

    /// True if a closing bracket without an open counterpart stands for another bracket, rather
    /// than being surplus: not if the following text closes all open containers, nor if it would
    /// end a root that continues.
    fn is_in_place_of_another(&self, token: JsonToken) -> bool {
        let depth = self.stack.len();
        if self.excused || (depth == 1 && self.goes_on(token.end)) {
            return false;
        }
        let (mut pos, mut closing) = (self.lexer.skip_space(token.end), 0);
        while closing < depth && matches!(self.lexer.byte(pos), Some(b'}' | b']')) {
            closing += 1;
            pos = self.lexer.skip_space(pos + 1);
        }
        closing < depth
    }

    /// True if the value clearly continues at `pos`.
    fn goes_on(&self, pos: usize) -> bool {
        matches!(self.lexer.byte(self.lexer.skip_space(pos)), Some(b',' | b'}' | b']'))
    }

    /// Handles the `token` that closes the root container: stops, unless members of an object
    /// clearly follow.
    pub(in super::super) fn root_closed(&mut self, token: JsonToken) -> ParseFlow {
        let object = self.nodes.first().is_some_and(|root| root.kind == JsonKind::Object);
        if self.scope == ParseScope::Prefix || !object || !self.members_go_on() {
            return ParseFlow::Stop;
        }
        self.report(JsonErrorKind::SurplusClose, Span::new(token.start, token.end));
        if let Some(root) = self.nodes.first_mut() {
            root.closed = false;
        }
        self.stack.push(0);
        self.open_objects = 1;
        self.state = ExpectedToken::MemberEnd;
        self.excused = true;
        self.root_excused = true;
        ParseFlow::Next
    }

    /// True if `, key :` follows, or `"key" :`.
    fn members_go_on(&self) -> bool {
        let mut ahead = self.lexer;
        let mut key = ahead.next();
        let comma = key.kind == JsonTokenKind::Comma;
        if comma {
            key = ahead.next();
        }
        let is_key = match key.kind {
            JsonTokenKind::String | JsonTokenKind::EscapedString => true,
            JsonTokenKind::OddString => ahead.string_token(key).closed,
            JsonTokenKind::Word => comma,
            _ => false,
        };
        is_key && ahead.next().kind == JsonTokenKind::Colon
    }

    /// Handles a scalar root: stops, unless it was the first key of an object without its `{`.
    pub(in super::super) fn root_scalar(&mut self) -> ParseFlow {
        let Some(&JsonNode { kind: JsonKind::String { escaped }, span, closed: true, .. }) =
            self.nodes.first()
        else {
            return ParseFlow::Stop;
        };
        let labelled = self.lexer.byte(self.lexer.skip_space(self.lexer.pos)) == Some(b':');
        if self.scope == ParseScope::Prefix || !labelled {
            return ParseFlow::Stop;
        }
        self.report(JsonErrorKind::MissingOpen, span);
        self.nodes.clear();
        self.push(JsonKind::Object, Span::empty(span.start as usize), false);
        self.push(JsonKind::Key { escaped }, span, true);
        self.stack.push(0);
        self.open_objects = 1;
        self.root_excused = true;
        self.expect(ExpectedToken::Colon)
    }
}
