//! Processor time of the server for a whole keystroke: an edit in the middle of a document, and all
//! that an editor then asks for.
//!
//! `cargo bench --bench keystroke`; an argument, such as `-- OTHER`, is the path of another binary
//! of `chatls`, which is measured in turns with this one. `-- detail` shows each request;
//! `-- fences` and `-- 5MB` leave out other kinds and sizes.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails panics")]
#![expect(dead_code, reason = "other benchmarks use the rest of the session")]

use serde_json::{Value, json};

mod made;
mod peer;
mod session;

use session::{Opened, Session, pretty};

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

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    if !std::env::args().any(|argument| argument == "--bench") {
        // `cargo test --benches` only checks that it runs.
        for kind in KINDS {
            let binary = env!("CARGO_BIN_EXE_chatls");
            Session::start(binary, &document(kind, 10_000), &capabilities()).type_key(&REQUESTS);
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
            let opened = document(kind, size);
            let start = |binary: &&str| Session::start(binary, &opened, &capabilities());
            let mut sessions: Vec<Session> = binaries.iter().map(start).collect();
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

/// A document of a kind, and the place of the keystroke.
fn document((kind, language, end, mark): (&str, &'static str, &'static str, &str), size: usize) -> Opened {
    let text = match kind {
        "pretty" => pretty(size),
        _ => made::document(kind, size),
    };
    Opened::new(language, end, text, mark)
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
