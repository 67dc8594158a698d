//! Completions while typing: only items that do not replace the intended text when Enter is
//! pressed.
//!
//! Most editors select the first item and accept it by Enter. So the typed text stays unless it is
//! the beginning of a construct of this language and of nothing else.

use crate::document::{Document, Language};
use crate::features::completion::{
    Completion, CompletionKind as Kind, CompletionRequest, completions, fenced_calls,
};
use crate::never::OrNever;
use crate::syntax::SegmentKind as Segment;
use crate::text::Span;

/// The filter text of a new call outside of blocks: no word begins with its first six letters.
const PREFIX: &str = "toolcall";
const LEAST: usize = 6;

/// Common languages of fences. A prefix of one of them is not completed to another language.
const COMMON: &str = "\
    asm awk bash bat bibtex c clojure cmake cmd console cpp cs csharp css csv cuda cue d dart diff \
    docker dockerfile dot elixir elm erlang fish fortran fsharp gherkin git go gradle graphql groovy \
    haskell hcl hs html http ini java javascript jinja js json json5 jsonc jsonl jsonnet jsx julia \
    kotlin kt latex less lisp log lua makefile markdown math md mdx mermaid nasm ndjson nginx nim \
    nix none nushell objc ocaml pascal perl php plain plaintext postgresql powershell prisma \
    properties proto ps1 puppet py python r racket rb regex ron rs rst ruby rust sass scala scheme \
    scss sh shell sol sql sse ssh svelte svg swift systemverilog tcl tex text tf toml ts tsx turtle \
    txt typescript typst v verilog vhdl vim vue wasm wat wgsl xml yaml yml zig zsh";

/// The completions at a position while typing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedCompletions {
    /// The items, best first.
    pub items: Vec<Completion>,
    /// True if there may be other items after the next character: clients then request the items
    /// again, instead of filtering these items or stopping after an empty list.
    pub may_change: bool,
}

/// The [`completions`] at the byte `at` that fit the text before the position, and new calls after
/// `toolcall` in every Markdown document.
pub fn completions_while_typing(
    document: &Document,
    at: usize,
    request: CompletionRequest,
) -> TypedCompletions {
    if !document.settings().enabled {
        return TypedCompletions::default();
    }
    match begun_call(document, at, request) {
        Some(word) if word.len() >= LEAST => {
            let items = new_calls(document, at, &word, request);
            return TypedCompletions { may_change: !items.is_empty(), items };
        }
        Some(_) => return TypedCompletions { items: Vec::new(), may_change: true },
        None => {}
    }
    if is_in_code_span(document, at) {
        return TypedCompletions::default();
    }
    let (items, may_change) = fitting(document, at, request);
    TypedCompletions { may_change: may_change || !items.is_empty(), items }
}

/// The [`completions`] that fit the text before the byte `at`, and whether other items may fit
/// after more text.
fn fitting(document: &Document, at: usize, request: CompletionRequest) -> (Vec<Completion>, bool) {
    let mut items = completions(document, at, request);
    let typed = |item: &Completion| document.text().slice(item.edit.0.start..at).to_lowercase();
    let fits = |item: &Completion| item.filter.to_lowercase().starts_with(&typed(item));
    // Complete text stays, even if a longer name begins with it; so do numbers.
    let is_complete = |item: &Completion| {
        let typed = typed(item);
        let is_quoted = typed.starts_with(['"', '\'', '“', '”']);
        let is_number = typed.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        !is_quoted && (is_number || typed == item.filter.to_lowercase())
    };
    if items.iter().any(is_complete) {
        return (Vec::new(), items.iter().any(|item| fits(item) && !is_complete(item)));
    }
    // After a typed word outside of the replaced range, the request comes from typing, and no
    // completion is useful.
    let before = document.text().slice(document.text().floor_boundary(at.saturating_sub(1))..at);
    let is_word = before.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    items.retain(|item| fits(item) && !(is_word && item.edit.0.start == at));
    let fitting = items.len();
    items.retain(|item| item.kind != Kind::Language || is_dialect_language(&typed(item)));
    // A parameter stands in a call.
    items.retain(|item| item.kind == Kind::Parameter || !is_half_tag(&typed(item)));
    let may_change = items.len() < fitting;
    (items, may_change)
}

/// True if the position is in an unclosed code span in running text, outside of tags and legacy
/// lines.
fn is_in_code_span(document: &Document, at: usize) -> bool {
    let text = document.text();
    let line = text.line_content(text.line_of_byte(at));
    let is_text = document.tree().segment_at(at).is_some_and(|it| {
        let in_region = |span: Span| span.range_at(it.offset).contains(&at);
        matches!(it.segment.kind, Segment::Text(_))
            && !it.segment.regions().iter().any(|region| region.closed && in_region(region.span))
    });
    is_text && !text.slice(line.start..at).matches('`').count().is_multiple_of(2)
}

/// True if the typed part of a fence's language, if any, is not a prefix of a common language.
fn is_dialect_language(typed: &str) -> bool {
    typed.is_empty() || !COMMON.split(' ').any(|language| language.starts_with(typed))
}

/// True if an incomplete opening tag is typed. `<tool` is an element of HTML as often as a call,
/// and stays; a tool name follows `<tool>`.
fn is_half_tag(typed: &str) -> bool {
    typed.starts_with('<') && !typed.contains('>')
}

/// The word of a line that is a part of [`PREFIX`], or begins with it, optionally followed by a
/// tool name; nothing else is on the line.
fn begun_call(document: &Document, at: usize, request: CompletionRequest) -> Option<String> {
    if document.language() != Language::Markdown || request.trigger.is_some() {
        return None;
    }
    let text = document.text();
    let line = text.line_content(text.line_of_byte(at));
    let before = text.slice(line.start..at);
    let word = before.trim_start_matches([' ', '\t', '>']);
    let is_begun = !word.is_empty() && PREFIX.starts_with(word) || word.starts_with(PREFIX);
    // A plural is not a call of a tool whose name begins with `s`.
    let is_plural = word.strip_prefix(PREFIX) == Some("s");
    let is_alone = text.slice(at..line.end).trim().is_empty();
    let is_text = document.tree().segment_at(at).is_none_or(|it| matches!(it.segment.kind, Segment::Text(_)));
    let indent = before.get(..before.len() - word.len()).or_never();
    let is_code = !is_text || indent.contains('\t') || indent.contains("    ");
    // A longer word is tested by inserting the call.
    (is_begun && !is_plural && is_alone && (!is_code || word.len() >= LEAST)).then(|| word.to_owned())
}

/// Fences with a call in place of the `word` before the byte `at`.
fn new_calls(document: &Document, at: usize, word: &str, request: CompletionRequest) -> Vec<Completion> {
    let named = |item: Completion| {
        let filter = format!("{PREFIX}{}", item.filter.replace(' ', ""));
        Completion { label: format!("{PREFIX} {}", item.label), filter, ..item }
    };
    let calls = fenced_calls(document, at - word.len()..at, "", None, request);
    let mut calls: Vec<_> = calls.into_iter().map(named).collect();
    calls.retain(|call| call.filter.to_lowercase().starts_with(&word.to_lowercase()));
    calls
}
