//! Writes the request that continues a conversation, as the body that a model server accepts: its
//! messages, and the tools that are known for it.

use std::slice;
use std::sync::Arc;

use super::chat::{Chat, SHELL_MEMBERS};
use super::losses::ChatLosses;
use super::read::{ReadChats, read_chats};
use super::write::Ids;
use super::{ChatError, losses_of, pending, pending_warning, write};
use crate::call::{MessageRole, ToolUse, UseData, UseStatus};
use crate::document::{Document, Language, ToolList};
use crate::json::{JsonLayout, laid_out, quote};
use crate::registry::Tool;
use crate::registry::write::ToolListForm;

/// The body that a kind of server takes.
#[derive(Debug)]
pub struct RequestForm {
    /// The name, for `--to`.
    pub name: &'static str,
    /// The form in words.
    pub description: &'static str,
    /// True if the body names a model.
    pub has_model: bool,
    /// True if calls are objects in it, which can be read again; not text.
    has_calls: bool,
    /// True if the body lists tools; otherwise its server has its own.
    has_tools: bool,
    write: fn(&Chat, &RequestOptions, &mut Ids<'_>) -> String,
}

/// All forms.
pub static REQUEST_FORMS: &[RequestForm] = &[
    RequestForm {
        name: "openai",
        description: "a request of OpenAI chat completions",
        has_model: true,
        has_calls: true,
        has_tools: true,
        write: openai,
    },
    RequestForm {
        name: "anthropic",
        description: "a request of the Anthropic Messages API",
        has_model: true,
        has_calls: true,
        has_tools: true,
        write: anthropic,
    },
    RequestForm {
        name: "ai-sdk",
        description: "a request of the AI SDK's useChat to its server",
        has_model: false,
        has_calls: true,
        has_tools: false,
        write: ai_sdk,
    },
    RequestForm {
        name: "chat-wrapper",
        description: "a request of the chat shell, with toolClients",
        has_model: false,
        has_calls: false,
        has_tools: true,
        write: chat_wrapper,
    },
];

/// The choices of a request.
#[derive(Clone, Debug, Default)]
pub struct RequestOptions {
    /// The conversation is continued after the message part at this byte; `None` for its end.
    pub at: Option<usize>,
    /// The name of the model.
    pub model: Option<String>,
    /// The maximum number of tokens of the answer. Anthropic requires one: without it,
    /// [`DEFAULT_MAX_TOKENS`].
    pub max_tokens: Option<u64>,
    /// True if the answer is to be streamed.
    pub stream: bool,
}

/// The default maximum number of tokens of an answer.
pub const DEFAULT_MAX_TOKENS: u64 = 4096;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRequest {
    /// The body as JSON, which ends in a line end.
    pub text: String,
    /// Number of messages in the document that it contains.
    pub messages: usize,
    /// The names of its tools.
    pub tools: Vec<String>,
    /// True if it names a model, at least the model of a request in the document.
    pub names_model: bool,
    /// Number of calls without a result: servers reject such a request.
    pub pending: usize,
    /// The losses; `None` if its calls differ from the calls of the document.
    pub losses: Option<ChatLosses>,
}

impl WrittenRequest {
    /// Warnings, as sentences without a full stop: what the request lacks, and why servers may
    /// reject it.
    pub fn warnings(&self, form: &RequestForm, options: &RequestOptions) -> Vec<String> {
        let lost = match self.losses.as_ref().map(ChatLosses::words) {
            Some(losses) if losses.is_empty() => None,
            Some(losses) => Some(format!("the request {losses}")),
            None => Some("servers read some of its calls in another way: check the document".to_owned()),
        };
        let model = form.has_model && options.model.is_none() && !self.names_model;
        let model = model.then(|| "the request names no model, which the server requires".to_owned());
        [lost, model, pending_warning(self.pending)].into_iter().flatten().collect()
    }
}

/// Writes the request that continues a conversation of `document`: the conversation at
/// `options.at`, or the only one. Results of its calls belong to it wherever they stand.
///
/// # Errors
///
/// The reason why that is not possible.
pub fn write_request(
    document: &Document,
    form: &RequestForm,
    options: &RequestOptions,
) -> Result<WrittenRequest, ChatError> {
    let end = options.at.map_or(usize::MAX, |at| at.saturating_add(1));
    let mut read = read_chats(document, end);
    let mut chat = match (read.chats.pop(), read.chats.len()) {
        (None, _) => return Err(ChatError::NoMessages),
        (Some(_), others) if others > 0 && options.at.is_none() => {
            return Err(ChatError::Several(others + 1));
        }
        (Some(chat), _) => chat,
    };
    if chat.tools.is_empty() {
        chat.tools.tools = configured_tools(document);
    }
    let options = &options.completed(form, &chat);
    let body = (form.write)(&chat, options, &mut Ids::new(slice::from_ref(&chat)));
    let text = format!("{}\n", laid_out(&body, JsonLayout::Pretty { indent: 2 }));
    let pending = pending(chat.uses());
    let messages = chat.messages.len();
    let tools = chat.tools.tools.iter().map(|tool| tool.name.to_string()).collect();
    if !form.has_tools {
        chat.tools = ToolList::default();
    }
    // If only a part is written, content outside of it is no loss.
    let is_part = !read.chats.is_empty() || options.at.is_some();
    let chats = vec![chat];
    let read =
        if is_part { ReadChats { chats, ..ReadChats::default() } } else { ReadChats { chats, ..read } };
    let losses = match form.has_calls {
        true => losses_of(document, &read, &text, Language::Json).ok(),
        false => Some(ChatLosses::default()),
    };
    Ok(WrittenRequest { text, messages, tools, names_model: options.model.is_some(), pending, losses })
}

/// The tools of the configuration, without the schemas of their outputs, which no server takes.
fn configured_tools(document: &Document) -> Vec<Arc<Tool>> {
    let tools = document.settings().registry.tools.values();
    tools.map(|tool| Arc::new(Tool { output_schema: None, ..(**tool).clone() })).collect()
}

impl RequestOptions {
    /// These options, completed from a request in the document if that request is for the same kind
    /// of server.
    fn completed(&self, form: &RequestForm, chat: &Chat) -> Self {
        let is_of_form = |model: &String| model.contains("claude") == (form.name == "anthropic");
        let own = chat.model.as_ref().filter(|model| is_of_form(model));
        Self {
            model: self.model.as_ref().or(own).cloned(),
            max_tokens: self.max_tokens.or(chat.max_tokens.filter(|_| own.is_some())),
            ..*self
        }
    }

    /// The member of the model's name, if it is known.
    fn model_member(&self) -> Option<String> {
        self.model.as_ref().map(|model| format!("\"model\":{}", quote(model)))
    }

    /// The member that asks for a stream.
    fn stream_member(&self) -> Option<String> {
        self.stream.then(|| "\"stream\":true".to_owned())
    }
}

/// An object of members as text.
fn body(members: impl IntoIterator<Item = Option<String>>) -> String {
    format!("{{{}}}", members.into_iter().flatten().collect::<Vec<_>>().join(","))
}

/// The members of an object as text.
fn members_of(object: &str) -> Option<String> {
    object.strip_prefix('{')?.strip_suffix('}').map(str::to_owned)
}

/// <https://platform.openai.com/docs/api-reference/chat/create>
fn openai(chat: &Chat, options: &RequestOptions, ids: &mut Ids<'_>) -> String {
    let tokens = options.max_tokens.map(|tokens| format!("\"max_completion_tokens\":{tokens}"));
    body([options.model_member(), tokens, members_of(&write::openai(chat, ids)), options.stream_member()])
}

/// <https://docs.anthropic.com/en/api/messages>
fn anthropic(chat: &Chat, options: &RequestOptions, ids: &mut Ids<'_>) -> String {
    let tokens = options.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
    body([
        options.model_member(),
        Some(format!("\"max_tokens\":{tokens}")),
        members_of(&write::anthropic(chat, ids)),
        options.stream_member(),
    ])
}

/// The body that `DefaultChatTransport` sends: `HttpChatTransport.sendMessages` in the package
/// `ai`. Its server has the tools and the model.
fn ai_sdk(chat: &Chat, _: &RequestOptions, ids: &mut Ids<'_>) -> String {
    let messages = format!("\"messages\":{}", write::ai_sdk(chat, ids));
    body([
        Some("\"id\":\"chat\"".to_owned()),
        Some(messages),
        Some("\"trigger\":\"submit-message\"".to_owned()),
    ])
}

/// The body of the chat shell: calls are markers in the text of the assistant, results are user
/// messages. Other members of a request in the document are copied.
fn chat_wrapper(chat: &Chat, _: &RequestOptions, _: &mut Ids<'_>) -> String {
    let mut messages = Vec::new();
    let mut say = |role: &str, text: &str| {
        messages.push(format!("{{\"role\":{},\"content\":{}}}", quote(role), quote(text)));
    };
    for message in &chat.messages {
        if message.role != MessageRole::Assistant {
            say(if message.role == MessageRole::User { "user" } else { "system" }, &message.text());
            continue;
        }
        for step in message.steps() {
            let texts = step.texts.iter().map(|text| (*text).to_owned());
            let blocks: Vec<_> = texts.chain(step.uses.iter().map(|it| marker(it))).collect();
            say("assistant", &blocks.join("\n\n"));
            let results: Vec<_> = step.uses.iter().filter_map(|tool_use| result_text(tool_use)).collect();
            if !results.is_empty() {
                say("user", &results.join("\n\n"));
            }
        }
    }
    let mut members = vec![Some(format!("\"messages\":[{}]", messages.join(",")))];
    members.extend(SHELL_MEMBERS.map(|key| {
        let written = chat.shell.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str());
        let value = written.or(match key {
            "promptPath" => Some("\"briefPlanner\""),
            "media" => Some("[]"),
            _ => None,
        })?;
        Some(format!("\"{key}\":{value}"))
    }));
    members.push(Some(format!("\"toolClients\":{}", write::tool_list(chat, ToolListForm::ToolClients))));
    body(members)
}

/// A call as a marker.
fn marker(tool_use: &ToolUse) -> String {
    let name = quote(tool_use.shown_name());
    format!("###:{{\"toolName\":{name},\"parameters\":{}}}", tool_use.input_as_json())
}

/// A result in words; `None` for a pending call.
fn result_text(tool_use: &ToolUse) -> Option<String> {
    let name = tool_use.shown_name();
    match tool_use.status {
        UseStatus::Pending => None,
        UseStatus::Done => {
            let output = tool_use.output.as_ref().map(UseData::to_text).unwrap_or_default();
            Some(format!("Result of {name}: {output}"))
        }
        UseStatus::Failed => Some(format!("{name} failed: {}", tool_use.result_text().unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests;
