//! Pairs blocks to tool uses: ids, the order of calls and results, and conversations.

use std::collections::HashMap;
use std::ops::Range;

use smallvec::SmallVec;

use super::{BlockPlace, ConversationBlock, LocatedBatch, PairedUse, is_call};
use crate::call::pairing::Pairing;
use crate::call::pending_calls::PendingCalls;
use crate::call::{BatchCounts, Block, CallPart, UseStatus};
use crate::dialect::DIALECTS;
use crate::document::Document;
use crate::document::conversation_uses::{ConversationUses, FoundUse};

/// The tool uses of a document, and their batches, without the blocks.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The places of the blocks, in order.
    pub(super) places: Vec<BlockPlace>,
    /// The tool uses, in order of their first parts.
    pub uses: Vec<PairedUse>,
    /// The tool use of each block, which repetitions are no parts of; `None` for outcomes without a
    /// call, which are text.
    pub use_of: Vec<Option<usize>>,
    /// For each tool use the number in the fallback id of its call (formats.md §1): the number of
    /// calls of its dialect up to it. `None` for results without a call.
    pub numbers: Vec<Option<u32>>,
    /// The batches, in order.
    pub batches: Vec<LocatedBatch>,
    /// True if a block has an id.
    pub has_ids: bool,
    /// True if a block has a form that can be written as a newer one.
    pub has_outdated: bool,
}

impl Pairs {
    pub(in crate::document) fn of(blocks: &[ConversationBlock<'_>], document: &Document) -> Self {
        let mut pairs = OpenPairs::default();
        let (mut uses, mut use_of) = (Vec::<PairedUse>::new(), Vec::with_capacity(blocks.len()));
        for (index, found) in blocks.iter().enumerate() {
            let at = &found.at;
            let found = match pairs.find(found, uses.len(), document) {
                MatchingUse::Text => None,
                MatchingUse::Repetition(known) => Some(known),
                MatchingUse::Use(known) => {
                    if let Some(known) = uses.get_mut(known) {
                        known.parts.push(index);
                        if at.block.status != UseStatus::Pending {
                            known.status = at.block.status;
                        }
                    }
                    Some(known)
                }
                MatchingUse::New => {
                    pairs.insert(at.block, uses.len());
                    uses.push(PairedUse { parts: SmallVec::from_slice(&[index]), status: at.block.status });
                    Some(uses.len() - 1)
                }
            };
            use_of.push(found);
        }
        let places = blocks.iter().map(|found| BlockPlace::of(&found.at)).collect();
        let has_ids = blocks.iter().any(|found| found.at.block.id().is_some());
        let is_outdated = |block: &Block| {
            crate::dialect::by_index(block.dialect).is_some_and(|dialect| dialect.unify.is_some())
        };
        let has_outdated = blocks.iter().any(|found| is_outdated(found.at.block));
        let numbers = numbers_of(&uses, blocks);
        let mut pairs = Self { places, uses, use_of, numbers, batches: Vec::new(), has_ids, has_outdated };
        pairs.batches = pairs.find_batches();
        pairs
    }

    fn find_batches(&self) -> Vec<LocatedBatch> {
        let mut batches = Vec::new();
        let mut start = 0;
        while start < self.places.len() {
            if self.is_text(start) {
                start += 1;
                continue;
            }
            let rest = self.places.iter().enumerate().skip(start + 1);
            let end = rest
                .take_while(|(index, place)| !place.gap && !self.is_text(*index))
                .last()
                .map_or(start + 1, |(index, _)| index + 1);
            let mut batch = BatchCounts::default();
            self.uses_in(start..end).for_each(|tool_use| batch.add(tool_use.status));
            if batch.uses >= 2 {
                batches.push(LocatedBatch { blocks: start..end, batch });
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

    fn is_text(&self, block: usize) -> bool {
        self.use_of.get(block).copied().flatten().is_none()
    }

    /// The tool uses with a part in `blocks`, without duplicates, in order.
    pub fn uses_in(&self, blocks: Range<usize>) -> impl Iterator<Item = &PairedUse> {
        self.indices_in(blocks).filter_map(|index| self.uses.get(index))
    }

    /// The indices of the tool uses with a part in `blocks`, without duplicates, in order.
    pub fn indices_in(&self, blocks: Range<usize>) -> impl Iterator<Item = usize> {
        blocks.clone().filter_map(move |index| {
            let found = self.use_of.get(index).copied().flatten()?;
            let tool_use = self.uses.get(found)?;
            // The first of its parts in the range counts; there may be very many parts, in order.
            let first = tool_use.parts.partition_point(|part| *part < blocks.start);
            (tool_use.parts.get(first) == Some(&index)).then_some(found)
        })
    }
}

/// The numbers of `uses`, whose parts are `blocks`.
fn numbers_of(uses: &[PairedUse], blocks: &[ConversationBlock<'_>]) -> Vec<Option<u32>> {
    let mut counts = [0; DIALECTS.len()];
    let number = |tool_use: &PairedUse| {
        let parts = || tool_use.parts.iter().filter_map(|part| Some(blocks.get(*part)?.at.block));
        let is_orphan =
            parts().any(|block| block.part == CallPart::Result) && !parts().any(|block| is_call(block.part));
        let count = counts.get_mut(usize::from(parts().next()?.dialect)).filter(|_| !is_orphan)?;
        *count += 1;
        Some(*count)
    };
    uses.iter().map(number).collect()
}

enum MatchingUse {
    /// The block starts a tool use.
    New,
    /// The block belongs to a known tool use.
    Use(usize),
    /// The block repeats a part of a known tool use.
    Repetition(usize),
    /// The block belongs to no tool use and means nothing by itself.
    Text,
}

/// Tool uses that may still get a part.
#[derive(Default)]
struct OpenPairs<'d> {
    by_id: HashMap<&'d str, usize>,
    open: HashMap<u8, PendingCalls<'d, usize>>,
    conversations: ConversationUses,
}

impl<'d> OpenPairs<'d> {
    /// The tool use of a block; `new` is the index of the next new one.
    fn find(&mut self, found: &ConversationBlock<'d>, new: usize, document: &Document) -> MatchingUse {
        let block = found.at.block;
        match block.pairing {
            Pairing::InConversation => match self.conversations.find(found, new, document) {
                FoundUse::New => MatchingUse::New,
                FoundUse::Part(known) => MatchingUse::Use(known),
                FoundUse::Repetition(known) => MatchingUse::Repetition(known),
                FoundUse::None => MatchingUse::Text,
            },
            Pairing::SelfContained => MatchingUse::New,
            Pairing::ById => {
                // An empty id (which is not remembered) pairs with nothing.
                let known = block.id().and_then(|id| self.by_id.get(id.text));
                known.map_or(MatchingUse::New, |known| MatchingUse::Use(*known))
            }
            Pairing::EarlierCall { order, orphans_are_text } => {
                if block.part != CallPart::Result {
                    return MatchingUse::New;
                }
                let open = self.open.entry(block.dialect).or_default();
                match open.take(block.name().map(|name| name.text), order) {
                    Some(known) => MatchingUse::Use(known),
                    None if orphans_are_text => MatchingUse::Text,
                    None => MatchingUse::New,
                }
            }
        }
    }

    fn insert(&mut self, block: &'d Block, new: usize) {
        match block.pairing {
            Pairing::SelfContained | Pairing::InConversation => {}
            Pairing::ById => {
                if let Some(id) = block.id().filter(|id| !id.text.is_empty()) {
                    self.by_id.insert(id.text, new);
                }
            }
            Pairing::EarlierCall { .. } if block.part == CallPart::Call => {
                let name = block.name().map_or("", |name| name.text);
                self.open.entry(block.dialect).or_default().add(new, name);
            }
            Pairing::EarlierCall { .. } => {}
        }
    }
}
