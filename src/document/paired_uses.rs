//! The tool uses of a document with their blocks: names, labels, ids and places.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::{Deref, Range};

use crate::call::pairing::Pairing;
use crate::call::{Block, CallPart, LABEL_ARGUMENTS, UseLabel, arguments_of_object};
use crate::dialect::name_of;
use crate::document::Document;
use crate::document::fallback_ids::fallback_id;
use crate::document::located_blocks::LocatedBlock;
use crate::document::pairs::{BlockPlace, PairedUse, Pairs};
use crate::forms::around;
use crate::json;
use crate::never::never;

/// Number of bytes of a streamed input that a label is made of.
const SHOWN_PIECES: usize = 1000;

/// The tool uses of a document.
#[derive(Debug)]
pub struct PairedUses<'d> {
    document: &'d Document,
    pairs: Cow<'d, Pairs>,
    /// All blocks, as soon as they are asked for.
    blocks: OnceCell<Vec<LocatedBlock<'d>>>,
}

impl Deref for PairedUses<'_> {
    type Target = Pairs;

    fn deref(&self) -> &Pairs {
        &self.pairs
    }
}

impl<'d> PairedUses<'d> {
    /// Pairs the blocks of `document` that `is_wanted` accepts.
    pub(crate) fn pair(document: &'d Document, is_wanted: impl Fn(&LocatedBlock<'_>) -> bool) -> Self {
        Self { document, pairs: Cow::Owned(document.pairs(is_wanted)), blocks: OnceCell::new() }
    }

    /// The stored pairs of `document`.
    fn kept(document: &'d Document, kept: &'d Pairs) -> Self {
        Self { document, pairs: Cow::Borrowed(kept), blocks: OnceCell::new() }
    }

    /// All blocks, in order. Takes time linear in the number of segments, once; features of a part
    /// of the document use [`PairedUses::block`].
    pub fn blocks(&self) -> &[LocatedBlock<'d>] {
        self.blocks.get_or_init(|| {
            let mut segments = self.document.tree().iter();
            let mut here = segments.next();
            let located = self.places.iter().filter_map(|place| {
                while here.as_ref().is_some_and(|here| here.index < place.segment as usize) {
                    here = segments.next();
                }
                LocatedBlock::new(here.as_ref()?, place.index as usize)
            });
            located.collect()
        })
    }

    /// The block at `index`.
    pub fn block(&self, index: usize) -> Option<LocatedBlock<'d>> {
        match self.blocks.get() {
            Some(blocks) => blocks.get(index).copied(),
            None => self.located(*self.places.get(index)?),
        }
    }

    /// The range from the first of `blocks` to the last; `range_of` returns the range of a block.
    pub fn range_of_blocks(
        &self,
        blocks: &Range<usize>,
        range_of: impl Fn(&LocatedBlock<'d>) -> Range<usize>,
    ) -> Option<Range<usize>> {
        let first = range_of(&self.block(blocks.start)?);
        let last = range_of(&self.block(blocks.end.checked_sub(1)?)?);
        Some(first.start..last.end.max(first.end))
    }

    fn located(&self, place: BlockPlace) -> Option<LocatedBlock<'d>> {
        LocatedBlock::new(&self.document.tree().locate(place.segment as usize)?, place.index as usize)
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.places.len()
    }

    /// The blocks in some segments, as a range of block indices.
    pub fn blocks_of_segments(&self, segments: Range<usize>) -> Range<usize> {
        let before = |end: usize| self.places.partition_point(|place| (place.segment as usize) < end);
        before(segments.start)..before(segments.end)
    }

    /// The number of leading blocks for which `is_before` holds; it must be monotonic.
    pub fn partition_point(&self, is_before: impl Fn(&LocatedBlock<'d>) -> bool) -> usize {
        self.places.partition_point(|place| self.located(*place).is_some_and(|at| is_before(&at)))
    }

    /// True if the parts of `tool_use` are adjacent, with only white space between them.
    pub fn is_adjacent(&self, tool_use: &PairedUse) -> bool {
        tool_use.parts.windows(2).all(|pair| match pair {
            [first, second] => {
                first + 1 == *second && self.places.get(*second).is_some_and(|place| !place.gap)
            }
            _ => true,
        })
    }

    /// The blocks of `tool_use`.
    pub fn parts(&self, tool_use: &PairedUse) -> impl Iterator<Item = LocatedBlock<'d>> {
        tool_use.parts.iter().filter_map(|&part| self.block(part))
    }

    /// The first tool name written in `tool_use`; `tool` if there is none.
    pub fn name_of(&self, tool_use: &PairedUse) -> &'d str {
        self.parts(tool_use).find_map(|part| part.block.name()).unwrap_or("tool")
    }

    /// The label of `tool_use`: the name of its tool, the arguments of its last call, and its last
    /// result.
    pub fn label_of(&self, tool_use: &PairedUse) -> UseLabel<'d> {
        let parts = || self.parts(tool_use).map(|part| part.block);
        let arguments = parts().filter(|block| block.part.has_call()).map(Block::arguments).last();
        let in_pieces = || self.arguments_in_pieces(tool_use).map(Cow::Owned);
        let arguments = arguments.filter(|shown| !shown.is_empty()).map(Cow::Borrowed).or_else(in_pieces);
        UseLabel {
            name: self.name_of(tool_use),
            arguments: arguments.unwrap_or_default(),
            status: tool_use.status,
            result: parts().filter_map(Block::result).last(),
        }
    }

    /// The arguments of `tool_use`, as they are shown, if its input is in pieces. Of a long
    /// input, only the beginning is read.
    fn arguments_in_pieces(&self, tool_use: &PairedUse) -> Option<String> {
        let mut input = String::new();
        for at in self.parts(tool_use) {
            let Some(delta) = at.block.delta() else { continue };
            let start = at.offset + delta as usize;
            let end = self.document.text().line_content(self.document.text().line_of_byte(start)).end;
            let beginning = |piece: json::Value<'_>| piece.beginning(SHOWN_PIECES).map(Cow::into_owned);
            input.push_str(&self.document.with_json(start..end, beginning)?);
            if input.len() > SHOWN_PIECES {
                break;
            }
        }
        if input.is_empty() {
            return None;
        }
        let json = json::parse(&input);
        Some(arguments_of_object(json.root(&input)?, LABEL_ARGUMENTS))
    }

    /// The fallback id of the call of the tool use at `index`.
    pub fn fallback_id(&self, index: usize) -> Option<String> {
        let first = self.parts(self.uses.get(index)?).next()?;
        Some(fallback_id(name_of(first.block.dialect), self.number_of(index)?))
    }

    /// The index of the block that contains the byte `at` or ends there.
    pub fn block_at(&self, at: usize) -> Option<usize> {
        let range_of = |block: &LocatedBlock<'_>| self.document.range_of(block);
        let block = self.partition_point(|block| range_of(block).start <= at).checked_sub(1)?;
        (at <= range_of(&self.block(block)?).end).then_some(block)
    }

    /// The index of the tool use of the block at `at`.
    pub fn use_at(&self, at: usize) -> Option<usize> {
        self.use_of(self.block_at(at)?)
    }
}

impl Document {
    /// The paired tool uses, with their batches. Empty unless the document is
    /// [active](Document::is_active).
    pub fn paired_uses(&self) -> PairedUses<'_> {
        never!(self.is_summarized(), "the blocks of summarized lines are not held");
        PairedUses::kept(self, self.overview.pairs_or(|| self.pairs(|_| true)))
    }

    /// The pairs of the blocks that `is_wanted` accepts; none unless the document is active.
    fn pairs(&self, is_wanted: impl Fn(&LocatedBlock<'_>) -> bool) -> Pairs {
        if self.is_active() { Pairs::of(self.context(), is_wanted) } else { Pairs::default() }
    }

    /// True if there are tool uses, in the delta text or outside of it. Does not pair them.
    pub fn has_tool_uses(&self) -> bool {
        // A result without a call may be text.
        let may_be_text = |block: &Block| {
            let is_text = matches!(block.pairing, Pairing::EarlierCall { orphans_are_text: true, .. });
            is_text && block.part == CallPart::Result
        };
        let is_use = |block: &Block| !may_be_text(block);
        self.delta_text().is_some_and(Self::has_tool_uses)
            || self.is_active()
                && self.segment_data().any(|(_, data)| {
                    data.blocks.iter().any(is_use)
                        || data.rare().summarized.as_ref().is_some_and(|sum| sum.blocks)
                })
    }

    /// Range of a block. The first and last block of a fenced log include the log's fence.
    pub fn outer_range_of(&self, at: &LocatedBlock<'_>) -> Range<usize> {
        let mut range = self.range_of(at);
        if at.block.pairing == Pairing::ById
            && let Some(located) = self.tree().locate(at.segment)
            && let Some(fence) = self.tree().fence_at(&located)
        {
            let data = located.data();
            let is = |block: Option<&Block>| block.is_some_and(|block| std::ptr::eq(block, at.block));
            if is(data.blocks.first()) && !at.block.after_text {
                range.start = fence.range.start;
            }
            if is(data.blocks.last()) && !data.ends_in_text {
                range.end = fence.range.end;
            }
        }
        range
    }
}

impl Document {
    /// The range `range` of `block`, with the markup around its call.
    pub fn with_markup(&self, block: &Block, range: Range<usize>) -> Range<usize> {
        let dialect = crate::dialect::by_index(block.dialect).filter(|_| self.language().is_prose());
        let start = self.text.floor_boundary(range.start.saturating_sub(around::LONGEST));
        let end = self.text.floor_boundary(self.text.len().min(range.end + around::LONGEST));
        let (before, behind) = (self.text.slice(start..range.start), self.text.slice(range.end..end));
        let (before, behind) = match dialect.map(|dialect| dialect.name) {
            Some("elements" | "hermes") => (around::before(&before), around::behind(&behind)),
            Some("tagged") => {
                let first = self.text.floor_boundary(range.end.min(range.start + around::SUMMARY.len()));
                around::outside_details(&before, &self.text.slice(range.start..first), &behind)
            }
            _ => return range,
        };
        start + before.len()..end - behind.len()
    }

    /// The range of `tool_use`, one of `uses`, and the range of its tool name, or else its start.
    /// If its parts are not adjacent, the range covers only the first part, because anything may
    /// stand between them.
    pub fn place_of(
        &self,
        uses: &PairedUses<'_>,
        tool_use: &PairedUse,
    ) -> Option<(Range<usize>, Range<usize>)> {
        let first = uses.parts(tool_use).next()?;
        let mut range = self.range_of(&first);
        if uses.is_adjacent(tool_use) {
            let last = uses.parts(tool_use).last()?;
            range.end = range.end.max(self.range_of(&last).end);
        }
        let name = first.block.name_span().map(|name| name.range_at(first.offset));
        let inside = |place: &Range<usize>| range.start <= place.start && place.end <= range.end;
        let name = name.filter(inside).unwrap_or(range.start..range.start);
        Some((range, name))
    }
}
