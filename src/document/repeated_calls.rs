//! Finds calls that repeat a call of another conversation.
//!
//! Messages are written again in the states of a run, in the spans of a trace, in each request of a
//! log, and at the end of a stream. Not every call with the id, the name and the arguments of
//! another one repeats it: agents count their calls in each conversation.

use std::collections::HashMap;
use std::ops::Range;

use crate::call::Block;
use crate::document::located_blocks::{ConversationBlock, LocatedBlock};
use crate::document::repetitions::UNIQUE_ID;
use crate::document::wide_hash::WideHash;
use crate::segments::ReadContext;
use crate::segments::conversations::{ConversationKey, MessageArray};
use crate::segments::language::Language;
use crate::text::Text;

/// The calls of a document so far, as hashes: a long log has many.
#[derive(Default)]
pub(super) struct RepeatedCalls {
    /// True if no conversation of the document repeats another; `None` before the first call.
    are_apart: Option<bool>,
    /// True if all messages are in one array, so that no text before a call can be repeated.
    is_alone: Option<bool>,
    /// The tool uses, by the hash of their call and [`Identity`].
    by_call: HashMap<WideHash, usize>,
    /// The last tool use of each unique id.
    by_id: HashMap<WideHash, usize>,
    /// For each array, by its start: its text so far.
    texts: HashMap<usize, TextBefore>,
    /// True if a unique id occurred more than once.
    has_repeated_id: bool,
    /// True if a call without a unique id occurred.
    has_others: bool,
}

/// The text of an array up to an offset.
struct TextBefore {
    hash: u64,
    end: usize,
    brackets: BracketScan,
    /// The number of containers that are open at its end.
    depth: usize,
    /// The number of messages that begin in it.
    messages: usize,
}

/// The context that two calls must share for one to repeat the other.
#[derive(Hash)]
enum Identity {
    /// A unique id suffices.
    Id,
    /// The hash of the conversation before the call, which has at least one message.
    Text(u64),
    /// The call is a record by itself, and the other one stands in an array.
    Record,
    /// The call stands in an array, and the other one is a record by itself.
    Element,
}

impl RepeatedCalls {
    /// The tool use of a call with the hash `call`; a new one gets the index `new`. `has_call` is
    /// false for tool uses that consist of results only.
    pub fn find_call(
        &mut self,
        part: &ConversationBlock<'_>,
        call: WideHash,
        new: usize,
        context: ReadContext<'_>,
        has_call: impl Fn(usize) -> bool,
    ) -> usize {
        if self.are_apart(context) {
            self.has_others |= context.language != Language::Markdown;
            return new;
        }
        let key = |identity: Identity| WideHash::of(&(identity, call));
        if let Some(id) = unique_id(part.at.block) {
            // A program that repeats a conversation may write its arguments in another order.
            let is_recorded = part.conversation.array.is_some_and(|array| array.response.is_some());
            let is_same = |of_id: &usize| is_recorded || !has_call(*of_id);
            let of_id = self.by_id.get(&id).copied().filter(is_same);
            let found = *self.by_call.entry(key(Identity::Id)).or_insert(of_id.unwrap_or(new));
            self.has_repeated_id |= self.by_id.insert(id, found).is_some();
            return found;
        }
        // Without an id, two examples of a data set may begin alike.
        if part.at.block.id().is_none_or(|id| id.is_empty()) {
            return new;
        }
        self.has_others = true;
        let known = |identity: Identity| self.by_call.get(&key(identity)).copied();
        let (found, own) = match part.conversation {
            ConversationKey { array: None, thread: None } => (known(Identity::Element), Identity::Record),
            ConversationKey { array: None, thread: Some(_) } => return new,
            ConversationKey { array: Some(array), .. } => {
                let record = known(Identity::Record);
                let is_alone = *self.is_alone.get_or_insert_with(|| context.only_array().is_some());
                let before = if is_alone { None } else { self.hash_before(array, &part.at, context.text) };
                let same = before.map(|text| {
                    *self.by_call.entry(key(Identity::Text(text))).or_insert(record.unwrap_or(new))
                });
                (same.or(record), Identity::Element)
            }
        };
        let found = found.unwrap_or(new);
        self.by_call.entry(key(own)).or_insert(found);
        found
    }

    /// The tool use of a result whose call is not in its conversation.
    pub fn find_result(
        &mut self,
        part: &ConversationBlock<'_>,
        new: usize,
        context: ReadContext<'_>,
    ) -> usize {
        self.has_repeated_id = true;
        if self.are_apart(context) {
            return new;
        }
        unique_id(part.at.block).map_or(new, |id| *self.by_id.entry(id).or_insert(new))
    }

    /// True if the arguments of calls were compared, or the texts before them; `is_shared` if there
    /// are several conversations.
    pub fn compares_text(&self, is_shared: bool) -> bool {
        self.has_repeated_id || self.has_others && is_shared
    }

    /// Forgets the arrays: in a log, they end with their lines.
    pub fn end_lines(&mut self) {
        self.texts.clear();
    }

    /// True if no conversation repeats another: the fences of a text, and the examples of a
    /// training set, are independent.
    fn are_apart(&mut self, context: ReadContext<'_>) -> bool {
        let are_apart = || context.language == Language::Markdown || context.is_training_set();
        *self.are_apart.get_or_insert_with(are_apart)
    }

    /// The hash of the text of an array before a block; `None` if the block is in its first
    /// message.
    fn hash_before(&mut self, array: MessageArray, at: &LocatedBlock<'_>, text: &Text) -> Option<u64> {
        let MessageArray { start, .. } = array;
        let end = at.offset + at.block.span.map_or(0, |span| span.start as usize);
        let known = self.texts.entry(start).or_insert_with(|| TextBefore::at(start));
        if known.end < end {
            known.add(text, known.end..end);
        }
        (known.messages > 1).then_some(known.hash)
    }
}

impl TextBefore {
    /// No text, at the start of an array.
    fn at(start: usize) -> Self {
        Self { hash: 0, end: start, brackets: BracketScan::default(), depth: 0, messages: 0 }
    }

    /// Appends text. White space is not hashed, so that the result depends neither on formatting
    /// nor on chunks.
    fn add(&mut self, text: &Text, range: Range<usize>) {
        self.end = range.end;
        for chunk in text.chunks(range) {
            chunk.bytes().for_each(|byte| self.add_byte(byte));
        }
    }

    fn add_byte(&mut self, byte: u8) {
        if !byte.is_ascii_whitespace() {
            self.hash = (self.hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
        match self.brackets.next(byte) {
            Some(true) => {
                self.messages += usize::from(self.depth == 1);
                self.depth += 1;
            }
            Some(false) => self.depth = self.depth.saturating_sub(1),
            None => {}
        }
    }
}

/// The hash of the block's id, if it is long enough to be unique. The tool name is not included.
fn unique_id(block: &Block) -> Option<WideHash> {
    let id = block.id()?;
    let name = block.name().filter(|name| id.contains(name));
    (id.len() - name.map_or(0, str::len) >= UNIQUE_ID).then(|| WideHash::of(id))
}

/// Finds the brackets of JSON that are outside of strings.
#[derive(Default)]
struct BracketScan {
    is_string: bool,
    is_escaped: bool,
}

impl BracketScan {
    /// Passes `byte`. Returns whether it opens a container or closes one.
    fn next(&mut self, byte: u8) -> Option<bool> {
        if self.is_string {
            self.is_string = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return None;
        }
        match byte {
            b'"' => {
                self.is_string = true;
                None
            }
            b'{' | b'[' => Some(true),
            b'}' | b']' => Some(false),
            _ => None,
        }
    }
}
