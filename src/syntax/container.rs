//! Containers, the scanner's state, and the columns of a line.
//!
//! Columns follow CommonMark: tabs advance to the next multiple of four, and a container may
//! consume a part of a tab ("2.2 Tabs").

use smallvec::SmallVec;

use crate::never::OrNever;

/// An open block quote or list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// A block quote.
    Quote,
    /// A list item.
    Item {
        /// Number of columns by which its lines must be indented.
        indent: u32,
        /// True if it only has its marker so far: "a list item can begin with at most one blank
        /// line".
        empty: bool,
    },
}

/// The open containers, outermost first.
pub type Containers = SmallVec<[Container; 2]>;

/// The block in the innermost container that may accept the next line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Leaf {
    /// None that is relevant.
    #[default]
    None,
    /// A paragraph.
    Paragraph,
    /// An HTML block of kind 6 or 7: it ends at a blank line.
    HtmlText,
    /// A fenced code block.
    Fence {
        /// `` ` `` or `~`.
        marker: u8,
        /// Columns of indentation of the opening fence, which are removed from each line.
        indent: u8,
        /// Length of the opening fence.
        length: u32,
    },
    /// An HTML block of this kind, 1 to 5: it ends by its own end condition.
    Html(u8),
    /// In Org, a block of this kind; its content is not Org.
    Org(u8),
}

/// A program whose histories are recognized by a characteristic line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum History {
    /// aider: more lines end fences than in Markdown, because an answer may be cut off in one, or
    /// have fences within fences.
    Aider,
    /// SpecStory: more lines open regions.
    SpecStory,
}

/// The scanner's state at the start of a line; it determines how all following text is parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScannerState {
    /// The open containers.
    pub containers: Containers,
    /// The open leaf.
    pub leaf: Leaf,
    /// The program that wrote the text, after a line that only its histories have.
    pub history: Option<History>,
}

impl ScannerState {
    /// True if nothing is open, as at a document's start.
    pub fn is_default(&self) -> bool {
        self.containers.is_empty() && self.leaf == Leaf::None && self.history.is_none()
    }

    /// Copies `other` and reuses its own storage.
    pub(super) fn copy_from(&mut self, other: &Self) {
        (self.leaf, self.history) = (other.leaf, other.history);
        if self.containers != other.containers {
            self.containers.clear();
            self.containers.extend_from_slice(&other.containers);
        }
    }
}

/// A position in a line (without its line end).
#[derive(Clone, Debug)]
pub(super) struct LineContentCursor<'l> {
    pub line: &'l [u8],
    /// Byte offset.
    pub offset: usize,
    /// Column; inside of a tab if a part of it was consumed.
    pub column: usize,
    /// Remaining columns of the tab at `offset`, if a part of it was consumed.
    pub tab_rest: usize,
    /// The first byte that is neither space nor tab at or after `offset`, and its column.
    text: (usize, usize),
}

impl<'l> LineContentCursor<'l> {
    pub fn new(line: &'l [u8]) -> Self {
        let mut this = Self { line, offset: 0, column: 0, tab_rest: 0, text: (0, 0) };
        this.find_text();
        this
    }

    /// The offset of the first byte that is neither space nor tab.
    pub fn text_at(&self) -> usize {
        self.text.0
    }

    /// The rest of the line from there.
    pub fn text(&self) -> &'l [u8] {
        self.line.get(self.text.0..).or_never()
    }

    /// The first byte of the text.
    pub fn first(&self) -> Option<u8> {
        self.line.get(self.text.0).copied()
    }

    /// True if only spaces and tabs remain.
    pub fn is_blank(&self) -> bool {
        self.text.0 >= self.line.len()
    }

    /// Number of columns between the position and the text.
    pub fn indent(&self) -> usize {
        self.text.1 - self.column
    }

    pub fn skip_indent(&mut self) {
        (self.offset, self.column) = self.text;
        self.tab_rest = 0;
    }

    /// Skips `count` bytes that are not tabs.
    pub fn skip_bytes(&mut self, count: usize) {
        self.offset += count;
        self.column += count;
        self.tab_rest = 0;
        self.find_text();
    }

    /// Skips up to `columns` columns of spaces and tabs.
    pub fn skip_columns(&mut self, mut columns: usize) {
        while columns > 0 {
            match self.line.get(self.offset) {
                Some(b'\t') => {
                    let width = 4 - self.column % 4;
                    if width > columns {
                        self.column += columns;
                        self.tab_rest = width - columns;
                        return;
                    }
                    columns -= width;
                    self.column += width;
                }
                Some(b' ') => {
                    columns -= 1;
                    self.column += 1;
                }
                _ => return,
            }
            self.offset += 1;
            self.tab_rest = 0;
        }
    }

    fn find_text(&mut self) {
        let (mut at, mut column) = (self.offset, self.column);
        loop {
            match self.line.get(at) {
                Some(b' ') => column += 1,
                Some(b'\t') => column += 4 - column % 4,
                _ => break,
            }
            at += 1;
        }
        self.text = (at, column);
    }

    /// Skips the prefixes of `containers` that the line has. Returns their number.
    pub fn skip_containers(&mut self, containers: &[Container]) -> usize {
        for (depth, container) in containers.iter().enumerate() {
            if !self.skip_container(*container) {
                return depth;
            }
        }
        containers.len()
    }

    fn skip_container(&mut self, container: Container) -> bool {
        match container {
            Container::Quote => {
                let here = self.indent() <= 3 && self.first() == Some(b'>');
                if here {
                    self.skip_quote_mark();
                }
                here
            }
            Container::Item { empty, .. } if self.is_blank() => {
                if !empty {
                    self.skip_indent();
                }
                !empty
            }
            Container::Item { indent, .. } => {
                let here = self.indent() >= indent as usize;
                if here {
                    self.skip_columns(indent as usize);
                }
                here
            }
        }
    }

    /// Skips a `>` after the indentation, and one column of space after it.
    pub fn skip_quote_mark(&mut self) {
        self.skip_indent();
        self.skip_bytes(1);
        self.skip_columns(1);
    }
}
