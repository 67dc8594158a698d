//! The parts of turns, in few bytes each: as much as their numbers and groups need.

use std::collections::HashMap;
use std::num::NonZeroU32;

use super::conversations::ConversationKey;
use super::log_turns::{LogText, LogTurn, Speaker};
use super::turn_collector::{ByConversation, TurnList};
use crate::call::MessageRole;
use crate::dialect::log::message::TextKind;

/// The number of a thing, from 1, in the order in which things were first found.
pub(super) type Found = NonZeroU32;

/// A turn up to the first message of another conversation.
#[derive(Clone, Copy, Debug)]
pub(super) struct TurnPart {
    /// The document offset of its start.
    pub start: usize,
    /// The least [order](LogText::order) of its texts; [`NO_TEXT`] without any.
    first_text: usize,
    /// Its conversation; `None` for a part that is left out.
    pub conversation: Option<Found>,
    role: MessageRole,
    agent: Option<Found>,
    model: Option<Found>,
    /// True if it had a text that is a summary, which is then the only one.
    had_summary: bool,
}

/// Orders are less, because they are offsets in a text.
const NO_TEXT: usize = usize::MAX;

impl TurnPart {
    /// Its author; names are those of [`TurnParts::names`].
    pub fn speaker(&self) -> Speaker<Found> {
        Speaker { role: self.role, agent: self.agent, model: self.model }
    }

    /// True if it gives the summary of a conversation.
    pub fn is_summary(&self) -> bool {
        self.had_summary && self.first_text != NO_TEXT
    }
}

/// The parts of turns, in the order of their starts.
#[derive(Default)]
pub(super) struct TurnParts {
    parts: Vec<TurnPart>,
    /// The last of them, without its texts; `None` if it is complete.
    last: Option<LogTurn>,
    /// The names of sub-agents and models.
    names: HashMap<String, Found>,
    conversations: ByConversation<Found>,
    /// The number of conversations.
    found: usize,
}

impl TurnParts {
    /// All parts, the names of their authors, and the number of conversations.
    pub fn finish(mut self) -> (Vec<TurnPart>, Vec<String>, usize) {
        self.complete_last();
        let mut names: Vec<_> = self.names.into_iter().collect();
        names.sort_unstable_by_key(|(_, number)| *number);
        (self.parts, names.into_iter().map(|(name, _)| name).collect(), self.found)
    }

    fn complete_last(&mut self) {
        if let (Some(turn), Some(part)) = (self.last.take(), self.parts.last_mut()) {
            part.agent = turn.agent.map(|name| number_of(&mut self.names, name));
            part.model = turn.model.map(|name| number_of(&mut self.names, name));
            part.conversation = part.conversation.filter(|_| !turn.range.is_empty());
        }
    }
}

impl TurnList for TurnParts {
    fn is_full(&self) -> bool {
        false
    }

    fn last(&self) -> Option<&LogTurn> {
        self.last.as_ref()
    }

    fn last_mut(&mut self) -> Option<&mut LogTurn> {
        self.last.as_mut()
    }

    fn push(&mut self, turn: LogTurn) {
        self.complete_last();
        let known = self.conversations.get(turn.conversation).copied();
        let conversation = known.unwrap_or_else(|| {
            let new = number(self.found);
            self.found += 1;
            self.conversations.insert(turn.conversation, new);
            new
        });
        self.parts.push(TurnPart {
            start: turn.range.start,
            first_text: NO_TEXT,
            conversation: Some(conversation),
            role: turn.role,
            agent: None,
            model: None,
            had_summary: false,
        });
        self.last = Some(turn);
    }

    fn add_text(&mut self, text: LogText) {
        if let Some(part) = self.parts.last_mut() {
            part.first_text = part.first_text.min(text.order);
            part.had_summary |= text.kind == TextKind::Summary;
        }
    }

    fn forget(&mut self, start: usize, conversation: ConversationKey) {
        let behind = self.parts.partition_point(|part| part.start <= start);
        let Some(part) = behind.checked_sub(1).and_then(|index| self.parts.get_mut(index)) else { return };
        if part.conversation == self.conversations.get(conversation).copied() || part.first_text < start {
            return;
        }
        part.first_text = NO_TEXT;
        // Even the last part is not extended any more: the message begins the next one.
        if part.start >= start {
            part.conversation = None;
        }
    }

    fn leave_arrays(&mut self) {
        self.conversations.leave_arrays();
    }
}

fn number_of(names: &mut HashMap<String, Found>, name: String) -> Found {
    let new = number(names.len());
    *names.entry(name).or_insert(new)
}

/// The number of what is found after `known` others.
fn number(known: usize) -> Found {
    u32::try_from(known + 1).ok().and_then(NonZeroU32::new).unwrap_or(NonZeroU32::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::turn_collector::TurnCollector;
    use super::super::{Document, Language};
    use super::*;
    use crate::text::Text;

    #[test]
    fn a_part_is_small() {
        assert!(size_of::<TurnPart>() <= 32, "{}", size_of::<TurnPart>());
    }

    /// The number of conversations of a text that are still known at its end.
    fn known_conversations(text: &str, language: Language) -> usize {
        let document = Document::new(Text::new(text), language, Arc::default()).assume_transcript();
        let mut collector = TurnCollector::new(TurnParts::default());
        collector.add_segments(&document, 0..document.tree().len());
        let turns = document.log_turns(usize::MAX);
        let known = |turn: &&LogTurn| collector.turns.conversations.get(turn.conversation).is_some();
        turns.iter().filter(known).count()
    }

    #[test]
    fn conversations_end_with_their_lines() {
        let line = r#"[{"role": "user", "content": "q"}]"#;
        assert_eq!(known_conversations(&[line; 9].join("\n"), Language::Stream), 1);
        let array = format!("[{}]", vec![format!("{{\"messages\": {line}}}"); 9].join(", "));
        assert_eq!(known_conversations(&array, Language::Json), 9);
    }
}
