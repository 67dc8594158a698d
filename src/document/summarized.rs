//! Long logs of messages whose data are not held: they are read in parts, and only the sums of most
//! parts are kept.
//!
//! Lines of messages affect each other only through the ids of their calls, so the state of each id
//! is recorded while the parts are read. A part with a diagnostic of its own is kept in full. Parts
//! with unpaired ids are read again at the end. So the rules see all blocks that they compare, and
//! the diagnostics are the same as for the whole document.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::conversations::Conversations;
use super::json_objects::JsonCursor;
use super::links::{Collector, LinkContext, group_of, group_of_record};
use super::message_collector::MessageCollector;
use super::message_links::{ConversationMembers, KnownMessages};
use super::segment_data::{DocumentSegment, SegmentAttachment, SegmentDataSummary};
use super::summarized_uses::{SummarizedUses, UseCollector};
use super::wide_hash::WideHash;
use super::{Document, DocumentRole, Language, rules_of};
use crate::call::pairing::Pairing;
use crate::call::{Block, CallPart, Conversation, ConversationPlace, RecordLink, Thread};
use crate::config::Settings;
use crate::rules::links::{BlockKey, LinkedBlock};
use crate::syntax::sum_tree::SumTreeSummary;
use crate::syntax::{self, Attachment, Segment, SegmentKind, Tree};
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
        let document = Self::unread(text, Language::Log, settings, DocumentRole::File);
        // The part that shows that the log is a transcript may be the last one.
        let mut log = SummarizingLog::new(document.assumed(true), need);
        match need {
            SummarizedNeed::Diagnostics => {
                let mut ids = IdStates::default();
                log.read(&mut |document, part| ids.add(document, part))?;
                let document = log.finish(&ids).assumed(false);
                (!document.lines_may_be_rejected()).then_some(document)
            }
            SummarizedNeed::Uses | SummarizedNeed::UsesAndMessages => {
                let mut uses = UseCollector::default();
                let mut messages =
                    (need == SummarizedNeed::UsesAndMessages).then(MessageCollector::without_texts);
                log.read(&mut |document, part| {
                    uses.add(document, part.clone());
                    if let Some(messages) = &mut messages {
                        messages.add_segments(document, part);
                    }
                })?;
                let found = uses.finish(messages.map(MessageCollector::finish).unwrap_or_default());
                let mut document = log.document.assumed(false);
                let found = if document.is_active() { found } else { SummarizedUses::default() };
                document.summarized_uses = Some(Arc::new(found));
                Some(document)
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

    /// True if only the sums of some lines are held.
    pub(super) fn is_summarized(&self) -> bool {
        self.tree.summary().attachment.summarized
    }
}

/// A log that is being read in parts.
struct SummarizingLog {
    document: Document,
    /// The parts, by their document offsets.
    parts: Vec<LogPart>,
    need: SummarizedNeed,
    last_key: u32,
}

struct LogPart {
    start: usize,
    is_summarized: bool,
}

impl SummarizingLog {
    fn new(document: Document, need: SummarizedNeed) -> Self {
        Self { document, parts: Vec::new(), need, last_key: 0 }
    }

    /// Reads all parts, and passes the segments of each to `visit` before it is summarized. `None`
    /// if the log cannot be summarized.
    fn read(&mut self, visit: &mut dyn FnMut(&Document, Range<usize>)) -> Option<()> {
        let mut last = 0..0;
        loop {
            let start = self.document.tree.bytes();
            if start >= self.document.text.len() {
                return Some(());
            }
            // The last part stays: rules ask how a document ends. The first one shows whether the
            // log is a training set.
            if self.parts.len() > 1 {
                self.summarize(last);
            }
            last = self.read_part(start)?;
            visit(&self.document, last.clone());
            self.parts.push(LogPart { start, is_summarized: false });
        }
    }

    /// Reads the part at `start`. Returns its segments.
    fn read_part(&mut self, start: usize) -> Option<Range<usize>> {
        let Self { document, last_key, .. } = self;
        let lines = lines_of_part(document, start);
        let first = document.tree.len();
        let part = first..first + lines.len();
        document.tree.splice(first..first, lines);
        let delta_text = document.read_range(part.clone(), JsonCursor::default(), None);
        document.tree.update_attached(part.clone(), |attached| {
            *last_key += 1;
            attached.key = *last_key;
        });
        let can_summarize = |located: DocumentSegment<'_>| {
            let data = located.data();
            data.protocol.is_none()
                && data.rare().thread_link.is_none()
                && data.blocks.iter().all(|block| block.pairing == Pairing::InConversation)
        };
        let mut segments = document.tree.iter_from(first);
        (!part.is_empty() && delta_text.is_empty() && segments.all(can_summarize)).then_some(part)
    }

    /// Summarizes the last part, whose segments these are, unless it has something to report.
    fn summarize(&mut self, segments: Range<usize>) {
        let tree = &self.document.tree;
        let mut sum = SegmentDataSummary::default();
        let mut lines = 0;
        for located in tree.iter_from(segments.start) {
            sum.add(&located.segment.attachment.summary());
            lines += located.segment.lines;
        }
        let is_reported = || {
            let misses_example = || sum.no_examples && self.document.is_training_set();
            sum.has_diagnostics || sum.secrets || sum.may_be_rejected || misses_example()
        };
        let Some(part) = self.parts.last_mut() else { return };
        let len = u32::try_from(tree.bytes() - part.start);
        let Some(len) = len.ok().filter(|_| self.need != SummarizedNeed::Diagnostics || !is_reported())
        else {
            return;
        };
        let attachment = SegmentAttachment::summarized(sum);
        let summarized = Segment::plain(len, lines, SegmentKind::Summarized, attachment);
        self.document.tree.splice(segments, Tree::from(summarized));
        part.is_summarized = true;
    }

    /// The document, after the parts with unpaired ids are read again in full.
    fn finish(self, ids: &IdStates) -> Document {
        let Self { mut document, parts, .. } = self;
        let compared = ids.compared();
        let is_wanted = |group: u32, is_record: bool| match is_record {
            true => ids.records.is_lost(group),
            false => compared.contains(&group),
        };
        for (part, groups) in parts.iter().zip(ids.of_parts()) {
            if !part.is_summarized || !groups.iter().any(|(group, is_record)| is_wanted(*group, *is_record)) {
                continue;
            }
            let Some(at) = document.tree.segment_at(part.start).map(|located| located.index) else {
                continue;
            };
            let lines = lines_of_part(&document, part.start);
            let range = at..at + lines.len();
            document.tree.splice(at..at + 1, lines);
            document.read_range(range, JsonCursor::default(), None);
        }
        let mut collector = Collector::new(document.tree.len());
        document.tree.update_attached(0..document.tree.len(), |attached| {
            collector.add(attached, is_wanted);
        });
        document.links = collector.finish(LinkContext { tree: &document.tree, text: &document.text });
        document
    }
}

/// The lines of the part at `start`.
fn lines_of_part(document: &Document, start: usize) -> Tree<SegmentAttachment> {
    let settings = &document.settings;
    let rules = rules_of(document.language, settings);
    syntax::parse_lines(&document.text, &rules, start, settings.sizes.log_part)
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
        for located in document.tree.iter_from(segments.start).take(segments.len()) {
            let data = located.data();
            self.groups.extend(data.rare().record_link.and_then(|link| self.records.add(link)));
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
