//! A value of a tape together with its text: the accessors that readers of payloads use.
//!
//! A handle consists of two references and a number: copied, never owned. Nothing here recurses.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::lexer::{JsonTokenKind, Lexer};
use super::string::{self, SourceMap};
use super::{JsonKind, JsonNode, JsonTape};
use crate::never::OrNever;
use crate::text::Span;

/// A value, or the key of a member.
#[derive(Clone, Copy, Debug)]
pub struct Value<'a> {
    json: &'a JsonTape,
    text: &'a str,
    index: u32,
}

/// One step from a value to a child.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ValueStep {
    /// The member with this key.
    Key(String),
    /// The item with this index.
    Index(usize),
}

impl<'a> Value<'a> {
    /// The node at `index`; `None` beyond the tape's end. `text` is the parsed text of `json`.
    pub fn at(json: &'a JsonTape, text: &'a str, index: u32) -> Option<Self> {
        json.nodes.get(index as usize).map(|_| Self { json, text, index })
    }

    /// Its index on the tape.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The parsed text of its tape.
    pub fn text(self) -> &'a str {
        self.text
    }

    /// Its entry on the tape.
    #[inline(always)]
    pub fn node(self) -> JsonNode {
        let nothing =
            JsonNode { span: Span::default(), next: u32::MAX, kind: JsonKind::Missing, closed: true };
        self.json.nodes.get(self.index as usize).copied().or_never_but(nothing)
    }

    /// The kind of the value.
    #[inline(always)]
    pub fn kind(self) -> JsonKind {
        self.node().kind
    }

    /// Its bytes in the text.
    #[inline(always)]
    pub fn span(self) -> Span {
        self.node().span
    }

    /// The source text of the value.
    #[inline(always)]
    pub fn raw(self) -> &'a str {
        self.span().of(self.text)
    }

    /// True if a string or container has its closing quote or bracket; true for all other values.
    #[inline(always)]
    pub fn is_closed(self) -> bool {
        self.node().closed
    }

    /// True if it is valid JSON: no syntax error meets it, and it has its end. An unquoted word
    /// after another error has no error of its own.
    pub fn is_valid(self) -> bool {
        let is_word = self.is_text() && !self.raw().starts_with('"');
        self.is_closed() && !is_word && self.json.has_no_error_in(self.span())
    }

    /// The decoded content of a string or key; also an unquoted word in the place of one. Lone
    /// surrogates become U+FFFD. `None` for all other kinds.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        self.is_text().then(|| string::decode(self.text, self.node()))
    }

    /// Like [`Value::as_str`], but of a longer content at least the first `min_len` bytes, without
    /// decoding the rest.
    pub fn beginning(self, min_len: usize) -> Option<Cow<'a, str>> {
        self.is_text().then(|| string::decode_beginning(self.text, self.node(), min_len))
    }

    /// The number of bytes of [`Value::as_str`]. Does not decode it.
    pub fn text_len(self) -> Option<usize> {
        self.is_text().then(|| string::decoded_len(self.text, self.node()))
    }

    /// True if the content of a string or key is white space. Reads up to the first other
    /// character.
    pub fn is_blank_text(self) -> bool {
        self.is_text() && string::is_blank(self.text, self.node())
    }

    /// The number of line ends in the content of a valid string, except those at its end. Does not
    /// decode it.
    pub fn inner_line_ends(self) -> usize {
        if self.is_text() { string::inner_line_ends(self.text, self.node()) } else { 0 }
    }

    /// Like [`Value::as_str`], with the map from decoded bytes to bytes of the text.
    pub fn as_str_with_map(self) -> Option<(Cow<'a, str>, SourceMap<'a>)> {
        self.is_text().then(|| SourceMap::decode(self.text, self.node()))
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == JsonKind::Bool).then(|| self.raw().eq_ignore_ascii_case("true"))
    }

    /// The value of a number, rounded to an `f64`; `None` if it is not a valid JSON number.
    pub fn as_f64(self) -> Option<f64> {
        let valid =
            self.kind() == JsonKind::Number && Lexer::new(self.raw()).next().kind == JsonTokenKind::Number;
        valid.then(|| self.raw().parse().or_never())
    }

    /// True if it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// True if it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == JsonKind::Object
    }

    /// The content span of a string or key: without the quotes.
    pub fn content_span(self) -> Span {
        if self.is_text() { string::content(self.text, self.node()) } else { self.span() }
    }

    /// The escapes of half a surrogate pair (`\ud800`) in a string or key, as spans of the text.
    pub fn lone_surrogates(self) -> impl Iterator<Item = Span> + 'a {
        string::lone_surrogates(self.text, self.node())
    }

    /// The members of an object in their order, including duplicates: key and value. Empty for
    /// other kinds.
    pub fn entries(self) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        self.pairs(self.index + 1)
    }

    /// The members of an object from the member of `key`, one of its keys, on.
    pub fn entries_from(self, key: Value<'a>) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        self.pairs(key.index)
    }

    fn pairs(self, first: u32) -> impl Iterator<Item = (Value<'a>, Value<'a>)> {
        let mut children = self.children(self.is_object(), first);
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The items of an array. Empty for other kinds.
    pub fn items(self) -> impl Iterator<Item = Value<'a>> {
        self.children(self.kind() == JsonKind::Array, self.index + 1)
    }

    /// The value with all keys and values in it, in the order of the text.
    pub fn nodes(self) -> impl Iterator<Item = Value<'a>> {
        (self.index..self.node().next).map_while(move |index| Self::at(self.json, self.text, index))
    }

    /// The value of the member `name`; of duplicates the last (formats.md §1).
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        self.get_entry(name).map(|(_, value)| value)
    }

    /// The member or item that `step` leads to.
    pub fn child(self, step: &ValueStep) -> Option<Value<'a>> {
        match step {
            ValueStep::Key(key) => self.get(key),
            ValueStep::Index(at) => self.items().nth(*at),
        }
    }

    /// Like [`Value::get`], with the key. Readers of logs spend most of their time here.
    pub fn get_entry(self, name: &str) -> Option<(Value<'a>, Value<'a>)> {
        let nodes = &*self.json.nodes;
        let end = nodes.get(self.index as usize).filter(|node| node.kind == JsonKind::Object)?.next;
        let (mut at, mut found) = (self.index + 1, None);
        while at < end
            && let Some(key) = nodes.get(at as usize)
            && let Some(value) = nodes.get(key.next as usize).filter(|_| key.next < end)
        {
            if self.is_key(at, key, name) {
                found = Some((at, key.next));
            }
            at = value.next;
        }
        let of = |index| Self { index, ..self };
        found.map(|(key, value)| (of(key), of(value)))
    }

    /// True if `node`, the one at `index`, is a key with the name `name`.
    fn is_key(self, index: u32, node: &JsonNode, name: &str) -> bool {
        match self.text.as_bytes().get(node.span.range()) {
            Some([b'"', inner @ .., b'"'])
                if node.closed && node.kind == (JsonKind::Key { escaped: false }) =>
            {
                inner == name.as_bytes()
            }
            _ => Self { index, ..self }.as_str().is_some_and(|key| key == name),
        }
    }

    /// True if it is a string or key.
    #[inline(always)]
    pub fn is_text(self) -> bool {
        matches!(self.kind(), JsonKind::String { .. } | JsonKind::Key { .. })
    }

    fn children(self, any: bool, first: u32) -> impl Iterator<Item = Value<'a>> {
        let end = if any { self.node().next } else { self.index };
        let mut next = first;
        std::iter::from_fn(move || {
            let index = next;
            next = self.json.nodes.get(index as usize).filter(|_| index < end)?.next;
            Some(Self { index, ..self })
        })
    }
}
