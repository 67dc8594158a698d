//! The methods that the server handles: every request and notification becomes one event of the
//! main loop.

use std::sync::Arc;

#[cfg(feature = "run")]
use lsp_types::notification::WorkDoneProgressCancel;
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidChangeWorkspaceFolders,
    DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification,
};
use lsp_types::request::{Request as _, WorkspaceDiagnosticRequest, WorkspaceSymbolRequest};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, ErrorCode};

use crate::document::{Document, Language};
use crate::lsp::handlers::DOCUMENT_REQUESTS;
use crate::lsp::request::{DocumentRequest, RequestNeeds, Route};
#[cfg(feature = "run")]
use crate::lsp::server::notifications::cancel_progress;
use crate::lsp::server::notifications::{
    did_change, did_change_configuration, did_change_watched_files, did_change_workspace_folders, did_close,
    did_open, did_save,
};
use crate::lsp::server::{
    LoopContext, LoopEvent, documents, included, sessions, test_hooks, workspace_diagnostics,
    workspace_symbols,
};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::state::{DeferredMessage, ServerState};
use crate::lsp::wire::message::{self, parse, server_cancelled};
use crate::lsp::wire::pending::PendingRequest;
use crate::lsp::workspace::settings::ConfigFile;
use crate::text::Text;

/// Takes in a request whose params are valid.
type Begin<'b> = &'b dyn Fn() -> Result<PendingRequest, Error>;

/// The event of the request `method`, which is taken in by `begin`. Test hooks only exist if
/// `testing`.
///
/// # Errors
///
/// `MethodNotFound`, `InvalidParams`, and the errors of `begin`.
pub fn request_event(
    method: &str,
    params: Option<Value>,
    testing: bool,
    begin: Begin<'_>,
) -> Result<LoopEvent, Error> {
    match method {
        WorkspaceDiagnosticRequest::METHOD => {
            on_request(WorkspaceDiagnosticRequest::METHOD, params, begin, workspace_diagnostics::receive)
        }
        WorkspaceSymbolRequest::METHOD => {
            on_request(WorkspaceSymbolRequest::METHOD, params, begin, workspace_symbols::receive)
        }
        included::METHOD => on_request(included::METHOD, params, begin, included::included),
        sessions::LIST => on_request(sessions::LIST, params, begin, sessions::list),
        sessions::TEXT => on_request(sessions::TEXT, params, begin, sessions::text),
        test_hooks::PANIC if testing => {
            let is_here = params.as_ref().is_some_and(|params| params["where"] == "request");
            assert!(!is_here, "requested by a test");
            on_request(test_hooks::PANIC, params, begin, test_hooks::panic)
        }
        test_hooks::SLEEP if testing => {
            on_document(&Route::on(test_hooks::SLEEP, test_hooks::sleep), params, begin)
        }
        _ => {
            let route = DOCUMENT_REQUESTS.iter().find(|route| route.method == method);
            on_document(route.ok_or_else(Error::method_not_found)?, params, begin)
        }
    }
}

/// The event of a request on a document.
fn on_document(route: &Route, params: Option<Value>, begin: Begin<'_>) -> Result<LoopEvent, Error> {
    let request = route.request(params, begin)?;
    Ok(LoopEvent::new(route.method, |state, context| receive(state, context, request)))
}

/// The event of a request without a document.
fn on_request<P: DeserializeOwned + Send + 'static>(
    method: &'static str,
    params: Option<Value>,
    begin: Begin<'_>,
    handle: fn(&mut ServerState, &LoopContext, PendingRequest, P),
) -> Result<LoopEvent, Error> {
    let params: P = parse(params)?;
    let pending = begin()?;
    Ok(LoopEvent::new(method, move |state, context| handle(state, context, pending, params)))
}

/// The event of the notification `method`; `None` if the server ignores it.
///
/// # Errors
///
/// `InvalidParams`
pub fn notification_event(method: &str, params: Option<Value>) -> Option<Result<LoopEvent, Error>> {
    Some(match method {
        DidOpenTextDocument::METHOD => on::<DidOpenTextDocument, _>(params, did_open),
        DidChangeTextDocument::METHOD => on::<DidChangeTextDocument, _>(params, did_change),
        DidSaveTextDocument::METHOD => on::<DidSaveTextDocument, _>(params, did_save),
        DidCloseTextDocument::METHOD => on::<DidCloseTextDocument, _>(params, did_close),
        DidChangeConfiguration::METHOD => on::<DidChangeConfiguration, _>(params, did_change_configuration),
        DidChangeWorkspaceFolders::METHOD => {
            on::<DidChangeWorkspaceFolders, _>(params, did_change_workspace_folders)
        }
        #[cfg(feature = "run")]
        WorkDoneProgressCancel::METHOD => on::<WorkDoneProgressCancel, _>(params, cancel_progress),
        DidChangeWatchedFiles::METHOD => on::<DidChangeWatchedFiles, _>(params, did_change_watched_files),
        _ => return None,
    })
}

/// The event of the notification `N`.
fn on<N: Notification, P: DeserializeOwned + Send + 'static>(
    params: Option<Value>,
    handle: fn(&mut ServerState, &LoopContext, P),
) -> Result<LoopEvent, Error> {
    let params: P = parse(params)?;
    Ok(LoopEvent::new(N::METHOD, move |state, context| handle(state, context, params)))
}

/// Handles a request in its turn.
fn receive(state: &mut ServerState, context: &LoopContext, request: DocumentRequest) {
    if let Some(document) = state.documents.get(&request.uri) {
        let (uri, version) = (request.uri.clone(), document.version);
        documents::handle_message(state, context, &uri, DeferredMessage::Query(request, version));
    } else if let Some(file) = closed_config_file(state, &request) {
        let snapshot = closed_snapshot(state, context, &request, Some(file));
        context.answer(request, snapshot);
    } else if request.needs == RequestNeeds::Session {
        let snapshot = closed_snapshot(state, context, &request, None);
        context.answer(request, snapshot);
    } else {
        let error = match request.needs {
            RequestNeeds::Diagnostics => server_cancelled("it is not open"),
            _ => message::error(ErrorCode::InvalidParams, format!("{} is not open", request.uri)),
        };
        request.pending.refuse(error);
    }
}

/// The configuration file that `request` is about, if it is a request for fixes.
fn closed_config_file(state: &ServerState, request: &DocumentRequest) -> Option<Arc<ConfigFile>> {
    let accepts_files = request.needs == RequestNeeds::ConfigFiles;
    let path = accepts_files.then(|| request.uri.to_file_path().ok())??;
    state.files.get(&path).cloned()
}

/// The data of a request on a configuration file that is not open, or on no document at all.
fn closed_snapshot(
    state: &ServerState,
    context: &LoopContext,
    request: &DocumentRequest,
    file: Option<Arc<ConfigFile>>,
) -> Snapshot {
    let text = file.as_ref().map_or_else(|| Text::new(""), |file| file.text.clone());
    let document = Document::new(text, Language::Markdown, Arc::default());
    Snapshot { file, ..documents::snapshot(state, context, request.uri.clone().into(), document) }
}
