//! The read loop: takes frames in wire order, answers bad ones, and drives the service.
//!
//! A notification has been relayed before the next frame is read. Nothing here waits for the
//! client, and no frame and no panic ends the loop; only `exit` and the end of the stream do.

use std::io::Read;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use futures_util::{SinkExt, StreamExt};
use lsp_types::{InitializeParams, InitializeResult};
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp::{Client, ClientSocket, LanguageServer, Loopback, LspService};

use crate::lsp::client_capabilities::read::SessionParams;
use crate::lsp::server::context::{LoopContext, LoopEvent};
use crate::lsp::server::{
    BROKEN_OFF, DONE, included, logs, notifications, routes, sessions, workspace_diagnostics,
};
use crate::lsp::server_capabilities::initialize_result;
use crate::lsp::wire::frames::{FrameError, Frames};
use crate::lsp::wire::message::ClientMessage;
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::wire::pending::PendingRequests;
use crate::lsp::wire::{message, recover};

/// The halves of the service's own connection to the client; tower-lsp does not export their names.
type RequestStream = <ClientSocket as Loopback>::RequestStream;
type ResponseSink = <ClientSocket as Loopback>::ResponseSink;

/// The maximum number of the client's messages in the queue of the main loop: more are not read
/// from stdin. Events of the server itself are bounded by the work in the pools.
const EVENTS_LIMIT: usize = 1024;

/// The requests on the workspace that LSP lacks.
const WORKSPACE_REQUESTS: [&str; 3] = [included::METHOD, sessions::LIST, sessions::TEXT];

/// Drives the service with the messages of the client.
pub struct Transport {
    service: LspService<Handshake>,
    responses: ResponseSink,
    pending: PendingRequests,
    outbox: Arc<Outbox>,
    events: Sender<LoopEvent>,
    /// The free places in the queue of the main loop.
    slots: Arc<Semaphore>,
    runtime: Handle,
    phase: SessionPhase,
    testing: bool,
}

/// The part of tower-lsp in use: it tracks the handshake, which its `Client` depends on, and matches
/// the responses to the server's own requests. The transport answers everything but the handshake.
struct Handshake {
    /// Sends requests to the client.
    client: Client,
}

#[tower_lsp::async_trait]
impl LanguageServer for Handshake {
    async fn initialize(&self, _: InitializeParams) -> tower_lsp::jsonrpc::Result<InitializeResult> {
        Ok(InitializeResult::default())
    }

    async fn shutdown(&self) -> tower_lsp::jsonrpc::Result<()> {
        Ok(())
    }
}

/// The phase of the session; tower-lsp does not expose its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SessionPhase {
    Uninitialized,
    Running,
    ShutDown,
}

impl Transport {
    /// The read loop, and what sends the server's own requests to the client.
    pub fn new(context: &LoopContext, testing: bool) -> (Self, impl Future<Output = ()> + Send + 'static) {
        let (service, socket) = LspService::new(|client| Handshake { client });
        let (requests, responses) = socket.split();
        let transport = Self {
            service,
            responses,
            pending: PendingRequests::new(Arc::clone(&context.outbox)),
            outbox: Arc::clone(&context.outbox),
            events: context.events.clone(),
            slots: Arc::new(Semaphore::new(EVENTS_LIMIT)),
            runtime: context.runtime.clone(),
            phase: SessionPhase::Uninitialized,
            testing,
        };
        (transport, forward(requests, Arc::clone(&context.outbox)))
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
                (None, catch_unwind(AssertUnwindSafe(|| self.response(response))))
            }
        };
        if let (Err(_), Some(id)) = (handled, id) {
            self.refuse(id, Error::internal_error());
        }
        ControlFlow::Continue(())
    }

    fn request(&mut self, id: Id, request: Request) {
        let (method, _, params) = request.into_parts();
        match self.phase {
            SessionPhase::Running if method == "shutdown" => return self.shutdown(id),
            SessionPhase::Running if method == "initialize" => {
                return self.refuse(id, Error::invalid_request());
            }
            SessionPhase::Running => {}
            SessionPhase::Uninitialized if method == "initialize" => return self.initialize(id, params),
            SessionPhase::Uninitialized => return self.refuse(id, message::not_initialized()),
            SessionPhase::ShutDown => {
                return self.refuse(id, message::error(ErrorCode::InvalidRequest, "shut down"));
            }
        }
        match routes::request_event(&method, params, self.testing, &|| self.pending.begin(&id)) {
            Ok(event) => self.send(event),
            Err(error) => self.refuse(id, error),
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
        let Some(params) = params.filter(Value::is_object) else {
            return self.refuse(id, Error::invalid_params("the params of `initialize` must be an object"));
        };
        let session = SessionParams::read(&params);
        let result =
            serde_json::to_value(initialize_result(&session.capabilities, Some(&WORKSPACE_REQUESTS)))
                .unwrap_or_default();
        let minimal = json!({"processId": null, "capabilities": {}});
        let handshake = Request::build("initialize").id(id.clone()).params(minimal).finish();
        let response = match self.call_service(handshake) {
            Ok(()) => {
                self.phase = SessionPhase::Running;
                self.send(LoopEvent::new("initialize", |state, context| {
                    notifications::initialize(state, context, session);
                }));
                Response::from_ok(id, result)
            }
            Err(error) => Response::from_error(id, error),
        };
        self.outbox.send(&response);
    }

    fn shutdown(&mut self, id: Id) {
        let response = match self.call_service(Request::build("shutdown").id(id.clone()).finish()) {
            Ok(()) => Response::from_ok(id, Value::Null),
            Err(error) => Response::from_error(id, error),
        };
        self.send(LoopEvent::new("shutdown", |state, _| workspace_diagnostics::shut_down(state)));
        self.outbox.send(&response);
        self.phase = SessionPhase::ShutDown;
    }

    /// Passes a request of the handshake through the service, which completes it at once.
    fn call_service(&mut self, request: Request) -> Result<(), Error> {
        let response = self.runtime.block_on(self.service.call(request));
        let response = response.ok().flatten().ok_or_else(Error::internal_error)?;
        response.into_parts().1.map(drop)
    }

    fn notification(&mut self, notification: Request) {
        if self.phase != SessionPhase::Running {
            return;
        }
        let (method, _, params) = notification.into_parts();
        match &*method {
            "$/cancelRequest" => self.cancel(params.as_ref()),
            "initialized" => {
                let client = self.service.inner().client.clone();
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

    fn response(&mut self, response: Response) {
        // The sink takes everything at once; it fails only after `exit`.
        drop(self.runtime.block_on(self.responses.send(response)));
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

async fn forward(mut requests: RequestStream, outbox: Arc<Outbox>) {
    while let Some(request) = requests.next().await {
        outbox.send(&request);
    }
}
