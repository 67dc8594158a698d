//! `textDocument/references`, `…/documentHighlight` and `…/linkedEditingRange`: the occurrences of
//! a name.
//!
//! References of a tool include those in all open documents.

use lsp_types::request::{self, Request as _};
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, LinkedEditingRangeServerCapabilities, LinkedEditingRanges,
    OneOf, Range, Url,
};
use serde::Deserialize;

use crate::document::Document;
use crate::document::name_occurrences::NamedItem;
use crate::features::highlights::{Highlight, HighlightKind, highlights};
use crate::features::linked_editing::linked_editing;
use crate::features::references::{Reference, references as find, subject};
use crate::text::ClientCursor;

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::announced_capabilities::AnnouncedCapabilities;
use crate::lsp::conversions::locations::{PositionParams, WireLocation, lsp_range};
use crate::lsp::conversions::to_proto::client_position_to_lsp;
use crate::lsp::conversions::tool_locations;
use crate::lsp::request::{HandlerResult, RequestHandler, RequestNeeds};
use crate::lsp::snapshot::{OtherDocument, Snapshot};
use crate::lsp::wire::pending::PendingRequest;

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
pub struct ReferencesHandler;

impl RequestHandler for ReferencesHandler {
    const METHOD: &'static str = request::References::METHOD;
    const NEEDS: RequestNeeds = RequestNeeds::OtherDocuments;
    type Params = ReferenceParams;

    fn document(params: &Self::Params) -> &Url {
        &params.at.text_document.uri
    }

    fn announce(capabilities: &mut AnnouncedCapabilities, _: &SessionCapabilities) {
        capabilities.references_provider = Some(OneOf::Left(true));
    }

    fn handle(params: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let document = &snapshot.document;
        let with_declaration = params.context.include_declaration;
        let mut found = Vec::new();
        if let Some(subject) = subject(document, params.at.byte(snapshot)) {
            let is_tool = subject.named == NamedItem::Tool;
            if let Some(tool) = document.settings().registry.tools.get(subject.text.as_str())
                && is_tool
                && with_declaration
            {
                found.extend(declarations(snapshot, tool));
            }
            let is_wanted = |other: &&OtherDocument| is_tool && other.document.settings().enabled;
            let others = snapshot.others.iter().filter(is_wanted).map(|it| (it.uri.spelling(), &it.document));
            for (uri, document) in std::iter::once((snapshot.uri.spelling(), document)).chain(others) {
                let wanted = |it: &Reference| with_declaration || !it.is_declaration;
                let references = find(document, &subject).into_iter().filter(wanted);
                found.extend(references.map(|it| location(snapshot, uri, document, &it)));
                if !pending.is_wanted() {
                    break;
                }
            }
        }
        pending.response(found)
    }
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
pub struct DocumentHighlightHandler;

impl RequestHandler for DocumentHighlightHandler {
    const METHOD: &'static str = request::DocumentHighlightRequest::METHOD;
    type Params = PositionParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn announce(capabilities: &mut AnnouncedCapabilities, _: &SessionCapabilities) {
        capabilities.document_highlight_provider = Some(OneOf::Left(true));
    }

    fn handle(params: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let found = highlights(&snapshot.document, params.byte(snapshot));
        let mut cursor = ClientCursor::new(snapshot.document.text(), snapshot.client.encoding);
        let mut position = |offset: usize| client_position_to_lsp(cursor.position_of_byte(offset));
        let highlight = |it: &Highlight| DocumentHighlight {
            range: Range { start: position(it.range.start), end: position(it.range.end) },
            kind: Some(match it.kind {
                HighlightKind::Read => DocumentHighlightKind::READ,
                HighlightKind::Write => DocumentHighlightKind::WRITE,
            }),
        };
        pending.response(found.iter().map(highlight).collect::<Vec<_>>())
    }
}

/// Handles `textDocument/linkedEditingRange`.
pub struct LinkedEditingRangeHandler;

impl RequestHandler for LinkedEditingRangeHandler {
    const METHOD: &'static str = request::LinkedEditingRange::METHOD;
    type Params = PositionParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn announce(capabilities: &mut AnnouncedCapabilities, _: &SessionCapabilities) {
        capabilities.linked_editing_range_provider = Some(LinkedEditingRangeServerCapabilities::Simple(true));
    }

    fn handle(params: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let linked = linked_editing(&snapshot.document, params.byte(snapshot));
        let linked = linked.map(|linked| LinkedEditingRanges {
            ranges: linked.ranges.iter().map(|range| lsp_range(text, range, encoding)).collect(),
            word_pattern: Some(linked.pattern.to_owned()),
        });
        pending.response(linked)
    }
}
