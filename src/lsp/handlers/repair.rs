//! `chatls/repair`: the changes that repair a message log, for an editor that shows them itself
//! (docs/extensions.md).

use std::collections::BTreeSet;

use lsp_types::TextEdit;
use serde::{Deserialize, Serialize};

use crate::features::repair::{self as feature, RepairKind};
use crate::lsp::conversions::edits::text_edits;
use crate::lsp::request::{ActiveRequest, HandlerResult};

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairParams {
    only: Option<BTreeSet<String>>,
}

#[derive(Serialize)]
struct RepairResult {
    version: Option<i32>,
    changes: Vec<WireChange>,
    outcome: String,
    edits: Vec<TextEdit>,
}

#[derive(Serialize)]
struct WireChange {
    title: String,
    count: usize,
    lines: String,
}

impl From<RepairKind> for WireChange {
    fn from(RepairKind { title, count, lines }: RepairKind) -> Self {
        Self { title, count, lines }
    }
}

/// Handles `chatls/repair`.
pub fn repair(params: RepairParams, request: &ActiveRequest) -> HandlerResult {
    let repaired = match &params.only {
        Some(titles) => feature::repair_only(&request.document, &|title| titles.contains(title)),
        None => feature::repair(&request.document),
    };
    let changes = repaired.kinds().into_iter().map(WireChange::from).collect();
    let outcome = repaired.outcome();
    let edits = text_edits(request, repaired.edits);
    request.respond(RepairResult { version: request.version, changes, outcome, edits })
}
