//! `chatls/sessions` and `chatls/sessionText`: the sessions of agents on this machine
//! (docs/extensions.md). They are only read when a client asks.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::json;

use crate::config::clean;
use crate::features::export;
use crate::features::session_list::{document_of, session_rows};
use crate::lsp::server::{LoopContext, answer_in};
use crate::lsp::state::ServerState;
use crate::lsp::wire::message::failed;
use crate::lsp::wire::pending::PendingRequest;
use crate::sessions::{NamedSession, Places, Session, named, sessions};

/// The method of [`list`].
pub const LIST: &str = "chatls/sessions";
/// The method of [`text`].
pub const TEXT: &str = "chatls/sessionText";

/// The default number of sessions.
const LIMIT: usize = 100;

/// The params of `chatls/sessions`.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ListParams {
    folder: Option<PathBuf>,
    limit: Option<usize>,
}

/// The params of `chatls/sessionText`.
#[derive(Deserialize)]
pub struct TextParams {
    agent: String,
    id: String,
}

/// The newest sessions.
pub fn list(_: &mut ServerState, context: &LoopContext, pending: PendingRequest, params: Option<ListParams>) {
    let params = params.unwrap_or_default();
    answer_in(&context.requests, pending, move |pending| {
        let all = sessions(&Places::of_process());
        let folder = params.folder.as_deref().map(clean);
        let wanted: Vec<&Session> = all.iter().collect();
        let rows = session_rows(&wanted, folder.as_deref(), params.limit.unwrap_or(LIMIT));
        let rows = rows.map_err(|error| failed(&error.to_string()))?;
        let rows: Vec<_> = rows.iter().map(|row| row.json()).collect();
        pending.response(json!({"sessions": rows}))
    });
}

/// One session as Markdown without dialects.
pub fn text(_: &mut ServerState, context: &LoopContext, pending: PendingRequest, params: TextParams) {
    let TextParams { agent, id } = params;
    answer_in(&context.requests, pending, move |pending| {
        let session = match named(&id, &Places::of_process()) {
            NamedSession::One(session) => Some(session).filter(|it| it.agent.name == agent),
            NamedSession::Several(sessions) => sessions.into_iter().find(|it| it.agent.name == agent),
            NamedSession::None => None,
        };
        let session = session.ok_or_else(|| failed("the session is gone"))?;
        let document = document_of(&session).map_err(|error| failed(&error.to_string()))?;
        pending.response(json!({"text": export::markdown(&document)}))
    });
}
