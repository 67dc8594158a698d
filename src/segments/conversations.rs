//! The conversations of a document, within which blocks are paired: each array of messages is a
//! conversation, and so is the rest of the document, divided by threads.

use std::collections::HashMap;

use crate::call::{Conversation, ConversationPlace, Thread};
use crate::forms::FormTable;
use crate::messages::outline::outline;
use crate::segments::block_unit::ReadContext;
use crate::segments::data::DocumentSegment;
use crate::segments::json_objects::response_in;

/// The number of segments that are passed one by one, which costs less than to begin anew.
const NEAR: usize = 16;

/// An array of messages, or a fence whose lines are messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageArray {
    /// The document offset of its opening bracket, or of the fence, or of a message that is a
    /// conversation of its own, or of a recorded request with its response.
    pub start: usize,
    /// True if it is an element of another array: a list of conversations, which may repeat the
    /// beginnings of each other.
    pub is_element: bool,
    /// The document offset of the response, if it is a recorded request with its response.
    pub response: Option<usize>,
    /// True if it is a fence.
    pub is_lines: bool,
}

/// A conversation of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConversationKey {
    /// The array of its messages; `None` for the document.
    pub array: Option<MessageArray>,
    /// Its thread; `None` for messages without one.
    pub thread: Option<Thread>,
}

impl ConversationKey {
    /// True if other conversations may begin like this one.
    pub fn is_repeatable(self) -> bool {
        self.array.is_some_and(|array| array.is_element || array.response.is_some())
    }
}

/// Resolves the conversations of blocks, best in document order.
#[derive(Debug, Default)]
pub(crate) struct Conversations {
    /// The brackets that are open before the last segment.
    open: Option<(usize, Vec<(usize, usize)>)>,
    /// The document offsets of the brackets that a segment leaves open, by its index.
    starts: HashMap<usize, Vec<usize>>,
    /// The last lookup of an array that begins in an earlier segment: segment and level, and the
    /// start of the array.
    outer: Option<((usize, usize), usize)>,
    last: Option<MessageArray>,
    /// The first messages of threads without names, by their messages.
    first_messages: Option<HashMap<Thread, Thread>>,
}

impl Conversations {
    /// The conversation of a block of the segment.
    pub fn key_of(
        &mut self,
        context: ReadContext<'_>,
        located: &DocumentSegment<'_>,
        conversation: Conversation,
    ) -> ConversationKey {
        ConversationKey {
            array: self.array_of(context, located, conversation),
            thread: conversation.thread.map(|thread| self.whole_thread(context, thread)),
        }
    }

    /// The thread under its first message, if it consists of linked messages.
    pub fn whole_thread(&mut self, context: ReadContext<'_>, thread: Thread) -> Thread {
        let first_messages = self.first_messages.get_or_insert_with(|| first_messages(context));
        first_messages.get(&thread).copied().unwrap_or(thread)
    }

    /// The array with the message that contains a block of the segment.
    pub fn array_of(
        &mut self,
        context: ReadContext<'_>,
        located: &DocumentSegment<'_>,
        conversation: Conversation,
    ) -> Option<MessageArray> {
        let start = self.start_of(context, located, conversation)?;
        let is_lines = conversation.place == ConversationPlace::Lines;
        let known = self.last.filter(|last| last.start == start);
        self.last = Some(known.unwrap_or_else(|| MessageArray {
            start,
            is_element: !is_lines && is_in_array(context, start),
            response: if is_lines { None } else { response_in(context, start) },
            is_lines,
        }));
        self.last
    }

    fn start_of(
        &mut self,
        context: ReadContext<'_>,
        located: &DocumentSegment<'_>,
        conversation: Conversation,
    ) -> Option<usize> {
        let level = match conversation.place {
            ConversationPlace::Document => return None,
            ConversationPlace::Lines => return Some(located.offset),
            ConversationPlace::Array(start) => return Some(located.offset + start as usize),
            ConversationPlace::Outer(level) => level as usize,
        };
        let place = (located.index, level);
        if let Some((_, start)) = self.outer.filter(|(known, _)| *known == place) {
            return Some(start);
        }
        let (segment, nth) = *self.open_before(context, located.index).get(level)?;
        let starts = self.starts.entry(segment).or_insert_with(|| starts_in(context, segment));
        let start = starts.get(nth).copied()?;
        self.outer = Some((place, start));
        Some(start)
    }

    /// The brackets that are open before the segment at `index`.
    fn open_before(&mut self, context: ReadContext<'_>, index: usize) -> &[(usize, usize)] {
        let is_near = |known: usize| (known..known + NEAR).contains(&index);
        let open = match self.open.take().filter(|(known, _)| is_near(*known)) {
            Some((known, mut open)) => {
                (known..index).for_each(|at| context.tree.pass_brackets(at, &mut open));
                open
            }
            None => context.tree.open_brackets(index),
        };
        &self.open.insert((index, open)).1
    }
}

/// Maps each linked message to the first one of its thread. A message precedes all messages that
/// link to it.
fn first_messages(context: ReadContext<'_>) -> HashMap<Thread, Thread> {
    let mut first_messages = HashMap::new();
    for located in context.tree.attached(|sum| sum.thread_links) {
        if let Some(link) = located.data().log().thread_link {
            let first = link.before.and_then(|before| first_messages.get(&before)).copied();
            first_messages.insert(link.own, first.unwrap_or(link.own));
        }
    }
    first_messages
}

/// The document offsets of the brackets that the segment leaves open, outermost first.
pub(crate) fn starts_in(context: ReadContext<'_>, segment: usize) -> Vec<usize> {
    let Some(located) = context.tree.locate(segment) else { return Vec::new() };
    let outline = outline(&context.text.slice(located.range()), FormTable::built_in());
    let containers = outline.open.iter().filter_map(|index| outline.containers.get(*index as usize));
    containers.map(|container| located.offset + container.start as usize).collect()
}

/// True if the array at `start` is an element of another array, not the value of a member nor a
/// whole document, line or fence. Skips the quote markers around a fence.
fn is_in_array(context: ReadContext<'_>, start: usize) -> bool {
    let is_space = |byte: &Option<u8>| matches!(byte, Some(b' ' | b'\t' | b'\n' | b'\r' | b'>'));
    let mut before = (0..start).rev().map(|at| context.text.byte(at));
    context.text.byte(start) == Some(b'[')
        && matches!(before.find(|byte| !is_space(byte)).flatten(), Some(b'[' | b','))
}
