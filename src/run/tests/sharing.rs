//! Connections that calls share.

use std::future::pending;

use super::*;
use crate::run::connections::{Connections, ServerState};

#[test]
fn calls_share_a_connection() {
    let initialize = format!("echo started >> starts; {INITIALIZE}");
    let server = TestServer::new(Reactions { initialize: &initialize, ..HONEST });
    let (environment, connections) = (environment(), Connections::default());
    let hash = server.consented.subject().hash();
    block_on(async {
        let call = async || {
            let mut connected = connections.connect(&server.consented, &environment, &server.limits).await?;
            connected.call("echo", Map::new(), |_| {}, pending()).await
        };
        let (one, other) = tokio::join!(call(), call());
        assert_eq!((one.expect("an output"), other.expect("an output")), (output("done"), output("done")));
        assert_eq!(connections.state(&hash), ServerState::Running { tools: 1, log: String::new() });
        connections.retire(&hash).await;
        assert_eq!(connections.state(&hash), ServerState::Stopped);
        assert!(connections.in_use().is_empty());
    })
    .expect("a runtime");
    assert_eq!(fs::read_to_string(server.path("starts")).expect("a file").lines().count(), 1);
}

#[test]
fn stopping_a_server_ends_its_calls() {
    let server = TestServer::new(Reactions { call: ":", ..HONEST });
    let (environment, connections) = (environment(), Connections::default());
    let hash = server.consented.subject().hash();
    block_on(async {
        let call = async {
            let mut connected = connections.connect(&server.consented, &environment, &server.limits).await?;
            connected.call("echo", Map::new(), |_| {}, pending()).await
        };
        let stop = async {
            while !server.seen().contains("tools/call") {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            connections.stop(&hash).await;
        };
        let (called, ()) = tokio::join!(call, stop);
        assert_eq!(called.expect_err("stopped").kind, RunErrorKind::Cancelled);
        assert_eq!(connections.state(&hash), ServerState::Stopped);
    })
    .expect("a runtime");
    assert!(server.seen().contains("notifications/cancelled"), "{}", server.seen());
}

#[test]
fn a_failed_start_is_kept_and_tried_again() {
    let server = TestServer::new(Reactions { list: "echo broken >&2; exit 1", ..HONEST });
    let (environment, connections) = (environment(), Connections::default());
    let hash = server.consented.subject().hash();
    block_on(async {
        for _ in 0..2 {
            let failed = connections.connect(&server.consented, &environment, &server.limits).await;
            assert_eq!(failed.expect_err("it ends").kind, RunErrorKind::Ended);
            let state = connections.state(&hash);
            assert!(matches!(&state, ServerState::Failed { log, .. } if log == "broken\n"), "{state:?}");
        }
    })
    .expect("a runtime");
    assert_eq!(server.seen().matches("tools/list").count(), 2);
}

#[test]
fn a_server_that_ends_by_itself_is_noticed() {
    let list = format!("sleep 60 > /dev/null & echo $! > child; echo listed >&2; {LIST}");
    let call = format!("echo called >&2; {CALL}; exec >&-; sleep 60");
    let server = TestServer::new(Reactions { list: &list, call: &call, ..HONEST });
    let (environment, connections) = (environment(), Connections::default());
    let hash = server.consented.subject().hash();
    block_on(async {
        let mut connected =
            connections.connect(&server.consented, &environment, &server.limits).await.expect("a server");
        let changes = connections.changes();
        while !changes.has_changed().expect("connections") {
            connections.look().await;
        }
        let log = "listed\n".to_owned();
        assert_eq!(connections.state(&hash), ServerState::Running { tools: 1, log });
        let called = connected.call("echo", Map::new(), |_| {}, pending()).await;
        assert_eq!(called.expect("an output"), output("done"));
        drop(connected);
        while connections.in_use() == [hash.clone()] {
            connections.look().await;
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let state = connections.state(&hash);
        let is_explained = matches!(&state, ServerState::Failed { log, .. } if log.contains("called"));
        assert!(is_explained, "{state:?}");
    })
    .expect("a runtime");
    let child = fs::read_to_string(server.path("child")).expect("a process");
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    assert!(stat.is_empty() || stat.contains(") Z "), "{stat}");
}

#[test]
fn looking_waits_for_no_call() {
    let server = TestServer::new(Reactions { call: "exit 0", ..HONEST });
    let (environment, connections) = (environment(), Connections::default());
    let store = TrustStore::at(server.folder.path().join("trust"));
    let hash = server.consented.subject().hash();
    block_on(async {
        let connected = connections.connect(&server.consented, &environment, &server.limits).await;
        let mut connected = connected.expect("a connection");
        let ended = connected.call("echo", Map::new(), |_| {}, pending()).await;
        assert_eq!(ended.expect_err("an error").kind, RunErrorKind::Ended);
        // The call still asks its user; another one waits for the server.
        let mut other = Box::pin(connections.connect(&server.consented, &environment, &server.limits));
        assert!(futures_util::poll!(&mut other).is_pending());
        let look = async {
            connections.look().await;
            store.revoke(&hash).expect("revoked");
            let mut stop = Box::pin(connections.stop_revoked(&store));
            // It waits for the call alone, which is asked to end.
            assert!(futures_util::poll!(&mut stop).is_pending());
            connected.stopped().await;
            drop(connected);
            let (_, other) = tokio::join!(stop, other);
            assert_eq!(other.expect_err("stopped").kind, RunErrorKind::Cancelled);
        };
        tokio::time::timeout(Duration::from_secs(60), look).await.expect("no question blocks it");
    })
    .expect("a runtime");
}

#[test]
fn programs_without_consent_are_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let consented = consent_to(folder.path(), ":", &[]);
    let (connections, store) = (Connections::default(), TrustStore::at(folder.path().join("trust")));
    block_on(async {
        let mut stops = connections.stops(consented.subject());
        connections.stop_revoked(&store).await;
        assert!(!stops.has_changed().expect("a sender"));
        store.revoke(&consented.subject().hash()).expect("revoked");
        connections.stop_revoked(&store).await;
        assert!(stops.borrow_and_update().gt(&0));
    })
    .expect("a runtime");
}
