//! Converts many offsets, mostly in ascending order, to lines.

use std::borrow::Cow;

use super::buffer::Text;
use crate::never::OrNever;

/// Converts like [`Text::line_of_byte`], but counts from the previous offset if that is near.
#[derive(Clone, Debug)]
pub struct LineCursor<'t> {
    text: &'t Text,
    /// The current piece of storage, and its document offset.
    piece: Cow<'t, str>,
    start: usize,
    /// The offset in the piece, and its line.
    at: usize,
    line: usize,
}

impl<'t> LineCursor<'t> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'t Text) -> Self {
        Self { text, piece: Cow::Borrowed(""), start: 0, at: 0, line: 0 }
    }

    /// The line (from 0) that the byte `offset` is on; see [`Text::line_of_byte`].
    pub fn line_of_byte(&mut self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        if !(self.start..self.start + self.piece.len()).contains(&offset) {
            let (piece, start, line) = self.text.piece_at(offset);
            *self = Self { text: self.text, piece, start, at: 0, line };
        }
        let to = offset - self.start;
        if self.at <= to {
            self.line += self.breaks(self.at, to);
        } else {
            self.line -= self.breaks(to, self.at);
        }
        self.at = to;
        self.line
    }

    /// Number of line ends in `from..to` of the piece; a `\r\n` of which only the `\r` is inside
    /// does not count.
    fn breaks(&self, from: usize, to: usize) -> usize {
        let piece = self.piece.as_bytes();
        let passed = piece.get(from..to).or_never();
        let breaks = memchr::memchr_iter(b'\n', passed).count();
        let is_alone = |at: &usize| piece.get(from + at + 1) != Some(&b'\n');
        breaks + memchr::memchr_iter(b'\r', passed).filter(is_alone).count()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn agrees_with_the_text(
            pieces in prop::collection::vec("[a👋\n\r]{1,9}|[a-z]{50}|\r\n", 0..120),
            offsets in prop::collection::vec(any::<prop::sample::Index>(), 1..80),
            sorted in any::<bool>(),
        ) {
            let text = Text::new(&pieces.concat());
            let mut offsets: Vec<usize> = offsets.iter().map(|offset| offset.index(text.len() + 3)).collect();
            if sorted {
                offsets.sort_unstable();
            }
            let mut cursor = LineCursor::new(&text);
            for offset in offsets {
                prop_assert_eq!(cursor.line_of_byte(offset), text.line_of_byte(offset), "{}", offset);
            }
        }
    }
}
