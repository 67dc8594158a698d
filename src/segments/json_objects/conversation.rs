//! The conversations of the objects in a text of JSON: the innermost array around an object whose
//! element around it is a message, or a message that is a conversation of its own.

use super::JsonCursor;
use super::piece::{JsonObjects, Object, OuterContainer, Piece, WholeText};
use crate::call::{Conversation, ConversationPlace, MessageRole};
use crate::forms::form::MessageScope;
use crate::messages::header::{MOST_AROUND, author_in, author_of};
use crate::messages::objects::{data_of, thread_mark};
use crate::messages::outline::Container;
use crate::messages::thread::ThreadMark;
use crate::text::saturate;

/// The container around another one.
pub(super) struct Around {
    is_object: bool,
    place: ConversationPlace,
    /// The conversation of objects in it that are no messages.
    pub within: Conversation,
}

impl Around {
    /// The innermost of the containers `open`, which begin before the segment.
    pub fn innermost(open: &[OuterContainer]) -> Option<Self> {
        let OuterContainer { is_object, within, .. } = *open.last()?;
        Some(Self { is_object, place: ConversationPlace::Outer(saturate(open.len() - 1)), within })
    }

    /// Its place, if it is an array.
    pub fn array(&self) -> Option<ConversationPlace> {
        (!self.is_object).then_some(self.place)
    }
}

impl JsonCursor {
    /// The containers that begin before the piece of text with `container`, and are around it.
    pub(super) fn open_around(&self, container: &Container) -> &[OuterContainer] {
        let levels = self.open.len().saturating_sub(container.outer_closes as usize);
        self.open.get(..levels).unwrap_or_default()
    }

    /// The container around `container`; `within` has the conversations of the containers before
    /// it.
    pub(super) fn around(
        &self,
        piece: Piece<'_>,
        container: &Container,
        within: &[Conversation],
    ) -> Option<Around> {
        let Some(index) = container.parent() else { return Around::innermost(self.open_around(container)) };
        let Container { is_object, start, .. } = *piece.outline.containers.get(index)?;
        let within = within.get(index).copied().unwrap_or_default();
        Some(Around { is_object, place: ConversationPlace::Array(start), within })
    }

    /// The conversation of an object: the innermost array around it whose element around it is a
    /// message, but for messages of another [`MessageScope`]. In a JSON document, only the messages
    /// of the array show its thread; in a line or a fence all objects do.
    pub(super) fn conversation(
        &self,
        objects: JsonObjects<'_>,
        piece: Piece<'_>,
        object: &Object<'_>,
        within: &[Conversation],
    ) -> Conversation {
        let around = self.around(piece, object.container, within);
        let array = around.as_ref().and_then(Around::array);
        let form = object.form.map(|(_, form)| form);
        let scope = form.filter(|form| form.is_message || form.scope == MessageScope::Exchange);
        let array = scope.and_then(|form| match form.scope {
            MessageScope::Array => array.filter(|_| !is_in_event(objects, piece, object.container)),
            MessageScope::Around => None,
            MessageScope::Own => Some(ConversationPlace::Array(object.container.start)),
            MessageScope::Exchange => {
                around.as_ref().filter(|outer| outer.is_object).map(|outer| outer.place)
            }
        });
        let around = around.map(|outer| outer.within).unwrap_or_default();
        let place = array.unwrap_or(around.place);
        let thread =
            || ThreadMark::of_members(&object.members, &|value| objects.preview(object.base + value));
        let thread = match objects.whole {
            Some(WholeText { text, thread_of }) => {
                let of_data = || thread_mark(data_of(piece.outline, object.container)?, text);
                thread().or_else(of_data).map(thread_of).or(around.thread)
            }
            None if array.is_some() => thread().map(ThreadMark::in_array),
            None => around.thread,
        };
        Conversation { place, thread }
    }

    /// The author of the message around an object.
    pub(super) fn author(
        &self,
        objects: JsonObjects<'_>,
        piece: Piece<'_>,
        object: &Container,
    ) -> Option<MessageRole> {
        let author = author_in(piece.outline, object, &|value| objects.preview(piece.offset + value));
        author.or_else(|| {
            let around = self.open_around(object).iter().rev().take(MOST_AROUND);
            around.filter(|outer| outer.is_object).find_map(|outer| {
                let (members, _) = objects.members(outer.offset);
                author_of(&members, &|value| objects.preview(value))
            })
        })
    }
}

/// True if `item` is in an array that is a whole event of a stream. LangGraph sends its last
/// messages as such an array, or the messages of a step as `{"STEP": {"messages": […]}}`. They
/// belong to the conversation of the stream.
fn is_in_event(objects: JsonObjects<'_>, piece: Piece<'_>, item: &Container) -> bool {
    let (Some(whole), Some(array)) = (objects.whole, item.parent()) else { return false };
    let parent = |index: usize| piece.outline.containers.get(index).and_then(Container::parent);
    let is_of_step = || {
        let first = piece.outline.containers.get(array + 1)?;
        Some(objects.preview(piece.offset + first.members.value_of("type")?))
    };
    let is_step = array == 2 && (parent(2), parent(1)) == (Some(1), Some(0));
    whole.text.starts_with("data:") && parent(array).is_none()
        || is_step
            && is_of_step().is_some_and(|kind| ["\"ai\"", "\"tool\""].iter().any(|it| kind.starts_with(it)))
}

/// True if the message `item` is in the list at the end of a stream of the Responses API, which
/// repeats the items of the stream.
pub(super) fn ends_stream(objects: JsonObjects<'_>, piece: Piece<'_>, item: &Container) -> bool {
    let outer = |inner: &Container| piece.outline.parent_of(inner);
    let event = outer(item).and_then(outer).and_then(outer).filter(|_| objects.whole.is_some());
    let kind = event.and_then(|event| Some(objects.preview(piece.offset + event.members.value_of("type")?)));
    kind.is_some_and(|kind| kind.starts_with("\"response."))
}
