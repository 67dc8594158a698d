//! Ends the processes that servers and programs start, even if they left their process group. On
//! Linux, they are found by a variable in their environment that marks them. On Windows, they are
//! in a job. On other systems, only groups are ended.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The variable that marks the processes of a group: its children inherit it, wherever they go.
pub(super) const MARK: &str = "CHATLS_GROUP";

/// The beginning of all marks of this process.
static OWN: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-", std::process::id(), since.as_nanos())
});

/// A mark that no other group of any process has.
pub(super) fn new_mark() -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("{}{}.", *OWN, LAST.fetch_add(1, Ordering::Relaxed))
}

pub(super) use system::kill_marked;
#[cfg(windows)]
pub(super) use system::put_into_job;

/// Kills all processes with a mark of this process.
pub(super) fn kill_all_marked() {
    kill_marked(&OWN);
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    use rustix::process::{Pid, Signal, kill_process};

    /// Maximum number of looks for processes that were started meanwhile.
    const ROUNDS: usize = 20;

    /// Kills the processes whose mark begins with `beginning`, until there are none.
    pub fn kill_marked(beginning: &str) {
        // In a container, `/proc` may belong to another PID namespace.
        let own = std::process::id().to_string();
        if fs::read_link("/proc/self").ok().is_none_or(|id| id.as_os_str() != own.as_str()) {
            return;
        }
        let mark = format!("{}={beginning}", super::MARK);
        for _ in 0..ROUNDS {
            let found = marked(mark.as_bytes());
            for id in &found {
                // It may have ended already.
                _ = kill_process(*id, Signal::KILL);
            }
            if found.is_empty() {
                break;
            }
        }
    }

    /// The running processes with an environment variable that begins with `mark`.
    fn marked(mark: &[u8]) -> Vec<Pid> {
        let has_mark = |id: &str| {
            let variables = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
            variables.split(|byte| *byte == 0).any(|variable| variable.starts_with(mark))
        };
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let ids = entries.filter_map(|entry| {
            let name = entry.file_name();
            let id = name.to_str()?;
            Pid::from_raw(id.parse().ok()?).filter(|_| has_mark(id))
        });
        ids.collect()
    }
}

#[cfg(windows)]
mod system {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use crate::never::lock;

    use tokio::process::Child;
    use win32job::{ExtendedLimitInfo, Job, JobError};

    /// The jobs of groups, by mark. Closing a job ends its processes; when this process ends, all
    /// jobs are closed.
    static JOBS: Mutex<BTreeMap<String, Job>> = Mutex::new(BTreeMap::new());

    /// Puts `child`, which was just started, into a job that will contain its own children, too.
    pub fn put_into_job(child: &Child, mark: &str) -> Result<(), JobError> {
        let Some(handle) = child.raw_handle() else { return Ok(()) };
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits)?;
        job.assign_process(handle as isize)?;
        lock(&JOBS).insert(mark.to_owned(), job);
        Ok(())
    }

    /// Ends the jobs whose mark begins with `beginning`.
    pub fn kill_marked(beginning: &str) {
        lock(&JOBS).retain(|mark, _| !mark.starts_with(beginning));
    }
}

#[cfg(not(any(target_os = "linux", windows)))]
mod system {
    /// Does nothing: only groups are ended on this system.
    pub fn kill_marked(_beginning: &str) {}
}
