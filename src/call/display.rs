//! One-line displays of arguments and results (formats.md §3.3 and §4).

use crate::never::OrNever;
use crate::text::abbreviate::{cut, is_short_line, push_cut};
use crate::text::saturate;
use std::borrow::Cow;

use super::ResultLine;
use crate::json::{JsonKind, Value, to_compact, to_display};

/// The maximum number of characters of a result in a label; longer results are shown as a number of
/// lines.
const RESULT_LINE_CHARS: usize = 80;

/// A value for display: strings without quotes, other values as JSON with sorted keys, line breaks
/// as spaces, at most `max_chars` characters including the closing `…`.
pub fn display_of_value(value: Value<'_>, max_chars: usize) -> String {
    let mut shown = String::new();
    push_value(&mut shown, value, max_chars);
    shown
}

/// The entries of an object for display, `key=value` joined by `, `, cut to `max_chars` characters;
/// other values are displayed as they are, and `null` as nothing.
pub fn arguments_of_object(value: Value<'_>, max_chars: usize) -> String {
    match value.kind() {
        JsonKind::Null => return String::new(),
        JsonKind::Object => {}
        _ => return display_of_value(value, max_chars),
    }
    let mut shown = String::new();
    for (index, (key, value)) in value.entries().enumerate() {
        if index > 0 {
            shown.push_str(", ");
        }
        shown.push_str(&key.as_str().or_never());
        shown.push('=');
        push_value(&mut shown, value, max_chars.saturating_add(1));
        if shown.len() > max_chars && shown.chars().count() > max_chars {
            break;
        }
    }
    if is_short_line(&shown, max_chars) { shown } else { cut(&shown, max_chars) }
}

fn push_value(shown: &mut String, value: Value<'_>, max_chars: usize) {
    // Every other character may be the second one of a line end.
    let min_len = max_chars.saturating_add(1).saturating_mul(2 * char::MAX.len_utf8());
    let text = match value.beginning(min_len) {
        Some(text) => text,
        None => Cow::Owned(to_display(value, max_chars.saturating_add(1))),
    };
    push_cut(shown, &text, max_chars);
}

/// A result as shown in a label: its text if it is one line under 80 characters, otherwise its
/// number of lines.
pub fn result_of_text(text: Cow<'_, str>) -> ResultLine<'_> {
    let shown = text.trim_end_matches(['\n', '\r']);
    if !is_short_line(shown, 4 * RESULT_LINE_CHARS) || shown.chars().count() >= RESULT_LINE_CHARS {
        return ResultLine::Lines(saturate(line_count(shown)));
    }
    let len = shown.len();
    ResultLine::Line(match text {
        Cow::Borrowed(text) => text.get(..len).or_never().into(),
        Cow::Owned(mut text) => {
            text.truncate(len);
            text.into()
        }
    })
}

/// A JSON result as shown in a label: a string and parts of text by their own lines, any other
/// value as compact JSON.
pub fn result_of_value(value: Value<'_>) -> ResultLine<'_> {
    // Most results are long, and need not be decoded.
    let is_whole = |value: Value<'_>| value.is_closed() && value.raw().starts_with('"');
    let line_ends = if is_whole(value) { value.inner_line_ends() } else { 0 };
    if line_ends > 0 {
        return ResultLine::Lines(saturate(line_ends + 1));
    }
    let parts = text_parts(value);
    let lines: usize = parts.iter().map(|part| part.inner_line_ends() + 1).sum();
    if lines > 1 {
        return ResultLine::Lines(saturate(lines));
    }
    let shown = parts.first().copied().unwrap_or(value);
    let is_long = |text: Cow<'_, str>| text.trim_end_matches(['\n', '\r']).len() > 4 * RESULT_LINE_CHARS;
    if is_whole(shown) && shown.beginning(8 * RESULT_LINE_CHARS).is_some_and(is_long) {
        return ResultLine::Lines(1);
    }
    match shown.as_str() {
        Some(text) => result_of_text(text),
        // Compact JSON is one line, and a value that is far too long need not be rewritten.
        None if !is_shown_result(value.span().len()) => ResultLine::Lines(1),
        None => result_of_text(to_compact(value).into()),
    }
}

/// True if a label may show an object or array of `len` bytes.
pub fn is_shown_result(len: usize) -> bool {
    len <= 64 * RESULT_LINE_CHARS
}

/// The strings of a result that consists of parts of text, as in the results of MCP:
/// `[{"type": "text", "text": …}]`. Empty for other values.
pub fn text_parts<'v>(value: Value<'v>) -> Vec<Value<'v>> {
    let text_of = |part: Value<'v>| {
        let kind = part.get("type").and_then(Value::as_str);
        let is_text = kind.is_none_or(|kind| matches!(&*kind, "text" | "input_text" | "output_text"));
        ["text", "value"].iter().find_map(|key| part.get(key)).filter(|text| is_text && text.is_text())
    };
    match value.kind() {
        JsonKind::Array => value.items().map(text_of).collect::<Option<_>>().unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn line_count(text: &str) -> usize {
    let bytes = text.as_bytes();
    let breaks = memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|&at| bytes.get(at) == Some(&b'\r') || at == 0 || bytes.get(at - 1) != Some(&b'\r'))
        .count();
    breaks + 1
}

/// The message of an error of any type: a string, an object's `message`, or any other value as
/// written. Values that are falsy in JavaScript are no error.
pub fn error_text(value: Value<'_>) -> Option<Cow<'_, str>> {
    match value.kind() {
        JsonKind::String { .. } => value.as_str(),
        JsonKind::Null | JsonKind::Missing => None,
        JsonKind::Bool if value.as_bool() == Some(false) => None,
        JsonKind::Object => {
            let message = value.get("message").and_then(Value::as_str);
            Some(message.unwrap_or_else(|| to_compact(value).into()))
        }
        _ => Some(to_compact(value).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_counts_characters_and_its_own_ellipsis() {
        let check = |text: &str, max: usize, expected: &str| assert_eq!(cut(text, max), expected, "{text:?}");
        check("abc", 3, "abc");
        check("abcd", 3, "ab…");
        check("🔧🔧🔧🔧", 3, "🔧🔧…");
        check("a\r\nb\nc\rd", 10, "a b c d");
        check("", 3, "");
    }

    #[test]
    fn results_are_one_short_line_or_a_count() {
        let check = |text: &str, expected: ResultLine<'_>| {
            assert_eq!(result_of_text(text.into()), expected, "{text:?}");
            let json = crate::json::quote(text);
            let tape = crate::json::parse(&json);
            assert_eq!(result_of_value(tape.root(&json).unwrap()), expected, "{json}");
        };
        check("ok", ResultLine::Line("ok".into()));
        check("ok\n", ResultLine::Line("ok".into()));
        check("a\nb", ResultLine::Lines(2));
        check("a\r\nb\rc", ResultLine::Lines(3));
        check("\n\na\r\n\nb\\n\r\n\n", ResultLine::Lines(5));
        check("\n\r\n", ResultLine::Line("".into()));
        check(&"x".repeat(79), ResultLine::Line("x".repeat(79).into()));
        check(&"x".repeat(80), ResultLine::Lines(1));
    }

    #[test]
    fn parts_of_text_are_shown_as_text() {
        let check = |json: &str, expected: ResultLine<'_>| {
            let tape = crate::json::parse(json);
            assert_eq!(result_of_value(tape.root(json).unwrap()), expected, "{json}");
        };
        check(r#"[{"type": "text", "text": "ok\n"}]"#, ResultLine::Line("ok".into()));
        check(r#"[{"text": "a\nb\n"}, {"type": "output_text", "text": "c"}]"#, ResultLine::Lines(3));
        check(r#"[{"type": "text", "value": "a"}]"#, ResultLine::Line("a".into()));
        for json in
            [r#"[{"type":"text","text":1}]"#, r#"[{"type":"text","text":"a"},{"type":"image"}]"#, "[]"]
        {
            check(json, ResultLine::Line(json.into()));
        }
    }
}
