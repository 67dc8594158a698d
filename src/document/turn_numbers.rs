//! The numbers of conversations, and of the turns in them.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::conversations::ConversationKey;
use super::log_turns::Speaker;
use super::turn_collector::TurnCollector;
use super::turn_parts::{Found, TurnPart, TurnParts};
use super::{Document, LogTurn, Section, SectionKind};
use crate::call::{MessageRole, ToolUse};
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

/// A turn with its numbers, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedTurn {
    /// The document offset of its start.
    start: usize,
    /// The index of the first part of the turn.
    first: u32,
    /// The number of its conversation, from 1; 0 for the messages of a Markdown document itself.
    conversation: u32,
    /// The number of the turn in the conversation, from 1; only known of the first part.
    pub number: u32,
    agent: Option<Found>,
    /// The model; that of the whole turn only known of the first part.
    model: Option<Found>,
    role: MessageRole,
    /// True if it gives the summary of a conversation.
    is_summary: bool,
}

impl NumberedTurn {
    /// A part before it is numbered, with the number of its conversation among all; `None` if it is
    /// left out.
    fn of(part: TurnPart) -> Option<Self> {
        let Speaker { role, agent, model } = part.speaker();
        let conversation = part.conversation?.get();
        let (start, is_summary) = (part.start, part.is_summary());
        Some(Self { start, first: 0, conversation, number: 0, agent, model, role, is_summary })
    }

    /// A message of a Markdown document, before it is numbered.
    fn of_section(section: &Section) -> Option<Self> {
        let SectionKind::Turn(role, _) = section.kind else { return None };
        let start = section.range.start;
        Some(Self {
            start,
            first: 0,
            conversation: 1,
            number: 0,
            agent: None,
            model: None,
            role,
            is_summary: false,
        })
    }

    fn speaker(&self) -> Speaker<Found> {
        Speaker { role: self.role, agent: self.agent, model: self.model }
    }

    /// The name of its role.
    pub fn role_name(&self) -> &'static str {
        self.speaker().role_name(self.is_summary)
    }

    /// True if it is of a sub-agent.
    pub fn is_of_agent(&self) -> bool {
        self.agent.is_some()
    }
}

/// The turns of a document, with their numbers: 32 bytes for each part.
///
/// A Markdown document has those of its own messages, and those of messages in fences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberedTurns {
    /// The parts of turns, which messages of other conversations divide.
    parts: Vec<NumberedTurn>,
    /// The parts of turns of a Markdown document itself.
    own: Vec<NumberedTurn>,
    /// The names of models and sub-agents.
    names: Vec<String>,
    conversations: u32,
}

/// Numbers the turns of a document, which is read from the beginning to the end.
pub struct TurnNumbering {
    collector: TurnCollector<TurnParts>,
}

impl Default for TurnNumbering {
    fn default() -> Self {
        Self { collector: TurnCollector::new(TurnParts::default()) }
    }
}

impl TurnNumbering {
    /// Adds the turns of the messages that begin in these segments of `document`, which follow
    /// those already added. It may be another `document` each time, if the text is the same, and
    /// the threads. Takes time linear in the length of the messages.
    pub fn add_segments(&mut self, document: &Document, segments: Range<usize>) {
        self.collector.add_segments(document, segments);
    }

    /// The turns.
    pub fn finish(self) -> NumberedTurns {
        let (parts, names, conversations) = self.collector.turns.finish();
        // The parts are converted in place: there may be very many.
        let mut parts: Vec<_> = parts.into_iter().filter_map(NumberedTurn::of).collect();
        let conversations = number_parts(&mut parts, conversations);
        NumberedTurns { parts, own: Vec::new(), names, conversations }
    }
}

/// A conversation while its turns are numbered.
#[derive(Clone, Default)]
struct OpenConversation {
    /// Its number, from 1; 0 before its first turn.
    number: u32,
    /// The index of the first part of its last turn.
    last: u32,
}

/// Numbers the turns of `parts`, which are in `conversations`. Returns the number of those that
/// have turns.
fn number_parts(parts: &mut [NumberedTurn], conversations: usize) -> u32 {
    let mut open = vec![OpenConversation::default(); conversations];
    let mut numbered = 0;
    for index in 0..parts.len() {
        let Some((before, [part, ..])) = parts.split_at_mut_checked(index) else { continue };
        let Some(conversation) = open.get_mut(part.conversation as usize - 1) else { continue };
        let is_new = conversation.number == 0;
        if is_new {
            numbered += 1;
            conversation.number = numbered;
        }
        part.conversation = conversation.number;
        let last = if is_new { None } else { before.get_mut(conversation.last as usize) };
        match last {
            Some(last) if part.speaker().goes_on(&last.speaker()) => {
                last.model = last.model.or(part.model);
            }
            last => {
                part.number = last.map_or(0, |last| last.number) + 1;
                conversation.last = u32::try_from(index).unwrap_or(u32::MAX);
            }
        }
        part.first = conversation.last;
    }
    numbered
}

impl NumberedTurns {
    /// The turns of `document`; takes time linear in the length of its messages.
    pub fn of(document: &Document) -> Self {
        let mut numbering = TurnNumbering::default();
        numbering.add_segments(document, 0..document.tree().len());
        let mut own: Vec<_> = document.sections().iter().filter_map(NumberedTurn::of_section).collect();
        number_parts(&mut own, 1);
        own.iter_mut().for_each(|part| part.conversation = 0);
        Self { own, ..numbering.finish() }
    }

    /// The turns: those of a Markdown document itself, then the others, in the order of their
    /// starts.
    pub fn turns(&self) -> impl Iterator<Item = &NumberedTurn> {
        let is_first = |(index, part): &(usize, &NumberedTurn)| part.first as usize == *index;
        let first = move |parts| <[NumberedTurn]>::iter(parts).enumerate().filter(is_first);
        first(&self.own).chain(first(&self.parts)).map(|(_, turn)| turn)
    }

    /// The model of a turn.
    pub fn model_of(&self, turn: &NumberedTurn) -> Option<&str> {
        self.names.get(turn.model?.get() as usize - 1).map(String::as_str)
    }

    /// The number of the conversation of a turn, if there are several; `None` for the messages of a
    /// Markdown document itself.
    pub fn conversation_of(&self, turn: &NumberedTurn) -> Option<usize> {
        (self.conversations > 1 && turn.conversation > 0).then_some(turn.conversation as usize)
    }

    /// The turn that a tool use begins in; `None` for one that is in no message, such as one around
    /// a fence with messages.
    pub fn turn_of(&self, tool_use: &ToolUse) -> Option<&NumberedTurn> {
        let is_of_log = tool_use.dialect == log::DIALECT.name;
        let parts = if is_of_log { &self.parts } else { &self.own };
        let after = parts.partition_point(|part| part.start <= tool_use.range.start);
        parts.get(parts.get(after.checked_sub(1)?)?.first as usize)
    }
}
