//! `textDocument/inlayHint` and `inlayHint/resolve`: hints as the client shows them; what a batch holds is told when somebody looks.

use lsp_types::{Position, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use crate::features::inlay_hints::{HintKind, InlayHint, details, inlay_hints};
use crate::prose::RichText;
use crate::text::position::{client_position_to_byte, client_range_to_bytes};
use crate::text::{ClientCursor, ClientPosition};

use crate::lsp::conversions::to_proto::{Markup, lsp_range_to_client};
use crate::lsp::snapshot::{RequestWork, Snapshot};
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// The params of `textDocument/inlayHint`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InlayHintParams {
    text_document: TextDocumentIdentifier,
    range: lsp_types::Range,
}

/// What a hint brings back when it is to be resolved.
#[derive(Serialize, Deserialize)]
struct InlayHintData {
    uri: String,
    /// Whether it is the label of a batch.
    batch: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireHint {
    position: Position,
    label: String,
    padding_left: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    tooltip: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<InlayHintData>,
}

/// The work of `textDocument/inlayHint`.
pub fn inlay_hint(params: InlayHintParams) -> (Url, RequestWork) {
    let InlayHintParams { text_document, range } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let range = client_range_to_bytes(text, lsp_range_to_client(range), encoding);
        let mut cursor = ClientCursor::new(text, encoding);
        let hints = inlay_hints(&snapshot.document, range);
        let hints: Vec<_> = hints.into_iter().map(|hint| wire_hint(hint, &mut cursor, snapshot)).collect();
        Frame::of(&Answer::new(&pending.id, hints))
    });
    (text_document.uri, work)
}

/// The work of `inlayHint/resolve`: the same hint, with what its batch holds.
///
/// # Errors
///
/// `InvalidParams` where the hint is none of this server's.
pub fn resolve(mut hint: Value) -> Result<(Url, RequestWork), Error> {
    let invalid = |error: &dyn std::fmt::Display| Error::invalid_params(error.to_string());
    let data: InlayHintData =
        serde_json::from_value(hint["data"].clone()).map_err(|error| invalid(&error))?;
    let uri = Url::parse(&data.uri).map_err(|error| invalid(&error))?;
    let at = Position::deserialize(&hint["position"]).map_err(|error| invalid(&error))?;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let at = ClientPosition { line: at.line, column: at.character };
        let at = client_position_to_byte(snapshot.document.text(), at, snapshot.client.encoding);
        let details = data.batch.then(|| details(&snapshot.document, at)).flatten();
        if let Some(details) = details {
            let prose = RichText::default().code("", details);
            hint["tooltip"] = serde_json::to_value(Markup::new(&prose, &snapshot.client))?;
        }
        Frame::of(&Answer::new(&pending.id, hint))
    });
    Ok((uri, work))
}

fn wire_hint(hint: InlayHint, cursor: &mut ClientCursor<'_>, snapshot: &Snapshot) -> WireHint {
    let ClientPosition { line, column } = cursor.position_of_byte(hint.offset);
    // Some clients have every hint resolved.
    let data = snapshot
        .client
        .hints
        .resolves
        .then(|| InlayHintData { uri: snapshot.spelling.to_string(), batch: hint.kind == HintKind::Batch });
    WireHint {
        position: Position { line, character: column },
        label: hint.label,
        padding_left: true,
        tooltip: (hint.kind == HintKind::Id).then_some("The id that this call gets, because none is written"),
        data,
    }
}
