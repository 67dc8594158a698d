//! `chatls.pullTools`: asks a server for its tools, after the user's consent, and keeps their list.

use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use super::session::RunSession;
use super::with_log;
use crate::lsp::handlers::execute_command::ExecuteCommandParams;
use crate::lsp::request::ActiveRequest;
use crate::lsp::runs::editor_user::shown;
use crate::lsp::wire::message::failed;
use crate::prose::counted;
use crate::run::{NotRun, RunnerKind, known_runners};

/// Asks the server that `argument` names. The result is `null` if the user does not agree.
///
/// # Errors
///
/// The reason why there is no list, for users.
pub(in super::super) fn pull(
    params: &ExecuteCommandParams,
    request: &ActiveRequest<'_>,
) -> Result<Value, Error> {
    let wanted = params.argument.server.as_deref().unwrap_or_default();
    let settings = std::sync::Arc::clone(&request.document.settings().run);
    let (session, mut user) = RunSession::begin(params, request)?;
    let tools = session.tools();
    let is_wanted = |it: &crate::run::KnownRunner| {
        let hash = it.subject.as_ref().map(|subject| subject.hash());
        it.kind == RunnerKind::Server && (it.name == wanted || hash.is_ok_and(|hash| hash.as_str() == wanted))
    };
    let runners = known_runners(&settings, &tools.workspace, &tools.environment);
    let Some(runner) = runners.into_iter().find(is_wanted) else {
        return Err(failed(&format!("there is no server `{}`", shown(wanted))));
    };
    let name = runner.name;
    session.progress.message(&shown(&format!("Tools of {name}")));
    let (cancellation, asked) = (session.run.cancellation.clone(), name.clone());
    let work = async move {
        let pulled = tools.pull_tools(&asked, &settings, &mut user, cancellation.cancelled()).await;
        (pulled, user.refusal)
    };
    let Some((pulled, refusal)) = session.wait(work) else { return Ok(Value::Null) };
    match pulled {
        Ok(count) => {
            request.documents.settings_changed();
            request.peer.show_message(format!("`{}` has {}", shown(&name), counted(count, "tool")));
            Ok(json!({"server": name, "tools": count}))
        }
        Err(NotRun::Refused) => match refusal {
            Some(reason) => Err(failed(&reason)),
            None => Ok(Value::Null),
        },
        Err(NotRun::Impossible { reason, log }) => Err(failed(&with_log(&reason, &log))),
    }
}
