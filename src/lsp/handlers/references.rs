//! `textDocument/references`, `…/documentHighlight` and `…/linkedEditingRange`: the places of a name.
//!
//! References of a tool are those of all open documents: elsewhere, it is the same tool.

use lsp_types::Url;
use serde::{Deserialize, Serialize};

use crate::document::Document;
use crate::document::name_occurrences::NamedItem;
use crate::features::highlights::{HighlightKind, highlights};
use crate::features::linked_editing::linked_editing;
use crate::features::references::{Reference, references as find, subject};

use crate::lsp::conversions::locations::{PositionParams, WireLocation, lsp_range};
use crate::lsp::conversions::tool_locations;
use crate::lsp::snapshot::{OtherDocument, RequestWork, Snapshot};
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

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

#[derive(Serialize)]
struct WireHighlight {
    range: lsp_types::Range,
    kind: u8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkedRanges {
    ranges: Vec<lsp_types::Range>,
    word_pattern: &'static str,
}

/// The work of `textDocument/references`.
pub fn references(params: ReferenceParams) -> (Url, RequestWork) {
    let uri = params.at.uri();
    let work: RequestWork = Box::new(move |snapshot, pending| {
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
            let others = snapshot.others.iter().filter(is_wanted).map(|it| (&*it.spelling, &it.document));
            for (uri, document) in std::iter::once((&*snapshot.spelling, document)).chain(others) {
                let wanted = |it: &Reference| with_declaration || !it.is_declaration;
                let references = find(document, &subject).into_iter().filter(wanted);
                found.extend(references.map(|it| location(snapshot, uri, document, &it)));
                if !pending.is_wanted() {
                    break;
                }
            }
        }
        Frame::of(&Answer::new(&pending.id, found))
    });
    (uri, work)
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

/// The work of `textDocument/documentHighlight`.
pub fn document_highlight(params: PositionParams) -> (Url, RequestWork) {
    let uri = params.uri();
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let found = highlights(&snapshot.document, params.byte(snapshot));
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        // LSP 3.17, `DocumentHighlightKind`.
        let number = |kind| match kind {
            HighlightKind::Read => 2,
            HighlightKind::Write => 3,
        };
        let highlight = |it: &crate::features::highlights::Highlight| WireHighlight {
            range: lsp_range(text, &it.range, encoding),
            kind: number(it.kind),
        };
        Frame::of(&Answer::new(&pending.id, found.iter().map(highlight).collect::<Vec<_>>()))
    });
    (uri, work)
}

/// The work of `textDocument/linkedEditingRange`.
pub fn linked_editing_range(params: PositionParams) -> (Url, RequestWork) {
    let uri = params.uri();
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let linked = linked_editing(&snapshot.document, params.byte(snapshot));
        let linked = linked.map(|linked| LinkedRanges {
            ranges: linked.ranges.iter().map(|range| lsp_range(text, range, encoding)).collect(),
            word_pattern: linked.pattern,
        });
        Frame::of(&Answer::new(&pending.id, linked))
    });
    (uri, work)
}
