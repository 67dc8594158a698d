//! The runs of calls that users asked for, and the servers that stay connected between them.
//!
//! Runs are not part of the main loop's state: their handlers wait for tools and users, and look at
//! documents again through the loop. Nothing here starts before the first command of a user.

pub mod editor_user;
pub mod preset_folders;
pub mod text_watch;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lsp_types::{NumberOrString, Url};
use serde::Serialize;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::editor_user::shown;
use self::text_watch::WatchedTexts;
use crate::call::ToolUse;
use crate::config::{RunSettings, Settings};
use crate::features::refactorings::outcomes::CallAnchor;
use crate::lsp::wire::document_uri::DocumentUri;
use crate::lsp::wire::message::Notification;
use crate::lsp::wire::outbox::Outbox;
use crate::never::lock;
use crate::run::connections::Connections;
use crate::run::process::end_all;
use crate::run::{
    CallRunner, CancellationToken, Environment, ReadyCall, SubjectHash, TrustStore, known_runners,
};
use crate::text::cut;

/// Minimum interval between two notifications of a run's progress, or of changes of servers.
const BETWEEN_NOTIFICATIONS: Duration = Duration::from_millis(200);

/// The maximum number of characters of a title.
const LONGEST_TITLE: usize = 100;
/// The interval of checks of the consents of running servers.
const BETWEEN_CHECKS: Duration = Duration::from_secs(2);

/// The runs of a session, and its servers.
#[derive(Default)]
pub struct Runs {
    /// The servers.
    pub connections: Arc<Connections>,
    /// Held while a user is asked for consent, so that two runs do not ask for the same one.
    pub asking: Arc<tokio::sync::Mutex<()>>,
    outbox: Arc<Outbox>,
    /// The texts of documents whose edits are on their way.
    pub texts: Arc<WatchedTexts>,
    threads: Mutex<RunThreads>,
    active: Mutex<ActiveRuns>,
    /// The folders that the user named for the tools of presets, by the folder that they were named
    /// for.
    folders: Mutex<HashMap<PathBuf, PathBuf>>,
    /// True if nothing is asked through the proxies of the environment.
    no_proxy: bool,
}

/// The threads of tools and servers.
#[derive(Default)]
enum RunThreads {
    /// No thread was needed yet.
    #[default]
    NotStarted,
    Started {
        runtime: Runtime,
        /// Notifies the client.
        notifying: JoinHandle<()>,
    },
    /// The session ends: nothing starts any more.
    Closed,
}

#[derive(Default)]
struct ActiveRuns {
    last: u64,
    runs: Vec<ActiveRun>,
    /// Documents with edits that the client reports as applied but whose version has not arrived.
    late: Vec<LateEdit>,
}

/// An edit whose version has not come. It may be the result of a call.
struct LateEdit {
    document: Url,
    /// The version before the edit.
    version: Option<i32>,
    /// The number of the run that made it.
    run: u64,
    call: Option<CallAnchor>,
}

struct ActiveRun {
    document: Url,
    shown: RunItem,
    cancellation: CancellationToken,
    /// See [`CurrentRun::questions`].
    questions: CancellationToken,
    token: Option<NumberOrString>,
    call: Option<CallAnchor>,
    /// True if it continues the document.
    continues: bool,
    notified: Instant,
}

/// A run, as clients show it (docs/extensions.md).
#[derive(Clone, Debug, Serialize)]
pub struct RunItem {
    id: u64,
    uri: String,
    /// The line of the current call.
    line: usize,
    /// The tool.
    title: String,
    /// The server or program that runs it.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    /// The progress that it reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// A run of a command. Dropping it ends the run.
pub struct CurrentRun {
    /// The number of the run.
    pub id: u64,
    /// Cancels the run.
    pub cancellation: CancellationToken,
    /// Voids its questions: cancelled with the run, or when its document is closed.
    pub questions: CancellationToken,
    runs: Arc<Runs>,
}

/// Shows the progress of a run, from any thread.
pub struct RunReporter {
    /// The number of the run.
    pub id: u64,
    runs: Arc<Runs>,
}

impl Runs {
    /// No runs; notifications are sent to `outbox`.
    pub fn new(outbox: Arc<Outbox>, no_proxy: bool) -> Self {
        Self { outbox, no_proxy, ..Self::default() }
    }

    /// The variables of this process.
    pub fn environment(&self) -> Environment {
        Environment::of_process().ignoring_proxies(self.no_proxy)
    }

    /// Begins a run in the document `uri`.
    pub fn begin(self: &Arc<Self>, uri: &DocumentUri) -> CurrentRun {
        let mut active = lock(&self.active);
        active.last += 1;
        let id = active.last;
        let cancellation = CancellationToken::new();
        let questions = cancellation.child_token();
        let shown = RunItem {
            id,
            uri: uri.spelling().to_string(),
            line: 0,
            title: String::new(),
            server: None,
            message: None,
        };
        let notified = Instant::now();
        active.runs.push(ActiveRun {
            document: Url::clone(uri),
            shown,
            cancellation: cancellation.clone(),
            questions: questions.clone(),
            token: None,
            call: None,
            continues: false,
            notified,
        });
        CurrentRun { id, cancellation, questions, runs: Arc::clone(self) }
    }

    /// Cancels the run `id` of the document `uri`, or all of it.
    pub fn cancel(&self, uri: &Url, id: Option<u64>) {
        let wanted = |run: &&ActiveRun| run.document == *uri && id.is_none_or(|id| run.shown.id == id);
        lock(&self.active).runs.iter().filter(wanted).for_each(|run| run.cancellation.cancel());
    }

    /// The cancellation of the run `id`; cancelled if the run has ended.
    pub fn cancellation(&self, id: u64) -> CancellationToken {
        let known =
            lock(&self.active).runs.iter().find(|run| run.shown.id == id).map(|run| run.cancellation.clone());
        known.unwrap_or_else(|| {
            let ended = CancellationToken::new();
            ended.cancel();
            ended
        })
    }

    /// Cancels the open questions of runs in the document `uri`, which was closed.
    pub fn document_closed(&self, uri: &Url) {
        let mut active = lock(&self.active);
        active.runs.iter().filter(|run| run.document == *uri).for_each(|run| run.questions.cancel());
        active.late.retain(|late| late.document != *uri);
    }

    /// The client has applied an edit of the run `run` to `version` of the document `uri`, and has
    /// not sent it.
    pub fn edit_is_late(&self, run: u64, uri: &Url, version: Option<i32>) {
        let mut active = lock(&self.active);
        active.late.retain(|late| late.document != *uri || late.version == version);
        active.late.push(LateEdit { document: uri.clone(), version, run, call: None });
    }

    /// Cancels the run whose progress has the token `token`.
    pub fn cancel_token(&self, token: &NumberOrString) {
        lock(&self.active)
            .runs
            .iter()
            .filter(|run| run.token.as_ref() == Some(token))
            .for_each(|run| run.cancellation.cancel());
    }

    /// Does `work` in the threads of tools, and returns its result there.
    ///
    /// # Errors
    ///
    /// If the session ends, or the system has no resources.
    pub fn spawn<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> io::Result<Receiver<T>> {
        let mut threads = lock(&self.threads);
        if matches!(*threads, RunThreads::NotStarted) {
            let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
            let changes = self.connections.changes();
            let notifying = runtime.spawn(notify_changes(changes, Arc::clone(&self.outbox)));
            runtime.spawn(watch_servers(Arc::clone(&self.connections)));
            *threads = RunThreads::Started { runtime, notifying };
        }
        let RunThreads::Started { runtime, .. } = &*threads else {
            return Err(io::Error::other("the session ends"));
        };
        let (sender, receiver) = channel();
        runtime.spawn(async move {
            // The receiver only disappears with the process.
            drop(sender.send(work.await));
        });
        Ok(receiver)
    }

    /// Stops servers that none of `settings` contains any more in the same form, after their calls
    /// have ended. `open` are the open folders.
    pub fn end_unused(&self, settings: Vec<Arc<Settings>>, open: &[Url]) {
        let (open, connections) = (paths_of(open), Arc::clone(&self.connections));
        // The result is not needed, and after the end of the session no server is left to stop.
        _ = self.spawn(async move {
            let environment = Environment::of_process();
            let mut kept: Vec<SubjectHash> = Vec::new();
            let mut seen: Vec<&RunSettings> = Vec::new();
            for settings in &settings {
                if !seen.contains(&&*settings.run) {
                    seen.push(&settings.run);
                    let runners = known_runners(&settings.run, &open, &environment);
                    kept.extend(runners.iter().filter_map(|it| Some(it.subject.as_ref().ok()?.hash())));
                }
            }
            for hash in connections.in_use().iter().filter(|hash| !kept.contains(hash)) {
                connections.retire(hash).await;
            }
        });
    }

    /// The folder that the user named for the tools of presets, in work on `around`.
    pub fn folder(&self, around: &Path) -> Option<PathBuf> {
        lock(&self.folders).get(around).cloned()
    }

    /// Keeps the folder that the user named.
    pub fn name_folder(&self, around: PathBuf, folder: PathBuf) {
        lock(&self.folders).insert(around, folder);
    }

    /// Ends all runs and servers within `patience`, then kills the remaining ones.
    pub fn close(&self, patience: Duration) {
        lock(&self.active).runs.iter().for_each(|run| run.cancellation.cancel());
        let threads = std::mem::replace(&mut *lock(&self.threads), RunThreads::Closed);
        if let RunThreads::Started { runtime, notifying } = threads {
            notifying.abort();
            let connections = Arc::clone(&self.connections);
            let (sender, ended) = channel();
            runtime.spawn(async move {
                connections.stop_all().await;
                // It is not waited for if it takes too long.
                _ = sender.send(());
            });
            _ = ended.recv_timeout(patience);
            end_all();
            runtime.shutdown_background();
        }
    }

    /// Sends all runs to the client, in order of their changes.
    fn notify(&self, active: &ActiveRuns) {
        let runs: Vec<_> =
            active.runs.iter().map(|run| &run.shown).filter(|run| !run.title.is_empty()).collect();
        self.outbox.send(&Notification::new("chatls/runs", json!({"runs": runs})));
    }
}

impl ActiveRun {
    /// Takes a message in, if it is due.
    fn report(&mut self, message: &str) -> bool {
        let is_due = self.notified.elapsed() >= BETWEEN_NOTIFICATIONS;
        if is_due {
            self.shown.message = Some(message.to_owned());
            self.notified = Instant::now();
        }
        is_due
    }
}

impl CurrentRun {
    /// Sets the token of its progress.
    pub fn set_token(&self, token: Option<NumberOrString>) {
        if let Some(own) = lock(&self.runs.active).own(self.id) {
            own.token = token;
        }
    }

    /// Begins to continue the document; false if another run does.
    pub fn begin_turns(&self) -> bool {
        let mut active = lock(&self.runs.active);
        let Some(own) = active.runs.iter().find(|run| run.shown.id == self.id) else { return false };
        if active.runs.iter().any(|run| run.continues && run.document == own.document) {
            return false;
        }
        if let Some(own) = active.own(self.id) {
            own.continues = true;
        }
        true
    }

    /// Shows the progress of the run.
    pub fn reporter(&self) -> RunReporter {
        RunReporter { id: self.id, runs: Arc::clone(&self.runs) }
    }
}

impl RunReporter {
    /// Begins the call `call`, which is the call at `index` of `uses`, all of the document, in the
    /// line `line` of the version `version`. Until [`Self::end_call`], no other run can begin it.
    ///
    /// # Errors
    ///
    /// The reason, if another run has begun this call or a call that cannot be distinguished from
    /// it, or if its result is not in that version yet.
    pub fn begin_call(
        &self,
        (version, line): (Option<i32>, usize),
        call: &ReadyCall,
        uses: &[ToolUse],
        index: usize,
    ) -> Result<(), &'static str> {
        let mut active = lock(&self.runs.active);
        let own = active.runs.iter().find(|run| run.shown.id == self.id).ok_or("its run has ended")?;
        let is_late = |late: &LateEdit| {
            let may_be = |written: &CallAnchor| written.may_be(uses, index);
            late.document == own.document && late.version == version && late.call.as_ref().is_some_and(may_be)
        };
        if active.late.iter().any(is_late) {
            return Err("its result is on its way");
        }
        let is_same = |run: &ActiveRun| {
            let may_be = |running: &CallAnchor| running.may_be(uses, index);
            run.shown.id != self.id && run.document == own.document && run.call.as_ref().is_some_and(may_be)
        };
        if active.runs.iter().any(is_same) {
            return Err("it is running already");
        }
        if let Some(own) = active.own(self.id) {
            own.call = Some(call.anchor.clone());
            own.shown.line = line;
            own.shown.title = shown(&cut(&call.tool, LONGEST_TITLE));
            own.shown.server = match &call.runner {
                CallRunner::Server(name) | CallRunner::Program(name) => Some(shown(name)),
                CallRunner::Preset(..) => None,
            };
            own.shown.message = None;
            own.notified = Instant::now();
        }
        self.runs.notify(&active);
        Ok(())
    }

    /// Ends the call: its result is in the document, or comes with the next version, or it has
    /// none.
    pub fn end_call(&self) {
        let mut active = lock(&self.runs.active);
        let Some(own) = active.own(self.id) else { return };
        let call = own.call.take();
        let mut late = active.late.iter_mut().rev();
        if let Some(late) = late.find(|late| late.run == self.id && late.call.is_none()) {
            late.call = call;
        }
    }

    /// Reports the progress of a server. Returns whether a notification is due: not every report
    /// causes one.
    pub fn report(&self, message: &str) -> bool {
        let mut active = lock(&self.runs.active);
        let is_due = active.own(self.id).is_some_and(|own| own.report(message));
        if is_due {
            self.runs.notify(&active);
        }
        is_due
    }

    /// Like [`Self::report`], of something other than a call.
    pub fn report_as(&self, title: &str, line: usize, message: &str) -> bool {
        let mut active = lock(&self.runs.active);
        let Some(own) = active.own(self.id) else { return false };
        let is_due = own.shown.title != title || own.notified.elapsed() >= BETWEEN_NOTIFICATIONS;
        if is_due {
            own.notified = Instant::now();
            own.call = None;
            let (title, message) = (title.to_owned(), Some(message.to_owned()));
            own.shown = RunItem { title, line, message, server: None, ..own.shown.clone() };
            self.runs.notify(&active);
        }
        is_due
    }
}

impl ActiveRuns {
    fn own(&mut self, id: u64) -> Option<&mut ActiveRun> {
        self.runs.iter_mut().find(|run| run.shown.id == id)
    }
}

impl Drop for CurrentRun {
    fn drop(&mut self) {
        let mut active = lock(&self.runs.active);
        let was_shown = active.runs.iter().any(|run| run.shown.id == self.id && !run.shown.title.is_empty());
        active.runs.retain(|run| run.shown.id != self.id);
        if was_shown {
            self.runs.notify(&active);
        }
    }
}

/// Notifies the client of changes of servers.
async fn notify_changes(mut changes: watch::Receiver<u64>, outbox: Arc<Outbox>) {
    while changes.changed().await.is_ok() {
        outbox.send(&Notification::new("chatls/serversChanged", json!({})));
        tokio::time::sleep(BETWEEN_NOTIFICATIONS).await;
    }
}

/// Ends servers whose consent was revoked elsewhere, as by `chatls trust --revoke`, and removes
/// servers that exited.
async fn watch_servers(connections: Arc<Connections>) {
    let Ok(store) = TrustStore::of_user() else { return };
    loop {
        tokio::time::sleep(BETWEEN_CHECKS).await;
        connections.stop_revoked(&store).await;
        connections.look().await;
    }
}

/// The paths of the folders that are open.
pub fn paths_of(folders: &[Url]) -> Vec<PathBuf> {
    folders.iter().filter_map(|folder| folder.to_file_path().ok()).collect()
}
