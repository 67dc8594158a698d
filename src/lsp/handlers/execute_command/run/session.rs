//! The run of a command: its user, its progress and its cancellation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use lsp_types::{MessageType, NumberOrString};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use crate::lsp::runs::editor_user::{EditorUser, ask, shown};
use crate::lsp::runs::{CurrentRun, paths_of};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::{Notification, failed};
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::wire::pending::PendingRequest;
use crate::rules::secrets::redacted;
use crate::run::preset::HttpChartIndex;
use crate::run::user_settings::UserSettings;
use crate::run::{Progress, ToolHost, TrustStore};
use crate::text::abbreviate::cut;

/// The polling interval for a cancellation by the client.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// The maximum number of characters of a text of others in a message.
pub(super) const LONGEST_SHOWN: usize = 300;

/// The run of a command. Dropping it ends the run and its progress.
pub(super) struct RunSession<'s> {
    pub snapshot: &'s Snapshot,
    pub run: CurrentRun,
    pub settings: UserSettings,
    /// Moved to the threads of tools while they work.
    pub user: Option<EditorUser>,
    token: Option<NumberOrString>,
}

/// Reports the progress of a run to the client, from any thread.
#[derive(Clone)]
pub(super) struct ProgressReporter {
    outbox: Arc<Outbox>,
    token: Option<NumberOrString>,
}

impl<'s> RunSession<'s> {
    /// Begins a run. Its progress uses the client's `token`, or one that the server creates.
    pub fn begin(snapshot: &'s Snapshot, token: Option<NumberOrString>) -> Result<Self, Error> {
        let path = snapshot.uri.to_file_path().ok();
        let failed = |error: std::io::Error| failed(&shown(&error.to_string()));
        let settings =
            UserSettings::load_for(paths_of(&snapshot.folders), path.as_deref()).map_err(failed)?;
        let run = snapshot.runs.begin(&snapshot.uri);
        let user = EditorUser {
            client: snapshot
                .connection
                .client
                .clone()
                .filter(|_| snapshot.client.actions.show_message_request),
            store: TrustStore::of_user().map_err(failed)?,
            policy: settings.ask,
            asking: Arc::clone(&snapshot.runs.asking),
            void: run.questions.clone(),
            folder: path.as_deref().and_then(|path| path.parent()).map(PathBuf::from),
            has_more: false,
            allows_all: false,
            refusal: None,
        };
        let token = token.or_else(|| {
            let token = NumberOrString::String(format!("chatls/run/{}", run.id));
            (snapshot.client.progress && snapshot.connection.create_progress(&token)).then_some(token)
        });
        run.set_token(token.clone());
        let session = Self { snapshot, run, settings, user: Some(user), token };
        session.progress().send(&json!({"kind": "begin", "title": "chatls", "cancellable": true}));
        Ok(session)
    }

    /// The means to run calls, without a folder for the tools of presets.
    pub fn host(&self) -> ToolHost {
        let environment = self.snapshot.runs.environment();
        let mut host = ToolHost::new(environment.clone(), paths_of(&self.snapshot.folders));
        host.limits = self.settings.limits.limits();
        host.connections = Arc::clone(&self.snapshot.runs.connections);
        if let Some(address) = self.settings.charts.clone() {
            host.charts = Arc::new(HttpChartIndex { address, environment });
        }
        host
    }

    /// Does `work` in the threads of tools, and waits for it. Once the client has cancelled the
    /// request, the run is cancelled. `None` if the session ends first.
    pub fn wait<T: Send + 'static>(
        &self,
        pending: &PendingRequest,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        self.receive(pending, &self.snapshot.runs.spawn(work).ok()?)
    }

    /// Does `work` in a thread of its own, which it may block, and waits for it like
    /// [`Self::wait`].
    pub fn wait_here<T: Send>(&self, pending: &PendingRequest, work: impl FnOnce() -> T + Send) -> Option<T> {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            // The receiver lives as long as this function.
            scope.spawn(move || drop(sender.send(work())));
            self.receive(pending, &receiver)
        })
    }

    /// Waits for a value from `receiver`. If the client cancels the request, the run is cancelled.
    /// `None` if the sender is dropped.
    fn receive<T>(&self, pending: &PendingRequest, receiver: &Receiver<T>) -> Option<T> {
        loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(done) => return Some(done),
                Err(RecvTimeoutError::Timeout) if pending.is_wanted() => {}
                Err(RecvTimeoutError::Timeout) => self.run.cancellation.cancel(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// The user's answer to `question`; `None` also once the run is cancelled, or the document
    /// closed.
    pub fn ask(&self, pending: &PendingRequest, question: String, answers: Vec<String>) -> Option<String> {
        let client = self.user.as_ref()?.client.clone()?;
        let void = self.run.questions.clone();
        let asking = async move {
            let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
            ask(Some(&client), MessageType::INFO, question, &answers, &void).await
        };
        self.wait(pending, asking)?
    }

    /// Reports progress to the client.
    pub fn progress(&self) -> ProgressReporter {
        ProgressReporter { outbox: Arc::clone(&self.snapshot.peer.outbox), token: self.token.clone() }
    }

    /// Reports the progress of a server to the client.
    pub fn server_progress(&self) -> impl FnMut(&Progress) + Send + 'static {
        let (item, progress) = (self.run.reporter(), self.progress());
        move |reported| {
            let message = match (&reported.message, reported.total) {
                (Some(message), _) => message.clone(),
                (None, Some(total)) => format!("{} / {total}", reported.done),
                (None, None) => reported.done.to_string(),
            };
            let message = shown(&cut(&redacted(&message), LONGEST_SHOWN));
            if item.report(&message) {
                progress.message(&message);
            }
        }
    }
}

impl ProgressReporter {
    /// Reports a message.
    pub fn message(&self, message: &str) {
        self.send(&json!({"kind": "report", "message": message}));
    }

    fn send(&self, value: &Value) {
        if let Some(token) = &self.token {
            self.outbox.send(&Notification::new("$/progress", json!({"token": token, "value": value})));
        }
    }
}

impl Drop for RunSession<'_> {
    fn drop(&mut self) {
        self.progress().send(&json!({"kind": "end"}));
        self.snapshot.documents.end_unused_servers();
    }
}
