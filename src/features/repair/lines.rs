//! Lines of a log that are not one JSON object: a record on several lines, several records on one,
//! and records that were cut off.

use std::ops::Range;

use super::cut_off;
use crate::document::Document;
use crate::places::line_end;
use crate::segments::line_faults::{LineFault, SEPARATORS, first_separator};

/// Maximum number of lines of one record that begin outside of its strings: each broken line is
/// tried as the first one of a record.
const MOST_OUTSIDE: usize = 1000;

/// A change in the imperative, with its edit.
pub(super) type LineChange = (&'static str, (Range<usize>, String));

/// A line with a fault.
pub(super) struct FaultyLine {
    /// The document offset of the line.
    pub start: usize,
    /// The change that repairs it; `None` if there is none.
    pub change: Option<LineChange>,
}

/// The faulty lines of a log, in order. The changes may leave further faults.
pub(super) fn faulty_lines(document: &Document) -> Vec<FaultyLine> {
    if !document.is_message_log() || document.is_training_set() {
        let last = cut_off::last_line(document).map(|line| (line.start, cut_off::mended(document, line)));
        return last.into_iter().map(|(start, change)| FaultyLine { start, change }).collect();
    }
    let text = document.text();
    let mut found = Vec::new();
    let (mut index, count) = (0, text.line_count());
    while index < count {
        let line = text.line_content(index);
        index += 1;
        let written = text.slice(line.clone());
        let start = line.start;
        let Some(fault) = LineFault::of(&written) else {
            if written.starts_with('{') && first_separator(&written).is_some() {
                let change = ("Write separators of lines as escapes", (line, escaped(&written)));
                found.push(FaultyLine { start, change: Some(change) });
            }
            continue;
        };
        let change = match fault {
            LineFault::SecondRecord(at) => Some(own_line(document, start + at)),
            _ => match joined(document, index - 1) {
                Some((behind, change)) => {
                    index = behind;
                    Some(change)
                }
                None if fault == LineFault::CutOff => cut_off::mended(document, line),
                None => second_beginning(&written).map(|at| own_line(document, start + at)),
            },
        };
        found.push(FaultyLine { start, change });
    }
    found
}

fn own_line(document: &Document, at: usize) -> LineChange {
    let text = document.text();
    let end = line_end(text, text.line_of_byte(at));
    ("Write the second record on a line of its own", (at..at, end))
}

/// The text of a line of JSON with escapes for separators of lines.
fn escaped(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    for letter in line.chars() {
        match letter {
            _ if SEPARATORS.contains(&letter) => text.push_str(&format!("\\u{:04x}", u32::from(letter))),
            _ => text.push(letter),
        }
    }
    text
}

/// The start of a complete record at the end of `line`, after a record that was truncated inside a
/// string. Both begin with the same key.
fn second_beginning(line: &str) -> Option<usize> {
    let key = line.get(..=line.find(':')?)?;
    let starts = line.match_indices(key).map(|(at, _)| at).skip(1);
    let is_whole = |at: &usize| line.get(*at..).is_some_and(|rest| LineFault::of(rest).is_none());
    starts.last().filter(is_whole)
}

/// The change that joins the lines of a record beginning on the line `first`, with control
/// characters in its strings escaped, and the number of the line after it; `None` if these lines
/// are no record.
fn joined(document: &Document, first: usize) -> Option<(usize, LineChange)> {
    let text = document.text();
    let mut record = RecordScan::default();
    let mut left = MOST_OUTSIDE;
    for index in first..text.line_count() {
        let line = text.line_content(index);
        let written = text.slice(line.clone());
        if !record.is_string {
            left = left.checked_sub(1)?;
        }
        if index > first && !record.is_string && LineFault::of(&written).is_none() && written.starts_with('{')
        {
            return None;
        }
        record.read(&written)?;
        if record.is_whole() {
            let title = match () {
                () if index > first => {
                    "Join the lines of the record, and escape the line ends in its strings"
                }
                () if record.has_other_space => "Remove white space that JSON has only in strings",
                () => "Escape the control characters in the record",
            };
            let range = text.line_content(first).start..line.end;
            return LineFault::of(&record.text).is_none().then(|| (index + 1, (title, (range, record.text))));
        }
        let next = index + 1;
        if next < text.line_count() && record.is_string {
            record.read(&text.slice(line.end..text.line_content(next).start))?;
        }
    }
    None
}

/// A record that is read up to its end, or to the first place where it cannot be one.
#[derive(Default)]
struct RecordScan {
    /// Its text, with escapes for control characters in strings.
    text: String,
    is_string: bool,
    is_escaped: bool,
    /// True after a string, where only a colon, a comma or a closing bracket may follow.
    is_behind: bool,
    depth: usize,
    has_begun: bool,
    /// True if it had white space outside of strings that is no white space of JSON.
    has_other_space: bool,
}

impl RecordScan {
    fn is_whole(&self) -> bool {
        self.has_begun && self.depth == 0
    }

    fn read(&mut self, text: &str) -> Option<()> {
        for letter in text.chars() {
            if self.is_string {
                if letter < ' ' {
                    self.push_escape(letter);
                    continue;
                }
                self.text.push(letter);
                match letter {
                    _ if self.is_escaped => self.is_escaped = false,
                    '\\' => self.is_escaped = true,
                    '"' => (self.is_string, self.is_behind) = (false, true),
                    _ => {}
                }
                continue;
            }
            if letter.is_whitespace() && !matches!(letter, ' ' | '\t') {
                self.has_other_space = true;
                if !self.is_whole() {
                    self.text.push(' ');
                }
                continue;
            }
            self.text.push(letter);
            match letter {
                ' ' | '\t' | '\u{FEFF}' => continue,
                // A second record.
                _ if self.is_whole() => return None,
                '"' if !self.is_behind => self.is_string = true,
                '{' | '[' if !self.is_behind => {
                    self.depth += 1;
                    self.has_begun = true;
                }
                '}' | ']' => self.depth = self.depth.checked_sub(1)?,
                ':' | ',' => {}
                _ if self.is_behind => return None,
                _ => {}
            }
            self.is_behind = false;
        }
        Some(())
    }

    fn push_escape(&mut self, letter: char) {
        if std::mem::take(&mut self.is_escaped) {
            // The backslash does not belong to the following escape, so it is escaped.
            self.text.push('\\');
        }
        match letter {
            '\n' => self.text.push_str("\\n"),
            '\r' => self.text.push_str("\\r"),
            '\t' => self.text.push_str("\\t"),
            other => self.text.push_str(&format!("\\u{:04x}", u32::from(other))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::document::Language;
    use crate::text::Text;

    #[test]
    fn long_records_are_joined_up_to_a_limit() {
        let check = |text: &str, expected: bool| {
            let document = Document::new(Text::new(text), Language::Log, Arc::default());
            assert_eq!(joined(&document, 0).is_some(), expected, "{} lines", text.lines().count());
        };
        check(&format!("{{\"a\": \"{}\"}}\n", "b\n".repeat(5000)), true);
        check(&format!("{{\"a\": [1{}]}}\n", ",\n1".repeat(500)), true);
        check(&format!("{{\"a\": [1{}]}}\n", ",\n1".repeat(5000)), false);
    }
}
