//! Draws one moment of an editing session: the text with line numbers, squiggles with their messages, and
//! folded batches as their labels.
//!
//! A frame never gets larger than its size: it shows the part of the text around the cursor, and looks only at
//! that part, however large the document is.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::editor::{DiagnosticMark, EditorFold};
use crate::cli::names::{is_command, printable};
use crate::rules::Severity;
use crate::text::Text;

const DIM: Style = AnsiColor::BrightBlack.on_default();
const TITLE: Style = Style::new().bold();
const LABEL: Style = AnsiColor::Cyan.on_default();
const CURSOR: Style = Style::new().invert();
const TAB: usize = 4;
/// Rows of a message that is wrapped.
const MESSAGE_ROWS: usize = 4;

/// One moment.
pub(super) struct DemoFrame<'a> {
    pub title: &'a str,
    /// What is being done, in a sentence.
    pub caption: &'a str,
    pub text: &'a Text,
    pub marks: &'a [DiagnosticMark],
    /// What is folded now: lines behind the first of each are hidden, and it shows the label.
    pub folded: &'a [EditorFold],
    /// Byte of the text that the frame is drawn around.
    pub cursor: usize,
    /// Columns.
    pub width: usize,
    /// Lines, header and all.
    pub height: usize,
}

impl DemoFrame<'_> {
    /// The frame as lines, with colours.
    pub fn draw(&self) -> Vec<String> {
        let mut lines = self.header();
        let height = self.height.saturating_sub(lines.len());
        lines.extend(self.body(height));
        lines
    }

    fn header(&self) -> Vec<String> {
        let count = match self.marks.len() {
            0 => "no problems".to_owned(),
            1 => "1 problem".to_owned(),
            count => format!("{count} problems"),
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

    /// The rows of the text: those around the cursor, `height` at most.
    fn body(&self, height: usize) -> Vec<String> {
        let focus = self.visible_line(self.text.line_of_byte(self.cursor));
        let skipped = self.skipped_columns(focus);
        let mut below = self.rows_of(focus, skipped);
        // What is said of the line with the cursor is worth more than what stands above it.
        let spare = height.saturating_sub(below.len());
        let mut line = self.line_after(focus);
        while let Some(at) = line
            && below.len() < height
        {
            below.extend(self.rows_of(at, skipped));
            line = self.line_after(at);
        }
        // Lines above, as many as half of the height takes, or more where the text ends before; the uppermost keeps
        // as much of what is said of it as there is room for.
        let wanted = (height / 2).min(spare).max(height.saturating_sub(below.len()));
        let mut above: Vec<Vec<String>> = Vec::new();
        let mut line = self.line_before(focus);
        while let Some(at) = line {
            let left = wanted - above.iter().map(Vec::len).sum::<usize>();
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

    /// The line that stands for `line`: the first of the fold that hides it, or itself.
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

    /// How many columns of every line are out of view to the left, so that the cursor is in it.
    fn skipped_columns(&self, focus: usize) -> usize {
        let content = self.text.line_content(focus);
        let before = self.text.slice(content.start..self.cursor.clamp(content.start, content.end));
        let column = columns(&before);
        let room = self.text_width();
        if column < room { 0 } else { column - room / 2 }
    }

    /// Columns of the line numbers; a space, a bar and a space follow.
    fn digits(&self) -> usize {
        self.text.line_count().to_string().len().max(4)
    }

    /// Columns of the text.
    fn text_width(&self) -> usize {
        self.width.saturating_sub(self.digits() + 3).max(1)
    }

    /// The rows of one line: itself, then the squiggles and messages of what starts on it.
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
        for mark in self.marks.get(first..).unwrap_or_default() {
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
            // The last row runs out of the room, so that it ends in an ellipsis.
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
    let color = match severity {
        Severity::Error => AnsiColor::BrightRed,
        Severity::Warning => AnsiColor::Yellow,
        Severity::Information => AnsiColor::BrightBlue,
        Severity::Hint => AnsiColor::BrightCyan,
    };
    color.on_default()
}

/// Columns of a character as it is drawn.
fn width(character: char) -> usize {
    match character {
        '\t' => TAB,
        // Something else is drawn for it.
        _ if is_command(character) => 1,
        _ => character.width().unwrap_or(1),
    }
}

/// Columns of a line's text as it is drawn.
fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

/// The part of a line from the column `from` on that is `room` wide, with an ellipsis where it goes on; nothing
/// in it moves the terminal's cursor.
fn clip(text: &str, from: usize, room: usize) -> String {
    let mut shown = String::new();
    let mut column = 0;
    for character in text.chars() {
        let next = column + width(character);
        if next > from + room {
            // The ellipsis takes the place of the last character, or of both columns of a wide one.
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
            // A wide character that begins out of view is drawn as blank space.
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

/// Splits what [`clip`] gave at a column.
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

/// `text` in lines of at most `room` columns, broken between words where it can be.
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
