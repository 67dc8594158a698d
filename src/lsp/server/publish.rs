//! Pushed diagnostics: computed from a snapshot in the pool, at most one set per document at a
//! time, and serialized directly into the frame.
//!
//! Diagnostics of open documents are not pushed to a client that pulls them. Every set has its
//! document's version; the outbox drops outdated sets.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Url;

use crate::lsp::conversions::diagnostics::{DiagnosticView, WireDiagnosticArray, publish_frame};
use crate::lsp::server::{LoopContext, documents, watchers};
use crate::lsp::state::{DocumentPhase, DocumentSerial, OpenDocument, PanicPoint, ServerState};
use crate::lsp::wire::document_uri::file_uri;

/// The length in bytes up to which a document is diagnosed on the loop.
const SMALL: usize = 16 << 10;

/// Starts the sets of an opening of `uri`: no set of an earlier opening is sent after this.
pub fn begin(state: &mut ServerState, context: &LoopContext, uri: &Url) {
    if !state.client.diagnostics.pulls {
        context.outbox.reserve_diagnostics(uri, state.next_ticket());
    }
    mark_dirty(state, uri);
}

/// Marks the set of `uri` as outdated.
pub fn mark_dirty(state: &mut ServerState, uri: &Url) {
    let ticket = state.next_ticket();
    if let Some(document) = state.documents.get_mut(uri) {
        document.ticket = ticket;
    }
}

/// Computes the sets of all dirty documents that are ready.
pub fn compute_dirty(state: &mut ServerState, context: &LoopContext) {
    let dirty = std::mem::take(&mut state.dirty_documents);
    let is_only = dirty.len() == 1;
    for uri in dirty {
        let Some(document) = state.documents.get_mut(&uri) else { continue };
        match &document.phase {
            // It is marked as dirty again once it has been parsed.
            DocumentPhase::AwaitingSettings(_) | DocumentPhase::Parsing => continue,
            DocumentPhase::Ready(_) if document.diagnosing => {
                state.dirty_documents.insert(uri);
                continue;
            }
            DocumentPhase::Ready(_) | DocumentPhase::Panicked(_) => {}
        }
        document.file = document.path.as_ref().and_then(|path| state.files.get(path)).cloned();
        if state.client.diagnostics.pulls {
            state.workspace_pulls.changed();
            continue;
        }
        let (diagnosed, ticket) = (document.diagnosed(&state.files), document.ticket);
        let is_small = diagnosed.document.as_ref().is_some_and(|ready| ready.text().len() <= SMALL);
        document.diagnosing = true;
        let opening = document.serial();
        let (outbox, pages, client) = (Arc::clone(&context.outbox), Arc::clone(&context.pages), state.client);
        let panics = state.panics_at(PanicPoint::Diagnostics);
        let compute = move || {
            let _span = tracing::debug_span!("diagnostics", uri = %*diagnosed.uri).entered();
            assert!(!panics, "requested by a test");
            if !outbox.is_newest(&diagnosed.uri, ticket) {
                return;
            }
            let diagnostics = diagnosed.diagnostics(&client, &pages);
            if let Some(frame) = publish_frame(diagnostics, Some(diagnosed.version)) {
                outbox.publish(&diagnosed.uri, ticket, frame);
            }
        };
        // A hop through the pool would take longer than the diagnostics of a small document.
        if is_only && is_small {
            let computed = catch_unwind(AssertUnwindSafe(compute)).ok();
            diagnostics_computed(state, context, &opening, computed);
        } else {
            context.spawn("diagnostics computed", compute, move |state, context, computed| {
                diagnostics_computed(state, context, &opening, computed);
            });
        }
    }
}

/// Takes in the end of a computation; `None` after a panic. Then the text is parsed once more
/// before the document counts as broken.
fn diagnostics_computed(
    state: &mut ServerState,
    context: &LoopContext,
    opening: &DocumentSerial,
    computed: Option<()>,
) {
    let Some(document) = state.opening(opening) else { return };
    document.diagnosing = false;
    let DocumentPhase::Ready(ready) = &document.phase else { return };
    if computed.is_none() {
        document.phase = DocumentPhase::Panicked(ready.text().clone());
        if document.reparsed_after_panic.replace(document.ticket) == Some(document.ticket) {
            tracing::error!("the document cannot be diagnosed until it changes");
            state.dirty_documents.insert(opening.uri.clone());
        } else {
            documents::start_parse(state, context, &opening.uri);
        }
    }
}

/// Clears the diagnostics of a closed document.
pub fn clear(state: &mut ServerState, context: &LoopContext, uri: &Url, document: &OpenDocument) {
    state.dirty_documents.remove(uri);
    if let Some(path) = &document.path {
        state.published.remove(path);
    }
    if state.client.diagnostics.pulls {
        return state.workspace_pulls.changed();
    }
    publish_empty(state, context, uri, document.uri.spelling(), Some(document.version));
}

/// True if closing `document` may change the files in use, or which of them are open. Most
/// documents share their files with another document that is found at once, so that closing very
/// many documents takes linear time.
pub fn may_use_config_files(state: &ServerState, document: &OpenDocument) -> bool {
    let is_file = document.path.as_ref().is_some_and(|path| state.files.contains_key(path));
    let shares = |other: &OpenDocument| Arc::ptr_eq(&other.files, &document.files);
    is_file || (!document.files.is_empty() && !state.documents.values().any(shares))
}

/// Publishes the sets that depend on closed documents, once for all documents.
pub fn publish_closed_files(state: &mut ServerState, context: &LoopContext) {
    if std::mem::take(&mut state.files_may_change) {
        publish_config_files(state, context);
    }
}

/// Publishes the diagnostics of the files that open documents depend on, and clears outdated ones.
pub fn publish_config_files(state: &mut ServerState, context: &LoopContext) {
    // Most documents share theirs with others.
    let shared: HashMap<_, _> =
        state.documents.values().map(|document| (document.files.as_ptr(), &document.files)).collect();
    let files = shared.values().flat_map(|files| files.iter()).chain(state.workspace_pulls.files.iter());
    let needed: HashSet<&Path> = files.map(|file| file.path.as_path()).collect();
    state.files.retain(|path, _| needed.contains(path.as_path()));
    watchers::update(state, context);
    let paths: HashSet<_> = state.files.keys().chain(state.published.keys()).cloned().collect();
    let mut closed = paths.clone();
    let open = state.documents.iter().filter_map(|(uri, document)| {
        let path = document.path.as_ref().filter(|path| paths.contains(*path))?;
        Some((uri.clone(), path.clone()))
    });
    for (uri, path) in open.collect::<Vec<_>>() {
        closed.remove(&path);
        open_file(state, context, &uri, &path);
    }
    for path in closed {
        closed_file(state, context, path);
    }
}

/// The set of an open file contains its diagnostics as a configuration file; if the client pulls
/// that set, the pushed set is cleared.
fn open_file(state: &mut ServerState, context: &LoopContext, uri: &Url, path: &Path) {
    if state.published.remove(path).is_some()
        && let Some(other) = file_uri(path).filter(|other| state.client.diagnostics.pulls || other != uri)
    {
        publish_empty(state, context, &other, other.as_str(), None);
    }
    let file = state.files.get(path);
    let known = state.documents.get(uri).and_then(|document| document.file.as_ref());
    if file.map(Arc::as_ptr) != known.map(Arc::as_ptr) {
        // A published set lacks the new diagnostics; a text that is being parsed gets them anyway.
        if state.documents.get(uri).is_some_and(|document| matches!(document.phase, DocumentPhase::Ready(_)))
        {
            state.refresh.is_requested = true;
        }
        mark_dirty(state, uri);
        let ticket = state.next_ticket();
        if let Some(document) = state.documents.get_mut(uri) {
            document.text_version = ticket;
        }
        state.dirty_documents.insert(uri.clone());
    }
}

fn closed_file(state: &mut ServerState, context: &LoopContext, path: PathBuf) {
    let Some(uri) = file_uri(&path) else { return };
    let published = state.published.get(&path);
    let Some(file) = state.files.get(&path).filter(|file| !file.problems.is_empty()) else {
        if state.published.remove(&path).is_some() {
            publish_empty(state, context, &uri, uri.as_str(), None);
        }
        return;
    };
    if published.is_some_and(|(old, _)| Arc::ptr_eq(old, file)) {
        return;
    }
    let file = Arc::clone(file);
    let view = DiagnosticView { client: &state.client, uri: uri.as_str(), pages: &context.pages };
    let diagnostics = WireDiagnosticArray::of(None, Some(&file), view);
    let Some(frame) = publish_frame(diagnostics, None) else { return };
    if published.is_none_or(|(_, old)| *old != frame) {
        context.outbox.reserve_diagnostics(&uri, state.next_ticket());
        context.outbox.publish(&uri, state.next_ticket(), frame.clone());
    }
    state.published.insert(path, (file, frame));
}

/// Clears the published diagnostics of a document or file; `spelling` is the client's spelling of
/// it.
fn publish_empty(
    state: &mut ServerState,
    context: &LoopContext,
    uri: &Url,
    spelling: &str,
    version: Option<i32>,
) {
    let ticket = state.next_ticket();
    let view = DiagnosticView { client: &state.client, uri: spelling, pages: &context.pages };
    if let Some(frame) = publish_frame(WireDiagnosticArray::of(None, None, view), version) {
        context.outbox.publish_last(uri, ticket, frame);
    }
}
