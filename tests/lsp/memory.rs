//! How much memory documents of strangers take: of the real process, which is asked once what editors ask.
//!
//! Pages are counted, not time: the most that the process had at once. `CHATLS_MEMORY=1 cargo test --release --test main
//! memory -- --nocapture` prints all figures.

use serde_json::json;

use super::client::Client;
use super::growth::requests;

/// What a document may take, as a multiple of its size, beside what the process takes for itself.
const TIMES: usize = 4;
/// What the process may take for itself, and for answers, which are bounded: threads, buffers, the code that ran.
const OWN: usize = 40_000_000;

/// Opens `text`, asks all there is to ask about it, and types a key. What the process took for that.
#[track_caller]
fn check(what: &str, text: &str) {
    let capabilities = json!({"textDocument": {
        "diagnostic": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "resolveSupport": {"properties": ["edit"]},
        },
    }});
    let (mut client, _) = Client::with_capabilities(capabilities);
    let uri = "file:///project/a.chat.md";
    let document = json!({"uri": uri});
    let before = client.peak_memory();
    let mut figures = Vec::new();
    let mut ask = |client: &mut Client, method: &str, what: &str, mut params: serde_json::Value| {
        params["textDocument"] = document.clone();
        let last = client.peak_memory();
        let id = client.request(method, params);
        client.wait_for(id);
        figures.push((what.to_owned(), (client.peak_memory() - last) / 1000));
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let longest = (0..lines.len()).max_by_key(|line| lines[*line].len()).unwrap_or(0);
    let at = json!({"line": longest, "character": lines[longest].chars().count() / 2});
    let all = json!({"start": {"line": 0, "character": 0}, "end": {"line": lines.len(), "character": 0}});
    client.open(uri, 1, text);
    ask(&mut client, "textDocument/diagnostic", "open", json!({}));
    for (method, what, params) in requests(&at, &all) {
        ask(&mut client, method, what, params);
    }
    client.change(uri, 2, json!([{"range": {"start": at, "end": at}, "text": "x"}]));
    ask(&mut client, "textDocument/diagnostic", "a key", json!({}));
    let taken = client.peak_memory() - before;
    client.abandon();
    figures.retain(|(_, taken)| *taken > 0);
    let told = format!("{what}: {taken} bytes for {}; kB by request: {figures:?}", text.len());
    if std::env::var_os("CHATLS_MEMORY").is_some() {
        println!("{told}");
    }
    assert!(taken < TIMES * text.len() + OWN, "{told}");
}

#[test]
fn documents_of_strangers_take_bounded_memory() {
    check("markers on a line", &"###:{\"a\":1} ".repeat(100_000));
    check("open tags", &"<tool>x\n".repeat(200_000));
}
