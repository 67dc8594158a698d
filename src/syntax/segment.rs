//! What the tree is a sequence of: runs of whole lines, with relative lengths.

use std::sync::Arc;

use smallvec::SmallVec;

use super::container::{Container, ScannerState};
use super::sum_tree::{SumTreeItem, SumTreeSummary};
use crate::text::Span;

/// What an upper layer hangs on a segment.
pub trait Attachment: Clone + Default {
    /// What is known of a run of segments.
    type Summary: SumTreeSummary;

    /// What is known of this one.
    fn summary(&self) -> Self::Summary;
}

impl Attachment for () {
    type Summary = ();
    fn summary(&self) {}
}

/// A run of whole lines that is read as one, together with the blank lines behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment<A> {
    /// Its length in bytes.
    pub len: u32,
    /// Its length without the blank lines at its end (a line of only container prefixes is blank).
    pub content_len: u32,
    /// How far behind its end its reading looked, in bytes. The search for the end of a tag outside of containers is not
    /// counted: [`Segment::decides`] and [`Segment::undecided`] are for that.
    pub(super) reach: u32,
    /// The rules with closers of which a closer or bar stands in it, anywhere: a bit each.
    pub(super) decides: u8,
    /// The rules with closers of which an unclosed region outside of containers stands in it.
    pub(super) undecided: u8,
    /// The scanner's state at its start; `None` for the default state.
    pub start: Option<Arc<ScannerState>>,
    /// What it is.
    pub kind: SegmentKind,
    /// What an upper layer made of it.
    pub attachment: A,
}

/// What a segment is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// Blank lines at a document's start.
    Blank,
    /// Lines outside of fences and raw HTML up to a blank line; the parts are `None` where there are none.
    Text(Option<Arc<TextParts>>),
    /// A fenced code block, or the beginning of a long one.
    Fence(Arc<FenceHead>),
    /// An HTML block of kinds 1 to 5, or the beginning of a long one.
    Html {
        /// 1 to 5.
        kind: u8,
        /// Its end condition was met here.
        closed: bool,
    },
    /// What follows of the fence or HTML block before it.
    Body {
        /// Where the line begins that closes it, if it is here; relative to this segment.
        closing: Option<u32>,
    },
    /// A line of a stream log.
    Line,
}

/// The most regions of a segment: each takes many times the memory of its text.
pub const MOST_REGIONS: usize = 2048;

/// What stands out in text. Spans are relative to the segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextParts {
    /// Headings outside of containers, in order.
    pub headings: Box<[Heading]>,
    /// What the inline rules found, in order; they do not overlap. At most [`MOST_REGIONS`].
    pub regions: SmallVec<[Region; 1]>,
    /// Where the first region is that is left out, because there are more.
    pub left_out: Option<u32>,
}

/// A heading outside of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// Its lines, without the last line's end.
    pub span: Span,
    /// Its title's source text; of a setext heading it may span lines.
    pub title: Span,
}

/// What an inline rule found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The rule's index.
    pub rule: u8,
    /// Whether its end was there. Regions that end with their line or run are always closed.
    pub closed: bool,
    /// From its opener to its end, relative to the segment; never a line end at its end.
    pub span: Span,
    /// The containers that it stands in, if any.
    pub within: Option<Arc<[Container]>>,
}

/// The opening of a fenced code block. Spans are relative to the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenceHead {
    /// `` ` `` or `~`.
    pub marker: u8,
    /// Columns of indentation, 0 to 3: taken off each line of content.
    pub indent: u8,
    /// The opening fence.
    pub fence: Span,
    /// The info string, raw, without blank space around it.
    pub info: Span,
    /// Where the line behind the opening line begins.
    pub content: u32,
    /// Where the closing line begins, if it is in this segment.
    pub closing: Option<u32>,
}

impl<A> Segment<A> {
    /// What stands out, if it is text.
    pub fn parts(&self) -> Option<&TextParts> {
        match &self.kind {
            SegmentKind::Text(Some(parts)) => Some(parts),
            _ => None,
        }
    }

    /// The regions in it.
    pub fn regions(&self) -> &[Region] {
        self.parts().map_or(&[], |parts| &parts.regions)
    }

    /// The headings in it.
    pub fn headings(&self) -> &[Heading] {
        self.parts().map_or(&[], |parts| &parts.headings)
    }
}

/// What is known of a run of segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentSummary<S> {
    /// Its length in bytes.
    pub bytes: usize,
    /// How far the reading of one of them looked, in bytes from the first one's start.
    pub(super) reach: usize,
    pub(super) decides: u8,
    pub(super) undecided: u8,
    /// Whether one of them is no [`SegmentKind::Body`].
    pub(super) has_head: bool,
    /// What is known of what upper layers made of them.
    pub attachment: S,
}

impl<A: Attachment> SumTreeItem for Segment<A> {
    type Summary = SegmentSummary<A::Summary>;

    fn summary(&self) -> Self::Summary {
        SegmentSummary {
            bytes: self.len as usize,
            reach: self.len as usize + self.reach as usize,
            decides: self.decides,
            undecided: self.undecided,
            has_head: !matches!(self.kind, SegmentKind::Body { .. }),
            attachment: self.attachment.summary(),
        }
    }
}

impl<S: SumTreeSummary> SumTreeSummary for SegmentSummary<S> {
    fn add(&mut self, behind: &Self) {
        self.reach = self.reach.max(self.bytes + behind.reach);
        self.bytes += behind.bytes;
        self.decides |= behind.decides;
        self.undecided |= behind.undecided;
        self.has_head |= behind.has_head;
        self.attachment.add(&behind.attachment);
    }
}
