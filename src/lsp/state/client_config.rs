//! State of `workspace/configuration` requests.

use crate::lsp::server::client_config::{ConfigurationReply, PATIENCE};
use crate::lsp::server::context::{LoopContext, LoopEvent};

/// Whether the client has said its settings.
#[derive(Debug, Default)]
pub struct ClientConfigRequest {
    /// The number of the last question.
    pub(crate) serial: u64,
    pub(crate) waiting: bool,
}

impl ClientConfigRequest {
    /// Has the settings of documents wait for the editor's, until they are there or overdue.
    pub fn start_timeout(&mut self, context: &LoopContext) {
        self.waiting = true;
        let (events, serial) = (context.events.clone(), self.serial);
        context.runtime.spawn(async move {
            tokio::time::sleep(PATIENCE).await;
            // Where the loop has ended, so has the session.
            drop(events.send(LoopEvent::Editor(ConfigurationReply::TimedOut(serial))));
        });
    }

    /// Whether the settings of documents wait.
    pub fn is_waiting(&self) -> bool {
        self.waiting
    }
}
