//! Temporary files that replace other files, and temporary folders. All are removed, however the
//! command ends.

use std::fs::{File, Permissions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use tempfile::{Builder, NamedTempFile};

use crate::never::lock;

/// The temporary files and folders that exist now.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is removed when dropped, unless it has replaced another file.
pub(super) struct TemporaryFile {
    file: NamedTempFile,
}

impl TemporaryFile {
    /// Creates a file in the folder of `path`, readable by its owner only or with `permissions`.
    pub fn beside(path: &Path, permissions: Option<Permissions>) -> io::Result<Self> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = Builder::new();
        builder.prefix(".chatls-").suffix(".tmp");
        if let Some(permissions) = permissions {
            builder.permissions(permissions);
        }
        // Creation and registration happen under the lock, so that no signal is handled in between.
        let mut all = lock(&ALL);
        let file = builder.tempfile_in(folder).map_err(|error| not_created(&error))?;
        all.push(file.path().to_owned());
        Ok(Self { file })
    }

    /// The file, for writing.
    pub fn as_file(&mut self) -> &mut File {
        self.file.as_file_mut()
    }

    /// Replaces the file at `path`.
    pub fn persist(self, path: &Path) -> io::Result<()> {
        let mut all = lock(&ALL);
        let own = self.file.path().to_owned();
        let persisted = self.file.persist(path);
        all.retain(|path| *path != own);
        // On failure, dropping the error removes the file.
        persisted.map(|_| ()).map_err(|error| error.error)
    }

    /// Exchanges the file with the file at `path` in one step. Afterwards that other file is at
    /// [`Self::path`].
    ///
    /// # Errors
    ///
    /// Also if the system or the file system cannot do that; see [`Self::persist`].
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub fn exchange(&self, path: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        Ok(renameat_with(CWD, self.path(), CWD, path, RenameFlags::EXCHANGE)?)
    }

    /// Not available here.
    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub fn exchange(&self, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The path of the temporary file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Keeps the file, and returns its path.
    pub fn keep(self) -> io::Result<PathBuf> {
        let mut all = lock(&ALL);
        let (_, persisted) = self.file.keep().map_err(|error| error.error)?;
        all.retain(|path| *path != persisted);
        Ok(persisted)
    }
}

/// A folder that is removed when dropped, with all that is in it.
#[cfg(feature = "run")]
pub(super) struct TemporaryFolder(tempfile::TempDir);

#[cfg(feature = "run")]
impl TemporaryFolder {
    /// Creates an empty folder in the system's folder for temporary files, for this user only.
    pub fn new() -> io::Result<Self> {
        let mut all = lock(&ALL);
        let folder = Builder::new().prefix("chatls-").tempdir()?;
        all.push(folder.path().to_owned());
        Ok(Self(folder))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

#[cfg(feature = "run")]
impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        lock(&ALL).retain(|path| path != self.0.path());
    }
}

/// The permissions of a new file, before the umask is applied.
#[cfg(unix)]
pub(super) fn new_file_permissions() -> Option<Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(Permissions::from_mode(0o666))
}

#[cfg(not(unix))]
pub(super) fn new_file_permissions() -> Option<Permissions> {
    None
}

/// Delays the handling of signals while the guard exists, for operations that must not be
/// interrupted.
pub(super) fn delay_signals() -> MutexGuard<'static, Vec<PathBuf>> {
    lock(&ALL)
}

/// Removes all temporary files and folders, and prevents new ones until the process ends.
pub(super) fn remove_for_good() {
    let all = lock(&ALL);
    for path in &*all {
        // It may have been removed already.
        _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
    }
    std::mem::forget(all);
}

/// The error that no file can be created, without the path of the temporary file, which the user
/// did not name.
fn not_created(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(&*text, |(reason, _)| reason);
    io::Error::other(format!("no new file can be created in its folder: {reason}"))
}
