//! Fixes of the issues between calls and results of message logs.
//!
//! A fix changes the blocks of its issue alone: it removes a result, or its message if nothing else
//! is in it, inserts one behind the message with the call, moves one there, or writes another id.
//! In sessions of Claude Code, lines point to the line before them; these links are kept whole.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use super::{Document, Language};
use crate::call::{Block, ChatApi};
use crate::diagnostic::Fix;
use crate::dialect::log::turn::inner_message;
use crate::document::conversations::{ConversationKey, MessageArray};
use crate::document::links::locate_key;
use crate::document::message_links::ConversationMembers;
use crate::json::{self, Value, quote};
use crate::rules::links::{BlockKey, CrossBlockFact, CrossBlockIssue, LinkedBlock, PairedIds};

mod lines;
mod links;
mod outcomes;
mod templates;
mod written;

use links::LogLinks;
use templates::range_of;
use written::WrittenResult;

/// The text of an added result.
pub const ADDED_RESULT: &str = "error: no result was recorded for this call";

/// The members of messages whose ids are those of their program: sessions of pi, threads of Amp.
const NUMBERED_BY: &[&str] = &["parentId", "messageId"];

type DocumentEdit = (Range<usize>, String);

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
    /// The fix; `None` if the document gives no way.
    pub fix: Option<Fix<Range<usize>>>,
}

/// The messages of a conversation, as document ranges in order.
type MessageRanges = Vec<Range<usize>>;

impl Document {
    /// The issues between calls and results of message logs, with their fixes. Each fix holds by
    /// itself; new ids are different.
    pub fn message_fixes(&self) -> Vec<MessageFix> {
        let mut fixes = Vec::new();
        let mut messages: HashMap<Option<usize>, (MessageRanges, OnceCell<LogLinks>, KnownFacts)> =
            HashMap::new();
        let mut new_ids = NewIds::default();
        for (group, issues) in self.conversations_with_issues() {
            let array = group.conversation.array;
            let place = array.map(|array| array.start);
            let new = || (self.messages_of(array), OnceCell::new(), KnownFacts::default());
            let (messages, links, facts) = messages.entry(place).or_insert_with(new);
            let mut fixer = MessageFixer {
                document: self,
                group: &group,
                messages,
                links,
                facts,
                paired: OnceCell::new(),
                new_ids: &mut new_ids,
            };
            fixes.extend(issues.iter().filter_map(|issue| fixer.fix_of(issue)));
        }
        fixes.sort_by_key(|fix| fix.start);
        fixes
    }

    /// The ranges of the messages of an array, or of the lines of a log.
    pub(super) fn messages_of(&self, array: Option<MessageArray>) -> MessageRanges {
        let Some(MessageArray { start, is_lines, .. }) = array else {
            // A document of JSON has one value: no message can follow it.
            if self.language == Language::Json {
                return Vec::new();
            }
            let lines = self
                .tree
                .iter()
                .map(|located| located.offset..located.offset + located.segment.content_len as usize);
            return lines.map(|line| self.without_line_ends(line)).collect();
        };
        if is_lines {
            return self.lines_of_fence(start);
        }
        let Some(end) = self.valid_value_end(start) else { return Vec::new() };
        let text = self.json_slice(start..end);
        let json = json::parse_prefix(&text);
        let items = json.root(&text).into_iter().flat_map(Value::items);
        items.map(|item| start + item.span().start as usize..start + item.span().end as usize).collect()
    }
}

/// Makes fixes in the lines of a log, which are read once for all.
pub(super) struct LogFixer<'d> {
    document: &'d Document,
    group: ConversationMembers<'d>,
    messages: OnceCell<MessageRanges>,
    links: OnceCell<LogLinks>,
    facts: KnownFacts,
}

impl<'d> LogFixer<'d> {
    pub fn new(document: &'d Document) -> Self {
        Self {
            document,
            group: ConversationMembers { conversation: ConversationKey::default(), members: Vec::new() },
            messages: OnceCell::new(),
            links: OnceCell::new(),
            facts: KnownFacts::default(),
        }
    }

    /// The edits that remove the part at `part` of a message, or its line if the message has no
    /// other part.
    pub fn removal(&self, part: &Range<usize>) -> Option<Vec<DocumentEdit>> {
        self.edits(|fixer| fixer.removal(fixer.message_at(part.start)?, part))
    }

    /// The edits that move the result at `result`, a part of a message, into a line of its own
    /// behind that with its call.
    pub fn moved(&self, result: &Range<usize>, call: usize) -> Option<Vec<DocumentEdit>> {
        self.edits(|fixer| {
            let written = self.document.text.slice(result.clone());
            let message = format!(r#"{{"role":"user","content":[{written}]}}"#);
            let mut edits = fixer.message_behind(fixer.message_at(call)?, &message)?;
            edits.extend(fixer.removal(fixer.message_at(result.start)?, result)?);
            Some(edits)
        })
    }

    /// The edits that move the line around `line` behind that around `call`.
    pub fn moved_line(&self, line: usize, call: usize) -> Option<Vec<DocumentEdit>> {
        self.edits(|fixer| fixer.moved(fixer.message_at(line)?, fixer.message_at(call)?))
    }

    fn edits(
        &self,
        edits: impl FnOnce(&MessageFixer<'_, '_>) -> Option<Vec<DocumentEdit>>,
    ) -> Option<Vec<DocumentEdit>> {
        let mut edits = edits(&MessageFixer {
            document: self.document,
            group: &self.group,
            messages: self.messages.get_or_init(|| self.document.messages_of(None)),
            links: &self.links,
            facts: &self.facts,
            paired: OnceCell::new(),
            new_ids: &mut NewIds::default(),
        })?;
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        Some(edits)
    }
}

/// The facts about a message that the fixes of its calls and results need.
#[derive(Default)]
struct MessageFacts {
    /// The document ranges of its parts.
    parts: Vec<Range<usize>>,
    /// True if it has results in its content.
    is_of_results: bool,
    /// True if it has an id that only the program makes that writes the log.
    is_numbered: bool,
    /// True if it has a call of a custom tool.
    has_custom_call: bool,
    /// True if it stands in an envelope.
    is_enveloped: bool,
}

/// The messages of a conversation that were read, by their indices: each once for all its calls.
/// `None` for one that is no JSON.
type KnownFacts = RefCell<HashMap<usize, Option<Rc<MessageFacts>>>>;

/// Makes the fixes of one conversation.
struct MessageFixer<'f, 'd> {
    document: &'d Document,
    group: &'f ConversationMembers<'d>,
    messages: &'f [Range<usize>],
    /// The links of its lines, which are read when they are needed.
    links: &'f OnceCell<LogLinks>,
    facts: &'f KnownFacts,
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
        let (segment, range, block) = self.block(issue.block)?;
        let fix = self.edits_of(issue, &range, block).map(|(title, mut edits)| {
            edits.sort_by_key(|(range, _)| (range.start, range.end));
            Fix::new(title, edits).preferred()
        });
        let fact = issue.fact;
        Some(MessageFix { start: range.start, fact, segment, block: issue.block.block as usize, fix })
    }

    fn edits_of(
        &mut self,
        issue: &CrossBlockIssue,
        range: &Range<usize>,
        block: &Block,
    ) -> Option<(String, Vec<DocumentEdit>)> {
        let message = self.message_at(range.start)?;
        match issue.fact {
            CrossBlockFact::NoCall | CrossBlockFact::SecondResult => {
                Some(("Remove the result".to_owned(), self.removal(message, range)?))
            }
            CrossBlockFact::TooEarly => {
                let (_, call, _) = self.block(issue.other?)?;
                let edits = self.moved(message, self.message_at(call.start)?)?;
                Some(("Move the result behind its call".to_owned(), edits))
            }
            CrossBlockFact::Unanswered => {
                let edits = self.added_result(message, block)?;
                Some(("Add a result that says that none was recorded".to_owned(), edits))
            }
            CrossBlockFact::DuplicateId | CrossBlockFact::ReusedId => self.other_id(issue.block),
            _ => None,
        }
    }

    /// The index of a block's segment, its range, and the block.
    fn block(&self, key: BlockKey) -> Option<(usize, Range<usize>, &'d Block)> {
        let member = self.group.members.iter().find(|member| member.key == key)?;
        let located = locate_key(&self.document.tree, key.segment)?;
        let whole = crate::text::Span { start: 0, end: located.segment.content_len };
        Some((located.index, located.absolute(member.block.span.unwrap_or(whole)), member.block))
    }

    /// True if each line is a message.
    fn is_log(&self) -> bool {
        self.group.is_lines()
    }

    /// The index of the message at `offset`.
    fn message_at(&self, offset: usize) -> Option<usize> {
        let index = self.messages.partition_point(|message| message.end <= offset);
        self.messages.get(index).filter(|message| message.start <= offset).map(|_| index)
    }

    /// Passes the value of the message at `index` to `read`.
    fn with_message<T>(&self, index: usize, read: impl FnOnce(Value<'_>, usize) -> Option<T>) -> Option<T> {
        let range = self.messages.get(index)?.clone();
        let text = self.document.json_slice(range.clone());
        let json = json::parse_prefix(&text);
        read(json.root(&text)?, range.start)
    }

    fn facts(&self, index: usize) -> Option<Rc<MessageFacts>> {
        if let Some(known) = self.facts.borrow().get(&index) {
            return known.clone();
        }
        let is_result = |part: Value<'_>| part.get("tool_use_id").is_some();
        let text = |range: Range<usize>| self.document.text.slice(range);
        let facts = self.with_message(index, |root, start| {
            let content = inner_message(root).get("content");
            let items = || content.into_iter().flat_map(Value::items);
            Some(Rc::new(MessageFacts {
                parts: items().map(|part| range_of(part, start)).collect(),
                is_of_results: items().any(is_result),
                is_enveloped: inner_message(root).span() != root.span(),
                is_numbered: NUMBERED_BY.iter().any(|key| root.get(key).is_some()),
                has_custom_call: text(self.messages.get(index)?.clone()).contains("\"custom_tool_call\""),
            }))
        });
        self.facts.borrow_mut().insert(index, facts.clone());
        facts
    }

    /// The document ranges of the parts of the message at `index`.
    fn parts(&self, index: usize) -> Vec<Range<usize>> {
        self.facts(index).map(|facts| facts.parts.clone()).unwrap_or_default()
    }

    /// The document ranges of the items of the list `key` of the message at `index`.
    fn items(&self, index: usize, key: &str) -> Vec<Range<usize>> {
        let parts = self.with_message(index, |root, start| {
            let content = inner_message(root).get(key)?;
            Some(content.items().map(|part| range_of(part, start)).collect())
        });
        parts.unwrap_or_default()
    }

    /// The edits that remove the result at `range` of the message at `index`.
    fn removal(&self, index: usize, range: &Range<usize>) -> Option<Vec<DocumentEdit>> {
        let parts = self.parts(index);
        let part = parts.iter().position(|part| part == range).filter(|_| parts.len() > 1);
        if let Some(part) = part {
            return Some(vec![(without_comma(&parts, part)?, String::new())]);
        }
        if !self.is_log() {
            return Some(vec![(without_comma(self.messages, index)?, String::new())]);
        }
        let mut edits = self.relinked_after_removal(index);
        edits.push((self.line_to_remove(index)?, String::new()));
        Some(edits)
    }

    /// The edits that move the message `from`, a result, behind the message `to`.
    fn moved(&self, from: usize, to: usize) -> Option<Vec<DocumentEdit>> {
        if self.parts(from).len() > 1 && !self.answers_only(from, to) {
            return None;
        }
        let text = self.document.text.slice(self.messages.get(from)?.clone()).into_owned();
        let removed = match self.is_log() {
            true => self.line_to_remove(from)?,
            false => without_comma(self.messages, from)?,
        };
        Some(vec![(removed, String::new()), self.inserted(to, &text)?])
    }

    /// True if all results of the message `from` are of calls in the message `to`.
    fn answers_only(&self, from: usize, to: usize) -> bool {
        let ids = |index: usize, key: &str| {
            self.with_message(index, |root, _| {
                let parts = inner_message(root).get("content")?.items();
                Some(parts.map(|part| Some(part.get(key)?.as_str()?.into_owned())).collect::<Vec<_>>())
            })
        };
        let calls = ids(to, "id").unwrap_or_default();
        ids(from, "tool_use_id").is_some_and(|ids| ids.iter().all(|id| id.is_some() && calls.contains(id)))
    }

    /// The edit that inserts the message `text` behind that at `index`.
    fn inserted(&self, index: usize, text: &str) -> Option<DocumentEdit> {
        let end = self.messages.get(index)?.end;
        let between = match self.is_log() {
            true => self.line_break(index)?,
            false => self.separator(self.messages, index).unwrap_or_else(|| ", ".to_owned()),
        };
        Some((end..end, between + text))
    }

    /// The comma and the white space beside the element at `index`.
    fn separator(&self, elements: &[Range<usize>], index: usize) -> Option<String> {
        let between = |one: usize| {
            let gap = elements.get(one)?.end..elements.get(one + 1)?.start;
            Some(self.document.text.slice(gap).into_owned())
        };
        between(index).or_else(|| between(index.checked_sub(1)?))
    }

    /// The edits that add a result to `call`, which is in the message at `index`.
    fn added_result(&self, index: usize, call: &Block) -> Option<Vec<DocumentEdit>> {
        let id = quote(call.id()?.text);
        if !self.is_log() && call.api? == ChatApi::Anthropic && self.is_of_results(index + 1) {
            let next = self.facts(index + 1)?;
            let first = next.parts.first()?.start;
            let between = self.separator(&next.parts, 0).unwrap_or_else(|| ", ".to_owned());
            return Some(vec![(first..first, WrittenResult::unrecorded().anthropic(&id) + &between)]);
        }
        self.result_after(index, index, call, &WrittenResult::unrecorded())
    }

    /// The edits that add `result`, which answers `call` of the message at `index`, behind the
    /// message at `behind`: the same, or one with results.
    fn result_after(
        &self,
        index: usize,
        behind: usize,
        call: &Block,
        result: &WrittenResult,
    ) -> Option<Vec<DocumentEdit>> {
        let id = quote(call.id()?.text);
        let api = call.api?;
        if !self.is_log() && api == ChatApi::Anthropic && self.is_of_results(behind) {
            let last = self.last_result_part(behind)?;
            let parts = self.parts(behind);
            let at = parts.iter().position(|part| *part == last)?;
            let between = self.separator(&parts, at).unwrap_or_else(|| ", ".to_owned());
            return Some(vec![(last.end..last.end, between + &result.anthropic(&id))]);
        }
        let is_custom = self.facts(index)?.has_custom_call;
        self.message_behind(behind, &result.message(api, &id, is_custom))
    }

    /// The edits that insert the message `message` behind that at `behind`, with the envelope of
    /// its line. `None` if it would need an id that only the program makes that writes the log.
    fn message_behind(&self, behind: usize, message: &str) -> Option<Vec<DocumentEdit>> {
        if self.facts(behind)?.is_numbered {
            return None;
        }
        if !self.is_log() {
            return Some(vec![self.inserted(behind, message)?]);
        }
        let (line, mut edits) = self.enveloped(behind, message)?;
        edits.push(self.inserted(behind, &line)?);
        Some(edits)
    }

    /// True if the message at `index` has results in its content.
    fn is_of_results(&self, index: usize) -> bool {
        self.facts(index).is_some_and(|facts| facts.is_of_results)
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
            let located = locate_key(&self.document.tree, member.key.segment)?;
            Some((located.absolute(member.block.id()?.span), quote(&id)))
        };
        let result = of_use.result.filter(|result| result.key != key);
        let edits: Option<Vec<_>> = [Some(of_use.call), result].into_iter().flatten().map(place).collect();
        Some((format!("Write another id: `{id}`"), edits?))
    }
}

/// The range to remove for the element at `index` of a list, with one comma.
pub(super) fn without_comma(elements: &[Range<usize>], index: usize) -> Option<Range<usize>> {
    let element = elements.get(index)?.clone();
    if let Some(next) = elements.get(index + 1) {
        return Some(element.start..next.start);
    }
    let before = index.checked_sub(1).and_then(|before| elements.get(before));
    Some(before.map_or(element.start, |before| before.end)..element.end)
}
