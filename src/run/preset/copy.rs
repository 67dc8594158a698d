//! A copy of a folder, so that recorded calls can run again without changing it.

use std::path::Path;
use std::{fs, io};

use crate::files::walker;

/// Maximum number of files and folders in a copy.
const MOST: usize = 20_000;
/// Maximum size of all files in a copy, in bytes.
const LARGEST: u64 = 512 << 20;

/// Copies the contents of the folder at `path` into the empty folder `copy`. Links are copied as
/// links. Ignored files, repositories' own folders (`.git`), pipes and devices are left out.
///
/// # Errors
///
/// The folder cannot be read, or is too large.
pub fn copy_folder(path: &Path, copy: &Path) -> io::Result<()> {
    let (mut walk, _) = walker(path, |entry| entry.file_name() != ".git", |_| true);
    let mut left = (MOST, LARGEST);
    // A link to a folder that the user names is that folder.
    for entry in walk.follow_links(false).build() {
        let entry = entry.map_err(io::Error::other)?;
        let Some(target) = entry.path().strip_prefix(path).ok().filter(|it| !it.as_os_str().is_empty())
        else {
            continue;
        };
        let (target, Some(kind)) = (copy.join(target), entry.file_type()) else { continue };
        let size = if kind.is_file() { entry.metadata().map_err(io::Error::other)?.len() } else { 0 };
        left = match (left.0.checked_sub(1), left.1.checked_sub(size)) {
            (Some(count), Some(size)) => (count, size),
            _ => return Err(too_large()),
        };
        if kind.is_dir() {
            fs::create_dir(&target)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &target)?;
        } else if kind.is_symlink() {
            copy_link(entry.path(), &target)?;
        }
    }
    Ok(())
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
