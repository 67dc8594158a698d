//! The streamable HTTP transport of MCP.

use std::collections::{BTreeMap, HashMap};

use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use crate::config::template::Template;
use crate::run::http_client::http_client;
use crate::run::{Environment, Limits, RunError, RunErrorKind};

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
    let address = Url::parse(url).map_err(|error| failed(format!("the address is not valid: {error}")))?;
    let client = http_client(&address, environment)
        .map_err(|error| failed(format!("no connection is possible: {error}")))?;
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(values)
        .max_sse_event_size(limits.message)
        .max_json_response_size(limits.message);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}
