//! Starts and ends the processes of servers and programs. Each has a process group of its own,
//! inherits only its pipes, and is ended with all processes that it started.

mod log;
mod tree;

pub(super) use log::Log;

use std::collections::BTreeMap;
use std::io;
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::subject::{Environment, SubjectStart, is_key_name};
use super::{Consented, Limits, RunError, RunErrorKind};
use crate::config::template::Template;
use crate::never::lock;

/// The variables that every program gets from the user's environment, besides the variables that
/// its configuration names: the variables that programs need to run at all, as in the SDKs of MCP
/// (`getDefaultEnvironment` of the TypeScript SDK), and variables for languages and temporary
/// files.
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

/// The process groups of this process.
static GROUPS: Mutex<Groups> = Mutex::new(Groups { alive: Vec::new(), are_ended: false });

struct Groups {
    /// The living groups, by the ids of their first processes.
    alive: Vec<u32>,
    /// True if all were ended for good: this process ends, too.
    are_ended: bool,
}

/// A process with its group. Dropping it kills the group and all that it started.
#[derive(Debug)]
pub(super) struct ProcessGroup {
    child: Child,
    id: u32,
    /// The mark in the environment of all processes of the group, even of processes that left it.
    mark: String,
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
        let hidden = hidden_values(arguments.iter(), variables, environment);
        let mark = tree::new_mark();
        command.env(tree::MARK, &mark);
        command.current_dir(&subject.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        isolate(&mut command);
        let mut child = with_groups(|groups| {
            if groups.are_ended {
                return Err(failed("chatls is ending".to_owned()));
            }
            let spawned = command.spawn();
            let child = spawned.map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
            groups.alive.extend(child.id());
            #[cfg(windows)]
            tree::put_into_job(&child, &mark)
                .map_err(|error| failed(format!("`{program}` cannot be started: {error}")))?;
            Ok(child)
        })?;
        let id = child.id().unwrap_or_default();
        let taken = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut group = Self { child, id, mark, log_reader: None };
        let (Some(stdin), Some(stdout), Some(stderr)) = taken else {
            return Err(failed(format!("`{program}` has no pipes")));
        };
        let log = Log::new(limits.log, hidden);
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
        // Dropping kills the rest of the group.
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        tree::kill_marked(&self.mark);
        signal(self.id, End::Kill);
        with_groups(|groups| groups.alive.retain(|id| *id != self.id));
    }
}

/// Kills all groups that are alive, and all that they started, for good: for a process that ends.
pub fn end_all() {
    if let Some(mut groups) = soon(&GROUPS) {
        groups.are_ended = true;
        groups.alive.drain(..).for_each(|id| signal(id, End::Kill));
    }
    tree::kill_all_marked();
}

/// The content of `mutex`; `None` if it stays locked for [`SETTLE`], as by the start of a program
/// on a disk that does not answer.
fn soon<T>(mutex: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    const LOOKS: u32 = 20;
    for _ in 0..LOOKS {
        match mutex.try_lock() {
            Ok(held) => return Some(held),
            Err(TryLockError::Poisoned(held)) => return Some(held.into_inner()),
            Err(TryLockError::WouldBlock) => std::thread::sleep(SETTLE / LOOKS),
        }
    }
    None
}

fn with_groups<T>(use_them: impl FnOnce(&mut Groups) -> T) -> T {
    use_them(&mut lock(&GROUPS))
}

#[derive(Clone, Copy)]
enum End {
    Ask,
    Kill,
}

/// The secret values that a server or program gets, which must not be shown: the values of the
/// user's variables, except the variables that every program gets, and literal values whose names
/// look like names of secrets.
pub(super) fn hidden_values<'t>(
    arguments: impl Iterator<Item = &'t Template>,
    named: &'t BTreeMap<String, Template>,
    environment: &Environment,
) -> Vec<String> {
    let lookup = |name: &str| environment.get(name);
    let of = |template: &Template| {
        let own = template.variables().filter(|name| !INHERITED.contains(name)).filter_map(lookup);
        let is_known = template.variables().all(|name| INHERITED.contains(&name));
        let whole = template.expand(&lookup).ok().filter(|_| !is_known);
        own.chain(whole).collect::<Vec<_>>()
    };
    let written = named.iter().filter(|(name, _)| is_key_name(name));
    let written = written.filter_map(|(_, value)| value.as_text().map(str::to_owned));
    arguments.chain(named.values()).flat_map(of).chain(written).collect()
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

/// Windows has no process groups that can be ended: a job contains the processes.
#[cfg(windows)]
fn signal(_group: u32, _end: End) {}
