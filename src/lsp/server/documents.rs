//! The phases of documents: settings are requested, the text is parsed in the pool, edits are
//! applied on the loop.
//!
//! Edits and requests of one document take effect in order, however long its text takes to parse;
//! other documents are not delayed. After a panic, the text remains, never a partly changed
//! document.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
#[cfg(feature = "run")]
use std::sync::mpsc::channel;

use lsp_types::Url;
use tower_lsp::jsonrpc::ErrorCode;

use crate::document::Document;
use crate::files::DiskFiles;
use crate::lsp::wire::document_uri::DocumentUri;
use crate::text::{Encoding, Text, TextChange};

use crate::lsp::peer::ClientPeer;
use crate::lsp::request::{DocumentRequest, RequestNeeds};
use crate::lsp::server::connection::ServerConnection;
use crate::lsp::server::{LoopContext, editor_settings, freed_memory, publish};
#[cfg(feature = "run")]
use crate::lsp::snapshot::OpenDocuments;
use crate::lsp::snapshot::{OtherDocument, Snapshot};
use crate::lsp::state::{
    DeferredMessage, DocumentPhase, DocumentSerial, OpenDocument, PanicPoint, ServerState,
};
use crate::lsp::wire::message::{self, server_cancelled};
use crate::lsp::wire::outbox::Ticket;
use crate::lsp::workspace::settings::{SettingsQuestion, SettingsResponse};

/// The length in bytes from which a change of the whole text is parsed in the pool.
const LARGE_CHANGE: usize = 64 << 10;

/// The settings of some documents.
#[derive(Debug, Default)]
struct ResolvedSettings {
    /// The documents with their settings; `None` if the source panicked.
    documents: Vec<(DocumentSerial, Option<SettingsResponse>)>,
    /// True if the settings of other documents may be outdated.
    refreshed: bool,
}

/// Marks the settings of `uri` as stale.
pub fn invalidate_settings(state: &mut ServerState, uri: &Url) {
    state.stale_settings.insert(uri.clone());
}

/// Marks the settings of all open documents as stale, because the settings of other documents may
/// have changed, too.
pub fn invalidate_all_settings(state: &mut ServerState) {
    state.included.may_have_changed = true;
    state.workspace_pulls.settings_changed(&mut state.refresh);
    state.stale_settings.extend(state.documents.keys().cloned());
}

/// Resolves all stale settings in the pool, one document after the other, unless that is already
/// running: a slow file then blocks only one thread.
pub fn resolve_settings(state: &mut ServerState, context: &LoopContext) {
    if state.settings_in_flight || state.client_config.waiting {
        return;
    }
    let mut questions = Vec::new();
    for uri in std::mem::take(&mut state.stale_settings) {
        if let Some(document) = state.documents.get(&uri) {
            let opening = document.serial();
            let question = SettingsQuestion::new(uri, &state.folders, &state.editor);
            let is_chat = document.kind.is_chat();
            questions.push((opening, SettingsQuestion { is_chat, ..question }));
        }
    }
    if questions.is_empty() {
        return;
    }
    state.settings_in_flight = true;
    let (source, pages) = (Arc::clone(&context.source), Arc::clone(&context.pages));
    let links = state.client.diagnostics.pages;
    // Diagnostics are computed after this.
    let prepare = move || links.then(|| catch_unwind(AssertUnwindSafe(|| pages.prepare())));
    let answer = move || {
        prepare();
        ResolvedSettings {
            refreshed: catch_unwind(AssertUnwindSafe(|| source.refresh())).unwrap_or(true),
            documents: questions
                .into_iter()
                .map(|(opening, question)| {
                    (opening, catch_unwind(AssertUnwindSafe(|| source.settings(&question))).ok())
                })
                .collect(),
        }
    };
    context.spawn("settings resolved", answer, |state, context, answers| {
        settings_resolved(state, context, answers.unwrap_or_default());
    });
}

/// Takes in the settings of documents, and parses the documents again whose settings have changed.
fn settings_resolved(state: &mut ServerState, context: &LoopContext, answers: ResolvedSettings) {
    state.settings_in_flight = false;
    let ResolvedSettings { documents, refreshed } = answers;
    if refreshed {
        let resolved: HashSet<_> = documents.iter().map(|(opening, _)| opening.epoch).collect();
        let unresolved = state.documents.iter().filter(|(_, document)| !resolved.contains(&document.epoch));
        state.stale_settings.extend(unresolved.map(|(uri, _)| uri.clone()));
    }
    for (opening, resolved) in documents {
        if let Some(SettingsResponse { editor_errors, .. }) = &resolved {
            editor_settings::show_settings_errors(state, context, &opening.uri, editor_errors);
        }
        set_settings(state, context, &opening, resolved);
    }
    publish::publish_config_files(state, context);
    #[cfg(feature = "run")]
    end_unused_servers(state, context);
}

fn set_settings(
    state: &mut ServerState,
    context: &LoopContext,
    opening: &DocumentSerial,
    resolved: Option<SettingsResponse>,
) {
    let uri = &opening.uri;
    let Some(document) = state.documents.get_mut(uri).filter(|it| it.epoch == opening.epoch) else { return };
    let known = document.settings.is_some();
    match resolved {
        Some(SettingsResponse { settings, files, .. }) => {
            if !Arc::ptr_eq(&document.files, &files) {
                state.files.extend(files.iter().map(|file| (file.path.clone(), Arc::clone(file))));
                document.files = files;
            }
            if document.settings.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &settings) && *old != settings) {
                document.settings = Some(settings);
            }
        }
        None => {
            document.settings.get_or_insert_default();
        }
    }
    if !known || !has_current_settings(document) {
        if known {
            state.refresh.is_requested = true;
        }
        publish::mark_dirty(state, uri);
        start_parse(state, context, uri);
    }
}

/// Takes in a parsed document, or the text whose parsing panicked, and handles the messages that
/// waited for it.
fn document_parsed(
    state: &mut ServerState,
    context: &LoopContext,
    opening: &DocumentSerial,
    parsed: Result<Document, Text>,
) {
    let uri = &opening.uri;
    let ticket = state.next_ticket();
    let Some(document) = state.opening(opening) else { return };
    document.text_version = ticket;
    document.phase = match parsed {
        Ok(parsed) => {
            #[cfg(feature = "run")]
            context.runs.texts.changed(uri, parsed.text());
            document.language = parsed.language();
            DocumentPhase::Ready(parsed)
        }
        Err(text) => DocumentPhase::Panicked(text),
    };
    if !has_current_settings(document) {
        return start_parse(state, context, uri);
    }
    while let Some(document) = state.opening(opening) {
        if document.phase.is_pending() {
            return;
        }
        let Some(message) = document.deferred.pop_front() else { break };
        handle_message(state, context, uri, message);
    }
    state.dirty_documents.insert(uri.clone());
}

/// Handles a change of the open document `uri`, or a request on it; defers it while the text is
/// parsed.
pub fn handle_message(state: &mut ServerState, context: &LoopContext, uri: &Url, message: DeferredMessage) {
    let Some(document) = state.documents.get_mut(uri) else { return };
    match message {
        message if document.phase.is_pending() => document.deferred.push_back(message),
        DeferredMessage::Change(edits) => apply_edits(state, context, uri, edits),
        DeferredMessage::Query(request, version) => answer_request(state, context, request, version),
        DeferredMessage::Read(reader) => {
            if let Some(ready) = document.phase.ready().cloned() {
                let version = document.version;
                let Some(document) = state.documents.get(uri) else { return };
                // If the process ends, no thread waits any more.
                drop(reader.send(snapshot_of(state, context, document, &ready, version)));
            }
        }
    }
}

fn answer_request(state: &ServerState, context: &LoopContext, request: DocumentRequest, version: i32) {
    let Some(document) = state.documents.get(&request.uri) else { return };
    let Some(ready) = document.phase.ready() else {
        let message = "the document cannot be parsed";
        let error = match request.needs {
            RequestNeeds::Diagnostics => server_cancelled(message),
            _ => message::error(ErrorCode::InternalError, message),
        };
        return request.pending.refuse(error);
    };
    let others = match request.needs {
        RequestNeeds::OtherDocuments => other_documents(state, &request.uri),
        _ => Vec::new(),
    };
    let snapshot = Snapshot { others, ..snapshot_of(state, context, document, ready, version) };
    context.answer(request, snapshot);
}

/// The data of a request on `document`, without other documents.
fn snapshot_of(
    state: &ServerState,
    context: &LoopContext,
    document: &OpenDocument,
    ready: &Document,
    version: i32,
) -> Snapshot {
    Snapshot {
        version: Some(version),
        state: document.text_version,
        file: document.config_file(&state.files),
        folders: Arc::clone(&state.folders),
        history: Arc::clone(&document.history),
        ..snapshot(state, context, document.uri.clone(), ready.clone())
    }
}

/// The data of a request on `document`, as for a document that is not open.
pub fn snapshot(
    state: &ServerState,
    context: &LoopContext,
    uri: DocumentUri,
    document: Document,
) -> Snapshot {
    let connection = ServerConnection { client: state.lsp_client.clone(), runtime: context.runtime.clone() };
    Snapshot {
        document,
        uri,
        version: None,
        state: Ticket::default(),
        file: None,
        client: state.client,
        folders: Arc::default(),
        pages: Arc::clone(&context.pages),
        files: Arc::new(DiskFiles),
        peer: ClientPeer { connection: Arc::new(connection.clone()), outbox: Arc::clone(&context.outbox) },
        #[cfg(feature = "run")]
        connection,
        history: Arc::default(),
        others: Vec::new(),
        #[cfg(feature = "run")]
        documents: Arc::new(NewestDocuments(context.clone())),
        #[cfg(feature = "run")]
        runs: Arc::clone(&context.runs),
    }
}

/// The open documents of the main loop.
#[cfg(feature = "run")]
struct NewestDocuments(LoopContext);

#[cfg(feature = "run")]
impl OpenDocuments for NewestDocuments {
    fn newest(&self, uri: &Url) -> Option<Snapshot> {
        let (sender, receiver) = channel();
        let uri = uri.clone();
        self.0.send("document read", move |state, context| {
            handle_message(state, context, &uri, DeferredMessage::Read(sender));
        });
        receiver.recv().ok()
    }

    fn settings_changed(&self) {
        self.0.send("tools pulled", |state, context| {
            invalidate_all_settings(state);
            resolve_settings(state, context);
        });
    }

    fn end_unused_servers(&self) {
        self.0.send("run ended", |state, context| end_unused_servers(state, context));
    }
}

/// Ends servers that no configuration of an open document names any more in the same form.
#[cfg(feature = "run")]
fn end_unused_servers(state: &ServerState, context: &LoopContext) {
    if context.runs.connections.in_use().is_empty() {
        return;
    }
    let settings = state.documents.values().filter_map(|document| document.settings.clone()).collect();
    context.runs.end_unused(settings, &state.folders);
}

/// Applies a change on the loop, or in the pool if it replaces a large text.
fn apply_edits(state: &mut ServerState, context: &LoopContext, uri: &Url, edits: Vec<TextChange>) {
    let (encoding, panics) = (state.client.encoding, state.panics_at(PanicPoint::Edit));
    let ticket = state.next_ticket();
    let Some(document) = state.documents.get_mut(uri) else { return };
    let opening = document.serial();
    let _span = tracing::debug_span!("edit", %uri, version = document.version).entered();
    match &mut document.phase {
        DocumentPhase::AwaitingSettings(_) | DocumentPhase::Parsing => {}
        DocumentPhase::Panicked(text) => {
            *text = text_after(text, &edits, encoding);
            start_parse(state, context, uri);
        }
        DocumentPhase::Ready(ready) if edits.iter().any(is_large_replacement) => {
            let (text, mut edited) = (ready.text().clone(), ready.clone());
            let kind = document.kind.clone();
            document.phase = DocumentPhase::Parsing;
            parse_in_pool(context, opening, text, move || {
                apply(&mut edited, &edits, encoding, panics)?;
                let language = kind.changed_language(edited.language(), edited.text(), &edits);
                let new =
                    |language| Document::new(edited.text().clone(), language, Arc::clone(edited.settings()));
                Ok(language.map_or_else(|| edited.clone(), new))
            });
        }
        DocumentPhase::Ready(ready) => {
            document.text_version = ticket;
            match apply(ready, &edits, encoding, panics) {
                Ok(()) => {
                    let language = document.kind.changed_language(document.language, ready.text(), &edits);
                    if let Some(language) = language {
                        document.language = language;
                        document.phase = DocumentPhase::AwaitingSettings(ready.text().clone());
                        return start_parse(state, context, uri);
                    }
                    #[cfg(feature = "run")]
                    context.runs.texts.changed(uri, ready.text());
                    state.dirty_documents.insert(uri.clone());
                }
                Err(text) => {
                    document.phase = DocumentPhase::Panicked(text);
                    start_parse(state, context, uri);
                }
            }
        }
    }
}

fn is_large_replacement(edit: &TextChange) -> bool {
    edit.range.is_none() && edit.text.len() >= LARGE_CHANGE
}

/// The open documents except `uri`, if they are parsed.
fn other_documents(state: &ServerState, uri: &Url) -> Vec<OtherDocument> {
    let others = state.documents.iter().filter(|(other, _)| *other != uri);
    let other = |open: &OpenDocument| {
        Some(OtherDocument {
            document: open.phase.ready()?.clone(),
            uri: open.uri.clone(),
            version: open.version,
            path: open.path.clone(),
        })
    };
    let mut others: Vec<_> = others.filter_map(|(_, open)| other(open)).collect();
    others.sort_by(|one, other| one.uri.spelling().cmp(other.uri.spelling()));
    others
}

/// Ends an opening: responds to its waiting requests, and frees its memory in the pool.
pub fn close(context: &LoopContext, document: OpenDocument) {
    for message in document.deferred {
        if let DeferredMessage::Query(request, _) = message {
            let error = match request.needs {
                RequestNeeds::Diagnostics => server_cancelled("the document was closed"),
                _ => message::error(ErrorCode::ContentModified, "the document was closed"),
            };
            request.pending.refuse(error);
        }
    }
    let phase = document.phase;
    drop(context.runtime.spawn_blocking(move || freed_memory::free(phase)));
}

/// Parses the text of `uri` in the pool under its current settings.
pub fn start_parse(state: &mut ServerState, context: &LoopContext, uri: &Url) {
    let Some(document) = state.documents.get_mut(uri) else { return };
    let Some(settings) = document.settings.clone() else { return };
    let (opening, language) = (document.serial(), document.language);
    match std::mem::replace(&mut document.phase, DocumentPhase::Parsing) {
        // `document_parsed` compares the settings and starts again.
        DocumentPhase::Parsing => {}
        DocumentPhase::AwaitingSettings(text) | DocumentPhase::Panicked(text) => {
            parse_in_pool(context, opening, text.clone(), move || {
                Ok(Document::new(text, language, settings))
            });
        }
        DocumentPhase::Ready(mut ready) => {
            parse_in_pool(context, opening, ready.text().clone(), move || {
                ready.set_settings(settings);
                Ok(ready)
            });
        }
    }
}

/// Runs `parse` in the pool. `text` is what remains of the document if it panics.
fn parse_in_pool(
    context: &LoopContext,
    opening: DocumentSerial,
    text: Text,
    parse: impl FnOnce() -> Result<Document, Text> + Send + 'static,
) {
    let uri = opening.uri.clone();
    let parse = move || {
        let _span = tracing::debug_span!("parse", %uri).entered();
        parse()
    };
    context.spawn("document parsed", parse, move |state, context, parsed| {
        document_parsed(state, context, &opening, parsed.unwrap_or(Err(text)));
    });
}

/// Applies the changes of one notification; after a panic only the resulting text remains.
fn apply(
    document: &mut Document,
    edits: &[TextChange],
    encoding: Encoding,
    panics: bool,
) -> Result<(), Text> {
    let before = document.text().clone();
    let applied = catch_unwind(AssertUnwindSafe(|| {
        for edit in edits {
            document.edit(edit, encoding);
        }
        assert!(!panics, "requested by a test");
    }));
    applied.map_err(|_| {
        tracing::error!("a change could not be applied: the document is parsed again from its text");
        text_after(&before, edits, encoding)
    })
}

fn text_after(before: &Text, edits: &[TextChange], encoding: Encoding) -> Text {
    let changed = catch_unwind(|| {
        let mut text = before.clone();
        for edit in edits {
            text.apply(edit.to_splice(&text, encoding), &edit.text);
        }
        text
    });
    changed.unwrap_or_else(|_| {
        tracing::error!("a change could not be applied and is dropped");
        before.clone()
    })
}

/// True if a parsed document has its current settings.
fn has_current_settings(document: &OpenDocument) -> bool {
    match (&document.phase, &document.settings) {
        (DocumentPhase::Ready(ready), Some(settings)) => Arc::ptr_eq(ready.settings(), settings),
        _ => true,
    }
}
