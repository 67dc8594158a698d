//! `textDocument/inlayHint` and `inlayHint/resolve`, which adds the contents of a batch.

use lsp_types::{InlayHintLabel, InlayHintTooltip, Position};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tower_lsp::jsonrpc::Error;

use crate::features::inlay_hints::{HintKind, InlayHint, details, inlay_hints};
use crate::prose::RichText;
use crate::text::ClientCursor;

use crate::lsp::conversions::locations::{RangeParams, client_position_to_lsp};
use crate::lsp::conversions::markup::markup;
use crate::lsp::request::{ActiveRequest, HandlerResult, ResolveParams};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::DocumentUri;

/// The data of a hint that `inlayHint/resolve` needs.
#[derive(Serialize, Deserialize)]
pub struct InlayHintData {
    uri: DocumentUri,
    /// True if it is the label of a batch.
    batch: bool,
}

/// Handles `textDocument/inlayHint`.
pub fn inlay_hint(params: RangeParams, request: &ActiveRequest) -> HandlerResult {
    let mut cursor = request.cursor();
    let hints = inlay_hints(&request.document, request.bytes(params.range));
    let hints = hints.into_iter().map(|hint| lsp_hint(hint, &mut cursor, request));
    request.respond(hints.collect::<Vec<_>>())
}

/// Handles `inlayHint/resolve`: the same hint, with the calls of its batch.
pub fn resolve(params: ResolveParams<InlayHintData>, request: &ActiveRequest) -> HandlerResult {
    let ResolveParams { item: mut hint, data } = params;
    let position =
        Position::deserialize(&hint["position"]).map_err(|error| Error::invalid_params(error.to_string()))?;
    let at = request.byte(position);
    if let Some(details) = data.batch.then(|| details(&request.document, at)).flatten() {
        let prose = RichText::default().code("", details);
        hint["tooltip"] = json!(markup(&prose, request.client.markdown));
    }
    request.respond(hint)
}

fn lsp_hint(hint: InlayHint, cursor: &mut ClientCursor<'_>, snapshot: &Snapshot) -> lsp_types::InlayHint {
    let data = InlayHintData { uri: snapshot.uri.clone(), batch: hint.kind == HintKind::Batch };
    let is_id = hint.kind == HintKind::Id;
    let tooltip =
        is_id.then(|| InlayHintTooltip::String("The fallback id of this call, which has none".to_owned()));
    let position = client_position_to_lsp(cursor.position_of_byte(hint.offset));
    let is_at_start = position.character == 0;
    lsp_types::InlayHint {
        position,
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip,
        padding_left: Some(!is_at_start),
        padding_right: is_at_start.then_some(true),
        // Some clients resolve every hint.
        data: snapshot.client.resolves_hints.then(|| json!(data)),
    }
}
