//! The text of a file as tools see it: line ends are `\n`, without a byte order mark.
//!
//! An edit keeps the line ends and the mark of the file.

use std::ops::Range;

const MARK: char = '\u{feff}';

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The text of the file, unchanged.
    file: String,
    /// The text with `\n` as line ends, without the mark.
    shown: String,
}

impl FileText {
    /// The text of a file with the content `file`.
    pub(super) fn of_file(file: String) -> Self {
        let text = file.strip_prefix(MARK).unwrap_or(&file);
        let shown = text.replace("\r\n", "\n");
        Self { file, shown }
    }

    /// The text with `\n` as line ends, without a byte order mark.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The content of the file.
    pub(super) fn file(&self) -> &str {
        &self.file
    }

    /// The content of the file when the bytes `range` of [`FileText::shown`] are replaced by
    /// `text`, which takes over the line ends of the replaced place.
    pub(super) fn replaced(&self, range: &Range<usize>, text: &str) -> String {
        let (start, end) = (self.in_file(range.start), self.in_file(range.end));
        let (before, rest) = self.file.split_at_checked(start).unwrap_or_default();
        let (old, after) = rest.split_at_checked(end - start).unwrap_or_default();
        let near = [old, after, before].into_iter().find_map(line_end).unwrap_or("\n");
        [before, &with_line_ends(text, near), after].concat()
    }

    /// The content of the file when `text` replaces all of it: with its mark, and its line ends if
    /// the text has `\n` alone.
    pub(super) fn replaced_by(&self, text: &str) -> String {
        let text = text.strip_prefix(MARK).unwrap_or(text);
        let is_uniform = !self.file.replace("\r\n", "").contains('\n');
        let line_end = line_end(&self.file).filter(|_| is_uniform && !text.contains('\r')).unwrap_or("\n");
        let mark = if self.file.starts_with(MARK) { "\u{feff}" } else { "" };
        match line_end {
            "\r\n" => format!("{mark}{}", with_line_ends(text, line_end)),
            _ => format!("{mark}{text}"),
        }
    }

    /// The offset in the file of an offset in the shown text.
    fn in_file(&self, shown: usize) -> usize {
        let mark = if self.file.starts_with(MARK) { MARK.len_utf8() } else { 0 };
        let mut offset = mark;
        let mut seen = 0;
        let bytes = self.file.as_bytes();
        while seen < shown {
            offset += if bytes.get(offset..offset + 2) == Some(b"\r\n") { 2 } else { 1 };
            seen += 1;
        }
        offset
    }
}

/// The first line end of `text`.
fn line_end(text: &str) -> Option<&'static str> {
    let (before, _) = text.split_once('\n')?;
    Some(if before.ends_with('\r') { "\r\n" } else { "\n" })
}

fn with_line_ends(text: &str, line_end: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', line_end)
}
