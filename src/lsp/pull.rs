//! `textDocument/diagnostic`: the set of an open document, for clients that ask; and the requests to ask again, for all that
//! settings change.
//!
//! A client that asks is never pushed the set of an open document. The sets of files that settings come from are pushed
//! to every client while such a file is not open, and are in no answer then.

use std::time::Duration;

use lsp_types::{TextDocumentIdentifier, Url};
use serde::Deserialize;
use serde_json::json;
use tower_lsp::jsonrpc::{Error, ErrorCode};

use super::convert::WireDiagnosticArray;
use super::frames::Frame;
use super::main_loop::{LoopContext, LoopEvent};
use super::message::Answer;
use super::publish;
use super::reports::DiagnosticReport;
use super::requests::RequestWork;
use super::state::ServerState;

/// How long a client may take to say that it asks again, before it is told so once more.
const PATIENCE: Duration = Duration::from_secs(10);

/// The params of `textDocument/diagnostic`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentDiagnosticParams {
    text_document: TextDocumentIdentifier,
    previous_result_id: Option<String>,
}

/// The work of `textDocument/diagnostic`.
pub fn document_diagnostic(params: DocumentDiagnosticParams) -> (Url, RequestWork) {
    let DocumentDiagnosticParams { text_document, previous_result_id } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let document = pending.is_wanted().then_some(&snapshot.document);
        let problems = document.map(|it| it.diagnostics()).unwrap_or_default();
        let parts = publish::parts(document, &problems, snapshot.file.as_deref());
        let report = DiagnosticReport::new(
            &WireDiagnosticArray { parts, view: snapshot.view() },
            Some(snapshot.state),
        )?;
        Frame::of(&Answer::new(&pending.id, report.since(previous_result_id.as_deref())))
    });
    (text_document.uri, work)
}

/// LSP 3.17, `DiagnosticServerCancellationData`: there is no set, and to ask again would not bring one.
pub fn server_cancelled(words: &str) -> Error {
    let data = Some(json!({"retriggerRequest": false}));
    Error { code: ErrorCode::ServerError(-32802), message: words.to_owned().into(), data }
}

/// Whether the client is to ask again for what it was told.
#[derive(Debug, Default)]
pub struct RefreshRequest {
    is_requested: bool,
    /// Whether the client is being told so.
    in_flight: bool,
}

impl RefreshRequest {
    /// Has the client ask again.
    pub fn request(&mut self) {
        self.is_requested = true;
    }
}

/// Tells the client to ask again, if it should and can.
pub fn refresh(state: &mut ServerState, context: &LoopContext) {
    let Some(client) =
        state.lsp_client.clone().filter(|_| state.refresh.is_requested && !state.refresh.in_flight)
    else {
        return;
    };
    state.refresh.is_requested = false;
    let takes = state.client;
    let diagnostics = takes.diagnostics.pulls && takes.diagnostics.refreshes;
    let (tokens, hints) = (takes.tokens.refreshes, takes.hints.refreshes);
    if !(diagnostics || tokens || hints) {
        return;
    }
    state.refresh.in_flight = true;
    let events = context.events.clone();
    context.runtime.spawn(async move {
        tokio::join!(
            send_refresh("diagnostics", diagnostics, client.workspace_diagnostic_refresh()),
            send_refresh("semantic tokens", tokens, client.semantic_tokens_refresh()),
            send_refresh("inlay hints", hints, client.inlay_hint_refresh()),
        );
        // Where the loop has ended, so has the session.
        drop(events.send(LoopEvent::Refreshed));
    });
}

/// Tells the client to ask for `what` again, if it is to be told.
async fn send_refresh(what: &str, is_told: bool, telling: impl Future<Output = Result<(), Error>>) {
    if is_told && let Ok(Err(error)) = tokio::time::timeout(PATIENCE, telling).await {
        tracing::warn!(%error, what, "the client refuses to ask again");
    }
}

/// The client has answered.
pub fn refresh_sent(state: &mut ServerState) {
    state.refresh.in_flight = false;
}
