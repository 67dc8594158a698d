//! Values derived from a segment on request, and stored with it.
//!
//! Editors ask for folds, links and symbols after each keystroke, and nearly all segments are
//! unchanged. So these values are computed once per segment, on first demand, and shared by all
//! versions that have the segment. An edit in a segment, or in a block or message that begins in
//! it, replaces its attachment and drops the values.

use std::sync::{Arc, OnceLock};

use once_cell::race::OnceBox;
use smallvec::SmallVec;

use crate::messages::content::MessageContent;
use crate::text::Span;

/// The values read of a segment; empty at first. They follow from the text: equality ignores them.
///
/// A tree has one in each segment, so it is a single pointer. A clone shares what is large.
#[derive(Clone, Debug, Default)]
pub struct KeptReads(OnceBox<Reads>);

#[derive(Clone, Debug, Default)]
struct Reads {
    lines: OnceLock<LineList>,
    /// On the heap: an editor asks for the lines of all segments, but most have none of these.
    contents: OnceBox<Arc<Contents>>,
}

#[derive(Clone, Debug)]
enum LineList {
    One(KeptLines),
    Several(Arc<[KeptLines]>),
}

#[derive(Debug, Default)]
struct Contents {
    paths: OnceLock<Box<[KeptPath]>>,
    messages: OnceLock<Box<[Option<MessageContent>]>>,
}

/// The lines of a part of a segment that may fold, counted from the first line of the segment.
#[derive(Clone, Copy, Debug)]
pub enum KeptLines {
    /// The fence that begins in the segment.
    Fence {
        /// Its last line.
        end: u32,
    },
    /// A block.
    Block {
        /// Its first line.
        start: u32,
        /// The line of its `{`, or else the first one.
        brace: u32,
        /// Its last line.
        end: u32,
        /// True if the fence of a log begins with it.
        opens: bool,
        /// True if the fence of a log ends with it.
        closes: bool,
    },
    /// A JSON object or array of several lines.
    Container {
        /// Its first line.
        start: u32,
        /// Its last line; if it is closed, the line before its closing bracket.
        end: u32,
        /// Its depth inside of the payload.
        depth: u16,
    },
}

/// A string in the input of a call that may be a file path.
#[derive(Debug)]
pub struct KeptPath {
    /// Its span, without quotes.
    pub span: Span,
    /// The path, decoded.
    pub path: Box<str>,
}

impl PartialEq for KeptReads {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for KeptReads {}

impl KeptReads {
    /// The paths in the calls of the segment, which `read` returns the first time.
    pub fn paths(&self, read: impl FnOnce() -> Vec<KeptPath>) -> &[KeptPath] {
        self.contents().paths.get_or_init(|| read().into())
    }

    /// The messages that begin in the segment, which `read` returns the first time. A message is
    /// `None` if there is no object, or if it is not closed in its segment of a JSON document:
    /// edits elsewhere do not replace the values kept here, so such a message is read on each
    /// request.
    pub(crate) fn messages(
        &self,
        read: impl FnOnce() -> Vec<Option<MessageContent>>,
    ) -> &[Option<MessageContent>] {
        self.contents().messages.get_or_init(|| read().into())
    }

    /// The messages that begin in the segment, if they were read.
    pub(crate) fn known_messages(&self) -> Option<&[Option<MessageContent>]> {
        self.0.get()?.contents.get()?.messages.get().map(|messages| &**messages)
    }

    /// The lines that may fold in the segment, which `read` returns the first time.
    pub fn lines(&self, read: impl FnOnce() -> SmallVec<[KeptLines; 1]>) -> &[KeptLines] {
        let list = self.reads().lines.get_or_init(|| match *read() {
            [line] => LineList::One(line),
            ref lines => LineList::Several(lines.into()),
        });
        match list {
            LineList::One(line) => std::slice::from_ref(line),
            LineList::Several(lines) => lines,
        }
    }

    fn contents(&self) -> &Contents {
        self.reads().contents.get_or_init(Box::default)
    }

    fn reads(&self) -> &Reads {
        self.0.get_or_init(Box::default)
    }
}
