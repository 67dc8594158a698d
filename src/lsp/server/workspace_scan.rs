//! A scan of the workspace for one `workspace/diagnostic`: its open documents, then the transcripts
//! in its folders.
//!
//! It finds the same transcripts as `chatls check`, with the settings that would apply if they were
//! opened, but skips files without a configuration, which are only checked when they are opened. A
//! scan runs in the pool, ends when the request is cancelled, and sends partial results. Empty sets
//! are omitted if the client has no older one.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Url;

use crate::config::Settings;
use crate::files::stamp;
use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::diagnostics::{DiagnosticReport, DiagnosticView, WireDiagnosticArray};
use crate::lsp::server::workspace_scan::progress::ScanReporter;
use crate::lsp::server::{LoopContext, documents};
use crate::lsp::state::DiagnosedDocument;
use crate::lsp::state::workspace_diagnostics::{CachedReport, ReportCache, WorkspaceQuery};
use crate::lsp::workspace::disk::read_document;
use crate::lsp::workspace::settings::{ConfigFile, EditorSettings, SettingsResponse};
use crate::lsp::workspace::walk::{DocumentKey, TakenTranscript, WalkedTranscript, WorkspaceWalk};

pub mod progress;

/// The inputs of a scan.
pub struct WorkspaceScan {
    /// The request.
    pub query: WorkspaceQuery,
    /// The revision of open documents and settings.
    pub revision: u64,
    /// The open documents.
    pub open: Vec<DiagnosedDocument>,
    /// Paths and URIs of the documents that were closed since the last scan.
    pub closed: HashMap<PathBuf, Arc<str>>,
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The editor's settings under `chatls`.
    pub editor: EditorSettings,
    /// The client's capabilities.
    pub client: SessionCapabilities,
    /// The resources of the server.
    pub context: LoopContext,
    /// The cached reports.
    pub cache: ReportCache,
    /// True if a test has requested that the scan panics.
    pub panics: bool,
}

/// The result of a scan.
#[derive(Default)]
pub struct ScanResult {
    /// The request, if there is nothing new and it can wait; otherwise it has been answered.
    pub held: Option<WorkspaceQuery>,
    /// The scanned revision.
    pub revision: u64,
    /// The closed documents that were not reported because the request was cancelled, or the scan
    /// panicked.
    pub closed: HashMap<PathBuf, Arc<str>>,
    /// The reports that are still valid, and new ones.
    pub cache: ReportCache,
    /// The configuration and registry files of the transcripts; `None` if the scan was not
    /// completed.
    pub files: Option<Vec<Arc<ConfigFile>>>,
}

/// Scans the workspace and responds. After a panic, the reports made so far are the response.
pub fn run(scan: WorkspaceScan) -> ScanResult {
    let WorkspaceScan { query, revision, open, closed, folders, editor, client, context, cache, panics } =
        scan;
    let mut scanner = WorkspaceScanner {
        progress: ScanReporter::new(query, client, &context.outbox),
        old: cache,
        new: ReportCache::new(),
        files: ConfigFiles::default(),
        client,
        context: &context,
    };
    let scan = catch_unwind(AssertUnwindSafe(|| {
        scanner.prepare();
        let mut seen = open.iter().map(key_of).collect();
        scanner.progress.add_closed(&closed);
        open.iter().for_each(|open| scanner.open(open));
        assert!(!panics, "requested by a test");
        let walk =
            WorkspaceWalk { folders, editor: &editor, source: &*context.source, configured_only: true };
        walk.each(&mut seen, &mut |found| scanner.file(found));
        if scanner.progress.is_wanted() {
            scanner.removed(&seen);
        }
    }));
    let WorkspaceScanner { progress: reporter, mut old, new, files, .. } = scanner;
    let is_complete = scan.is_ok() && reporter.is_wanted();
    let held = reporter.finish();
    if is_complete {
        ScanResult { held, revision, closed: HashMap::new(), cache: new, files: Some(files.files) }
    } else {
        old.extend(new);
        ScanResult { held, revision, closed, cache: old, files: None }
    }
}

struct WorkspaceScanner<'a> {
    progress: ScanReporter,
    /// The cached reports of the last scan; `new` has the reports that are still valid, and new
    /// ones.
    old: ReportCache,
    new: ReportCache,
    files: ConfigFiles,
    client: SessionCapabilities,
    context: &'a LoopContext,
}

impl WorkspaceScanner<'_> {
    /// Reads changed configurations again.
    fn prepare(&self) {
        if self.client.diagnostics.pages {
            self.context.pages.prepare();
        }
        if self.context.source.refresh() {
            self.context.send("configuration files changed", |state, _| {
                documents::invalidate_all_settings(state);
            });
        }
    }

    /// Reports that documents are gone, if they are not among `seen`.
    fn removed(&mut self, seen: &HashSet<DocumentKey>) {
        let view = DiagnosticView { client: &self.client, uri: "", pages: &self.context.pages };
        if let Some(empty) = catch(|| DiagnosticReport::new(&WireDiagnosticArray::of(None, None, view), None))
        {
            self.progress.report_removed(seen, &empty);
        }
    }

    fn open(&mut self, open: &DiagnosedDocument) {
        let diagnostics = || open.diagnostics(&self.client, &self.context.pages);
        if let Some(report) = catch(|| DiagnosticReport::new(&diagnostics(), Some(open.state))) {
            self.progress.report_document(&key_of(open), open.uri.spelling(), Some(open.version), &report);
        }
    }

    /// Reports a file, unless it is excluded, binary, or too large.
    fn file(&mut self, found: WalkedTranscript) -> TakenTranscript {
        if !self.progress.is_wanted() {
            return TakenTranscript::Enough;
        }
        let WalkedTranscript { key, path, uri, resolved: SettingsResponse { settings, files, .. } } = found;
        self.files.add(files);
        if !settings.enabled {
            return TakenTranscript::Skipped;
        }
        let old = self.old.remove(&path);
        let report = catch(|| self.file_report(&path, &uri, old, settings));
        let Some(cached) = report.flatten() else { return TakenTranscript::Skipped };
        self.progress.report_document(&key, uri.as_str(), None, &cached.report);
        self.new.insert(path, cached);
        TakenTranscript::It
    }

    /// The report on the file at `path`: the report `old` if it is up to date; `None` if the file
    /// is binary or too large.
    fn file_report(
        &self,
        path: &Path,
        uri: &Url,
        old: Option<CachedReport>,
        settings: Arc<Settings>,
    ) -> serde_json::Result<Option<CachedReport>> {
        // Stamped first, so that changes during the reading are noticed next time.
        let stamp = stamp(path);
        if let Some(old) = old.filter(|old| old.stamp == stamp && Arc::ptr_eq(&old.settings, &settings)) {
            return Ok(Some(old));
        }
        let Some(document) = read_document(path, &settings) else { return Ok(None) };
        let view = DiagnosticView { client: &self.client, uri: uri.as_str(), pages: &self.context.pages };
        let report = DiagnosticReport::new(&WireDiagnosticArray::of(Some(&document), None, view), None)?;
        Ok(Some(CachedReport { stamp, settings, report }))
    }
}

/// The configuration files. Most transcripts share theirs with others.
#[derive(Default)]
struct ConfigFiles {
    files: Vec<Arc<ConfigFile>>,
    added: Vec<Arc<[Arc<ConfigFile>]>>,
}

impl ConfigFiles {
    fn add(&mut self, files: Arc<[Arc<ConfigFile>]>) {
        // Neighbours in the walk have the same files, so the last files are checked first.
        if !self.added.iter().rev().any(|added| Arc::ptr_eq(added, &files)) {
            self.files.extend(files.iter().cloned());
            self.added.push(files);
        }
    }
}

fn key_of(open: &DiagnosedDocument) -> DocumentKey {
    DocumentKey::of_open(open.path.as_ref(), open.uri.as_str())
}

/// The result of `work`; a panic is logged and costs one document.
fn catch<T>(work: impl FnOnce() -> serde_json::Result<T>) -> Option<T> {
    let made = catch_unwind(AssertUnwindSafe(work)).ok()?;
    made.inspect_err(|error| tracing::error!(%error, "diagnostics cannot be serialized")).ok()
}
