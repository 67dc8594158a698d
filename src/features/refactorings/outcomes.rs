//! Writes the outcome of a call: adds a result to a pending call, or replaces the result of an
//! earlier run.
//!
//! A call is identified by its content ([`CallAnchor`]), so its result can be written after the
//! text around it has changed, and is not written if the call itself has changed.

use std::ops::Range;

use super::super::conversion::{ConversionError, Unedited};
use super::losses_of_outcome;
use crate::call::{CallPart, ToolUse, UseData, UseOutcome, UseStatus};
use crate::convert::{ConversionLoss, loss_text};
use crate::document::{Document, LocatedBlock, PairedUse, PairedUses};
use crate::places::call_position::CallPosition;
use crate::text::edit::{DocumentEdit, sorted};

/// A call of a document, to be found again in a later version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallAnchor {
    /// The id of the call, if one is written. Most calls have ids, which distinguish them.
    id: Option<String>,
    /// The content of the call: see [`CallAnchor::content_of`].
    content: String,
    /// The number of equal calls before it, and of all equal calls.
    place: (usize, usize),
    /// The result that it must still have; `None` if any result may be replaced.
    result: Option<RecordedResult>,
}

/// The recorded result of a call: its status, its output as JSON, and its error message.
type RecordedResult = (UseStatus, Option<String>, Option<String>);

/// The reason why a result is not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnwrittenOutcome {
    /// The call has been changed or removed.
    CallChanged,
    /// The call has got a result, or a different result.
    ResultChanged,
    /// It cannot be written, or the edits would change more than the result.
    Rejected(ConversionError),
}

impl std::fmt::Display for UnwrittenOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CallChanged => f.write_str("the call has been changed or removed meanwhile"),
            Self::ResultChanged => f.write_str("the call has got another result meanwhile"),
            Self::Rejected(
                reason @ (ConversionError::NoForm
                | ConversionError::NoPlace
                | ConversionError::EarlierPending),
            ) => write!(f, "{reason}"),
            Self::Rejected(reason) => write!(f, "the result cannot be written here: {reason}"),
        }
    }
}

impl CallAnchor {
    /// The tool use at `index` of `uses`, which are all of a document, with its result.
    pub fn of(uses: &[ToolUse], index: usize) -> Option<Self> {
        let tool_use = uses.get(index)?;
        let anchor = Self {
            id: tool_use.written_id().map(str::to_owned),
            content: Self::content_of(tool_use),
            place: (0, 0),
            result: Some(recorded_result(tool_use)),
        };
        let equal: Vec<usize> = anchor.equal_calls(uses).collect();
        let before = equal.iter().filter(|at| **at < index).count();
        Some(Self { place: (before, equal.len()), ..anchor })
    }

    /// This anchor without its result, when the user has agreed to replace any result.
    #[must_use]
    pub fn with_any_result(self) -> Self {
        Self { result: None, ..self }
    }

    /// The index of the call in `uses`, which are all of a later version of the document, if its
    /// result is the same still.
    ///
    /// # Errors
    ///
    /// [`UnwrittenOutcome::CallChanged`] and [`UnwrittenOutcome::ResultChanged`].
    pub fn find_unchanged(&self, uses: &[ToolUse]) -> Result<usize, UnwrittenOutcome> {
        let index = self.find(uses).ok_or(UnwrittenOutcome::CallChanged)?;
        match uses.get(index).is_some_and(|tool_use| self.allows_result_of(tool_use)) {
            true => Ok(index),
            false => Err(UnwrittenOutcome::ResultChanged),
        }
    }

    /// The index of the call in `uses`, which are all of a later version of the document.
    pub fn find(&self, uses: &[ToolUse]) -> Option<usize> {
        let equal: Vec<usize> = self.equal_calls(uses).collect();
        // Of several equal calls, it is unknown which was removed or added.
        equal.get(self.place.0).copied().filter(|_| equal.len() == self.place.1)
    }

    /// True if the call at `index` of `uses`, which are all of a later version of the document, is
    /// this call, or has the same content and cannot be distinguished from it.
    pub fn may_be(&self, uses: &[ToolUse], index: usize) -> bool {
        match self.find(uses) {
            Some(found) => found == index,
            None => uses.get(index).is_some_and(|other| self.has_same_content(other)),
        }
    }

    /// The content of `tool_use` as a call, as JSON: equal for calls that only differ in their
    /// place.
    pub fn content_of(tool_use: &ToolUse) -> String {
        let input = tool_use.input.as_ref().map(UseData::to_json);
        let ToolUse { dialect, name, arguments, .. } = tool_use;
        serde_json::json!([dialect, tool_use.written_id(), name, input, arguments]).to_string()
    }

    fn has_same_content(&self, other: &ToolUse) -> bool {
        other.has_call && other.written_id() == self.id.as_deref() && Self::content_of(other) == self.content
    }

    /// The indices of the calls in `uses` with the same content.
    fn equal_calls(&self, uses: &[ToolUse]) -> impl Iterator<Item = usize> {
        uses.iter().enumerate().filter(|(_, other)| self.has_same_content(other)).map(|(at, _)| at)
    }

    fn allows_result_of(&self, tool_use: &ToolUse) -> bool {
        self.result.as_ref().is_none_or(|result| *result == recorded_result(tool_use))
    }
}

fn recorded_result(tool_use: &ToolUse) -> RecordedResult {
    let output = tool_use.output.as_ref().map(UseData::to_json);
    (tool_use.status, output, tool_use.error_text.clone())
}

/// The edits that write `outcome` for the call of `anchor`, in document offsets and document order;
/// none if the document already has this outcome.
///
/// # Errors
///
/// The reason why it cannot be written; the document is to be left as it is.
pub fn outcome_edits(
    document: &Document,
    anchor: &CallAnchor,
    outcome: &UseOutcome,
) -> Result<Vec<DocumentEdit>, UnwrittenOutcome> {
    let uses = document.paired_uses();
    let all = document.all_tool_uses_of(&uses);
    let index = anchor.find(&all).ok_or(UnwrittenOutcome::CallChanged)?;
    let (Some(tool_use), Some(paired)) = (all.get(index), uses.uses.get(index)) else {
        return Err(UnwrittenOutcome::CallChanged);
    };
    let call = call_of(&uses, paired).ok_or(UnwrittenOutcome::Rejected(ConversionError::NoForm))?;
    let at = document.range_of(&call).start;
    if tool_use.status != UseStatus::Pending && says(tool_use, outcome) {
        return Ok(Vec::new());
    }
    if !anchor.allows_result_of(tool_use) {
        return Err(UnwrittenOutcome::ResultChanged);
    }
    if tool_use.status == UseStatus::Pending {
        return added_result(document, at, outcome).map_err(UnwrittenOutcome::Rejected);
    }
    let edits = replacement(document, &uses, paired, at, outcome)
        .ok_or_else(|| UnwrittenOutcome::Rejected(no_place(document, &call, outcome)))?;
    let is_this = |changed: usize, _: &_| changed == index;
    let checked = Unedited::of(document).check_preserved(&document.edited(&edits), &is_this);
    checked.map(|()| edits).map_err(UnwrittenOutcome::Rejected)
}

/// A warning if `after` lacks a part of `outcome`, which was written in it for the call of
/// `anchor`. White space around a text does not count, nor does the mark of a failure, which many
/// forms lack.
pub fn loss_warning(after: &Document, anchor: &CallAnchor, outcome: &UseOutcome) -> Option<String> {
    let uses = after.tool_uses();
    let tool_use = uses.get(anchor.find(&uses)?)?;
    if tool_use.result_text().is_some_and(|text| text.trim() == outcome.to_text().trim()) {
        return None;
    }
    let mut lost = losses_of_outcome(outcome, tool_use);
    lost.retain(|loss| !matches!(loss, ConversionLoss::State(_) | ConversionLoss::Failure));
    (!lost.is_empty()).then(|| format!("writing the result in this form {}", loss_text::of_one(&lost)))
}

/// The edits that write a result of text for the call of `anchor`, to know beforehand whether one
/// can be written.
///
/// # Errors
///
/// The same errors as [`outcome_edits`].
pub fn sample_edits(document: &Document, anchor: &CallAnchor) -> Result<Vec<DocumentEdit>, UnwrittenOutcome> {
    outcome_edits(document, anchor, &sample())
}

/// A result of text.
fn sample() -> UseOutcome {
    UseOutcome::Output(UseData::Text("text".to_owned()))
}

/// The edits that write `outcome` for the pending call at the byte `at`, which may be in another
/// part of it.
///
/// # Errors
///
/// The reason why it cannot be written.
pub(super) fn added_result(
    document: &Document,
    at: usize,
    outcome: &UseOutcome,
) -> Result<Vec<DocumentEdit>, ConversionError> {
    let uses = document.paired_uses();
    let index = uses.use_at(at).ok_or(ConversionError::NothingToDo)?;
    let call = uses.uses.get(index).and_then(|paired| pending_call(&uses, paired));
    let call = call.ok_or(ConversionError::NothingToDo)?;
    let edits = completion(document, &call, outcome).ok_or_else(|| no_place(document, &call, outcome))?;
    check_added(document, index, &edits)?;
    Ok(edits)
}

/// Checks that `edits` complete the pending call of the tool use at `index`, and change nothing
/// else.
///
/// # Errors
///
/// The first violation.
pub(super) fn check_added(
    document: &Document,
    index: usize,
    edits: &[DocumentEdit],
) -> Result<(), ConversionError> {
    let after = document.edited(edits);
    let (uses, now) = (document.paired_uses(), after.paired_uses());
    let is_completed = |(before, after): (&PairedUse, &PairedUse)| {
        before.status == UseStatus::Pending && after.status != UseStatus::Pending
    };
    let completed = uses.uses.iter().zip(&*now.uses).position(is_completed);
    if uses.uses.len() == now.uses.len() && completed.is_some_and(|completed| completed < index) {
        return Err(ConversionError::EarlierPending);
    }
    let is_state =
        |changed: usize, loss: &ConversionLoss| changed == index && matches!(loss, ConversionLoss::State(_));
    Unedited::of(document).check_preserved(&after, &is_state)?;
    if completed == Some(index) { Ok(()) } else { Err(ConversionError::NoPlace) }
}

/// The reason why there are no edits that write `outcome` for `call`.
fn no_place(document: &Document, call: &LocatedBlock<'_>, outcome: &UseOutcome) -> ConversionError {
    match has_form_of(document, call, outcome) {
        true => ConversionError::NoPlace,
        false => ConversionError::NoForm,
    }
}

/// The call of `tool_use` if that is pending.
pub fn pending_call<'d>(uses: &PairedUses<'d>, tool_use: &PairedUse) -> Option<LocatedBlock<'d>> {
    let is_call = |at: &LocatedBlock<'_>| at.block.part == CallPart::Call && at.block.is_readable;
    uses.parts(tool_use).find(is_call).filter(|_| tool_use.status == UseStatus::Pending)
}

/// True if `call` is in a form whose results can be written. Its place may still not allow it.
pub fn has_outcome_form(document: &Document, call: &LocatedBlock<'_>) -> bool {
    has_form_of(document, call, &sample())
}

/// The reason why no result can be written in the form of the call at `index` of `uses`. Cheaper
/// than [`sample_edits`].
pub fn form_obstacle(document: &Document, uses: &PairedUses<'_>, index: usize) -> Option<UnwrittenOutcome> {
    let call = call_of(uses, uses.uses.get(index)?)?;
    (!has_outcome_form(document, &call)).then_some(UnwrittenOutcome::Rejected(ConversionError::NoForm))
}

fn has_form_of(document: &Document, call: &LocatedBlock<'_>, outcome: &UseOutcome) -> bool {
    let edits = || call_edits(document, document.range_of(call).start, outcome);
    document.has_outcome_form(call) || edits().is_some_and(|edits| !edits.is_empty())
}

/// The untested edits that complete the pending `call`, in document order; `None` if its form has
/// none.
pub(super) fn completion(
    document: &Document,
    call: &LocatedBlock<'_>,
    outcome: &UseOutcome,
) -> Option<Vec<DocumentEdit>> {
    let edits = call_edits(document, document.range_of(call).start, outcome).unwrap_or_default();
    if edits.is_empty() { document.added_outcome(call, outcome) } else { Some(sorted(edits)) }
}

/// The block of the call of `paired`.
fn call_of<'d>(uses: &PairedUses<'d>, paired: &PairedUse) -> Option<LocatedBlock<'d>> {
    uses.parts(paired).find(|at| at.block.part.has_call())
}

/// The edits of the call at the byte `at` that its dialect makes for `outcome`.
fn call_edits(document: &Document, at: usize, outcome: &UseOutcome) -> Option<Vec<DocumentEdit>> {
    document.call_position_at(at, |position: &CallPosition<'_>| {
        let edits = (position.dialect.complete)(position.call, outcome);
        edits.into_iter().map(|(span, text)| position.edit(span, text)).collect()
    })
}

/// True if the recorded result of `tool_use` is `outcome`.
fn says(tool_use: &ToolUse, outcome: &UseOutcome) -> bool {
    let json = |data: &UseData| serde_json::from_str::<serde_json::Value>(&data.to_json()).ok();
    match (outcome, &tool_use.output, &tool_use.error_text) {
        (UseOutcome::Error(text), _, Some(known)) => text == known,
        (UseOutcome::Output(output), Some(known), None) => match known {
            UseData::Text(text) => *text == output.to_text(),
            _ => json(output).is_some_and(|output| json(known) == Some(output)),
        },
        _ => false,
    }
}

/// The edits that write `outcome` over the result of `paired`, whose call is at the byte `at`.
fn replacement(
    document: &Document,
    uses: &PairedUses<'_>,
    paired: &PairedUse,
    at: usize,
    outcome: &UseOutcome,
) -> Option<Vec<DocumentEdit>> {
    let result = uses.parts(paired).filter(|part| part.block.part == CallPart::Result).last();
    let Some(result) = result else {
        // The block of the call has its result.
        return call_edits(document, at, outcome).filter(|edits| !edits.is_empty()).map(sorted);
    };
    let range = document.range_of(&result);
    let call = uses.parts(paired).find(|part| part.block.part == CallPart::Call);
    let of_log = call.and_then(|call| document.replaced_outcome(&result, &call, outcome));
    if of_log.is_some() {
        return of_log;
    }
    let added = call_edits(document, at, outcome)?;
    let [(_, added)] = &*added else { return None };
    let old = document.text().slice(range.clone());
    Some(vec![match tag_content(&old) {
        Some(content) => (range.start + content.start..range.start + content.end, added.clone()),
        None => (
            range,
            document.call_position_at(at, |position| {
                let plain = (position.dialect.complete)(position.call, outcome).pop();
                plain.map(|(span, text)| position.edit(span, text.trim_start_matches('\n')).1)
            })??,
        ),
    }])
}

/// The range of the result in the text of a `<validation>` block.
fn tag_content(block: &str) -> Option<Range<usize>> {
    let end = block.starts_with("<validation>").then(|| block.rfind("</"))??;
    Some(block.get(..end)?.find(['\n', '\r']).unwrap_or(end)..end)
}

#[cfg(test)]
mod tests;
