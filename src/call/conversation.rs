//! The conversation of a block: where its messages stand, and the thread that they form there.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash};

/// The conversation of a block or a message: the document or an array of messages in it, and there
/// the messages of one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conversation {
    /// The position of its messages.
    pub place: ConversationPlace,
    /// The thread of a sub-agent or a session; `None` for all other messages.
    pub thread: Option<Thread>,
}

/// The position of the messages of a conversation, relative to a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ConversationPlace {
    /// The document.
    #[default]
    Document,
    /// The array that begins at this offset of the segment, or the message there that is a
    /// conversation of its own.
    Array(u32),
    /// The array that begins before the segment, with this number of containers around it.
    Outer(u32),
    /// The lines of the fence that the segment begins.
    Lines,
}

impl Conversation {
    /// The same conversation in a fence: there, messages outside of arrays are lines of the fence.
    pub fn in_fence(self) -> Self {
        match self.place {
            ConversationPlace::Document => Self { place: ConversationPlace::Lines, ..self },
            _ => self,
        }
    }
}

/// A thread of messages that stand among other messages: a hash of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Thread(u32);

/// The link of a message to the message before it in a thread without a name. Each message counts
/// as a thread of its own, named by its id, until the links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadLink {
    /// The thread of the message alone.
    pub own: Thread,
    /// The thread that consists of the preceding message.
    pub before: Option<Thread>,
}

/// The link of a record in a Claude Code session to its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordLink {
    /// The hash of its id.
    pub own: u32,
    /// The hash of the id of its parent; `None` for a first record.
    pub before: Option<u32>,
    /// The sub-agent to which it belongs.
    pub thread: Option<Thread>,
}

impl Thread {
    /// The common thread of sub-agents without a name.
    pub fn anonymous() -> Self {
        Self::named("")
    }

    /// The thread with this name.
    pub fn named(name: &str) -> Self {
        Self(half_of_hash(name))
    }
}

/// The hash of `value`, without random keys: the same in all processes.
pub fn fixed_hash(value: &(impl Hash + ?Sized)) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(value)
}

/// Half of the hash of an id or a name.
pub fn half_of_hash(name: &str) -> u32 {
    let hash = fixed_hash(name);
    #[expect(clippy::cast_possible_truncation, reason = "half of a hash")]
    let half = hash as u32;
    half
}
