//! Lines of a log whose writer was stopped in the middle of the line.

use std::ops::Range;

use super::lines::LineChange;
use crate::dialect::stream::LogLine;
use crate::document::{Document, Language};

mod members;

/// The number of escapes that can be cut off: both halves of a surrogate pair.
const MOST_ESCAPES: usize = 2;

/// The members around texts that may end early, and lists that may have fewer items.
const MAY_END: &[&str] = &["message", "messages", "payload", "content", "output", "tool_calls"];

/// The members whose texts may end early.
const TEXTS: &[&str] = &["text", "content", "output"];

/// The edit that closes `line`, the beginning of a record, or removes it if its agent could not
/// read it then, with its title. A line before other lines that ends like a record may lack a
/// bracket anywhere, so it is not removed; nor is an only line.
pub(super) fn mended(document: &Document, line: Range<usize>) -> Option<LineChange> {
    let text = document.text();
    let written = text.slice(line.clone());
    // An example that is cut off teaches a wrong answer.
    let closings = if document.is_training_set() { Vec::new() } else { closings(&written) };
    let closed = |closing: Closing| Some((closing.kept, members::completed(document, &line, &closing)?));
    if let Some((kept, end)) = closings.into_iter().find_map(closed) {
        return Some(("Close the line that was cut off", (line.start + kept..line.end, end)));
    }
    let next = text.line_of_byte(line.start) + 1;
    let behind = if next < text.line_count() { text.line_content(next).start } else { line.end };
    if written.trim_end().ends_with('}') && behind < text.len() && !document.is_training_set() {
        return None;
    }
    let is_only = [0..line.start, behind..text.len()].into_iter().all(|it| text.slice(it).trim().is_empty());
    if is_only {
        return None;
    }
    Some(("Remove the line that was cut off", (line.start..behind, String::new())))
}

/// The last line of a log if it is the beginning of a record.
pub(super) fn last_line(document: &Document) -> Option<Range<usize>> {
    if document.language() != Language::Log {
        return None;
    }
    let text = document.text();
    let last = text.line_of_byte(text.len());
    let line = (0..=last).rev().map(|line| text.line_content(line)).find(|line| !line.is_empty())?;
    let written = text.slice(line.clone());
    let LogLine::Json { text: json, start, .. } = LogLine::of(&written) else { return None };
    let json = json.get(start..)?;
    (line.end == text.len() && json.starts_with('{') && !is_json(json)).then_some(line)
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// A way to close a line.
struct Closing {
    /// The number of bytes of the line that stay.
    kept: usize,
    /// The text that closes them.
    end: String,
    /// True if the member `message` or `payload` is closed by it.
    closes_inner: bool,
}

/// A container that a line leaves open.
struct Open {
    closer: char,
    /// The member whose value it is; `None` for an item of an array.
    key: Option<String>,
    /// The end of its last complete member or item.
    whole: usize,
}

/// The ways to close `line`, ordered by how much they keep, most first.
fn closings(line: &str) -> Vec<Closing> {
    let (open, text) = open_ends(line);
    let closing = |count: usize, kept: usize, quote: &str| {
        let open = open.get(..count)?;
        // Half of any other value is a different value.
        let may_end = |it: &Open| it.key.as_deref().is_none_or(|key| MAY_END.contains(&key));
        if !open.iter().skip(1).all(may_end) {
            return None;
        }
        let closers = open.iter().rev().map(|it| it.closer);
        let end: String = quote.chars().chain(closers).collect();
        let inner = open.get(1).and_then(|it| it.key.as_deref());
        let closes_inner = matches!(inner, Some("message" | "payload"));
        is_json(&format!("{}{end}", line.get(..kept)?)).then_some(Closing { kept, end, closes_inner })
    };
    let of_text = text.and_then(|start| closing(open.len(), without_partial_escape(line, start).len(), "\""));
    let of_rest = (1..=open.len()).rev().filter_map(|count| closing(count, open.get(count - 1)?.whole, ""));
    of_text.into_iter().chain(of_rest).collect()
}

/// The containers that `line` leaves open, and the start of the content of the text that it ends
/// in.
fn open_ends(line: &str) -> (Vec<Open>, Option<usize>) {
    let mut open: Vec<Open> = Vec::new();
    let (mut string, mut is_escaped) = (None, false);
    // The last string, and the member whose value is read.
    let (mut last, mut key): (&str, Option<&str>) = ("", None);
    let end = |open: &mut [Open], at: usize| open.last_mut().into_iter().for_each(|it| it.whole = at);
    for (at, letter) in line.char_indices() {
        if let Some(start) = string {
            if !is_escaped && letter == '"' {
                string = None;
                last = line.get(start..at).unwrap_or_default();
                if key.is_some() || open.last().is_some_and(|it| it.closer == ']') {
                    end(&mut open, at + 1);
                }
            }
            is_escaped = !is_escaped && letter == '\\';
            continue;
        }
        match letter {
            '"' => string = Some(at + 1),
            ':' => key = Some(last),
            ',' => {
                end(&mut open, at);
                key = None;
            }
            '{' | '[' => {
                let closer = if letter == '{' { '}' } else { ']' };
                open.push(Open { closer, key: key.map(str::to_owned), whole: at + 1 });
                key = None;
            }
            '}' | ']' => {
                open.pop();
                end(&mut open, at + 1);
                key = None;
            }
            _ => {}
        }
    }
    (open, string.filter(|_| key.is_some_and(|key| TEXTS.contains(&key))))
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
        // The last backslash may itself be escaped by the one before it.
        let is_second = before.len() - before.trim_end_matches('\\').len();
        kept = kept.get(..start + before.len() - is_second % 2).unwrap_or_default();
    }
    kept
}
