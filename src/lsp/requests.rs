//! Requests that are answered from a snapshot, straight into the frame: taken out ahead of the service, which would
//! build every answer as a `serde_json::Value` first.
//!
//! Each is one function from a snapshot to a frame. However one ends, cancelled and panicked too, it is answered
//! exactly once.

use std::collections::HashMap;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lsp_types::request::{
    CodeActionRequest, CodeActionResolveRequest, CodeLensRequest, Completion, DocumentDiagnosticRequest,
    DocumentHighlightRequest, DocumentLinkRequest, DocumentSymbolRequest, ExecuteCommand,
    FoldingRangeRequest, Formatting, GotoDeclaration, GotoDefinition, GotoImplementation, HoverRequest,
    InlayHintRequest, InlayHintResolveRequest, LinkedEditingRange, OnTypeFormatting, PrepareRenameRequest,
    RangeFormatting, References, Rename, Request as _, ResolveCompletionItem, SelectionRangeRequest,
    SemanticTokensFullDeltaRequest, SemanticTokensFullRequest, SemanticTokensRangeRequest,
    SignatureHelpRequest,
};
use lsp_types::{TextDocumentIdentifier, Url};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Response};

use crate::document::{Document, Language};

use super::capabilities::SessionCapabilities;
use super::commands::{self, ClientPeer};
use super::completion;
use super::convert::DiagnosticView;
use super::edits::EditedDocument;
use super::frames::Frame;
use super::main_loop::LoopContext;
use super::message::{self, Answer};
use super::outbox::{DiagnosticTicket, Outbox};
use super::pages::Pages;
use super::semantic_tokens::{self, TokenHistory};
use super::settings::ConfigFile;
use super::signature_help;
use super::state::{DeferredMessage, ServerState};
use super::{
    code_actions, code_lens, compare, document_links, events, export, folding, formatting, goto, hover,
    inlay_hints, names, new_call, next_tool_use, pull, reading, rename, selection_range, symbols, tool_uses,
    transcript,
};

/// A request on one document.
pub struct DocumentRequest {
    /// The document.
    pub uri: Url,
    /// Its answer's place.
    pub pending: PendingRequest,
    /// What makes the answer.
    pub work: RequestWork,
    /// Whether it asks for diagnostics, which clients ask for again and again by themselves.
    pub pulls: bool,
    /// Whether it is about fixes, which files that settings come from have also while they are not open.
    pub needs_config_files: bool,
    /// Whether it is about other open documents, too.
    pub sees_others: bool,
}

/// Makes an answer from a snapshot; whatever it makes once the request is no longer wanted is thrown away.
pub type RequestWork = Box<dyn FnOnce(&Snapshot, &PendingRequest) -> serde_json::Result<Frame> + Send>;

/// All that a request sees: the document as it was when the request's turn came.
pub struct Snapshot {
    /// The document.
    pub document: Document,
    /// Its URI as the client spells it.
    pub spelling: Arc<str>,
    /// Its version; `None` of a file that is not open, and that is here only as what settings come from.
    pub version: Option<i32>,
    /// Which state of its text and settings this is.
    pub state: DiagnosticTicket,
    /// The problems that it has as a configuration file.
    pub file: Option<Arc<ConfigFile>>,
    /// The client that asks.
    pub client: SessionCapabilities,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// What codes link to.
    pub pages: Arc<Pages>,
    /// The way to the client.
    pub peer: ClientPeer,
    /// The tokens that the client was last told.
    pub last_tokens: TokenHistory,
    /// The other open documents that can be read, where the request is about them too.
    pub others: Vec<OtherDocument>,
}

/// Another open document, as it was when the request's turn came.
pub struct OtherDocument {
    /// The document.
    pub document: Document,
    /// Its URI as the client spells it.
    pub spelling: Arc<str>,
    /// Its version.
    pub version: i32,
    /// Where it is on disk, if it has a place there.
    pub path: Option<PathBuf>,
}

impl OtherDocument {
    /// Edits of it.
    pub fn edited(&self, edits: Vec<(Range<usize>, String)>) -> EditedDocument<'_> {
        EditedDocument { uri: &self.spelling, version: Some(self.version), text: self.document.text(), edits }
    }
}

/// The requests that are about other open documents, too.
pub fn needs_other_documents(method: &str) -> bool {
    matches!(method, GotoDefinition::METHOD | References::METHOD | Rename::METHOD)
}

impl Snapshot {
    /// Edits of its document.
    pub fn edited(&self, edits: Vec<(Range<usize>, String)>) -> EditedDocument<'_> {
        EditedDocument { uri: &self.spelling, version: self.version, text: self.document.text(), edits }
    }

    /// How its problems are shown.
    pub fn view(&self) -> DiagnosticView<'_> {
        DiagnosticView { client: &self.client, uri: &self.spelling, pages: &self.pages }
    }
}

/// Makes of a request's params the document that it is on and its work, or says that they do not fit.
pub type RequestParser = fn(Option<Value>) -> Result<(Url, RequestWork), Error>;

/// The reader of `method`, if it is one that is answered here.
pub fn parser_of(method: &str, testing: bool) -> Option<RequestParser> {
    match method {
        DocumentDiagnosticRequest::METHOD => Some(|params| parse(params).map(pull::document_diagnostic)),
        CodeActionRequest::METHOD => Some(|params| parse(params).map(code_actions::code_action)),
        CodeActionResolveRequest::METHOD => Some(|params| parse(params).and_then(code_actions::resolve)),
        Completion::METHOD => Some(|params| parse(params).map(completion::completion)),
        ResolveCompletionItem::METHOD => Some(|params| parse(params).and_then(completion::resolve)),
        DocumentHighlightRequest::METHOD => Some(|params| parse(params).map(names::document_highlight)),
        DocumentSymbolRequest::METHOD => Some(|params| parse(params).map(symbols::document_symbol)),
        DocumentLinkRequest::METHOD => Some(|params| parse(params).map(document_links::document_link)),
        Formatting::METHOD | RangeFormatting::METHOD => {
            Some(|params| parse(params).map(formatting::formatting))
        }
        OnTypeFormatting::METHOD => Some(|params| parse(params).map(formatting::on_type_formatting)),
        SignatureHelpRequest::METHOD => Some(|params| parse(params).map(signature_help::signature_help)),
        CodeLensRequest::METHOD => Some(|params| parse(params).map(code_lens::code_lens)),
        ExecuteCommand::METHOD => Some(|params| parse(params).and_then(commands::execute)),
        FoldingRangeRequest::METHOD => Some(|params| parse(params).map(folding::folding_range)),
        GotoDeclaration::METHOD => Some(|params| parse(params).map(goto::declaration)),
        GotoDefinition::METHOD => Some(|params| parse(params).map(goto::definition)),
        GotoImplementation::METHOD => Some(|params| parse(params).map(goto::implementation)),
        LinkedEditingRange::METHOD => Some(|params| parse(params).map(names::linked_editing_range)),
        PrepareRenameRequest::METHOD => Some(|params| parse(params).map(rename::prepare)),
        References::METHOD => Some(|params| parse(params).map(names::references)),
        Rename::METHOD => Some(|params| parse(params).map(rename::rename)),
        SelectionRangeRequest::METHOD => Some(|params| parse(params).map(selection_range::selection_range)),
        HoverRequest::METHOD => Some(|params| parse(params).map(hover::hover)),
        InlayHintRequest::METHOD => Some(|params| parse(params).map(inlay_hints::inlay_hint)),
        InlayHintResolveRequest::METHOD => Some(|params| parse(params).and_then(inlay_hints::resolve)),
        SemanticTokensFullRequest::METHOD | SemanticTokensFullDeltaRequest::METHOD => {
            Some(|params| parse(params).map(semantic_tokens::full))
        }
        SemanticTokensRangeRequest::METHOD => Some(|params| parse(params).map(semantic_tokens::range)),
        compare::METHOD => Some(|params| parse(params).map(compare::compare)),
        folding::IN_RANGE => Some(|params| parse(params).map(folding::in_range)),
        new_call::METHOD => Some(|params| parse(params).map(new_call::new_tool_use)),
        next_tool_use::METHOD => Some(|params| parse(params).map(next_tool_use::next_tool_use)),
        events::METHOD => Some(|params| parse(params).map(events::events)),
        export::METHOD => Some(|params| parse(params).map(export::export)),
        tool_uses::METHOD => Some(|params| parse(params).map(tool_uses::tool_uses)),
        transcript::METHOD => Some(|params| parse(params).map(transcript::transcript)),
        "chatls/test/sleep" if testing => Some(|params| parse(params).map(sleep)),
        _ => None,
    }
}

/// Takes in a query in its turn.
pub fn receive(state: &mut ServerState, context: &LoopContext, query: DocumentRequest) {
    let Some(document) = state.documents.get(&query.uri) else {
        if let Some(file) = request_on_closed_file(state, &query) {
            let (client, pages, spelling) =
                (state.client, Arc::clone(&context.pages), query.uri.as_str().into());
            let peer = ClientPeer::new(state.lsp_client.as_ref(), context);
            let snapshot = move || {
                let document = Document::new(file.text.clone(), Language::Markdown, Arc::default());
                Snapshot {
                    document,
                    spelling,
                    version: None,
                    state: DiagnosticTicket::default(),
                    file: Some(file),
                    client,
                    folders: Arc::default(),
                    pages,
                    last_tokens: TokenHistory::default(),
                    peer,
                    others: Vec::new(),
                }
            };
            return answer(context, query, snapshot);
        }
        let error = match query.pulls {
            true => pull::server_cancelled("it is not open"),
            false => message::error(ErrorCode::InvalidParams, format!("{} is not open", query.uri)),
        };
        return refuse(context, &query.pending, error);
    };
    let (uri, version) = (query.uri.clone(), document.version);
    reading::handle_deferred(state, context, &uri, DeferredMessage::Query(query, version));
}

/// The file that settings come from which `query` is on, if it is about fixes.
fn request_on_closed_file(state: &ServerState, query: &DocumentRequest) -> Option<Arc<ConfigFile>> {
    let path = query.needs_config_files.then(|| query.uri.to_file_path().ok())??;
    state.files.get(&path).cloned()
}

/// Answers a query from what `snapshot` makes, in the requests' pool.
pub fn answer(
    context: &LoopContext,
    query: DocumentRequest,
    snapshot: impl FnOnce() -> Snapshot + Send + 'static,
) {
    let outbox = Arc::clone(&context.outbox);
    context.requests.spawn_blocking(move || {
        let DocumentRequest { pending, work, .. } = query;
        if !pending.is_wanted() {
            return;
        }
        match work(&snapshot(), &pending) {
            Ok(frame) if pending.respond() => outbox.send_frame(frame),
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "an answer cannot be serialized"),
        }
    });
}

/// Answers a query with an error.
pub fn refuse(context: &LoopContext, pending: &PendingRequest, error: Error) {
    if pending.respond() {
        context.outbox.send(&Response::from_error(pending.id.clone(), error));
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SleepParams {
    text_document: TextDocumentIdentifier,
    millis: u64,
    #[serde(default)]
    panics: bool,
}

/// A request that takes its time, or panics in the pool, for tests.
fn sleep(params: SleepParams) -> (Url, RequestWork) {
    let work: RequestWork = Box::new(move |_, pending| {
        let end = Instant::now() + Duration::from_millis(params.millis);
        while pending.is_wanted() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5).min(end.saturating_duration_since(Instant::now())));
        }
        assert!(!params.panics, "asked for by a test");
        Frame::of(&Answer::new(&pending.id, ()))
    });
    (params.text_document.uri, work)
}

/// A request's params.
pub fn parse<P: DeserializeOwned>(params: Option<Value>) -> Result<P, Error> {
    serde_json::from_value(params.unwrap_or_default())
        .map_err(|error| Error::invalid_params(error.to_string()))
}

/// The requests that are not answered yet.
#[derive(Clone)]
pub struct PendingRequests {
    table: Arc<Mutex<PendingTable>>,
    outbox: Arc<Outbox>,
}

#[derive(Default)]
struct PendingTable {
    /// The serial number of the request that has an id: ids may come again.
    serials: HashMap<Id, u64>,
    last: u64,
}

impl PendingRequests {
    /// None yet; `outbox` takes the answers of those that nobody answers.
    pub fn new(outbox: Arc<Outbox>) -> Self {
        Self { table: Arc::default(), outbox }
    }

    /// Takes in a request; `None` where its id is that of another one.
    pub fn begin(&self, id: &Id) -> Option<PendingRequest> {
        let mut table = self.lock();
        if table.serials.contains_key(id) {
            return None;
        }
        table.last += 1;
        let serial = table.last;
        table.serials.insert(id.clone(), serial);
        Some(PendingRequest { id: id.clone(), serial, table: self.clone() })
    }

    /// Whether `id` was pending; it no longer is.
    pub fn cancel(&self, id: &Id) -> bool {
        self.lock().serials.remove(id).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, PendingTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of one answer. Dropped without one, it is answered with `InternalError`.
pub struct PendingRequest {
    /// The request's id.
    pub id: Id,
    serial: u64,
    table: PendingRequests,
}

impl PendingRequest {
    /// Whether nobody has answered or cancelled it.
    pub fn is_wanted(&self) -> bool {
        self.table.lock().serials.get(&self.id) == Some(&self.serial)
    }

    /// Whether it falls to the caller to answer it: to the first one, unless it was cancelled.
    pub fn respond(&self) -> bool {
        let mut table = self.table.lock();
        table.serials.get(&self.id) == Some(&self.serial) && table.serials.remove(&self.id).is_some()
    }
}

impl Drop for PendingRequest {
    fn drop(&mut self) {
        if self.respond() {
            self.table.outbox.send(&Response::from_error(self.id.clone(), Error::internal_error()));
        }
    }
}
