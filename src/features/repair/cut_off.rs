//! The last line of a log, if its writer was ended in the middle of it.

use std::ops::Range;

use crate::document::{Document, Language};
use crate::json::{self, Value};

/// The number of escapes that can be cut off: both halves of a surrogate pair.
const MOST_ESCAPES: usize = 2;

/// The edit that closes the last line of a log, or removes it if it cannot be closed, with its
/// title; `None` if the line is whole.
pub(super) fn mended_end(document: &Document) -> Option<(&'static str, (Range<usize>, String))> {
    if document.language() != Language::Stream {
        return None;
    }
    let text = document.text();
    let last = text.line_of_byte(text.len());
    let line = (0..=last).rev().map(|line| text.line_content(line)).find(|line| !line.is_empty())?;
    let written = text.slice(line.clone());
    if !written.starts_with('{') || is_json(&written) || line.end < text.len() {
        return None;
    }
    // An example that is cut off teaches a wrong answer.
    let closed = closed(&written).filter(|_| !document.is_training_set());
    if let Some((kept, end)) =
        closed.and_then(|(kept, end)| Some((kept, completed(document, &line, kept, end)?)))
    {
        return Some(("Close the line that was cut off", (line.start + kept..line.end, end)));
    }
    Some(("Remove the line that was cut off", (line, String::new())))
}

/// `end`, which closes the first `kept` bytes of `line`, with the members that its agent needs to
/// read it; `None` if it has no content yet.
fn completed(document: &Document, line: &Range<usize>, kept: usize, end: String) -> Option<String> {
    let text = format!("{}{end}", document.text().slice(line.start..line.start + kept));
    let json = json::parse(&text);
    let record = json.root(&text)?;
    let lost = document.lost_members(record, line.start);
    if lost.is_empty() {
        return Some(end);
    }
    let message = record.get("message").unwrap_or(record);
    is_said(message.get("content")?).then(|| format!("{}{lost}}}", end.strip_suffix('}').unwrap_or_default()))
}

/// True if the content of a message is text, or has parts whose last one is whole.
fn is_said(content: Value<'_>) -> bool {
    let needed = |part: Value<'_>| match part.get("type").and_then(Value::as_str).as_deref() {
        Some("text") => part.get("text").is_some_and(|text| !text.is_blank_text()),
        Some("tool_use") => part.get("input").is_some_and(Value::is_object),
        Some("tool_result") => part.get("content").is_some() && part.get("tool_use_id").is_some(),
        _ => false,
    };
    content.is_text() && !content.is_blank_text() || content.items().last().is_some_and(needed)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// The number of bytes of a cut-off text that stay, and the text that closes them.
fn closed(text: &str) -> Option<(usize, String)> {
    let (closers, string) = open_ends(text);
    let kept = string.map_or(text, |start| without_partial_escape(text, start));
    let quote = if string.is_some() { "\"" } else { "" };
    let word = kept.trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    let bare = kept.trim_end().trim_end_matches(',');
    let ends = [
        (kept, quote, ""),
        (kept, quote, ":null"),
        (kept, quote, "null"),
        (bare, "", ""),
        (word, "", "null"),
    ];
    ends.iter().find_map(|(kept, quote, value)| {
        let end = format!("{quote}{value}{closers}");
        is_json(&format!("{kept}{end}")).then_some((kept.len(), end))
    })
}

/// The brackets that close what `text` leaves open, and the start of the content of the string that
/// it ends in.
fn open_ends(text: &str) -> (String, Option<usize>) {
    let (mut open, mut string, mut is_escaped) = (Vec::new(), None, false);
    for (at, letter) in text.char_indices() {
        if string.is_some() {
            if !is_escaped && letter == '"' {
                string = None;
            }
            is_escaped = !is_escaped && letter == '\\';
            continue;
        }
        match letter {
            '"' => string = Some(at + 1),
            '{' => open.push('}'),
            '[' => open.push(']'),
            '}' | ']' => drop(open.pop()),
            _ => {}
        }
    }
    (open.into_iter().rev().collect(), string)
}

/// `text`, which ends in a string with its content from `start`, without an escape that is cut off:
/// `\`, `\u12`, or the first half of a surrogate pair.
fn without_partial_escape(text: &str, start: usize) -> &str {
    let mut kept = text;
    for _ in 0..MOST_ESCAPES {
        let string = kept.get(start..).unwrap_or_default();
        if is_json(&format!("\"{string}\"")) {
            break;
        }
        let Some(escape) = string.rfind('\\') else { break };
        let before = string.get(..escape).unwrap_or_default();
        // An escaped backslash begins at the one before.
        let is_second = before.len() - before.trim_end_matches('\\').len();
        kept = kept.get(..start + before.len() - is_second % 2).unwrap_or_default();
    }
    kept
}
