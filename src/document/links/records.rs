//! The links between the records of a Claude Code session: `parentUuid` is the `uuid` of the
//! parent.
//!
//! Records are not blocks, so their mentions have block numbers that no block has.

use super::{FIRST_ID, GroupMention};
use crate::rules::links::{BlockKey, CrossBlockFact, CrossBlockIssue};
use crate::segments::data::SegmentData;

/// Block number of the mention of a record's own id.
const OWN: u32 = u32::MAX;
/// Block number of the mention of a parent's id.
const BEHIND: u32 = u32::MAX - 1;

/// The group of the record id with this hash.
pub(crate) fn group_of_record(hash: u32) -> u32 {
    hash.max(FIRST_ID)
}

/// True if the mention is of a record, not of a block.
pub(super) fn is_of_record(mention: GroupMention) -> bool {
    mention.key.index >= BEHIND
}

/// Passes the mentions of the record of `data`, whose segment has the key `key`, to `add`.
pub(super) fn mentions_of(key: u32, data: &SegmentData, add: &mut dyn FnMut(GroupMention)) {
    let Some(link) = data.log().record_link else { return };
    let mention =
        |hash, index| GroupMention { group: group_of_record(hash), key: BlockKey { segment: key, index } };
    add(mention(link.own, OWN));
    link.before.into_iter().for_each(|before| add(mention(before, BEHIND)));
}

/// The records with an id, and their children.
#[derive(Default)]
pub(super) struct RecordsOfId {
    behind: Vec<BlockKey>,
    is_known: bool,
}

impl RecordsOfId {
    /// Adds a mention of the id. Returns false if the mention is a block.
    pub fn add(&mut self, mention: GroupMention) -> bool {
        match mention.key.index {
            OWN => self.is_known = true,
            BEHIND => self.behind.push(mention.key),
            _ => return false,
        }
        true
    }

    /// The issues of the records after one that is missing.
    pub fn lost_parents(self) -> impl Iterator<Item = CrossBlockIssue> {
        let lost = if self.is_known { Vec::new() } else { self.behind };
        let issue = |block| CrossBlockIssue { block, fact: CrossBlockFact::LostParent, other: None };
        lost.into_iter().map(issue)
    }
}
