//! The main loop: the only owner of the state. It handles events in the order of the queue and
//! never waits: not for the client, not for a pool, not for files.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

use crate::lsp::server::{
    LoopContext, LoopEvent, documents, included, publish, refresh, workspace_diagnostics, workspace_symbols,
};
use crate::lsp::state::{PanicPoint, ServerState};

/// The maximum number of events before diagnostics are computed, for clients that never pause.
const BATCH: usize = 64;

/// Handles events until all senders are gone.
#[expect(clippy::needless_pass_by_value, reason = "the loop owns its state and its means")]
pub fn run(context: LoopContext, events: &Receiver<LoopEvent>) {
    let mut state = ServerState::default();
    while let Ok(event) = events.recv() {
        for event in std::iter::once(event).chain(events.try_iter()).take(BATCH) {
            let _span = tracing::debug_span!("event", name = event.name).entered();
            let name = event.name;
            if catch_unwind(AssertUnwindSafe(|| event.handle(&mut state, &context))).is_err() {
                tracing::error!(name, "an event was dropped");
            }
        }
        assert!(!state.panics_at(PanicPoint::Loop), "requested by a test");
        included::report_change(&mut state, &context);
        publish::publish_closed_files(&mut state, &context);
        documents::resolve_settings(&mut state, &context);
        publish::compute_dirty(&mut state, &context);
        refresh::refresh(&mut state, &context);
        workspace_diagnostics::scan(&mut state, &context);
        workspace_symbols::answer(&mut state, &context);
    }
}

#[cfg(test)]
mod tests;
