//! Processor time of the server for a whole keystroke: an edit in the middle of a document, and all
//! that an editor then asks for.
//!
//! `cargo bench --bench keystroke`; an argument, such as `-- OTHER`, is the path of another binary
//! of `chatls`, which is measured in turns with this one. `-- detail` shows each request;
//! `-- fences` and `-- 5MB` leave out other kinds and sizes. The times are the process's own, from
//! `/proc`, so they hold on a busy machine; only Linux has them.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails panics")]

use std::process::Command;

use serde_json::{Value, json};

mod made;
mod peer;

use peer::Peer;

const SIZES: [(&str, usize); 4] =
    [("10kB", 10_000), ("1MB", 1_000_000), ("5MB", 5_000_000), ("20MB", 20_000_000)];
/// A kind, the language id and the end of the names of its documents, and the text before the
/// keystroke.
const KINDS: [(&str, &str, &str, &str); 3] = [
    ("fences", "markdown", "chat.md", "src/part_"),
    ("session", "jsonl", "jsonl", "src/part_"),
    ("pretty", "json", "chat.json", "src/part_"),
];
/// The requests of an editor after an edit, besides the diagnostics that it gets.
const REQUESTS: [&str; 8] = [
    "foldingRange",
    "documentSymbol",
    "semanticTokens/range",
    "inlayHint",
    "codeLens",
    "documentHighlight",
    "documentLink",
    "codeAction",
];
/// The processor time of a run of keystrokes, in ticks: enough for two digits.
const LEAST_TICKS: u64 = 100;
/// Linux's `USER_HZ`, in which `/proc` has times.
const TICKS_PER_SECOND: f64 = 100.0;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    if !std::env::args().any(|argument| argument == "--bench") {
        // `cargo test --benches` only checks that it runs.
        for kind in KINDS {
            Session::start(env!("CARGO_BIN_EXE_chatls"), kind, 10_000).type_key(&REQUESTS);
        }
        return;
    }
    let is_wanted = |name: &str| arguments.iter().any(|it| it == name);
    let has_detail = is_wanted("detail");
    let kinds = KINDS.map(|kind| kind.0);
    let sizes = SIZES.map(|size| size.0);
    let is_binary = |it: &&str| *it != "detail" && !kinds.contains(it) && !sizes.contains(it);
    let others = arguments.iter().map(String::as_str).filter(is_binary);
    let binaries: Vec<&str> = others.chain([env!("CARGO_BIN_EXE_chatls")]).collect();
    // All of them if none is named.
    let is_left_out = |name: &str, all: &[&str]| !is_wanted(name) && all.iter().any(|it| is_wanted(it));
    println!("processor time of a keystroke with all requests, in ms\n");
    for kind in KINDS.into_iter().filter(|kind| !is_left_out(kind.0, &kinds)) {
        for (name, size) in SIZES.into_iter().filter(|size| !is_left_out(size.0, &sizes)) {
            let mut sessions: Vec<Session> =
                binaries.iter().map(|binary| Session::start(binary, kind, size)).collect();
            let mut show = |what: &str, requests: &[&str]| {
                let times = sessions.iter_mut().map(|session| format!("{:.2}", session.measure(requests)));
                println!("{} | {name} | {what} | {}", kind.0, times.collect::<Vec<_>>().join(" | "));
            };
            show("all", &REQUESTS);
            if has_detail {
                show("edit", &[]);
                for request in REQUESTS {
                    show(request, &[request]);
                }
            }
        }
    }
}

/// A server with one document.
struct Session {
    peer: Peer,
    uri: String,
    version: usize,
    /// The place of the keystroke.
    line: usize,
    character: usize,
}

impl Session {
    fn start(binary: &str, (kind, language, end, mark): (&str, &str, &str, &str), size: usize) -> Self {
        let text = match kind {
            "pretty" => {
                let lines = made::document("messages", size * 7 / 10);
                let messages: Vec<Value> =
                    lines.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
                serde_json::to_string_pretty(&messages).unwrap() + "\n"
            }
            _ => made::document(kind, size),
        };
        let at = text.len() / 2 + text[text.len() / 2..].find(mark).unwrap() + mark.len();
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let mut server = Command::new(binary);
        server.arg("serve");
        let mut peer = Peer::start(server, &capabilities());
        let uri = format!("file:///project/a.{end}");
        let item = json!({"uri": uri, "languageId": language, "version": 0, "text": text});
        peer.notify("textDocument/didOpen", &json!({"textDocument": item}));
        peer.wait_for_version(0);
        Self { peer, uri, version: 0, line: text[..start].lines().count(), character: at - start }
    }

    /// Types a character, or removes it; then asks.
    fn type_key(&mut self, requests: &[&str]) {
        self.version += 1;
        let (line, version) = (self.line, self.version);
        let position = |character: usize| json!({"line": line, "character": character});
        let (end, text) = if version % 2 == 1 { (0, "x") } else { (1, "") };
        let range = json!({"start": position(self.character), "end": position(self.character + end)});
        let document = json!({"uri": self.uri, "version": version});
        let changes = json!([{"range": range, "text": text}]);
        self.peer
            .notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
        self.peer.wait_for_version(version);
        for request in requests {
            let at = position(self.character);
            let visible = json!({"start": {"line": line.saturating_sub(30), "character": 0}, "end": {"line": line + 30, "character": 0}});
            let range = match *request {
                "codeAction" => json!({"start": at, "end": at}),
                _ => visible,
            };
            let params = json!({"textDocument": {"uri": self.uri}, "range": range, "position": at, "context": {"diagnostics": []}});
            let answer = self.peer.request(&format!("textDocument/{request}"), &params);
            assert!(!answer.contains("\"error\":{\"code\""), "{request}: {answer}");
        }
    }

    /// Milliseconds of a keystroke with `requests`.
    fn measure(&mut self, requests: &[&str]) -> f64 {
        // The first one fills caches.
        self.type_key(requests);
        let (begin, mut keys) = (self.ticks(), 0.0);
        loop {
            self.type_key(requests);
            keys += 1.0;
            let ticks = self.ticks() - begin;
            if ticks >= LEAST_TICKS {
                #[expect(clippy::cast_precision_loss, reason = "a small number")]
                return ticks as f64 * 1000.0 / TICKS_PER_SECOND / keys;
            }
        }
    }

    /// The processor time of the server so far, user and system.
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.peer.child.id())).unwrap();
        // proc(5): the name in parentheses is the second field, utime and stime are 14 and 15.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }
}

/// What VS Code announces of what the requests use.
fn capabilities() -> Value {
    json!({
        "window": {"showMessage": {"messageActionItem": {"additionalPropertiesSupport": true}}},
        "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
        "textDocument": {
            "foldingRange": {"rangeLimit": 5000, "lineFoldingOnly": true, "foldingRangeKind": {"valueSet": ["comment", "imports", "region"]}, "foldingRange": {"collapsedText": false}},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
                "resolveSupport": {"properties": ["edit"]}, "dataSupport": true
            },
            "semanticTokens": {
                "requests": {"range": true, "full": true}, "formats": ["relative"],
                "tokenTypes": ["string", "number", "keyword", "function", "property", "enumMember", "parameter", "variable"],
                "tokenModifiers": ["deprecated"]
            }
        }
    })
}
