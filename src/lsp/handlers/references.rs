//! `textDocument/references`, `…/documentHighlight` and `…/linkedEditingRange`: the occurrences of
//! a name.
//!
//! References of a tool include its references in all open documents.

use lsp_types::{DocumentHighlight, DocumentHighlightKind, LinkedEditingRanges};
use serde::Deserialize;

use crate::document::Document;
use crate::features::highlights::{Highlight, HighlightKind, highlights};
use crate::features::linked_editing::linked_editing;
use crate::features::references::{Reference, references as find, subject};
use crate::places::name_occurrences::NamedItem;

use crate::lsp::conversions::locations::{PositionParams, WireLocation, lsp_range, lsp_range_at};
use crate::lsp::conversions::tool_locations;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::{OtherDocument, Snapshot};

/// The params of `textDocument/references`, as far as they are used.
#[derive(Deserialize)]
pub struct ReferenceParams {
    #[serde(flatten)]
    at: PositionParams,
    #[serde(default)]
    context: ReferenceContext,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ReferenceContext {
    include_declaration: bool,
}

/// Handles `textDocument/references`.
pub fn references(params: ReferenceParams, request: &ActiveRequest) -> HandlerResult {
    let document = &request.document;
    let with_declaration = params.context.include_declaration;
    let mut found = Vec::new();
    if let Some(subject) = subject(document, request.byte(params.at.position)) {
        let is_tool = subject.named == NamedItem::Tool;
        if let Some(tool) = document.settings().registry.tools.get(subject.text.as_str())
            && is_tool
            && with_declaration
        {
            found.extend(declarations(request, tool));
        }
        let is_wanted = |other: &&OtherDocument| is_tool && other.document.settings().enabled;
        let others = request.others.iter().filter(is_wanted).map(|it| (it.uri.spelling(), &it.document));
        for (uri, document) in std::iter::once((request.uri.spelling(), document)).chain(others) {
            let wanted = |it: &Reference| with_declaration || !it.is_declaration;
            let references = find(document, &subject).into_iter().filter(wanted);
            found.extend(references.map(|it| location(request, uri, document, &it)));
            if !request.is_wanted() {
                break;
            }
        }
    }
    request.respond(found)
}

fn location(snapshot: &Snapshot, uri: &str, document: &Document, reference: &Reference) -> WireLocation {
    let range = lsp_range(document.text(), &reference.range, snapshot.client.encoding);
    WireLocation { uri: uri.to_owned(), range }
}

fn declarations(snapshot: &Snapshot, tool: &crate::registry::Tool) -> Vec<WireLocation> {
    let Some(registry) = tool_locations::declared(snapshot, tool) else { return Vec::new() };
    let place = |written| lsp_range(&registry.text, written, snapshot.client.encoding);
    let places = registry.places.iter();
    places.map(|it| WireLocation { uri: registry.uri.clone(), range: place(&it.written) }).collect()
}

/// Handles `textDocument/documentHighlight`.
pub fn document_highlight(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    let found = highlights(&request.document, request.byte(params.position));
    let mut cursor = request.cursor();
    let highlight = |it: &Highlight| DocumentHighlight {
        range: lsp_range_at(&mut cursor, &it.range),
        kind: Some(match it.kind {
            HighlightKind::Read => DocumentHighlightKind::READ,
            HighlightKind::Write => DocumentHighlightKind::WRITE,
        }),
    };
    request.respond(found.iter().map(highlight).collect::<Vec<_>>())
}

/// Handles `textDocument/linkedEditingRange`.
pub fn linked_editing_range(params: PositionParams, request: &ActiveRequest) -> HandlerResult {
    let linked = linked_editing(&request.document, request.byte(params.position));
    let linked = linked.map(|linked| LinkedEditingRanges {
        ranges: linked.ranges.iter().map(|range| request.range(range)).collect(),
        word_pattern: Some(linked.pattern.to_owned()),
    });
    request.respond(linked)
}
