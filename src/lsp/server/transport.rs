//! The read loop: takes frames in wire order, answers bad ones, and passes on the others.
//!
//! A notification has been relayed before the next frame is read. Nothing here waits for the
//! client, and no frame and no panic ends the loop; only `exit` and the end of the stream do.

use std::io::Read;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use serde_json::Value;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::lsp::client_capabilities::read::SessionParams;
use crate::lsp::server::{
    BROKEN_OFF, DONE, LoopContext, LoopEvent, included, logs, notifications, routes, sessions,
    workspace_diagnostics,
};
use crate::lsp::server_capabilities::initialize_result;
use crate::lsp::wire::client_requests::ClientRequests;
use crate::lsp::wire::frames::{FrameError, Frames};
use crate::lsp::wire::message::{Answer, ClientMessage};
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::wire::pending::PendingRequests;
use crate::lsp::wire::session_phase::SessionPhase;
use crate::lsp::wire::{message, recover};

/// The maximum number of the client's messages in the queue of the main loop: more are not read
/// from stdin. Events of the server itself are bounded by the work in the pools.
const EVENTS_LIMIT: usize = 1024;

/// The requests on the workspace that LSP lacks.
const WORKSPACE_REQUESTS: [&str; 3] = [included::METHOD, sessions::LIST, sessions::TEXT];

/// Takes the messages of the client.
pub struct Transport {
    /// The server's own requests.
    requests: Arc<ClientRequests>,
    pending: PendingRequests,
    outbox: Arc<Outbox>,
    events: Sender<LoopEvent>,
    /// The free places in the queue of the main loop.
    slots: Arc<Semaphore>,
    runtime: Handle,
    phase: SessionPhase,
    testing: bool,
}

impl Transport {
    /// The read loop.
    pub fn new(context: &LoopContext, testing: bool) -> Self {
        Self {
            requests: Arc::new(ClientRequests::new(Arc::clone(&context.outbox))),
            pending: PendingRequests::new(Arc::clone(&context.outbox)),
            outbox: Arc::clone(&context.outbox),
            events: context.events.clone(),
            slots: Arc::new(Semaphore::new(EVENTS_LIMIT)),
            runtime: context.runtime.clone(),
            phase: SessionPhase::default(),
            testing,
        }
    }

    /// Reads `input` to the session's end; returns the exit status.
    pub fn run(mut self, input: impl Read) -> u8 {
        let mut frames = Frames::new(input);
        loop {
            match frames.next_frame() {
                Ok(Some(Ok(body))) => match ClientMessage::read(&body) {
                    Ok(message) => {
                        // It may be large, and the response may take a while.
                        drop(body);
                        if self.take(message).is_break() {
                            return if self.phase == SessionPhase::ShutDown { DONE } else { BROKEN_OFF };
                        }
                    }
                    Err(refusal) => {
                        let (id, error) = *refusal;
                        let mut bad = body.as_slice();
                        if error.code == ErrorCode::ParseError {
                            let (message, swallowed) =
                                bad.split_at(recover::swallowed_header(bad).unwrap_or(bad.len()));
                            frames.body_was_bad(swallowed);
                            bad = message;
                        }
                        if recover::is_change(bad) {
                            tracing::error!(
                                "a change of a document could not be read: its diagnostics may be wrong until \
                                 it is opened again"
                            );
                        }
                        self.refuse(id, error);
                    }
                },
                Ok(Some(Err(fault))) => {
                    let code = match fault {
                        FrameError::BodyTooLong => ErrorCode::InvalidRequest,
                        _ => ErrorCode::ParseError,
                    };
                    self.refuse(Id::Null, message::error(code, fault.message()));
                }
                Ok(None) => return BROKEN_OFF,
                Err(error) => {
                    tracing::error!(%error, "the client cannot be read from");
                    return BROKEN_OFF;
                }
            }
        }
    }

    /// Handles a message; `exit` ends the read loop.
    fn take(&mut self, message: ClientMessage) -> ControlFlow<()> {
        let (id, handled) = match message {
            ClientMessage::Request(_, request) | ClientMessage::Notification(request)
                if request.method() == "exit" =>
            {
                self.pending.drop_all();
                return ControlFlow::Break(());
            }
            ClientMessage::Request(id, request) => {
                tracing::debug!(%id, method = request.method(), "request");
                (Some(id.clone()), catch_unwind(AssertUnwindSafe(|| self.request(id, request))))
            }
            ClientMessage::Notification(request) => {
                tracing::debug!(method = request.method(), "notification");
                (None, catch_unwind(AssertUnwindSafe(|| self.notification(request))))
            }
            ClientMessage::Response(response) => {
                (None, catch_unwind(AssertUnwindSafe(|| self.requests.receive(response))))
            }
        };
        if let (Err(_), Some(id)) = (handled, id) {
            self.refuse(id, Error::internal_error());
        }
        ControlFlow::Continue(())
    }

    fn request(&mut self, id: Id, request: Request) {
        let (method, _, params) = request.into_parts();
        if let Err(error) = self.phase.allow(&method) {
            return self.refuse(id, error);
        }
        match &*method {
            "initialize" => self.initialize(id, params),
            "shutdown" => self.shutdown(&id),
            _ => match routes::request_event(&method, params, self.testing, &|| self.pending.begin(&id)) {
                Ok(event) => self.send(event),
                Err(error) => self.refuse(id, error),
            },
        }
    }

    /// Queues a message of the client; waits while the queue is full.
    fn send(&self, event: LoopEvent) {
        let permit = self.runtime.block_on(Arc::clone(&self.slots).acquire_owned()).ok();
        // After the end of the loop, the session ends, too.
        drop(self.events.send(event.with_permit(permit)));
    }

    fn initialize(&mut self, id: Id, params: Option<Value>) {
        logs::start_client_logging();
        let session = match SessionParams::of_request(params.as_ref()) {
            Ok(session) => session,
            Err(error) => return self.refuse(id, error),
        };
        let result = initialize_result(&session.capabilities, Some(&WORKSPACE_REQUESTS));
        self.phase = SessionPhase::Running;
        self.send(LoopEvent::new("initialize", |state, context| {
            notifications::initialize(state, context, session);
        }));
        self.outbox.send(&Answer::new(&id, result));
    }

    fn shutdown(&mut self, id: &Id) {
        self.send(LoopEvent::new("shutdown", |state, _| workspace_diagnostics::shut_down(state)));
        self.outbox.send(&Answer::new(id, Value::Null));
        self.phase = SessionPhase::ShutDown;
    }

    fn notification(&mut self, notification: Request) {
        if self.phase != SessionPhase::Running {
            return;
        }
        let (method, _, params) = notification.into_parts();
        match &*method {
            "$/cancelRequest" => self.cancel(params.as_ref()),
            "initialized" => {
                let client = Arc::clone(&self.requests);
                self.send(LoopEvent::new("initialized", |state, context| {
                    notifications::initialized(state, context, client);
                }));
            }
            _ => match routes::notification_event(&method, params) {
                Some(Ok(event)) => self.send(event),
                Some(Err(error)) => {
                    tracing::warn!(%method, %error, "invalid params: the notification is dropped");
                }
                None => {}
            },
        }
    }

    fn cancel(&self, params: Option<&Value>) {
        let id = params.and_then(|params| params.get("id")).cloned().map(serde_json::from_value::<Id>);
        if let Some(Ok(id)) = id
            && self.pending.cancel(&id)
        {
            self.refuse(id, Error::request_cancelled());
        }
    }

    fn refuse(&self, id: Id, error: Error) {
        self.outbox.send(&Response::from_error(id, error));
    }
}
