//! `chatls.run` and `chatls.runAgain`: runs calls, and writes their results into the document.
//!
//! A result that cannot be written is returned, and shown in short.

mod editing;
mod editor_host;
mod placing;
pub mod pulling;
mod session;
pub mod turns;

use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use self::editor_host::EditorHost;
pub use self::placing::has_preset_folder;
use self::placing::wanted;
use self::session::{LONGEST_SHOWN, RunSession};
use super::{ExecuteCommandParams, servers};
use crate::call::UseOutcome;
use crate::features::refactorings::outcomes::CallAnchor;
use crate::lsp::conversions::command_arguments::{
    CANCEL_RUN, CONTINUE, PULL_TOOLS, REVOKE_CONSENT, RUN_AGAIN, SERVERS, STOP_SERVER,
};
use crate::lsp::peer::ClientPeer;
use crate::lsp::request::ActiveRequest;
use crate::lsp::runs::editor_user::shown;
use crate::lsp::wire::message::failed;
use crate::rules::secrets::redacted;
use crate::run::NotRun;
use crate::run::turns::{CallError, CallRuns, RanCall, WrittenCall};
use crate::text::cut;

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

/// Answers a command for running calls, or for servers and consents.
///
/// # Errors
///
/// The reason for the user, also in restricted mode.
pub(super) fn answer(params: &ExecuteCommandParams, request: &ActiveRequest<'_>) -> Result<Value, Error> {
    if !request.client.runs() {
        return Err(failed("nothing is run in the restricted mode of the editor"));
    }
    let ExecuteCommandParams { command, argument, .. } = params;
    let server = argument.server.as_deref().unwrap_or_default();
    match &**command {
        CANCEL_RUN => {
            request.runs.cancel(&request.uri, argument.id);
            Ok(Value::Null)
        }
        SERVERS => servers::list(request).map_err(|error| failed(&shown(&error.to_string()))),
        STOP_SERVER | REVOKE_CONSENT => servers::stop(request, server, command == REVOKE_CONSENT),
        PULL_TOOLS => pulling::pull(params, request),
        CONTINUE => turns::run(params, request),
        _ => run(params, request),
    }
}

/// Runs the calls that `params` name.
///
/// # Errors
///
/// If there is no such call, or the user's own settings cannot be used.
fn run(params: &ExecuteCommandParams, request: &ActiveRequest<'_>) -> Result<Value, Error> {
    let planned = wanted(request, &params.argument, params.command == RUN_AGAIN)?;
    let (session, mut user) = RunSession::begin(params, request)?;
    let mut tools = session.tools();
    let mut host = EditorHost::new(&session, &user);
    let cancellation = session.run.cancellation.clone();
    let work = async move {
        let (tools, user, host) = (&mut tools, &mut user, &mut host);
        let mut runs = CallRuns { tools, user, host, cancellation: &cancellation };
        let count = planned.len();
        let mut is_ended = false;
        let mut results = Vec::new();
        for (index, planned) in planned.into_iter().enumerate() {
            runs.user.has_more = index + 1 < count;
            let ran = match is_ended {
                true => RanCall { line: None, end: Err(CallError::Cancelled) },
                false => runs.run(&planned.anchor).await,
            };
            // A user who does not agree to one call does not want the rest.
            is_ended |= matches!(
                ran.end,
                Err(CallError::Cancelled | CallError::Document(_) | CallError::NotRun(NotRun::Refused))
            );
            results.push(RunResult::of(planned, ran, runs.user.refusal.take()));
        }
        results
    };
    let results = session.wait(work).unwrap_or_default();
    warn(&results, &request.peer);
    show_unchanged(&results, &request.peer);
    Ok(json!({"results": results}))
}

impl RunResult {
    /// The result of `planned`. `refusal` is the reason of a refusal that did not come from the
    /// user.
    fn of(planned: PlannedCall, ran: RanCall, refusal: Option<String>) -> Self {
        let result = Self {
            tool_name: planned.tool,
            line: ran.line.unwrap_or(planned.line),
            status: RunStatus::NotRun,
            reason: None,
            text: None,
            is_error: false,
        };
        match ran.end {
            Ok(WrittenCall { is_error, is_unchanged }) => {
                let status = if is_unchanged { RunStatus::Unchanged } else { RunStatus::Written };
                Self { status, is_error, ..result }
            }
            Err(CallError::Cancelled) => Self { status: RunStatus::Cancelled, ..result },
            Err(CallError::Document(reason)) => Self { reason: Some(reason), ..result },
            Err(CallError::Changed(reason)) => Self { reason: Some(reason.to_string()), ..result },
            Err(CallError::NotRun(NotRun::Refused)) => {
                Self { status: RunStatus::Refused, reason: refusal, ..result }
            }
            Err(CallError::NotRun(NotRun::Impossible { reason, log })) => {
                Self { reason: Some(with_log(&redacted(&reason), &log)), ..result }
            }
            Err(CallError::Unwritten { outcome, reason }) => Self {
                status: RunStatus::NotWritten,
                reason: Some(reason),
                text: Some(outcome.to_text()),
                is_error: matches!(outcome, UseOutcome::Error(_)),
                ..result
            },
        }
    }

    /// The reason for the user why the call was not run, or its result not written.
    fn warning(&self) -> Option<String> {
        let reason = self.reason.as_ref()?;
        let tool = shown(&cut(&self.tool_name, 100));
        Some(match &self.text {
            Some(text) => {
                let text = shown(&cut(&redacted(text), LONGEST_SHOWN));
                format!("the result of `{tool}` is not written: {reason}. It is: {text}")
            }
            None => format!("`{tool}` was not run: {reason}"),
        })
    }
}

/// Shows the first warnings, and the number of the others.
fn warn(results: &[RunResult], peer: &ClientPeer) {
    let mut warnings = results.iter().filter_map(RunResult::warning);
    warnings.by_ref().take(MOST_WARNINGS).for_each(|warning| peer.show_warning(warning));
    let more = warnings.count();
    if more > 0 {
        peer.show_warning(format!("{more} more calls were not run, or have results that are not written"));
    }
}

/// Reports the calls that ran but left the document unchanged.
fn show_unchanged(results: &[RunResult], peer: &ClientPeer) {
    let unchanged: Vec<_> = results.iter().filter(|it| it.status == RunStatus::Unchanged).collect();
    peer.show_message(match unchanged.as_slice() {
        [] => return,
        [one] => format!("Same result as before: `{}`", shown(&cut(&one.tool_name, 100))),
        several => format!("Same results as before: {} calls", several.len()),
    });
}

/// `reason`, with the last line of output from the server or program.
fn with_log(reason: &str, log: &str) -> String {
    let last = log.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map(|line| format!(" ({})", shown(&cut(&redacted(line), LONGEST_SHOWN))));
    format!("{}{}", shown(reason), last.unwrap_or_default())
}
