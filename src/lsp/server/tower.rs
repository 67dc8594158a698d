//! The language server as tower-lsp routes to it: every method relays to the main loop and waits for nothing.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};

use lsp_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    DidSaveTextDocumentParams, InitializeParams, InitializeResult, InitializedParams,
};
use serde::Deserialize;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::{Client, LanguageServer};

use crate::lsp::client_capabilities;
use crate::lsp::server::context::LoopEvent;
use crate::lsp::server::server_capabilities::initialize_result;

/// Relays to the main loop.
pub struct ChatlsServer {
    client: Client,
    events: Sender<LoopEvent>,
    relayed: AtomicU64,
    /// The URI of the document that is opened next, as the client spells it.
    spelling: Mutex<Option<String>>,
}

impl ChatlsServer {
    /// A server that relays to `events`.
    pub fn new(client: Client, events: Sender<LoopEvent>) -> Self {
        Self { client, events, relayed: AtomicU64::new(0), spelling: Mutex::default() }
    }

    /// How many messages have been relayed. tower-lsp passes over notifications whose params do not fit; they show
    /// in that this number stays.
    pub fn event_count(&self) -> u64 {
        self.relayed.load(Ordering::Relaxed)
    }

    /// Says how the client spells the URI of the document that it opens next. `Url` keeps only what the spelling
    /// means: of `file:///é` it makes `file:///%C3%A9`.
    pub fn original_uri(&self, uri: &str) {
        // Neovim's for every buffer without a name: told that, it would make a new buffer of each set.
        if uri == "file://" {
            return;
        }
        *self.spelling.lock().unwrap_or_else(PoisonError::into_inner) = Some(uri.to_owned());
    }

    fn relay(&self, event: LoopEvent) {
        self.relayed.fetch_add(1, Ordering::Relaxed);
        // Where the loop has ended, so has the session.
        drop(self.events.send(event));
    }
}

#[tower_lsp::async_trait]
impl LanguageServer for ChatlsServer {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let result = initialize_result(&client_capabilities::SessionCapabilities::new(&params));
        self.relay(LoopEvent::Initialize(Box::new(params)));
        Ok(result)
    }

    async fn initialized(&self, _: InitializedParams) {
        self.relay(LoopEvent::Initialized(self.client.clone()));
    }

    async fn shutdown(&self) -> Result<()> {
        self.relay(LoopEvent::Shutdown);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let spelling = self.spelling.lock().unwrap_or_else(PoisonError::into_inner).take();
        let spelling = spelling.unwrap_or_else(|| params.text_document.uri.to_string());
        self.relay(LoopEvent::DidOpen(params, spelling.into()));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.relay(LoopEvent::DidChange(params));
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        self.relay(LoopEvent::DidSave(params));
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.relay(LoopEvent::DidClose(params));
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        self.relay(LoopEvent::DidChangeConfiguration(params.settings));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        self.relay(LoopEvent::DidChangeWorkspaceFolders(params));
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        self.relay(LoopEvent::DidChangeWatchedFiles(params));
    }
}

/// Where `chatls/test/panic` panics.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PanicWhere {
    /// In the request itself.
    Request,
    /// In the next edit.
    Edit,
    /// In the next set of diagnostics.
    Diagnostics,
    /// In the main loop, where nothing catches it.
    Loop,
}

/// The params of `chatls/test/panic`.
#[derive(Debug, Deserialize)]
pub struct PanicParams {
    r#where: PanicWhere,
}

impl ChatlsServer {
    /// `chatls/test/panic`: shows that a panic takes nothing down.
    pub async fn test_panic(&self, params: PanicParams) -> Result<()> {
        match params.r#where {
            PanicWhere::Request => panic!("asked for by a test"),
            PanicWhere::Edit => self.relay(LoopEvent::PanicOnEdit),
            PanicWhere::Diagnostics => self.relay(LoopEvent::PanicOnDiagnostics),
            PanicWhere::Loop => self.relay(LoopEvent::PanicInLoop),
        }
        Ok(())
    }

    /// `chatls/test/wait`: a request to the service that is never answered unless it is cancelled.
    pub async fn test_wait(&self) -> Result<()> {
        std::future::pending::<()>().await;
        Err(Error::internal_error())
    }
}
