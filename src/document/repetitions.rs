//! Finds messages that repeat others, by their ids and texts.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use crate::call::fixed_hash;
use crate::messages::content::MessageContent;
use crate::segments::conversations::{ConversationKey, MessageArray};

/// Minimum length of an id that occurs once: shorter ones count the messages of a conversation.
pub(super) const UNIQUE_ID: usize = 16;

/// Finds messages that repeat others.
#[derive(Default)]
pub(super) struct Repetitions {
    /// The starts of messages with a unique id, by the hash of id and texts.
    by_id: HashMap<u64, usize>,
    /// The hashes of the conversations of lists, up to the last message of each.
    hashes: HashMap<MessageArray, u64>,
    /// The beginnings of these conversations.
    beginnings: HashSet<u64>,
}

/// The comparison of a message with the preceding ones.
pub(super) enum Repetition {
    /// It repeats no message.
    None,
    /// It repeats one and is left out.
    New,
    /// It repeats the message at this offset, which is left out instead: this one is in an array,
    /// and the other in a different array or in none.
    Earlier(usize),
}

impl Repetitions {
    /// Compares a message with all preceding ones; `start` is its document offset.
    pub fn find(
        &mut self,
        message: &MessageContent,
        conversation: ConversationKey,
        start: usize,
    ) -> Repetition {
        if let Some(array) = conversation.array.filter(|array| array.is_element) {
            let before = self.hashes.entry(array).or_default();
            *before = fixed_hash(&(*before, message.role, message.hash));
            return match self.beginnings.insert(*before) {
                true => Repetition::None,
                false => Repetition::New,
            };
        }
        let id = message.id.as_ref().filter(|id| id.len() >= UNIQUE_ID && !message.texts.is_empty());
        let Some(id) = id else { return Repetition::None };
        match self.by_id.entry(fixed_hash(&(id, message.hash))) {
            Entry::Vacant(new) => {
                new.insert(start);
                Repetition::None
            }
            Entry::Occupied(_) if conversation.array.is_none() => Repetition::New,
            Entry::Occupied(mut known) => Repetition::Earlier(known.insert(start)),
        }
    }

    /// Forgets the arrays of conversations: no further message is in one of them.
    pub fn leave_arrays(&mut self) {
        if !self.hashes.is_empty() {
            self.hashes = HashMap::new();
        }
    }
}
