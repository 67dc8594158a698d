//! A conversation, independent of its form.

use std::collections::{HashMap, HashSet};

use crate::call::{MessageRole, ToolUse};
use crate::document::ToolList;

/// A conversation.
#[derive(Clone, Debug, Default)]
pub(super) struct Chat {
    pub messages: Vec<ChatMessage>,
    /// The tools that are listed for it.
    pub tools: ToolList,
    /// The members beside its messages that a request of the chat shell has, as they are written.
    pub shell: Vec<(&'static str, String)>,
    /// The model that a request names, and the maximum number of tokens of its answer.
    pub model: Option<String>,
    pub max_tokens: Option<u64>,
}

/// The members of a request of the chat shell that are neither messages nor tools, in order.
pub(super) const SHELL_MEMBERS: [&str; 5] = ["promptPath", "conversationUuid", "todos", "briefs", "media"];

/// A message, or all messages of the assistant up to the next one of another author.
#[derive(Clone, Debug)]
pub(super) struct ChatMessage {
    pub role: MessageRole,
    pub parts: Vec<ChatPart>,
}

/// A part of a message.
#[derive(Clone, Debug)]
pub(super) enum ChatPart {
    Text(String),
    /// Reasoning of a model.
    Thinking(String),
    /// An image or a file.
    Attachment,
    Use {
        tool_use: Box<ToolUse>,
        /// True if it was called together with the tool use before it.
        is_parallel: bool,
    },
}

/// The answer of the assistant to one request: text, then calls.
#[derive(Debug, Default)]
pub(super) struct Step<'c> {
    pub texts: Vec<&'c str>,
    pub uses: Vec<&'c ToolUse>,
}

impl Chat {
    /// Adds a part of a message of `role`; messages of the assistant go on.
    pub fn push(&mut self, role: MessageRole, part: ChatPart) {
        match self.messages.last_mut() {
            Some(last) if last.role == role && role == MessageRole::Assistant => last.push(part),
            _ => self.begin(role, part),
        }
    }

    /// Adds a part to the last message, or to a new one of `role`.
    pub fn go_on(&mut self, role: MessageRole, part: ChatPart) {
        match self.messages.last_mut().filter(|last| last.role == role) {
            Some(last) => last.push(part),
            None => self.begin(role, part),
        }
    }

    fn begin(&mut self, role: MessageRole, part: ChatPart) {
        let mut message = ChatMessage { role, parts: Vec::new() };
        message.push(part);
        self.messages.extend((!message.parts.is_empty()).then_some(message));
    }

    /// Gives a call whose id an earlier one has a new one: most readers find calls by their ids.
    pub fn number_anew(&mut self) {
        let mut taken: HashSet<String> = HashSet::new();
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for part in self.messages.iter_mut().flat_map(|message| &mut message.parts) {
            let ChatPart::Use { tool_use, .. } = part else { continue };
            let Some(id) = tool_use.id.as_mut().filter(|id| !id.is_empty()) else { continue };
            if taken.insert(id.clone()) {
                continue;
            }
            let number = numbers.entry(id.clone()).or_insert(0);
            let new = loop {
                *number += 1;
                let new = format!("{id}_{number}");
                if taken.insert(new.clone()) {
                    break new;
                }
            };
            *id = new;
        }
    }

    /// The tool uses, in order.
    pub fn uses(&self) -> impl Iterator<Item = &ToolUse> {
        self.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
            ChatPart::Use { tool_use, .. } => Some(&**tool_use),
            _ => None,
        })
    }
}

impl ChatMessage {
    /// Adds a part; consecutive texts become one.
    fn push(&mut self, part: ChatPart) {
        match (part, self.parts.last_mut()) {
            (ChatPart::Text(text) | ChatPart::Thinking(text), _) if text.trim().is_empty() => {}
            (ChatPart::Text(text), Some(ChatPart::Text(last)))
            | (ChatPart::Thinking(text), Some(ChatPart::Thinking(last))) => {
                last.push_str("\n\n");
                last.push_str(text.trim());
            }
            (ChatPart::Text(text), _) => self.parts.push(ChatPart::Text(text.trim().to_owned())),
            (ChatPart::Thinking(text), _) => self.parts.push(ChatPart::Thinking(text.trim().to_owned())),
            (part, _) => self.parts.push(part),
        }
    }

    /// The texts of the message in one.
    pub fn text(&self) -> String {
        let texts = self.parts.iter().filter_map(|part| match part {
            ChatPart::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    /// The message as steps: one ends before a text that follows calls, and before a call that was
    /// made after the results of others.
    pub fn steps(&self) -> Vec<Step<'_>> {
        let mut steps: Vec<Step<'_>> = Vec::new();
        for part in &self.parts {
            let goes_on = steps.last().is_some_and(|last| {
                last.uses.is_empty() || matches!(part, ChatPart::Use { is_parallel: true, .. })
            });
            if !goes_on {
                steps.push(Step::default());
            }
            let Some(step) = steps.last_mut() else { continue };
            match part {
                ChatPart::Text(text) => step.texts.push(text),
                ChatPart::Use { tool_use, .. } => step.uses.push(tool_use),
                ChatPart::Thinking(_) | ChatPart::Attachment => {}
            }
        }
        steps
    }
}
