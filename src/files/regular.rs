//! Opens regular files without blocking on other kinds, and reads them up to a size.
//!
//! Opening a pipe blocks until it has a writer, and a device may never end.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// Opens the regular file at `path` for reading.
///
/// # Errors
///
/// An error for a folder, a pipe, a socket or a device; these are not opened.
pub fn open_regular(path: &Path) -> io::Result<File> {
    // Checked first: opening some devices has side effects.
    check(std::fs::metadata(path)?.file_type())?;
    let mut options = OpenOptions::new();
    options.read(true);
    do_not_wait(&mut options);
    let file = options.open(path)?;
    // The file may have been replaced.
    check(file.metadata()?.file_type())?;
    Ok(file)
}

/// Reads the regular file at `path`.
///
/// # Errors
///
/// The errors of [`open_regular`], and [`io::ErrorKind::FileTooLarge`] beyond `limit` bytes.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path)?;
    let too_large = || {
        let (size, unit) = if limit < 1 << 20 { (limit >> 10, "KiB") } else { (limit >> 20, "MiB") };
        let message = format!("it is larger than {size} {unit}");
        io::Error::new(io::ErrorKind::FileTooLarge, message)
    };
    let size = file.metadata()?.len();
    if size > limit {
        return Err(too_large());
    }
    let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
    // The file may grow.
    file.take(limit + 1).read_to_end(&mut content)?;
    if content.len() as u64 > limit { Err(too_large()) } else { Ok(content) }
}

fn check(kind: FileType) -> io::Result<()> {
    match kind {
        _ if kind.is_file() => Ok(()),
        _ if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other(format!("it is {}, not a regular file", name(kind)))),
    }
}

/// True if this file type is a pipe.
#[cfg(unix)]
pub fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

/// True if this file type is a pipe.
#[cfg(not(unix))]
pub fn is_pipe(_: FileType) -> bool {
    false
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "something else",
    }
}

#[cfg(not(unix))]
fn name(_: FileType) -> &'static str {
    "something else"
}

#[cfg(unix)]
fn do_not_wait(options: &mut OpenOptions) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
}

#[cfg(not(unix))]
fn do_not_wait(_: &mut OpenOptions) {}
