//! Finds the objects of known forms in JSON documents and in the lines of logs.
//!
//! A segment of a JSON document is a piece of text between two tokens. An object that begins in a
//! segment belongs to it, wherever it ends. The containers that are open at a segment's start, and
//! the members of objects that span segments, are found by the brackets in the sums of the tree, at
//! a cost that does not depend on the document's length.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::call::{Conversation, ConversationPlace, MessageRole, RecordLink, ThreadLink};
use crate::config::Settings;
use crate::dialect::{BlockSource, ReadOutcome, log};
use crate::document::block_unit::{BlockUnit, ReadContext};
use crate::document::segment_data::{BlankText, LogMessage, SegmentAttachment};
use crate::forms::form::{Form, FormRole};
use crate::forms::{FormTable, MOST_MEMBERS, Members};
use crate::json;
use crate::messages::header::{ElementMark, MOST_AROUND, MessageData, author_in, speaker_of, told_of};
use crate::messages::outline::{Container, MemberScan, Outline, PREVIEW, outline, scan_members};
use crate::messages::read::is_form;
use crate::messages::thread::ThreadMark;
use crate::messages::tool_lists::{ServerLabel, ToolLists};
use crate::syntax::{LocatedSegment, MappedContent};
use crate::text::Span;

mod around;
mod conversation;
mod damage;
mod edited;
mod fence;
mod line;
mod listed;
mod object_text;
mod validity;

pub(super) use around::members_around;
use conversation::SegmentConversations;
pub(super) use damage::{extend_damage, head_of};
pub(super) use edited::{EditedUse, InnerEdit};
pub(super) use fence::fence_units;
pub(super) use line::{line_units, listing_items};
use listed::{ListedSettings, ListingItem};
pub(super) use object_text::{ObjectTexts, object_text, whole_text};
pub(super) use validity::{ValueEnd, value_end};

/// Maximum number of bytes of an object without a closing bracket.
const UNCLOSED: usize = 64 << 10;

/// A container that begins before the text in question.
#[derive(Clone, Debug)]
struct OuterContainer {
    /// The segment that it begins in, and its document offset.
    segment: usize,
    offset: usize,
    is_object: bool,
    /// Number of brackets that the segment leaves open from its own on.
    depth: u32,
    /// Its part as an element of a conversation, as far as that is known.
    element: Option<ElementMark>,
    /// The conversation of objects in it that are no messages, as far as that is known.
    within: Option<Conversation>,
}

/// The messages that begin in a segment.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundMessages {
    pub messages: Vec<LogMessage>,
    pub blank_texts: Vec<BlankText>,
    /// The start of the messages of a training example, if the segment is one.
    pub example: Option<u32>,
    /// The link of the message in a line to others of its thread.
    pub thread_link: Option<ThreadLink>,
    /// The link of the record in a line to the one before it.
    pub record_link: Option<RecordLink>,
    /// True if the text lists tools of calls in it.
    pub has_lists: bool,
    /// True if the text is a message as it is sent to a server, and nothing else.
    pub is_bare: bool,
    /// True if they stand in a fence. Documentation shows such: they are no evidence.
    pub is_fenced: bool,
}

impl FoundMessages {
    /// The same messages of a fence: those without an array are its lines.
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

/// The kind of an object, as far as it matters to what it contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObjectKind {
    Other,
    Message,
    /// A part of a tool use, or a repetition: no forms are searched in it.
    Whole {
        is_message: bool,
    },
}

/// The document offsets of a list of tools, if any, and of the items that list more for the calls
/// in it.
type ListOffsets = (Option<usize>, Vec<usize>);

/// Reads the segments of a JSON document, one after the other or from anywhere.
#[derive(Clone, Debug, Default)]
pub(super) struct JsonCursor {
    /// The segment that the rest applies to; `None` if it is unknown.
    next: Option<usize>,
    /// The containers that are open at its start, outermost first.
    open: Vec<OuterContainer>,
    /// The offset up to which the text belongs to a part of a tool use.
    covered: usize,
    /// The messages that began in the segments that were read.
    pub messages: FoundMessages,
    /// The lists of tools that were read.
    lists: ToolLists,
    /// The settings of the calls in an object that lists tools, by its document offset.
    settings: HashMap<usize, Option<ListedSettings>>,
    /// The items of arrays that list tools, by the document offset of the array.
    items: HashMap<usize, Vec<ListingItem>>,
    /// The settings of the calls that items list tools for.
    with_items: HashMap<ListOffsets, Option<Arc<Settings>>>,
}

impl JsonCursor {
    /// The lists of tools that were read.
    pub fn into_tool_lists(self) -> ToolLists {
        self.lists
    }

    /// The lists of tools that were read.
    pub fn tool_lists(&mut self) -> &mut ToolLists {
        &mut self.lists
    }

    /// Passes each object of a known form that begins in a segment to `visit`. Returns whether text
    /// of messages follows the last one.
    pub fn read(
        &mut self,
        context: ReadContext<'_>,
        located: &LocatedSegment<'_, SegmentAttachment>,
        visit: &mut dyn FnMut(&BlockUnit<'_>) -> ReadOutcome,
    ) -> bool {
        self.seek(context, located.index);
        let text = context.text.slice(located.range());
        let outline = outline(&text, &context.settings.forms);
        let objects = JsonObjects { context };
        let mut known = SegmentConversations::new(&outline);
        let mut is_text = false;
        for (index, container) in outline.containers.iter().enumerate() {
            let start = located.offset + container.start as usize;
            if !container.is_object || start < self.covered {
                continue;
            }
            let beyond = (container.end().is_none()).then(|| objects.members(located.index, start));
            let (members, end) = match &beyond {
                Some((members, end)) => (members, end.unwrap_or_else(|| objects.recovered_end(start))),
                None => (&container.members, located.offset + container.end().unwrap_or_default()),
            };
            let base = if beyond.is_some() { 0 } else { located.offset };
            let form = objects.form(members, base, start..end);
            let told = form.filter(|(_, form)| form.is_message);
            let told = told.map(|_| told_of(members, &|value| objects.preview(base + value)));
            let mark = told.map(|told| told.mark(true)).unwrap_or_default();
            if let Some(element) = known.elements.get_mut(index) {
                *element = Some(mark);
            }
            let Some((rule, form)) = form else { continue };
            if let Some(told) = told {
                let conversation = self.conversation(objects, located, &mut known, (index, mark));
                self.messages.messages.push(LogMessage::new(
                    container.start,
                    rule,
                    told.speaker,
                    told.sent,
                    conversation,
                ));
            }
            if form.covers() {
                self.covered = end;
            }
            match form.role {
                FormRole::Message | FormRole::Repetition => {}
                FormRole::Text => is_text = true,
                FormRole::Blank => {
                    let conversation = self.conversation(objects, located, &mut known, (index, mark));
                    self.messages.add_blank(container.start, conversation);
                }
                FormRole::Use(_)
                    if form.author.is_some()
                        && form.author != self.author(objects, (&outline, located.offset), container) =>
                {
                    is_text = true;
                }
                FormRole::Use(_) => {
                    let conversation = self.conversation(objects, located, &mut known, (index, mark));
                    let server = ServerLabel::of_call(members, &|value| objects.preview(base + value));
                    let listed = self.listed_settings(objects, &outline, located, index, server.as_ref());
                    let context =
                        ReadContext { settings: listed.as_deref().unwrap_or(context.settings), ..context };
                    let object = context.text.slice(start..end);
                    let after_text = std::mem::take(&mut is_text);
                    let place = ObjectPlace { start: container.start, after_text, conversation };
                    visit_object(context, (rule, &object), place, visit);
                }
            }
        }
        self.advance(located, &known);
        is_text
    }

    /// The author of the message around an object of a segment.
    fn author(
        &self,
        objects: JsonObjects<'_>,
        (outline, offset): (&Outline, usize),
        object: &Container,
    ) -> Option<MessageRole> {
        let author = author_in(outline, object, &|value| objects.preview(offset + value));
        author.or_else(|| {
            let levels = self.open.len().saturating_sub(object.outer_closes as usize);
            let around = self.open.get(..levels)?.iter().rev().take(MOST_AROUND);
            around.filter(|outer| outer.is_object).find_map(|outer| {
                let (members, _) = objects.members(outer.segment, outer.offset);
                speaker_of(&members, &|value| objects.preview(value))
            })
        })
    }

    /// Moves to the segment at `index`.
    fn seek(&mut self, context: ReadContext<'_>, index: usize) {
        if self.next == Some(index) {
            return;
        }
        self.next = Some(index);
        let objects = JsonObjects { context };
        self.open = objects.open_containers(index);
        self.covered = 0;
        for container in self.open.iter_mut().filter(|container| container.is_object) {
            let (kind, mark, end) = objects.kind_of(container.segment, container.offset);
            container.element = Some(mark);
            // Objects in one that is whole are not read, even if they outlast it.
            if matches!(kind, ObjectKind::Whole { .. }) && container.offset >= self.covered {
                self.covered = end;
            }
        }
    }

    /// Moves to the next segment.
    fn advance(&mut self, located: &LocatedSegment<'_, SegmentAttachment>, known: &SegmentConversations<'_>) {
        let outline = known.outline;
        self.open.truncate(self.open.len().saturating_sub(outline.closes as usize));
        let containers = outline.open.iter().enumerate().filter_map(|(nth, index)| {
            let outer = OuterContainer::open_in(outline, nth, (located.index, located.offset))?;
            Some(OuterContainer { element: known.elements.get(*index as usize).copied().flatten(), ..outer })
        });
        self.open.extend(containers);
        self.next = Some(located.index + 1);
    }
}

impl OuterContainer {
    /// The container with the number `nth` among those that are open at the end of a segment with
    /// this outline; `segment` is its index, and `base` its document offset.
    fn open_in(outline: &Outline, nth: usize, (segment, base): (usize, usize)) -> Option<Self> {
        let container = outline.containers.get(*outline.open.get(nth)? as usize)?;
        let depth = Span::empty(outline.open.len() - nth).start;
        let offset = base + container.start as usize;
        Some(Self { segment, offset, is_object: container.is_object, depth, element: None, within: None })
    }
}

impl ObjectKind {
    fn is_message(self) -> bool {
        matches!(self, Self::Message | Self::Whole { is_message: true })
    }
}

/// The objects of a JSON document.
#[derive(Clone, Copy)]
struct JsonObjects<'a> {
    context: ReadContext<'a>,
}

impl<'a> JsonObjects<'a> {
    fn forms(self) -> &'a FormTable {
        &self.context.settings.forms
    }

    /// The form of an object with these members, whose text is `range`, and its index in the table.
    /// `base` is added to the offsets of the members.
    fn form(self, members: &Members, base: usize, range: Range<usize>) -> Option<(usize, &'a Form)> {
        let preview = |value: usize| self.preview(base + value);
        self.forms()
            .find(members, preview, |form| !form.needs_text() || is_form(form, &self.slice(range.clone())))
    }

    /// The text of the value at `value`, or its beginning.
    fn preview(self, value: usize) -> Cow<'a, str> {
        self.slice(value..value + PREVIEW)
    }

    /// The part of `range` that lies in the text.
    fn slice(self, range: Range<usize>) -> Cow<'a, str> {
        self.context.text.slice(range.start..range.end.min(self.context.text.len()))
    }

    /// The own members of the object at `offset` of the segment at `index`, with document offsets;
    /// and its end, if it is closed.
    fn members(self, index: usize, offset: usize) -> (Members, Option<usize>) {
        let tree = self.context.tree;
        let mut members = Members::default();
        let (mut segment, mut start, mut depth) = (index, offset, 0);
        while let Some(located) = tree.locate(segment) {
            let text = self.slice(start..located.range().end);
            match scan_members(&text, start, depth, self.forms(), &mut members) {
                MemberScan::Closed(end) => return (members, Some(end)),
                MemberScan::Open(open) => depth = open,
            }
            segment += 1;
            if depth > 1 {
                let Some((closing, between)) = tree.closing_segment(segment, depth - 1) else { break };
                (segment, depth) = (closing, depth + between.opens - between.closes);
            }
            // An object of so many members has no known form.
            if members.count > MOST_MEMBERS {
                let end =
                    tree.closing_segment(segment, depth).map(|(segment, _)| tree.offset_of(segment + 1));
                return (members, end);
            }
            start = tree.offset_of(segment);
        }
        (members, None)
    }

    /// The containers that are open at the start of the segment at `index`, outermost first.
    fn open_containers(self, index: usize) -> Vec<OuterContainer> {
        self.containers_of(&self.context.tree.open_brackets(index))
    }

    /// The containers that begin with [`Tree::open_brackets`](crate::syntax::Tree::open_brackets).
    fn containers_of(self, brackets: &[(usize, usize)]) -> Vec<OuterContainer> {
        let mut last: Option<(usize, usize, Outline)> = None;
        let tree = self.context.tree;
        let container = |&(segment, nth): &(usize, usize)| {
            if last.as_ref().is_none_or(|(known, ..)| *known != segment) {
                let located = tree.locate(segment)?;
                last = Some((segment, located.offset, outline(&self.slice(located.range()), self.forms())));
            }
            let (_, offset, outline) = last.as_ref()?;
            OuterContainer::open_in(outline, nth, (segment, *offset))
        };
        brackets.iter().filter_map(container).collect()
    }

    /// The end of the object at `start`, whose closing bracket is missing.
    fn recovered_end(self, start: usize) -> usize {
        start + json::parse_prefix(&self.slice(start..start + UNCLOSED)).end as usize
    }

    /// The end of the segment in which an array ends.
    fn end_of_array(self, array: &OuterContainer) -> usize {
        let tree = self.context.tree;
        let last = tree.closing_segment(array.segment + 1, array.depth);
        last.map_or(self.context.text.len(), |(segment, _)| tree.offset_of(segment + 1))
    }

    /// The kind of an object, its part as an element, and its end.
    fn kind_of(self, segment: usize, offset: usize) -> (ObjectKind, ElementMark, usize) {
        let (members, end) = self.members_and_end(segment, offset);
        let (form, told) = self.form_of(&members, offset..end);
        let kind = kind_of_form(form.map(|(_, form)| form));
        (kind, told.mark(kind.is_message()), end)
    }

    /// The own members of an object, with document offsets, and its end.
    fn members_and_end(self, segment: usize, offset: usize) -> (Members, usize) {
        let (members, end) = self.members(segment, offset);
        (members, end.unwrap_or_else(|| self.recovered_end(offset)))
    }

    /// The form of an object with these members, whose text is `range`, with its index in the
    /// table; and its data as a message.
    fn form_of(self, members: &Members, range: Range<usize>) -> (Option<(usize, &'a Form)>, MessageData) {
        (self.form(members, 0, range), told_of(members, &|value| self.preview(value)))
    }

    /// The part of an object that begins in a segment as an element.
    fn mark_of(self, located: &LocatedSegment<'_, SegmentAttachment>, object: &Container) -> ElementMark {
        let start = located.offset + object.start as usize;
        match object.end() {
            Some(end) => {
                let range = start..located.offset + end;
                let form = self.form(&object.members, located.offset, range).map(|(_, form)| form);
                let is_message = kind_of_form(form).is_message();
                let preview = |value: usize| self.preview(located.offset + value);
                let thread = ThreadMark::of_members(&object.members, &preview).map(ThreadMark::in_array);
                ElementMark { is_message, thread }
            }
            None => self.kind_of(located.index, start).1,
        }
    }
}

fn kind_of_form(form: Option<&Form>) -> ObjectKind {
    match form {
        None => ObjectKind::Other,
        Some(form) if form.covers() => ObjectKind::Whole { is_message: form.is_message },
        Some(Form { role: FormRole::Message | FormRole::Text, is_message: true, .. }) => ObjectKind::Message,
        Some(_) => ObjectKind::Other,
    }
}

/// The position of an object.
struct ObjectPlace {
    /// Its start in its segment.
    start: u32,
    /// True if text of messages precedes it.
    after_text: bool,
    conversation: Conversation,
}

/// Passes an object of the form at the index `rule` of the table to `visit`.
fn visit_object(
    context: ReadContext<'_>,
    (rule, text): (usize, &str),
    ObjectPlace { start, after_text, conversation }: ObjectPlace,
    visit: &mut dyn FnMut(&BlockUnit<'_>) -> ReadOutcome,
) {
    let content = MappedContent::at(text, start);
    let end = Span::empty(start as usize + text.len()).end;
    visit(&BlockUnit {
        dialect: &log::DIALECT,
        source: BlockSource { rule, ..BlockSource::new(text, context.settings) },
        content: &content,
        opening: Span { start, end: start + 1 },
        full_span: Span { start, end },
        after_text,
        is_line: false,
        conversation,
    });
}
