//! Splits JSON text into the contents of its strings, and the text between them.

use std::ops::Range;

/// The kind of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// Text that is not JSON.
    Text,
    /// The content of a string.
    String,
    /// A number.
    Number,
}

/// Passes the pieces of `text` to `visit`; it may consist of JSON values or lines. A string ends
/// with its line. Brackets and literals are no pieces.
pub(super) fn for_each_piece(text: &str, visit: &mut impl FnMut(Range<usize>, PieceKind)) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let record = record_of(content);
        let from = start + content.len() - record.len();
        pieces_of_line(record, from, visit);
        start += line.len();
    }
}

/// The JSON of a line of a log: without the field of an event.
pub(super) fn record_of(line: &str) -> &str {
    line.strip_prefix("data:").unwrap_or(line)
}

fn pieces_of_line(line: &str, offset: usize, visit: &mut impl FnMut(Range<usize>, PieceKind)) {
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(opening) = rest.find('"') else {
            between(rest, offset + at, visit);
            return;
        };
        between(rest.get(..opening).unwrap_or_default(), offset + at, visit);
        let start = at + opening + 1;
        let content = line.get(start..).unwrap_or_default();
        let len = string_len(content.as_bytes());
        visit(offset + start..offset + start + len, PieceKind::String);
        at = (start + len + 1).min(line.len());
    }
}

/// The length of the string that `text` begins with, up to its closing quote.
fn string_len(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match text.get(at) {
            None | Some(b'"') => return at.min(text.len()),
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
        }
    }
}

/// Visits the text between strings: numbers, or all of it if it is not JSON.
fn between(text: &str, offset: usize, visit: &mut impl FnMut(Range<usize>, PieceKind)) {
    let is_structure = |c: char| matches!(c, '{' | '}' | '[' | ']' | ',' | ':' | ' ' | '\t');
    if text.chars().all(is_structure) {
        return;
    }
    let words = || text.split(is_structure).filter(|word| !word.is_empty());
    let is_scalar = |word: &str| matches!(word, "true" | "false" | "null") || is_number(word);
    if !words().all(is_scalar) {
        visit(offset..offset + text.len(), PieceKind::Text);
        return;
    }
    for word in words().filter(|word| is_number(word)) {
        let start = offset + (word.as_ptr().addr() - text.as_ptr().addr());
        visit(start..start + word.len(), PieceKind::Number);
    }
}

/// True if `word` has the characters of a number.
pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_and_numbers_are_parts() {
        let check = |text: &str, expected: &[(&str, PieceKind)]| {
            let mut found = Vec::new();
            for_each_piece(text, &mut |range, kind| found.push((&text[range], kind)));
            assert_eq!(found, expected, "{text}");
        };
        use PieceKind::{Number, String, Text};
        check(
            r#"{"a\"b": [1, -2.5e3, true, null, "c"]}"#,
            &[(r#"a\"b"#, String), ("1", Number), ("-2.5e3", Number), ("c", String)],
        );
        check(
            "data: {\"a\":\"b\"}\nevent: x\n: y",
            &[("a", String), ("b", String), ("event: x", Text), (": y", Text)],
        );
        check("{\"a\": \"b\\\nc\"}", &[("a", String), ("b\\", String), ("c", Text), ("}", String)]);
    }
}
