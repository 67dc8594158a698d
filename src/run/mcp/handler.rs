//! Answers the requests and notifications of a server. chatls offers no sampling, roots or
//! elicitation, so a server gets nothing but the arguments of calls.

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken,
};
use rmcp::service::{NotificationContext, RoleClient};
use tokio::sync::{broadcast, watch};

use crate::run::Progress;

/// Progress notifications that wait for their call; older ones are dropped.
const WAITING: usize = 64;

/// The events of a connection.
#[derive(Debug)]
pub(super) struct ClientEvents {
    progress: broadcast::Sender<(ProgressToken, Progress)>,
    tools_changed: watch::Sender<u64>,
}

impl ClientEvents {
    pub fn new() -> Self {
        Self { progress: broadcast::Sender::new(WAITING), tools_changed: watch::Sender::default() }
    }

    pub fn progress(&self) -> broadcast::Receiver<(ProgressToken, Progress)> {
        self.progress.subscribe()
    }

    pub fn tools_changed(&self) -> watch::Receiver<u64> {
        self.tools_changed.subscribe()
    }
}

impl ClientHandler for ClientEvents {
    async fn on_progress(
        &self,
        params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        let progress = Progress { done: params.progress, total: params.total, message: params.message };
        // There may be no listener.
        _ = self.progress.send((params.progress_token, progress));
    }

    async fn on_tool_list_changed(&self, _context: NotificationContext<RoleClient>) {
        self.tools_changed.send_modify(|count| *count += 1);
    }

    fn get_info(&self) -> ClientConfig {
        let client = Implementation::new("chatls", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(ClientCapabilities::default(), client)
    }
}
