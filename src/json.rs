//! JSON that tolerates faults: one value read to a flat tape with spans, and every fault of it.
//!
//! Reading never fails, never panics and never recurses: any text gives a [`JsonTape`], in time linear in its
//! length. What it holds without faults is exactly what RFC 8259 allows, also numbers beyond an `f64`,
//! nesting beyond any parser's limit, and lone surrogates (`\ud800`), which other rules speak about.
//!
//! A fault stands at the token that was found where another was expected; what is never closed stands at
//! its opening; what is wrong inside of a token at the piece of it that is wrong.

mod cursor;
mod fault;
mod fingerprint;
mod foreign;
mod layout;
mod lexer;
mod parse;
mod path;
mod recover;
mod string;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub use cursor::{CursorExpectation, JsonCursor, JsonPathStep, cursor};
pub use fault::{ExpectedToken, JsonError, JsonErrorKind, NumberError, UnfinishedPart};
pub use fingerprint::fingerprint;
pub use foreign::is_quote;
pub use layout::{JsonLayout, depth_at, laid_out, layout};
pub use path::PathEntry;
pub use string::{SourceMap, with_whole_characters};
pub use value::Value;
pub use write::{escaped, quote, to_compact, to_display};

use crate::text::Span;

/// Faults after which a payload is read no further: what has more of them is no JSON, and telling all
/// would help nobody.
pub const MAX_FAULTS: usize = 20;

/// One value as a flat tape in preorder, and all that is wrong with its text.
///
/// The text itself is not kept: what reads it takes the same text again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonTape {
    /// The value and all that it holds, each before its children. The children of an object alternate
    /// between [`JsonKind::Key`] and a value. Empty where the text holds no value.
    pub nodes: Vec<JsonNode>,
    /// What is wrong, in the order of the text; at most [`MAX_FAULTS`].
    pub errors: Vec<JsonError>,
    /// The byte where reading stopped: just after the value, or where it was given up.
    pub end: u32,
    /// Whether reading was given up at [`JsonTape::end`], so that nothing behind it was judged.
    pub gave_up: bool,
    /// Whether the text is a proper beginning of some JSON text: nothing is wrong but that it ends too
    /// soon. It then has the one fault [`JsonErrorKind::EndedTooSoon`]. Blank text is a beginning.
    pub beginning: bool,
}

/// One entry of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonNode {
    /// Its bytes in the text: strings with their quotes, containers with their brackets; what is unclosed
    /// up to where it was given up.
    pub span: Span,
    /// Index of the tape's first node behind this one and all that it holds.
    pub next: u32,
    /// What it is.
    pub kind: JsonKind,
    /// Whether a string or container has its closing quote or bracket; true for all else.
    pub closed: bool,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`, or what other languages call it.
    Null,
    /// `true` or `false`, or what other languages call them.
    Bool,
    /// A number, well written or not.
    Number,
    /// A string, or text without quotes in the place of one.
    String {
        /// Whether its content differs from its text: it holds a `\`.
        escaped: bool,
    },
    /// An array.
    Array,
    /// An object.
    Object,
    /// The key of a member; an empty span where one was expected and is not there.
    Key {
        /// As of a string.
        escaped: bool,
    },
    /// A value that was expected and is not there; its span is empty.
    Missing,
}

/// Reads the one value of a payload that is the whole of `text`.
///
/// Where the root object closes and its members clearly go on behind it (`}, "key": …`), the closing
/// bracket is the fault, so that what follows is still seen while someone types a stray one.
/// What follows the value otherwise is no fault here: [`JsonTape::extra`] tells it.
pub fn parse(text: &str) -> JsonTape {
    parse::JsonParser::new(addressable(text), parse::ParseScope::WholeText).run()
}

/// Reads the value that `text` begins with, and stops exactly at its own end: for values embedded in
/// other text.
pub fn parse_prefix(text: &str) -> JsonTape {
    parse::JsonParser::new(addressable(text), parse::ParseScope::Prefix).run()
}

/// What a [`Span`] can address of `text`: all of it, below 4 GiB.
fn addressable(text: &str) -> &str {
    let mut end = text.len().min(u32::MAX as usize - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

impl JsonTape {
    /// The value, unless there is none. `text` is what was parsed.
    pub fn root<'a>(&'a self, text: &'a str) -> Option<Value<'a>> {
        Value::at(self, text, 0)
    }

    /// What follows the value, without the white space around it; `None` where nothing does or where
    /// reading was given up.
    pub fn extra(&self, text: &str) -> Option<Span> {
        let blank = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
        let rest = text.get(self.end as usize..)?.trim_end_matches(blank);
        let end = self.end as usize + rest.len();
        let start = end - rest.trim_start_matches(blank).len();
        (!self.gave_up && start < end).then(|| Span::new(start, end))
    }

    /// Every array and object, each before those inside of it.
    pub fn containers(&self) -> impl Iterator<Item = &JsonNode> {
        self.nodes.iter().filter(|node| node.kind.is_container())
    }

    /// Checks what the tape promises. For tests and fuzzers; `text` is what was parsed.
    ///
    /// # Panics
    ///
    /// Where a promise is broken.
    pub fn assert_invariants(&self, text: &str) {
        // The open containers, each with the number of its children so far.
        let mut open: Vec<(JsonNode, usize)> = Vec::new();
        let mut behind = 0;
        for index in 0..=self.nodes.len() {
            while let Some((parent, children)) = open.pop_if(|(parent, _)| parent.next as usize <= index) {
                assert!(
                    parent.kind == JsonKind::Array || children % 2 == 0,
                    "a key without a value in {parent:?}"
                );
                behind = parent.span.end;
            }
            let Some(node) = self.nodes.get(index) else { break };
            assert!(text.get(node.span.range()).is_some(), "{node:?} is not inside of the text");
            assert!(behind <= node.span.start && node.span.end <= self.end, "{node:?} is out of order");
            let is_key = matches!(node.kind, JsonKind::Key { .. });
            match open.last_mut() {
                Some((parent, children)) => {
                    assert!(parent.span.start <= node.span.start && node.span.end <= parent.span.end);
                    assert!(node.next <= parent.next, "{node:?} outlives {parent:?}");
                    assert_eq!(is_key, parent.kind == JsonKind::Object && *children % 2 == 0, "{node:?}");
                    *children += 1;
                }
                None => assert!(index == 0 && node.next as usize == self.nodes.len() && !is_key),
            }
            behind = if node.kind.is_container() { node.span.start } else { node.span.end };
            if node.kind.is_container() {
                assert!(node.next as usize > index, "{node:?}");
                open.push((*node, 0));
            } else {
                assert_eq!(node.next as usize, index + 1, "{node:?} holds something");
            }
        }
        assert!(open.is_empty(), "{open:?} outlive the tape");
        assert!(self.errors.len() <= MAX_FAULTS);
        assert!(self.errors.is_sorted_by_key(|fault| fault.span.start));
        for fault in &self.errors {
            assert!(text.get(fault.span.range()).is_some(), "{fault:?} is not inside of the text");
        }
        assert!(text.is_char_boundary(self.end as usize));
        let ended = matches!(self.errors.as_slice(), [fault] if fault.kind.is_end());
        assert_eq!(self.beginning, ended && !self.gave_up);
    }
}

impl JsonKind {
    /// Whether it is an array or an object.
    pub fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }
}
