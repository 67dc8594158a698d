//! The files of the client: configurations and registries.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use lsp_types::Url;
use serde::Deserialize;

use crate::config::Files;
use crate::lsp::wire::document_uri::{file_path, file_uri};
use crate::never::lock;

/// The params of `chatls/files`.
#[derive(Deserialize)]
pub struct FilesParams {
    files: Vec<ClientFile>,
}

#[derive(Deserialize)]
struct ClientFile {
    uri: Url,
    /// `None` if it does not exist.
    text: Option<String>,
}

/// The files of the client.
#[derive(Default)]
pub struct ClientFiles(Mutex<KnownFiles>);

#[derive(Default)]
struct KnownFiles {
    /// The texts; `None` for a file that does not exist.
    texts: HashMap<PathBuf, Option<String>>,
    /// The files that were looked for and are not known.
    wanted: Vec<PathBuf>,
}

impl ClientFiles {
    /// Takes in new texts.
    pub fn take(&self, params: FilesParams) {
        let mut known = lock(&self.0);
        for ClientFile { uri, text } in params.files {
            if let Some(path) = file_path(&uri) {
                known.texts.insert(path, text);
            }
        }
    }

    /// The files that were looked for since the last call and are not known.
    pub fn wanted(&self) -> Vec<Url> {
        let mut wanted = std::mem::take(&mut lock(&self.0).wanted);
        wanted.sort();
        wanted.dedup();
        wanted.iter().filter_map(|path| file_uri(path)).collect()
    }
}

impl Files for ClientFiles {
    fn read(&self, path: &Path) -> io::Result<String> {
        let mut known = lock(&self.0);
        match known.texts.get(path) {
            Some(text) => text.clone().ok_or_else(|| io::ErrorKind::NotFound.into()),
            None => {
                known.wanted.push(path.to_owned());
                Err(io::ErrorKind::NotFound.into())
            }
        }
    }
}
