//! Processes of servers and programs: in a group of their own, with their pipes and nothing else,
//! and ended with all processes that they started.

use std::collections::VecDeque;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::subject::{Environment, SubjectStart};
use super::{Consented, Limits, RunError, RunErrorKind};

/// The variables that every program gets from the user's environment, besides those that its
/// configuration names: those that programs need to run at all, as in the SDKs of MCP
/// (`getDefaultEnvironment` of the TypeScript SDK), and those of languages and temporary files.
const INHERITED: [&str; 24] = [
    "APPDATA",
    "COMSPEC",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LOCALAPPDATA",
    "LOGNAME",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "SHELL",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERNAME",
    "USERPROFILE",
];

/// Time for the last output of a process that has ended.
pub(super) const SETTLE: Duration = Duration::from_millis(200);

/// The process groups that are alive, by the ids of their first processes.
static GROUPS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A process with its group. Dropping it kills the group.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    child: Child,
    id: u32,
    /// Reads its stderr to the end.
    log_reader: Option<JoinHandle<()>>,
}

/// The pipes of a process.
#[derive(Debug)]
pub(super) struct Pipes {
    pub stdin: ChildStdin,
    pub stdout: ChildStdout,
    /// The end of its stderr.
    pub log: Log,
}

/// The last bytes of a stream of text, with a limit.
#[derive(Clone, Debug)]
pub(super) struct Log {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    limit: usize,
}

impl Log {
    pub fn new(limit: usize) -> Self {
        Self { bytes: Arc::default(), limit }
    }

    pub fn push(&self, written: &[u8]) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = written.get(written.len().saturating_sub(self.limit)..).unwrap_or_default();
        bytes.extend(kept);
        let excess = bytes.len().saturating_sub(self.limit);
        bytes.drain(..excess);
    }

    /// The text that is kept.
    pub fn text(&self) -> String {
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let (first, last) = bytes.as_slices();
        String::from_utf8_lossy(&[first, last].concat()).into_owned()
    }

    /// Keeps what `stream` contains until it ends.
    fn keep(&self, mut stream: impl AsyncRead + Unpin + Send + 'static) -> JoinHandle<()> {
        let log = self.clone();
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                log.push(buffer.get(..read).unwrap_or_default());
            }
        })
    }
}

impl ProcessGroup {
    /// Starts the command that the user agreed to.
    pub fn start(
        consented: &Consented,
        environment: &Environment,
        limits: &Limits,
    ) -> Result<(Self, Pipes), RunError> {
        let failed = |message: String| RunError::new(RunErrorKind::Start, message);
        let subject = consented.subject();
        let SubjectStart::Command { program, executable, arguments, variables, .. } = &subject.start else {
            return Err(failed("it is an address, not a program".to_owned()));
        };
        if !subject.is_current() {
            return Err(failed("a file of its command has just changed: agree to it again".to_owned()));
        }
        let lookup = |name: &str| environment.get(name);
        let unset = |name: String| failed(format!("the variable `{name}`, which it is to get, is not set"));
        let mut command = Command::new(executable);
        for argument in arguments {
            command.arg(argument.expand(&lookup).map_err(unset)?);
        }
        command.env_clear();
        for name in INHERITED {
            if let Some(value) = environment.get_os(name) {
                command.env(name, value);
            }
        }
        for (name, value) in variables {
            command.env(name, value.expand(&lookup).map_err(unset)?);
        }
        command.current_dir(&subject.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        isolate(&mut command);
        let mut child =
            command.spawn().map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
        let id = child.id().unwrap_or_default();
        with_groups(|groups| groups.push(id));
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut group = Self { child, id, log_reader: None };
        let (Some(stdin), Some(stdout), Some(stderr)) = taken else {
            return Err(failed(format!("`{program}` has no pipes")));
        };
        let log = Log::new(limits.log);
        group.log_reader = Some(log.keep(stderr));
        Ok((group, Pipes { stdin, stdout, log }))
    }

    /// Waits until the process has ended by itself.
    pub async fn wait(&mut self) -> io::Result<std::process::ExitStatus> {
        self.child.wait().await
    }

    /// Waits a moment for the end of the process and its stderr, whose last lines are about its
    /// failure. Others may keep stderr open.
    pub async fn settle(&mut self) {
        _ = tokio::time::timeout(SETTLE, self.child.wait()).await;
        if let Some(reader) = &mut self.log_reader {
            _ = tokio::time::timeout(SETTLE, reader).await;
            self.log_reader = None;
        }
    }

    /// Ends the process, after its stdin has been closed: waits, asks its group to end (SIGTERM),
    /// and kills the group (MCP: "Shutdown" of stdio).
    pub async fn end(mut self, limits: &Limits) {
        if tokio::time::timeout(limits.end, self.child.wait()).await.is_err() {
            signal(self.id, End::Ask);
            _ = tokio::time::timeout(limits.end, self.child.wait()).await;
        }
        // Dropping kills what is left of the group.
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        signal(self.id, End::Kill);
        with_groups(|groups| groups.retain(|id| *id != self.id));
    }
}

/// Kills all groups that are alive: for a process that is interrupted.
pub fn end_all() {
    with_groups(|groups| groups.drain(..).for_each(|id| signal(id, End::Kill)));
}

fn with_groups<T>(use_them: impl FnOnce(&mut Vec<u32>) -> T) -> T {
    use_them(&mut GROUPS.lock().unwrap_or_else(PoisonError::into_inner))
}

#[derive(Clone, Copy)]
enum End {
    Ask,
    Kill,
}

/// A group of its own, and no handles that this process inherited without marking them.
#[cfg(unix)]
fn isolate(command: &mut Command) {
    command.process_group(0);
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
}

#[cfg(windows)]
fn isolate(command: &mut Command) {
    // CREATE_NEW_PROCESS_GROUP and CREATE_NO_WINDOW
    command.creation_flags(0x0000_0200 | 0x0800_0000);
}

#[cfg(unix)]
fn signal(group: u32, end: End) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let signal = match end {
        End::Ask => Signal::TERM,
        End::Kill => Signal::KILL,
    };
    if let Some(group) = i32::try_from(group).ok().and_then(Pid::from_raw) {
        // It may have ended already.
        _ = kill_process_group(group, signal);
    }
}

/// Windows has no groups that can be killed; dropping the handle kills the process itself.
#[cfg(windows)]
fn signal(_group: u32, _end: End) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_keep_the_end() {
        let log = Log::new(4);
        for written in ["ab", "cd", "e", "", "0123456"] {
            log.push(written.as_bytes());
            assert!(log.text().len() <= 4);
        }
        assert_eq!(log.text(), "3456");
        log.push("é".as_bytes());
        assert_eq!(log.text(), "56é");
    }
}
