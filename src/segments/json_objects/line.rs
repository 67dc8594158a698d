//! Finds the objects of known forms in a line of a log, or in a fence.

use super::JsonCursor;
use super::piece::{JsonObjects, Piece};
use crate::call::Thread;
use crate::messages::objects::{example_in, form_in, is_stream_record, preview_of, thread_mark};
use crate::messages::outline::Outline;
use crate::messages::thread::{ThreadMark, record_link};
use crate::segments::block_unit::{ReadContext, VisitBlock};

impl JsonCursor {
    /// Passes each object of a known form in the text of a line or of a fence, with its `outline`,
    /// to `visit`. Returns whether text of messages follows the last one; `None` if no form is
    /// known. Marks show the threads that `thread_of` returns.
    pub fn read_text(
        &mut self,
        context: ReadContext<'_>,
        text: &str,
        outline: &Outline,
        thread_of: fn(ThreadMark) -> Thread,
        visit: &mut VisitBlock<'_>,
    ) -> Option<bool> {
        *self = Self { lists: std::mem::take(&mut self.lists), ..Self::default() };
        let forms = &*context.settings.forms;
        let root = outline.containers.first();
        let preview = |value: usize| preview_of(text, value);
        self.messages.record_link = root.and_then(|root| record_link(&root.members, &preview));
        if root.is_some_and(|root| is_stream_record(root, text) && form_in(forms, text, root).is_none()) {
            return None;
        }
        self.messages.example = root.and_then(|root| example_in(root, text));
        self.messages.thread_link = root.and_then(|root| thread_mark(root, text)?.link());
        let piece = Piece { outline, offset: 0, depth: 0 };
        let found = self.read_piece(JsonObjects::in_text(context, text, thread_of), piece, visit);
        found.has_forms.then_some(found.ends_in_text)
    }
}
