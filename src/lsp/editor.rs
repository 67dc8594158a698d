//! `workspace/configuration`: the client is asked for its settings, for each workspace folder and for what is in none.
//!
//! Nothing waits for the answer but the first settings of documents, and they not for long: a client that promises
//! answers may give none. An answer counts whenever it comes, unless the client has been asked again.

use std::time::Duration;

use lsp_types::{ConfigurationItem, Url};
use serde_json::Value;

use super::main_loop::{LoopContext, LoopEvent};
use super::state::ServerState;
use super::{complaints, reading};

/// How long the first settings of documents wait for the editor's.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether the client has said its settings.
#[derive(Debug, Default)]
pub struct ClientConfigRequest {
    /// The number of the last question.
    serial: u64,
    waiting: bool,
}

/// How a question ended.
#[derive(Debug)]
pub enum ConfigurationReply {
    /// The client's answer to the question of a number: a value for each folder, and `None` where it refuses.
    Answered(u64, Vec<Option<Url>>, Option<Vec<Value>>),
    /// Documents have waited long enough for the question of a number.
    Overdue(u64),
}

impl ClientConfigRequest {
    /// Has the settings of documents wait for the editor's, until they are there or overdue.
    pub fn wait(&mut self, context: &LoopContext) {
        self.waiting = true;
        let (events, serial) = (context.events.clone(), self.serial);
        context.runtime.spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            // Where the loop has ended, so has the session.
            drop(events.send(LoopEvent::Editor(ConfigurationReply::Overdue(serial))));
        });
    }

    /// Whether the settings of documents wait.
    pub fn is_waiting(&self) -> bool {
        self.waiting
    }
}

/// Asks the client for its settings, if it can be asked; returns whether it can.
pub fn ask(state: &mut ServerState, context: &LoopContext) -> bool {
    let Some(client) = state.requests.clone().filter(|_| state.client.gives_settings) else { return false };
    state.asked.serial += 1;
    let serial = state.asked.serial;
    if state.asked.waiting {
        state.asked.wait(context);
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
        drop(events.send(LoopEvent::Editor(ConfigurationReply::Answered(serial, folders, values.ok()))));
    });
    true
}

/// A question has ended.
pub fn answered(state: &mut ServerState, asked: ConfigurationReply) {
    match asked {
        ConfigurationReply::Answered(serial, folders, values) if serial == state.asked.serial => {
            state.asked.waiting = false;
            state.editor.answer(folders, values);
            complaints::settings_changed(state);
            reading::ask_all(state);
        }
        ConfigurationReply::Overdue(serial) if serial == state.asked.serial && state.asked.waiting => {
            tracing::info!("the client has not said its settings yet: until it does, there are none");
            state.asked.waiting = false;
        }
        // It has been asked again.
        ConfigurationReply::Answered(..) | ConfigurationReply::Overdue(_) => {}
    }
}
