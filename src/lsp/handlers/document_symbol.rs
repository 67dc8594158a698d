//! `textDocument/documentSymbol`: the outline, as a tree or as a list, by the client's
//! capabilities.

use std::borrow::Cow;
use std::ops::Range;

use serde::Serialize;

use crate::features::symbols::{OutlineSymbol, SymbolKind, document_symbols};
use crate::text::ClientCursor;

use crate::lsp::conversions::locations::{DocumentParams, WireLocation};
use crate::lsp::conversions::to_proto::client_position_to_lsp;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentSymbol<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    detail: &'a str,
    kind: u8,
    range: lsp_types::Range,
    selection_range: lsp_types::Range,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<DocumentSymbol<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutlineSymbolInformation<'a> {
    name: String,
    kind: u8,
    location: WireLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    container_name: Option<&'a str>,
}

/// Handles `textDocument/documentSymbol`.
pub fn document_symbol(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let symbols = document_symbols(&request.document, || request.is_wanted());
    match request.client.symbol_tree {
        true => request.respond(tree(&mut SymbolRanges::new(request), &symbols)),
        false => {
            let mut list = Vec::new();
            add_flat(request, &mut SymbolRanges::new(request), &symbols, None, &mut list);
            request.respond(list)
        }
    }
}

/// LSP 3.17, `SymbolKind`: those that every client supports.
pub fn kind_number(kind: SymbolKind) -> u8 {
    match kind {
        // Module
        SymbolKind::Conversation => 2,
        // Namespace
        SymbolKind::Message => 3,
        // Array
        SymbolKind::Batch => 18,
        // Function
        SymbolKind::Call => 12,
    }
}

/// Converts the ranges of nested symbols. Starts ascend from a symbol to its children, ends from
/// the children to their symbol, so each has a cursor of its own.
struct SymbolRanges<'t> {
    starts: ClientCursor<'t>,
    ends: ClientCursor<'t>,
}

impl<'t> SymbolRanges<'t> {
    fn new(snapshot: &'t Snapshot) -> Self {
        let cursor = ClientCursor::new(snapshot.text(), snapshot.client.encoding);
        Self { starts: cursor.clone(), ends: cursor }
    }

    fn start(&mut self, offset: usize) -> lsp_types::Position {
        client_position_to_lsp(self.starts.position_of_byte(offset))
    }

    fn end(&mut self, offset: usize) -> lsp_types::Position {
        client_position_to_lsp(self.ends.position_of_byte(offset))
    }
}

fn tree<'a>(ranges: &mut SymbolRanges<'_>, symbols: &'a [OutlineSymbol]) -> Vec<DocumentSymbol<'a>> {
    let name = |symbol: &'a OutlineSymbol| match symbol.kind {
        // Lists of symbols show no details: the start of the text is part of the name.
        SymbolKind::Conversation | SymbolKind::Message => (Cow::from(symbol.label()), ""),
        _ => (Cow::from(&symbol.name), symbol.detail.as_str()),
    };
    let of_one = |symbol: &'a OutlineSymbol| {
        let (name, detail) = name(symbol);
        let start = ranges.start(symbol.range.start);
        let Range { start: from, end: to } = symbol.selection;
        let selection_range = lsp_types::Range { start: ranges.start(from), end: ranges.start(to) };
        let children = tree(ranges, &symbol.children);
        DocumentSymbol {
            name,
            detail,
            kind: kind_number(symbol.kind),
            range: lsp_types::Range { start, end: ranges.end(symbol.range.end) },
            selection_range,
            children,
        }
    };
    symbols.iter().map(of_one).collect()
}

fn add_flat<'a>(
    snapshot: &'a Snapshot,
    ranges: &mut SymbolRanges<'_>,
    symbols: &'a [OutlineSymbol],
    within: Option<&'a str>,
    list: &mut Vec<OutlineSymbolInformation<'a>>,
) {
    for symbol in symbols {
        list.push(OutlineSymbolInformation {
            name: symbol.label(),
            kind: kind_number(symbol.kind),
            location: WireLocation {
                uri: snapshot.uri.spelling().to_string(),
                range: lsp_types::Range {
                    start: ranges.start(symbol.range.start),
                    end: ranges.end(symbol.range.end),
                },
            },
            container_name: within,
        });
        add_flat(snapshot, ranges, &symbol.children, Some(&symbol.name), list);
    }
}
