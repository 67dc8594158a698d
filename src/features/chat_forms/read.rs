//! Reads the conversations of a document: in a log its messages, in other documents the messages
//! that the preview shows.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use serde_json::value::RawValue;

use super::chat::{Chat, ChatPart, SHELL_MEMBERS};
use super::unread::UnreadTexts;
use crate::call::{MessageRole, ToolUse, UseStatus};
use crate::document::{Document, Language, MessageText, ToolList};
use crate::features::transcript::{MessagePart, messages};
use crate::forms::form::at;
use crate::json::{self, JsonKind};
use crate::messages::content::TextKind;
use crate::segments::line_faults::LineFault;
use crate::syntax;

/// The conversations of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadChats {
    pub chats: Vec<Chat>,
    /// Counts of the data that they leave out.
    pub omissions: Omissions,
}

/// Counts of the data of a document that its conversations leave out, or have under another name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Number of texts and messages that no conversation contains: text before the first message,
    /// summaries, messages of sub-agents.
    pub outside: usize,
    /// Number of texts without a speaker, which become the assistant's.
    pub unnamed: usize,
    /// Number of results without a call.
    pub orphans: usize,
    /// Number of messages with content of which nothing was read.
    pub unread: usize,
    /// Number of parts of other messages of which nothing was read.
    pub unread_parts: usize,
    /// Number of texts in strings of JSON and the like, which are not read.
    pub unread_texts: usize,
    /// Number of versions of messages that are not selected.
    pub versions: usize,
    /// Number of sources that texts cite.
    pub citations: usize,
    /// Number of places at which the source is not JSON, whose content may be missing.
    pub faults: usize,
    /// The members of requests, messages and their parts that no message of a [`Chat`] has, with
    /// the number of each.
    pub members: BTreeMap<&'static str, usize>,
}

/// The members that hold the messages of a request, or of a line of a training set.
const MESSAGES: [&str; 4] = ["messages", "contents", "input", "conversations"];
/// The members that hold the content of a message.
const CONTENTS: [&str; 5] = ["content", "parts", "value", "text", "audio"];
/// The members that name the author of a message.
const AUTHORS: [&str; 3] = ["role", "from", "source"];
/// The members of requests that are neither messages nor prompts nor tools.
const OF_REQUESTS: [&str; 25] = [
    "audios",
    "frequency_penalty",
    "generationConfig",
    "images",
    "logit_bias",
    "max_completion_tokens",
    "max_output_tokens",
    "max_tokens",
    "metadata",
    "model",
    "parallel_tool_calls",
    "presence_penalty",
    "reasoning",
    "reasoning_effort",
    "response_format",
    "safetySettings",
    "seed",
    "stop",
    "stop_sequences",
    "temperature",
    "thinking",
    "tool_choice",
    "top_k",
    "top_p",
    "videos",
];
/// The members of messages that are neither their author nor their content.
const OF_MESSAGES: [&str; 7] =
    ["createdAt", "experimental_attachments", "metadata", "name", "prefix", "refusal", "weight"];
/// The members of parts of messages that no other form has.
const OF_PARTS: [&str; 5] =
    ["approval", "cache_control", "callProviderMetadata", "providerMetadata", "providerOptions"];
/// The parts of messages that only say where a step begins or ends, or which files it changed.
const STEPS: [&str; 4] = ["step-start", "step-finish", "snapshot", "patch"];
/// The paths of texts in records of logs.
const TEXTS: [&str; 7] = [
    "message.content",
    "data.content",
    "delta.text",
    "delta.thinking",
    "choices.0.delta.content",
    "choices.0.delta.reasoning_content",
    "params.update.content.text",
];
/// The members with the maximum number of tokens of an answer.
const MAX_TOKENS: [&str; 2] = ["max_tokens", "max_completion_tokens"];
/// The members that have a prompt of the system beside them.
const PROMPTS: [&str; 4] = ["system", "systemInstruction", "system_instruction", "instructions"];

/// Reads the conversations of `document`, up to the byte `end`.
pub(super) fn read_chats(document: &Document, end: usize) -> ReadChats {
    // Messages without a known tool form are converted, too.
    let assumed = document.has_messages().then(|| document.assume_transcript());
    let document = assumed.as_ref().unwrap_or(document);
    let known = known_places(document);
    let not_read = UnreadTexts::of(document, &known);
    let mut read = match document.has_messages() {
        true => of_log(document, &not_read, &known, end),
        false => of_transcript(&document.quoting_messages(), end),
    };
    (read.omissions.unread_texts, read.omissions.versions) = (not_read.texts.len(), not_read.versions.len());
    read.add_unread_records(document, &known, end);
    read.chats.retain(|chat| !chat.messages.is_empty());
    read.chats.iter_mut().for_each(Chat::number_anew);
    read
}

/// True if `value` is a text, or a list with one.
fn has_text(value: json::Value<'_>) -> bool {
    is_text(value) || value.items().any(|part| part.get("text").is_some_and(is_text))
}

fn of_log(document: &Document, not_read: &UnreadTexts, known: &[usize], last: usize) -> ReadChats {
    let mut read = ReadChats::default();
    let of_log = document.messages().of_log();
    let messages = of_log.get(..of_log.partition_point(|it| it.range.start < last)).unwrap_or_default();
    let is_selected = |at: usize| {
        let next = not_read.versions.partition_point(|version| version.end <= at);
        not_read.versions.get(next).is_none_or(|version| at < version.start)
    };
    // The log of a sub-agent has no other messages.
    let has_main = messages.iter().any(|message| message.attribution().agent.is_none());
    let mut uses = document.tool_uses().into_iter().filter(|it| it.range.start < last).peekable();
    let (mut chats, mut places) = (Vec::<OpenChat>::new(), HashMap::new());
    let ends = messages.iter().skip(1).map(|message| message.range.start).chain([usize::MAX]);
    for (message, end) in messages.iter().zip(ends) {
        let inside = std::iter::from_fn(|| uses.next_if(|next| next.range.start < end));
        let inside = inside.filter(|found| is_selected(found.range.start)).collect();
        if message.attribution().agent.is_some() && has_main {
            read.omissions.outside += 1;
            continue;
        }
        let place = *places.entry(message.conversation).or_insert_with(|| {
            chats.push(OpenChat { start: message.range.start, ..OpenChat::default() });
            chats.len() - 1
        });
        if let Some(open) = chats.get_mut(place) {
            let is_other = message.role == MessageRole::Other;
            read.omissions.unread += usize::from(is_other);
            let is_read =
                |text: &&MessageText| !is_other && text.order < last && is_selected(text.range.start);
            let texts = message.texts.iter().filter(is_read).collect();
            read.message(document, open, message.role, texts, inside);
        }
    }
    let starts: Vec<_> = chats.iter().map(|open| open.start).collect();
    let lists = document.tools_listed_at(&starts);
    let listing = |(open, tools): (OpenChat, ToolList)| Chat { tools, ..open.chat };
    read.chats = chats.into_iter().zip(lists).map(listing).collect();
    add_members_beside(document, &mut read, known, &starts);
    read
}

/// A conversation while it is read: several sub-agents may alternate.
#[derive(Default)]
struct OpenChat {
    chat: Chat,
    /// The start of its first message.
    start: usize,
    /// The end of its tool uses so far.
    end_of_uses: usize,
}

impl ReadChats {
    /// The tool uses of all conversations, in order.
    pub fn uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.chats.iter().flat_map(Chat::uses)
    }

    /// Counts the records of a message log that have a text but were not read, and the unread parts
    /// of the other records.
    fn add_unread_records(&mut self, document: &Document, known: &[usize], end: usize) {
        if !document.is_message_log() {
            return;
        }
        for line in syntax::log_lines(document.text(), 0).take_while(|line| line.start < end) {
            let text = document.text().slice(line.clone());
            let (before, text) = text.split_at(text.find('{').unwrap_or_default());
            let json = json::parse(text);
            let Some(root) = json.root(text) else { continue };
            if has_any(known, &line) {
                let message = root.get("message").unwrap_or(root);
                self.add_unread_parts(message, line.start + before.len(), known);
                continue;
            }
            let has_text_at =
                |root, paths: &[&str]| paths.iter().any(|path| at(root, path).is_some_and(has_text));
            let has_author = AUTHORS.iter().any(|key| root.get(key).is_some());
            let is_unread = has_text_at(root, &TEXTS) || has_author && has_text_at(root, &CONTENTS);
            self.omissions.unread += usize::from(is_unread);
        }
    }

    /// Counts the parts of a message that no [`Chat`] has. The text of the message begins at the
    /// offset `start`.
    fn add_unread_parts(&mut self, message: json::Value<'_>, start: usize, known: &[usize]) {
        // The parts of a message that is a result are its output.
        if known.binary_search(&message.span().range_at(start).start).is_ok() {
            return;
        }
        self.add_members(message, &OF_MESSAGES);
        let contents = CONTENTS.iter().filter_map(|key| message.get(key));
        let is_content = |part: &json::Value<'_>| {
            let kind = part.get("type").and_then(json::Value::as_str);
            kind.is_some_and(|kind| !STEPS.contains(&&*kind))
        };
        for part in contents.flat_map(|content| content.items()).filter(is_content) {
            if !has_any(known, &part.span().range_at(start)) {
                self.omissions.unread_parts += usize::from(part.entries().any(is_written));
            }
            self.add_members(part, &OF_PARTS);
            let citations = ["citations", "annotations"].iter().filter_map(|key| part.get(key));
            self.omissions.citations += citations.map(|citations| citations.items().count()).sum::<usize>();
        }
    }

    /// Counts the members of `object` that have one of `keys` and a value.
    fn add_members(&mut self, object: json::Value<'_>, keys: &[&'static str]) {
        let is_set = |value: json::Value<'_>| !matches!(value.raw(), "null" | "false" | "[]" | "{}" | "\"\"");
        for key in keys.iter().filter(|key| object.get(key).is_some_and(is_set)) {
            let name = if MAX_TOKENS.contains(key) { "max_tokens" } else { key };
            *self.omissions.members.entry(name).or_default() += 1;
        }
    }

    /// Adds a message of `role`, with its texts and the tool uses that begin in it.
    fn message(
        &mut self,
        document: &Document,
        open: &mut OpenChat,
        role: MessageRole,
        texts: Vec<&MessageText>,
        uses: Vec<ToolUse>,
    ) {
        let OpenChat { chat, end_of_uses, .. } = open;
        let texts = texts.into_iter().map(|text| (text.order, text));
        let mut parts: Vec<(usize, Option<&MessageText>, Option<ToolUse>)> =
            texts.map(|(order, text)| (order, Some(text), None)).collect();
        parts.extend(uses.into_iter().map(|tool_use| (tool_use.range.start, None, Some(tool_use))));
        parts.sort_by_key(|(order, ..)| *order);
        let mut parts = parts.into_iter().peekable();
        let (mut begun, mut waits) = (false, false);
        // The end of the last part of a step of the AI SDK.
        let mut step = None;
        while let Some((_, text, tool_use)) = parts.next() {
            if let Some(tool_use) = tool_use {
                // A call was made together with another call if it begins before the end of that
                // call, or follows a call of its message that has no result.
                let Range { start, end } = tool_use.range;
                let between = |step: usize| document.text().slice(step.min(start)..start);
                let is_of_step = is_ai_sdk_part(document, &tool_use)
                    && step.replace(end).is_some_and(|step| !between(step).contains("\"step-start\""));
                let is_parallel = waits || start < *end_of_uses || is_of_step;
                waits = tool_use.status == UseStatus::Pending;
                *end_of_uses = tool_use.range.end.max(*end_of_uses);
                self.tool_use(chat, tool_use, is_parallel);
            }
            let Some(text) = text else { continue };
            let mut shown = document.message_text(text, usize::MAX);
            let goes_on = |next: &MessageText| next.continues && next.kind == text.kind;
            while let Some((_, more, _)) = parts.next_if(|(_, next, _)| next.is_some_and(goes_on)) {
                more.iter().for_each(|more| shown.push_str(&document.message_text(more, usize::MAX)));
            }
            let part = match text.kind {
                TextKind::Prose => ChatPart::Text(shown),
                TextKind::Thinking => ChatPart::Thinking(shown),
                TextKind::Attachment => ChatPart::Attachment,
                TextKind::Summary => {
                    self.omissions.outside += 1;
                    continue;
                }
            };
            match std::mem::replace(&mut begun, true) {
                true => chat.go_on(role, part),
                false => chat.push(role, part),
            }
        }
    }

    fn tool_use(&mut self, chat: &mut Chat, tool_use: ToolUse, is_parallel: bool) {
        if !tool_use.has_call {
            self.omissions.orphans += 1;
            return;
        }
        chat.push(MessageRole::Assistant, ChatPart::Use { tool_use: Box::new(tool_use), is_parallel });
    }
}

/// True if `tool_use` is a part of a UI message of the AI SDK, which divides messages into steps:
/// calls of one step are made together.
fn is_ai_sdk_part(document: &Document, tool_use: &ToolUse) -> bool {
    let is_kind = |kind: &str| kind == "dynamic-tool" || kind.starts_with("tool-");
    let is_part = |root: json::Value<'_>| {
        let kind = root.get("type").and_then(json::Value::as_str);
        let has_members = root.get("toolCallId").is_some() && root.get("state").is_some();
        Some(has_members && kind.is_some_and(|kind| is_kind(&kind)))
    };
    // The range of another use may reach to a result far below.
    document.with_value(tool_use.range.start, is_part).unwrap_or_default()
}

/// Adds the siblings of the messages in requests: the system prompt, and the members of chat shell
/// requests. Counts what was not read. `starts` are the starts of the conversations, in order.
fn add_members_beside(document: &Document, read: &mut ReadChats, known: &[usize], starts: &[usize]) {
    let text = document.text().to_string();
    let texts: Vec<(usize, &str)> = match document.language() {
        Language::Markdown | Language::Org => return,
        Language::Json => match json::values_of_document(&text) {
            Ok(values) => {
                values.into_iter().filter_map(|range| Some((range.start, text.get(range)?))).collect()
            }
            Err(_) => {
                read.omissions.faults += 1;
                vec![(0, &text)]
            }
        },
        Language::Log => syntax::log_lines(document.text(), 0)
            .filter_map(|line| Some((line.start, text.get(line)?)))
            .collect(),
    };
    for (start, text) in texts {
        let is_faulty_line = document.language() == Language::Log && LineFault::of(text).is_some();
        read.omissions.faults += usize::from(is_faulty_line);
        let json = json::parse(text);
        let Some(root) = json.root(text) else { continue };
        let lists = MESSAGES.iter().filter_map(|key| root.get(key));
        let messages = lists.chain([root]).find(|value| value.kind() == JsonKind::Array);
        let Some(messages) = messages else { continue };
        for message in messages.items() {
            match has_any(known, &message.span().range_at(start)) {
                true => read.add_unread_parts(message, start, known),
                false => read.omissions.unread += usize::from(has_content(message)),
            }
        }
        let range = messages.span().range_at(start);
        let number = starts.partition_point(|at| *at < range.start);
        let is_here = root.is_object() && starts.get(number).is_some_and(|at| *at < range.end);
        if !is_here {
            continue;
        }
        let written = |key| {
            let value = root.get(key)?.span().of(text);
            // Skips invalid JSON of a damaged document.
            serde_json::from_str::<&RawValue>(value).ok().map(|value| (key, value.get().to_owned()))
        };
        read.add_members(root, &OF_REQUESTS);
        let Some(chat) = read.chats.get_mut(number) else { continue };
        chat.shell = SHELL_MEMBERS.into_iter().filter_map(written).collect();
        chat.model = root.get("model").and_then(|model| Some(model.as_str()?.into_owned()));
        let tokens = MAX_TOKENS.iter().find_map(|key| root.get(key));
        chat.max_tokens = tokens.and_then(|tokens| tokens.raw().parse().ok());
        let prompts = PROMPTS.iter().filter_map(|key| Some(text_of(root.get(key)?)));
        let prompt = prompts.collect::<Vec<_>>().join("\n\n").trim().to_owned();
        if !prompt.is_empty() {
            let mut with_prompt = Chat::default();
            with_prompt.push(MessageRole::System, ChatPart::Text(prompt));
            chat.messages.splice(0..0, with_prompt.messages);
        }
    }
}

/// The starts of everything that was read from a message log, in order.
fn known_places(document: &Document) -> Vec<usize> {
    let texts = document.messages().of_log().iter().flat_map(|message| &message.texts);
    let uses = document.paired_uses();
    let blocks = uses.blocks().iter().map(|at| document.range_of(at).start);
    let mut places: Vec<usize> = texts.map(|text| text.range.start).chain(blocks).collect();
    places.sort_unstable();
    places
}

/// True if one of `places`, which are sorted, is in `range`.
fn has_any(places: &[usize], range: &Range<usize>) -> bool {
    let next = places.partition_point(|at| *at < range.start);
    places.get(next).is_some_and(|at| *at < range.end)
}

fn is_text(value: json::Value<'_>) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

/// True if a member of a part has content, and is not the kind of the part.
fn is_written((key, value): (json::Value<'_>, json::Value<'_>)) -> bool {
    let is_some = || is_text(value) || value.items().next().is_some() || value.is_object();
    key.as_str().as_deref() != Some("type") && is_some()
}

/// True if an element of a list of messages has an author, and content that is not blank.
fn has_content(message: json::Value<'_>) -> bool {
    let is_part = |part: json::Value<'_>| is_text(part) || part.entries().any(is_written);
    let has_author = AUTHORS.iter().any(|key| message.get(key).is_some());
    let mut contents = CONTENTS.iter().filter_map(|key| message.get(key));
    has_author && contents.any(|content| is_part(content) || content.items().any(is_part))
}

/// The text of a prompt: a string, or a list of parts with texts.
fn text_of(prompt: json::Value<'_>) -> String {
    if let Some(text) = prompt.as_str() {
        return text.into_owned();
    }
    let parts = prompt.get("parts").unwrap_or(prompt);
    let texts =
        parts.items().filter_map(|part| Some(part.get("text").unwrap_or(part).as_str()?.into_owned()));
    texts.collect::<Vec<_>>().join("\n\n")
}

fn of_transcript(document: &Document, end: usize) -> ReadChats {
    let mut read = ReadChats::default();
    if !document.is_active() {
        return read;
    }
    let mut chat = Chat::default();
    let messages = messages(document);
    let has_roles = messages.iter().any(|message| message.role.is_some());
    let mut uses: HashMap<usize, ToolUse> =
        document.tool_uses().into_iter().map(|tool_use| (tool_use.range.start, tool_use)).collect();
    uses.retain(|start, _| *start < end);
    let mut batch_of_last = None;
    for message in messages.into_iter().filter(|message| message.range.start < end) {
        let is_outside = has_roles && message.role.is_none();
        let role = message.role.unwrap_or(MessageRole::Assistant);
        if role == MessageRole::Other {
            read.omissions.unread += 1;
            continue;
        }
        let mut begun = false;
        for item in message.items {
            let part = match item {
                MessagePart::Text(_, range) | MessagePart::Thinking(_, range) if range.start >= end => {
                    continue;
                }
                MessagePart::Text(text, _) if text.trim().is_empty() => continue,
                MessagePart::Text(text, _) if is_outside && is_title(&text) => continue,
                MessagePart::Text(..) | MessagePart::Thinking(..) if is_outside => {
                    read.omissions.outside += 1;
                    continue;
                }
                MessagePart::Text(text, _) => {
                    read.omissions.unnamed += usize::from(message.role.is_none());
                    ChatPart::Text(text)
                }
                MessagePart::Thinking(text, _) => ChatPart::Thinking(text),
                MessagePart::Tools(group) => {
                    for tool_use in group.entries.iter().filter_map(|it| uses.remove(&it.range.start)) {
                        let batch = tool_use.batch;
                        let is_parallel = batch.is_some() && batch == batch_of_last;
                        batch_of_last = batch;
                        read.tool_use(&mut chat, tool_use, is_parallel);
                    }
                    continue;
                }
            };
            match std::mem::replace(&mut begun, true) {
                true => chat.go_on(role, part),
                false => chat.push(role, part),
            }
        }
    }
    // Results that are not displayed belong to no message.
    read.omissions.orphans += uses.len();
    read.chats.push(chat);
    read
}

/// True for a lone heading, which belongs to the document, not to a conversation.
fn is_title(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('#') && !text.contains('\n')
}
