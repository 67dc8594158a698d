//! Replaces the text of a file as a whole, or leaves the file unchanged.
//!
//! The text is written to a new file in the same folder, with the same owner, permissions and
//! extended attributes, which then replaces the file. If these cannot be preserved, the file is
//! overwritten in place, and its old text is restored on failure.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::cli::temporaries::{self, TemporaryFile, new_file_permissions};
use crate::files::{is_yaml, open_regular, stamp};
use crate::never::OrNever;

/// The reason why a YAML document is not written.
pub(super) const YAML_IS_READ: &str = "YAML is read, and not written";

/// Writes `text` to the file at `path`, which is created if it does not exist.
pub(in crate::cli) fn write_file(path: &Path, text: &str) -> io::Result<()> {
    match std::fs::canonicalize(path) {
        Ok(place) => replace(&place, None, text).map(|_| ()),
        Err(_) => create(path, text),
    }
}

/// Replaces `before`, the text of the file at `path`, by `after`. Returns whether the file had
/// other hard links, which keep the old text.
///
/// # Errors
///
/// Also if the file's text is not `before` any more: another program has written it.
pub(super) fn replace_file(path: &Path, before: &str, after: &str) -> io::Result<bool> {
    if is_yaml(path) {
        return Err(io::Error::other(YAML_IS_READ));
    }
    replace(&std::fs::canonicalize(path)?, Some(before), after)
}

fn replace(place: &Path, before: Option<&str>, text: &str) -> io::Result<bool> {
    let known = std::fs::metadata(place)?;
    if !known.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    // A read-only file is not replaced, even if its folder is writable.
    let file = OpenOptions::new().write(true).open(place)?;
    let mut beside = TemporaryFile::beside(place, None)?;
    let takes_place = takes_place_of(beside.as_file(), &known, place);
    beside.as_file().write_all(text.as_bytes())?;
    beside.as_file().sync_data()?;
    if let Some(before) = before
        && !is_unchanged(place, before)?
    {
        return Err(changed_meanwhile());
    }
    if takes_place {
        take_place(beside, place, before)?;
        return Ok(links(&known) > 1);
    }
    if let Err((error, is_restored)) = write_in_place(file, place, text) {
        if is_restored {
            return Err(error);
        }
        let new_path = beside.keep()?;
        let message = format!("{error}; the new text is in `{}`", new_path.display());
        return Err(io::Error::new(error.kind(), message));
    }
    Ok(false)
}

fn changed_meanwhile() -> io::Error {
    io::Error::other("another program changed it in the meantime; run the command again")
}

/// Replaces the file at `place`, which had the text `before`, by `new`. A file that another program
/// has put there since then is put back.
fn take_place(new: TemporaryFile, place: &Path, before: Option<&str>) -> io::Result<()> {
    let Some(before) = before else { return new.persist(place) };
    // Until the files are exchanged, neither may be removed by a signal.
    let busy = temporaries::delay_signals();
    if new.exchange(place).is_err() {
        drop(busy);
        return new.persist(place);
    }
    let is_expected = is_unchanged(new.path(), before).unwrap_or(false);
    if is_expected {
        return Ok(());
    }
    new.exchange(place)?;
    Err(changed_meanwhile())
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = TemporaryFile::beside(path, new_file_permissions())?;
    beside.as_file().write_all(text.as_bytes())?;
    beside.as_file().sync_data()?;
    beside.persist(path)
}

/// True if the file at `place` contains `text`, and did not change during the comparison.
fn is_unchanged(place: &Path, text: &str) -> io::Result<bool> {
    let then = stamp(place);
    let mut file = open_regular(place)?;
    let (mut rest, mut part) = (text.as_bytes(), vec![0; 1 << 16]);
    loop {
        let length = file.read(&mut part)?;
        if length == 0 {
            return Ok(rest.is_empty() && stamp(place) == then);
        }
        match rest.strip_prefix(part.get(..length).or_never()) {
            Some(after) => rest = after,
            None => return Ok(false),
        }
    }
}

/// Overwrites the file at `place`, which is open as `file`, with `text`.
///
/// # Errors
///
/// With whether the old text was restored.
fn write_in_place(mut file: File, place: &Path, text: &str) -> Result<(), (io::Error, bool)> {
    // Delays Ctrl+C until writing is done.
    let _busy = temporaries::delay_signals();
    let mut old = Vec::new();
    let read = open_regular(place).and_then(|mut file| file.read_to_end(&mut old));
    read.map_err(|error| (error, true))?;
    write_all_of(&mut file, text.as_bytes()).map_err(|error| {
        let is_restored = write_all_of(&mut file, &old).is_ok();
        (error, is_restored)
    })
}

fn write_all_of(file: &mut File, content: &[u8]) -> io::Result<()> {
    file.rewind()?;
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    file.sync_data()
}

/// Copies the owner, the permissions and the extended attributes of the file at `place`, which has
/// the metadata `known`, to `new`. Returns whether all were copied.
#[cfg(unix)]
fn takes_place_of(new: &File, known: &Metadata, place: &Path) -> bool {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is_same = |made: Metadata| (made.uid(), made.gid()) == (known.uid(), known.gid());
    let has_owner =
        new.metadata().is_ok_and(is_same) || fchown(new, Some(known.uid()), Some(known.gid())).is_ok();
    // Changing the owner clears permission bits, and access control lists add some.
    has_owner && new.set_permissions(known.permissions()).is_ok() && copy_attributes(place, new).is_ok()
}

/// False: on Windows, access control lists and alternate streams cannot be copied, and a file that
/// another program has open cannot be replaced, but it can be overwritten.
#[cfg(not(unix))]
fn takes_place_of(_: &File, _: &Metadata, _: &Path) -> bool {
    false
}

/// Copies the extended attributes of the file at `place`, such as access control lists and security
/// labels, to `new`.
#[cfg(unix)]
fn copy_attributes(place: &Path, new: &File) -> io::Result<()> {
    use xattr::FileExt;
    let old = File::open(place)?;
    let names = match old.list_xattr() {
        Ok(names) => names,
        // The file system has no extended attributes.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => return Ok(()),
        Err(error) => return Err(error),
    };
    for name in names {
        let Some(value) = old.get_xattr(&name)? else { continue };
        // Some attributes are set by the system on every new file, and cannot be changed.
        if new.get_xattr(&name).ok().flatten().as_ref() != Some(&value) {
            new.set_xattr(&name, &value)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn links(known: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(known)
}

#[cfg(not(unix))]
fn links(_: &Metadata) -> u64 {
    1
}
