//! A payload: the JSON object in a block, parsed.

use crate::json::{JsonKind, JsonTape, Value};
use crate::never::OrNever;
use crate::text::{Span, saturate};

/// A parsed payload, as checked by the rules.
#[derive(Clone, Copy, Debug)]
pub struct ParsedPayload<'a> {
    /// The text that contains it.
    pub text: &'a str,
    /// The start of the payload's text in `text`.
    pub start: usize,
    /// The parsed `text[start..]`; its spans are relative to `start`.
    pub json: &'a JsonTape,
    /// True if the block is closed.
    pub closed: bool,
    /// The closing line of the block; empty if the object's end is the block's.
    pub closer: &'a str,
    /// True if the line may be incomplete: the last line of a growing log.
    pub growing: bool,
}

impl<'a> ParsedPayload<'a> {
    /// The payload's own text.
    pub fn body(&self) -> &'a str {
        self.text.get(self.start..).or_never()
    }

    /// Its value, if there is one.
    pub fn root(&self) -> Option<Value<'a>> {
        self.json.root(self.body())
    }

    /// The span in `text` of the text after the value, without surrounding white space; `None` if
    /// there is none.
    pub fn trailing_text(&self) -> Option<Span> {
        self.json.extra(self.body()).map(|span| span.shifted(self.start))
    }

    /// True if the continuation of a cut text could change the result.
    pub fn depends_on_cut_text(&self) -> bool {
        !self.json.gave_up && self.trailing_text().is_none()
    }

    /// True if the bytes `span` of its own text contain no syntax error.
    pub fn has_no_error_in(&self, span: Span) -> bool {
        self.json.has_no_error_in(span)
    }

    /// True if the bytes `span` of [`ParsedPayload::text`] contain no syntax error.
    pub fn has_no_error_in_text(&self, span: Span) -> bool {
        let own = |at: u32| at.saturating_sub(saturate(self.start));
        self.has_no_error_in(Span { start: own(span.start), end: own(span.end) })
    }

    /// True if readers accept it: one JSON object and nothing else.
    pub fn is_valid(&self) -> bool {
        self.json.errors.is_empty()
            && self.root().is_some_and(|root| root.kind() == JsonKind::Object)
            && self.trailing_text().is_none()
    }
}
