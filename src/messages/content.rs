//! Reads the author, time, model and texts of a message.
//!
//! A message is an object of a form that is an element of a conversation. Its text stands in its
//! own members (`content`, `value`, `reasoning_content`), or in parts of them. An envelope has no
//! text of its own, but has the time and the thread of the message in it.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};

use smol_str::SmolStr;

use super::attachment::is_attachment;
use super::attribution::Attribution;
use super::thread::agent_of;
use crate::call::{CallPart, MessageRole};
use crate::forms::form::at;
use crate::forms::form::{Form, FormRole, FormText, Layout, Speech};
use crate::json::{JsonKind, Value};
use crate::text::Span;

/// The content of a message. Spans are in bytes of its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageContent {
    /// The role; `None` for results and envelopes.
    pub role: Option<MessageRole>,
    /// Its names and time.
    pub attribution: Attribution,
    /// Its id, or the id of the item that it is a piece of.
    pub id: Option<SmolStr>,
    /// Its texts, in order.
    pub texts: Vec<ContentText>,
    /// The hash of its texts.
    pub hash: u64,
    /// The length of its object.
    pub len: usize,
}

impl MessageContent {
    /// True if it is a piece of a message that goes on.
    pub fn is_piece(&self) -> bool {
        self.texts.first().is_some_and(|text| text.continues)
    }
}

/// A piece of the text of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentText {
    /// Its kind.
    pub kind: TextKind,
    /// Its role, if that differs from the role of the message.
    pub role: Option<MessageRole>,
    /// The span of its string, or of the part that it stands for.
    pub span: Span,
    /// Its place among the parts and calls of the message.
    pub order: TextOrder,
    /// True if it goes on directly after a preceding text of its kind.
    pub continues: bool,
}

/// The place of a text among the parts and calls of its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextOrder {
    /// Before all of them, wherever it is written.
    First,
    /// At the place of its string.
    Written,
    /// After all of them, wherever it is written.
    Last,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Markdown.
    Prose,
    /// Reasoning of a model.
    Thinking,
    /// The title or the summary of a conversation.
    Summary,
    /// An image or a file; the span is the span of the describing object.
    Attachment,
}

/// The positions of times, and of models; the first with a value counts.
const TIMES: &[&str] =
    &["timestamp", "time.created", "info.time.created", "createdAt", "created_at", "create_time"];
const MODELS: &[&str] = &[
    "model",
    "model_name",
    "modelId",
    "info.modelID",
    "info.model.modelID",
    "payload.model",
    "metadata.model",
    "metadata.model_slug",
    "response_metadata.model_name",
];
/// The positions of authors.
const AUTHORS: &[&str] = &["role", "from", "info.role", "source", "sender", "author.role", "Role.Label"];
/// Members of reasoning beside the content of a message.
const REASONING: &[&str] = &["reasoning_content", "reasoning", "thinking"];

/// The positions of contents; the first one that is not empty counts.
const CONTENTS: &[&str] = &[
    "content.parts",
    "content",
    "contents",
    "contentParts",
    "text",
    "data.content",
    "input",
    "blocks",
    "steps",
    "segments",
    "fragments",
    "message",
    "Items",
];
/// The positions of pieces of the reasoning and of the text of an answer.
const PIECES: &[(TextKind, &str)] = &[
    (TextKind::Thinking, "delta.thinking"),
    (TextKind::Thinking, "delta.reasoningContent.text"),
    (TextKind::Thinking, "choices.0.delta.reasoning_content"),
    (TextKind::Thinking, "choices.0.delta.reasoning"),
    (TextKind::Prose, "delta.text"),
    (TextKind::Prose, "choices.0.delta.content"),
    (TextKind::Prose, "delta"),
];

/// Reads `root`, an object of `form` with the text `text` that is a message.
pub fn read_message(form: &Form, text: &str, root: Value<'_>) -> MessageContent {
    let string = |paths: &[&str]| paths.iter().find_map(|path| stamp(at(root, path)?));
    let mut reader = MessageReader { start: root.span().start, texts: Vec::new(), role: None };
    let role = match &form.role {
        _ if !form.texts.is_empty() => Some(reader.said(&form.texts, root)),
        FormRole::Use(paths) if paths.part == CallPart::Result => None,
        FormRole::Use(paths) if paths.output.iter().any(|path| path == "content") => {
            Some(MessageRole::Assistant)
        }
        FormRole::Use(paths) => {
            match paths.layout {
                Layout::Elements(_) => reader.message(root),
                _ => reader.call(root),
            }
            Some(MessageRole::Assistant)
        }
        _ => {
            reader.message(root);
            role_of_message(root)
        }
    };
    let of_other = role.is_none() && !reader.texts.is_empty();
    let author = AUTHORS.iter().filter(|_| of_other).find_map(|path| stamp(at(root, path)?));
    let mut hasher = DefaultHasher::new();
    reader.texts.iter().for_each(|piece| piece.span.of(text).hash(&mut hasher));
    let has_author = author.is_some() || of_other && root.get("role").is_some();
    let attribution = Attribution {
        author,
        time: string(TIMES),
        model: string(MODELS).filter(|model| model != "<synthetic>"),
        agent: agent_of(root),
    };
    MessageContent {
        role: role.or(has_author.then_some(MessageRole::Other)),
        attribution,
        id: string(&["id", "info.id", "item_id"]),
        texts: reader.texts,
        hash: hasher.finish(),
        len: text.len(),
    }
}

/// The role that a name stands for in any family; `None` for tools and unknown names.
pub fn role_of(name: &str) -> Option<MessageRole> {
    Some(match name {
        "user" | "human" | "User" | "HumanMessage" | "userMessage" | "MESSAGE_ROLE_USER" => MessageRole::User,
        "assistant" | "ai" | "AI" | "gpt" | "model" | "agent" | "chatgpt" | "gemini" | "bot"
        | "AIMessage" | "AIMessageChunk" | "apiMessage" | "CHATBOT" | "MESSAGE_ROLE_AGENT" => {
            MessageRole::Assistant
        }
        "system" | "developer" | "environment" | "SystemMessage" => MessageRole::System,
        _ => return None,
    })
}

fn role_of_message(root: Value<'_>) -> Option<MessageRole> {
    let text = |path| at(root, path).and_then(Value::as_str);
    if text("action").as_deref() == Some("system") {
        return Some(MessageRole::System);
    }
    let named = AUTHORS.iter().find_map(|path| match text(path)?.as_ref() {
        // AG-UI. It is not in `role_of`, because APIs reject it in requests.
        "reasoning" => Some(MessageRole::Assistant),
        name => role_of(name),
    });
    // LibreChat, whose senders have the names of models.
    let of_flag = || match root.get("isCreatedByUser")?.as_bool()? {
        true => Some(MessageRole::User),
        false => Some(MessageRole::Assistant),
    };
    // Copilot, in requests that VS Code exports.
    let of_number = || match root.get("role")?.raw() {
        "0" => Some(MessageRole::System),
        "1" => Some(MessageRole::User),
        "2" => Some(MessageRole::Assistant),
        _ => None,
    };
    // Pydantic AI: what a model is sent, and its answer; Kiro CLI; Letta.
    let of_kind = || match text("kind").or_else(|| text("message_type"))?.as_ref() {
        "request" | "Prompt" | "user_message" => Some(MessageRole::User),
        "response" | "AssistantMessage" | "assistant_message" => Some(MessageRole::Assistant),
        // TapeAgents.
        kind => role_of(kind),
    };
    let of_piece = || {
        let is_user = event_of(root).as_deref() == Some("user_message_chunk");
        let role = if is_user { MessageRole::User } else { MessageRole::Assistant };
        pieces(root).next().map(|_| role)
    };
    named.or_else(of_flag).or_else(of_number).or_else(of_kind).or_else(of_piece).or_else(|| {
        match text("type")?.as_ref() {
            "reasoning" | "TextMessage" | "agent_message" | "text" | "context.append_loop_event" => {
                Some(MessageRole::Assistant)
            }
            "summary" | "SYSTEM" => Some(MessageRole::System),
            "turn.prompt" | "USER" => Some(MessageRole::User),
            // The type of an envelope is not the role of the message in it.
            _ if root.get("message").or_else(|| root.get("payload")).is_some_and(Value::is_object) => None,
            // Copilot CLI: `user.message`; Agent TARS: `user_message`.
            name => {
                role_of(name.strip_suffix("message").map_or(name, |role| role.trim_end_matches(['.', '_'])))
            }
        }
    })
}

fn role_of_speech(speech: Speech) -> MessageRole {
    match speech {
        Speech::System => MessageRole::System,
        Speech::User => MessageRole::User,
        Speech::Assistant | Speech::Reasoning | Speech::Answer => MessageRole::Assistant,
    }
}

/// The pieces of an answer in `root`.
fn pieces(root: Value<'_>) -> impl Iterator<Item = (TextKind, Value<'_>)> {
    let found = PIECES.iter().filter_map(move |(kind, path)| Some((*kind, at(root, path)?)));
    // Only chunks of the Agent Client Protocol have a piece there.
    let chunk = root.get("sessionUpdate").and_then(|_| Some((TextKind::Prose, at(root, "content.text")?)));
    let found = found.chain(chunk);
    let found = found.filter(|(_, piece)| piece.is_text());
    found.map(move |(kind, piece)| (if is_reasoning(root) { TextKind::Thinking } else { kind }, piece))
}

/// True if the event is named for reasoning. In AG-UI, the Responses API and the Agent Client
/// Protocol, reasoning stands where text does.
fn is_reasoning(root: Value<'_>) -> bool {
    let starts = ["REASONING_", "THINKING_", "agent_thought", "response.reasoning"];
    event_of(root).is_some_and(|event| starts.iter().any(|start| event.starts_with(start)))
}

/// The name of an event.
fn event_of(root: Value<'_>) -> Option<Cow<'_, str>> {
    root.get("type").or_else(|| root.get("sessionUpdate"))?.as_str()
}

/// A string that is not empty, or a number.
pub(super) fn stamp(value: Value<'_>) -> Option<SmolStr> {
    let text = match value.kind() {
        JsonKind::Number => value.raw().into(),
        _ => value.as_str()?,
    };
    (!text.is_empty()).then(|| text.into())
}

struct MessageReader {
    /// The start of the object in its text.
    start: u32,
    texts: Vec<ContentText>,
    /// The role of the texts that follow.
    role: Option<MessageRole>,
}

impl MessageReader {
    fn push(&mut self, kind: TextKind, value: Value<'_>, order: TextOrder) {
        if !value.is_blank_text() {
            let text = ContentText { order, ..self.text(kind, value) };
            self.texts.push(text);
        }
    }

    /// Adds a streamed text, which may be white space, as a continuation.
    fn continued(&mut self, kind: TextKind, value: Value<'_>) {
        let text = ContentText { continues: true, ..self.text(kind, value) };
        self.texts.push(text);
    }

    fn text(&self, kind: TextKind, value: Value<'_>) -> ContentText {
        let Span { start, end } = value.span();
        let span = Span { start: start - self.start, end: end - self.start };
        ContentText { kind, role: self.role, span, order: TextOrder::Written, continues: false }
    }

    /// Adds the texts at the paths of a form, in the order of the paths. Returns the role of the
    /// first one.
    fn said(&mut self, texts: &[(Speech, FormText)], root: Value<'_>) -> MessageRole {
        for (speech, path) in texts {
            let kind = if *speech == Speech::Reasoning { TextKind::Thinking } else { TextKind::Prose };
            let before = self.texts.len();
            self.role = Some(role_of_speech(*speech));
            let value = at(root, path);
            self.strings(kind, value);
            for item in value.into_iter().filter(|value| !value.is_object()).flat_map(Value::items) {
                // xLAM: messages in place of a text.
                match item.get("role").and_then(Value::as_str) {
                    Some(name) if role_of(&name).is_none() => {}
                    Some(name) => {
                        self.role = role_of(&name);
                        self.content(item.get("content"));
                    }
                    None => self.part(kind, item),
                }
            }
            if *speech == Speech::Answer {
                self.texts.iter_mut().skip(before).for_each(|text| text.order = TextOrder::Last);
            }
        }
        let first = self.texts.first().and_then(|text| text.role);
        // The other texts have the role of the message.
        for text in self.texts.iter_mut().take_while(|text| text.role == first) {
            text.role = None;
        }
        let of_form = texts.first().map_or(MessageRole::Assistant, |(speech, _)| role_of_speech(*speech));
        first.unwrap_or(of_form)
    }

    /// Adds the texts with which a call gives its reasons.
    fn call(&mut self, root: Value<'_>) {
        REASONING.iter().for_each(|key| self.strings(TextKind::Thinking, root.get(key)));
        for path in ["args.thought", "thought"] {
            let thought = at(root, path);
            self.strings(TextKind::Prose, thought);
            let parts = thought.into_iter().flat_map(Value::items);
            parts.for_each(|part| self.strings(TextKind::Prose, part.get("text")));
        }
        if root.get("role").is_some() {
            self.content(root.get("content"));
        }
    }

    fn message(&mut self, root: Value<'_>) {
        let is = |key: &str, name: &str| root.get(key).and_then(Value::as_str).as_deref() == Some(name);
        if root.get("requestId").is_some() {
            return self.request(root);
        }
        if is("type", "summary") {
            return self.strings(TextKind::Summary, root.get("summary"));
        }
        if is("type", "reasoning") || is("role", "reasoning") {
            self.parts(TextKind::Thinking, root.get("summary"));
            self.strings(TextKind::Thinking, root.get("content"));
            return self.parts(TextKind::Thinking, root.get("content"));
        }
        if root.get("source").is_some() && root.get("role").is_none() && !is("type", "TextMessage") {
            return self.step(root, is("action", "message"), is("action", "system"));
        }
        REASONING.iter().for_each(|key| self.strings(TextKind::Thinking, root.get(key)));
        let before = self.texts.len();
        self.content(root.get("parts"));
        // Messages of AI SDK 4 have the same text in `parts` and in `content`.
        if self.texts.len() == before {
            // The message in an envelope is read as an object of its own.
            let of_cursor = || at(root, "message.content").filter(|_| root.get("role").is_some());
            let is_empty = |value: Value<'_>| value.is_object() || value.is_null() || value.is_blank_text();
            let written = |path: &&str| at(root, path).filter(|value| !is_empty(*value));
            self.content(CONTENTS.iter().find_map(written).or_else(of_cursor));
        }
        at(root, "event.part").into_iter().for_each(|part| self.part(TextKind::Prose, part));
        pieces(root).for_each(|(kind, piece)| self.continued(kind, piece));
        self.strings(TextKind::Prose, root.get("refusal"));
        if root.get("from").is_some() {
            self.content(root.get("value"));
        }
    }

    /// A request of VS Code with its response.
    fn request(&mut self, root: Value<'_>) {
        self.role = Some(MessageRole::User);
        self.strings(TextKind::Prose, at(root, "message.text").or_else(|| root.get("message")));
        self.role = Some(MessageRole::Assistant);
        for part in root.get("response").into_iter().flat_map(Value::items) {
            let kind = part.get("kind").and_then(Value::as_str);
            let value = part.get("value").filter(|value| value.is_text());
            match (kind.as_deref(), value) {
                (None | Some("markdownContent"), _) => {
                    let text = value.or_else(|| at(part, "content.value"));
                    text.into_iter().for_each(|text| self.continued(TextKind::Prose, text));
                }
                (Some("thinking"), Some(text)) => self.push(TextKind::Thinking, text, TextOrder::Written),
                (Some("inlineReference"), _) => {
                    let paths = ["name", "inlineReference.name", "inlineReference.path"];
                    let name = paths.iter().find_map(|path| at(part, path));
                    name.into_iter().for_each(|name| self.continued(TextKind::Prose, name));
                }
                _ => {}
            }
        }
    }

    /// A step of ATIF, or an event of OpenHands.
    fn step(&mut self, root: Value<'_>, is_message: bool, is_system: bool) {
        self.strings(TextKind::Thinking, root.get("reasoning_content"));
        if root.get("step_id").is_some() {
            return self.content(root.get("message"));
        }
        if root.get("observation").is_some() {
            return;
        }
        let texts = ["args.content", "content", "message"];
        let found = texts.iter().filter_map(|path| at(root, path)).find(|text| text.is_text());
        match is_message || is_system {
            true => self.strings(TextKind::Prose, found),
            false => self.strings(TextKind::Prose, at(root, "args.thought")),
        }
    }

    /// A string that precedes everything else in the message.
    fn strings(&mut self, kind: TextKind, value: Option<Value<'_>>) {
        if let Some(value) = value.filter(|value| value.is_text()) {
            self.push(kind, value, TextOrder::First);
        }
    }

    fn content(&mut self, value: Option<Value<'_>>) {
        self.strings(TextKind::Prose, value);
        self.parts(TextKind::Prose, value);
    }

    fn parts(&mut self, kind: TextKind, value: Option<Value<'_>>) {
        let items = value.filter(|value| !value.is_object()).into_iter().flat_map(Value::items);
        items.for_each(|part| match part.is_object() {
            true => self.part(kind, part),
            false if part.is_text() => self.push(kind, part, TextOrder::Written),
            false => {}
        });
    }

    /// A part of a request of Pydantic AI, where parts have roles.
    fn prompt(&mut self, role: MessageRole, part: Value<'_>) {
        let before = self.role.replace(role);
        match part.get("content") {
            Some(text) if text.is_text() => self.push(TextKind::Prose, text, TextOrder::Written),
            content => self.parts(TextKind::Prose, content),
        }
        self.role = before;
    }

    fn part(&mut self, kind: TextKind, part: Value<'_>) {
        let name = ["type", "part_kind", "$type"].iter().find_map(|key| part.get(key)?.as_str());
        let name = name.or_else(|| part.get("kind")?.as_str().filter(|kind| kind == "text"));
        let name = name.unwrap_or_default();
        let (kind, keys): (_, &[&str]) = match name.as_ref() {
            "" if part.get("thought").and_then(Value::as_bool) == Some(true) => {
                (TextKind::Thinking, &["text"])
            }
            "" if part.get("Thinking").is_some() => (TextKind::Thinking, &["Thinking.text"]),
            "" if is_attachment(part) => return self.push(TextKind::Attachment, part, TextOrder::Written),
            // big-AGI keeps a part in each; Zed names its kind by the key.
            "" => (kind, &["text", "part.text", "Text", "Mention.content"]),
            "TextContent" => (kind, &["Text"]),
            "text" | "TEXT" | "output_text" | "input_text" | "summary_text" => {
                (kind, &["text", "value", "content", "data", "text.value", "data.text"])
            }
            "user-prompt" => return self.prompt(MessageRole::User, part),
            "system-prompt" => return self.prompt(MessageRole::System, part),
            "contentBlock" => return self.parts(kind, part.get("content")),
            "retry-prompt" if part.get("tool_name").is_none() => return self.prompt(MessageRole::User, part),
            "refusal" => (kind, &["refusal"]),
            "thinking" | "think" => (TextKind::Thinking, &["thinking", "think", "content"]),
            "reasoning" | "reasoning_text" => {
                (TextKind::Thinking, &["text", "reasoning", "value", "content"])
            }
            "image" | "image_url" | "input_image" | "file" | "input_file" | "document" | "audio"
            | "input_audio" | "video" => return self.push(TextKind::Attachment, part, TextOrder::Written),
            _ => return,
        };
        if let Some(text) = keys.iter().filter_map(|key| at(part, key)).find(|text| text.is_text()) {
            return self.push(kind, text, TextOrder::Written);
        }
        if let Some(text) = at(part, "reasoningContent.reasoningText.text").filter(|text| text.is_text()) {
            self.push(TextKind::Thinking, text, TextOrder::Written);
        }
    }
}

#[cfg(test)]
mod tests;
