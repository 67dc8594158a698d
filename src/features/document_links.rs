//! Document links: strings that look like file paths, in the inputs of calls and in configurations.
//!
//! The caller checks that the files exist. A link is within one line and covers the text without
//! its quotes.

use std::borrow::Cow;
use std::ops::Range;

use crate::call::{Call, CallData};
use crate::config::named_sources;
use crate::dialect::arguments;
use crate::document::Document;
use crate::json::{self, JsonKind, Value};
use crate::never::OrNever;
use crate::segments::kept::KeptPath;
use crate::text::Span;

/// Maximum length of a path, in bytes.
const LONGEST: usize = 1024;
/// The number of segments after which it is asked whether the links are wanted.
const ASKED_EACH: usize = 256;
/// Maximum number of strings per document.
const MOST: usize = 20_000;

/// A string that may be a file path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink<'d> {
    /// The range, in bytes of the text.
    pub range: Range<usize>,
    /// The path, decoded.
    pub path: Cow<'d, str>,
}

/// The links of `document`, in document order; none if `include` and `exclude` exclude it. Stops
/// early, with the links so far, when `is_wanted` returns false. Parses only calls of segments that
/// no request before has read.
pub fn document_links<'d>(document: &'d Document, is_wanted: &dyn Fn() -> bool) -> Vec<DocumentLink<'d>> {
    let mut links = Vec::new();
    if !document.is_active() {
        return links;
    }
    for located in document.tree().iter() {
        if located.data().blocks.is_empty() {
            continue;
        }
        if links.len() >= MOST || located.index.is_multiple_of(ASKED_EACH) && !is_wanted() {
            break;
        }
        let paths =
            located.segment.attachment.kept.paths(|| paths_of(document, located.index, located.offset));
        links.extend(paths.iter().map(|KeptPath { span, path }| DocumentLink {
            range: span.shifted(located.offset).range(),
            path: Cow::Borrowed(&**path),
        }));
    }
    links
}

/// The paths in the calls of the segment at `index`, which begins at `offset`.
fn paths_of(document: &Document, index: usize, offset: usize) -> Vec<KeptPath> {
    let mut paths = Vec::new();
    document.call_positions(index, &mut |position| {
        add_paths(position.call, &mut |span, path| {
            let range = position.range_of(span);
            let span = Span::new(range.start - offset, range.end - offset);
            paths.push(KeptPath { span, path: path.into() });
        });
    });
    paths
}

/// The registries named in the configuration `text`, in order, except presets, which are not files.
pub fn source_links(text: &str) -> Vec<DocumentLink<'static>> {
    let sources = named_sources(text).into_iter().filter(|(_, path)| !path.starts_with("preset:"));
    let link = |(range, path): (Range<usize>, String)| {
        let quoted = text.get(range.clone()).or_never();
        let inner = ["\"", "'"].iter().find_map(|quote| quoted.strip_prefix(quote)?.strip_suffix(quote));
        // A raw string longer than its content plus quotes has escapes or multi-line quotes.
        let range = if inner == Some(&path) { range.start + 1..range.end - 1 } else { range };
        DocumentLink { range, path: Cow::Owned(path) }
    };
    sources.map(link).filter(|link| !link.path.is_empty()).collect()
}

/// Passes the paths in the input of `call`, with their spans, to `add`.
fn add_paths(call: &Call<'_>, add: &mut dyn FnMut(Span, &str)) {
    if !call.part.has_call() {
        return;
    }
    match &call.input {
        Some(CallData::Json(input)) => {
            add_json(*input, "", &mut |span, path| add(call.input_span(span), path));
        }
        Some(CallData::Arguments(decoded)) => {
            for ((_, value), (key, path)) in arguments::spans_in(call).into_iter().zip(decoded) {
                let written = value.of(call.content);
                // "A value that reads as JSON is JSON, else a string."
                let may_be_json = written == path && written.starts_with(['"', '[', '{']);
                let json = may_be_json.then(|| json::parse(written));
                match json.as_ref().and_then(|json| json.valid_root(written)) {
                    Some(json) => {
                        add_json(json, key, &mut |span, path| add(span.shifted(value.start as usize), path));
                    }
                    None if looks_like_path(path, key) => add(value, path),
                    None => {}
                }
            }
        }
        _ => {}
    }
}

/// Adds the strings in `input`, the value of the parameter `name`, that look like paths, at any
/// depth.
fn add_json(input: Value<'_>, name: &str, add: &mut dyn FnMut(Span, &str)) {
    let mut key = None;
    for node in input.nodes() {
        match node.kind() {
            JsonKind::Key { .. } => key = Some(node),
            JsonKind::String { .. } if node.is_closed() && node.span().len() <= LONGEST => {
                let path = node.as_str().unwrap_or_default();
                let key = key.and_then(Value::as_str).unwrap_or(Cow::Borrowed(name));
                let is_quoted = node.content_span() != node.span();
                let is_one_line = !node.raw().contains(['\n', '\r']);
                if is_quoted && is_one_line && looks_like_path(&path, &key) {
                    add(node.content_span(), &path);
                }
            }
            _ => {}
        }
    }
}

/// True if `text`, the value of the parameter `key`, looks like a file path: it has a folder or an
/// extension, or is a word and `key` is named for paths or files. URIs and text with characters
/// that file names do not contain are excluded.
fn looks_like_path(text: &str, key: &str) -> bool {
    let is_name = !text.is_empty()
        && text.len() <= LONGEST
        && text.trim() == text
        && !text.contains(|c: char| c.is_control() || "<>\"|*?".contains(c))
        && !text.contains("://")
        && !text.ends_with('/');
    let last = text.rsplit('/').next().unwrap_or_default();
    let has_extension = last.rsplit_once('.').is_some_and(|(stem, extension)| {
        let is_word = extension.chars().all(char::is_alphanumeric) && !extension.is_empty();
        is_word && (!stem.is_empty() || extension.len() > 1)
    });
    let key = key.to_ascii_lowercase();
    is_name && (text.contains('/') || has_extension || key.contains("path") || key.contains("file"))
}

#[cfg(test)]
mod tests;
