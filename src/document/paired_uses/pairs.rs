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
use crate::document::wide_hash::WideHash;

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
            let new = uses.len();
            let found = match pairs.find(found, new, document) {
                FoundUse::None => None,
                FoundUse::Repetition(known) => Some(known),
                FoundUse::Part(known) => {
                    if let Some(known) = uses.get_mut(known) {
                        known.parts.push(index);
                        if at.block.status != UseStatus::Pending {
                            known.status = at.block.status;
                        }
                    }
                    Some(known)
                }
                FoundUse::New => {
                    uses.push(PairedUse { parts: SmallVec::from_slice(&[index]), status: at.block.status });
                    Some(new)
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

/// Tool uses that may still get a part. Ids and names are hashed: the blocks of a long log are not
/// held.
#[derive(Default)]
pub(in crate::document) struct OpenPairs {
    by_id: HashMap<WideHash, usize>,
    open: HashMap<u8, PendingCalls<WideHash, usize>>,
    conversations: ConversationUses,
}

impl OpenPairs {
    /// The tool use that the next block of `document` belongs to; a new one has the index `new`.
    pub fn find(&mut self, found: &ConversationBlock<'_>, new: usize, document: &Document) -> FoundUse {
        let block = found.at.block;
        let name = || block.name().map(|name| WideHash::of(name.text));
        match block.pairing {
            Pairing::InConversation => self.conversations.find(found, new, document),
            Pairing::SelfContained => FoundUse::New,
            // An empty id pairs with nothing.
            Pairing::ById => match block.id().filter(|id| !id.text.is_empty()) {
                Some(id) => match *self.by_id.entry(WideHash::of(id.text)).or_insert(new) {
                    known if known == new => FoundUse::New,
                    known => FoundUse::Part(known),
                },
                None => FoundUse::New,
            },
            Pairing::EarlierCall { order, orphans_are_text } => {
                let open = self.open.entry(block.dialect).or_default();
                match block.part {
                    CallPart::Call => open.add(new, name().unwrap_or_else(|| WideHash::of(""))),
                    CallPart::Result => match open.take(name(), order) {
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
