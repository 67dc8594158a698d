//! `chatls/repair`: the changes that repair a message log, for an editor that shows them itself
//! (docs/extensions.md).

use std::collections::BTreeSet;

use lsp_types::{TextDocumentIdentifier, TextEdit, Url};
use serde::{Deserialize, Serialize};

use crate::features::repair::{RepairKind, repair, repair_only};
use crate::lsp::conversions::edits::text_edits;
use crate::lsp::request::{HandlerResult, RequestHandler};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::pending::PendingRequest;

/// Its params.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairParams {
    text_document: TextDocumentIdentifier,
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
pub struct RepairHandler;

impl RequestHandler for RepairHandler {
    const METHOD: &'static str = "chatls/repair";
    type Params = RepairParams;

    fn document(params: &Self::Params) -> &Url {
        &params.text_document.uri
    }

    fn handle(params: Self::Params, snapshot: &Snapshot, pending: &PendingRequest) -> HandlerResult {
        let repaired = match &params.only {
            Some(titles) => repair_only(&snapshot.document, &|title| titles.contains(title)),
            None => repair(&snapshot.document),
        };
        let changes = repaired.kinds().into_iter().map(WireChange::from).collect();
        let outcome = repaired.outcome();
        let edits = text_edits(snapshot, repaired.edits);
        pending.response(RepairResult { version: snapshot.version, changes, outcome, edits })
    }
}
