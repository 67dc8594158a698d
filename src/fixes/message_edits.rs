//! Edits of the messages of a conversation: of an array, or of the lines of a log or a fence.
//!
//! An edit keeps the surroundings of a message intact: commas and line breaks, the envelopes of
//! lines, and the links between the lines of a session.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use super::DocumentEdit;
use crate::call::{Block, ChatApi, UseOutcome};
use crate::checks::is_same_json;
use crate::document::{Document, Language};
use crate::json::{Value, quote};
use crate::messages::exchange::{MessageKind, MessageMark, inner_message};
use crate::messages::thread::ThreadMark;
use crate::segments::MessageArray;

mod lines;
mod links;
mod outcomes;
mod templates;
mod written;

use links::LogLinks;
use written::{part_of_anthropic, written_message};

/// The text of an added result.
const ADDED_RESULT: &str = "error: no result was recorded for this call";

/// Members of messages that contain ids which only their program can assign: sessions of pi,
/// threads of Amp.
const NUMBERED_BY: &[&str] = &["parentId", "messageId"];

impl Document {
    /// The ranges of the messages of an array, or of the lines of a log.
    fn messages_of(&self, array: Option<MessageArray>) -> Vec<Range<usize>> {
        let Some(MessageArray { start, is_lines, .. }) = array else {
            // A document of JSON has one value: no message can follow it.
            if self.language() == Language::Json {
                return Vec::new();
            }
            let lines = self.tree().iter().map(|located| located.content());
            return lines.map(|line| self.without_line_ends(line)).collect();
        };
        if is_lines {
            return self.lines_of_fence(start);
        }
        let items = |root: Value<'_>| Some(root.items().map(|item| item.span().range_at(start)).collect());
        self.with_value(start, items).unwrap_or_default()
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

/// Makes edits of the messages of one conversation, which are read once for all.
pub(super) struct MessageEditor<'d> {
    document: &'d Document,
    array: Option<MessageArray>,
    /// The document ranges of the messages, in order.
    messages: OnceCell<Vec<Range<usize>>>,
    /// The links of its lines.
    links: OnceCell<LogLinks>,
    /// True if all messages are results.
    is_excerpt: OnceCell<bool>,
    /// The facts about messages, by index; `None` for a message with invalid JSON.
    facts: RefCell<HashMap<usize, Option<Rc<MessageFacts>>>>,
}

/// The editors of the conversations of a document, each made once.
pub(super) struct MessageEditors<'d> {
    document: &'d Document,
    /// The editors by the starts of their arrays; `None` for the lines of a log.
    by_start: HashMap<Option<usize>, MessageEditor<'d>>,
}

impl<'d> MessageEditors<'d> {
    pub fn new(document: &'d Document) -> Self {
        Self { document, by_start: HashMap::new() }
    }

    /// The editor of the messages of `array`, or of the lines of a log.
    pub fn of(&mut self, array: Option<MessageArray>) -> &MessageEditor<'d> {
        let editor = self.by_start.entry(array.map(|array| array.start));
        editor.or_insert_with(|| MessageEditor::new(self.document, array))
    }
}

impl<'d> MessageEditor<'d> {
    /// An editor of the messages of `array`, or of the lines of a log.
    pub fn new(document: &'d Document, array: Option<MessageArray>) -> Self {
        let (messages, links, is_excerpt) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Self { document, array, messages, links, is_excerpt, facts: RefCell::default() }
    }

    /// The document ranges of the messages, in order.
    pub fn messages(&self) -> &[Range<usize>] {
        self.messages.get_or_init(|| self.document.messages_of(self.array))
    }

    /// True if each line is a message.
    fn is_lines(&self) -> bool {
        self.array.is_none_or(|array| array.is_lines)
    }

    /// The edits that move the result at `result`, a part of a message, into a
    /// line of its own after that with its call.
    pub fn moved_part(&self, result: &Range<usize>, call: usize) -> Option<Vec<DocumentEdit>> {
        let written = self.document.text().slice(result.clone());
        let message = format!(r#"{{"role":"user","content":[{written}]}}"#);
        let mut edits = self.message_behind(self.message_at(call)?, &message)?;
        edits.extend(self.removal(self.message_at(result.start)?, result)?);
        Some(edits)
    }

    /// The index of the message at `offset`.
    pub fn message_at(&self, offset: usize) -> Option<usize> {
        let index = self.messages().partition_point(|message| message.end <= offset);
        self.messages().get(index).filter(|message| message.start <= offset).map(|_| index)
    }

    /// Passes the value of the message at `index` to `read`.
    fn with_message<T>(&self, index: usize, read: impl FnOnce(Value<'_>, usize) -> Option<T>) -> Option<T> {
        let range = self.messages().get(index)?.clone();
        let start = range.start;
        self.document.with_json(range, |root| read(root, start))
    }

    fn facts(&self, index: usize) -> Option<Rc<MessageFacts>> {
        if let Some(known) = self.facts.borrow().get(&index) {
            return known.clone();
        }
        let is_result = |part: Value<'_>| part.get("tool_use_id").is_some();
        let text = |range: Range<usize>| self.document.text().slice(range);
        let facts = self.with_message(index, |root, start| {
            let content = inner_message(root).get("content");
            let items = || content.into_iter().flat_map(Value::items);
            Some(Rc::new(MessageFacts {
                parts: items().map(|part| part.span().range_at(start)).collect(),
                is_of_results: items().any(is_result),
                is_enveloped: inner_message(root).span() != root.span(),
                is_numbered: NUMBERED_BY.iter().any(|key| root.get(key).is_some()),
                has_custom_call: text(self.messages().get(index)?.clone()).contains("\"custom_tool_call\""),
            }))
        });
        self.facts.borrow_mut().insert(index, facts.clone());
        facts
    }

    /// The document ranges of the parts of the message at `index`.
    pub fn parts(&self, index: usize) -> Vec<Range<usize>> {
        self.facts(index).map(|facts| facts.parts.clone()).unwrap_or_default()
    }

    /// The document ranges of the items of the list `key` of the message at `index`.
    fn items(&self, index: usize, key: &str) -> Vec<Range<usize>> {
        let parts = self.with_message(index, |root, start| {
            let content = inner_message(root).get(key)?;
            Some(content.items().map(|part| part.span().range_at(start)).collect())
        });
        parts.unwrap_or_default()
    }

    /// The edits that remove the result at `range` of the message at `index`.
    pub fn removal(&self, index: usize, range: &Range<usize>) -> Option<Vec<DocumentEdit>> {
        let parts = self.parts(index);
        let part = parts.iter().position(|part| part == range).filter(|_| parts.len() > 1);
        if let Some(part) = part {
            return Some(vec![(without_comma(&parts, part)?, String::new())]);
        }
        self.removal_of_message(index)
    }

    /// The edits that remove the message at `index` if it repeats the message at `first`.
    pub fn removal_of_repetition(&self, index: usize, first: usize) -> Option<Vec<DocumentEdit>> {
        let text = |index| self.with_message(index, |root, _| Some(inner_message(root).raw().to_owned()));
        if is_same_json(&text(first)?, &text(index)?) { self.removal_of_message(index) } else { None }
    }

    /// The edits that remove the message at `index`.
    fn removal_of_message(&self, index: usize) -> Option<Vec<DocumentEdit>> {
        if !self.is_lines() {
            return Some(vec![(without_comma(self.messages(), index)?, String::new())]);
        }
        let mut edits = self.relinked_after_removal(index);
        edits.push((self.line_to_remove(index)?, String::new()));
        Some(edits)
    }

    /// The edits that move the message `from`, a result, after the message `to`.
    pub fn moved(&self, from: usize, to: usize) -> Option<Vec<DocumentEdit>> {
        if self.parts(from).len() > 1 && !self.answers_only(from, to) {
            return None;
        }
        let text = self.document.text().slice(self.messages().get(from)?.clone()).into_owned();
        let removed = match self.is_lines() {
            true => self.line_to_remove(from)?,
            false => without_comma(self.messages(), from)?,
        };
        Some(vec![(removed, String::new()), self.inserted(to, &text)?])
    }

    /// True if the message `from` is one result, or contains only results of calls in the message
    /// `to`.
    fn answers_only(&self, from: usize, to: usize) -> bool {
        let ids = |index: usize, key: &str| {
            self.with_message(index, |root, _| {
                let inner = inner_message(root);
                let is_result = inner.get("role").and_then(Value::as_str).as_deref() == Some("tool");
                let parts = inner.get("content")?.items();
                let ids = parts.map(|part| Some(part.get(key)?.as_str()?.into_owned()));
                Some((is_result, ids.collect::<Vec<_>>()))
            })
        };
        let calls = ids(to, "id").map(|(_, ids)| ids).unwrap_or_default();
        ids(from, "tool_use_id").is_some_and(|(is_result, ids)| {
            is_result || ids.iter().all(|id| id.is_some() && calls.contains(id))
        })
    }

    /// The edit that inserts the message `text` after the message at `index`.
    pub fn inserted(&self, index: usize, text: &str) -> Option<DocumentEdit> {
        let end = self.messages().get(index)?.end;
        let between = match self.is_lines() {
            true => self.line_break(index)?,
            false => self.separator(self.messages(), index),
        };
        Some((end..end, between + text))
    }

    /// The comma and the white space beside the element at `index`; `, ` if it is the only element.
    fn separator(&self, elements: &[Range<usize>], index: usize) -> String {
        let between = |one: usize| {
            let gap = elements.get(one)?.end..elements.get(one + 1)?.start;
            Some(self.document.text().slice(gap).into_owned())
        };
        let written = between(index).or_else(|| between(index.checked_sub(1)?));
        written.unwrap_or_else(|| ", ".to_owned())
    }

    /// The edits that add a result to `call`, which is in the message at `index`.
    pub fn added_result(&self, index: usize, call: &Block) -> Option<Vec<DocumentEdit>> {
        let id = quote(call.id()?);
        if !self.is_lines() && call.api? == ChatApi::Anthropic && self.is_of_results(index + 1) {
            let next = self.facts(index + 1)?;
            let first = next.parts.first()?.start;
            let between = self.separator(&next.parts, 0);
            return Some(vec![(first..first, part_of_anthropic(&unrecorded(), &id) + &between)]);
        }
        self.result_after(index, index, call, &unrecorded())
    }

    /// True if [`MessageEditor::added_result`] adds the results of several calls of the message at
    /// `index` at one place, the last one first, and each in the same way.
    pub fn stacks_results(&self, index: usize, call: &Block) -> bool {
        let is_part = !self.is_lines() && call.api == Some(ChatApi::Anthropic);
        let is_linked = self.is_lines() && self.facts(index).is_some_and(|facts| facts.is_enveloped);
        !is_linked && (!is_part || self.is_of_results(index + 1))
    }

    /// The edits that add `result`, which answers `call` of the message at `index`, after the
    /// message at `behind`: the same, or one with results.
    fn result_after(
        &self,
        index: usize,
        behind: usize,
        call: &Block,
        result: &UseOutcome,
    ) -> Option<Vec<DocumentEdit>> {
        let id = quote(call.id()?);
        let api = call.api?;
        if !self.is_lines() && api == ChatApi::Anthropic && self.is_of_results(behind) {
            let last = self.last_result_part(behind)?;
            let parts = self.parts(behind);
            let at = parts.iter().position(|part| *part == last)?;
            let between = self.separator(&parts, at);
            return Some(vec![(last.end..last.end, between + &part_of_anthropic(result, &id))]);
        }
        let is_custom = self.facts(index)?.has_custom_call;
        self.message_behind(behind, &written_message(result, api, &id, is_custom))
    }

    /// The edits that insert the message `message` behind that at `behind`, with the envelope of
    /// its line. `None` if it would need an id that only the program makes that writes the log.
    fn message_behind(&self, behind: usize, message: &str) -> Option<Vec<DocumentEdit>> {
        if self.facts(behind)?.is_numbered {
            return None;
        }
        if !self.is_lines() {
            return Some(vec![self.inserted(behind, message)?]);
        }
        let (line, mut edits) = self.enveloped(behind, message)?;
        edits.push(self.inserted(behind, &line)?);
        Some(edits)
    }

    /// True if all messages are results: their calls were left out, or are elsewhere.
    pub fn is_excerpt(&self) -> bool {
        let kind = |index: usize| {
            self.with_message(index, |root, _| Some(MessageMark::of(root, ThreadMark::in_array).kind))
        };
        *self
            .is_excerpt
            .get_or_init(|| (0..self.messages().len()).all(|index| kind(index) == Some(MessageKind::Results)))
    }

    /// True if the message at `index` has results in its content.
    fn is_of_results(&self, index: usize) -> bool {
        self.facts(index).is_some_and(|facts| facts.is_of_results)
    }
}

/// The result of a call whose result was not recorded.
fn unrecorded() -> UseOutcome {
    UseOutcome::Error(ADDED_RESULT.to_owned())
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
