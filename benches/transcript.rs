//! Results computed from a whole document: the chat of previews and `view`, its tool uses, and its
//! events.

use std::sync::Arc;

use chatls::config::Settings;
use chatls::document::{Document, Language};
use chatls::events::{Deltas, events_of_document};
use chatls::features::transcript;
use chatls::text::Text;
use divan::Bencher;
use divan::counter::BytesCount;

mod made;

fn main() {
    divan::main();
}

const KINDS: [&str; 3] = ["ordinary", "dense", "calls"];
const SIZES: [usize; 2] = [100_000, 10_000_000];

fn document(kind: &str, size: usize) -> Document {
    let language = if kind == "calls" { Language::Log } else { Language::Markdown };
    Document::new(Text::new(&made::document(kind, size)), language, Arc::new(Settings::default()))
}

#[divan::bench(args = KINDS, consts = SIZES, max_time = 4)]
fn chat<const SIZE: usize>(bencher: Bencher, kind: &str) {
    let document = document(kind, SIZE);
    bencher.counter(BytesCount::new(document.text().len())).bench(|| transcript::messages(&document));
}

#[divan::bench(args = KINDS, consts = SIZES, max_time = 4)]
fn tool_uses<const SIZE: usize>(bencher: Bencher, kind: &str) {
    let document = document(kind, SIZE);
    bencher.counter(BytesCount::new(document.text().len())).bench(|| document.tool_uses());
}

#[divan::bench(args = KINDS, consts = SIZES, max_time = 4)]
fn events<const SIZE: usize>(bencher: Bencher, kind: &str) {
    let document = document(kind, SIZE);
    bencher
        .counter(BytesCount::new(document.text().len()))
        .bench(|| events_of_document(&document, Deltas::OnePerText));
}
