//! Lines of sessions: their envelopes, and their links to each other.
//!
//! In a session of Claude Code, `parentUuid` of a line is the `uuid` of the line before it in the
//! conversation. A conversation is read from its last line along these links, so that a line whose
//! parent is missing cuts off everything before it.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::MessageEditor;
use super::links::{LineLinks, LogLinks};
use crate::document::Document;
use crate::fixes::DocumentEdit;
use crate::fixes::sessions::uuid_after;
use crate::json::{Value, quote};
use crate::messages::exchange::inner_message;
use crate::places::with_prefixes;

/// Members that a line does not share with the next one.
const OWN_MEMBERS: &[&str] = &["requestId", "toolUseResult", "sourceToolAssistantUUID"];

impl Document {
    /// The objects on the lines of the fence at `start`.
    pub(super) fn lines_of_fence(&self, start: usize) -> Vec<Range<usize>> {
        let text = self.json_slice(start..self.json_range(start).end);
        let mut values = serde_json::Deserializer::from_str(&text).into_iter::<IgnoredAny>();
        let mut lines = Vec::new();
        let mut from = 0;
        while let Some(Ok(_)) = values.next() {
            let line = text.get(from..values.byte_offset()).unwrap_or_default();
            let begins = from + line.len() - line.trim_start().len();
            from = values.byte_offset();
            lines.push(start + begins..start + from);
        }
        lines
    }
}

impl MessageEditor<'_> {
    /// The line break after the line at `index`, with the prefix that lines of a fence have.
    pub(super) fn line_break(&self, index: usize) -> Option<String> {
        let line = self.messages().get(index)?;
        let opening = self.array.map_or(line.start, |fence| fence.start);
        Some(with_prefixes(self.document.text(), line.start, opening, "\n"))
    }

    /// The range to remove for the line at `index`, with one line end.
    pub(super) fn line_to_remove(&self, index: usize) -> Option<Range<usize>> {
        let line = self.messages().get(index)?.clone();
        if let Some(next) = self.messages().get(index + 1) {
            return Some(line.start..next.start);
        }
        let end = self.document.text().len();
        if line.end < end && self.array.is_none() {
            return Some(line.start..end);
        }
        let before = index.checked_sub(1).and_then(|before| self.messages().get(before));
        Some(before.map_or(line.start, |before| before.end)..line.end)
    }

    /// The edits that link the children of the line at `index` to its parent, or, if the parent is
    /// missing, to the last line before it in its thread. Empty if another line has the same id.
    pub(super) fn relinked_after_removal(&self, index: usize) -> Vec<DocumentEdit> {
        let Some(LineLinks { uuid, parent: Some(parent), mark, .. }) = self.links_of(index) else {
            return Vec::new();
        };
        if self.all_links().by_uuid.get(uuid).is_some_and(|same| same.len() > 1) {
            return Vec::new();
        }
        let mut parent = parent;
        let mut before = (0..index).rev().filter_map(|before| self.links_of(before));
        if self.is_lost(parent)
            && let Some(last) = before.find(|last| last.mark.thread == mark.thread)
        {
            parent = &last.uuid;
        }
        self.children_of(index).map(|child| (child.place.clone(), parent.clone())).collect()
    }

    /// The line for `message`, which answers the line at `index`, with the edits of the lines that
    /// follow it.
    pub(super) fn enveloped(&self, index: usize, message: &str) -> Option<(String, Vec<DocumentEdit>)> {
        let (uuid, edits) = self.new_link(index).unwrap_or_default();
        if !self.facts(index)?.is_enveloped {
            return Some((message.to_owned(), edits));
        }
        let line = self.with_message(index, |root, _| {
            let inner = inner_message(root);
            let member = |(key, value): (Value<'_>, Value<'_>)| {
                let name = key.as_str()?;
                let written = match &*name {
                    _ if value.span() == inner.span() => message.to_owned(),
                    "uuid" => uuid.clone(),
                    "parentUuid" => root.get("uuid")?.raw().to_owned(),
                    "type" if value.raw() == "\"assistant\"" => "\"user\"".to_owned(),
                    own if OWN_MEMBERS.contains(&own) => return None,
                    _ => value.raw().to_owned(),
                };
                Some(format!("{}:{written}", key.raw()))
            };
            let members: Vec<String> = root.entries().filter_map(member).collect();
            Some(format!("{{{}}}", members.join(",")))
        })?;
        Some((line, edits))
    }

    /// The id of a new line after the line at `index`, as JSON, and the edits of the lines after
    /// it. If the parent of the next line is missing, the new line gets the id of that parent.
    fn new_link(&self, index: usize) -> Option<(String, Vec<DocumentEdit>)> {
        let own = self.links_of(index)?;
        let next = (index + 1..self.messages().len()).find_map(|next| self.links_of(next));
        if let Some(lost) = next.and_then(|next| next.parent.as_ref()).filter(|parent| self.is_lost(parent)) {
            return Some((lost.clone(), Vec::new()));
        }
        let uuid = quote(&uuid_after(&own.uuid));
        let follows = |child: &&LineLinks| child.mark.id.is_none() || child.mark.id != own.mark.id;
        let children = self.children_of(index).filter(follows);
        let edits = children.map(|child| (child.place.clone(), uuid.clone())).collect();
        Some((uuid, edits))
    }

    /// True if no line has the id `parent`.
    fn is_lost(&self, parent: &str) -> bool {
        parent.starts_with('"') && !self.all_links().by_uuid.contains_key(parent)
    }

    /// The lines whose parent is the line at `index`.
    fn children_of(&self, index: usize) -> impl Iterator<Item = &LineLinks> {
        let children = self.all_links().children.get(&index).into_iter().flatten();
        children.filter_map(|index| self.links_of(*index))
    }

    fn links_of(&self, index: usize) -> Option<&LineLinks> {
        self.all_links().lines.get(index)?.as_ref()
    }

    fn all_links(&self) -> &LogLinks {
        let read = |index| self.with_message(index, LineLinks::of);
        self.links.get_or_init(|| LogLinks::new((0..self.messages().len()).map(read)))
    }
}
