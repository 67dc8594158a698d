//! The JSON around a place of a document.

use std::borrow::Cow;
use std::ops::Range;

use crate::document::Document;
use crate::json::Value;

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
        self.context().with_json(range, read)
    }
}
