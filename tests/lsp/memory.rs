//! Peak memory of the real process with hostile documents, after each request of an editor.
//!
//! `CHATLS_MEMORY=1 cargo test --release --test main
//! memory -- --nocapture` prints all figures.

use std::time::{Duration, Instant};

use serde_json::json;

use super::client::Client;
use super::growth::{client, middle_and_whole, requests};

/// Memory of a document, as a multiple of its size.
const TIMES: usize = 4;
/// Memory of the process itself and of responses, which are bounded.
const OWN: usize = 40_000_000;

/// Opens `text`, sends every request, types a key, and limits the peak memory of that.
#[track_caller]
fn check(what: &str, text: &str) {
    let mut client = client();
    let uri = "file:///project/a.chat.md";
    let document = json!({"uri": uri});
    let before = client.peak_memory();
    let mut figures = Vec::new();
    let mut ask = |client: &mut Client, method: &str, what: &str, mut params: serde_json::Value| {
        params["textDocument"] = document.clone();
        let last = client.peak_memory();
        let id = client.request(method, params);
        client.wait_for(id);
        figures.push((what.to_owned(), client.peak_memory().saturating_sub(last) / 1000));
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let (at, all) = middle_and_whole(&lines);
    client.open(uri, 1, text);
    ask(&mut client, "textDocument/diagnostic", "open", json!({}));
    for (method, what, params) in requests(&at, &all) {
        ask(&mut client, method, what, params);
    }
    client.change(uri, 2, json!([{"range": {"start": at, "end": at}, "text": "x"}]));
    ask(&mut client, "textDocument/diagnostic", "a key", json!({}));
    let taken = client.peak_memory().saturating_sub(before);
    client.abandon();
    figures.retain(|(_, taken)| *taken > 0);
    let figures = format!("{what}: {taken} bytes for {}; kB by request: {figures:?}", text.len());
    if std::env::var_os("CHATLS_MEMORY").is_some() {
        println!("{figures}");
    }
    assert!(taken < TIMES * text.len() + OWN, "{figures}");
}

#[test]
fn hostile_documents_take_bounded_memory() {
    check("markers on a line", &"###:{\"a\":1} ".repeat(40_000));
    check("open tags", &"<tool>x\n".repeat(80_000));
}

#[test]
#[cfg(target_env = "gnu")]
fn a_closed_document_gives_its_memory_back() {
    let mut client = client();
    let before = client.memory();
    let text = "<tool>read(path=a)\nb</tool>\n\n".repeat(300_000);
    let uri = "file:///project/a.chat.md";
    client.open(uri, 1, &text);
    let id = client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    client.wait_for(id);
    let open = client.memory();
    assert!(open > before + text.len(), "{open} bytes are used with {}", text.len());
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    let deadline = Instant::now() + Duration::from_secs(60);
    while client.memory() > before + (open - before) / 4 {
        assert!(Instant::now() < deadline, "{} bytes are kept", client.memory() - before);
        std::thread::sleep(Duration::from_millis(20));
    }
    client.abandon();
}
