//! The objects in a text of JSON: a line, a fence, or a part of either.

use std::borrow::Cow;

use super::outline::{Container, Outline, PREVIEW};
use super::read::TestedObject;
use super::thread::ThreadMark;
use crate::forms::form::Form;
use crate::forms::{FormTable, KnownKey, LIST_KEYS};
use crate::text::saturate;

/// A member that training examples may have.
pub const PARALLEL: &str = "\"parallel_tool_calls\"";

/// The form of an object in a line, and its index in the table.
pub fn form_in<'a>(forms: &'a FormTable, line: &str, container: &Container) -> Option<(usize, &'a Form)> {
    let range = container.start as usize..container.end().unwrap_or(line.len());
    let object = TestedObject::of(|| line.get(range).unwrap_or_default().into());
    let may_be = |form: &Form| !form.is_nested || container.parent().is_some();
    forms.find(
        &container.members,
        |value| preview_of(line, value),
        |form| may_be(form) && object.is_form(form),
    )
}

/// The text of the value at `value`, or its beginning.
pub fn preview_of(line: &str, value: usize) -> Cow<'_, str> {
    let end = line.floor_char_boundary((value + PREVIEW).min(line.len()));
    line.get(value..end).unwrap_or_default().into()
}

/// The mark of a thread in an object of a line.
pub fn thread_mark(object: &Container, line: &str) -> Option<ThreadMark> {
    ThreadMark::of_members(&object.members, &|value| preview_of(line, value))
}

/// The data of an event.
pub fn data_of<'o>(outline: &'o Outline, event: &Container) -> Option<&'o Container> {
    let start = event.members.value_of("data")?;
    let index = outline.containers.partition_point(|container| (container.start as usize) < start);
    outline.containers.get(index).filter(|data| data.start as usize == start)
}

/// The start of the messages of a training example, if the line is one: an object with `messages`,
/// and with tools at most.
pub fn example_in(root: &Container, line: &str) -> Option<u32> {
    let known = |key: &str| root.members.value_of(key);
    let messages = known("messages").filter(|_| root.is_object && root.parent().is_none())?;
    let named = 1 + LIST_KEYS.iter().filter(|key| known(key).is_some()).count();
    let others = root.members.count - named;
    let is_example = others == 0 || others == 1 && line.contains(PARALLEL);
    (is_example && line.get(messages..)?.starts_with('[')).then(|| saturate(messages))
}

/// True if an object in `line` may be a record of a stream log.
pub fn is_stream_record(object: &Container, line: &str) -> bool {
    let mut members = object.members.known.iter();
    let is_tool = |value: usize| line.get(value..).is_some_and(|value| value.starts_with("\"tool-"));
    members.any(|member| Some(member.key) == KnownKey::of(b"type") && is_tool(member.value))
}
