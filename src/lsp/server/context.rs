//! The means of the main loop: its queue, the outbox, the pools.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::UnboundedSender;

use crate::lsp::request::{ActiveRequest, DocumentRequest, HandlerResult, RequestNeeds};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::state::ServerState;
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::wire::pending::PendingRequest;
use crate::lsp::workspace::pages::Pages;
use crate::lsp::workspace::settings::SettingsSource;

type EventWork = Box<dyn FnOnce(&mut ServerState, &LoopContext) + Send>;

/// One step of the main loop: a message of the client, or the end of work in a pool.
pub struct LoopEvent {
    /// The method of the message, or a name for the log.
    pub name: &'static str,
    run: EventWork,
    /// The place in the queue of a message, given back when the event has been handled.
    permit: Option<OwnedSemaphorePermit>,
}

impl LoopEvent {
    /// An event that is handled by `run`.
    pub fn new(
        name: &'static str,
        run: impl FnOnce(&mut ServerState, &LoopContext) + Send + 'static,
    ) -> Self {
        Self { name, run: Box::new(run), permit: None }
    }

    /// The same event, which holds `permit` until it has been handled.
    pub fn with_permit(self, permit: Option<OwnedSemaphorePermit>) -> Self {
        Self { permit, ..self }
    }

    /// Handles the event.
    pub fn handle(self, state: &mut ServerState, context: &LoopContext) {
        let Self { run, permit: _permit, .. } = self;
        run(state, context);
    }
}

/// The means of the main loop.
#[derive(Clone)]
pub struct LoopContext {
    /// The queue of the loop.
    pub events: Sender<LoopEvent>,
    /// The messages for the client.
    pub outbox: Arc<Outbox>,
    /// The pool for work on documents, and the tasks that wait for the client.
    pub runtime: Handle,
    /// The pool of request handlers.
    pub requests: Handle,
    /// The pool of request handlers that wait for the user.
    pub dialogs: Handle,
    /// The pool of request handlers that wait for tools.
    pub tools: Handle,
    /// The runs of calls.
    #[cfg(feature = "run")]
    pub runs: Arc<crate::lsp::runs::Runs>,
    /// The settings of documents.
    pub source: Arc<dyn SettingsSource>,
    /// The pages of codes.
    pub pages: Arc<Pages>,
    /// Ends the process, with an exit status.
    pub exit: UnboundedSender<u8>,
}

impl LoopContext {
    /// Queues an event. After the end of the loop it is dropped.
    pub fn send(
        &self,
        name: &'static str,
        run: impl FnOnce(&mut ServerState, &LoopContext) + Send + 'static,
    ) {
        drop(self.events.send(LoopEvent::new(name, run)));
    }

    /// Runs `work` in the pool, then `done` on the loop with its result; `None` after a panic.
    pub fn spawn<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
        done: impl FnOnce(&mut ServerState, &LoopContext, Option<T>) + Send + 'static,
    ) {
        let context = self.clone();
        self.runtime.spawn_blocking(move || {
            let _span = tracing::debug_span!("pool", work = name).entered();
            let result = catch_unwind(AssertUnwindSafe(work)).ok();
            context.send(name, move |state, context| done(state, context, result));
        });
    }

    /// Handles a request on a document in its pool.
    pub fn answer(&self, request: DocumentRequest, snapshot: Snapshot) {
        let DocumentRequest { method, uri, pending, work, needs } = request;
        let pool = match needs {
            RequestNeeds::User => &self.dialogs,
            RequestNeeds::Tools => &self.tools,
            _ => &self.requests,
        };
        answer_in(pool, pending, move |pending| {
            let _span = tracing::debug_span!("request", id = %pending.id, method, %uri).entered();
            work(&ActiveRequest { snapshot: &snapshot, pending })
        });
    }
}

/// Answers a request with the result of `work` in `pool`, unless it is cancelled before.
pub fn answer_in(
    pool: &Handle,
    pending: PendingRequest,
    work: impl FnOnce(&PendingRequest) -> HandlerResult + Send + 'static,
) {
    pool.spawn_blocking(move || {
        if pending.is_wanted() {
            pending.finish(work(&pending));
        }
    });
}
