//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`.
//!
//! How payloads are laid out is said by `[format]`, the same for all who work on a document and in CI; what the editor says of tabs
//! is not asked.

use lsp_types::{DocumentOnTypeFormattingOptions, Position, TextDocumentIdentifier, Url};
use serde::Deserialize;

use crate::features::formatting::{ON_TYPE, format, format_on_type};
use crate::text::ClientPosition;
use crate::text::position::{client_position_to_byte, client_range_to_bytes};

use crate::lsp::conversions::edits::text_edits;
use crate::lsp::conversions::to_proto::lsp_range_to_client;
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// The params of formatting a document or a range of it, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FormattingParams {
    text_document: TextDocumentIdentifier,
    range: Option<lsp_types::Range>,
}

/// The params of `textDocument/onTypeFormatting`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OnTypeParams {
    text_document: TextDocumentIdentifier,
    position: Position,
    ch: String,
}

/// What is offered for formatting while one types.
pub fn on_type_options() -> DocumentOnTypeFormattingOptions {
    let [first, more @ ..] = ON_TYPE.map(String::from);
    DocumentOnTypeFormattingOptions {
        first_trigger_character: first,
        more_trigger_character: Some(more.to_vec()),
    }
}

/// The work of `textDocument/formatting` and `textDocument/rangeFormatting`.
pub fn formatting(params: FormattingParams) -> (Url, RequestWork) {
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let text = snapshot.document.text();
        let range = match params.range {
            Some(range) => client_range_to_bytes(text, lsp_range_to_client(range), snapshot.client.encoding),
            None => 0..text.len(),
        };
        let edits = format(&snapshot.document, &range, &|| pending.is_wanted());
        Frame::of(&Answer::new(&pending.id, text_edits(snapshot, edits)))
    });
    (params.text_document.uri, work)
}

/// The work of `textDocument/onTypeFormatting`.
pub fn on_type_formatting(params: OnTypeParams) -> (Url, RequestWork) {
    let OnTypeParams { text_document, position, ch } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let position = ClientPosition { line: position.line, column: position.character };
        let at = client_position_to_byte(snapshot.document.text(), position, snapshot.client.encoding);
        let typed = ch.chars().next().filter(|typed| ON_TYPE.contains(typed));
        let edits = typed.map(|typed| format_on_type(&snapshot.document, at, typed)).unwrap_or_default();
        Frame::of(&Answer::new(&pending.id, text_edits(snapshot, edits)))
    });
    (text_document.uri, work)
}
