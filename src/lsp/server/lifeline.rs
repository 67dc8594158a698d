//! The client's process: the session ends with it, even if its pipes stay open.
//!
//! On Windows stdin is enough, because it closes with the client's process.

#[cfg(unix)]
use std::time::Duration;

use crate::lsp::server::context::LoopContext;

/// The polling interval; LSP clients expect the end within a few seconds.
#[cfg(unix)]
const PERIOD: Duration = Duration::from_secs(1);

/// Ends the session when the process with the id `process` ends.
#[cfg(unix)]
pub fn exit_with_client(context: &LoopContext, process: u32) {
    let client = ClientProcess::running(process);
    if client.is_none() {
        tracing::warn!(process, "the client's process is not visible and is not watched");
    }
    // A client that was never visible may have ended already, or be in another container with other
    // process ids. Then the parent of the server stands for it: a process that has lost its parent
    // gets another one.
    let parent = rustix::process::getppid();
    let exit = context.exit.clone();
    context.runtime.spawn(async move {
        let is_there = || match &client {
            Some(client) => client.is_running(),
            None => rustix::process::getppid() == parent,
        };
        while is_there() {
            tokio::time::sleep(PERIOD).await;
        }
        tracing::info!("the client's process has ended");
        let _ = exit.send(crate::lsp::wire::exit::BROKEN_OFF);
    });
}

/// Ends the session when the process with the id `process` ends: not supported on this system.
#[cfg(not(unix))]
pub fn exit_with_client(_: &LoopContext, _: u32) {}

/// A process that existed at some time.
#[cfg(unix)]
struct ClientProcess {
    id: rustix::process::Pid,
    started: Option<String>,
}

#[cfg(unix)]
impl ClientProcess {
    fn running(id: u32) -> Option<Self> {
        let id = rustix::process::Pid::from_raw(id.try_into().ok()?)?;
        let process = Self { id, started: start_time(id) };
        process.is_running().then_some(process)
    }

    fn is_running(&self) -> bool {
        // A process of another user cannot be signalled, but exists.
        let there = rustix::process::test_kill_process(self.id) != Err(rustix::io::Errno::SRCH);
        there && start_time(self.id) == self.started
    }
}

/// The start time of the process on Linux, because its id may have been reused. `None` also for a
/// zombie process.
#[cfg(unix)]
fn start_time(id: rustix::process::Pid) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    // proc_pid_stat(5): the name in parentheses may contain anything; it is followed by state (3)
    // to starttime (22).
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ended = matches!(fields.first(), Some(&("Z" | "X")));
    fields.get(19).filter(|_| !ended).map(|started| (*started).to_owned())
}
