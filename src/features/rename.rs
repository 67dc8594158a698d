//! Rename: the id of a tool use in all of its blocks, or the name of a tool in the whole document.
//!
//! The edits are tested on a copy of the document: the same blocks must still belong to the same
//! tool uses and have the new name where they had the old one.

mod repeated;

use std::collections::HashSet;
use std::ops::Range;

use crate::call::{Block, ResultLine};
use crate::document::{Document, LocatedBlock};
use crate::json::quote_like;
use crate::places::name_occurrences::{NameOccurrence, NamedItem};
use crate::text::DocumentEdit;

use repeated::{line_of_other, repeated_names};

/// Maximum length in bytes of a document in which a rename is tried before it is offered.
const LONGEST_TRIED: usize = 1 << 20;

/// The id or name at the byte `at` of `document`, if it can be renamed: in some forms a name stands
/// in other places, too. That is tried in documents that are not very long.
pub fn renamable(document: &Document, at: usize) -> Option<NameOccurrence<'_>> {
    let mention = document.name_occurrence_at(at)?;
    let other = format!("{}_1", mention.text);
    let is_possible = || match mention.named {
        NamedItem::Tool => rename_tool(document, mention.text, &other).is_ok(),
        _ => rename_id(document, at, &document.free_id(&other)).is_ok(),
    };
    (document.text().len() > LONGEST_TRIED || is_possible()).then_some(mention)
}

/// Changes the id at the byte `at` of `document` to `new` in its fence or in all of its records.
///
/// # Errors
///
/// The reason for rejecting it, as a message.
pub fn rename_id(document: &Document, at: usize, new: &str) -> Result<Vec<DocumentEdit>, String> {
    check_name("an id", new)?;
    let Some(mention) = document.name_occurrence_at(at).filter(|mention| mention.named != NamedItem::Tool)
    else {
        return Err("there is no id here".to_owned());
    };
    if mention.text == new {
        return Ok(Vec::new());
    }
    let conversation = document.conversation_of(&mention);
    if !document.occurrences_in_conversation(mention.named, new, conversation).is_empty() {
        return Err(format!("`{new}` is the id of another call: use an unused one"));
    }
    if mention.named == NamedItem::Fence && document.is_fallback(new) {
        return Err(format!("`{new}` is the fallback id of a tool fence without an id: use another one"));
    }
    let mentions = match mention.named {
        // "Each block is a tool use of its own": of two with one id, only this one is renamed.
        NamedItem::Fence => vec![mention],
        _ => document.occurrences_like(&mention),
    };
    tried_edits(document, &mentions, &[], new)
}

/// Renames the tool `old` to `new` in the whole `document`; no edits if it does not occur.
///
/// # Errors
///
/// The reason for rejecting it, as a message.
pub fn rename_tool(document: &Document, old: &str, new: &str) -> Result<Vec<DocumentEdit>, String> {
    check_name("the name of a tool", new)?;
    let mentions = if old == new { Vec::new() } else { document.occurrences_of(NamedItem::Tool, old) };
    let declared = document.declarations_of(&mentions);
    let is_outside = |name: &Range<usize>| {
        let next = declared.partition_point(|tool| tool.range.start <= name.start);
        let before = declared.get(..next).and_then(<[_]>::last);
        before.is_none_or(|tool| tool.range.end < name.end)
    };
    let mut repeated = repeated_names(document, &mentions, old);
    repeated.retain(is_outside);
    let mut edits = tried_edits(document, &mentions, &repeated, new)?;
    let declared = declared.iter().filter(|tool| tool.is_free);
    edits.extend(declared.map(|tool| quoted(document, &tool.written, new)));
    edits.sort_by_key(|(range, _)| range.start);
    Ok(edits)
}

/// The edit that writes `new` at `range`, with quotes if it has them.
fn quoted(document: &Document, range: &Range<usize>, new: &str) -> DocumentEdit {
    let written = document.text().slice(range.clone());
    let is_string = written.starts_with(['"', '\\']);
    (range.clone(), if is_string { quote_like(&written, new) } else { new.to_owned() })
}

fn check_name(what: &str, new: &str) -> Result<(), String> {
    if new.trim().is_empty() {
        return Err(format!("{what} cannot be empty"));
    }
    if new.chars().any(char::is_control) {
        return Err(format!("{what} must be one line without control characters"));
    }
    Ok(())
}

/// The edits that write `new` at `mentions` and at the ranges `repeated`, if they change nothing
/// else.
fn tried_edits(
    document: &Document,
    mentions: &[NameOccurrence<'_>],
    repeated: &[Range<usize>],
    new: &str,
) -> Result<Vec<DocumentEdit>, String> {
    if mentions.is_empty() {
        return Ok(Vec::new());
    }
    let mut edits: Vec<DocumentEdit> =
        mentions.iter().map(|mention| mention.renamed(document, new)).collect();
    edits.extend(repeated.iter().map(|range| quoted(document, range, new)));
    edits.sort_by_key(|(range, _)| range.start);
    let renamed = document.edited(&edits);
    let places: HashSet<_> =
        mentions.iter().map(|mention| (BlockId::of(mention), mention.named == NamedItem::Tool)).collect();
    let (before, after) = (all_names_of_uses(document), all_names_of_uses(&renamed));
    let expected = before.iter().map(|names| {
        let new_or = |is_tool: bool, old| match places.contains(&(names.block_id, is_tool)) {
            true => Some(new),
            false => old,
        };
        NamesOfUse { id: new_or(false, names.id), name: new_or(true, names.name), ..*names }
    });
    let is_same = |(expected, actual): &(NamesOfUse<'_>, &NamesOfUse<'_>)| {
        let (one, other) = (expected.block, actual.block);
        (expected.id, expected.name, expected.use_index) == (actual.id, actual.name, actual.use_index)
            && (one.dialect, one.part, one.status) == (other.dialect, other.part, other.status)
            && one.arguments() == other.arguments()
            && (one.result() == other.result() || is_renamed_result(one, other))
    };
    let wrong = expected.zip(&after).find(|pair| !is_same(pair)).map(|(names, _)| names.block_id);
    if wrong.is_none() && before.len() == after.len() {
        return Ok(edits);
    }
    let place = mentions.iter().find(|mention| wrong.is_some_and(|wrong| wrong == BlockId::of(mention)));
    let place = place.or(mentions.first());
    let line = place.map_or(0, |place| document.text().line_of_byte(place.range.start));
    if let Some(mention) = place
        && let Some(other) = line_of_other(document, blocks_of_use(document, mention), &edits, mention.text)
    {
        let (old, line, other) = (mention.text, line + 1, other + 1);
        return Err(format!(
            "`{old}` in line {line} cannot be renamed: line {other} repeats it in text that would keep it"
        ));
    }
    Err(format!("`{new}` is not valid in line {}: it would be parsed differently", line + 1))
}

/// The ranges of the blocks of the tool use that `mention` is in.
fn blocks_of_use(document: &Document, mention: &NameOccurrence<'_>) -> Vec<Range<usize>> {
    let uses = document.paired_uses();
    let mut parts = uses.uses.iter().map(|tool_use| uses.parts(tool_use).collect::<Vec<_>>());
    let found = parts.find(|parts| parts.iter().any(|at| mention.is_in(at, false)));
    found.into_iter().flatten().map(|at| document.range_of(&at)).collect()
}

/// True if the result in `after` is that in `before` with the new name in it, as in
/// `*❌ Tool NAME not available*`.
fn is_renamed_result(before: &Block, after: &Block) -> bool {
    let (Some(old), Some(new)) = (before.name(), after.name()) else { return false };
    match (before.result(), after.result()) {
        (Some(ResultLine::Line(one)), Some(ResultLine::Line(other))) => one.replace(old, new) == other,
        _ => false,
    }
}

/// Identifies a block of a document.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct BlockId {
    is_in_delta_text: bool,
    segment: usize,
    index: usize,
}

impl BlockId {
    fn of(mention: &NameOccurrence<'_>) -> Self {
        Self::new(mention.is_in_delta_text, &mention.at)
    }

    fn new(is_in_delta_text: bool, at: &LocatedBlock<'_>) -> Self {
        Self { is_in_delta_text, segment: at.segment, index: at.index }
    }
}

/// The id and name in a block.
#[derive(Clone, Copy)]
struct NamesOfUse<'d> {
    block: &'d Block,
    block_id: BlockId,
    /// The tool use that the block is part of.
    use_index: Option<usize>,
    id: Option<&'d str>,
    name: Option<&'d str>,
}

/// Ids and names of all blocks, including blocks in delta text.
fn all_names_of_uses(document: &Document) -> Vec<NamesOfUse<'_>> {
    let mut all = Vec::new();
    for read in std::iter::once(document).chain(document.delta_text()) {
        let uses = read.paired_uses();
        let is_in_delta_text = !std::ptr::eq(read, document);
        let names = uses.blocks().iter().enumerate().map(|(index, at)| NamesOfUse {
            block: at.block,
            block_id: BlockId::new(is_in_delta_text, at),
            use_index: uses.use_of(index),
            id: at.block.id(),
            name: at.block.name(),
        });
        all.extend(names);
    }
    all
}

#[cfg(test)]
mod tests;
