//! Servers of models: posts the request that continues a conversation, and reads the streamed
//! answer.
//!
//! The address, the model and the name of the variable with the key come from the user's own
//! settings ([`ModelSettings`]).

use std::future::Future;
use std::pin::pin;
use std::sync::Mutex;

use futures_util::{StreamExt, stream};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use reqwest::{Response, Url};
use sse_stream::SseStream;

use super::http_client::http_client;
use super::subject::is_loopback;
use super::user_settings::{ModelServer, ModelSettings};
use super::{Environment, Limits, RunError, RunErrorKind};
use crate::never::lock;

mod answer;
mod anthropic;
mod openai;

pub use answer::{AnswerEnd, AnswerPart, ModelAnswer, ModelCall};

/// Maximum number of bytes of an error that are read.
const MOST_OF_ERROR: usize = 64 << 10;

/// Posts `body`, a request for a stream, and reads the answer into `answer`. `on_answer` is called
/// after each event; once `cancelled` is ready, the connection is closed.
///
/// # Errors
///
/// If the server cannot be reached, refuses the request, sends nothing for [`Limits::idle`], or
/// breaks its protocol or a limit. What came until then is in `answer`.
pub async fn ask(
    settings: &ModelSettings,
    environment: &Environment,
    body: String,
    limits: &Limits,
    answer: &Mutex<ModelAnswer>,
    mut on_answer: impl FnMut(),
    cancelled: impl Future<Output = ()>,
) -> Result<(), RunError> {
    let key = key(settings, environment)?;
    let asked = async {
        let response = post((settings, environment), key.as_deref(), body, limits).await?;
        read(settings.server, response, limits, answer, &mut on_answer).await
    };
    let mut cancelled = pin!(cancelled);
    let done = tokio::select! {
        biased;
        () = &mut cancelled => Err(RunError::new(RunErrorKind::Cancelled, "it was cancelled")),
        done = asked => done,
    };
    done.map_err(|error| without_key(error, key.as_deref()))
}

/// The key, if the settings name a variable.
fn key(settings: &ModelSettings, environment: &Environment) -> Result<Option<String>, RunError> {
    let Some(name) = &settings.key else { return Ok(None) };
    let key = environment.get(name).filter(|key| !key.trim().is_empty());
    let missing = || format!("the variable `{name}`, for the key, is not set");
    key.map(Some).ok_or_else(|| RunError::new(RunErrorKind::Start, missing()))
}

/// Removes the key from `error`: servers may repeat it.
fn without_key(error: RunError, key: Option<&str>) -> RunError {
    let clean = |text: String| key.map_or_else(|| text.clone(), |key| text.replace(key, "…"));
    RunError { message: clean(error.message), log: clean(error.log), ..error }
}

/// The address. A key is not sent over an open network in the clear.
fn address(settings: &ModelSettings) -> Result<Url, RunError> {
    let failed = |reason: String| RunError::new(RunErrorKind::Start, reason);
    let url = &settings.url;
    let parsed = Url::parse(url).map_err(|error| failed(format!("`{url}` is not an address: {error}")))?;
    match parsed.scheme() {
        "https" => Ok(parsed),
        "http" if is_loopback(&parsed) || settings.key.is_none() => Ok(parsed),
        "http" => Err(failed(format!("the key would be sent to `{url}` without encryption: use https"))),
        _ => Err(failed(format!("`{url}` is not an address that begins with http or https"))),
    }
}

async fn post(
    (settings, environment): (&ModelSettings, &Environment),
    key: Option<&str>,
    body: String,
    limits: &Limits,
) -> Result<Response, RunError> {
    let url = address(settings)?;
    let failed = |error: reqwest::Error| {
        RunError::new(RunErrorKind::Start, format!("`{}` cannot be reached: {}", settings.url, cause(&error)))
    };
    let client = http_client(&url, environment).map_err(failed)?;
    let mut request =
        client.post(url).header(CONTENT_TYPE, "application/json").header(ACCEPT, "text/event-stream");
    if let Some(key) = key {
        let (name, value) = match settings.server {
            ModelServer::Openai => (AUTHORIZATION.as_str(), format!("Bearer {key}")),
            ModelServer::Anthropic => ("x-api-key", key.to_owned()),
        };
        let mut value = HeaderValue::from_str(&value).map_err(|_| {
            RunError::new(RunErrorKind::Start, "the key has characters that no header can have")
        })?;
        value.set_sensitive(true);
        request = request.header(name, value);
    }
    if settings.server == ModelServer::Anthropic {
        // https://docs.anthropic.com/en/api/versioning
        request = request.header("anthropic-version", "2023-06-01");
    }
    let sent = tokio::time::timeout(limits.idle, request.body(body).send()).await;
    let response = sent.map_err(|_| silent(limits))?.map_err(failed)?;
    match response.status() {
        status if status.is_success() => Ok(response),
        status if status.is_redirection() => Err(RunError::new(
            RunErrorKind::Refused,
            format!("the server answered {status}, and redirects are not followed: name its new address"),
        )),
        status => {
            let text = beginning(response, limits).await;
            let reason = message_of(&text).unwrap_or(text);
            let reason = reason.trim();
            let colon = if reason.is_empty() { "" } else { ": " };
            Err(RunError::new(RunErrorKind::Refused, format!("the server answered {status}{colon}{reason}")))
        }
    }
}

/// Reads the stream into `answer`.
async fn read(
    server: ModelServer,
    response: Response,
    limits: &Limits,
    answer: &Mutex<ModelAnswer>,
    on_answer: &mut impl FnMut(),
) -> Result<(), RunError> {
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("text/event-stream") {
        let answered = if kind.is_empty() { "without a type".to_owned() } else { format!("with `{kind}`") };
        let message = format!("the server answered {answered} instead of a stream of events");
        return Err(RunError::new(RunErrorKind::Protocol, message));
    }
    let chunks = stream::unfold(Some(response), async |response| {
        let mut response = response?;
        match response.chunk().await {
            Ok(None) => None,
            Ok(Some(chunk)) => Some((Ok(chunk), Some(response))),
            Err(error) => Some((Err(error), None)),
        }
    });
    let mut read = 0;
    let counted = chunks.map(|chunk| {
        let chunk = chunk.map_err(|error| cause(&error))?;
        read += chunk.len();
        if read > limits.message { Err("it sent more than the limit".to_owned()) } else { Ok(chunk) }
    });
    let mut events = pin!(SseStream::from_bytes_stream(counted.map(|it| it.map_err(std::io::Error::other))));
    while lock(answer).end.is_none() {
        let event = tokio::time::timeout(limits.idle, events.next()).await.map_err(|_| silent(limits))?;
        let Some(event) = event else { break };
        let event = event.map_err(|error| RunError::new(RunErrorKind::Ended, format!("{error}")))?;
        let Some(data) = event.data else { continue };
        match server {
            ModelServer::Openai => openai::read(&data, &mut lock(answer)),
            ModelServer::Anthropic => anthropic::read(&data, &mut lock(answer)),
        }
        .map_err(|reason| RunError::new(RunErrorKind::Protocol, reason))?;
        on_answer();
    }
    match lock(answer).end {
        Some(_) => Ok(()),
        None => Err(RunError::new(RunErrorKind::Ended, "the server closed the connection within its answer")),
    }
}

fn silent(limits: &Limits) -> RunError {
    let seconds = limits.idle.as_secs_f32();
    RunError::new(RunErrorKind::Timeout, format!("the server sent nothing for {seconds} s"))
}

/// The beginning of a body, as text.
async fn beginning(mut response: Response, limits: &Limits) -> String {
    let mut text = Vec::new();
    while text.len() < MOST_OF_ERROR {
        match tokio::time::timeout(limits.idle, response.chunk()).await {
            Ok(Ok(Some(chunk))) => text.extend_from_slice(&chunk),
            _ => break,
        }
    }
    text.truncate(MOST_OF_ERROR);
    String::from_utf8_lossy(&text).into_owned()
}

/// The message of an error response: `{"error": {"message": …}}`.
fn message_of(text: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.pointer("/error/message")?.as_str().map(str::to_owned)
}

/// The innermost cause of an error; the outer ones only name the request.
fn cause(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests;
