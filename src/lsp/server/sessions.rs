//! `chatls/sessions` and `chatls/sessionText`: the sessions of agents on this machine
//! (docs/extensions.md). They are only read when a client asks.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use crate::config::clean;
use crate::features::export;
use crate::features::session_list::{document_of, session_rows};
use crate::lsp::request::HandlerResult;
use crate::lsp::server::context::{LoopContext, LoopEvent};
use crate::lsp::server::respond::send;
use crate::lsp::server::routes::EventBuilder;
use crate::lsp::wire::message::{failed, parse};
use crate::lsp::wire::pending::PendingRequest;
use crate::sessions::{NamedSession, Places, Session, named, sessions};

/// The method of [`list`].
pub const LIST: &str = "chatls/sessions";
/// The method of [`text`].
pub const TEXT: &str = "chatls/sessionText";

/// The default number of sessions.
const LIMIT: usize = 100;

#[derive(Default, Deserialize)]
#[serde(default)]
struct ListParams {
    folder: Option<PathBuf>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
struct TextParams {
    agent: String,
    id: String,
}

/// The newest sessions.
///
/// # Errors
///
/// `InvalidParams`
pub fn list(params: Option<Value>) -> Result<EventBuilder, Error> {
    let params: ListParams = params.map_or_else(|| Ok(ListParams::default()), |it| parse(Some(it)))?;
    Ok(in_pool(LIST, move |pending| {
        let all = sessions(&Places::of_process());
        let folder = params.folder.as_deref().map(clean);
        let wanted: Vec<&Session> = all.iter().collect();
        let rows = session_rows(&wanted, folder.as_deref(), params.limit.unwrap_or(LIMIT));
        let rows = rows.map_err(|error| failed(&error.to_string()))?;
        let rows: Vec<_> = rows.iter().map(|row| row.json()).collect();
        pending.response(json!({"sessions": rows}))
    }))
}

/// One session as Markdown without dialects.
///
/// # Errors
///
/// `InvalidParams`
pub fn text(params: Option<Value>) -> Result<EventBuilder, Error> {
    let TextParams { agent, id } = parse(params)?;
    Ok(in_pool(TEXT, move |pending| {
        let session = match named(&id, &Places::of_process()) {
            NamedSession::One(session) => Some(session).filter(|it| it.agent.name == agent),
            NamedSession::Several(sessions) => sessions.into_iter().find(|it| it.agent.name == agent),
            NamedSession::None => None,
        };
        let session = session.ok_or_else(|| failed("the session is gone"))?;
        let document = document_of(&session).map_err(|error| failed(&error.to_string()))?;
        pending.response(json!({"text": export::markdown(&document)}))
    }))
}

/// An event that answers a request in the pool.
fn in_pool(
    method: &'static str,
    work: impl FnOnce(&PendingRequest) -> HandlerResult + Send + 'static,
) -> EventBuilder {
    Box::new(move |pending| {
        LoopEvent::new(method, move |_, context: &LoopContext| {
            let outbox = Arc::clone(&context.outbox);
            context.requests.spawn_blocking(move || {
                if pending.is_wanted() {
                    send(&outbox, &pending, work(&pending));
                }
            });
        })
    })
}
