//! The commands that manage servers and consents.

use std::io;

use serde::Serialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Error;

use crate::lsp::runs::editor_user::{facts, shown};
use crate::lsp::runs::paths_of;
use crate::lsp::snapshot::Snapshot;
use crate::lsp::wire::message::failed;
use crate::run::connections::ServerState;
use crate::run::{Environment, KnownRunner, Subject, SubjectHash, TrustStore, known_runners};

/// A server or program, on the wire (docs/extensions.md).
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct ServerItem {
    name: String,
    kind: &'static str,
    file: String,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    facts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<usize>,
    is_asked: bool,
    log: String,
}

/// Stops the servers named `name`. With `revokes`, revokes their consents, and also the consents of
/// programs of this name.
///
/// # Errors
///
/// The reason for the user.
pub(super) fn stop(snapshot: &Snapshot, name: &str, revokes: bool) -> Result<Value, Error> {
    let found = subjects(snapshot, name);
    if found.is_empty() {
        return Err(failed(&format!("there is no server or program `{}`", shown(name))));
    }
    for hash in found {
        end(snapshot, hash, revokes)?;
    }
    Ok(Value::Null)
}

fn runners(snapshot: &Snapshot) -> Vec<KnownRunner> {
    let settings = &snapshot.document.settings().run;
    known_runners(settings, &paths_of(&snapshot.folders), &Environment::of_process())
}

/// The hashes of the servers and programs with the name `name`, or with `name` as their hash.
fn subjects(snapshot: &Snapshot, name: &str) -> Vec<SubjectHash> {
    let runners = runners(snapshot).into_iter();
    let known = runners.filter_map(|runner| Some((runner.name, runner.subject.ok()?.hash())));
    known.filter(|(known, hash)| known == name || hash.as_str() == name).map(|(_, hash)| hash).collect()
}

/// Stops a server; with `revoke`, revokes its consent first.
fn end(snapshot: &Snapshot, hash: SubjectHash, revoke: bool) -> Result<(), Error> {
    let failed = |error: io::Error| failed(&shown(&error.to_string()));
    if revoke {
        TrustStore::of_user().and_then(|store| store.revoke(&hash)).map_err(failed)?;
    }
    let connections = std::sync::Arc::clone(&snapshot.runs.connections);
    let stopped = snapshot.runs.spawn(async move { connections.stop(&hash).await }).map_err(failed)?;
    // Its threads may end before it.
    _ = stopped.recv();
    Ok(())
}

/// All servers and programs, for the client.
///
/// # Errors
///
/// If the user's consents cannot be read.
pub(super) fn list(snapshot: &Snapshot) -> io::Result<Value> {
    let store = TrustStore::of_user()?;
    let items: Vec<_> = runners(snapshot).iter().map(|runner| item(snapshot, &store, runner)).collect();
    Ok(json!({"servers": items}))
}

fn item(snapshot: &Snapshot, store: &TrustStore, runner: &KnownRunner) -> ServerItem {
    let item = ServerItem {
        name: runner.name.clone(),
        kind: runner.kind.name(),
        file: runner.file.to_string_lossy().into_owned(),
        is_asked: has_listed(snapshot, &runner.name),
        ..ServerItem::default()
    };
    let subject = match &runner.subject {
        Ok(subject) => subject,
        Err(reason) => return ServerItem { state: "unusable", reason: Some(shown(reason)), ..item },
    };
    let item = ServerItem { facts: facts(subject), hash: Some(subject.hash().to_string()), ..item };
    match store.check(subject) {
        Ok(Some(_)) => with_state(item, snapshot, subject),
        Ok(None) => ServerItem { state: "noConsent", ..item },
        Err(error) => ServerItem { state: "noConsent", reason: Some(shown(&error.to_string())), ..item },
    }
}

/// True if tools of the server `name` are known.
fn has_listed(snapshot: &Snapshot, name: &str) -> bool {
    snapshot.document.settings().registry.servers.values().any(|servers| servers.iter().any(|it| it == name))
}

fn with_state(item: ServerItem, snapshot: &Snapshot, subject: &Subject) -> ServerItem {
    match snapshot.runs.connections.state(&subject.hash()) {
        ServerState::Stopped => ServerItem { state: "stopped", ..item },
        ServerState::Starting => ServerItem { state: "starting", ..item },
        ServerState::Running { tools, log } => {
            ServerItem { state: "running", tools: Some(tools), log, ..item }
        }
        ServerState::Failed { reason, log } => {
            ServerItem { state: "failed", reason: Some(shown(&reason)), log, ..item }
        }
    }
}
