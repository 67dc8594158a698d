//! The memory of an open document as a multiple of its size: text, tree and segment data.
//!
//! `cargo bench --bench memory` prints the growth of the process when a document is opened, as
//! reported by Linux; each document has a process of its own, so that none reuses memory of
//! another.

use std::sync::Arc;

use chatls::config::Settings;
use chatls::document::{Document, Language};
use chatls::text::Text;

mod made;

const SIZE: usize = 40_000_000;
const KINDS: [(&str, Language); 5] = [
    ("prose", Language::Markdown),
    ("ordinary", Language::Markdown),
    ("dense", Language::Markdown),
    ("calls", Language::Log),
    ("text", Language::Log),
];

fn main() {
    // Cargo passes `--bench`; an argument that is not an option is a kind.
    let wanted = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match KINDS.iter().find(|(kind, _)| Some(*kind) == wanted.as_deref()) {
        Some((kind, language)) => measure(kind, *language),
        None => measure_all(),
    }
}

fn measure_all() {
    println!("{:<10} {:>8} {:>8} {:>8} {:>9}", "kind", "MB", "text", "all", "segments");
    for (kind, _) in KINDS {
        let own = std::env::current_exe().expect("the path of this program");
        let status = std::process::Command::new(own).arg(kind).status().expect("a process");
        assert!(status.success(), "{kind}: {status}");
    }
}

fn measure(kind: &str, language: Language) {
    let source = made::document(kind, SIZE);
    let before = resident();
    let text = Text::new(&source);
    let text_alone = resident() - before;
    let document = Document::new(text, language, Arc::new(Settings::default()));
    let all = resident() - before;
    let times = |bytes: usize| bytes as f64 / source.len() as f64;
    let megabytes = source.len() as f64 / 1e6;
    let segments = document.tree().len();
    println!("{kind:<10} {megabytes:>8.1} {:>7.2}x {:>7.2}x {segments:>9}", times(text_alone), times(all));
}

/// The process's resident memory in bytes.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux's /proc");
    let pages: usize =
        statm.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number of pages");
    pages * 4096
}
