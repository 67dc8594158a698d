//! Blocks before and after a change.

use std::sync::Arc;

use super::records::is_of_record;
use super::{FALLBACKS, FIRST_ID, GroupMention, Links, member};
use crate::call::pairing::Pairing;
use crate::call::{Block, CallPart};
use crate::never::OrNever;
use crate::rules::links::LinkedBlock;
use crate::segments::data::SegmentData;

/// A mention of a changed block, and the data of its segment.
#[derive(Clone, Debug)]
pub(super) struct ChangedBlock {
    pub mention: GroupMention,
    pub data: Arc<SegmentData>,
    /// True if at most one block of the segment is readable. Computed once per segment, which may
    /// have very many blocks.
    pub has_one_readable: bool,
}

impl ChangedBlock {
    /// The block as rules see it.
    pub fn member(&self) -> Option<LinkedBlock<'_>> {
        member(self.mention.key, &self.data, self.has_one_readable)
    }

    /// True if rules cannot distinguish the two.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        if is_of_record(self.mention) {
            return self.mention == other.mention;
        }
        let (Some(one), Some(other)) = (self.member().never_none(), other.member().never_none()) else {
            return false;
        };
        let (one_block, other_block) = (one.block, other.block);
        let same_id = one_block.id() == other_block.id();
        let same_name = || one_block.name() == other_block.name();
        let marks = |member: &LinkedBlock<'_>| {
            let block = member.block;
            (block.dialect, block.part, block.status, block.is_readable, block.is_provisional, block.is_open)
        };
        match one_block.pairing {
            Pairing::SelfContained => same_id,
            Pairing::InConversation => {
                let kind = |block: &Block| (block.part, block.api);
                same_id && kind(one_block) == kind(other_block)
            }
            Pairing::EarlierCall { .. } => marks(&one) == marks(&other) && same_id && same_name(),
            // The text that a delta had before is not known any more.
            Pairing::ById => {
                one_block.part != CallPart::Delta
                    && marks(&one) == marks(&other)
                    && one.is_alone == other.is_alone
                    && same_id
                    && same_name()
                    && one_block.input() == other_block.input()
            }
        }
    }
}

impl Links {
    /// The number of blocks that are paired by position. All of them are paired again where one of
    /// them changes.
    pub fn paired_by_position(&self) -> usize {
        let before = |group| self.mentions.partition_point(|mention| mention.group < group);
        before(FIRST_ID) - before(FALLBACKS + 1)
    }
}
