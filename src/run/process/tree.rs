//! The processes that servers and programs start, also those that left the group in which they
//! were started. Linux lists processes with their parents, and gives those whose parent has ended
//! to this process. On other systems only groups are ended.

#[cfg(target_os = "linux")]
pub(super) use linux::{adopt_orphans, kill_all, kill_marked, reap};
#[cfg(not(target_os = "linux"))]
pub(super) use other::{adopt_orphans, kill_all, kill_marked, reap};

/// The variable that marks the processes of a group: its children inherit it, wherever they go.
pub(super) const MARK: &str = "CHATLS_GROUP";

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::fs;
    use std::sync::Once;

    use rustix::process::{
        Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, set_child_subreaper, waitpid,
    };

    /// Maximum number of looks for processes that were started meanwhile.
    const ROUNDS: usize = 20;

    /// A process, as the system lists it.
    struct ListedProcess {
        id: Pid,
        parent: i32,
        group: i32,
        /// True if it only waits for its parent to notice.
        has_ended: bool,
    }

    /// Makes this process the parent of those that its children leave behind.
    pub fn adopt_orphans() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // Without it, they are not found once their parent has ended.
            _ = set_child_subreaper(Some(getpid()));
        });
    }

    /// Kills all processes below this one that have the value `mark` of [`MARK`](super::MARK).
    pub fn kill_marked(mark: &str) {
        let variable = format!("{}={mark}", super::MARK);
        kill(|process| {
            let variables =
                fs::read(format!("/proc/{}/environ", process.id.as_raw_nonzero())).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
        });
    }

    /// Kills all processes that this process started, except those in its own group, which get the
    /// signals of the terminal.
    pub fn kill_all() {
        let own = getpgrp().as_raw_nonzero().get();
        kill(|process| process.group != own);
    }

    /// Takes note of the end of processes that were left to this one. `groups` are of those that
    /// others wait for.
    pub fn reap(groups: &[u32]) {
        let (own, own_group) = (getpid().as_raw_nonzero().get(), getpgrp().as_raw_nonzero().get());
        for process in listed() {
            let is_awaited =
                u32::try_from(process.id.as_raw_nonzero().get()).is_ok_and(|id| groups.contains(&id));
            if process.has_ended && process.parent == own && process.group != own_group && !is_awaited {
                _ = waitpid(Some(process.id), WaitOptions::NOHANG);
            }
        }
    }

    /// Kills the processes below this one that are `wanted`. They are stopped first: one that runs
    /// could start another one that is not listed.
    fn kill(wanted: impl Fn(&ListedProcess) -> bool) {
        let mut stopped = HashSet::new();
        for _ in 0..ROUNDS {
            let found = below(getpid().as_raw_nonzero().get()).into_iter();
            let found = found
                .filter(|process| !process.has_ended && !stopped.contains(&process.id) && wanted(process));
            let found: Vec<_> = found.map(|process| process.id).collect();
            if found.is_empty() {
                break;
            }
            // They may have ended already.
            for id in &found {
                _ = kill_process(*id, Signal::STOP);
            }
            stopped.extend(found);
        }
        for id in stopped {
            _ = kill_process(id, Signal::KILL);
        }
    }

    fn below(root: i32) -> Vec<ListedProcess> {
        let mut others = listed();
        let mut parents = HashSet::from([root]);
        let mut found = Vec::new();
        loop {
            let (children, rest): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|process| parents.contains(&process.parent));
            if children.is_empty() {
                return found;
            }
            parents = children.iter().map(|process| process.id.as_raw_nonzero().get()).collect();
            found.extend(children);
            others = rest;
        }
    }

    fn listed() -> Vec<ListedProcess> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        entries.filter_map(|entry| process(entry.file_name().to_str()?.parse().ok()?)).collect()
    }

    fn process(id: i32) -> Option<ListedProcess> {
        let status = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // proc_pid_stat(5): the name in parentheses may contain anything; it is followed by state
        // (3), ppid (4) and pgrp (5).
        let mut fields = status.rsplit_once(')')?.1.split_whitespace();
        let has_ended = matches!(fields.next()?, "Z" | "X");
        let (parent, group) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(ListedProcess { id: Pid::from_raw(id)?, parent, group, has_ended })
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    pub fn adopt_orphans() {}

    pub fn kill_marked(_mark: &str) {}

    pub fn kill_all() {}

    pub fn reap(_groups: &[u32]) {}
}
