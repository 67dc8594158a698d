//! The numbers of conversations, and of the turns in them.

use std::collections::{BTreeSet, HashMap};

use super::conversations::ConversationKey;
use super::{Document, LogTurn};
use crate::call::ToolUse;
use crate::dialect::log;

/// The conversations of turns, numbered from 1 in the order of their first turns. Those of
/// sub-agents count.
#[derive(Clone, Debug, Default)]
pub struct ConversationNumbers {
    numbers: HashMap<ConversationKey, usize>,
}

impl ConversationNumbers {
    /// The numbers of the conversations of `turns`.
    pub fn of(turns: &[LogTurn]) -> Self {
        let mut found = Self::default();
        for turn in turns {
            let next = found.numbers.len() + 1;
            found.numbers.entry(turn.conversation).or_insert(next);
        }
        found
    }

    /// The number of the conversation of `turn`.
    pub fn of_turn(&self, turn: &LogTurn) -> Option<usize> {
        self.numbers.get(&turn.conversation).copied()
    }

    /// True if these are in several arrays.
    pub fn has_arrays(&self) -> bool {
        let arrays: BTreeSet<_> = self.numbers.keys().filter_map(|key| Some(key.array?.start)).collect();
        arrays.len() > 1
    }
}

/// A turn with its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumberedTurn {
    /// The turn up to the first message of another conversation, with the model of all of it.
    pub turn: LogTurn,
    /// The number of its conversation, from 1.
    pub conversation: usize,
    /// Its number in the conversation, from 1.
    pub number: usize,
}

/// The turns of a document, with their numbers.
#[derive(Clone, Debug, Default)]
pub struct NumberedTurns {
    turns: Vec<NumberedTurn>,
    /// The starts of the parts of turns, which messages of other conversations divide; and the
    /// indices of the turns.
    parts: Vec<(usize, usize)>,
    conversations: usize,
}

impl NumberedTurns {
    /// The turns of `document`; takes time linear in the length of its messages.
    pub fn of(document: &Document) -> Self {
        let parts = document.log_turns(usize::MAX);
        let numbers = ConversationNumbers::of(&parts);
        let mut found = Self { conversations: numbers.numbers.len(), ..Self::default() };
        let mut last_turns: HashMap<usize, usize> = HashMap::new();
        for part in parts {
            let Some(conversation) = numbers.of_turn(&part) else { continue };
            let start = part.range.start;
            let index = found.turns.len();
            let last_index = last_turns.insert(conversation, index);
            let last = last_index.and_then(|last| Some((last, found.turns.get_mut(last)?)));
            match last {
                Some((last_index, last)) if part.goes_on(&last.turn) => {
                    last.turn.model = last.turn.model.take().or(part.model);
                    last_turns.insert(conversation, last_index);
                    found.parts.push((start, last_index));
                }
                last => {
                    let number = last.map_or(0, |(_, last)| last.number) + 1;
                    found.turns.push(NumberedTurn { turn: part, conversation, number });
                    found.parts.push((start, index));
                }
            }
        }
        found
    }

    /// The turns, in the order of their starts.
    pub fn turns(&self) -> &[NumberedTurn] {
        &self.turns
    }

    /// True if there are several conversations.
    pub fn has_several(&self) -> bool {
        self.conversations > 1
    }

    /// The turn that a tool use begins in; `None` for one that is in no message, such as one around
    /// a fence with messages.
    pub fn turn_of(&self, tool_use: &ToolUse) -> Option<&NumberedTurn> {
        if tool_use.dialect != log::DIALECT.name {
            return None;
        }
        let after = self.parts.partition_point(|(start, _)| *start <= tool_use.range.start);
        self.parts.get(after.checked_sub(1)?).and_then(|(_, index)| self.turns.get(*index))
    }
}
