//! A piece of JSON: the objects and arrays that begin in it, and those that are open at its start.
//! It is a segment of a JSON document, a line of a log, or the content of a fence.

use std::borrow::Cow;
use std::ops::Range;

use super::conversation::Around;
use crate::call::{Conversation, ConversationPlace, MessageHeader, Thread};
use crate::forms::form::{Form, MessageScope};
use crate::forms::{FormTable, MOST_ATTRIBUTES, Members};
use crate::json;
use crate::messages::header::header_of;
use crate::messages::outline::{Container, MemberScan, Outline, PREVIEW, outline, scan_members};
use crate::messages::read::TestedObject;
use crate::messages::thread::ThreadMark;
use crate::messages::tool_lists::list_in;
use crate::segments::block_unit::ReadContext;
use crate::text::saturate;

/// Maximum number of bytes of an object without a closing bracket.
const UNCLOSED: usize = 64 << 10;

/// A container that begins before a piece of text and is open at its start.
#[derive(Clone, Debug)]
pub(super) struct OuterContainer {
    /// The index of the segment in which it begins, and its document offset.
    pub segment: usize,
    pub offset: usize,
    pub is_object: bool,
    /// Number of brackets that the segment leaves open from its own on.
    pub depth: u32,
    /// The conversation of objects in it that are no messages; set while segments are read.
    pub within: Conversation,
}

/// An object that begins before a piece of text and is open at its start.
#[derive(Clone)]
pub(super) struct OuterObject {
    /// The index of its form in the table.
    pub form: Option<usize>,
    pub header: MessageHeader,
    pub thread: Option<ThreadMark>,
    /// Its conversation, if it is a message. Objects inside an opaque one are not.
    pub scope: Option<MessageScope>,
    pub end: usize,
    /// The offset up to which it is not searched for objects, if it is opaque: part of a tool use,
    /// or a repetition.
    pub opaque_to: Option<usize>,
    /// The document offset of the list of tools in it.
    pub list: Option<usize>,
}

impl OuterContainer {
    /// The container with the number `nth` among the containers that are open at the end of a
    /// segment with this outline; `segment` is its index, and `base` its document offset.
    pub fn open_in(outline: &Outline, nth: usize, (segment, base): (usize, usize)) -> Option<Self> {
        let container = outline.containers.get(*outline.open.get(nth)? as usize)?;
        let depth = saturate(outline.open.len() - nth);
        let offset = base + container.start as usize;
        let within = Conversation::default();
        Some(Self { segment, offset, is_object: container.is_object, depth, within })
    }

    /// This container with its conversation, given the containers `open` around it; `object` is the
    /// container itself if it is an object.
    pub fn inside(self, open: &[Self], object: Option<&OuterObject>) -> Self {
        let around = Around::innermost(open);
        let within = object.and_then(|object| {
            let place = match object.scope? {
                MessageScope::Array => around.as_ref()?.array()?,
                MessageScope::Around | MessageScope::Exchange => return None,
                MessageScope::Own => ConversationPlace::Outer(saturate(open.len())),
            };
            let thread = object.thread.map(ThreadMark::in_array);
            Some(Conversation { place, thread })
        });
        let around = around.map(|outer| outer.within).unwrap_or_default();
        Self { within: within.unwrap_or(around), ..self }
    }
}

/// A piece of JSON text.
#[derive(Clone, Copy)]
pub(super) struct Piece<'o> {
    pub outline: &'o Outline,
    /// Its offset in the JSON.
    pub offset: usize,
    /// Number of containers around its start.
    pub depth: u32,
}

impl Piece<'_> {
    /// Number of containers around `container`.
    pub fn depth_of(&self, container: &Container) -> u32 {
        self.depth.saturating_sub(container.outer_closes) + container.depth
    }
}

/// An object that begins in a piece of text.
pub(super) struct Object<'o> {
    pub container: &'o Container,
    pub members: Cow<'o, Members>,
    /// The base of its members' offsets.
    pub base: usize,
    pub end: usize,
    /// The index of its form in the table, and the form.
    pub form: Option<(usize, &'o Form)>,
}

impl Object<'_> {
    /// Its header as a message.
    pub fn header(&self, objects: JsonObjects<'_>) -> MessageHeader {
        header_of(&self.members, &|value| objects.preview(self.base + value))
    }

    /// The offset up to which it is not searched for objects, if it is opaque.
    pub fn opaque_to(&self) -> usize {
        opaque_end(self.form.map(|(_, form)| form), &self.members, self.base, self.end)
    }
}

/// The text of a line of a log, or of a fence.
#[derive(Clone, Copy)]
pub(super) struct WholeText<'a> {
    pub text: &'a str,
    /// Returns the thread that a mark shows in it.
    pub thread_of: fn(ThreadMark) -> Thread,
}

/// The objects of a JSON document, of a line or of a fence.
#[derive(Clone, Copy)]
pub(super) struct JsonObjects<'a> {
    pub context: ReadContext<'a>,
    /// The line or fence that offsets refer to; `None` for the document.
    pub whole: Option<WholeText<'a>>,
    /// The offset and text of the segment that is read, of which most parts are asked for.
    segment: Option<(usize, &'a str)>,
}

/// The offset up to which no objects are searched in an opaque object: one of its members may have
/// messages of other conversations.
fn opaque_end(form: Option<&Form>, members: &Members, base: usize, end: usize) -> usize {
    let inner = form.and_then(|form| members.value_of(form.inner?));
    inner.map_or(end, |value| base + value)
}

/// The offset of the response in the object at the document offset `start`, if that is a request
/// with its response.
pub fn response_in(context: ReadContext<'_>, start: usize) -> Option<usize> {
    let objects = JsonObjects::of(context);
    let (members, _) = (objects.byte(start) == Some(b'{')).then(|| objects.members(start))?;
    members.value_of("request").and(members.value_of("response"))
}

impl<'a> JsonObjects<'a> {
    /// The objects of the JSON document.
    pub fn of(context: ReadContext<'a>) -> Self {
        Self { context, whole: None, segment: None }
    }

    /// The objects of the JSON document, while its segment with this offset and text is read.
    pub fn in_segment(context: ReadContext<'a>, segment: (usize, &'a str)) -> Self {
        Self { segment: Some(segment), ..Self::of(context) }
    }

    /// The objects of `text`, a line of a log or the content of a fence.
    pub fn in_text(context: ReadContext<'a>, text: &'a str, thread_of: fn(ThreadMark) -> Thread) -> Self {
        Self { context, whole: Some(WholeText { text, thread_of }), segment: None }
    }

    /// An object that begins in `piece`; nothing contains it if `is_root`.
    pub fn object(self, piece: Piece<'_>, container: &'a Container, is_root: bool) -> Object<'a> {
        let start = piece.offset + container.start as usize;
        let (members, base, end) = self.members_in(piece, container);
        let form = self.form(&members, base, start..end, is_root);
        Object { container, members, base, end, form }
    }

    /// The members of a container, the base of their offsets, and the container's end.
    pub fn members_in(self, piece: Piece<'_>, container: &'a Container) -> (Cow<'a, Members>, usize, usize) {
        let end = container.end().or(self.whole.map(|whole| whole.text.len()));
        let Some(end) = end else {
            let start = piece.offset + container.start as usize;
            let (members, end) = self.members_and_end(start);
            return (Cow::Owned(members), 0, end);
        };
        (Cow::Borrowed(&container.members), piece.offset, piece.offset + end)
    }

    pub fn forms(self) -> &'a FormTable {
        &self.context.settings.forms
    }

    /// The form of an object with these members, whose text is `range`, and its index in the table.
    /// `base` is added to the offsets of the members.
    pub fn form(
        self,
        members: &Members,
        base: usize,
        range: Range<usize>,
        is_root: bool,
    ) -> Option<(usize, &'a Form)> {
        let preview = |value: usize| self.preview(base + value);
        let object = TestedObject::of(|| self.slice(range));
        self.forms().find(members, preview, |form| !(is_root && form.is_nested) && object.is_form(form))
    }

    /// The text of the value at `value`, or its beginning.
    pub fn preview(self, value: usize) -> Cow<'a, str> {
        self.slice(value..value + PREVIEW)
    }

    /// The part of `range` that lies in the text.
    pub fn slice(self, range: Range<usize>) -> Cow<'a, str> {
        let Some(WholeText { text, .. }) = self.whole else {
            return self.slice_of_segment(&range).unwrap_or_else(|| {
                self.context.text.slice(range.start..range.end.min(self.context.text.len()))
            });
        };
        text.get(range.start..text.floor_char_boundary(range.end)).unwrap_or_default().into()
    }

    /// The text of `range`, if it lies in the segment that is read.
    fn slice_of_segment(self, range: &Range<usize>) -> Option<Cow<'a, str>> {
        let (offset, text) = self.segment?;
        let (start, end) = (range.start.checked_sub(offset)?, range.end.checked_sub(offset)?);
        let end = Some(end).filter(|end| *end <= text.len())?;
        text.get(start..text.floor_char_boundary(end)).map(Cow::Borrowed)
    }

    pub fn byte(self, at: usize) -> Option<u8> {
        self.whole.map_or_else(|| self.context.text.byte(at), |whole| whole.text.as_bytes().get(at).copied())
    }

    /// The end of the text around the byte `at` that is held as one piece.
    pub fn end_of_piece(self, at: usize) -> Option<usize> {
        let Some(WholeText { text, .. }) = self.whole else {
            return Some(self.context.tree.segment_at(at)?.range().end);
        };
        Some(text.len())
    }

    /// The own members of the object at `offset`, and its end, if it is closed. The offsets of the
    /// members are relative to all of the text.
    pub fn members(self, offset: usize) -> (Members, Option<usize>) {
        let tree = self.context.tree;
        let mut members = Members::default();
        if let Some(WholeText { text, .. }) = self.whole {
            let rest = text.get(offset..).unwrap_or_default();
            let scan = scan_members(rest, offset, 0, self.forms(), &mut members);
            return (members, scan.end());
        }
        let (mut located, mut start, mut depth) = (tree.segment_at(offset), offset, 0);
        while let Some(here) = located {
            let text = self.slice(start..here.range().end);
            match scan_members(&text, start, depth, self.forms(), &mut members) {
                MemberScan::Closed(end) => return (members, Some(end)),
                MemberScan::Open(open) => depth = open,
            }
            let mut segment = here.index + 1;
            if depth > 1 {
                let Some((closing, between)) = tree.closing_segment(segment, depth - 1) else { break };
                (segment, depth) = (closing, depth + between.opens - between.closes);
            }
            // An object of so many members has no known form.
            if members.count > MOST_ATTRIBUTES {
                let end =
                    tree.closing_segment(segment, depth).map(|(segment, _)| tree.offset_of(segment + 1));
                return (members, end);
            }
            start = tree.offset_of(segment);
            located = tree.locate(segment);
        }
        (members, None)
    }

    /// The containers that are open at the start of the segment at `index`, outermost first.
    pub fn open_containers(self, index: usize) -> Vec<OuterContainer> {
        self.containers_of(&self.context.tree.open_brackets(index))
    }

    /// The containers that begin with [`Tree::open_brackets`](crate::syntax::Tree::open_brackets).
    pub fn containers_of(self, brackets: &[(usize, usize)]) -> Vec<OuterContainer> {
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

    /// The end of the segment in which an array ends.
    pub fn end_of_array(self, array: &OuterContainer) -> usize {
        let tree = self.context.tree;
        let last = tree.closing_segment(array.segment + 1, array.depth);
        last.map_or(self.context.text.len(), |(segment, _)| tree.offset_of(segment + 1))
    }

    /// The object that is the container `outer`. No opaque object around it ends after `opaque_to`.
    /// Objects that begin inside of an opaque object are not read, even if they extend beyond it.
    pub fn outer_object(self, outer: &OuterContainer, opaque_to: usize) -> OuterObject {
        let (members, end) = self.members_and_end(outer.offset);
        let found = self.form(&members, 0, outer.offset..end, false);
        let form = found.map(|(_, form)| form).filter(|_| outer.offset >= opaque_to);
        OuterObject {
            form: found.map(|(index, _)| index),
            header: header_of(&members, &|value| self.preview(value)),
            thread: ThreadMark::of_members(&members, &|value| self.preview(value)),
            scope: form.filter(|form| form.is_message).map(|form| form.scope),
            end,
            opaque_to: form.filter(|form| form.is_opaque()).map(|_| opaque_end(form, &members, 0, end)),
            list: list_in(&members),
        }
    }

    /// The own members of an object, with document offsets, and its end.
    pub fn members_and_end(self, offset: usize) -> (Members, usize) {
        let (members, end) = self.members(offset);
        let recovered = || json::parse_prefix(&self.slice(offset..offset + UNCLOSED)).end as usize;
        (members, end.unwrap_or_else(|| offset + recovered()))
    }
}
