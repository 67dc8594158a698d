//! The segments of a JSON document whose data an edit may change.
//!
//! The data of a segment depend on its text, on the containers around it, and on the rest of the
//! objects that begin in it.

use std::ops::Range;

use super::listed::ListingItem;
use super::{JsonObjects, MessageData, ObjectKind, OuterContainer, kind_of_form};
use crate::document::block_unit::ReadContext;
use crate::syntax::Damage;
use crate::text::Splice;

/// A container that is open at the start of a segment, with all that the data of the segment depend
/// on.
struct ChainLink {
    segment: usize,
    is_object: bool,
    /// The index of its form in the table.
    form: Option<usize>,
    /// Its data as a message.
    told: Option<MessageData>,
    /// True if it is whole: no forms are searched in it.
    is_whole: bool,
    end: usize,
    /// The range of the list of tools in it; of an array, that of the items that list tools.
    list: Option<Range<usize>>,
}

/// Extends `damage` by the segments whose data depend on the damaged ones: `old` and `new` are the
/// contexts before and after the edit.
pub(in crate::document) fn extend_damage(
    old: ReadContext<'_>,
    new: ReadContext<'_>,
    splice: Splice,
    damage: Damage,
) -> Damage {
    let moved = |offset: usize| match offset < splice.old_end() {
        true => offset,
        false => (offset + splice.inserted).saturating_sub(splice.removed),
    };
    let (old_start, new_start) = (chain(old, damage.old.start), chain(new, damage.new.start));
    let changed = first_change(&old_start, &new_start, splice, moved);
    let position = new.tree.offset_of(damage.new.start);
    let whole = new_start.iter().position(|link| link.is_whole && link.end > position);
    let first = changed.into_iter().chain(whole).filter_map(|level| new_start.get(level));
    let start = first.map(|link| link.segment).fold(damage.new.start, usize::min);
    let mut end = changed.map_or(0, |level| end_of(level, &old_start, &new_start, moved));
    let mut more = 0;
    loop {
        let behind = new.tree.segment_at(end.saturating_sub(1)).map_or(0, |located| located.index + 1);
        more = behind.min(new.tree.len()).saturating_sub(damage.new.end).max(more);
        let (old_end, new_end) = (chain(old, damage.old.end + more), chain(new, damage.new.end + more));
        let Some(level) = first_change(&old_end, &new_end, splice, moved) else { break };
        if damage.new.end + more >= new.tree.len() {
            break;
        }
        more += 1;
        // With another number of open containers all following text is inside of others.
        let is_deeper = old_end.len() != new_end.len();
        end = if is_deeper { new.text.len() } else { end_of(level, &old_end, &new_end, moved) };
    }
    Damage { old: start..damage.old.end + more, new: start..damage.new.end + more }
}

/// The segment in which the tool use begins that contains the start of the segment at `index`; that
/// segment itself if there is none.
pub(in crate::document) fn head_of(context: ReadContext<'_>, index: usize) -> usize {
    let position = context.tree.offset_of(index);
    let chain = chain(context, index);
    chain.iter().find(|link| link.is_whole && link.end > position).map_or(index, |link| link.segment)
}

/// The end of the containers at `level`.
fn end_of(level: usize, old: &[ChainLink], new: &[ChainLink], moved: impl Fn(usize) -> usize) -> usize {
    let end = |chain: &[ChainLink]| chain.get(level).map_or(0, |link| link.end);
    end(new).max(moved(end(old)))
}

/// The containers that are open at the start of a segment, outermost first.
fn chain(context: ReadContext<'_>, index: usize) -> Vec<ChainLink> {
    let objects = JsonObjects { context };
    let mut covered = 0;
    let link = |container: OuterContainer| {
        let OuterContainer { segment, is_object, offset, .. } = container;
        if !is_object {
            let end = objects.end_of_array(&container);
            return ChainLink {
                segment,
                is_object,
                form: None,
                told: None,
                is_whole: false,
                end,
                list: around_all(&objects.listing_items(offset)),
            };
        }
        let (form, told, end) = objects.form_of(&container);
        let list = objects.list_of(&container).and_then(|list| objects.range_of_list(list));
        let kind = kind_of_form(form.map(|(_, form)| form));
        let is_whole = matches!(kind, ObjectKind::Whole { .. }) && offset >= covered;
        if is_whole {
            covered = end;
        }
        let (form, told) = (form.map(|(index, _)| index), Some(told));
        ChainLink { segment, is_object, form, told, is_whole, end, list }
    };
    objects.open_containers(index).into_iter().map(link).collect()
}

/// The range from the first of `items` to the last.
fn around_all(items: &[ListingItem]) -> Option<Range<usize>> {
    Some(items.first()?.range.start..items.last()?.range.end)
}

/// The first level at which two chains differ; `moved` converts old offsets.
fn first_change(
    old: &[ChainLink],
    new: &[ChainLink],
    splice: Splice,
    moved: impl Fn(usize) -> usize,
) -> Option<usize> {
    let is_same = |(old, new): (&ChainLink, &ChainLink)| {
        let marks = |link: &ChainLink| (link.is_object, link.form, link.told, link.is_whole);
        marks(old) == marks(new)
            && (!new.is_whole || moved(old.end) == new.end)
            && is_same_list(old.list.as_ref(), new.list.as_ref(), splice, &moved)
    };
    let same = old.iter().zip(new).take_while(|pair| is_same(*pair)).count();
    (same < old.len().max(new.len())).then_some(same)
}

/// True if an edit did not touch a list of tools.
fn is_same_list(
    old: Option<&Range<usize>>,
    new: Option<&Range<usize>>,
    splice: Splice,
    moved: &impl Fn(usize) -> usize,
) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => {
            let is_apart = splice.old_end() <= old.start || old.end <= splice.start;
            is_apart && moved(old.start) == new.start && new.len() == old.len()
        }
        _ => false,
    }
}
