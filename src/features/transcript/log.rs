//! A message log as a chat: turns with their texts, and batches of tool uses between them.

use std::ops::Range;

use super::{MessagePart, ToolUseGroup, TranscriptMark, TranscriptMessage, cuts};
use crate::call::MessageRole;
use crate::dialect::log::message::TextKind;
use crate::document::{ConversationNumbers, Document, LogText, LogTurn};

/// Maximum number of bytes of one text.
const LONGEST_TEXT: usize = 100_000;
/// Maximum number of bytes of one reasoning.
const LONGEST_THOUGHT: usize = 20_000;

/// The messages of a log, up to about `most` bytes of text.
pub(super) fn messages(document: &Document, most: usize) -> Vec<TranscriptMessage> {
    let turns = document.log_turns(usize::MAX);
    let tools = cuts(document, &|range| range).into_iter().filter_map(|cut| match cut.item {
        Some(TranscriptMark::Tools(tools)) => Some(tools),
        _ => None,
    });
    let mut log =
        LogMessages { messages: Vec::new(), headings: ConversationHeadings::of(&turns), len: 0, most };
    let mut tools = tools.peekable();
    let first = turns.first().map_or(usize::MAX, |turn| turn.range.start);
    while let Some(before) = tools.next_if(|tools| tools.range.start < first) {
        log.add_tools(before);
    }
    let ends = turns.iter().skip(1).map(|turn| turn.range.start).chain([usize::MAX]);
    for (turn, end) in turns.iter().zip(ends) {
        let inside: Vec<ToolUseGroup> =
            std::iter::from_fn(|| tools.next_if(|tools| tools.range.start < end)).collect();
        if log.len > log.most {
            break;
        }
        log.add_turn(document, turn, inside);
    }
    log.finish(turns.len(), document.text().len())
}

/// The headings of conversations in a file with several arrays of messages.
struct ConversationHeadings {
    numbers: ConversationNumbers,
    has_several: bool,
    /// The start of the last array.
    last: Option<usize>,
}

impl ConversationHeadings {
    fn of(turns: &[LogTurn]) -> Self {
        let numbers = ConversationNumbers::of(turns);
        Self { has_several: numbers.has_arrays(), numbers, last: None }
    }

    /// The heading of the conversation that `turn` begins; `None` if it goes on the last one, or if
    /// there is only one.
    fn heading(&mut self, turn: &LogTurn) -> Option<String> {
        let start = turn.conversation.array?.start;
        if !self.has_several || self.last.replace(start) == Some(start) {
            return None;
        }
        Some(format!("# Conversation {}\n", self.numbers.of_turn(turn)?))
    }
}

struct LogMessages {
    messages: Vec<TranscriptMessage>,
    headings: ConversationHeadings,
    /// The number of bytes of all texts.
    len: usize,
    most: usize,
}

impl LogMessages {
    fn add_turn(&mut self, document: &Document, turn: &LogTurn, tools: Vec<ToolUseGroup>) {
        let at = turn.range.start;
        if let Some(heading) = self.headings.heading(turn) {
            self.push(None, String::new(), at..at);
            self.item(MessagePart::Text(heading, turn.range.clone()));
        }
        self.push(Some(turn.role), turn.name(), turn.range.clone());
        let order = |text: &LogText| {
            // What a model thinks between the calls of a batch precedes the batch.
            let is_inside = |tools: &&ToolUseGroup| tools.range.contains(&text.order);
            let batch = tools.iter().find(is_inside).filter(|_| text.kind == TextKind::Thinking);
            batch.map_or(text.order, |batch| batch.range.start)
        };
        let mut texts: Vec<(usize, &LogText)> = turn.texts.iter().map(|text| (order(text), text)).collect();
        texts.sort_by_key(|(order, _)| *order);
        let mut tools = tools.into_iter().peekable();
        for (order, text) in texts {
            while let Some(before) = tools.next_if(|tools| tools.range.start < order) {
                self.add_tools(before);
            }
            self.add_text(document, text);
        }
        tools.for_each(|behind| self.add_tools(behind));
    }

    fn add_text(&mut self, document: &Document, text: &LogText) {
        let most = if text.kind == TextKind::Thinking { LONGEST_THOUGHT } else { LONGEST_TEXT };
        let shown = document.log_text(text, most);
        self.len += shown.len();
        let range = text.range.clone();
        let last = self.messages.last_mut().and_then(|message| message.items.last_mut());
        match (text.kind, last) {
            _ if shown.is_empty() => {}
            (TextKind::Continued, Some(MessagePart::Text(before, place))) => {
                before.push_str(&shown);
                place.end = range.end;
            }
            (TextKind::Thinking, Some(MessagePart::Thinking(before, place))) => {
                before.push_str("\n\n");
                before.push_str(&shown);
                place.end = range.end.max(place.end);
            }
            (TextKind::Thinking, _) => self.item(MessagePart::Thinking(shown, range)),
            _ => self.item(MessagePart::Text(shown, range)),
        }
    }

    /// Adds a batch. Calls are those of the assistant, whatever precedes them.
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

    fn finish(mut self, turns: usize, len: usize) -> Vec<TranscriptMessage> {
        // A turn that only waited for its calls says nothing.
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
        let mut end = len;
        for message in self.messages.iter_mut().rev() {
            message.range.end = std::mem::replace(&mut end, message.range.start);
        }
        self.messages
    }
}
