//! `--by`: the groups that tool uses and turns are counted in.

use std::collections::HashMap;

use clap::ValueEnum;

use crate::cli::printable::printable;
use crate::document::{ConversationKey, Document, LogTurn};

/// A kind of group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum GroupBy {
    /// Tools
    #[default]
    Tool,
    /// Conversations; several of one file are numbered
    Conversation,
    /// Roles of a message log: user, assistant, system, sub-agent
    Role,
    /// Models that a message log names
    Model,
}

impl GroupBy {
    /// Its name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Conversation => "conversation",
            Self::Role => "role",
            Self::Model => "model",
        }
    }

    /// The name of a group as shown to people.
    pub fn shown(self, name: Option<&str>) -> String {
        match name {
            None if self == Self::Tool => "(no name)".to_owned(),
            None => format!("(no {})", self.name()),
            Some("") => "(empty name)".to_owned(),
            Some(name) => printable(name).into_owned(),
        }
    }
}

/// The groups of a document's turns, which tool uses belong to by their position.
pub(super) struct TurnGroups {
    by: GroupBy,
    /// The start of each turn, and its group.
    turns: Vec<(usize, Option<String>)>,
}

impl TurnGroups {
    /// Reads the turns of `document`, unless tools are counted.
    pub fn of(document: &Document, by: GroupBy) -> Self {
        let turns = if by == GroupBy::Tool { Vec::new() } else { document.log_turns(usize::MAX) };
        let mut numbers = HashMap::new();
        for turn in &turns {
            let next = numbers.len() + 1;
            numbers.entry(turn.conversation).or_insert(next);
        }
        let group = |turn: &LogTurn| (turn.range.start, group_of(turn, by, &numbers));
        Self { by, turns: turns.iter().map(group).collect() }
    }

    /// The group of what begins at the byte `at`.
    pub fn at(&self, at: usize) -> Option<String> {
        let index = self.turns.partition_point(|(start, _)| *start <= at).checked_sub(1);
        match index.and_then(|index| self.turns.get(index)) {
            Some((_, group)) => group.clone(),
            // A conversation without messages is the whole document.
            None => (self.by == GroupBy::Conversation).then(String::new),
        }
    }

    /// The groups of all turns.
    pub fn all(&self) -> impl Iterator<Item = &Option<String>> {
        self.turns.iter().map(|(_, group)| group)
    }
}

/// The group of a turn. A conversation is numbered if there are several; its file is added later.
fn group_of(turn: &LogTurn, by: GroupBy, numbers: &HashMap<ConversationKey, usize>) -> Option<String> {
    match by {
        GroupBy::Tool => None,
        GroupBy::Conversation if numbers.len() < 2 => Some(String::new()),
        GroupBy::Conversation => numbers.get(&turn.conversation).map(|number| format!("#{number}")),
        GroupBy::Role if turn.agent.is_some() => Some("sub-agent".to_owned()),
        GroupBy::Role => Some(turn.role_name().to_lowercase()),
        GroupBy::Model => turn.model.clone(),
    }
}

/// The name of a group of the document `file` among those of all documents.
pub(super) fn name_in_all(by: GroupBy, name: Option<String>, file: &str) -> Option<String> {
    match by {
        GroupBy::Conversation => name.map(|number| format!("{file}{number}")),
        _ => name,
    }
}
