//! A text that stays in its file: parts are read whenever they are needed.
//!
//! A command that reads a long log needs each line for a moment. Of the text only the numbers of
//! its lines are stored, one for each piece of several kilobytes.

use std::borrow::Cow;
use std::fmt::Debug;
use std::io;
use std::ops::Range;
use std::panic::RefUnwindSafe;
use std::sync::{Arc, OnceLock};

use ropey::Rope;

use crate::never::OrNever;

/// Number of pieces that are read at once.
const PIECES_AT_ONCE: usize = 8;
/// Maximum length of the rest of a character.
const REST: usize = 3;

/// The origin of a text's bytes, such as a file. Implemented outside of this module, which does no
/// IO.
pub trait TextSource: Debug + Send + Sync + RefUnwindSafe {
    /// Fills `to` with the bytes at `offset`, all of which existed when the text was first read.
    ///
    /// # Errors
    ///
    /// If the bytes cannot be read, or no longer exist.
    fn read_at(&self, offset: usize, to: &mut [u8]) -> io::Result<()>;

    /// True if all that was read is part of one text, as far as is known.
    fn is_intact(&self) -> bool;
}

/// A text in a source. A part that can no longer be read consists of spaces.
#[derive(Debug)]
pub(super) struct SourceText {
    source: Arc<dyn TextSource>,
    len: usize,
    /// Number of bytes of a piece.
    piece: usize,
    /// The number of line ends before each piece, and in the whole text.
    line_ends: Vec<usize>,
    /// The text as a rope, for edits, created by the first one; clones share it.
    rope: OnceLock<Rope>,
}

impl SourceText {
    /// The text of `len` bytes in `source`, which is read once; a piece has `piece` bytes.
    ///
    /// # Errors
    ///
    /// The errors of `source`, and [`InvalidData`](io::ErrorKind::InvalidData) if the text is not
    /// UTF-8.
    pub(super) fn new(source: Arc<dyn TextSource>, len: usize, piece: usize) -> io::Result<Self> {
        let (mut line_ends, mut count) = (Vec::with_capacity(len / piece + 2), 0);
        let mut valid_to = 0;
        let mut bytes = Vec::new();
        for start in (0..len).step_by(piece * PIECES_AT_ONCE) {
            let end = (start + piece * PIECES_AT_ONCE).min(len);
            bytes.resize((end + REST).min(len) - start, 0);
            source.read_at(start, &mut bytes)?;
            valid_to += match std::str::from_utf8(bytes.get(valid_to - start..).or_never()) {
                Ok(valid) => valid.len(),
                // The rest of a character follows.
                Err(error) if error.error_len().is_none() && end < len => error.valid_up_to(),
                Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
            };
            for from in (0..end - start).step_by(piece) {
                line_ends.push(count);
                count += line_ends_in(&bytes, from..(from + piece).min(end - start)).count();
            }
        }
        line_ends.push(count);
        Ok(Self { source, len, piece, line_ends, rope: OnceLock::new() })
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_intact(&self) -> bool {
        self.source.is_intact()
    }

    pub(super) fn rope(&self) -> &Rope {
        self.rope.get_or_init(|| Rope::from_str(&self.slice(0..self.len)))
    }

    pub(super) fn line_count(&self) -> usize {
        self.line_ends.last().copied().or_never() + 1
    }

    /// The line of the byte `offset`, which is at most the length.
    pub(super) fn line_of_byte(&self, offset: usize) -> usize {
        let piece = offset / self.piece;
        let start = piece * self.piece;
        let bytes = self.bytes(start..(offset + 1).min(self.len));
        self.line_ends.get(piece).copied().or_never() + line_ends_in(&bytes, 0..offset - start).count()
    }

    /// The first byte of `line`; the text's length for lines past the end.
    pub(super) fn byte_of_line(&self, line: usize) -> usize {
        let Some(piece) = self.line_ends.partition_point(|before| *before < line).checked_sub(1) else {
            return 0;
        };
        let (start, end) = (piece * self.piece, ((piece + 1) * self.piece).min(self.len));
        let before = self.line_ends.get(piece).copied().or_never();
        if start >= end {
            return self.len;
        }
        let bytes = self.bytes(start..(end + 1).min(self.len));
        let found = line_ends_in(&bytes, 0..end - start).nth(line - before - 1);
        found.map_or(self.len, |at| start + at + 1)
    }

    pub(super) fn byte(&self, offset: usize) -> Option<u8> {
        let mut byte = [0];
        (offset < self.len).then(|| self.read(offset, &mut byte)).map(|()| byte[0])
    }

    /// The greatest character boundary at or before `offset`.
    pub(super) fn floor_boundary(&self, offset: usize) -> usize {
        if offset >= self.len {
            return self.len;
        }
        let start = offset.saturating_sub(REST);
        let mut bytes = [0; REST + 1];
        let bytes = bytes.get_mut(..=offset - start).or_never();
        self.read(start, bytes);
        let is_boundary = |byte: &u8| byte & 0xC0 != 0x80;
        bytes.iter().rposition(is_boundary).map_or(offset, |at| start + at)
    }

    /// A piece with the byte at `offset`, its own offset and line.
    pub(super) fn piece_at(&self, offset: usize) -> (Cow<'_, str>, usize, usize) {
        let from = self.floor_boundary(offset - offset % self.piece);
        (self.slice(from..offset + self.piece + REST).into(), from, self.line_of_byte(from))
    }

    /// The text of `range` in pieces, each twice as long as the previous one, up to a limit: many
    /// callers only need the beginning of a long range.
    pub(super) fn chunks(&self, range: Range<usize>) -> impl Iterator<Item = Cow<'_, str>> {
        let Range { mut start, end } = range;
        let mut size = (self.piece / PIECES_AT_ONCE).max(REST + 1);
        std::iter::from_fn(move || {
            let piece = self.slice(start..end.min(start + size));
            start = self.floor_boundary(start) + piece.len();
            size = (2 * size).min(self.piece * PIECES_AT_ONCE);
            (!piece.is_empty()).then_some(Cow::Owned(piece))
        })
    }

    /// The part of `range` that lies in the text; ends inside of a character move back.
    pub(super) fn slice(&self, range: Range<usize>) -> String {
        let start = self.floor_boundary(range.start);
        let range = start..self.floor_boundary(range.end).max(start);
        let len = range.len();
        String::from_utf8(self.bytes(range)).unwrap_or_else(|_| " ".repeat(len))
    }

    fn bytes(&self, range: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; range.len()];
        self.read(range.start, &mut bytes);
        bytes
    }

    fn read(&self, offset: usize, to: &mut [u8]) {
        if self.source.read_at(offset, to).is_err() {
            to.fill(b' ');
        }
    }
}

/// The line ends in `range` of `bytes`; the `\r` of a `\r\n` is not counted.
fn line_ends_in(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    let start = range.start;
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes.get(range).or_never()).map(move |at| start + at);
    ends.filter(|at| bytes.get(*at) == Some(&b'\n') || bytes.get(at + 1) != Some(&b'\n'))
}
