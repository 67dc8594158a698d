//! `textDocument/documentSymbol`: the outline, as a tree or as a list, by the client's
//! capabilities.

use std::borrow::Cow;

use crate::features::symbols::{OutlineSymbol, SymbolKind, document_symbols};
use crate::text::{ClientCursor, ClientRange};

use crate::lsp::conversions::locations::{DocumentParams, WireLocation, WireSymbol, lsp_range_at};
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::json_writer::JsonWriter;

/// Handles `textDocument/documentSymbol`.
pub fn document_symbol(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    let symbols = document_symbols(&request.document, || request.is_wanted());
    match request.client.symbol_tree {
        true => request.respond_written(|json| write_tree(json, &mut request.cursor(), &symbols)),
        false => {
            let mut list = Vec::new();
            add_flat(request, &mut request.cursor(), &symbols, None, &mut list);
            request.respond(list)
        }
    }
}

/// LSP 3.17, `SymbolKind`: only the kinds that every client supports.
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

/// Writes an array of `DocumentSymbol`.
fn write_tree(
    json: &mut JsonWriter<'_>,
    cursor: &mut ClientCursor<'_>,
    symbols: &[OutlineSymbol],
) -> serde_json::Result<()> {
    json.array(symbols, |json, symbol| {
        let (name, detail) = match symbol.kind {
            // Lists of symbols show no details: the start of the text is part of the name.
            SymbolKind::Conversation | SymbolKind::Message => (Cow::from(symbol.label()), ""),
            _ => (Cow::from(&symbol.name), symbol.detail.as_str()),
        };
        json.value("{\"name\":", &name)?;
        if !detail.is_empty() {
            json.value(",\"detail\":", detail)?;
        }
        json.value(",\"kind\":", &kind_number(symbol.kind))?;
        // In the order of the text, for the cursor.
        let start = cursor.position_of_byte(symbol.range.start);
        json.range(",\"selectionRange\":", cursor.range_of_bytes(&symbol.selection))?;
        if !symbol.children.is_empty() {
            json.raw(",\"children\":");
            write_tree(json, cursor, &symbol.children)?;
        }
        let end = cursor.position_of_byte(symbol.range.end);
        json.range(",\"range\":", ClientRange { start, end })?;
        json.raw("}");
        Ok(())
    })
}

fn add_flat(
    snapshot: &Snapshot,
    cursor: &mut ClientCursor<'_>,
    symbols: &[OutlineSymbol],
    within: Option<&str>,
    list: &mut Vec<WireSymbol>,
) {
    for symbol in symbols {
        list.push(WireSymbol {
            name: symbol.label(),
            kind: kind_number(symbol.kind),
            location: WireLocation {
                uri: snapshot.uri.spelling().to_string(),
                range: lsp_range_at(cursor, &symbol.range),
            },
            container_name: within.map(str::to_owned),
        });
        add_flat(snapshot, cursor, &symbol.children, Some(&symbol.name), list);
    }
}
