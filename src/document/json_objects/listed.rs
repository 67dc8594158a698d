//! The settings of calls around which an object, or an item of an array, lists tools.

use std::ops::Range;
use std::sync::Arc;

use super::{JsonCursor, JsonObjects};
use crate::config::Settings;
use crate::document::segment_data::SegmentAttachment;
use crate::json;
use crate::messages::outline::{Container, Outline};
use crate::messages::tool_lists::{MOST_ITEMS, ServerItem, ServerLabel, list_in};
use crate::syntax::LocatedSegment;

/// The settings of calls in an object that lists tools.
#[derive(Clone, Debug)]
pub(super) struct ListedSettings {
    /// The document range of the list.
    range: Range<usize>,
    settings: Arc<Settings>,
}

/// An item of an array that lists the tools of a server.
#[derive(Clone, Debug)]
pub(super) struct ListingItem {
    /// The document range of the item.
    pub range: Range<usize>,
    /// The document range of the list.
    list: Range<usize>,
    item: ServerItem,
}

/// The items of an array that list tools: those among its first elements.
#[derive(Clone, Debug)]
pub(super) struct ListingItems {
    items: Vec<ListingItem>,
    /// The document offset of the first byte behind the elements that were read; `None` if one of
    /// them is not closed.
    pub read_to: Option<usize>,
}

impl ListingItems {
    /// The document range from the first of them to the last.
    pub fn range(&self) -> Option<Range<usize>> {
        Some(self.items.first()?.range.start..self.items.last()?.range.end)
    }
}

impl JsonCursor {
    /// The settings with the tools that an object around that at `index` of the outline lists, or
    /// items of an array around it if it is a call of a tool of `server`.
    pub(super) fn listed_settings(
        &mut self,
        objects: JsonObjects<'_>,
        outline: &Outline,
        located: &LocatedSegment<'_, SegmentAttachment>,
        index: usize,
        server: Option<&ServerLabel>,
    ) -> Option<Arc<Settings>> {
        let mut inner = outline.containers.get(index)?;
        let mut items = Vec::new();
        while let Some(outer) = inner.parent().and_then(|index| outline.containers.get(index)) {
            inner = outer;
            if !outer.is_object {
                items.extend(self.items_at(objects, located.offset + outer.start as usize, server));
            } else if let Some(found) = self.settings_in(objects, located.index, located.offset, outer) {
                return self.with_items(objects, Some(found), &items);
            }
        }
        let around = self.open.len().saturating_sub(inner.outer_closes as usize);
        let outer: Vec<_> = self.open.iter().take(around).rev().cloned().collect();
        for outer in outer {
            if !outer.is_object {
                items.extend(self.items_at(objects, outer.offset, server));
            } else if let Some(found) = self.settings_at(objects, outer.segment, outer.offset) {
                return self.with_items(objects, Some(found), &items);
            }
        }
        self.with_items(objects, None, &items)
    }

    /// The lists of the items of the array at `offset` that apply to calls of `server`.
    fn items_at(
        &mut self,
        objects: JsonObjects<'_>,
        offset: usize,
        server: Option<&ServerLabel>,
    ) -> Vec<Range<usize>> {
        let Some(server) = server else { return Vec::new() };
        let items = self.items.entry(offset).or_insert_with(|| objects.listing_items(offset).items);
        items.iter().filter(|it| it.item.applies_to(server)).map(|it| it.list.clone()).collect()
    }

    /// The settings of the list `around`, with the tools of `items`.
    fn with_items(
        &mut self,
        objects: JsonObjects<'_>,
        around: Option<ListedSettings>,
        items: &[Range<usize>],
    ) -> Option<Arc<Settings>> {
        if items.is_empty() {
            return around.map(|found| found.settings);
        }
        let starts = items.iter().map(|item| item.start).collect();
        let place = (around.as_ref().map(|found| found.range.start), starts);
        if let Some(known) = self.with_items.get(&place) {
            return known.clone();
        }
        let context = objects.context;
        let around = around.map(|found| objects.slice(found.range));
        let items: Vec<_> = items.iter().map(|item| objects.slice(item.clone())).collect();
        let (base, others) = (context.settings, context.tool_lists);
        let settings = self.lists.settings_with_items(around.as_deref(), &items, base, others);
        self.with_items.insert(place, settings.clone());
        settings
    }

    /// The settings with the tools that an object of the segment lists.
    fn settings_in(
        &mut self,
        objects: JsonObjects<'_>,
        segment: usize,
        base: usize,
        object: &Container,
    ) -> Option<ListedSettings> {
        match object.end() {
            Some(_) => {
                let list = list_in(&object.members).map(|list| base + list);
                self.settings_of(objects, base + object.start as usize, |_| list)
            }
            None => self.settings_at(objects, segment, base + object.start as usize),
        }
    }

    /// The settings with the tools that the object at `offset` of the segment lists.
    fn settings_at(
        &mut self,
        objects: JsonObjects<'_>,
        segment: usize,
        offset: usize,
    ) -> Option<ListedSettings> {
        self.settings_of(objects, offset, |objects| list_in(&objects.members(segment, offset).0))
    }

    /// The settings with the tools that the object at `offset` lists; `list` finds the list.
    fn settings_of(
        &mut self,
        objects: JsonObjects<'_>,
        offset: usize,
        list: impl FnOnce(JsonObjects<'_>) -> Option<usize>,
    ) -> Option<ListedSettings> {
        if let Some(known) = self.settings.get(&offset) {
            return known.clone();
        }
        let context = objects.context;
        let range = list(objects).and_then(|list| objects.range_of_list(list));
        let settings = range.and_then(|range| {
            let text = objects.slice(range.clone());
            let settings = self.lists.settings(&text, context.settings, context.tool_lists)?;
            Some(ListedSettings { range, settings })
        });
        self.settings.insert(offset, settings.clone());
        settings
    }
}

impl JsonObjects<'_> {
    /// The items of the array at `start` that list tools.
    pub(super) fn listing_items(self, start: usize) -> ListingItems {
        let is_between = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',');
        let mut items = Vec::new();
        let mut at = start + 1;
        for _ in 0..MOST_ITEMS {
            while self.context.text.byte(at).is_some_and(is_between) {
                at += 1;
            }
            if self.context.text.byte(at) != Some(b'{') {
                break;
            }
            let Some(located) = self.context.tree.segment_at(at) else { break };
            let (members, end) = self.members(located.index, at);
            let Some(end) = end else { return ListingItems { items, read_to: None } };
            items.extend(ServerItem::of_members(&members, &|value| self.preview(value)).and_then(|item| {
                Some(ListingItem { range: at..end, list: self.range_of_list(item.list)?, item })
            }));
            at = end;
        }
        ListingItems { items, read_to: Some(at) }
    }

    /// The range of a list of tools, which is an array, an object, or a string of JSON at `start`.
    pub(super) fn range_of_list(self, start: usize) -> Option<Range<usize>> {
        let located = self.context.tree.segment_at(start)?;
        let end = match self.context.text.byte(start)? {
            b'[' | b'{' => self.members(located.index, start).1?,
            b'"' => {
                let text = self.slice(start..located.range().end);
                start + json::parse_prefix(&text).end as usize
            }
            _ => return None,
        };
        Some(start..end)
    }
}
