//! The pages of the codes as files, for editors that link a diagnostic's code to its description: there is no web site.
//!
//! They are written once, into the user's cache, before the first settings are there. Where that fails, diagnostics have no links;
//! nothing else depends on it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use etcetera::BaseStrategy;
use lsp_types::Url;

use crate::rules::Code;

/// The pages of all codes.
#[derive(Debug, Default)]
pub struct Pages {
    /// Their URIs, in the order of [`Code::ALL`]; none where they could not be written.
    uris: OnceLock<Vec<Url>>,
}

impl Pages {
    /// Writes all pages, once: not for the main loop.
    pub fn prepare(&self) {
        self.uris.get_or_init(|| {
            let written = folder().map(|folder| write(&folder));
            written.unwrap_or_else(|| Err(io::ErrorKind::NotFound.into())).unwrap_or_else(|error| {
                tracing::info!(%error, "the pages of the codes cannot be written: nothing links to them");
                Vec::new()
            })
        });
    }

    /// The URI of the page of `code`, once there is one.
    pub fn uri(&self, code: Code) -> Option<&str> {
        self.uris.get()?.get(code as usize).map(Url::as_str)
    }
}

/// Where they belong: a version has its own, so that two servers do not write in turns.
fn folder() -> Option<PathBuf> {
    let cache = etcetera::choose_base_strategy().ok()?.cache_dir();
    cache.is_absolute().then(|| cache.join("chatls").join(env!("CARGO_PKG_VERSION")).join("rules"))
}

fn write(folder: &Path) -> io::Result<Vec<Url>> {
    fs::create_dir_all(folder)?;
    let page = |code: &Code| {
        let path = folder.join(format!("{}.md", code.name()));
        write_page(&path, code.page())?;
        Url::from_file_path(&path).map_err(|()| io::ErrorKind::InvalidInput.into())
    };
    Code::ALL.iter().map(page).collect()
}

/// Writes the file at `path`, unless it says that already. Nobody sees half of one, whoever else writes it.
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
        let uris = write(&folder).expect("a temporary folder");
        assert_eq!(uris.len(), Code::ALL.len());
        for (code, uri) in Code::ALL.iter().zip(&uris) {
            assert!(uri.as_str().ends_with(&format!("/{}.md", code.name())), "{uri}");
            let path = uri.to_file_path().expect("a file");
            assert_eq!(fs::read_to_string(path).expect("a page"), code.page());
        }
        let page = folder.join("bad-state.md");
        fs::write(&page, "# half").expect("a temporary file");
        write(&folder).expect("a temporary folder");
        assert_eq!(fs::read_to_string(&page).expect("a page"), Code::BadState.page());
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), Code::ALL.len(), "nothing is left over");
        fs::remove_dir_all(&folder).expect("the temporary folder");

        fs::write(&folder, "").expect("a temporary file");
        assert!(write(&folder).is_err(), "a file is in the place of the folder");
        fs::remove_file(&folder).expect("the temporary file");
    }
}
