//! The elements of the tree: runs of whole lines, with relative lengths.

use std::sync::Arc;

use super::container::{Container, Containers, ScannerState};
use super::rules::CloserBits;
use super::sum_tree::{SumTreeItem, SumTreePart, SumTreeSummary};
use crate::text::Span;

/// Data that an upper layer attaches to a segment.
pub trait Attachment: Clone + Default {
    /// The summary of a run of segments.
    type Summary: SumTreeSummary;

    /// The summary of this attachment.
    fn summary(&self) -> Self::Summary;
}

/// A part of the summary of attachments, which is added up alone where nothing else is needed; also
/// the whole summary.
pub trait AttachmentPart<A: Attachment>: SumTreeSummary {
    /// The part of the summary of one attachment.
    fn of_attachment(attachment: &A) -> Self;

    /// The part of a summary.
    fn of_summary(summary: &A::Summary) -> Self;
}

impl Attachment for () {
    type Summary = ();
    fn summary(&self) {}
}

/// A run of whole lines that is parsed as one unit, including the blank lines after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment<A> {
    /// Length in bytes.
    pub len: u32,
    /// Length without the blank lines at its end (a line of only container prefixes is blank).
    pub content_len: u32,
    /// Number of line ends in it.
    pub lines: u32,
    /// Length in bytes of the lookahead past its end that its parse depends on. Excludes the search
    /// for the end of a tag outside of containers: see [`Segment::decides`] and
    /// [`Segment::undecided`].
    pub(super) reach: u32,
    /// The rules whose closers or bars it contains anywhere: a bit each.
    pub(super) decides: CloserBits,
    /// The rules with closers that have an unclosed region in it, outside of containers.
    pub(super) undecided: CloserBits,
    /// The scanner's state at its start; `None` for the default state.
    pub start: Option<Arc<ScannerState>>,
    /// The kind of the segment.
    pub kind: SegmentKind,
    /// The data of an upper layer.
    pub attachment: A,
}

impl<A> Segment<A> {
    /// A segment of `len` bytes and `lines` line ends that starts in the default state and whose
    /// parse depends only on its own text.
    pub fn plain(len: u32, lines: u32, kind: SegmentKind, attachment: A) -> Self {
        Self {
            len,
            content_len: len,
            lines,
            reach: 0,
            decides: 0,
            undecided: 0,
            start: None,
            kind,
            attachment,
        }
    }
}

/// The kind of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SegmentKind {
    /// Blank lines at a document's start.
    Blank,
    /// Lines outside of fences and raw HTML up to a blank line.
    Text(TextParts),
    /// A fenced code block, or the beginning of a long one.
    Fence(Arc<FenceHead>),
    /// An HTML block of kinds 1 to 5, or the beginning of a long one.
    Html {
        /// 1 to 5.
        kind: u8,
        /// True if its end condition was met here.
        closed: bool,
    },
    /// The continuation of the preceding fence or HTML block.
    Body {
        /// The start of the line that closes it, if it is in this segment; relative to this
        /// segment.
        closing: Option<u32>,
    },
    /// A line of a log.
    Line,
    /// Lines of a long log; only their sums are held.
    Summarized,
    /// A piece of a JSON document, between two of its tokens.
    Json(Brackets),
}

/// The brackets of a run of JSON that have no counterpart in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Brackets {
    /// Closing brackets; all of them precede the opening ones.
    pub closes: u32,
    /// Opening brackets.
    pub opens: u32,
}

impl Brackets {
    /// Adds the brackets of the following run.
    #[inline]
    pub fn add(&mut self, behind: Self) {
        let pairs = self.opens.min(behind.closes);
        self.closes += behind.closes - pairs;
        self.opens += behind.opens;
        self.opens -= pairs;
    }
}

/// Maximum number of regions per segment: each takes many times the memory of its text.
pub const MOST_REGIONS: usize = 2048;

// A document has a segment for every few lines.
const _: () = assert!(size_of::<SegmentKind>() <= 16);

/// The headings and regions in text. Spans are relative to the segment. A document of tags has very
/// many segments with one region and nothing else, which is held without an allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TextParts {
    /// There are none.
    #[default]
    None,
    /// One region outside of containers, without headings.
    Region(Region),
    /// Headings, several regions, or a region in containers.
    Several(Arc<SeveralParts>),
}

/// The parts of [`TextParts::Several`]; its methods describe them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SeveralParts {
    pub(super) headings: Box<[Heading]>,
    pub(super) regions: Box<[Region]>,
    /// The containers around those regions that are in any, by the starts of the regions, in order.
    pub(super) containers: Box<[(u32, Containers)]>,
    pub(super) left_out: Option<u32>,
}

impl TextParts {
    pub(super) fn new(parts: SeveralParts) -> Self {
        match (&*parts.headings, &*parts.regions, &*parts.containers, parts.left_out) {
            ([], [], [], None) => Self::None,
            ([], [region], [], None) => Self::Region(*region),
            _ => Self::Several(Arc::new(parts)),
        }
    }

    /// Headings outside of containers and of other regions than those that they begin, in order.
    pub fn headings(&self) -> &[Heading] {
        match self {
            Self::None | Self::Region(_) => &[],
            Self::Several(parts) => &parts.headings,
        }
    }

    /// The regions of inline rules, in order; they do not overlap. At most [`MOST_REGIONS`].
    pub fn regions(&self) -> &[Region] {
        match self {
            Self::None => &[],
            Self::Region(region) => std::slice::from_ref(region),
            Self::Several(parts) => &parts.regions,
        }
    }

    /// The containers around `region`, one of the regions; outermost first.
    pub fn containers_of(&self, region: &Region) -> &[Container] {
        let Self::Several(parts) = self else { return &[] };
        let found = parts.containers.binary_search_by_key(&region.span.start, |(start, _)| *start);
        found.ok().and_then(|at| parts.containers.get(at)).map_or(&[], |(_, containers)| containers)
    }

    /// The offset of the first region that is left out because there are more.
    pub fn left_out(&self) -> Option<u32> {
        match self {
            Self::None | Self::Region(_) => None,
            Self::Several(parts) => parts.left_out,
        }
    }
}

/// A heading outside of containers and regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Level, 1 to 6.
    pub level: u8,
    /// Its lines, without the last line's end.
    pub span: Span,
    /// Source text of its title; the title of a setext heading may span lines.
    pub title: Span,
}

/// A match of an inline rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The rule's index.
    pub rule: u16,
    /// True if its end was found. Regions that end with their line or run are always closed.
    pub closed: bool,
    /// The span from its opener to its end, relative to the segment; never ends with a line end.
    pub span: Span,
}

/// The opening of a fenced code block. Spans are relative to the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FenceHead {
    /// `` ` `` or `~`.
    pub marker: u8,
    /// Columns of indentation, 0 to 3, which are removed from each line of content.
    pub indent: u8,
    /// The opening fence.
    pub fence: Span,
    /// The info string, raw, without surrounding white space.
    pub info: Span,
    /// The start of the line after the opening line.
    pub content: u32,
    /// The start of the closing line, if it is in this segment.
    pub closing: Option<u32>,
}

impl<A> Segment<A> {
    /// The headings and regions; none unless it is text.
    pub fn parts(&self) -> &TextParts {
        match &self.kind {
            SegmentKind::Text(parts) => parts,
            _ => &TextParts::None,
        }
    }

    /// The regions in it.
    pub fn regions(&self) -> &[Region] {
        self.parts().regions()
    }

    /// The headings in it.
    pub fn headings(&self) -> &[Heading] {
        self.parts().headings()
    }
}

/// The summary of a run of segments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SegmentSummary<S> {
    /// The summary without the attachments.
    pub layout: LayoutSummary,
    /// The summary of the attachments.
    pub attachment: S,
}

/// The summary of a run of segments without their attachments: small, so that finding a position
/// costs little.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayoutSummary {
    /// Length in bytes.
    pub bytes: usize,
    /// Number of line ends.
    pub lines: usize,
    /// The furthest lookahead of the segments, in bytes from the start of the first one.
    pub(super) reach: usize,
    pub(super) decides: CloserBits,
    pub(super) undecided: CloserBits,
    /// True if any segment is not a [`SegmentKind::Body`].
    pub(super) has_head: bool,
    /// The unmatched brackets of a JSON document.
    pub brackets: Brackets,
}

impl<A: Attachment> SumTreeItem for Segment<A> {
    type Summary = SegmentSummary<A::Summary>;

    #[inline]
    fn summary(&self) -> Self::Summary {
        SegmentSummary { layout: LayoutSummary::of_item(self), attachment: self.attachment.summary() }
    }
}

impl<S: SumTreeSummary> SumTreeSummary for SegmentSummary<S> {
    #[inline]
    fn add(&mut self, behind: &Self) {
        self.layout.add(&behind.layout);
        self.attachment.add(&behind.attachment);
    }
}

/// The lengths of a run of segments, with a part of the summary of their attachments.
#[derive(Clone, Debug, Default)]
pub(super) struct PlacedPart<P> {
    pub bytes: usize,
    pub lines: usize,
    pub part: P,
}

impl<P: SumTreeSummary> SumTreeSummary for PlacedPart<P> {
    #[inline]
    fn add(&mut self, behind: &Self) {
        self.bytes += behind.bytes;
        self.lines += behind.lines;
        self.part.add(&behind.part);
    }
}

impl<A: Attachment, P: AttachmentPart<A>> SumTreePart<Segment<A>> for PlacedPart<P> {
    #[inline]
    fn of_item(segment: &Segment<A>) -> Self {
        let part = P::of_attachment(&segment.attachment);
        Self { bytes: segment.len as usize, lines: segment.lines as usize, part }
    }

    #[inline]
    fn of_summary(summary: &SegmentSummary<A::Summary>) -> Self {
        let LayoutSummary { bytes, lines, .. } = summary.layout;
        Self { bytes, lines, part: P::of_summary(&summary.attachment) }
    }
}

impl<A: Attachment> SumTreePart<Segment<A>> for LayoutSummary {
    #[inline]
    fn of_item(segment: &Segment<A>) -> Self {
        Self {
            bytes: segment.len as usize,
            lines: segment.lines as usize,
            reach: segment.len as usize + segment.reach as usize,
            decides: segment.decides,
            undecided: segment.undecided,
            has_head: !matches!(segment.kind, SegmentKind::Body { .. }),
            brackets: match segment.kind {
                SegmentKind::Json(brackets) => brackets,
                _ => Brackets::default(),
            },
        }
    }

    #[inline]
    fn of_summary(summary: &SegmentSummary<A::Summary>) -> Self {
        summary.layout
    }
}

impl SumTreeSummary for LayoutSummary {
    #[inline]
    fn add(&mut self, behind: &Self) {
        self.reach = self.reach.max(self.bytes + behind.reach);
        self.bytes += behind.bytes;
        self.lines += behind.lines;
        self.decides |= behind.decides;
        self.undecided |= behind.undecided;
        self.has_head |= behind.has_head;
        self.brackets.add(behind.brackets);
    }
}
