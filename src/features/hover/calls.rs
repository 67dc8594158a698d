//! Hovers of whole calls: the batch, expanded, and the events that the call becomes.

use crate::document::{Document, LocatedBlock, PairedUses};
use crate::events::events_of;
use crate::prose::RichText;
use crate::text::cut;

/// Maximum number of characters of a shown event.
const EVENT: usize = 1000;

/// The page of the tool use of the block that begins at the document offset `start`, in the segment
/// at `segment`; `None` if the block is not part of a tool use.
pub(super) fn page(document: &Document, segment: usize, start: usize) -> Option<RichText> {
    let uses = document.paired_uses();
    let block = find(document, &uses, segment, start)?;
    let index = uses.use_of(block)?;
    let tool_use = uses.uses.get(index)?;
    let drawn = match uses.batch_of(block) {
        Some(batch) => document.expanded(&uses, batch),
        None => uses.label_of(tool_use).to_string(),
    };
    Some(RichText::default().code("", drawn).then(events(document, &uses, index)))
}

fn find(document: &Document, uses: &PairedUses<'_>, segment: usize, start: usize) -> Option<usize> {
    let begins_here = |at: LocatedBlock<'_>| document.range_of(&at).start == start;
    uses.blocks_of_segments(segment..segment + 1).find(|index| uses.block(*index).is_some_and(begins_here))
}

fn events(document: &Document, uses: &PairedUses<'_>, index: usize) -> RichText {
    let Some(tool_use) = document.tool_use(uses, index) else { return RichText::default() };
    if !tool_use.has_call {
        return RichText::default();
    }
    if !tool_use.has_valid_call {
        return RichText::default()
            .text("Readers recognize no call here while its block is unclosed or its payload invalid.");
    }
    let events: Vec<_> = events_of(&tool_use).iter().map(|event| cut(event, EVENT)).collect();
    RichText::default().text("In the UI message stream it is:").code("json", events.join("\n"))
}
