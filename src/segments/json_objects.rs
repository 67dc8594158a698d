//! Finds the objects of known forms in JSON documents, in lines of logs, and in fences.
//!
//! The JSON of a line or a fence is held as a whole, and no object in it begins or ends elsewhere.
//! A segment of a JSON document is a piece of text between two tokens. An object that begins in a
//! segment belongs to it, wherever it ends. The containers that are open at a segment's start, and
//! the members of objects that span segments, are found by the brackets in the sums of the tree, at
//! a cost that does not depend on the document's length.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::call::{Conversation, ConversationPlace, RecordLink, SentRole, ThreadLink};
use crate::config::Settings;
use crate::dialect::{BlockSource, log};
use crate::forms::form::FormRole;
use crate::messages::header::is_bare;
use crate::messages::outline::{MOST_NESTED, outline};
use crate::messages::tool_lists::ToolLists;
use crate::segments::block_unit::{BlockUnit, ReadContext, VisitBlock};
use crate::segments::data::{BlankText, DocumentSegment, LogMessage};
use crate::syntax::MappedContent;
use crate::text::{Span, saturate};

mod around;
mod conversation;
mod damage;
mod edited;
mod fence;
mod line;
mod listed;
mod object_text;
mod piece;
mod validity;

pub(crate) use around::members_around;
use conversation::ends_stream;
pub(crate) use damage::{extend_damage, head_of};
pub(crate) use edited::InnerEdit;
pub(crate) use fence::fence_units;
use listed::ListingItem;
pub(crate) use listed::listing_items;
pub(crate) use object_text::{ObjectTexts, fence_text, object_text};
pub(crate) use piece::response_in;
use piece::{JsonObjects, Object, OuterContainer, Piece};
pub(crate) use validity::{ValueEnd, value_end};

/// The messages that begin in a segment.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundMessages {
    pub messages: Vec<LogMessage>,
    pub blank_texts: Vec<BlankText>,
    /// The start of the messages of a training example, if the segment is one.
    pub example: Option<u32>,
    /// The link of the message in a line to others of its thread.
    pub thread_link: Option<ThreadLink>,
    /// The link of a line's record to its parent.
    pub record_link: Option<RecordLink>,
    /// True if the text lists tools of calls in it.
    pub has_lists: bool,
    /// True if the text is a message as it is sent to a server, and nothing else.
    pub is_bare: bool,
    /// True if the messages stand in a fence. They are no evidence, because documentation shows
    /// such messages.
    pub is_fenced: bool,
    /// True if the messages are records of a protocol. Documentation has single records of
    /// protocols.
    pub is_recorded: bool,
}

impl FoundMessages {
    /// The same messages as part of a fence: the lines of the fence are the conversation of the
    /// messages outside of arrays.
    fn fenced(mut self) -> Self {
        self.messages.iter_mut().for_each(|message| message.conversation = message.conversation.in_fence());
        Self { example: None, thread_link: None, record_link: None, is_fenced: true, ..self }
    }

    /// Adds an empty text of a message.
    fn add_blank(&mut self, start: u32, conversation: Conversation) {
        let is_sent = conversation.place != ConversationPlace::Document || self.is_bare;
        if is_sent || self.record_link.is_some() {
            self.blank_texts.push(BlankText { start, conversation });
        }
    }
}

/// The offset of the list of tools around a call, if any, and the offsets of array items that list
/// more tools for it.
type ListOffsets = (Option<usize>, Vec<usize>);

/// The end of a piece of text that was read.
struct PieceEnd {
    /// For each container, the conversation of its objects that are not messages.
    within: Vec<Conversation>,
    /// True if it has objects of known forms.
    has_forms: bool,
    /// True if text of messages follows the last object.
    ends_in_text: bool,
}

/// Reads the segments of a JSON document, one after the other or from anywhere, or a line of a log
/// or a fence. Collects the messages and the lists of tools in them.
#[derive(Clone, Debug, Default)]
pub(crate) struct JsonCursor {
    /// The index of the next segment, which `open` and `opaque_to` describe; `None` if they are
    /// unknown.
    next: Option<usize>,
    /// The containers that are open at its start, outermost first.
    open: Vec<OuterContainer>,
    /// The document offset up to which the text is inside a tool use, where no objects are
    /// searched.
    opaque_to: usize,
    /// The messages that began in the segments that were read.
    pub messages: FoundMessages,
    /// The lists of tools that were read.
    pub lists: ToolLists,
    /// The ranges of the lists of tools in objects, by the document offset of the object.
    list_ranges: HashMap<usize, Option<Range<usize>>>,
    /// The items of arrays that list tools, by the document offset of the array.
    items: HashMap<usize, Vec<ListingItem>>,
    /// The settings of calls for which tools are listed.
    settings: HashMap<ListOffsets, Option<Arc<Settings>>>,
}

impl JsonCursor {
    /// Passes each object of a known form that begins in a segment to `visit`. Returns whether text
    /// of messages follows the last one.
    pub fn read(
        &mut self,
        context: ReadContext<'_>,
        located: &DocumentSegment<'_>,
        visit: &mut VisitBlock<'_>,
    ) -> bool {
        self.seek(context, located.index);
        let text = context.text.slice(located.range());
        let objects = JsonObjects::in_segment(context, (located.offset, &text));
        let outline = outline(&text, &context.settings.forms);
        let piece = Piece { outline: &outline, offset: located.offset, depth: saturate(self.open.len()) };
        let found = self.read_piece(objects, piece, visit);
        self.advance(located.index, piece, &found.within);
        found.ends_in_text
    }

    /// Passes each object of a known form that begins in a piece of text to `visit`.
    fn read_piece(
        &mut self,
        objects: JsonObjects<'_>,
        piece: Piece<'_>,
        visit: &mut VisitBlock<'_>,
    ) -> PieceEnd {
        let mut within = Vec::with_capacity(piece.outline.containers.len());
        let (mut has_forms, mut is_text) = (false, false);
        for container in &piece.outline.containers {
            let start = piece.offset + container.start as usize;
            let depth = piece.depth_of(container);
            if !container.is_object || start < self.opaque_to || depth > MOST_NESTED {
                let around = self.around(piece, container, &within);
                within.push(around.map(|outer| outer.within).unwrap_or_default());
                continue;
            }
            let is_root = objects.whole.is_some() && container.parent().is_none() && self.open.is_empty();
            let object = objects.object(piece, container, is_root);
            let conversation = self.conversation(objects, piece, &object, &within);
            within.push(conversation);
            let Some((rule, form)) = object.form else { continue };
            has_forms |= !form.is_nested || !matches!(form.role, FormRole::Text | FormRole::Blank);
            if form.is_message {
                let header = object.header(objects);
                self.messages.is_bare |=
                    is_root && header.role != SentRole::Absent && is_bare(&object.members);
                // A message that ends a stream repeats the calls of the stream; it is no
                // conversation of its own.
                let conversation = match ends_stream(objects, piece, container) {
                    true => Conversation { place: ConversationPlace::Document, ..conversation },
                    false => conversation,
                };
                let form = u16::try_from(rule).unwrap_or(u16::MAX);
                let depth = u8::try_from(depth).unwrap_or(u8::MAX);
                let message = LogMessage { start: container.start, depth, form, header, conversation };
                self.messages.messages.push(message);
            }
            if form.is_opaque() {
                self.opaque_to = object.opaque_to();
            }
            match form.role {
                FormRole::Message | FormRole::Repetition => {}
                FormRole::Text => is_text = true,
                FormRole::Blank => self.messages.add_blank(container.start, conversation),
                FormRole::Use(_)
                    if form.author.is_some() && form.author != self.author(objects, piece, container) =>
                {
                    is_text = true;
                }
                FormRole::Use(_) => {
                    let after_text = std::mem::take(&mut is_text);
                    self.visit_use(objects, piece, (&object, rule, conversation), after_text, visit);
                }
            }
        }
        PieceEnd { within, has_forms, ends_in_text: is_text }
    }

    /// Passes an object that is a part of a tool use to `visit`, with the index of its form in the
    /// table, and its conversation; `after_text` if text of messages precedes it.
    fn visit_use(
        &mut self,
        objects: JsonObjects<'_>,
        piece: Piece<'_>,
        (object, rule, conversation): (&Object<'_>, usize, Conversation),
        after_text: bool,
        visit: &mut VisitBlock<'_>,
    ) {
        let listed = self.listed_settings(objects, piece, object);
        self.messages.has_lists |= objects.whole.is_some() && listed.is_some();
        let settings = listed.as_deref().unwrap_or(objects.context.settings);
        let start = object.container.start;
        let text = objects.slice(piece.offset + start as usize..object.end);
        visit(&BlockUnit {
            dialect: &log::DIALECT,
            source: BlockSource { rule, ..BlockSource::new(&text, settings) },
            content: &MappedContent::at(&text, start),
            opening: Span { start, end: start + 1 },
            full_span: Span { start, end: saturate(object.opaque_to() - piece.offset) },
            after_text,
            is_line: false,
            conversation,
        });
    }

    /// Moves to the segment at `index`.
    fn seek(&mut self, context: ReadContext<'_>, index: usize) {
        if self.next == Some(index) {
            return;
        }
        self.move_to(index, JsonObjects::of(context).chain_at(index));
    }

    /// Moves to the segment after the one at `index`, which is `piece`.
    fn advance(&mut self, index: usize, piece: Piece<'_>, within: &[Conversation]) {
        let Piece { outline, offset, .. } = piece;
        self.open.truncate(self.open.len().saturating_sub(outline.closes as usize));
        let base = self.open.len();
        let start_of = |index: &u32| outline.containers.get(*index as usize).map(|it| it.start);
        for (nth, opened) in outline.open.iter().enumerate() {
            let mut within = within.get(*opened as usize).copied().unwrap_or_default();
            if let ConversationPlace::Array(start) = within.place {
                let level = base + outline.open.partition_point(|index| start_of(index) < Some(start));
                within.place = ConversationPlace::Outer(saturate(level));
            }
            let container = OuterContainer::open_in(outline, nth, (index, offset));
            self.open.extend(container.map(|container| OuterContainer { within, ..container }));
        }
        self.next = Some(index + 1);
    }
}
