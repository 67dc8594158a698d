//! A file whose text is read in parts.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use crate::never::lock;
use crate::text::{Text, TextSource};

/// Minimum length of a file that is read in parts.
const LONG: u64 = 1 << 20;
/// Number of bytes in which a line is searched in such a file; the number of line ends is stored
/// once per so many bytes.
const PIECE: usize = 8 << 10;
/// Number of bytes that are read at once if a read continues the previous one; also the limit for
/// keeping what was read.
const WINDOW: usize = 256 << 10;
const FIRST_WINDOW: usize = 16 << 10;
/// Number of bytes before a part that are read with it: the next read may begin there.
const BEFORE: usize = 4 << 10;

/// A regular file, up to the length that it had when it was opened: an agent may append to it.
#[derive(Debug)]
struct FileSource {
    /// The length in bytes.
    len: u64,
    modified: Option<SystemTime>,
    state: Mutex<FileState>,
}

#[derive(Debug)]
struct FileState {
    file: File,
    /// The bytes that were read last, and their offset.
    window: Vec<u8>,
    start: usize,
    /// True if something could not be read.
    has_failed: bool,
}

/// True if `file` is a regular file that is long enough to be read in parts.
///
/// # Errors
///
/// If its metadata cannot be read.
pub fn is_long(file: &File) -> io::Result<bool> {
    let found = file.metadata()?;
    Ok(found.is_file() && found.len() >= LONG)
}

/// Opens `file` as a text that is read in parts. If it is changed before its lines are counted, it
/// is read as a whole.
///
/// # Errors
///
/// If it cannot be read, or is not UTF-8.
pub fn text_in_parts(file: File) -> io::Result<Text> {
    text_of(FileSource::new(file)?)
}

fn text_of(source: FileSource) -> io::Result<Text> {
    let len = usize::try_from(source.len).unwrap_or(usize::MAX);
    let source = Arc::new(source);
    let text = Text::of_source(Arc::<FileSource>::clone(&source), len, PIECE);
    if text.is_ok() || source.is_intact() {
        return text;
    }
    let mut file = &lock(&source.state).file;
    file.rewind()?;
    Text::read(file)
}

impl FileSource {
    /// The content of `file`.
    ///
    /// # Errors
    ///
    /// If its length cannot be read.
    fn new(file: File) -> io::Result<Self> {
        let found = file.metadata()?;
        let state = FileState { file, window: Vec::new(), start: 0, has_failed: false };
        Ok(Self { len: found.len(), modified: found.modified().ok(), state: Mutex::new(state) })
    }
}

impl TextSource for FileSource {
    fn read_at(&self, offset: usize, to: &mut [u8]) -> io::Result<()> {
        let mut state = lock(&self.state);
        let read = state.read(offset, to, usize::try_from(self.len).unwrap_or(usize::MAX));
        state.has_failed |= read.is_err();
        read
    }

    /// A file that only became longer was appended to.
    fn is_intact(&self) -> bool {
        let state = lock(&self.state);
        let is_same = |now: std::fs::Metadata| {
            now.len() > self.len || now.len() == self.len && now.modified().ok() == self.modified
        };
        !state.has_failed && state.file.metadata().is_ok_and(is_same)
    }
}

impl FileState {
    fn read(&mut self, offset: usize, to: &mut [u8], len: usize) -> io::Result<()> {
        let range = offset..offset + to.len();
        let end = self.start + self.window.len();
        let size = if (self.start..=end).contains(&offset) { WINDOW } else { FIRST_WINDOW };
        if to.len() > size - BEFORE {
            self.file.seek(SeekFrom::Start(offset as u64))?;
            return self.file.read_exact(to);
        }
        if range.start < self.start || range.end > end {
            let start = offset.saturating_sub(BEFORE);
            self.fill(start..len.min(start + size))?;
        }
        let known = range.start.wrapping_sub(self.start)..range.end.wrapping_sub(self.start);
        let known = self.window.get(known).ok_or(io::ErrorKind::UnexpectedEof)?;
        to.copy_from_slice(known);
        Ok(())
    }

    fn fill(&mut self, range: Range<usize>) -> io::Result<()> {
        self.start = range.start;
        self.window.resize(range.len(), 0);
        let read = self.file.seek(SeekFrom::Start(range.start as u64));
        let read = read.and_then(|_| self.file.read_exact(&mut self.window));
        if read.is_err() {
            self.window.clear();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::OpenOptions;
    use std::io::Write;

    #[test]
    fn a_file_may_only_grow() {
        let path = std::env::temp_dir().join(format!("chatls-source-{}.jsonl", std::process::id()));
        let line = "{\"type\":\"finish\",\"note\":\"é漢👋\"}\r\n";
        // Several windows.
        let content = line.repeat(3 * WINDOW / line.len());
        let long = "é".repeat(WINDOW);
        let content = [&content, &*long, "\n", &content].concat();
        std::fs::write(&path, &content).unwrap();
        let open = || {
            let source = FileSource::new(File::open(&path).unwrap()).unwrap();
            let len = usize::try_from(source.len).unwrap();
            Text::of_source(Arc::new(source), len, 1 << 12).unwrap()
        };
        let text = open();
        assert_eq!(text, Text::new(&content));
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{}\n").unwrap();
        assert_eq!(text.to_string(), content);
        assert!(text.is_intact());
        let text = open();
        let uncounted = FileSource::new(File::open(&path).unwrap()).unwrap();
        std::fs::write(&path, "a\n").unwrap();
        assert_eq!(text_of(uncounted).unwrap().to_string(), "a\n");
        assert!(!text.is_intact());
        assert_eq!(text.slice(10..WINDOW), " ".repeat(WINDOW - 10));
        _ = std::fs::remove_file(&path);
    }
}
