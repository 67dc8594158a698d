//! The destination of diagnostics: stdout, stderr, or a file that is replaced atomically at the
//! end.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use crate::cli::console::printable_path;
use crate::cli::progress::{stderr_beside_line, stdout_beside_line};
use crate::cli::temporaries::{TemporaryFile, new_file_permissions};
use crate::config::is_transcript;

/// An output stream for diagnostics.
pub(in crate::cli) enum OutputSink {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file.
    File(NamedFile),
}

impl OutputSink {
    /// Returns a writer for output that programs read.
    pub fn plain(self) -> Box<dyn Write> {
        match self {
            Self::Stdout => Box::new(BufWriter::new(stdout_beside_line(io::stdout()))),
            Self::Stderr => Box::new(BufWriter::new(stderr_beside_line(io::stderr()))),
            Self::File(file) => Box::new(BufWriter::new(file)),
        }
    }

    /// Returns a writer that removes styles where they are not supported, and always for files.
    pub fn styled(self) -> Box<dyn Write> {
        match self {
            Self::Stdout => Box::new(BufWriter::new(stdout_beside_line(anstream::stdout()))),
            Self::Stderr => Box::new(BufWriter::new(stderr_beside_line(anstream::stderr()))),
            Self::File(file) => {
                Box::new(BufWriter::new(anstream::StripStream::new(Box::new(file) as Box<dyn Write>)))
            }
        }
    }
}

/// A file whose errors have the name that the user gave.
pub(in crate::cli) struct NamedFile {
    name: PathBuf,
    file: File,
}

impl NamedFile {
    fn error(&self, error: io::Error) -> io::Error {
        match error.kind() {
            // The reader of a pipe may leave, and the write is tried again after a signal.
            io::ErrorKind::BrokenPipe | io::ErrorKind::Interrupted => error,
            _ => cannot_write(&self.name, &error),
        }
    }
}

impl Write for NamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| self.error(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| self.error(error))
    }
}

/// The error that the file that the user calls `name` cannot be written.
fn cannot_write(name: &Path, reason: &dyn std::fmt::Display) -> io::Error {
    io::Error::other(format!("cannot write `{}`: {reason}", printable_path(name)))
}

/// An output file that is being written.
pub(in crate::cli) struct OutputTarget {
    /// The name that the user gave, and the file that it leads to.
    name: PathBuf,
    path: PathBuf,
    /// The temporary file that replaces the target; `None` for devices and pipes, which are written
    /// directly.
    replacement: Option<TemporaryFile>,
}

impl OutputTarget {
    /// Creates an output file that will replace the file at `path` when it is finished, and the
    /// stream to write to.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, or if it exists and is not a report: a transcript would be
    /// lost.
    pub fn new(path: &Path) -> io::Result<(Self, OutputSink)> {
        let name = path.to_owned();
        let failed = |reason: &dyn std::fmt::Display| cannot_write(&name, reason);
        let known = std::fs::metadata(path).ok();
        if known.as_ref().is_some_and(std::fs::Metadata::is_dir) {
            return Err(failed(&"it is a folder"));
        }
        let (path, replacement, file) = if known.as_ref().is_some_and(|known| !known.is_file()) {
            let file = File::options().write(true).open(path).map_err(|error| failed(&error))?;
            (name.clone(), None, file)
        } else {
            if known.is_some() && is_transcript(path) && !holds_report(path) {
                let reason = "it exists, has the name of a transcript, and is not a report of chatls";
                return Err(failed(&reason));
            }
            // A symbolic link is resolved; its target is replaced.
            let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let mut replacement = temporary(&path, known.as_ref()).map_err(|error| failed(&error))?;
            let file = replacement.as_file().try_clone()?;
            (path, Some(replacement), file)
        };
        let sink = OutputSink::File(NamedFile { name: name.clone(), file });
        Ok((Self { name, path, replacement }, sink))
    }

    /// Replaces the target by the written file.
    pub fn finish(self) -> io::Result<()> {
        let Some(replacement) = self.replacement else { return Ok(()) };
        replacement.persist(&self.path).map_err(|error| cannot_write(&self.name, &error))
    }
}

/// Creates a temporary file next to `path`, with the permissions of the existing file `known`, or
/// the permissions of a new file.
fn temporary(path: &Path, known: Option<&std::fs::Metadata>) -> io::Result<TemporaryFile> {
    let mut file = TemporaryFile::beside(path, new_file_permissions())?;
    if let Some(known) = known {
        file.as_file().set_permissions(known.permissions())?;
    }
    Ok(file)
}

/// True if the file at `path` is empty, or starts with a line of `--format jsonl`.
fn holds_report(path: &Path) -> bool {
    const BEGINNING: &[u8] = b"{\"file\":";
    let mut beginning = Vec::new();
    let read =
        File::open(path).and_then(|file| file.take(BEGINNING.len() as u64).read_to_end(&mut beginning));
    read.is_ok() && (beginning.is_empty() || beginning == BEGINNING)
}
