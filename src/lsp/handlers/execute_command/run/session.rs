//! The run of a command: its progress and its cancellation.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use lsp_types::NumberOrString;
use serde_json::json;
use tower_lsp::jsonrpc::Error;

use crate::lsp::handlers::execute_command::ExecuteCommandParams;
use crate::lsp::peer::ProgressReporter;
use crate::lsp::request::ActiveRequest;
use crate::lsp::runs::editor_user::{EditorUser, shown};
use crate::lsp::runs::preset_folders::PresetFolders;
use crate::lsp::runs::{CurrentRun, paths_of};
use crate::lsp::wire::message::failed;
use crate::rules::secrets::redacted;
use crate::run::preset::ChartIndex;
use crate::run::user_settings::UserSettings;
use crate::run::{Progress, ToolHost, TrustStore};
use crate::text::cut;

/// The polling interval for a cancellation by the client.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// The maximum number of characters of a text of others in a message.
pub(super) const LONGEST_SHOWN: usize = 300;

/// The run of a command. Dropping it ends the run and its progress.
pub(super) struct RunSession<'s> {
    pub request: &'s ActiveRequest<'s>,
    pub run: CurrentRun,
    pub settings: UserSettings,
    /// Reports its progress, from any thread.
    pub progress: ProgressReporter,
}

impl<'s> RunSession<'s> {
    /// Begins a run, for its user. Its progress uses the client's token, or one that the server
    /// creates.
    pub fn begin(
        params: &ExecuteCommandParams,
        request: &'s ActiveRequest<'s>,
    ) -> Result<(Self, EditorUser), Error> {
        let path = request.uri.to_file_path().ok();
        let failed = |error: std::io::Error| failed(&shown(&error.to_string()));
        let settings = UserSettings::load_for(paths_of(&request.folders), path.as_deref()).map_err(failed)?;
        let run = request.runs.begin(&request.uri);
        let client = request.connection.client.clone();
        let mut presets = PresetFolders::of(&request.runs, &request.uri, &request.folders);
        presets.named = params.argument.folder.as_ref().map(PathBuf::from);
        let user = EditorUser {
            client: client.filter(|_| request.client.actions.show_message_request),
            store: TrustStore::of_user().map_err(failed)?,
            policy: settings.ask,
            asking: Arc::clone(&request.runs.asking),
            void: run.questions.clone(),
            document_folder: path.as_deref().and_then(|path| path.parent()).map(PathBuf::from),
            presets,
            has_more: false,
            allows_all: false,
            refusal: None,
        };
        let token = params.work_done_token.clone().or_else(|| {
            let token = NumberOrString::String(format!("chatls/run/{}", run.id));
            (request.client.progress && request.connection.create_progress(&token)).then_some(token)
        });
        run.set_token(token.clone());
        let progress = ProgressReporter::new(&request.peer.outbox, token);
        progress.send(json!({"kind": "begin", "title": "chatls", "cancellable": true}));
        Ok((Self { request, run, settings, progress }, user))
    }

    /// The means to run calls, without a folder for the tools of presets.
    pub fn tools(&self) -> ToolHost {
        let environment = self.request.runs.environment();
        let mut host = ToolHost::new(environment.clone(), paths_of(&self.request.folders));
        host.limits = self.settings.limits.clone();
        host.connections = Arc::clone(&self.request.runs.connections);
        if let Some(address) = self.settings.charts.clone() {
            host.charts = Some(Arc::new(ChartIndex::at(address, environment)));
        }
        host
    }

    /// Does `work` in the threads of tools, and waits for it. Once the client has cancelled the
    /// request, the run is cancelled. `None` if the session ends first.
    pub fn wait<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        let receiver = self.request.runs.spawn(work).ok()?;
        loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(done) => return Some(done),
                Err(RecvTimeoutError::Timeout) if self.request.is_wanted() => {}
                Err(RecvTimeoutError::Timeout) => self.run.cancellation.cancel(),
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// Reports the progress of a server to the client.
    pub fn server_progress(&self) -> impl FnMut(&Progress) + Send + 'static {
        let (item, progress) = (self.run.reporter(), self.progress.clone());
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

impl Drop for RunSession<'_> {
    fn drop(&mut self) {
        self.progress.send(json!({"kind": "end"}));
        self.request.documents.end_unused_servers();
    }
}
