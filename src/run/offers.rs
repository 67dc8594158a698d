//! The calls of a document that something of its configuration can run, for lenses and actions.
//! Nothing is started to find them.

use super::ready_call::runner_of;
use crate::call::{CallPart, UseStatus};
use crate::document::Document;
use crate::document::paired_uses::{LocatedUseBlock, PairedUse, PairedUses};
use crate::features::conversion::block_at;

/// An offer to run pending calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOffer {
    /// The start of the call, or of the first block of the batch, in document offsets.
    pub offset: usize,
    /// The calls.
    pub calls: OfferedCalls,
}

/// The calls of a [`RunOffer`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OfferedCalls {
    /// The call at the offset.
    One,
    /// The pending calls of the batch at the offset, of which this many can be run.
    Batch(usize),
}

/// The offers for lenses of `document`, as selected in `[lenses]`: for each pending call, and for
/// each batch with more than one.
pub fn run_lenses(document: &Document) -> Vec<RunOffer> {
    if !document.settings().lenses.run {
        return Vec::new();
    }
    let uses = document.paired_uses();
    let is_offered = |tool_use: &&PairedUse| {
        tool_use.status == UseStatus::Pending && has_runner(document, &uses, tool_use)
    };
    let mut offers = Vec::new();
    for tool_use in uses.uses.iter().filter(is_offered) {
        if let Some(call) = call_of(&uses, tool_use) {
            offers.push(RunOffer { offset: document.range_of(&call).start, calls: OfferedCalls::One });
        }
    }
    for batch in uses.batches() {
        let calls = uses.uses_in(batch.blocks.clone()).filter(is_offered).count();
        if let Some(first) = uses.blocks.get(batch.blocks.start).filter(|_| calls > 1) {
            let offset = document.range_of(first).start;
            offers.push(RunOffer { offset, calls: OfferedCalls::Batch(calls) });
        }
    }
    offers.sort_by_key(|offer| offer.offset);
    offers
}

/// The status of the tool use at the byte `at` whose call can be run.
pub fn runnable_at(document: &Document, at: usize) -> Option<UseStatus> {
    let uses = document.paired_uses();
    let index = uses.use_of.get(block_at(document, &uses, at)?).copied().flatten()?;
    let tool_use = uses.uses.get(index)?;
    call_of(&uses, tool_use).filter(|_| has_runner(document, &uses, tool_use))?;
    Some(tool_use.status)
}

fn call_of<'d>(uses: &PairedUses<'d>, tool_use: &PairedUse) -> Option<LocatedUseBlock<'d>> {
    let is_call = |at: &LocatedUseBlock<'_>| {
        matches!(at.block.part, CallPart::Call | CallPart::Both) && at.block.is_readable
    };
    uses.parts(tool_use).find(is_call)
}

fn has_runner(document: &Document, uses: &PairedUses<'_>, tool_use: &PairedUse) -> bool {
    runner_of(document.settings(), uses.name_of(tool_use)).is_ok()
}
