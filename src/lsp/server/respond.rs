//! Sends responses to document requests.

use crate::lsp::server::context::LoopContext;
use crate::lsp::snapshot::{DocumentRequest, Snapshot};
use crate::lsp::wire::pending::PendingRequest;
use std::sync::Arc;
use tower_lsp::jsonrpc::{Error, Response};

/// Answers a query from what `snapshot` makes, in the requests' pool.
pub fn answer(
    context: &LoopContext,
    query: DocumentRequest,
    snapshot: impl FnOnce() -> Snapshot + Send + 'static,
) {
    let outbox = Arc::clone(&context.outbox);
    context.requests.spawn_blocking(move || {
        let DocumentRequest { pending, work, .. } = query;
        if !pending.is_wanted() {
            return;
        }
        match work(&snapshot(), &pending) {
            Ok(frame) if pending.respond() => outbox.send_frame(frame),
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "an answer cannot be serialized"),
        }
    });
}

/// Answers a query with an error.
pub fn refuse(context: &LoopContext, pending: &PendingRequest, error: Error) {
    if pending.respond() {
        context.outbox.send(&Response::from_error(pending.id.clone(), error));
    }
}
