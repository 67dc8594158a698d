//! `events --serve`: an HTTP endpoint that responds to chat requests with the streams of documents,
//! to develop and test front ends with transcripts.
//!
//! Source of the protocol: "Stream Protocols" of the AI SDK, the UI message stream. Requests have
//! the form that `DefaultChatTransport` sends.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::Listener;
use futures_util::{StreamExt, stream};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};
use tower_http::timeout::RequestBodyTimeoutLayer;
use url::{Host, Url};

use super::{DONE, framed};
use crate::cli::console::{print_to_stderr, printable};

/// Maximum size of a request in bytes. A chat sends all of its messages with each request,
/// including attachments.
const MAX_REQUEST: usize = 64 << 20;

/// Timeout for the next piece of a request's body.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of open connections; further ones wait to be accepted.
const MAX_CONNECTIONS: usize = 256;

/// Timeout for the headers of a request, from the end of the previous request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of documents that are read concurrently; further requests wait.
const MAX_READERS: usize = 16;

/// The options of the endpoint.
pub(super) struct StreamOptions {
    /// Names of this machine, and of origins that may send requests.
    pub hosts: Vec<String>,
    /// The names of the documents.
    pub names: Vec<String>,
    /// Computes the events of a document by its index in `names`, for each request; `None` if it
    /// cannot be read.
    pub events: Box<dyn Fn(usize) -> Option<Vec<String>> + Send + Sync>,
    /// Delay before each event.
    pub delay: Option<Duration>,
}

/// Serves requests at `address`, by default of this machine, until the process ends.
///
/// # Errors
///
/// If the address is invalid or in use.
pub(super) fn serve(address: SocketAddr, streams: StreamOptions) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(MAX_READERS)
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address)
            .await
            .map_err(|error| io::Error::new(error.kind(), format!("cannot listen at {address}: {error}")))?;
        let address = listener.local_addr()?;
        print_to_stderr(&format!(
            "http://{address}/api/chat serves {}; press Ctrl+C to stop",
            summary(&streams.names)
        ));
        match accept(listener, router(streams)).await {}
    })
}

/// Serves each connection to `listener` with `router`, until the process ends.
async fn accept(mut listener: TcpListener, router: Router) -> Infallible {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        // Fails only if the semaphore is closed, which does not happen.
        let place = Arc::clone(&places).acquire_owned().await;
        let (stream, _) = Listener::accept(&mut listener).await;
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
            // Errors are ignored: the client left or timed out.
            drop(builder.serve_connection(TokioIo::new(stream), service).await);
            drop(place);
        });
    }
}

fn router(streams: StreamOptions) -> Router {
    let streams = Arc::new(streams);
    // Origins were checked before; all remaining ones are allowed.
    let cors = CorsLayer::new()
        .allow_origin(AllowOrigin::mirror_request())
        .allow_headers(AllowHeaders::mirror_request())
        .allow_credentials(true);
    Router::new()
        .fallback(get(index_page).post(answer))
        .with_state(Arc::clone(&streams))
        .layer(DefaultBodyLimit::max(MAX_REQUEST))
        .layer(RequestBodyTimeoutLayer::new(BODY_TIMEOUT))
        .layer(cors)
        .layer(middleware::from_fn_with_state(streams, only_for))
}

/// Rejects requests of other web pages before their bodies are read: browsers send them on behalf
/// of any page, and DNS names of others may resolve to this machine.
async fn only_for(State(streams): State<Arc<StreamOptions>>, request: Request, next: Next) -> Response {
    // RFC 9112, 3.2: "A server MUST respond with a 400 (Bad Request) status code […] to any request
    // message that contains more than one Host header field line".
    if [HOST, ORIGIN].iter().any(|name| request.headers().get_all(name).iter().nth(1).is_some()) {
        return (StatusCode::BAD_REQUEST, "a request has at most one `Host` and one `Origin`\n")
            .into_response();
    }
    let hosts = &streams.hosts;
    let (host, origin) = (header(&request, HOST), header(&request, ORIGIN));
    let host = host.map(|host| format!("http://{host}"));
    if host.as_ref().is_some_and(|host| !is_local_host(host, hosts)) {
        let message = "chatls only serves `localhost` and addresses; --allow-host adds another name\n";
        return (StatusCode::MISDIRECTED_REQUEST, message).into_response();
    }
    if origin.is_some_and(|origin| !is_origin_allowed(&origin, host.as_deref(), hosts)) {
        let message = "chatls only serves pages of this machine; --allow-host adds another name\n";
        return (StatusCode::FORBIDDEN, message).into_response();
    }
    next.run(request).await
}

/// Returns the value of a header; empty, which no host is called, if it is not valid text.
fn header(request: &Request, name: HeaderName) -> Option<String> {
    request.headers().get(name).map(|value| value.to_str().map(str::to_owned).unwrap_or_default())
}

/// True if `host` is an address, or a name that others cannot point to this machine.
fn is_local_host(host: &str, hosts: &[String]) -> bool {
    match host_of(host) {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => is_known(&name, hosts),
        None => false,
    }
}

/// True if pages of `origin` may send requests to `host`: only pages of this machine.
fn is_origin_allowed(origin: &str, host: Option<&str>, hosts: &[String]) -> bool {
    let is_here = match host_of(origin) {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => is_known(&name, hosts),
        None => return false,
    };
    is_here || host.and_then(host_of) == host_of(origin)
}

fn host_of(origin: &str) -> Option<Host> {
    Url::parse(origin).ok()?.host().map(|host| host.to_owned())
}

fn is_known(name: &str, hosts: &[String]) -> bool {
    name == "localhost" || name.ends_with(".localhost") || hosts.iter().any(|host| host == name)
}

/// Describes the endpoint for users who open it in a browser. Front ends request `…/stream` to
/// resume an interrupted stream, which is not supported: the response is 204.
async fn index_page(uri: Uri, State(streams): State<Arc<StreamOptions>>) -> Response {
    if uri.path().ends_with("/stream") {
        return StatusCode::NO_CONTENT.into_response();
    }
    let mut text = "Send a chat request of the AI SDK here by POST to stream a transcript.\n\
        The first message of a user gets the first document, the second the second, and so round:\n\n"
        .to_owned();
    for name in &streams.names {
        _ = writeln!(text, "- {}", printable(name));
    }
    text.into_response()
}

/// The relevant parts of a chat request.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ChatRequest {
    messages: Vec<ChatMessage>,
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct ChatMessage {
    role: String,
}

impl ChatRequest {
    /// Returns the index of the document for the response, of `count` documents: each user message
    /// gets the next one. `None` if there is no user message since the last response, as when a
    /// front end sends the results of its own tools: the transcript is complete.
    fn turn(&self, count: usize) -> Option<usize> {
        let is_of = |message: &&ChatMessage, role: &str| message.role == role;
        if self.messages.last().is_some_and(|last| is_of(&last, "assistant")) {
            return None;
        }
        let asked = self.messages.iter().filter(|message| is_of(message, "user")).count();
        Some(asked.saturating_sub(1) % count.max(1))
    }
}

async fn answer(State(streams): State<Arc<StreamOptions>>, body: Bytes) -> Response {
    let rejected = |message: &str| {
        print_to_stderr(message);
        (StatusCode::BAD_REQUEST, format!("{message}\n")).into_response()
    };
    let request: ChatRequest = match serde_json::from_slice(&body) {
        Ok(request) => request,
        Err(error) => {
            return rejected(&format!("this is not a chat request, an object with `messages`: {error}"));
        }
    };
    if !request.messages.iter().any(|message| message.role == "user") {
        return rejected("this chat request has no user message");
    }
    let Some(turn) = request.turn(streams.names.len()) else {
        print_to_stderr("answered what goes on after an answer, with nothing more");
        return streamed(empty_message(), None);
    };
    let name = streams.names.get(turn).map(|name| printable(name).into_owned()).unwrap_or_default();
    let delay = streams.delay;
    let made = tokio::task::spawn_blocking(move || (streams.events)(turn)).await;
    let Ok(Some(events)) = made else {
        let message = format!("`{name}` cannot be read: see the output of chatls\n");
        return (StatusCode::INTERNAL_SERVER_ERROR, message).into_response();
    };
    print_to_stderr(&format!("answered with {name}"));
    streamed(events, delay)
}

/// The events of an empty message. Its step prevents front ends that send tool results from sending
/// them again and again; they notice the step only if it contains a text.
fn empty_message() -> Vec<String> {
    let events = [
        r#"{"type":"start"}"#,
        r#"{"type":"start-step"}"#,
        r#"{"type":"text-start","id":"text-1"}"#,
        r#"{"type":"text-end","id":"text-1"}"#,
        r#"{"type":"finish-step"}"#,
        r#"{"type":"finish"}"#,
    ];
    events.map(str::to_owned).to_vec()
}

fn streamed(events: Vec<String>, delay: Option<Duration>) -> Response {
    let frames = stream::iter(events).then(move |event| async move {
        if let Some(delay) = delay {
            tokio::time::sleep(delay).await;
        }
        framed(&event)
    });
    let frames = frames.chain(stream::iter([DONE.to_owned()])).map(Ok::<_, Infallible>);
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
        // A proxy that compresses would delay events.
        (CACHE_CONTROL, HeaderValue::from_static("no-cache, no-transform")),
    ];
    // The protocol version for front ends, and the header that disables buffering in other proxies.
    let more = [("x-vercel-ai-ui-message-stream", "v1"), ("x-accel-buffering", "no")];
    (headers, more, Body::from_stream(frames)).into_response()
}

fn summary(names: &[String]) -> String {
    match names {
        [name] => printable(name).into_owned(),
        names => format!("{} documents, the next one to each message of a user", names.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_user_message_gets_the_next_document() {
        for (roles, expected) in [
            ("user", Some(0)),
            ("system user", Some(0)),
            ("user assistant user", Some(1)),
            ("user assistant user assistant user", Some(0)),
            ("user assistant", None),
        ] {
            let messages =
                roles.split_whitespace().map(|role| ChatMessage { role: role.to_owned() }).collect();
            assert_eq!(ChatRequest { messages }.turn(2), expected, "{roles}");
        }
    }

    #[test]
    fn only_local_origins_are_allowed() {
        let hosts = ["dev.example".to_owned()];
        for (origin, own, asks) in [
            ("http://localhost:3000", true, true),
            ("https://app.localhost", true, true),
            ("http://127.0.0.1:1", true, true),
            ("http://[::1]:5173", true, true),
            // An address is safe as a host, but the pages served there are not known.
            ("http://192.168.0.3", true, false),
            ("https://DEV.example:1", true, true),
            ("https://example.com", false, false),
            ("http://localhost.example.com", false, false),
            ("http://a.dev.example", false, false),
            ("null", false, false),
        ] {
            assert_eq!(is_local_host(origin, &hosts), own, "{origin}");
            assert_eq!(is_origin_allowed(origin, Some("http://192.168.0.2:4000"), &hosts), asks, "{origin}");
        }
        assert!(is_origin_allowed("http://192.168.0.2:3000", Some("http://192.168.0.2:4000"), &hosts));
    }
}
