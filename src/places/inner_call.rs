//! The name and the input of a call in a message log as an object of their own, so that completion
//! and signature help need not know where the form puts them.

use crate::call::{Call, CallData};
use crate::json::{escaped, quote};
use crate::text::Span;

const BEFORE_NAME: &str = "{\"name\":";
const BEFORE_INPUT: &str = ",\"arguments\":";

/// A call as the object `{"name":…,"arguments":…`, without its end: the input may be incomplete.
pub(super) struct InnerCall<'a> {
    /// Its text.
    pub text: String,
    /// The position in its text.
    pub offset: usize,
    call: &'a Call<'a>,
    /// The spans of the name in the text and in the block's content.
    name: Option<(Span, Span)>,
    /// The start of the input in the text, and in the JSON text that it stands in.
    input: (usize, usize),
}

impl<'a> InnerCall<'a> {
    /// The call at the byte `at` of the block's content, if its name or its input is there.
    pub fn at(call: &'a Call<'a>, at: usize) -> Option<Self> {
        if !call.part.has_call() || call.is_invalid {
            return None;
        }
        let name = call.name.as_ref().map_or("", |name| &name.text);
        let quoted = quote(name);
        let (input, start) = written_input(call);
        let text = [BEFORE_NAME, &quoted, BEFORE_INPUT, input].concat();
        let name_span = Span::new(BEFORE_NAME.len(), BEFORE_NAME.len() + quoted.len());
        let name = call.name.as_ref().map(|name| (name_span, name.span));
        let input = (text.len() - input.len(), start);
        let inner = Self { text, offset: 0, call, name, input };
        let offset = inner.offset_in_name(at).or_else(|| inner.offset_in_input(at))?;
        Some(Self { offset, ..inner })
    }

    /// True if the input is encoded in a JSON string.
    pub fn is_encoded(&self) -> bool {
        self.call.encoded.is_some()
    }

    fn offset_in_name(&self, at: usize) -> Option<usize> {
        let (inner, outer) = self.name?;
        if at < outer.start as usize || (outer.end as usize) < at {
            return None;
        }
        // A name in a string of JSON has quotes of two bytes, a part of a string has none.
        let written = outer.of(self.call.content);
        let from = at - outer.start as usize;
        let from = match written.bytes().next() {
            Some(b'"') => from,
            Some(b'\\') => from.saturating_sub(1),
            _ => from + 1,
        };
        Some(inner.start as usize + from.min(inner.len()))
    }

    fn offset_in_input(&self, at: usize) -> Option<usize> {
        let at = match (&self.call.input, &self.call.encoded) {
            (Some(CallData::Text(_)), Some(encoded)) => encoded.string.decoded(at)?,
            _ => self.call.input_offset(at)?,
        };
        Some(self.input.0 + at.checked_sub(self.input.1)?)
    }

    /// The span in the block's content of `span` of the text.
    pub fn span(&self, span: Span) -> Span {
        match self.name.filter(|(inner, _)| span.end <= inner.end) {
            Some((_, outer)) => outer,
            None => {
                let moved = |at: u32| (at as usize).saturating_sub(self.input.0) + self.input.1;
                self.call.input_span(Span::new(moved(span.start), moved(span.end)))
            }
        }
    }

    /// `text`, which replaces `span` of the text, as it is written in the block's content.
    pub fn written(&self, span: Span, text: &str) -> String {
        let Some((_, outer)) = self.name.filter(|(inner, _)| span.end <= inner.end) else {
            return self.call.encoded.map_or_else(|| text.to_owned(), |encoded| encoded.string.written(text));
        };
        match outer.of(self.call.content).bytes().next() {
            Some(b'"') => text.to_owned(),
            Some(b'\\') => escaped(text),
            _ => text.trim_matches('"').to_owned(),
        }
    }
}

/// The text of the input, and its start in the JSON text that it stands in.
fn written_input<'c>(call: &Call<'c>) -> (&'c str, usize) {
    match (&call.input, call.input_payload(), call.encoded) {
        (Some(CallData::Json(input)), Some(payload), _) => {
            let span = input.span();
            (span.of(payload.body()), span.start as usize)
        }
        (Some(CallData::Text(_)), _, Some(encoded)) => (encoded.payload.body(), 0),
        _ => ("", 0),
    }
}
