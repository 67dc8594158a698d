//! `chatls.run` and `chatls.runAgain`: runs calls, and writes their results into the document.
//!
//! A call is found again in the newest version before it runs and before its result is written.
//! What cannot be written is returned, and shown in short.

mod editing;
mod placing;
pub mod pulling;
mod session;
pub mod turns;
mod writing;

use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::NumberOrString;
use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

pub use self::placing::has_preset_folder;
use self::placing::{preset_folder, wanted};
use self::session::{LONGEST_SHOWN, RunSession};
use self::writing::{Writing, write};
use super::servers;
use crate::call::UseOutcome;
use crate::features::refactorings::outcomes::CallAnchor;
use crate::lsp::conversions::command_arguments::{
    CANCEL_RUN, CONTINUE, CommandArgument, PULL_TOOLS, REVOKE_CONSENT, RUN_AGAIN, SERVERS, STOP_SERVER,
};
use crate::lsp::runs::editor_user::shown;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;
use crate::rules::secrets::redacted;
use crate::run::{CallRunner, NotRun, ReadyCall};
use crate::text::abbreviate::cut;

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
    session: RunSession<'s>,
    folder: Option<PathBuf>,
    /// True if the rest of the calls is left out.
    is_ended: bool,
    /// The reasons for the user why calls were not run, or results not written.
    warnings: Vec<String>,
}

/// Answers a command for running calls, or for servers and consents.
///
/// # Errors
///
/// The reason for the user, also in restricted mode.
pub(super) fn answer(
    command: &str,
    argument: &CommandArgument,
    token: Option<NumberOrString>,
    snapshot: &Snapshot,
    pending: &PendingRequest,
) -> Result<Value, Error> {
    if !snapshot.client.runs() {
        return Err(failed("nothing is run in the restricted mode of the editor"));
    }
    let server = argument.server.as_deref().unwrap_or_default();
    match command {
        CANCEL_RUN => {
            snapshot.runs.cancel(&snapshot.uri, argument.id);
            Ok(Value::Null)
        }
        SERVERS => servers::list(snapshot).map_err(|error| failed(&shown(&error.to_string()))),
        STOP_SERVER | REVOKE_CONSENT => servers::stop(snapshot, server, command == REVOKE_CONSENT),
        PULL_TOOLS => pulling::pull(argument, token, snapshot, pending),
        CONTINUE => turns::run(argument, token, snapshot, pending),
        _ => run(command, argument, token, snapshot, pending),
    }
}

/// Runs the calls that `argument` names.
///
/// # Errors
///
/// If there is no such call, or the user's own settings cannot be used.
fn run(
    command: &str,
    argument: &CommandArgument,
    token: Option<NumberOrString>,
    snapshot: &Snapshot,
    pending: &PendingRequest,
) -> Result<Value, Error> {
    let planned = wanted(snapshot, argument, command == RUN_AGAIN)?;
    let session = RunSession::begin(snapshot, token)?;
    let folder = argument.folder.as_ref().map(PathBuf::from);
    let mut command = RunCommand { session, folder, is_ended: false, warnings: Vec::new() };
    let count = planned.len();
    let mut results = Vec::new();
    for (index, planned) in planned.into_iter().enumerate() {
        if let Some(user) = &mut command.session.user {
            user.has_more = index + 1 < count;
        }
        results.push(command.run_call(&planned, pending));
        command.session.run.reporter().end_call();
    }
    command.warn();
    command.say_unchanged(&results);
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
        let peer = &self.session.snapshot.peer;
        self.warnings.iter().take(MOST_WARNINGS).for_each(|warning| peer.show_warning(warning.clone()));
        let more = self.warnings.len().saturating_sub(MOST_WARNINGS);
        if more > 0 {
            peer.show_warning(format!(
                "{more} more calls were not run, or have results that are not written"
            ));
        }
    }

    /// Reports the calls that ran but left the document unchanged.
    fn say_unchanged(&self, results: &[RunResult]) {
        let unchanged: Vec<_> = results.iter().filter(|it| it.status == RunStatus::Unchanged).collect();
        let message = match unchanged.as_slice() {
            [] => return,
            [one] => format!("Same result as before: `{}`", shown(&cut(&one.tool_name, 100))),
            several => format!("Same results as before: {} calls", several.len()),
        };
        self.session.snapshot.peer.show_message(message);
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
        let RunSession { snapshot, run, .. } = &self.session;
        let (run, line) = (run.id, &mut result.line);
        let written = self
            .session
            .wait_here(pending, || write((snapshot, run), &call.tool, &call.anchor, &outcome, line));
        match written.unwrap_or_else(Writing::impossible) {
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
        let RunSession { snapshot, run, .. } = &self.session;
        if run.cancellation.is_cancelled() {
            return Err((RunStatus::Cancelled, None));
        }
        let ready = || -> Result<_, Option<String>> {
            let newest = snapshot.documents.newest(&snapshot.uri).ok_or(None)?;
            let uses = newest.document.tool_uses();
            let index = planned.anchor.find_unchanged(&uses).map_err(|reason| Some(reason.to_string()))?;
            let call = ReadyCall::of(&newest.document, &uses, index);
            let call = call.map_err(|reason| Some(shown(&redacted(&reason))))?;
            Ok((newest, uses, index, call))
        };
        let begun = ready().and_then(|(newest, uses, index, call)| {
            if let Some(tool_use) = uses.get(index) {
                *line = newest.document.text().line_of_byte(tool_use.range.start);
            }
            match run.reporter().begin_call((newest.version, *line), &call, &uses, index) {
                // Another run may have written its result since.
                Ok(()) => ready(),
                Err(reason) => Err(Some(reason.to_owned())),
            }
        });
        let (newest, _, _, call) = match begun {
            Ok(begun) => begun,
            Err(Some(reason)) => return Err(not_run(&reason)),
            Err(None) => {
                self.is_ended = true;
                return Err(not_run("the document was closed"));
            }
        };
        let call = call.with_obstacle(&newest.document);
        self.session.progress().message(&shown(&cut(&call.tool, 100)));
        let mut host = self.session.host();
        if matches!(&call.runner, CallRunner::Preset(tool, _) if tool.needs_folder()) {
            host.folder = Some(preset_folder(&self.session, pending, self.folder.as_deref())?);
        }
        let settings = Arc::clone(&newest.document.settings().run);
        let cancellation = run.cancellation.clone();
        let mut on_progress = self.session.server_progress();
        let user = self.session.user.take();
        let Some(mut user) = user else { return Err((RunStatus::Cancelled, None)) };
        let ready = call.clone();
        let work = async move {
            let cancelled = cancellation.cancelled();
            let report = |progress| on_progress(&progress);
            let ran = host.run(&ready, &settings, &mut user, report, cancelled).await;
            (ran, user)
        };
        let ran = self.session.wait(pending, work);
        let Some((ran, mut user)) = ran else { return Err((RunStatus::Cancelled, None)) };
        let refusal = user.refusal.take();
        self.session.user = Some(user);
        match ran {
            Ok(outcome) => Ok((call, outcome)),
            Err(NotRun::Refused) => Err((RunStatus::Refused, refusal)),
            Err(NotRun::Impossible { .. }) if self.session.run.cancellation.is_cancelled() => {
                Err((RunStatus::Cancelled, None))
            }
            Err(NotRun::Impossible { reason, log }) => Err(not_run(&with_log(&reason, &log))),
        }
    }
}

/// `reason`, with the last line of output from the server or program.
fn with_log(reason: &str, log: &str) -> String {
    let last = log.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map(|line| format!(" ({})", shown(&cut(&redacted(line), LONGEST_SHOWN))));
    format!("{}{}", shown(reason), last.unwrap_or_default())
}
