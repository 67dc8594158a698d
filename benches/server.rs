//! The time from `didChange` to `publishDiagnostics` of the server process, beside a server that
//! only echoes.
//!
//! The echo is this program itself, started with `echo`: it reads each frame and answers a change
//! with an empty set, so that the ratio shows the cost of parsing, editing and diagnosing on top of
//! pipes and processes.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails panics")]

use std::process::Command;
use std::time::{Duration, Instant};

use chatls::lsp::wire::frames::Frames;
use serde_json::json;

mod peer;

use peer::{Peer, read, write};

const SIZES: [(&str, usize); 4] =
    [("10 kB", 10_000), ("1 MB", 1_000_000), ("10 MB", 10_000_000), ("100 MB", 100_000_000)];
const ROUNDS: usize = 1000;
const URI: &str = "file:///project/chat.md";
/// The unit of documents: 250 bytes of transcript, with one call.
const TURN: &str = "## user\n\nPlease read the file and tell me what is in it, thank you very much.\n\n```tool\n\
    {\"toolName\": \"read_file\", \"state\": \"output-available\", \"input\": {\"path\": \"src/App.tsx\"},\n \
    \"output\": \"import React from 'react';\"}\n```\n\nIt imports React, and nothing else.\n\n";

fn main() {
    if std::env::args().nth(1).as_deref() == Some("echo") {
        return echo();
    }
    if !std::env::args().any(|argument| argument == "--bench") {
        // `cargo test --benches` only checks that it runs.
        let mut chatls = Command::new(env!("CARGO_BIN_EXE_chatls"));
        chatls.arg("serve");
        measure(chatls, TURN);
        return;
    }
    println!("didChange to publishDiagnostics, median and 99th percentile of {ROUNDS}\n");
    println!("| document | echo | p99 | chatls | p99 | ratio | opened in |");
    println!("|---|---|---|---|---|---|---|");
    for (name, size) in SIZES {
        let text = TURN.repeat(size / TURN.len() + 1);
        let mut echo = Command::new(std::env::current_exe().unwrap());
        echo.arg("echo");
        let (_, echo) = measure(echo, &text);
        let mut chatls = Command::new(env!("CARGO_BIN_EXE_chatls"));
        chatls.arg("serve");
        let (opened, chatls) = measure(chatls, &text);
        let ratio = chatls.0.as_secs_f64() / echo.0.as_secs_f64();
        let (echo, chatls) =
            (format!("{:.0?} | {:.0?}", echo.0, echo.1), format!("{:.0?} | {:.0?}", chatls.0, chatls.1));
        println!("| {name} | {echo} | {chatls} | {ratio:.1} | {opened:.1?} |");
    }
}

/// The time to open `text`, and the median and 99th percentile of an edit in its middle.
fn measure(server: Command, text: &str) -> (Duration, (Duration, Duration)) {
    let mut peer = Peer::start(server, &json!({}));
    let begin = Instant::now();
    let item = json!({"uri": URI, "languageId": "markdown", "version": 0, "text": text});
    peer.notify("textDocument/didOpen", &json!({"textDocument": item}));
    peer.wait_for_version(0);
    let opened = begin.elapsed();
    let lines = TURN.lines().count();
    // Inside the output string of the middle call.
    let line = text.len() / TURN.len() / 2 * lines + 6;
    let mut times: Vec<_> = (1..=ROUNDS).map(|version| round(&mut peer, version, line)).collect();
    times.sort();
    (opened, (times[ROUNDS / 2], times[ROUNDS * 99 / 100]))
}

/// Types a character, or removes it.
fn round(peer: &mut Peer, version: usize, line: usize) -> Duration {
    let position = |character: usize| json!({"line": line, "character": character});
    let (end, text) = if version % 2 == 1 { (13, "x") } else { (14, "") };
    let change = json!({"range": {"start": position(13), "end": position(end)}, "text": text});
    let document = json!({"uri": URI, "version": version});
    let begin = Instant::now();
    peer.notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": [change]}));
    peer.wait_for_version(version);
    begin.elapsed()
}

fn echo() {
    let mut stdin = Frames::new(std::io::stdin().lock());
    let mut stdout = std::io::stdout().lock();
    while let Some(message) = read(&mut stdin) {
        // Only the header: the rest may be a document of 100 MB.
        let head: String = message.chars().take(200).collect();
        if head.contains("\"initialize\"") {
            write(&mut stdout, &json!({"jsonrpc": "2.0", "id": 0, "result": {"capabilities": {}}}));
        } else if let Some(at) = message.rfind("\"version\":") {
            let version: String = message[at + 10..].chars().take_while(char::is_ascii_digit).collect();
            let params = json!({"uri": URI, "version": version.parse::<usize>().unwrap(), "diagnostics": []});
            let method = "textDocument/publishDiagnostics";
            write(&mut stdout, &json!({"jsonrpc": "2.0", "method": method, "params": params}));
        }
    }
}
