//! Tests with servers and programs that are shell scripts: an honest one, and one for each lie.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Map, json};

use super::mcp::{Listing, McpConnection};
use super::*;
use crate::call::{UseData, UseOutcome};
use crate::config::CommandSettings;
use crate::config::template::Template;

mod changes;
mod hosts;
mod http;
mod lies;
mod processes;
mod sharing;

/// A server in a folder of its own.
struct TestServer {
    folder: tempfile::TempDir,
    consented: Consented,
    limits: Limits,
}

/// Reactions of a server: shell commands, in which `$id` is the id of the request.
#[derive(Clone, Copy)]
struct Reactions<'s> {
    initialize: &'s str,
    list: &'s str,
    call: &'s str,
}

const INITIALIZE: &str = r#"answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"honest","version":"1.2"}}'"#;
const LIST: &str = r#"answer '{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}'"#;
const CALL: &str = r#"answer '{"content":[{"type":"text","text":"done"}]}'"#;
const HONEST: Reactions<'_> = Reactions { initialize: INITIALIZE, list: LIST, call: CALL };

/// A script that reads messages, keeps them in the file `seen`, and reacts.
fn script(reactions: Reactions<'_>) -> String {
    let Reactions { initialize, list, call } = reactions;
    format!(
        r#"#!/bin/sh
say() {{ printf '%s\n' "$1"; }}
answer() {{ say '{{"jsonrpc":"2.0","id":'"$id"',"result":'"$1"'}}'; }}
while IFS= read -r line; do
  printf '%s\n' "$line" >> seen
  rest=${{line#*\"id\":}}; id=${{rest%%[,\}}]*}}
  rest=${{line#*\"progressToken\":}}; token=${{rest%%[,\}}]*}}
  case $line in
    *'"method":"initialize"'*) {initialize} ;;
    *'"method":"tools/list"'*) {list} ;;
    *'"method":"tools/call"'*) {call} ;;
  esac
done
"#
    )
}

/// The subject of the script `text` in `folder`, with the user's consent.
fn consent_to(folder: &std::path::Path, text: &str, variables: &[(&str, Template)]) -> Consented {
    fs::create_dir_all(folder.join("w")).expect("a folder");
    fs::write(folder.join("w/server.sh"), text).expect("a script");
    let command = CommandSettings {
        program: "sh".to_owned(),
        arguments: vec![Template::text("server.sh")],
        variables: variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect(),
        folder: folder.join("w"),
        base: folder.join("w"),
    };
    let subject = Subject::of_command(&command, &[], &environment()).expect("a subject");
    TrustStore::at(folder.join("trust")).grant(&subject).expect("a consent")
}

fn output(text: &str) -> UseOutcome {
    UseOutcome::Output(UseData::Text(text.to_owned()))
}

/// The environment of the tests, with a secret.
fn environment() -> Environment {
    // A part of the name of a variable that every program gets, `LOGNAME`, is another variable.
    let own = [("SECRET", "s3cret"), ("TOKEN", "t0ken-1"), ("LOG", "l0g-value")]
        .map(|(name, value)| (OsString::from(name), value.into()));
    std::env::vars_os().chain(own).collect()
}

impl TestServer {
    fn new(reactions: Reactions<'_>) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let consented = consent_to(folder.path(), &script(reactions), &[]);
        Self { folder, consented, limits: Limits { end: Duration::from_millis(300), ..Limits::default() } }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("w").join(name)
    }

    /// The messages that it got.
    fn seen(&self) -> String {
        fs::read_to_string(self.path("seen")).unwrap_or_default()
    }

    async fn open(&self) -> Result<McpConnection, RunError> {
        McpConnection::open(&self.consented, &environment(), &self.limits).await
    }

    async fn listing(&self) -> Result<Listing, RunError> {
        let connection = self.open().await?;
        let listing = connection.tools().await;
        connection.close().await;
        listing
    }

    async fn call(&self) -> Result<UseOutcome, RunError> {
        let connection = self.open().await?;
        let output = connection.call("echo", Map::new(), |_| {}, std::future::pending()).await;
        connection.close().await;
        output
    }
}

#[test]
fn an_honest_server_lists_and_runs_its_tools() {
    let call = r#"say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
      say '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'"$token"',"progress":1,"total":2,"message":"half"}}'
      sleep 0.1
      answer '{"content":[{"type":"text","text":"done"}],"structuredContent":{"n":1}}'"#;
    let server = TestServer::new(Reactions { call, ..HONEST });
    block_on(async {
        let connection = server.open().await.expect("a connection");
        assert_eq!(connection.identity().name, "honest");
        let listing = connection.tools().await.expect("tools");
        assert_eq!((listing.tools[0].name.as_str(), listing.problems.len()), ("echo", 0));
        let mut changed = connection.tools_changed();
        let mut steps = Vec::new();
        let input = json!({"text": "é"}).as_object().cloned().expect("an object");
        let on_progress = |progress: Progress| steps.push(progress);
        let output =
            connection.call("echo", input, on_progress, std::future::pending()).await.expect("an output");
        assert_eq!(output, UseOutcome::Output(UseData::Json("{\"n\":1}".to_owned())));
        assert_eq!(steps, [Progress { done: 1.0, total: Some(2.0), message: Some("half".to_owned()) }]);
        assert!(changed.has_changed().expect("open"));
        changed.mark_unchanged();
        assert!(connection.is_open());
        connection.close().await;
    })
    .expect("a runtime");
    assert!(server.seen().contains(r#""arguments":{"text":"é"}"#), "{}", server.seen());
}

#[test]
fn a_cancelled_call_is_cancelled_at_the_server() {
    let server = TestServer::new(Reactions { call: ":", ..HONEST });
    block_on(async {
        let connection = server.open().await.expect("a connection");
        let cancelled = tokio::time::sleep(Duration::from_millis(100));
        let error = connection.call("echo", Map::new(), |_| {}, cancelled).await.expect_err("cancelled");
        assert_eq!(error.kind, RunErrorKind::Cancelled);
        connection.close().await;
    })
    .expect("a runtime");
    let seen = server.seen();
    assert!(
        seen.contains(r#""method":"notifications/cancelled""#) && seen.contains("it was cancelled"),
        "{seen}"
    );
}
