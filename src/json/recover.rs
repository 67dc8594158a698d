//! Error recovery: reports one error per mistake for a token that JSON does not expect, and
//! continues.
//!
//! An error that leaves a gap suppresses further errors about that gap (`excused`) until an
//! expected token comes. Lookahead stays on one line or skips white space, and each lookahead
//! results in an error or is not repeated, so it costs at most [`MAX_FAULTS`](super::MAX_FAULTS)
//! times the length of the text.

mod brackets;
mod strings;

use super::lexer::{JsonToken, JsonTokenKind};
use super::parse::{JsonParser, ParseFlow, ParseScope};
use super::{JsonKind, JsonNode};
use crate::json::error::{ExpectedToken, JsonErrorKind, UnfinishedPart};
use crate::json::non_json::{TokenRole, begins_literal, begins_number, literal_for, number_fault};
use crate::never::OrNever;
use crate::text::Span;

/// Maximum distance in bytes between text that is not JSON and the value after it.
const PREAMBLE: usize = 1024;

impl JsonParser<'_> {
    /// Handles a token that JSON does not expect here.
    #[cold]
    pub(super) fn recover(&mut self, token: JsonToken) -> ParseFlow {
        use crate::json::error::ExpectedToken as E;
        let span = Span::new(token.start, token.end);
        match token.kind {
            JsonTokenKind::End => return ParseFlow::Stop,
            JsonTokenKind::Comment => {
                self.report(JsonErrorKind::Comment, span);
                return ParseFlow::Next;
            }
            JsonTokenKind::UnclosedComment => {
                self.report(JsonErrorKind::UnclosedComment, span);
                return ParseFlow::Next;
            }
            JsonTokenKind::Space => {
                self.report(JsonErrorKind::BadSpace, span);
                return ParseFlow::Next;
            }
            _ => {}
        }
        if matches!(self.state, E::Colon | E::MemberEnd | E::ItemEnd)
            && (self.goes_on_in_string(token) || self.is_second_quote(token))
        {
            return ParseFlow::Next;
        }
        match self.state {
            E::Root => self.recover_root(token),
            E::FirstKey | E::Key => self.recover_key(token),
            E::Colon => self.recover_colon(token),
            E::Value | E::FirstItem | E::Item => self.recover_value(token),
            E::MemberEnd => self.recover_member_end(token),
            E::ItemEnd => self.recover_item_end(token),
        }
    }

    /// Skips an unexpected token.
    fn skip(&mut self, token: JsonToken) -> ParseFlow {
        self.report_missing(JsonErrorKind::Unexpected(self.state), Span::new(token.start, token.end));
        self.excused = true;
        ParseFlow::Next
    }

    fn recover_root(&mut self, token: JsonToken) -> ParseFlow {
        match token.kind {
            JsonTokenKind::OddString => self.odd_string(token, TokenRole::Value),
            JsonTokenKind::Word if self.is_lone(token) => self.word(token),
            _ => self.not_json(token),
        }
    }

    /// True if a word is the whole text, within the scope, and could be intended as a value.
    fn is_lone(&self, token: JsonToken) -> bool {
        let word = self.lexer.text.get(token.start..token.end).or_never();
        if literal_for(word).is_some() || number_fault(word).is_some() {
            self.scope == ParseScope::Prefix || self.lexer.byte(self.lexer.skip_space(token.end)).is_none()
        } else {
            token.end == self.lexer.text.len() && begins_literal(word)
        }
    }

    /// Reports that the text is not JSON; if a line of it leads to an object, that becomes the
    /// value.
    fn not_json(&mut self, token: JsonToken) -> ParseFlow {
        let span = Span::new(token.start, token.end);
        self.report(JsonErrorKind::NotJson, span);
        let labelled = self.lexer.byte(self.lexer.skip_space(token.end)) == Some(b':');
        if self.scope == ParseScope::WholeText && !labelled && token.kind != JsonTokenKind::Colon {
            let lexer = self.lexer;
            let bytes = lexer.text.as_bytes();
            let window = bytes.get(token.start..bytes.len().min(token.start + PREAMBLE)).or_never();
            let mut braces = memchr::memchr_iter(b'{', window).map(|at| token.start + at);
            if let Some(at) = braces.find(|at| lexer.byte(lexer.skip_space(at + 1)) == Some(b'"')) {
                self.lexer.pos = at;
                return ParseFlow::Next;
            }
        }
        self.lexer.pos = token.start;
        self.gave_up = true;
        ParseFlow::Stop
    }

    fn recover_key(&mut self, token: JsonToken) -> ParseFlow {
        use JsonTokenKind as T;
        let span = Span::new(token.start, token.end);
        match token.kind {
            T::OddString => self.odd_string(token, TokenRole::Key),
            T::Word | T::Number | T::Bool | T::Null | T::Junk => self.unquoted(token, TokenRole::Key),
            T::Comma => {
                self.report_missing(JsonErrorKind::ExtraComma, span);
                ParseFlow::Next
            }
            T::Colon | T::OpenObject | T::OpenArray => {
                self.report_missing(JsonErrorKind::MissingKey, span);
                self.push(JsonKind::Key { escaped: false }, Span::empty(token.start), true);
                self.state = ExpectedToken::Value;
                self.excused = true;
                if token.kind == T::Colon { ParseFlow::Next } else { ParseFlow::Retry }
            }
            T::CloseObject => self.trailing_comma(token),
            T::CloseArray => self.mismatched(token),
            _ => self.skip(token),
        }
    }

    fn recover_colon(&mut self, token: JsonToken) -> ParseFlow {
        use JsonTokenKind as T;
        let span = Span::new(token.start, token.end);
        match token.kind {
            T::Equals | T::Semicolon => {
                self.report_missing(JsonErrorKind::WrongColon, span);
                self.expect(ExpectedToken::Value)
            }
            T::Comma | T::CloseObject | T::CloseArray => {
                self.report_missing(JsonErrorKind::MissingColon, span);
                self.missing_value(token.start)
            }
            T::Junk => self.skip(token),
            _ => {
                self.report_missing(JsonErrorKind::MissingColon, span);
                self.state = ExpectedToken::Value;
                ParseFlow::Retry
            }
        }
    }

    /// Adds a missing value at `at`. The token there is parsed after it.
    fn missing_value(&mut self, at: usize) -> ParseFlow {
        self.push(JsonKind::Missing, Span::empty(at), true);
        self.state = ExpectedToken::MemberEnd;
        ParseFlow::Retry
    }

    fn recover_value(&mut self, token: JsonToken) -> ParseFlow {
        use JsonTokenKind as T;
        let in_object = self.state == ExpectedToken::Value;
        let span = Span::new(token.start, token.end);
        match token.kind {
            T::OddString => self.odd_string(token, TokenRole::Value),
            T::Word | T::Junk => self.word(token),
            T::Comma | T::Semicolon | T::CloseObject | T::CloseArray if in_object => {
                self.report_missing(JsonErrorKind::MissingValue, span);
                self.excused = true;
                self.missing_value(token.start)
            }
            T::Comma => {
                self.report_missing(JsonErrorKind::ExtraComma, span);
                ParseFlow::Next
            }
            T::CloseArray => self.trailing_comma(token),
            T::CloseObject => self.mismatched(token),
            _ => self.skip(token),
        }
    }

    fn trailing_comma(&mut self, token: JsonToken) -> ParseFlow {
        self.report_missing(JsonErrorKind::TrailingComma, self.comma);
        self.close(token)
    }

    fn recover_member_end(&mut self, token: JsonToken) -> ParseFlow {
        use JsonTokenKind as T;
        match token.kind {
            T::Colon => self.value_was_key(token),
            T::Semicolon => self.wrong_comma(token, ExpectedToken::Key),
            T::CloseArray => self.mismatched(token),
            T::OddString if !self.lexer.string_token(token).closed => {
                self.missing_comma(token, ExpectedToken::Key)
            }
            T::OpenObject | T::OpenArray => {
                self.missing_comma(token, ExpectedToken::Value);
                self.push(JsonKind::Key { escaped: false }, Span::empty(token.start), true);
                ParseFlow::Retry
            }
            T::String | T::EscapedString | T::OddString | T::Word | T::Number | T::Bool | T::Null
                if self.is_labelled(token) =>
            {
                self.missing_comma(token, ExpectedToken::Key)
            }
            _ => self.skip(token),
        }
    }

    fn recover_item_end(&mut self, token: JsonToken) -> ParseFlow {
        use JsonTokenKind as T;
        match token.kind {
            T::Colon => {
                self.skip(token);
                self.state = ExpectedToken::Item;
                ParseFlow::Next
            }
            T::Semicolon => self.wrong_comma(token, ExpectedToken::Item),
            T::CloseObject => self.mismatched(token),
            T::Equals | T::Junk => self.skip(token),
            _ => self.missing_comma(token, ExpectedToken::Item),
        }
    }

    fn missing_comma(&mut self, token: JsonToken, state: ExpectedToken) -> ParseFlow {
        self.report_missing(JsonErrorKind::MissingComma(self.state), Span::new(token.start, token.end));
        self.state = state;
        ParseFlow::Retry
    }

    fn wrong_comma(&mut self, token: JsonToken, state: ExpectedToken) -> ParseFlow {
        self.report_missing(JsonErrorKind::WrongComma, Span::new(token.start, token.end));
        self.comma(token, state);
        self.excused = true;
        ParseFlow::Next
    }

    /// True if `:` or `=` follows `token`.
    fn is_labelled(&self, token: JsonToken) -> bool {
        matches!(self.lexer.byte(self.lexer.skip_space(token.end)), Some(b':' | b'='))
    }

    /// Handles a `:` after a value: if that is a string, it was the key of the next member, and the
    /// preceding value is missing, as while it is typed above other members.
    fn value_was_key(&mut self, token: JsonToken) -> ParseFlow {
        let Some(&JsonNode { kind: JsonKind::String { escaped }, span, closed, .. }) = self.nodes.last()
        else {
            return self.skip(token);
        };
        if self.lexer.skip_space(span.end as usize) != token.start {
            // The tape's last string may be inside of the container that is the value.
            return self.skip(token);
        }
        self.nodes.pop();
        self.push(JsonKind::Missing, Span::empty(span.start as usize), true);
        self.push(JsonKind::Key { escaped }, span, closed);
        let mut is_reported = false;
        for fault in self.errors.iter_mut().filter(|fault| fault.span == span) {
            if fault.kind == JsonErrorKind::UnquotedValue {
                fault.kind = JsonErrorKind::UnquotedKey;
            }
            is_reported |= fault.kind == JsonErrorKind::MissingColon;
        }
        if !is_reported {
            self.report_missing(JsonErrorKind::MissingValue, span);
        }
        self.expect(ExpectedToken::Value)
    }

    /// Handles a word in place of a value.
    fn word(&mut self, token: JsonToken) -> ParseFlow {
        let span = Span::new(token.start, token.end);
        let word = span.of(self.lexer.text);
        if token.end == self.lexer.text.len() {
            let unfinished = match () {
                () if begins_literal(word) => Some(UnfinishedPart::Word),
                () if begins_number(word) => Some(UnfinishedPart::Number),
                () => None,
            };
            if let Some(unfinished) = unfinished {
                self.report(JsonErrorKind::EndedTooSoon(unfinished), span);
                let number = unfinished == UnfinishedPart::Number;
                return self.value(
                    token,
                    if number { JsonKind::Number } else { JsonKind::String { escaped: false } },
                );
            }
        }
        // A word is a literal or number only if it is the whole value; as the root it is.
        if self.state == ExpectedToken::Root || self.lexer.unquoted_end(token, TokenRole::Value) == token.end
        {
            if let Some(json) = literal_for(word) {
                self.report(JsonErrorKind::ForeignWord(json), span);
                return self.value(token, if json == "null" { JsonKind::Null } else { JsonKind::Bool });
            }
            if let Some(fault) = number_fault(word) {
                self.report(JsonErrorKind::BadNumber(fault), span);
                return self.value(token, JsonKind::Number);
            }
        }
        self.unquoted(token, TokenRole::Value)
    }

    /// Handles unquoted text in place of a key or string.
    fn unquoted(&mut self, token: JsonToken, role: TokenRole) -> ParseFlow {
        let end = self.lexer.unquoted_end(token, role);
        self.lexer.pos = end + self.closing_quote_len(end, role);
        let token = JsonToken { end, ..token };
        let span = Span::new(token.start, end);
        match role {
            TokenRole::Value => {
                self.report_missing(JsonErrorKind::UnquotedValue, span);
                self.value(token, JsonKind::String { escaped: false })
            }
            TokenRole::Key => {
                self.report_missing(JsonErrorKind::UnquotedKey, span);
                self.push(JsonKind::Key { escaped: false }, span, true);
                self.expect(ExpectedToken::Colon);
                self.excused =
                    matches!(self.lexer.byte(self.lexer.skip_space(end)), Some(b',' | b'}' | b']' | b';'));
                ParseFlow::Next
            }
        }
    }
}
