//! Refactorings: what can be done with the call at a place, with its batch, with all of a document, or with a selection.
//!
//! Each is named first, with what it loses, and made when it is wanted. Its edits are tried on the document: afterwards every other
//! tool use says what it said, and there is no error that was not there before. What does not hold is not made.

use std::ops::Range;

use super::conversion::{
    self, ConversionError, ConversionScope, block_at, check_preserved, new_errors, use_at,
};
use super::formatting::ReplaceEdit;
use crate::call::{CallPart, ToolUse, UseData, UseOutcome, UseStatus};
use crate::convert::{ConversionLoss, losses, words};
use crate::dialect::Dialect;
use crate::document::{CallPosition, Document, Language, LocatedUseBlock, PairedUses};
use crate::rules::Code;

mod by_name;
mod extraction;
mod ids;
mod records;
mod selection;

/// The most tool uses whose conversion is planned to be named; of more, what is lost is known when it is wanted.
const MOST_PLANNED: usize = 100;
/// The longest document, in bytes, in which conversions are tried before they are offered; in longer ones when they are wanted.
const LONGEST_TRIED: usize = 1 << 17;

pub use extraction::Extraction;

/// What can be done.
#[derive(Clone, Debug)]
pub enum Refactoring {
    /// Writes tool uses in another dialect.
    Convert {
        /// Which.
        scope: ConversionScope,
        /// The dialect.
        to: &'static Dialect,
    },
    /// Asks which calls to convert, and to which dialect: the one at a byte, its batch, or all of the document.
    ChooseConversion {
        /// The byte.
        at: usize,
    },
    /// Gives the pending call at a byte its result.
    Complete {
        /// The byte.
        at: usize,
        /// The result.
        outcome: UseOutcome,
    },
    /// Gives the last pending call of a tool its result; where there is none, a call with it is appended.
    CompleteTool {
        /// The tool's name.
        tool: String,
        /// The result.
        outcome: UseOutcome,
    },
    /// Writes the separate result of the call at a byte into it.
    Merge {
        /// The byte.
        at: usize,
    },
    /// Writes all outdated forms as `<tool>` blocks.
    Unify,
    /// Gives the call at a byte an id that nobody has, or another one.
    NewId {
        /// The byte.
        at: usize,
    },
    /// Numbers the ids of all calls: `call_1`, `call_2` and so on.
    NumberIds,
    /// Redacts all secrets.
    Redact,
    /// Makes the selected text the result of the pending call before it, or of a new one.
    Wrap {
        /// The selection.
        range: Range<usize>,
    },
    /// Moves the batch at a byte to a log of its own: see [`Extraction`], which is more than edits of the document.
    Extract {
        /// The byte.
        at: usize,
    },
    /// Puts the records of the log at a byte into their order.
    SortRecords {
        /// The byte.
        at: usize,
    },
}

/// A refactoring that is offered.
#[derive(Clone, Debug)]
pub struct OfferedRefactoring {
    /// What it is.
    pub refactoring: Refactoring,
    /// What it does, as a command, and what it loses.
    pub title: String,
}

/// How conversions are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionOffers {
    /// As one entry that asks for the calls and the dialect.
    Chosen,
    /// As an entry for each of them, for clients that cannot ask.
    Listed,
}

/// What can be done at the bytes `range` of `document`: what is for the call there, then its batch, then the document. Whether each holds
/// is not known yet.
pub fn refactorings(
    document: &Document,
    range: &Range<usize>,
    conversions: ConversionOffers,
) -> Vec<OfferedRefactoring> {
    let uses = document.paired_uses();
    let at = range.start;
    let mut found = Vec::new();
    if !document.is_active() {
        return found;
    }
    let mut offer =
        |what: Refactoring, title: String| found.push(OfferedRefactoring { refactoring: what, title });
    let Some(index) = use_at(document, &uses, at) else {
        // To some editors the character under the cursor is a selection.
        let is_selection = document.text().slice(range.clone()).chars().nth(1).is_some();
        if is_selection && let Some(title) = selection::title(document, &uses, range) {
            offer(Refactoring::Wrap { range: range.clone() }, title);
        }
        return found;
    };
    let Some(tool_use) = uses.uses.get(index) else { return found };
    let is_call = |at: LocatedUseBlock<'_>| at.block.part == CallPart::Call && at.block.is_readable;
    if tool_use.status == UseStatus::Pending && uses.parts(tool_use).any(is_call) {
        let what = Refactoring::Complete { at, outcome: UseOutcome::Empty };
        offer(what, "Complete the call with an empty result".to_owned());
    }
    if tool_use.parts.len() > 1 && document.unified_use(&uses, index).is_some() {
        offer(Refactoring::Merge { at }, "Write the result into its call".to_owned());
    }
    let has_id = uses.parts(tool_use).any(|at| at.block.id().is_some());
    if has_id || ids::can_have_one(document, &uses, index) {
        let title = if has_id { "Give the call another id" } else { "Give the call an id" };
        offer(Refactoring::NewId { at }, title.to_owned());
    }
    if records::is_unsorted(document, at) {
        offer(Refactoring::SortRecords { at }, "Sort the records of the log into their order".to_owned());
    }
    if let Some(Extraction { losses, is_batch, .. }) = Extraction::at(document, at) {
        let what = if is_batch { "batch" } else { "call" };
        let lost = in_brackets(&words::of_one(&losses));
        offer(Refactoring::Extract { at }, format!("Move the {what} to a stream log of its own{lost}"));
    }
    match conversions {
        ConversionOffers::Listed => convert_all(document, &uses, at, &mut offer),
        ConversionOffers::Chosen if !conversion_scopes(document, at).is_empty() => {
            offer(Refactoring::ChooseConversion { at }, "Convert…".to_owned());
        }
        ConversionOffers::Chosen => {}
    }
    if (0..uses.uses.len()).any(|index| document.unified_use(&uses, index).is_some()) {
        offer(Refactoring::Unify, "Write all older forms in the document as `<tool>` blocks".to_owned());
    }
    if uses.blocks.iter().any(|at| at.block.id().is_some()) {
        offer(Refactoring::NumberIds, "Number the ids of all calls in the document".to_owned());
    }
    if document.diagnostics().iter().any(|problem| problem.code == Code::Secret) {
        offer(Refactoring::Redact, "Redact all secrets in the document".to_owned());
    }
    found
}

/// The scopes at the byte `at` in which a tool use can be converted, with the number of tool uses in each; the call first. A scope
/// that is the same as a smaller one is left out.
pub fn conversion_scopes(document: &Document, at: usize) -> Vec<(ConversionScope, usize)> {
    let uses = document.paired_uses();
    let can_be = |scope| conversion::targets().any(|(to, _)| conversion::plan(document, scope, to).is_some());
    let mut scopes = conversion_scopes_at(document, &uses, at);
    scopes.retain(|(scope, _)| can_be(*scope));
    scopes
}

/// The call at the byte `at`, its batch and the document, with the number of tool uses in each, as far as it is greater than that of
/// the one before.
fn conversion_scopes_at(
    document: &Document,
    uses: &PairedUses<'_>,
    at: usize,
) -> Vec<(ConversionScope, usize)> {
    let batch = block_at(document, uses, at)
        .and_then(|block| uses.batches().into_iter().find(|batch| batch.blocks.contains(&block)));
    let of_batch = batch.map_or(0, |batch| batch.batch.uses);
    let mut scopes = vec![(ConversionScope::Call(at), 1)];
    for (scope, count) in
        [(ConversionScope::Batch(at), of_batch), (ConversionScope::Document, uses.uses.len())]
    {
        if scopes.iter().all(|(_, smaller)| *smaller < count) {
            scopes.push((scope, count));
        }
    }
    scopes
}

/// Offers conversions of the call, of its batch, and of all calls, as far as there are more.
fn convert_all(
    document: &Document,
    uses: &PairedUses<'_>,
    at: usize,
    offer: &mut dyn FnMut(Refactoring, String),
) {
    for (scope, count) in conversion_scopes_at(document, uses, at) {
        let words = match scope {
            ConversionScope::Call(_) => "Convert to",
            ConversionScope::Batch(_) => "Convert the batch to",
            ConversionScope::Document => "Convert all tool calls in the document to",
        };
        for (to, target) in conversion::targets().filter(|_| document.language() == Language::Markdown) {
            if count > MOST_PLANNED {
                offer(Refactoring::Convert { scope, to }, format!("{words} {target}"));
                continue;
            }
            let Some(plan) = conversion::plan(document, scope, to).filter(|plan| is_possible(document, plan))
            else {
                continue;
            };
            let lost = in_brackets(&plan.losses());
            let left = match plan.left {
                0 => String::new(),
                1 => "; 1 call stays as it is".to_owned(),
                left => format!("; {left} calls stay as they are"),
            };
            offer(Refactoring::Convert { scope, to }, format!("{words} {target}{lost}{left}"));
        }
    }
}

/// Whether `plan` can be made, as far as that is cheaply known: of long documents that is found when it is made.
pub fn is_possible(document: &Document, plan: &conversion::ConversionPlan) -> bool {
    document.text().len() > LONGEST_TRIED || conversion::check_conversion(document, plan).is_ok()
}

/// ` (drops the id)` of `drops the id`.
fn in_brackets(lost: &str) -> String {
    if lost.is_empty() { String::new() } else { format!(" ({lost})") }
}

impl Refactoring {
    /// What it writes, in document offsets, in the order of the text and without overlaps.
    ///
    /// # Errors
    ///
    /// Why it writes nothing: there is nothing to do, or it would do more than it says.
    pub fn edits(&self, document: &Document) -> Result<Vec<ReplaceEdit>, ConversionError> {
        if let Self::Convert { scope, to } = self {
            return conversion::checked_plan(document, *scope, to).map(|plan| plan.edits);
        }
        let edits =
            self.proposed(document).filter(|edits| !edits.is_empty()).ok_or(ConversionError::NothingToDo)?;
        // These are tried as they are made.
        if !matches!(self, Self::CompleteTool { .. } | Self::Redact) {
            self.check(document, &edits)?;
        }
        Ok(edits)
    }

    /// What it would write, if it may.
    fn proposed(&self, document: &Document) -> Option<Vec<ReplaceEdit>> {
        Some(match self {
            Self::Convert { .. } | Self::Extract { .. } | Self::ChooseConversion { .. } => return None,
            Self::Complete { at, outcome } => {
                let complete = |spot: &CallPosition<'_>| {
                    let edits = (spot.dialect.complete)(spot.call, outcome);
                    edits.into_iter().map(|(span, text)| spot.edit(span, text)).collect()
                };
                sorted(pending_at(document, *at).and_then(|at| document.call_position_at(at, complete))?)
            }
            Self::CompleteTool { tool, outcome } => {
                return match self.at_pending(document) {
                    Some(complete) => complete.edits(document).ok(),
                    None => by_name::append(document, tool, outcome),
                };
            }
            Self::Merge { at } => {
                let uses = document.paired_uses();
                sorted(document.unified_use(&uses, use_at(document, &uses, *at)?)?)
            }
            Self::Unify => {
                let uses = document.paired_uses();
                let edits = (0..uses.uses.len()).filter_map(|index| document.unified_use(&uses, index));
                sorted(edits.flatten().collect())
            }
            Self::NewId { at } => ids::new_id(document, *at)?,
            Self::NumberIds => ids::number(document),
            Self::Redact => document.fix_each(Code::Secret),
            Self::Wrap { range } => selection::wrap(document, range)?,
            Self::SortRecords { at } => records::sort(document, *at)?,
        })
    }

    /// What the result that `edits` write lacks of the one that was given: dialects cut long ones, or have one line for them.
    pub fn losses(&self, document: &Document, edits: &[ReplaceEdit]) -> Vec<ConversionLoss> {
        match self {
            Self::Complete { at, outcome } => {
                let call = pending_at(document, *at);
                call.map(|at| losses_of_result(&document.edited(edits), at, outcome)).unwrap_or_default()
            }
            Self::CompleteTool { outcome, .. } => match (self.at_pending(document), edits.first()) {
                (Some(complete), _) => complete.losses(document, edits),
                (None, Some(edit)) => losses_of_result(&document.edited(edits), start_of(edit), outcome),
                (None, None) => Vec::new(),
            },
            Self::Wrap { range } => selection::losses(document, range, edits),
            _ => Vec::new(),
        }
    }

    /// Of a tool that is named: the completion of its last pending call.
    fn at_pending(&self, document: &Document) -> Option<Self> {
        let Self::CompleteTool { tool, outcome } = self else { return None };
        let at = by_name::last_pending(document, tool)?;
        Some(Self::Complete { at, outcome: outcome.clone() })
    }

    fn check(&self, document: &Document, edits: &[ReplaceEdit]) -> Result<(), ConversionError> {
        let may_lose = |_: usize, loss: &ConversionLoss| {
            matches!(
                (self, loss),
                (Self::NewId { .. } | Self::NumberIds, ConversionLoss::Id)
                    | (Self::Complete { .. }, ConversionLoss::State(_))
            )
        };
        match self {
            // A new call may have come.
            Self::Wrap { .. } => match new_errors(document, &document.edited(edits)) {
                errors if errors.is_empty() => Ok(()),
                errors => Err(ConversionError::Errors(errors)),
            },
            _ => check_preserved(document, &document.edited(edits), &may_lose),
        }
    }
}

/// What the tool use at the byte `at` of `after` does not say of `outcome`.
fn losses_of_result(after: &Document, at: usize, outcome: &UseOutcome) -> Vec<ConversionLoss> {
    let uses = after.paired_uses();
    let found = use_at(after, &uses, at).map(|index| after.tool_uses_of(&uses, &[index]));
    let Some(now) = found.as_ref().and_then(|found| found.first()) else { return Vec::new() };
    let (output, error_text, status) = match outcome {
        // A dialect of text says any JSON whose text it has.
        UseOutcome::Output(output) => match now.output {
            Some(UseData::Text(_)) => (Some(UseData::Text(output.to_text())), None, UseStatus::Done),
            _ => (Some(output.clone()), None, UseStatus::Done),
        },
        UseOutcome::Error(text) => (None, Some(text.clone()), UseStatus::Failed),
        UseOutcome::Empty => return Vec::new(),
    };
    losses(&ToolUse { output, error_text, status, ..now.clone() }, now)
}

/// Where the call begins of the pending tool use at the byte `at`: the cursor may be in another part of it.
fn pending_at(document: &Document, at: usize) -> Option<usize> {
    let uses = document.paired_uses();
    let tool_use = uses.uses.get(use_at(document, &uses, at)?)?;
    let call = uses.parts(tool_use).find(|at| at.block.part == CallPart::Call)?;
    (tool_use.status == UseStatus::Pending).then(|| document.range_of(&call).start)
}

/// Where that begins which `edit` writes between blank space.
fn start_of((range, written): &ReplaceEdit) -> usize {
    range.start + written.len() - written.trim_start().len()
}

/// `edits` in the order of the text.
fn sorted(mut edits: Vec<ReplaceEdit>) -> Vec<ReplaceEdit> {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    edits
}

#[cfg(test)]
mod tests;
