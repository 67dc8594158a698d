//! The conversations of the objects in a JSON document: the innermost array around an object whose
//! element around it is a message.

use super::{ElementMark, JsonCursor, JsonObjects, OuterContainer};
use crate::call::{Conversation, ConversationPlace};
use crate::document::segment_data::SegmentAttachment;
use crate::messages::outline::Outline;
use crate::syntax::LocatedSegment;
use crate::text::Span;

/// The conversations of the objects that begin in a segment. Each container is visited once,
/// however deep objects nest.
pub(super) struct SegmentConversations<'o> {
    pub outline: &'o Outline,
    /// For each container its part as an element of a conversation, as far as that is known.
    pub elements: Vec<Option<ElementMark>>,
    /// For each container the conversation of objects in it that are no messages, as far as known.
    within: Vec<Option<Conversation>>,
}

impl<'o> SegmentConversations<'o> {
    pub(super) fn new(outline: &'o Outline) -> Self {
        let count = outline.containers.len();
        Self { outline, elements: vec![None; count], within: vec![None; count] }
    }

    fn parent(&self, index: usize) -> Option<usize> {
        self.outline.containers.get(index)?.parent()
    }
}

impl JsonCursor {
    /// The conversation of the object at `index` of the outline.
    pub(super) fn conversation(
        &mut self,
        objects: JsonObjects<'_>,
        located: &LocatedSegment<'_, SegmentAttachment>,
        known: &mut SegmentConversations<'_>,
        (index, element): (usize, ElementMark),
    ) -> Conversation {
        let mut path = Vec::new();
        let mut next = known.parent(index);
        let mut around = None;
        while let Some(outer) = next {
            around = known.within.get(outer).copied().flatten();
            if around.is_some() {
                break;
            }
            path.push(outer);
            next = known.parent(outer);
        }
        for outer in path.into_iter().rev() {
            let container = known.outline.containers.get(outer);
            let container = container.filter(|container| container.is_object);
            let mark = || container.map(|it| objects.mark_of(located, it)).unwrap_or_default();
            let element = known.elements.get(outer).copied().flatten().unwrap_or_else(mark);
            around = Some(self.conversation_of(objects, known.outline, (outer, element), around));
            if let Some(within) = known.within.get_mut(outer) {
                *within = around;
            }
        }
        self.conversation_of(objects, known.outline, (index, element), around)
    }

    /// The conversation of a container; `around` is that of others in the container around it, if
    /// that begins in the segment.
    fn conversation_of(
        &mut self,
        objects: JsonObjects<'_>,
        outline: &Outline,
        (index, element): (usize, ElementMark),
        around: Option<Conversation>,
    ) -> Conversation {
        let Some(container) = outline.containers.get(index) else { return Conversation::default() };
        match container.parent().and_then(|outer| outline.containers.get(outer)) {
            Some(outer) if element.is_message && !outer.is_object => {
                element.conversation(ConversationPlace::Array(outer.start))
            }
            Some(_) => around.unwrap_or_default(),
            None => {
                let levels = self.open.len().saturating_sub(container.outer_closes as usize);
                self.outer_conversation(objects, levels, element)
            }
        }
    }

    /// The conversation of a container around which the first `levels` open containers are.
    fn outer_conversation(
        &mut self,
        objects: JsonObjects<'_>,
        levels: usize,
        element: ElementMark,
    ) -> Conversation {
        let Some(last) = levels.checked_sub(1) else { return Conversation::default() };
        let is_array = |outer: Option<&OuterContainer>| outer.is_some_and(|outer| !outer.is_object);
        let place = |level: usize| ConversationPlace::Outer(Span::empty(level).start);
        if element.is_message && is_array(self.open.get(last)) {
            return element.conversation(place(last));
        }
        let known = self.open.iter().take(levels).rposition(|outer| outer.within.is_some());
        let mut around = known.and_then(|level| self.open.get(level)?.within).unwrap_or_default();
        for level in known.map_or(0, |level| level + 1)..levels {
            let before = level.checked_sub(1).filter(|before| is_array(self.open.get(*before)));
            let Some(outer) = self.open.get_mut(level) else { break };
            let element = match outer.element {
                Some(known) => known,
                None if outer.is_object => objects.kind_of(outer.segment, outer.offset).1,
                None => ElementMark::default(),
            };
            if let Some(array) = before.filter(|_| element.is_message) {
                around = element.conversation(place(array));
            }
            outer.element = Some(element);
            outer.within = Some(around);
        }
        around
    }
}
