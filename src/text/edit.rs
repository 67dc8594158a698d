//! Text changes in client positions, and edits in bytes.

use std::ops::Range;

use super::buffer::Text;
use super::position::{ClientRange, Encoding, client_range_to_bytes};
use super::splice::Splice;

/// A range of bytes of the document, and the text that replaces it.
pub type DocumentEdit = (Range<usize>, String);

/// `edits` in document order.
pub fn sorted(mut edits: Vec<DocumentEdit>) -> Vec<DocumentEdit> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

/// `text` after `edits`, which are in order; `None` if they do not fit.
pub fn applied(text: &str, edits: &[DocumentEdit]) -> Option<String> {
    let mut after = String::with_capacity(text.len());
    let mut at = 0;
    for (range, written) in edits {
        after.push_str(text.get(at..range.start)?);
        after.push_str(written);
        at = range.end;
    }
    after.push_str(text.get(at..)?);
    Some(after)
}

/// One change of `textDocument/didChange`: `text` replaces `range`, or the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange {
    /// The replaced range, in the client's positions; `None` for the whole document.
    pub range: Option<ClientRange>,
    /// The new text.
    pub text: String,
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
