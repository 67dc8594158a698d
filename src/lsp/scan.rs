//! The workspace looked through for one `workspace/diagnostic`: its open documents, then the transcripts in its folders.
//!
//! Which those are is what `chatls check` finds there, with the settings that would hold if they were opened. It runs in
//! the pool, ends when the request is cancelled, and tells what it has found while it goes on. Sets that are empty, and
//! that the client has no older one of, are left out.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lsp_types::{NumberOrString, Url};
use serde::Serialize;
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::config::{Files, Settings};
use crate::document::{Document, Language};
use crate::files::{Disk, identity, transcripts};
use crate::text::Text;

use super::capabilities::Client;
use super::convert::{Diagnostics, View};
use super::main_loop::{Context, Event};
use super::message::{Answer, Notification};
use super::publish;
use super::reports::{Report, WorkspaceReport};
use super::settings::{ConfigFile, EditorSettings, Question};
use super::workspace::{Stamp, stamp};
use super::workspace_pull::{Previous, WorkspaceQuery, WorkspaceReports};

/// How many reports are sent at once.
const PIECE: usize = 32;
/// How long reports wait for others, and how often progress is told.
const PERIOD: Duration = Duration::from_millis(200);

/// What is looked through, and for whom.
pub struct Scan {
    /// The request.
    pub query: WorkspaceQuery,
    /// What the open documents and the settings are.
    pub revision: u64,
    /// The open documents.
    pub open: Vec<Open>,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// What the editor says under `chatls`.
    pub editor: EditorSettings,
    /// The client that asks.
    pub client: Client,
    /// What the server works with.
    pub context: Context,
    /// What was found before.
    pub cache: Arc<Mutex<Cache>>,
}

/// An open document.
pub struct Open {
    /// Its URI.
    pub uri: Url,
    /// Its URI as the client spells it.
    pub spelling: Arc<str>,
    /// Its version.
    pub version: i32,
    /// Where it is on disk, if it has a place there.
    pub path: Option<PathBuf>,
    /// The document; `None` where it cannot be read.
    pub document: Option<Document>,
    /// The problems that it has as a configuration file.
    pub file: Option<Arc<ConfigFile>>,
}

/// How it went.
#[derive(Default)]
pub struct Scanned {
    /// The request, if there was nothing to tell and it can wait; else it has been answered.
    pub held: Option<WorkspaceQuery>,
    /// What was looked through.
    pub revision: u64,
    /// The configuration and registry files of the transcripts; `None` where not all was looked through.
    pub files: Option<Vec<Arc<ConfigFile>>>,
}

/// The reports on files, by their paths.
pub type Cache = HashMap<PathBuf, Cached>;

/// A file's report, and what it was made of.
pub struct Cached {
    stamp: Stamp,
    settings: Arc<Settings>,
    report: Arc<Report>,
}

/// A document, however its URI is spelled.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Key {
    File(PathBuf),
    Other(String),
}

/// Looks through the workspace, and answers.
pub fn run(scan: Scan) -> Scanned {
    let Scan { query, revision, open, folders, editor, client, context, cache } = scan;
    if context.source.refresh() {
        drop(context.events.send(Event::FilesChanged));
    }
    let mut teller = Teller::new(query, client, &context);
    teller.begin();
    for open in &open {
        if let Some(report) = catch(|| open_report(open, &client, &context)) {
            teller.tell(&open.key(), &open.spelling, Some(open.version), &report);
        }
    }
    // What reports may be on.
    let mut seen: HashSet<Key> = open.iter().map(Open::key).collect();
    let mut files = ConfigFiles::default();
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    let mut kept = Cache::new();
    for folder in folders.iter().filter_map(|folder| folder.to_file_path().ok()) {
        let root = identity(&folder);
        for path in transcripts(&folder) {
            if !teller.is_wanted() {
                teller.end();
                cache.extend(kept);
                return Scanned { revision, ..Scanned::default() };
            }
            let Some((path, uri)) =
                path.ok().and_then(|path| Some((path.clone(), Url::from_file_path(path).ok()?)))
            else {
                continue;
            };
            let key =
                Key::File(path.strip_prefix(&folder).map_or_else(|_| path.clone(), |rest| root.join(rest)));
            if !seen.insert(key.clone()) {
                continue;
            }
            let editor = editor.of(&uri).clone();
            let question = Question { uri: uri.clone(), folders: Arc::clone(&folders), editor };
            let Some(resolved) = catch(|| Ok(context.source.settings(&question))) else { continue };
            files.add(resolved.files);
            let settings = resolved.settings;
            if !settings.enabled {
                seen.remove(&key);
                continue;
            }
            let old = cache.remove(&path);
            if let Some(cached) =
                catch(|| file_report(&path, &uri, old, settings, &client, &context)).flatten()
            {
                teller.tell(&key, uri.as_str(), None, &cached.report);
                kept.insert(path, cached);
            } else {
                seen.remove(&key);
            }
        }
    }
    *cache = kept;
    drop(cache);
    if let Some(empty) = catch(|| report(&[], &client, "", &context)) {
        teller.tell_gone(&seen, &empty);
    }
    Scanned { held: teller.finish(), revision, files: Some(files.files) }
}

/// The files that settings come from. Most transcripts share theirs with others.
#[derive(Default)]
struct ConfigFiles {
    files: Vec<Arc<ConfigFile>>,
    added: Vec<Arc<[Arc<ConfigFile>]>>,
}

impl ConfigFiles {
    fn add(&mut self, files: Arc<[Arc<ConfigFile>]>) {
        // Neighbours in the walk have the same, so those that were added last are found first.
        if !self.added.iter().rev().any(|added| Arc::ptr_eq(added, &files)) {
            self.files.extend(files.iter().cloned());
            self.added.push(files);
        }
    }
}

impl Open {
    fn key(&self) -> Key {
        match &self.path {
            Some(path) => Key::File(identity(path)),
            None => Key::Other(self.uri.to_string()),
        }
    }
}

impl Key {
    /// The key of a document as the client spells it.
    fn of(spelling: &str) -> Self {
        match Url::parse(spelling) {
            Ok(uri) => match uri.to_file_path() {
                Ok(path) => Self::File(identity(&path)),
                Err(()) => Self::Other(uri.into()),
            },
            Err(_) => Self::Other(spelling.to_owned()),
        }
    }
}

fn open_report(open: &Open, client: &Client, context: &Context) -> serde_json::Result<Report> {
    let problems = open.document.as_ref().map(Document::problems).unwrap_or_default();
    let parts = publish::parts(open.document.as_ref(), &problems, open.file.as_deref());
    report(&parts, client, &open.spelling, context)
}

/// The report on the file at `path`: the one `old`, if it was made of the same; `None` where it is no text, or too large.
fn file_report(
    path: &Path,
    uri: &Url,
    old: Option<Cached>,
    settings: Arc<Settings>,
    client: &Client,
    context: &Context,
) -> serde_json::Result<Option<Cached>> {
    // Stamped first: what changes while it is read is read again the next time.
    let stamp = stamp(path);
    if let Some(old) = old.filter(|old| old.stamp == stamp && Arc::ptr_eq(&old.settings, &settings)) {
        return Ok(Some(old));
    }
    let Ok(text) = Disk.read(path) else { return Ok(None) };
    let language = Language::of("", &path.to_string_lossy());
    let document = Document::new(Text::new(&text), language, Arc::clone(&settings));
    let problems = document.problems();
    let report = report(&[(document.text(), &problems)], client, uri.as_str(), context)?;
    Ok(Some(Cached { stamp, settings, report: Arc::new(report) }))
}

fn report(
    parts: &[(&Text, &[crate::rules::Problem])],
    client: &Client,
    uri: &str,
    context: &Context,
) -> serde_json::Result<Report> {
    Report::new(&Diagnostics { parts: parts.to_vec(), view: View { client, uri, pages: &context.pages } })
}

/// What `work` makes; a panic is logged and costs one document.
fn catch<T>(work: impl FnOnce() -> serde_json::Result<T>) -> Option<T> {
    let made = catch_unwind(AssertUnwindSafe(work)).ok()?;
    made.inspect_err(|error| tracing::error!(%error, "diagnostics cannot be serialized")).ok()
}

/// Tells the client what is found.
struct Teller<'a> {
    query: WorkspaceQuery,
    context: &'a Context,
    previous: HashMap<Key, Previous>,
    /// Where parts of the answer go, if anywhere.
    parts: Option<NumberOrString>,
    /// What is new to the client, and what is not, and neither is told yet.
    changed: Vec<Box<RawValue>>,
    unchanged: Vec<Box<RawValue>>,
    has_told: bool,
    told_at: Instant,
    progress_at: Instant,
    count: usize,
}

#[derive(Serialize)]
struct Progress<'a, T> {
    token: &'a NumberOrString,
    value: T,
}

impl<'a> Teller<'a> {
    fn new(query: WorkspaceQuery, client: Client, context: &'a Context) -> Self {
        let previous = query.params.previous_result_ids.iter().map(|it| (Key::of(&it.uri), it.clone()));
        let parts = query.params.partial_result_token.clone();
        Self {
            previous: previous.collect(),
            parts: parts.filter(|_| !client.diagnostics.is_out_of_order),
            changed: Vec::new(),
            unchanged: Vec::new(),
            has_told: false,
            told_at: Instant::now(),
            progress_at: Instant::now(),
            count: 0,
            query,
            context,
        }
    }

    fn is_wanted(&self) -> bool {
        self.query.pending.is_wanted()
    }

    fn begin(&self) {
        self.progress(json!({"kind": "begin", "title": "Checking transcripts", "cancellable": true}));
    }

    fn tell(&mut self, key: &Key, spelling: &str, version: Option<i32>, report: &Report) {
        self.count += 1;
        if self.progress_at.elapsed() > PERIOD {
            self.progress_at = Instant::now();
            self.progress(json!({"kind": "report", "message": format!("{} checked", self.count)}));
        }
        let previous = self.previous.remove(key);
        if previous.is_none() && report.is_empty() {
            return;
        }
        let uri = previous.as_ref().map_or(spelling, |it| it.uri.as_str());
        let since = report.since(previous.as_ref().map(|it| it.value.as_str()));
        let list = if since.is_unchanged() { &mut self.unchanged } else { &mut self.changed };
        list.extend(to_raw_value(&WorkspaceReport::new(uri, version, since)));
        if self.changed.len() >= PIECE || !self.changed.is_empty() && self.told_at.elapsed() > PERIOD {
            self.tell_part();
        }
    }

    /// Says of what the client has sets of, and what was not among `seen`, that nothing is wrong with it.
    fn tell_gone(&mut self, seen: &HashSet<Key>, empty: &Report) {
        let gone: Vec<_> = self.previous.keys().filter(|key| !seen.contains(key)).cloned().collect();
        for key in gone {
            self.tell(&key, "", None, empty);
        }
    }

    fn tell_part(&mut self) {
        let Some(token) = &self.parts else { return };
        let items = mem::take(&mut self.changed);
        if self.query.pending.is_wanted() && !items.is_empty() {
            let progress = Progress { token, value: WorkspaceReports { items: &items } };
            self.context.outbox.send(&Notification::new("$/progress", progress));
            self.has_told = true;
            self.told_at = Instant::now();
        }
    }

    /// Answers the request, or gives it back where there is nothing to tell.
    fn finish(mut self) -> Option<WorkspaceQuery> {
        self.end();
        if !self.is_wanted() {
            return None;
        }
        if self.query.params.partial_result_token.is_some() && !self.has_told && self.changed.is_empty() {
            return Some(self.query);
        }
        self.changed.append(&mut self.unchanged);
        // LSP 3.17, "Partial Result Progress": then the answer itself holds nothing.
        self.tell_part();
        if self.query.pending.finish() {
            let answer = Answer::new(&self.query.pending.id, WorkspaceReports { items: &self.changed });
            self.context.outbox.send(&answer);
        }
        None
    }

    fn end(&mut self) {
        self.progress(json!({"kind": "end"}));
        self.query.shown = true;
    }

    /// Shows progress, where it is wanted and was not shown before.
    fn progress(&self, value: serde_json::Value) {
        if let Some(token) = self.query.params.work_done_token.as_ref().filter(|_| !self.query.shown) {
            self.context.outbox.send(&Notification::new("$/progress", Progress { token, value }));
        }
    }
}
