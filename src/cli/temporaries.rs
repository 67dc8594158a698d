//! Files that are written beside others to take their places: none is left behind, however the command ends.

use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// Those that are there now.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is removed unless it takes the place of another one.
pub(super) struct TemporaryFile {
    file: NamedTempFile,
}

impl TemporaryFile {
    /// A new file in the folder of `path`, for its owner alone or with `permissions`.
    pub fn beside(path: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".chatls-").suffix(".tmp");
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        // Made and noted in one step: no signal comes between.
        let mut all = lock();
        let file = builder.tempfile_in(folder)?;
        all.push(file.path().to_owned());
        Ok(Self { file })
    }

    /// The file, to be written.
    pub fn as_file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Puts it in the place of the file at `path`.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let mut all = lock();
        let own = self.file.path().to_owned();
        let persisted = self.file.persist(path);
        all.retain(|path| *path != own);
        // Where it fails, the error removes it.
        persisted.map(|_| ()).map_err(|error| error.error)
    }

    /// Leaves it where it is.
    pub fn keep(self) -> io::Result<PathBuf> {
        let mut all = lock();
        let (_, kept) = self.file.keep().map_err(|error| error.error)?;
        all.retain(|path| *path != kept);
        Ok(kept)
    }
}

/// Has signals wait, while it lives, for what must not be left half done.
pub(super) fn delay_signals() -> MutexGuard<'static, Vec<PathBuf>> {
    lock()
}

/// Removes all of them, and has no new ones made before the process ends.
#[cfg(unix)]
pub(super) fn remove_for_good() {
    let all = lock();
    for path in &*all {
        // Its owner may have removed it already.
        _ = std::fs::remove_file(path);
    }
    std::mem::forget(all);
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}
