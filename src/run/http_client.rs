//! The client of everything that is asked over HTTP: servers of models, MCP servers at an address,
//! and the index of charts.
//!
//! Redirects are not followed: the user named one address. A proxy of the environment is used for
//! https alone, where it is asked to connect (CONNECT) and sees no request; a proxy for http would
//! get the whole conversation with its keys. What is on this machine is never asked through one.

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
        // Whatever the resolver says of `localhost` and names in it.
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
        // Another one may have been set by a program that uses this library.
        _ = rustls::crypto::ring::default_provider().install_default();
    });
}
