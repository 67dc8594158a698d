//! The call at an offset, for editor features that follow the cursor.
//!
//! Only the block at the offset is parsed in full. Features work on the model, in bytes of the
//! block's content; a position maps these to the document.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::call::Call;
use crate::dialect::{BlockSource, Dialect};
use crate::document::Document;
use crate::places::block_boundary::BlockBoundary;
use crate::registry::Tool;
use crate::segments::read::units;
use crate::text::Span;

/// A call, and an offset in it or at one of its ends.
pub struct CallPosition<'a> {
    /// The call, parsed in full. Its spans are relative to its content.
    pub call: &'a Call<'a>,
    /// The dialect of the call.
    pub dialect: &'static Dialect,
    /// The block that contains it.
    pub source: &'a BlockSource<'a>,
    /// Index of its segment in the tree.
    pub segment: usize,
    /// The range of the call in the document, with its opening and closing lines.
    pub range: Range<usize>,
    /// The range of its block's opening: a fence's opening line, the opener of a region in text;
    /// empty for a line of a log.
    pub opening: Range<usize>,
    /// The offset in the block's text, in bytes; `None` on the opening and closing lines of a
    /// fence. The call's content is all of this text, or its beginning.
    pub offset: Option<usize>,
    boundary: BlockBoundary<'a>,
}

/// A call at a place. The greatest one is used: a call that contains the place before a call that
/// ends there, then the first segment, and in a segment the last call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct CallAtPlace {
    contains_it: bool,
    rank: Reverse<usize>,
    /// The index of the call in its segment.
    index: usize,
    segment: usize,
}

impl CallPosition<'_> {
    fn move_to(&mut self, at: usize) {
        self.offset = self.boundary.content_at(at);
    }

    /// The document range of `span`, in bytes of the call's content.
    pub fn range_of(&self, span: Span) -> Range<usize> {
        self.boundary.range(span)
    }

    /// Converts an edit of the call's content to an edit of the document: line breaks in `text`
    /// become line breaks of the document, followed by the line prefix of the block.
    pub fn edit(&self, span: Span, text: impl Into<String>) -> (Range<usize>, String) {
        self.boundary.edit((span, text.into()))
    }

    /// Converts the white space `text` between tokens of the block's content to an edit of the
    /// document.
    pub fn layout(&self, span: Span, text: &str) -> (Range<usize>, String) {
        self.boundary.layout((span, text))
    }

    /// The tool that the call names, if it is known.
    pub fn tool(&self) -> Option<&Tool> {
        self.source.settings.registry.tool(&self.call.name.as_ref()?.text)
    }
}

impl Document {
    /// Passes the call that contains the byte `at`, or ends there, to `look`; `None` if there is
    /// none. Does not visit the delta text.
    pub fn call_position_at<T>(&self, at: usize, look: impl FnOnce(&CallPosition<'_>) -> T) -> Option<T> {
        let (mut look, mut looked) = (Some(look), None);
        self.call_positions_at(&[at], &mut |_, position| looked = look.take().map(|look| look(position)));
        looked
    }

    /// Passes, for each of `places`, its index and the call that contains the byte or ends there to
    /// `look`, in no particular order. Reads each segment twice, however many places are in it.
    /// Does not visit the delta text.
    pub fn call_positions_at(&self, places: &[usize], look: &mut dyn FnMut(usize, &CallPosition<'_>)) {
        if !self.is_active() {
            return;
        }
        let mut order: Vec<_> = (0..places.len()).collect();
        order.sort_by_key(|index| places[*index]);
        // By segment, the places in ascending order, with the rank of the segment for each.
        let mut segments: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for index in order {
            for (rank, located) in self.segments_of_blocks_at(places[index]).into_iter().enumerate() {
                segments.entry(located.index).or_default().push((index, rank));
            }
        }
        let mut best: Vec<Option<CallAtPlace>> = vec![None; places.len()];
        for (segment, within) in &segments {
            self.visit_call_positions(*segment, &mut |in_segment, position| {
                let first = within.partition_point(|(index, _)| places[*index] < position.range.start);
                for (index, rank) in &within[first..] {
                    let at = places[*index];
                    if at > position.range.end {
                        break;
                    }
                    let (contains_it, rank) = (position.range.contains(&at), Reverse(*rank));
                    let found = CallAtPlace { contains_it, rank, index: in_segment, segment: *segment };
                    best[*index] = best[*index].max(Some(found));
                }
            });
        }
        let mut chosen: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        for (index, best) in best.into_iter().enumerate() {
            best.into_iter().for_each(|best| {
                chosen.entry((best.segment, best.index)).or_default().push(index);
            });
        }
        let mut read = None;
        for (segment, _) in chosen.keys() {
            if read.replace(segment) != Some(segment) {
                self.visit_call_positions(*segment, &mut |in_segment, position| {
                    for index in chosen.get(&(*segment, in_segment)).into_iter().flatten() {
                        position.move_to(places[*index]);
                        look(*index, position);
                    }
                });
            }
        }
    }

    /// Passes each call of the segment at `index` to `look`, in order, positioned at its start.
    pub fn call_positions(&self, index: usize, look: &mut dyn FnMut(&CallPosition<'_>)) {
        if let Some(located) = self.tree().locate(index).filter(|_| self.is_active()) {
            self.visit_call_positions(index, &mut |_, position| {
                position.move_to(located.offset);
                look(position);
            });
        }
    }

    /// Passes each call of the blocks that touch the bytes `range` to `look`, in order, positioned
    /// at its start, as long as `is_wanted` returns true.
    pub fn all_call_positions_at(
        &self,
        range: &Range<usize>,
        is_wanted: &dyn Fn() -> bool,
        look: &mut dyn FnMut(&CallPosition<'_>),
    ) {
        let first = self.tree().segment_at(range.start).map_or(0, |located| self.head_of(located.index));
        // A block that ends at the start of the segment touches it, too.
        let segments = self.tree().attached_from(first.saturating_sub(1), |sum| sum.blocks);
        for located in segments.take_while(|located| located.offset <= range.end && is_wanted()) {
            self.call_positions(located.index, look);
        }
    }

    /// Passes each call of the segment at `segment`, and its index in it, to `visit`, without an
    /// offset.
    fn visit_call_positions(&self, segment: usize, visit: &mut dyn FnMut(usize, &mut CallPosition<'_>)) {
        let Some(located) = self.tree().locate(segment) else { return };
        let mut index = 0;
        units(self.context(), &located, &mut |unit| {
            let boundary = || BlockBoundary { context: self.context(), located: &located, unit };
            let mut handle = |call: Call<'_>| {
                let range = match call.span {
                    Some(span) => boundary().range(span),
                    // On the next line it has ended.
                    None if unit.source.closed => self.without_line_ends(located.absolute(unit.full_span)),
                    None => located.absolute(unit.full_span),
                };
                let mut position = CallPosition {
                    call: &call,
                    dialect: unit.dialect,
                    source: &unit.source,
                    segment: located.index,
                    range,
                    opening: located.absolute(unit.opening),
                    offset: None,
                    boundary: boundary(),
                };
                visit(index, &mut position);
                index += 1;
            };
            (unit.dialect.read)(&unit.source, &mut handle)
        });
    }
}
