//! The streamable HTTP transport of MCP. Redirects are not followed: the user agreed to one
//! address.

use std::collections::{BTreeMap, HashMap};
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use crate::config::template::Template;
use crate::run::{Environment, Limits, RunError, RunErrorKind};

/// Time to connect.
const CONNECT: Duration = Duration::from_secs(10);

/// The transport to `url`.
pub(super) fn transport(
    url: &str,
    headers: &BTreeMap<String, Template>,
    environment: &Environment,
    limits: &Limits,
) -> Result<StreamableHttpClientTransport<reqwest::Client>, RunError> {
    let failed = |message: String| RunError::new(RunErrorKind::Start, message);
    let mut values = HashMap::new();
    for (name, value) in headers {
        let expanded = value.expand(&|name| environment.get(name));
        let expanded =
            expanded.map_err(|name| failed(format!("the variable `{name}`, for a header, is not set")))?;
        let value = HeaderValue::from_str(&expanded);
        let mut value =
            value.map_err(|_| failed(format!("the value of the header `{name}` is not valid")))?;
        value.set_sensitive(true);
        let name = HeaderName::from_bytes(name.as_bytes());
        values.insert(name.map_err(|_| failed("the name of a header is not valid".to_owned()))?, value);
    }
    with_cryptography();
    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(CONNECT)
        .build()
        .map_err(|error| failed(format!("no connection is possible: {error}")))?;
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(values)
        .max_sse_event_size(limits.message)
        .max_json_response_size(limits.message);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// Sets the cryptography of TLS, once in a process.
pub(in crate::run) fn with_cryptography() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        // Another one may have been set by a program that uses this library.
        _ = rustls::crypto::ring::default_provider().install_default();
    });
}
