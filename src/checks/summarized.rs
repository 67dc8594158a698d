//! Long logs of messages, read in parts, for one purpose.
//!
//! Lines of messages affect each other only through the ids of their calls, so the state of each id
//! is recorded while the parts are read. A part with a diagnostic of its own is kept in full. Parts
//! with unpaired ids are read again at the end. So the rules see all blocks that they compare, and
//! the diagnostics are the same as for the whole document.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::call::{Block, CallPart, Conversation, ConversationPlace, RecordLink, Thread};
use crate::checks::message_links::{ConversationMembers, KnownMessages};
use crate::config::Settings;
use crate::document::links::{group_of, group_of_record};
use crate::document::message_collector::MessageCollector;
use crate::document::summarized::SummarizingLog;
use crate::document::summarized_uses::UseCollector;
use crate::document::wide_hash::WideHash;
use crate::document::{Document, Language};
use crate::rules::links::{BlockKey, LinkedBlock};
use crate::segments::conversations::Conversations;
use crate::text::Text;

/// The purpose for which a log is summarized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SummarizedNeed {
    /// Its diagnostics.
    Diagnostics,
    /// Its tool uses.
    Uses,
    /// Its tool uses and messages.
    UsesAndMessages,
}

impl Document {
    /// Reads the log `text` in parts, and holds only the data that the diagnostics or the tool uses
    /// need. The document cannot be edited. `None` if it is a stream log, has sub-agents without
    /// names, or is a single request that a server may reject: these logs need all lines.
    pub fn summarized(text: Text, settings: Arc<Settings>, need: SummarizedNeed) -> Option<Self> {
        let mut log = SummarizingLog::new(text, settings, need == SummarizedNeed::Diagnostics);
        match need {
            SummarizedNeed::Diagnostics => {
                let mut ids = IdStates::default();
                log.read(&mut |document, part| ids.add(document, part))?;
                let compared = ids.compared();
                let document = log.with_groups(ids.of_parts(), |group, is_record| match is_record {
                    true => ids.records.is_lost(group),
                    false => compared.contains(&group),
                });
                (!document.lines_may_be_rejected()).then_some(document)
            }
            SummarizedNeed::Uses | SummarizedNeed::UsesAndMessages => {
                let mut uses = UseCollector::default();
                let mut messages =
                    (need == SummarizedNeed::UsesAndMessages).then(MessageCollector::without_texts);
                log.read(&mut |document, part| {
                    uses.add(document.context(), part.clone());
                    if let Some(messages) = messages.as_mut().filter(|_| document.is_active()) {
                        messages.add_segments(document.context(), part);
                    }
                })?;
                let messages = messages.map(MessageCollector::finish).unwrap_or_default();
                Some(log.with_uses(uses.finish(messages)))
            }
        }
    }

    /// Parses `text`; one that is a log, and in a source, is [summarized](Document::summarized).
    pub fn summarized_if_long(
        text: Text,
        language: Language,
        settings: Arc<Settings>,
        need: SummarizedNeed,
    ) -> Self {
        let is_long = language == Language::Log && text.is_in_source();
        let summarized = is_long.then(|| Self::summarized(text.clone(), Arc::clone(&settings), need));
        summarized.flatten().unwrap_or_else(|| Self::new(text, language, settings))
    }
}

/// An id, by its group and a hash: a group may contain several ids.
type IdKey = (u32, WideHash);

fn id_of(block: &Block) -> Option<IdKey> {
    Some((group_of(block)?, WideHash::of(&block.id())))
}

/// The states of all ids.
#[derive(Default)]
struct IdStates {
    states: HashMap<IdKey, IdState>,
    /// For each block or record, part by part: its group, and whether it is a record. `ends` are
    /// the ends of the parts in this list.
    groups: Vec<(u32, bool)>,
    ends: Vec<usize>,
    records: RecordStates,
}

/// The records of Claude Code's sessions.
#[derive(Default)]
struct RecordStates {
    /// The groups of all ids.
    known: HashSet<u32>,
    /// The groups of parents that are missing so far; true if the first record of a thread refers
    /// to the parent, which is then in another file.
    unknown: HashMap<u32, bool>,
    threads: HashSet<Option<Thread>>,
}

/// The blocks of an id so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum IdState {
    /// A call.
    Call,
    /// A call and its result, both in the conversation of the log itself.
    Pair,
    /// Blocks in arrays within single lines, without issues.
    InLines,
    /// Any other combination: the rules compare the blocks.
    Unpaired,
}

impl IdStates {
    /// Adds the blocks of these segments of `document`.
    fn add(&mut self, document: &Document, segments: Range<usize>) {
        let (mut conversations, mut known) = (Conversations::default(), KnownMessages::default());
        for located in document.tree().iter_from(segments.start).take(segments.len()) {
            let data = located.data();
            self.groups.extend(data.log().record_link.and_then(|link| self.records.add(link)));
            let mut in_line: BTreeMap<_, (Conversation, Vec<LinkedBlock<'_>>)> = BTreeMap::new();
            for (block, index) in data.blocks.iter().zip(0..) {
                let Some(id) = id_of(block) else { continue };
                self.groups.push((id.0, false));
                let ConversationPlace::Array(start) = block.conversation.place else {
                    self.add_block(id, block.part);
                    continue;
                };
                let key = BlockKey { segment: located.segment.attachment.key, index };
                let same = in_line.entry((id, start, block.conversation.thread));
                let (_, members) = same.or_insert_with(|| (block.conversation, Vec::new()));
                members.push(LinkedBlock { key, block, is_alone: false });
            }
            for ((id, ..), (conversation, members)) in in_line {
                // The rules compare the messages of a line that may be rejected in any case.
                let has_no_issue = !data.rare().may_be_rejected && {
                    let conversation = conversations.key_of(document.context(), &located, conversation);
                    let members = ConversationMembers { conversation, members };
                    document.issues_of(&members, &mut known).is_empty()
                };
                self.add_in_line(id, has_no_issue);
            }
        }
        self.ends.push(self.groups.len());
    }

    fn add_block(&mut self, id: IdKey, part: CallPart) {
        let state = match (self.states.get(&id), part) {
            (None, CallPart::Call) => IdState::Call,
            (None, CallPart::Both) | (Some(IdState::Call), CallPart::Result) => IdState::Pair,
            _ => IdState::Unpaired,
        };
        self.states.insert(id, state);
    }

    fn add_in_line(&mut self, id: IdKey, has_no_issue: bool) {
        let state = match self.states.get(&id) {
            None | Some(IdState::InLines) if has_no_issue => IdState::InLines,
            _ => IdState::Unpaired,
        };
        self.states.insert(id, state);
    }

    /// The groups whose blocks the rules compare.
    fn compared(&self) -> HashSet<u32> {
        let is_compared = |state: &IdState| !matches!(state, IdState::Pair | IdState::InLines);
        self.states.iter().filter(|(_, state)| is_compared(state)).map(|((group, _), _)| *group).collect()
    }

    /// The groups of each part.
    fn of_parts(&self) -> impl Iterator<Item = &[(u32, bool)]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| self.groups.get(start..*end).unwrap_or_default())
    }
}

impl RecordStates {
    /// Adds a record. Returns the group of its parent if that is not known yet.
    fn add(&mut self, link: RecordLink) -> Option<(u32, bool)> {
        self.known.insert(group_of_record(link.own));
        let is_first = self.threads.insert(link.thread);
        let before = group_of_record(link.before?);
        if self.known.contains(&before) {
            return None;
        }
        *self.unknown.entry(before).or_default() |= is_first;
        Some((before, true))
    }

    /// True if the parent with an id of this group is missing.
    fn is_lost(&self, group: u32) -> bool {
        !self.known.contains(&group) && self.unknown.get(&group) == Some(&false)
    }
}
