//! The client's process: when it is gone, so is the session, even where its pipes stay open.
//!
//! On Windows this is left to stdin, which closes there with the process that wrote to it.

use std::time::Duration;

use crate::lsp::server::context::LoopContext;

/// How often is looked; LSP's clients expect the end within a few seconds.
#[cfg(unix)]
const PERIOD: Duration = Duration::from_secs(1);

/// Ends the session when the process with the id `process` ends.
#[cfg(unix)]
pub fn exit_with_client(context: &LoopContext, process: u32) {
    let client = ClientProcess::running(process);
    if client.is_none() {
        tracing::warn!(process, "the client's process is not to be seen, and is not watched");
    }
    // A client that was never seen may be gone already, or be in a container of its own, where processes are counted
    // differently. Then whoever started the server stands for it: a process that has lost its parent gets another one.
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
        tracing::info!("the client's process is gone");
        let _ = exit.send(crate::lsp::wire::exit::BROKEN_OFF);
    });
}

/// Ends the session when the process with the id `process` ends: not known how, here.
#[cfg(not(unix))]
pub fn exit_with_client(_: &LoopContext, _: u32) {}

/// A process that once ran.
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
        // Somebody else's process cannot be signalled, but it is there.
        let there = rustix::process::test_kill_process(self.id) != Err(rustix::io::Errno::SRCH);
        there && start_time(self.id) == self.started
    }
}

/// When the process started, where Linux tells it: its id may have gone to another one. `None` for one that has
/// ended and only waits to be noticed, too.
#[cfg(unix)]
fn start_time(id: rustix::process::Pid) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
    // proc_pid_stat(5): the name in parentheses may hold anything; behind it come state (3) to starttime (22).
    let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ended = matches!(fields.first(), Some(&("Z" | "X")));
    fields.get(19).filter(|_| !ended).map(|started| (*started).to_owned())
}
