//! Updates the block structure line by line: CommonMark's phase 1, as far as it distinguishes code,
//! headings and text.
//!
//! The result for a line depends only on the [`ScannerState`] before it and on its own bytes, with
//! one exception: whether an open paragraph consists of link reference definitions, which the
//! caller determines.

use super::container::{Container, Leaf, LineContentCursor, ScannerState};
use super::html;
use crate::never::OrNever;

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Only spaces, tabs, and prefixes of containers.
    Blank,
    /// The first line of a paragraph.
    Paragraph,
    /// A further line of a paragraph, possibly lazy.
    Continued,
    /// An ATX heading of this level.
    Atx(u8),
    /// The underline of a setext heading of this level.
    Setext(u8),
    /// A line of an HTML block of kind 6 or 7.
    HtmlText {
        /// True if it is the first one.
        starts: bool,
    },
    /// Anything else outside of fences and raw HTML: thematic breaks, indented code, empty list
    /// items.
    Other,
    /// The opening line of a fenced code block.
    FenceStart {
        /// `` ` `` or `~`.
        marker: u8,
        /// Columns of indentation.
        indent: u8,
        /// Number of markers.
        length: u32,
    },
    /// A line in a fenced code block.
    FenceContent,
    /// The closing line of a fenced code block.
    FenceEnd,
    /// The first line of an HTML block of kinds 1 to 5.
    HtmlStart {
        /// The kind, 1 to 5.
        kind: u8,
        /// True if it is the last line, too.
        ends: bool,
    },
    /// A line in such an HTML block.
    HtmlContent {
        /// True if it is the last line.
        ends: bool,
    },
}

/// The result of [`ScannerState::read_line`].
#[derive(Clone, Copy, Debug)]
pub(super) struct ScannedLine {
    /// The kind of the line.
    pub kind: LineKind,
    /// The start of its text (its first byte after prefixes, spaces and tabs).
    pub text: usize,
    /// Number of containers open before the line that it continues.
    pub matched: usize,
}

/// The beginning of the first line of a session in a history of aider, `.aider.chat.history.md`.
pub const HISTORY_START: &str = "# aider chat started at ";

/// The beginnings of lines that end a fence in such a history: what aider writes after an answer.
const HISTORY_LINES: [&str; 3] = [HISTORY_START, "> Tokens: ", "> Applied edit to "];

impl ScannerState {
    /// Updates the state by `line` (without its line end). `is_definitions` returns whether the
    /// open paragraph consists only of link reference definitions.
    pub(super) fn read_line(&mut self, line: &[u8], is_definitions: impl Fn() -> bool) -> ScannedLine {
        if self.is_plain_text(line) {
            let goes_on = self.leaf == Leaf::Paragraph;
            self.leaf = Leaf::Paragraph;
            let kind = if goes_on { LineKind::Continued } else { LineKind::Paragraph };
            return ScannedLine { kind, text: 0, matched: 0 };
        }
        let mut cursor = LineContentCursor::new(line);
        let matched = cursor.skip_containers(&self.containers);
        let all_matched = matched == self.containers.len();
        let is_in_fence = matches!(self.leaf, Leaf::Fence { .. });
        if is_in_fence
            && self.is_history
            && HISTORY_LINES.iter().any(|start| line.starts_with(start.as_bytes()))
        {
            self.leaf = Leaf::None;
        }
        if all_matched && let Some(kind) = self.read_leaf_line(&mut cursor) {
            return ScannedLine { kind, text: cursor.text_at(), matched };
        }
        let kind = self.read_starts(&mut cursor, matched, is_definitions);
        self.is_history |= kind == LineKind::Atx(1) && line.starts_with(HISTORY_START.as_bytes());
        ScannedLine { kind, text: cursor.text_at(), matched }
    }

    /// The common case: a line outside of containers that begins with a letter or the like.
    fn is_plain_text(&self, line: &[u8]) -> bool {
        self.containers.is_empty()
            && matches!(self.leaf, Leaf::None | Leaf::Paragraph)
            && line.first().is_some_and(|&byte| byte.is_ascii_alphabetic() || byte >= 0x80)
    }

    /// Scans a line of an open leaf that accepts any line.
    fn read_leaf_line(&mut self, cursor: &mut LineContentCursor<'_>) -> Option<LineKind> {
        match self.leaf {
            Leaf::Fence { marker, length, .. } => {
                if cursor.indent() > 3
                    || cursor.first() != Some(marker)
                    || !closes(cursor.text(), marker, length)
                {
                    return Some(LineKind::FenceContent);
                }
                self.leaf = Leaf::None;
                Some(LineKind::FenceEnd)
            }
            Leaf::Html(kind) => {
                let ends = html::block_ends(kind, cursor.text());
                if ends {
                    self.leaf = Leaf::None;
                }
                Some(LineKind::HtmlContent { ends })
            }
            Leaf::HtmlText if !cursor.is_blank() => Some(LineKind::HtmlText { starts: false }),
            Leaf::HtmlText | Leaf::None | Leaf::Paragraph | Leaf::Org(_) => None,
        }
    }

    fn read_starts(
        &mut self,
        cursor: &mut LineContentCursor<'_>,
        matched: usize,
        is_definitions: impl Fn() -> bool,
    ) -> LineKind {
        // A paragraph is "tip" in the words of the specification's algorithm until the line opens a
        // block.
        let mut tip_is_paragraph = self.leaf == Leaf::Paragraph;
        let mut opened = false;
        let mut breaks = BreakSearch::default();
        loop {
            let Some(first) = cursor.first() else {
                self.close(matched, opened);
                // "-" alone is text enough to not be a blank line.
                let is_new_item = opened && matches!(self.containers.last(), Some(Container::Item { .. }));
                return if is_new_item { LineKind::Other } else { LineKind::Blank };
            };
            if cursor.indent() >= 4 {
                if tip_is_paragraph {
                    return LineKind::Continued;
                }
                self.open_leaf(matched, opened, Leaf::None);
                return LineKind::Other;
            }
            let in_paragraph = tip_is_paragraph && matched == self.containers.len();
            if first == b'>' {
                self.open_container(matched, opened, Container::Quote);
                cursor.skip_quote_mark();
            } else if let Some((kind, leaf)) = leaf_start(cursor, first, tip_is_paragraph) {
                self.open_leaf(matched, opened, leaf);
                return kind;
            } else if in_paragraph
                && let Some(level) = setext_level(cursor.text())
                && !is_definitions()
            {
                self.leaf = Leaf::None;
                return LineKind::Setext(level);
            } else if breaks.is_thematic_break(cursor.text(), first) {
                self.open_leaf(matched, opened, Leaf::None);
                return LineKind::Other;
            } else if let Some(indent) = skip_item_marker(cursor, first, in_paragraph) {
                self.open_container(matched, opened, Container::Item { indent, empty: true });
            } else if tip_is_paragraph {
                return LineKind::Continued;
            } else {
                self.open_leaf(matched, opened, Leaf::Paragraph);
                return LineKind::Paragraph;
            }
            opened = true;
            tip_is_paragraph = false;
        }
    }

    /// Closes the blocks that the line does not continue: all but `matched` containers, and the
    /// leaf.
    fn close(&mut self, matched: usize, opened: bool) {
        if !opened {
            self.containers.truncate(matched);
            self.leaf = Leaf::None;
        }
    }

    fn open_container(&mut self, matched: usize, opened: bool, container: Container) {
        self.open_leaf(matched, opened, Leaf::None);
        self.containers.push(container);
    }

    fn open_leaf(&mut self, matched: usize, opened: bool, leaf: Leaf) {
        self.close(matched, opened);
        if let Some(Container::Item { empty, .. }) = self.containers.last_mut() {
            *empty = false;
        }
        self.leaf = leaf;
    }
}

/// The leaf that the text of a line starts, other than a paragraph, setext heading or thematic
/// break.
fn leaf_start(cursor: &LineContentCursor<'_>, first: u8, tip_is_paragraph: bool) -> Option<(LineKind, Leaf)> {
    let text = cursor.text();
    match first {
        b'#' => {
            let level = run_len(text, b'#');
            let ends = matches!(text.get(level), None | Some(b' ' | b'\t'));
            (level <= 6 && ends).then_some((LineKind::Atx(level as u8), Leaf::None))
        }
        b'`' | b'~' => {
            let length = run_len(text, first);
            // "Info strings for backtick code blocks cannot contain backticks."
            let is_inline = first == b'`' && memchr::memchr(b'`', text.get(length..).never_none()?).is_some();
            let length = u32::try_from(length).unwrap_or(u32::MAX);
            let indent = cursor.indent() as u8;
            let kind = LineKind::FenceStart { marker: first, indent, length };
            (length >= 3 && !is_inline).then_some((kind, Leaf::Fence { marker: first, indent, length }))
        }
        b'<' => match html::block_start(text, !tip_is_paragraph)? {
            kind @ 1..=5 => {
                let ends = html::block_ends(kind, text);
                let leaf = if ends { Leaf::None } else { Leaf::Html(kind) };
                Some((LineKind::HtmlStart { kind, ends }, leaf))
            }
            _ => Some((LineKind::HtmlText { starts: true }, Leaf::HtmlText)),
        },
        _ => None,
    }
}

/// True if `text` is a closing fence for an opening one of `length` markers.
fn closes(text: &[u8], marker: u8, length: u32) -> bool {
    let run = run_len(text, marker);
    run >= length as usize && is_blank(text.get(run..).or_never())
}

fn setext_level(text: &[u8]) -> Option<u8> {
    let (first, level) = match text.first()? {
        b'=' => (b'=', 1),
        b'-' => (b'-', 2),
        _ => return None,
    };
    is_blank(text.get(run_len(text, first)..).never_none()?).then_some(level)
}

/// The search for a thematic break at each of the places in a line where one could begin.
#[derive(Default)]
struct BreakSearch {
    /// The last marker, and the number of bytes remaining in the line at the place where its search
    /// failed. An earlier search for the same marker would fail there, too.
    failed: Option<(u8, usize)>,
}

impl BreakSearch {
    fn is_thematic_break(&mut self, text: &[u8], first: u8) -> bool {
        let is_known = |(marker, left): (u8, usize)| marker == first && text.len() > left;
        if !matches!(first, b'*' | b'-' | b'_') || self.failed.is_some_and(is_known) {
            return false;
        }
        let mut count = 0;
        for (at, &byte) in text.iter().enumerate() {
            match byte {
                b' ' | b'\t' => {}
                _ if byte == first => count += 1,
                _ => {
                    self.failed = Some((first, text.len() - at));
                    return false;
                }
            }
        }
        count >= 3
    }
}

/// Skips a list item's marker and the space that belongs to it. Returns the item's indent.
fn skip_item_marker(cursor: &mut LineContentCursor<'_>, first: u8, in_paragraph: bool) -> Option<u32> {
    let text = cursor.text();
    let width = match first {
        b'*' | b'+' | b'-' => 1,
        b'0'..=b'9' => {
            let digits = text.iter().take(10).position(|byte| !byte.is_ascii_digit())?;
            // "In order for an ordered list to interrupt a paragraph, it must start with 1", of any
            // width.
            let number = text.get(..digits).never_none()?;
            let is_one = number
                .split_last()
                .is_some_and(|(last, zeros)| *last == b'1' && zeros.iter().all(|&z| z == b'0'));
            if !matches!(text.get(digits), Some(b'.' | b')')) || (in_paragraph && !is_one) {
                return None;
            }
            digits + 1
        }
        _ => return None,
    };
    let behind = text.get(width..).never_none()?;
    if !matches!(behind.first(), None | Some(b' ' | b'\t')) || (in_paragraph && is_blank(behind)) {
        return None;
    }
    let marker_indent = cursor.indent();
    cursor.skip_indent();
    cursor.skip_bytes(width);
    let space = cursor.indent();
    let padding = if cursor.is_blank() || space > 4 { 1 } else { space };
    cursor.skip_columns(padding);
    Some((marker_indent + width + padding) as u32)
}

fn run_len(text: &[u8], byte: u8) -> usize {
    text.iter().position(|&other| other != byte).unwrap_or(text.len())
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}
