//! The lines of text that are shown with a diagnostic, cut to the width of a screen.
//!
//! Costs depend on the excerpt only, not on the size of the document (100 MB) or line (200,000
//! characters).

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::never::OrNever;
use crate::text::Text;
use crate::text::visible::is_command;

/// Maximum columns of a source line.
pub(super) const WIDTH: usize = 100;
/// Columns shown before the range in a line that is cut.
const BEFORE: usize = 40;
/// Maximum number of lines; of a longer range, only the first line is shown.
const LINES: usize = 6;
/// Enough bytes for [`WIDTH`] columns of any characters except zero-width ones.
const BYTES: usize = 4 * WIDTH;

/// The lines that are shown, and the position of the diagnostic's range in them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Excerpt<'a> {
    /// The lines, cut to the width.
    pub source: String,
    /// The first line's number in the text, from 0.
    pub first: usize,
    /// The diagnostic's range in `source`.
    pub span: Range<usize>,
    /// Related ranges in `source`, with their messages.
    pub labels: Vec<(Range<usize>, &'a str)>,
}

/// Creates the excerpt of `range`.
pub(super) fn excerpt(text: &Text, range: Range<usize>) -> Excerpt<'static> {
    let range = text.floor_boundary(range.start)..text.floor_boundary(range.end);
    let first = text.line_of_byte(range.start);
    let mut last = text.line_of_byte(range.end.max(range.start));
    if last > first && text.byte_of_line(last) == range.end {
        last -= 1;
    }
    let head = text.line_content(first);
    if last - first >= LINES {
        last = first;
    }
    let start = range.start.min(head.end);
    let end = range.end.clamp(start, head.end);
    let mut shown = cut_around(text, head, start..end);
    shown.first = first;
    for line in first + 1..=last {
        shown.source.push('\n');
        let content = text.line_content(line);
        let piece = cut_around(text, content.clone(), content.start..range.end.min(content.end));
        shown.span.end = shown.source.len() + piece.span.end;
        shown.source.push_str(&piece.source);
    }
    shown
}

/// Creates the excerpt of `range` and all `labels`; `None` unless the lines are few and fit uncut,
/// and each range is within one line.
pub(super) fn excerpt_together<'a>(
    text: &Text,
    range: &Range<usize>,
    labels: &[(Range<usize>, &'a str)],
) -> Option<Excerpt<'a>> {
    let lines = std::iter::once(range).chain(labels.iter().map(|(place, _)| place));
    let lines = lines.map(|place| text.line_of_byte(text.floor_boundary(place.start)));
    let (first, last) = lines.fold((usize::MAX, 0), |(first, last), line| (first.min(line), last.max(line)));
    if last - first >= LINES {
        return None;
    }
    let mut shown = Excerpt { source: String::new(), first, span: 0..0, labels: Vec::new() };
    let mut has_fault = false;
    for line in first..=last {
        if line > first {
            shown.source.push('\n');
        }
        let content = text.line_content(line);
        let start = shown.source.len();
        let place_in_it = |place: &Range<usize>| {
            let is_inside = content.start <= place.start && place.end <= content.end;
            is_inside.then(|| start + place.start - content.start..start + place.end - content.start)
        };
        if let Some(span) = place_in_it(range) {
            (shown.span, has_fault) = (span, true);
        }
        shown.labels.extend(labels.iter().filter_map(|(place, label)| Some((place_in_it(place)?, *label))));
        let source = (content.len() <= BYTES).then(|| text.slice(content))?;
        let is_whole = source.chars().map(width).sum::<usize>() <= WIDTH && drawable(&source) == source;
        is_whole.then(|| shown.source.push_str(&source))?;
    }
    (has_fault && shown.labels.len() == labels.len()).then_some(shown)
}

/// Cuts the line `line` to the width, around the start of `fault`.
fn cut_around(text: &Text, line: Range<usize>, fault: Range<usize>) -> Excerpt<'static> {
    let before = text.slice(fault.start.saturating_sub(BYTES).max(line.start)..fault.start);
    let after = text.slice(fault.start..line.end.min(fault.start + BYTES));
    let after_width: usize = after.chars().map(width).sum();
    let room = WIDTH.saturating_sub(after_width).max(BEFORE);
    let skipped = skip_to_width(&before, room);
    let mut source = String::new();
    if skipped > 0 || fault.start - before.len() > line.start {
        source.push('…');
    }
    source.push_str(&drawable(before.get(skipped..).or_never()));
    let start = source.len();
    let used: usize = source.chars().map(width).sum();
    let fitting = take_width(&after, WIDTH.saturating_sub(used).max(1));
    let fitting_fault = fault.len().min(fitting);
    source.push_str(&drawable(after.get(..fitting_fault).or_never()));
    let end = source.len();
    source.push_str(&drawable(after.get(fitting_fault..fitting).or_never()));
    if fault.start + fitting < line.end {
        source.push('…');
    }
    Excerpt { source, first: 0, span: start..end, labels: Vec::new() }
}

/// Number of bytes to skip at the start of `text`, so that the rest is at most `columns` wide.
fn skip_to_width(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, character) in text.char_indices().rev() {
        used += width(character);
        if used > columns {
            return at + character.len_utf8();
        }
    }
    0
}

/// Number of bytes at the start of `text` that are at most `columns` wide.
fn take_width(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, character) in text.char_indices() {
        used += width(character);
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// The width of a character; a tab is drawn as four columns.
fn width(character: char) -> usize {
    if character == '\t' { 4 } else { character.width().unwrap_or(1) }
}

/// Replaces each control character of terminals in `text` by one character, except C0, which the
/// renderer replaces.
pub(super) fn drawable(text: &str) -> Cow<'_, str> {
    let is_drawn_otherwise = |character: char| character >= '\u{7f}' && is_command(character);
    match text.contains(is_drawn_otherwise) {
        true => Cow::Owned(text.replace(is_drawn_otherwise, "\u{fffd}")),
        false => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_excerpt_of_a_long_line_is_processed() {
        let text = Text::new(&format!("{}here{}", "abc ".repeat(2_500_000), "漢字".repeat(100)));
        let shown = excerpt(&text, 10_000_000..10_000_004);
        assert_eq!(shown.source.get(shown.span), Some("here"));
        assert!(shown.source.len() <= BYTES, "{} bytes", shown.source.len());
        let shown = excerpt(&text, text.len()..text.len());
        assert!(shown.source.len() <= BYTES, "{} bytes", shown.source.len());
    }
}
