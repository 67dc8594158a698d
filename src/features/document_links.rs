//! Document links: strings that look like paths of files, in the inputs of calls and in what a configuration names.
//!
//! Whether there are such files is for others to find out. A link is on one line, and holds the text without its quotes.

use std::cell::Cell;
use std::ops::Range;

use crate::call::{CallData, CallPart, ParsedPayload};
use crate::config::named_sources;
use crate::dialect::arguments;
use crate::document::{CallPosition, Document};
use crate::json::{JsonKind, Value};
use crate::text::Span;

/// The most bytes of a path.
const LONGEST: usize = 1024;
/// The most strings of a document that are handed on.
const MOST: usize = 20_000;

/// A string that may be a file's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLink {
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
    /// The path, decoded.
    pub path: String,
}

/// The links of `document`, in order; none where `include` and `exclude` do not let it in. Ends early, with what it has, when `is_wanted` says so. Takes time linear in the length of
/// all tool calls: each is read again.
pub fn document_links(document: &Document, is_wanted: &dyn Fn() -> bool) -> Vec<DocumentLink> {
    let (mut links, count) = (Vec::new(), Cell::new(0));
    if !document.is_active() {
        return links;
    }
    let is_wanted = || count.get() < MOST && is_wanted();
    document.all_call_positions_at(&(0..document.text().len()), &is_wanted, &mut |spot| {
        add_call(spot, &mut links);
        count.set(links.len());
    });
    links
}

/// The registries that the configuration `text` names, in order; presets are no files.
pub fn source_links(text: &str) -> Vec<DocumentLink> {
    let sources = named_sources(text).into_iter().filter(|(_, path)| !path.starts_with("preset:"));
    let link = |(range, path): (Range<usize>, String)| {
        let quoted = text.get(range.clone()).unwrap_or_default();
        let inner = ["\"", "'"].iter().find_map(|quote| quoted.strip_prefix(quote)?.strip_suffix(quote));
        // Anything longer than its content is more than quotes: escapes, or quotes of several lines.
        let range = if inner == Some(&path) { range.start + 1..range.end - 1 } else { range };
        DocumentLink { range, path }
    };
    sources.map(link).filter(|link| !link.path.is_empty()).collect()
}

fn add_call(spot: &CallPosition<'_>, links: &mut Vec<DocumentLink>) {
    let call = spot.call;
    if !matches!(call.part, CallPart::Call | CallPart::Both) {
        return;
    }
    match (&call.input, call.payload, call.arguments_span) {
        (Some(CallData::Json(input)), Some(payload), _) => add_json(spot, payload, *input, links),
        (Some(CallData::Arguments(decoded)), _, Some(span)) => {
            let written = arguments::split(span.of(spot.source.text), |text| text.into());
            for ((_, value), (key, path)) in written.iter().zip(decoded) {
                if looks_like_path(path, key) {
                    let range = spot.range_of(spot.source.span_of(value));
                    links.push(DocumentLink { range, path: path.to_string() });
                }
            }
        }
        _ => {}
    }
}

/// The strings in `input`, however deep.
fn add_json(
    spot: &CallPosition<'_>,
    payload: ParsedPayload<'_>,
    input: Value<'_>,
    links: &mut Vec<DocumentLink>,
) {
    let node_at = |index| Value::at(payload.json, payload.body(), index);
    let mut key = None;
    for node in (input.index()..input.node().next).map_while(node_at) {
        match node.kind() {
            JsonKind::Key { .. } => key = Some(node),
            JsonKind::String { .. } if node.is_closed() && node.span().len() <= LONGEST => {
                let path = node.as_str().unwrap_or_default();
                let key = key.and_then(Value::as_str).unwrap_or_default();
                let is_quoted = node.content_span() != node.span();
                let is_one_line = !node.raw().contains(['\n', '\r']);
                if is_quoted && is_one_line && looks_like_path(&path, &key) {
                    let span: Span = node.content_span().shifted(payload.start);
                    links.push(DocumentLink { range: spot.range_of(span), path: path.into_owned() });
                }
            }
            _ => {}
        }
    }
}

/// Whether `text`, which the parameter `key` is given, is written like the path of a file: with a folder, with an extension, or as
/// a word in a parameter that is named so. URIs are none, nor is what file names do not hold.
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
