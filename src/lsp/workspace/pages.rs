//! The pages of the codes as files, for editors that link a diagnostic's code to its description:
//! there is no web site. The presets as files, too, for navigation to tools.
//!
//! They are written once into the user's cache, the pages before the first settings are available.
//! If that fails, there are no links; nothing else depends on it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{fs, io};

use lsp_types::Url;

use crate::diagnostic::Code;
use crate::lsp::wire::document_uri::file_uri;
use crate::registry::{preset, preset_names};

/// The shipped texts that can be shown as files.
#[derive(Debug, Default)]
pub struct Pages {
    /// The URIs of the pages of all codes, in the order of [`Code::ALL`]; empty if they could not
    /// be written.
    uris: OnceLock<Vec<Url>>,
    /// The URIs of the presets, in the order of their names; empty if they could not be written.
    presets: OnceLock<Vec<Url>>,
}

impl Pages {
    /// Writes the pages of all codes, once; not for the main loop.
    pub fn prepare(&self) {
        let pages = || Code::ALL.iter().map(|code| (format!("{}.md", code.name()), code.page()));
        self.uris.get_or_init(|| written("rules", pages()));
    }

    /// The URI of the page of `code`, if there is one.
    pub fn uri(&self, code: Code) -> Option<&str> {
        self.uris.get()?.get(code as usize).map(Url::as_str)
    }

    /// The URI of the preset `name`, which is written if necessary; not for the main loop.
    pub fn preset(&self, name: &str) -> Option<&str> {
        let files = || preset_names().filter_map(|name| Some((format!("{name}.json"), preset(name)?)));
        let uris = self.presets.get_or_init(|| written("presets", files()));
        uris.get(preset_names().position(|known| known == name)?).map(Url::as_str)
    }
}

/// The URIs of `files`, which are written into the folder `name`; empty if that fails.
fn written(name: &str, files: impl Iterator<Item = (String, &'static str)>) -> Vec<Url> {
    let written = folder(name).map(|folder| write(&folder, files));
    written.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into())).unwrap_or_else(|error| {
        tracing::info!(%error, name, "pages of codes or presets cannot be written: there are no links to them");
        Vec::new()
    })
}

/// Their folder; each version has its own, so that two servers do not overwrite each other's.
#[cfg(not(target_family = "wasm"))]
fn folder(name: &str) -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let cache = etcetera::choose_base_strategy().ok()?.cache_dir();
    cache.is_absolute().then(|| cache.join("chatls").join(env!("CARGO_PKG_VERSION")).join(name))
}

#[cfg(target_family = "wasm")]
fn folder(_: &str) -> Option<PathBuf> {
    None
}

fn write(folder: &Path, files: impl Iterator<Item = (String, &'static str)>) -> io::Result<Vec<Url>> {
    fs::create_dir_all(folder)?;
    let file = |(name, text): (String, &str)| {
        let path = folder.join(name);
        write_page(&path, text)?;
        file_uri(&path).ok_or_else(|| io::ErrorKind::InvalidInput.into())
    };
    files.map(file).collect()
}

/// Writes the file at `path`, unless it has that content already. Readers never see a partial file.
fn write_page(path: &Path, page: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|old| old == page.as_bytes()) {
        return Ok(());
    }
    let unfinished = path.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&unfinished, page)?;
    fs::rename(&unfinished, path).inspect_err(|_| drop(fs::remove_file(&unfinished)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_written_once_and_mended() {
        let folder = std::env::temp_dir().join(format!("chatls-pages-{}", std::process::id()));
        let pages = || Code::ALL.iter().map(|code| (format!("{}.md", code.name()), code.page()));
        let uris = write(&folder, pages()).expect("a temporary folder");
        assert_eq!(uris.len(), Code::ALL.len());
        for (code, uri) in Code::ALL.iter().zip(&uris) {
            assert!(uri.as_str().ends_with(&format!("/{}.md", code.name())), "{uri}");
            let path = uri.to_file_path().expect("a file");
            assert_eq!(fs::read_to_string(path).expect("a page"), code.page());
        }
        let page = folder.join("bad-state.md");
        fs::write(&page, "# half").expect("a temporary file");
        write(&folder, pages()).expect("a temporary folder");
        assert_eq!(fs::read_to_string(&page).expect("a page"), Code::BadState.page());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), Code::ALL.len(), "nothing is left over");
        fs::remove_dir_all(&folder).expect("the temporary folder");

        fs::write(&folder, "").expect("a temporary file");
        assert!(write(&folder, pages()).is_err(), "a file is in the place of the folder");
        fs::remove_file(&folder).expect("the temporary file");
    }
}
