//! The cost of a keystroke and of a cold parse, by the document's length.
//!
//! `cargo bench --bench document`; with `-- keystroke` only the keystrokes. They are measured
//! including the diagnostics that an editor gets after each.

use std::sync::Arc;

use chatls::config::Settings;
use chatls::document::{Document, Language};
use chatls::features::folding::{FoldingCapabilities, folding_ranges};
use chatls::text::{Splice, Text};
use divan::counter::BytesCount;
use divan::{Bencher, black_box};

mod made;

use made::document;

const SIZES: [usize; 4] = [10_000, 1_000_000, 10_000_000, 100_000_000];

fn main() {
    divan::main();
}

fn read(text: &str) -> Document {
    Document::new(Text::new(text), Language::Markdown, Arc::new(Settings::default()))
}

/// Types a character after the first `mark` after `share` of the document, and removes it again.
fn keystroke(bencher: Bencher<'_, '_>, size: usize, share: f64, mark: &str) {
    let text = document("dense", size);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share"
    )]
    let from = (text.len() as f64 * share) as usize;
    let at = from + text[from..].find(mark).map_or(0, |at| at + mark.len());
    type_and_undo(bencher, read(&text), at);
}

/// Types a character at `at` and removes it again.
fn type_and_undo(bencher: Bencher<'_, '_>, mut document: Document, at: usize) {
    bencher.bench_local(|| {
        document.apply(Splice { start: at, removed: 0, inserted: 1 }, "x");
        black_box(document.diagnostics());
        document.apply(Splice { start: at, removed: 1, inserted: 0 }, "");
        black_box(document.diagnostics());
    });
}

#[divan::bench(args = SIZES)]
fn keystroke_in_fence(bencher: Bencher<'_, '_>, size: usize) {
    keystroke(bencher, size, 0.5, "\"path\": \"");
}

/// Types in an id, whose other blocks are looked up.
#[divan::bench(args = SIZES)]
fn keystroke_in_id(bencher: Bencher<'_, '_>, size: usize) {
    keystroke(bencher, size, 0.5, "\"toolCallId\": \"call_");
}

#[divan::bench(args = SIZES)]
fn keystroke_in_delta(bencher: Bencher<'_, '_>, size: usize) {
    let text = document("calls", size);
    let middle = text.len() / 2;
    let at = middle + text[middle..].find("settings").unwrap_or(0);
    type_and_undo(bencher, Document::new(Text::new(&text), Language::Log, Arc::default()), at);
}

/// Types in the path of a call in a log of messages.
#[divan::bench(args = SIZES)]
fn keystroke_in_log(bencher: Bencher<'_, '_>, size: usize) {
    type_in_path(bencher, &document("messages", size), Language::Log);
}

/// The same, in the line of a log that is one conversation.
#[divan::bench(args = [10_000, 280_000])]
fn keystroke_in_line(bencher: Bencher<'_, '_>, size: usize) {
    type_in_path(bencher, &messages_on_a_line(size), Language::Log);
}

/// The same, in a JSON document on one line.
#[divan::bench(args = [10_000, 280_000, 1_500_000])]
fn keystroke_in_json(bencher: Bencher<'_, '_>, size: usize) {
    type_in_path(bencher, &messages_on_a_line(size), Language::Json);
}

/// The same, in a pretty JSON document.
#[divan::bench(args = [10_000, 1_000_000, 20_000_000])]
fn keystroke_in_pretty_json(bencher: Bencher<'_, '_>, size: usize) {
    type_in_path(bencher, &pretty(&messages(size / 2)), Language::Json);
}

/// The same, while results are missing.
#[divan::bench(args = [10_000, 1_000_000, 20_000_000], consts = [1, 20])]
fn keystroke_in_json_with_fault<const FAULTS: usize>(bencher: Bencher<'_, '_>, size: usize) {
    let mut messages = messages(size / 2);
    let is_result = |message: &serde_json::Value| message.to_string().contains("tool_result");
    let results = messages.iter().zip(0..).filter(|(message, _)| is_result(message));
    let results: Vec<usize> = results.map(|(_, at)| at).collect();
    let faults = results.iter().step_by(results.len() / FAULTS + 1);
    faults.rev().for_each(|at| _ = messages.remove(*at));
    type_in_path(bencher, &pretty(&messages), Language::Json);
}

/// The same, in a fence of Markdown.
#[divan::bench(args = [10_000, 1_000_000])]
fn keystroke_in_json_fence(bencher: Bencher<'_, '_>, size: usize) {
    let text = format!("```json\n{}```\n", pretty(&messages(size / 2)));
    type_in_path(bencher, &text, Language::Markdown);
}

/// The same, with a message on each line.
#[divan::bench(args = [10_000, 1_000_000])]
fn keystroke_in_jsonl_fence(bencher: Bencher<'_, '_>, size: usize) {
    let text = format!("```jsonl\n{}```\n", document("messages", size));
    type_in_path(bencher, &text, Language::Markdown);
}

/// The same, in the input of one call in a `tool` fence.
#[divan::bench(args = [10_000, 1_000_000, 20_000_000])]
fn keystroke_in_payload(bencher: Bencher<'_, '_>, size: usize) {
    let text = format!("```tool\n{{\"input\": {}}}\n```\n", pretty(&messages(size / 2)));
    type_in_path(bencher, &text, Language::Markdown);
}

/// Types a bracket in the middle of a JSON document on one line: all after it is read anew.
#[divan::bench(args = [10_000, 280_000, 1_500_000])]
fn bracket_in_json(bencher: Bencher<'_, '_>, size: usize) {
    let text = messages_on_a_line(size);
    let middle = text.len() / 2;
    let at = middle + text[middle..].find("},{\"role\"").map_or(0, |at| at + 2);
    let mut document = Document::new(Text::new(&text), Language::Json, Arc::default());
    bencher.bench_local(|| {
        document.apply(Splice { start: at, removed: 0, inserted: 1 }, "[");
        black_box(document.diagnostics());
        document.apply(Splice { start: at, removed: 1, inserted: 0 }, "");
        black_box(document.diagnostics());
    });
}

/// Messages in an array on one line, of about `size` bytes.
fn messages_on_a_line(size: usize) -> String {
    let messages = document("messages", size);
    format!("[{}]\n", messages.trim_end().replace('\n', ","))
}

/// Messages of about `size` bytes.
fn messages(size: usize) -> Vec<serde_json::Value> {
    serde_json::from_str(&messages_on_a_line(size)).unwrap_or_default()
}

fn pretty(messages: &[serde_json::Value]) -> String {
    serde_json::to_string_pretty(messages).unwrap_or_default() + "\n"
}

/// Types in the first path in the second half of `text`.
fn type_in_path(bencher: Bencher<'_, '_>, text: &str, language: Language) {
    let middle = text.len() / 2;
    let at = middle + text[middle..].find("src/part_").unwrap_or(0);
    type_and_undo(bencher, Document::new(Text::new(text), language, Arc::default()), at);
}

#[divan::bench(args = SIZES)]
fn keystroke_in_prose(bencher: Bencher<'_, '_>, size: usize) {
    keystroke(bencher, size, 0.5, "It may ");
}

#[divan::bench(args = SIZES)]
fn keystroke_at_top(bencher: Bencher<'_, '_>, size: usize) {
    keystroke(bencher, size, 0.0, "Let me ");
}

/// Types in a fence that was opened at the top and contains the whole document.
#[divan::bench(args = SIZES, consts = [0, 1])]
fn keystroke_in_swallowing_fence<const LANGUAGE: usize>(bencher: Bencher<'_, '_>, size: usize) {
    let language = ["tool", "json"][LANGUAGE];
    let text = format!("~~~{language}\n{{\"toolName\": \"\"\n{}", document("dense", size));
    let at = text.find("\"\"").map_or(0, |at| at + 1);
    type_and_undo(bencher, read(&text), at);
}

/// Contents of large paragraphs and payloads; the time per byte must not depend on their length.
const FULL: [&str; 7] =
    ["tags", "quoted tags", "older tags", "markers and fences", "misplaced keys", "comments", "one key"];

/// About `size` bytes in one paragraph or payload, filled with one kind of content.
fn full(kind: &str, size: usize) -> String {
    let of = |piece: &str| piece.repeat(size / piece.len());
    match kind {
        "tags" => of("<tool>a()</tool>"),
        "quoted tags" => format!("> {}", of("<tool>a()</tool>")),
        "older tags" => of("<validation>a</validation>"),
        "misplaced keys" => format!("###: {{\"toolName\": \"a\"{}}}", of(", \"path\": 1")),
        "markers and fences" => of("###: {\n```\n```\n"),
        "comments" => format!("<tool>a()</tool> {}", of("<!-- ")),
        _ => format!("```tool\n{{\"toolName\": \"a\", \"input\": {{{}\"k\": 1}}}}\n```\n", of("\"k\": 1, ")),
    }
}

#[divan::bench(args = FULL, consts = [100_000, 1_000_000], sample_count = 10)]
fn cold_full<const SIZE: usize>(bencher: Bencher<'_, '_>, kind: &str) {
    let text = full(kind, SIZE);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let document = read(&text);
        (document.diagnostics(), document)
    });
}

/// A keystroke costs its whole paragraph.
#[divan::bench(args = FULL, consts = [100_000, 1_000_000], sample_count = 10)]
fn keystroke_in_full<const SIZE: usize>(bencher: Bencher<'_, '_>, kind: &str) {
    let text = full(kind, SIZE);
    type_and_undo(bencher, read(&text), text.len() / 2);
}

const COLD: usize = 20_000_000;
const TRANSCRIPTS: [&str; 2] = ["dense", "ordinary"];

/// Returns the document, so that freeing its memory is not measured.
#[divan::bench(args = TRANSCRIPTS, sample_count = 20)]
fn cold_chatls(bencher: Bencher<'_, '_>, kind: &str) {
    let text = document(kind, COLD);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let document = read(&text);
        (document.diagnostics(), document)
    });
}

#[divan::bench(args = TRANSCRIPTS, sample_count = 10)]
fn cold_rope_alone(bencher: Bencher<'_, '_>, kind: &str) {
    let text = document(kind, COLD);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| Text::new(&text));
}

#[divan::bench(args = TRANSCRIPTS, sample_count = 10)]
fn cold_pulldown_cmark(bencher: Bencher<'_, '_>, kind: &str) {
    let text = document(kind, COLD);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| pulldown_cmark::Parser::new(&text).count());
}

#[divan::bench(args = TRANSCRIPTS, sample_count = 10)]
fn all_folds(bencher: Bencher<'_, '_>, kind: &str) {
    let document = read(&document(kind, COLD));
    bencher
        .with_inputs(|| document.clone())
        .bench_local_refs(|document| folding_ranges(document, FoldingCapabilities::default()).iter().count());
}
