//! The folder in which the tools of presets work.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::Url;

use super::editor_user::shown;
use super::{Runs, paths_of};
use crate::run::NotRun;
use crate::run::preset::ToolFolder;

/// The folders for the tools of presets, in work on one document.
pub struct PresetFolders {
    /// The folder that the command names.
    pub named: Option<PathBuf>,
    /// The open folders, and the folder of the document.
    pub offered: Vec<PathBuf>,
    /// The key under which the user's choice is stored: the open folder around the document, or
    /// else the document's own folder. A document without a file has its own key.
    place: PathBuf,
    runs: Arc<Runs>,
}

impl PresetFolders {
    /// The folders for the document `uri`, where the folders `open` are open.
    pub fn of(runs: &Arc<Runs>, uri: &Url, open: &[Url]) -> Self {
        let open = paths_of(open);
        let beside = uri.to_file_path().ok().and_then(|path| path.parent().map(Path::to_owned));
        let around = open.iter().filter(|folder| beside.as_ref().is_some_and(|it| it.starts_with(folder)));
        let around = around.max_by_key(|folder| folder.components().count()).cloned();
        let place = around.or_else(|| beside.clone()).unwrap_or_else(|| PathBuf::from(uri.as_str()));
        let offered = open.into_iter().chain(beside).collect();
        Self { named: None, offered, place, runs: Arc::clone(runs) }
    }

    /// The folder that the command names, or that the user chose earlier.
    pub fn known(&self) -> Option<PathBuf> {
        self.named.clone().or_else(|| self.runs.folder(&self.place))
    }

    /// The folders to choose from, by their names.
    pub fn choices(&self) -> Vec<(String, PathBuf)> {
        let mut choices: Vec<(String, PathBuf)> = Vec::new();
        for folder in &self.offered {
            let name = shown(&folder.to_string_lossy());
            if choices.iter().all(|(known, _)| *known != name) {
                choices.push((name, folder.clone()));
            }
        }
        choices
    }

    /// Opens `folder`, and keeps it as the user's choice.
    ///
    /// # Errors
    ///
    /// The reason why tools cannot work in it.
    pub fn open(&self, folder: PathBuf) -> Result<Arc<ToolFolder>, NotRun> {
        let name = shown(&folder.to_string_lossy());
        if !folder.is_absolute() {
            return Err(NotRun::because(format!("the folder `{name}` is not an absolute path")));
        }
        let opened = ToolFolder::open(&folder)
            .map_err(|error| NotRun::because(format!("cannot work in `{name}`: {error}")))?;
        self.runs.name_folder(self.place.clone(), folder);
        Ok(Arc::new(opened))
    }
}
