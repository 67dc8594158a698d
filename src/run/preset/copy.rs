//! A temporary copy of a folder, so that recorded calls can run again without changing it.

use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// Maximum number of files and folders in a copy.
const MOST: usize = 20_000;
/// Maximum size of all files in a copy, in bytes.
const LARGEST: u64 = 512 << 20;

/// A temporary copy of the folder at `path`, which is removed with the returned value. Links are
/// copied as links. Repositories' own folders (`.git`), pipes and devices are left out.
///
/// # Errors
///
/// The folder cannot be read, or is too large.
pub fn copy_of(path: &Path) -> io::Result<TempDir> {
    let copy = tempfile::Builder::new().prefix("chatls-compare-").tempdir()?;
    let mut left = (MOST, LARGEST);
    let mut folders = vec![(path.to_owned(), copy.path().to_owned())];
    while let Some((from, to)) = folders.pop() {
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            let target = to.join(entry.file_name());
            let size = if kind.is_file() { entry.metadata()?.len() } else { 0 };
            left = match (left.0.checked_sub(1), left.1.checked_sub(size)) {
                (Some(count), Some(size)) => (count, size),
                _ => return Err(too_large()),
            };
            if kind.is_dir() && entry.file_name() != ".git" {
                fs::create_dir(&target)?;
                folders.push((entry.path(), target));
            } else if kind.is_file() {
                fs::copy(entry.path(), &target)?;
            } else if kind.is_symlink() {
                copy_link(&entry.path(), &target)?;
            }
        }
    }
    Ok(copy)
}

fn too_large() -> io::Error {
    let message = format!("a copy of it would have more than {MOST} files or {} MiB", LARGEST >> 20);
    io::Error::other(message)
}

#[cfg(unix)]
fn copy_link(from: &Path, to: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(fs::read_link(from)?, to)
}

/// Links need a privilege on this system.
#[cfg(not(unix))]
fn copy_link(_: &Path, _: &Path) -> io::Result<()> {
    Ok(())
}
