//! `chatls.pullTools`: asks a server for its tools, after the user's consent, and keeps their list.

use lsp_types::NumberOrString;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use super::session::RunSession;
use super::with_log;
use crate::lsp::conversions::command_arguments::CommandArgument;
use crate::lsp::runs::editor_user::shown;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;
use crate::prose::counted;
use crate::run::{NotRun, RunnerKind, known_runners};

/// Asks the server that `argument` names. The result is `null` if the user does not agree.
///
/// # Errors
///
/// The reason why there is no list, for users.
pub(in super::super) fn pull(
    argument: &CommandArgument,
    token: Option<NumberOrString>,
    snapshot: &Snapshot,
    pending: &PendingRequest,
) -> Result<Value, Error> {
    let wanted = argument.server.as_deref().unwrap_or_default();
    let settings = std::sync::Arc::clone(&snapshot.document.settings().run);
    let mut session = RunSession::begin(snapshot, token)?;
    let host = session.host();
    let is_wanted = |it: &crate::run::KnownRunner| {
        let hash = it.subject.as_ref().map(|subject| subject.hash());
        it.kind == RunnerKind::Server && (it.name == wanted || hash.is_ok_and(|hash| hash.as_str() == wanted))
    };
    let runners = known_runners(&settings, &host.workspace, &host.environment);
    let Some(runner) = runners.into_iter().find(is_wanted) else {
        return Err(failed(&format!("there is no server `{}`", shown(wanted))));
    };
    let name = runner.name;
    session.progress().message(&shown(&format!("Tools of {name}")));
    let Some(mut user) = session.user.take() else { return Ok(Value::Null) };
    let (cancellation, asked) = (session.run.cancellation.clone(), name.clone());
    let work = async move {
        let pulled = host.pull_tools(&asked, &settings, &mut user, cancellation.cancelled()).await;
        (pulled, user.refusal)
    };
    let Some((pulled, refusal)) = session.wait(pending, work) else { return Ok(Value::Null) };
    match pulled {
        Ok(tools) => {
            snapshot.documents.settings_changed();
            snapshot.peer.show_message(format!("`{}` has {}", shown(&name), counted(tools, "tool")));
            Ok(json!({"server": name, "tools": tools}))
        }
        Err(NotRun::Refused) => match refusal {
            Some(reason) => Err(failed(&reason)),
            None => Ok(Value::Null),
        },
        Err(NotRun::Impossible { reason, log }) => Err(failed(&with_log(&reason, &log))),
    }
}
