//! The calls of a document that the configuration can run, for lenses and actions. Nothing is
//! started to find them.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::ready_call::{CallRunner, runner_of};
use super::subject::hexadecimal;
use crate::call::{ToolUse, UseStatus};
use crate::document::{Document, LocatedBlock, PairedUse, PairedUses};
use crate::features::refactorings::outcomes::{CallAnchor, has_outcome_form};

/// An offer to run pending calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunOffer {
    /// The start of the call, or of the first block of the batch, in document offsets.
    pub offset: usize,
    /// The calls.
    pub calls: OfferedCalls,
    /// False if a result can only be shown.
    pub takes_outcomes: bool,
}

/// The calls of a [`RunOffer`], by their fingerprints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferedCalls {
    /// The call at the offset.
    One(String),
    /// The pending calls of the batch at the offset that can be run.
    Batch(Vec<String>),
}

/// The tool use at an offset whose call can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunnableCall {
    /// Its status.
    pub status: UseStatus,
    /// The fingerprint of the call.
    pub fingerprint: String,
}

/// The number of bytes of a SHA-256 that identify a call.
const FINGERPRINT: usize = 16;

/// The fingerprint of `tool_use` as a call, as 32 hexadecimal digits. It depends neither on the
/// place of the call nor on its result.
pub fn call_fingerprint(tool_use: &ToolUse) -> String {
    let digest = Sha256::digest(CallAnchor::content_of(tool_use));
    hexadecimal(digest.get(..FINGERPRINT).unwrap_or_default())
}

/// The offers for lenses of `document`, as selected in `[lenses]`: for each pending call, and for
/// each batch with more than one. `has_folder`: for calls of tools that work in a folder, too.
pub fn run_lenses(document: &Document, has_folder: bool) -> Vec<RunOffer> {
    if !document.settings().lenses.run {
        return Vec::new();
    }
    let uses = document.paired_uses();
    let is_offered = |tool_use: &PairedUse| {
        tool_use.status == UseStatus::Pending && has_runner(document, &uses, tool_use, has_folder)
    };
    let offered = uses.uses.iter().enumerate().filter(|(_, tool_use)| is_offered(tool_use));
    let offered: Vec<usize> = offered.map(|(index, _)| index).collect();
    let fingerprints = document.tool_uses_of(&uses, &offered);
    let fingerprints = offered.iter().zip(fingerprints.iter().map(call_fingerprint));
    let fingerprints: BTreeMap<usize, String> = fingerprints.map(|(index, it)| (*index, it)).collect();
    let mut offers = Vec::new();
    for (index, fingerprint) in &fingerprints {
        if let Some(call) = uses.uses.get(*index).and_then(|tool_use| call_of(&uses, tool_use)) {
            let (offset, calls) = (document.range_of(&call).start, OfferedCalls::One(fingerprint.clone()));
            offers.push(RunOffer { offset, calls, takes_outcomes: has_outcome_form(document, &call) });
        }
    }
    for batch in &uses.batches {
        let indices: BTreeSet<usize> = batch.blocks.clone().filter_map(|block| uses.use_of(block)).collect();
        let calls: Vec<_> = indices.iter().filter_map(|index| fingerprints.get(index).cloned()).collect();
        let offered = indices.iter().filter(|index| fingerprints.contains_key(index));
        let offered = offered.filter_map(|index| call_of(&uses, uses.uses.get(*index)?));
        if calls.len() > 1
            && let Some(first) = uses.block(batch.blocks.start)
        {
            let offset = document.range_of(&first).start;
            let takes_outcomes = offered.into_iter().all(|call| has_outcome_form(document, &call));
            offers.push(RunOffer { offset, calls: OfferedCalls::Batch(calls), takes_outcomes });
        }
    }
    offers.sort_by_key(|offer| offer.offset);
    offers
}

/// The tool use at the byte `at` whose call can be run. `has_folder`: its tool may also be one that
/// works in a folder.
pub fn runnable_at(document: &Document, at: usize, has_folder: bool) -> Option<RunnableCall> {
    let uses = document.paired_uses();
    let index = uses.use_at(at)?;
    let tool_use = uses.uses.get(index)?;
    call_of(&uses, tool_use).filter(|_| has_runner(document, &uses, tool_use, has_folder))?;
    let fingerprint = call_fingerprint(document.tool_uses_of(&uses, &[index]).first()?);
    Some(RunnableCall { status: tool_use.status, fingerprint })
}

/// The servers that may provide the tool of the call at the byte `at`: if the tool is unknown, all
/// servers that were not asked for their tools yet.
pub fn servers_to_ask_at(document: &Document, at: usize) -> Vec<String> {
    let registry = &document.settings().registry;
    if registry.unasked.is_empty() {
        return Vec::new();
    }
    let uses = document.paired_uses();
    let is_unknown = |tool_use: &PairedUse| !registry.knows(uses.name_of(tool_use));
    match uses.use_at(at).and_then(|index| uses.uses.get(index)).is_some_and(is_unknown) {
        true => registry.unasked.clone(),
        false => Vec::new(),
    }
}

fn call_of<'d>(uses: &PairedUses<'d>, tool_use: &PairedUse) -> Option<LocatedBlock<'d>> {
    let is_call = |at: &LocatedBlock<'_>| at.block.part.has_call() && at.block.is_readable;
    uses.parts(tool_use).find(is_call)
}

fn has_runner(document: &Document, uses: &PairedUses<'_>, tool_use: &PairedUse, has_folder: bool) -> bool {
    match runner_of(document.settings(), uses.name_of(tool_use)) {
        Ok(CallRunner::Preset(tool, _)) => has_folder || !tool.needs_folder(),
        Ok(_) => true,
        Err(_) => false,
    }
}
