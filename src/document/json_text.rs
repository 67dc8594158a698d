//! The JSON around a place of a document.

use std::borrow::Cow;
use std::ops::Range;

use crate::document::Document;
use crate::json::{self, Value};
use crate::segments::MessageArray;
use crate::segments::requests::is_of_records;

impl Document {
    /// The range of the JSON around the byte `at`: the document, a line of a log, or the content of
    /// a fence.
    pub(crate) fn json_range(&self, at: usize) -> Range<usize> {
        self.context().json_range(at)
    }

    /// The text of `range`, which lies in one piece of JSON, with the same offsets.
    pub(crate) fn json_slice(&self, range: Range<usize>) -> Cow<'_, str> {
        self.context().json_slice(range)
    }

    /// Passes the value that begins at the start of `range`, which lies in one piece of JSON, to
    /// `read`.
    pub(crate) fn with_json<T>(
        &self,
        range: Range<usize>,
        read: impl FnOnce(Value<'_>) -> Option<T>,
    ) -> Option<T> {
        let text = self.json_slice(range);
        let json = json::parse_prefix(&text);
        read(json.root(&text)?)
    }

    /// True if the messages of a conversation are records, which a log may repeat: agents write the
    /// lines of a log again when they continue it, and traces repeat messages in each step. In an
    /// array of messages that are not records, equal blocks are two blocks.
    pub(crate) fn repeats_records(&self, array: Option<MessageArray>) -> bool {
        array.is_none_or(|array| array.is_lines || self.has_records(array))
    }

    /// True if the elements of `array` are the records of a session.
    pub(crate) fn has_records(&self, array: MessageArray) -> bool {
        is_of_records(|most| self.beginning_of(array, most))
    }

    /// The first bytes of the text of `array`, at most `most`.
    pub(crate) fn beginning_of(&self, array: MessageArray, most: usize) -> Cow<'_, str> {
        let end = self.text.floor_boundary(array.start + most).min(self.json_range(array.start).end);
        self.json_slice(array.start..end)
    }
}
