//! `textDocument/selectionRange`: nested ranges for each position.

use lsp_types::{Position, SelectionRange};
use serde::Deserialize;

use crate::features::selection_range::selection_ranges;

use crate::lsp::request::{ActiveRequest, HandlerResult};

/// The params of `textDocument/selectionRange`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionRangeParams {
    positions: Vec<Position>,
}

/// Handles `textDocument/selectionRange`.
pub fn selection_range(params: SelectionRangeParams, request: &ActiveRequest) -> HandlerResult {
    let places: Vec<_> = params.positions.iter().map(|position| request.byte(*position)).collect();
    let found = selection_ranges(&request.document, &places);
    let nested = |steps: &Vec<std::ops::Range<usize>>| {
        let add = |parent: Option<Box<SelectionRange>>, step| {
            Some(Box::new(SelectionRange { range: request.range(step), parent }))
        };
        steps.iter().rev().fold(None, add)
    };
    // Null if a position has none: a response has a range for each position.
    let ranges = (found.len() == places.len()).then(|| found.iter().map(nested).collect::<Vec<_>>());
    request.respond(ranges)
}
