//! `textDocument/selectionRange`: for each position its ranges, each in the next.

use lsp_types::{Position, TextDocumentIdentifier, Url};
use serde::{Deserialize, Serialize};

use crate::features::selection_range::selection_ranges;

use crate::lsp::conversions::locations::{byte_at, lsp_range};
use crate::lsp::snapshot::RequestWork;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Answer;

/// The params of `textDocument/selectionRange`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionRangeParams {
    text_document: TextDocumentIdentifier,
    positions: Vec<Position>,
}

/// LSP 3.17, `SelectionRange`.
#[derive(Serialize)]
struct SelectionRange {
    range: lsp_types::Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<Box<SelectionRange>>,
}

/// The work of `textDocument/selectionRange`.
pub fn selection_range(params: SelectionRangeParams) -> (Url, RequestWork) {
    let SelectionRangeParams { text_document, positions } = params;
    let work: RequestWork = Box::new(move |snapshot, pending| {
        let (text, encoding) = (snapshot.document.text(), snapshot.client.encoding);
        let places: Vec<_> = positions.iter().map(|position| byte_at(text, *position, encoding)).collect();
        let found = selection_ranges(&snapshot.document, &places);
        let nested = |steps: &Vec<std::ops::Range<usize>>| {
            let add = |parent: Option<Box<SelectionRange>>, step| {
                Some(Box::new(SelectionRange { range: lsp_range(text, step, encoding), parent }))
            };
            steps.iter().rev().fold(None, add)
        };
        // Null where there is nothing to say: an answer has a range for each position.
        let ranges = (found.len() == places.len()).then(|| found.iter().map(nested).collect::<Vec<_>>());
        Frame::of(&Answer::new(&pending.id, ranges))
    });
    (text_document.uri, work)
}
