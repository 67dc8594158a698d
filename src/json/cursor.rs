//! The JSON construct that is expected at an offset of a text that is being typed: used for
//! completion.
//!
//! The text before the offset determines the construct, the text after it determines which
//! separators are missing there. A completion made of a [`JsonCursor`] keeps valid text valid, and
//! a valid prefix a valid prefix.

use super::lexer::{JsonToken, JsonTokenKind, Lexer, is_word_byte};
use super::parse::{JsonParser, ParseScope};
use super::{JsonKind, JsonNode, JsonTape, Value, ValueStep, addressable, parse, string};
use crate::json::error::{ExpectedToken, JsonErrorKind};
use crate::never::OrNever;
use crate::text::Span;

/// An offset in a text at which a key or value can be inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonCursor {
    /// The expected construct.
    pub expects: CursorExpectation,
    /// The path from the root to the object that contains the key, or to the value.
    pub path: Vec<ValueStep>,
    /// The part that is already written, which a completion replaces. On one line; the offset is
    /// inside of it or at one of its ends.
    pub written: Span,
    /// The offset of a missing comma that is not adjacent to `written`: after the preceding value.
    pub comma_at: Option<usize>,
    /// The separator that is missing before the key or value: a comma or colon.
    pub missing_before: &'static str,
    /// The separator that is missing after it: a comma.
    pub trail: &'static str,
    /// For a key: the other keys of its object, decoded.
    pub siblings: Vec<String>,
}

/// The construct that can be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CursorExpectation {
    /// The value that is the whole text, which is blank or a single word.
    Root,
    /// A key with colon and value.
    Member,
    /// A key and a colon; the value exists.
    KeyAndColon,
    /// A key; its colon exists.
    Key,
    /// A value.
    Value,
}

/// The construct that can be inserted at the byte `at` of `text`; `None` if any insertion would
/// break existing text, or the text before `at` is not JSON.
pub fn cursor(text: &str, at: usize) -> Option<JsonCursor> {
    let text = addressable(text);
    if let Some(root) = lone_word(text, at) {
        return Some(root);
    }
    let mut parser = JsonParser::new(text.get(..at)?, ParseScope::WholeText);
    parser.read();
    let in_comment = |kind| matches!(kind, JsonErrorKind::Comment | JsonErrorKind::UnclosedComment);
    let last_fault = parser.errors.last().copied();
    if parser.gave_up || last_fault.is_some_and(|it| it.span.end as usize == at && in_comment(it.kind)) {
        return None;
    }
    let json = parse(text);
    let found = CursorReader { text, at, parser, json: &json }.read()?;
    // The text after the offset may show that it is inside a string, which is then not replaced
    // from its middle.
    let is_text = |node: &&JsonNode| matches!(node.kind, JsonKind::String { .. } | JsonKind::Key { .. });
    let is_around = |node: &&JsonNode| (node.span.start as usize) < at && at < node.span.end as usize;
    let around = json.nodes.iter().filter(is_text).find(is_around);
    around.is_none_or(|node| node.span.start == found.written.start).then_some(found)
}

impl JsonCursor {
    /// True if a key is expected.
    pub fn is_key(&self) -> bool {
        matches!(
            self.expects,
            CursorExpectation::Member | CursorExpectation::KeyAndColon | CursorExpectation::Key
        )
    }
}

struct CursorReader<'a> {
    text: &'a str,
    at: usize,
    /// The parser, after the text before the offset.
    parser: JsonParser<'a>,
    /// The tape of the whole text.
    json: &'a JsonTape,
}

impl CursorReader<'_> {
    fn read(&self) -> Option<JsonCursor> {
        let container = self.parser.top()?;
        let in_object = container.kind == JsonKind::Object;
        if let Some(node) = self.touched() {
            let written = Span::new(node.span.start as usize, self.end_of(node)?);
            if matches!(node.kind, JsonKind::Key { .. }) {
                return self.key(written);
            }
            // A word followed by a colon is the next key, if it begins a line.
            if in_object && self.is_labelled(written) {
                let before =
                    self.text.get(..written.start as usize).never_none()?.trim_end_matches([' ', '\t']);
                return before.ends_with(['\n', '\r']).then(|| self.key(written))?;
            }
            return self.expectation(CursorExpectation::Value, written, 1);
        }
        let here = Span::empty(self.at);
        let next = self.next(self.at);
        match self.parser.state {
            ExpectedToken::Root => None,
            // A quote that has lost its counterpart.
            ExpectedToken::FirstKey | ExpectedToken::Key
                if is_string(next.kind) && !self.may_end(next.end) =>
            {
                None
            }
            ExpectedToken::FirstKey | ExpectedToken::Key => {
                let word = Span::new(self.at, self.end_of_bare());
                self.key(if next.kind == JsonTokenKind::Word && next.start == self.at { word } else { here })
            }
            ExpectedToken::Value if self.is_other_member(next) || !is_value(next.kind) => {
                self.expectation(CursorExpectation::Value, here, 0)
            }
            ExpectedToken::Value => {
                let token = Span::new(next.start, next.end);
                let replaces = next.start == self.at && is_whole_scalar(next.kind) && self.may_end(next.end);
                replaces.then(|| self.expectation(CursorExpectation::Value, token, 0))?
            }
            ExpectedToken::FirstItem | ExpectedToken::Item => {
                self.expectation(CursorExpectation::Value, here, 0)
            }
            ExpectedToken::Colon => {
                let is_free = self.is_other_member(next) || !is_value(next.kind);
                let found = JsonCursor {
                    missing_before: ": ",
                    ..self.expectation(CursorExpectation::Value, here, 0)?
                };
                (next.kind != JsonTokenKind::Colon && is_free).then_some(found)
            }
            // Text that is not JSON was skipped.
            ExpectedToken::MemberEnd | ExpectedToken::ItemEnd if self.parser.excused => None,
            // No other member follows: the value may continue.
            ExpectedToken::MemberEnd if is_value(next.kind) && !self.is_other_member(next) => None,
            ExpectedToken::MemberEnd => self.key(here).map(|found| self.behind_value(found)),
            ExpectedToken::ItemEnd => {
                Some(self.behind_value(self.expectation(CursorExpectation::Value, here, 0)?))
            }
        }
    }

    /// The key, string, number or word that contains the offset or ends there. An offset after a
    /// closing quote is outside of the string.
    fn touched(&self) -> Option<JsonNode> {
        // For an incomplete key, the value is missing.
        let node = *self.parser.nodes.iter().rev().find(|node| node.kind != JsonKind::Missing)?;
        let is_scalar = !node.kind.is_container() && !node.span.is_empty();
        let is_string = matches!(node.kind, JsonKind::String { .. } | JsonKind::Key { .. });
        let quoted = node.span.of(self.text).starts_with(['"', '\'', '“', '”']);
        let is_open = !(node.closed && is_string && quoted);
        (is_scalar && is_open && node.span.end as usize == self.at).then_some(node)
    }

    /// The end of the token at the offset, which may continue after it; `None` if it is ambiguous.
    fn end_of(&self, node: JsonNode) -> Option<usize> {
        let start = node.span.start as usize;
        let lexer = Lexer::new(self.text);
        if lexer.byte(start) == Some(b'"') {
            return match lexer.string(start) {
                // An incomplete string may take the opening quote of the next one for its own
                // closing quote.
                (string, end) if string.closed && self.may_end(end) => Some(end),
                // The text ends inside of the string.
                (string, end) if !string.closed && self.next(end).kind == JsonTokenKind::End => {
                    let word = self.word_end();
                    let behind = self.text.get(word..end).or_never();
                    match self.closes(behind) {
                        true => Some(word),
                        // Closing brackets may be in the string or after it.
                        false => (!behind.trim_end().ends_with(['}', ']'])).then_some(end),
                    }
                }
                _ => Some(self.word_end()).filter(|end| self.may_end(*end)),
            };
        }
        let end = self.word_end();
        let quote = node.span.of(self.text).chars().next().filter(|quote| matches!(quote, '\'' | '“' | '”'));
        let close = self.text.get(end..).and_then(|rest| rest.chars().next());
        Some(match (quote, close) {
            (Some('\''), Some('\'')) => end + 1,
            (Some('“' | '”'), Some(close @ '”')) => end + close.len_utf8(),
            (None, _) => self.end_of_bare(),
            _ => end,
        })
    }

    /// The end of a word without an opening quote: after its closing quote, if it has one.
    fn end_of_bare(&self) -> usize {
        let end = self.word_end();
        let is_quoted = self.text.as_bytes().get(end) == Some(&b'"') && self.may_end(end + 1);
        if is_quoted { end + 1 } else { end }
    }

    /// True if `text` only closes the containers that are open at the offset, possibly followed by
    /// a comma.
    fn closes(&self, text: &str) -> bool {
        let mut open = self.parser.stack.iter().rev();
        let mut kind =
            || open.next().and_then(|&index| self.parser.nodes.get(index as usize)).map(|node| node.kind);
        let text = text.trim_end_matches([' ', '\t', '\n', '\r']);
        text.strip_suffix(',').unwrap_or(text).bytes().all(|byte| match byte {
            b' ' | b'\t' => true,
            // Surplus brackets stay as they are.
            b'}' => matches!(kind(), Some(JsonKind::Object) | None),
            b']' => matches!(kind(), Some(JsonKind::Array) | None),
            _ => false,
        })
    }

    /// True if a string can end at `end`: followed by a token that may follow a key or value, or by
    /// the end of the line.
    fn may_end(&self, end: usize) -> bool {
        let rest = self.text.get(end..).or_never();
        rest.trim_start_matches([' ', '\t'])
            .chars()
            .next()
            .is_none_or(|next| matches!(next, ':' | ',' | '}' | ']' | '\n' | '\r'))
    }

    /// The end of the word that continues at the offset.
    fn word_end(&self) -> usize {
        let rest = self.text.as_bytes().get(self.at..).or_never();
        self.at + rest.iter().take_while(|byte| is_word_byte(**byte)).count()
    }

    /// The first significant token at or after `at`.
    fn next(&self, at: usize) -> JsonToken {
        let mut lexer = Lexer::new(self.text);
        lexer.pos = at;
        loop {
            let token = lexer.next();
            if !matches!(token.kind, JsonTokenKind::Comment | JsonTokenKind::Space) {
                return token;
            }
        }
    }

    fn is_labelled(&self, written: Span) -> bool {
        self.next(written.end as usize).kind == JsonTokenKind::Colon
    }

    /// True if `token` begins a new member, rather than being the expected value.
    fn is_other_member(&self, token: JsonToken) -> bool {
        is_label(token.kind) && self.next(token.end).kind == JsonTokenKind::Colon
    }

    fn key(&self, written: Span) -> Option<JsonCursor> {
        let next = self.next(written.end as usize);
        let expects = match next.kind {
            JsonTokenKind::Colon => CursorExpectation::Key,
            kind if is_value(kind) && !is_label(kind) => CursorExpectation::KeyAndColon,
            _ => CursorExpectation::Member,
        };
        let mut found = self.expectation(expects, written, 0)?;
        found.path.pop();
        found.siblings = self.siblings(written);
        Some(found)
    }

    /// The cursor for the innermost container; `written`, the last `touched` nodes, is the part
    /// that exists.
    fn expectation(&self, expects: CursorExpectation, written: Span, touched: usize) -> Option<JsonCursor> {
        let next = self.next(written.end as usize);
        use JsonTokenKind as T;
        let trail = match next.kind {
            T::End | T::Comma | T::Semicolon | T::Colon | T::CloseObject | T::CloseArray => "",
            kind if !is_value(kind) => return None,
            _ if next.start == written.end as usize => ", ",
            _ => ",",
        };
        let path = self.path(touched);
        Some(JsonCursor {
            expects,
            path,
            written,
            comma_at: None,
            missing_before: "",
            trail,
            siblings: Vec::new(),
        })
    }

    /// Adds a missing comma directly after the preceding value.
    fn behind_value(&self, found: JsonCursor) -> JsonCursor {
        let end = self.text.get(..self.at).or_never().trim_end_matches([' ', '\t', '\n', '\r']).len();
        match end == found.written.start as usize {
            true => JsonCursor { missing_before: ", ", ..found },
            false => JsonCursor { comma_at: Some(end), ..found },
        }
    }

    /// The path to the last or next member or item of the innermost container; its last `touched`
    /// nodes exist.
    fn path(&self, touched: usize) -> Vec<ValueStep> {
        let nodes = &self.parser.nodes;
        let stack = &self.parser.stack;
        let ends =
            stack.iter().skip(1).map(|&next| next as usize).chain([nodes.len() - touched.min(nodes.len())]);
        let places = stack.iter().zip(ends).map(|(&container, end)| {
            let container = container as usize;
            match nodes.get(container).map(|node| node.kind) {
                Some(JsonKind::Object) => {
                    ValueStep::Key(end.checked_sub(1).map(|key| self.text_of(key)).unwrap_or_default())
                }
                _ => ValueStep::Index(self.children(container, end)),
            }
        });
        places.collect()
    }

    /// Number of children of the array at `container` before the node `end`.
    fn children(&self, container: usize, end: usize) -> usize {
        let (mut index, mut count) = (container + 1, 0);
        while let Some(node) = self.parser.nodes.get(index)
            && index < end
        {
            index = (node.next as usize).max(index + 1);
            count += 1;
        }
        count
    }

    fn text_of(&self, index: usize) -> String {
        let node = self.parser.nodes.get(index);
        node.map(|node| string::decode(self.text, *node).into_owned()).or_never()
    }

    /// The keys of the innermost object, except the one at the offset.
    fn siblings(&self, written: Span) -> Vec<String> {
        let json = self.json;
        let Some(container) = self.parser.top() else { return Vec::new() };
        let is_container =
            |node: &JsonNode| node.kind == JsonKind::Object && node.span.start == container.span.start;
        let object = json.nodes.iter().zip(0..).find_map(|(node, index)| is_container(node).then_some(index));
        let Some(object) = object.and_then(|index| Value::at(json, self.text, index)) else {
            return Vec::new();
        };
        let is_other = |key: &Value<'_>| {
            let span = key.span();
            !span.is_empty() && (span.end <= written.start || written.end <= span.start)
        };
        let others = object.entries().map(|(key, _)| key).filter(is_other);
        others.filter_map(|key| key.as_str().map(Into::into)).collect()
    }
}

/// The cursor for a text that is blank or consists of one word adjacent to the offset.
fn lone_word(text: &str, at: usize) -> Option<JsonCursor> {
    let blank = [' ', '\t', '\n', '\r'];
    let word = text.trim_matches(blank);
    let start = text.len() - text.trim_start_matches(blank).len();
    let written = if word.is_empty() { Span::empty(at) } else { Span::new(start, start + word.len()) };
    let meets = written.start as usize <= at && at <= written.end as usize && at <= text.len();
    (meets && word.bytes().all(is_word_byte)).then(|| JsonCursor {
        expects: CursorExpectation::Root,
        path: Vec::new(),
        written,
        comma_at: None,
        missing_before: "",
        trail: "",
        siblings: Vec::new(),
    })
}

/// True if a token begins a value.
fn is_value(kind: JsonTokenKind) -> bool {
    use JsonTokenKind as T;
    matches!(
        kind,
        T::OpenObject
            | T::OpenArray
            | T::String
            | T::EscapedString
            | T::OddString
            | T::Number
            | T::Bool
            | T::Null
            | T::Word
    )
}

/// True if a token may be a key.
fn is_label(kind: JsonTokenKind) -> bool {
    kind == JsonTokenKind::Word || is_string(kind)
}

fn is_string(kind: JsonTokenKind) -> bool {
    matches!(kind, JsonTokenKind::String | JsonTokenKind::EscapedString | JsonTokenKind::OddString)
}

/// True if a token is a value that can be replaced as a whole.
fn is_whole_scalar(kind: JsonTokenKind) -> bool {
    use JsonTokenKind as T;
    matches!(kind, T::String | T::EscapedString | T::Number | T::Bool | T::Null)
}

#[cfg(test)]
mod tests;
