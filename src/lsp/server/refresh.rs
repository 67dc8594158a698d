//! Refresh requests to the client (`workspace/diagnostic/refresh` and the like).

use std::time::Duration;

use lsp_types::request::{
    InlayHintRefreshRequest, Request as _, SemanticTokensRefresh, WorkspaceDiagnosticRefresh,
};
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use crate::lsp::server::LoopContext;
use crate::lsp::state::ServerState;

/// The time after which a refresh without a response may be repeated.
const PATIENCE: Duration = Duration::from_secs(10);

/// Sends the requested refresh, if the client supports it.
pub fn refresh(state: &mut ServerState, context: &LoopContext) {
    let Some(client) =
        state.lsp_client.clone().filter(|_| state.refresh.is_requested && !state.refresh.in_flight)
    else {
        return;
    };
    state.refresh.is_requested = false;
    let takes = state.client;
    let diagnostics = takes.diagnostics.pulls && takes.diagnostics.refreshes;
    let (tokens, hints) = (takes.tokens.refreshes, takes.refreshes_hints);
    if !(diagnostics || tokens || hints) {
        return;
    }
    state.refresh.in_flight = true;
    let context = context.clone();
    context.runtime.clone().spawn(async move {
        tokio::join!(
            send_refresh(
                "diagnostics",
                diagnostics,
                client.send(WorkspaceDiagnosticRefresh::METHOD, Value::Null)
            ),
            send_refresh("semantic tokens", tokens, client.send(SemanticTokensRefresh::METHOD, Value::Null)),
            send_refresh("inlay hints", hints, client.send(InlayHintRefreshRequest::METHOD, Value::Null)),
        );
        context.send("refreshed", |state, _| state.refresh.in_flight = false);
    });
}

/// Sends a refresh request for `what`, if it is due.
async fn send_refresh(what: &str, is_due: bool, request: impl Future<Output = Result<(), Error>>) {
    if is_due && let Ok(Err(error)) = tokio::time::timeout(PATIENCE, request).await {
        tracing::warn!(%error, what, "the client rejected a refresh");
    }
}
