//! The repair of a message log, so that servers accept it again: `chatls/repair` has the changes,
//! for an editor that shows them itself (docs/extensions.md), and the command `chatls.repair` makes
//! them.
//!
//! The user of the command sees the changes first: in the editor's preview of edits, or else in a
//! question.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use crate::features::repair::{self, Repair};
use crate::lsp::conversions::edits::{annotated_edit, text_edits, workspace_edit};
use crate::lsp::peer::THINKING;
use crate::lsp::request::{ActiveRequest, HandlerResult};
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::document_uri::name_of;

/// The params of `chatls/repair`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RepairParams {
    only: Option<BTreeSet<String>>,
}

/// Handles `chatls/repair`.
pub fn repair(params: RepairParams, request: &ActiveRequest) -> HandlerResult {
    let repaired = match &params.only {
        Some(titles) => repair::repair_only(&request.document, &|title| titles.contains(title)),
        None => repair::repair(&request.document),
    };
    let change = |(title, lines): (&str, Vec<usize>)| {
        let in_words = repair::lines_in_words(&lines);
        json!({"title": title, "count": lines.len(), "lines": in_words})
    };
    let changes: Value = repaired.kinds().into_iter().map(change).collect();
    let outcome = repaired.outcome();
    let edits = text_edits(request, repaired.edits);
    let version = request.version;
    request.respond(json!({"version": version, "changes": changes, "outcome": outcome, "edits": edits}))
}

/// Title of the code action, and label of the edits.
pub const TITLE: &str = "Repair the conversation";

/// Repairs the document.
///
/// # Errors
///
/// The editor does not respond.
pub fn run(request: &ActiveRequest<'_>) -> Result<Value, Error> {
    let repaired = repair::repair(&request.document);
    let edit = edit_of(&repaired, request);
    let has_edits = !repaired.edits.is_empty();
    if has_edits && !request.client.applies_edits {
        return Ok(edit);
    }
    if !request.is_wanted() || has_edits && !is_accepted(&repaired, request) {
        return Ok(Value::Null);
    }
    let is_applied = !has_edits || request.peer.offer_edit(&edit, THINKING)?.applied;
    let outcome = if is_applied { repaired.outcome() } else { "nothing was changed".to_owned() };
    request.peer.show_message(format!("{}: {outcome}", name_of(&request.uri)));
    Ok(Value::Null)
}

fn edit_of(repaired: &Repair, snapshot: &Snapshot) -> Value {
    let edits = repaired.edits.clone();
    match snapshot.client.actions.annotated_edits {
        true => json!(annotated_edit(snapshot, edits, TITLE.to_owned(), repaired.plan())),
        false => json!(workspace_edit(snapshot, edits)),
    }
}

/// Asks the user to accept the changes, if the editor does not show them, and can ask.
fn is_accepted(repaired: &Repair, snapshot: &Snapshot) -> bool {
    let client = snapshot.client.actions;
    if client.annotated_edits || !client.show_message_request {
        return true;
    }
    let question = format!("Repair `{}` with {}", name_of(&snapshot.uri), repaired.plan());
    snapshot.peer.agrees(&question, "Repair")
}
