//! The lines of a log: only their extents are of interest, so no line is held, however long.

use std::borrow::Cow;

use memchr::memchr2;

use super::super::reader::LineSpan;
use crate::never::OrNever;
use crate::text::Text;

const MARK: &[u8] = b"\xef\xbb\xbf";
/// Number of bytes of a line after which its end is looked up.
const LONG: usize = 16 << 10;

/// The lines of a text, each with whether it is blank.
pub(in crate::syntax) struct LogLines<'t> {
    text: &'t Text,
    chunks: Box<dyn Iterator<Item = Cow<'t, str>> + 't>,
    /// The chunk that is being read, and the offset of the next byte in it.
    chunk: Cow<'t, str>,
    at: usize,
    /// The document offset of the next byte.
    offset: usize,
}

impl<'t> LogLines<'t> {
    /// The lines of `text` from `start` on, the start of a line.
    pub fn new(text: &'t Text, start: usize) -> Self {
        Self {
            text,
            chunks: Box::new(text.chunks(start..text.len())),
            chunk: "".into(),
            at: 0,
            offset: start,
        }
    }

    /// The document offset after the last line.
    pub fn position(&self) -> usize {
        self.offset
    }

    /// The next bytes, if there are any.
    fn rest(&mut self) -> Option<&[u8]> {
        while self.at >= self.chunk.len() {
            self.chunk = self.chunks.next()?;
            self.at = 0;
        }
        self.chunk.as_bytes().get(self.at..)
    }

    fn pass(&mut self, bytes: usize) {
        self.at += bytes;
        self.offset += bytes;
    }
}

impl Iterator for LogLines<'_> {
    type Item = (LineSpan, bool);

    fn next(&mut self) -> Option<Self::Item> {
        let (start, mut is_blank) = (self.offset, true);
        if start == 0 && self.rest()?.starts_with(MARK) {
            self.pass(MARK.len());
        }
        let mut line_end = None;
        while line_end.is_none() {
            let Some(rest) = self.rest() else { break };
            let len = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            line_end = rest.get(len).copied();
            is_blank = is_blank && rest.get(..len).or_never().iter().all(|byte| matches!(byte, b' ' | b'\t'));
            self.pass(len);
            if self.offset - start > LONG
                && line_end.is_none()
                && !is_blank
                && let Some((end, next)) = self.text.known_line_end(self.offset)
            {
                *self = Self::new(self.text, next);
                return Some((LineSpan { start, end, next }, false));
            }
        }
        let end = self.offset;
        if line_end.is_some() {
            self.pass(1);
        }
        if line_end == Some(b'\r') && self.rest().is_some_and(|rest| rest.first() == Some(&b'\n')) {
            self.pass(1);
        }
        (self.offset > start).then_some((LineSpan { start, end, next: self.offset }, is_blank))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tests::of_source;

    #[test]
    fn lines_do_not_depend_on_chunks() {
        let text = "\u{feff}{\"a\": 1}\r\n \t\n\r{é}\r\r\nb\n\n";
        let expected = [(0, 11, 13, false), (13, 15, 16, true), (16, 16, 17, true), (17, 21, 22, false)];
        let expected =
            [&expected[..], &[(22, 22, 24, true), (24, 25, 26, false), (26, 26, 27, true)]].concat();
        for piece in 1..20 {
            let text = of_source(text.as_bytes(), piece).unwrap();
            let lines =
                LogLines::new(&text, 0).map(|(line, is_blank)| (line.start, line.end, line.next, is_blank));
            assert_eq!(lines.collect::<Vec<_>>(), expected, "{piece}");
        }
        for end in ["", "\n", "\r", "\r\n"] {
            let long = format!("{}{end}b", "a ".repeat(LONG));
            let lines = |text: Text| {
                let mut lines = LogLines::new(&text, 0);
                let found: Vec<_> =
                    lines.by_ref().map(|(line, is_blank)| (line.end, line.next, is_blank)).collect();
                (found, lines.position())
            };
            assert_eq!(lines(Text::new(&long)), lines(of_source(long.as_bytes(), 10).unwrap()), "{end:?}");
        }
        let text = Text::new("a\n\u{feff}");
        assert_eq!(
            LogLines::new(&text, 2).next().map(|(line, is_blank)| (line.end, is_blank)),
            Some((5, false))
        );
    }
}
