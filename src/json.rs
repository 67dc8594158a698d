//! An error-tolerant JSON parser: parses one value to a flat tape with spans, and reports every
//! error in it.
//!
//! Parsing never fails, never panics and never recurses: any text results in a [`JsonTape`], in
//! time linear in its length. A text without errors is exactly what RFC 8259 allows, including
//! numbers beyond an `f64`, nesting beyond any parser's limit, and lone surrogates (`\ud800`),
//! which other rules report.
//!
//! The span of an error is the token that was found instead of the expected one; the opening of a
//! construct that is never closed; or the invalid part of a token.

mod cursor;
mod documents;
mod encoded;
pub mod error;
mod fingerprint;
mod layout;
mod lexer;
pub mod non_json;
mod parse;
mod path;
mod recover;
pub(crate) mod string;
mod value;
mod write;

#[cfg(test)]
mod tests;

pub use crate::json::error::{ExpectedToken, JsonError, JsonErrorKind, NumberError, UnfinishedPart};
pub use crate::json::non_json::is_quote;
pub use cursor::{CursorExpectation, JsonCursor, cursor};
pub use documents::{DocumentFault, values_of_document};
pub use encoded::EncodedString;
pub use fingerprint::fingerprint;
pub use layout::{DEEPEST, JsonLayout, depth_at, laid_out, layout};
pub use lexer::skip_plain;
pub use path::PathEntry;
pub use string::{SourceMap, decode_content, with_whole_characters};
pub use value::{Value, ValueStep};
pub use write::{escaped, is_compact, quote, quote_like, to_compact, to_display};

use crate::never::OrNever;
use crate::text::Span;

/// Maximum number of errors, after which parsing stops: a text with more errors is not JSON, and a
/// longer list would not help.
pub const MAX_FAULTS: usize = 20;

/// One value as a flat tape in preorder, and all errors in its text.
///
/// The tape does not store the text: its readers pass the same text again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonTape {
    /// The value and its descendants, parents before children. The children of an object alternate
    /// between [`JsonKind::Key`] and a value. Empty if the text contains no value.
    pub nodes: Vec<JsonNode>,
    /// The errors, in text order; at most [`MAX_FAULTS`].
    pub errors: Vec<JsonError>,
    /// The byte at which parsing stopped: just after the value, or where it was given up.
    pub end: u32,
    /// True if parsing was given up at [`JsonTape::end`], so that the text after it was not
    /// checked.
    pub gave_up: bool,
    /// True if the text is a proper prefix of some JSON text: its only error is that it ends too
    /// soon, [`JsonErrorKind::EndedTooSoon`]. Blank text is such a prefix.
    pub beginning: bool,
}

/// One entry of the tape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonNode {
    /// Its bytes in the text: strings with their quotes, containers with their brackets; an
    /// unclosed node extends to the byte at which it was given up.
    pub span: Span,
    /// Index of the first node after this one and its descendants.
    pub next: u32,
    /// The kind of the node.
    pub kind: JsonKind,
    /// True if a string or container has its closing quote or bracket; true for all other nodes.
    pub closed: bool,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// `null`, or its equivalent in other languages.
    Null,
    /// `true` or `false`, or their equivalents in other languages.
    Bool,
    /// A number, valid or not.
    Number,
    /// A string, or unquoted text in its place.
    String {
        /// True if its content differs from its text: it contains a `\`.
        escaped: bool,
    },
    /// An array.
    Array,
    /// An object.
    Object,
    /// The key of a member; its span is empty if an expected key is missing.
    Key {
        /// True if its content differs from its text, as for strings.
        escaped: bool,
    },
    /// An expected value that is missing; its span is empty.
    Missing,
}

/// Parses `text` as the single value of a payload.
///
/// If the root object closes and its members clearly continue after it (`}, "key": …`), the closing
/// bracket is the error, so that the following members are still parsed while a stray bracket is
/// typed. Other trailing text is not an error here; see [`JsonTape::extra`].
pub fn parse(text: &str) -> JsonTape {
    parse::JsonParser::new(addressable(text), parse::ParseScope::WholeText).run()
}

/// Parses the value at the start of `text` and stops at the end of the value: for values embedded
/// in other text.
pub fn parse_prefix(text: &str) -> JsonTape {
    parse::JsonParser::new(addressable(text), parse::ParseScope::Prefix).run()
}

/// The part of `text` that a [`Span`] can address: the first 4 GiB.
fn addressable(text: &str) -> &str {
    let mut end = text.len().min(u32::MAX as usize - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).or_never()
}

impl JsonTape {
    /// True if the bytes `span` of the text contain no error.
    pub fn has_no_error_in(&self, span: Span) -> bool {
        let meets = |fault: Span| {
            fault.start < span.end.max(span.start + 1) && span.start < fault.end.max(fault.start + 1)
        };
        !self.errors.iter().any(|fault| meets(fault.span))
    }

    /// The value, if there is one. `text` is the parsed text.
    pub fn root<'a>(&'a self, text: &'a str) -> Option<Value<'a>> {
        Value::at(self, text, 0)
    }

    /// The value, if `text`, the parsed text, is one valid value.
    pub fn valid_root<'a>(&'a self, text: &'a str) -> Option<Value<'a>> {
        let is_valid = self.errors.is_empty() && self.extra(text).is_none();
        self.root(text).filter(|root| is_valid && root.kind() != JsonKind::Missing)
    }

    /// The text after the value, without surrounding white space; `None` if there is none or
    /// parsing was given up.
    pub fn extra(&self, text: &str) -> Option<Span> {
        let blank = |c| matches!(c, ' ' | '\t' | '\n' | '\r');
        let rest = text.get(self.end as usize..).or_never().trim_end_matches(blank);
        let end = self.end as usize + rest.len();
        let start = end - rest.trim_start_matches(blank).len();
        (!self.gave_up && start < end).then(|| Span::new(start, end))
    }
}

impl JsonKind {
    /// True if it is an array or an object.
    pub fn is_container(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }
}
