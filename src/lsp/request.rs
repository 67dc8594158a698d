//! Requests on a document: one trait for all of them, and the form in which they are queued.

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::announced_capabilities::AnnouncedCapabilities;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::parse;
use crate::lsp::wire::pending::PendingRequest;
use lsp_types::Url;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

/// Handles one request of LSP or of chatls that is about a document.
///
/// The main loop takes the snapshot in the request's turn; the handler runs in the pool of
/// requests. Whatever happens there, the request is answered exactly once.
pub trait RequestHandler: 'static {
    /// The method of the request.
    const METHOD: &'static str;
    /// The data that the request needs besides its document.
    const NEEDS: RequestNeeds = RequestNeeds::Document;
    /// The params of the request, as far as they are used.
    type Params: DeserializeOwned + Send + 'static;

    /// The document that the request is about.
    fn document(params: &Self::Params) -> &Url;

    /// The data that the request needs besides its document, if that depends on the params.
    fn needs(_params: &Self::Params) -> RequestNeeds {
        Self::NEEDS
    }

    /// Adds the capability of the server that belongs to the request.
    fn announce(_capabilities: &mut AnnouncedCapabilities, _client: &SessionCapabilities) {}

    /// The response to the request. It is dropped if the request was canceled meanwhile; long work
    /// checks [`PendingRequest::is_wanted`].
    ///
    /// # Errors
    ///
    /// The error that the client receives instead of a result.
    fn handle(params: Self::Params, snapshot: &Snapshot, request: &PendingRequest) -> HandlerResult;
}

/// A request handler in the list of all.
#[derive(Clone, Copy)]
pub struct Route {
    /// [`RequestHandler::METHOD`]
    pub method: &'static str,
    /// Parses the params of the request.
    pub parse: fn(Option<Value>) -> Result<RequestBuilder, Error>,
    /// [`RequestHandler::announce`]
    pub announce: fn(&mut AnnouncedCapabilities, &SessionCapabilities),
}

/// Builds a request whose params are valid.
pub type RequestBuilder = Box<dyn FnOnce(PendingRequest) -> DocumentRequest>;

impl Route {
    /// The route to the handler `H`.
    pub const fn to<H: RequestHandler>() -> Self {
        Self {
            method: H::METHOD,
            parse: |params| {
                let params: H::Params = parse(params)?;
                Ok(Box::new(|pending| DocumentRequest::new::<H>(params, pending)))
            },
            announce: H::announce,
        }
    }
}

/// The data that a request needs besides its document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RequestNeeds {
    /// The document alone.
    #[default]
    Document,
    /// The other open documents, too.
    OtherDocuments,
    /// The document, or a configuration file that is not open: its diagnostics are pushed.
    ConfigFiles,
    /// The document. Clients pull diagnostics on their own, so a missing document cancels the
    /// request.
    Diagnostics,
    /// The document, and answers of the user: it may wait for minutes.
    User,
    /// The document, and the results of tools: it may wait for many minutes.
    Tools,
    /// The session; the document may be closed.
    Session,
}

/// A serialized response, or the error instead of one.
pub type HandlerResult = Result<Frame, HandlerError>;

/// The error of a handler.
#[derive(Debug)]
pub enum HandlerError {
    /// An error response.
    Response(Error),
    /// A result that cannot be serialized; the client receives `InternalError`.
    Serialization(serde_json::Error),
}

impl From<Error> for HandlerError {
    fn from(error: Error) -> Self {
        Self::Response(error)
    }
}

impl From<serde_json::Error> for HandlerError {
    fn from(error: serde_json::Error) -> Self {
        Self::Serialization(error)
    }
}

/// A request on a document, in the queue of the main loop.
pub struct DocumentRequest {
    /// The method, for the log.
    pub method: &'static str,
    /// The document.
    pub uri: Url,
    /// The request's id and state.
    pub pending: PendingRequest,
    /// The handler with its params.
    pub work: RequestWork,
    /// The data that the handler needs besides the document.
    pub needs: RequestNeeds,
}

/// A handler with its params.
pub type RequestWork = Box<dyn FnOnce(&Snapshot, &PendingRequest) -> HandlerResult + Send>;

impl DocumentRequest {
    /// The request of the handler `H` with `params`.
    pub fn new<H: RequestHandler>(params: H::Params, pending: PendingRequest) -> Self {
        Self {
            method: H::METHOD,
            uri: H::document(&params).clone(),
            pending,
            needs: H::needs(&params),
            work: Box::new(move |snapshot, pending| H::handle(params, snapshot, pending)),
        }
    }
}

/// An item that the client sends back to have it resolved.
pub struct ResolveParams<D> {
    /// The item with all its members.
    pub item: Value,
    /// Its `data`, from the server's earlier response.
    pub data: D,
}

impl<'de, D: DeserializeOwned> Deserialize<'de> for ResolveParams<D> {
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        let item = Value::deserialize(deserializer)?;
        let data = D::deserialize(&item["data"]).map_err(serde::de::Error::custom)?;
        Ok(Self { item, data })
    }
}
