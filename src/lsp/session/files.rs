//! The files that the client sends: configurations and registries.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lsp_types::Url;
use serde::Deserialize;

use crate::config::Files;
use crate::lsp::wire::document_uri::file_path;

/// The params of `chatls/files`.
#[derive(Deserialize)]
pub struct FilesParams {
    files: Vec<ClientFile>,
}

#[derive(Deserialize)]
struct ClientFile {
    uri: Url,
    /// `None` if it does not exist any more.
    text: Option<String>,
}

/// The texts of the client's files, by path.
#[derive(Default)]
pub struct ClientFiles(Mutex<HashMap<PathBuf, String>>);

impl ClientFiles {
    /// Takes in new texts.
    pub fn take(&self, params: FilesParams) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for ClientFile { uri, text } in params.files {
            match (file_path(&uri), text) {
                (Some(path), Some(text)) => drop(known.insert(path, text)),
                (Some(path), None) => drop(known.remove(&path)),
                (None, _) => {}
            }
        }
    }
}

impl Files for ClientFiles {
    fn read(&self, path: &Path) -> io::Result<String> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
