//! The settings of calls whose tools are listed by a surrounding object, or by items of a
//! surrounding array.

use std::ops::Range;
use std::sync::Arc;

use super::JsonCursor;
use super::objects::{JsonObjects, Object, Piece};
use crate::config::Settings;
use crate::json;
use crate::messages::tool_lists::{MOST_ITEMS, ServerItem, ServerLabel, list_in};

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
    pub item: ServerItem,
}

/// The items among the first elements of an array that list tools.
#[derive(Clone, Debug)]
pub(super) struct ListingItems {
    pub items: Vec<ListingItem>,
    /// The document offset of the first byte after the elements that were read; `None` if one of
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
    /// The settings of the call `object`, with the tools listed by the nearest surrounding object
    /// that lists any, and, for tools of a server, by items of surrounding arrays.
    pub(super) fn listed_settings(
        &mut self,
        objects: JsonObjects<'_>,
        piece: Piece<'_>,
        object: &Object<'_>,
    ) -> Option<Arc<Settings>> {
        let server = ServerLabel::of_call(&object.members, &|value| objects.preview(object.base + value));
        let mut inner = object.container;
        let mut items = Vec::new();
        while let Some(outer) = inner.parent().and_then(|index| piece.outline.containers.get(index)) {
            inner = outer;
            let start = piece.offset + outer.start as usize;
            if !outer.is_object {
                items.extend(self.items_at(objects, start, server.as_ref()));
                continue;
            }
            let list = || {
                let (members, base, _) = objects.members_in(piece, outer);
                Some(base + list_in(&members)?)
            };
            if let Some(found) = self.settings_of(objects, start, list) {
                return self.with_items(objects, Some(found), &items);
            }
        }
        let around = self.open.len().saturating_sub(inner.outer_closes as usize);
        let outer: Vec<_> = self.open.iter().take(around).rev().cloned().collect();
        for outer in outer {
            if !outer.is_object {
                items.extend(self.items_at(objects, outer.offset, server.as_ref()));
                continue;
            }
            let list = || list_in(&objects.members(outer.segment, outer.offset).0);
            if let Some(found) = self.settings_of(objects, outer.offset, list) {
                return self.with_items(objects, Some(found), &items);
            }
        }
        self.with_items(objects, None, &items)
    }

    /// The tool lists for `server` in the items of the array at `offset`.
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

    /// The settings with the tools of the list `around` and of the lists `items`.
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

    /// The settings with the tools that the object at `offset` lists; `list` finds the list.
    fn settings_of(
        &mut self,
        objects: JsonObjects<'_>,
        offset: usize,
        list: impl FnOnce() -> Option<usize>,
    ) -> Option<ListedSettings> {
        if let Some(known) = self.settings.get(&offset) {
            return known.clone();
        }
        let context = objects.context;
        let range = list().and_then(|list| objects.range_of_list(list));
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
            while self.byte(at).is_some_and(is_between) {
                at += 1;
            }
            if self.byte(at) != Some(b'{') {
                break;
            }
            let Some((members, end)) = self.members_at(at) else { break };
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
        let end = match self.byte(start)? {
            b'[' | b'{' => self.members_at(start)?.1?,
            b'"' => start + json::parse_prefix(&self.slice(start..self.end_of_piece(start)?)).end as usize,
            _ => return None,
        };
        Some(start..end)
    }
}
