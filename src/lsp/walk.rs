//! The transcripts in the workspace's folders that are not open: those that `chatls check` finds there, each with the settings
//! that would hold if it were opened.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Url;

use crate::files::{self, identity, walk};

use super::settings::{EditorSettings, Question, Resolved, SettingsSource};

/// A document, however its URI is spelled.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Key {
    /// A file, by its one path.
    File(PathBuf),
    /// Anything else, by its URI.
    Other(String),
}

impl Key {
    /// The key of a document at `path`, if it has a place on disk, which the client spells `spelling`.
    pub fn of_open(path: Option<&PathBuf>, spelling: &str) -> Self {
        path.map_or_else(|| Self::Other(spelling.to_owned()), |path| Self::File(identity(path)))
    }

    /// The key of a document as the client spells it.
    pub fn of(spelling: &str) -> Self {
        match Url::parse(spelling) {
            Ok(uri) => match uri.to_file_path() {
                Ok(path) => Self::File(identity(&path)),
                Err(()) => Self::Other(uri.into()),
            },
            Err(_) => Self::Other(spelling.to_owned()),
        }
    }
}

/// A transcript.
pub struct Found {
    /// Which.
    pub key: Key,
    /// Where it is.
    pub path: PathBuf,
    /// Its URI.
    pub uri: Url,
    /// The settings that would hold for it; they may keep it out.
    pub resolved: Resolved,
}

/// What is walked through.
pub struct Walk<'a> {
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// What the editor says under `chatls`.
    pub editor: &'a EditorSettings,
    /// Knows the settings.
    pub source: &'a dyn SettingsSource,
}

/// What became of a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Took {
    /// It was taken, and is not handed over again: it may be in two folders.
    It,
    /// It was passed over.
    Nothing,
    /// No more are wanted.
    Enough,
}

impl Walk<'_> {
    /// Hands each transcript that is not among `seen` to `take`, in order.
    pub fn each(&self, seen: &mut HashSet<Key>, take: &mut dyn FnMut(Found) -> Took) {
        for folder in self.folders.iter().filter_map(|folder| folder.to_file_path().ok()) {
            // Links in it are not followed, so only the folder itself may have another name.
            let root = identity(&folder);
            for found in walk(&folder).filter_map(Result::ok) {
                let (path, is_transcript) = match found {
                    files::Found::Transcript(path) => (path, true),
                    files::Found::Other(path) => (path, false),
                    files::Found::Folder(_) => continue,
                    files::Found::Unread(path, reason) => {
                        // The folders are walked at each keystroke of a search.
                        tracing::debug!(path = %path.display(), reason, "a file of rules is not read");
                        continue;
                    }
                };
                let key = Key::File(root.join(path.strip_prefix(&folder).unwrap_or(&path)));
                if seen.contains(&key) {
                    continue;
                }
                let Some(found) = self.found(key.clone(), path) else { continue };
                if !is_transcript && !found.resolved.settings.is_searched_for {
                    continue;
                }
                match take(found) {
                    Took::It => drop(seen.insert(key)),
                    Took::Nothing => {}
                    Took::Enough => return,
                }
            }
        }
    }

    fn found(&self, key: Key, path: PathBuf) -> Option<Found> {
        let uri = Url::from_file_path(&path).ok()?;
        let (editor, folders) = (self.editor.of(&uri).clone(), Arc::clone(&self.folders));
        let question = Question { editor, uri: uri.clone(), is_chat: false, folders };
        let resolved = catch_unwind(AssertUnwindSafe(|| self.source.settings(&question))).ok()?;
        Some(Found { key, path, uri, resolved })
    }
}
