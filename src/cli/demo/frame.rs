//! Draws one frame of an editing session: the text with line numbers, squiggles with their
//! messages, and the labels of folded batches.
//!
//! A frame never exceeds its size. It shows the text around the cursor, and only processes that
//! part, regardless of the document's size.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::editor::{DiagnosticMark, EditorFold};
use crate::cli::console::{color_of, printable};
use crate::diagnostic::Severity;
use crate::never::OrNever;
use crate::prose::counted;
use crate::text::Text;
use crate::text::visible::is_command;

const DIM: Style = AnsiColor::BrightBlack.on_default();
const TITLE: Style = Style::new().bold();
const LABEL: Style = AnsiColor::Cyan.on_default();
const CURSOR: Style = Style::new().invert();
const TAB: usize = 4;
/// Maximum number of rows of a wrapped message.
const MESSAGE_ROWS: usize = 4;

/// A frame.
pub(super) struct DemoFrame<'a> {
    pub title: &'a str,
    /// A sentence that describes the current action.
    pub caption: &'a str,
    pub text: &'a Text,
    pub marks: &'a [DiagnosticMark],
    /// The closed folds: the lines after the first line of each are hidden, and the label is shown.
    pub folded: &'a [EditorFold],
    /// Byte offset in the text around which the frame is drawn.
    pub cursor: usize,
    /// Width in columns.
    pub width: usize,
    /// Height in lines, including the header.
    pub height: usize,
}

impl DemoFrame<'_> {
    /// Draws the frame as lines with styles.
    pub fn draw(&self) -> Vec<String> {
        let mut lines = self.header();
        let height = self.height.saturating_sub(lines.len());
        lines.extend(self.body(height));
        lines
    }

    fn header(&self) -> Vec<String> {
        let count = match self.marks.len() {
            0 => "no problems".to_owned(),
            count => counted(count, "problem"),
        };
        let count = clip(&count, 0, self.width);
        let room = self.width.saturating_sub(count.width() + 1);
        let title = clip(self.title, 0, room);
        let gap = " ".repeat(self.width.saturating_sub(title.width() + count.width()));
        let style =
            self.marks.iter().map(|mark| mark.severity).max().map_or(AnsiColor::Green.on_default(), color);
        let rule = "─".repeat(self.width);
        let mut lines = vec![
            format!("{TITLE}{title}{TITLE:#}{gap}{style}{count}{style:#}"),
            format!("{DIM}{rule}{DIM:#}"),
        ];
        lines.extend(wrap(self.caption, self.width));
        lines.push(String::new());
        lines
    }

    /// Draws at most `height` rows of text around the cursor.
    fn body(&self, height: usize) -> Vec<String> {
        let focus = self.visible_line(self.text.line_of_byte(self.cursor));
        let skipped = self.skipped_columns(focus);
        let mut below = self.rows_of(focus, skipped);
        // The messages below the cursor's line take precedence over the lines above it.
        let spare = height.saturating_sub(below.len());
        let mut line = self.line_after(focus);
        while let Some(at) = line
            && below.len() < height
        {
            below.extend(self.rows_of(at, skipped));
            line = self.line_after(at);
        }
        // The lines above take half of the height, or more near the end of the text. The topmost
        // line keeps as many of its message rows as fit.
        let rows_above = (height / 2).min(spare).max(height.saturating_sub(below.len()));
        let mut above: Vec<Vec<String>> = Vec::new();
        let mut line = self.line_before(focus);
        while let Some(at) = line {
            let left = rows_above - above.iter().map(Vec::len).sum::<usize>();
            if left == 0 {
                break;
            }
            let mut rows = self.rows_of(at, skipped);
            rows.truncate(left);
            above.push(rows);
            line = self.line_before(at);
        }
        let mut rows: Vec<String> = above.into_iter().rev().flatten().chain(below).collect();
        rows.truncate(height);
        rows
    }

    /// Returns the visible line for `line`: the first line of the fold that hides it, or itself.
    fn visible_line(&self, line: usize) -> usize {
        let hides = |fold: &&EditorFold| fold.start_line < line && line <= fold.end_line;
        self.folded.iter().filter(hides).map(|fold| fold.start_line).min().unwrap_or(line)
    }

    fn fold_at(&self, line: usize) -> Option<&EditorFold> {
        self.folded.iter().find(|fold| fold.start_line == line)
    }

    fn line_after(&self, line: usize) -> Option<usize> {
        let next = self.fold_at(line).map_or(line, |fold| fold.end_line) + 1;
        (next < self.text.line_count()).then_some(next)
    }

    fn line_before(&self, line: usize) -> Option<usize> {
        line.checked_sub(1).map(|line| self.visible_line(line))
    }

    /// Number of columns scrolled to the right, so that the cursor is visible.
    fn skipped_columns(&self, focus: usize) -> usize {
        let content = self.text.line_content(focus);
        let before = self.text.slice(content.start..self.cursor.clamp(content.start, content.end));
        let column = columns(&before);
        let room = self.text_width();
        if column < room { 0 } else { column - room / 2 }
    }

    /// Number of digits of the line numbers; a space, a bar and a space follow.
    fn digits(&self) -> usize {
        self.text.line_count().to_string().len().max(4)
    }

    /// Columns available for the text.
    fn text_width(&self) -> usize {
        self.width.saturating_sub(self.digits() + 3).max(1)
    }

    /// Draws one line with the squiggles and messages of diagnostics that start on it.
    fn rows_of(&self, line: usize, skipped: usize) -> Vec<String> {
        let number = format!("{:>1$}", line + 1, self.digits());
        if let Some(fold) = self.fold_at(line) {
            let last = fold.end_line.min(self.text.line_count().saturating_sub(1));
            let hidden = last.saturating_sub(line) + 1;
            let more = format!(" ··· {hidden} lines");
            let label = clip(&fold.label, 0, self.text_width().saturating_sub(more.width()));
            return vec![format!("{DIM}{number} ▸{DIM:#} {LABEL}{label}{LABEL:#}{DIM}{more}{DIM:#}")];
        }
        let content = self.text.line_content(line);
        let mut row = format!("{DIM}{number} │{DIM:#} ");
        row.push_str(&self.line_with_cursor(content.clone(), skipped));
        let mut rows = vec![row];
        let first = self.marks.partition_point(|mark| mark.range.start < content.start);
        let next_line = self.text.byte_of_line(line + 1);
        for mark in self.marks.get(first..).or_never() {
            let is_last_line = line + 1 == self.text.line_count();
            if mark.range.start >= next_line && !is_last_line {
                break;
            }
            rows.extend(self.rows_of_mark(mark, content.clone(), skipped));
        }
        rows
    }

    fn line_with_cursor(&self, content: std::ops::Range<usize>, skipped: usize) -> String {
        let text = self.text.slice(content.clone());
        let shown = clip(&text, skipped, self.text_width());
        if !content.contains(&self.cursor) && content.end != self.cursor {
            return shown;
        }
        let before = columns(&self.text.slice(content.start..self.cursor)).saturating_sub(skipped);
        let (left, rest) = split_at_column(&shown, before);
        let mut rest = rest.chars();
        let under = rest.next().unwrap_or(' ');
        format!("{left}{CURSOR}{under}{CURSOR:#}{}", rest.as_str())
    }

    fn rows_of_mark(
        &self,
        mark: &DiagnosticMark,
        content: std::ops::Range<usize>,
        skipped: usize,
    ) -> Vec<String> {
        let style = color(mark.severity);
        let room = self.text_width();
        let start = mark.range.start.min(content.end);
        let end = mark.range.end.clamp(start, content.end);
        let from = columns(&self.text.slice(content.start..start));
        let to = (from + columns(&self.text.slice(start..end))).max(from + 1);
        let from = from.saturating_sub(skipped).min(room - 1);
        let to = to.saturating_sub(skipped).clamp(from + 1, room);
        let squiggle = "~".repeat(to - from);
        let message = format!("{}[{}]: {}", mark.severity.name(), mark.code, printable(&mark.message));
        let bar = format!("{DIM}{:1$} │{DIM:#} ", "", self.digits());
        if to + 1 + message.width() <= room {
            let pad = " ".repeat(from);
            return vec![format!("{bar}{pad}{style}{squiggle} {message}{style:#}")];
        }
        let head = message.split(' ').next().map_or(0, columns);
        let indent = if from <= room / 3 { from } else { room / 4 }.min(room.saturating_sub(head));
        let mut rows = vec![format!("{bar}{}{style}{squiggle}{style:#}", " ".repeat(from))];
        let mut pieces = wrap(&message, room - indent);
        if pieces.len() > MESSAGE_ROWS {
            // The last row is too long, so that clipping adds an ellipsis.
            let rest = pieces.split_off(MESSAGE_ROWS - 1).join(" ");
            pieces.push(clip(&rest, 0, room - indent));
        }
        for piece in pieces {
            rows.push(format!("{bar}{}{style}{piece}{style:#}", " ".repeat(indent)));
        }
        rows
    }
}

fn color(severity: Severity) -> Style {
    color_of(severity).on_default()
}

/// The width of a character as drawn.
fn width(character: char) -> usize {
    match character {
        '\t' => TAB,
        // A placeholder is drawn instead.
        _ if is_command(character) => 1,
        _ => character.width().unwrap_or(1),
    }
}

/// The width of a line's text as drawn.
fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// Returns `room` columns of a line from the column `from` on, with an ellipsis if it is longer,
/// and without terminal control characters.
fn clip(text: &str, from: usize, room: usize) -> String {
    let mut shown = String::new();
    let mut column = 0;
    for character in text.chars() {
        let next = column + width(character);
        if next > from + room {
            // The ellipsis replaces the last character, or both columns of a wide one.
            while let Some(last) = shown.pop() {
                if width(last) > 0 {
                    shown.push('…');
                    break;
                }
            }
            break;
        }
        match character {
            _ if next <= from => {}
            // The visible half of a wide character is drawn as blank space.
            _ if column < from => _ = write!(shown, "{:1$}", "", next - from),
            '\t' => shown.push_str("    "),
            '\u{1b}' => shown.push('␛'),
            control if control.is_control() => shown.push('·'),
            command if is_command(command) => shown.push('\u{fffd}'),
            other => shown.push(other),
        }
        column = next;
    }
    shown
}

/// Splits the output of [`clip`] at a column.
fn split_at_column(text: &str, column: usize) -> (&str, &str) {
    let mut at = 0;
    for (offset, character) in text.char_indices() {
        if at >= column {
            return text.split_at(offset);
        }
        at += width(character);
    }
    (text, "")
}

/// Wraps `text` into lines of at most `room` columns, between words if possible.
pub(super) fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let word = clip(word, 0, room);
        if !line.is_empty() && line.width() + 1 + word.width() > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests;
