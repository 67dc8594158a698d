//! The sum over the items of requests in a run of text. It shows whether they may have a fault.
//!
//! In a request without faults, every call is answered before the next message that is not a
//! result. So a balance, to which ids of calls are added and from which ids of results are
//! subtracted, is the same before all such messages.

use super::{RequestCheck, RequestItem, facts_of_message, has_bad_name, is_speaker, is_whole_call};
use crate::call::{Block, CallPart, ChatApi, ConversationPlace, SentRole, fixed_hash};

/// The sum of a run of request items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestSum {
    /// True if an item, or two adjacent items, may be a fault.
    may_be_rejected: bool,
    /// True if there is a call or result of Anthropic's API, and of OpenAI's.
    pub is_anthropic: bool,
    is_openai: bool,
    /// True if there is a message of the user or the assistant.
    has_speaker: bool,
    /// True if there is a call as OpenAI's server expects it.
    has_whole_call: bool,
    /// The kinds of the first and the last item.
    ends: Option<(PartKind, PartKind)>,
    /// The balance of the ids after the run, beginning with 0.
    pub balance: u64,
    /// The balance before all messages that are no results.
    between: Balance,
    /// The kind of the first block.
    first_block: Option<PartKind>,
    /// True if there is text before the first block, and after the last one.
    text: (bool, bool),
    /// The arrays that the parts are in.
    pub arrays: ArraySum,
}

/// The kinds of items by which adjacent items are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Message,
    /// A message of the assistant.
    Assistant,
    Call,
    Result,
}

/// The balance at some places.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Balance {
    /// There are no such places.
    #[default]
    None,
    /// The same balance at all places.
    One(u64),
    /// Not the same at all.
    Several,
}

/// The arrays of messages of a run, as the segments of a document know them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArraySum {
    /// The number of brackets around arrays that begin before the segments of their messages, if
    /// there are any.
    level: Option<u32>,
    /// True if the numbers of brackets differ, or if messages have threads.
    pub is_mixed: bool,
    /// True if an array begins in the segment of one of its messages.
    pub has_own: bool,
}

impl PartKind {
    fn is_message(self) -> bool {
        matches!(self, Self::Message | Self::Assistant)
    }
}

impl Balance {
    fn add(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::None, known) | (known, Self::None) => known,
            (one, two) if one == two => one,
            _ => Self::Several,
        };
    }

    fn behind(self, before: u64) -> Self {
        match self {
            Self::One(balance) => Self::One(balance.wrapping_add(before)),
            other => other,
        }
    }
}

impl RequestSum {
    /// True if a check would find no problem, except possibly a first message that is not the
    /// user's.
    pub fn is_accepted(&self) -> bool {
        !self.may_be_rejected && matches!(self.between, Balance::None | Balance::One(0))
    }

    /// True if there are any items.
    pub fn has_parts(&self) -> bool {
        self.ends.is_some()
    }

    /// True if the first item is a message.
    pub fn begins_with_message(&self) -> bool {
        self.ends.is_some_and(|(first, _)| first.is_message())
    }

    /// A check that begins with the facts that all parts of the request with this sum show
    /// together.
    pub fn check<'d>(&self) -> RequestCheck<'d> {
        let Self { is_anthropic, is_openai, has_speaker, has_whole_call, .. } = *self;
        RequestCheck { is_anthropic, is_openai, has_speaker, has_whole_call, ..RequestCheck::default() }
    }

    /// Adds the next part of the same segment, in an array at `place`, which is a thread's if
    /// `has_thread`.
    pub fn push(&mut self, item: RequestItem<'_>, place: ConversationPlace, has_thread: bool) {
        let mut part = Self::of(item);
        part.arrays = ArraySum::of(place, has_thread);
        self.add(&part);
    }

    /// Adds text next to blocks.
    pub fn push_text(&mut self) {
        self.text = (self.text.0 || self.first_block.is_none(), true);
    }

    fn of(item: RequestItem<'_>) -> Self {
        match item {
            RequestItem::Message(header) => {
                let may_be_rejected = facts_of_message(header).next().is_some();
                let is_assistant = header.role == SentRole::Assistant;
                let kind = if is_assistant { PartKind::Assistant } else { PartKind::Message };
                let ends = Some((kind, kind));
                Self { may_be_rejected, has_speaker: is_speaker(header), ends, ..Self::default() }
            }
            RequestItem::BlankText => Self { may_be_rejected: true, ..Self::default() },
            RequestItem::Block(block, is_after_text) => Self::of_block(block, is_after_text),
        }
    }

    fn of_block(block: &Block, is_after_text: bool) -> Self {
        let id = block.id().filter(|id| !id.is_empty());
        let Some(api) = RequestCheck::api_of(block) else {
            // A result without an id in OpenAI's form may be of any API.
            let may_be_rejected = block.part == CallPart::Result && id.is_none();
            return Self { may_be_rejected, ..Self::default() };
        };
        let (is_anthropic, is_openai) = (api == ChatApi::Anthropic, api == ChatApi::OpenAi);
        let number = id.map_or(0, fixed_hash);
        let (kind, balance, may_be_rejected) = match block.part {
            CallPart::Call => {
                let may_be_rejected = id.is_none() || has_bad_name(block, api) || block.fault.is_some();
                (PartKind::Call, number, may_be_rejected)
            }
            CallPart::Result => {
                let may_be_rejected = id.is_none() || is_anthropic && is_after_text;
                (PartKind::Result, number.wrapping_neg(), may_be_rejected)
            }
            _ => return Self { is_anthropic, is_openai, ..Self::default() },
        };
        Self {
            may_be_rejected,
            is_anthropic,
            is_openai,
            has_whole_call: is_whole_call(block, api),
            ends: Some((kind, kind)),
            balance,
            first_block: Some(kind),
            ..Self::default()
        }
    }

    /// Adds the sum of the following run.
    pub fn add(&mut self, behind: &Self) {
        let joint = (self.ends.map(|(_, last)| last), behind.ends.map(|(first, _)| first));
        match joint {
            (Some(last), Some(first))
                if last.is_message() && (first.is_message() || first == PartKind::Call) =>
            {
                self.between.add(Balance::One(self.balance));
            }
            // A result in a message of the assistant.
            (Some(PartKind::Assistant | PartKind::Call), Some(PartKind::Result)) => {
                self.may_be_rejected = true
            }
            // A call after a result in its message.
            (Some(PartKind::Result), Some(PartKind::Call)) => self.may_be_rejected = true,
            _ => {}
        }
        let has_text = self.text.1 || behind.text.0;
        let is_buried = has_text && behind.first_block == Some(PartKind::Result);
        self.may_be_rejected |= behind.may_be_rejected || (is_buried && behind.is_anthropic);
        self.is_anthropic |= behind.is_anthropic;
        self.is_openai |= behind.is_openai;
        self.has_speaker |= behind.has_speaker;
        self.has_whole_call |= behind.has_whole_call;
        self.between.add(behind.between.behind(self.balance));
        self.balance = self.balance.wrapping_add(behind.balance);
        self.text = (
            if self.first_block.is_none() { has_text || self.text.0 } else { self.text.0 },
            if behind.first_block.is_none() { has_text || behind.text.1 } else { behind.text.1 },
        );
        self.first_block = self.first_block.or(behind.first_block);
        self.ends = match (self.ends, behind.ends) {
            (Some((first, _)), Some((_, last))) => Some((first, last)),
            (known, other) => known.or(other),
        };
        self.arrays.add(behind.arrays);
    }
}

impl ArraySum {
    fn of(place: ConversationPlace, has_thread: bool) -> Self {
        match place {
            ConversationPlace::Outer(level) => {
                Self { level: Some(level), is_mixed: has_thread, has_own: false }
            }
            _ => Self { level: None, is_mixed: has_thread, has_own: true },
        }
    }

    fn add(&mut self, other: Self) {
        let differ = self.level.is_some() && other.level.is_some() && self.level != other.level;
        self.is_mixed |= other.is_mixed || differ;
        self.has_own |= other.has_own;
        self.level = self.level.or(other.level);
    }
}
