//! Calls that a host ends.

use std::future::{pending, ready};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use super::*;
use crate::call::{ToolUse, UseOutcome};
use crate::config::RunSettings;
use crate::features::refactorings::outcomes::CallAnchor;
use crate::run::preset::{ChartIndex, PresetTool, ToolFolder};

/// An index of charts that does not answer until the sender of `receiver` is dropped.
fn silent_index(receiver: Receiver<()>) -> ChartIndex {
    let receiver = Mutex::new(receiver);
    let get = move |_: &url::Url| {
        _ = receiver.lock().expect("the only user").recv();
        Ok("{}".to_owned())
    };
    ChartIndex { address: "https://charts.example/".to_owned(), get: Box::new(get) }
}

/// A user who agrees to everything.
struct AgreeingUser;

impl RunPermission for AgreeingUser {
    async fn consent(&mut self, _: &KnownRunner) -> io::Result<Option<Consented>> {
        Ok(None)
    }

    async fn folder(&mut self, _: &ReadyCall) -> Result<Arc<ToolFolder>, NotRun> {
        Err(NotRun::Refused)
    }

    async fn allows(&mut self, _: &ReadyCall, _: CallEffect, _: Option<&Consented>) -> bool {
        true
    }
}

fn silent_host() -> (ToolHost, Sender<()>) {
    let (sender, receiver) = channel();
    let mut host = ToolHost::new(Environment::default(), Vec::new());
    host.charts = Some(Arc::new(silent_index(receiver)));
    (host, sender)
}

fn run(host: &mut ToolHost, cancelled: impl Future<Output = ()>) -> Result<UseOutcome, NotRun> {
    let source = "preset:chartsmith";
    let tool = PresetTool::find(source, "latest_subchart_version").expect("a tool");
    let call = ReadyCall {
        anchor: CallAnchor::of(&[ToolUse::default()], 0).expect("a call"),
        tool: "latest_subchart_version".to_owned(),
        input: json!({"chart_name": "redis"}),
        json: "{\"chart_name\":\"redis\"}".to_owned(),
        runner: CallRunner::Preset(tool, source.to_owned()),
        obstacle: None,
    };
    let settings = RunSettings::default();
    block_on(host.run(&call, &settings, &mut AgreeingUser, |_| {}, cancelled)).expect("a runtime")
}

#[test]
fn tools_of_presets_end_with_the_host() {
    let reason = |result: Result<UseOutcome, NotRun>| match result {
        Err(NotRun::Impossible { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let (mut host, _sender) = silent_host();
    assert_eq!(reason(run(&mut host, ready(()))), "preset:chartsmith: it was cancelled");
    let (mut host, _sender) = silent_host();
    host.limits.call = Duration::ZERO;
    assert_eq!(reason(run(&mut host, pending())), "preset:chartsmith: it did not end within 0 s");
    let (mut host, sender) = silent_host();
    drop(sender);
    assert!(matches!(run(&mut host, pending()), Ok(UseOutcome::Output(_)) | Ok(UseOutcome::Error(_))));
}

#[test]
fn a_call_that_was_ended_writes_nothing() {
    let made = tempfile::tempdir().expect("a folder");
    let folder = crate::run::preset::ToolFolder::open(made.path()).expect("a folder");
    let (for_call, writes) = folder.for_call();
    assert!(writes.close() && writes.close());
    for result in [for_call.write("a", "1"), for_call.remove("a")] {
        assert!(result.expect_err("an error").contains("has been ended"));
    }
    assert!(fs::read_dir(made.path()).expect("a folder").next().is_none());
    let (for_call, writes) = folder.for_call();
    for_call.write("a", "1").expect("written");
    assert!(!writes.close(), "a write has begun");
    for_call.write("b", "2").expect("written");
    folder.write("c", "3").expect("another call");
}
