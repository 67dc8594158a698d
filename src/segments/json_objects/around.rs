//! The object around an array.

use super::object_text::whole_text;
use super::piece::JsonObjects;
use crate::forms::{FormTable, Members};
use crate::messages::outline::outline;
use crate::segments::block_unit::ReadContext;
use crate::syntax::SegmentKind;

/// The members of the object that the array at the document offset `start` is a member of.
pub(crate) fn members_around(context: ReadContext<'_>, start: usize) -> Option<Members> {
    let objects = JsonObjects::of(context);
    let located = context.tree.locate(context.tree.head_of(context.tree.segment_at(start)?.index))?;
    let outline = outline(&whole_text(context, &located), FormTable::built_in());
    let array = outline.containers.iter().find(|found| located.offset + found.start as usize == start)?;
    let Some(parent) = outline.parent_of(array) else {
        let open = objects.open_containers(located.index);
        let outer = open.get(open.len().checked_sub(array.outer_closes as usize + 1)?)?;
        return outer.is_object.then(|| objects.members(outer.offset).0);
    };
    parent.is_object.then(|| match parent.end() {
        // Only a piece of a JSON document goes on.
        None if matches!(located.segment.kind, SegmentKind::Json(_)) => {
            objects.members(located.offset + parent.start as usize).0
        }
        _ => parent.members.clone(),
    })
}
