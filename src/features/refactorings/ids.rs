//! New ids: of a call with its deltas and its result, or of all calls.

use std::collections::{HashMap, HashSet};

use crate::call::shape::FieldRole;
use crate::document::{Document, PairedUses};
use crate::json::quote;
use crate::json_repair::members;
use crate::places::call_position::CallPosition;
use crate::rules::has_misnamed_field;
use crate::text::edit::{DocumentEdit, sorted};

/// True if the tool use `index` can have an id: its call is an object with a field for it.
pub fn can_have_one(document: &Document, uses: &PairedUses<'_>, index: usize) -> bool {
    let first = uses.uses.get(index).and_then(|tool_use| uses.parts(tool_use).next());
    let start = first.map(|at| document.range_of(&at).start);
    start
        .and_then(|at| document.call_position_at(at, |position| edit(position, "x").is_some()))
        .unwrap_or_default()
}

/// An unused id for the tool use at the byte `at`.
pub fn new_id(document: &Document, at: usize) -> Option<Vec<DocumentEdit>> {
    let uses = document.paired_uses();
    let index = uses.use_at(at)?;
    let written = uses.parts(uses.uses.get(index)?).find_map(|at| at.block.id());
    let id = document.free_id(written.unwrap_or("call_0"));
    Some(write(document, &uses, &HashMap::from([(index, id)])))
}

/// `call_1`, `call_2` and so on, for all tool uses with an id.
pub fn number(document: &Document) -> Vec<DocumentEdit> {
    let uses = document.paired_uses();
    let has_id = |index: &usize| {
        uses.uses.get(*index).is_some_and(|it| uses.parts(it).any(|at| at.block.id().is_some()))
    };
    let with_ids = (0..uses.uses.len()).filter(has_id);
    let ids = with_ids.zip(1..).map(|(index, number)| (index, format!("call_{number}"))).collect();
    write(document, &uses, &ids)
}

/// True if the ids of all tool uses can be replaced without a trial: each is written as a plain
/// string, belongs to one tool use, and is in all of its blocks, at a place of their own. Then
/// other ids, which are as distinct, are paired and checked in the same way.
pub fn are_replaceable(document: &Document, uses: &PairedUses<'_>) -> bool {
    if uses.depends_on_text || document.delta_text().is_some() {
        return false;
    }
    let (mut owners, mut places) = (HashMap::new(), HashSet::new());
    for (block, at) in uses.blocks().iter().enumerate() {
        let written = at.block.id().filter(|id| !id.is_empty()).zip(at.block.id_span());
        let Some((index, (id, span))) = uses.use_of(block).zip(written) else { return false };
        let is_part = uses.uses.get(index).is_some_and(|it| it.parts.binary_search(&block).is_ok());
        let is_own = *owners.entry(id).or_insert(index) == index;
        // A result under its id in an object has the place of the id in its call.
        let is_place = places.insert(at.absolute(span).start);
        if !is_part || !is_own || !is_place || document.text().slice(at.absolute(span)) != quote(id) {
            return false;
        }
    }
    owners.len() == uses.uses.len()
}

/// True if [`number`] changes something.
pub fn would_number(document: &Document, uses: &PairedUses<'_>) -> bool {
    let mut count = 0;
    let has_other = |written: Vec<&str>| {
        count += usize::from(!written.is_empty());
        written.iter().any(|id| *id != format!("call_{count}"))
    };
    let mut written = uses.uses.iter().map(|it| uses.parts(it).filter_map(|at| at.block.id()).collect());
    written.any(has_other) || !number(document).is_empty()
}

/// Writes `ids` into all parts of their tool uses.
fn write(document: &Document, uses: &PairedUses<'_>, ids: &HashMap<usize, String>) -> Vec<DocumentEdit> {
    let mut edits = Vec::new();
    let wanted = |block: usize| ids.get(&uses.use_of(block)?);
    let mut blocks =
        uses.blocks().iter().enumerate().filter_map(|(block, at)| Some((at, wanted(block)?))).peekable();
    while let Some((first, id)) = blocks.next() {
        let mut of_segment = HashMap::from([(document.range_of(first).start, id)]);
        while let Some((at, id)) = blocks.next_if(|(at, _)| at.segment == first.segment) {
            of_segment.insert(document.range_of(at).start, id);
        }
        document.call_positions(first.segment, &mut |position| {
            let id = of_segment.get(&position.range.start);
            edits.extend(id.and_then(|id| edit(position, id)));
        });
    }
    edits.retain(|(range, written)| document.text().slice(range.clone()) != *written);
    sorted(edits)
}

/// Replaces the written id, or the value in its place, or inserts the id as the first member.
fn edit(position: &CallPosition<'_>, id: &str) -> Option<DocumentEdit> {
    if let Some(written) = &position.call.id {
        return Some(position.edit(written.span, quote(id)));
    }
    let (object, payload) = position.call.object.zip(position.call.payload)?;
    let shape = position.call.shape?;
    let key = shape.of_role(FieldRole::Id)?.key;
    if let Some(value) = object.get(key) {
        return Some(position.edit(value.span().shifted(payload.start), quote(id)));
    }
    // A misnamed id is renamed instead.
    if has_misnamed_field(object, shape, FieldRole::Id) {
        return None;
    }
    let (span, member) = members::prepend(object, &format!("{}: {}", quote(key), quote(id)));
    Some(position.edit(span.shifted(payload.start), member))
}

#[cfg(test)]
mod tests;
