//! `textDocument/hover`: what stands at a position, as the client likes to be told.

use lsp_types::{Position, Range, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};

use crate::features::hover::hover as hover_of;
use crate::text::ClientPosition;
use crate::text::position::{bytes_to_client_range, client_position_to_byte};

use crate::lsp::conversions::to_proto::{Markup, client_range_to_lsp};
use crate::lsp::handlers::config_file;
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;
use crate::lsp::workspace::settings::is_config;

/// The params of `textDocument/hover`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HoverParams {
    text_document: TextDocumentIdentifier,
    position: Position,
}

#[derive(Serialize)]
struct WireHover {
    contents: Markup,
    range: Range,
}

/// The work of `textDocument/hover`.
pub fn hover(params: HoverParams) -> (Url, RequestWork) {
    let HoverParams { text_document, position } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let at = ClientPosition { line: position.line, column: position.character };
        let at = client_position_to_byte(text, at, encoding);
        let found = match Url::parse(&snapshot.spelling).is_ok_and(|uri| is_config(&uri)) {
            true => config_file::hover(text, at),
            false => hover_of(&snapshot.document, at),
        };
        let found = found.map(|found| WireHover {
            contents: Markup::new(&found.prose, &snapshot.client),
            range: client_range_to_lsp(bytes_to_client_range(text, found.range, encoding)),
        });
        Frame::of(&Answer::new(&pending.id, found))
    });
    (text_document.uri, work)
}
