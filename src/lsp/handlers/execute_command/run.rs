//! `chatls.run` and `chatls.runAgain`: runs calls, and writes their results into the document.
//!
//! A call is found again in the newest version before it runs and before its result is written.
//! What cannot be written is returned, and shown in short.

mod placing;
mod writing;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use lsp_types::NumberOrString;
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use self::placing::{preset_folder, wanted};
use self::writing::{Writing, write};
use crate::call::{UseOutcome, cut};
use crate::features::refactorings::outcomes::CallAnchor;
use crate::lsp::conversions::command_arguments::{CommandArgument, RUN_AGAIN};
use crate::lsp::runs::editor_user::{EditorUser, shown};
use crate::lsp::runs::{CurrentRun, paths_of};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::{Notification, failed};
use crate::lsp::wire::pending::PendingRequest;
use crate::rules::secrets::redacted;
use crate::run::preset::HttpChartIndex;
use crate::run::user_settings::UserSettings;
use crate::run::{CallRunner, Environment, NotRun, Progress, ReadyCall, ToolHost, TrustStore};

/// The time between two looks at whether the client has cancelled the request.
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
/// The maximum number of characters of a result in a message.
const LONGEST_SHOWN: usize = 300;

/// The maximum number of warnings of one command.
const MOST_WARNINGS: usize = 3;

/// The result of a call, on the wire.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RunResult {
    tool_name: String,
    line: usize,
    status: RunStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    is_error: bool,
}

/// The status of a [`RunResult`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum RunStatus {
    /// The result is in the document.
    Written,
    /// The document had it already.
    Unchanged,
    /// It ran, and the result is not in the document.
    NotWritten,
    /// It could not be run.
    NotRun,
    /// The user did not agree.
    Refused,
    /// It was cancelled.
    Cancelled,
}

/// A call to run.
struct PlannedCall {
    anchor: CallAnchor,
    tool: String,
    line: usize,
}

/// The work of a command.
struct RunCommand<'s> {
    snapshot: &'s Snapshot,
    run: CurrentRun,
    token: Option<NumberOrString>,
    settings: UserSettings,
    folder: Option<PathBuf>,
    /// Moved to the threads of tools while a call runs.
    user: Option<EditorUser>,
    /// True if the rest of the calls is left out.
    is_ended: bool,
    /// The reasons for the user why calls were not run, or results not written.
    warnings: Vec<String>,
}

/// Runs the calls that `argument` names.
///
/// # Errors
///
/// If there is no such call, or the user's own settings cannot be used.
pub(super) fn run(
    command: &str,
    argument: &CommandArgument,
    token: Option<NumberOrString>,
    snapshot: &Snapshot,
    pending: &PendingRequest,
) -> Result<Value, Error> {
    let planned = wanted(snapshot, argument, command == RUN_AGAIN)?;
    let path = snapshot.uri.to_file_path().ok();
    let failed = |error: std::io::Error| failed(&shown(&error.to_string()));
    let settings = UserSettings::load_for(paths_of(&snapshot.folders), path.as_deref()).map_err(failed)?;
    let user = EditorUser {
        client: snapshot.peer.client.clone().filter(|_| snapshot.client.actions.show_message_request),
        store: TrustStore::of_user().map_err(failed)?,
        policy: settings.ask,
        asking: Arc::clone(&snapshot.runs.asking),
        folder: path.as_deref().and_then(|path| path.parent()).map(PathBuf::from),
        has_more: false,
        allows_all: false,
        refusal: None,
    };
    let run = snapshot.runs.begin(&snapshot.uri);
    let token = token.or_else(|| {
        let token = NumberOrString::String(format!("chatls/run/{}", run.id));
        (snapshot.client.progress && snapshot.peer.create_progress(&token)).then_some(token)
    });
    run.set_token(token.clone());
    let folder = argument.folder.as_ref().map(PathBuf::from);
    let mut command = RunCommand {
        snapshot,
        run,
        token,
        settings,
        folder,
        user: Some(user),
        is_ended: false,
        warnings: Vec::new(),
    };
    command.progress(json!({"kind": "begin", "title": "chatls", "cancellable": true}));
    let count = planned.len();
    let mut results = Vec::new();
    for (index, planned) in planned.into_iter().enumerate() {
        if let Some(user) = &mut command.user {
            user.has_more = index + 1 < count;
        }
        results.push(command.run_call(&planned, pending));
    }
    command.progress(json!({"kind": "end"}));
    command.warn();
    snapshot.documents.end_unused_servers();
    Ok(json!({"results": results}))
}

impl RunCommand<'_> {
    fn run_call(&mut self, planned: &PlannedCall, pending: &PendingRequest) -> RunResult {
        let result = self.result_of(planned, pending);
        let tool = shown(&cut(&planned.tool, 100));
        if let Some(reason) = &result.reason {
            self.warnings.push(match result.status {
                RunStatus::NotWritten => {
                    let text = result.text.as_deref().unwrap_or_default();
                    let text = shown(&cut(&redacted(text), LONGEST_SHOWN));
                    format!("the result of `{tool}` is not written: {reason}. It is: {text}")
                }
                _ => format!("`{tool}` was not run: {reason}"),
            });
        }
        // Whoever does not agree to one call does not want the rest.
        self.is_ended |= matches!(result.status, RunStatus::Refused | RunStatus::Cancelled);
        result
    }

    /// Shows the first warnings, and the number of the others.
    fn warn(&self) {
        let peer = &self.snapshot.peer;
        self.warnings.iter().take(MOST_WARNINGS).for_each(|warning| peer.show_warning(warning.clone()));
        let more = self.warnings.len().saturating_sub(MOST_WARNINGS);
        if more > 0 {
            peer.show_warning(format!(
                "{more} more calls were not run, or have results that are not written"
            ));
        }
    }

    fn result_of(&mut self, planned: &PlannedCall, pending: &PendingRequest) -> RunResult {
        let mut result = RunResult {
            tool_name: planned.tool.clone(),
            line: planned.line,
            status: RunStatus::NotRun,
            reason: None,
            text: None,
            is_error: false,
        };
        let ran = match self.is_ended {
            true => Err((RunStatus::Cancelled, None)),
            false => self.outcome_of(planned, pending, &mut result.line),
        };
        let (call, outcome) = match ran {
            Ok(ran) => ran,
            Err((status, reason)) => return RunResult { status, reason, ..result },
        };
        result.is_error = matches!(outcome, UseOutcome::Error(_));
        let written = write(self.snapshot, &call.tool, &call.anchor, &outcome, &mut result.line);
        match written {
            Writing::Written => RunResult { status: RunStatus::Written, ..result },
            Writing::Unchanged => RunResult { status: RunStatus::Unchanged, ..result },
            Writing::NotWritten(reason) => {
                let text = match outcome {
                    UseOutcome::Empty => String::new(),
                    UseOutcome::Output(output) => output.to_text(),
                    UseOutcome::Error(text) => text,
                };
                let (status, reason) = (RunStatus::NotWritten, Some(reason));
                RunResult { status, reason, text: Some(text), ..result }
            }
        }
    }

    /// Runs a call. The error is the status with the reason, for users.
    fn outcome_of(
        &mut self,
        planned: &PlannedCall,
        pending: &PendingRequest,
        line: &mut usize,
    ) -> Result<(ReadyCall, UseOutcome), (RunStatus, Option<String>)> {
        let not_run = |reason: &str| (RunStatus::NotRun, Some(reason.to_owned()));
        if self.run.is_cancelled() {
            return Err((RunStatus::Cancelled, None));
        }
        let newest = self.snapshot.documents.newest(&self.snapshot.uri);
        let Some(newest) = newest else {
            self.is_ended = true;
            return Err(not_run("the document was closed"));
        };
        let uses = newest.document.tool_uses();
        let index = planned.anchor.find_unchanged(&uses).map_err(|reason| not_run(&reason.to_string()))?;
        if let Some(tool_use) = uses.get(index) {
            *line = newest.document.text().line_of_byte(tool_use.range.start);
        }
        let call = ReadyCall::of(&newest.document, &uses, index);
        let call = call.map_err(|reason| not_run(&shown(&redacted(&reason))))?;
        let begun = self.run.begin_call(&call.anchor, |item| {
            item.line = *line;
            item.title = shown(&cut(&call.tool, 100));
            item.server = match &call.runner {
                CallRunner::Server(name) | CallRunner::Program(name) => Some(shown(name)),
                CallRunner::Preset(..) => None,
            };
        });
        if !begun {
            return Err(not_run("it is running already"));
        }
        self.progress(json!({"kind": "report", "message": shown(&cut(&call.tool, 100))}));
        let mut host = self.host(&newest, &call)?;
        let settings = Arc::clone(&newest.document.settings().run);
        let Some(mut user) = self.user.take() else { return Err(not_run("the run has ended")) };
        let (reporter, cancelled) = (self.reporter(), self.run.cancelled());
        let ready = call.clone();
        let work = async move {
            let ran = host.run(&ready, &settings, &mut user, reporter, cancelled).await;
            (ran, user)
        };
        let receiver = self.snapshot.runs.spawn(work).map_err(|error| not_run(&error.to_string()))?;
        let (ran, mut user) = loop {
            match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(done) => break done,
                Err(RecvTimeoutError::Timeout) if pending.is_wanted() => {}
                Err(RecvTimeoutError::Timeout) => self.run.cancel(),
                Err(RecvTimeoutError::Disconnected) => return Err((RunStatus::Cancelled, None)),
            }
        };
        let refusal = user.refusal.take();
        self.user = Some(user);
        match ran {
            Ok(outcome) => Ok((call, outcome)),
            Err(NotRun::Refused) => Err((RunStatus::Refused, refusal)),
            Err(NotRun::Impossible { .. }) if self.run.is_cancelled() => Err((RunStatus::Cancelled, None)),
            Err(NotRun::Impossible { reason, log }) => {
                let last = log.lines().rev().find(|line| !line.trim().is_empty()).map(shown);
                let last = last.map(|line| format!(" ({})", cut(&line, LONGEST_SHOWN)));
                Err(not_run(&format!("{}{}", shown(&reason), last.unwrap_or_default())))
            }
        }
    }

    /// The means to run `call`.
    fn host(&mut self, newest: &Snapshot, call: &ReadyCall) -> Result<ToolHost, (RunStatus, Option<String>)> {
        let mut host = ToolHost::new(Environment::of_process(), paths_of(&newest.folders));
        host.connections = Arc::clone(&newest.runs.connections);
        if let Some(address) = self.settings.charts.clone() {
            host.charts = Arc::new(HttpChartIndex { address });
        }
        if matches!(&call.runner, CallRunner::Preset(tool, _) if tool.needs_folder()) {
            host.folder = Some(preset_folder(newest, self.folder.as_deref(), &call.tool)?);
        }
        Ok(host)
    }

    /// Reports progress of the server to the client.
    fn reporter(&self) -> impl FnMut(Progress) + Send + 'static {
        let (outbox, token) = (Arc::clone(&self.snapshot.peer.outbox), self.token.clone());
        let item = self.run.reporter();
        move |progress| {
            let message = progress.message.unwrap_or_else(|| match progress.total {
                Some(total) => format!("{} / {total}", progress.done),
                None => progress.done.to_string(),
            });
            let message = shown(&cut(&redacted(&message), LONGEST_SHOWN));
            if item.report(&message)
                && let Some(token) = &token
            {
                let value = json!({"kind": "report", "message": message});
                outbox.send(&Notification::new("$/progress", json!({"token": token, "value": value})));
            }
        }
    }

    fn progress(&self, value: Value) {
        if let Some(token) = &self.token {
            let params = json!({"token": token, "value": value});
            self.snapshot.peer.outbox.send(&Notification::new("$/progress", params));
        }
    }
}
