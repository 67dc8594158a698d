//! The kinds of positions, and the conversions between them; their names state both kinds.
//!
//! | kind | type | where |
//! |---|---|---|
//! | document offset | `usize`, bytes | everywhere else |
//! | span | [`Span`](super::Span), bytes relative to its owner | trees, calls, diagnostics |
//! | client position | [`ClientPosition`], line and column in the client's [`Encoding`] | `lsp/` |
//! | printed position | [`PrintedPosition`], from 1, columns in Unicode scalar values | `cli/` |
//!
//! Conversions clamp, as LSP requires for columns: past a line's end to that end (before its line
//! end), past the last line to the text's end, inside of a character to its start.

use std::ops::Range;

use super::buffer::Text;
use super::saturate;

/// The unit of a client's columns (LSP 3.17, `PositionEncodingKind`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, which every client supports.
    #[default]
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

/// A position in the client's protocol: both from 0, the column in the client's [`Encoding`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientPosition {
    /// Line, from 0.
    pub line: u32,
    /// Column, from 0, in the client's encoding.
    pub column: u32,
}

/// A half-open range of client positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClientRange {
    /// Its first position.
    pub start: ClientPosition,
    /// One past its last position.
    pub end: ClientPosition,
}

/// A position for people: both from 1, the column in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrintedPosition {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in Unicode scalar values.
    pub column: usize,
}

/// The document offset of a client position.
pub fn client_position_to_byte(text: &Text, position: ClientPosition, encoding: Encoding) -> usize {
    let line = text.line_content(position.line as usize);
    let column = position.column as usize;
    match encoding {
        Encoding::Utf8 => text.floor_boundary((line.start + column).min(line.end)),
        Encoding::Utf16 => text.byte_after_utf16(line.start, line.end, column),
        Encoding::Utf32 => text.byte_after_chars(line.start, line.end, column),
    }
}

/// The client position of a document offset.
pub fn byte_to_client_position(text: &Text, offset: usize, encoding: Encoding) -> ClientPosition {
    let offset = text.floor_boundary(offset);
    let line = text.line_of_byte(offset);
    let content = text.line_content(line);
    let offset = offset.min(content.end);
    let column = match encoding {
        Encoding::Utf8 => offset - content.start,
        Encoding::Utf16 => text.utf16_len(content.start..offset),
        Encoding::Utf32 => text.char_len(content.start..offset),
    };
    ClientPosition { line: saturate(line), column: saturate(column) }
}

/// The client range of a range of document offsets.
pub fn bytes_to_client_range(text: &Text, range: Range<usize>, encoding: Encoding) -> ClientRange {
    ClientRange {
        start: byte_to_client_position(text, range.start, encoding),
        end: byte_to_client_position(text, range.end, encoding),
    }
}

/// The range of document offsets of a client range. The ends of a reversed one are swapped, like VS
/// Code's `TextDocument` does.
pub fn client_range_to_bytes(text: &Text, range: ClientRange, encoding: Encoding) -> Range<usize> {
    let start = client_position_to_byte(text, range.start, encoding);
    let end = client_position_to_byte(text, range.end, encoding);
    start.min(end)..start.max(end)
}

/// The length of `text` in UTF-16 code units, which LSP 3.17 uses in labels: "the offsets are based
/// on a UTF-16 string representation".
pub fn units_of_label(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// The printed position of a document offset. A byte order mark has no column, because programs
/// that show a text remove it.
pub fn byte_to_printed_position(text: &Text, offset: usize) -> PrintedPosition {
    let position = byte_to_client_position(text, offset, Encoding::Utf32);
    let on_first = position.line == 0 && position.column > 0;
    let is_behind_mark = on_first && text.mark_len() > 0;
    let column = position.column as usize + 1 - usize::from(is_behind_mark);
    PrintedPosition { line: position.line as usize + 1, column }
}
