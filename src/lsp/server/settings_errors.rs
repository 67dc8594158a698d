//! Errors in the editor's settings, which have no location in a file: the user is shown a message,
//! once for each change of settings and for all documents.

use std::collections::HashSet;

use lsp_types::{MessageType, Url};

use crate::lsp::server::context::LoopContext;
use crate::lsp::state::ServerState;
use crate::lsp::wire::message::show_message;

/// The maximum number of errors in one message.
const MOST: usize = 5;

/// Shows the errors among `errors`, in the editor's settings of `uri`, that were not shown before.
pub fn show_settings_errors(state: &mut ServerState, context: &LoopContext, uri: &Url, errors: &[String]) {
    if errors.is_empty() {
        return;
    }
    let settings = state.editor.for_document(uri).to_string();
    let shown = &mut state.shown_settings_errors;
    let is_new = |error: &&String| shown.insert((settings.clone(), (*error).clone()));
    let new: Vec<&str> = errors.iter().filter(is_new).map(String::as_str).collect();
    if new.is_empty() {
        return;
    }
    let mut message = new.iter().take(MOST).copied().collect::<Vec<_>>().join("\n");
    if new.len() > MOST {
        message.push_str(&format!("\nand {} more", new.len() - MOST));
    }
    context.outbox.send(&show_message(MessageType::WARNING, message));
}

/// After a change of settings: errors of settings that apply to no document any more may be shown
/// again.
pub fn forget_unused_settings(state: &mut ServerState) {
    let hold: HashSet<String> =
        state.documents.keys().map(|uri| state.editor.for_document(uri).to_string()).collect();
    state.shown_settings_errors.retain(|(settings, _)| hold.contains(settings));
}
