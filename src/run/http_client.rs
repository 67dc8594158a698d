//! The HTTP client for all requests: to model servers, to MCP servers at an address, and to the
//! chart index.
//!
//! Redirects are not followed, because the user agreed to one address. A proxy of the environment
//! is only used for https, by CONNECT, so that it cannot read requests; a proxy for http would see
//! the whole conversation and its keys. Requests to this machine never use a proxy.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Once;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use super::Environment;
use super::subject::is_loopback;

/// Time to connect.
const CONNECT: Duration = Duration::from_secs(10);

/// A client for requests to `url`, and to no other address.
///
/// # Errors
///
/// The system's certificates cannot be used.
pub(super) fn http_client(url: &Url, environment: &Environment) -> reqwest::Result<Client> {
    with_cryptography();
    let client = Client::builder().redirect(Policy::none()).connect_timeout(CONNECT);
    let is_here = is_loopback(url);
    let client = match url.domain() {
        // Regardless of the resolver's answer for `localhost` and its subdomains.
        Some(name) if is_here => {
            let addresses = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            client.resolve_to_addrs(name, &addresses.map(|address| SocketAddr::new(address, 0)))
        }
        _ => client,
    };
    match url.scheme() == "https" && !is_here && !environment.ignores_proxies {
        true => client.build(),
        false => client.no_proxy().build(),
    }
}

/// Sets the cryptography of TLS, once in a process.
fn with_cryptography() {
    static SET: Once = Once::new();
    SET.call_once(|| {
        // A program that uses this library may have installed another one.
        _ = rustls::crypto::ring::default_provider().install_default();
    });
}
