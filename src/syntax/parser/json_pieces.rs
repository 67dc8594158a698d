//! Cuts a JSON document into segments of a few kilobytes.
//!
//! A segment begins at a token that follows a comma outside of strings. It needs no scanner state,
//! because a string ends with its line at the latest. Brackets are only counted; the tree finds
//! their counterparts by its sums.

use memchr::{memchr, memchr3};

use super::{LineCounter, StopCondition};
use crate::syntax::container::ScannerState;
use crate::syntax::segment::{Attachment, Brackets, Segment, SegmentKind};
use crate::syntax::sum_tree::{Builder, SumTree};
use crate::text::{Span, Text, saturate};

/// Parses `text` from `start`, the start of a segment, to the point at which `stop` holds, or the
/// end. Objects and arrays begin a new segment after `size` bytes.
pub(super) fn parse<A: Attachment>(
    text: &Text,
    size: usize,
    start: usize,
    stop: &mut impl StopCondition,
) -> SumTree<Segment<A>> {
    let lines = LineCounter::new(text);
    let mut cutter =
        Cutter { size, start, lines, brackets: Brackets::default(), segments: Builder::default() };
    let mut scanner = Scanner::default();
    let mut base = start;
    for chunk in text.chunks(start..text.len()) {
        if scanner.scan(chunk.as_bytes(), base, &mut cutter, stop) {
            return cutter.segments.finish();
        }
        base += chunk.len();
    }
    cutter.cut(base);
    cutter.segments.finish()
}

/// The state between two bytes.
#[derive(Default)]
struct Scanner {
    in_string: bool,
    /// True if the last byte is a `\` in a string.
    is_escaped: bool,
    /// True if the last token is a comma.
    is_behind_comma: bool,
}

impl Scanner {
    /// Scans `bytes`, whose document offset is `base`. Returns whether `stop` held.
    fn scan<A: Attachment>(
        &mut self,
        bytes: &[u8],
        base: usize,
        cutter: &mut Cutter<'_, A>,
        stop: &mut impl StopCondition,
    ) -> bool {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.in_string {
                at = self.skip_string(bytes, at);
                continue;
            }
            if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                at += 1;
                continue;
            }
            if std::mem::take(&mut self.is_behind_comma) && cutter.begins(base + at, byte, stop) {
                return true;
            }
            match byte {
                b'"' => self.in_string = true,
                b',' => self.is_behind_comma = true,
                b'{' | b'[' => cutter.brackets.opens += 1,
                b'}' | b']' => cutter.brackets.add(Brackets { closes: 1, opens: 0 }),
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// Skips bytes of a string. Returns the offset of the first byte that is not known.
    fn skip_string(&mut self, bytes: &[u8], at: usize) -> usize {
        if std::mem::take(&mut self.is_escaped) && !matches!(bytes.get(at), Some(b'\n' | b'\r')) {
            return at + 1;
        }
        let end = at + plain_len(bytes.get(at..).unwrap_or_default());
        match bytes.get(end) {
            Some(b'\\') => self.is_escaped = true,
            Some(b'"' | b'\n' | b'\r') => self.in_string = false,
            _ => {}
        }
        end + 1
    }
}

/// The number of bytes before a quote, a `\`, a line end or the end.
fn plain_len(bytes: &[u8]) -> usize {
    let end = memchr3(b'"', b'\\', b'\n', bytes).unwrap_or(bytes.len());
    memchr(b'\r', bytes.get(..end).unwrap_or_default()).unwrap_or(end)
}

struct Cutter<'t, A: Attachment> {
    /// Objects and arrays begin a new segment after this many bytes, any other token after a comma
    /// after twice as many. A cut of an older tree is preserved after half of them.
    size: usize,
    /// The start of the open segment, and its brackets so far.
    start: usize,
    brackets: Brackets,
    lines: LineCounter<'t>,
    segments: Builder<Segment<A>>,
}

impl<A: Attachment> Cutter<'_, A> {
    /// Handles the token after a comma, which begins with `byte` at `at`. Returns whether the
    /// segments from here on are known.
    fn begins(&mut self, at: usize, byte: u8, stop: &mut impl StopCondition) -> bool {
        let len = at - self.start;
        let is_known = len >= self.size / 2 && stop.stops_at(at, &ScannerState::default());
        let is_container = matches!(byte, b'{' | b'[');
        if is_known || (is_container && len >= self.size) || len >= 2 * self.size {
            self.cut(at);
        }
        is_known
    }

    fn cut(&mut self, end: usize) {
        if end > self.start {
            let len = Span::new(self.start, end).len();
            let len = saturate(len);
            let kind = SegmentKind::Json(std::mem::take(&mut self.brackets));
            let lines = self.lines.pass(self.start..end);
            self.segments.push(Segment::plain(len, lines, kind, A::default()));
        }
        self.start = end;
    }
}
