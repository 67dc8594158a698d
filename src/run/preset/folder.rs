//! A folder that tools work in, as a capability: no path leads out of it.
//!
//! Every path is resolved by `cap-std`, relative to the open folder, so that a link that is swapped
//! in meanwhile leads nowhere either. Only regular files of text are read and replaced; others are
//! not opened, because a pipe may never have a writer. Files are replaced as a whole.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, FileType, OpenOptions, Permissions};
use cap_tempfile::TempFile;

use super::file_text::FileText;
use crate::files::is_binary;

/// Maximum size of a file that is read or written, in bytes.
pub const FILE_LIMIT: u64 = 4 << 20;

/// A folder that tools work in.
#[derive(Clone, Debug)]
pub struct ToolFolder {
    dir: Arc<Dir>,
    writes: Arc<WriteGate>,
}

/// Decides whether a call that is ended still writes: all or nothing.
#[derive(Debug, Default)]
pub struct WriteGate {
    state: AtomicU8,
}

/// The states of a [`WriteGate`].
const OPEN: u8 = 0;
const WRITING: u8 = 1;
const CLOSED: u8 = 2;

impl WriteGate {
    /// Ends the call: nothing is written after this. False if a write has begun, which is not cut
    /// off.
    pub fn close(&self) -> bool {
        let closed = self.state.compare_exchange(OPEN, CLOSED, Ordering::SeqCst, Ordering::SeqCst);
        closed.is_ok() || closed == Err(CLOSED)
    }

    fn begin(&self) -> Result<(), String> {
        match self.state.compare_exchange(OPEN, WRITING, Ordering::SeqCst, Ordering::SeqCst) {
            Ok(_) | Err(WRITING) => Ok(()),
            Err(_) => Err("the call has been ended".to_owned()),
        }
    }
}

impl ToolFolder {
    /// Opens the folder at `path`, which may be a link: the user names it.
    ///
    /// # Errors
    ///
    /// The folder cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())?;
        Ok(Self { dir: Arc::new(dir), writes: Arc::default() })
    }

    /// The folder for one call, and the gate that ends its writes.
    pub fn for_call(&self) -> (Self, Arc<WriteGate>) {
        let writes = Arc::<WriteGate>::default();
        (Self { dir: Arc::clone(&self.dir), writes: Arc::clone(&writes) }, writes)
    }

    /// The text of the file at `path`.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub fn read(&self, path: &str) -> Result<FileText, String> {
        let content = self.content(path).map_err(|error| in_words(path, &error))?;
        if is_binary(&content) {
            return Err(format!("`{path}` is not a text file"));
        }
        let text = String::from_utf8(content).map_err(|_| format!("`{path}` is not UTF-8 text"))?;
        Ok(FileText::of_file(text))
    }

    /// Like [`ToolFolder::read`]; `None` if there is no file at `path`.
    ///
    /// # Errors
    ///
    /// The errors of [`ToolFolder::read`], except for a missing file.
    pub fn read_if_present(&self, path: &str) -> Result<Option<FileText>, String> {
        match self.dir.symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(in_words(path, &error)),
            Ok(_) => self.read(path).map(Some),
        }
    }

    /// Replaces the file at `path` by `text`, or creates it, with the folders around it. A link to
    /// a file in the folder is followed.
    ///
    /// # Errors
    ///
    /// The reason, in words; the file is unchanged then.
    pub fn write(&self, path: &str, text: &str) -> Result<(), String> {
        if text.len() as u64 > FILE_LIMIT {
            return Err(format!("`{path}` is not written: {}", too_large()));
        }
        self.writes.begin()?;
        self.replace(path, text.as_bytes()).map_err(|error| in_words(path, &error))
    }

    /// Removes the file at `path`; of a link, the link.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub fn remove(&self, path: &str) -> Result<(), String> {
        let remove = || {
            if self.dir.symlink_metadata(path)?.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            self.dir.remove_file(path)
        };
        self.writes.begin()?;
        remove().map_err(|error| in_words(path, &error))
    }

    fn content(&self, path: &str) -> io::Result<Vec<u8>> {
        // Checked first: opening some devices has side effects.
        check_kind(self.dir.metadata(path)?.file_type())?;
        let mut options = OpenOptions::new();
        options.read(true);
        do_not_wait(&mut options);
        let file = self.dir.open_with(path, &options)?;
        // The file may have been replaced.
        check_kind(file.metadata()?.file_type())?;
        let mut content = Vec::new();
        file.take(FILE_LIMIT + 1).read_to_end(&mut content)?;
        if content.len() as u64 > FILE_LIMIT {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, too_large()));
        }
        Ok(content)
    }

    fn replace(&self, path: &str, content: &[u8]) -> io::Result<()> {
        let (place, permissions) = match self.dir.symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Path::new(path).to_owned(), None),
            Err(error) => return Err(error),
            Ok(_) => {
                let permissions = self.writable(path)?;
                (self.dir.canonicalize(path)?, Some(permissions))
            }
        };
        let name = place.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        if path.ends_with('/') {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let parent = match place.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            Some(parent) => {
                self.dir.create_dir_all(parent)?;
                self.dir.open_dir(parent)?
            }
            None => self.dir.try_clone()?,
        };
        let mut beside = TempFile::new(&parent)?;
        beside.write_all(content)?;
        if let Some(permissions) = permissions {
            beside.as_file().set_permissions(permissions)?;
        }
        beside.as_file().sync_data()?;
        beside.replace(name)
    }

    /// The permissions of the regular file at `path`, which may be written.
    fn writable(&self, path: &str) -> io::Result<Permissions> {
        let known = self.dir.metadata(path)?;
        check_kind(known.file_type())?;
        let mut options = OpenOptions::new();
        options.write(true);
        do_not_wait(&mut options);
        // A read-only file is not replaced, even if its folder is writable.
        self.dir.open_with(path, &options).map(|_| known.permissions())
    }
}

fn check_kind(kind: FileType) -> io::Result<()> {
    match kind {
        _ if kind.is_file() => Ok(()),
        _ if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("it is not a regular file")),
    }
}

fn too_large() -> String {
    format!("it is larger than {} MiB", FILE_LIMIT >> 20)
}

/// The message for `error` of an operation on `path`.
fn in_words(path: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("`{path}` does not exist"),
        io::ErrorKind::IsADirectory => format!("`{path}` is a folder, not a file"),
        io::ErrorKind::NotADirectory => format!("a part of `{path}` is a file, not a folder"),
        // cap-std reports paths that lead out without a code of the system.
        io::ErrorKind::PermissionDenied if error.raw_os_error().is_none() => {
            format!("`{path}` leads out of the folder")
        }
        _ => format!("`{path}`: {error}"),
    }
}

#[cfg(unix)]
fn do_not_wait(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    use rustix::fs::OFlags;
    options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits().cast_signed());
}

#[cfg(not(unix))]
fn do_not_wait(_: &mut OpenOptions) {}
