//! Long JSON values of a text that is read from a source on demand: they are read only when they
//! are written.

use std::ops::Range;

use super::{Call, CallData};
use crate::json::{self, Value, decode_content, is_compact, to_compact};
use crate::json_repair::payload::ParsedPayload;
use crate::text::{Span, Text};

/// Number of bytes of a long value.
const LONG: usize = 64 << 10;

/// A JSON value without errors in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LongJson {
    text: Text,
    /// Its range in the text.
    range: Range<usize>,
    /// Number of JSON strings inside of which it is encoded.
    depth: usize,
}

/// The text that a call was read from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallText<'a> {
    pub text: &'a Text,
    /// The offset in it of the text of the call's payload.
    pub start: usize,
}

impl<'a> CallText<'a> {
    /// The text of `call`, whose object begins at `brace`; `None` if all values are to be read with
    /// the call.
    pub fn of(call: &Call<'_>, text: &'a Text, brace: Option<usize>) -> Option<Self> {
        let start = brace?.checked_sub(call.object?.span().start as usize)?;
        text.is_in_source().then_some(Self { text, start })
    }

    /// `data`, which is part of `call`, if it is long.
    pub fn long_json(self, data: &CallData<'_>, call: &Call<'_>) -> Option<LongJson> {
        let CallData::Json(value) = data else { return None };
        let (span, depth) = place_of(*value, call)?;
        let span = (span.len() >= LONG).then_some(span)?;
        let range = span.range_at(self.start);
        Some(LongJson { text: self.text.clone(), range, depth })
    }
}

/// The span of `value` in the text of the payload of `call`, and the number of strings that it is
/// encoded in; `None` if it has errors.
fn place_of(value: Value<'_>, call: &Call<'_>) -> Option<(Span, usize)> {
    if let Some(encoded) = call.encoded.filter(|encoded| is_in(value, &encoded.payload)) {
        return value.is_valid().then(|| (encoded.string.span(value.span()), encoded.string.depth()));
    }
    call.payload.filter(|payload| is_in(value, payload))?;
    value.is_valid().then(|| (value.span(), 0))
}

fn is_in(value: Value<'_>, payload: &ParsedPayload<'_>) -> bool {
    payload.root().is_some_and(|root| std::ptr::eq(root.text(), value.text()))
}

impl LongJson {
    /// Reads the value as compact JSON. Holds one copy at a time if it is already compact and not
    /// encoded.
    pub fn read(&self) -> String {
        let mut text = self.text.slice(self.range.clone()).into_owned();
        for _ in 0..self.depth {
            text = decode_content(&text);
        }
        let tape = json::parse(&text);
        match tape.root(&text) {
            Some(value) if !is_compact(value) => to_compact(value),
            _ => text,
        }
    }
}
