//! Notifies of file changes: by notifications of the operating system where available, else by
//! polling every few seconds.
//!
//! A notification only means that a file may have changed. The files are read again to find the
//! actual changes, so that missing and duplicate notifications are harmless.

pub mod remote;
pub mod stdout_closed;

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, CreateKind, EventKind, ModifyKind, RemoveKind};
use notify::{ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::config::{FILE_NAME, is_transcript};
use crate::files::identity;

/// Debounce time: a file is considered complete after this time without changes.
const QUIET: Duration = Duration::from_millis(100);
/// Debounce time while a file is missing or empty: editors save by replacing the file, or by
/// truncating it first.
const QUIET_WHILE_EMPTY: Duration = Duration::from_millis(500);
/// Maximum debounce time: a log that is being written never becomes quiet.
const UNREST: Duration = Duration::from_secs(2);
/// Polling interval where the system sends no notifications.
pub(super) const PERIOD: Duration = Duration::from_secs(2);

/// True if each searched folder is watched by itself, instead of whole trees from their topmost
/// folder. With inotify each folder has a cost, and most folders are skipped ones such as
/// `node_modules`.
const EACH_FOLDER: bool = cfg!(any(target_os = "linux", target_os = "android"));

/// Watches files for changes.
pub(super) struct FileWatcher {
    events: Receiver<ChangeEvent>,
    watcher: Option<RecommendedWatcher>,
    folders: HashSet<PathBuf>,
    /// Folders that are watched recursively.
    trees: Vec<PathBuf>,
    /// Paths that are watched whatever their names: inputs given by name, and the files of
    /// settings.
    watched_paths: HashSet<PathBuf>,
    /// The folders above `watched_paths`, at all levels.
    around: HashSet<PathBuf>,
    /// The reason for polling, if files are polled.
    polling_reason: Option<String>,
}

/// An event from another thread.
enum ChangeEvent {
    Event(Event),
    /// The reader of stdout is gone.
    #[cfg_attr(not(unix), expect(dead_code, reason = "other systems report it at the next write"))]
    ReaderLeft,
}

/// The reason why [`FileWatcher::wait`] returned.
pub(super) enum WakeReason {
    /// These files, and possibly others, may have changed.
    Changed(HashSet<PathBuf>),
    /// The reader of stdout is gone.
    ReaderLeft,
}

impl FileWatcher {
    /// Starts a watcher that does not watch any file yet.
    pub fn start() -> Self {
        let (sender, receiver) = channel();
        stdout_closed::notify_on_closed_stdout(sender.clone());
        let (watcher, polling_reason) = match watcher(sender) {
            Ok(watcher) => (Some(watcher), None),
            Err(error) => (None, Some(reason(&error))),
        };
        let (folders, watched_paths, around) = (HashSet::new(), HashSet::new(), HashSet::new());
        Self { events: receiver, watcher, folders, trees: Vec::new(), watched_paths, around, polling_reason }
    }

    /// Watches `folder` recursively. Where each folder is watched by itself, relevant subfolders
    /// have to be added with [`Self::watch_folder`].
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

    /// Watches the entries of `folder`, not recursively. Returns whether it was not watched before.
    pub fn watch_folder(&mut self, folder: &Path) -> bool {
        !self.folders.contains(folder)
            && !self.is_in_tree(folder)
            && self.watch(folder, RecursiveMode::NonRecursive)
    }

    /// Watches the file at `path`, which may not exist yet. Returns whether it was not watched
    /// before.
    pub fn watch_file(&mut self, path: &Path) -> bool {
        let mut is_new = false;
        // A symbolic link is watched together with its target.
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

    /// Watches a folder above an input, to notice when the input is deleted or created.
    pub fn watch_above(&mut self, folder: &Path) {
        if !self.folders.contains(folder) && !self.is_in_tree(folder) {
            self.listen(folder, RecursiveMode::NonRecursive);
        }
    }

    fn watch(&mut self, folder: &Path, mode: RecursiveMode) -> bool {
        if self.polling_reason.is_none() && remote::is_remote(folder) {
            self.polling_reason =
                Some("this file system does not report changes by other machines".to_owned());
        }
        self.listen(folder, mode)
    }

    fn listen(&mut self, folder: &Path, mode: RecursiveMode) -> bool {
        let Some(watcher) = &mut self.watcher else { return false };
        match watcher.watch(folder, mode) {
            Ok(()) => self.folders.insert(folder.to_owned()),
            // The folder was deleted, which its parent's watch reports, or is not readable, which
            // reading it reports.
            Err(error) if is_harmless(&error) => false,
            Err(error) => {
                self.polling_reason = Some(reason(&error));
                // A partial watch is useless, and it takes up watches that other programs may need.
                self.watcher = None;
                false
            }
        }
    }

    /// The reason why files are polled every [`PERIOD`]; `None` if they are not.
    pub fn polling_reason(&self) -> Option<&str> {
        self.polling_reason.as_deref()
    }

    /// Waits until a file may have changed, and then until changes stop.
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
                    // Irrelevant events do not extend the debounce time.
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

    /// Returns the next event; `None` if there is none before `deadline`.
    fn next(&self, deadline: Option<Instant>) -> Option<ChangeEvent> {
        let Some(deadline) = deadline else { return self.events.recv().ok() };
        let wait = deadline.checked_duration_since(Instant::now())?;
        match self.events.recv_timeout(wait) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                std::thread::sleep(wait);
                None
            }
        }
    }

    /// Adds the relevant paths of `event` to `changed`. Returns whether there are any.
    fn note(&mut self, event: &Event, changed: &mut HashSet<PathBuf>) -> bool {
        let is_about_folders = match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
            EventKind::Access(_) => return false,
            EventKind::Create(kind) => !matches!(kind, CreateKind::File),
            EventKind::Remove(kind) => !matches!(kind, RemoveKind::File),
            EventKind::Modify(kind) => matches!(kind, ModifyKind::Name(_)),
            // The event queue overflowed, or the kind of event is unknown.
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
            // An event without paths may concern any file.
            if event.paths.is_empty() {
                changed.insert(PathBuf::new());
            }
        }
        matters
    }

    /// True if `path` is watched, or is inside of a watched folder.
    fn is_wanted(&self, path: &Path) -> bool {
        path.ancestors().any(|path| self.watched_paths.contains(path))
    }

    /// True if the file at `path` would be read, unless it is ignored.
    fn is_read(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_settings = matches!(name, FILE_NAME | ".gitignore" | ".ignore");
        is_settings
            || self.watched_paths.contains(path)
            || self.folders.contains(path)
            || (is_transcript(path) && self.is_wanted(path))
    }
}

fn watcher(sender: Sender<ChangeEvent>) -> notify::Result<RecommendedWatcher> {
    notify::recommended_watcher(move |event: notify::Result<Event>| {
        // A watch error counts as an unknown event. The receiver is gone when the program ends.
        let event = event.unwrap_or_else(|_| Event::new(EventKind::Other));
        _ = sender.send(ChangeEvent::Event(event));
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

/// Formats the reason why the system sends no notifications, with advice.
fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "the system cannot watch that many folders for this user; as root, \
             `sysctl fs.inotify.max_user_watches=524288` lets it"
            .to_owned(),
        // EMFILE: the limit of inotify instances, or of open files, is reached.
        ErrorKind::Io(error) if error.raw_os_error() == Some(24) && EACH_FOLDER => {
            "too many programs of this user watch files; as root, `sysctl fs.inotify.max_user_instances=1024` lets more"
                .to_owned()
        }
        ErrorKind::Io(error) => format!("the system does not report changes: {error}"),
        ErrorKind::Generic(message) => format!("the system does not report changes: {message}"),
        _ => format!("the system does not report changes: {error}"),
    }
}
