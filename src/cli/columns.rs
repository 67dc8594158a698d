//! Aligned columns of text for terminals.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The gap between two columns.
const GAP: usize = 2;
/// Minimum width to which a text column is cut.
const NARROWEST: usize = 8;
const HEADER: Style = Style::new().bold();

/// A table with a header. Text columns are cut if a line is too long; numbers are not.
pub(super) struct Columns {
    header: Vec<TableCell>,
    rows: Vec<Vec<TableCell>>,
}

/// A cell: one line without terminal control characters.
#[derive(Clone, Debug)]
pub(super) struct TableCell {
    pieces: Vec<(String, Style)>,
    kind: CellKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CellKind {
    /// Left-aligned; cut if the line is too long.
    Text,
    /// Right-aligned.
    Number,
    /// Left-aligned.
    Bar,
}

impl TableCell {
    /// Creates a text cell, which is left-aligned and may be cut.
    pub fn text(text: impl Into<String>) -> Self {
        Self { pieces: vec![(text.into(), Style::new())], kind: CellKind::Text }
    }

    /// Creates a number cell, which is right-aligned.
    pub fn number(text: impl Into<String>) -> Self {
        Self { pieces: vec![(text.into(), Style::new())], kind: CellKind::Number }
    }

    /// Creates a cell of several pieces, each with its own style.
    pub fn bar(pieces: Vec<(String, Style)>) -> Self {
        Self { pieces, kind: CellKind::Bar }
    }

    /// Sets the style.
    pub fn styled(mut self, style: Style) -> Self {
        self.pieces.iter_mut().for_each(|(_, known)| *known = style);
        self
    }

    fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }

    /// Formats the cell with its styles; text is cut to `room` columns.
    fn draw(&self, room: usize) -> String {
        let shown =
            |text: &str| if self.kind == CellKind::Text { cut_to(text, room) } else { text.to_owned() };
        let pieces = self.pieces.iter().filter(|(text, _)| !text.is_empty());
        pieces.map(|(text, style)| format!("{style}{}{style:#}", shown(text))).collect()
    }
}

impl Columns {
    /// Creates a table with this header; columns are aligned like their header cells.
    pub fn new(header: Vec<TableCell>) -> Self {
        Self { header: header.into_iter().map(|cell| cell.styled(HEADER)).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, row: Vec<TableCell>) {
        self.rows.push(row);
    }

    /// The width in columns if nothing is cut.
    pub fn width(&self) -> usize {
        total(&self.widths())
    }

    /// Formats the table, cut to `room` columns if possible.
    pub fn draw(&self, room: usize) -> String {
        let widths = self.fitted(room);
        let mut drawn = String::new();
        for row in std::iter::once(&self.header).chain(&self.rows) {
            let mut line = String::new();
            // White space is written only before other text, so that no line ends with it.
            let mut blank = 0;
            for (cell, width) in row.iter().zip(&widths) {
                let text = cell.draw(*width);
                let rest = width.saturating_sub(anstream::adapter::strip_str(&text).to_string().width());
                let (left, right) = if cell.kind == CellKind::Number { (rest, 0) } else { (0, rest) };
                blank += left;
                if !text.is_empty() {
                    line.push_str(&format!("{:blank$}{text}", ""));
                    blank = 0;
                }
                blank += right + GAP;
            }
            drawn.push_str(&line);
            drawn.push('\n');
        }
        drawn
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![0; self.header.len()];
        for row in std::iter::once(&self.header).chain(&self.rows) {
            for (cell, width) in row.iter().zip(&mut widths) {
                *width = (*width).max(cell.width());
            }
        }
        widths
    }

    /// Computes column widths so that a line fits into `room` columns. The widest text columns
    /// shrink first.
    fn fitted(&self, room: usize) -> Vec<usize> {
        let mut widths = self.widths();
        while total(&widths) > room {
            let texts = widths.iter_mut().zip(&self.header).filter(|(_, head)| head.kind == CellKind::Text);
            match texts.map(|(width, _)| width).filter(|width| **width > NARROWEST).max() {
                Some(widest) => *widest -= 1,
                None => break,
            }
        }
        widths
    }
}

fn total(widths: &[usize]) -> usize {
    widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

/// Cuts `text` to `room` columns, with an ellipsis if anything is cut.
pub(super) fn cut_to(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut shortened = String::new();
    let mut width = 1;
    for character in text.chars() {
        width += character.width().unwrap_or_default();
        if width > room {
            break;
        }
        shortened.push(character);
    }
    shortened.push('…');
    shortened
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(names: &[&str]) -> Columns {
        let mut columns =
            Columns::new(vec![TableCell::text("tool"), TableCell::number("n"), TableCell::text("why")]);
        names.iter().for_each(|name| {
            columns.push(vec![
                TableCell::text(*name),
                TableCell::number("1,234"),
                TableCell::text("because of it"),
            ]);
        });
        columns
    }

    fn plain(columns: &Columns, room: usize) -> String {
        anstream::adapter::strip_str(&columns.draw(room)).to_string()
    }

    #[test]
    fn columns_are_aligned_by_display_width() {
        let expected = "\
tool        n  why
漢字    1,234  because of it
é👩‍💻     1,234  because of it
abcdef  1,234  because of it
";
        assert_eq!(plain(&table(&["漢字", "é👩\u{200d}💻", "abcdef"]), 80), expected);
        assert_eq!(table(&["abcdef"]).width(), 6 + 2 + 5 + 2 + 13);
    }

    #[test]
    fn text_is_cut_but_numbers_are_not() {
        let long = "漢".repeat(50);
        for room in [30, 31, 60] {
            let drawn = plain(&table(&[&long]), room);
            for line in drawn.lines() {
                assert!(line.width() <= room, "{room}: {line}");
            }
            assert!(drawn.contains("1,234") && drawn.contains('…'), "{drawn}");
        }
        assert!(plain(&table(&[&long]), 1).contains("1,234"));
    }

    #[test]
    fn cut_text_is_not_too_wide() {
        for (text, room, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("漢字漢", 4, "漢…"),
            ("漢字漢", 5, "漢字…"),
            ("ab", 1, "…"),
        ] {
            assert_eq!(cut_to(text, room), expected);
        }
    }
}
