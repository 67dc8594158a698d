//! Whole conversations in other forms: the messages of APIs, a line for fine-tuning, a Markdown
//! transcript.
//!
//! Losses are not predicted: the written text is read again, and what it lacks is lost. So a
//! conversion without losses can be reversed.

use std::sync::Arc;

use crate::config::Settings;
use crate::dialect::Dialect;
use crate::document::{Document, Language};
use crate::json::{JsonLayout, laid_out};
use crate::text::Text;

mod chat;
mod losses;
mod markdown;
mod read;
pub mod request;
mod write;

use chat::Chat;
pub use losses::ChatLosses;
use read::{ReadChats, read_chats};

/// A form of conversations in JSON.
#[derive(Debug)]
pub struct ChatForm {
    /// The name, for `--to`.
    pub name: &'static str,
    /// The form in words.
    pub description: &'static str,
    /// True if each conversation is written on one line, so that conversations can be appended.
    pub lines: bool,
    write: fn(&Chat) -> String,
}

/// All forms.
pub static CHAT_FORMS: &[ChatForm] = &[
    ChatForm {
        name: "openai",
        description: "messages of OpenAI chat completions",
        lines: false,
        write: write::openai,
    },
    ChatForm {
        name: "anthropic",
        description: "messages of the Anthropic API",
        lines: false,
        write: write::anthropic,
    },
    ChatForm { name: "ai-sdk", description: "UI messages of the AI SDK", lines: false, write: write::ai_sdk },
    ChatForm {
        name: "responses",
        description: "items of OpenAI responses",
        lines: false,
        write: write::responses,
    },
    ChatForm {
        name: "sharegpt",
        description: "conversations of ShareGPT",
        lines: false,
        write: write::sharegpt,
    },
    ChatForm {
        name: "finetune",
        description: "lines for fine-tuning: OpenAI messages, a conversation a line",
        lines: true,
        write: write::openai,
    },
];

/// Conversations in another form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenChats {
    /// The text, which ends in a line end.
    pub text: String,
    /// The number of tool uses in it.
    pub uses: usize,
    /// The losses.
    pub losses: ChatLosses,
}

/// The reason why a conversation cannot be written in another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChatError {
    /// There are no messages.
    NoMessages,
    /// There are several conversations, and the form has one.
    Several(usize),
    /// The text of messages would be read as tool uses, or the other way round.
    Misread,
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
            Self::Misread => write!(f, "its text would change how its tool calls are parsed"),
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
    let (text, language) = match &read.chats[..] {
        [] => return Err(ChatError::NoMessages),
        [chat] if !form.lines => {
            let layout = JsonLayout::Pretty { indent: 2 };
            (laid_out(&(form.write)(chat), layout), Language::Json)
        }
        chats => (chats.iter().map(form.write).collect::<Vec<_>>().join("\n"), Language::Stream),
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
            let text = markdown::write(chat, to, document.settings());
            checked(document, &read, text, Language::Markdown)
        }
        chats => Err(ChatError::Several(chats.len())),
    }
}

/// Reads `text` again, and determines what it lacks.
fn checked(
    document: &Document,
    read: &ReadChats,
    text: String,
    language: Language,
) -> Result<WrittenChats, ChatError> {
    let text = format!("{}\n", text.trim_end());
    let losses = losses_of(document, read, &text, language).ok_or(ChatError::Misread)?;
    let uses = read.chats.iter().map(|chat| chat.uses().count()).sum();
    Ok(WrittenChats { text, uses, losses })
}

/// The losses of `text`, which was written from the conversations `read`; `None` if it has other
/// tool uses.
fn losses_of(document: &Document, read: &ReadChats, text: &str, language: Language) -> Option<ChatLosses> {
    let settings = Settings { is_named: true, enabled: true, ..(**document.settings()).clone() };
    let again = Document::new(Text::new(text), language, Arc::new(settings));
    // A message alone is no evidence of a transcript.
    losses::between(read, &read_chats(&again.assume_transcript(), usize::MAX))
}

#[cfg(test)]
mod tests;
