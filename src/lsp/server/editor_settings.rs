//! The editor's settings: requests for them (`workspace/configuration`), for each workspace folder
//! and for documents outside of the folders, and the errors in them.
//!
//! Only the first settings of documents wait for the response, for a limited time, because a client
//! may never respond. A late response still applies, unless there is a newer request. Errors have
//! no location in a file: the user is shown a message, once for each change of settings and for all
//! documents.

use std::collections::HashSet;
use std::time::Duration;

use lsp_types::request::{Request as _, WorkspaceConfiguration};
use lsp_types::{ConfigurationItem, MessageType, Url};
use serde_json::{Value, json};

use crate::lsp::server::{LoopContext, documents};
use crate::lsp::state::ServerState;
use crate::lsp::wire::message::show_message;

/// The maximum time for which the first settings of documents wait for the editor's settings.
const PATIENCE: Duration = Duration::from_secs(1);
/// The maximum number of errors in one message.
const MOST_ERRORS: usize = 5;

/// Lets the settings of documents wait for the editor's settings, for a second at most.
pub fn start_timeout(state: &mut ServerState, context: &LoopContext) {
    state.client_config.waiting = true;
    let (serial, context) = (state.client_config.serial, context.clone());
    context.runtime.clone().spawn(async move {
        tokio::time::sleep(PATIENCE).await;
        context.send("workspace/configuration timeout", move |state, _| timed_out(state, serial));
    });
}

/// Requests the client's settings, if it supports that; returns whether it does.
pub fn request_configuration(state: &mut ServerState, context: &LoopContext) -> bool {
    let Some(client) = state.lsp_client.clone().filter(|_| state.client.workspace_configuration) else {
        return false;
    };
    state.client_config.serial += 1;
    let serial = state.client_config.serial;
    if state.client_config.waiting {
        start_timeout(state, context);
    }
    let folders: Vec<_> = std::iter::once(None).chain(state.folders.iter().cloned().map(Some)).collect();
    let item = |folder: &Option<Url>| ConfigurationItem {
        scope_uri: folder.clone(),
        section: Some("chatls".to_owned()),
    };
    let items: Vec<_> = folders.iter().map(item).collect();
    let context = context.clone();
    context.runtime.clone().spawn(async move {
        let params = json!({"items": items});
        let values = client.send(WorkspaceConfiguration::METHOD, params).await;
        let values =
            values.inspect_err(|error| tracing::warn!(%error, "`workspace/configuration` failed")).ok();
        context.send("workspace/configuration", move |state, _| {
            configuration_received(state, serial, folders, values);
        });
    });
    true
}

/// Takes in the client's settings for `folders`; `None` if it returned an error.
fn configuration_received(
    state: &mut ServerState,
    serial: u64,
    folders: Vec<Option<Url>>,
    values: Option<Vec<Value>>,
) {
    // Later requests make the response outdated.
    if serial != state.client_config.serial {
        return;
    }
    state.client_config.waiting = false;
    state.editor.set_configuration(folders, values);
    forget_unused_settings(state);
    documents::invalidate_all_settings(state);
}

/// Ends the wait for the client's settings.
fn timed_out(state: &mut ServerState, serial: u64) {
    if serial == state.client_config.serial && state.client_config.waiting {
        tracing::info!("no response to `workspace/configuration` yet: documents get the default settings");
        state.client_config.waiting = false;
    }
}

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
    let mut message = new.iter().take(MOST_ERRORS).copied().collect::<Vec<_>>().join("\n");
    if new.len() > MOST_ERRORS {
        message.push_str(&format!("\nand {} more", new.len() - MOST_ERRORS));
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
