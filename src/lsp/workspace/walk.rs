//! The transcripts in the workspace's folders that are not open: the same files that `chatls check`
//! finds, each with the settings that would apply if it were opened.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use lsp_types::Url;

use crate::document::evidence::may_be_transcript;
use crate::files;
use crate::files::{identity, json_beginning, walk};

use crate::lsp::workspace::settings::{EditorSettings, SettingsQuestion, SettingsResponse, SettingsSource};

/// The identity of a document, independent of the spelling of its URI.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum DocumentKey {
    /// A file, by its canonical path.
    File(PathBuf),
    /// Anything else, by its URI.
    Other(String),
}

impl DocumentKey {
    /// The key of a document at `path`, if it is a file, with the client's spelling `spelling`.
    pub fn of_open(path: Option<&PathBuf>, spelling: &str) -> Self {
        path.map_or_else(|| Self::Other(spelling.to_owned()), |path| Self::File(identity(path)))
    }

    /// The key of a document in the client's spelling.
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
pub struct WalkedTranscript {
    /// Its key.
    pub key: DocumentKey,
    /// Its path.
    pub path: PathBuf,
    /// Its URI.
    pub uri: Url,
    /// The settings that would apply to it; they may exclude it.
    pub resolved: SettingsResponse,
}

/// The inputs of a walk.
pub struct WorkspaceWalk<'a> {
    /// The workspace's folders.
    pub folders: Arc<[Url]>,
    /// The editor's settings under `chatls`.
    pub editor: &'a EditorSettings,
    /// Finds the settings.
    pub source: &'a dyn SettingsSource,
    /// True if files without a configuration are left out.
    pub configured_only: bool,
}

/// The result for a transcript.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenTranscript {
    /// It was processed, and is not visited again: it may be in two folders.
    It,
    /// It was skipped.
    Skipped,
    /// No more are needed.
    Enough,
}

impl WorkspaceWalk<'_> {
    /// Passes each transcript that is not among `seen` to `take`, in order.
    pub fn each(
        &self,
        seen: &mut HashSet<DocumentKey>,
        take: &mut dyn FnMut(WalkedTranscript) -> TakenTranscript,
    ) {
        for folder in self.folders.iter().filter_map(|folder| folder.to_file_path().ok()) {
            // Links in it are not followed, so only the folder itself may have another name.
            let root = identity(&folder);
            let inside = caught(|| self.visit(DocumentKey::File(root.clone()), folder.join("chat.md")));
            let hidden = inside.map(|it| it.resolved.settings.hidden_names.clone()).unwrap_or_default();
            for found in walk(&folder, hidden.matcher()).filter_map(Result::ok) {
                let path = match found {
                    files::WalkEntry::Transcript(path) | files::WalkEntry::Other(path) => path,
                    files::WalkEntry::Folder(_) => continue,
                    files::WalkEntry::Unread(path, reason) => {
                        // The folders are walked at each keystroke of a search.
                        tracing::debug!(path = %path.display(), reason, "an ignore file is not read");
                        continue;
                    }
                };
                let key = DocumentKey::File(root.join(path.strip_prefix(&folder).unwrap_or(&path)));
                if seen.contains(&key) {
                    continue;
                }
                let visit = || self.visit(key.clone(), path).filter(|found| self.is_transcript(found));
                let Some(found) = caught(visit) else { continue };
                match take(found) {
                    TakenTranscript::It => drop(seen.insert(key)),
                    TakenTranscript::Skipped => {}
                    TakenTranscript::Enough => return,
                }
            }
        }
    }

    fn visit(&self, key: DocumentKey, path: PathBuf) -> Option<WalkedTranscript> {
        let uri = Url::from_file_path(&path).ok()?;
        let question = SettingsQuestion::new(uri.clone(), &self.folders, self.editor);
        Some(WalkedTranscript { key, path, uri, resolved: self.source.settings(&question) })
    }

    fn is_transcript(&self, found: &WalkedTranscript) -> bool {
        let settings = &found.resolved.settings;
        (settings.is_configured || !self.configured_only)
            && may_be_transcript(&found.path, settings, json_beginning)
    }
}

/// The result of `work`; a panic is logged and costs one file.
fn caught<T>(work: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work)).ok().flatten()
}

#[cfg(all(test, windows))]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_file_have_one_key() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("A b.md");
        std::fs::write(&path, "").expect("a file");
        let uri = Url::from_file_path(&path).expect("a URI").to_string();
        let (drive, rest) = uri["file:///".len()..].split_at(1);
        let rest = &rest[1..];
        let key = DocumentKey::of(&uri);
        // As VS Code writes it, and in other cases of letters.
        for spelling in [
            format!("file:///{}%3A{rest}", drive.to_lowercase()),
            format!("file:///{}%3a{rest}", drive.to_uppercase()),
            format!("file:///{}:{}", drive.to_lowercase(), rest.to_uppercase()),
        ] {
            assert!(DocumentKey::of(&spelling) == key, "{spelling}");
        }
    }
}
