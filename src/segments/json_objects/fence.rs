//! Distinguishes fences that hold a whole conversation from fences of documentation.
//!
//! Documentation is full of single calls in fences. Only messages in an array, or on lines of their
//! own, are a conversation. Messages whose first result precedes all calls are cut from a longer
//! conversation, and do not count.

use std::collections::HashMap;

use super::{FoundMessages, JsonCursor, ReadContext};
use crate::call::{CallPart, ConversationPlace};
use crate::forms::FormTable;
use crate::forms::form::{FormRole, MessageScope};
use crate::messages::objects::form_in;
use crate::messages::outline::{Container, MOST_NESTED, Outline, outline};
use crate::messages::thread::ThreadMark;
use crate::segments::block_unit::{BlockUnit, VisitBlock};
use crate::syntax::FenceView;

/// Minimum number of messages in a conversation.
const FEWEST: usize = 2;
/// Maximum number of bytes before the first bracket.
const MOST_BLANK: usize = 256;

/// Passes each object of a known form in a fence to `visit`, as in a line of a log. Returns whether
/// text of messages follows the last object; `None` if the fence is no conversation.
pub(crate) fn fence_units(
    context: ReadContext<'_>,
    fence: &FenceView,
    language: &str,
    cursor: &mut JsonCursor,
    visit: &mut VisitBlock<'_>,
) -> Option<bool> {
    // In some languages each line is a document.
    let has_lines = match language {
        "json" | "jsonc" | "json5" => false,
        "jsonl" | "ndjson" => true,
        _ => return None,
    };
    let content = &fence.content;
    let beginning = context.text.floor_boundary(content.end.min(content.start + MOST_BLANK));
    let beginning = context.json_slice(content.start..beginning.max(content.start));
    if !beginning.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let text = context.json_slice(fence.range.start..content.end);
    let forms = &*context.settings.forms;
    let outline = outline(&text, forms);
    // Messages of a protocol stand on lines in any fence.
    let is_message =
        |root: &&Container| root.parent().is_none() && root.members.value_of("jsonrpc").is_some();
    let is_recorded = outline.containers.iter().filter(is_message).nth(1).is_some();
    if !is_conversation(&text, &outline, forms, has_lines || is_recorded) {
        return None;
    }
    // Links between its lines are not followed, like those between elements of an array.
    let ends_in_text = cursor.read_text(context, &text, &outline, ThreadMark::in_array, &mut |unit| {
        visit(&BlockUnit { conversation: unit.conversation.in_fence(), ..*unit })
    });
    let messages = std::mem::take(&mut cursor.messages).fenced();
    cursor.messages = FoundMessages { is_recorded, ..messages };
    ends_in_text
}

/// The beginning of a conversation, as far as it is read.
#[derive(Default)]
struct Beginning {
    /// The number of its messages, and the start of the last one.
    count: usize,
    last: Option<u32>,
    /// The part of its first tool use.
    first_use: Option<CallPart>,
}

/// True if `text` has a conversation of several messages in which a call precedes the first result.
/// `has_lines` allows messages on lines.
fn is_conversation(text: &str, outline: &Outline, forms: &FormTable, has_lines: bool) -> bool {
    let form_of = |object: &Container| form_in(forms, text, object).map(|(_, form)| form);
    let mut known: HashMap<ConversationPlace, Beginning> = HashMap::new();
    let mut opaque_to = 0;
    let mut places = Vec::with_capacity(outline.containers.len());
    for object in &outline.containers {
        let is_read = object.is_object && object.depth <= MOST_NESTED && object.start as usize >= opaque_to;
        let form = is_read.then(|| form_of(object)).flatten();
        let array = outline.parent_of(object);
        let is_element = form.is_some_and(|form| form.is_message && form.scope == MessageScope::Array);
        let array = array.filter(|outer| !outer.is_object && is_element);
        let around = object.parent().and_then(|outer| places.get(outer)).copied().unwrap_or_default();
        let conversation = array.map_or(around, |array| ConversationPlace::Array(array.start));
        places.push(conversation);
        let Some(form) = form else { continue };
        if conversation == ConversationPlace::Document && !has_lines {
            continue;
        }
        let beginning = known.entry(conversation).or_default();
        let message = element_around(outline, object, conversation).start;
        if beginning.last.replace(message) != Some(message) {
            beginning.count += 1;
        }
        if let FormRole::Use(paths) = &form.role {
            opaque_to = object.end().unwrap_or(text.len());
            beginning.first_use.get_or_insert(paths.part);
        }
        let begins_with_call = beginning.first_use.is_some_and(|part| part != CallPart::Result);
        if begins_with_call && beginning.count >= FEWEST {
            return true;
        }
    }
    false
}

/// The element of `conversation` that contains `object`.
fn element_around<'o>(
    outline: &'o Outline,
    object: &'o Container,
    conversation: ConversationPlace,
) -> &'o Container {
    let mut element = object;
    while let Some(outer) = outline.parent_of(element)
        && conversation != ConversationPlace::Array(outer.start)
    {
        element = outer;
    }
    element
}
