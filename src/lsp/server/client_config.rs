//! `workspace/configuration`: the client is asked for its settings, for each workspace folder and for what is in none.
//!
//! Nothing waits for the answer but the first settings of documents, and they not for long: a client that promises
//! answers may give none. An answer counts whenever it comes, unless the client has been asked again.

use std::time::Duration;

use lsp_types::{ConfigurationItem, Url};
use serde_json::Value;

use crate::lsp::server::context::{LoopContext, LoopEvent};
use crate::lsp::server::{documents, settings_errors};
use crate::lsp::state::ServerState;

/// How long the first settings of documents wait for the editor's.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// How a question ended.
#[derive(Debug)]
pub enum ConfigurationReply {
    /// The client's answer to the question of a number: a value for each folder, and `None` where it refuses.
    Response(u64, Vec<Option<Url>>, Option<Vec<Value>>),
    /// Documents have waited long enough for the question of a number.
    TimedOut(u64),
}

/// Asks the client for its settings, if it can be asked; returns whether it can.
pub fn request_configuration(state: &mut ServerState, context: &LoopContext) -> bool {
    let Some(client) = state.lsp_client.clone().filter(|_| state.client.workspace_configuration) else {
        return false;
    };
    state.client_config.serial += 1;
    let serial = state.client_config.serial;
    if state.client_config.waiting {
        state.client_config.start_timeout(context);
    }
    let folders: Vec<_> = std::iter::once(None).chain(state.folders.iter().cloned().map(Some)).collect();
    let item = |folder: &Option<Url>| ConfigurationItem {
        scope_uri: folder.clone(),
        section: Some("chatls".to_owned()),
    };
    let items: Vec<_> = folders.iter().map(item).collect();
    let events = context.events.clone();
    context.runtime.spawn(async move {
        let values = client.configuration(items).await;
        let values =
            values.inspect_err(|error| tracing::warn!(%error, "the client does not say its settings"));
        drop(events.send(LoopEvent::Editor(ConfigurationReply::Response(serial, folders, values.ok()))));
    });
    true
}

/// A question has ended.
pub fn configuration_received(state: &mut ServerState, asked: ConfigurationReply) {
    match asked {
        ConfigurationReply::Response(serial, folders, values) if serial == state.client_config.serial => {
            state.client_config.waiting = false;
            state.editor.set_configuration(folders, values);
            settings_errors::forget_unused_settings(state);
            documents::invalidate_all_settings(state);
        }
        ConfigurationReply::TimedOut(serial)
            if serial == state.client_config.serial && state.client_config.waiting =>
        {
            tracing::info!("the client has not said its settings yet: until it does, there are none");
            state.client_config.waiting = false;
        }
        // It has been asked again.
        ConfigurationReply::Response(..) | ConfigurationReply::TimedOut(_) => {}
    }
}
