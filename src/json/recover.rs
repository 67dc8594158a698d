//! What to make of a token that JSON does not expect: one fault for one mistake, and on with the reading.
//!
//! A fault that leaves a hole excuses what is missing because of it (`excused`), until something expected
//! comes. Looking ahead stays on one line or passes over white space, and each look ends in a fault or is
//! not repeated, so it costs at most [`MAX_FAULTS`](super::MAX_FAULTS) times the text.

mod brackets;
mod strings;

use super::fault::{Expected, FaultKind, Unfinished};
use super::foreign::{Role, begins_literal, begins_number, literal_for, number_fault};
use super::lexer::{Token, TokenKind};
use super::parse::{Flow, Parser, Scope};
use super::{Kind, Node};
use crate::text::Span;

/// How far behind text that is no JSON its value is looked for, in bytes.
const PREAMBLE: usize = 1024;

impl Parser<'_> {
    /// Takes in a token that is not what JSON has here.
    #[cold]
    pub(super) fn recover(&mut self, token: Token) -> Flow {
        use Expected as E;
        let span = Span::new(token.start, token.end);
        match token.kind {
            TokenKind::End => return Flow::Stop,
            TokenKind::Comment => {
                self.fault(FaultKind::Comment, span);
                return Flow::Next;
            }
            TokenKind::UnclosedComment => {
                self.fault(FaultKind::UnclosedComment, span);
                return Flow::Next;
            }
            TokenKind::Space => {
                self.fault(FaultKind::BadSpace, span);
                return Flow::Next;
            }
            _ => {}
        }
        if matches!(self.state, E::Colon | E::MemberEnd | E::ItemEnd) && self.goes_on_in_string(token) {
            return Flow::Next;
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

    /// Passes over a token that has no place here.
    fn skip(&mut self, token: Token) -> Flow {
        self.complain(FaultKind::Unexpected(self.state), Span::new(token.start, token.end));
        self.excused = true;
        Flow::Next
    }

    fn recover_root(&mut self, token: Token) -> Flow {
        match token.kind {
            TokenKind::OddString => self.odd_string(token, Role::Value),
            TokenKind::Word if self.is_lone(token) => self.word(token),
            _ => self.not_json(token),
        }
    }

    /// Whether a word is all of the text, as far as the scope asks, and could be meant as a value.
    fn is_lone(&self, token: Token) -> bool {
        let word = self.lexer.text.get(token.start..token.end).unwrap_or_default();
        if literal_for(word).is_some() || number_fault(word).is_some() {
            self.scope == Scope::Prefix || self.lexer.byte(self.lexer.skip_space(token.end)).is_none()
        } else {
            token.end == self.lexer.text.len() && begins_literal(word)
        }
    }

    /// The text is no JSON; but where a line of it leads to an object, that is the value.
    fn not_json(&mut self, token: Token) -> Flow {
        let span = Span::new(token.start, token.end);
        self.fault(FaultKind::NotJson, span);
        let labelled = self.lexer.byte(self.lexer.skip_space(token.end)) == Some(b':');
        if self.scope == Scope::Whole && !labelled && token.kind != TokenKind::Colon {
            let lexer = self.lexer;
            let bytes = lexer.text.as_bytes();
            let window = bytes.get(token.start..bytes.len().min(token.start + PREAMBLE)).unwrap_or_default();
            let mut braces = memchr::memchr_iter(b'{', window).map(|at| token.start + at);
            if let Some(at) = braces.find(|at| lexer.byte(lexer.skip_space(at + 1)) == Some(b'"')) {
                self.lexer.pos = at;
                return Flow::Next;
            }
        }
        self.lexer.pos = token.start;
        self.gave_up = true;
        Flow::Stop
    }

    fn recover_key(&mut self, token: Token) -> Flow {
        use TokenKind as T;
        let span = Span::new(token.start, token.end);
        match token.kind {
            T::OddString => self.odd_string(token, Role::Key),
            T::Word | T::Number | T::Bool | T::Null | T::Junk => self.unquoted(token, Role::Key),
            T::Comma => {
                self.complain(FaultKind::ExtraComma, span);
                Flow::Next
            }
            T::Colon | T::OpenObject | T::OpenArray => {
                self.complain(FaultKind::MissingKey, span);
                self.push(Kind::Key { escaped: false }, Span::empty(token.start), true);
                self.state = Expected::Value;
                self.excused = true;
                if token.kind == T::Colon { Flow::Next } else { Flow::Again }
            }
            T::CloseObject => self.trailing_comma(token),
            T::CloseArray => self.mismatched(token),
            _ => self.skip(token),
        }
    }

    fn recover_colon(&mut self, token: Token) -> Flow {
        use TokenKind as T;
        let span = Span::new(token.start, token.end);
        match token.kind {
            T::Equals | T::Semicolon => {
                self.complain(FaultKind::WrongColon, span);
                self.expect(Expected::Value)
            }
            T::Comma | T::CloseObject | T::CloseArray => {
                self.complain(FaultKind::MissingColon, span);
                self.missing_value(token.start)
            }
            T::Junk => self.skip(token),
            _ => {
                self.complain(FaultKind::MissingColon, span);
                self.state = Expected::Value;
                Flow::Again
            }
        }
    }

    /// The member has no value: `at` is where it should be. The token there comes behind it.
    fn missing_value(&mut self, at: usize) -> Flow {
        self.push(Kind::Missing, Span::empty(at), true);
        self.state = Expected::MemberEnd;
        Flow::Again
    }

    fn recover_value(&mut self, token: Token) -> Flow {
        use TokenKind as T;
        let in_object = self.state == Expected::Value;
        let span = Span::new(token.start, token.end);
        match token.kind {
            T::OddString => self.odd_string(token, Role::Value),
            T::Word | T::Junk => self.word(token),
            T::Comma | T::Semicolon | T::CloseObject | T::CloseArray if in_object => {
                self.complain(FaultKind::MissingValue, span);
                self.excused = true;
                self.missing_value(token.start)
            }
            T::Comma => {
                self.complain(FaultKind::ExtraComma, span);
                Flow::Next
            }
            T::CloseArray => self.trailing_comma(token),
            T::CloseObject => self.mismatched(token),
            _ => self.skip(token),
        }
    }

    fn trailing_comma(&mut self, token: Token) -> Flow {
        self.complain(FaultKind::TrailingComma, self.comma);
        self.close(token)
    }

    fn recover_member_end(&mut self, token: Token) -> Flow {
        use TokenKind as T;
        match token.kind {
            T::Colon => self.value_was_key(token),
            T::Semicolon => self.wrong_comma(token, Expected::Key),
            T::CloseArray => self.mismatched(token),
            T::OddString if !self.lexer.string_token(token).closed => {
                self.missing_comma(token, Expected::Key)
            }
            T::OpenObject | T::OpenArray => {
                self.missing_comma(token, Expected::Value);
                self.push(Kind::Key { escaped: false }, Span::empty(token.start), true);
                Flow::Again
            }
            T::String | T::EscapedString | T::OddString | T::Word | T::Number | T::Bool | T::Null
                if self.is_labelled(token) =>
            {
                self.missing_comma(token, Expected::Key)
            }
            _ => self.skip(token),
        }
    }

    fn recover_item_end(&mut self, token: Token) -> Flow {
        use TokenKind as T;
        match token.kind {
            T::Colon => {
                self.skip(token);
                self.state = Expected::Item;
                Flow::Next
            }
            T::Semicolon => self.wrong_comma(token, Expected::Item),
            T::CloseObject => self.mismatched(token),
            T::Equals | T::Junk => self.skip(token),
            _ => self.missing_comma(token, Expected::Item),
        }
    }

    fn missing_comma(&mut self, token: Token, state: Expected) -> Flow {
        self.complain(FaultKind::MissingComma(self.state), Span::new(token.start, token.end));
        self.state = state;
        Flow::Again
    }

    fn wrong_comma(&mut self, token: Token, state: Expected) -> Flow {
        self.complain(FaultKind::WrongComma, Span::new(token.start, token.end));
        self.comma(token, state);
        self.excused = true;
        Flow::Next
    }

    /// Whether `:` or `=` follows `token`.
    fn is_labelled(&self, token: Token) -> bool {
        matches!(self.lexer.byte(self.lexer.skip_space(token.end)), Some(b':' | b'='))
    }

    /// A `:` behind a value: if that is a string it was the next member's key, and the value before it is
    /// missing, as while someone types it above other members.
    fn value_was_key(&mut self, token: Token) -> Flow {
        let Some(&Node { kind: Kind::String { escaped }, span, closed, .. }) = self.nodes.last() else {
            return self.skip(token);
        };
        if self.lexer.skip_space(span.end as usize) != token.start {
            // The tape's last string may lie inside of the container that is the value.
            return self.skip(token);
        }
        self.nodes.pop();
        self.push(Kind::Missing, Span::empty(span.start as usize), true);
        self.push(Kind::Key { escaped }, span, closed);
        let mut told = false;
        for fault in self.faults.iter_mut().filter(|fault| fault.span == span) {
            if fault.kind == FaultKind::UnquotedValue {
                fault.kind = FaultKind::UnquotedKey;
            }
            told |= fault.kind == FaultKind::MissingColon;
        }
        if !told {
            self.complain(FaultKind::MissingValue, span);
        }
        self.expect(Expected::Value)
    }

    /// A word in the place of a value.
    fn word(&mut self, token: Token) -> Flow {
        let span = Span::new(token.start, token.end);
        let word = span.of(self.lexer.text);
        if token.end == self.lexer.text.len() {
            let unfinished = match () {
                () if begins_literal(word) => Some(Unfinished::Word),
                () if begins_number(word) => Some(Unfinished::Number),
                () => None,
            };
            if let Some(unfinished) = unfinished {
                self.fault(FaultKind::EndedTooSoon(unfinished), span);
                let number = unfinished == Unfinished::Number;
                return self
                    .value(token, if number { Kind::Number } else { Kind::String { escaped: false } });
            }
        }
        // Only a word that is all of the value can be meant as a literal or number; as the root it is.
        if self.state == Expected::Root || self.lexer.unquoted_end(token, Role::Value) == token.end {
            if let Some(json) = literal_for(word) {
                self.fault(FaultKind::ForeignWord(json), span);
                return self.value(token, if json == "null" { Kind::Null } else { Kind::Bool });
            }
            if let Some(fault) = number_fault(word) {
                self.fault(FaultKind::BadNumber(fault), span);
                return self.value(token, Kind::Number);
            }
        }
        self.unquoted(token, Role::Value)
    }

    /// Text without quotes in the place of a key or string.
    fn unquoted(&mut self, token: Token, role: Role) -> Flow {
        let end = self.lexer.unquoted_end(token, role);
        self.lexer.pos = end;
        let token = Token { end, ..token };
        let span = Span::new(token.start, end);
        match role {
            Role::Value => {
                self.complain(FaultKind::UnquotedValue, span);
                self.value(token, Kind::String { escaped: false })
            }
            Role::Key => {
                self.complain(FaultKind::UnquotedKey, span);
                self.push(Kind::Key { escaped: false }, span, true);
                self.expect(Expected::Colon);
                self.excused =
                    matches!(self.lexer.byte(self.lexer.skip_space(end)), Some(b',' | b'}' | b']' | b';'));
                Flow::Next
            }
        }
    }
}
