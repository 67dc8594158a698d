//! `textDocument/semanticTokens/*`: tokens of a document or range, or deltas.
//!
//! The legend only contains types that the client supports; tokens without such a type are omitted.
//! Clients ignore unknown modifiers, so `error`, which LSP lacks, is always included.

use std::ops::Range;
use std::sync::Mutex;

use lsp_types::{
    SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensEdit, SemanticTokensFullDeltaResult,
};
use serde::Deserialize;

use crate::features::semantic_tokens::{self as feature, SemanticTokenKind};
use crate::never::lock;
use crate::text::{ClientPosition, saturate, shared_prefix};

use crate::lsp::conversions::locations::{DocumentParams, RangeParams};
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::LastTokens;

/// The number of integers per token on the wire.
const NUMBERS: usize = 5;
/// The maximum number of tokens stored per document for deltas; beyond it, clients get all tokens
/// again.
const MOST_KEPT: usize = 1 << 20;

/// The params of `textDocument/semanticTokens/full/delta`, as far as they are used.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SemanticTokensDeltaParams {
    #[serde(default)]
    previous_result_id: Option<String>,
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
    match request.client.tokens.deltas && request.is_wanted() {
        true => request.respond(tokens_or_edits(&request.history.tokens, data, previous)),
        false => request.respond(SemanticTokens { result_id: None, data }),
    }
}

/// Handles `textDocument/semanticTokens/range`.
pub fn semantic_tokens_range(params: RangeParams, request: &ActiveRequest) -> HandlerResult {
    let data = data(request, request.bytes(params.range));
    request.respond(SemanticTokens { result_id: None, data })
}

/// LSP 3.17: each token as its lines and columns relative to the preceding one, its length, type
/// and modifiers.
fn data(request: &ActiveRequest, range: Range<usize>) -> Vec<SemanticToken> {
    let tokens = feature::semantic_tokens(&request.document, range, &|| request.is_wanted());
    let numbers = request.client.tokens.numbers();
    let mut cursor = request.cursor();
    let mut last = ClientPosition::default();
    let mut data = Vec::with_capacity(tokens.len());
    for feature::SemanticToken { range, kind } in tokens {
        let Some(token_type) = numbers.get(kind as usize).copied().flatten() else { continue };
        let start = cursor.position_of_byte(range.start);
        let length = cursor.position_of_byte(range.end).column.saturating_sub(start.column);
        let delta_line = start.line - last.line;
        let delta_start = if delta_line == 0 { start.column - last.column } else { start.column };
        let token_modifiers_bitset = match kind {
            SemanticTokenKind::Error => 1,
            SemanticTokenKind::OutdatedMark => u32::from(request.client.tokens.deprecated) << 1,
            _ => 0,
        };
        data.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset });
        last = start;
    }
    data
}

/// The delta of `data` from the tokens with the id `previous`, if those are still stored, otherwise
/// all tokens.
fn tokens_or_edits(
    history: &Mutex<LastTokens>,
    data: Vec<SemanticToken>,
    previous: Option<&str>,
) -> SemanticTokensFullDeltaResult {
    let mut history = lock(history);
    let knows = previous.is_some_and(|previous| *previous == history.id.to_string());
    let edits = knows.then(|| edits(&history.data, &data));
    history.id += 1;
    let is_kept = data.len() <= MOST_KEPT;
    history.data = if is_kept { data.clone() } else { Vec::new() };
    // Without an id there are no delta requests.
    let result_id = is_kept.then(|| history.id.to_string());
    match edits {
        Some(edits) => SemanticTokensDelta { result_id, edits }.into(),
        None => SemanticTokens { result_id, data }.into(),
    }
}

/// The delta from `old` to `new`: one edit between the common prefix and suffix.
fn edits(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let start = shared_prefix(old.iter(), new.iter());
    let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
    let end = shared_prefix(old.iter().rev(), new.iter().rev());
    let data = new.get(..new.len() - end).unwrap_or_default().to_vec();
    let deleted = old.len() - end;
    if deleted == 0 && data.is_empty() {
        return Vec::new();
    }
    let (start, delete_count) = (saturate(NUMBERS * start), saturate(NUMBERS * deleted));
    vec![SemanticTokensEdit { start, delete_count, data: Some(data) }]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn token(delta_start: u32) -> SemanticToken {
        SemanticToken { delta_start, length: 1, ..SemanticToken::default() }
    }

    proptest! {
        #[test]
        fn edits_make_the_new_of_the_old(
            old in prop::collection::vec(0..3u32, 0..8), new in prop::collection::vec(0..3u32, 0..8),
        ) {
            let wide = |of: &[u32]| of.iter().copied().map(token).collect::<Vec<_>>();
            let (mut old, new) = (wide(&old), wide(&new));
            let edits = edits(&old, &new);
            prop_assert_eq!(edits.is_empty(), old == new);
            for SemanticTokensEdit { start, delete_count, data } in edits {
                let (start, deleted) = (start as usize, delete_count as usize);
                prop_assert!(start % NUMBERS == 0 && deleted % NUMBERS == 0);
                let start = start / NUMBERS;
                old.splice(start..start + deleted / NUMBERS, data.unwrap());
            }
            prop_assert_eq!(old, new);
        }
    }

    #[test]
    fn what_was_told_last_is_known_by_its_id() {
        use SemanticTokensFullDeltaResult::{Tokens, TokensDelta};
        let history = Mutex::default();
        let Tokens(first) = tokens_or_edits(&history, vec![token(0)], None) else { panic!("no tokens") };
        let second = tokens_or_edits(&history, vec![token(1)], first.result_id.as_deref());
        assert!(matches!(&second, TokensDelta(delta) if delta.edits.len() == 1));
        // The client has missed one.
        let third = tokens_or_edits(&history, vec![token(1)], first.result_id.as_deref());
        let Tokens(third) = third else { panic!("no tokens") };
        assert_eq!(third.data.len(), 1);
        let same = tokens_or_edits(&history, vec![token(1)], third.result_id.as_deref());
        assert!(matches!(&same, TokensDelta(delta) if delta.edits.is_empty()));
    }
}
