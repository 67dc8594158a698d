//! `textDocument/semanticTokens/*`: tokens of a document or range, or deltas.
//!
//! The legend only contains types that the client supports; tokens without such a type are omitted.
//! Clients ignore unknown modifiers, so `error`, which LSP lacks, is always included.

use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::TokenHistory;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::features::semantic_tokens::{self as feature, SemanticToken, SemanticTokenKind};
use crate::never::lock;
use crate::text::ClientPosition;

use crate::lsp::conversions::locations::{DocumentParams, RangeParams};

/// The number of integers per token on the wire.
const NUMBERS: usize = 5;
/// The maximum number of integers stored per document for deltas; beyond it, clients get all tokens
/// again.
const MOST_KEPT: usize = 5 << 20;

/// The params of `textDocument/semanticTokens/full/delta`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SemanticTokensDeltaParams {
    #[serde(default)]
    previous_result_id: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WireTokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_id: Option<String>,
    #[serde(flatten)]
    body: WireTokensBody,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum WireTokensBody {
    Data(Vec<u32>),
    Edits(Vec<SemanticTokensEdit>),
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct SemanticTokensEdit {
    start: usize,
    delete_count: usize,
    data: Vec<u32>,
}

/// Handles `textDocument/semanticTokens/full`.
pub fn semantic_tokens(_: DocumentParams, request: &ActiveRequest) -> HandlerResult {
    full(None, request)
}

/// Handles `textDocument/semanticTokens/full/delta`.
pub fn semantic_tokens_delta(params: SemanticTokensDeltaParams, request: &ActiveRequest) -> HandlerResult {
    full(params.previous_result_id.as_deref(), request)
}

/// The response with all tokens, or with the edits since the response `previous`.
fn full(previous: Option<&str>, request: &ActiveRequest) -> HandlerResult {
    let data = data(request, 0..request.text().len());
    request.respond(match request.client.tokens.deltas && request.is_wanted() {
        true => tokens_or_edits(&request.last_tokens, data, previous),
        false => WireTokens { result_id: None, body: WireTokensBody::Data(data) },
    })
}

/// Handles `textDocument/semanticTokens/range`.
pub fn semantic_tokens_range(params: RangeParams, request: &ActiveRequest) -> HandlerResult {
    let body = WireTokensBody::Data(data(request, request.bytes(params.range)));
    request.respond(WireTokens { result_id: None, body })
}

/// LSP 3.17: each token as its lines and columns relative to the preceding one, its length, type
/// and modifiers.
fn data(request: &ActiveRequest, range: Range<usize>) -> Vec<u32> {
    let tokens = feature::semantic_tokens(&request.document, range, &|| request.is_wanted());
    let numbers = request.client.tokens.numbers();
    let mut cursor = request.cursor();
    let mut last = ClientPosition::default();
    let mut data = Vec::with_capacity(NUMBERS * tokens.len());
    for SemanticToken { range, kind } in tokens {
        let Some(number) = numbers.get(kind as usize).copied().flatten() else { continue };
        let start = cursor.position_of_byte(range.start);
        let length = cursor.position_of_byte(range.end).column.saturating_sub(start.column);
        let lines = start.line - last.line;
        let columns = if lines == 0 { start.column - last.column } else { start.column };
        let modifiers = match kind {
            SemanticTokenKind::Error => 1,
            SemanticTokenKind::OutdatedMark => u32::from(request.client.tokens.deprecated) << 1,
            _ => 0,
        };
        data.extend([lines, columns, length, number, modifiers]);
        last = start;
    }
    data
}

/// The delta of `data` from the tokens with the id `previous`, if those are still stored, otherwise
/// all tokens.
fn tokens_or_edits(history: &TokenHistory, data: Vec<u32>, previous: Option<&str>) -> WireTokens {
    let mut history = lock(history);
    let knows = previous.is_some_and(|previous| *previous == history.id.to_string());
    let edits = knows.then(|| edits(&history.data, &data));
    history.id += 1;
    let is_kept = data.len() <= MOST_KEPT;
    history.data = if is_kept { data.clone() } else { Vec::new() };
    let body = edits.map_or(WireTokensBody::Data(data), WireTokensBody::Edits);
    // Without an id there are no delta requests.
    WireTokens { result_id: is_kept.then(|| history.id.to_string()), body }
}

/// The delta from `old` to `new`: one edit of whole tokens between the common prefix and suffix.
fn edits(old: &[u32], new: &[u32]) -> Vec<SemanticTokensEdit> {
    fn unchanged_prefix_len<'a>(pairs: impl Iterator<Item = (&'a [u32], &'a [u32])>) -> usize {
        NUMBERS * pairs.take_while(|(old, new)| old == new).count()
    }
    let start = unchanged_prefix_len(old.chunks_exact(NUMBERS).zip(new.chunks_exact(NUMBERS)));
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = unchanged_prefix_len(old.rchunks_exact(NUMBERS).zip(new.rchunks_exact(NUMBERS)));
    let data = new.get(..new.len() - end).unwrap_or_default().to_vec();
    let delete_count = old.len() - end;
    let is_same = delete_count == 0 && data.is_empty();
    if is_same { Vec::new() } else { vec![SemanticTokensEdit { start, delete_count, data }] }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn edits_make_the_new_of_the_old(
            old in prop::collection::vec(0..3u32, 0..8), new in prop::collection::vec(0..3u32, 0..8),
        ) {
            let wide = |of: &[u32]| of.iter().flat_map(|number| [*number, 1, 1, 0, 0]).collect::<Vec<_>>();
            let (mut old, new) = (wide(&old), wide(&new));
            let edits = edits(&old, &new);
            prop_assert_eq!(edits.is_empty(), old == new);
            for SemanticTokensEdit { start, delete_count, data } in edits {
                prop_assert!(start % NUMBERS == 0 && delete_count % NUMBERS == 0);
                old.splice(start..start + delete_count, data);
            }
            prop_assert_eq!(old, new);
        }
    }

    #[test]
    fn what_was_told_last_is_known_by_its_id() {
        let history = TokenHistory::default();
        let id = |tokens: &WireTokens| tokens.result_id.clone();
        let first = tokens_or_edits(&history, vec![0, 0, 1, 0, 0], None);
        let second = tokens_or_edits(&history, vec![0, 1, 1, 0, 0], id(&first).as_deref());
        assert!(matches!(&second.body, WireTokensBody::Edits(edits) if edits.len() == 1));
        // The client has missed one.
        let third = tokens_or_edits(&history, vec![0, 1, 1, 0, 0], id(&first).as_deref());
        assert!(matches!(&third.body, WireTokensBody::Data(data) if data.len() == 5));
        let same = tokens_or_edits(&history, vec![0, 1, 1, 0, 0], id(&third).as_deref());
        assert!(matches!(&same.body, WireTokensBody::Edits(edits) if edits.is_empty()));
    }
}
