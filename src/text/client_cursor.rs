//! Converts many offsets, mostly in ascending order, to client positions.

use std::ops::Range;

use super::buffer::Text;
use super::position::{ClientPosition, ClientRange, Encoding};
use super::saturate;
use super::text_cursor::TextCursor;

/// Converts like [`byte_to_client_position`](super::position::byte_to_client_position), but counts
/// from the previous offset if that is on the same line.
#[derive(Clone, Debug)]
pub struct ClientCursor<'t> {
    text: &'t Text,
    encoding: Encoding,
    lines: TextCursor<'t>,
    /// The previous offset, its line and its column.
    at: usize,
    line: usize,
    column: usize,
}

impl<'t> ClientCursor<'t> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'t Text, encoding: Encoding) -> Self {
        Self { text, encoding, lines: TextCursor::new(text), at: 0, line: 0, column: 0 }
    }

    /// The client position of the byte `offset`.
    pub fn position_of_byte(&mut self, offset: usize) -> ClientPosition {
        if offset != self.at {
            self.go_to(offset);
        }
        ClientPosition { line: saturate(self.line), column: saturate(self.column) }
    }

    fn go_to(&mut self, offset: usize) {
        let offset = self.lines.floor_boundary(offset);
        let line = self.lines.line_of_byte(offset);
        if line != self.line || offset < self.at {
            (self.line, self.at, self.column) = (line, self.lines.line_start(offset), 0);
        }
        self.column += self.columns(self.at..offset);
        self.at = offset;
    }

    /// The client positions of the bytes `range`.
    pub fn range_of_bytes(&mut self, range: &Range<usize>) -> ClientRange {
        ClientRange { start: self.position_of_byte(range.start), end: self.position_of_byte(range.end) }
    }

    /// The number of columns in `range`, which is on one line; line ends have none.
    fn columns(&self, range: Range<usize>) -> usize {
        let count = |piece: &str| match self.encoding {
            Encoding::Utf8 => piece.len(),
            _ if piece.is_ascii() => piece.len(),
            Encoding::Utf16 => piece.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => piece.chars().count(),
        };
        let of_piece = |piece: &str| count(piece.trim_end_matches(['\r', '\n']));
        match self.lines.slice(&range) {
            Some(piece) => of_piece(piece),
            None => self.text.chunks(range).map(|piece| of_piece(&piece)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::position::byte_to_client_position;

    proptest! {
        #[test]
        fn agrees_with_the_text(
            pieces in prop::collection::vec("[a👋é\n\r]{1,9}|[a-z]{50}|\r\n", 0..80),
            offsets in prop::collection::vec(any::<prop::sample::Index>(), 1..50),
            sorted in any::<bool>(),
        ) {
            let text = Text::new(&pieces.concat());
            let mut offsets: Vec<usize> = offsets.iter().map(|offset| offset.index(text.len() + 3)).collect();
            if sorted {
                offsets.sort_unstable();
            }
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let mut cursor = ClientCursor::new(&text, encoding);
                for offset in &offsets {
                    let expected = byte_to_client_position(&text, *offset, encoding);
                    prop_assert_eq!(cursor.position_of_byte(*offset), expected, "{}", offset);
                }
            }
        }
    }
}
