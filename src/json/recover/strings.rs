//! Recovery from invalid strings: their errors, and their intended ends.
//!
//! A string ends with its line. The content of that line, and whether the following lines look like
//! JSON or like more of the string's text, determine where parsing continues, so that one missing
//! quote is one error.

use super::super::lexer::{JsonToken, JsonTokenKind, Quote, StringToken};
use super::super::parse::{JsonParser, ParseFlow};
use super::super::string::{StringPiece, StringPieces, content};
use super::super::{JsonKind, JsonNode};
use crate::json::error::{ExpectedToken, JsonErrorKind, UnfinishedPart};
use crate::json::non_json::{TokenRole, is_smart};
use crate::never::OrNever;
use crate::text::Span;

impl JsonParser<'_> {
    /// Handles a string that is not valid JSON.
    pub(super) fn odd_string(&mut self, token: JsonToken, role: TokenRole) -> ParseFlow {
        let string = self.lexer.string_token(token);
        let span = Span::new(token.start, token.end);
        match string.quote {
            Quote::Double => {}
            _ if !string.closed => {}
            Quote::Single => self.report(JsonErrorKind::SingleQuotes, span),
            Quote::Smart => self.report(JsonErrorKind::SmartQuotes, span),
        }
        let at_end = token.end == self.lexer.text.len();
        let may_go_on = at_end && string.quote == Quote::Double;
        if !string.closed && !may_go_on {
            return self.unclosed_string(token, string, role);
        }
        if string.dirty {
            self.report_string_errors(token, string);
        }
        if !string.closed {
            self.report(JsonErrorKind::EndedTooSoon(UnfinishedPart::String), span);
        }
        self.string(token, string, role)
    }

    fn string(&mut self, token: JsonToken, string: StringToken, role: TokenRole) -> ParseFlow {
        let StringToken { escaped, closed, .. } = string;
        let span = Span::new(token.start, token.end);
        match role {
            TokenRole::Key => {
                self.push(JsonKind::Key { escaped }, span, closed);
                self.expect(ExpectedToken::Colon)
            }
            TokenRole::Value => {
                self.push(JsonKind::String { escaped }, span, closed);
                self.scalar_read()
            }
        }
    }

    /// Reports the errors inside of a string: runs of raw control characters, and invalid escapes.
    fn report_string_errors(&mut self, token: JsonToken, string: StringToken) {
        let text = self.lexer.text;
        let span = Span::new(token.start, token.end);
        let node =
            JsonNode { span, next: 0, kind: JsonKind::String { escaped: true }, closed: string.closed };
        for (piece, span) in StringPieces::new(text, content(text, node)) {
            match piece {
                StringPiece::Raw => self.raw_controls(span),
                StringPiece::Unknown | StringPiece::Cut
                    if string.closed || span.end as usize != text.len() =>
                {
                    let start = span.start as usize;
                    let quote = string.quote == Quote::Single && self.lexer.byte(start + 1) == Some(b'\'');
                    if !quote {
                        self.report(JsonErrorKind::BadEscape, Span::new(start, self.bad_escape_end(start)));
                    }
                }
                _ => {}
            }
            if self.gave_up {
                return;
            }
        }
    }

    /// The end of an invalid escape: the `\` at `start`, a character, and the digits of `\u`.
    fn bad_escape_end(&self, start: usize) -> usize {
        let end = self.lexer.after_char(start + 1);
        let rest = self.lexer.text.as_bytes().get(end..).or_never();
        let digits = rest.iter().take(4).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if self.lexer.byte(start + 1) == Some(b'u') { end + digits } else { end }
    }

    fn raw_controls(&mut self, span: Span) {
        let bytes = span.of(self.lexer.text).as_bytes();
        let mut pos = 0;
        let length_where = |from: usize, control: bool| {
            let rest = bytes.get(from..).or_never();
            rest.iter().position(|byte| (*byte < 0x20) != control).unwrap_or(rest.len())
        };
        while !self.gave_up {
            let start = pos + length_where(pos, false);
            pos = start + length_where(start, true);
            if start == pos {
                return;
            }
            self.report(JsonErrorKind::RawControl, Span::new(start, pos).shifted(span.start as usize));
        }
    }

    /// Handles a string without a closing quote on its line. The rest of the line determines the
    /// position of the missing quote.
    fn unclosed_string(&mut self, token: JsonToken, string: StringToken, role: TokenRole) -> ParseFlow {
        let text = self.lexer.text;
        let line = text.get(..token.end).or_never();
        let after_quote = self.lexer.after_char(token.start);
        let inner = line.get(after_quote..).or_never();
        if let Some(end) = smart_close(inner, role) {
            let end = after_quote + end;
            self.report(JsonErrorKind::SmartQuotes, self.char_before(end));
            self.lexer.pos = end;
            return self.string(JsonToken { end, ..token }, StringToken { closed: true, ..string }, role);
        }
        let shown = match role {
            TokenRole::Key => inner.find([':', '=']),
            TokenRole::Value => self.visible_end(inner, token.end),
        };
        let end = after_quote + inner.get(..shown.unwrap_or(inner.len())).unwrap_or(inner).trim_end().len();
        self.report(JsonErrorKind::UnclosedString, Span::new(token.start, end));
        self.lexer.pos = end;
        let flow = self.string(JsonToken { end, ..token }, string, role);
        match role {
            TokenRole::Key if shown.is_some() => {}
            TokenRole::Key => {
                self.missing_value(end);
                self.skip_text();
            }
            TokenRole::Value if flow == ParseFlow::Stop => return flow,
            TokenRole::Value => {
                let next = self.lexer.next();
                if next.kind == JsonTokenKind::Comma {
                    let state = if self.state == ExpectedToken::MemberEnd {
                        ExpectedToken::Key
                    } else {
                        ExpectedToken::Item
                    };
                    self.comma(next, state);
                } else {
                    self.lexer.pos = end;
                }
                if shown.is_none() || next.kind == JsonTokenKind::Comma {
                    self.skip_text();
                }
            }
        }
        ParseFlow::Next
    }

    /// The character that ends at `end`.
    fn char_before(&self, end: usize) -> Span {
        let before = self.lexer.text.get(..end).and_then(|text| text.chars().next_back());
        Span::new(end - before.map_or(0, char::len_utf8), end)
    }

    /// The visible end of the value in `inner`, the rest of an unclosed string's line up to byte
    /// `line_end`: at a last `,`, or at last closing brackets if nothing follows them in the text.
    fn visible_end(&self, inner: &str, line_end: usize) -> Option<usize> {
        let line = inner.trim_end();
        if let Some(rest) = line.strip_suffix(',') {
            return Some(rest.len());
        }
        let open = line.trim_end_matches(['}', ']', ' ']);
        let last = self.lexer.skip_space(line_end) == self.lexer.text.len();
        (last && open.len() < line.len()).then_some(open.len())
    }

    /// After a string without a closing quote: skips lines that look like more of its text, up to a
    /// quote that ends it or to a line of JSON.
    fn skip_text(&mut self) {
        self.excused = true;
        loop {
            let line_end = self.lexer.line_end(self.lexer.pos);
            let start = self.lexer.skip_space(line_end);
            self.lexer.pos = start;
            if start == self.lexer.text.len() || !self.is_text_line(start) {
                return;
            }
            let line = self.lexer.text.get(start..self.lexer.line_end(start)).or_never();
            if let Some(length) = string_close(line, TokenRole::Value) {
                self.lexer.pos = start + length;
                return;
            }
        }
    }

    /// True if the line from `start` on has no JSON structure: no `"key":` or `"item",` and not
    /// only closing brackets.
    fn is_text_line(&self, start: usize) -> bool {
        let line = self.lexer.text.get(start..self.lexer.line_end(start)).or_never();
        if line.starts_with('"') {
            let mut ahead = self.lexer;
            ahead.pos = start;
            let string = ahead.next();
            let closed = match string.kind {
                JsonTokenKind::String | JsonTokenKind::EscapedString => true,
                _ => ahead.string_token(string).closed,
            };
            let next = self.lexer.byte(self.lexer.skip_space(string.end));
            return !(closed && matches!(next, None | Some(b':' | b',' | b']' | b'}')));
        }
        !line.trim_end().chars().all(|c| matches!(c, '}' | ']' | '{' | '[' | ',' | ' '))
    }

    /// Handles a second quote at the end of a key or value, with which a string of the following
    /// text would begin: reports it, and continues after it.
    pub(super) fn is_second_quote(&mut self, token: JsonToken) -> bool {
        let (before, behind) = self.lexer.text.split_at_checked(token.start).or_never();
        let Some(behind) = behind.strip_prefix('"') else { return false };
        let is_torn = match token.kind {
            JsonTokenKind::String | JsonTokenKind::EscapedString => self.lexer.is_word_at(token.end),
            _ => !self.lexer.string_token(token).closed,
        };
        let inner = behind.split(['"', '\n', '\r']).next().or_never();
        let is_mark = |c: char| matches!(c, ',' | ']' | '}');
        let (kind, is_end) = match self.state {
            ExpectedToken::Colon => {
                (JsonErrorKind::MissingColon, before.ends_with('"') && inner.trim_start().starts_with(':'))
            }
            state => (
                JsonErrorKind::MissingComma(state),
                before.ends_with(|c: char| c.is_ascii_digit() || matches!(c, '"' | ']' | '}'))
                    && inner.contains(is_mark)
                    && inner.chars().all(|c| is_mark(c) || matches!(c, ' ' | '\t')),
            ),
        };
        if !(is_torn && is_end) {
            return false;
        }
        self.report_missing(kind, Span::new(token.start, token.start + 1));
        self.lexer.pos = token.start + 1;
        true
    }

    /// The length of the closing quote at `end`, the end of a text whose opening quote is missing.
    pub(super) fn closing_quote_len(&self, end: usize, role: TokenRole) -> usize {
        let line = self.lexer.text.get(end..self.lexer.line_end(end)).or_never();
        usize::from(line.starts_with('"') && is_followed(line, 1, role))
    }

    /// Handles a word directly after a closed string: its quote was intended as part of the text,
    /// if another quote ends the string on the same line. Extends the string and reports the quote.
    pub(super) fn goes_on_in_string(&mut self, token: JsonToken) -> bool {
        let Some(&node @ JsonNode { span, kind, closed: true, .. }) = self.nodes.last() else { return false };
        let role = match kind {
            JsonKind::Key { .. } => TokenRole::Key,
            JsonKind::String { .. } => TokenRole::Value,
            _ => return false,
        };
        let text = self.lexer.text;
        let adjacent = span.end as usize == token.start && span.len() > 1;
        let quoted = text.get(..token.start).is_some_and(|text| text.ends_with('"'));
        let word = matches!(
            token.kind,
            JsonTokenKind::Word
                | JsonTokenKind::Junk
                | JsonTokenKind::Number
                | JsonTokenKind::Bool
                | JsonTokenKind::Null
        );
        if !(adjacent && quoted && word) {
            return false;
        }
        let line = text.get(token.start..self.lexer.line_end(token.start)).or_never();
        let inner = content(text, node);
        let end = if let Some(length) = smart_close(inner.of(text), role) {
            let end = inner.start as usize + length;
            match self.errors.last_mut().filter(|error| error.span == span) {
                // Its opening quote is typographic, too, and of another kind.
                Some(error) => error.span = Span::new(span.start as usize, end),
                None => self.report(JsonErrorKind::SmartQuotes, self.char_before(end)),
            }
            end
        } else if let Some(length) = string_close(line, role) {
            self.report(JsonErrorKind::UnescapedQuote, self.char_before(token.start));
            token.start + length
        } else {
            return false;
        };
        self.lexer.pos = end;
        if let Some(node) = self.nodes.last_mut() {
            node.span = Span::new(span.start as usize, end);
            node.kind = match role {
                TokenRole::Key => JsonKind::Key { escaped: true },
                TokenRole::Value => JsonKind::String { escaped: true },
            };
        }
        true
    }
}

/// The end of a string that continues in `line`: after the first `"` that is followed by a token
/// that may follow a key or value.
fn string_close(line: &str, role: TokenRole) -> Option<usize> {
    let quotes = memchr::memchr_iter(b'"', line.as_bytes());
    let mut ends =
        quotes.filter(|&at| at == 0 || line.as_bytes().get(at - 1) != Some(&b'\\')).map(|at| at + 1);
    ends.find(|&end| is_followed(line, end, role))
}

/// Like [`string_close`], for a typographic quote.
fn smart_close(line: &str, role: TokenRole) -> Option<usize> {
    let mut ends = line.match_indices(is_smart).map(|(at, quote)| at + quote.len());
    ends.find(|&end| is_followed(line, end, role))
}

fn is_followed(line: &str, end: usize, role: TokenRole) -> bool {
    let next = line.get(end..).or_never().bytes().find(|byte| !matches!(byte, b' ' | b'\t'));
    match role {
        TokenRole::Key => next == Some(b':'),
        TokenRole::Value => matches!(next, None | Some(b',' | b'}' | b']')),
    }
}
