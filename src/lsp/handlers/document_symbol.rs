//! `textDocument/documentSymbol`: the outline, as a tree or as a list, by the client's
//! capabilities.

use std::borrow::Cow;
use std::ops::Range;

use lsp_types::request::{self, Request as _};
use lsp_types::{OneOf, Url};
use serde::Serialize;

use crate::features::symbols::{OutlineSymbol, SymbolKind, document_symbols};

use crate::lsp::client_capabilities::SessionCapabilities;
use crate::lsp::conversions::announced_capabilities::AnnouncedCapabilities;
use crate::lsp::conversions::locations::{DocumentParams, WireLocation, lsp_range};
use crate::lsp::request::{HandlerResult, RequestHandler};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::pending::PendingRequest;

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
pub struct DocumentSymbolHandler;

impl RequestHandler for DocumentSymbolHandler {
    const METHOD: &'static str = request::DocumentSymbolRequest::METHOD;
    type Params = DocumentParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn announce(capabilities: &mut AnnouncedCapabilities, _: &SessionCapabilities) {
        capabilities.document_symbol_provider = Some(OneOf::Left(true));
    }

    fn handle(_: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let symbols = document_symbols(&snapshot.document, || pending.is_wanted());
        match snapshot.client.symbol_tree {
            true => pending.response(tree(snapshot, &symbols)),
            false => {
                let mut list = Vec::new();
                add_flat(snapshot, &symbols, None, &mut list);
                pending.response(list)
            }
        }
    }
}

/// LSP 3.17, `SymbolKind`: those that every client supports.
pub fn kind_number(kind: SymbolKind) -> u8 {
    match kind {
        // Module
        SymbolKind::Conversation => 2,
        // Namespace
        SymbolKind::Turn => 3,
        // Array
        SymbolKind::Batch => 18,
        // Function
        SymbolKind::Call => 12,
    }
}

fn tree<'a>(snapshot: &Snapshot, symbols: &'a [OutlineSymbol]) -> Vec<DocumentSymbol<'a>> {
    // The beginning of a message is part of its name: lists of symbols show no details, and the
    // name alone is that of a heading. The same applies to conversations.
    let of_turn = |symbol: &'a OutlineSymbol| (Cow::from(symbol.label()), "");
    let name = |symbol: &'a OutlineSymbol| match symbol.kind {
        SymbolKind::Conversation | SymbolKind::Turn => of_turn(symbol),
        _ => (Cow::from(&symbol.name), symbol.detail.as_str()),
    };
    let of_one = |symbol: &'a OutlineSymbol| DocumentSymbol {
        name: name(symbol).0,
        detail: name(symbol).1,
        kind: kind_number(symbol.kind),
        range: to_lsp(snapshot, &symbol.range),
        selection_range: to_lsp(snapshot, &symbol.selection),
        children: tree(snapshot, &symbol.children),
    };
    symbols.iter().map(of_one).collect()
}

fn add_flat<'a>(
    snapshot: &'a Snapshot,
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
                range: to_lsp(snapshot, &symbol.range),
            },
            container_name: within,
        });
        add_flat(snapshot, &symbol.children, Some(&symbol.name), list);
    }
}

fn to_lsp(snapshot: &Snapshot, range: &Range<usize>) -> lsp_types::Range {
    lsp_range(snapshot.document.text(), range, snapshot.client.encoding)
}
