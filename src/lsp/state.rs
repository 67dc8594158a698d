//! The state of a session: the client, its folders and settings, and its open documents.
//!
//! Only the main loop has access, and it never waits: messages for something that is not ready are
//! deferred.

pub mod workspace_diagnostics;
pub mod workspace_symbols;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::Sender;

use lsp_types::Url;
use serde::Deserialize;

use crate::config::Settings;
use crate::document::{Document, Language};
use crate::text::{Text, TextChange};

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::diagnostics::{DiagnosticView, WireDiagnosticArray};
use crate::lsp::conversions::opened_document::{DocumentKind, OpenedDocument};
use crate::lsp::request::DocumentRequest;
use crate::lsp::snapshot::{RequestHistory, Snapshot};
use crate::lsp::state::workspace_diagnostics::WorkspacePulls;
use crate::lsp::state::workspace_symbols::WorkspaceSymbols;
use crate::lsp::wire::client_requests::ClientRequests;
use crate::lsp::wire::document_uri::DocumentUri;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::outbox::Ticket;
use crate::lsp::workspace::pages::Pages;
use crate::lsp::workspace::settings::{ConfigFile, EditorSettings};

/// The state of the main loop.
#[derive(Default)]
pub struct ServerState {
    /// The client's capabilities.
    pub client: SessionCapabilities,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The editor's settings under `chatls`.
    pub editor: EditorSettings,
    /// The pending request for them.
    pub client_config: ClientConfigRequest,
    /// The errors in the editor's settings that were shown, each after the settings that contain
    /// it: different folders may have their own.
    pub shown_settings_errors: HashSet<(String, String)>,
    /// Sends requests to the client, once it is ready for them.
    pub lsp_client: Option<Arc<ClientRequests>>,
    /// The client's knowledge of included files.
    pub included: IncludedFiles,
    /// The pending refresh requests.
    pub refresh: RefreshRequest,
    /// The requests for diagnostics of the whole workspace.
    pub workspace_pulls: WorkspacePulls,
    /// The requests for symbols of the workspace.
    pub symbols: WorkspaceSymbols,
    /// The open documents.
    pub documents: HashMap<Url, OpenDocument>,
    /// The configuration and registry files that open documents depend on.
    pub files: HashMap<PathBuf, Arc<ConfigFile>>,
    /// The registries that the client watches.
    pub watched: WatchedRegistries,
    /// True if a closed document may have been the last one to use some of the files.
    pub files_may_change: bool,
    /// The last published sets of files that are not open.
    pub published: HashMap<PathBuf, (Arc<ConfigFile>, Frame)>,
    /// The documents whose settings need to be resolved.
    pub stale_settings: HashSet<Url>,
    /// True if settings are being resolved: settings that become stale meanwhile are resolved
    /// afterwards.
    pub settings_in_flight: bool,
    /// The documents whose newest set is not computed yet.
    pub dirty_documents: HashSet<Url>,
    /// The work that panics next, for tests.
    pub panics: Option<PanicPoint>,
    last_ticket: Ticket,
}

/// The state of the request for the client's settings.
#[derive(Debug, Default)]
pub struct ClientConfigRequest {
    /// The number of the last request.
    pub(crate) serial: u64,
    /// True if the settings of documents wait for it.
    pub(crate) waiting: bool,
}

/// The results of `chatls/included` that the client has.
#[derive(Debug, Default)]
pub struct IncludedFiles {
    /// True if it has some.
    pub(crate) is_known: bool,
    /// True if they may have changed since the last turn of the main loop.
    pub(crate) may_have_changed: bool,
}

/// The state of refresh requests.
#[derive(Debug, Default)]
pub struct RefreshRequest {
    pub(crate) is_requested: bool,
    /// True if a request is in flight.
    pub(crate) in_flight: bool,
}

/// The registries that the client watches.
#[derive(Debug, Default)]
pub struct WatchedRegistries {
    /// Their globs.
    pub(crate) globs: BTreeSet<String>,
    /// The number of the current registration; 0 if there is none.
    pub(crate) registration: usize,
}

/// A document that the client has opened.
pub struct OpenDocument {
    /// The number of this opening of its URI: results of work for another opening are dropped.
    pub epoch: Ticket,
    /// The URI.
    pub uri: DocumentUri,
    /// Its path, if it is a file.
    pub path: Option<PathBuf>,
    /// The client's newest version.
    pub version: i32,
    /// Its language.
    pub language: Language,
    /// The name and the language id that it depends on.
    pub kind: DocumentKind,
    /// The text, parsed or not.
    pub phase: DocumentPhase,
    /// The messages deferred until it is ready, in order.
    pub deferred: VecDeque<DeferredMessage>,
    /// Its settings; `None` until they are known.
    pub settings: Option<Arc<Settings>>,
    /// The files that its settings come from.
    pub files: Arc<[Arc<ConfigFile>]>,
    /// The configuration file whose diagnostics its newest set contains.
    pub file: Option<Arc<ConfigFile>>,
    /// The ticket of its current set of diagnostics.
    pub ticket: Ticket,
    /// The state of its text and settings for requests: a new one after each change and parse.
    pub text_version: Ticket,
    /// True if a set is being computed: at most one at a time.
    pub diagnosing: bool,
    /// The set whose computation panicked, after which the text was parsed again.
    pub reparsed_after_panic: Option<Ticket>,
    /// The results of the last requests on it.
    pub history: Arc<RequestHistory>,
}

/// An open document, for diagnostics in a pool.
pub struct DiagnosedDocument {
    /// Its URI.
    pub uri: DocumentUri,
    /// Its version.
    pub version: i32,
    /// Its path, if it is a file.
    pub path: Option<PathBuf>,
    /// The state of its text and settings.
    pub state: Ticket,
    /// The document; `None` if it cannot be parsed.
    pub document: Option<Document>,
    /// Its diagnostics as a configuration file.
    pub file: Option<Arc<ConfigFile>>,
}

impl DiagnosedDocument {
    /// Its diagnostics.
    pub fn diagnostics<'a>(
        &'a self,
        client: &'a SessionCapabilities,
        pages: &'a Pages,
    ) -> WireDiagnosticArray<'a> {
        let view = DiagnosticView { client, uri: self.uri.spelling(), pages };
        WireDiagnosticArray::of(self.document.as_ref(), self.file.as_deref(), view)
    }
}

/// The phase of a document's text.
pub enum DocumentPhase {
    /// Waiting for its settings.
    AwaitingSettings(Text),
    /// It is being parsed in the pool.
    Parsing,
    /// Ready for edits and requests.
    Ready(Document),
    /// Parsing panicked. It is tried again after the next change.
    Panicked(Text),
}

/// A message for a document that is not ready.
pub enum DeferredMessage {
    /// The changes of one notification.
    Change(Vec<TextChange>),
    /// A request, and the version of the document that it is on.
    Query(DocumentRequest, i32),
    /// A handler that looks at the document again.
    Read(Sender<Snapshot>),
}

/// One opening of a document: results of work that was started for another opening are dropped.
#[derive(Clone, Debug)]
pub struct DocumentSerial {
    /// The document.
    pub uri: Url,
    /// [`OpenDocument::epoch`]
    pub epoch: Ticket,
}

impl DocumentPhase {
    /// True if the text is still to be parsed.
    pub fn is_pending(&self) -> bool {
        matches!(self, Self::AwaitingSettings(_) | Self::Parsing)
    }

    /// The document, if it is ready.
    pub fn ready(&self) -> Option<&Document> {
        match self {
            Self::Ready(document) => Some(document),
            Self::AwaitingSettings(_) | Self::Parsing | Self::Panicked(_) => None,
        }
    }
}

/// The work that panics on request of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PanicPoint {
    /// The next edit.
    Edit,
    /// The next computation of diagnostics.
    Diagnostics,
    /// The next scan of the workspace, after its open documents.
    Scan,
    /// The main loop, outside of the events.
    Loop,
}

impl ServerState {
    /// True once if a test has requested that the work at `point` panics.
    pub fn panics_at(&mut self, point: PanicPoint) -> bool {
        self.panics.take_if(|wanted| *wanted == point).is_some()
    }

    /// An unused ticket.
    pub fn next_ticket(&mut self) -> Ticket {
        self.last_ticket.0 += 1;
        self.last_ticket
    }

    /// The document of `opening`, if it is still open.
    pub fn opening(&mut self, opening: &DocumentSerial) -> Option<&mut OpenDocument> {
        self.documents.get_mut(&opening.uri).filter(|document| document.epoch == opening.epoch)
    }
}

impl OpenDocument {
    /// This opening.
    pub fn serial(&self) -> DocumentSerial {
        DocumentSerial { uri: Url::clone(&self.uri), epoch: self.epoch }
    }

    /// The configuration file that is this document, as it stands in the document's text.
    pub fn config_file(&self, files: &HashMap<PathBuf, Arc<ConfigFile>>) -> Option<Arc<ConfigFile>> {
        let file = files.get(self.path.as_ref()?)?;
        Some(self.phase.ready().map_or_else(|| Arc::clone(file), |ready| file.moved(ready.text())))
    }

    /// The document as it is now, for diagnostics.
    pub fn diagnosed(&self, files: &HashMap<PathBuf, Arc<ConfigFile>>) -> DiagnosedDocument {
        DiagnosedDocument {
            uri: self.uri.clone(),
            version: self.version,
            path: self.path.clone(),
            state: self.text_version,
            document: self.phase.ready().cloned(),
            file: self.config_file(files),
        }
    }

    /// Creates a document that waits for its settings.
    pub fn new(epoch: Ticket, opened: OpenedDocument) -> Self {
        let OpenedDocument { uri, version, kind, language, text } = opened;
        Self {
            epoch,
            path: uri.to_file_path().ok(),
            uri,
            version,
            language,
            kind,
            phase: DocumentPhase::AwaitingSettings(text),
            deferred: VecDeque::new(),
            settings: None,
            files: Arc::default(),
            file: None,
            ticket: Ticket::default(),
            text_version: Ticket::default(),
            diagnosing: false,
            reparsed_after_panic: None,
            history: Arc::default(),
        }
    }
}
