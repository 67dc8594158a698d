//! Refactorings of the call at a position, its batch, the whole document or a selection.
//!
//! Each is offered with its losses and computed when it is applied. Its edits are tested on a copy
//! of the document: every other tool use must stay the same, and no new error may appear. Otherwise
//! it is rejected.

pub mod named_tool;

use std::cell::LazyCell;
use std::ops::Range;

use super::conversion::{self, ConversionError, ConversionPlan, ConversionScope, ScopeUses, Unedited};
use crate::call::{ToolUse, UseData, UseOutcome};
use crate::convert::{ConversionLoss, loss_text, losses};
use crate::diagnostic::Code;
use crate::dialect::Dialect;
use crate::document::{Document, Language, PairedUse, PairedUses};
use crate::never::OrNever;
use crate::text::edit::{DocumentEdit, sorted};

mod extraction;
mod ids;
pub mod outcomes;
mod records;
mod selection;

/// Maximum number of tool uses whose conversion or extraction is planned for the title. For more,
/// the losses are computed when it is applied.
const MOST_PLANNED: usize = 100;
/// Maximum length of a document, in bytes, in which edits that may fail are tested before they are
/// offered; in longer documents they are tested when applied.
const LONGEST_TRIED: usize = 1 << 17;

pub use extraction::Extraction;
use extraction::MovableUses;

/// A refactoring.
#[derive(Clone, Debug)]
pub enum Refactoring {
    /// Writes tool uses in another dialect.
    Convert {
        /// The tool uses to convert.
        scope: ConversionScope,
        /// The target dialect.
        to: &'static Dialect,
    },
    /// Lets the user choose the calls to convert (the call at a byte, its batch, or all calls of
    /// the document) and the dialect.
    ChooseConversion(usize),
    /// Adds a result to the pending call at a byte.
    Complete {
        /// The byte offset.
        at: usize,
        /// The result.
        outcome: UseOutcome,
    },
    /// Adds a result to the last pending call of a tool; appends a completed call if there is none.
    CompleteTool {
        /// The tool's name.
        tool: String,
        /// The result.
        outcome: UseOutcome,
    },
    /// Moves the separate result of the call at a byte into the call.
    Merge(usize),
    /// Writes all outdated forms as `<tool>` blocks.
    Unify,
    /// Gives the call at a byte an unused id.
    NewId(usize),
    /// Numbers the ids of all calls: `call_1`, `call_2` and so on.
    NumberIds,
    /// Redacts all secrets.
    Redact,
    /// Makes the selected text the result of the preceding pending call, or of a new call.
    Wrap(Range<usize>),
    /// Moves the batch at a byte to a log file of its own: see [`Extraction`], which has more than
    /// edits of the document.
    Extract(usize),
    /// Sorts the records of the log at a byte.
    SortRecords(usize),
}

/// An offered refactoring.
#[derive(Clone, Debug)]
pub struct OfferedRefactoring {
    /// The refactoring.
    pub refactoring: Refactoring,
    /// The title, as a command, with the losses.
    pub title: String,
}

/// The form in which conversions are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConversionOffers {
    /// One entry, which lets the user choose the calls and the dialect.
    Chosen,
    /// One entry for each conversion, for clients that cannot show a choice.
    Listed,
}

/// The refactorings for the byte range `range` of `document`: of the call, then of its batch, then
/// of the document. All are tested when they are applied.
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
    let Some(index) = uses.use_at(at) else {
        // Some editors send the character under the cursor as a selection.
        let is_selection = document.text().slice(range.clone()).chars().nth(1).is_some();
        if is_selection && let Some(title) = selection::title(document, range) {
            let what = Refactoring::Wrap(range.clone());
            if document.text().len() > LONGEST_TRIED || what.edits(document).is_ok() {
                offer(what, title);
            }
        }
        return found;
    };
    let Some(tool_use) = uses.uses.get(index).never_none() else { return found };
    let pending = outcomes::pending_call(&uses, tool_use);
    let is_long = document.text().len() > LONGEST_TRIED;
    let holds = |what: &Refactoring| is_long || what.edits(document).is_ok();
    let complete = Refactoring::Complete { at, outcome: UseOutcome::Empty };
    if pending.is_some_and(|call| outcomes::has_outcome_form(document, &call)) && holds(&complete) {
        offer(complete, "Complete the call with an empty result".to_owned());
    }
    let merge = Refactoring::Merge(at);
    if tool_use.parts.len() > 1 && document.unified_use(&uses, index).is_some() && holds(&merge) {
        offer(merge, "Write the result into its call".to_owned());
    }
    let has_id = uses.parts(tool_use).any(|at| at.block.id().is_some());
    let takes_ids = LazyCell::new(|| ids::are_replaceable(document, &uses));
    let takes = |ids: &Refactoring| is_long || *takes_ids || holds(ids);
    let new_id = Refactoring::NewId(at);
    // A log may have the id in further places.
    let has_one_place = document.language() == Language::Markdown;
    if (has_id || ids::can_have_one(document, &uses, index)) && (has_one_place || takes(&new_id)) {
        let title = if has_id { "Give the call another id" } else { "Give the call an id" };
        offer(new_id, title.to_owned());
    }
    if records::is_unsorted(document, at) {
        offer(Refactoring::SortRecords(at), "Sort the records of the log into their order".to_owned());
    }
    if let Some(movable) = MovableUses::at(document, &uses, at)
        && let Some(losses) = movable.losses(document, &uses)
    {
        let what = if movable.is_batch() { "batch" } else { "call" };
        let lost = in_brackets(&loss_text::of_one(&losses));
        offer(Refactoring::Extract(at), format!("Move the {what} to a stream log of its own{lost}"));
    }
    match conversions {
        ConversionOffers::Listed => convert_all(document, &uses, at, &mut offer),
        ConversionOffers::Chosen if has_conversion(document, &uses, at) => {
            offer(Refactoring::ChooseConversion(at), "Convert…".to_owned());
        }
        ConversionOffers::Chosen => {}
    }
    if uses.has_outdated && outdated(document, &uses).next().is_some() && holds(&Refactoring::Unify) {
        offer(Refactoring::Unify, "Convert all older forms in the document to `<tool>` blocks".to_owned());
    }
    if uses.has_ids && ids::would_number(document, &uses) && takes(&Refactoring::NumberIds) {
        offer(Refactoring::NumberIds, "Number the ids of all calls in the document".to_owned());
    }
    if document.has_secrets() && document.diagnostics().iter().any(|problem| problem.code == Code::Secret) {
        offer(Refactoring::Redact, "Redact all secrets in the document".to_owned());
    }
    found
}

/// The scopes at the byte `at` in which a tool use can be converted, with the number of tool uses
/// in each; the call first. A scope equal to a smaller one is left out.
pub fn conversion_scopes(document: &Document, at: usize) -> Vec<(ConversionScope, usize)> {
    let (uses, unedited) = (document.paired_uses(), Unedited::of(document));
    let mut scopes = conversion_scopes_at(&uses, at);
    scopes.retain(|(scope, _)| {
        let of_scope = ScopeUses::of(document, &uses, *scope);
        possible_plans(&of_scope, &unedited, conversion::targets()).next().is_some()
    });
    scopes
}

/// The plans for the possible conversions among `targets`. In long documents a plan is only tested
/// when it is applied.
pub fn possible_plans(
    of_scope: &ScopeUses<'_, '_>,
    unedited: &Unedited<'_>,
    targets: impl Iterator<Item = (&'static Dialect, &'static str)>,
) -> impl Iterator<Item = (&'static Dialect, &'static str, ConversionPlan)> {
    let is_long = unedited.document().text().len() > LONGEST_TRIED;
    let plans = targets.filter_map(|(to, words)| Some((to, words, of_scope.plan(to)?)));
    plans.filter(move |(.., plan)| is_long || conversion::check_conversion(unedited, plan).is_ok())
}

/// True if there is a scope at the byte `at` in which a tool use can be converted. A scope with
/// very many tool uses counts without being planned.
fn has_conversion(document: &Document, uses: &PairedUses<'_>, at: usize) -> bool {
    let can_be = |(scope, count)| {
        let of_scope = LazyCell::new(|| ScopeUses::of(document, uses, scope));
        count > MOST_PLANNED || conversion::targets().any(|(to, _)| of_scope.plan(to).is_some())
    };
    document.language() == Language::Markdown && conversion_scopes_at(uses, at).into_iter().any(can_be)
}

/// The call at the byte `at`, its batch and the document, with the number of tool uses in each;
/// without scopes that are not larger than the scope before.
fn conversion_scopes_at(uses: &PairedUses<'_>, at: usize) -> Vec<(ConversionScope, usize)> {
    let batch = uses.block_at(at).and_then(|block| uses.batch_of(block));
    let of_batch = batch.map_or(0, |batch| batch.counts.uses);
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

/// Offers conversions of the call, of its batch and of all calls, each if its scope has more tool
/// uses than the scope before.
fn convert_all(
    document: &Document,
    uses: &PairedUses<'_>,
    at: usize,
    offer: &mut dyn FnMut(Refactoring, String),
) {
    if document.language() != Language::Markdown {
        return;
    }
    let unedited = Unedited::of(document);
    for (scope, count) in conversion_scopes_at(uses, at) {
        let words = match scope {
            ConversionScope::Call(_) => "Convert to",
            ConversionScope::Batch(_) => "Convert the batch to",
            ConversionScope::Document => "Convert all tool calls in the document to",
        };
        // The forms of other programs are rarely wanted: the command has them.
        let targets = conversion::targets().filter(|(to, _)| !to.is_of_other_programs);
        if count > MOST_PLANNED {
            for (to, target) in targets {
                offer(Refactoring::Convert { scope, to }, format!("{words} {target}"));
            }
            continue;
        }
        let of_scope = ScopeUses::of(document, uses, scope);
        for (to, target, plan) in possible_plans(&of_scope, &unedited, targets) {
            let lost = in_brackets(&plan.losses());
            let left = match plan.left {
                0 => String::new(),
                1 => "; 1 call is unchanged".to_owned(),
                left => format!("; {left} calls are unchanged"),
            };
            offer(Refactoring::Convert { scope, to }, format!("{words} {target}{lost}{left}"));
        }
    }
}

/// ` (drops the id)` for `drops the id`.
fn in_brackets(lost: &str) -> String {
    if lost.is_empty() { String::new() } else { format!(" ({lost})") }
}

impl Refactoring {
    /// The edits, in document offsets and document order, without overlaps.
    ///
    /// # Errors
    ///
    /// The reason for rejecting it: there is nothing to change, or the edits would change more than
    /// intended.
    pub fn edits(&self, document: &Document) -> Result<Vec<DocumentEdit>, ConversionError> {
        match self {
            Self::Convert { scope, to } => {
                return conversion::checked_plan(document, *scope, to).map(|plan| plan.edits);
            }
            Self::Complete { at, outcome } => return outcomes::added_result(document, *at, outcome),
            Self::CompleteTool { tool, outcome } => {
                return match self.at_pending(document) {
                    Some(complete) => complete.edits(document),
                    None => named_tool::append(document, tool, outcome).ok_or(ConversionError::NothingToDo),
                };
            }
            Self::Wrap(range) => return selection::checked(document, range),
            _ => {}
        }
        let edits =
            self.proposed(document).filter(|edits| !edits.is_empty()).ok_or(ConversionError::NothingToDo)?;
        // Edits of redaction are tested while they are computed.
        if !matches!(self, Self::Redact) {
            let is_id = matches!(self, Self::NewId(..) | Self::NumberIds);
            let may_lose = |_: usize, loss: &ConversionLoss| is_id && matches!(loss, ConversionLoss::Id);
            Unedited::of(document).check_preserved(&document.edited(&edits), &may_lose)?;
        }
        Ok(edits)
    }

    /// The untested edits of a refactoring that adds or replaces no result.
    fn proposed(&self, document: &Document) -> Option<Vec<DocumentEdit>> {
        Some(match self {
            Self::Merge(at) => {
                let uses = document.paired_uses();
                sorted(document.unified_use(&uses, uses.use_at(*at)?)?)
            }
            Self::Unify => {
                let uses = document.paired_uses();
                sorted(outdated(document, &uses).flatten().collect())
            }
            Self::NewId(at) => ids::new_id(document, *at)?,
            Self::NumberIds => ids::number(document),
            Self::Redact => document.fix_each(Code::Secret),
            Self::SortRecords(at) => records::sort(document, *at)?,
            _ => return None,
        })
    }

    /// The losses of the result that `edits` write, compared with the given one: some dialects cut
    /// long results or write only one line.
    pub fn losses(&self, document: &Document, edits: &[DocumentEdit]) -> Vec<ConversionLoss> {
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
            Self::Wrap(range) => selection::losses(document, range),
            _ => Vec::new(),
        }
    }

    /// For a named tool: the completion of its last pending call.
    fn at_pending(&self, document: &Document) -> Option<Self> {
        let Self::CompleteTool { tool, outcome } = self else { return None };
        let at = named_tool::last_pending(document, tool)?;
        Some(Self::Complete { at, outcome: outcome.clone() })
    }
}

/// The parts of `outcome` that the tool use at the byte `at` of `after` lacks.
fn losses_of_result(after: &Document, at: usize, outcome: &UseOutcome) -> Vec<ConversionLoss> {
    let uses = after.paired_uses();
    let found = uses.use_at(at).and_then(|index| after.tool_use(&uses, index));
    found.map(|found| losses_of_outcome(outcome, &found)).unwrap_or_default()
}

/// The parts of `outcome` that the tool use `now` lacks.
fn losses_of_outcome(outcome: &UseOutcome, now: &ToolUse) -> Vec<ConversionLoss> {
    let outcome = match (outcome, &now.output) {
        (UseOutcome::Empty, _) => return Vec::new(),
        // A text dialect expresses any JSON value by its text.
        (UseOutcome::Output(output), Some(UseData::Text(_))) => {
            UseOutcome::Output(UseData::Text(output.to_text()))
        }
        _ => outcome.clone(),
    };
    losses(&now.clone().with_outcome(outcome), now)
}

/// Start of the call of the tool use at the byte `at` if it can be completed; the cursor may be in
/// another part of it.
fn pending_at(document: &Document, at: usize) -> Option<usize> {
    let uses = document.paired_uses();
    let tool_use = uses.uses.get(uses.use_at(at)?)?;
    let call = outcomes::pending_call(&uses, tool_use)?;
    outcomes::has_outcome_form(document, &call).then(|| document.range_of(&call).start)
}

/// Start of the text of `edit`, without leading white space.
fn start_of((range, written): &DocumentEdit) -> usize {
    range.start + written.len() - written.trim_start().len()
}

/// The edits that rewrite each call of an outdated form. A result without a call would become one.
fn outdated<'d>(
    document: &'d Document,
    uses: &'d PairedUses<'_>,
) -> impl Iterator<Item = Vec<DocumentEdit>> + 'd {
    let has_call = |it: &PairedUse| uses.parts(it).any(|at| at.block.part.has_call());
    let indexes = uses.uses.iter().enumerate().filter(move |(_, it)| has_call(it)).map(|(index, _)| index);
    indexes.filter_map(move |index| document.unified_use(uses, index))
}

#[cfg(test)]
mod tests;
