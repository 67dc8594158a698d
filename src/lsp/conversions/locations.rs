//! Positions in documents on the wire: incoming positions, outgoing ranges and locations.

use std::ops::Range;

use lsp_types::{Position, TextDocumentIdentifier};
use serde::{Deserialize, Serialize};

use crate::text::position::{bytes_to_client_range, client_position_to_byte};
use crate::text::{ClientPosition, Encoding, Text};

use crate::lsp::conversions::to_proto::client_range_to_lsp;

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
    let position = ClientPosition { line: position.line, column: position.character };
    client_position_to_byte(text, position, encoding)
}

/// The LSP range of document offsets.
pub fn lsp_range(text: &Text, range: &Range<usize>, encoding: Encoding) -> lsp_types::Range {
    client_range_to_lsp(bytes_to_client_range(text, range.clone(), encoding))
}
