//! The calls that a command names, and whether tools of presets have a folder.

use std::collections::HashMap;

use tower_lsp::jsonrpc::Error;

use super::PlannedCall;
use crate::call::{ToolUse, UseStatus};
use crate::document::PairedUses;
use crate::features::conversion::{ConversionScope, uses_in_scope};
use crate::features::refactorings::outcomes::CallAnchor;
use crate::lsp::conversions::command_arguments::{CommandArgument, ScopeName};
use crate::lsp::runs::preset_folders::PresetFolders;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::run::offers::call_fingerprint;

/// The calls that `argument` names, in document order.
pub(super) fn wanted(
    snapshot: &Snapshot,
    argument: &CommandArgument,
    again: bool,
) -> Result<Vec<PlannedCall>, Error> {
    let document = &snapshot.document;
    let uses = document.paired_uses();
    let all = document.all_tool_uses_of(&uses);
    let placed = placed(snapshot, argument, &uses);
    let indices = match &argument.calls {
        None => placed?,
        Some(calls) => identified(&all, calls, &placed.unwrap_or_default(), again)?,
    };
    let is_one = indices.len() == 1;
    let planned = indices.into_iter().filter_map(|index| {
        let tool_use = all.get(index).filter(|it| it.has_call)?;
        (again || tool_use.status == UseStatus::Pending).then_some(())?;
        Some(PlannedCall {
            anchor: CallAnchor::of(&all, index)?,
            tool: tool_use.shown_name().to_owned(),
            line: document.text().line_of_byte(tool_use.range.start),
        })
    });
    let planned: Vec<_> = planned.collect();
    match planned.is_empty() {
        true if is_one && !again => Err(failed("the call here has a result already")),
        true => Err(failed("there is no pending call here")),
        false => Ok(planned),
    }
}

/// The indices of the calls at the place that `argument` names.
fn placed(
    snapshot: &Snapshot,
    argument: &CommandArgument,
    uses: &PairedUses<'_>,
) -> Result<Vec<usize>, Error> {
    let at = || argument.offset(snapshot);
    let (scope, nothing) = match argument.scope {
        Some(ScopeName::Document) => (ConversionScope::Document, "there is no call"),
        Some(ScopeName::Batch) => (ConversionScope::Batch(at()?), "there is no batch here"),
        None | Some(ScopeName::Call | ScopeName::Choose) => {
            (ConversionScope::Call(at()?), "there is no call here")
        }
    };
    uses_in_scope(uses, scope).ok_or_else(|| failed(nothing))
}

/// The indices of the calls in `all` with the fingerprints `calls`, wherever they are. If several
/// calls have one fingerprint: the calls at the indices `placed`, or else the pending ones; with
/// `again`, also calls with a result.
fn identified(all: &[ToolUse], calls: &[String], placed: &[usize], again: bool) -> Result<Vec<usize>, Error> {
    let mut known: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, tool_use) in all.iter().enumerate().filter(|(_, tool_use)| tool_use.has_call) {
        known.entry(call_fingerprint(tool_use)).or_default().push(index);
    }
    let mut wanted: HashMap<&String, usize> = HashMap::new();
    calls.iter().for_each(|call| *wanted.entry(call).or_default() += 1);
    let mut indices = Vec::new();
    for (call, count) in wanted {
        let same = known.get(call).map(Vec::as_slice).unwrap_or_default();
        let here: Vec<usize> = same.iter().copied().filter(|index| placed.contains(index)).collect();
        let pending = |indices: &[usize]| -> Vec<usize> {
            let is_pending =
                |index: &usize| !again && all.get(*index).is_some_and(|it| it.status == UseStatus::Pending);
            indices.iter().copied().filter(is_pending).collect()
        };
        indices.extend(match same.len() {
            found if found < count => {
                return Err(failed("the call has been changed or removed meanwhile: nothing was run"));
            }
            found if found == count => same.to_vec(),
            // Even if it has a result by now: the user clicked on this call, not on another one.
            _ if here.len() == count => here,
            _ if pending(&here).len() == count => pending(&here),
            _ if pending(same).len() == count => pending(same),
            _ => return Err(failed("several calls say the same, and they have moved: nothing was run")),
        });
    }
    indices.sort_unstable();
    Ok(indices)
}

/// True if tools that work in a folder may be offered: the user has named it, or can choose one.
pub fn has_preset_folder(snapshot: &Snapshot) -> bool {
    let folders = PresetFolders::of(&snapshot.runs, &snapshot.uri, &snapshot.folders);
    let can_choose = snapshot.client.actions.show_message_request && !folders.offered.is_empty();
    can_choose || folders.known().is_some()
}
