//! The settings of calls whose tools are listed by a surrounding object, or by items of a
//! surrounding array.

use std::ops::Range;
use std::sync::Arc;

use super::JsonCursor;
use super::piece::{JsonObjects, Object, Piece};
use crate::config::Settings;
use crate::json;
use crate::messages::thread::ThreadMark;
use crate::messages::tool_lists::{MOST_ITEMS, ServerItem, ServerLabel, list_in};
use crate::segments::block_unit::ReadContext;

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
        let (mut list, mut items) = (None, Vec::new());
        let mut inner = object.container;
        while list.is_none()
            && let Some(outer) = piece.outline.parent_of(inner)
        {
            inner = outer;
            let start = piece.offset + outer.start as usize;
            if outer.is_object {
                list = self.list_at(objects, start, || {
                    let (members, base, _) = objects.members_in(piece, outer);
                    Some(base + list_in(&members)?)
                });
            } else {
                items.extend(self.items_at(objects, start, server.as_ref()));
            }
        }
        let mut levels = self.open_around(inner).len();
        while list.is_none() && levels > 0 {
            levels -= 1;
            let Some(outer) = self.open.get(levels).cloned() else { continue };
            if outer.is_object {
                let find = || list_in(&objects.members(outer.offset).0);
                list = self.list_at(objects, outer.offset, find);
            } else {
                items.extend(self.items_at(objects, outer.offset, server.as_ref()));
            }
        }
        self.settings_of(objects, list.as_ref(), &items)
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

    /// The settings with the tools of the list `around` and of the lists `items`; `None` if they
    /// list no tool.
    fn settings_of(
        &mut self,
        objects: JsonObjects<'_>,
        around: Option<&Range<usize>>,
        items: &[Range<usize>],
    ) -> Option<Arc<Settings>> {
        if around.is_none() && items.is_empty() {
            return None;
        }
        let starts = items.iter().map(|item| item.start).collect();
        let place = (around.map(|list| list.start), starts);
        if let Some(known) = self.settings.get(&place) {
            return known.clone();
        }
        let around = around.map(|list| objects.slice(list.clone()));
        let items: Vec<_> = items.iter().map(|item| objects.slice(item.clone())).collect();
        let (base, others) = (objects.context.settings, objects.context.tool_lists);
        let settings = self.lists.settings(around.as_deref(), &items, base, others);
        self.settings.insert(place, settings.clone());
        settings
    }

    /// The range of the list of tools in the object at `offset`, if it lists any; `list` finds it.
    fn list_at(
        &mut self,
        objects: JsonObjects<'_>,
        offset: usize,
        list: impl FnOnce() -> Option<usize>,
    ) -> Option<Range<usize>> {
        if let Some(known) = self.list_ranges.get(&offset) {
            return known.clone();
        }
        let range = list().and_then(|list| objects.range_of_list(list));
        let range = range.filter(|range| self.settings_of(objects, Some(range), &[]).is_some());
        self.list_ranges.insert(offset, range.clone());
        range
    }
}

/// The tool lists in the items of the array at `start` of `text`: their offsets, and the servers of
/// their tools.
pub(crate) fn listing_items(
    context: ReadContext<'_>,
    text: &str,
    start: usize,
) -> impl Iterator<Item = ServerItem> {
    let objects = JsonObjects::in_text(context, text, ThreadMark::in_array);
    objects.listing_items(start).items.into_iter().map(|item| item.item)
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
            let (members, end) = self.members(at);
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
            b'[' | b'{' => self.members(start).1?,
            b'"' => start + json::parse_prefix(&self.slice(start..self.end_of_piece(start)?)).end as usize,
            _ => return None,
        };
        Some(start..end)
    }
}
