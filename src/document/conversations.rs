//! The conversations of a document, which ids, order and pairing hold within: arrays of messages,
//! or the document, and there the messages of one thread.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use crate::call::pairing::WaitingCalls;
use crate::call::{Block, CallPart, Conversation, ConversationPlace, Thread};
use crate::dialect::log::outline::outline;
use crate::document::LocatedUseBlock;
use crate::document::block_unit::ReadContext;
use crate::document::segment_data::{SegmentAttachment, SegmentData};
use crate::forms::FormTable;
use crate::syntax::LocatedSegment;

/// The number of segments that are passed one by one, which costs less than to begin anew.
const NEAR: usize = 16;

/// An array of messages, or a fence whose lines are messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MessageArray {
    /// The document offset of its opening bracket, or of the fence.
    pub start: usize,
    /// True if it is an element of another array: a list of conversations, which may repeat the
    /// beginnings of each other.
    pub is_element: bool,
    /// True if it is a fence.
    pub is_lines: bool,
}

/// A conversation of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConversationKey {
    /// The array of its messages; `None` for the document.
    pub array: Option<MessageArray>,
    /// Its thread; `None` for the messages that are in none.
    pub thread: Option<Thread>,
}

impl ConversationKey {
    /// True if it may repeat the beginning of another one.
    pub fn is_repeatable(self) -> bool {
        self.array.is_some_and(|array| array.is_element)
    }
}

/// Finds the conversations of blocks, one after the other.
#[derive(Debug, Default)]
pub(super) struct Conversations {
    /// The brackets that are open before the last segment.
    open: Option<(usize, Vec<(usize, usize)>)>,
    /// The document offsets of the brackets that segments leave open.
    starts: HashMap<usize, Vec<usize>>,
    /// The last segment and level of an array that begins before it, with its start.
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
        located: &LocatedSegment<'_, SegmentAttachment>,
        conversation: Conversation,
    ) -> ConversationKey {
        ConversationKey {
            array: self.array_of(context, located, conversation),
            thread: conversation.thread.map(|thread| self.whole_thread(context, thread)),
        }
    }

    /// The thread whose messages are linked to each other.
    pub fn whole_thread(&mut self, context: ReadContext<'_>, thread: Thread) -> Thread {
        let first_messages = self.first_messages.get_or_insert_with(|| first_messages(context));
        first_messages.get(&thread).copied().unwrap_or(thread)
    }

    /// The array that a block of the segment is part of a message of.
    pub fn array_of(
        &mut self,
        context: ReadContext<'_>,
        located: &LocatedSegment<'_, SegmentAttachment>,
        conversation: Conversation,
    ) -> Option<MessageArray> {
        let start = self.start_of(context, located, conversation)?;
        let is_lines = conversation.place == ConversationPlace::Lines;
        let is_element = self.last.filter(|last| last.start == start).map(|last| last.is_element);
        let is_element = is_element.unwrap_or_else(|| !is_lines && is_in_array(context, start));
        self.last = Some(MessageArray { start, is_element, is_lines });
        self.last
    }

    fn start_of(
        &mut self,
        context: ReadContext<'_>,
        located: &LocatedSegment<'_, SegmentAttachment>,
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

/// The first message of each linked one. A message precedes those that are linked to it.
fn first_messages(context: ReadContext<'_>) -> HashMap<Thread, Thread> {
    let mut first_messages = HashMap::new();
    let mut from = 0;
    while let Some(index) = context.tree.next_attached(from, |sum| sum.thread_links) {
        from = index + 1;
        let data = context.tree.get(index).and_then(|segment| segment.attachment.data.as_deref());
        if let Some(link) = data.and_then(SegmentData::thread_link) {
            let first = link.before.and_then(|before| first_messages.get(&before)).copied();
            first_messages.insert(link.own, first.unwrap_or(link.own));
        }
    }
    first_messages
}

/// The document offsets of the brackets that the segment leaves open, outermost first.
pub(super) fn starts_in(context: ReadContext<'_>, segment: usize) -> Vec<usize> {
    let Some(located) = context.tree.locate(segment) else { return Vec::new() };
    let outline = outline(&context.text.slice(located.range()), FormTable::built_in());
    let containers = outline.open.iter().filter_map(|index| outline.containers.get(*index as usize));
    containers.map(|container| located.offset + container.start as usize).collect()
}

/// True if the array at `start` is an element of another one. It may also be the value of a member,
/// a whole document, a line or a fence. The markers of quotes around a fence are passed over.
fn is_in_array(context: ReadContext<'_>, start: usize) -> bool {
    let is_space = |byte: &Option<u8>| matches!(byte, Some(b' ' | b'\t' | b'\n' | b'\r' | b'>'));
    let mut before = (0..start).rev().map(|at| context.text.byte(at));
    matches!(before.find(|byte| !is_space(byte)).flatten(), Some(b'[' | b','))
}

/// The tool uses of conversations that may still get a part. Calls of a list of conversations that
/// repeat the beginning of an earlier one are the same tool uses.
#[derive(Default)]
pub(super) struct ConversationUses {
    by_conversation: HashMap<ConversationKey, OpenConversation>,
    /// The tool uses by the hash of their conversation up to them.
    beginnings: HashMap<u64, usize>,
}

/// Ids and names are hashed: the blocks of a long log are not held.
#[derive(Default)]
struct OpenConversation {
    by_id: HashMap<u64, KnownUse>,
    /// The tool uses without a result, with the names of their calls.
    waiting: BTreeMap<usize, Option<u64>>,
    /// Those among them, by their id, that precede the last tool use with that id.
    earlier: HashMap<u64, WaitingCalls<usize>>,
    /// The hash of all calls.
    hash: u64,
}

/// The last tool use with an id. It is small, because a long log has many.
#[derive(Clone, Copy)]
struct KnownUse {
    index: u32,
    /// The number of its message.
    message: u32,
    has_result: bool,
    /// The hash of its call; `None` if there is none, or one that contains its result.
    call: Option<NonZeroU64>,
}

impl KnownUse {
    fn new(index: usize, at: &LocatedUseBlock<'_>) -> Self {
        let is_call = at.block.part == CallPart::Call;
        let call = is_call.then(|| hash_of(0, at.block)).and_then(NonZeroU64::new);
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self { index: small(index), message: small(at.message), has_result: !is_call, call }
    }

    /// True if `block` is another part of it, or repeats one. Another call with the same id is
    /// another tool use: in records, which may be written twice, after the result; in a request,
    /// the same call after the result, too.
    fn includes(&self, block: &Block, repeats_records: impl FnOnce() -> bool) -> bool {
        let Some(call) = self.call.filter(|_| block.part == CallPart::Call) else { return true };
        let differs = call.get() != hash_of(0, block);
        match (differs, self.has_result) {
            (true, true) => false,
            (false, false) => true,
            _ => repeats_records(),
        }
    }
}

impl ConversationUses {
    /// The tool use that a block belongs to; `new` if it begins one. `repeats_records` is true for
    /// conversations whose messages are records, which a log may repeat.
    pub fn find_or_insert(
        &mut self,
        at: &LocatedUseBlock<'_>,
        new: usize,
        repeats_records: &dyn Fn(ConversationKey) -> bool,
    ) -> usize {
        let block = at.block;
        let conversation = self.by_conversation.entry(at.conversation).or_default();
        let id = block.id().map(|id| id.text).filter(|id| !id.is_empty()).map(hash_of_text);
        let known = id.and_then(|id| conversation.by_id.get_mut(&id));
        if let Some(known) = known.filter(|known| known.includes(block, || repeats_records(at.conversation)))
        {
            let earlier = id.and_then(|id| conversation.earlier.get_mut(&id));
            let may_be_of_last =
                !known.has_result && !earlier.as_ref().is_some_and(|it| it.ends_in(known.message as usize));
            let before = match block.part {
                CallPart::Result if !may_be_of_last => earlier.and_then(WaitingCalls::take),
                _ => None,
            };
            let index = before.unwrap_or(known.index as usize);
            known.has_result |= block.part != CallPart::Call && before.is_none();
            if block.part == CallPart::Result {
                conversation.waiting.remove(&index);
            }
            return index;
        }
        let found = match block.part {
            CallPart::Result if id.is_none() => conversation.answered(block).unwrap_or(new),
            CallPart::Result => new,
            _ if !at.conversation.is_repeatable() => new,
            _ => {
                conversation.hash = hash_of(conversation.hash, block);
                *self.beginnings.entry(conversation.hash).or_insert(new)
            }
        };
        if let Some(id) = id {
            let before = conversation.by_id.insert(id, KnownUse::new(found, at));
            if let Some(before) = before.filter(|before| !before.has_result) {
                let earlier = conversation.earlier.entry(id).or_default();
                earlier.add(before.message as usize, before.index as usize);
            }
        }
        if block.part == CallPart::Call {
            conversation.waiting.insert(found, block.name().map(|name| hash_of_text(name.text)));
        }
        found
    }

    /// Forgets the conversations in arrays: in a log, these end with their lines.
    pub fn end_lines(&mut self) {
        self.by_conversation.retain(|key, _| key.array.is_none());
    }
}

impl OpenConversation {
    /// The first call without a result, with the name of the result if there is one.
    fn answered(&mut self, result: &Block) -> Option<usize> {
        let name = result.name().map(|name| hash_of_text(name.text));
        let same = self.waiting.iter().find(|(_, waiting)| name.is_some() && **waiting == name);
        let index = *same.or_else(|| self.waiting.first_key_value())?.0;
        self.waiting.remove(&index);
        Some(index)
    }
}

fn hash_of_text(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

fn hash_of(before: u64, call: &Block) -> u64 {
    let mut hasher = DefaultHasher::new();
    let (id, name) = (call.id().map(|id| id.text), call.name().map(|name| name.text));
    (before, id, name, call.arguments()).hash(&mut hasher);
    hasher.finish()
}
