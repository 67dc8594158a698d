//! The names and texts of messages, for readers.

use std::borrow::Cow;
use std::ops::Range;

use smallvec::SmallVec;

use crate::call::{Block, MessageRole};
use crate::document::{Document, Message, MessageText};
use crate::json;
use crate::messages::attachment::attachment;
use crate::messages::attribution::Attribution;
use crate::messages::content::TextKind;
use crate::never::OrNever;
use crate::text::{Span, TextCursor, cut};

/// The numbers of bytes that are read for a headline: few first, which are mostly enough.
const LOOKED_AT: [usize; 2] = [1 << 8, 1 << 10];
/// Numbers above it are times in milliseconds, others in seconds.
const MOST_SECONDS: f64 = 1e11;

impl Message {
    /// The name of its role; the name of another author as written.
    pub fn role_name(&self) -> &str {
        match self.role {
            MessageRole::Other => self.attribution().author.as_deref().unwrap_or(self.role.name()),
            MessageRole::System if self.texts.iter().any(|text| text.kind == TextKind::Summary) => "Summary",
            role => role.name(),
        }
    }

    /// The heading of the message: its role, sub-agent, model and time.
    pub fn name(&self) -> String {
        let mut name = self.role_name().to_owned();
        let Attribution { time, model, agent, .. } = self.attribution();
        let mut add = |parts: [&str; 2]| parts.into_iter().for_each(|part| name.push_str(part));
        match agent.as_deref() {
            Some("") => add([" · ", "sub-agent"]),
            Some(id) => add([" · sub-agent ", id]),
            None => {}
        }
        if let Some(model) = model {
            add([" · ", model]);
        }
        if let Some(time) = time {
            add([" · ", &readable_time(time)]);
        }
        name
    }
}

impl Document {
    /// The ranges of the tool uses in these segments that stand as elements in strings, in order.
    pub(super) fn elements_in(&self, segments: Range<usize>) -> Vec<Range<usize>> {
        let mut elements = Vec::new();
        for located in self.tree.iter_from(segments.start).take(segments.len()) {
            let is_object = |block: &Block, span: Span| block.brace.is_none_or(|brace| brace == span.start);
            let of_text = located.data().blocks.iter().filter_map(|block| Some((block, block.span?)));
            let of_text = of_text.filter(|(block, span)| !is_object(block, *span));
            elements.extend(of_text.map(|(_, span)| located.absolute(span)));
        }
        // A call in a list begins where the one before it ends.
        let mut end = 0;
        elements.retain(|range| {
            // `Action: …` of ReAct, too.
            let is_first = matches!(self.text.byte(range.start), Some(b'<' | b'[' | b'A'));
            let is_element = range.start == end || is_first;
            end = if is_element { range.end } else { end };
            is_element
        });
        elements
    }

    /// Splits texts around the tool uses in them, which are in `elements`.
    pub(super) fn split_texts(&self, texts: &mut SmallVec<[MessageText; 1]>, elements: &[Range<usize>]) {
        let all = std::mem::take(texts);
        for text in all {
            let first = elements.partition_point(|element| element.start < text.range.start);
            let inside = elements.iter().skip(first).take_while(|element| element.end <= text.range.end);
            let ends = inside.clone().map(|element| element.start).chain([text.range.end]);
            let starts = std::iter::once(text.range.start).chain(inside.map(|element| element.end));
            for (start, end) in starts.zip(ends) {
                let is_first = start == text.range.start;
                let order = if is_first { text.order } else { start };
                let continues = is_first && text.continues;
                let piece = MessageText { range: start..end, order, continues, ..text.clone() };
                let is_whole = is_first && end == text.range.end;
                if is_whole || !self.message_text(&piece, usize::MAX).trim().is_empty() {
                    texts.push(piece);
                }
            }
        }
    }

    /// The first line of the text of a message, read by `cursor`; empty if it has none.
    pub fn headline(&self, cursor: &mut TextCursor<'_>, message: &Message, most_chars: usize) -> String {
        let is_shown = |text: &&MessageText| text.kind != TextKind::Thinking;
        let text = message.texts.iter().find(is_shown).or_else(|| message.texts.first());
        match text {
            None => String::new(),
            Some(text) if text.kind == TextKind::Attachment => {
                first_line(&self.message_text(text, usize::MAX), most_chars).0
            }
            Some(text) => headline_of(cursor, text.range.clone(), most_chars, decoded),
        }
    }

    /// The text of `piece`, decoded, up to `most` bytes of its source; with a note on what is left
    /// out.
    pub fn message_text(&self, piece: &MessageText, most: usize) -> String {
        let range = &piece.range;
        if piece.kind == TextKind::Attachment {
            return attachment(&self.json_slice(range.clone()));
        }
        let len = range.end - range.start;
        if len <= most {
            return decoded(&self.text.slice(range.clone())).into_owned();
        }
        let end = self.text.floor_boundary(range.start + most);
        let text = self.text.slice(range.start..end);
        let shown = decoded(&text);
        format!("{shown}…\n\n[{} kB left out]", (len - most).div_ceil(1000))
    }
}

/// The first line of the text of `range`, read by `cursor`, after `decode`.
pub fn headline_of(
    cursor: &mut TextCursor<'_>,
    range: Range<usize>,
    most_chars: usize,
    decode: fn(&str) -> Cow<'_, str>,
) -> String {
    let mut read = |most: usize| {
        let end = cursor.floor_boundary(range.end.min(range.start + most));
        let (line, is_whole) = first_line(&decode(&cursor.read(range.start..end)), most_chars);
        (line, is_whole || end == range.end)
    };
    let [few, most] = LOOKED_AT;
    let (line, is_whole) = read(few);
    if is_whole { line } else { read(most).0 }
}

/// The first line of `text` that is not blank, cut to `most_chars`; false if more text might make
/// it longer.
fn first_line(text: &str, most_chars: usize) -> (String, bool) {
    let text = text.trim_start();
    let line = text.lines().next().unwrap_or_default();
    let is_whole = line.len() < text.len() || line.chars().nth(most_chars).is_some();
    (cut(line.trim(), most_chars), is_whole)
}

/// Decodes a JSON string, or a part of one.
fn decoded(literal: &str) -> Cow<'_, str> {
    let content = literal.strip_prefix('"').unwrap_or(literal);
    let plain = json::skip_plain(content.as_bytes(), 0);
    if matches!(content.as_bytes().get(plain), None | Some(b'"')) {
        return content.get(..plain).or_never().into();
    }
    let literal = ["\"", content].concat();
    let json = json::parse_prefix(&literal);
    let text = json.root(&literal).and_then(|value| value.as_str().map(Cow::into_owned));
    text.unwrap_or_default().into()
}

/// A time for readers: dates without fractions of seconds, numbers as dates in UTC.
fn readable_time(time: &str) -> String {
    let zone = if time.ends_with('Z') { "Z" } else { "" };
    match [time.get(..10), time.get(10..11), time.get(11..19)] {
        [Some(day), Some("T"), Some(clock)] => [day, " ", clock, zone].concat(),
        _ => {
            let date = time.parse().ok().and_then(date_of);
            date.unwrap_or_else(|| time.chars().take(40).collect())
        }
    }
}

/// The date of a number of seconds or milliseconds since 1970, in UTC.
fn date_of(number: f64) -> Option<String> {
    let seconds = if number > MOST_SECONDS { number / 1000.0 } else { number };
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a date")]
    let date = jiff::Timestamp::from_second(seconds as i64).ok()?;
    Some(date.to_string().replacen('T', " ", 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_strings_are_decoded() {
        let check = |literal: &str, expected: &str| assert_eq!(decoded(literal), expected, "{literal}");
        check("\"", "");
        check("\"two words\"", "two words");
        check("\"two wo", "two wo");
        check("words\", 1", "words");
        check("\"two\\nlines\"", "two\nlines");
        check("lines \\\"here\\\"\"", "lines \"here\"");
    }

    #[test]
    fn times_are_dates() {
        let check = |time: &str, expected: &str| assert_eq!(readable_time(time), expected, "{time}");
        check("2026-02-12T16:02:48.183Z", "2026-02-12 16:02:48Z");
        check("2025-01-20T20:29:13.519638", "2025-01-20 20:29:13");
        check("1771207970988", "2026-02-16 02:12:50Z");
        check("1700000000", "2023-11-14 22:13:20Z");
        check("951782400", "2000-02-29 00:00:00Z");
        check("-86400", "1969-12-31 00:00:00Z");
        check("1e300", "1e300");
        check("10:30", "10:30");
    }
}
