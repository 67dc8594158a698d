//! Pairs blocks to tool uses: ids, the order of calls and results, and conversations.

use std::collections::HashMap;
use std::sync::Arc;

use smallvec::SmallVec;

use super::{BlockPlace, ConversationBlock, PairedUse};
use crate::call::pairing::Pairing;
use crate::call::pending_calls::PendingCalls;
use crate::call::{Block, CallPart, UseStatus};
use crate::document::Document;
use crate::document::conversation_uses::{ConversationUses, FoundUse};

/// The tool uses of blocks, without the blocks.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    pub places: Arc<[BlockPlace]>,
    pub uses: Arc<[PairedUse]>,
    pub use_of: Arc<[Option<usize>]>,
    pub has_ids: bool,
    pub has_outdated: bool,
}

impl Pairs {
    pub fn of(blocks: &[ConversationBlock<'_>], document: &Document) -> Self {
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
        Self { places, uses: uses.into(), use_of: use_of.into(), has_ids, has_outdated }
    }
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
