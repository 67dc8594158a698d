//! Finds the objects of known forms in a line of a log.

use super::{FoundMessages, ObjectPlace, visit_object};
use crate::messages::header::{author_in, is_bare, told_of};
use crate::messages::objects::{example_in, form_in, is_stream_record, preview_of, thread_mark};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::call::{Conversation, ConversationPlace, SentRole, Thread};
use crate::config::Settings;
use crate::dialect::ReadOutcome;
use crate::document::block_unit::{BlockUnit, ReadContext};
use crate::document::segment_data::LogMessage;
use crate::forms::form::{Form, FormRole};
use crate::json;
use crate::messages::outline::{Container, Outline, outline};
use crate::messages::thread::{ThreadMark, record_link};
use crate::messages::tool_lists::{MOST_ITEMS, ServerItem, ServerLabel, ToolLists, list_in};

/// The thread that a mark shows in a line of a log, or in a fence.
pub(super) type ThreadReader = fn(ThreadMark) -> Thread;

/// Passes each object of a known form in a line of a log to `visit`. Returns whether text of
/// messages follows the last one; `None` if no form is known.
pub(in crate::document) fn line_units(
    context: ReadContext<'_>,
    line: &str,
    found: (&mut FoundMessages, &mut ToolLists),
    visit: &mut dyn FnMut(&BlockUnit<'_>) -> ReadOutcome,
) -> Option<bool> {
    units_in(context, line, ThreadMark::in_line, found, visit)
}

/// Like [`line_units`], of the text of a line or of a fence.
pub(super) fn units_in(
    context: ReadContext<'_>,
    line: &str,
    thread_of: ThreadReader,
    (found, lists): (&mut FoundMessages, &mut ToolLists),
    visit: &mut dyn FnMut(&BlockUnit<'_>) -> ReadOutcome,
) -> Option<bool> {
    let forms = &*context.settings.forms;
    let outline = outline(line, forms);
    let root = outline.containers.first();
    found.record_link = root.and_then(|root| record_link(&root.members, &|value| preview_of(line, value)));
    let mut known_root = root.map(|root| form_in(forms, line, root));
    if matches!(known_root, Some(None)) && root.is_some_and(|root| is_stream_record(root, line)) {
        return None;
    }
    found.example = root.and_then(|root| example_in(root, line));
    let mark = root.and_then(|root| thread_mark(root, line));
    found.thread_link = mark.and_then(ThreadMark::link);
    let (mut covered, mut any, mut is_text) = (0, false, false);
    let mut places = LinePlaces { line, outline: &outline, thread_of, within: Vec::new() };
    let mut tools = LineTools { line, outline: &outline, items: HashMap::new(), settings: HashMap::new() };
    for container in &outline.containers {
        let is_read = container.is_object && container.start as usize >= covered;
        let form = known_root.take().unwrap_or_else(|| is_read.then(|| form_in(forms, line, container))?);
        let conversation = places.push(container, form.is_some_and(|(_, form)| form.is_message));
        let Some((rule, form)) = form.filter(|_| is_read) else { continue };
        any |= !form.is_nested || !matches!(form.role, FormRole::Text | FormRole::Blank);
        let end = container.end().unwrap_or(line.len());
        if form.is_message {
            let told = told_of(&container.members, &|value| preview_of(line, value));
            let is_line = container.parent().is_none() && told.sent.role != SentRole::Absent;
            found.is_bare |= is_line && is_bare(&container.members);
            let message = LogMessage::new(container.start, rule, told.speaker, told.sent, conversation);
            found.messages.push(message);
        }
        if form.covers() {
            covered = end;
        }
        match form.role {
            FormRole::Message | FormRole::Repetition => {}
            FormRole::Text => is_text = true,
            FormRole::Blank => found.add_blank(container.start, conversation),
            FormRole::Use(_) if !is_of_author(form, &outline, container, line) => is_text = true,
            FormRole::Use(_) => {
                let listed = tools.listed_settings(context, container, lists);
                found.has_lists |= listed.is_some();
                let context =
                    ReadContext { settings: listed.as_deref().unwrap_or(context.settings), ..context };
                let object = line.get(container.start as usize..covered).unwrap_or_default();
                let after_text = std::mem::take(&mut is_text);
                let place = ObjectPlace { start: container.start, after_text, conversation };
                visit_object(context, (rule, object), place, visit);
            }
        }
    }
    any.then_some(is_text)
}

/// True if an object of `form` stands in a message of the author that the form asks for.
fn is_of_author(form: &Form, outline: &Outline, object: &Container, line: &str) -> bool {
    let author = || author_in(outline, object, &|value| preview_of(line, value));
    form.author.is_none_or(|wanted| author() == Some(wanted))
}

/// The conversations of the containers of a line.
struct LinePlaces<'o> {
    line: &'o str,
    outline: &'o Outline,
    thread_of: ThreadReader,
    /// By container, the conversation of objects in it that are no messages of its own.
    within: Vec<Conversation>,
}

impl LinePlaces<'_> {
    /// The conversation of the next container: the innermost array around it whose element around
    /// it is a message, and the thread of the innermost object that shows one.
    fn push(&mut self, container: &Container, is_message: bool) -> Conversation {
        let outer = container.parent().and_then(|index| self.outline.containers.get(index));
        let within = container.parent().and_then(|index| self.within.get(index)).copied();
        let within = within.unwrap_or_default();
        let place = match outer {
            Some(outer) if is_message && !outer.is_object => ConversationPlace::Array(outer.start),
            _ => within.place,
        };
        let mark = thread_mark(container, self.line)
            .or_else(|| thread_mark(data_of(self.outline, container)?, self.line));
        let thread = mark.map(self.thread_of).or(within.thread);
        self.within.push(Conversation { place, thread });
        Conversation { place, thread }
    }
}

/// The offset of the list of tools in an object around calls, and those of the lists of items.
type ListPlaces = (Option<usize>, Vec<usize>);

/// The tools that objects and items in a line list.
struct LineTools<'o> {
    line: &'o str,
    outline: &'o Outline,
    /// The items that list tools, by the index of their array.
    items: HashMap<usize, Vec<ServerItem>>,
    /// The settings of the calls that the lists apply to.
    settings: HashMap<ListPlaces, Option<Arc<Settings>>>,
}

impl<'o> LineTools<'o> {
    /// The settings with the tools that an object of the line around `call` lists, or items of an
    /// array around it.
    fn listed_settings(
        &mut self,
        context: ReadContext<'_>,
        call: &Container,
        lists: &mut ToolLists,
    ) -> Option<Arc<Settings>> {
        let server = ServerLabel::of_call(&call.members, &|value| preview_of(self.line, value));
        let (mut inner, mut items) = (call, Vec::new());
        let mut around = None;
        while let Some((index, outer)) =
            inner.parent().and_then(|index| Some((index, self.outline.containers.get(index)?)))
        {
            inner = outer;
            if outer.is_object {
                around = list_in(&outer.members)
                    .filter(|list| self.settings(context, (Some(*list), Vec::new()), lists).is_some());
                if around.is_some() {
                    break;
                }
            } else if let Some(server) = &server {
                let preview = |value: usize| preview_of(self.line, value);
                let known = self.items.entry(index);
                let known = known.or_insert_with(|| listing_items(self.outline, index, &preview));
                items.extend(known.iter().filter(|item| item.applies_to(server)).map(|item| item.list));
            }
        }
        if around.is_none() && items.is_empty() {
            return None;
        }
        self.settings(context, (around, items), lists)
    }

    /// The settings of the calls that the lists at `places` apply to.
    fn settings(
        &mut self,
        context: ReadContext<'_>,
        places: ListPlaces,
        lists: &mut ToolLists,
    ) -> Option<Arc<Settings>> {
        if let Some(known) = self.settings.get(&places) {
            return known.clone();
        }
        let (base, others) = (context.settings, context.tool_lists);
        let around = places.0.and_then(|list| self.list_at(list));
        let items: Vec<_> = places.1.iter().filter_map(|list| self.list_at(*list)).map(Cow::from).collect();
        let settings = match around {
            Some(around) if items.is_empty() => lists.settings(around, base, others),
            _ => lists.settings_with_items(around, &items, base, others),
        };
        self.settings.insert(places, settings.clone());
        settings
    }

    /// The text of the list at the byte `list`.
    fn list_at(&self, list: usize) -> Option<&'o str> {
        let end = list + json::parse_prefix(self.line.get(list..)?).end as usize;
        self.line.get(list..end)
    }
}

/// The items of the array at `index` of the outline that list tools: those among its first
/// elements.
pub(in crate::document) fn listing_items<'t>(
    outline: &Outline,
    index: usize,
    preview: &dyn Fn(usize) -> Cow<'t, str>,
) -> Vec<ServerItem> {
    let Some(array) = outline.containers.get(index) else { return Vec::new() };
    let is_inside = |inner: &&Container| array.end().is_none_or(|end| (inner.start as usize) < end);
    let inside = outline.containers.iter().skip(index + 1).take_while(is_inside);
    let elements = inside.filter(|inner| inner.parent() == Some(index)).take(MOST_ITEMS);
    elements.filter_map(|element| ServerItem::of_members(&element.members, preview)).collect()
}

/// The data of an event.
fn data_of<'o>(outline: &'o Outline, event: &Container) -> Option<&'o Container> {
    let start = event.members.value_of("data")?;
    let index = outline.containers.partition_point(|container| (container.start as usize) < start);
    outline.containers.get(index).filter(|data| data.start as usize == start)
}

/// The position of the conversation of an object: the innermost array around it whose element is a
/// message.
pub(super) fn place_in_line(
    outline: &Outline,
    object: &Container,
    is_message: bool,
    is_message_object: &dyn Fn(&Container) -> bool,
) -> ConversationPlace {
    let (mut inner, mut message) = (object, is_message);
    while let Some(outer) = inner.parent().and_then(|index| outline.containers.get(index)) {
        if message && !outer.is_object {
            return ConversationPlace::Array(outer.start);
        }
        message = outer.is_object && is_message_object(outer);
        inner = outer;
    }
    ConversationPlace::Document
}
