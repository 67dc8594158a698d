//! `workspace/diagnostic`: the queue of requests, and the times of scans.
//!
//! One request is processed at a time, in the pool. A request without new results is held until
//! something has changed, if partial results are supported: such clients send the next request
//! directly after each response, and LSP lets them wait.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::lsp::server::workspace_scan::{ScanResult, WorkspaceScan};
use crate::lsp::server::{LoopContext, publish, workspace_scan};
use crate::lsp::state::workspace_diagnostics::{WorkspaceDiagnosticParams, WorkspaceQuery, WorkspaceReports};
use crate::lsp::state::{PanicPoint, ServerState};
use crate::lsp::wire::message::server_cancelled;
use crate::lsp::wire::pending::PendingRequest;

/// The delay after a change before the workspace is scanned again for a held request.
const PAUSE: Duration = Duration::from_millis(500);

/// Takes in a request. A held request ends, because the client has replaced it.
pub fn receive(
    state: &mut ServerState,
    _: &LoopContext,
    pending: PendingRequest,
    params: WorkspaceDiagnosticParams,
) {
    if let Some((held, _)) = state.workspace_pulls.held.take() {
        answer_empty(&held);
    }
    let query = WorkspaceQuery { pending, params, has_shown_progress: false };
    state.workspace_pulls.waiting.push_back(query);
}

/// Scans the workspace for the next request, once all open documents are ready.
pub fn scan(state: &mut ServerState, context: &LoopContext) {
    let pulls = &mut state.workspace_pulls;
    if pulls.held.as_ref().is_some_and(|(_, revision)| *revision != pulls.revision) && !pulls.pausing {
        pulls.pausing = true;
        let context = context.clone();
        context.runtime.clone().spawn(async move {
            tokio::time::sleep(PAUSE).await;
            context.send("resume workspace/diagnostic", |state, _| resume_held_requests(state));
        });
    }
    if pulls.scanning
        || pulls.waiting.is_empty()
        || state.documents.values().any(|document| document.phase.is_pending())
    {
        return;
    }
    let Some(query) = pulls.waiting.pop_front() else { return };
    let panics = state.panics_at(PanicPoint::Scan);
    let pulls = &mut state.workspace_pulls;
    pulls.scanning = true;
    pulls.has_reported |= query.params.partial_result_token.is_none();
    let open = state.documents.values().map(|document| document.diagnosed(&state.files));
    let scan = WorkspaceScan {
        query,
        revision: pulls.revision,
        open: open.collect(),
        closed: std::mem::take(&mut pulls.closed),
        folders: Arc::clone(&state.folders),
        editor: state.editor.clone(),
        client: state.client,
        context: context.clone(),
        cache: std::mem::take(&mut pulls.cache),
        panics,
    };
    context.spawn(
        "workspace scanned",
        move || workspace_scan::run(scan),
        |state, context, result| scanned(state, context, result.unwrap_or_default()),
    );
}

/// Takes in the result of a scan.
fn scanned(state: &mut ServerState, context: &LoopContext, scanned: ScanResult) {
    let pulls = &mut state.workspace_pulls;
    pulls.scanning = false;
    pulls.cache = scanned.cache;
    pulls.closed.extend(scanned.closed);
    if let Some(query) = scanned.held {
        match pulls.waiting.is_empty() {
            true => pulls.held = Some((query, scanned.revision)),
            false => answer_empty(&query),
        }
    }
    if pulls.is_over {
        return shut_down(state);
    }
    if let Some(files) = scanned.files {
        // The files of open documents are up to date.
        let documents = state.documents.values().flat_map(|document| document.files.iter());
        let open: HashSet<_> = documents.map(|file| file.path.as_path()).collect();
        let others = files.iter().filter(|file| !open.contains(file.path.as_path()));
        state.files.extend(others.map(|file| (file.path.clone(), Arc::clone(file))));
        state.workspace_pulls.files = files;
        publish::publish_config_files(state, context);
    }
}

/// Lets a held request continue if something has changed.
fn resume_held_requests(state: &mut ServerState) {
    let pulls = &mut state.workspace_pulls;
    pulls.pausing = false;
    if let Some((query, _)) = pulls.held.take_if(|(_, revision)| *revision != pulls.revision)
        && query.pending.is_wanted()
    {
        pulls.waiting.push_back(query);
    }
}

/// Responds to all waiting and held requests: nothing will change any more.
pub fn shut_down(state: &mut ServerState) {
    let pulls = &mut state.workspace_pulls;
    pulls.is_over = true;
    for query in pulls.waiting.drain(..).chain(pulls.held.take().map(|(query, _)| query)) {
        query.pending.refuse(server_cancelled("the server is shutting down"));
    }
}

fn answer_empty(query: &WorkspaceQuery) {
    query.pending.answer(WorkspaceReports { items: &[] });
}
