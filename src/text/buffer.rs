//! The text of one document, with exactly LSP's line ends: a rope, or before the first edit one
//! string or a source.

use std::borrow::Cow;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use ropey::Rope;

use super::source::{SourceText, TextSource};
use super::splice::Splice;
use super::whole::WholeText;
use crate::never::never;
use TextStorage::{Rope as Edited, Source, Whole};

/// Number of bytes that are read from a file at once.
const READ_AT_ONCE: u64 = 256 << 10;
/// Longer ranges are read from one piece of storage to the next; others by descending to each.
const LONG: usize = 4 << 10;

/// A document's text, stored byte for byte. Lines end with `\n`, `\r\n` or `\r`, as in LSP 3.17;
/// clones share the storage.
#[derive(Clone, Debug)]
pub struct Text {
    storage: TextStorage,
}

#[derive(Clone, Debug)]
enum TextStorage {
    Rope(Rope),
    Whole(Arc<WholeText>),
    Source(Arc<SourceText>),
}

/// The mark that some programs write before a text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

impl Text {
    /// Creates a text that is cheap to edit.
    pub fn new(text: &str) -> Self {
        Self { storage: Edited(Rope::from_str(text)) }
    }

    /// Reads the text from `reader`, without a second copy. It is cheap to read; the first edit of
    /// it and of its clones takes time linear in its length.
    ///
    /// # Errors
    ///
    /// The errors of `reader`, and [`InvalidData`](io::ErrorKind::InvalidData) if the text is not
    /// UTF-8.
    pub fn read(mut reader: impl io::Read) -> io::Result<Self> {
        let (mut text, mut bytes) = (String::new(), Vec::new());
        loop {
            let count = reader.by_ref().take(READ_AT_ONCE).read_to_end(&mut bytes)?;
            let valid = match std::str::from_utf8(&bytes) {
                Ok(valid) => valid,
                // The rest of a character may follow.
                Err(error) if error.error_len().is_none() && count > 0 => {
                    let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                    std::str::from_utf8(valid).unwrap_or_default()
                }
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            };
            text.push_str(valid);
            let valid = valid.len();
            bytes.drain(..valid);
            if count == 0 {
                return Ok(Self { storage: Whole(Arc::new(WholeText::new(text))) });
            }
        }
    }

    /// The text of `len` bytes in `source`, which is read once now, and in parts whenever they are
    /// needed; `piece` is the number of bytes that are searched for a line. Like a text from
    /// [`Text::read`], it is cheap to read but not to edit.
    ///
    /// # Errors
    ///
    /// The errors of `source`, and [`InvalidData`](io::ErrorKind::InvalidData) if the text is not
    /// UTF-8.
    pub fn of_source(source: Arc<dyn TextSource>, len: usize, piece: usize) -> io::Result<Self> {
        Ok(Self { storage: Source(Arc::new(SourceText::new(source, len, piece)?)) })
    }

    /// True if the text is in a source, which its parts are read from.
    pub fn is_in_source(&self) -> bool {
        matches!(self.storage, Source(_))
    }

    /// False if the text is in a source that was changed while it was read: its parts may not fit
    /// together.
    pub fn is_intact(&self) -> bool {
        match &self.storage {
            Edited(_) | Whole(_) => true,
            Source(source) => source.is_intact(),
        }
    }

    /// Its length in bytes.
    pub fn len(&self) -> usize {
        match &self.storage {
            Edited(rope) => rope.len_bytes(),
            Whole(whole) => whole.as_str().len(),
            Source(source) => source.len(),
        }
    }

    /// The number of bytes of the byte order mark at its start, which is no part of the content.
    pub fn mark_len(&self) -> usize {
        let len = BYTE_ORDER_MARK.len();
        if self.slice(0..self.len().min(len)) == BYTE_ORDER_MARK { len } else { 0 }
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of lines: one more than the number of line ends.
    pub fn line_count(&self) -> usize {
        match &self.storage {
            Edited(rope) => rope.len_lines(),
            Whole(whole) => whole.lines().len(),
            Source(source) => source.line_count(),
        }
    }

    /// The line (from 0) of the byte `offset`; the last one for offsets past the end. An offset
    /// between the `\r` and `\n` of a line end belongs to the line that they end.
    pub fn line_of_byte(&self, offset: usize) -> usize {
        let offset = offset.min(self.len());
        match &self.storage {
            Edited(rope) => rope.byte_to_line(offset),
            Whole(whole) => whole.line_of_byte(offset),
            Source(source) => source.line_of_byte(offset),
        }
    }

    /// The first byte of `line`; the text's length for lines past the end.
    pub fn byte_of_line(&self, line: usize) -> usize {
        match &self.storage {
            Edited(rope) => rope.line_to_byte(line.min(self.line_count())),
            Whole(whole) => whole.lines().get(line).copied().unwrap_or(self.len()),
            Source(source) => source.byte_of_line(line),
        }
    }

    /// The bytes of `line` without its line end; empty at the text's end for lines past the end.
    pub fn line_content(&self, line: usize) -> Range<usize> {
        if line >= self.line_count() {
            return self.len()..self.len();
        }
        let start = self.byte_of_line(line);
        let mut end = self.byte_of_line(line + 1);
        if end > start && self.byte(end - 1) == Some(b'\n') {
            end -= 1;
            if end > start && self.byte(end - 1) == Some(b'\r') {
                end -= 1;
            }
        } else if end > start && self.byte(end - 1) == Some(b'\r') {
            end -= 1;
        }
        start..end
    }

    /// The end of the line of the byte `offset`, without its line end, and the start of the next
    /// line; `None` if the line must be read for that.
    pub fn known_line_end(&self, offset: usize) -> Option<(usize, usize)> {
        let Edited(rope) = &self.storage else { return None };
        let line = rope.byte_to_line(offset);
        Some((self.line_content(line).end, self.byte_of_line(line + 1)))
    }

    /// The byte at `offset`, if there is one.
    pub fn byte(&self, offset: usize) -> Option<u8> {
        match &self.storage {
            Edited(rope) => rope.get_byte(offset),
            Whole(whole) => whole.as_str().as_bytes().get(offset).copied(),
            Source(source) => source.byte(offset),
        }
    }

    /// The text of `range`, borrowed if it lies in one piece of storage. The range must lie in the
    /// text; ends inside of a character move back to the next boundary.
    #[track_caller]
    pub fn slice(&self, range: Range<usize>) -> Cow<'_, str> {
        never!(range.start > range.end || range.end > self.len(), "a range of text is out of bounds");
        let rope = match &self.storage {
            Edited(rope) => rope,
            Whole(whole) => return Cow::Borrowed(whole.slice(range)),
            Source(source) => return Cow::Owned(source.slice(range)),
        };
        let end = range.end.min(self.len());
        let mut pieces = chunks_of(rope, range.start.min(end), end);
        let first = pieces.next().unwrap_or_default();
        match pieces.next() {
            None => Cow::Borrowed(first),
            Some(second) => {
                let mut text = String::with_capacity(range.len());
                text.push_str(first);
                text.push_str(second);
                text.extend(pieces);
                Cow::Owned(text)
            }
        }
    }

    /// The pieces of storage of `range`, in order; each contains whole characters, a line may span
    /// many pieces and a `\r\n` two. Ends are rounded as in [`Text::slice`].
    #[track_caller]
    pub fn chunks(&self, range: Range<usize>) -> impl Iterator<Item = Cow<'_, str>> {
        never!(range.start > range.end || range.end > self.len(), "a range of text is out of bounds");
        let end = range.end.min(self.len());
        let start = range.start.min(end);
        let (rope, whole, source) = match &self.storage {
            Edited(rope) => (Some(chunks_of(rope, start, end)), None, None),
            Whole(whole) => (None, Some(whole.chunks(start..end)), None),
            Source(source) => (None, None, Some(source.chunks(start..end))),
        };
        let borrowed = rope.into_iter().flatten().chain(whole.into_iter().flatten());
        borrowed.map(Cow::Borrowed).chain(source.into_iter().flatten())
    }

    /// The piece of storage that contains the byte at `offset`, its document offset, and the line
    /// of its start; the last piece for the text's end.
    pub(super) fn piece_at(&self, offset: usize) -> (Cow<'_, str>, usize, usize) {
        let offset = offset.min(self.len());
        match &self.storage {
            Edited(rope) => {
                let (chunk, start, _, line) = rope.chunk_at_byte(offset);
                (chunk.into(), start, line)
            }
            Whole(whole) => whole.piece_at(offset),
            Source(source) => source.piece_at(offset),
        }
    }

    /// The greatest character boundary at or before `offset`.
    pub fn floor_boundary(&self, offset: usize) -> usize {
        if offset >= self.len() {
            return self.len();
        }
        match &self.storage {
            Edited(rope) => {
                let (chunk, start, _, _) = rope.chunk_at_byte(offset);
                start + chunk.floor_char_boundary(offset - start)
            }
            Whole(whole) => whole.as_str().floor_char_boundary(offset),
            Source(source) => source.floor_boundary(offset),
        }
    }

    /// Replaces `splice.removed` bytes at `splice.start` by `inserted`, whose length is
    /// `splice.inserted`. The splice must lie on character boundaries inside of the text, as
    /// [`TextChange::to_splice`](super::TextChange::to_splice) ensures.
    pub fn apply(&mut self, splice: Splice, inserted: &str) {
        debug_assert_eq!(splice.inserted, inserted.len());
        let mut rope = match &mut self.storage {
            Edited(rope) => std::mem::take(rope),
            Whole(whole) => whole.rope().clone(),
            Source(source) => source.rope().clone(),
        };
        let start = rope.byte_to_char(splice.start);
        if splice.removed > 0 {
            let end = rope.byte_to_char(splice.start + splice.removed);
            rope.remove(start..end);
        }
        rope.insert(start, inserted);
        self.storage = Edited(rope);
    }

    /// The number of UTF-16 code units in `range` of bytes.
    pub(super) fn utf16_len(&self, range: Range<usize>) -> usize {
        match &self.storage {
            Edited(rope) => rope.byte_slice(self.floor_range(range)).len_utf16_cu(),
            Whole(_) | Source(_) => self.slice(range).chars().map(char::len_utf16).sum(),
        }
    }

    /// The number of Unicode scalar values in `range` of bytes.
    pub fn char_len(&self, range: Range<usize>) -> usize {
        match &self.storage {
            Edited(rope) => rope.byte_slice(self.floor_range(range)).len_chars(),
            Whole(_) | Source(_) => self.slice(range).chars().count(),
        }
    }

    /// The byte that is `units` UTF-16 code units after `start`, which must be on a boundary;
    /// inside of a surrogate pair the start of its character.
    pub(super) fn byte_after_utf16(&self, start: usize, end: usize, units: usize) -> usize {
        match &self.storage {
            Edited(rope) => {
                let slice = rope.byte_slice(start..end);
                if units >= slice.len_utf16_cu() {
                    return end;
                }
                start + slice.char_to_byte(slice.utf16_cu_to_char(units))
            }
            Whole(_) | Source(_) => {
                let mut passed = 0;
                let text = self.slice(start..end);
                let found = text.char_indices().find(|(_, character)| {
                    passed += character.len_utf16();
                    passed > units
                });
                found.map_or(end, |(at, _)| start + at)
            }
        }
    }

    /// The byte that is `chars` characters after `start`, at most `end`.
    pub(super) fn byte_after_chars(&self, start: usize, end: usize, chars: usize) -> usize {
        match &self.storage {
            Edited(rope) => {
                let slice = rope.byte_slice(start..end);
                start + slice.char_to_byte(chars.min(slice.len_chars()))
            }
            Whole(_) | Source(_) => {
                self.slice(start..end).char_indices().nth(chars).map_or(end, |(at, _)| start + at)
            }
        }
    }

    fn floor_range(&self, range: Range<usize>) -> Range<usize> {
        let start = self.floor_boundary(range.start);
        start..self.floor_boundary(range.end).max(start)
    }
}

/// The pieces of `rope` between two bytes; ends inside of a character move back.
fn chunks_of(rope: &Rope, start: usize, end: usize) -> impl Iterator<Item = &str> {
    // Descending by bytes alone costs a fraction of a slice of the rope, which also counts
    // characters and lines.
    let mut at = start;
    let mut walk = (end - at > LONG).then(|| {
        let (chunks, start, _, _) = rope.chunks_at_byte(at);
        (chunks, start)
    });
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let (chunk, start) = match &mut walk {
            Some((chunks, next)) => {
                let (chunk, start) = (chunks.next()?, *next);
                *next += chunk.len();
                (chunk, start)
            }
            None => {
                let (chunk, start, _, _) = rope.chunk_at_byte(at);
                (chunk, start)
            }
        };
        let from = chunk.floor_char_boundary(at - start);
        let to = chunk.floor_char_boundary(end - start);
        at = start + chunk.len();
        chunk.get(from..to.max(from))
    })
}

impl Default for Text {
    fn default() -> Self {
        Self { storage: Edited(Rope::default()) }
    }
}

/// Texts of the same bytes are equal, however they are stored.
impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        match (&self.storage, &other.storage) {
            (Edited(one), Edited(other)) => one == other,
            (Whole(one), Whole(other)) => one.as_str() == other.as_str(),
            (Edited(rope), Whole(whole)) | (Whole(whole), Edited(rope)) => rope == whole.as_str(),
            (Source(_), _) | (_, Source(_)) => {
                self.len() == other.len() && self.to_string() == other.to_string()
            }
        }
    }
}

impl Eq for Text {}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.chunks(0..self.len()).try_for_each(|chunk| f.write_str(&chunk))
    }
}
