//! Addresses that are no MCP servers, or hostile ones.

use std::io::{Read, Write};
use std::net::TcpListener;

use super::*;
use crate::config::{AddressSettings, ServerStart};

/// Connects to an address that answers each request with `response`, and returns the error with
/// the requests.
fn error_of(response: &'static str, headers: &[(&str, &str)]) -> (RunError, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/mcp", listener.local_addr().expect("an address"));
    let (sender, requests) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut buffer = [0; 4096];
            let read = stream.read(&mut buffer).unwrap_or_default();
            _ = sender.send(String::from_utf8_lossy(&buffer[..read]).into_owned());
            _ = stream.write_all(response.as_bytes());
            if response.is_empty() {
                std::thread::sleep(Duration::from_secs(2));
            }
        }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let headers = headers
        .iter()
        .map(|(name, value)| ((*name).to_owned(), Template::parse(value, folder.path()).expect("a template")))
        .collect();
    let address = AddressSettings { url, headers, folder: folder.path().join("w") };
    let subject = Subject::of_server(&ServerStart::Address(address), &[], &environment()).expect("a subject");
    let consented = TrustStore::at(folder.path().join("trust")).grant(&subject).expect("a consent");
    let limits = Limits { start: Duration::from_millis(700), ..Limits::default() };
    let opened = block_on(McpConnection::open(&consented, &environment(), &limits)).expect("a runtime");
    (opened.expect_err("an error"), requests.try_iter().collect())
}

#[test]
fn addresses_that_are_no_servers() {
    let html = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nhi";
    let (error, requests) = error_of(html, &[("X-Key", "${env:TOKEN}")]);
    assert!(error.message.contains("text/html"), "{error:?}");
    assert!(requests.contains("x-key: t0ken") && requests.starts_with("POST /mcp "), "{requests}");
    let (error, _) = error_of("", &[]);
    assert_eq!(error.kind, RunErrorKind::Timeout, "{error:?}");
    let (error, requests) = error_of(html, &[("X-Key", "${env:UNSET}")]);
    assert!(error.message.contains("`UNSET`") && requests.is_empty(), "{error:?}");
}

#[test]
fn redirects_are_not_followed() {
    let moved = "HTTP/1.1 307 Moved\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n";
    let (error, requests) = error_of(moved, &[]);
    assert!(error.message.contains("307"), "{error:?}");
    assert!(!requests.contains("/elsewhere"), "{requests}");
}

#[test]
fn nobody_listens() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    drop(listener);
    let folder = tempfile::tempdir().expect("a folder");
    let address = AddressSettings { url, headers: [].into(), folder: folder.path().join("w") };
    let subject = Subject::of_server(&ServerStart::Address(address), &[], &environment()).expect("a subject");
    let consented = TrustStore::at(folder.path().join("trust")).grant(&subject).expect("a consent");
    let opened =
        block_on(McpConnection::open(&consented, &environment(), &Limits::default())).expect("a runtime");
    let error = opened.expect_err("an error");
    assert_eq!(error.kind, RunErrorKind::Start);
    assert!(error.message.contains("cannot be reached"), "{error:?}");
}
