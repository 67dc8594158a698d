//! From text to document: settings are asked for, the text is read in the pool, edits are applied on the loop.
//!
//! Edits and requests of one document take effect in the order in which they came, however long its text takes to
//! be read; other documents do not notice. A panic leaves a text, never a half-changed document.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lsp_types::Url;
use tower_lsp::jsonrpc::ErrorCode;

use crate::config::Settings;
use crate::document::Document;
use crate::text::{Encoding, Text, TextChange};

use crate::lsp::peer::ClientPeer;
use crate::lsp::server::context::{DocumentSerial, LoopContext, LoopEvent};
use crate::lsp::server::{publish, settings_errors};
use crate::lsp::snapshot::{OtherDocument, Snapshot};
use crate::lsp::state::{DeferredMessage, DocumentPhase, OpenDocument, ServerState};
use crate::lsp::wire::message;
use crate::lsp::wire::outbox::DiagnosticTicket;
use crate::lsp::workspace::settings::{SettingsQuestion, SettingsResponse};

/// The settings of some documents.
#[derive(Debug, Default)]
pub struct ResolvedSettings {
    /// Those documents and what holds for them; `None` where the source panicked.
    documents: Vec<(DocumentSerial, Option<SettingsResponse>)>,
    /// Whether what other documents were told before may no longer hold.
    refreshed: bool,
}

/// Has the settings of `uri` asked for.
pub fn invalidate_settings(state: &mut ServerState, uri: &Url) {
    state.stale_settings.insert(uri.clone());
}

/// Has the settings of all open documents asked for: those of other documents may be others by now, too.
pub fn invalidate_all_settings(state: &mut ServerState) {
    state.workspace_pulls.settings_changed(&mut state.refresh);
    state.stale_settings.extend(state.documents.keys().cloned());
}

/// Asks for all settings that are wanted, in the pool and one after the other, unless some are being asked for: a file
/// that is slow to be read keeps one thread, and no more.
pub fn resolve_settings(state: &mut ServerState, context: &LoopContext) {
    if state.settings_in_flight || state.client_config.is_waiting() {
        return;
    }
    let folders: Arc<[Url]> = Arc::from(state.folders.as_slice());
    let mut questions = Vec::new();
    for uri in std::mem::take(&mut state.stale_settings) {
        if let Some(document) = state.documents.get(&uri) {
            let opening = DocumentSerial { uri: uri.clone(), epoch: document.epoch };
            let editor = state.editor.for_document(&uri).clone();
            let (is_chat, folders) = (document.is_chat, Arc::clone(&folders));
            questions.push((opening, SettingsQuestion { uri, is_chat, folders, editor }));
        }
    }
    if questions.is_empty() {
        return;
    }
    state.settings_in_flight = true;
    let (source, pages) = (Arc::clone(&context.source), Arc::clone(&context.pages));
    let links = state.client.diagnostics.pages;
    // Whatever is diagnosed is diagnosed after this.
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
    context.spawn(answer, |answers| LoopEvent::Resolved(answers.unwrap_or_default()));
}

/// Takes in the settings of documents, and has those read again for which others hold now.
pub fn settings_resolved(state: &mut ServerState, context: &LoopContext, answers: ResolvedSettings) {
    state.settings_in_flight = false;
    let ResolvedSettings { documents, refreshed } = answers;
    if refreshed {
        let told: HashSet<u64> = documents.iter().map(|(opening, _)| opening.epoch).collect();
        let untold = state.documents.iter().filter(|(_, document)| !told.contains(&document.epoch));
        state.stale_settings.extend(untold.map(|(uri, _)| uri.clone()));
    }
    for (opening, resolved) in documents {
        if let Some(SettingsResponse { editor_errors: complaints, .. }) = &resolved {
            settings_errors::show_settings_errors(state, context, &opening.uri, complaints);
        }
        set_settings(state, context, &opening, resolved);
    }
    publish::publish_config_files(state, context);
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
            state.refresh.request();
        }
        publish::mark_dirty(state, uri);
        start_parse(state, context, uri);
    }
}

/// Takes in a text that has been read.
pub fn document_parsed(
    state: &mut ServerState,
    context: &LoopContext,
    opening: &DocumentSerial,
    read: Option<Box<Document>>,
) {
    let uri = &opening.uri;
    let serial = state.next_serial();
    let Some(document) = state.opening(uri, opening.epoch) else { return };
    document.text_version = DiagnosticTicket(serial);
    document.phase = match read {
        Some(read) => DocumentPhase::Ready(*read),
        None => DocumentPhase::Panicked(take_text(&mut document.phase)),
    };
    if !has_current_settings(document) {
        return start_parse(state, context, uri);
    }
    while let Some(document) = state.opening(uri, opening.epoch) {
        if matches!(document.phase, DocumentPhase::AwaitingSettings(_) | DocumentPhase::Parsing(_)) {
            return;
        }
        let Some(parked) = document.deferred.pop_front() else { break };
        handle_deferred(state, context, uri, parked);
    }
    state.dirty_documents.insert(uri.clone());
}

/// A change or a request for `uri`, which is open: at once where the document is ready, else in its turn.
pub fn handle_deferred(state: &mut ServerState, context: &LoopContext, uri: &Url, parked: DeferredMessage) {
    let (client, panics, serial) = (state.client, state.panic_on_edit, state.next_serial());
    let sees_others = matches!(&parked, DeferredMessage::Query(query, _) if query.sees_others);
    let others = if sees_others { other_documents(state, uri) } else { Vec::new() };
    let Some(document) = state.documents.get_mut(uri) else { return };
    match (&mut document.phase, parked) {
        (DocumentPhase::AwaitingSettings(_) | DocumentPhase::Parsing(_), parked) => {
            document.deferred.push_back(parked)
        }
        (DocumentPhase::Ready(ready), DeferredMessage::Query(query, version)) => {
            let snapshot = Snapshot {
                document: ready.clone(),
                spelling: Arc::clone(&document.original_uri),
                version: Some(version),
                state: document.text_version,
                file: document.path.as_ref().and_then(|path| state.files.get(path)).cloned(),
                client,
                folders: Arc::from(state.folders.as_slice()),
                pages: Arc::clone(&context.pages),
                peer: ClientPeer::new(state.lsp_client.as_ref(), context),
                last_tokens: Arc::clone(&document.last_tokens),
                others,
            };
            crate::lsp::server::respond::answer(context, query, move || snapshot);
        }
        (DocumentPhase::Panicked(_), DeferredMessage::Query(query, _)) => {
            let words = "the document cannot be read";
            let error = match query.pulls {
                true => crate::lsp::wire::message::server_cancelled(words),
                false => message::error(ErrorCode::InternalError, words),
            };
            crate::lsp::server::respond::refuse(context, &query.pending, error);
        }
        (DocumentPhase::Ready(ready), DeferredMessage::Change(edits)) => {
            state.panic_on_edit = false;
            document.text_version = DiagnosticTicket(serial);
            match apply(ready, &edits, client.encoding, panics) {
                Ok(()) => drop(state.dirty_documents.insert(uri.clone())),
                Err(text) => {
                    document.phase = DocumentPhase::Panicked(text);
                    start_parse(state, context, uri);
                }
            }
        }
        (DocumentPhase::Panicked(text), DeferredMessage::Change(edits)) => {
            *text = text_after(text, &edits, client.encoding);
            start_parse(state, context, uri);
        }
    }
}

/// The open documents but for `uri`, those that can be read.
fn other_documents(state: &ServerState, uri: &Url) -> Vec<OtherDocument> {
    let others = state.documents.iter().filter(|(other, _)| *other != uri);
    let other = |open: &OpenDocument| {
        Some(OtherDocument {
            document: open.phase.ready()?.clone(),
            spelling: Arc::clone(&open.original_uri),
            version: open.version,
            path: open.path.clone(),
        })
    };
    let mut others: Vec<_> = others.filter_map(|(_, open)| other(open)).collect();
    others.sort_by(|one, other| one.spelling.cmp(&other.spelling));
    others
}

/// Answers what an opening still owes when it ends, and gives back its memory, which takes a while where it is much.
pub fn parse_panicked(context: &LoopContext, document: OpenDocument) {
    for parked in document.deferred {
        if let DeferredMessage::Query(query, _) = parked {
            let error = match query.pulls {
                true => crate::lsp::wire::message::server_cancelled("closed meanwhile"),
                false => message::error(ErrorCode::ContentModified, "closed meanwhile"),
            };
            crate::lsp::server::respond::refuse(context, &query.pending, error);
        }
    }
    let phase = document.phase;
    drop(context.runtime.spawn_blocking(move || drop(phase)));
}

/// Has the whole text of `uri` read in the pool, under the settings that hold; what comes meanwhile is parked.
pub fn start_parse(state: &mut ServerState, context: &LoopContext, uri: &Url) {
    let Some(document) = state.documents.get_mut(uri) else { return };
    let Some(settings) = document.settings.clone() else { return };
    let language = document.language;
    let opening = DocumentSerial { uri: uri.clone(), epoch: document.epoch };
    let text = take_text(&mut document.phase);
    let done = |read: Result<Document, _>| LoopEvent::Read(opening, read.ok().map(Box::new));
    match std::mem::replace(&mut document.phase, DocumentPhase::Parsing(text.clone())) {
        // Its end comes here again if the settings are others by then.
        DocumentPhase::Parsing(_) => {}
        DocumentPhase::AwaitingSettings(_) | DocumentPhase::Panicked(_) => {
            context.spawn(move || Document::new(text, language, settings), done);
        }
        DocumentPhase::Ready(ready) => context.spawn(move || parse_with_settings(ready, settings), done),
    }
}

/// Applies the changes of one notification; after a panic the text that they make is all that is left.
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
        assert!(!panics, "asked for by a test");
    }));
    applied.map_err(|_| {
        tracing::error!("a change could not be read in: the document is read again from its text");
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
        tracing::error!("a change could not be applied: it is dropped");
        before.clone()
    })
}

fn parse_with_settings(mut document: Document, settings: Arc<Settings>) -> Document {
    document.set_settings(settings);
    document
}

/// Whether a document that is ready was read under the settings that hold now.
fn has_current_settings(document: &OpenDocument) -> bool {
    match (&document.phase, &document.settings) {
        (DocumentPhase::Ready(ready), Some(settings)) => Arc::ptr_eq(ready.settings(), settings),
        _ => true,
    }
}

/// The text of a phase.
fn take_text(phase: &mut DocumentPhase) -> Text {
    match phase {
        DocumentPhase::AwaitingSettings(text)
        | DocumentPhase::Parsing(text)
        | DocumentPhase::Panicked(text) => text.clone(),
        DocumentPhase::Ready(document) => document.text().clone(),
    }
}
