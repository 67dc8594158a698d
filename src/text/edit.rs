//! Text changes: in client positions, and in bytes.

use super::buffer::Text;
use super::position::{ClientRange, Encoding, client_range_to_bytes};

/// One change of `textDocument/didChange`: `text` replaces `range`, or the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// The replaced range, in the client's positions; `None` for the whole document.
    pub range: Option<ClientRange>,
    /// The new text.
    pub text: String,
}

/// The same change in bytes: `removed` bytes at `start` became `inserted` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Splice {
    /// Document offset of the first changed byte.
    pub start: usize,
    /// Number of removed bytes.
    pub removed: usize,
    /// Number of inserted bytes.
    pub inserted: usize,
}

impl TextChange {
    /// Converts the change to a splice of `text`, clamped to it; a whole-document change replaces
    /// all.
    pub fn to_splice(&self, text: &Text, encoding: Encoding) -> Splice {
        let range = match self.range {
            Some(range) => client_range_to_bytes(text, range, encoding),
            None => 0..text.len(),
        };
        Splice { start: range.start, removed: range.len(), inserted: self.text.len() }
    }
}

impl Splice {
    /// One past the last changed byte, in the text before the change.
    pub fn old_end(self) -> usize {
        self.start + self.removed
    }

    /// One past the last changed byte, in the text after the change.
    pub fn new_end(self) -> usize {
        self.start + self.inserted
    }
}
