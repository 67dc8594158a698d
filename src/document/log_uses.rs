//! The tool uses of a log that is read line by line. Each is returned when it is complete.

use std::collections::BTreeMap;

use crate::call::pairing::Pairing;
use crate::call::{CallPart, ToolUse, UseStatus};
use crate::document::Document;
use crate::document::conversation_uses::FoundUse;
use crate::document::fallback_ids::CallNumbers;
use crate::document::located_blocks::{BlockCursor, ConversationBlock, LocatedBlock};
use crate::document::pairs::OpenPairs;

/// The tool uses of a log that is read line by line. Only hashes of ended tool uses are held.
#[derive(Default)]
pub struct LogUses {
    pairs: OpenPairs,
    numbers: CallNumbers,
    /// The number of messages so far.
    messages: usize,
    /// The tool uses that may get more parts, by their numbers.
    open: BTreeMap<usize, OpenUse>,
    /// The tool uses so far, by number.
    known: Vec<KnownUse>,
    /// The size in bytes of the parts of `open`.
    size: usize,
}

/// A tool use with its first and last line in the log, from 0. Its own range is meaningless.
pub type LineUse = (ToolUse, (usize, usize));

/// A tool use of the log, which may have been returned.
#[derive(Default)]
struct KnownUse {
    has_call: bool,
    /// Its status, if it was complete.
    ended: Option<UseStatus>,
}

/// A tool use that may get more parts.
struct OpenUse {
    /// Its parts and its status so far.
    found: ToolUse,
    lines: (usize, usize),
    /// The number of its call among the calls of its dialect.
    number: Option<u32>,
    /// True if all of its parts were found.
    is_complete: bool,
    size: usize,
}

impl OpenUse {
    fn finish(self) -> LineUse {
        let status = self.found.status;
        (self.found.complete(status, self.number), self.lines)
    }
}

impl LogUses {
    /// Adds `document`, the next lines of the log; `number` maps its line numbers to line numbers
    /// of the log. Returns the tool uses that are complete after them.
    pub fn add(&mut self, document: &Document, number: impl Fn(usize) -> usize) -> Vec<LineUse> {
        let mut blocks = Vec::new();
        if document.is_active() {
            let mut cursor = BlockCursor::after(self.messages);
            let mut push = |at| blocks.push(at);
            document.tree.iter().for_each(|located| cursor.visit(document.context(), &located, &mut push));
            self.messages = cursor.messages();
        }
        let parts = blocks.iter().filter_map(|found| Some((self.index_of(found, document)?, found)));
        let parts: Vec<(usize, &ConversationBlock<'_>)> = parts.collect();
        self.pairs.end_lines();
        let blocks: Vec<LocatedBlock<'_>> = parts.iter().map(|(_, found)| found.at).collect();
        let read = parts.into_iter().zip(document.parts_of(&blocks));
        let mut ended = Vec::new();
        let (mut line, mut touched) = (0, Vec::new());
        for ((index, found), part) in read {
            let line_of_part = number(document.text.line_of_byte(found.at.offset));
            if line_of_part != line {
                self.end_complete(&mut touched, &mut ended);
                line = line_of_part;
            }
            // A result that comes after its tool use was taken is a tool use of its own, and so is
            // a call that comes after its result.
            let is_call = found.at.block.part == CallPart::Call;
            let known = self.known.get(index);
            if known.is_some_and(|known| known.ended.is_none() || is_call && !known.has_call) {
                self.add_part(index, found, part, document, line);
                touched.push(index);
            }
        }
        self.end_complete(&mut touched, &mut ended);
        ended
    }

    /// The size in bytes of the parts that are held.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Removes and returns the oldest open tool use.
    pub fn take_first(&mut self) -> Option<LineUse> {
        let (_, first) = self.open.pop_first()?;
        self.size -= first.size;
        Some(first.finish())
    }

    /// The number of the tool use that a block is a part of; `None` for a repetition.
    fn index_of(&mut self, found: &ConversationBlock<'_>, document: &Document) -> Option<usize> {
        let new = self.known.len();
        match self.pairs.find(found, new, document.context()) {
            FoundUse::New => {
                self.known.push(KnownUse::default());
                Some(new)
            }
            FoundUse::Part(index) => Some(index),
            FoundUse::Repetition(_) | FoundUse::None => None,
        }
    }

    fn add_part(
        &mut self,
        index: usize,
        found: &ConversationBlock<'_>,
        part: ToolUse,
        document: &Document,
        line: usize,
    ) {
        let (block, range) = (found.at.block, &part.range);
        let Some(known) = self.known.get_mut(index) else { return };
        known.has_call |= block.part.has_call();
        let open = self.open.entry(index).or_insert_with(|| OpenUse {
            found: ToolUse { status: known.ended.unwrap_or_default(), ..ToolUse::default() },
            lines: (line, line),
            number: None,
            is_complete: false,
            size: 0,
        });
        open.lines.1 = line + document.text.line_of_byte(range.end.max(range.start + 1) - 1)
            - document.text.line_of_byte(range.start);
        open.size += range.len();
        self.size += range.len();
        if block.status != UseStatus::Pending {
            open.found.status = block.status;
        }
        if open.number.is_none() && block.part != CallPart::Result {
            open.number = Some(self.numbers.next(part.dialect));
        }
        // Results refer to their calls by ids, and in a conversation by their order.
        let may_be_answered = block.id().is_some_and(|id| !id.is_empty())
            || block.pairing == Pairing::InConversation && found.conversation.array.is_none();
        // An invalid call of a stream has failed, but its error may follow.
        let may_go_on = block.pairing == Pairing::ById && block.part == CallPart::Call;
        let has_ended = open.found.status != UseStatus::Pending && !block.is_provisional && !may_go_on;
        open.is_complete = !may_be_answered || has_ended || known.ended.is_some();
        open.found.add_part(part);
    }

    /// Moves the complete tool uses among `touched` to `ended`.
    fn end_complete(&mut self, touched: &mut Vec<usize>, ended: &mut Vec<LineUse>) {
        touched.sort_unstable();
        for index in touched.drain(..) {
            let Some(complete) = self.open.remove(&index) else { continue };
            if !complete.is_complete {
                self.open.insert(index, complete);
                continue;
            }
            self.size -= complete.size;
            if let Some(known) = self.known.get_mut(index) {
                known.ended = Some(complete.found.status);
            }
            ended.push(complete.finish());
        }
    }
}
