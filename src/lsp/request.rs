//! Requests on a document: what a handler gets, its route, and the form in which requests are
//! queued.

use crate::lsp::conversions::locations::DocumentParams;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::DocumentUri;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::json_writer::JsonWriter;
use crate::lsp::wire::message::parse;
use crate::lsp::wire::pending::PendingRequest;
use lsp_types::Url;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::ops::Deref;
use tower_lsp::jsonrpc::Error;

/// A request in the hands of its handler: the snapshot, and the response that is to be sent.
pub struct ActiveRequest<'a> {
    /// The data of the request, as it was in the request's turn.
    pub snapshot: &'a Snapshot,
    /// The request's id and state.
    pub pending: &'a PendingRequest,
}

impl Deref for ActiveRequest<'_> {
    type Target = Snapshot;

    fn deref(&self) -> &Snapshot {
        self.snapshot
    }
}

impl ActiveRequest<'_> {
    /// The response with `result`.
    ///
    /// # Errors
    ///
    /// `InternalError` if `result` cannot be serialized.
    pub fn respond(&self, result: impl Serialize) -> HandlerResult {
        self.pending.response(result)
    }

    /// The response with the result that `write` writes, for results of many small objects.
    ///
    /// # Errors
    ///
    /// `InternalError` for the errors of `write`.
    pub fn respond_written(
        &self,
        write: impl FnOnce(&mut JsonWriter<'_>) -> serde_json::Result<()>,
    ) -> HandlerResult {
        self.pending.written_response(write)
    }

    /// See [`PendingRequest::is_wanted`].
    pub fn is_wanted(&self) -> bool {
        self.pending.is_wanted()
    }
}

/// Handles one request of LSP or of chatls that is about a document.
///
/// The main loop takes the snapshot in the request's turn; the handler runs in a pool. Whatever
/// happens there, the request is answered exactly once. The response is dropped if the request was
/// canceled meanwhile; long work checks [`ActiveRequest::is_wanted`].
///
/// `P`: the params of the request besides its document, as far as they are used.
pub type Handler<P> = fn(P, &ActiveRequest<'_>) -> HandlerResult;

/// A request handler in the list of all.
pub struct Route {
    /// The method of the request.
    pub method: &'static str,
    /// The document that the request is about, in its params.
    document: fn(&Value) -> serde_json::Result<Url>,
    /// The data that the request needs besides its document, by its params.
    needs: fn(&Value) -> RequestNeeds,
    /// Parses the params.
    work: Box<dyn Fn(Value) -> Result<RequestWork, Error> + Send + Sync>,
}

impl Route {
    /// The route of a request with a `textDocument`.
    pub fn on<P: DeserializeOwned + Send + 'static>(method: &'static str, handle: Handler<P>) -> Self {
        Self {
            method,
            document: |params| Ok(DocumentParams::deserialize(params)?.text_document.uri),
            needs: |_| RequestNeeds::Document,
            work: Box::new(move |params| {
                let params: P = parse(Some(params))?;
                Ok(Box::new(move |request| handle(params, request)))
            }),
        }
    }

    /// The route of a request that resolves an item of an earlier response.
    pub fn resolving<D: DeserializeOwned + Send + 'static>(
        method: &'static str,
        handle: Handler<ResolveParams<D>>,
    ) -> Self {
        Self { document: |item| url_in(&item["data"]), ..Self::on(method, handle) }
    }

    /// The route of commands, whose argument names the document.
    pub fn commands<P: DeserializeOwned + Send + 'static>(method: &'static str, handle: Handler<P>) -> Self {
        Self { document: |params| url_in(&params["arguments"][0]), ..Self::on(method, handle) }
    }

    /// The same route, for a handler that needs further data.
    pub fn needs(self, needs: fn(&Value) -> RequestNeeds) -> Self {
        Self { needs, ..self }
    }

    /// The handler with `params`.
    ///
    /// # Errors
    ///
    /// `InvalidParams`
    #[cfg(not(feature = "run"))]
    pub fn work(&self, params: Value) -> Result<RequestWork, Error> {
        (self.work)(params)
    }

    /// Parses a request with `params`, and then takes it in by `begin`.
    ///
    /// # Errors
    ///
    /// `InvalidParams`, and the errors of `begin`.
    pub fn request(
        &self,
        params: Option<Value>,
        begin: &dyn Fn() -> Result<PendingRequest, Error>,
    ) -> Result<DocumentRequest, Error> {
        let params = params.unwrap_or_default();
        let (method, needs) = (self.method, (self.needs)(&params));
        let uri = (self.document)(&params);
        let work = (self.work)(params)?;
        let uri = uri.map_err(|error| Error::invalid_params(error.to_string()))?;
        Ok(DocumentRequest { method, uri, pending: begin()?, work, needs })
    }
}

/// The document that the member `uri` names.
fn url_in(object: &Value) -> serde_json::Result<Url> {
    Ok(DocumentUri::deserialize(&object["uri"])?.deref().clone())
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
pub type HandlerResult = Result<Frame, Error>;

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
pub type RequestWork = Box<dyn FnOnce(&ActiveRequest<'_>) -> HandlerResult + Send>;

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
