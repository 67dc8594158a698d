//! Text without the escapes of strings, however often it is quoted: a search finds the same words
//! in prose, in a JSON string, and in JSON that is a string of other JSON.
//!
//! A run of backslashes counts as one. Before `/`, a quote or the code of a character it counts as
//! none, and also before `_` and `@`, which writers of Markdown escape, unless it separates the
//! folders of a Windows path. So text that is escaped twice reads like text that is not escaped,
//! except for its line ends: they stay `\n`, because in a path the same letters may be a name.

use std::borrow::Cow;
use std::ops::Range;

use crate::never::OrNever;

/// Maximum number of bytes of the name of a folder.
const LONGEST_NAME: usize = 255;

/// A text without escapes, and the map from it to the text that it comes from.
#[derive(Clone, Debug)]
pub struct Unescaped<'t> {
    source: &'t str,
    text: Cow<'t, str>,
    /// The escapes, in order. The text after each follows its end in the source.
    escapes: Vec<Escape>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Escape {
    /// The offset of the escaped character in the text, and its length.
    at: usize,
    len: usize,
    source: usize,
    source_end: usize,
}

impl<'t> Unescaped<'t> {
    /// `source` without its escapes.
    pub fn new(source: &'t str) -> Self {
        let mut escapes = Vec::new();
        let mut text = String::new();
        let (mut copied, mut at) = (0, 0);
        let mut separator = 0..0;
        while let Some(found) = source.get(at..).and_then(|rest| rest.find('\\')) {
            let start = at + found;
            let rest = source.get(start..).or_never();
            let run = rest.bytes().take_while(|byte| *byte == b'\\').count();
            let (mut len, mut meant) = meant_by(rest, run);
            let mark = source.as_bytes().get(start + run).filter(|byte| matches!(byte, b'_' | b'@'));
            match mark.filter(|_| !is_in_path(source, &separator, start, run)) {
                Some(mark) => (len, meant) = (run + 1, char::from(*mark)),
                None if meant == '\\' => separator = start..start + run,
                None => {}
            }
            at = start + len;
            if len == 1 {
                continue;
            }
            text.push_str(source.get(copied..start).or_never());
            escapes.push(Escape { at: text.len(), len: meant.len_utf8(), source: start, source_end: at });
            text.push(meant);
            copied = at;
        }
        if escapes.is_empty() {
            return Self { source, text: Cow::Borrowed(source), escapes };
        }
        text.push_str(source.get(copied..).or_never());
        Self { source, text: Cow::Owned(text), escapes }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The range of the source that `range` of the text comes from.
    pub fn source_range(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.source_of(range.start, false);
        start..self.source_of(range.end, true).max(start)
    }

    /// True if the character at `at` of the text is the letter of an escape, such as `n` in `\n`.
    pub fn begins_in_escape(&self, at: usize) -> bool {
        matches!(self.text.as_bytes().get(at), Some(b'b' | b'f' | b'n' | b'r' | b't' | b'u'))
            && self.is_escaped(at)
    }

    /// True if an odd number of backslashes stands before the character at `at` in the source.
    fn is_escaped(&self, at: usize) -> bool {
        let before = self.source.get(..self.source_of(at, false)).or_never();
        before.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
    }

    fn source_of(&self, at: usize, is_end: bool) -> usize {
        // An end inside of an escape maps to the escape's end, and a start to its start.
        let before = |escape: &Escape| if is_end { escape.at < at } else { escape.at <= at };
        let count = self.escapes.partition_point(before);
        let Some(escape) = count.checked_sub(1).and_then(|last| self.escapes.get(last)) else { return at };
        match at.checked_sub(escape.at + escape.len) {
            Some(behind) => escape.source_end + behind,
            None if is_end => escape.source_end,
            None => escape.source,
        }
    }
}

/// True if a run of `run` backslashes at `at` separates the folders of a Windows path, like the run
/// at `separator` before it. Only names of users have spaces.
fn is_in_path(source: &str, separator: &Range<usize>, at: usize, run: usize) -> bool {
    let name = source.get(separator.end..at).or_never();
    let has_spaces = || source.get(..separator.start).or_never().ends_with("Users");
    separator.len() == run
        && name.len() <= LONGEST_NAME
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-') || c == ' ' && has_spaces())
}

/// The length of the escape at the start of `text`, which begins with `run` backslashes, and the
/// character that it stands for.
fn meant_by(text: &str, run: usize) -> (usize, char) {
    let behind = text.get(run..).or_never();
    match behind.as_bytes().first() {
        Some(b'/') => (run + 1, '/'),
        Some(b'"') => (run + 1, '"'),
        Some(b'u') => {
            let digits = behind.get(1..5).filter(|digits| digits.bytes().all(|it| it.is_ascii_hexdigit()));
            let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            match code.and_then(char::from_u32).filter(|meant| !meant.is_control() && *meant != '\\') {
                Some(meant) => (run + 5, meant),
                None => (run, '\\'),
            }
        }
        _ => (run, '\\'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_of_any_depth_are_undone() {
        let check = |source: &str, expected: &str| {
            let unescaped = Unescaped::new(source);
            assert_eq!(unescaped.text(), expected);
            assert_eq!(unescaped.source_range(&(0..expected.len())), 0..source.len(), "{source}");
        };
        check("plain é", "plain é");
        check(r"C:\a", r"C:\a");
        check(r"C:\\a\\\\b", r"C:\a\b");
        check(r"\/home\\\/bob", "/home/bob");
        check(r#"{\"a\":\\\"b\\\"}"#, r#"{"a":"b"}"#);
        check(r"\u0041K\\u0049A\u00e9\u", r"AKIAé\u");
        check(r"\_a\@b.c\_ \na\\_b\\@c", r"_a@b.c_ \na_b@c");
        check(r"C:\Users\J. Doe\_a\_b D:\\a\\_b", r"C:\Users\J. Doe\_a\_b D:\a\_b");
        check(r"a\nb\\nc\u000a\", "a\\nb\\nc\\u000a\\");
    }

    #[test]
    fn ranges_cover_whole_escapes() {
        let unescaped = Unescaped::new(r"x\/h\u006fme\\a\nb");
        assert_eq!(unescaped.text(), r"x/home\a\nb");
        let check = |text: &str, expected: &str| {
            let start = unescaped.text().find(text).unwrap();
            let range = unescaped.source_range(&(start..start + text.len()));
            assert_eq!(&unescaped.source[range], expected);
        };
        check("/home", r"\/h\u006fme");
        check("ome", r"\u006fme");
        check("ho", r"h\u006f");
        check("a", "a");
        check("b", "b");
        let escaped: Vec<_> = (0..unescaped.text().len()).filter(|at| unescaped.is_escaped(*at)).collect();
        assert_eq!(escaped, [9], "the letter of the line end");
    }
}
