//! Pairs blocks to tool uses, and tool uses to batches: by ids, by the order of calls and results,
//! and in conversations.
//!
//! Pairing needs the whole document and is computed once per version, on first demand, in time
//! linear in the number of blocks; its input is stored with the segments.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::ops::Range;

use smallvec::SmallVec;

use crate::call::pairing::Pairing;
use crate::call::pending_calls::PendingCalls;
use crate::call::{CallPart, UseCounts, UseStatus};
use crate::dialect::{by_index, name_of, pairing_group};
use crate::document::conversation_uses::{ConversationUses, FoundUse};
use crate::document::fallback_ids::CallNumbers;
use crate::document::located_blocks::{ConversationBlock, LocatedBlock, for_each_block};
use crate::document::wide_hash::WideHash;
use crate::never::OrNever;
use crate::segments::ReadContext;
use crate::text::saturate;

/// One tool use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairedUse<P = usize> {
    /// Its parts, in order; in [`Pairs`], indices of the blocks.
    pub parts: SmallVec<[P; 2]>,
    /// Its status.
    pub status: UseStatus,
}

/// The place of a block, small enough to be kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BlockPlace {
    /// The index of its segment.
    pub segment: u32,
    /// Its index in the segment.
    pub index: u32,
    pub gap: bool,
}

/// A batch: blocks with only white space between them, of two or more tool uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedBatch {
    /// Its blocks, as a range of the blocks of the document.
    pub blocks: Range<usize>,
    /// Its counts.
    pub counts: UseCounts,
}

impl BlockPlace {
    fn of(found: &ConversationBlock<'_>) -> Self {
        Self { segment: saturate(found.at.segment), index: saturate(found.at.index), gap: found.gap }
    }
}

/// The tool uses of a document, and their batches, without the blocks.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// The places of the blocks, in order.
    pub(super) places: Vec<BlockPlace>,
    /// The tool uses, in order of their first parts.
    pub uses: Vec<PairedUse>,
    /// The tool use of each block. A repetition is no part of its tool use. `None` for outcomes
    /// without a call, which count as text.
    pub(crate) uses_of_blocks: Vec<Option<u32>>,
    /// For each tool use the number in the fallback id of its call (formats.md §1): the number of
    /// calls of its dialect up to it. `None` for results without a call.
    pub(crate) numbers: Vec<Option<NonZeroU32>>,
    /// The batches, in order.
    pub batches: Vec<LocatedBatch>,
    /// True if a block has an id.
    pub has_ids: bool,
    /// True if a block has an outdated form.
    pub has_outdated: bool,
    /// True if the arguments of calls were compared, or the texts before them.
    pub depends_on_text: bool,
}

/// Of a tool use: the dialect of its first part, and its kinds of parts.
struct FoundParts {
    dialect: u8,
    has_call: bool,
    has_result: bool,
}

impl Pairs {
    /// Pairs the blocks of the document that `is_wanted` accepts.
    pub(super) fn of(context: ReadContext<'_>, is_wanted: impl Fn(&LocatedBlock<'_>) -> bool) -> Self {
        let (mut open, mut pairs, mut parts) = (OpenPairs::default(), Self::default(), Vec::new());
        for_each_block(context, &mut |found| {
            if is_wanted(&found.at) {
                pairs.add(&found, &mut open, &mut parts, context);
            }
        });
        pairs.places.shrink_to_fit();
        pairs.uses.shrink_to_fit();
        pairs.uses_of_blocks.shrink_to_fit();
        pairs.depends_on_text = open.conversations.compares_text();
        pairs.numbers = numbers_of(&parts);
        pairs.batches = pairs.find_batches();
        pairs
    }

    /// Adds the next block. `parts` has an item for each tool use.
    fn add(
        &mut self,
        found: &ConversationBlock<'_>,
        open: &mut OpenPairs,
        parts: &mut Vec<FoundParts>,
        context: ReadContext<'_>,
    ) {
        let (block, new) = (found.at.block, self.uses.len());
        let (has_call, has_result) = (block.part.has_call(), block.part == CallPart::Result);
        let of = match open.add(found, self.places.len(), &mut self.uses, context) {
            FoundUse::None => None,
            FoundUse::New => {
                parts.push(FoundParts { dialect: block.dialect, has_call, has_result });
                Some(new)
            }
            FoundUse::Part(known) => {
                if let Some(known) = parts.get_mut(known).never_none() {
                    known.has_call |= has_call;
                    known.has_result |= has_result;
                }
                Some(known)
            }
            FoundUse::Repetition(known) => Some(known),
        };
        self.uses_of_blocks.push(of.map(saturate));
        self.places.push(BlockPlace::of(found));
        self.has_ids |= block.id().is_some();
        self.has_outdated |= by_index(block.dialect).is_some_and(|dialect| dialect.unify.is_some());
    }

    fn find_batches(&self) -> Vec<LocatedBatch> {
        let mut batches = Vec::new();
        let mut start = 0;
        while start < self.places.len() {
            if self.use_of(start).is_none() {
                start += 1;
                continue;
            }
            let rest = self.places.iter().enumerate().skip(start + 1);
            let end = rest
                .take_while(|(index, place)| !place.gap && self.use_of(*index).is_some())
                .last()
                .map_or(start + 1, |(index, _)| index + 1);
            let counts = UseCounts::of(self.uses_in(start..end).map(|tool_use| tool_use.status));
            if counts.uses >= 2 {
                batches.push(LocatedBatch { blocks: start..end, counts });
            }
            start = end;
        }
        batches
    }

    /// The index of the batch that contains the block at the index `block`, if any.
    pub fn batch_index_of(&self, block: usize) -> Option<usize> {
        let index = self.batches.partition_point(|batch| batch.blocks.end <= block);
        self.batches.get(index).is_some_and(|batch| batch.blocks.contains(&block)).then_some(index)
    }

    /// The batch that contains the block at the index `block`, if any.
    pub fn batch_of(&self, block: usize) -> Option<&LocatedBatch> {
        self.batches.get(self.batch_index_of(block)?)
    }

    /// The index of the tool use that the block at the index `block` is part of, or repeats; `None`
    /// for text.
    pub fn use_of(&self, block: usize) -> Option<usize> {
        Some(self.uses_of_blocks.get(block).copied().flatten()? as usize)
    }

    /// The number of the call of the tool use at `index` among the calls of its dialect, from 1.
    pub(super) fn number_of(&self, index: usize) -> Option<u32> {
        self.numbers.get(index).copied().flatten().map(NonZeroU32::get)
    }

    /// The tool uses with a part in `blocks`, without duplicates, in order.
    pub fn uses_in(&self, blocks: Range<usize>) -> impl Iterator<Item = &PairedUse> {
        self.indices_in(blocks).filter_map(|index| self.uses.get(index))
    }

    /// The indices of the tool uses with a part in `blocks`, without duplicates, in order.
    pub fn indices_in(&self, blocks: Range<usize>) -> impl Iterator<Item = usize> {
        blocks.clone().filter_map(move |index| {
            let found = self.use_of(index)?;
            let tool_use = self.uses.get(found)?;
            // The first of its parts in the range counts; there may be very many parts, in order.
            let first = tool_use.parts.partition_point(|part| *part < blocks.start);
            (tool_use.parts.get(first) == Some(&index)).then_some(found)
        })
    }
}

/// The numbers of the tool uses with these parts.
fn numbers_of(uses: &[FoundParts]) -> Vec<Option<NonZeroU32>> {
    let mut numbers = CallNumbers::default();
    let number = |parts: &FoundParts| {
        let is_orphan = parts.has_result && !parts.has_call;
        NonZeroU32::new(if is_orphan { 0 } else { numbers.next(name_of(parts.dialect)) })
    };
    uses.iter().map(number).collect()
}

/// Tool uses that may still get a part. Ids and names are hashed: the blocks of a long log are not
/// held.
#[derive(Default)]
pub(crate) struct OpenPairs {
    by_id: HashMap<WideHash, usize>,
    open: HashMap<u8, PendingCalls<WideHash, usize>>,
    conversations: ConversationUses,
}

impl OpenPairs {
    /// Adds the next block of the document, which is `part`, to its tool use in `uses`.
    pub fn add<P>(
        &mut self,
        found: &ConversationBlock<'_>,
        part: P,
        uses: &mut Vec<PairedUse<P>>,
        context: ReadContext<'_>,
    ) -> FoundUse {
        let status = found.at.block.status;
        let found = self.find(found, uses.len(), context);
        match found {
            FoundUse::None | FoundUse::Repetition(_) => {}
            FoundUse::New => uses.push(PairedUse { parts: SmallVec::from_iter([part]), status }),
            FoundUse::Part(known) => {
                if let Some(known) = uses.get_mut(known) {
                    known.parts.push(part);
                    if status != UseStatus::Pending {
                        known.status = status;
                    }
                }
            }
        }
        found
    }

    /// The tool use that the next block of the document belongs to; a new one has the index `new`.
    pub fn find(&mut self, found: &ConversationBlock<'_>, new: usize, context: ReadContext<'_>) -> FoundUse {
        let block = found.at.block;
        let id = block.id().filter(|id| !id.is_empty());
        match block.pairing {
            Pairing::InConversation => self.conversations.find(found, new, context),
            Pairing::SelfContained => FoundUse::New,
            // Blocks with an empty id are not paired.
            Pairing::ById => match id {
                Some(id) => match *self.by_id.entry(WideHash::of(id)).or_insert(new) {
                    known if known == new => FoundUse::New,
                    known => FoundUse::Part(known),
                },
                None => FoundUse::New,
            },
            Pairing::EarlierCall { order, orphans_are_text } => {
                let open = self.open.entry(pairing_group(block.dialect)).or_default();
                let (id, name) = (id.map(WideHash::of), block.name().map(WideHash::of));
                match block.part {
                    CallPart::Call => open.add(new, id, name.unwrap_or_else(|| WideHash::of(""))),
                    CallPart::Result => match open.take(id, name, order) {
                        Some(known) => return FoundUse::Part(known),
                        None if orphans_are_text => return FoundUse::None,
                        None => {}
                    },
                    _ => {}
                }
                FoundUse::New
            }
        }
    }

    /// Forgets the conversations in arrays: in a log, these end with their lines.
    pub fn end_lines(&mut self) {
        self.conversations.end_lines();
    }
}
