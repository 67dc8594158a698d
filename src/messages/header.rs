//! Reads the headers of messages from their members.

use std::borrow::Cow;

use super::content::role_of;
use super::outline::{Container, Outline};
use crate::call::message_header::is_empty_list;
use crate::call::{MessageHeader, MessageRole, SentContent, SentRole};
use crate::forms::Members;

/// The members of a bare message besides its calls: `content` and its metadata.
const MESSAGE_KEYS: [&str; 7] =
    ["role", "content", "name", "tool_calls", "tool_call_id", "function_call", "weight"];

/// True if an object has no other members than a message that is sent to a server.
pub fn is_bare(members: &Members) -> bool {
    members.count == MESSAGE_KEYS.iter().filter(|key| members.value_of(key).is_some()).count()
}

/// The header of a message by its own members. `preview` returns the text of a value, or its
/// beginning.
pub fn header_of<'t>(members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> MessageHeader {
    let value = |key: &str| members.value_of(key).map(preview);
    let role = |raw: Cow<'t, str>| {
        let name = raw.strip_prefix('"').and_then(|name| name.split_once('"'));
        name.map_or(SentRole::Unknown, |(name, _)| SentRole::from_name(name))
    };
    let calls = value("tool_calls").filter(|raw| raw.starts_with('['));
    let has_empty_calls = calls.as_deref().is_some_and(is_empty_list);
    let calls = calls.is_some() && !has_empty_calls;
    // Other members may be content: `parts`, `audio`, `refusal`.
    let has_others = !is_bare(members);
    let content = |raw: Cow<'t, str>| if has_others { SentContent::Filled } else { SentContent::of(&raw) };
    let missing = if has_others { SentContent::Filled } else { SentContent::Absent };
    // Vapi and ElevenLabs, which have roles of their own, have a text in place of a content.
    let is_sent = value("content").is_some() || !value("message").is_some_and(|raw| raw.starts_with('"'));
    MessageHeader {
        author: author_of(members, preview),
        role: value("role").filter(|_| is_sent).map(role).unwrap_or_default(),
        content: value("content").map_or(missing, content),
        has_calls: calls || value("function_call").is_some_and(|raw| raw.starts_with('{')),
        has_empty_calls,
        has_wrong_weight: value("weight").is_some_and(|raw| !is_weight(&raw)),
    }
}

/// True if `raw` begins with 0, 1 or `null`.
fn is_weight(raw: &str) -> bool {
    let end = raw.find([',', '}', ' ', '\t', '\n', '\r']).unwrap_or(raw.len());
    matches!(raw.get(..end), Some("0" | "1" | "0.0" | "1.0" | "null"))
}

/// Maximum number of containers between a text and its message.
pub const MOST_AROUND: usize = 8;

/// The author of the message around the container at `index`: the role of the innermost object
/// around it that has one. `None` beside the outermost container, if none has.
pub fn author_in<'t>(
    outline: &Outline,
    container: &Container,
    preview: &dyn Fn(usize) -> Cow<'t, str>,
) -> Option<MessageRole> {
    let parent = |inner: &&Container| outline.parent_of(inner);
    let around = std::iter::successors(Some(container), parent).skip(1).take(MOST_AROUND);
    around.filter(|outer| outer.is_object).find_map(|outer| author_of(&outer.members, preview))
}

/// The author of a message in any family.
pub fn author_of<'t>(members: &Members, preview: &dyn Fn(usize) -> Cow<'t, str>) -> Option<MessageRole> {
    let named = |key: &str| {
        let value = preview(members.value_of(key)?);
        let name = value.strip_prefix('"')?.split('"').next()?;
        // Other objects have types, too, so only the classes of LangChain's messages count.
        role_of(name).filter(|_| key != "type" || name.contains("Message"))
    };
    ["role", "from", "source", "sender", "type"].iter().find_map(|key| named(key))
}
