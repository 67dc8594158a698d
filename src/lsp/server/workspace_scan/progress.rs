//! The messages during a scan: progress, partial results, and the response.
//!
//! With partial results the response itself is empty; without new results there is no response yet.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::diagnostics::{DiagnosticReport, WorkspaceReport};
use crate::lsp::peer::ProgressReporter;
use crate::lsp::state::workspace_diagnostics::{PreviousResult, WorkspaceQuery, WorkspaceReports};
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::workspace::walk::DocumentKey;

/// The number of reports per partial result.
const PIECE: usize = 32;
/// The maximum delay of reports, and the interval of progress messages.
const PERIOD: Duration = Duration::from_millis(200);

/// Sends the results of a scan to the client.
pub(super) struct ScanReporter {
    query: WorkspaceQuery,
    previous: HashMap<DocumentKey, PreviousResult>,
    /// Sends partial results.
    parts: ProgressReporter,
    /// Shows progress, unless it was shown before.
    progress: ProgressReporter,
    /// The unsent reports, new to the client and unchanged.
    changed: Vec<Box<RawValue>>,
    unchanged: Vec<Box<RawValue>>,
    has_reported: bool,
    last_report_at: Instant,
    progress_at: Instant,
    count: usize,
}

impl ScanReporter {
    /// Starts responding to `query`.
    pub(super) fn new(query: WorkspaceQuery, client: SessionCapabilities, outbox: &Arc<Outbox>) -> Self {
        let previous =
            query.params.previous_result_ids.iter().map(|it| (DocumentKey::of(&it.uri), it.clone()));
        let parts = query.params.partial_result_token.clone();
        let parts = parts.filter(|_| !client.diagnostics.is_out_of_order);
        let progress = query.params.work_done_token.clone().filter(|_| !query.has_shown_progress);
        let reporter = Self {
            previous: previous.collect(),
            parts: ProgressReporter::new(outbox, parts),
            progress: ProgressReporter::new(outbox, progress),
            changed: Vec::new(),
            unchanged: Vec::new(),
            has_reported: false,
            last_report_at: Instant::now(),
            progress_at: Instant::now(),
            count: 0,
            query,
        };
        reporter.progress.send(json!({"kind": "begin", "title": "Checking transcripts"}));
        reporter
    }

    /// Adds documents that were closed since the last scan. The client shows their last
    /// diagnostics, but does not list them among its results.
    pub(super) fn add_closed(&mut self, closed: &HashMap<PathBuf, Arc<str>>) {
        for (path, uri) in closed {
            let result = PreviousResult { uri: uri.to_string(), value: String::new() };
            self.previous.entry(DocumentKey::of_open(Some(path), uri)).or_insert(result);
        }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.query.pending.is_wanted()
    }

    /// Reports on a document with the client's spelling `spelling`, unless it was reported under
    /// another spelling.
    pub(super) fn report_document(
        &mut self,
        key: &DocumentKey,
        spelling: &str,
        version: Option<i32>,
        report: &DiagnosticReport,
    ) {
        self.count += 1;
        if self.progress_at.elapsed() > PERIOD {
            self.progress_at = Instant::now();
            self.progress.message(&format!("{} checked", self.count));
        }
        let previous = self.previous.remove(key);
        if previous.is_none() && report.is_empty() {
            return;
        }
        let uri = previous.as_ref().map_or(spelling, |it| it.uri.as_str());
        let since = report.since_any_text(previous.as_ref().map(|it| it.value.as_str()));
        let list = if since.is_unchanged() { &mut self.unchanged } else { &mut self.changed };
        list.extend(to_raw_value(&WorkspaceReport { uri, version, since }));
        if self.changed.len() >= PIECE || !self.changed.is_empty() && self.last_report_at.elapsed() > PERIOD {
            self.send_partial_result();
        }
    }

    /// Reports an empty set for each document that the client has a set of and that is not in
    /// `seen`.
    pub(super) fn report_removed(&mut self, seen: &HashSet<DocumentKey>, empty: &DiagnosticReport) {
        let gone: Vec<_> = self.previous.keys().filter(|key| !seen.contains(key)).cloned().collect();
        for key in gone {
            self.report_document(&key, "", None, empty);
        }
    }

    fn send_partial_result(&mut self) {
        if !self.parts.has_token() {
            return;
        }
        let items = mem::take(&mut self.changed);
        if self.query.pending.is_wanted() && !items.is_empty() {
            self.parts.send(WorkspaceReports { items: &items });
            self.has_reported = true;
            self.last_report_at = Instant::now();
        }
    }

    /// Responds to the request, or returns it if there is nothing new.
    pub(super) fn finish(mut self) -> Option<WorkspaceQuery> {
        self.progress.send(json!({"kind": "end"}));
        self.query.has_shown_progress = true;
        if !self.is_wanted() {
            return None;
        }
        if self.query.params.partial_result_token.is_some() && !self.has_reported && self.changed.is_empty() {
            return Some(self.query);
        }
        self.changed.append(&mut self.unchanged);
        // LSP 3.17, "Partial Result Progress": then the response itself is empty.
        self.send_partial_result();
        self.query.pending.answer(WorkspaceReports { items: &self.changed });
        None
    }
}
