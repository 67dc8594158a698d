//! A range of bytes, relative to its owner.

use std::ops::Range;

use crate::never::{OrNever, never};

/// A half-open range of bytes `[start, end)`. The field that stores it documents its origin (a
/// payload, a segment); spans never contain document offsets, so that edits do not move them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span `[start, end)`; offsets beyond 4 GiB saturate.
    #[inline(always)]
    #[track_caller]
    pub fn new(start: usize, end: usize) -> Self {
        never!(end < start, "a span ends before it starts");
        Self { start: saturate(start), end: saturate(end.max(start)) }
    }

    /// The empty span at `at`.
    #[inline(always)]
    pub fn empty(at: usize) -> Self {
        Self::new(at, at)
    }

    /// Its length in bytes.
    #[inline(always)]
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True if it contains no byte.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// As a range of `usize`, for slicing.
    #[inline(always)]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The range of the document, if the span is relative to the document offset `start`.
    pub fn range_at(self, start: usize) -> Range<usize> {
        start + self.start as usize..start + self.end as usize
    }

    /// The same span in the coordinates of an owner that starts `by` bytes earlier.
    pub fn shifted(self, by: usize) -> Self {
        Self::new(self.start as usize + by, self.end as usize + by)
    }

    /// The span of `piece` in `text`; `None` if it is no slice of it.
    pub fn of_slice(piece: &str, text: &str) -> Option<Self> {
        let start = (piece.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
        (start + piece.len() <= text.len()).then(|| Self::new(start, start + piece.len()))
    }

    /// The part of `text` that it covers. It must be inside of the text, on character boundaries.
    #[inline(always)]
    #[track_caller]
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).or_never()
    }
}

/// `count`, or the largest number of 32 bits.
#[inline(always)]
pub(crate) fn saturate(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
