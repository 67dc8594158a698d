//! Serializes values: as compact text, and for display.
//!
//! Invalid parts are written as they are in the text. Of duplicate keys the last value is written
//! (formats.md §1), at the position of the first. Nothing here recurses.

use std::borrow::Cow;
use std::fmt::Write;

use super::string::{StringPiece, StringPieces, content};
use super::{JsonKind, Value};
use crate::never::OrNever;

/// Compact JSON like `JSON.stringify`: `{"b":1,"a":[1,2]}`, keys in their order, numbers as
/// spelled.
pub fn to_compact(value: Value<'_>) -> String {
    let mut out = String::with_capacity(value.span().len());
    JsonWriter { out: |text: &str| out.push_str(text), left: usize::MAX, style: COMPACT }.write(value);
    out
}

/// True if the source text of `value` equals the output of [`to_compact`]. Does not allocate.
pub fn is_compact(value: Value<'_>) -> bool {
    let mut rest = Some(value.raw());
    let out = |text: &str| rest = rest.and_then(|rest| rest.strip_prefix(text));
    JsonWriter { out, left: usize::MAX, style: COMPACT }.write(value);
    rest == Some("")
}

/// JSON like Python's `json.dumps(value, sort_keys=True, ensure_ascii=False)`:
/// `{"a": 1, "b": [1, 2]}`, numbers as spelled; only the first `max_chars` characters, without work
/// for the rest.
pub fn to_display(value: Value<'_>, max_chars: usize) -> String {
    let mut out = String::new();
    JsonWriter { out: |text: &str| out.push_str(text), left: max_chars, style: DISPLAY }.write(value);
    out
}

/// `text` as a JSON string.
pub fn quote(text: &str) -> String {
    ["\"", &escaped(text), "\""].concat()
}

/// `text` as a JSON string, encoded as often as `written`, a string with its quotes: each quote has
/// 0, 1, 3, 7… backslashes.
pub fn quote_like(written: &str, text: &str) -> String {
    let marks = written.len() - written.trim_start_matches('\\').len();
    (0..(marks + 1).ilog2()).fold(quote(text), |text, _| escaped(&text))
}

/// `text`, escaped for use inside of a JSON string.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_escaped(*c)) {
        out.push_str(rest.get(..at).or_never());
        out.push_str(&escape(c));
        rest = rest.get(at + c.len_utf8()..).or_never();
    }
    out + rest
}

/// True for a character that must be escaped in a JSON string.
fn is_escaped(c: char) -> bool {
    matches!(c, '"' | '\\' | ..' ')
}

struct WriteStyle {
    comma: &'static str,
    colon: &'static str,
    sorted: bool,
}

const COMPACT: WriteStyle = WriteStyle { comma: ",", colon: ":", sorted: false };
const DISPLAY: WriteStyle = WriteStyle { comma: ", ", colon: ": ", sorted: true };

struct JsonWriter<O> {
    out: O,
    /// Number of characters that may still be written; `usize::MAX` without a limit.
    left: usize,
    style: WriteStyle,
}

/// A container that is being written: its remaining content, and its closing bracket.
struct WriteFrame<'a> {
    content: WriteContent<'a>,
    first: bool,
    close: &'static str,
}

enum WriteContent<'a> {
    Items(Box<dyn Iterator<Item = Value<'a>> + 'a>),
    Members(std::vec::IntoIter<(Value<'a>, Value<'a>)>),
}

impl<'a> WriteFrame<'a> {
    fn next(&mut self) -> Option<(Option<Value<'a>>, Value<'a>)> {
        match &mut self.content {
            WriteContent::Items(items) => items.next().map(|item| (None, item)),
            WriteContent::Members(members) => members.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

impl<O: FnMut(&str)> JsonWriter<O> {
    fn write(mut self, value: Value<'_>) {
        let mut stack: Vec<WriteFrame<'_>> = self.value(value).into_iter().collect();
        while let Some(frame) = stack.last_mut()
            && self.left > 0
        {
            let Some((key, value)) = frame.next() else {
                self.push(frame.close);
                stack.pop();
                continue;
            };
            if !std::mem::take(&mut frame.first) {
                self.push(self.style.comma);
            }
            if let Some(key) = key {
                self.string(key);
                self.push(self.style.colon);
            }
            stack.extend(self.value(value));
        }
    }

    /// Writes a scalar, or begins a container.
    fn value<'a>(&mut self, value: Value<'a>) -> Option<WriteFrame<'a>> {
        match value.kind() {
            JsonKind::Array => {
                self.push("[");
                Some(WriteFrame {
                    content: WriteContent::Items(Box::new(value.items())),
                    first: true,
                    close: "]",
                })
            }
            JsonKind::Object => {
                self.push("{");
                let members = members(value, self.style.sorted).into_iter();
                Some(WriteFrame { content: WriteContent::Members(members), first: true, close: "}" })
            }
            JsonKind::String { .. } | JsonKind::Key { .. } => {
                self.string(value);
                None
            }
            JsonKind::Null | JsonKind::Bool | JsonKind::Number | JsonKind::Missing => {
                self.push(value.raw());
                None
            }
        }
    }

    fn string(&mut self, value: Value<'_>) {
        let escaped =
            matches!(value.kind(), JsonKind::String { escaped: true } | JsonKind::Key { escaped: true });
        if !escaped || !value.is_closed() || !value.raw().starts_with('"') {
            return self.push(value.raw());
        }
        let content = content(value.text(), value.node());
        if has_usual_escapes(content.of(value.text())) {
            return self.push(value.raw());
        }
        self.push("\"");
        for (piece, span) in StringPieces::new(value.text(), content) {
            if self.left == 0 {
                return;
            }
            match piece {
                StringPiece::Escape(c) => self.push(&escape(c)),
                StringPiece::Lone(unit) => self.push(&format!("\\u{unit:04x}")),
                StringPiece::Raw | StringPiece::Unknown | StringPiece::Cut => {
                    self.push(span.of(value.text()))
                }
            }
        }
        self.push("\"");
    }

    fn push(&mut self, text: &str) {
        if self.left == usize::MAX {
            return (self.out)(text);
        }
        let end = match text.char_indices().nth(self.left) {
            Some((end, _)) => end,
            None => text.len(),
        };
        let text = text.get(..end).unwrap_or(text);
        (self.out)(text);
        self.left -= text.chars().count();
    }
}

/// True if `content` has only escapes that [`escape`] writes in two characters.
fn has_usual_escapes(content: &str) -> bool {
    let mut rest = content.as_bytes();
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let Some((b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', behind)) =
            rest.get(at + 1..).and_then(<[u8]>::split_first)
        else {
            return false;
        };
        rest = behind;
    }
    true
}

/// A character, escaped for use inside of a JSON string.
fn escape(c: char) -> Cow<'static, str> {
    Cow::Borrowed(match c {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        _ => {
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = if c < ' ' { write!(text, "\\u{:04x}", u32::from(c)) } else { write!(text, "{c}") };
            return Cow::Owned(text);
        }
    })
}

/// The members of an object without duplicates: sorted by key, or in the order of their first keys.
fn members(object: Value<'_>, sorted: bool) -> Vec<(Value<'_>, Value<'_>)> {
    let mut keyed: Vec<_> =
        object.entries().map(|(key, value)| (key.as_str().or_never(), key, value)).collect();
    // Stable: duplicates keep their order.
    keyed.sort_by(|(a, ..), (b, ..)| a.cmp(b));
    keyed.dedup_by(|later, first| {
        let same = later.0 == first.0;
        if same {
            first.2 = later.2;
        }
        same
    });
    if !sorted {
        keyed.sort_by_key(|(_, key, _)| key.index());
    }
    keyed.into_iter().map(|(_, key, value)| (key, value)).collect()
}
