//! Locations in a registry's text: JSON paths and syntax errors as byte ranges.
//!
//! Paths are resolved only for diagnostics, so that reading a valid registry takes one pass. Each
//! value is parsed at most once, so that an invalid one takes a few.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::value::RawValue;

pub(super) use crate::schema::ValueStep;

use crate::never::OrNever;

/// Resolves paths in valid JSON text; results are cached.
pub(super) struct JsonLocator<'t> {
    text: &'t str,
    root: Option<&'t RawValue>,
    /// The members of the values examined so far, by path.
    known: HashMap<Vec<ValueStep>, HashMap<ValueStep, &'t RawValue>>,
}

impl<'t> JsonLocator<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, root: serde_json::from_str(text).ok(), known: HashMap::new() }
    }

    /// The byte range of the value at `path`: a whole scalar, but only the opening bracket of an
    /// object or array. If `path` does not exist, the range of the last value on it that exists.
    pub fn locate(&mut self, path: &[ValueStep]) -> Range<usize> {
        let Some(mut raw) = self.root else {
            return 0..0;
        };
        for (depth, step) in path.iter().enumerate() {
            let above = path.get(..depth).or_never();
            if !self.known.contains_key(above) {
                self.known.insert(above.to_vec(), members(raw));
            }
            match self.known.get(above).and_then(|members| members.get(step)) {
                Some(next) => raw = next,
                None => break,
            }
        }
        // `raw` borrows from the text, so the difference of their addresses is its offset.
        let start = (raw.get().as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let len = if raw.get().starts_with(['{', '[']) { 1 } else { raw.get().len() };
        start..start + len
    }
}

/// The members of an object or array; empty for a scalar.
fn members(raw: &RawValue) -> HashMap<ValueStep, &RawValue> {
    if let Ok(entries) = serde_json::from_str::<HashMap<String, &RawValue>>(raw.get()) {
        return entries.into_iter().map(|(key, value)| (ValueStep::Key(key), value)).collect();
    }
    let items = serde_json::from_str::<Vec<&RawValue>>(raw.get()).unwrap_or_default();
    items.into_iter().enumerate().map(|(index, value)| (ValueStep::Index(index), value)).collect()
}

/// The range of the character of `text` that `error` refers to (empty at the text's end), and its
/// message without the position.
pub(super) fn syntax_error(text: &str, error: &serde_json::Error) -> (Range<usize>, String) {
    let message = error.to_string();
    let message = message.split_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
    // serde_json counts lines from 1, ends them with `\n` alone, and counts columns in bytes from
    // 1, with 0 for the line end before the line.
    let line = error.line().saturating_sub(1);
    let line_start = match line {
        0 => 0,
        _ => memchr::memchr_iter(b'\n', text.as_bytes()).nth(line - 1).map_or(text.len(), |end| end + 1),
    };
    let start = (line_start + error.column().saturating_sub(1)).min(text.len());
    let start = (0..=start).rev().find(|offset| text.is_char_boundary(*offset)).unwrap_or(0);
    if error.is_eof() {
        return (text.len()..text.len(), message);
    }
    let len = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    (start..start + len, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, path: &[ValueStep], expected: &str) {
        let range = JsonLocator::new(text).locate(path);
        assert_eq!(&text[range], expected);
    }

    #[test]
    fn path_is_located_at_its_value() {
        let text = r#" {"tools": [ {"name": "ü"}, {"name": 7} ], "a/b": null}"#;
        let path = [ValueStep::Key("tools".into()), ValueStep::Index(1), ValueStep::Key("name".into())];
        check(text, &path, "7");
        check(text, &path[..2], "{");
        assert_eq!(JsonLocator::new(text).locate(&path[..2]).start, text.rfind('{').unwrap());
        check(text, &[ValueStep::Key("a/b".into())], "null");
        check(text, &[ValueStep::Key("tools".into()), ValueStep::Index(9)], "[");
        check(text, &[], "{");
    }

    #[track_caller]
    fn check_syntax(text: &str, expected: &str) {
        let error = serde_json::from_str::<serde_json::Value>(text).unwrap_err();
        let (range, message) = syntax_error(text, &error);
        let located =
            format!("{}|{}|{}: {message}", &text[..range.start], &text[range.clone()], &text[range.end..]);
        assert_eq!(located, expected);
    }

    #[test]
    fn syntax_error_has_range_of_its_character() {
        check_syntax("{\n  \"é\": 1,\n}", "{\n  \"é\": 1,\n|}|: trailing comma");
        check_syntax("[1 2]", "[1 |2|]: expected `,` or `]`");
        check_syntax("{\"a\": ", "{\"a\": ||: EOF while parsing a value");
        check_syntax("é", "|é|: expected value");
    }
}
