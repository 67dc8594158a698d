//! `chatls.repair`: changes a message log so that servers accept it again.
//!
//! The user sees the changes first: in the editor's preview of edits, or else in a question.

use serde_json::Value;
use tower_lsp::jsonrpc::Error;

use crate::features::repair::{Repair, repair};
use crate::lsp::conversions::edits::{annotated_edit, workspace_edit};
use crate::lsp::handlers::export::name_of;
use crate::lsp::peer::THINKING;
use crate::lsp::request::ActiveRequest;
use crate::lsp::snapshot::Snapshot;

/// Title of the code action, and label of the edits.
pub const TITLE: &str = "Repair the conversation";

/// Repairs the document.
///
/// # Errors
///
/// The editor does not respond.
pub(super) fn run(request: &ActiveRequest<'_>) -> Result<Value, Error> {
    let repaired = repair(&request.document);
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
        true => annotated_edit(snapshot, edits, TITLE.to_owned(), repaired.plan()),
        false => workspace_edit(snapshot, edits),
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
