//! Edits inside of one message in a long line of a log, or in a long fence.
//!
//! Both are read as a whole. If they are a conversation, they may have hundreds of kilobytes, of
//! which an edit changes one message, and there at most one tool use: if all containers keep their
//! places and forms, everything else is what it was, at other offsets.

use std::ops::Range;

use super::{ObjectPlace, visit_object};
use crate::call::{Conversation, ConversationPlace};
use crate::dialect::ReadOutcome;
use crate::document::block_unit::{BlockUnit, ReadContext};
use crate::document::line_faults::is_sound_line;
use crate::document::segment_data::SegmentData;
use crate::forms::form::{Form, FormRole};
use crate::forms::{FormTable, Members};
use crate::messages::header::told_of;
use crate::messages::objects::{PARALLEL, form_in, nested_form_in, preview_of, thread_mark};
use crate::messages::outline::{Container, MemberScan, Outline, outline, scan_members};
use crate::messages::tool_lists::{ServerItem, list_in};
use crate::text::{Span, Splice};

/// The number of messages before an edit that may contain it.
const MOST_TRIED: usize = 4;
/// The number of bytes of a message that are read first, and the factor by which more are.
const WINDOW: usize = 4 << 10;
const WINDOW_GROWTH: usize = 8;
/// Maximum number of blank bytes before such a message.
const MOST_BLANK: usize = 256;

/// An edit inside of a message of a line or fence, which changes one tool use at most. Offsets are
/// relative to the start of the line or fence.
pub(in crate::document) struct InnerEdit {
    splice: Splice,
    /// The tool use that contains the edit.
    pub tool_use: Option<EditedUse>,
    /// The message that contains the edit, before it.
    message: Range<usize>,
    /// True if the message is JSON without a separator of lines, before and after the edit.
    pub is_sound: bool,
}

/// A tool use before and after an edit in it.
pub(in crate::document) struct EditedUse {
    /// The index of its form in the table.
    rule: usize,
    /// Its span before the edit.
    old_span: Span,
    /// Its text before and after the edit.
    pub old: String,
    pub new: String,
}

impl InnerEdit {
    /// The edit `splice` of the line or fence of `old` that has the data `data`, and its JSON in
    /// `json`; `None` if it may change more of it.
    pub fn find(
        old: ReadContext<'_>,
        new: ReadContext<'_>,
        data: &SegmentData,
        json: &Range<usize>,
        splice: Splice,
    ) -> Option<Self> {
        let splice = Splice { start: splice.start.checked_sub(json.start)?, ..splice };
        let behind = data.messages().partition_point(|message| (message.start as usize) < splice.start);
        let mut tried = data.messages().get(..behind)?.iter().rev().take(MOST_TRIED);
        let (start, end, is_element) = tried.find_map(|message| {
            let start = json.start + message.start as usize;
            let is_element = is_element(old, json.start..start, message.conversation.place)?;
            let end = end_of_object(old, start, json.end)? - json.start;
            (end > splice.old_end()).then_some((message.start as usize, end, is_element))
        })?;
        // The edit of a message that is most of its text is an edit of that.
        if (end - start) * 2 > json.len() {
            return None;
        }
        let at = Splice { start: splice.start - start, ..splice };
        let range = |end| json.start + start..json.start + end;
        let before = old.json_slice(range(end));
        let after = new.json_slice(range(end + splice.inserted - splice.removed));
        let forms = &*old.settings.forms;
        let change = ObjectChange {
            forms,
            is_element,
            splice: at,
            old: (&before, outline(&before, forms)),
            new: (&after, outline(&after, forms)),
        };
        let tool_use = change.changed_use()?.map(|(rule, old_span, new_span)| EditedUse {
            rule,
            old_span: old_span.shifted(start),
            old: old_span.of(&before).to_owned(),
            new: new_span.of(&after).to_owned(),
        });
        let is_sound = [&before, &after].into_iter().all(|text| is_sound_line(text));
        Some(Self { splice, tool_use, message: start..end, is_sound })
    }

    /// `all`, which are in order of their spans, after the edit: those of the tool use replaced by
    /// `new`, and the others moved by `place`.
    pub fn replaced<'a, T: Clone>(
        &'a self,
        all: &'a [T],
        new: &'a [T],
        span_of: impl Fn(&T) -> Span + 'a,
        place: impl Fn(&T) -> T + Copy + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let tool_use = self.tool_use.as_ref();
        let start = tool_use.map_or(0, |tool_use| tool_use.old_span.start);
        let (before, behind) = all.split_at(all.partition_point(|item| span_of(item).start < start));
        let is_kept = move |item: &&T| !tool_use.is_some_and(|tool_use| tool_use.contains(span_of(item)));
        let moved = behind.iter().filter(is_kept).map(place);
        before.iter().map(place).chain(new.iter().cloned()).chain(moved)
    }

    /// The message that contains the edit, before and after it.
    pub fn message(&self) -> (Range<usize>, Range<usize>) {
        let Range { start, end } = self.message;
        (start..end, start..end + self.splice.inserted - self.splice.removed)
    }

    /// The place of what began at `start` before the edit.
    pub fn moved(&self, start: u32) -> u32 {
        moved_start(self.splice, start as usize).map_or(start, |start| Span::empty(start).start)
    }

    /// The place of `span`.
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

impl EditedUse {
    /// True if `span` lay in it before the edit.
    pub fn contains(&self, span: Span) -> bool {
        self.old_span.start <= span.start && span.end <= self.old_span.end
    }

    /// Passes the tool use to `visit`, with its text before or after the edit.
    pub fn visit(
        &self,
        context: ReadContext<'_>,
        text: &str,
        conversation: Conversation,
        visit: &mut dyn FnMut(&BlockUnit<'_>) -> ReadOutcome,
    ) {
        let place = ObjectPlace { start: self.old_span.start, after_text: false, conversation };
        visit_object(context, (self.rule, text), place, visit);
    }
}

/// True if a message after `before`, the range of the JSON before it, is an element of an array;
/// `None` if it may be the value of a member, on which the form of an object around it may depend.
fn is_element(context: ReadContext<'_>, before: Range<usize>, place: ConversationPlace) -> Option<bool> {
    let start = context.text.floor_boundary(before.end.saturating_sub(MOST_BLANK)).max(before.start);
    let text = context.json_slice(start..before.end);
    let text = text.trim_end_matches([' ', '\t', '\n', '\r']);
    match place {
        ConversationPlace::Array(_) => text.ends_with(['[', ',']).then_some(true),
        // Lines of a fence follow each other, or `...`.
        ConversationPlace::Lines => {
            let is_first = text.is_empty() && start == before.start;
            (is_first || text.ends_with(['}', ']', '.'])).then_some(false)
        }
        ConversationPlace::Document | ConversationPlace::Outer(_) => None,
    }
}

/// The end of the object at `start`; `None` if it is open at `limit`.
fn end_of_object(context: ReadContext<'_>, start: usize, limit: usize) -> Option<usize> {
    let mut window = WINDOW;
    loop {
        let end = limit.min(context.text.floor_boundary(start + window));
        let text = context.json_slice(start..end);
        match scan_members(&text, start, 0, &context.settings.forms, &mut Members::default()) {
            MemberScan::Closed(end) => return Some(end),
            MemberScan::Open(_) if end == limit => return None,
            MemberScan::Open(_) => window *= WINDOW_GROWTH,
        }
    }
}

/// The place of what begins at `start`; `None` if the edit removed it.
fn moved_start(splice: Splice, start: usize) -> Option<usize> {
    if start >= splice.old_end() {
        return Some(start + splice.inserted - splice.removed);
    }
    (start < splice.start).then_some(start)
}

/// A message before and after an edit inside of it.
struct ObjectChange<'t> {
    forms: &'t FormTable,
    /// True if it is an element of an array.
    is_element: bool,
    splice: Splice,
    old: (&'t str, Outline),
    new: (&'t str, Outline),
}

impl ObjectChange<'_> {
    /// The tool use that contains the edit, if any, with the index of its form and its spans before
    /// and after; `None` if the edit may change anything else.
    fn changed_use(&self) -> Option<Option<(usize, Span, Span)>> {
        let ((old_text, old), (new_text, new)) = (&self.old, &self.new);
        let is_changed = old.containers.len() != new.containers.len()
            || new.closes > 0
            || !new.open.is_empty()
            || old_text.contains(PARALLEL) != new_text.contains(PARALLEL);
        if is_changed {
            return None;
        }
        // Objects in a tool use, or in a repetition, are not read.
        let (mut is_covered, mut found) = (false, None);
        for (old, new) in old.containers.iter().zip(&new.containers) {
            let (old_end, new_end) = (old.end()?, new.end()?);
            let contains_edit = (old.start as usize) < self.splice.start && old_end > self.splice.old_end();
            let end = if old_end <= self.splice.start {
                Some(old_end)
            } else {
                moved_start(self.splice, old_end - 1).map(|end| end + 1)
            };
            let is_moved = moved_start(self.splice, old.start as usize) == Some(new.start as usize)
                && end == Some(new_end)
                && old.is_object == new.is_object;
            if !is_moved {
                return None;
            }
            if !contains_edit || !old.is_object {
                continue;
            }
            if !self.is_same_around((old, new)) {
                return None;
            }
            if is_covered {
                continue;
            }
            let form = self.form_of(new_text, new)?;
            if self.form_of(old_text, old)?.map(|(index, _)| index) != form.map(|(index, _)| index) {
                return None;
            }
            let Some((rule, form)) = form else { continue };
            let told = |text: &str, object: &Container| {
                told_of(&object.members, &|value| preview_of(text, value).into_owned().into())
            };
            if form.is_message && told(old_text, old) != told(new_text, new) {
                return None;
            }
            // Who wrote it is known of the whole line.
            if form.author.is_some() {
                return None;
            }
            is_covered = form.covers();
            if matches!(form.role, FormRole::Use(_)) {
                let span = |object: &Container, end| Span::new(object.start as usize, end);
                found = Some((rule, span(old, old_end), span(new, new_end)));
            }
        }
        Some(found)
    }

    /// The form of an object of the message; `None` if it depends on whether anything contains the
    /// message.
    fn form_of(&self, text: &str, object: &Container) -> Option<Option<(usize, &Form)>> {
        let form = nested_form_in(self.forms, text, object);
        let index = |form: &Option<(usize, &Form)>| form.map(|(index, _)| index);
        (self.is_element || index(&form_in(self.forms, text, object)) == index(&form)).then_some(form)
    }

    /// True if an object that contains the edit shows the same thread as before, and lists no
    /// tools.
    fn is_same_around(&self, (old, new): (&Container, &Container)) -> bool {
        let lists = |text: &str, object: &Container| {
            let preview = |value: usize| preview_of(text, value).into_owned().into();
            list_in(&object.members).is_some() || ServerItem::of_members(&object.members, &preview).is_some()
        };
        !lists(self.old.0, old)
            && !lists(self.new.0, new)
            && thread_mark(old, self.old.0) == thread_mark(new, self.new.0)
    }
}
