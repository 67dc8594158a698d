//! The text of a file that was read and is not edited: one string.
//!
//! Commands read most files only once. Slices of one string are borrowed, and no tree is built.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use ropey::Rope;

/// Maximum number of bytes of a piece.
const PIECE: usize = 4 << 10;

/// A text in one string.
#[derive(Debug, Default)]
pub(super) struct WholeText {
    text: String,
    /// The starts of the lines, when a line is first asked for.
    lines: OnceLock<Vec<usize>>,
    /// The text as a rope, for edits, created by the first one; clones share it.
    rope: OnceLock<Rope>,
}

impl WholeText {
    pub(super) fn new(text: String) -> Self {
        Self { text, ..Self::default() }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn rope(&self) -> &Rope {
        self.rope.get_or_init(|| Rope::from_str(&self.text))
    }

    /// The starts of the lines, in order.
    pub(super) fn lines(&self) -> &[usize] {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let is_end = |at: &usize| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n');
            let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end);
            std::iter::once(0).chain(ends.map(|end| end + 1)).collect()
        })
    }

    /// The line of the byte `offset`, which is at most the length.
    pub(super) fn line_of_byte(&self, offset: usize) -> usize {
        self.lines().partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// A part of the line of the byte `offset`, with that byte, and its own offset and line.
    pub(super) fn piece_at(&self, offset: usize) -> (Cow<'_, str>, usize, usize) {
        let line = self.line_of_byte(offset);
        let bound = |line: usize| self.lines().get(line).copied().unwrap_or(self.text.len());
        let from = self.text.floor_char_boundary(bound(line).max(offset - offset % PIECE));
        let to = self.text.floor_char_boundary(bound(line + 1).min(from + 2 * PIECE));
        (self.text.get(from..to).unwrap_or_default().into(), from, line)
    }

    /// The text of `range` in pieces.
    pub(super) fn chunks(&self, range: Range<usize>) -> impl Iterator<Item = &str> {
        let mut rest = self.slice(range);
        std::iter::from_fn(move || {
            let (piece, behind) = rest.split_at_checked(rest.floor_char_boundary(PIECE))?;
            rest = behind;
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// The part of `range` that lies in the text; ends inside of a character move back.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        let from = self.text.floor_char_boundary(range.start);
        self.text.get(from..self.text.floor_char_boundary(range.end).max(from)).unwrap_or_default()
    }
}
