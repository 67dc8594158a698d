//! The main loop's means: its events, the outbox, the thread pools.

use crate::document::Document;
use crate::lsp::server::client_config::ConfigurationReply;
use crate::lsp::server::documents::ResolvedSettings;
use crate::lsp::server::workspace_scan::ScanResult;
use crate::lsp::snapshot::DocumentRequest;
use crate::lsp::state::workspace_diagnostics::WorkspaceQuery;
use crate::lsp::state::workspace_symbols::{SymbolCache, SymbolQuery};
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::workspace::pages::Pages;
use crate::lsp::workspace::settings::SettingsSource;
use lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, Url,
};
use serde_json::Value;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use tokio::runtime::Handle;
use tokio::sync::mpsc::UnboundedSender;

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
