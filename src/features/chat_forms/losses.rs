//! The losses of a conversion of conversations.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::chat::{ChatMessage, ChatPart};
use super::read::{Omissions, ReadChats};
use crate::call::{MessageRole, ToolUse};
use crate::convert::{ConversionLoss, loss_text, losses};
use crate::document::ToolList;
use crate::registry::Tool;
use crate::text::with_plain_line_ends;

/// The data that conversations lack in another form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatLosses {
    /// The losses of tool uses, and the number of tool uses with each.
    pub uses: BTreeMap<ConversionLoss, usize>,
    /// Number of pieces of reasoning.
    pub thoughts: usize,
    /// Number of images and files.
    pub attachments: usize,
    /// Number of texts with other words or of another author.
    pub texts: usize,
    /// Number of texts with other line ends.
    pub line_ends: usize,
    /// Number of system messages that are moved before all other messages.
    pub moved: usize,
    /// Counts of the data that is in no conversation, or not written.
    pub omissions: Omissions,
    /// Number of listed tools that are not listed any more.
    pub tools: usize,
    /// Number of listed tools with another description or schema, or without one.
    pub changed_tools: usize,
    /// The members of listed tools that are not written, such as `strict`, with the number of
    /// tools.
    pub tool_options: BTreeMap<String, usize>,
}

impl ChatLosses {
    /// The losses in words: `drops 3 ids; changes 1 text`. Empty if there are none.
    pub fn words(&self) -> String {
        let counted = |verb: &str, count: usize, one: &str, several: &str| {
            (count > 0).then(|| format!("{verb} {count} {}", if count == 1 { one } else { several }))
        };
        let omitted = &self.omissions;
        let of_uses = loss_text::of_several(&self.uses);
        let of_tools = self.tool_options.iter().map(|(option, count)| {
            format!("drops `{option}` of {count} tool{}", if *count == 1 { "" } else { "s" })
        });
        let of_tools = of_tools.collect::<Vec<_>>().join("; ");
        let of_members = omitted.members.iter().map(|(member, count)| match count {
            1 => format!("`{member}`"),
            _ => format!("{count} `{member}`"),
        });
        let of_members = of_members.collect::<Vec<_>>().join(", ");
        let parts = [
            (!of_uses.is_empty()).then_some(of_uses),
            counted("drops", self.thoughts, "piece of reasoning", "pieces of reasoning"),
            counted("drops", self.attachments, "attachment", "attachments"),
            (!of_members.is_empty()).then(|| format!("drops {of_members}")),
            counted("drops", self.tools, "tool", "tools"),
            (!of_tools.is_empty()).then_some(of_tools),
            counted("drops", omitted.orphans, "result without a call", "results without a call"),
            counted("drops", omitted.outside, "text outside of messages", "texts outside of messages"),
            counted(
                "gives the assistant",
                omitted.unnamed,
                "text without a speaker",
                "texts without a speaker",
            ),
            counted("drops", omitted.unread, "message of an unknown form", "messages of unknown forms"),
            counted("drops", omitted.unread_parts, "part of an unknown kind", "parts of unknown kinds"),
            counted("drops", omitted.unread_texts, "text that is not read", "texts that are not read"),
            counted("drops", omitted.versions, "other version of a message", "other versions of messages"),
            counted("drops", omitted.citations, "citation", "citations"),
            counted("reads around", omitted.faults, "syntax error", "syntax errors"),
            counted("moves", self.moved, "system message", "system messages"),
            counted("changes", self.texts, "text", "texts"),
            counted("changes the line ends of", self.line_ends, "text", "texts"),
            counted("changes", self.changed_tools, "tool", "tools"),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}

/// The losses of `after`, the conversations as read again.
///
/// # Errors
///
/// The first tool use that is a different one in `after`, if any.
pub(super) fn between<'c>(
    before: &'c ReadChats,
    after: &ReadChats,
) -> Result<ChatLosses, Option<&'c ToolUse>> {
    let old: Vec<&ToolUse> = before.uses().collect();
    let new: Vec<&ToolUse> = after.uses().collect();
    let other = old.iter().zip(&new).position(|(old, new)| old.shown_name() != new.shown_name());
    if old.len() != new.len() || other.is_some() {
        return Err(old.get(other.unwrap_or(new.len())).copied());
    }
    let mut found = ChatLosses { omissions: before.omissions.clone(), ..ChatLosses::default() };
    found.omissions.unread_parts = before.omissions.unread_parts.saturating_sub(after.omissions.unread_parts);
    found.omissions.citations = before.omissions.citations.saturating_sub(after.omissions.citations);
    found.omissions.members.retain(|member, count| {
        *count = count.saturating_sub(after.omissions.members.get(member).copied().unwrap_or_default());
        *count > 0
    });
    for loss in old.iter().zip(&new).flat_map(|(old, new)| losses(old, new)) {
        *found.uses.entry(loss).or_default() += 1;
    }
    let count = |read: &ReadChats, is_counted: fn(&ChatPart) -> bool| {
        let parts = read.chats.iter().flat_map(|chat| &chat.messages).flat_map(|message| &message.parts);
        parts.filter(|part| is_counted(part)).count()
    };
    let lost = |is_counted| count(before, is_counted).saturating_sub(count(after, is_counted));
    found.thoughts = lost(|part| matches!(part, ChatPart::Thinking(_)));
    found.attachments = lost(|part| matches!(part, ChatPart::Attachment));
    found.moved = late_prompts(before).saturating_sub(late_prompts(after));
    let (texts, now) = (texts(before), texts(after));
    for (old, new) in texts.iter().zip(&now).filter(|(old, new)| old != new) {
        let has_same_words =
            (old.0, old.1) == (new.0, new.1) && with_plain_line_ends(&old.2) == with_plain_line_ends(&new.2);
        *(if has_same_words { &mut found.line_ends } else { &mut found.texts }) += 1;
    }
    found.texts += texts.len().abs_diff(now.len());
    for (old, new) in before.chats.iter().zip(&after.chats) {
        found.add_tools(&old.tools, &new.tools);
    }
    Ok(found)
}

impl ChatLosses {
    /// Adds the losses of the tools that a conversation lists.
    fn add_tools(&mut self, before: &ToolList, after: &ToolList) {
        self.tools += before.others.saturating_sub(after.others);
        for old in &before.tools {
            match after.tools.iter().find(|new| new.name == old.name) {
                None => self.tools += 1,
                Some(new) => {
                    self.changed_tools += usize::from(facts_of(old) != facts_of(new));
                    let written = after.options.get(&old.name);
                    let is_lost = |option: &&String| !written.is_some_and(|written| written.contains(option));
                    let options = before.options.get(&old.name).into_iter().flatten();
                    options.filter(is_lost).for_each(|option| {
                        *self.tool_options.entry(option.clone()).or_default() += 1;
                    });
                }
            }
        }
    }
}

/// The description and the schemas of a tool. A tool without a schema takes any object.
fn facts_of(tool: &Tool) -> (Option<&str>, Value, Option<&Value>) {
    let description = tool.description.as_deref().filter(|text| !text.trim().is_empty());
    let input = tool.input_schema.clone().unwrap_or_else(|| json!({ "type": "object" }));
    (description, input, tool.output_schema.as_ref())
}

/// Number of system messages after other messages.
fn late_prompts(read: &ReadChats) -> usize {
    let late = read.chats.iter().flat_map(|chat| {
        let is_prompt = |message: &&ChatMessage| message.role == MessageRole::System;
        chat.messages.iter().skip_while(is_prompt).filter(is_prompt)
    });
    late.count()
}

/// The texts between tool uses, after the texts of the system, which are joined into one. Each has
/// its author and the number of its conversation.
fn texts(read: &ReadChats) -> Vec<(usize, MessageRole, String)> {
    let mut texts = Vec::new();
    for (number, chat) in read.chats.iter().enumerate() {
        let (prompts, others): (Vec<_>, Vec<_>) =
            chat.messages.iter().partition(|message| message.role == MessageRole::System);
        if !prompts.is_empty() {
            let prompts: Vec<_> = prompts.into_iter().map(ChatMessage::text).collect();
            texts.push((number, MessageRole::System, prompts.join("\n\n")));
        }
        for message in others {
            let mut goes_on = false;
            for part in &message.parts {
                match part {
                    ChatPart::Text(text) if goes_on => {
                        let last: Option<&mut (usize, MessageRole, String)> = texts.last_mut();
                        last.map(|(.., last)| last.push_str(&format!("\n\n{text}"))).unwrap_or_default();
                    }
                    ChatPart::Text(text) => texts.push((number, message.role, text.clone())),
                    ChatPart::Thinking(_) | ChatPart::Attachment => continue,
                    ChatPart::Use { .. } => {}
                }
                goes_on = matches!(part, ChatPart::Text(_));
            }
        }
    }
    texts
}
