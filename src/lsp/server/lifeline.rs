//! The client's process: the session ends with it, even if its pipes stay open.

use std::time::Duration;

use crate::lsp::server::LoopContext;

/// The polling interval; LSP clients expect the end within a few seconds.
const PERIOD: Duration = Duration::from_secs(1);

/// Ends the session when the process with the id `process` ends.
pub fn exit_with_client(context: &LoopContext, process: u32) {
    let client = system::client(process);
    if client.is_none() {
        tracing::warn!(process, "the client's process is not visible and is not watched");
    }
    let Some(watched) = client.or_else(system::parent) else { return };
    let exit = context.exit.clone();
    context.runtime.spawn(async move {
        while watched.is_running() {
            tokio::time::sleep(PERIOD).await;
        }
        tracing::info!("the client's process has ended");
        let _ = exit.send(crate::lsp::server::BROKEN_OFF);
    });
}

#[cfg(unix)]
mod system {
    use rustix::process::{Pid, getppid, test_kill_process};

    /// A process that existed at some time.
    pub enum WatchedProcess {
        Client { id: Pid, started: Option<String> },
        Parent(Option<Pid>),
    }

    /// The process with this id, if it is running.
    pub fn client(id: u32) -> Option<WatchedProcess> {
        let id = Pid::from_raw(id.try_into().ok()?)?;
        let client = WatchedProcess::Client { id, started: start_time(id) };
        client.is_running().then_some(client)
    }

    /// The parent of the server stands for a client whose process cannot be seen: that process may
    /// have ended already, or be in another container with other process ids.
    pub fn parent() -> Option<WatchedProcess> {
        Some(WatchedProcess::Parent(getppid()))
    }

    impl WatchedProcess {
        pub fn is_running(&self) -> bool {
            match self {
                Self::Client { id, started } => {
                    // A process of another user cannot be signalled, but exists.
                    let there = test_kill_process(*id) != Err(rustix::io::Errno::SRCH);
                    there && start_time(*id) == *started
                }
                // A process that has lost its parent gets another parent.
                Self::Parent(id) => getppid() == *id,
            }
        }
    }

    /// The start time of the process on Linux, because its id may have been reused. `None` also for
    /// a zombie process.
    fn start_time(id: Pid) -> Option<String> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).ok()?;
        // proc_pid_stat(5): the name in parentheses may contain anything; it is followed by state
        // (3) to starttime (22).
        let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ended = matches!(fields.first(), Some(&("Z" | "X")));
        fields.get(19).filter(|_| !ended).map(|started| (*started).to_owned())
    }
}

#[cfg(windows)]
mod system {
    #![expect(unsafe_code, reason = "the standard library opens no process by its id")]

    use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

    use windows_sys::Win32::Foundation::WAIT_TIMEOUT;
    use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

    /// A process that existed at some time. Its id is not reused before the handle is closed.
    pub struct WatchedProcess(OwnedHandle);

    /// The process with this id, if it is running.
    pub fn client(id: u32) -> Option<WatchedProcess> {
        // SAFETY: OpenProcess takes any number.
        let handle = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, id) };
        if handle.is_null() {
            return None;
        }
        // SAFETY: the handle was opened here, and nothing else closes it.
        let client = WatchedProcess(unsafe { OwnedHandle::from_raw_handle(handle) });
        client.is_running().then_some(client)
    }

    /// None: on Windows, a process that has lost its parent gets no other parent.
    pub fn parent() -> Option<WatchedProcess> {
        None
    }

    impl WatchedProcess {
        pub fn is_running(&self) -> bool {
            // SAFETY: the handle is open, and the call does not wait.
            (unsafe { WaitForSingleObject(self.0.as_raw_handle(), 0) }) == WAIT_TIMEOUT
        }
    }
}
