//! The headers of messages in logs: what their members show without their contents.

use super::MessageRole;

/// The header of a message in a log. All but its author is what servers check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MessageHeader {
    /// Its author, in any family of logs.
    pub author: Option<MessageRole>,
    /// Its role for servers.
    pub role: SentRole,
    /// The kind of its content.
    pub content: SentContent,
    /// True if it has calls beside its content.
    pub has_calls: bool,
    /// True if its list of calls is empty.
    pub has_empty_calls: bool,
    /// True if its weight in training is neither 0 nor 1.
    pub has_wrong_weight: bool,
}

/// The role of a message for servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SentRole {
    /// There is no role.
    #[default]
    Absent,
    /// `user`.
    User,
    /// `assistant`.
    Assistant,
    /// `system` or `developer`.
    System,
    /// `tool`.
    Tool,
    /// `function`, before there were tools.
    Function,
    /// Another name.
    Unknown,
}

/// The content of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SentContent {
    /// There is no content.
    #[default]
    Absent,
    /// `null`.
    Null,
    /// A string without anything but white space, or an empty list.
    Empty,
    /// Anything else.
    Filled,
}

impl SentRole {
    /// The role with that name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "system" | "developer" => Self::System,
            "tool" => Self::Tool,
            "function" => Self::Function,
            _ => Self::Unknown,
        }
    }
}

impl SentContent {
    /// The content that is written as `raw`, or begins with it.
    pub fn of(raw: &str) -> Self {
        match raw {
            _ if raw.starts_with("null") => Self::Null,
            _ if is_blank_text(raw) || is_empty_list(raw) => Self::Empty,
            _ => Self::Filled,
        }
    }
}

/// True if `raw` begins with an array without items.
pub fn is_empty_list(raw: &str) -> bool {
    raw.strip_prefix('[').is_some_and(|rest| rest.trim_start().starts_with(']'))
}

/// True if `raw` begins with a string that is empty or has nothing but white space.
pub fn is_blank_text(raw: &str) -> bool {
    raw.strip_prefix('"').is_some_and(|content| behind_space(content).starts_with('"'))
}

/// The content of a string after the white space, escaped or not, that it begins with.
pub fn behind_space(mut content: &str) -> &str {
    while let Some(rest) = [" ", "\\n", "\\r", "\\t"].iter().find_map(|it| content.strip_prefix(it)) {
        content = rest;
    }
    content
}
