//! `workspace/diagnostic`: who has asked, and when the workspace is looked through for them.
//!
//! One request is worked on at a time, in the pool. One that would bring nothing new is held until something has changed,
//! where the client can be told in parts: such clients ask again as soon as they are answered, and LSP has them wait.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lsp_types::NumberOrString;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::main_loop::{LoopContext, LoopEvent};
use super::message::Answer;
use super::publish;
use super::pull::{RefreshRequest, server_cancelled};
use super::requests::{self, PendingRequest};
use super::scan::{self, OpenScanDocument, ReportCache, ScanResult, WorkspaceScan};
use super::settings::ConfigFile;
use super::state::{DocumentPhase, ServerState};

/// How long a change waits for others before the workspace is looked through again for a held request.
const PAUSE: Duration = Duration::from_millis(500);

/// A request for the diagnostics of the workspace.
pub struct WorkspaceQuery {
    /// Its answer's place.
    pub pending: PendingRequest,
    /// What it asks for.
    pub params: WorkspaceDiagnosticParams,
    /// Whether its progress has been shown: it begins and ends once.
    pub has_shown_progress: bool,
}

/// The params of `workspace/diagnostic`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDiagnosticParams {
    /// The sets that the client has.
    #[serde(default)]
    pub previous_result_ids: Vec<PreviousResult>,
    /// Where parts of the answer may be sent.
    pub partial_result_token: Option<NumberOrString>,
    /// Where progress may be shown.
    pub work_done_token: Option<NumberOrString>,
}

/// A set that the client has.
#[derive(Clone, Deserialize)]
pub struct PreviousResult {
    /// Its document, as the client spells it.
    pub uri: String,
    /// Its id.
    pub value: String,
}

/// LSP 3.17, `WorkspaceDiagnosticReport`.
#[derive(Serialize)]
pub struct WorkspaceReports<'a> {
    /// One for each document.
    pub items: &'a [Box<RawValue>],
}

/// What the client has asked of the whole workspace.
#[derive(Default)]
pub struct WorkspacePulls {
    /// The configuration and registry files of its transcripts, open or not.
    pub files: Vec<Arc<ConfigFile>>,
    /// Tells what reports depend on from its later selves.
    revision: u64,
    /// Those whose turn comes.
    waiting: VecDeque<WorkspaceQuery>,
    /// One that is told when the revision is another one.
    held: Option<(WorkspaceQuery, u64)>,
    /// Whether the workspace is being looked through.
    scanning: bool,
    /// Whether a pause is being made for a held request.
    pausing: bool,
    /// Whether a client that does not wait was told anything.
    has_reported: bool,
    cache: Arc<Mutex<ReportCache>>,
}

impl WorkspaceQuery {
    /// The request whose answer belongs to `pending`.
    pub fn new(pending: PendingRequest, params: WorkspaceDiagnosticParams) -> Self {
        Self { pending, params, has_shown_progress: false }
    }
}

impl WorkspacePulls {
    /// Something changed that reports depend on.
    pub fn changed(&mut self) {
        self.revision += 1;
    }

    /// Settings may have changed, of any document: who does not wait is to ask again.
    pub fn settings_changed(&mut self, refresh: &mut RefreshRequest) {
        self.changed();
        if self.has_reported {
            refresh.request();
        }
    }
}

/// Takes in a request. One that is held ends: the client has lost interest in it.
pub fn receive(state: &mut ServerState, context: &LoopContext, query: WorkspaceQuery) {
    if let Some((held, _)) = state.workspace_pulls.held.take() {
        answer_empty(context, &held);
    }
    state.workspace_pulls.waiting.push_back(query);
}

/// Has the workspace looked through for the next request, once all open documents can be asked.
pub fn scan(state: &mut ServerState, context: &LoopContext) {
    let pulls = &mut state.workspace_pulls;
    if pulls.held.as_ref().is_some_and(|(_, revision)| *revision != pulls.revision) && !pulls.pausing {
        pulls.pausing = true;
        let events = context.events.clone();
        context.runtime.spawn(async move {
            tokio::time::sleep(PAUSE).await;
            // Where the loop has ended, so has the session.
            drop(events.send(LoopEvent::Wake));
        });
    }
    let unread = |phase: &DocumentPhase| {
        matches!(phase, DocumentPhase::AwaitingSettings(_) | DocumentPhase::Parsing(_))
    };
    if pulls.scanning
        || pulls.waiting.is_empty()
        || state.documents.values().any(|document| unread(&document.phase))
    {
        return;
    }
    let Some(query) = pulls.waiting.pop_front() else { return };
    pulls.scanning = true;
    pulls.has_reported |= query.params.partial_result_token.is_none();
    let open = state.documents.iter().map(|(uri, document)| OpenScanDocument {
        uri: uri.clone(),
        spelling: Arc::clone(&document.original_uri),
        version: document.version,
        state: document.text_version,
        path: document.path.clone(),
        document: document.phase.ready().cloned(),
        file: document.path.as_ref().and_then(|path| state.files.get(path)).cloned(),
    });
    let scan = WorkspaceScan {
        query,
        revision: pulls.revision,
        open: open.collect(),
        folders: Arc::from(state.folders.as_slice()),
        editor: state.editor.clone(),
        client: state.client,
        context: context.clone(),
        cache: Arc::clone(&pulls.cache),
    };
    context.spawn(move || scan::run(scan), |scanned| LoopEvent::Scanned(scanned.unwrap_or_default()));
}

/// The workspace has been looked through.
pub fn scanned(state: &mut ServerState, context: &LoopContext, scanned: ScanResult) {
    let pulls = &mut state.workspace_pulls;
    pulls.scanning = false;
    if let Some(query) = scanned.held {
        match pulls.waiting.is_empty() {
            true => pulls.held = Some((query, scanned.revision)),
            false => answer_empty(context, &query),
        }
    }
    if let Some(files) = scanned.files {
        // What open documents were told of their files holds.
        let documents = state.documents.values().flat_map(|document| document.files.iter());
        let told: HashSet<_> = documents.map(|file| file.path.as_path()).collect();
        let others = files.iter().filter(|file| !told.contains(file.path.as_path()));
        state.files.extend(others.map(|file| (file.path.clone(), Arc::clone(file))));
        state.workspace_pulls.files = files;
        publish::publish_config_files(state, context);
    }
}

/// The pause of a held request is over.
pub fn resume_held_requests(state: &mut ServerState) {
    let pulls = &mut state.workspace_pulls;
    pulls.pausing = false;
    if let Some((query, _)) = pulls.held.take_if(|(_, revision)| *revision != pulls.revision)
        && query.pending.is_wanted()
    {
        pulls.waiting.push_back(query);
    }
}

/// Answers all that wait or are held: nothing will change any more.
pub fn shut_down(state: &mut ServerState, context: &LoopContext) {
    let pulls = &mut state.workspace_pulls;
    for query in pulls.waiting.drain(..).chain(pulls.held.take().map(|(query, _)| query)) {
        requests::refuse(context, &query.pending, server_cancelled("the server shuts down"));
    }
}

fn answer_empty(context: &LoopContext, query: &WorkspaceQuery) {
    if query.pending.respond() {
        context.outbox.send(&Answer::new(&query.pending.id, WorkspaceReports { items: &[] }));
    }
}
