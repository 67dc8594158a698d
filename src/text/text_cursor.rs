//! Reads a text, and converts offsets to lines, mostly in ascending order.

use std::borrow::Cow;
use std::ops::Range;

use super::buffer::Text;
use crate::never::OrNever;

/// Number of visited pieces of storage that a cursor keeps. Nested ranges need several: their ends
/// are still ahead.
const KEPT: usize = 8;

/// Reads like [`Text`], but looks first in the recently visited pieces of storage, and counts lines
/// from an earlier offset there.
#[derive(Clone, Debug)]
pub struct TextCursor<'t> {
    text: &'t Text,
    /// The length of the text; a rope would add it up each time.
    len: usize,
    /// The piece of the previous offset.
    current: VisitedPiece<'t>,
    /// Pieces that were visited before.
    others: Vec<VisitedPiece<'t>>,
    /// The index of the piece in `others` that is replaced next.
    oldest: usize,
}

/// A piece of storage, and the previous offset in it.
#[derive(Clone, Debug, Default)]
struct VisitedPiece<'t> {
    text: Cow<'t, str>,
    /// Its document offset.
    start: usize,
    /// The offset in the piece, and its line.
    at: usize,
    line: usize,
}

impl<'t> TextCursor<'t> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'t Text) -> Self {
        Self { text, len: text.len(), current: VisitedPiece::default(), others: Vec::new(), oldest: 0 }
    }

    /// The line (from 0) that the byte `offset` is on; see [`Text::line_of_byte`].
    pub fn line_of_byte(&mut self, offset: usize) -> usize {
        let offset = offset.min(self.len);
        if !self.current.contains(offset) {
            self.visit(offset);
        }
        self.current.line_of_byte(offset)
    }

    /// The greatest character boundary at or before `offset`; see [`Text::floor_boundary`].
    pub fn floor_boundary(&mut self, offset: usize) -> usize {
        let offset = offset.min(self.len);
        if !self.current.contains(offset) {
            self.visit(offset);
        }
        self.current.start + self.current.text.floor_char_boundary(offset - self.current.start)
    }

    /// The text of `range`; see [`Text::slice`].
    pub fn read(&mut self, range: Range<usize>) -> Cow<'_, str> {
        if !self.current.contains(range.start) {
            self.visit(range.start);
        }
        match self.slice(&range) {
            Some(piece) => Cow::Borrowed(piece),
            None => self.text.slice(range),
        }
    }

    /// `range` without line ends at its end.
    pub fn without_line_ends(&mut self, range: Range<usize>) -> Range<usize> {
        let mut end = range.end;
        while end > range.start && matches!(&*self.read(end - 1..end), "\n" | "\r") {
            end -= 1;
        }
        range.start..end
    }

    /// The first byte of the line of `offset`, which [`TextCursor::line_of_byte`] was asked for
    /// last.
    pub(super) fn line_start(&self, offset: usize) -> usize {
        let in_piece = offset.checked_sub(self.current.start).and_then(|at| self.current.line_start(at));
        in_piece.unwrap_or_else(|| self.text.byte_of_line(self.current.line))
    }

    /// The text of `range` if it lies in the piece of the previous offset.
    pub(super) fn slice(&self, range: &Range<usize>) -> Option<&str> {
        let start = range.start.checked_sub(self.current.start)?;
        self.current.text.get(start..range.end.checked_sub(self.current.start)?)
    }

    /// Makes the piece that contains `offset` the current one.
    fn visit(&mut self, offset: usize) {
        if let Some(found) = self.others.iter_mut().find(|piece| piece.contains(offset)) {
            std::mem::swap(found, &mut self.current);
            return;
        }
        let (text, start, line) = self.text.piece_at(offset);
        let before = std::mem::replace(&mut self.current, VisitedPiece { text, start, at: 0, line });
        match self.others.get_mut(self.oldest) {
            Some(oldest) => *oldest = before,
            None => self.others.push(before),
        }
        self.oldest = (self.oldest + 1) % KEPT;
    }
}

impl VisitedPiece<'_> {
    fn contains(&self, offset: usize) -> bool {
        (self.start..self.start + self.text.len()).contains(&offset)
    }

    fn line_of_byte(&mut self, offset: usize) -> usize {
        let to = offset - self.start;
        if self.at <= to {
            self.line += self.breaks(self.at, to);
        } else {
            self.line -= self.breaks(to, self.at);
        }
        self.at = to;
        self.line
    }

    /// The first byte of the line of the byte `to` of the piece, if that line begins in it.
    fn line_start(&self, to: usize) -> Option<usize> {
        let piece = self.text.as_bytes();
        let mut end = to;
        loop {
            let at = memchr::memrchr2(b'\n', b'\r', piece.get(..end)?)?;
            let is_half = piece.get(at) == Some(&b'\r') && piece.get(at + 1) == Some(&b'\n');
            if !is_half {
                return Some(self.start + at + 1);
            }
            end = at;
        }
    }

    /// Number of line ends in `from..to` of the piece; a `\r\n` of which only the `\r` is inside
    /// does not count.
    fn breaks(&self, from: usize, to: usize) -> usize {
        let piece = self.text.as_bytes();
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
            let mut cursor = TextCursor::new(&text);
            for offset in offsets {
                prop_assert_eq!(cursor.line_of_byte(offset), text.line_of_byte(offset), "{}", offset);
            }
        }
    }
}
