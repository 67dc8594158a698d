//! A call at a place: what editor features that follow a cursor look at.
//!
//! The block is read again in full, and only that one. Features work on the model, in bytes of the block's content; the spot
//! is the way back to the document.

use std::ops::Range;

use super::Document;
use super::edge::BlockBoundary;
use super::reading::units;
use crate::call::{Call, SegmentDataSummary, StreamProtocol};
use crate::config::Settings;
use crate::dialect::{BlockSource, CallSink, Dialect};
use crate::registry::Tool;
use crate::rules::CallDiagnostic;
use crate::syntax::LocatedSegment;
use crate::text::Span;

/// A call, and a place in it or at one of its ends.
pub struct CallPosition<'a> {
    /// The call, read in full. Its spans are bytes of its content.
    pub call: &'a Call<'a>,
    /// The dialect that it is written in.
    pub dialect: &'static Dialect,
    /// The block that it is part of.
    pub source: &'a BlockSource<'a>,
    /// What holds for the document.
    pub settings: &'a Settings,
    /// Index of its segment in the tree.
    pub segment: usize,
    /// The call in the document, with its opening and closing lines.
    pub range: Range<usize>,
    /// Where its block opens: a fence's opening line, what opens a block in text, nothing of a line of a log.
    pub opening: Range<usize>,
    /// The place in bytes of the block's text, which the call's content is, or the beginning of; `None` on the lines that open
    /// and close a fence.
    pub offset: Option<usize>,
    edge: BlockBoundary<'a>,
}

impl CallPosition<'_> {
    /// Where `span`, bytes of the call's content, stands in the document.
    pub fn range_of(&self, span: Span) -> Range<usize> {
        self.edge.range(span)
    }

    /// An edit of the call's content as one of the document: line breaks in `text` are those of the document, with what its
    /// lines begin with in front of the block's content.
    pub fn edit(&self, span: Span, text: impl Into<String>) -> (Range<usize>, String) {
        self.edge.edit((span, text.into()))
    }

    /// The white space `text` between tokens of the block's content as an edit of the document.
    pub fn layout(&self, span: Span, text: &str) -> (Range<usize>, String) {
        self.edge.layout((span, text))
    }

    /// The tool that it names, if it is known.
    pub fn tool(&self) -> Option<&Tool> {
        let name = self.call.name.as_ref()?;
        self.settings.registry.tools.get(&*name.text).map(AsRef::as_ref)
    }
}

impl Document {
    /// Looks at the call that holds the byte `at`, or ends there; `None` where there is none. Of what a log's speaker says
    /// nothing is found.
    pub fn call_position_at<T>(&self, at: usize, look: impl FnOnce(&CallPosition<'_>) -> T) -> Option<T> {
        let here = self.tree.segment_at(at).filter(|_| self.is_active())?;
        let head = self.tree.head_of(here.index);
        // What ends where the segment begins ends here, too.
        let before = (here.offset == at).then(|| head.checked_sub(1)).flatten();
        let heads = [Some(head), before.map(|before| self.tree.head_of(before))];
        let mut found = None;
        for located in heads.into_iter().flatten().filter_map(|head| self.tree.locate(head)) {
            if let Some(number) = self.number_of_call(&located, at) {
                found = Some((located, number));
                break;
            }
        }
        let (located, number) = found?;
        let (mut look, mut looked) = (Some(look), None);
        self.visit_call_positions(&located, at, &mut |index, spot| {
            if index == number
                && let Some(look) = look.take()
            {
                looked = Some(look(spot));
            }
        });
        looked
    }

    /// Looks at each call of the segment at `index`, in order, at its beginning.
    pub fn call_positions(&self, index: usize, look: &mut dyn FnMut(&CallPosition<'_>)) {
        if let Some(located) = self.tree.locate(index).filter(|_| self.is_active()) {
            self.visit_call_positions(&located, located.offset, &mut |_, spot| look(spot));
        }
    }

    /// Looks at each call of the blocks that touch the bytes `range`, in order, at its beginning; no further when `is_wanted` says
    /// so.
    pub fn all_call_positions_at(
        &self,
        range: &Range<usize>,
        is_wanted: &dyn Fn() -> bool,
        look: &mut dyn FnMut(&CallPosition<'_>),
    ) {
        let has_blocks = |readings: &SegmentDataSummary| readings.blocks;
        let first = self.tree.segment_at(range.start).map_or(0, |located| self.tree.head_of(located.index));
        // What ends where the segment begins touches it, too.
        let mut next = self.tree.next_attached(first.saturating_sub(1), has_blocks);
        while let Some(index) = next.filter(|index| self.tree.offset_of(*index) <= range.end && is_wanted()) {
            self.call_positions(index, look);
            next = self.tree.next_attached(index + 1, has_blocks);
        }
    }

    /// Which call of a segment holds the byte `at`, or else ends there.
    fn number_of_call(
        &self,
        located: &LocatedSegment<'_, crate::call::SegmentAttachment>,
        at: usize,
    ) -> Option<usize> {
        let (mut holding, mut ending) = (None, None);
        self.visit_call_positions(located, at, &mut |index, spot| {
            if spot.range.contains(&at) {
                holding = Some(index);
            } else if spot.range.end == at {
                ending = Some(index);
            }
        });
        holding.or(ending)
    }

    fn visit_call_positions(
        &self,
        located: &LocatedSegment<'_, crate::call::SegmentAttachment>,
        at: usize,
        visit: &mut dyn FnMut(usize, &CallPosition<'_>),
    ) {
        let mut index = 0;
        units(self.context(), located, &mut |unit| {
            let edge = || BlockBoundary { context: self.context(), located, unit };
            let mut handle = |call: Call<'_>| {
                let range = match call.span {
                    Some(span) => edge().range(span),
                    // On the next line it has ended.
                    None if unit.source.closed => self.without_line_ends(located.absolute(unit.full_span)),
                    None => located.absolute(unit.full_span),
                };
                let spot = CallPosition {
                    call: &call,
                    dialect: unit.dialect,
                    source: &unit.source,
                    settings: &self.settings,
                    segment: located.index,
                    range,
                    opening: located.absolute(unit.opening),
                    offset: edge().content_at(at),
                    edge: edge(),
                };
                visit(index, &spot);
                index += 1;
            };
            (unit.dialect.read)(&unit.source, &mut CallPositionSink { handle: &mut handle })
        });
    }
}

struct CallPositionSink<'s> {
    handle: &'s mut dyn FnMut(Call<'_>),
}

impl CallSink for CallPositionSink<'_> {
    fn call(&mut self, call: Call<'_>) {
        (self.handle)(call);
    }

    fn diagnostic(&mut self, _: CallDiagnostic) {}

    fn text(&mut self) {}

    fn text_delta(&mut self, _: &str, _: Span) {}

    fn stream_protocol(&mut self, _: StreamProtocol) {}
}
