//! The block tree of one document: a sequence of segments, and views of it.
//!
//! It contains lengths, never offsets, so that an edit moves nothing after it; cloning is cheap.

use std::ops::Range;

use super::segment::{
    Attachment, AttachmentPart, Brackets, FenceHead, LayoutSummary, PlacedPart, Segment, SegmentKind,
    SegmentSummary,
};
use super::sum_tree::{Iter, SumTree, SumTreePart};
use crate::never::OrNever;
use crate::text::Span;

/// The segments of a document, in order; together they cover all of its bytes.
#[derive(Clone, Debug)]
pub struct Tree<A: Attachment = ()> {
    pub(super) segments: SumTree<Segment<A>>,
}

/// A fenced code block as a whole, however many segments it has. Ranges are document offsets.
#[derive(Clone, Debug)]
pub struct FenceView {
    /// Its opening; its spans are relative to `range.start`.
    pub head: FenceHead,
    /// Its lines, including the last line end.
    pub range: Range<usize>,
    /// The lines between its fences, including the last line end.
    pub content: Range<usize>,
    /// True if it has a closing fence. Without one it ends with its container or the document.
    pub closed: bool,
    /// The indices of its segments.
    pub segments: Range<usize>,
}

/// A segment and its position.
#[derive(Debug)]
pub struct LocatedSegment<'t, A> {
    /// Its index.
    pub index: usize,
    /// The document offset of its first byte.
    pub offset: usize,
    /// The line (from 0) of its first byte.
    pub line: usize,
    /// The segment.
    pub segment: &'t Segment<A>,
}

impl<A> LocatedSegment<'_, A> {
    /// Its bytes.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.segment.len as usize
    }

    /// Its bytes without the blank lines at its end.
    pub fn content(&self) -> Range<usize> {
        self.offset..self.offset + self.segment.content_len as usize
    }

    /// The document offsets of a span in it.
    pub fn absolute(&self, span: Span) -> Range<usize> {
        span.range_at(self.offset)
    }
}

impl<A: Attachment> From<Segment<A>> for Tree<A> {
    fn from(only: Segment<A>) -> Self {
        Self { segments: [only].into_iter().collect() }
    }
}

impl<A: Attachment> Default for Tree<A> {
    fn default() -> Self {
        Self { segments: SumTree::default() }
    }
}

impl<A: Attachment> Tree<A> {
    /// The number of its segments.
    pub fn len(&self) -> usize {
        self.segments.len()
    }

    /// True if it is empty, as for an empty document.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The document's length in bytes.
    pub fn bytes(&self) -> usize {
        self.summary().layout.bytes
    }

    /// The summary of all segments.
    pub fn summary(&self) -> &SegmentSummary<A::Summary> {
        self.segments.summary()
    }

    /// The summary of the segments before `index`.
    pub fn summary_before(&self, index: usize) -> SegmentSummary<A::Summary> {
        self.segments.sum_before(index)
    }

    /// The summary of the segments before `index`, without their attachments.
    pub(super) fn layout_before(&self, index: usize) -> LayoutSummary {
        self.segments.sum_before(index)
    }

    /// The segment at `index`.
    pub fn get(&self, index: usize) -> Option<&Segment<A>> {
        self.segments.get(index)
    }

    /// The segment at `index`, with its position.
    pub fn locate(&self, index: usize) -> Option<LocatedSegment<'_, A>> {
        let before = self.layout_before(index);
        Some(LocatedSegment { index, offset: before.bytes, line: before.lines, segment: self.get(index)? })
    }

    /// The document offset of the segment at `index`; the document's length after the last one.
    pub fn offset_of(&self, index: usize) -> usize {
        self.layout_before(index).bytes
    }

    /// The segment that holds the byte at `offset`; the last one for the document's end.
    pub fn segment_at(&self, offset: usize) -> Option<LocatedSegment<'_, A>> {
        match self.segments.find(|sum: &LayoutSummary| sum.bytes > offset) {
            Some((index, before)) => {
                let segment = self.get(index).never_none()?;
                Some(LocatedSegment { index, offset: before.bytes, line: before.lines, segment })
            }
            None => self.locate(self.len().checked_sub(1)?),
        }
    }

    /// All segments, with their positions.
    pub fn iter(&self) -> Segments<'_, A> {
        self.iter_from(0)
    }

    /// The segments from `index` on, with their positions.
    pub fn iter_from(&self, index: usize) -> Segments<'_, A> {
        let LayoutSummary { bytes: offset, lines: line, .. } = self.layout_before(index);
        Segments { index, offset, line, segments: self.segments.iter_from(index) }
    }

    /// The first segment for which `reached` holds of the summary of the attachments up to and
    /// including its own: its index, and the summary of the attachments before it. `reached` must
    /// not change from true to false as segments are added.
    pub fn find_attached(&self, mut reached: impl FnMut(&A::Summary) -> bool) -> Option<(usize, A::Summary)> {
        let (index, before) = self.segments.find(|sum: &SegmentSummary<_>| reached(&sum.attachment))?;
        Some((index, before.attachment))
    }

    /// The first segment at or after `from` for which `reached` holds of the summary of the
    /// attachments from the segment `from` up to and including its own. `reached` must not change
    /// from true to false as segments are added.
    pub fn find_attached_from(
        &self,
        from: usize,
        mut reached: impl FnMut(&A::Summary) -> bool,
    ) -> Option<usize> {
        let (index, _) = self.segments.find_from(from, |sum: &SegmentSummary<_>| reached(&sum.attachment))?;
        Some(index)
    }

    /// Like [`Tree::find_attached`], by a part of the summary, and returns the segment with its
    /// position.
    pub fn locate_attached<P: AttachmentPart<A>>(
        &self,
        mut reached: impl FnMut(&P) -> bool,
    ) -> Option<LocatedSegment<'_, A>> {
        let (index, before) = self.segments.find(|sum: &PlacedPart<P>| reached(&sum.part))?;
        let PlacedPart { bytes: offset, lines: line, .. } = before;
        Some(LocatedSegment { index, offset, line, segment: self.get(index).never_none()? })
    }

    /// The first segment at or after `from` whose attachment's summary `wanted` accepts, skipping
    /// others in logarithmic time: `wanted` must accept the sum of several exactly if it accepts
    /// one of them.
    pub fn next_attached(&self, from: usize, wanted: impl Fn(&A::Summary) -> bool) -> Option<usize> {
        self.segments.next_matching(from, |sum: &SegmentSummary<_>| wanted(&sum.attachment))
    }

    /// The segments whose attachment's summary `wanted` accepts, with their positions; see
    /// [`Tree::next_attached`].
    pub fn attached(
        &self,
        wanted: impl Fn(&A::Summary) -> bool,
    ) -> impl Iterator<Item = LocatedSegment<'_, A>> {
        self.attached_from(0, wanted)
    }

    /// Like [`Tree::attached`], from the segment `from` on.
    pub fn attached_from(
        &self,
        mut from: usize,
        wanted: impl Fn(&A::Summary) -> bool,
    ) -> impl Iterator<Item = LocatedSegment<'_, A>> {
        let mut behind = self.iter_from(from);
        std::iter::from_fn(move || {
            let next = behind.next().filter(|next| wanted(&next.segment.attachment.summary()));
            let found = next.or_else(|| {
                behind = self.iter_from(self.next_attached(from, &wanted)?);
                behind.next()
            })?;
            from = found.index + 1;
            Some(found)
        })
    }

    /// The last segment before `before` whose attachment's summary `wanted` accepts; see
    /// [`Tree::next_attached`].
    pub fn previous_attached(&self, before: usize, wanted: impl Fn(&A::Summary) -> bool) -> Option<usize> {
        self.segments.previous_matching(before, |sum: &SegmentSummary<_>| wanted(&sum.attachment))
    }

    /// The opening brackets of a JSON document that are unmatched before the segment at `index`,
    /// outermost first: each as its segment, and its number among the unmatched opening brackets of
    /// that segment.
    pub fn open_brackets(&self, index: usize) -> Vec<(usize, usize)> {
        let mut open = Vec::new();
        let mut before = index;
        let mut behind = Brackets::default();
        while let Some((found, between)) = self.segments.find_back(before, |sum: &LayoutSummary| {
            let mut with = sum.brackets;
            with.add(behind);
            with.opens > behind.opens
        }) {
            let mut sum = between.brackets;
            sum.add(behind);
            let own = self.get(found).map_or(Brackets::default(), |own| LayoutSummary::of_item(own).brackets);
            let survivors = own.opens.saturating_sub(sum.closes) as usize;
            open.extend((0..survivors).rev().map(|nth| (found, nth)));
            let mut with = own;
            with.add(sum);
            (before, behind) = (found, with);
        }
        open.reverse();
        open
    }

    /// Changes `open` from the [`Tree::open_brackets`] before the segment at `index` to the open
    /// brackets after it.
    pub fn pass_brackets(&self, index: usize, open: &mut Vec<(usize, usize)>) {
        let Some(SegmentKind::Json(own)) = self.get(index).map(|segment| &segment.kind) else { return };
        open.truncate(open.len().saturating_sub(own.closes as usize));
        open.extend((0..own.opens as usize).map(|nth| (index, nth)));
    }

    /// The first segment at or after `from` before whose end `depth` brackets are closed that are
    /// open before `from`; and the unmatched brackets between `from` and it.
    pub fn closing_segment(&self, from: usize, depth: u32) -> Option<(usize, Brackets)> {
        let (index, between) =
            self.segments.find_from(from, |sum: &LayoutSummary| sum.brackets.closes >= depth)?;
        Some((index, between.brackets))
    }

    /// Replaces the segments of `range` by the segments of `other`.
    pub fn splice(&mut self, range: Range<usize>, other: Self) {
        self.segments.splice(range, other.segments);
    }

    /// Attaches `attachments` to the segments from `start` on, one each.
    pub fn attach(&mut self, start: usize, attachments: Vec<A>) {
        let end = start + attachments.len();
        let mut attachments = attachments.into_iter();
        self.segments.update(start..end, |segment| segment.attachment = attachments.next().or_never());
    }

    /// Changes the attachment of each segment of `range`, in order.
    pub fn update_attached(&mut self, range: Range<usize>, mut change: impl FnMut(&mut A)) {
        self.segments.update(range, |segment| change(&mut segment.attachment));
    }

    /// The head of the fence or HTML block that contains the segment at `index`: itself, unless it
    /// is a body.
    pub fn head_of(&self, index: usize) -> usize {
        self.segments
            .previous_matching(index.saturating_add(1), |sum: &LayoutSummary| sum.has_head)
            .unwrap_or(0)
    }

    /// The segments of the block that begins with the segment at `index`: itself and its bodies.
    pub fn block(&self, index: usize) -> Range<usize> {
        let end =
            self.segments.next_matching(index + 1, |sum: &LayoutSummary| sum.has_head).unwrap_or(self.len());
        index.min(end)..end
    }

    /// The fenced code block that begins with the segment at `index`, if one does.
    pub fn fence(&self, index: usize) -> Option<FenceView> {
        self.fence_at(&self.locate(index)?)
    }

    /// The fenced code block that begins with the segment `first`, if one does.
    pub fn fence_at(&self, first: &LocatedSegment<'_, A>) -> Option<FenceView> {
        let SegmentKind::Fence(head) = &first.segment.kind else { return None };
        let mut view = FenceView {
            head: **head,
            range: first.content(),
            content: first.offset + head.content as usize..first.content().end,
            closed: head.closing.is_some(),
            segments: first.index..first.index + 1,
        };
        let mut closing = head.closing.map(|closing| first.offset + closing as usize);
        if closing.is_none() {
            view.segments = self.block(first.index);
            if let Some(last) = self.locate(view.segments.end.checked_sub(1)?)
                && let SegmentKind::Body { closing: at } = &last.segment.kind
            {
                view.range.end = last.content().end;
                closing = at.map(|at| last.offset + at as usize);
                view.closed = closing.is_some();
            }
        }
        view.content.end = closing.unwrap_or(view.range.end);
        Some(view)
    }
}

/// An iterator over segments with their positions.
#[derive(Debug)]
pub struct Segments<'t, A: Attachment> {
    index: usize,
    offset: usize,
    line: usize,
    segments: Iter<'t, Segment<A>>,
}

impl<'t, A: Attachment> Iterator for Segments<'t, A> {
    type Item = LocatedSegment<'t, A>;

    fn next(&mut self) -> Option<LocatedSegment<'t, A>> {
        let segment = self.segments.next()?;
        let located = LocatedSegment { index: self.index, offset: self.offset, line: self.line, segment };
        self.index += 1;
        self.offset += segment.len as usize;
        self.line += segment.lines as usize;
        Some(located)
    }
}
