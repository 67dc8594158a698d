//! `workspace/configuration`: requests for the client's settings, for each workspace folder and for
//! documents outside of the folders.
//!
//! Only the first settings of documents wait for the response, for a limited time, because a client
//! may never respond. A late response still applies, unless there is a newer request.

use std::time::Duration;

use lsp_types::{ConfigurationItem, Url};
use serde_json::Value;

use crate::lsp::server::context::LoopContext;
use crate::lsp::server::{documents, settings_errors};
use crate::lsp::state::ServerState;

/// The maximum time for which the first settings of documents wait for the editor's settings.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

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
        let values = client.configuration(items).await;
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
    settings_errors::forget_unused_settings(state);
    documents::invalidate_all_settings(state);
}

/// Ends the wait for the client's settings.
fn timed_out(state: &mut ServerState, serial: u64) {
    if serial == state.client_config.serial && state.client_config.waiting {
        tracing::info!("no response to `workspace/configuration` yet: documents get the default settings");
        state.client_config.waiting = false;
    }
}
