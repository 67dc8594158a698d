//! The beginnings of messages in Markdown, and their roles (formats.md §4).

use std::ops::Range;

use super::program::Program;
use crate::text::{Span, saturate};

/// The role of a message's author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageRole {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Instructions to the model.
    System,
    /// Another author in a log: its name is shown as written.
    Other,
}

impl MessageRole {
    /// Its name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "User",
            Self::Assistant => "Assistant",
            Self::System => "System",
            Self::Other => "Other",
        }
    }

    /// Its name in messages of most APIs.
    pub fn key(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
            Self::Other => "other",
        }
    }
}

/// A line, or a heading, that begins a message. Spans are relative to the segment; while they are
/// read, to the line or title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageStart {
    /// The author's role.
    pub role: MessageRole,
    /// The line, or the lines of the heading, without the last line end.
    pub span: Span,
    /// The author's name with its qualifier: `Agent (name)`.
    pub name: Span,
    /// The start of the message's text on the line; the end of the line if the text begins below.
    pub text: u32,
    /// The level of a heading, otherwise 0.
    pub level: u8,
    /// The program in whose transcripts it begins a message; `None` if it does in all.
    pub program: Option<Program>,
}

impl MessageStart {
    /// The start of a message of `role` in `line`, with its name and the start of its text there.
    pub(super) fn in_line(line: &str, role: MessageRole, name: Range<usize>, text: usize) -> Self {
        let name = Span::new(name.start, name.end);
        let span = Span::new(0, line.len());
        Self { role, span, name, text: saturate(text), level: 0, program: None }
    }

    /// The same, where the line begins at the byte `start`.
    pub fn shifted(self, start: u32) -> Self {
        let [span, name] = [self.span, self.name].map(|span| span.shifted(start as usize));
        Self { span, name, text: self.text + start, ..self }
    }
}

/// The number of messages of the user and of the assistant, up to the limit that shows that a text
/// is a conversation.
///
/// A role line (`User:`, `**Assistant:**`) counts twice as much as a heading, because documentation
/// of chat APIs has a heading for each role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpeakerCounts {
    user: u8,
    assistant: u8,
}

impl SpeakerCounts {
    /// The limit of each count, which both must reach.
    const ENOUGH: u8 = 2;

    /// The counts of the messages that begin with `starts`.
    pub fn of(starts: &[MessageStart]) -> Self {
        let mut counts = Self::default();
        for start in starts.iter().filter(|start| start.program.is_none()) {
            counts.add_message(start.role, if start.level == 0 { Self::ENOUGH } else { 1 });
            if counts.is_conversation() {
                break;
            }
        }
        counts
    }

    /// The counts of messages of a log, whose roles are members of objects.
    pub fn of_roles(roles: impl Iterator<Item = MessageRole>) -> Self {
        let mut counts = Self::default();
        roles.for_each(|role| counts.add_message(role, Self::ENOUGH));
        counts
    }

    fn add_message(&mut self, role: MessageRole, count: u8) {
        match role {
            MessageRole::User => self.add(Self { user: count, assistant: 0 }),
            MessageRole::Assistant => self.add(Self { user: 0, assistant: count }),
            MessageRole::System | MessageRole::Other => {}
        }
    }

    /// Adds the counts of another text.
    #[inline]
    pub fn add(&mut self, other: Self) {
        self.user = self.user.saturating_add(other.user).min(Self::ENOUGH);
        self.assistant = self.assistant.saturating_add(other.assistant).min(Self::ENOUGH);
    }

    /// True if a role line, or two headings, name a speaker.
    pub fn has_speaker(self) -> bool {
        self.user >= Self::ENOUGH || self.assistant >= Self::ENOUGH
    }

    /// True if they form a conversation: both roles occur, in role lines or under two headings
    /// each.
    pub fn is_conversation(self) -> bool {
        self.user >= Self::ENOUGH && self.assistant >= Self::ENOUGH
    }
}
