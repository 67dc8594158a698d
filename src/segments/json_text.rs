//! JSON as it stands in a document: all of it, a line of a log, or the content of a fence.
//!
//! In a fence, the opening line and the markers of quotes are read as spaces, which JSON ignores.
//! So offsets in the text are offsets in the document, whatever contains the fence.

use std::borrow::Cow;
use std::ops::Range;

use crate::json::{self, Value};
use crate::segments::block_unit::ReadContext;
use crate::segments::conversations::MessageArray;
use crate::segments::requests::is_of_records;
use crate::syntax::{FenceView, SegmentKind};

/// The number of bytes of JSON that are read first, and the factor by which the number grows.
const WINDOW: usize = 4 << 10;
const WINDOW_GROWTH: usize = 8;

impl<'a> ReadContext<'a> {
    /// The range of the JSON around the byte `at`.
    pub fn json_range(&self, at: usize) -> Range<usize> {
        if let Some(fence) = self.fence_around(at) {
            return fence.content;
        }
        match self.tree.segment_at(at).map(|located| &located.segment.kind) {
            Some(SegmentKind::Json(_)) => 0..self.text.len(),
            _ => self.text.line_content(self.text.line_of_byte(at)),
        }
    }

    /// The text of `range`, which lies in one piece of JSON, or begins with its fence.
    pub fn json_slice(&self, range: Range<usize>) -> Cow<'a, str> {
        match self.fence_around(range.start) {
            Some(fence) => self.tree.fence_in_place(self.text, &fence, range),
            None => self.text.slice(range),
        }
    }

    /// Passes growing parts of the JSON from `start` on, up to `limit`, to `read` until it returns
    /// a value. Its second argument is true for all of the JSON.
    pub fn read_json<T>(
        &self,
        start: usize,
        limit: usize,
        mut read: impl FnMut(&str, bool) -> Option<T>,
    ) -> Option<T> {
        let mut window = WINDOW;
        loop {
            let end = limit.min(self.text.floor_boundary(start + window));
            let found = read(&self.json_slice(start..end), end == limit);
            if found.is_some() || end == limit {
                return found;
            }
            window *= WINDOW_GROWTH;
        }
    }

    /// The fence that contains the byte `at`.
    pub fn fence_around(&self, at: usize) -> Option<FenceView> {
        let located = self.tree.segment_at(at)?;
        let is_fence = matches!(located.segment.kind, SegmentKind::Fence(_) | SegmentKind::Body { .. });
        if is_fence { self.tree.fence(self.tree.head_of(located.index)) } else { None }
    }

    /// Passes the value that begins at the start of `range`, which lies in one piece of JSON, to
    /// `read`.
    pub fn with_json<T>(&self, range: Range<usize>, read: impl FnOnce(Value<'_>) -> Option<T>) -> Option<T> {
        let text = self.json_slice(range);
        let json = json::parse_prefix(&text);
        read(json.root(&text)?)
    }

    /// True if the messages of a conversation are records, which a log may repeat: agents write the
    /// lines of a log again when they continue it, and traces repeat messages in each step. In an
    /// array of messages that are not records, equal blocks are two blocks.
    pub fn repeats_records(&self, array: Option<MessageArray>) -> bool {
        array.is_none_or(|array| array.is_lines || self.has_records(array))
    }

    /// True if the elements of `array` are the records of a session.
    pub fn has_records(&self, array: MessageArray) -> bool {
        is_of_records(|most| self.beginning_of(array, most))
    }

    /// The first bytes of the text of `array`, at most `most`.
    pub fn beginning_of(&self, array: MessageArray, most: usize) -> Cow<'a, str> {
        let end = self.text.floor_boundary(array.start + most).min(self.json_range(array.start).end);
        self.json_slice(array.start..end)
    }
}
