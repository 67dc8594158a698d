//! Writes a conversation as JSON, in the form of each reader.

use std::collections::HashSet;

use super::chat::{Chat, ChatMessage, ChatPart};
use crate::call::{MessageRole, ToolUse, UseData, UseStatus};
use crate::json::{self, quote};
use crate::registry::write::{ToolListForm, listed};

/// Chat Completions, and the lines of fine-tuning:
/// <https://platform.openai.com/docs/api-reference/chat>,
/// <https://platform.openai.com/docs/guides/supervised-fine-tuning>.
pub(super) fn openai(chat: &Chat, ids: &mut Ids<'_>) -> String {
    let mut members = vec![("messages", messages(chat.messages.iter(), ids, plain_message, openai_step))];
    members.extend(tools(chat, ToolListForm::OpenAi));
    object(&members)
}

fn openai_step(texts: &[&str], uses: &[(&ToolUse, String)]) -> Vec<String> {
    let content = if texts.is_empty() { "null".to_owned() } else { quote(&texts.join("\n\n")) };
    let mut message = vec![("role", quote("assistant")), ("content", content)];
    let calls = uses.iter().map(|(tool_use, id)| {
        let function = [("name", quote(tool_use.shown_name())), ("arguments", encoded_input(tool_use))];
        object(&[("id", quote(id)), ("type", quote("function")), ("function", object(&function))])
    });
    if !uses.is_empty() {
        message.push(("tool_calls", array(calls)));
    } else if texts.is_empty() {
        return Vec::new();
    }
    let results = uses.iter().filter_map(|(tool_use, id)| {
        let content = quote(&result_text(tool_use)?);
        Some(object(&[("role", quote("tool")), ("tool_call_id", quote(id)), ("content", content)]))
    });
    std::iter::once(object(&message)).chain(results).collect()
}

/// The Messages API: <https://docs.anthropic.com/en/api/messages>.
pub(super) fn anthropic(chat: &Chat, ids: &mut Ids<'_>) -> String {
    let is_system = |message: &&ChatMessage| message.role == MessageRole::System;
    let prompts: Vec<String> = chat.messages.iter().filter(is_system).map(ChatMessage::text).collect();
    let others = chat.messages.iter().filter(|message| !is_system(message));
    let mut members = Vec::new();
    if !prompts.is_empty() {
        members.push(("system", quote(&prompts.join("\n\n"))));
    }
    members.push(("messages", messages(others, ids, plain_message, anthropic_step)));
    members.extend(tools(chat, ToolListForm::Anthropic));
    object(&members)
}

fn anthropic_step(texts: &[&str], uses: &[(&ToolUse, String)]) -> Vec<String> {
    let texts = texts.iter().map(|text| object(&[("type", quote("text")), ("text", quote(text))]));
    let calls = uses.iter().map(|(tool_use, id)| {
        object(&[
            ("type", quote("tool_use")),
            ("id", quote(id)),
            ("name", quote(tool_use.shown_name())),
            ("input", input_object(tool_use)),
        ])
    });
    let results = uses.iter().filter_map(|(tool_use, id)| {
        let text = result_text(tool_use)?;
        let parts =
            tool_use.output.as_ref().filter(|output| tool_use.error_text.is_none() && is_parts(output));
        let content = parts.map_or_else(|| quote(&text), UseData::to_json);
        let mut result =
            vec![("type", quote("tool_result")), ("tool_use_id", quote(id)), ("content", content)];
        if tool_use.status == UseStatus::Failed {
            result.push(("is_error", "true".to_owned()));
        }
        Some(object(&result))
    });
    let messages = [("assistant", texts.chain(calls).collect::<Vec<_>>()), ("user", results.collect())];
    let written = messages
        .into_iter()
        .filter(|(_, parts)| !parts.is_empty())
        .map(|(role, parts)| object(&[("role", quote(role)), ("content", array(parts.into_iter()))]));
    written.collect()
}

/// UI messages of the AI SDK: `UIMessage` in its package `ai`.
pub(super) fn ai_sdk(chat: &Chat, ids: &mut Ids<'_>) -> String {
    let messages = chat.messages.iter().enumerate().map(|(index, message)| {
        let (mut parts, mut has_uses) = (Vec::new(), false);
        for part in &message.parts {
            let is_parallel = matches!(part, ChatPart::Use { is_parallel: true, .. });
            if has_uses && !is_parallel && !matches!(part, ChatPart::Attachment) {
                parts.push(object(&[("type", quote("step-start"))]));
                has_uses = false;
            }
            parts.extend(match part {
                ChatPart::Text(text) => Some(object(&[("type", quote("text")), ("text", quote(text))])),
                ChatPart::Thinking(text) => {
                    Some(object(&[("type", quote("reasoning")), ("text", quote(text))]))
                }
                ChatPart::Use { tool_use, .. } => {
                    has_uses = true;
                    Some(ai_sdk_part(tool_use, ids))
                }
                ChatPart::Attachment => None,
            });
        }
        let parts = array(parts.into_iter());
        let id = quote(&format!("msg-{}", index + 1));
        object(&[("id", id), ("role", quote(message.role.key())), ("parts", parts)])
    });
    array(messages)
}

fn ai_sdk_part(tool_use: &ToolUse, ids: &mut Ids<'_>) -> String {
    let mut part = vec![
        ("type", quote(&format!("tool-{}", tool_use.shown_name()))),
        ("toolCallId", quote(&ids.of(tool_use))),
        ("state", quote(ai_sdk_state(tool_use))),
        ("input", tool_use.input_as_json()),
    ];
    match (tool_use.status, &tool_use.error_text, &tool_use.output) {
        (UseStatus::Pending, ..) => {}
        (UseStatus::Failed, ..) => {
            part.push(("errorText", quote(&result_text(tool_use).unwrap_or_default())));
        }
        (UseStatus::Done, _, output) => {
            part.push(("output", output.as_ref().map_or_else(|| "null".to_owned(), UseData::to_json)));
        }
    }
    object(&part)
}

/// The state that matches the members of the part: the SDK rejects unknown states, and an `output`
/// beside `input-available`.
fn ai_sdk_state(tool_use: &ToolUse) -> &str {
    match (tool_use.status, tool_use.state.as_deref()) {
        (UseStatus::Pending, Some(state @ "input-streaming")) => state,
        (status, _) => status.state(),
    }
}

/// Items of the Responses API: <https://platform.openai.com/docs/api-reference/responses>.
/// Reasoning is omitted, because its items need ids that the server assigned.
pub(super) fn responses(chat: &Chat, ids: &mut Ids<'_>) -> String {
    messages(chat.messages.iter(), ids, responses_message, responses_step)
}

fn responses_message(role: MessageRole, text: &str) -> String {
    let content = match role {
        // A part `output_text` is only allowed in an item with the id of a response.
        MessageRole::Assistant => quote(text),
        _ => array(std::iter::once(object(&[("type", quote("input_text")), ("text", quote(text))]))),
    };
    object(&[("type", quote("message")), ("role", quote(role.key())), ("content", content)])
}

fn responses_step(texts: &[&str], uses: &[(&ToolUse, String)]) -> Vec<String> {
    let texts = texts.iter().map(|text| responses_message(MessageRole::Assistant, text));
    let calls = uses.iter().map(|(tool_use, id)| {
        object(&[
            ("type", quote("function_call")),
            ("call_id", quote(id)),
            ("name", quote(tool_use.shown_name())),
            ("arguments", encoded_input(tool_use)),
        ])
    });
    let results = uses.iter().filter_map(|(tool_use, id)| {
        let output = quote(&result_text(tool_use)?);
        Some(object(&[("type", quote("function_call_output")), ("call_id", quote(id)), ("output", output)]))
    });
    texts.chain(calls).chain(results).collect()
}

/// ShareGPT with tools, as LLaMA-Factory reads it: its `data/README.md`.
pub(super) fn sharegpt(chat: &Chat, _: &mut Ids<'_>) -> String {
    let entry = |from: &str, value: &str| object(&[("from", quote(from)), ("value", quote(value))]);
    let of_use = |tool_use: &ToolUse| {
        let call = object(&[("name", quote(tool_use.shown_name())), ("arguments", tool_use.input_as_json())]);
        let result = result_text(tool_use).map(|text| entry("observation", &text));
        std::iter::once(entry("function_call", &call)).chain(result).collect::<Vec<_>>()
    };
    let messages = chat.messages.iter().flat_map(|message| match message.role {
        MessageRole::Assistant => {
            let parts = message.parts.iter().flat_map(|part| match part {
                ChatPart::Text(text) => vec![entry("gpt", text)],
                ChatPart::Use { tool_use, .. } => of_use(tool_use),
                ChatPart::Thinking(_) | ChatPart::Attachment => Vec::new(),
            });
            parts.collect()
        }
        MessageRole::User => vec![entry("human", &message.text())],
        MessageRole::System => vec![entry("system", &message.text())],
        MessageRole::Other => Vec::new(),
    });
    let mut members = vec![("conversations", array(messages.collect::<Vec<_>>().into_iter()))];
    members.extend(tools(chat, ToolListForm::Functions).map(|(key, list)| (key, quote(&list))));
    object(&members)
}

/// Writes a step of the assistant: its texts, and its calls with their ids.
type StepWriter = fn(&[&str], &[(&ToolUse, String)]) -> Vec<String>;

/// The list of `messages`; `of_other` writes the messages that are not of the assistant.
fn messages<'c>(
    messages: impl Iterator<Item = &'c ChatMessage>,
    ids: &mut Ids<'_>,
    of_other: fn(MessageRole, &str) -> String,
    of_step: StepWriter,
) -> String {
    let mut written = Vec::new();
    for message in messages {
        match message.role {
            MessageRole::Assistant => message.steps().iter().for_each(|step| {
                let uses: Vec<_> = step.uses.iter().map(|tool_use| (*tool_use, ids.of(tool_use))).collect();
                written.extend(of_step(&step.texts, &uses));
            }),
            role => written.push(of_other(role, &message.text())),
        }
    }
    array(written.into_iter())
}

fn plain_message(role: MessageRole, text: &str) -> String {
    object(&[("role", quote(role.key())), ("content", quote(text))])
}

/// The member with the tools of `chat`, if it has any: servers reject an empty list.
fn tools(chat: &Chat, form: ToolListForm) -> Option<(&'static str, String)> {
    (!chat.tools.tools.is_empty()).then(|| ("tools", tool_list(chat, form)))
}

/// The list of the tools of `chat`.
pub(super) fn tool_list(chat: &Chat, form: ToolListForm) -> String {
    array(chat.tools.tools.iter().map(|tool| listed(tool, form).to_string()))
}

/// Assigns ids to calls without one, unique in the conversations that are written together: calls
/// with the same id in equal conversations would be read as one call.
pub(super) struct Ids<'c> {
    written: HashSet<&'c str>,
    count: usize,
}

impl<'c> Ids<'c> {
    pub(super) fn new(chats: &'c [Chat]) -> Self {
        Self { written: chats.iter().flat_map(Chat::uses).filter_map(written_id).collect(), count: 0 }
    }

    fn of(&mut self, tool_use: &ToolUse) -> String {
        self.count += 1;
        if let Some(id) = written_id(tool_use) {
            return id.to_owned();
        }
        let mut id = format!("call_{}", self.count);
        while self.written.contains(&*id) {
            id.push_str("_1");
        }
        id
    }
}

fn written_id(tool_use: &ToolUse) -> Option<&str> {
    tool_use.written_id().filter(|id| !id.is_empty())
}

/// The input as an object, as Anthropic's server requires. A text or other value becomes its member
/// `input`.
fn input_object(tool_use: &ToolUse) -> String {
    let input = tool_use.input_as_json();
    if input.starts_with('{') { input } else { object(&[("input", input)]) }
}

/// The input as a string of JSON. One that is text already stays as it is.
fn encoded_input(tool_use: &ToolUse) -> String {
    let input = tool_use.input_as_json();
    if input.starts_with('"') { input } else { quote(&input) }
}

/// The result as text; `None` for a pending call.
fn result_text(tool_use: &ToolUse) -> Option<String> {
    (tool_use.status != UseStatus::Pending).then(|| tool_use.result_text().unwrap_or_default())
}

/// True if Anthropic's server accepts `output` as it is: parts of text, none of them empty.
fn is_parts(output: &UseData) -> bool {
    let parts: Result<Vec<serde_json::Value>, _> = serde_json::from_str(&output.to_json());
    let is_part = |part: &serde_json::Value| {
        part["type"] == "text" && part["text"].as_str().is_some_and(|text| !text.trim().is_empty())
    };
    output.is_text() && parts.is_ok_and(|parts| parts.iter().all(is_part))
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(key, value)| format!("{}:{value}", quote(key))).collect();
    json::with_whole_characters(&format!("{{{}}}", members.join(","))).into_owned()
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
