//! Reads lines from a rope efficiently, through a window of contiguous bytes that moves over the
//! text.
//!
//! The window contains whole lines only. While it moves, it records the positions of the strings
//! that the rules search for.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use memchr::{memchr2, memrchr2};

use super::rules::{CloserBits, InlineRules, MatchRole};
use crate::never::OrNever;
use crate::text::Text;

/// Size of the first window, which suffices for most reparses.
const FIRST_WINDOW: usize = 4 << 10;
/// Maximum size of windows, which fits into a processor's L1 or L2 cache.
const WINDOW: usize = 64 << 10;

/// A line, in document offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineSpan {
    /// Its first byte.
    pub start: usize,
    /// The start of its line end.
    pub end: usize,
    /// The start of the next line.
    pub next: usize,
}

/// Reads the lines of a text.
pub(super) struct LineReader<'t> {
    text: &'t Text,
    rules: &'t InlineRules,
    end: usize,
    chunks: Box<dyn Iterator<Item = Cow<'t, str>> + 't>,
    /// The window's bytes; the document offset of the first one; the number of bytes in whole
    /// lines.
    window: Vec<u8>,
    base: usize,
    whole: usize,
    /// The offset of the next line in the window.
    at: usize,
    size: usize,
    /// Openers, closers and bars that [`LineReader::take_hits`] has not yet taken, and the offset
    /// up to which they were searched.
    hits: VecDeque<(usize, MatchRole)>,
    searched: usize,
}

impl<'t> LineReader<'t> {
    /// The lines of `range` of `text`, whose start counts as the start of a line.
    pub fn new(text: &'t Text, rules: &'t InlineRules, range: Range<usize>) -> Self {
        let Range { start, end } = range;
        Self {
            text,
            rules,
            end,
            chunks: Box::new(text.chunks(start..end)),
            window: Vec::new(),
            base: start,
            whole: 0,
            at: 0,
            size: FIRST_WINDOW,
            hits: VecDeque::new(),
            searched: start,
        }
    }

    /// The start of the next line.
    pub fn position(&self) -> usize {
        self.base + self.at
    }

    /// Continues at `start`, the start of a line.
    pub fn seek(&mut self, start: usize) {
        if (self.base..=self.base + self.whole).contains(&start) {
            self.at = start - self.base;
            return;
        }
        self.chunks = Box::new(self.text.chunks(start..self.end));
        self.window.clear();
        (self.base, self.whole, self.at) = (start, 0, 0);
    }

    /// The next line; [`LineReader::bytes`] returns its bytes until the next call.
    pub fn next_line(&mut self) -> Option<LineSpan> {
        if self.at >= self.whole && !self.refill() {
            return None;
        }
        let rest = self.window.get(self.at..self.whole).never_none()?;
        let len = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line_end = match (rest.get(len), rest.get(len + 1)) {
            (None, _) => 0,
            (Some(b'\r'), Some(b'\n')) => 2,
            _ => 1,
        };
        let start = self.position();
        self.at += len + line_end;
        Some(LineSpan { start, end: start + len, next: start + len + line_end })
    }

    /// Many whole lines at once: the document offset of the first byte, and all bytes.
    pub fn next_window(&mut self) -> Option<(usize, &[u8])> {
        if self.at >= self.whole && !self.refill() {
            return None;
        }
        let start = self.at;
        self.at = self.whole;
        Some((self.base + start, self.window.get(start..self.whole).never_none()?))
    }

    /// The bytes of the last line read, without its line end.
    pub fn bytes(&self, line: LineSpan) -> &[u8] {
        let range = line.start.wrapping_sub(self.base)..line.end.wrapping_sub(self.base);
        self.window.get(range).or_never()
    }

    /// The text of `range`, whose ends are character boundaries: from the window, if it is still
    /// there.
    pub fn text(&self, range: Range<usize>) -> String {
        let window = range.start.wrapping_sub(self.base)..range.end.wrapping_sub(self.base);
        match self.window.get(window).and_then(|bytes| std::str::from_utf8(bytes).ok()) {
            Some(text) => text.to_owned(),
            None => self.text.slice(range).into_owned(),
        }
    }

    /// True if there is an opener in `start..end`, which was read and not yet taken.
    pub fn has_opener(&self, start: usize, end: usize) -> bool {
        let first = self.first_hit(start);
        self.hits.range(first..).take_while(|(at, _)| *at < end).any(|(_, role)| role.opens)
    }

    /// The known closers and bars at or after `start` for the rules with `bits`, in order.
    pub fn deciders(&self, start: usize, bits: CloserBits) -> impl Iterator<Item = (usize, MatchRole)> {
        self.hits.range(self.first_hit(start)..).copied().filter(move |(_, role)| role.decides() & bits != 0)
    }

    /// The offset up to which openers, closers and bars are known.
    pub fn searched(&self) -> usize {
        self.searched
    }

    /// Takes the closers and bars before `end`. Returns the rules that they decide.
    pub fn take_hits(&mut self, end: usize) -> CloserBits {
        let mut decides = 0;
        while let Some((_, role)) = self.hits.front().filter(|(at, _)| *at < end) {
            decides |= role.decides();
            self.hits.pop_front();
        }
        decides
    }

    fn first_hit(&self, start: usize) -> usize {
        match self.hits.front() {
            Some((at, _)) if *at < start => self.hits.partition_point(|(at, _)| *at < start),
            _ => 0,
        }
    }

    /// Moves the window on. Returns whether it contains a line.
    fn refill(&mut self) -> bool {
        self.window.drain(..self.whole);
        self.base += self.whole;
        (self.whole, self.at) = (0, 0);
        let mut wanted = self.size;
        self.size = (self.size * 2).min(WINDOW);
        loop {
            let before = self.window.len();
            let mut is_end = false;
            while self.window.len() < wanted {
                match self.chunks.next() {
                    Some(chunk) => self.window.extend_from_slice(chunk.as_bytes()),
                    None => {
                        is_end = true;
                        break;
                    }
                }
            }
            self.whole = if is_end { self.window.len() } else { whole_lines(&self.window, before) };
            if self.whole > 0 || is_end {
                break;
            }
            // A line that is longer than the window: no more is read than up to its end.
            wanted = self.window.len() + 1;
        }
        self.note_hits();
        self.whole > 0
    }

    fn note_hits(&mut self) {
        let from = self.searched.max(self.base);
        let Some(new) = self.window.get(from - self.base..self.whole).never_none() else { return };
        let hits = &mut self.hits;
        self.rules.find(new, |at, role| hits.push_back((from + at, role)));
        self.searched = self.base + self.whole;
    }
}

/// Number of bytes in whole lines; the first `known` bytes are part of one line. A `\r` at the end
/// may be the first half of a `\r\n`.
fn whole_lines(bytes: &[u8], known: usize) -> usize {
    if bytes.last() == Some(&b'\n') {
        return bytes.len();
    }
    let sure = bytes.len().saturating_sub(1);
    let from = known.saturating_sub(1).min(sure);
    memrchr2(b'\n', b'\r', bytes.get(from..sure).or_never()).map_or(0, |at| from + at + 1)
}
