//! The open segment and leaf. Offsets are document offsets until the segment is closed.

use std::sync::Arc;

use crate::never::{OrNever, never};
use crate::syntax::container::{Container, Containers, ScannerState};
use crate::syntax::reader::LineSpan;
use crate::syntax::rules::CloserBits;
use crate::syntax::segment::{
    Attachment, FenceHead, Heading, MOST_REGIONS, Region, Segment, SegmentKind, SeveralParts, TextParts,
};
use crate::text::{Span, saturate};

/// The open segment.
pub(super) struct OpenSegment {
    pub start: usize,
    /// The offset after its last line that is not blank, and the end of that line's content.
    pub content_end: usize,
    pub last_end: usize,
    /// True if a blank line followed: further text starts a new segment.
    pub is_over: bool,
    /// The rules with unclosed regions outside of containers.
    pub undecided: CloserBits,
    reach: usize,
    kind: OpenKind,
    state: Option<Arc<ScannerState>>,
    headings: Vec<Heading>,
    regions: Vec<Region>,
    /// The containers around regions, with the starts of the regions.
    containers: Vec<(u32, Containers)>,
    left_out: Option<u32>,
    run: Option<OpenRegion>,
}

pub(super) enum OpenKind {
    Blank,
    Text,
    Fence(FenceHead),
    Html { kind: u8, closed: bool },
    Body { closing: Option<u32> },
    Line,
}

/// A region that extends to its segment's end.
struct OpenRegion {
    rule: u16,
    start: usize,
    within: Containers,
}

/// An open paragraph, heading or HTML block.
#[derive(Clone, Debug)]
pub(super) struct LeafText {
    pub kind: LeafKind,
    /// The start of its first line, and of its text on that line.
    pub line: usize,
    pub start: usize,
    /// The offset up to which it was searched for regions.
    pub from: usize,
    /// The end of its last line's content, and the start of the next line.
    pub end: usize,
    pub next: usize,
    /// True if it begins with a bracket, and so may consist of link reference definitions only.
    pub may_define: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeafKind {
    Paragraph,
    Atx(u8),
    Html,
}

impl OpenSegment {
    pub fn new(line: LineSpan, kind: OpenKind, state: Option<Arc<ScannerState>>) -> Self {
        let content_end = if matches!(kind, OpenKind::Blank) { line.start } else { line.next };
        Self {
            start: line.start,
            content_end,
            last_end: line.end,
            is_over: false,
            undecided: 0,
            reach: 0,
            kind,
            state,
            headings: Vec::new(),
            regions: Vec::new(),
            containers: Vec::new(),
            left_out: None,
            run: None,
        }
    }

    /// True if a line of text continues it.
    pub fn takes_text(&self) -> bool {
        matches!(self.kind, OpenKind::Text) && !self.is_over
    }

    /// Extends the lookahead that its parse depends on to `offset`.
    pub fn extend_lookahead(&mut self, offset: usize) {
        self.reach = self.reach.max(offset);
    }

    /// Converts document offsets to a span relative to it.
    fn span(&self, start: usize, end: usize) -> Span {
        never!(start < self.start, "a part of a segment begins before it");
        Span::new(start.saturating_sub(self.start), end.saturating_sub(self.start))
    }

    /// Sets the closing line of a fence or HTML block, which begins at `line`.
    pub fn close_block(&mut self, line: usize) {
        let at = self.span(line, line).start;
        match &mut self.kind {
            OpenKind::Fence(head) => head.closing = Some(at),
            OpenKind::Html { closed, .. } => *closed = true,
            OpenKind::Body { closing } => *closing = Some(at),
            OpenKind::Blank | OpenKind::Text | OpenKind::Line => {}
        }
    }

    pub fn add_region(&mut self, rule: u16, closed: bool, start: usize, end: usize, within: &[Container]) {
        let span = self.span(start, end);
        self.regions.push(Region { rule, closed, span });
        if !within.is_empty() {
            self.containers.push((span.start, within.into()));
        }
    }

    pub fn start_run(&mut self, rule: u16, start: usize, within: &[Container]) {
        self.run = Some(OpenRegion { rule, start, within: within.into() });
    }

    /// True if the maximum number of regions is reached; then `offset`, the start of a region, is
    /// the first that is left out.
    pub fn leaves_out(&mut self, offset: usize) -> bool {
        let is_full = self.regions.len() >= MOST_REGIONS;
        if is_full {
            let at = self.span(offset, offset).start;
            self.left_out.get_or_insert(at);
        }
        is_full
    }

    /// True if a region was left out, so that all following ones are left out.
    pub fn has_left_out(&self) -> bool {
        self.left_out.is_some()
    }

    pub fn is_in_run(&self) -> bool {
        self.run.is_some()
    }

    /// Ends a run that is inside of more containers than the `matched` ones that continue.
    pub fn end_run_outside(&mut self, matched: usize) {
        if self.run.as_ref().is_some_and(|run| run.within.len() > matched) {
            self.end_run();
        }
    }

    fn end_run(&mut self) {
        if let Some(OpenRegion { rule, start, within }) = self.run.take() {
            self.add_region(rule, true, start, self.last_end, &within);
        }
    }

    /// Adds an ATX heading; `text` is its line from the first `#` on.
    pub fn add_atx(&mut self, level: u8, leaf: &LeafText, text: &str) {
        let is_space = [' ', '\t'];
        let behind = text.get(level as usize..).or_never();
        let title = behind.trim_start_matches(is_space);
        let start = leaf.start + text.len() - title.len();
        let title = title.trim_end_matches(is_space);
        // "The optional closing sequence of #s must be preceded by spaces or tabs and may be
        // followed by spaces or tabs only."
        let without = title.trim_end_matches('#');
        let title = if without.is_empty() || without.ends_with(is_space) {
            without.trim_end_matches(is_space)
        } else {
            title
        };
        let (span, title) = (self.span(leaf.line, leaf.end), self.span(start, start + title.len()));
        self.headings.push(Heading { level, span, title });
    }

    /// Adds a setext heading: the paragraph `leaf` after `skip` bytes of link reference
    /// definitions; its underline ends at `end`.
    pub fn add_setext(&mut self, level: u8, leaf: &LeafText, skip: usize, end: usize) {
        let start = leaf.start + skip;
        let line = if skip == 0 { leaf.line } else { start };
        let (span, title) = (self.span(line, end), self.span(start, leaf.end));
        self.headings.push(Heading { level, span, title });
    }

    /// Closes the segment at `end`; it contains `lines` line ends.
    pub fn close<A: Attachment>(mut self, end: usize, lines: u32, decides: CloserBits) -> Segment<A> {
        self.end_run();
        let regions = std::mem::take(&mut self.regions);
        let mut headings = std::mem::take(&mut self.headings);
        headings.retain(|heading| {
            let before = regions.partition_point(|region| region.span.start < heading.span.start);
            let region = before.checked_sub(1).and_then(|at| regions.get(at));
            region.is_none_or(|region| region.span.end <= heading.span.start)
        });
        let parts = SeveralParts {
            headings: headings.into(),
            regions: regions.into(),
            containers: std::mem::take(&mut self.containers).into(),
            left_out: self.left_out,
        };
        Segment {
            len: self.span(end, end).start,
            content_len: self.span(self.content_end, self.content_end).start,
            lines,
            reach: saturate(self.reach.saturating_sub(end)),
            decides,
            undecided: self.undecided,
            start: self.state,
            kind: match self.kind {
                OpenKind::Blank => SegmentKind::Blank,
                OpenKind::Text => SegmentKind::Text(TextParts::new(parts)),
                OpenKind::Fence(head) => SegmentKind::Fence(Arc::new(head)),
                OpenKind::Html { kind, closed } => SegmentKind::Html { kind, closed },
                OpenKind::Body { closing } => SegmentKind::Body { closing },
                OpenKind::Line => SegmentKind::Line,
            },
            attachment: A::default(),
        }
    }
}
