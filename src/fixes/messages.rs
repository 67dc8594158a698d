//! Fixes of the issues between calls and results of message logs.
//!
//! A fix changes the blocks of its issue alone: it removes a result, or its message if nothing else
//! is in it, inserts one behind the message with the call, moves one there, or writes another id.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use aho_corasick::AhoCorasick;

use super::DocumentEdit;
use super::message_edits::{MessageEditor, MessageEditors};
use crate::call::{Block, CallPart};
use crate::diagnostic::Fix;
use crate::document::segment_data::DocumentSegment;
use crate::document::{ConversationMembers, Document, LocatedBlock};
use crate::json::quote;
use crate::never::OrNever;
use crate::rules::links::{BlockKey, CrossBlockFact, CrossBlockIssue, LinkedBlock, PairedIds};
use crate::text::Span;

/// The members with the ids of calls, which results refer to by other ones.
const CALL_IDS: [&str; 3] = ["\"id\"", "\"call_id\"", "\"toolUseId\""];

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
    /// True if the fix is a single insertion at a place where several may be inserted; the later
    /// ones are written first.
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
        let damaged = DamagedCalls::of(self, &groups);
        for (group, issues) in &groups {
            let editor = editors.of(group.conversation.array);
            let (paired, new_ids) = (OnceCell::new(), &mut new_ids);
            let damaged = &damaged;
            let mut fixer = MessageFixer { document: self, group, editor, paired, new_ids, damaged };
            fixes.extend(issues.iter().filter_map(|issue| fixer.fix_of(issue)));
        }
        fixes.sort_by_key(|fix| fix.start);
        fixes
    }
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
}

/// The results without a call of their id whose calls are damaged. They are not removed.
#[derive(Default)]
struct DamagedCalls {
    /// The ids of calls that cannot be read, in a line that is not JSON or without a name, with the
    /// offset of the first member with each.
    first: HashMap<String, usize>,
    /// The results of calls without an id: the indices of their segments, and in these.
    of_calls_without_id: HashSet<(usize, usize)>,
}

impl DamagedCalls {
    fn of(document: &Document, groups: &[(ConversationMembers<'_>, Vec<CrossBlockIssue>)]) -> Self {
        let orphans = groups.iter().flat_map(|(_, issues)| issues);
        let orphans = orphans.filter(|issue| issue.fact == CrossBlockFact::NoCall);
        let id = |issue: &CrossBlockIssue| Some(document.locate_block(issue.block)?.block.id()?.text);
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
        Self { first, of_calls_without_id: results.map(|at| (at.segment, at.number)).collect() }
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
        let LocatedBlock { block, index, located } = self.document.locate_block(issue.block)?;
        let range = range_of(block, &located);
        let is_damaged = issue.fact == CrossBlockFact::NoCall
            && (self.damaged.of_calls_without_id.contains(&(located.index, index))
                || block.id().is_some_and(|id| self.damaged.precede(id.text, range.start)));
        let fix = if is_damaged { None } else { self.edits_of(issue, &range, block) };
        let fix = fix.map(|(title, edits)| Fix::new(title, edits).preferred());
        let (start, fact) = (range.start, issue.fact);
        let stacks = fact == CrossBlockFact::Unanswered
            && self
                .editor
                .message_at(start)
                .is_some_and(|message| self.editor.stacks_results(message, block));
        Some(MessageFix { start, fact, segment: located.index, block: index, fix, stacks })
    }

    fn edits_of(
        &mut self,
        issue: &CrossBlockIssue,
        range: &Range<usize>,
        block: &Block,
    ) -> Option<(String, Vec<DocumentEdit>)> {
        let message = self.editor.message_at(range.start)?;
        match issue.fact {
            CrossBlockFact::NoCall | CrossBlockFact::SecondResult => {
                Some(("Remove the result".to_owned(), self.editor.removal(message, range)?))
            }
            CrossBlockFact::TooEarly => {
                let call = self.document.locate_block(issue.other?)?;
                let call = range_of(call.block, &call.located).start;
                let edits = self.editor.moved(message, self.editor.message_at(call)?)?;
                Some(("Move the result behind its call".to_owned(), edits))
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
        let id = self.new_ids.next(self.document, of_use.call.block.id()?.text);
        let place = |member: &LinkedBlock<'_>| {
            let located = self.document.locate_block(member.key)?.located;
            Some((located.absolute(member.block.id()?.span), quote(&id)))
        };
        let result = of_use.result.filter(|result| result.key != key);
        let edits: Option<Vec<_>> = [Some(of_use.call), result].into_iter().flatten().map(place).collect();
        Some((format!("Write another id: `{id}`"), edits?))
    }
}

fn range_of(block: &Block, located: &DocumentSegment<'_>) -> Range<usize> {
    located.absolute(block.span.unwrap_or(Span { start: 0, end: located.segment.content_len }))
}
