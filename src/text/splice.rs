//! Text changes in bytes.

use std::ops::Range;

/// A change in bytes: `removed` bytes at `start` became `inserted` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Document offset of the first changed byte.
    pub start: usize,
    /// Number of removed bytes.
    pub removed: usize,
    /// Number of inserted bytes.
    pub inserted: usize,
}

impl Splice {
    /// The offset after the change of the byte at `at` before it; `None` if it was removed.
    pub fn moved(self, at: usize) -> Option<usize> {
        match at {
            _ if at <= self.start => Some(at),
            _ if at >= self.old_end() => Some(at - self.removed + self.inserted),
            _ => None,
        }
    }

    /// One past the last changed byte, in the text before the change.
    pub fn old_end(self) -> usize {
        self.start + self.removed
    }

    /// One past the last changed byte, in the text after the change.
    pub fn new_end(self) -> usize {
        self.start + self.inserted
    }
}

/// The offset that `edits` move the byte at `at` to; they do not remove it.
pub(crate) fn moved(at: usize, edits: &[Splice]) -> usize {
    edits.iter().fold(at, |at, edit| edit.moved(at).unwrap_or(edit.start))
}

/// Moves both ends of `range` by `edits`.
pub(crate) fn move_range(range: &mut Range<usize>, edits: &[Splice]) {
    *range = moved(range.start, edits)..moved(range.end, edits);
}
