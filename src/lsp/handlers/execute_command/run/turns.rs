//! `chatls.continue`: asks the user's model for the next message, and writes it into the document
//! while it comes; with `turns`, runs its calls, and asks again.

use std::time::Duration;

use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use super::editor_host::EditorHost;
use super::session::{LONGEST_SHOWN, RunSession};
use super::with_log;
use crate::lsp::handlers::execute_command::ExecuteCommandParams;
use crate::lsp::request::ActiveRequest;
use crate::lsp::runs::editor_user::{EditorUser, shown};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::rules::secrets::redacted;
use crate::run::NotRun;
use crate::run::model::AnswerEnd;
use crate::run::preset::PresetTool;
use crate::run::turns::{Turns, TurnsEnd, TurnsError};
use crate::run::user_settings::UserSettings;
use crate::text::cut;

/// The interval between edits while an answer is streamed.
const BETWEEN_EDITS: Duration = Duration::from_millis(50);

/// Continues the conversation of the document.
///
/// # Errors
///
/// If the user's own settings cannot be used, or have no model, or the document is being continued.
pub(in crate::lsp::handlers::execute_command) fn run(
    params: &ExecuteCommandParams,
    request: &ActiveRequest<'_>,
) -> Result<Value, Error> {
    let (mut session, mut user) = RunSession::begin(params, request)?;
    let Some(model) = session.settings.model.take() else {
        let path = UserSettings::path().map(|path| format!(" (`{}`)", shown(&path.to_string_lossy())));
        let path = path.unwrap_or_default();
        return Err(failed(&format!("there is no model in your own settings.toml{path}")));
    };
    if !session.run.begin_turns() {
        return Err(failed("the document is being continued already"));
    }
    let turns = params.argument.turns;
    let mut tools = session.tools();
    if turns.is_some() && has_folder_tools(request) {
        let asked = session.wait(async move { (user.preset_folder().await, user) });
        let Some((folder, asked)) = asked else { return Ok(json!({"end": "cancelled"})) };
        user = asked;
        match folder {
            Ok(folder) => tools.folder = Some(folder),
            Err(NotRun::Impossible { reason, .. }) => return Err(failed(&reason)),
            Err(NotRun::Refused) => return Ok(json!({"end": "cancelled"})),
        }
    }
    let mut host = EditorHost::new(&session, &user);
    (host.title, host.address) = (format!("Answer of {}", shown(&model.name)), shown(&model.url));
    let cancellation = session.run.cancellation.clone();
    let (limits, environment) = (session.settings.limits.clone(), tools.environment.clone());
    let work = async move {
        let turn = Turns {
            model: &model,
            environment: &environment,
            limits: &limits,
            between_edits: BETWEEN_EDITS,
            cancellation: &cancellation,
        };
        let taken = turn.take(turns, &mut tools, &mut user, &mut host).await;
        (taken, user)
    };
    let Some((taken, user)) = session.wait(work) else { return Ok(json!({"end": "cancelled"})) };
    let text = match &taken {
        Err(TurnsError::AnswerUnwritten { text, .. }) => text.clone(),
        _ => String::new(),
    };
    let (end, reason) = end_of(taken, &user);
    let mut continued = json!({"end": end});
    if let Some(reason) = reason {
        let begins = shown(&cut(&redacted(text.trim()), LONGEST_SHOWN));
        let more = if begins.is_empty() { begins } else { format!(". It is: {begins}") };
        request.peer.show_warning(format!("the conversation is not continued: {reason}{more}"));
        continued["reason"] = reason.into();
    }
    if !text.is_empty() {
        continued["text"] = text.into();
    }
    Ok(continued)
}

/// True if presets of the document's configuration have tools that work in a folder.
fn has_folder_tools(snapshot: &Snapshot) -> bool {
    let tools = &snapshot.document.settings().registry.tools;
    tools
        .iter()
        .any(|(name, tool)| PresetTool::find(&tool.source, name).is_some_and(PresetTool::needs_folder))
}

/// The end on the wire, with the reason for the user.
fn end_of(taken: Result<TurnsEnd, TurnsError>, user: &EditorUser) -> (&'static str, Option<String>) {
    let error = match taken {
        Ok(TurnsEnd::Answered | TurnsEnd::CutOff(AnswerEnd::Complete)) => return ("answered", None),
        Ok(TurnsEnd::AllTurns) => return ("allTurns", None),
        Ok(TurnsEnd::CutOff(AnswerEnd::Empty)) => {
            return ("failed", Some("the answer of the model is empty".to_owned()));
        }
        Ok(TurnsEnd::CutOff(AnswerEnd::Length)) => {
            return ("cutOff", Some("the answer was cut off at the maximum number of tokens".to_owned()));
        }
        Ok(TurnsEnd::CutOff(AnswerEnd::Other(reason))) => {
            return ("cutOff", Some(format!("the answer was cut off: {}", shown(&reason))));
        }
        Err(error) => error,
    };
    let at = |line: usize, reason: &str| format!("line {}: {reason}", line + 1);
    let reason = match error {
        TurnsError::Cancelled => return ("cancelled", None),
        TurnsError::NotRun { reason: NotRun::Refused, .. } if user.refusal.is_none() => {
            return ("cancelled", None);
        }
        TurnsError::NotSent(reason) if reason.is_empty() => return ("cancelled", None),
        TurnsError::Document(reason) | TurnsError::NotSent(reason) => shown(&reason),
        TurnsError::AnswerUnwritten { reason, .. } => {
            format!("the answer is not written: {}", shown(&reason))
        }
        TurnsError::Pending(1) => "1 call has no result yet: run it first, or complete it".to_owned(),
        TurnsError::Pending(calls) => format!("{calls} calls have no result yet: run them first"),
        TurnsError::Model(error) => with_log(&redacted(&error.message), ""),
        TurnsError::NotRun { line, reason: NotRun::Refused } => {
            at(line, user.refusal.as_deref().unwrap_or_default())
        }
        TurnsError::NotRun { line, reason: NotRun::Impossible { reason, log } } => {
            at(line, &with_log(&redacted(&reason), &log))
        }
        TurnsError::Unwritten { line, reason } => at(line, &format!("the result is not written: {reason}")),
    };
    ("failed", Some(reason))
}
