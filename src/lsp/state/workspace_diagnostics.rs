//! State of `workspace/diagnostic`: waiting requests, and the reports already sent.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::NumberOrString;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::config::Settings;
use crate::files::Stamp;
use crate::lsp::conversions::diagnostics::DiagnosticReport;
use crate::lsp::state::RefreshRequest;
use crate::lsp::wire::pending::PendingRequest;
use crate::lsp::workspace::settings::ConfigFile;

/// The reports on files, by path.
pub type ReportCache = HashMap<PathBuf, CachedReport>;

/// A file's report, with its inputs.
pub struct CachedReport {
    pub(crate) stamp: Stamp,
    pub(crate) settings: Arc<Settings>,
    pub(crate) report: DiagnosticReport,
}

/// A request for the diagnostics of the workspace.
pub struct WorkspaceQuery {
    /// The pending response.
    pub pending: PendingRequest,
    /// Its params.
    pub params: WorkspaceDiagnosticParams,
    /// True if its progress has been shown: it begins and ends once.
    pub has_shown_progress: bool,
}

/// The params of `workspace/diagnostic`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDiagnosticParams {
    /// The sets that the client has.
    #[serde(default)]
    pub previous_result_ids: Vec<PreviousResult>,
    /// The token for partial results.
    pub partial_result_token: Option<NumberOrString>,
    /// The token for progress.
    pub work_done_token: Option<NumberOrString>,
}

/// A set that the client has.
#[derive(Clone, Deserialize)]
pub struct PreviousResult {
    /// Its document, as the client spells it.
    pub uri: String,
    /// Its id.
    pub value: String,
}

/// LSP 3.17, `WorkspaceDiagnosticReport`.
#[derive(Serialize)]
pub struct WorkspaceReports<'a> {
    /// One for each document.
    pub items: &'a [Box<RawValue>],
}

/// The client's requests for diagnostics of the whole workspace.
#[derive(Default)]
pub struct WorkspacePulls {
    /// The configuration and registry files of its transcripts, open or not.
    pub files: Vec<Arc<ConfigFile>>,
    /// The revision of everything that reports depend on.
    pub(crate) revision: u64,
    /// The waiting requests.
    pub(crate) waiting: VecDeque<WorkspaceQuery>,
    /// A request that is answered when the revision changes.
    pub(crate) held: Option<(WorkspaceQuery, u64)>,
    /// Paths and URIs of the documents that were closed since the last scan, if the client pulls.
    pub(crate) closed: HashMap<PathBuf, Arc<str>>,
    /// True if the workspace is being scanned.
    pub(crate) scanning: bool,
    /// True during the pause of a held request.
    pub(crate) pausing: bool,
    /// True after `shutdown`: no request is held any more.
    pub(crate) is_over: bool,
    /// True if a client without held requests has received a report.
    pub(crate) has_reported: bool,
    pub(crate) cache: ReportCache,
}

impl WorkspacePulls {
    /// Marks a change of anything that reports depend on.
    pub fn changed(&mut self) {
        self.revision += 1;
    }

    /// Marks a change of settings of any document: clients without held requests get a refresh.
    pub fn settings_changed(&mut self, refresh: &mut RefreshRequest) {
        self.changed();
        if self.has_reported {
            refresh.is_requested = true;
        }
    }
}
