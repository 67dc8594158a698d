//! The issues between calls and results of message logs, by conversation.
//!
//! The links of a document hold the ids whose blocks are not all pairs. They are compared on
//! request, because the conversation of a block, and whether the conversation goes on, depend on
//! the text around the block.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::de::IgnoredAny;

use crate::call::{ConversationPlace, Thread};
use crate::checks::messages_ahead::{MarkAt, MessagesAhead};
use crate::document::Document;
use crate::document::Language;
use crate::document::links::locate_key;
use crate::forms::FormTable;
use crate::json;
use crate::messages::exchange::MessageMark;
use crate::messages::outline::outline;
use crate::messages::thread::ThreadMark;
use crate::rules::links::{
    ConversationText, CrossBlockFact, CrossBlockIssue, LinkedBlock, check_conversation,
};
use crate::rules::requests::RequestPlace;
use crate::segments::conversations::{ConversationKey, Conversations, MessageArray, starts_in};
use crate::segments::data::DocumentSegment;
use crate::segments::json_objects;
use crate::segments::json_objects::ValueEnd;
use crate::syntax;

/// The messages that were read in one version of a document, shared by all calls that need them.
#[derive(Default)]
pub(super) struct KnownMessages {
    /// The offsets of the elements of an array, or of the lines of a fence, by the start of the
    /// array or fence.
    starts: BTreeMap<usize, Vec<usize>>,
    /// The messages that follow calls.
    ahead: MessagesAhead,
    conversations: Conversations,
}

/// The blocks with one id in one conversation.
pub(crate) struct ConversationMembers<'d> {
    pub conversation: ConversationKey,
    pub members: Vec<LinkedBlock<'d>>,
}

/// A conversation in the text of a document.
struct DocumentConversation<'d> {
    document: &'d Document,
    array: Option<MessageArray>,
}

impl ConversationText for DocumentConversation<'_> {
    fn is_same(&self, one: &LinkedBlock<'_>, other: &LinkedBlock<'_>) -> bool {
        self.document.is_same_block(one, other)
    }

    fn is_repeated(&self, one: &LinkedBlock<'_>, other: &LinkedBlock<'_>) -> bool {
        self.is_same(one, other) && self.document.context().repeats_records(self.array)
    }

    fn message_of(&self, block: &LinkedBlock<'_>) -> usize {
        let place = locate_key(self.document.tree(), block.key.segment).map(|located| RequestPlace {
            segment: located.index,
            start: block.block.span.map_or(0, |span| span.start),
            block: None,
        });
        place.and_then(|place| self.document.message_start_before(place)).unwrap_or_default()
    }
}

impl Document {
    /// The issues between calls and results of message logs.
    pub fn conversation_issues(&self) -> Vec<CrossBlockIssue> {
        self.conversations_with_issues().into_iter().flat_map(|(_, issues)| issues).collect()
    }

    /// The conversations with issues: the blocks of one id in one conversation, and their issues.
    pub(crate) fn conversations_with_issues(&self) -> Vec<(ConversationMembers<'_>, Vec<CrossBlockIssue>)> {
        let mut found = Vec::new();
        let (mut is_valid_json, mut continues) = (BTreeMap::new(), BTreeMap::new());
        let mut known = KnownMessages::default();
        if !self.checks_messages() {
            return found;
        }
        let mut groups = self.unpaired_conversations();
        // In the order in which the messages after them are read.
        groups.sort_by_key(|group| group.members.first().map(|member| member.key));
        for group in groups {
            let mut issues = self.issues_of(&group, &mut known);
            let array = group.conversation.array;
            let start = array.map(|array| array.start);
            if issues.iter().any(|issue| issue.fact == CrossBlockFact::NoCall)
                && *continues.entry(start).or_insert_with(|| array.is_some_and(|it| self.continues(it)))
            {
                issues.retain(|issue| issue.fact != CrossBlockFact::NoCall);
            }
            if !issues.is_empty() && *is_valid_json.entry(start).or_insert_with(|| self.is_valid_json(array))
            {
                found.push((group, issues));
            }
        }
        found
    }

    /// True if the messages of `array` continue a conversation that the server of the Responses API
    /// knows: <https://platform.openai.com/docs/api-reference/responses/create>
    fn continues(&self, array: MessageArray) -> bool {
        let around = json_objects::members_around(self.context(), array.start);
        around.is_some_and(|members| members.value_of("previous_response_id").is_some())
    }

    /// True if the conversations may have been sent to a server, so that they are checked. In an
    /// ordinary text, fences are examples, unless an `include` or the file's name marks it as a
    /// transcript.
    pub(super) fn checks_messages(&self) -> bool {
        self.language() != Language::Markdown || self.settings().is_named
    }

    /// True if the text of a conversation is valid JSON: an unmatched bracket, as while typing,
    /// changes which messages it has. The lines of a log are independent; among the lines of a
    /// fence, `...` stands for omitted ones.
    fn is_valid_json(&self, array: Option<MessageArray>) -> bool {
        let is_log = array.is_none() && self.language() == Language::Log;
        if let Some(lines) = array.filter(|array| array.is_lines) {
            let text = self.json_slice(lines.start..self.json_range(lines.start).end);
            return serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>().all(|it| it.is_ok());
        }
        is_log || self.valid_value_end(array.map_or(0, |array| array.start)).is_some()
    }

    /// The end of the JSON value at `start`, in a log within its line; `None` if it is invalid. In
    /// a JSON document reads its ends alone, elsewhere little more than the value.
    pub(crate) fn valid_value_end(&self, start: usize) -> Option<usize> {
        if self.language() == Language::Json {
            return json_objects::value_end(self.context(), start);
        }
        let end = |text: &str, _| match ValueEnd::of(text) {
            ValueEnd::At(len) => Some(Some(start + len)),
            ValueEnd::Broken => Some(None),
            ValueEnd::Open => None,
        };
        self.context().read_json(start, self.json_range(start).end, end).flatten()
    }

    /// The issues of one id in one conversation.
    pub(super) fn issues_of(
        &self,
        group: &ConversationMembers<'_>,
        known: &mut KnownMessages,
    ) -> Vec<CrossBlockIssue> {
        let mut found = Vec::new();
        check_conversation(&group.members, &self.text_of_conversation(group), &mut found);
        let mut goes_on = |issue: &CrossBlockIssue| {
            let is_own = |member: &&LinkedBlock<'_>| member.key == issue.block;
            group
                .members
                .iter()
                .find(is_own)
                .is_some_and(|call| self.goes_on(call, group.conversation, known))
        };
        // A thread without a name may mix several sub-agents; their links are followed in logs
        // only.
        if group.conversation.thread == Some(Thread::anonymous()) {
            found.retain(|issue| issue.fact == CrossBlockFact::NoCall);
        }
        found.retain(|issue| issue.fact != CrossBlockFact::Unanswered || goes_on(issue));
        found
    }

    /// The text around the blocks of `group`, for the rules that need it.
    pub(crate) fn text_of_conversation(&self, group: &ConversationMembers<'_>) -> impl ConversationText {
        DocumentConversation { document: self, array: group.conversation.array }
    }

    /// True if the blocks have the same text.
    fn is_same_block(&self, one: &LinkedBlock<'_>, other: &LinkedBlock<'_>) -> bool {
        let text = |member: &LinkedBlock<'_>| {
            let located = locate_key(self.tree(), member.key.segment)?;
            Some(self.text().slice(located.absolute(member.block.span?)))
        };
        text(one).zip(text(other)).is_some_and(|(one, other)| is_same_json(&one, &other))
    }

    /// The blocks of ids that are not all pairs, by conversation.
    pub(crate) fn unpaired_conversations(&self) -> Vec<ConversationMembers<'_>> {
        let mut conversations = Conversations::default();
        let mut all = Vec::new();
        for members in self.links().unpaired(self.tree()) {
            let mut groups: BTreeMap<_, ConversationMembers<'_>> = BTreeMap::new();
            for member in members {
                let Some(located) = locate_key(self.tree(), member.key.segment) else { continue };
                let conversation = conversations.key_of(self.context(), &located, member.block.conversation);
                let ConversationKey { array, thread } = conversation;
                let group = groups.entry((array.map(|array| array.start), thread));
                let new = || ConversationMembers { conversation, members: Vec::new() };
                group.or_insert_with(new).members.push(member);
            }
            all.extend(groups.into_values());
        }
        all
    }

    /// True if another exchange begins after the message with `call` in its conversation.
    fn goes_on(
        &self,
        call: &LinkedBlock<'_>,
        conversation: ConversationKey,
        known: &mut KnownMessages,
    ) -> bool {
        let Some(located) = locate_key(self.tree(), call.key.segment) else { return false };
        match conversation.array {
            None if self.language() == Language::Log => {
                let KnownMessages { ahead, conversations, .. } = known;
                ahead.goes_on(None, located.offset, |from| self.next_line(from, conversations))
            }
            None => false,
            Some(array) => {
                let Some(block) = call.block.span.map(|span| located.absolute(span)) else { return false };
                let Some(start) = self.element_around(&located, call, block.start, array, known) else {
                    return false;
                };
                // In a line that is cut off, the block ends after its text.
                let limit = self.json_range(block.start).end;
                let read = |from| self.next_elements(from, limit);
                known.ahead.goes_on(Some(array.start), start, read)
            }
        }
    }

    /// The mark of the first line of a log from `from` on, and the offset after it.
    fn next_line(&self, from: usize, conversations: &mut Conversations) -> (Vec<MarkAt>, Option<usize>) {
        let Some(line) = syntax::log_lines(self.text(), from).next() else { return (Vec::new(), None) };
        let mut mark = mark_of(&self.text().slice(line.clone()), ThreadMark::in_line);
        if let Some(mark) = &mut mark {
            mark.thread = mark.thread.map(|thread| conversations.whole_thread(self.context(), thread));
        }
        (vec![(line.start, mark)], Some(line.end))
    }

    /// The marks of some elements of an array, or lines of a fence, from `from` on, and the offset
    /// after them.
    fn next_elements(&self, from: usize, limit: usize) -> (Vec<MarkAt>, Option<usize>) {
        let found = self.context().read_json(from, limit, |text, is_all| {
            let outline = outline(text, FormTable::built_in());
            let of_array = outline.containers.iter().take_while(|it| it.outer_closes == 0);
            let elements = of_array.filter(|it| it.parent().is_none());
            let spans: Vec<_> = elements.filter_map(|it| Some(it.start as usize..it.end()?)).collect();
            let is_at_end = outline.closes > 0 || is_all;
            let last = spans.last().map(|last| from + last.end);
            (last.is_some() || is_at_end).then(|| {
                let mark = |span: Range<usize>| mark_of(text.get(span)?, ThreadMark::in_array);
                let marks = spans.into_iter().map(|span| (from + span.start, mark(span))).collect();
                (marks, last.filter(|_| !is_at_end))
            })
        });
        found.unwrap_or_default()
    }

    /// The start of the element of `array` that the block at `block`, of the call, is in.
    fn element_around(
        &self,
        located: &DocumentSegment<'_>,
        call: &LinkedBlock<'_>,
        block: usize,
        array: MessageArray,
        known: &mut KnownMessages,
    ) -> Option<usize> {
        if let ConversationPlace::Outer(level) = call.block.conversation.place {
            let level = level as usize + 1;
            let before = self.tree().open_brackets(located.index);
            let text = self.text().slice(located.offset..block + 1);
            let own = outline(&text, FormTable::built_in());
            let outer = before.len().saturating_sub(own.closes as usize);
            let element = level.checked_sub(outer).and_then(|nth| own.open.get(nth));
            let element = element.and_then(|index| own.containers.get(*index as usize));
            return element.map(|element| located.offset + element.start as usize).or_else(|| {
                let (segment, nth) = *before.get(level)?;
                starts_in(self.context(), segment).get(nth).copied()
            });
        }
        let starts = known.starts.entry(array.start).or_insert_with(|| {
            let fence = self.context().fence_around(array.start);
            let end = fence.map_or(located.range().end, |fence| fence.content.end);
            let text = self.json_slice(array.start..end);
            let (all, around) = (outline(&text, FormTable::built_in()), (!array.is_lines).then_some(0));
            let elements = all.containers.iter().filter(|element| element.parent() == around);
            elements.map(|element| array.start + element.start as usize).collect()
        });
        let behind = starts.partition_point(|start| *start <= block);
        starts.get(behind.checked_sub(1)?).copied()
    }
}

/// True if the texts are the same JSON, however it is indented.
pub(crate) fn is_same_json(one: &str, other: &str) -> bool {
    let value = |text| serde_json::from_str::<serde_json::Value>(text).ok();
    one == other || value(one).is_some_and(|one| value(other) == Some(one))
}

/// The mark of a message; `None` if it is still being written.
fn mark_of(text: &str, thread_of: fn(ThreadMark) -> Thread) -> Option<MessageMark> {
    serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>().next()?.ok()?;
    let json = json::parse_prefix(text);
    json.root(text).filter(|root| root.is_object()).map(|root| MessageMark::of(root, thread_of))
}
