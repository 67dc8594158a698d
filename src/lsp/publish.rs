//! Diagnostics: computed from a snapshot in the pool, at most one set per document at a time, published past the
//! service's own client straight into the frame.
//!
//! Every set carries its document's version; the outbox drops those that come too late.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Url;
use lsp_types::notification::{Notification as _, PublishDiagnostics as Publish};

use crate::document::Document;
use crate::rules::Problem;
use crate::text::{Encoding, Text};

use super::convert::{Diagnostics, PublishDiagnostics};
use super::frames::Frame;
use super::main_loop::{Context, Event, Opening, Outcome};
use super::message::Notification;
use super::outbox::Ticket;
use super::reading;
use super::settings::ConfigFile;
use super::state::{OpenDocument, Phase, State};

/// Begins the sets of an opening of `uri`: none of an earlier one comes after this.
pub fn begin(state: &mut State, context: &Context, uri: &Url) {
    context.outbox.begin(uri, Ticket(state.next_serial()));
    want(state, uri);
}

/// Says that the set of `uri` is to be another one from now on.
pub fn want(state: &mut State, uri: &Url) {
    let ticket = Ticket(state.next_serial());
    if let Some(document) = state.documents.get_mut(uri) {
        document.ticket = ticket;
    }
}

/// Has the sets of all dirty documents computed that are ready for it.
pub fn compute_dirty(state: &mut State, context: &Context) {
    for uri in std::mem::take(&mut state.dirty) {
        let Some(document) = state.documents.get_mut(&uri) else { continue };
        let ready = match &document.phase {
            // It is dirty again once it has been read.
            Phase::Waiting(_) | Phase::Reading(_) => continue,
            Phase::Ready(_) if document.diagnosing => {
                state.dirty.insert(uri);
                continue;
            }
            Phase::Ready(ready) => Some(ready.clone()),
            Phase::Broken(_) => None,
        };
        let file = document.path.as_ref().and_then(|path| state.files.get(path)).cloned();
        document.file.clone_from(&file);
        let set = Set {
            uri,
            spelling: Arc::clone(&document.spelling),
            version: document.version,
            ticket: document.ticket,
            document: ready,
            file,
        };
        document.diagnosing = true;
        let opening = Opening { uri: set.uri.clone(), epoch: document.epoch };
        let (outbox, encoding) = (Arc::clone(&context.outbox), state.client.encoding);
        let panics = std::mem::take(&mut state.panic_on_diagnostics);
        let compute = move || {
            assert!(!panics, "asked for by a test");
            if !outbox.wants(&set.uri, set.ticket) {
                return;
            }
            match set.frame(encoding) {
                Ok(frame) => outbox.publish(&set.uri, set.ticket, frame),
                Err(error) => tracing::error!(%error, "diagnostics cannot be serialized"),
            }
        };
        context.spawn(compute, |computed| {
            Event::Diagnosed(opening, if computed.is_ok() { Outcome::Done } else { Outcome::Panicked })
        });
    }
}

/// A set has been computed. After a panic the text is read again, once, before the document counts as broken.
pub fn diagnosed(state: &mut State, context: &Context, opening: &Opening, outcome: Outcome) {
    let Some(document) = state.opening(&opening.uri, opening.epoch) else { return };
    document.diagnosing = false;
    let Phase::Ready(ready) = &document.phase else { return };
    if outcome == Outcome::Panicked {
        document.phase = Phase::Broken(ready.text().clone());
        if document.retried.replace(document.ticket) == Some(document.ticket) {
            tracing::error!("the document cannot be diagnosed until it changes");
            state.dirty.insert(opening.uri.clone());
        } else {
            reading::start(state, context, &opening.uri);
        }
    }
}

/// Takes back what a closed document had.
pub fn clear(state: &mut State, context: &Context, uri: &Url, document: &OpenDocument) {
    state.dirty.remove(uri);
    if let Some(path) = &document.path {
        state.published.remove(path);
    }
    let ticket = Ticket(state.next_serial());
    match frame(&document.spelling, Some(document.version), Vec::new(), state.client.encoding) {
        Ok(frame) => context.outbox.publish_last(uri, ticket, frame),
        Err(error) => tracing::error!(%error, "diagnostics cannot be serialized"),
    }
}

/// Publishes what is wrong with the files that open documents depend on, and takes back what no longer is.
pub fn files(state: &mut State, context: &Context) {
    // Most documents share theirs with others.
    let shared: HashMap<_, _> =
        state.documents.values().map(|document| (document.files.as_ptr(), &document.files)).collect();
    let needed: HashSet<&Path> =
        shared.values().flat_map(|files| files.iter()).map(|file| file.path.as_path()).collect();
    state.files.retain(|path, _| needed.contains(path.as_path()));
    let paths: HashSet<_> = state.files.keys().chain(state.published.keys()).cloned().collect();
    let mut closed = paths.clone();
    let uris: Vec<_> = state.documents.keys().cloned().collect();
    for uri in uris {
        let path = state.documents.get(&uri).and_then(|document| document.path.clone());
        if let Some(path) = path.filter(|path| paths.contains(path)) {
            closed.remove(&path);
            open_file(state, context, &uri, &path);
        }
    }
    for path in closed {
        closed_file(state, context, path);
    }
}

/// The own set of an open file holds what is wrong with it.
fn open_file(state: &mut State, context: &Context, uri: &Url, path: &Path) {
    if state.published.remove(path).is_some()
        && let Some(other) = file_uri(path).filter(|other| other != uri)
    {
        take_back(state, context, &other);
    }
    let file = state.files.get(path);
    let told = state.documents.get(uri).and_then(|document| document.file.as_ref());
    if file.map(Arc::as_ptr) != told.map(Arc::as_ptr) {
        want(state, uri);
        state.dirty.insert(uri.clone());
    }
}

fn closed_file(state: &mut State, context: &Context, path: PathBuf) {
    let Some(uri) = file_uri(&path) else { return };
    let published = state.published.get(&path);
    let Some(file) = state.files.get(&path).filter(|file| !file.problems.is_empty()) else {
        if state.published.remove(&path).is_some() {
            take_back(state, context, &uri);
        }
        return;
    };
    if published.is_some_and(|(old, _)| Arc::ptr_eq(old, file)) {
        return;
    }
    let (file, empty) = (Arc::clone(file), Text::default());
    let Ok(frame) = frame(uri.as_str(), None, vec![file_part(&file, &empty)], state.client.encoding) else {
        return;
    };
    if published.is_none_or(|(_, old)| *old != frame) {
        context.outbox.begin(&uri, Ticket(state.next_serial()));
        context.outbox.publish(&uri, Ticket(state.next_serial()), frame.clone());
    }
    state.published.insert(path, (file, frame));
}

/// Takes back what was published for a file that is not open.
fn take_back(state: &mut State, context: &Context, uri: &Url) {
    let ticket = Ticket(state.next_serial());
    if let Ok(frame) = frame(uri.as_str(), None, Vec::new(), state.client.encoding) {
        context.outbox.publish_last(uri, ticket, frame);
    }
}

fn file_uri(path: &Path) -> Option<Url> {
    Url::from_file_path(path).ok()
}

/// What a set is made of.
struct Set {
    uri: Url,
    spelling: Arc<str>,
    version: i32,
    ticket: Ticket,
    /// `None` where it cannot be read.
    document: Option<Document>,
    /// The problems that it has as a configuration file.
    file: Option<Arc<ConfigFile>>,
}

impl Set {
    fn frame(&self, encoding: Encoding) -> serde_json::Result<Frame> {
        let empty = Text::default();
        let problems = self.document.as_ref().map(Document::problems).unwrap_or_default();
        let mut parts: Vec<_> = self.document.iter().map(|it| (it.text(), problems.as_slice())).collect();
        parts.extend(self.file.iter().map(|file| file_part(file, &empty)));
        frame(&self.spelling, Some(self.version), parts, encoding)
    }
}

fn file_part<'a>(file: &'a ConfigFile, empty: &'a Text) -> (&'a Text, &'a [Problem]) {
    (file.text.as_ref().unwrap_or(empty), &file.problems)
}

fn frame(
    uri: &str,
    version: Option<i32>,
    parts: Vec<(&Text, &[Problem])>,
    encoding: Encoding,
) -> serde_json::Result<Frame> {
    let params = PublishDiagnostics { uri, version, diagnostics: Diagnostics { parts, encoding } };
    Frame::of(&Notification::new(Publish::METHOD, params))
}
