//! Edits inside of one message in a long line of a log, or in a long fence.
//!
//! A line or fence is read as a whole. Its conversation may have hundreds of kilobytes, of which an
//! edit changes one message. If that message keeps its role in the conversation, only the message
//! is read again, and all other data are moved.

use std::borrow::Cow;
use std::ops::Range;

use super::piece::{JsonObjects, OuterContainer, Piece};
use super::{FoundMessages, JsonCursor};
use crate::call::{Conversation, ConversationPlace};
use crate::forms::{FormTable, Members};
use crate::messages::objects::{PARALLEL, data_of, preview_of, thread_mark};
use crate::messages::outline::{Container, outline, scan_members};
use crate::messages::thread::ThreadMark;
use crate::messages::tool_lists::{ServerItem, list_in};
use crate::segments::block_unit::{ReadContext, VisitBlock};
use crate::segments::data::SegmentData;
use crate::segments::line_faults::is_valid_line;
use crate::text::{Span, Splice, saturate};

/// The number of messages before an edit that may contain it.
const MOST_TRIED: usize = 4;
/// Maximum number of blank bytes before such a message.
const MOST_BLANK: usize = 256;

/// An edit inside of a message of a line or fence. Offsets are relative to the start of the line or
/// fence.
pub(crate) struct InnerEdit<'t> {
    splice: Splice,
    /// The range of the edited message, before the edit.
    message: Range<usize>,
    conversation: Conversation,
    /// The number of containers around it.
    depth: u32,
    /// True if it is an element of an array.
    is_element: bool,
    /// Its text before and after the edit.
    pub old: Cow<'t, str>,
    pub new: Cow<'t, str>,
    /// True if it is JSON without a separator of lines, before and after the edit.
    pub is_valid: bool,
}

impl<'t> InnerEdit<'t> {
    /// Finds the message that `splice` edits. `data` are the data of the line or fence in `old`,
    /// and `json` is the range of its JSON. `None` if the edit may affect more than one message.
    pub fn find(
        old: ReadContext<'t>,
        new: ReadContext<'t>,
        data: &SegmentData,
        json: &Range<usize>,
        splice: Splice,
    ) -> Option<Self> {
        let splice = Splice { start: splice.start.checked_sub(json.start)?, ..splice };
        let behind = data.log().messages.partition_point(|message| (message.start as usize) < splice.start);
        let mut tried = data.log().messages.get(..behind)?.iter().rev().take(MOST_TRIED);
        let (message, conversation, depth, is_element) = tried.find_map(|message| {
            let start = json.start + message.start as usize;
            let is_element = is_element(old, json.start..start, message.conversation.place)?;
            let end = end_of_object(old, start, json.end)? - json.start;
            let range = message.start as usize..end;
            (end > splice.old_end()).then_some((
                range,
                message.conversation,
                message.depth.into(),
                is_element,
            ))
        })?;
        // Reading the message alone saves little if it is most of the text.
        if message.len() * 2 > json.len() {
            return None;
        }
        let range = |end| json.start + message.start..json.start + end;
        let before = old.json_slice(range(message.end));
        let after = new.json_slice(range(message.end + splice.inserted - splice.removed));
        let at = splice.start - message.start;
        let forms = &*old.settings.forms;
        let is_same_around = signs_of(&before, at..at + splice.removed, forms)?
            == signs_of(&after, at..at + splice.inserted, forms)?;
        let is_valid = [&before, &after].into_iter().all(|text| is_valid_line(text));
        let (old, new) = (before, after);
        is_same_around.then_some(Self {
            splice,
            message,
            conversation,
            depth,
            is_element,
            old,
            new,
            is_valid,
        })
    }

    /// Passes each object of a known form in `text`, the text of the message before or after the
    /// edit, to `visit`. Returns the messages of `text`, whose offsets are relative to it, and
    /// whether text follows the last object.
    pub fn read(
        &self,
        context: ReadContext<'_>,
        text: &str,
        is_line: bool,
        visit: &mut VisitBlock<'_>,
    ) -> (FoundMessages, bool) {
        let mut cursor = JsonCursor::default();
        if self.is_element {
            let within = Conversation { thread: self.conversation.thread, ..Conversation::default() };
            let array = OuterContainer { segment: 0, offset: 0, is_object: false, depth: 0, within };
            cursor.open.push(array);
        }
        let outline = outline(text, &context.settings.forms);
        let thread_of = if is_line { ThreadMark::in_line } else { ThreadMark::in_array };
        let objects = JsonObjects::in_text(context, text, thread_of);
        let found =
            cursor.read_piece(objects, Piece { outline: &outline, offset: 0, depth: self.depth }, visit);
        (cursor.messages, found.ends_in_text)
    }

    /// Converts the conversation of an object, as read in the message alone, to one of the line or
    /// fence.
    pub fn conversation_inside(&self, alone: Conversation) -> Conversation {
        let place = match alone.place {
            ConversationPlace::Array(start) => ConversationPlace::Array(start + saturate(self.message.start)),
            _ => self.conversation.place,
        };
        Conversation { place, ..alone }
    }

    /// The range of the edited message, before and after the edit.
    pub fn message(&self) -> (Range<usize>, Range<usize>) {
        let Range { start, end } = self.message;
        (start..end, start..end + self.splice.inserted - self.splice.removed)
    }

    /// The start, after the edit, of an item that began at `start` before the edit.
    pub fn moved(&self, start: u32) -> u32 {
        moved_start(self.splice, start as usize).map_or(start, saturate)
    }

    /// Moves `span` by the edit.
    pub fn placed(&self, span: Span) -> Span {
        let start = self.moved(span.start);
        Span::new(start as usize, start as usize + span.len())
    }

    /// The conversation after the edit.
    pub fn conversation(&self, old: Conversation) -> Conversation {
        match old.place {
            ConversationPlace::Array(start) => {
                Conversation { place: ConversationPlace::Array(self.moved(start)), ..old }
            }
            _ => old,
        }
    }
}

/// True if a message that follows the range `before` is an element of an array. `None` if it may be
/// the value of a member: then it may determine the form of the object around it.
fn is_element(context: ReadContext<'_>, before: Range<usize>, place: ConversationPlace) -> Option<bool> {
    let start = context.text.floor_boundary(before.end.saturating_sub(MOST_BLANK)).max(before.start);
    let text = context.json_slice(start..before.end);
    let text = text.trim_end_matches([' ', '\t', '\n', '\r']);
    match place {
        ConversationPlace::Array(_) => text.ends_with(['[', ',']).then_some(true),
        // The lines of a fence follow a line end or a line of `...`.
        ConversationPlace::Lines => {
            let is_first = text.is_empty() && start == before.start;
            (is_first || text.ends_with(['}', ']', '.'])).then_some(false)
        }
        ConversationPlace::Document | ConversationPlace::Outer(_) => None,
    }
}

/// The end of the object at `start`; `None` if it is open at `limit`.
fn end_of_object(context: ReadContext<'_>, start: usize, limit: usize) -> Option<usize> {
    let forms = &context.settings.forms;
    let end = |text: &str, _| scan_members(text, start, 0, forms, &mut Members::default()).end();
    context.read_json(start, limit, end)
}

/// Converts the offset `start`; `None` if the edit removed it.
fn moved_start(splice: Splice, start: usize) -> Option<usize> {
    if start >= splice.old_end() {
        return Some(start + splice.inserted - splice.removed);
    }
    (start < splice.start).then_some(start)
}

/// The thread that the message `text` shows, and whether it has members that training examples,
/// and messages of a protocol, have; `None` if it is not one object, or if an object around the
/// bytes `edit` lists tools, which others may call.
fn signs_of(text: &str, edit: Range<usize>, forms: &FormTable) -> Option<(Option<ThreadMark>, [bool; 2])> {
    let outline = outline(text, forms);
    let root = outline.containers.first().filter(|root| root.end() == Some(text.len()))?;
    let is_around =
        |it: &&Container| (it.start as usize) < edit.start && it.end().is_none_or(|end| edit.end < end);
    let lists_tools = outline.containers.iter().filter(is_around).any(|object| {
        let preview = |value: usize| preview_of(text, value).into_owned().into();
        list_in(&object.members).is_some() || ServerItem::of_members(&object.members, &preview).is_some()
    });
    let of_data = || thread_mark(data_of(&outline, root)?, text);
    let thread = thread_mark(root, text).or_else(of_data);
    (!lists_tools).then_some((thread, [PARALLEL, "\"jsonrpc\""].map(|key| text.contains(key))))
}
