//! Fixes of the issues between calls and results of message logs.
//!
//! A fix changes only the blocks of its issue. It removes a result, or its message if nothing else
//! is in it; inserts a result after the message with the call, or moves it there; or writes another
//! id.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::DocumentEdit;
use super::message_edits::{MessageEditor, MessageEditors};
use crate::call::{Block, CallPart};
use crate::checks::ConversationMembers;
use crate::diagnostic::Fix;
use crate::document::{Document, LocatedBlock};
use crate::json::quote;
use crate::nearest::one_letter_apart;
use crate::never::OrNever;
use crate::rules::links::{BlockKey, CrossBlockFact, CrossBlockIssue, LinkedBlock, PairedIds};

/// The members with the ids of calls; results refer to them by other members.
const CALL_IDS: [&str; 3] = ["\"id\"", "\"call_id\"", "\"toolUseId\""];

/// Maximum number of calls without results whose ids are compared with the id of a result: the last
/// such calls before it.
const MOST_COMPARED: usize = 16;

/// The blocks of one id in a conversation, and their issues.
type IssueGroup<'d> = (ConversationMembers<'d>, Vec<CrossBlockIssue>);

/// An issue of a message log and its fix.
#[derive(Clone, Debug)]
pub struct MessageFix {
    /// The document offset of its block.
    pub start: usize,
    /// The kind of problem.
    pub fact: CrossBlockFact,
    /// The index of the block's segment.
    pub(super) segment: usize,
    /// The block's index in its segment.
    pub(super) block: usize,
    /// The fix; `None` if none is possible.
    pub fix: Option<Fix<Range<usize>>>,
    /// True if the fix is a single insertion at a place where several may be inserted, in order.
    pub stacks: bool,
}

impl Document {
    /// The issues between calls and results of message logs, with their fixes. Each fix holds by
    /// itself; new ids are different.
    pub fn message_fixes(&self) -> Vec<MessageFix> {
        let mut fixes = Vec::new();
        let mut editors = MessageEditors::new(self);
        let mut new_ids = NewIds::default();
        let groups = self.conversations_with_issues();
        let (damaged, misspelt) = (DamagedCalls::of(self, &groups), self.misspelt_ids(&groups));
        for (group, issues) in &groups {
            let editor = editors.of(group.conversation.array);
            let (paired, new_ids) = (OnceCell::new(), &mut new_ids);
            let (damaged, misspelt) = (&damaged, &misspelt);
            let mut fixer =
                MessageFixer { document: self, group, editor, paired, new_ids, damaged, misspelt };
            fixes.extend(issues.iter().filter_map(|issue| fixer.fix_of(issue)));
        }
        fixes.sort_by_key(|fix| fix.start);
        fixes
    }

    /// The pairs of a call without a result and a result without a call whose ids differ by one
    /// letter, by the keys of both.
    fn misspelt_ids(&self, groups: &[IssueGroup<'_>]) -> HashMap<BlockKey, MisspeltId> {
        let issues = groups.iter().flat_map(|(_, issues)| issues);
        let orphans: HashSet<_> =
            issues.filter(|issue| issue.fact == CrossBlockFact::NoCall).map(|issue| issue.block).collect();
        if orphans.is_empty() {
            return HashMap::new();
        }
        let (unpaired, orphans) = (self.unpaired_conversations(), &orphans);
        let members = unpaired.iter().flat_map(|group| {
            let is_waiting = group.members.iter().all(|member| member.block.part == CallPart::Call);
            let wanted = group.members.iter().filter(move |it| is_waiting || orphans.contains(&it.key));
            wanted.filter_map(|it| Some((it.key, it.block.id()?, group.conversation)))
        });
        let mut members: Vec<_> = members.collect();
        members.sort_by_key(|(key, ..)| *key);
        let mut waiting: HashMap<_, VecDeque<(BlockKey, &str)>> = HashMap::new();
        let mut pairs = Vec::new();
        for (key, id, conversation) in members {
            let calls = waiting.entry(conversation).or_default();
            if orphans.contains(&key) {
                let similar = calls.iter().filter(|(_, call)| is_misspelt(id, call));
                pairs.extend(similar.map(|(call, _)| MisspeltId { call: *call, result: key }));
            } else {
                calls.truncate(MOST_COMPARED - 1);
                calls.push_front((key, id));
            }
        }
        let mut counts: HashMap<BlockKey, usize> = HashMap::new();
        pairs.iter().flat_map(MisspeltId::keys).for_each(|key| *counts.entry(key).or_default() += 1);
        pairs.retain(|pair| pair.keys().iter().all(|key| counts.get(key) == Some(&1)));
        pairs.into_iter().flat_map(|pair| pair.keys().map(|key| (key, pair))).collect()
    }
}

/// A call without a result, and the result whose id is the id of the call with a typing mistake.
#[derive(Clone, Copy)]
struct MisspeltId {
    call: BlockKey,
    result: BlockKey,
}

impl MisspeltId {
    fn keys(&self) -> [BlockKey; 2] {
        [self.call, self.result]
    }
}

/// True if `written` is `id` with a typing mistake. Ids that end in different numbers are counted.
fn is_misspelt(written: &str, id: &str) -> bool {
    let stem = |id: &str| id.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let is_counted = written.get(..stem(written)) == id.get(..stem(id));
    !is_counted && one_letter_apart(written, [id]).is_some()
}

/// Makes the fixes of one conversation.
struct MessageFixer<'f, 'd> {
    document: &'d Document,
    group: &'f ConversationMembers<'d>,
    editor: &'f MessageEditor<'d>,
    /// Its calls and results, which are paired when that is needed.
    paired: OnceCell<PairedIds<'f, 'd>>,
    new_ids: &'f mut NewIds,
    damaged: &'f DamagedCalls,
    misspelt: &'f HashMap<BlockKey, MisspeltId>,
}

/// The results without a call of their id whose calls are damaged. They are not removed.
#[derive(Default)]
struct DamagedCalls {
    /// The ids of calls that cannot be read, in a line that is not JSON or without a name, with the
    /// offset of the first member with each.
    first: HashMap<String, usize>,
    /// The results of calls without an id: the index of each result's segment, and its index in it.
    of_calls_without_id: HashSet<(usize, usize)>,
}

impl DamagedCalls {
    fn of(document: &Document, groups: &[IssueGroup<'_>]) -> Self {
        let orphans = groups.iter().flat_map(|(_, issues)| issues);
        let orphans = orphans.filter(|issue| issue.fact == CrossBlockFact::NoCall);
        let id = |issue: &CrossBlockIssue| document.locate_block(issue.block)?.block.id();
        let ids: HashSet<&str> = orphans.filter_map(id).filter(|id| !id.is_empty()).collect();
        if ids.is_empty() {
            return Self::default();
        }
        let Ok(strings) = AhoCorasick::new(ids.iter().map(|id| quote(id))) else { return Self::default() };
        let text = document.text().to_string();
        let mut first = HashMap::new();
        for found in strings.find_iter(&text) {
            let before = text.get(..found.start()).or_never().trim_end();
            let key = before.strip_suffix(':').map(str::trim_end);
            if key.is_some_and(|key| CALL_IDS.iter().any(|id| key.ends_with(id))) {
                let id = text.get(found.start() + 1..found.end() - 1).or_never();
                first.entry(id.to_owned()).or_insert(found.start());
            }
        }
        let paired = document.paired_uses();
        let calls = paired.uses.iter().filter(|it| {
            paired.parts(it).any(|at| at.block.part == CallPart::Call && at.block.id().is_none())
        });
        let results = calls.flat_map(|it| paired.parts(it)).filter(|at| at.block.part == CallPart::Result);
        Self { first, of_calls_without_id: results.map(|at| (at.segment, at.index)).collect() }
    }

    /// True if a call with the id `id` may stand before the offset `at`.
    fn precede(&self, id: &str, at: usize) -> bool {
        self.first.get(id).is_some_and(|first| *first < at)
    }
}

/// The ids that fixes write.
#[derive(Default)]
struct NewIds {
    all: HashSet<String>,
    /// The last one for each id without its number.
    last: HashMap<String, String>,
}

impl NewIds {
    /// An id like `like` that neither the document nor another fix has.
    fn next(&mut self, document: &Document, like: &str) -> String {
        let base = like.trim_end_matches(|c: char| c.is_ascii_digit());
        let mut id = document.free_id(like);
        if self.all.contains(&id)
            && let Some(last) = self.last.get(base)
        {
            id = document.free_id(last);
        }
        while !self.all.insert(id.clone()) {
            id = document.free_id(&id);
        }
        self.last.insert(base.to_owned(), id.clone());
        id
    }
}

impl<'d> MessageFixer<'_, 'd> {
    fn fix_of(&mut self, issue: &CrossBlockIssue) -> Option<MessageFix> {
        let at = self.document.locate_block(issue.block)?;
        let LocatedBlock { segment, block, index, .. } = at;
        let range = self.document.range_of(&at);
        let is_damaged = issue.fact == CrossBlockFact::NoCall
            && (self.damaged.of_calls_without_id.contains(&(segment, index))
                || block.id().is_some_and(|id| self.damaged.precede(id, range.start)));
        let fix = if is_damaged { None } else { self.edits_of(issue, &range, block) };
        let fix = fix.map(|(title, edits)| Fix::new(title, edits).preferred());
        let (start, fact) = (range.start, issue.fact);
        let stacks = fact == CrossBlockFact::Unanswered
            && !self.misspelt.contains_key(&issue.block)
            && self
                .editor
                .message_at(start)
                .is_some_and(|message| self.editor.stacks_results(message, block));
        Some(MessageFix { start, fact, segment, block: index, fix, stacks })
    }

    fn edits_of(
        &mut self,
        issue: &CrossBlockIssue,
        range: &Range<usize>,
        block: &Block,
    ) -> Option<(String, Vec<DocumentEdit>)> {
        if let (CrossBlockFact::NoCall | CrossBlockFact::Unanswered, Some(found)) =
            (issue.fact, self.misspelt.get(&issue.block))
        {
            let id = self.document.locate_block(found.call)?.block.id()?;
            let result = self.document.locate_block(found.result)?;
            let written = result.absolute(result.block.id_span()?);
            return Some(("Give the result the id of its call".to_owned(), vec![(written, quote(id))]));
        }
        let message = self.editor.message_at(range.start)?;
        match issue.fact {
            CrossBlockFact::NoCall if self.editor.is_excerpt() => None,
            CrossBlockFact::NoCall | CrossBlockFact::SecondResult => {
                Some(("Remove the result".to_owned(), self.editor.removal(message, range)?))
            }
            CrossBlockFact::TooEarly => {
                let call = self.document.locate_block(issue.other?)?;
                let call = self.document.range_of(&call).start;
                let edits = self.editor.moved(message, self.editor.message_at(call)?)?;
                Some(("Move the result after its call".to_owned(), edits))
            }
            CrossBlockFact::RepeatedCall => {
                let first = self.document.locate_block(issue.other?)?;
                let first = self.editor.message_at(self.document.range_of(&first).start)?;
                let edits = self.editor.removal_of_repetition(message, first)?;
                Some(("Remove the repeated message".to_owned(), edits))
            }
            CrossBlockFact::Unanswered => {
                let edits = self.editor.added_result(message, block)?;
                Some(("Add a result that says that none was recorded".to_owned(), edits))
            }
            CrossBlockFact::DuplicateId | CrossBlockFact::ReusedId => self.other_id(issue.block),
            _ => None,
        }
    }

    /// The edits that write another id into a call and its result.
    fn other_id(&mut self, key: BlockKey) -> Option<(String, Vec<DocumentEdit>)> {
        let group = self.group;
        let paired = self
            .paired
            .get_or_init(|| PairedIds::new(&group.members, &self.document.text_of_conversation(group)));
        let of_use = paired.uses.iter().find(|of_use| of_use.call.key == key)?;
        let id = self.new_ids.next(self.document, of_use.call.block.id()?);
        let place = |member: &LinkedBlock<'_>| {
            let at = self.document.locate_block(member.key)?;
            Some((at.absolute(at.block.id_span()?), quote(&id)))
        };
        let result = of_use.result.filter(|result| result.key != key);
        let edits: Option<Vec<_>> = [Some(of_use.call), result].into_iter().flatten().map(place).collect();
        Some((format!("Write another id: `{id}`"), edits?))
    }
}
