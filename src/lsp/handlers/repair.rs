//! `chatls/repair`: the changes that repair a message log, for an editor that shows them itself
//! (docs/extensions.md).

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::features::repair as feature;
use crate::lsp::conversions::edits::text_edits;
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairParams {
    only: Option<BTreeSet<String>>,
}

/// Handles `chatls/repair`.
pub fn repair(params: RepairParams, request: &ActiveRequest) -> HandlerResult {
    let repaired = match &params.only {
        Some(titles) => feature::repair_only(&request.document, &|title| titles.contains(title)),
        None => feature::repair(&request.document),
    };
    let change = |(title, lines): (&str, Vec<usize>)| {
        let in_words = feature::lines_in_words(&lines);
        json!({"title": title, "count": lines.len(), "lines": in_words})
    };
    let changes: Value = repaired.kinds().into_iter().map(change).collect();
    let outcome = repaired.outcome();
    let edits = text_edits(request, repaired.edits);
    let version = request.version;
    request.respond(json!({"version": version, "changes": changes, "outcome": outcome, "edits": edits}))
}
