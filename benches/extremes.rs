//! What the largest and the worst documents cost the server: all of their folds, a keystroke, and
//! memory.
//!
//! `cargo bench --bench extremes`; an argument, such as `-- OTHER`, is the path of another binary
//! of `chatls`, which is measured in turns with this one. `-- folds`, `-- keys`, `-- memory` and
//! `-- edits` leave out the other parts.

#![expect(clippy::unwrap_used, reason = "a benchmark that fails panics")]
#![expect(clippy::cast_precision_loss, reason = "sizes")]

use serde_json::{Value, json};

mod made;
mod peer;
mod session;

use session::{Opened, Session, pretty};

const MEGABYTE: usize = 1_000_000;
const PARTS: [&str; 4] = ["folds", "keys", "memory", "edits"];
/// The number of edits in the part `edits`.
const EDITS: usize = 100_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with("--")).collect();
    let own = env!("CARGO_BIN_EXE_chatls");
    if !std::env::args().any(|argument| argument == "--bench") {
        // `cargo test --benches` only checks that it runs.
        for (_, opened) in worst(10_000) {
            Session::start(own, &opened, &capabilities(None)).type_key(&[]);
        }
        return;
    }
    let others = arguments.iter().map(String::as_str).filter(|it| !PARTS.contains(it));
    let binaries: Vec<&str> = others.chain([own]).collect();
    let is_wanted = |part: &str| arguments.iter().any(|it| it == part);
    let parts: [fn(&[&str]); 4] = [folds, keys, memory, edits];
    let is_any_wanted = PARTS.into_iter().any(is_wanted);
    for (name, part) in PARTS.into_iter().zip(parts) {
        if !is_any_wanted || is_wanted(name) {
            part(&binaries);
        }
    }
}

/// Prints a row with what `measure` returns for each of `binaries`.
fn row(name: &str, binaries: &[&str], mut measure: impl FnMut(&str) -> String) {
    let values: Vec<String> = binaries.iter().map(|binary| measure(binary)).collect();
    println!("{name} | {}", values.join(" | "));
}

/// The folds of Markdown with calls in fences, with the edit before them.
fn folds(binaries: &[&str]) {
    println!("\nfolds after an edit, ms");
    for (size, limit) in [(10, None), (10, Some(5000)), (100, None)] {
        let opened = Opened::new("markdown", "chat.md", made::document("fences", size * MEGABYTE), "part_");
        let shown = limit.map_or("all".to_owned(), |limit: usize| limit.to_string());
        row(&format!("{shown} of {size} MB"), binaries, |binary| {
            let mut session = Session::start(binary, &opened, &capabilities(limit));
            format!("{:.1}", session.measure(&["foldingRange"]) - session.measure(&[]))
        });
    }
}

/// A keystroke with its diagnostics.
fn keys(binaries: &[&str]) {
    println!("\na keystroke with its diagnostics, ms");
    for (name, opened) in worst(20 * MEGABYTE) {
        row(name, binaries, |binary| {
            format!("{:.2}", Session::start(binary, &opened, &capabilities(None)).measure(&[]))
        });
    }
}

/// Documents in which a keystroke is expensive, with their sizes where `size` is 20 MB.
fn worst(size: usize) -> Vec<(&'static str, Opened)> {
    let markdown = |text, mark| Opened::new("markdown", "chat.md", text, mark);
    let fence = |payload: &str| {
        format!(
            "```tool\n{{\"toolCallId\":\"a\",\"toolName\":\"write\",\"state\":\"output-available\",\"input\":{payload},\"output\":1}}\n```\n"
        )
    };
    let item = r#"{"key":1,"text":"some words"}"#;
    let items = |between: &str| format!("[{}]", vec![item; size / item.len()].join(between));
    let words = "word and more ".repeat(size / 14);
    let pretty = serde_json::from_str::<Value>(&items(",")).unwrap();
    let record = json!({"type": "user", "uuid": "a", "message": {"role": "user", "content": words}});
    // The letters are typed into the language of the first fence, which then is no tool block.
    let first = Opened { at: (0, 7), ..markdown(fence("1") + &made::document("dense", size * 5 / 2), "\n") };
    vec![
        ("a paragraph of markers, 1 MB", markdown("###:{\"a\":1} ".repeat(size / 240), "a")),
        (
            "100,000 text deltas",
            Opened::new("jsonl", "jsonl", made::document("text", size / 3), "\"delta\":\""),
        ),
        ("a line of a log, 20 MB", Opened::new("jsonl", "jsonl", record.to_string() + "\n", "word")),
        ("a fence of pretty JSON, 20 MB", markdown(fence(&format!("{pretty:#}")), "some")),
        ("a fence with an item a line, 20 MB", markdown(fence(&items(",\n")), "some")),
        ("a fence with all items on a line, 20 MB", markdown(fence(&items(",")), "some")),
        ("a fence with one string, 20 MB", markdown(fence(&json!(words).to_string()), "word")),
        ("the language of the first fence, 50 MB", first),
    ]
}

/// Memory in multiples of the size of a document: open, after 5,000 folds and the outline, closed.
fn memory(binaries: &[&str]) {
    println!("\nmemory of a document of 20 MB in times of its size: open, with folds and outline, closed");
    let tags = "<tool>read(path=a)\nok</tool>\n\n".repeat(20 * MEGABYTE / 30);
    let of_kind = |kind| made::document(kind, 20 * MEGABYTE);
    for (name, end, text, mark) in [
        ("fences", "chat.md", of_kind("fences"), "part_"),
        ("ordinary", "chat.md", of_kind("ordinary"), "project "),
        ("dense", "chat.md", of_kind("dense"), "part_"),
        ("tags", "chat.md", tags, "path="),
        ("session", "jsonl", of_kind("session"), "part_"),
        ("stream", "jsonl", of_kind("calls"), "fn "),
        ("pretty", "chat.json", pretty(20 * MEGABYTE), "part_"),
    ] {
        let language = match end {
            "chat.md" => "markdown",
            "jsonl" => "jsonl",
            _ => "json",
        };
        let opened = Opened::new(language, end, text, mark);
        row(name, binaries, |binary| {
            let mut session = Session::start(binary, &opened, &capabilities(Some(5000)));
            let open = session.growth();
            session.type_key(&["foldingRange", "documentSymbol"]);
            let asked = session.growth();
            session.close();
            let times = |bytes: usize| bytes as f64 / opened.text.len() as f64;
            format!("{:.1} {:.1} {:.1}", times(open), times(asked), times(session.growth()))
        });
    }
}

/// The growth of memory by many edits.
fn edits(binaries: &[&str]) {
    println!("\nmemory above a server without a document, MB: of 1 MB, after {EDITS} edits");
    let opened = Opened::new("markdown", "chat.md", made::document("fences", MEGABYTE), "part_");
    row("fences", binaries, |binary| {
        let mut session = Session::start(binary, &opened, &capabilities(None));
        (0..100).for_each(|_| session.type_key(&[]));
        let before = session.growth() as f64 / 1e6;
        (0..EDITS).for_each(|_| session.type_key(&[]));
        format!("{before:.1} {:.1}", session.growth() as f64 / 1e6)
    });
}

/// What a client without labels announces.
fn capabilities(range_limit: Option<usize>) -> Value {
    json!({"textDocument": {
        "foldingRange": {"rangeLimit": range_limit, "lineFoldingOnly": true, "foldingRange": {"collapsedText": false}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": true}
    }})
}
