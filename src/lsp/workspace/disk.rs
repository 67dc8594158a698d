//! Settings from the disk: `chatls.toml` and registries, found and read as by the command line.
//!
//! Files are cached until one of them changes, and documents with equal settings share them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::config::{
    ConfigLocation, FileDiagnostic, Files, Loaded, Loader, Settings, TrustSettings, is_chat_name,
};
use crate::document::{Document, Language};
use crate::files::{DiskFiles, Stamp, is_binary, stamp};
use crate::lsp::workspace::settings::{
    ConfigFile, SettingsQuestion, SettingsResponse, SettingsSource, config_files,
};
use crate::text::Text;

/// Reads configuration from the disk, and again only after one of its files has changed.
#[derive(Default)]
pub struct Workspace {
    config: Option<PathBuf>,
    loaded: Mutex<LoadedSettings>,
}

#[derive(Default)]
struct LoadedSettings {
    loader: Loader,
    /// The stamps of all requested files, including missing ones.
    stamps: FileStamps,
    /// The files of configurations, by the address of their diagnostics, which each keeps alive so
    /// that it is not reused.
    shared: HashMap<usize, SharedWorkspace>,
}

type FileStamps = HashMap<PathBuf, Stamp>;

struct SharedWorkspace {
    problems: Arc<[FileDiagnostic]>,
    files: Arc<[Arc<ConfigFile>]>,
    editor_errors: Arc<[String]>,
}

impl Workspace {
    /// The disk's configuration; `config` is a file that the user specified, which then applies to
    /// all documents, and `trust` are the trust settings.
    pub fn new(config: Option<&Path>, trust: TrustSettings) -> Self {
        let config = config.map(|path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
        let loaded = LoadedSettings { loader: Loader::new(trust), ..LoadedSettings::default() };
        Self { config, loaded: Mutex::new(loaded) }
    }

    fn lock(&self) -> MutexGuard<'_, LoadedSettings> {
        self.loaded.lock().unwrap_or_else(|poisoned| {
            // The panic may have left anything, but the stamps are intact.
            let mut known = poisoned.into_inner();
            known.loader = Loader::new(known.loader.trust().clone());
            known.shared.clear();
            self.loaded.clear_poison();
            known
        })
    }
}

impl SettingsSource for Workspace {
    fn settings(&self, question: &SettingsQuestion) -> SettingsResponse {
        let document = question.uri.to_file_path().ok();
        let folders: Vec<PathBuf> =
            question.folders.iter().filter_map(|folder| folder.to_file_path().ok()).collect();
        let place = ConfigLocation {
            document: document.as_deref(),
            is_chat: question.is_chat || is_chat_name(Path::new(question.uri.path())),
            folders: &folders,
            project: None,
            config: self.config.as_deref(),
            editor: &question.editor,
        };
        self.lock().settings(&place)
    }

    fn has_changed(&self) -> bool {
        // The current owner checks for itself. The lock is released first, because a disk may be
        // slow.
        let stamps = self.loaded.try_lock().map(|known| known.stamps.clone());
        stamps.is_ok_and(|stamps| have_changed(&stamps))
    }

    fn refresh(&self) -> bool {
        let mut known = self.lock();
        let changed = have_changed(&known.stamps);
        if changed {
            known.refresh();
        }
        changed
    }
}

impl LoadedSettings {
    fn refresh(&mut self) {
        // Everything in use is read again and stamped; other stamps would report a change forever.
        let mut stamps = FileStamps::default();
        self.loader.refresh(&StampingFiles { stamps: RefCell::new(&mut stamps) });
        self.stamps = stamps;
        self.shared.retain(|_, shared| Arc::strong_count(&shared.problems) > 1);
    }

    fn settings(&mut self, place: &ConfigLocation<'_>) -> SettingsResponse {
        let loaded = self.loader.load(&StampingFiles { stamps: RefCell::new(&mut self.stamps) }, place);
        let Loaded { settings, problems, sources, .. } = loaded;
        let address = Arc::as_ptr(&problems).addr();
        let shared = self.shared.entry(address).or_insert_with(|| {
            let mut errors = Vec::new();
            let files = config_files(&sources, &problems, |problem| errors.push(problem.message.clone()));
            SharedWorkspace { problems, files, editor_errors: errors.into() }
        });
        let (files, errors) = (Arc::clone(&shared.files), Arc::clone(&shared.editor_errors));
        SettingsResponse { settings, files, editor_errors: errors }
    }
}

/// The disk, with stamps of all files that are read.
struct StampingFiles<'a> {
    stamps: RefCell<&'a mut FileStamps>,
}

impl Files for StampingFiles<'_> {
    fn read(&self, path: &Path) -> io::Result<String> {
        // Stamped first, so that changes during the reading are noticed next time.
        self.stamps.borrow_mut().insert(path.to_owned(), stamp(path));
        DiskFiles.read(path)
    }

    fn real_path(&self, path: &Path) -> PathBuf {
        DiskFiles.real_path(path)
    }

    fn is_repository(&self, folder: &Path) -> bool {
        DiskFiles.is_repository(folder)
    }
}

/// Reads the document in the file at `path`; `None` if it cannot be read, or is binary.
pub fn read_document(path: &Path, settings: &Arc<Settings>) -> Option<Document> {
    let text = DiskFiles.read(path).ok().filter(|text| !is_binary(text.as_bytes()))?;
    let text = Text::new(&text);
    let language = Language::of("", &path.to_string_lossy(), &text);
    Some(Document::new(text, language, Arc::clone(settings)))
}

fn have_changed(stamps: &FileStamps) -> bool {
    stamps.iter().any(|(path, then)| stamp(path) != *then)
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use lsp_types::Url;
    use serde_json::Value;

    use super::*;

    #[test]
    fn what_was_read_is_shared_and_kept_until_it_changes() {
        let folder = std::env::temp_dir().join(format!("chatls-workspace-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        let config = folder.join("chatls.toml");
        std::fs::write(&config, "x = 1").expect("a temporary file");
        let workspace = Workspace::new(None, TrustSettings::default());
        let ask = |name: &str| {
            let uri = Url::from_file_path(folder.join(name)).expect("an absolute path");
            let folders = [Url::from_file_path(&folder).expect("an absolute path")].into();
            workspace.settings(&SettingsQuestion { uri, is_chat: false, folders, editor: Value::Null })
        };
        let (first, second) = (ask("a.md"), ask("b.md"));
        assert!(Arc::ptr_eq(&first.files, &second.files) && Arc::ptr_eq(&first.settings, &second.settings));
        assert_eq!(first.files.iter().map(|file| file.problems.len()).collect::<Vec<_>>(), [1]);
        assert!(!workspace.has_changed() && !workspace.refresh());

        std::fs::write(&config, "lint = {}").expect("a temporary file");
        assert!(workspace.has_changed() && workspace.refresh() && !workspace.refresh());
        assert!(ask("a.md").files.iter().all(|file| file.problems.is_empty()));

        // Later changes are noticed even after a panic.
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let mut known = workspace.lock();
            known.loader = Loader::default();
            panic!("requested by a test");
        }));
        assert!(panicked.is_err() && workspace.loaded.is_poisoned());
        std::fs::write(&config, "xx = 1").expect("a temporary file");
        assert!(workspace.refresh());
        assert_eq!(ask("a.md").files.iter().map(|file| file.problems.len()).collect::<Vec<_>>(), [1]);
        assert!(!workspace.refresh());
        std::fs::remove_dir_all(&folder).expect("the temporary folder");
    }
}
