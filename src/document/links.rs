//! Links between blocks, kept up to date while the document is edited: an edit in a block only
//! visits the blocks that share its id.
//!
//! A segment whose blocks have links has a key, which is greater than the keys of all preceding
//! segments and never changes while the segment exists; so edits do not move the data stored here.
//! Blocks are indexed by group (an id, or a dialect whose results pair by position), and
//! the diagnostics of a group are stored until one of its blocks changes.

use std::ops::Range;
use std::sync::Arc;

use crate::call::pairing::Pairing;
use crate::call::{Block, CallPart, fixed_hash};
use crate::dialect::{fence, pairing_group};
use crate::document::fallback_ids::{fallback_id, number_of_fence};
use crate::document::sorted_set::SortedSet;
use crate::json;
use crate::never::OrNever;
use crate::rules::links::{self, BlockKey, CrossBlockFact, CrossBlockIssue, LinkedBlock};
use crate::segments::data::{DocumentSegment, LastKey, SegmentAttachment, SegmentData, SegmentDataSummary};
use crate::syntax::{Attachment, SegmentKind, Segments, Tree};
use crate::text::Text;

mod changed_block;
mod records;

use changed_block::ChangedBlock;
pub(crate) use records::group_of_record;

/// The number of segments that are passed one by one, which costs less than to search the next.
const NEAR: usize = 4;
/// The number of blocks of a group that are searched for before further blocks are expected near
/// them.
const FEW: usize = 8;
/// Distance between keys, where enough are free.
const STEP: u32 = 1 << 12;
/// The first group: ids of the form of fallback ids, which calls without an id get. The groups of
/// dialects follow it.
const FALLBACKS: u32 = 0;
/// The first group of an id.
const FIRST_ID: u32 = 1 << 8;

/// A block in a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupMention {
    group: u32,
    key: BlockKey,
}

/// An issue of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GroupIssue {
    group: u32,
    issue: CrossBlockIssue,
}

/// The links between the blocks of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    mentions: SortedSet<GroupMention>,
    group_issues: SortedSet<GroupIssue>,
}

/// The tree and text from which blocks are read.
#[derive(Clone, Copy)]
pub(crate) struct LinkContext<'d> {
    pub tree: &'d Tree<SegmentAttachment>,
    pub text: &'d Text,
}

impl LinkContext<'_> {
    /// The text of the delta `member`. It is parsed again, because most deltas are requested once
    /// or never; it has no line end.
    fn delta(self, member: &LinkedBlock<'_>) -> Option<String> {
        let located = locate_key(self.tree, member.key.segment)?;
        let start = located.offset + member.block.delta()? as usize;
        let end = match located.segment.kind {
            SegmentKind::Line => located.range().end,
            _ => self.text.line_content(self.text.line_of_byte(start)).end,
        };
        let written = self.text.slice(start..end);
        let json = json::parse_prefix(&written);
        Some(json.root(&written)?.as_str()?.into_owned())
    }
}

/// Collects the mentions of all segments of a document, one segment after the other.
#[derive(Debug)]
pub(crate) struct Collector {
    mentions: Vec<GroupMention>,
    last_key: u32,
    step: u32,
}

impl Collector {
    /// A collector for a document of `len` segments.
    pub fn new(len: usize) -> Self {
        // Half of all keys are reserved for segments after the end.
        let room = u32::try_from(len).map_or(1, |len| u32::MAX / 2 / (len + 1));
        Self { mentions: Vec::new(), last_key: 0, step: room.clamp(1, STEP) }
    }

    /// Assigns the key of the next segment, and adds its groups that `is_wanted` accepts. The
    /// second argument of `is_wanted` is true for records.
    pub fn add(&mut self, attached: &mut SegmentAttachment, is_wanted: impl Fn(u32, bool) -> bool) {
        attached.key = 0;
        let Some(data) = attached.data.as_ref().filter(|data| has_groups(data)) else { return };
        let key = self.last_key.saturating_add(self.step);
        mentions_of(key, data, &mut |mention| {
            if is_wanted(mention.group, records::is_of_record(mention)) {
                self.mentions.push(mention);
            }
        });
        attached.key = key;
        self.last_key = key;
    }

    /// The links between the blocks of `source`.
    pub fn finish(mut self, source: LinkContext<'_>) -> Links {
        self.mentions.sort_unstable();
        let mut found = Vec::new();
        for group in self.mentions.chunk_by(|one, other| one.group == other.group) {
            check_group(source, group.iter().copied(), &mut found);
        }
        found.sort_unstable();
        Links { mentions: SortedSet::from_sorted(self.mentions), group_issues: SortedSet::from_sorted(found) }
    }
}

impl Links {
    /// All issues, group by group.
    pub fn group_issues(&self) -> impl Iterator<Item = CrossBlockIssue> {
        self.group_issues.iter().map(|found| found.issue)
    }

    /// The blocks of each id of a message log that are not all pairs.
    pub fn unpaired<'t>(
        &'t self,
        tree: &'t Tree<SegmentAttachment>,
    ) -> impl Iterator<Item = Vec<LinkedBlock<'t>>> + 't {
        let unpaired = self.group_issues.iter().filter(|found| found.issue.fact == CrossBlockFact::Unpaired);
        unpaired.filter_map(move |found| {
            let all: Vec<_> = members(tree, self.mentions_in(found.group)).collect();
            let id = id_of(all.iter().find(|member| member.key == found.issue.block)?);
            Some(all.into_iter().filter(|member| id_of(member) == id).collect())
        })
    }

    /// True if both have the same blocks and issues, by identity in memory.
    pub fn is_shared(&self, other: &Self) -> bool {
        self.group_issues.is_shared(&other.group_issues) && self.mentions.is_shared(&other.mentions)
    }

    /// True if any block has the id `id`, or an id with the same hash.
    pub fn has_id(&self, id: &str) -> bool {
        [Pairing::SelfContained, Pairing::ById, Pairing::InConversation]
            .into_iter()
            .any(|pairing| self.mentions_in(group_of_id(pairing, id)).next().is_some())
    }

    /// The indices of the segments of `tree` with a block of the id `id`, or of an id with the same
    /// hash, in order.
    pub fn segments_with_id(&self, tree: &Tree<SegmentAttachment>, pairing: Pairing, id: &str) -> Vec<usize> {
        let group = group_of_id(pairing, id);
        let keys = self.mentions_in(group).map(|mention| mention.key.segment);
        let mut indices: Vec<usize> =
            keys.filter_map(|key| locate_key(tree, key)).map(|located| located.index).collect();
        indices.dedup();
        indices
    }

    /// True if `id` is the fallback id of a tool fence.
    pub fn is_fallback(&self, tree: &Tree<SegmentAttachment>, id: &str) -> bool {
        let fence = number_of_fence(id).and_then(|number| locate_fence(tree, number));
        fence.is_some_and(|located| located.segment.attachment.summary().fences_without_id > 0)
    }

    /// Updates the links after segments were replaced: `new` are the new segments in `tree`, and
    /// `old` are the attachments of the replaced segments that have a key, in order.
    pub fn update(
        &mut self,
        tree: &mut Tree<SegmentAttachment>,
        text: &Text,
        old: &[SegmentAttachment],
        new: Range<usize>,
    ) {
        let has_key = |attached: &SegmentAttachment| has_groups(attached.data());
        let segments = tree.iter_from(new.start).take(new.len());
        let count = segments.filter(|located| has_key(&located.segment.attachment)).count();
        if count == 0 && old.is_empty() {
            return;
        }
        let keys: Option<Vec<u32>> = if count == old.len() {
            Some(old.iter().map(|attached| attached.key).collect())
        } else {
            let before = tree.summary_before(new.start).attachment.key;
            let behind = tree.next_attached(new.end, |sum| sum.key > 0);
            let behind =
                behind.and_then(|index| tree.get(index)).map_or(u32::MAX, |next| next.attachment.key);
            keys_between(before, behind, count)
        };
        let Some(keys) = keys else {
            *self = Self::renumbered(tree, text);
            return;
        };
        let mut now = Vec::new();
        let mut keys = keys.into_iter();
        tree.update_attached(new, |attached| {
            if let Some(data) = attached.data.as_ref().filter(|data| has_groups(data))
                && let Some(key) = keys.next().never_none()
            {
                attached.key = key;
                entries_of(key, data, &mut now);
            }
        });
        let mut before = Vec::new();
        for attached in old {
            if let Some(data) = &attached.data {
                entries_of(attached.key, data, &mut before);
            }
        }
        self.replace(LinkContext { tree, text }, before, now);
    }

    /// The links with new keys for all segments.
    fn renumbered(tree: &mut Tree<SegmentAttachment>, text: &Text) -> Self {
        let mut collector = Collector::new(tree.len());
        tree.update_attached(0..tree.len(), |attached| collector.add(attached, |_, _| true));
        collector.finish(LinkContext { tree, text })
    }

    fn replace(
        &mut self,
        source: LinkContext<'_>,
        mut before: Vec<ChangedBlock>,
        mut now: Vec<ChangedBlock>,
    ) {
        before.sort_unstable_by_key(|entry| entry.mention);
        now.sort_unstable_by_key(|entry| entry.mention);
        let find = |entries: &[ChangedBlock], mention: GroupMention| {
            entries.binary_search_by_key(&mention, |entry| entry.mention).ok()
        };
        let mut groups = Vec::new();
        let mut removed = Vec::new();
        for entry in &before {
            match find(&now, entry.mention).and_then(|at| now.get(at)) {
                Some(same) if same.is_equivalent(entry) => continue,
                Some(_) => {}
                None => removed.push(entry.mention),
            }
            groups.push(entry.mention.group);
        }
        let is_new = |entry: &&ChangedBlock| find(&before, entry.mention).is_none();
        let added: Vec<GroupMention> = now.iter().filter(is_new).map(|entry| entry.mention).collect();
        groups.extend(added.iter().map(|mention| mention.group));
        groups.sort_unstable();
        groups.dedup();
        self.mentions.change(&removed, &added);
        for group in groups {
            self.recheck_groups(source, group);
        }
    }

    fn recheck_groups(&mut self, source: LinkContext<'_>, group: u32) {
        let old: Vec<GroupIssue> = self
            .group_issues
            .iter_from(|found| found.group < group)
            .take_while(|found| found.group == group)
            .collect();
        let mut new = Vec::new();
        check_group(source, self.mentions_in(group), &mut new);
        new.sort_unstable();
        if old != new {
            self.group_issues.change(&old, &new);
        }
    }

    fn mentions_in(&self, group: u32) -> impl Iterator<Item = GroupMention> {
        let mentions = self.mentions.iter_from(move |mention| mention.group < group);
        mentions.take_while(move |mention| mention.group == group)
    }

    /// The collisions of fallback ids: the index of the segment with a tool fence without an id,
    /// and a call with an explicit id that equals the fence's fallback id.
    pub fn fallback_id_collisions(&self, tree: &Tree<SegmentAttachment>) -> Vec<(usize, BlockKey)> {
        let nameless = tree.summary().attachment.fences_without_id as usize;
        let written = self.mentions.partition_point(|mention| mention.group == FALLBACKS);
        if nameless == 0 || written == 0 {
            return Vec::new();
        }
        // Iterates over the smaller set: a document may have very many of either.
        if written <= nameless {
            let of_number = |member: &LinkedBlock<'_>| {
                let number = number_of_fence(member.block.id()?)?;
                let located = locate_fence(tree, number)?;
                let has_none = located.segment.attachment.summary().fences_without_id > 0;
                has_none.then_some((located.index, member.key))
            };
            return members(tree, self.mentions_in(FALLBACKS))
                .filter_map(|member| of_number(&member))
                .collect();
        }
        let mut pairs = Vec::new();
        for located in tree.attached(|sum| sum.fences_without_id > 0) {
            let number = tree.summary_before(located.index).attachment.self_contained_uses + 1;
            let id = fallback_id(fence::DIALECT.name, number);
            let mut members = members(tree, self.mentions_in(group_of_id(Pairing::SelfContained, &id)));
            let same = members.find(|member| member.block.id() == Some(id.as_str()));
            pairs.extend(same.map(|member| (located.index, member.key)));
        }
        pairs
    }
}

/// The segment with this key.
pub(crate) fn locate_key(tree: &Tree<SegmentAttachment>, key: u32) -> Option<DocumentSegment<'_>> {
    tree.locate_attached(|last: &LastKey| last.0 >= key)
}

/// The segment with the tool fence of this number, counted from 1.
fn locate_fence(tree: &Tree<SegmentAttachment>, number: u32) -> Option<DocumentSegment<'_>> {
    tree.locate_attached(|sum: &SegmentDataSummary| sum.self_contained_uses >= number)
}

/// `count` evenly spaced keys between `before` and `behind`; `None` if there is not enough room.
fn keys_between(before: u32, behind: u32, count: usize) -> Option<Vec<u32>> {
    let count = u32::try_from(count).ok()?;
    let step = (behind.saturating_sub(before) / count.checked_add(1)?).min(STEP);
    (step > 0).then(|| (1..=count).map(|nth| before + nth * step).collect())
}

fn has_groups(data: &SegmentData) -> bool {
    data.log().record_link.is_some() || data.blocks.iter().any(|block| group_of(block).is_some())
}

fn has_one_readable(data: &SegmentData) -> bool {
    data.blocks.iter().filter(|block| block.is_readable).nth(1).is_none()
}

/// The group of `block`, if it can have links.
pub(crate) fn group_of(block: &Block) -> Option<u32> {
    match block.pairing {
        pairing @ (Pairing::SelfContained | Pairing::ById | Pairing::InConversation) => {
            let id = block.id().filter(|id| !id.is_empty())?;
            Some(group_of_id(pairing, id))
        }
        Pairing::EarlierCall { .. } if block.part == CallPart::Both => None,
        Pairing::EarlierCall { .. } => Some(FALLBACKS + 1 + u32::from(pairing_group(block.dialect))),
    }
}

pub(crate) fn group_of_id(pairing: Pairing, id: &str) -> u32 {
    let hash = fixed_hash(&(pairing_rank(pairing), id));
    u32::try_from(hash >> 32).or_never().max(FIRST_ID)
}

/// Distinguishes the strategies that pair by ids: equal ids of different strategies are unrelated.
fn pairing_rank(pairing: Pairing) -> u8 {
    match pairing {
        Pairing::ById | Pairing::EarlierCall { .. } => 0,
        Pairing::SelfContained => 1,
        Pairing::InConversation => 2,
    }
}

/// Passes each mention of the blocks of `data`, whose segment has the key `key`, to `add`.
fn mentions_of(key: u32, data: &SegmentData, add: &mut dyn FnMut(GroupMention)) {
    records::mentions_of(key, data, add);
    for (block, index) in data.blocks.iter().zip(0..) {
        let key = BlockKey { segment: key, index };
        let Some(group) = group_of(block) else { continue };
        add(GroupMention { group, key });
        let is_own = block.pairing == Pairing::SelfContained;
        if is_own && block.id().is_some_and(|id| number_of_fence(id).is_some()) {
            add(GroupMention { group: FALLBACKS, key });
        }
    }
}

fn entries_of(key: u32, data: &Arc<SegmentData>, entries: &mut Vec<ChangedBlock>) {
    let has_one_readable = has_one_readable(data);
    mentions_of(key, data, &mut |mention| {
        entries.push(ChangedBlock { mention, data: Arc::clone(data), has_one_readable });
    });
}

fn member(key: BlockKey, data: &SegmentData, has_one_readable: bool) -> Option<LinkedBlock<'_>> {
    let block = data.blocks.get(key.index as usize)?;
    Some(LinkedBlock { key, block, is_alone: block.span.is_some() && has_one_readable })
}

/// The blocks of `mentions`, which are in the order of their keys.
fn members<'t>(
    tree: &'t Tree<SegmentAttachment>,
    mentions: impl Iterator<Item = GroupMention>,
) -> impl Iterator<Item = LinkedBlock<'t>> {
    let mut last: Option<(u32, &SegmentData, bool)> = None;
    // The blocks of a large group are mostly near each other.
    let (mut located_so_far, mut behind): (usize, Option<Segments<'t, SegmentAttachment>>) = (0, None);
    let mut locate = move |key: u32| {
        let mut near = behind.iter_mut().flat_map(|behind| behind.take(NEAR));
        near.find(|located| located.segment.attachment.key == key).or_else(|| {
            let located = locate_key(tree, key)?;
            located_so_far += 1;
            behind = (located_so_far > FEW).then(|| tree.iter_from(located.index + 1));
            Some(located)
        })
    };
    mentions.filter_map(move |mention: GroupMention| {
        let key = mention.key.segment;
        if last.is_none_or(|(known, ..)| known != key) {
            let data = locate(key)?.data();
            last = Some((key, data, has_one_readable(data)));
        }
        let (_, data, has_one_readable) = last?;
        member(mention.key, data, has_one_readable)
    })
}

fn id_of<'d>(member: &LinkedBlock<'d>) -> (u8, &'d str) {
    (pairing_rank(member.block.pairing), member.block.id().unwrap_or_default())
}

/// Checks the blocks of a group. Ids that only share their hash are checked separately.
fn check_group(
    source: LinkContext<'_>,
    group: impl Iterator<Item = GroupMention>,
    found: &mut Vec<GroupIssue>,
) {
    let mut group = group.peekable();
    let Some(number) = group.peek().map(|mention| mention.group).filter(|group| *group != FALLBACKS) else {
        return;
    };
    let mut records = records::RecordsOfId::default();
    let members = members(source.tree, group.filter(|mention| !records.add(*mention)));
    let mut issues = Vec::new();
    if number < FIRST_ID {
        links::check_pairing_by_position(members, &mut issues);
    } else {
        let mut members: Vec<_> = members.collect();
        members.sort_by(|one, other| id_of(one).cmp(&id_of(other)));
        for same in members.chunk_by(|one, other| id_of(one) == id_of(other)) {
            links::check(same, &|delta| source.delta(delta), &mut issues);
        }
    }
    issues.extend(records.lost_parents());
    found.extend(issues.into_iter().map(|issue| GroupIssue { group: number, issue }));
}

#[cfg(test)]
mod tests;
