//! The segments of a JSON document whose data an edit may change.
//!
//! The data of a segment depend on its text, on the containers around it, and on the rest of the
//! objects that begin in it. The containers around the damage are determined once for each version.
//! Most of them are also open after the damage, and serve there and when the segments are read.

use std::cell::OnceCell;
use std::ops::Range;

use super::JsonCursor;
use super::piece::{JsonObjects, OuterContainer, OuterObject};
use crate::segments::block_unit::ReadContext;
use crate::syntax::Damage;
use crate::text::Splice;

/// A container that is open at the start of a segment, with all that the data of the segment depend
/// on.
#[derive(Clone)]
pub(super) struct ChainLink {
    container: OuterContainer,
    /// The object that it is; `None` for an array.
    object: Option<OuterObject>,
    listed: OnceCell<ListedTools>,
}

/// The lists of tools of a container: in an object, or in the items of an array.
#[derive(Clone)]
struct ListedTools {
    range: Option<Range<usize>>,
    /// Of an array, the offset up to which it was searched for them.
    read_to: Option<usize>,
}

/// The document before and after an edit.
#[derive(Clone, Copy)]
struct EditedObjects<'a> {
    old: JsonObjects<'a>,
    new: JsonObjects<'a>,
    splice: Splice,
}

/// Extends `damage` to all segments whose data depend on the damaged ones; `old` and `new` are the
/// contexts before and after the edit. Returns a cursor for the first segment; it knows the open
/// containers there if the damage was not extended backward.
pub(crate) fn extend_damage(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    splice: Splice,
    damage: Damage,
) -> (Damage, JsonCursor) {
    let edited = EditedObjects { old: JsonObjects::of(old), new: JsonObjects::of(new), splice };
    // The text before the damage is the same.
    let around = edited.new.open_containers(damage.new.start);
    let old_start = edited.old.chain(Vec::new(), around.clone());
    let new_start = edited.new.chain(Vec::new(), around);
    let changed = edited.first_change(&old_start, &new_start);
    let position = new.tree.offset_of(damage.new.start);
    let opaque = opaque_at(&new_start, position);
    let first = changed.into_iter().chain(opaque).filter_map(|level| new_start.get(level));
    let start = first.map(|link| link.container.segment).fold(damage.new.start, usize::min);
    let mut end = changed.map_or(0, |level| edited.end_of(level, &old_start, &new_start));
    let mut more = 0;
    loop {
        let behind = new.tree.segment_at(end.saturating_sub(1)).map_or(0, |located| located.index + 1);
        more = behind.min(new.tree.len()).saturating_sub(damage.new.end).max(more);
        let old_end = edited.old.chain_behind(&old_start, damage.old.start, damage.old.end + more);
        let new_end = edited.new.chain_behind(&new_start, damage.new.start, damage.new.end + more);
        let Some(level) = edited.first_change(&old_end, &new_end) else { break };
        if damage.new.end + more >= new.tree.len() {
            break;
        }
        more += 1;
        // If the number of open containers changed, all following text is in other containers.
        let is_deeper = old_end.len() != new_end.len();
        end = if is_deeper { new.text.len() } else { edited.end_of(level, &old_end, &new_end) };
    }
    let mut cursor = JsonCursor::default();
    if start == damage.new.start {
        cursor.move_to(start, new_start);
    }
    (Damage { old: start..damage.old.end + more, new: start..damage.new.end + more }, cursor)
}

/// Index of the segment in which the tool use around the start of segment `index` begins; `index`
/// if no tool use contains it.
pub(crate) fn head_of(context: ReadContext<'_>, index: usize) -> usize {
    let objects = JsonObjects::of(context);
    let chain = objects.chain_at(index);
    let opaque = opaque_at(&chain, context.tree.offset_of(index)).and_then(|level| chain.get(level));
    opaque.map_or(index, |link| link.container.segment)
}

/// The outermost opaque object that contains the byte at `position`, as an index of `chain`.
fn opaque_at(chain: &[ChainLink], position: usize) -> Option<usize> {
    let is_around = |object: &OuterObject| object.opaque_to.is_some() && object.end > position;
    chain.iter().position(|link| link.object.as_ref().is_some_and(is_around))
}

/// The offset up to which no objects are searched in the last opaque object of `chain`.
fn opaque_to(chain: &[ChainLink]) -> usize {
    chain.iter().rev().find_map(|link| link.object.as_ref()?.opaque_to).unwrap_or(0)
}

impl JsonCursor {
    /// Moves to the segment at `index`, with the chain there.
    pub(super) fn move_to(&mut self, index: usize, chain: Vec<ChainLink>) {
        (self.next, self.opaque_to) = (Some(index), opaque_to(&chain));
        self.open.clear();
        for link in chain {
            self.open.push(link.container.inside(&self.open, link.object.as_ref()));
        }
    }
}

impl JsonObjects<'_> {
    /// The chain at the segment `index`.
    pub(super) fn chain_at(self, index: usize) -> Vec<ChainLink> {
        self.chain(Vec::new(), self.open_containers(index))
    }

    /// The chain that consists of `known` and of `containers`, outermost first.
    fn chain(self, known: Vec<ChainLink>, containers: Vec<OuterContainer>) -> Vec<ChainLink> {
        let mut chain = known;
        // The chain may have thousands of objects: they are not searched for each.
        let mut opaque_to = opaque_to(&chain);
        for container in containers {
            let object = container.is_object.then(|| self.outer_object(&container, opaque_to));
            opaque_to = object.as_ref().and_then(|object| object.opaque_to).unwrap_or(opaque_to);
            chain.push(ChainLink { container, object, listed: OnceCell::new() });
        }
        chain
    }

    /// The chain at the segment `index`. Reuses `start`, the chain at the earlier segment `from`.
    fn chain_behind(self, start: &[ChainLink], from: usize, index: usize) -> Vec<ChainLink> {
        let brackets = self.context.tree.open_brackets(index);
        let same = brackets.iter().take_while(|(segment, _)| *segment < from).count();
        let known = start.get(..same).unwrap_or(start).to_vec();
        self.chain(known, self.containers_of(brackets.get(same..).unwrap_or_default()))
    }

    /// The end of a container.
    fn end_of_link(self, link: &ChainLink) -> usize {
        link.object.as_ref().map_or_else(|| self.end_of_array(&link.container), |object| object.end)
    }

    /// The lists of tools of a container.
    fn listed(self, link: &ChainLink) -> &ListedTools {
        link.listed.get_or_init(|| match &link.object {
            Some(object) => {
                let range = object.list.and_then(|list| self.range_of_list(list));
                ListedTools { range, read_to: None }
            }
            None => {
                let items = self.listing_items(link.container.offset);
                ListedTools { range: items.range(), read_to: items.read_to }
            }
        })
    }
}

impl EditedObjects<'_> {
    /// Converts an old offset.
    fn moved(self, offset: usize) -> usize {
        match offset < self.splice.old_end() {
            true => offset,
            false => (offset + self.splice.inserted).saturating_sub(self.splice.removed),
        }
    }

    /// The later one of the ends of the old and the new container at `level`.
    fn end_of(self, level: usize, old: &[ChainLink], new: &[ChainLink]) -> usize {
        let old_end = old.get(level).map_or(0, |link| self.old.end_of_link(link));
        let new_end = new.get(level).map_or(0, |link| self.new.end_of_link(link));
        new_end.max(self.moved(old_end))
    }

    /// The first level at which two chains differ.
    fn first_change(self, old: &[ChainLink], new: &[ChainLink]) -> Option<usize> {
        let same = old.iter().zip(new).take_while(|(old, new)| self.is_same(old, new)).count();
        (same < old.len().max(new.len())).then_some(same)
    }

    fn is_same(self, old: &ChainLink, new: &ChainLink) -> bool {
        let is_same_container = match (&old.object, &new.object) {
            (Some(one), Some(other)) => {
                let header = |object: &OuterObject| (object.form, object.header, object.thread);
                let marks = |object: &OuterObject| (header(object), object.opaque_to.is_some());
                marks(one) == marks(other) && (other.opaque_to.is_none() || self.moved(one.end) == other.end)
            }
            (None, None) => true,
            _ => false,
        };
        // The text up to the last item that lists tools is the same.
        let is_before_edit = || {
            let read_to = self.old.listed(old).read_to;
            old.container.offset == new.container.offset && read_to.is_some_and(|end| end < self.splice.start)
        };
        is_same_container
            && (is_before_edit() || self.is_same_list(self.old.listed(old), self.new.listed(new)))
    }

    /// True if the edit did not touch a list of tools.
    fn is_same_list(self, old: &ListedTools, new: &ListedTools) -> bool {
        match (&old.range, &new.range) {
            (None, None) => true,
            (Some(old), Some(new)) => {
                let is_apart = self.splice.old_end() <= old.start || old.end <= self.splice.start;
                is_apart && self.moved(old.start) == new.start && new.len() == old.len()
            }
            _ => false,
        }
    }
}
