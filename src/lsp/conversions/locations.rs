//! Positions in documents on the wire: incoming positions and edits, outgoing ranges and locations.

use std::ops::Range;

use lsp_types::{Position, TextDocumentContentChangeEvent, TextDocumentIdentifier};
use serde::{Deserialize, Serialize};

use crate::text::position::{bytes_to_client_range, client_position_to_byte};
use crate::text::{ClientCursor, ClientPosition, ClientRange, Encoding, Text, TextChange};

/// The params of requests on a whole document, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentParams {
    /// The document.
    pub text_document: TextDocumentIdentifier,
}

/// The params of requests at a position, as far as they are used.
#[derive(Deserialize)]
pub struct PositionParams {
    /// The position.
    pub position: Position,
}

/// The params of requests on a range, as far as they are used.
#[derive(Deserialize)]
pub struct RangeParams {
    /// The range.
    pub range: lsp_types::Range,
}

/// The params of requests on a document or a part of it, as far as they are used.
#[derive(Deserialize)]
pub struct PartParams {
    /// The part. Default: the whole document.
    pub range: Option<lsp_types::Range>,
}

/// LSP 3.17, `SymbolInformation`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WireSymbol {
    /// The name.
    pub name: String,
    /// The number of its kind.
    pub kind: u8,
    /// The location.
    pub location: WireLocation,
    /// The name of the symbol that contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub container_name: Option<String>,
}

/// LSP 3.17, `Location`.
#[derive(Clone, Debug, Serialize)]
pub struct WireLocation {
    /// The document, as the client spells it.
    pub uri: String,
    /// The range in it.
    pub range: lsp_types::Range,
}

/// The document offset of a position.
pub fn byte_at(text: &Text, position: Position, encoding: Encoding) -> usize {
    client_position_to_byte(text, lsp_position_to_client(position), encoding)
}

/// The LSP range of document offsets.
pub fn lsp_range(text: &Text, range: &Range<usize>, encoding: Encoding) -> lsp_types::Range {
    client_range_to_lsp(bytes_to_client_range(text, range.clone(), encoding))
}

/// The same, of one of many ranges, mostly in ascending order.
pub fn lsp_range_at(cursor: &mut ClientCursor<'_>, range: &Range<usize>) -> lsp_types::Range {
    client_range_to_lsp(cursor.range_of_bytes(range))
}

/// The core's form of an LSP change.
pub fn lsp_change_to_edit(change: TextDocumentContentChangeEvent) -> TextChange {
    TextChange { range: change.range.map(lsp_range_to_client), text: change.text }
}

/// The core's form of an LSP position.
fn lsp_position_to_client(position: Position) -> ClientPosition {
    ClientPosition { line: position.line, column: position.character }
}

/// The wire's position for the core's.
pub fn client_position_to_lsp(position: ClientPosition) -> Position {
    Position { line: position.line, character: position.column }
}

/// The core's form of an LSP range.
pub fn lsp_range_to_client(range: lsp_types::Range) -> ClientRange {
    ClientRange { start: lsp_position_to_client(range.start), end: lsp_position_to_client(range.end) }
}

/// The LSP form of a range.
fn client_range_to_lsp(range: ClientRange) -> lsp_types::Range {
    lsp_types::Range { start: client_position_to_lsp(range.start), end: client_position_to_lsp(range.end) }
}
