//! Connections to servers that stay open between calls.
//!
//! A connection belongs to a subject, by its hash: two configurations may give different servers
//! the same name, and a server whose settings have changed is another subject. Calls share a
//! connection; whatever closes it ends its calls first.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use serde_json::{Map, Value};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock, watch};

use super::mcp::{Listing, McpConnection};
use super::{
    Consented, Environment, Limits, Progress, RunError, RunErrorKind, Subject, SubjectHash, TrustStore,
};
use crate::call::UseOutcome;
use crate::never::lock;

/// The connections of one process, or of one command.
#[derive(Debug, Default)]
pub struct Connections {
    slots: Mutex<HashMap<SubjectHash, Arc<Slot>>>,
    changes: watch::Sender<u64>,
}

/// The state of a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ServerState {
    /// It is not running, or not connected.
    #[default]
    Stopped,
    /// It has been started, and has not listed its tools yet.
    Starting,
    /// It is connected.
    Running {
        /// The number of its tools.
        tools: usize,
        /// The end of its stderr.
        log: String,
    },
    /// It could not be started, or the connection ended.
    Failed {
        /// The reason.
        reason: String,
        /// The end of its stderr.
        log: String,
    },
}

/// The connection to one subject. Programs have no connection; their slot only serves to stop them.
#[derive(Debug)]
struct Slot {
    subject: Subject,
    /// Calls lock it for reading; opening and closing lock it for writing.
    connected: Arc<RwLock<Option<OpenServer>>>,
    /// The number of times that it was stopped.
    stops: watch::Sender<u64>,
    state: Mutex<ServerState>,
}

#[derive(Debug)]
struct OpenServer {
    connection: McpConnection,
    listed: tokio::sync::Mutex<CurrentListing>,
}

/// The last listing of a server's tools.
#[derive(Debug)]
struct CurrentListing {
    listing: Arc<Listing>,
    /// Changes when the server reports a change of its tools.
    changes: watch::Receiver<u64>,
}

/// A server in use by a call: it is not closed before this is dropped.
#[derive(Debug)]
pub struct ConnectedServer {
    open: OwnedRwLockReadGuard<Option<OpenServer>, OpenServer>,
    listing: Arc<Listing>,
    stopped: watch::Receiver<u64>,
}

impl Connections {
    /// Connects to the server `consented`, or starts it if it is not connected. Concurrent calls
    /// start it only once. Lists its tools again if the server reported a change.
    ///
    /// # Errors
    ///
    /// If it cannot be started, does not list its tools, or is stopped meanwhile.
    pub async fn connect(
        &self,
        consented: &Consented,
        environment: &Environment,
        limits: &Limits,
    ) -> Result<ConnectedServer, RunError> {
        let slot = self.slot(consented.subject());
        let mut stopped = slot.stops.subscribe();
        let in_use = Arc::clone(&slot.connected).read_owned().await;
        if let Ok(open) = OwnedRwLockReadGuard::try_map(in_use, open_server) {
            return self.connected(&slot, open, stopped).await;
        }
        let mut connected = Arc::clone(&slot.connected).write_owned().await;
        if connected.as_ref().is_none_or(|open| !open.connection.is_open()) {
            if let Some(ended) = connected.take() {
                ended.connection.close().await;
            }
            let start = Start { connections: self, slot: &slot };
            self.set(&slot, ServerState::Starting);
            match unless_stopped(&mut stopped, open(consented, environment, limits)).await {
                Ok(opened) => {
                    let tools = opened.listed.lock().await.listing.tools.len();
                    self.set(&slot, ServerState::Running { tools, log: String::new() });
                    *connected = Some(opened);
                }
                Err(error) if error.kind == RunErrorKind::Cancelled => return Err(error),
                Err(error) => {
                    let (reason, log) = (error.message.clone(), error.log.clone());
                    self.set(&slot, ServerState::Failed { reason, log });
                    return Err(error);
                }
            }
            drop(start);
        }
        match OwnedRwLockReadGuard::try_map(OwnedRwLockWriteGuard::downgrade(connected), open_server) {
            Ok(open) => self.connected(&slot, open, stopped).await,
            Err(_) => Err(RunError::new(RunErrorKind::Ended, "it closed the connection")),
        }
    }

    /// The server `open`, with its current tools.
    async fn connected(
        &self,
        slot: &Slot,
        open: OwnedRwLockReadGuard<Option<OpenServer>, OpenServer>,
        mut stopped: watch::Receiver<u64>,
    ) -> Result<ConnectedServer, RunError> {
        if let Some(listing) = unless_stopped(&mut stopped, open.list_again()).await? {
            self.set(slot, ServerState::Running { tools: listing.tools.len(), log: String::new() });
        }
        let listing = Arc::clone(&open.listed.lock().await.listing);
        Ok(ConnectedServer { open, listing, stopped })
    }

    /// Changes when the server or program of `subject` is stopped. Used for programs, which have no
    /// connection.
    pub fn stops(&self, subject: &Subject) -> watch::Receiver<u64> {
        self.slot(subject).stops.subscribe()
    }

    fn slot(&self, subject: &Subject) -> Arc<Slot> {
        let mut slots = lock(&self.slots);
        Arc::clone(slots.entry(subject.hash()).or_insert_with(|| Arc::new(Slot::of(subject))))
    }

    /// The state of the server with the hash `hash`.
    pub fn state(&self, hash: &SubjectHash) -> ServerState {
        let Some(slot) = lock(&self.slots).get(hash).cloned() else { return ServerState::Stopped };
        let known = lock(&slot.state).clone();
        let Ok(connected) = slot.connected.try_read() else { return known };
        match (&*connected, known) {
            (Some(open), ServerState::Running { tools, .. }) => {
                let log = open.connection.log();
                match open.connection.is_open() {
                    true => ServerState::Running { tools, log },
                    false => ServerState::Failed { reason: "it closed the connection".to_owned(), log },
                }
            }
            (_, known) => known,
        }
    }

    /// The hashes of the servers that are connected or starting.
    pub fn in_use(&self) -> Vec<SubjectHash> {
        lock(&self.slots).iter().filter(|(_, slot)| slot.is_in_use()).map(|(hash, _)| hash.clone()).collect()
    }

    /// Ends servers and programs without a current consent. Does not wait for open questions.
    pub async fn stop_revoked(&self, store: &TrustStore) {
        let slots: Vec<_> =
            lock(&self.slots).iter().map(|(hash, slot)| (hash.clone(), Arc::clone(slot))).collect();
        for (hash, slot) in slots {
            let is_used = slot.stops.receiver_count() > 0 || slot.is_in_use();
            if is_used && !matches!(store.check(&slot.subject), Ok(Some(_))) {
                self.stop(&hash).await;
            }
        }
    }

    /// Checks connected servers. A server that exited counts as failed, and the processes that it
    /// started are ended. A longer log counts as a change of state.
    pub async fn look(&self) {
        for hash in self.in_use() {
            let Some(slot) = lock(&self.slots).get(&hash).cloned() else { continue };
            let state = self.state(&hash);
            if *lock(&slot.state) == state {
                continue;
            }
            if matches!(state, ServerState::Failed { .. }) {
                // Calls end with the connection, but may still be asking their user: then the next
                // look closes it. Another connection may have begun meanwhile.
                let Ok(mut connected) = slot.connected.try_write() else { continue };
                match connected.take_if(|open| !open.connection.is_open()) {
                    Some(ended) => ended.connection.close().await,
                    None => continue,
                }
            }
            self.set(&slot, state);
        }
    }

    /// Changes whenever the state of a server does.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Ends the calls of the server or program with the hash `hash`, and the server.
    pub async fn stop(&self, hash: &SubjectHash) {
        if let Some(slot) = lock(&self.slots).get(hash) {
            slot.stops.send_modify(|stops| *stops += 1);
        }
        self.retire(hash).await;
    }

    /// Ends the server with the hash `hash` once its calls have ended.
    pub async fn retire(&self, hash: &SubjectHash) {
        let slot = lock(&self.slots).get(hash).cloned();
        if let Some(slot) = slot {
            self.close(&slot).await;
        }
    }

    /// Ends all calls and all servers.
    pub async fn stop_all(&self) {
        let hashes: Vec<_> = lock(&self.slots).keys().cloned().collect();
        join_all(hashes.iter().map(|hash| self.stop(hash))).await;
    }

    async fn close(&self, slot: &Slot) {
        let mut connected = slot.connected.write().await;
        if let Some(open) = connected.take() {
            open.connection.close().await;
            self.set(slot, ServerState::Stopped);
        }
    }

    fn set(&self, slot: &Slot, state: ServerState) {
        *lock(&slot.state) = state;
        self.changes.send_modify(|count| *count += 1);
    }
}

impl Slot {
    fn of(subject: &Subject) -> Self {
        Self {
            subject: subject.clone(),
            connected: Arc::default(),
            stops: watch::Sender::new(0),
            state: Mutex::default(),
        }
    }

    fn is_in_use(&self) -> bool {
        matches!(*lock(&self.state), ServerState::Starting | ServerState::Running { .. })
    }
}

/// A start in progress. If it is dropped, the server counts as stopped.
struct Start<'c> {
    connections: &'c Connections,
    slot: &'c Slot,
}

impl Drop for Start<'_> {
    fn drop(&mut self) {
        let is_starting = *lock(&self.slot.state) == ServerState::Starting;
        if is_starting {
            self.connections.set(self.slot, ServerState::Stopped);
        }
    }
}

impl ConnectedServer {
    /// Its tools.
    pub fn listing(&self) -> &Listing {
        &self.listing
    }

    /// Its tools, if it has reported that they changed, and lists them within [`Limits::end`].
    pub async fn changed_listing(&self, limits: &Limits) -> Option<Arc<Listing>> {
        // Otherwise the next call finds out.
        tokio::time::timeout(limits.end, self.open.list_again()).await.ok()?.ok()?
    }

    /// Ready when the server is stopped.
    pub async fn stopped(&mut self) {
        // The slot is never dropped before its connections.
        _ = self.stopped.changed().await;
    }

    /// Calls the tool `tool`; see [`McpConnection::call`]. The call fails if the server is stopped.
    ///
    /// # Errors
    ///
    /// The errors of [`McpConnection::call`].
    pub async fn call(
        &mut self,
        tool: &str,
        input: Map<String, Value>,
        on_progress: impl FnMut(Progress),
        cancelled: impl Future<Output = ()>,
    ) -> Result<UseOutcome, RunError> {
        let stopped = &mut self.stopped;
        let ended = async {
            tokio::select! {
                () = cancelled => {}
                _ = stopped.changed() => {}
            }
        };
        self.open.connection.call(tool, input, on_progress, ended).await
    }
}

impl OpenServer {
    /// Its tools, if it has reported since that they changed (MCP:
    /// `notifications/tools/list_changed`).
    async fn list_again(&self) -> Result<Option<Arc<Listing>>, RunError> {
        let mut listed = self.listed.lock().await;
        if !listed.changes.has_changed().unwrap_or(false) {
            return Ok(None);
        }
        // A change while tools are listed counts as a later one.
        let mut changes = listed.changes.clone();
        changes.mark_unchanged();
        let listing = Arc::new(self.connection.tools().await?);
        *listed = CurrentListing { listing: Arc::clone(&listing), changes };
        Ok(Some(listing))
    }
}

/// Runs `work`, unless the server is stopped.
async fn unless_stopped<T>(
    stopped: &mut watch::Receiver<u64>,
    work: impl Future<Output = Result<T, RunError>>,
) -> Result<T, RunError> {
    tokio::select! {
        biased;
        _ = stopped.changed() => Err(RunError::new(RunErrorKind::Cancelled, "it was stopped")),
        worked = work => worked,
    }
}

fn open_server(connected: &Option<OpenServer>) -> Option<&OpenServer> {
    connected.as_ref().filter(|open| open.connection.is_open())
}

async fn open(
    consented: &Consented,
    environment: &Environment,
    limits: &Limits,
) -> Result<OpenServer, RunError> {
    let connection = McpConnection::open(consented, environment, limits).await?;
    let changes = connection.tools_changed();
    match connection.tools().await {
        Ok(listing) => {
            let listed = CurrentListing { listing: Arc::new(listing), changes }.into();
            Ok(OpenServer { connection, listed })
        }
        Err(error) => {
            connection.close().await;
            Err(error)
        }
    }
}
