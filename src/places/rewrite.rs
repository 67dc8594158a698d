//! Edits that rewrite or remove blocks and keep the line prefixes of their containers.

use std::ops::Range;

use crate::dialect::Dialect;
use crate::document::Document;
use crate::segments::read::without_prefix;
use crate::text::Text;

/// The placement of blocks in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockPlacement {
    /// In running text, or on lines of their own.
    Anywhere,
    /// On lines of their own.
    Alone,
}

impl BlockPlacement {
    /// The placement of blocks of `dialect`.
    pub fn of(dialect: &Dialect) -> Self {
        if dialect.fence.is_some() { Self::Alone } else { Self::Anywhere }
    }
}

impl Document {
    /// The edit that replaces the block at the bytes `range` by `text`, whose line ends are `\n`.
    pub fn rewritten(
        &self,
        range: Range<usize>,
        text: &str,
        standing: BlockPlacement,
    ) -> (Range<usize>, String) {
        let (before, behind) = self.surroundings(&range);
        let prefix = container_prefix(&before);
        let (mut range, mut lines) = (range, text.to_owned());
        if standing == BlockPlacement::Alone && !without_prefix(&before).trim().is_empty() {
            lines.insert_str(0, "\n\n");
            range.start -= before.len() - before.trim_end().len();
        }
        if standing == BlockPlacement::Alone && !behind.trim().is_empty() {
            lines.push_str("\n\n");
            range.end += behind.len() - behind.trim_start().len();
        }
        let line_end = line_end(self.text(), self.text().line_of_byte(range.start));
        let mut written = String::with_capacity(lines.len());
        for (number, line) in lines.split('\n').enumerate() {
            if number > 0 {
                written.push_str(&line_end);
                written.push_str(if line.is_empty() { prefix.trim_end() } else { &prefix });
            }
            written.push_str(line);
        }
        // The line that continues needs its prefix, too.
        if lines.ends_with('\n') {
            written.push_str(prefix.strip_prefix(prefix.trim_end()).unwrap_or_default());
        }
        (range, written)
    }

    /// The range to delete in order to remove the block at `range`: the block, and the blank lines
    /// before it.
    pub fn removal_range(&self, range: Range<usize>) -> Range<usize> {
        let (before, behind) = self.surroundings(&range);
        if !behind.trim().is_empty() {
            return range;
        }
        let own = without_prefix(&before);
        if !own.trim().is_empty() {
            return range.start - (own.len() - own.trim_end().len())..range.end;
        }
        let mut number = self.text().line_of_byte(range.start);
        while let Some(line) = number.checked_sub(1) {
            let content = self.text().line_content(line);
            let text = self.text().slice(content.clone());
            if !without_prefix(&text).trim().is_empty() {
                return content.start + text.trim_end().len()..range.end;
            }
            number = line;
        }
        let last = self.text().line_of_byte(range.end);
        0..self.text().byte_of_line(last + 1)
    }

    /// The text on the lines of `range` before its start and after its end.
    fn surroundings(&self, range: &Range<usize>) -> (String, String) {
        let start = self.text().byte_of_line(self.text().line_of_byte(range.start));
        let end = self.text().line_content(self.text().line_of_byte(range.end)).end.max(range.end);
        (self.text().slice(start..range.start).into_owned(), self.text().slice(range.end..end).into_owned())
    }
}

/// The prefix of lines that continue the containers of a line which begins with `before`: quote
/// markers, and the indentation of list items.
pub(crate) fn container_prefix(before: &str) -> String {
    // Text may precede a block in a paragraph.
    let prefix = before.strip_suffix(without_prefix(before)).unwrap_or_default();
    // The marker of a list item appears on its first line only.
    let prefix = prefix.trim_start_matches('\u{feff}').chars();
    prefix.map(|c| if matches!(c, '>' | '\t') { c } else { ' ' }).collect()
}

/// The line end of the line `number`; for the last line, the line end before it.
pub(crate) fn line_end(text: &Text, number: usize) -> String {
    let end_of = |line: usize| {
        let end = text.line_content(line).end;
        text.slice(end..text.byte_of_line(line + 1).max(end)).into_owned()
    };
    let mut ends = [Some(number), number.checked_sub(1)].into_iter().flatten().map(end_of);
    ends.find(|end| !end.is_empty()).unwrap_or_else(|| "\n".to_owned())
}
