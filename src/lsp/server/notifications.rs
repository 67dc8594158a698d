//! Notifications of the client: each one changes the state at once, or is logged and ignored.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use lsp_types::request::{RegisterCapability, Request as _};
use lsp_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidSaveTextDocumentParams, Registration,
    Url,
};
use serde_json::json;

use crate::config::is_transcript;
use crate::lsp::client_capabilities::read::SessionParams;
use crate::lsp::conversions::locations::lsp_change_to_edit;
use crate::lsp::conversions::opened_document::{DidOpenParams, OpenedDocument};
use crate::lsp::server::{LoopContext, documents, editor_settings, lifeline, publish, watchers};
use crate::lsp::state::{DeferredMessage, OpenDocument, ServerState};
use crate::lsp::wire::client_requests::ClientRequests;
use crate::lsp::workspace::folders;
use crate::lsp::workspace::settings::{EditorSettings, is_config};

/// The interval of checks for configuration changes that the client does not report.
const PERIOD: Duration = Duration::from_secs(2);

/// Handles `initialize`.
pub fn initialize(state: &mut ServerState, context: &LoopContext, session: SessionParams) {
    state.client = session.capabilities;
    state.folders = session.folders.into();
    state.editor = EditorSettings::initial(session.initialization_options);
    if state.client.workspace_configuration {
        editor_settings::start_timeout(state, context);
    }
    if let Some(process) = session.process_id {
        lifeline::exit_with_client(context, process);
    }
    poll_config_files(context);
}

/// Checks configuration files periodically: not every client can watch files, and other clients
/// only watch the files in their folders.
fn poll_config_files(context: &LoopContext) {
    let context = context.clone();
    context.runtime.clone().spawn(async move {
        loop {
            tokio::time::sleep(PERIOD).await;
            let source = Arc::clone(&context.source);
            if let Ok(true) = context.runtime.spawn_blocking(move || source.has_changed()).await {
                context.send("configuration files changed", |state, _| {
                    documents::invalidate_all_settings(state);
                });
            }
        }
    });
}

/// Registers capabilities that could not be in the result of `initialize`. Nothing waits for the
/// client's response.
pub fn initialized(state: &mut ServerState, context: &LoopContext, client: Arc<ClientRequests>) {
    let mut registrations = Vec::new();
    if state.client.watches_files {
        registrations.push(watchers::registration(state));
    }
    if state.client.registers_did_change_configuration {
        let method = "workspace/didChangeConfiguration".to_owned();
        let register_options = Some(json!({"section": "chatls"}));
        registrations.push(Registration { id: method.clone(), method, register_options });
    }
    state.lsp_client = Some(Arc::clone(&client));
    editor_settings::request_configuration(state, context);
    if !registrations.is_empty() {
        context.runtime.spawn(async move {
            let params = json!({"registrations": registrations});
            if let Err(error) = client.send::<()>(RegisterCapability::METHOD, params).await {
                tracing::warn!(%error, "the client rejected a registration");
            }
        });
    }
}

/// Handles `textDocument/didOpen`. A document that was open already is replaced.
pub fn did_open(state: &mut ServerState, context: &LoopContext, params: DidOpenParams) {
    let opened = OpenedDocument::from(params);
    let uri = Url::clone(&opened.uri);
    let document = OpenDocument::new(state.next_ticket(), opened);
    if let Some(old) = state.documents.insert(uri.clone(), document) {
        tracing::warn!(%uri, "a document was opened twice: the new text replaces the old one");
        documents::close(context, old);
    }
    publish::begin(state, context, &uri);
    documents::invalidate_settings(state, &uri);
}

/// Handles `textDocument/didChange`: applies all changes of the notification in order, or none.
pub fn did_change(state: &mut ServerState, context: &LoopContext, params: DidChangeTextDocumentParams) {
    let (uri, version) = (params.text_document.uri, params.text_document.version);
    let Some(document) = state.documents.get_mut(&uri) else {
        return tracing::warn!(%uri, "a document that is not open was changed: the change is dropped");
    };
    if version < document.version {
        let current = document.version;
        return tracing::warn!(%uri, version, current, "a change with an older version is dropped");
    }
    document.version = version;
    let edits = params.content_changes.into_iter().map(lsp_change_to_edit).collect();
    publish::mark_dirty(state, &uri);
    documents::handle_message(state, context, &uri, DeferredMessage::Change(edits));
}

/// Handles `textDocument/didSave`: settings may be resolved again.
pub fn did_save(state: &mut ServerState, _: &LoopContext, params: DidSaveTextDocumentParams) {
    files_changed(state, std::iter::once(&params.text_document.uri));
}

/// Handles `textDocument/didClose`: removes the document and its diagnostics.
pub fn did_close(state: &mut ServerState, context: &LoopContext, params: DidCloseTextDocumentParams) {
    let uri = &params.text_document.uri;
    let Some(document) = state.documents.remove(uri) else {
        return tracing::warn!(%uri, "a document that is not open was closed");
    };
    #[cfg(feature = "run")]
    context.runs.document_closed(uri);
    publish::clear(state, context, uri, &document);
    if let (Some(path), true) = (&document.path, state.client.diagnostics.pulls_workspace) {
        state.workspace_pulls.closed.insert(path.clone(), Arc::clone(document.uri.spelling()));
    }
    state.files_may_change |= publish::may_use_config_files(state, &document);
    documents::close(context, document);
}

/// Handles `window/workDoneProgress/cancel`.
#[cfg(feature = "run")]
pub fn cancel_progress(
    _: &mut ServerState,
    context: &LoopContext,
    params: lsp_types::WorkDoneProgressCancelParams,
) {
    context.runs.cancel_token(&params.token);
}

/// Handles `workspace/didChangeConfiguration`.
pub fn did_change_configuration(
    state: &mut ServerState,
    context: &LoopContext,
    params: DidChangeConfigurationParams,
) {
    state.editor.change(&params.settings);
    editor_settings::forget_unused_settings(state);
    if !editor_settings::request_configuration(state, context) {
        documents::invalidate_all_settings(state);
    }
}

/// Handles `workspace/didChangeWorkspaceFolders`.
pub fn did_change_workspace_folders(
    state: &mut ServerState,
    context: &LoopContext,
    params: DidChangeWorkspaceFoldersParams,
) {
    state.folders = folders::changed(&state.folders, params.event).into();
    editor_settings::request_configuration(state, context);
    documents::invalidate_all_settings(state);
}

/// Handles `workspace/didChangeWatchedFiles`.
pub fn did_change_watched_files(
    state: &mut ServerState,
    _: &LoopContext,
    params: DidChangeWatchedFilesParams,
) {
    files_changed(state, params.changes.iter().map(|change| &change.uri));
}

fn files_changed<'a>(state: &mut ServerState, uris: impl Iterator<Item = &'a Url> + Clone) {
    let is_known = |uri: &Url| uri.to_file_path().is_ok_and(|path| state.files.contains_key(&path));
    if uris.clone().any(|uri| is_config(uri) || is_known(uri)) {
        documents::invalidate_all_settings(state);
    }
    // Without a configuration the workspace has no reports.
    let is_scanned = !state.workspace_pulls.files.is_empty();
    let is_json =
        |path: &Path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let may_be_scanned = |path: &Path| is_transcript(path) || is_json(path);
    if is_scanned && uris.into_iter().any(|uri| may_be_scanned(Path::new(uri.path()))) {
        state.workspace_pulls.changed();
    }
}
