//! Whole conversations in other forms: the messages of APIs, a line for fine-tuning, a Markdown
//! transcript.
//!
//! Losses are not predicted: the written text is read again, and everything that it lacks is a
//! loss. So a conversion without losses can be reversed.

use std::sync::Arc;

use crate::call::{ToolUse, UseStatus};
use crate::config::Settings;
use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::features::conversion::{named, words_of};
use crate::json::{JsonLayout, laid_out};
use crate::text::Text;

mod chat;
mod losses;
mod markdown;
mod read;
pub mod request;
mod unread;
mod write;

use chat::Chat;
pub use losses::ChatLosses;
use read::{ReadChats, read_chats};
use write::Ids;

/// A form of conversations in JSON.
#[derive(Debug)]
pub struct ChatForm {
    /// The name, for `--to`.
    pub name: &'static str,
    /// The form in words.
    pub description: &'static str,
    /// True if each conversation is written on one line, so that conversations can be appended.
    pub lines: bool,
    /// True if servers take it: a training set is a file.
    pub is_sent: bool,
    write: fn(&Chat, &mut Ids<'_>) -> String,
}

impl ChatForm {
    /// A form that servers take.
    const fn sent(
        name: &'static str,
        description: &'static str,
        write: fn(&Chat, &mut Ids<'_>) -> String,
    ) -> Self {
        Self { name, description, lines: false, is_sent: true, write }
    }
}

/// All forms.
pub static CHAT_FORMS: &[ChatForm] = &[
    ChatForm::sent("openai", "messages of OpenAI chat completions", write::openai),
    ChatForm::sent("anthropic", "messages of the Anthropic API", write::anthropic),
    ChatForm::sent("ai-sdk", "UI messages of the AI SDK", write::ai_sdk),
    ChatForm::sent("responses", "items of OpenAI responses", write::responses),
    ChatForm {
        name: "sharegpt",
        description: "messages of ShareGPT",
        lines: false,
        is_sent: false,
        write: write::sharegpt,
    },
    ChatForm {
        name: "finetune",
        description: "OpenAI messages for fine-tuning, one conversation per line",
        lines: true,
        is_sent: false,
        write: write::openai,
    },
];

/// Conversations in another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenChats {
    /// The text, which ends in a line end.
    pub text: String,
    /// The number of tool uses in it without a result.
    pub pending: usize,
    /// The losses.
    pub losses: ChatLosses,
}

/// The reason why a conversation cannot be written in another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChatError {
    /// There are no messages.
    NoMessages,
    /// There are several conversations, and the form has one.
    Several(usize),
    /// The dialect, with this display name, cannot express a call.
    Unwritable(String, &'static str),
    /// The text of a message would be read as a tool use, or the other way round; with the first
    /// call that would change.
    Misread(Option<String>),
}

impl std::fmt::Display for ChatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoMessages => write!(f, "it has no messages"),
            Self::Several(count) => write!(
                f,
                "it has {count} conversations, and a Markdown transcript has one: write one of them into a file of \
                 its own"
            ),
            Self::Unwritable(call, dialect) => {
                write!(f, "{call} cannot be written as {dialect}, which has no form for its name or input")
            }
            Self::Misread(Some(call)) => write!(f, "its text would change how {call} is parsed"),
            Self::Misread(None) => write!(f, "its text would change how its tool calls are parsed"),
        }
    }
}

/// Writes the conversations of `document` in `form`: one as a document, several as lines.
///
/// # Errors
///
/// The reason why that is not possible.
pub fn write_form(document: &Document, form: &ChatForm) -> Result<WrittenChats, ChatError> {
    let read = read_chats(document, usize::MAX);
    let mut ids = Ids::new(&read.chats);
    let mut write = |chat: &Chat| (form.write)(chat, &mut ids);
    let (text, language) = match &read.chats[..] {
        [] => return Err(ChatError::NoMessages),
        [chat] if !form.lines => {
            let layout = JsonLayout::Pretty { indent: 2 };
            (laid_out(&write(chat), layout), Language::Json)
        }
        chats => (chats.iter().map(write).collect::<Vec<_>>().join("\n"), Language::Log),
    };
    checked(document, &read, text, language)
}

/// Writes the conversation of `document`, a log of messages, as a Markdown transcript with its tool
/// uses in the dialect `to`.
///
/// # Errors
///
/// The reason why that is not possible.
pub fn write_markdown(document: &Document, to: &Dialect) -> Result<WrittenChats, ChatError> {
    let read = read_chats(document, usize::MAX);
    match &read.chats[..] {
        [] => Err(ChatError::NoMessages),
        [chat] => {
            let text = markdown::write(chat, to, &of_transcripts(document))
                .map_err(|unwritable| ChatError::Unwritable(named(document, unwritable), words_of(to)))?;
            checked(document, &read, text, Language::Markdown)
        }
        chats => Err(ChatError::Several(chats.len())),
    }
}

/// The settings of `document`, for reading a text that was written from it as a transcript.
fn of_transcripts(document: &Document) -> Arc<Settings> {
    Arc::new(Settings { is_named: true, enabled: true, ..(**document.settings()).clone() })
}

/// Reads `text` again, and determines its losses.
fn checked(
    document: &Document,
    read: &ReadChats,
    text: String,
    language: Language,
) -> Result<WrittenChats, ChatError> {
    let text = format!("{}\n", text.trim_end());
    let losses = losses_of(document, read, &text, language)
        .map_err(|misread| ChatError::Misread(misread.map(|misread| named(document, misread))))?;
    Ok(WrittenChats { text, pending: pending(read.uses()), losses })
}

/// The number of `uses` without a result.
fn pending<'u>(uses: impl Iterator<Item = &'u ToolUse>) -> usize {
    uses.filter(|tool_use| tool_use.status == UseStatus::Pending).count()
}

/// The warning that servers reject `pending` calls without a result, as a sentence without a full
/// stop.
pub fn pending_warning(pending: usize) -> Option<String> {
    match pending {
        0 => None,
        1 => Some("1 call has no result, which servers reject".to_owned()),
        calls => Some(format!("{calls} calls have no result, which servers reject")),
    }
}

/// The losses of `text`, which was written from the conversations `read`. The error is the first
/// tool use that is read as a different one, if any.
fn losses_of<'c>(
    document: &Document,
    read: &'c ReadChats,
    text: &str,
    language: Language,
) -> Result<ChatLosses, Option<&'c ToolUse>> {
    let again = Document::new(Text::new(text), language, of_transcripts(document));
    // A single message would not be recognized as a transcript.
    losses::between(read, &read_chats(&again.assume_transcript(), usize::MAX))
}

#[cfg(test)]
mod tests;
