//! The main loop: the one owner of all state, which takes events in the order in which they were sent.
//!
//! Nothing on it waits: not for the client, not for the pool, not for files.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, Url,
};
use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

use crate::document::Document;

use super::editor::ConfigurationReply;
use super::outbox::Outbox;
use super::pages::Pages;
use super::reading::ResolvedSettings;
use super::requests::{self, DocumentRequest};
use super::scan::ScanResult;
use super::settings::SettingsSource;
use super::state::ServerState;
use super::workspace_pull::{self, WorkspaceQuery};
use super::workspace_symbols::{self, SymbolCache, SymbolQuery};
use super::{editor, notifications, publish, pull, reading};

/// What the main loop is told.
pub enum LoopEvent {
    /// The client's first words.
    Initialize(Box<InitializeParams>),
    /// The client is ready for requests of the server.
    Initialized(tower_lsp::Client),
    /// `textDocument/didOpen`, and the document's URI as the client spells it.
    DidOpen(DidOpenTextDocumentParams, Arc<str>),
    /// `textDocument/didChange`
    DidChange(DidChangeTextDocumentParams),
    /// `textDocument/didSave`
    DidSave(DidSaveTextDocumentParams),
    /// `textDocument/didClose`
    DidClose(DidCloseTextDocumentParams),
    /// `workspace/didChangeConfiguration`
    DidChangeConfiguration(Value),
    /// `workspace/didChangeWorkspaceFolders`
    DidChangeWorkspaceFolders(DidChangeWorkspaceFoldersParams),
    /// `workspace/didChangeWatchedFiles`
    DidChangeWatchedFiles(DidChangeWatchedFilesParams),
    /// A request that is answered from a snapshot.
    Query(DocumentRequest),
    /// `workspace/diagnostic`
    PullWorkspace(WorkspaceQuery),
    /// `workspace/symbol`
    FindSymbols(SymbolQuery),
    /// `shutdown`
    Shutdown,
    /// The client has said its settings, or has not for so long that nothing waits for them any more.
    Editor(ConfigurationReply),
    /// The client has asked for its diagnostics again, or will not.
    Refreshed,
    /// A workspace has been looked through.
    Scanned(ScanResult),
    /// Symbols have been looked for; what is known of files now.
    Searched(SymbolCache),
    /// What a held request waits for has changed, a while ago.
    Wake,
    /// Files that settings come from have changed; the client may not have told.
    FilesChanged,
    /// The settings of some documents are there.
    Resolved(ResolvedSettings),
    /// A text has been read; `None` where that panicked.
    Read(DocumentSerial, Option<Box<Document>>),
    /// A set of diagnostics has been computed, or that panicked.
    Diagnosed(DocumentSerial, PoolResult),
    /// The next edit is to panic, for a test.
    PanicOnEdit,
    /// The next set of diagnostics is to panic, for a test.
    PanicOnDiagnostics,
    /// The loop itself is to panic, for a test.
    PanicInLoop,
}

/// Which opening of a document something belongs to.
#[derive(Clone, Debug)]
pub struct DocumentSerial {
    /// The document.
    pub uri: Url,
    /// Its opening's number.
    pub epoch: u64,
}

/// How work in the pool ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolResult {
    /// As it should.
    Done,
    /// With a panic.
    Panicked,
}

/// What the loop works with.
#[derive(Clone)]
pub struct LoopContext {
    /// Tells the loop.
    pub events: Sender<LoopEvent>,
    /// Takes what goes to the client.
    pub outbox: Arc<Outbox>,
    /// Runs the pool and what waits for the client.
    pub runtime: Handle,
    /// Runs the requests' own pool.
    pub requests: Handle,
    /// Knows the settings of documents.
    pub source: Arc<dyn SettingsSource>,
    /// What the codes of diagnostics link to.
    pub pages: Arc<Pages>,
    /// Ends the process.
    pub exit: UnboundedSender<u8>,
}

impl LoopContext {
    /// Runs `work` in the pool and tells the loop how it ended.
    pub fn spawn<T>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
        done: impl FnOnce(Result<T, Box<dyn Any + Send>>) -> LoopEvent + Send + 'static,
    ) {
        let events = self.events.clone();
        self.runtime.spawn_blocking(move || {
            // Where the loop has ended, so has the session.
            drop(events.send(done(catch_unwind(AssertUnwindSafe(work)))));
        });
    }
}

/// The most events that are taken before diagnostics are computed: a client that never pauses gets some too.
const BATCH: usize = 64;

/// Takes events until nobody is left to send any.
#[expect(clippy::needless_pass_by_value, reason = "the loop is the owner of its state and its means")]
pub fn run(context: LoopContext, events: &Receiver<LoopEvent>) {
    let mut state = ServerState::default();
    while let Ok(event) = events.recv() {
        for event in std::iter::once(event).chain(events.try_iter()).take(BATCH) {
            let handled = catch_unwind(AssertUnwindSafe(|| handle(&mut state, &context, event)));
            if handled.is_err() {
                tracing::error!("an event was dropped");
            }
        }
        assert!(!state.panic_in_loop, "asked for by a test");
        publish::publish_closed_files(&mut state, &context);
        reading::resolve_settings(&mut state, &context);
        publish::compute_dirty(&mut state, &context);
        pull::refresh(&mut state, &context);
        workspace_pull::scan(&mut state, &context);
        workspace_symbols::answer(&mut state, &context);
    }
}

fn handle(state: &mut ServerState, context: &LoopContext, event: LoopEvent) {
    match event {
        LoopEvent::Initialize(params) => notifications::initialize(state, context, *params),
        LoopEvent::Initialized(client) => notifications::initialized(state, context, client),
        LoopEvent::DidOpen(params, spelling) => notifications::did_open(state, context, params, spelling),
        LoopEvent::DidChange(params) => notifications::did_change(state, context, params),
        LoopEvent::DidSave(params) => notifications::did_save(state, &params),
        LoopEvent::DidClose(params) => notifications::did_close(state, context, &params),
        LoopEvent::DidChangeConfiguration(settings) => {
            notifications::did_change_configuration(state, context, &settings);
        }
        LoopEvent::DidChangeWorkspaceFolders(params) => {
            notifications::did_change_workspace_folders(state, context, params);
        }
        LoopEvent::DidChangeWatchedFiles(params) => notifications::did_change_watched_files(state, &params),
        LoopEvent::Query(query) => requests::receive(state, context, query),
        LoopEvent::PullWorkspace(query) => workspace_pull::receive(state, context, query),
        LoopEvent::FindSymbols(query) => workspace_symbols::receive(state, query),
        LoopEvent::Shutdown => workspace_pull::shut_down(state, context),
        LoopEvent::Editor(asked) => editor::configuration_received(state, asked),
        LoopEvent::Refreshed => pull::refresh_sent(state),
        LoopEvent::Scanned(scanned) => workspace_pull::scanned(state, context, scanned),
        LoopEvent::Searched(cache) => workspace_symbols::symbols_answered(state, cache),
        LoopEvent::Wake => workspace_pull::resume_held_requests(state),
        LoopEvent::FilesChanged => reading::invalidate_all_settings(state),
        LoopEvent::Resolved(answers) => reading::settings_resolved(state, context, answers),
        LoopEvent::Read(opening, document) => reading::document_parsed(state, context, &opening, document),
        LoopEvent::Diagnosed(opening, outcome) => {
            publish::diagnostics_computed(state, context, &opening, outcome)
        }
        LoopEvent::PanicOnEdit => state.panic_on_edit = true,
        LoopEvent::PanicOnDiagnostics => state.panic_on_diagnostics = true,
        LoopEvent::PanicInLoop => state.panic_in_loop = true,
    }
}

#[cfg(test)]
mod tests;
