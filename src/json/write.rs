//! Values written again: as compact text, and for display.
//!
//! What is not valid is written as it stands in the text. Of duplicate keys the last value is written
//! (formats.md §1), in the place of the first. Nothing here recurses.

use std::borrow::Cow;
use std::fmt::Write;

use super::string::{Piece, Pieces, content};
use super::{Kind, Value};

/// Compact JSON as `JSON.stringify` writes it: `{"b":1,"a":[1,2]}`, keys in their order, numbers as spelled.
pub fn to_compact(value: Value<'_>) -> String {
    Writer { out: String::with_capacity(value.span().len()), left: usize::MAX, style: COMPACT }.write(value)
}

/// JSON as Python's `json.dumps(value, sort_keys=True, ensure_ascii=False)` writes it: `{"a": 1, "b": [1, 2]}`,
/// numbers as spelled; at most the first `max_chars` characters of it, and no work for the rest.
pub fn to_display(value: Value<'_>, max_chars: usize) -> String {
    Writer { out: String::new(), left: max_chars, style: DISPLAY }.write(value)
}

/// `text` as a JSON string.
pub fn quote(text: &str) -> String {
    ["\"", &escaped(text), "\""].concat()
}

/// `text` as it stands inside of a JSON string.
pub fn escaped(text: &str) -> String {
    text.chars().map(escape).collect()
}

struct Style {
    comma: &'static str,
    colon: &'static str,
    sorted: bool,
}

const COMPACT: Style = Style { comma: ",", colon: ":", sorted: false };
const DISPLAY: Style = Style { comma: ", ", colon: ": ", sorted: true };

struct Writer {
    out: String,
    /// Characters that may still be written.
    left: usize,
    style: Style,
}

/// A container that is being written: what is left of its content, and the bracket that ends it.
struct Frame<'a> {
    content: Content<'a>,
    first: bool,
    close: &'static str,
}

enum Content<'a> {
    Items(Box<dyn Iterator<Item = Value<'a>> + 'a>),
    Members(std::vec::IntoIter<(Value<'a>, Value<'a>)>),
}

impl<'a> Frame<'a> {
    fn next(&mut self) -> Option<(Option<Value<'a>>, Value<'a>)> {
        match &mut self.content {
            Content::Items(items) => items.next().map(|item| (None, item)),
            Content::Members(members) => members.next().map(|(key, value)| (Some(key), value)),
        }
    }
}

impl Writer {
    fn write(mut self, value: Value<'_>) -> String {
        let mut stack: Vec<Frame<'_>> = self.value(value).into_iter().collect();
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
        self.out
    }

    /// Writes a scalar, or begins a container.
    fn value<'a>(&mut self, value: Value<'a>) -> Option<Frame<'a>> {
        match value.kind() {
            Kind::Array => {
                self.push("[");
                Some(Frame { content: Content::Items(Box::new(value.items())), first: true, close: "]" })
            }
            Kind::Object => {
                self.push("{");
                let members = members(value, self.style.sorted).into_iter();
                Some(Frame { content: Content::Members(members), first: true, close: "}" })
            }
            Kind::String { .. } | Kind::Key { .. } => {
                self.string(value);
                None
            }
            Kind::Null | Kind::Bool | Kind::Number | Kind::Missing => {
                self.push(value.raw());
                None
            }
        }
    }

    fn string(&mut self, value: Value<'_>) {
        let escaped = matches!(value.kind(), Kind::String { escaped: true } | Kind::Key { escaped: true });
        if !escaped || !value.is_closed() || !value.raw().starts_with('"') {
            return self.push(value.raw());
        }
        self.push("\"");
        let content = content(value.text(), value.node());
        for (piece, span) in Pieces::new(value.text(), content) {
            if self.left == 0 {
                return;
            }
            match piece {
                Piece::Escape(c) => self.push(&escape(c)),
                Piece::Lone(unit) => self.push(&format!("\\u{unit:04x}")),
                Piece::Raw | Piece::Unknown | Piece::Cut => self.push(span.of(value.text())),
            }
        }
        self.push("\"");
    }

    fn push(&mut self, text: &str) {
        let end = match text.char_indices().nth(self.left) {
            Some((end, _)) => end,
            None => text.len(),
        };
        let text = text.get(..end).unwrap_or(text);
        self.out.push_str(text);
        self.left -= text.chars().count();
    }
}

/// A character as JSON writes it inside of a string.
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

/// The members of an object, of duplicate keys one: sorted by key, or in the order of their first keys.
fn members(object: Value<'_>, sorted: bool) -> Vec<(Value<'_>, Value<'_>)> {
    let mut keyed: Vec<_> =
        object.entries().map(|(key, value)| (key.as_str().unwrap_or_default(), key, value)).collect();
    // Stable: duplicates stay in their order.
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
