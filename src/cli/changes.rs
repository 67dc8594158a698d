//! Tells when files change: the system says it where it can, and where it cannot, it is time to look again every few seconds.
//!
//! It only tells that something may be other than it was. What that comes to is found by looking at the files again, so what the
//! system leaves out or says twice does no harm.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind, RemoveKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::config::FILE_NAME;
use crate::files::{identity, is_transcript};

mod reader;
mod remote;

/// How long nothing changes before what was written counts as whole.
const QUIET: Duration = Duration::from_millis(100);
/// The same while a file is gone or empty: editors save by writing another file in its place, or by emptying it first.
const QUIET_WHILE_EMPTY: Duration = Duration::from_millis(500);
/// How long is waited for quiet where it never comes: a log grows while a model is still writing.
const UNREST: Duration = Duration::from_secs(2);
/// How often is looked where the system tells nothing.
pub(super) const PERIOD: Duration = Duration::from_secs(2);

/// Whether the system is told of each folder that is looked through, or of the topmost ones with all that is in them. With inotify
/// each folder costs, and those that are passed over, as `node_modules`, are the most.
const EACH_FOLDER: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Tells when files change.
pub(super) struct FileWatcher {
    events: Receiver<ChangeEvent>,
    watcher: Option<RecommendedWatcher>,
    folders: HashSet<PathBuf>,
    /// Folders that are watched with all that is in them.
    trees: Vec<PathBuf>,
    /// What matters whatever it is called: what is named, and the files that settings come from.
    watched_paths: HashSet<PathBuf>,
    /// The folders that hold it, however far down.
    around: HashSet<PathBuf>,
    /// Why files are looked at every few seconds.
    polling_reason: Option<String>,
}

/// What is told from other threads.
enum ChangeEvent {
    Event(Event),
    /// Nobody reads stdout any more.
    ReaderLeft,
}

/// What there was to wait for.
pub(super) enum WakeReason {
    /// These files may be other than they were, and others too.
    Changed(HashSet<PathBuf>),
    /// Nobody reads stdout any more.
    ReaderLeft,
}

impl FileWatcher {
    /// Begins to listen; nothing is watched yet.
    pub fn start() -> Self {
        let (teller, told) = channel();
        reader::notify_on_closed_stdout(teller.clone());
        let (watcher, blind) = match watcher(teller) {
            Ok(watcher) => (Some(watcher), None),
            Err(error) => (None, Some(reason(&error))),
        };
        let (folders, wanted, around) = (HashSet::new(), HashSet::new(), HashSet::new());
        Self {
            events: told,
            watcher,
            folders,
            trees: Vec::new(),
            watched_paths: wanted,
            around,
            polling_reason: blind,
        }
    }

    /// Watches `folder` with all that is in it; what of it matters is still to be named where the system takes each folder for itself.
    pub fn watch_tree(&mut self, folder: &Path) {
        self.add_wanted(folder.to_owned());
        self.add_wanted(identity(folder));
        if EACH_FOLDER {
            self.watch_folder(folder);
        } else if !self.is_in_tree(folder) {
            self.watch(folder, RecursiveMode::Recursive);
            self.trees.push(folder.to_owned());
        }
    }

    /// Watches what is in `folder` itself. Whether that is new.
    pub fn watch_folder(&mut self, folder: &Path) -> bool {
        !self.folders.contains(folder)
            && !self.is_in_tree(folder)
            && self.watch(folder, RecursiveMode::NonRecursive)
    }

    /// Watches the file at `path`, which may not be there yet. Whether that is new.
    pub fn watch_file(&mut self, path: &Path) -> bool {
        let mut is_new = false;
        // Of a link, also where it leads.
        for path in [path.to_owned(), identity(path)] {
            if let Some(folder) = path.ancestors().skip(1).find(|folder| folder.is_dir()) {
                is_new |= self.watch_folder(folder);
            }
            self.add_wanted(path);
        }
        is_new
    }

    fn add_wanted(&mut self, path: PathBuf) {
        for folder in path.ancestors().skip(1) {
            if !self.around.insert(folder.to_owned()) {
                break;
            }
        }
        self.watched_paths.insert(path);
    }

    fn is_in_tree(&self, folder: &Path) -> bool {
        self.trees.iter().any(|tree| folder.starts_with(tree))
    }

    /// Watches a folder above what is read, which is only to tell that this goes or comes.
    pub fn watch_above(&mut self, folder: &Path) {
        if !self.folders.contains(folder) && !self.is_in_tree(folder) {
            self.listen(folder, RecursiveMode::NonRecursive);
        }
    }

    fn watch(&mut self, folder: &Path, mode: RecursiveMode) -> bool {
        if self.polling_reason.is_none() && remote::is_remote(folder) {
            self.polling_reason =
                Some("this file system does not tell what other machines change".to_owned());
        }
        self.listen(folder, mode)
    }

    fn listen(&mut self, folder: &Path, mode: RecursiveMode) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        match watcher.watch(folder, mode) {
            Ok(()) => self.folders.insert(folder.to_owned()),
            // It has gone again, which its own folder tells, or what is in it is not to be read, which is said where it is tried.
            Err(error) if is_harmless(&error) => false,
            Err(error) => {
                self.polling_reason = Some(reason(&error));
                // Half of the changes are of no use, and others may watch what this gives back.
                self.watcher = None;
                false
            }
        }
    }

    /// Why files are looked at every few seconds ([`PERIOD`]), where they are.
    pub fn polling_reason(&self) -> Option<&str> {
        self.polling_reason.as_deref()
    }

    /// Waits until something may have changed, and then until that is whole.
    pub fn wait(&mut self) -> WakeReason {
        let mut changed = HashSet::new();
        let look_again = self.polling_reason.as_ref().map(|_| Instant::now() + PERIOD);
        while changed.is_empty() {
            match self.next(look_again) {
                Some(ChangeEvent::Event(event)) => _ = self.note(&event, &mut changed),
                Some(ChangeEvent::ReaderLeft) => return WakeReason::ReaderLeft,
                None => return WakeReason::Changed(changed),
            }
        }
        let until = Instant::now() + UNREST;
        let (mut last, mut quiet) = (Instant::now(), QUIET);
        loop {
            match self.next(Some(until.min(last + quiet))) {
                Some(ChangeEvent::Event(event)) => {
                    // What does not matter is no unrest.
                    if self.note(&event, &mut changed) {
                        (last, quiet) = (Instant::now(), QUIET);
                    }
                }
                Some(ChangeEvent::ReaderLeft) => return WakeReason::ReaderLeft,
                None => {
                    let is_there = |path: &PathBuf| path.metadata().is_ok_and(|found| found.len() > 0);
                    let is_last = quiet == QUIET_WHILE_EMPTY || Instant::now() >= until;
                    if is_last || changed.iter().all(is_there) {
                        return WakeReason::Changed(changed);
                    }
                    quiet = QUIET_WHILE_EMPTY;
                }
            }
        }
    }

    /// What is told next; `None` where nothing is until `deadline`.
    fn next(&self, deadline: Option<Instant>) -> Option<ChangeEvent> {
        let Some(deadline) = deadline else { return self.events.recv().ok() };
        let wait = deadline.checked_duration_since(Instant::now())?;
        match self.events.recv_timeout(wait) {
            Ok(told) => Some(told),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(wait);
                None
            }
        }
    }

    /// Adds to `changed` what `event` is about, if that matters. Whether it does.
    fn note(&mut self, event: &Event, changed: &mut HashSet<PathBuf>) -> bool {
        let is_about_folders = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => return false,
            EventKind::Create(kind) => !matches!(kind, CreateKind::File),
            EventKind::Remove(kind) => !matches!(kind, RemoveKind::File),
            EventKind::Modify(kind) => matches!(kind, ModifyKind::Name(_)),
            // Too much has happened to be told.
            EventKind::Other | EventKind::Any => true,
        };
        for path in &event.paths {
            let is_gone = is_about_folders && !matches!(event.kind, EventKind::Create(_));
            if is_gone && self.folders.contains(path) {
                self.folders.retain(|known| !known.starts_with(path));
                self.trees.retain(|known| !known.starts_with(path));
            }
        }
        let matters = |path: &PathBuf| match is_about_folders {
            true => self.around.contains(path) || self.is_wanted(path),
            false => self.is_read(path),
        };
        let matters = event.paths.is_empty() || event.paths.iter().any(matters);
        if matters {
            changed.extend(event.paths.iter().cloned());
            // Where it is about no file, it may be about any.
            if event.paths.is_empty() {
                changed.insert(PathBuf::new());
            }
        }
        matters
    }

    /// Whether `path` is wanted, or is in what is.
    fn is_wanted(&self, path: &Path) -> bool {
        path.ancestors().any(|path| self.watched_paths.contains(path))
    }

    /// Whether the file at `path` is read, if it is not ignored.
    fn is_read(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_settings = matches!(name, FILE_NAME | ".gitignore" | ".ignore");
        is_settings
            || self.watched_paths.contains(path)
            || self.folders.contains(path)
            || (is_transcript(path) && self.is_wanted(path))
    }
}

fn watcher(teller: Sender<ChangeEvent>) -> notify::Result<RecommendedWatcher> {
    notify::recommended_watcher(move |event: notify::Result<Event>| {
        // What cannot be told is as good as anything; nobody listens at the end.
        let event = event.unwrap_or_else(|_| Event::new(EventKind::Other));
        _ = teller.send(ChangeEvent::Event(event));
    })
}

fn is_harmless(error: &notify::Error) -> bool {
    match &error.kind {
        ErrorKind::PathNotFound => true,
        ErrorKind::Io(error) => {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied)
        }
        _ => false,
    }
}

/// Why the system tells nothing, and what to do about it.
fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "the system cannot watch that many folders for this user; as root, \
             `sysctl fs.inotify.max_user_watches=524288` lets it"
            .to_owned(),
        // EMFILE, of which the other reason is that too many files are open.
        ErrorKind::Io(error) if error.raw_os_error() == Some(24) && EACH_FOLDER => {
            "too many programs of this user watch files; as root, `sysctl fs.inotify.max_user_instances=1024` lets more"
                .to_owned()
        }
        ErrorKind::Io(error) => format!("the system does not tell of changes: {error}"),
        ErrorKind::Generic(message) => format!("the system does not tell of changes: {message}"),
        _ => format!("the system does not tell of changes: {error}"),
    }
}
