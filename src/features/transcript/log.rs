//! A message log as a chat: turns with their texts, and batches of tool uses between them.

use std::ops::Range;

use super::{MessagePart, ToolUseGroup, TranscriptMark, TranscriptMessage, cuts};
use crate::call::MessageRole;
use crate::document::{Document, Message, MessageText, Messages};
use crate::messages::content::TextKind;

/// Maximum number of bytes of one text.
const LONGEST_TEXT: usize = 100_000;
/// Maximum number of bytes of one reasoning.
const LONGEST_THOUGHT: usize = 20_000;

/// The messages of a log, up to about `most` bytes of text.
pub(super) fn messages(document: &Document, most: usize) -> Vec<TranscriptMessage> {
    let messages = document.messages();
    let all = messages.of_log();
    let tools = cuts(document, &|range| range).into_iter().filter_map(|cut| match cut.item {
        Some(TranscriptMark::Tools(tools)) => Some(tools),
        _ => None,
    });
    let conversations = messages.has_arrays().then_some(messages);
    let mut log = LogTranscript { document, conversations, array: None, messages: Vec::new(), len: 0, most };
    let mut tools = tools.peekable();
    let first = all.first().map_or(usize::MAX, |message| message.range.start);
    while let Some(before) = tools.next_if(|tools| tools.range.start < first) {
        log.add_tools(before);
    }
    let ends = all.iter().skip(1).map(|message| message.range.start).chain([usize::MAX]);
    for (message, end) in all.iter().zip(ends) {
        let inside: Vec<ToolUseGroup> =
            std::iter::from_fn(|| tools.next_if(|tools| tools.range.start < end)).collect();
        if log.len > log.most {
            break;
        }
        log.add_message(message, inside);
    }
    log.finish(all.len())
}

struct LogTranscript<'d> {
    document: &'d Document,
    /// The messages of the log, if their conversations are in several arrays.
    conversations: Option<&'d Messages>,
    /// The start of the last array.
    array: Option<usize>,
    messages: Vec<TranscriptMessage>,
    /// The number of bytes of all texts.
    len: usize,
    most: usize,
}

impl LogTranscript<'_> {
    /// The heading of the conversation that `message` begins; `None` if it continues the last one,
    /// or if there is only one.
    fn heading(&mut self, message: &Message) -> Option<String> {
        let start = self.conversations?.array_of(message)?.start;
        let is_new = self.array.replace(start) != Some(start);
        is_new.then(|| format!("# Conversation {}\n", message.conversation))
    }

    fn add_message(&mut self, message: &Message, tools: Vec<ToolUseGroup>) {
        let at = message.range.start;
        if let Some(heading) = self.heading(message) {
            self.push(None, String::new(), at..at);
            self.item(MessagePart::Text(heading, message.range.clone()));
        }
        self.push(Some(message.role), message.name(), message.range.clone());
        let order = |text: &MessageText| {
            // A text between the calls of a batch is shown before the batch.
            let is_inside = |tools: &&ToolUseGroup| tools.range.contains(&text.order);
            let batch = tools.iter().find(is_inside).filter(|_| text.kind == TextKind::Thinking);
            batch.map_or(text.order, |batch| batch.range.start)
        };
        let mut texts: Vec<(usize, &MessageText)> =
            message.texts.iter().map(|text| (order(text), text)).collect();
        texts.sort_by_key(|(order, _)| *order);
        let mut tools = tools.into_iter().peekable();
        for (order, text) in texts {
            while let Some(before) = tools.next_if(|tools| tools.range.start < order) {
                self.add_tools(before);
            }
            self.add_text(text);
        }
        tools.for_each(|behind| self.add_tools(behind));
    }

    fn add_text(&mut self, text: &MessageText) {
        let most = if text.kind == TextKind::Thinking { LONGEST_THOUGHT } else { LONGEST_TEXT };
        let shown = self.document.message_text(text, most);
        self.len += shown.len();
        let range = text.range.clone();
        let last = self.messages.last_mut().and_then(|message| message.items.last_mut());
        match (text.kind, last) {
            _ if shown.is_empty() => {}
            (TextKind::Prose, Some(MessagePart::Text(before, place))) if text.continues => {
                before.push_str(&shown);
                place.end = range.end;
            }
            (TextKind::Thinking, Some(MessagePart::Thinking(before, place))) => {
                before.push_str(if text.continues { "" } else { "\n\n" });
                before.push_str(&shown);
                place.end = range.end.max(place.end);
            }
            (TextKind::Thinking, _) => self.item(MessagePart::Thinking(shown, range)),
            _ => self.item(MessagePart::Text(shown, range)),
        }
    }

    /// Adds a batch, to a message of the assistant: a new one if the last has another role.
    fn add_tools(&mut self, tools: ToolUseGroup) {
        let is_assistant =
            self.messages.last().is_some_and(|message| message.role == Some(MessageRole::Assistant));
        if !is_assistant {
            self.push(Some(MessageRole::Assistant), "Assistant".to_owned(), tools.range.clone());
        }
        self.len += tools.label.len();
        self.item(MessagePart::Tools(tools));
    }

    fn push(&mut self, role: Option<MessageRole>, name: String, range: Range<usize>) {
        self.messages.push(TranscriptMessage { role, name, range, items: Vec::new() });
    }

    fn item(&mut self, item: MessagePart) {
        if let Some(message) = self.messages.last_mut() {
            message.items.push(item);
        }
    }

    fn finish(mut self, turns: usize) -> Vec<TranscriptMessage> {
        // A message that only waited for its calls has nothing to show.
        self.messages.retain(|message| !message.items.is_empty());
        let shown = self.messages.iter().filter(|message| message.role.is_some()).count();
        let end = self.messages.last().map_or(0, |message| message.range.end);
        if self.len > self.most && shown < turns {
            let left_out = turns - shown;
            let messages = if left_out == 1 { "message is" } else { "messages are" };
            let note =
                format!("*{left_out} more {messages} not shown: the log is too long for a preview.*\n");
            self.push(None, String::new(), end..end);
            self.item(MessagePart::Text(note, end..end));
        }
        let mut end = self.document.text().len();
        for message in self.messages.iter_mut().rev() {
            message.range.end = std::mem::replace(&mut end, message.range.start);
        }
        self.messages
    }
}
