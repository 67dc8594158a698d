//! Assigns the blocks of message logs to tool uses, by conversation.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::num::NonZeroU64;

use crate::call::pairing::WaitingCalls;
use crate::call::{Block, CallPart, UseStatus};
use crate::document::located_blocks::ConversationBlock;
use crate::document::renamed_calls::RenamedCalls;
use crate::document::repeated_calls::RepeatedCalls;
use crate::document::wide_hash::WideHash;
use crate::segments::ReadContext;
use crate::segments::conversations::{ConversationKey, MessageArray};
use crate::text::saturate;

/// The number of bytes before the first call of a request that show its conversation.
const QUESTION: usize = 256;

/// The tool use that a block belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FoundUse {
    /// The block begins a new tool use.
    New,
    /// The block is a part of the tool use at this index.
    Part(usize),
    /// The block repeats, in another conversation, a part of the tool use at this index.
    Repetition(usize),
    /// The block belongs to no tool use: a piece of the input of an unknown call, or a result that
    /// counts as text without its call.
    None,
}

/// The tool uses of conversations that may still get a part. A call of a conversation may repeat a
/// call of another conversation: both are the same tool use.
#[derive(Default)]
pub(super) struct ConversationUses {
    by_conversation: HashMap<ConversationKey, OpenConversation>,
    /// The number of conversations.
    numbered: u32,
    states: Vec<UseState>,
    /// The tool uses by the hash of their conversation up to them.
    beginnings: HashMap<WideHash, usize>,
    /// The tool uses in responses to recorded requests without calls, by the hash of their calls,
    /// until a later request repeats them.
    begun: HashMap<WideHash, VecDeque<usize>>,
    repeated: RepeatedCalls,
    /// True if the arguments of calls were compared.
    compares_arguments: bool,
}

/// The parts that a tool use has.
#[derive(Clone, Copy, Default)]
struct UseState {
    /// The number of the conversation that it began in.
    conversation: u32,
    has_call: bool,
    /// True if no other result is expected.
    has_result: bool,
}

/// Ids and names are hashed: the blocks of a long log are not held.
#[derive(Default)]
struct OpenConversation {
    number: u32,
    by_id: HashMap<WideHash, KnownUse>,
    /// The tool uses without a result, with the names of their calls.
    waiting: BTreeMap<usize, Option<WideHash>>,
    /// The waiting tool uses whose calls have no id, and some that already got their results.
    without_id: VecDeque<usize>,
    /// Earlier tool uses without a result whose id was used again.
    earlier: HashMap<WideHash, WaitingCalls<usize>>,
    /// Calls that may occur again under another id.
    renamed: RenamedCalls,
    /// The tool use of the last call.
    last: Option<usize>,
    /// The hash of all calls.
    hash: WideHash,
    /// Of a recorded request with its response: the calls before its response.
    sent: SentCalls,
}

/// The calls of a recorded request, which were made before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum SentCalls {
    /// No call is read.
    #[default]
    Unread,
    /// There are none: a conversation begins.
    None,
    /// Some, with the hash of the text before them.
    Some(WideHash),
}

/// The last tool use with an id. It is small, because a long log has many.
#[derive(Clone, Copy)]
struct KnownUse {
    index: u32,
    /// The number of its message.
    message: u32,
    /// The number of tool uses with its id up to it.
    count: u16,
    has_result: bool,
    /// The hash of its call; `None` without a call, or if the call contains its result.
    call: Option<NonZeroU64>,
}

impl KnownUse {
    fn new(index: usize, part: &ConversationBlock<'_>, count: u16) -> Self {
        let is_call = part.at.block.part == CallPart::Call;
        let call = is_call.then(|| whole_hash_of(part.at.block).half()).and_then(NonZeroU64::new);
        Self { index: saturate(index), message: saturate(part.message), count, has_result: !is_call, call }
    }

    /// True if `block` is another part of this tool use, or repeats one. A second call with the
    /// same id begins a new tool use: in logs, whose records may be written twice, only if it
    /// differs and follows the result; in requests, if it differs or follows the result.
    fn includes(&self, block: &Block, repeats_records: impl FnOnce() -> bool) -> bool {
        let Some(call) = self.call.filter(|_| self.is_compared_with(block)) else { return true };
        let differs = call.get() != whole_hash_of(block).half();
        match (differs, self.has_result) {
            (true, true) => false,
            (false, false) => true,
            _ => repeats_records(),
        }
    }

    /// True if its call must be compared with the call of `block`.
    fn is_compared_with(&self, block: &Block) -> bool {
        self.call.is_some() && block.part == CallPart::Call && !block.is_provisional
    }
}

impl UseState {
    /// Adds a block of the conversation with this number. Returns whether it is a repetition.
    fn add(&mut self, block: &Block, conversation: u32) -> bool {
        let is_call = block.part.has_call();
        let is_result = !matches!(block.part, CallPart::Call) && block.status != UseStatus::Pending;
        let is_new = is_call && !self.has_call || is_result && !self.has_result;
        self.has_call |= is_call;
        self.has_result |= is_result && !block.is_provisional;
        self.conversation != conversation && !is_new
    }
}

impl ConversationUses {
    /// True if the arguments of calls were compared, or the texts before them.
    pub fn compares_text(&self) -> bool {
        self.compares_arguments
            || !self.beginnings.is_empty()
            || !self.begun.is_empty()
            || self.repeated.compares_text(self.numbered > 1)
    }

    /// The tool use that a block belongs to; a new one has the index `new`.
    pub fn find(&mut self, part: &ConversationBlock<'_>, new: usize, context: ReadContext<'_>) -> FoundUse {
        let numbered = &mut self.numbered;
        let conversation = self.by_conversation.entry(part.conversation).or_insert_with(|| {
            *numbered += 1;
            OpenConversation { number: *numbered, ..OpenConversation::default() }
        });
        let number = conversation.number;
        let found = match part.at.block.part {
            CallPart::Delta => conversation.piece_of(part.at.block).filter(|known| *known < new),
            _ => Some(self.index_of(part, new, context)),
        };
        let Some(found) = found else { return FoundUse::None };
        if part.at.block.part.has_call()
            && let Some(conversation) = self.by_conversation.get_mut(&part.conversation)
        {
            conversation.last = Some(found);
        }
        if self.states.len() <= found {
            self.states.resize(found + 1, UseState::default());
        }
        let Some(state) = self.states.get_mut(found) else { return FoundUse::New };
        if found == new {
            state.conversation = number;
        }
        match state.add(part.at.block, number) {
            _ if found == new => FoundUse::New,
            true => FoundUse::Repetition(found),
            false => FoundUse::Part(found),
        }
    }

    fn index_of(&mut self, part: &ConversationBlock<'_>, new: usize, context: ReadContext<'_>) -> usize {
        let block = part.at.block;
        let conversation = self.by_conversation.entry(part.conversation).or_default();
        let id = block.id().filter(|id| !id.is_empty()).map(WideHash::of);
        let known = id.and_then(|id| conversation.by_id.get_mut(&id));
        let count = known.as_ref().map_or(0, |known| known.count.saturating_add(1));
        let name = block.name().unwrap_or_default();
        let repeats_records = || context.repeats_records(part.conversation.array);
        let is_compared = known.as_ref().is_some_and(|known| known.is_compared_with(block));
        self.compares_arguments |= is_compared;
        if let Some(known) = known.filter(|known| known.includes(block, repeats_records)) {
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
            if block.is_provisional && block.part.has_call() {
                conversation.renamed.remove(index, part.message);
            }
            return index;
        }
        let found = match block.part {
            CallPart::Result if id.is_none() && block.is_provisional => conversation.last.unwrap_or(new),
            CallPart::Result if id.is_none() => conversation.answered(block).unwrap_or(new),
            CallPart::Result => {
                let answered = conversation.first_without_id(block);
                let found = self.repeated.find_result(part, answered.unwrap_or(new), context);
                conversation.waiting.remove(&found);
                found
            }
            _ if block.is_provisional => match conversation.renamed.take(name, part.message) {
                Some(known) => known,
                None => self.repeated.find_result(part, new, context),
            },
            _ if !part.conversation.is_repeatable() => new,
            _ => {
                conversation.hash = hash_of(conversation.hash, block);
                if conversation.sent == SentCalls::Unread {
                    conversation.sent = sent_before(part, context);
                }
                let calls = conversation.hash;
                match conversation.sent {
                    SentCalls::Unread => *self.beginnings.entry(calls).or_insert(new),
                    SentCalls::None => {
                        self.begun.entry(calls).or_default().push_back(new);
                        new
                    }
                    SentCalls::Some(text) => {
                        let mut begun = || self.begun.get_mut(&calls).and_then(VecDeque::pop_front);
                        let known = self.beginnings.entry(WideHash::of(&(text, calls)));
                        *known.or_insert_with(|| begun().unwrap_or(new))
                    }
                }
            }
        };
        let found = match found == new && block.part.has_call() {
            true => {
                let has_call = |index: usize| self.states.get(index).is_some_and(|state| state.has_call);
                self.repeated.find_call(part, hash_of(WideHash::of(&count), block), new, context, has_call)
            }
            false => found,
        };
        if block.part.has_call() && !block.is_provisional {
            conversation.renamed.add(name, found);
        }
        if let Some(id) = id {
            let before = conversation.by_id.insert(id, KnownUse::new(found, part, count));
            if let Some(before) = before.filter(|before| !before.has_result) {
                let earlier = conversation.earlier.entry(id).or_default();
                earlier.add(before.message as usize, before.index as usize);
            }
        }
        if block.part == CallPart::Call {
            conversation.waiting.insert(found, block.name().map(WideHash::of));
            conversation.forget_answered();
            conversation.without_id.extend(id.is_none().then_some(found));
        }
        found
    }

    /// Forgets the conversations in arrays: in a log, these end with their lines.
    pub fn end_lines(&mut self) {
        self.by_conversation.retain(|key, _| key.array.is_none());
        self.repeated.end_lines();
    }
}

impl OpenConversation {
    /// The tool use that a piece of an input belongs to: by its id, or else the last one.
    fn piece_of(&self, piece: &Block) -> Option<usize> {
        match piece.id().filter(|id| !id.is_empty()) {
            Some(id) => self.by_id.get(&WideHash::of(id)).map(|known| known.index as usize),
            None => self.last,
        }
    }

    /// Removes and returns the first waiting call with the name of `result`, or else the first
    /// waiting call.
    fn answered(&mut self, result: &Block) -> Option<usize> {
        let name = result.name().map(WideHash::of);
        let same = self.waiting.iter().find(|(_, waiting)| name.is_some() && **waiting == name);
        let index = *same.or_else(|| self.waiting.first_key_value())?.0;
        self.waiting.remove(&index);
        Some(index)
    }

    /// The first waiting call without an id, if `result`, whose id no call has, may be its own.
    fn first_without_id(&mut self, result: &Block) -> Option<usize> {
        self.forget_answered();
        let first = *self.without_id.front()?;
        let name = result.name().map(WideHash::of);
        (name.is_none() || self.waiting.get(&first) == Some(&name)).then_some(first)
    }

    /// Forgets the first calls without an id if they got their results.
    fn forget_answered(&mut self) {
        while self.without_id.front().is_some_and(|first| !self.waiting.contains_key(first)) {
            self.without_id.pop_front();
        }
    }
}

/// The calls that a recorded request has before `part`, the first call of the request and its
/// response. Requests of one conversation have the same text before their first call.
fn sent_before(part: &ConversationBlock<'_>, context: ReadContext<'_>) -> SentCalls {
    let Some(MessageArray { start, response: Some(response), .. }) = part.conversation.array else {
        return SentCalls::Unread;
    };
    let at = part.at.offset + part.at.block.span.map_or(0, |span| span.start as usize);
    if at >= response {
        return SentCalls::None;
    }
    let text = (start.max(at.saturating_sub(QUESTION))..at).filter_map(|at| context.text.byte(at));
    SentCalls::Some(WideHash::of(&text.filter(|byte| !byte.is_ascii_whitespace()).collect::<Vec<_>>()))
}

fn hash_of(before: WideHash, call: &Block) -> WideHash {
    let (id, name) = (call.id(), call.name());
    WideHash::of(&(before, id, name, call.arguments()))
}

/// The hash of a call with all of its input, to compare calls within a conversation. A call that
/// contains its result, as in another conversation, has no fingerprint of its input.
fn whole_hash_of(call: &Block) -> WideHash {
    WideHash::of(&(hash_of(WideHash::default(), call), call.input()))
}
