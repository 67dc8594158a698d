//! The messages of a document: their authors, times and texts, and their numbers in conversations.
//!
//! Segments store where messages begin; their contents are read on request. Consecutive messages of
//! the assistant, with the results between them, are one message here.

use std::ops::Range;

use smallvec::SmallVec;

use crate::call::{MessageRole, ToolUse};
use crate::dialect::log;
use crate::messages::attribution::Attribution;
use crate::messages::content::TextKind;
use crate::segments::conversations::{ConversationKey, MessageArray};
use crate::text::{Splice, move_range, moved, saturate};

/// A message, or all consecutive messages of the assistant. If a message of another conversation
/// interrupts it, it has several parts, each a value of this type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The role.
    pub role: MessageRole,
    /// Its names and time, on the heap, because messages of Markdown have none.
    pub(super) attribution: Option<Box<Attribution>>,
    /// The number of its conversation, from 1; 0 for the messages of a Markdown document itself.
    pub conversation: u32,
    /// The number of its first part in the conversation, from 1.
    pub number: u32,
    /// The index of its first part.
    pub(super) first: u32,
    /// From its first object to the end of the last one, with results.
    pub range: Range<usize>,
    /// Its texts, in order.
    pub texts: SmallVec<[MessageText; 1]>,
}

static NO_ATTRIBUTION: Attribution = Attribution { author: None, time: None, model: None, agent: None };

/// A piece of the text of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText {
    /// Its kind.
    pub kind: TextKind,
    /// The range of its string, or of the object that it stands for, in document offsets.
    pub range: Range<usize>,
    /// The position at which it is shown: texts may precede what is written before them.
    pub order: usize,
    /// True if it goes on directly after a preceding text of its kind.
    pub continues: bool,
}

/// The messages of a document, in order, and their conversations. Conversations of sub-agents
/// count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// The messages of a log, or of fences.
    pub(super) of_log: Vec<Message>,
    /// The messages that role lines and headings of Markdown begin.
    pub(super) own: Vec<Message>,
    /// The conversations of `of_log`, in the order of their first messages.
    conversations: Vec<ConversationKey>,
}

impl Message {
    /// A message of `role` with nothing else.
    pub(super) fn new(role: MessageRole, conversation: u32, range: Range<usize>) -> Self {
        Self { role, attribution: None, conversation, number: 0, first: 0, range, texts: SmallVec::new() }
    }

    /// The message with these names and time.
    pub(super) fn with(self, attribution: Attribution) -> Self {
        let attribution = (attribution != NO_ATTRIBUTION).then(|| Box::new(attribution));
        Self { attribution, ..self }
    }

    /// Its names and time.
    pub fn attribution(&self) -> &Attribution {
        self.attribution.as_deref().unwrap_or(&NO_ATTRIBUTION)
    }

    /// True if it continues `last` in the same conversation: both are of the same assistant.
    pub(super) fn continues(&self, last: &Self) -> bool {
        let (before, own) = (last.attribution(), self.attribution());
        (last.role, &before.agent) == (self.role, &own.agent)
            && self.role == MessageRole::Assistant
            && (own.model.is_none() || before.model.is_none() || before.model == own.model)
    }

    /// Takes the model of `next`, which continues it, if it names none.
    pub(super) fn add_model_of(&mut self, next: &Self) {
        if let (None, Some(model)) = (&self.attribution().model, &next.attribution().model) {
            self.attribution.get_or_insert_default().model = Some(model.clone());
        }
    }
}

/// A conversation while its messages are numbered.
#[derive(Clone, Default)]
struct NumberedConversation {
    /// Its number, from 1; 0 before its first message.
    number: u32,
    /// The index of the first part of its last message.
    last: u32,
}

/// Numbers `messages` and their conversations, which are numbered from 1 in any order. Returns the
/// old numbers, in the order of the new ones.
fn number(messages: &mut [Message], conversations: usize) -> Vec<u32> {
    let mut open = vec![NumberedConversation::default(); conversations];
    let mut old_numbers = Vec::new();
    for index in 0..messages.len() {
        let Some((before, [part, ..])) = messages.split_at_mut_checked(index) else { continue };
        let Some(conversation) = open.get_mut(part.conversation as usize - 1) else { continue };
        let is_new = conversation.number == 0;
        if is_new {
            old_numbers.push(part.conversation);
            conversation.number = saturate(old_numbers.len());
        }
        part.conversation = conversation.number;
        let last = if is_new { None } else { before.get_mut(conversation.last as usize) };
        match last {
            Some(last) if part.continues(last) => {
                last.add_model_of(part);
                part.number = last.number;
            }
            last => {
                part.number = last.map_or(0, |last| last.number) + 1;
                conversation.last = saturate(index);
            }
        }
        part.first = conversation.last;
    }
    old_numbers
}

impl Messages {
    /// The messages `own` of a Markdown document, with their roles and ranges, beside those of its
    /// fences.
    pub(super) fn with_own(self, own: impl Iterator<Item = (MessageRole, Range<usize>)>) -> Self {
        let mut own: Vec<Message> = own.map(|(role, range)| Message::new(role, 1, range)).collect();
        own.shrink_to_fit();
        number(&mut own, 1);
        own.iter_mut().for_each(|message| message.conversation = 0);
        Self { own, ..self }
    }

    /// Moves the places of the messages by `edits`.
    pub(super) fn move_by(&mut self, edits: &[Splice]) {
        for message in self.of_log.iter_mut().chain(&mut self.own) {
            move_range(&mut message.range, edits);
            for text in &mut message.texts {
                move_range(&mut text.range, edits);
                text.order = moved(text.order, edits);
            }
        }
        for array in self.conversations.iter_mut().filter_map(|key| key.array.as_mut()) {
            array.start = moved(array.start, edits);
        }
    }

    /// Numbers the messages `of_log`, whose conversation numbers are indices of `conversations`,
    /// from 1.
    pub(super) fn numbered(mut of_log: Vec<Message>, conversations: &[ConversationKey]) -> Self {
        let numbers = number(&mut of_log, conversations.len());
        let key = |number: &u32| conversations.get(*number as usize - 1).copied();
        Self { of_log, own: Vec::new(), conversations: numbers.iter().filter_map(key).collect() }
    }

    /// The parts of messages in a log or in fences, in order.
    pub fn of_log(&self) -> &[Message] {
        &self.of_log
    }

    /// The messages, each by its first part: the messages of Markdown, then the others, in order of
    /// their starts.
    pub fn first_parts(&self) -> impl Iterator<Item = &Message> {
        let is_first = |(index, part): &(usize, &Message)| part.first as usize == *index;
        let first = move |parts| <[Message]>::iter(parts).enumerate().filter(is_first);
        first(&self.own).chain(first(&self.of_log)).map(|(_, message)| message)
    }

    /// The number of a message's conversation, if the document has several; `None` for messages of
    /// Markdown.
    pub fn conversation_of(&self, message: &Message) -> Option<usize> {
        (self.conversations.len() > 1 && message.conversation > 0).then_some(message.conversation as usize)
    }

    /// The array of the conversation of a message.
    pub fn array_of(&self, message: &Message) -> Option<MessageArray> {
        self.conversations.get((message.conversation as usize).checked_sub(1)?)?.array
    }

    /// True if the conversations are in several arrays.
    pub fn has_arrays(&self) -> bool {
        let mut starts = self.conversations.iter().filter_map(|key| Some(key.array?.start));
        let first = starts.next();
        starts.any(|start| Some(start) != first)
    }

    /// The message in which a tool use begins; `None` if there is none, as for a tool use around a
    /// fence with messages.
    pub fn message_of(&self, tool_use: &ToolUse) -> Option<&Message> {
        let is_of_log = tool_use.dialect == log::DIALECT.name;
        let parts = if is_of_log { &self.of_log } else { &self.own };
        let after = parts.partition_point(|part| part.range.start <= tool_use.range.start);
        parts.get(parts.get(after.checked_sub(1)?)?.first as usize)
    }
}
