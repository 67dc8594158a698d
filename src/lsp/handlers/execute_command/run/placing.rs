//! The calls that a command names, and the folder in which the tools of presets work.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tower_lsp::jsonrpc::Error;

use super::session::RunSession;
use super::{PlannedCall, RunStatus};
use crate::call::{ToolUse, UseStatus};
use crate::document::paired_uses::PairedUses;
use crate::features::conversion::{block_at, use_at};
use crate::features::refactorings::outcomes::CallAnchor;
use crate::lsp::conversions::command_arguments::{CommandArgument, ScopeName};
use crate::lsp::runs::editor_user::shown;
use crate::lsp::runs::paths_of;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;
use crate::run::offers::call_fingerprint;
use crate::run::preset::ToolFolder;

/// The calls that `argument` names, in document order.
pub(super) fn wanted(
    snapshot: &Snapshot,
    argument: &CommandArgument,
    again: bool,
) -> Result<Vec<PlannedCall>, Error> {
    let document = &snapshot.document;
    let uses = document.paired_uses();
    let all = document.tool_uses_of(&uses, &(0..uses.uses.len()).collect::<Vec<_>>());
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
            tool: tool_use.name.clone().unwrap_or_else(|| "tool".to_owned()),
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
    let document = &snapshot.document;
    Ok(match argument.scope {
        Some(ScopeName::Document) => (0..uses.uses.len()).collect(),
        Some(ScopeName::Batch) => {
            let block = block_at(document, uses, argument.offset(snapshot)?);
            let batch = block.and_then(|block| uses.batch_of(block));
            let batch = batch.ok_or_else(|| failed("there is no batch here"))?;
            let mut indices: Vec<_> = uses.indices_in(batch.blocks.clone()).collect();
            indices.sort_unstable();
            indices
        }
        None | Some(ScopeName::Call | ScopeName::Choose) => {
            let found = use_at(document, uses, argument.offset(snapshot)?);
            vec![found.ok_or_else(|| failed("there is no call here"))?]
        }
    })
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

/// The folders of a session, for the tools of presets that work in one.
struct PresetFolders {
    /// The open folders, and the folder of the document.
    offered: Vec<PathBuf>,
    /// The key under which the user's choice is stored: the open folder around the document, or
    /// else its own folder. A document without a file has its own key.
    place: PathBuf,
}

impl PresetFolders {
    fn of(snapshot: &Snapshot) -> Self {
        let open = paths_of(&snapshot.folders);
        let beside = snapshot.uri.to_file_path().ok().and_then(|path| path.parent().map(Path::to_owned));
        let around = open.iter().filter(|folder| beside.as_ref().is_some_and(|it| it.starts_with(folder)));
        let around = around.max_by_key(|folder| folder.components().count()).cloned();
        let place = around.or_else(|| beside.clone()).unwrap_or_else(|| PathBuf::from(snapshot.uri.as_str()));
        Self { offered: open.into_iter().chain(beside).collect(), place }
    }
}

/// True if tools that work in a folder may be offered: the user has named it, or can choose one.
pub fn has_preset_folder(snapshot: &Snapshot) -> bool {
    let PresetFolders { offered, place } = PresetFolders::of(snapshot);
    let can_choose = snapshot.client.actions.show_message_request && !offered.is_empty();
    can_choose || snapshot.runs.folder(&place).is_some()
}

/// The folder for the tools of presets: `named`, or the user's earlier choice, or a new choice.
pub(super) fn preset_folder(
    session: &RunSession<'_>,
    pending: &PendingRequest,
    named: Option<&Path>,
) -> Result<Arc<ToolFolder>, (RunStatus, Option<String>)> {
    let snapshot = session.snapshot;
    let PresetFolders { offered, place } = PresetFolders::of(snapshot);
    let folder = match named.map(Path::to_owned).or_else(|| snapshot.runs.folder(&place)) {
        Some(folder) => folder,
        None => chosen_folder(session, pending, offered)?,
    };
    let not_run = |reason: String| (RunStatus::NotRun, Some(reason));
    let name = shown(&folder.to_string_lossy());
    if !folder.is_absolute() {
        return Err(not_run(format!("the folder `{name}` is not an absolute path")));
    }
    let opened = ToolFolder::open(&folder);
    let opened = opened.map_err(|error| not_run(format!("cannot work in `{name}`: {error}")))?;
    snapshot.runs.name_folder(place, folder);
    Ok(Arc::new(opened))
}

/// Lets the user choose one of the open folders, or the folder of the document.
fn chosen_folder(
    session: &RunSession<'_>,
    pending: &PendingRequest,
    offered: Vec<PathBuf>,
) -> Result<PathBuf, (RunStatus, Option<String>)> {
    let not_run = |reason: &str| Err((RunStatus::NotRun, Some(reason.to_owned())));
    if !session.snapshot.client.actions.show_message_request {
        return not_run("name the folder in which it may work: the editor cannot ask for it");
    }
    let mut folders: Vec<(String, PathBuf)> = Vec::new();
    for folder in offered {
        let name = shown(&folder.to_string_lossy());
        if folders.iter().all(|(known, _)| *known != name) {
            folders.push((name, folder));
        }
    }
    if folders.is_empty() {
        return not_run("open the folder in which it may work");
    }
    let names = folders.iter().map(|(name, _)| name.clone());
    let answers = names.chain(["Cancel".to_owned()]).collect();
    let question = "In which folder may the tools of presets read and change files?".to_owned();
    let chosen = session.ask(pending, question, answers);
    let chosen = chosen.and_then(|chosen| folders.into_iter().find(|(name, _)| *name == chosen));
    chosen.map(|(_, folder)| folder).ok_or((RunStatus::Refused, None))
}
