//! Fixes of the issues between calls and results of message logs.
//!
//! A fix changes the blocks of its issue alone: it removes a result, or its message if nothing else
//! is in it, inserts one behind the message with the call, moves one there, or writes another id.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::DocumentEdit;
use super::message_edits::{MessageEditor, MessageEditors};
use crate::call::Block;
use crate::diagnostic::Fix;
use crate::document::segment_data::SegmentAttachment;
use crate::document::{ConversationMembers, Document, LocatedBlock};
use crate::json::quote;
use crate::rules::links::{BlockKey, CrossBlockFact, CrossBlockIssue, LinkedBlock, PairedIds};
use crate::syntax::LocatedSegment;
use crate::text::Span;

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
        for (group, issues) in self.conversations_with_issues() {
            let editor = editors.of(group.conversation.array);
            let paired = OnceCell::new();
            let mut fixer =
                MessageFixer { document: self, group: &group, editor, paired, new_ids: &mut new_ids };
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
        let fix = self.edits_of(issue, &range, block);
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

fn range_of(block: &Block, located: &LocatedSegment<'_, SegmentAttachment>) -> Range<usize> {
    located.absolute(block.span.unwrap_or(Span { start: 0, end: located.segment.content_len }))
}
