//! Reads messages: who says what, when, and with which model.
//!
//! A message is an object of a form that is an element of a conversation. What it says stands in
//! its own members (`content`, `value`, `reasoning_content`), or in parts of them. An envelope has
//! no text of its own, but the time and the thread of the message in it.

use smol_str::SmolStr;

use super::attachment::is_attachment;
use crate::call::{CallPart, MessageRole};
use crate::forms::form::at;
use crate::forms::form::{Form, FormRole, Layout};
use crate::json::{JsonKind, Value};
use crate::text::Span;

/// The content of a message. Spans are in bytes of its object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageContent {
    /// The role; `None` for results and envelopes.
    pub role: Option<MessageRole>,
    /// Its time as written: a date, or seconds or milliseconds since 1970.
    pub time: Option<SmolStr>,
    /// The name of the model.
    pub model: Option<SmolStr>,
    /// The sub-agent that it belongs to, by its id; empty if it has none.
    pub agent: Option<SmolStr>,
    /// Its id.
    pub id: Option<SmolStr>,
    /// Its texts, in order.
    pub texts: Vec<ContentText>,
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
    /// True if it precedes all parts and calls of the message, wherever it is written.
    pub leads: bool,
}

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// Markdown.
    Prose,
    /// Markdown that goes on directly after the preceding text.
    Continued,
    /// Reasoning of a model.
    Thinking,
    /// The title or the summary of a conversation.
    Summary,
    /// An image or a file, as the object that describes it.
    Attachment,
}

/// The positions of times, and of models; the first with a value counts.
const TIMES: &[&str] = &["timestamp", "time.created", "info.time.created", "createdAt", "created_at"];
const MODELS: &[&str] = &[
    "model",
    "model_name",
    "modelId",
    "info.modelID",
    "info.model.modelID",
    "payload.model",
    "metadata.model",
    "response_metadata.model_name",
];
/// The positions of calls that start sub-agents.
const CALLERS: &[&str] = &["parent_tool_use_id", "data.parentToolCallId"];
/// Members of reasoning beside the content of a message.
const REASONING: &[&str] = &["reasoning_content", "reasoning", "thinking"];

/// The positions of contents; the first one counts.
const CONTENTS: &[&str] = &["content", "contents", "text", "data.content", "input"];
/// The positions of pieces of the text of an answer.
const PIECES: &[&str] = &["delta.text", "choices.0.delta.content"];

/// Reads `root`, an object of `form` that is a message.
pub fn read_message(form: &Form, root: Value<'_>) -> MessageContent {
    let string = |paths: &[&str]| paths.iter().find_map(|path| stamp(at(root, path)?));
    let mut reader = MessageReader { start: root.span().start, texts: Vec::new(), role: None };
    let role = match &form.role {
        FormRole::Use(paths) if paths.part == CallPart::Result => None,
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
    MessageContent {
        role,
        time: string(TIMES),
        model: string(MODELS).filter(|model| model != "<synthetic>"),
        agent: agent_of(root),
        id: string(&["id", "info.id"]),
        texts: reader.texts,
    }
}

/// The role that a name stands for in any family; `None` for tools and unknown names.
pub fn role_of(name: &str) -> Option<MessageRole> {
    Some(match name {
        "user" | "human" | "User" => MessageRole::User,
        "assistant" | "ai" | "AI" | "gpt" | "model" | "agent" | "chatgpt" | "gemini" | "bot" => {
            MessageRole::Assistant
        }
        "system" | "developer" | "environment" => MessageRole::System,
        _ => return None,
    })
}

fn role_of_message(root: Value<'_>) -> Option<MessageRole> {
    let text = |path| at(root, path).and_then(Value::as_str);
    if text("action").as_deref() == Some("system") {
        return Some(MessageRole::System);
    }
    let named = ["role", "from", "info.role", "source"].iter().find_map(|path| role_of(&text(path)?));
    // Pydantic AI: what a model is sent, and its answer.
    let of_kind = || match text("kind")?.as_ref() {
        "request" => Some(MessageRole::User),
        "response" => Some(MessageRole::Assistant),
        _ => None,
    };
    let of_piece = || PIECES.iter().any(|path| at(root, path).is_some()).then_some(MessageRole::Assistant);
    named.or_else(of_kind).or_else(of_piece).or_else(|| match text("type")?.as_ref() {
        "reasoning" | "TextMessage" | "context.append_loop_event" => Some(MessageRole::Assistant),
        "summary" => Some(MessageRole::System),
        "turn.prompt" => Some(MessageRole::User),
        // The type of an envelope is not the role of what is in it.
        _ if root.get("message").or_else(|| root.get("payload")).is_some_and(Value::is_object) => None,
        // Copilot CLI: `user.message`.
        name => role_of(name.strip_suffix(".message").unwrap_or(name)),
    })
}

/// The sub-agent of a message: its id, or that of the call that started it.
fn agent_of(root: Value<'_>) -> Option<SmolStr> {
    let text = |path| at(root, path).and_then(Value::as_str).map(SmolStr::from);
    if root.get("isSidechain").and_then(Value::as_bool) == Some(true) {
        return Some(text("agentId").unwrap_or_default());
    }
    CALLERS.iter().find_map(|path| text(path).filter(|id| !id.is_empty()))
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
    fn push(&mut self, kind: TextKind, value: Value<'_>, leads: bool) {
        let is_empty = value.is_blank_text();
        if !is_empty || kind == TextKind::Continued {
            let Span { start, end } = value.span();
            let span = Span { start: start - self.start, end: end - self.start };
            self.texts.push(ContentText { kind, role: self.role, span, leads });
        }
    }

    /// The reasons that a call gives.
    fn call(&mut self, root: Value<'_>) {
        for path in ["args.thought", "thought"] {
            self.strings(TextKind::Prose, at(root, path));
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
        if is("type", "reasoning") {
            self.parts(TextKind::Thinking, root.get("summary"));
            return self.parts(TextKind::Thinking, root.get("content"));
        }
        if root.get("source").is_some() && root.get("role").is_none() && !is("type", "TextMessage") {
            return self.step(root, is("action", "message"), is("action", "system"));
        }
        REASONING.iter().for_each(|key| self.strings(TextKind::Thinking, root.get(key)));
        let before = self.texts.len();
        self.content(root.get("parts"));
        // Messages of AI SDK 4 have their text in both.
        if self.texts.len() == before {
            // That of an envelope is read where it stands.
            let of_cursor = || at(root, "message.content").filter(|_| root.get("role").is_some());
            self.content(CONTENTS.iter().find_map(|path| at(root, path)).or_else(of_cursor));
        }
        at(root, "event.part").into_iter().for_each(|part| self.part(TextKind::Prose, part));
        PIECES.iter().for_each(|path| self.continued(at(root, path)));
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
                    self.continued(text);
                }
                (Some("thinking"), Some(text)) => self.push(TextKind::Thinking, text, false),
                (Some("inlineReference"), _) => {
                    let paths = ["name", "inlineReference.name", "inlineReference.path"];
                    let name = paths.iter().find_map(|path| at(part, path));
                    self.continued(name);
                }
                _ => {}
            }
        }
    }

    fn continued(&mut self, text: Option<Value<'_>>) {
        if let Some(text) = text {
            self.push(TextKind::Continued, text, false);
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
            self.push(kind, value, true);
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
            false if part.is_text() => self.push(kind, part, false),
            false => {}
        });
    }

    /// A part of a request of Pydantic AI, where parts have roles.
    fn prompt(&mut self, role: MessageRole, part: Value<'_>) {
        let before = self.role.replace(role);
        match part.get("content") {
            Some(text) if text.is_text() => self.push(TextKind::Prose, text, false),
            content => self.parts(TextKind::Prose, content),
        }
        self.role = before;
    }

    fn part(&mut self, kind: TextKind, part: Value<'_>) {
        let name = ["type", "part_kind", "$type"].iter().find_map(|key| part.get(key)?.as_str());
        let name = name.unwrap_or_default();
        let (kind, keys): (_, &[&str]) = match name.as_ref() {
            "" if part.get("thought").and_then(Value::as_bool) == Some(true) => {
                (TextKind::Thinking, &["text"])
            }
            "" if is_attachment(part) => return self.push(TextKind::Attachment, part, false),
            "" => (kind, &["text"]),
            "text" | "output_text" | "input_text" | "summary_text" => (kind, &["text", "value", "content"]),
            "user-prompt" => return self.prompt(MessageRole::User, part),
            "system-prompt" => return self.prompt(MessageRole::System, part),
            "retry-prompt" if part.get("tool_name").is_none() => return self.prompt(MessageRole::User, part),
            "refusal" => (kind, &["refusal"]),
            "thinking" | "think" => (TextKind::Thinking, &["thinking", "think", "content"]),
            "reasoning" | "reasoning_text" => {
                (TextKind::Thinking, &["text", "reasoning", "value", "content"])
            }
            "image" | "image_url" | "input_image" | "file" | "input_file" | "document" | "audio"
            | "input_audio" | "video" => return self.push(TextKind::Attachment, part, false),
            _ => return,
        };
        if let Some(text) = keys.iter().filter_map(|key| part.get(key)).find(|text| text.is_text()) {
            return self.push(kind, text, false);
        }
        if let Some(text) = at(part, "reasoningContent.reasoningText.text").filter(|text| text.is_text()) {
            self.push(TextKind::Thinking, text, false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::attachment::attachment;
    use super::*;
    use crate::forms::table::FORMS;
    use crate::json;

    /// A message of any form, which does not begin its text.
    fn message_of(text: &str) -> MessageContent {
        let form = FORMS.iter().find(|form| matches!(form.role, FormRole::Message)).unwrap();
        let list = format!("[{text}]");
        let json = json::parse(&list);
        read_message(form, json.root(&list).and_then(|root| root.items().next()).unwrap())
    }

    /// The texts of a message of any form, each after a mark of its kind.
    fn read(text: &str) -> (Option<MessageRole>, Vec<String>) {
        let message = message_of(text);
        let shown = |piece: &ContentText| {
            let raw = piece.span.of(text);
            let mark = match piece.kind {
                TextKind::Prose => "",
                TextKind::Continued => "+",
                TextKind::Thinking => "~",
                TextKind::Summary => "#",
                TextKind::Attachment => return attachment(raw),
            };
            format!("{mark}{}", serde_json::from_str::<String>(raw).unwrap())
        };
        (message.role, message.texts.iter().map(shown).collect())
    }

    #[track_caller]
    fn check(text: &str, role: Option<MessageRole>, expected: &[&str]) {
        let (found, texts) = read(text);
        assert_eq!((found, texts.iter().map(String::as_str).collect::<Vec<_>>()), (role, expected.to_vec()));
    }

    const USER: Option<MessageRole> = Some(MessageRole::User);
    const ASSISTANT: Option<MessageRole> = Some(MessageRole::Assistant);
    const SYSTEM: Option<MessageRole> = Some(MessageRole::System);

    #[test]
    fn texts_of_all_families_are_read() {
        check(r#"{"role": "user", "content": "a\nb"}"#, USER, &["a\nb"]);
        check(
            r#"{"role": "assistant", "content": [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "a"},
                {"type": "tool_use", "id": "i", "name": "n", "input": {}}, "b"], "reasoning_content": "r"}"#,
            ASSISTANT,
            &["~r", "~t", "a", "b"],
        );
        check(r#"{"role": "developer", "content": [{"type": "input_text", "text": "a"}]}"#, SYSTEM, &["a"]);
        check(r#"{"from": "gpt", "value": "a"}"#, ASSISTANT, &["a"]);
        check(
            r#"{"role": "model", "parts": [{"text": "t", "thought": true}, {"text": "a"}, {"functionCall": {"name": "f"}}]}"#,
            ASSISTANT,
            &["~t", "a"],
        );
        check(
            r#"{"role": "assistant", "content": "a", "parts": [{"type": "reasoning", "text": "r"}, {"type": "text", "text": "a"}]}"#,
            ASSISTANT,
            &["~r", "a"],
        );
        check(r#"{"info": {"role": "user"}, "parts": [{"type": "text", "text": "a"}]}"#, USER, &["a"]);
        check(
            r#"{"type": "reasoning", "summary": [{"type": "summary_text", "text": "a"}], "encrypted_content": "x"}"#,
            ASSISTANT,
            &["~a"],
        );
        check(
            r#"{"source": "agent", "step_id": 2, "message": "a", "reasoning_content": "r"}"#,
            ASSISTANT,
            &["~r", "a"],
        );
        check(
            r#"{"source": "user", "action": "message", "message": "a", "args": {"content": "a"}}"#,
            USER,
            &["a"],
        );
        check(r#"{"source": "agent", "observation": "run", "message": "a", "content": "b"}"#, ASSISTANT, &[]);
        check(r#"{"type": "summary", "summary": "a"}"#, SYSTEM, &["#a"]);
        check(r#"{"type": "ai", "content": "a"}"#, ASSISTANT, &["a"]);
        check(
            r#"{"role": "assistant", "content": [{"type": "reasoning", "value": "r"}, {"type": "text", "value": "a"}]}"#,
            ASSISTANT,
            &["~r", "a"],
        );
        check(
            r#"{"role": "assistant", "parts": [{"type": "reasoning", "content": "r"}, {"type": "text", "content": "a"}]}"#,
            ASSISTANT,
            &["~r", "a"],
        );
        check(r#"{"role": "user", "contents": [{"$type": "text", "text": "a"}]}"#, USER, &["a"]);
        check(
            r#"{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": ["a", {"kind": "image-url", "url": "u"}]},
                {"part_kind": "retry-prompt", "content": "b"}, {"part_kind": "retry-prompt", "content": "c", "tool_name": "f"}]}"#,
            USER,
            &["a", "b"],
        );
        let both = message_of(
            r#"{"kind": "request", "parts": [{"part_kind": "system-prompt", "content": "s"}, {"part_kind": "user-prompt", "content": "u"}]}"#,
        );
        let roles: Vec<_> = both.texts.iter().map(|text| (text.role, text.leads)).collect();
        assert_eq!(roles, [(SYSTEM, false), (USER, false)]);
        check(
            r#"{"kind": "response", "parts": [{"part_kind": "thinking", "content": "t"}, {"part_kind": "text", "content": "a"}]}"#,
            ASSISTANT,
            &["~t", "a"],
        );
        check(r#"{"source": "weather_agent", "type": "TextMessage", "content": "a"}"#, ASSISTANT, &["a"]);
        check(r#"{"source": "user", "type": "TextMessage", "content": "a"}"#, USER, &["a"]);
        check(r#"{"type": "assistant", "message": {"role": "assistant", "content": "a"}}"#, None, &[]);
        check(r#"{"role": "tool", "content": ""}"#, None, &[]);
        // Cursor, API-Bank, Copilot CLI, Kimi Code, pieces of Bedrock and of Chat Completions.
        check(r#"{"role": "user", "message": {"content": [{"type": "text", "text": "a"}]}}"#, USER, &["a"]);
        check(r#"{"role": "AI", "text": "a"}"#, ASSISTANT, &["a"]);
        check(r#"{"type": "user.message", "data": {"content": "a"}}"#, USER, &["a"]);
        check(r#"{"type": "turn.prompt", "input": [{"type": "text", "text": "a"}]}"#, USER, &["a"]);
        let part = |part: &str| {
            format!(
                r#"{{"type": "context.append_loop_event", "event": {{"type": "content.part", "part": {part}}}}}"#
            )
        };
        check(&part(r#"{"type": "think", "think": "t"}"#), ASSISTANT, &["~t"]);
        check(&part(r#"{"type": "text", "text": "a"}"#), ASSISTANT, &["a"]);
        check(r#"{"delta": {"text": " a"}, "contentBlockIndex": 0}"#, ASSISTANT, &["+ a"]);
        check(
            r#"{"object": "chat.completion.chunk", "choices": [{"delta": {"content": "a"}}]}"#,
            ASSISTANT,
            &["+a"],
        );
    }

    #[test]
    fn requests_of_vs_code_have_two_roles() {
        let text = r#"{"requestId": "r", "message": {"text": "q", "parts": []}, "response": [{"value": "a "},
            {"kind": "inlineReference", "name": "f"}, {"kind": "undoStop"}, {"kind": "thinking", "value": "t"}]}"#;
        check(text, None, &["q", "+a ", "+f", "~t"]);
        let message = message_of(text);
        let roles: Vec<_> = message.texts.iter().map(|text| text.role).collect();
        assert_eq!(roles, [USER, ASSISTANT, ASSISTANT, ASSISTANT]);
    }

    #[test]
    fn envelopes_have_times_and_agents() {
        let message = message_of(
            r#"{"type": "user", "isSidechain": true, "agentId": "x", "timestamp": "2026-01-01T00:00:00Z", "message": {}}"#,
        );
        assert_eq!(
            (message.agent.as_deref(), message.time.as_deref()),
            (Some("x"), Some("2026-01-01T00:00:00Z"))
        );
        let message =
            message_of(r#"{"info": {"role": "assistant", "modelID": "m", "time": {"created": 5}}}"#);
        assert_eq!((message.model.as_deref(), message.time.as_deref()), (Some("m"), Some("5")));
        assert_eq!(message_of(r#"{"isSidechain": false, "agentId": "x"}"#).agent, None);
    }
}
