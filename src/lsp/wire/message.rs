//! JSON-RPC messages: the body of a frame, and small outgoing ones.
//!
//! A body is parsed once, directly to its parts: trying several shapes in turn would copy a
//! document of 100 MB for each.

use lsp_types::notification::{Notification as _, ShowMessage};
use lsp_types::{MessageType, ShowMessageParams};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::error::Category;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::lsp::wire::recover;

/// A message of the client.
#[derive(Debug)]
pub enum ClientMessage {
    /// It expects a response.
    Request(Id, Request),
    /// It expects none.
    Notification(Request),
    /// It is a response.
    Response(Response),
}

/// The error of a body that is not a message, and the id of the error response.
pub type InvalidMessage = Box<(Id, Error)>;

impl ClientMessage {
    /// Parses a frame's body.
    ///
    /// # Errors
    ///
    /// `ParseError` if it is not JSON, `InvalidRequest` if it is not exactly one message; batches
    /// too, which LSP lacks. `InvalidParams` if the request itself can be read.
    pub fn read(body: &[u8]) -> Result<Self, InvalidMessage> {
        // An array would be parsed as the parts in their order.
        if body.trim_ascii_start().first() != Some(&b'{') {
            serde_json::from_slice::<serde::de::IgnoredAny>(body).map_err(refuse)?;
            let fault = error(ErrorCode::InvalidRequest, "a message must be an object; LSP has no batches");
            return Err(Box::new((Id::Null, fault)));
        }
        let parts = serde_json::from_slice::<MessageParts>(body).or_else(|fault| {
            let mended = recover::lone_surrogates(body);
            let parts = mended.and_then(|mended| serde_json::from_slice(&mended).ok());
            parts.ok_or_else(|| with_id(refuse(fault), body))
        });
        parts?.message()
    }
}

/// An error with a message of its own.
pub fn error(code: ErrorCode, message: impl Into<String>) -> Error {
    Error { code, message: message.into().into(), data: None }
}

/// `-32002`, for requests before `initialize`.
pub fn not_initialized() -> Error {
    error(ErrorCode::ServerError(-32002), "the first request must be `initialize`")
}

/// A successful response that is serialized without an intermediate value.
#[derive(Debug, Serialize)]
pub struct Answer<'a, T> {
    jsonrpc: &'static str,
    id: &'a Id,
    result: T,
}

impl<'a, T> Answer<'a, T> {
    /// The response `result` to the request `id`.
    pub fn new(id: &'a Id, result: T) -> Self {
        Self { jsonrpc: "2.0", id, result }
    }
}

/// A notification that is serialized without an intermediate value.
#[derive(Debug, Serialize)]
pub struct Notification<T> {
    jsonrpc: &'static str,
    method: &'static str,
    params: T,
}

impl<T> Notification<T> {
    /// The notification `method` with `params`.
    pub fn new(method: &'static str, params: T) -> Self {
        Self { jsonrpc: "2.0", method, params }
    }
}

/// The notification that shows a message to the user.
pub fn show_message(typ: MessageType, message: String) -> Notification<ShowMessageParams> {
    Notification::new(ShowMessage::METHOD, ShowMessageParams { typ, message })
}

#[derive(Deserialize)]
struct MessageParts {
    jsonrpc: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<Value>,
    // `null` counts as no params: some clients send it.
    params: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    error: Option<Value>,
}

impl MessageParts {
    fn message(self) -> Result<ClientMessage, InvalidMessage> {
        let id = self.id.map(serde_json::from_value::<Id>).transpose();
        let Ok(id) = id else {
            let fault = error(ErrorCode::InvalidRequest, "`id` must be an integer or a string");
            return Err(Box::new((Id::Null, fault)));
        };
        let refuse = |id: Option<Id>, words| {
            Err(Box::new((id.unwrap_or_default(), error(ErrorCode::InvalidRequest, words))))
        };
        if self.jsonrpc.as_ref().and_then(Value::as_str) != Some("2.0") {
            return refuse(id, "`jsonrpc` must be \"2.0\"");
        }
        match (self.method, id) {
            (Some(Value::String(method)), id) => Ok(request(method, id, self.params)),
            (Some(_), id) => refuse(id, "`method` must be a string"),
            (None, Some(id)) => match (self.result, self.error) {
                (Some(result), None) => Ok(ClientMessage::Response(Response::from_ok(id, result))),
                (_, Some(error)) => {
                    let error = serde_json::from_value(error).unwrap_or_else(|_| Error::internal_error());
                    Ok(ClientMessage::Response(Response::from_error(id, error)))
                }
                (None, None) => refuse(Some(id), "neither `method` nor `result` nor `error`"),
            },
            (None, None) => refuse(None, "neither `method` nor `id`"),
        }
    }
}

fn request(method: String, id: Option<Id>, params: Option<Value>) -> ClientMessage {
    let params = match method.as_str() {
        // These requests have no params, and the service rejects any.
        "shutdown" | "exit" => None,
        "initialized" => params.or_else(|| Some(Value::Object(serde_json::Map::new()))),
        _ => params,
    };
    let mut request = Request::build(method);
    if let Some(params) = params {
        request = request.params(params);
    }
    match id {
        Some(id) => ClientMessage::Request(id.clone(), request.id(id).finish()),
        None => ClientMessage::Notification(request.finish()),
    }
}

/// A key with `null` counts as present.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The error with the request's own id, if that can be read: then the message is complete, and only
/// its params are invalid.
fn with_id(mut refusal: InvalidMessage, body: &[u8]) -> InvalidMessage {
    if refusal.1.code == ErrorCode::ParseError
        && let Some(id) = recover::request_id(body)
    {
        let message = std::mem::take(&mut refusal.1.message);
        *refusal = (id, error(ErrorCode::InvalidParams, message));
    }
    refusal
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` wants")]
fn refuse(fault: serde_json::Error) -> InvalidMessage {
    // The message of a syntax error contains its position but no text.
    Box::new(match fault.classify() {
        Category::Data => (Id::Null, error(ErrorCode::InvalidRequest, "not a JSON-RPC message")),
        Category::Syntax | Category::Eof | Category::Io => {
            (Id::Null, error(ErrorCode::ParseError, fault.to_string()))
        }
    })
}

/// LSP 3.17, `RequestFailed`: the request is valid, but cannot be fulfilled.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

pub(crate) fn failed(words: &str) -> Error {
    error(REQUEST_FAILED, words)
}

/// The error of a result that cannot be serialized, which is logged.
#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` wants")]
pub fn unserializable(error: serde_json::Error) -> Error {
    tracing::error!(%error, "a result cannot be serialized");
    Error::internal_error()
}

/// LSP 3.17, `DiagnosticServerCancellationData`: there is no set, and a retry would not bring one.
pub fn server_cancelled(words: &str) -> Error {
    let data = Some(json!({"retriggerRequest": false}));
    Error { code: ErrorCode::ServerError(-32802), message: words.to_owned().into(), data }
}

/// Parses the params of a request.
pub fn parse<P: DeserializeOwned>(params: Option<Value>) -> Result<P, Error> {
    serde_json::from_value(params.unwrap_or_default())
        .map_err(|error| Error::invalid_params(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, expected: &str) {
        let found = match ClientMessage::read(body.as_bytes()) {
            Ok(ClientMessage::Request(id, request)) => format!("request {id} {}", request.method()),
            Ok(ClientMessage::Notification(request)) => format!("notification {}", request.method()),
            Ok(ClientMessage::Response(response)) => {
                format!("response {} {}", response.id(), response.is_ok())
            }
            Err(refusal) => format!("{} {}", refusal.1.code.code(), refusal.0),
        };
        assert_eq!(found, expected, "{body}");
    }

    #[test]
    fn bodies_are_messages_or_say_why_not() {
        check(r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#, "request 1 m");
        check(r#"{"jsonrpc":"2.0","id":"a","method":"m","params":null}"#, "request \"a\" m");
        check(r#" {"jsonrpc":"2.0","method":"m","params":{}}"#, "notification m");
        check(r#"{"jsonrpc":"2.0","id":1,"result":null}"#, "response 1 true");
        check(
            r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"","x":1}}"#,
            "response 1 false",
        );
        check(r#"{"jsonrpc":"2.0","id":1}"#, "-32600 1");
        check(r#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, "-32600 7");
        check(r#"{"jsonrpc":"2.0","id":7,"method":{}}"#, "-32600 7");
        check(r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, "-32600 null");
        check(r#"{"jsonrpc":"2.0"}"#, "-32600 null");
        check(r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#, "-32600 null");
        check(r#"["2.0",1,"m"]"#, "-32600 null");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"m","params":"\ud83d"}"#, "request 1 m");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"m","params":1e999}"#, "-32602 1");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"m","params":["\ud83d", 1e999]}"#, "-32602 1");
        check("7", "-32600 null");
        check("", "-32700 null");
        check("[", "-32700 null");
        check(r#"{"jsonrpc":"2.0","#, "-32700 null");
        check(r#"{"jsonrpc":"2.0","id":1,"method":"m"} x"#, "-32700 null");
    }
}
