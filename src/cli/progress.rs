//! A progress line on the last line of the terminal, which disappears at the end.
//!
//! The line is drawn on stderr if that is a terminal, after one second. Other output to the
//! terminal hides the line while it is written: stderr through [`with_line_hidden`], stdout through
//! [`stdout_beside_line`]. If stdout is the terminal and does not use that, no line is drawn.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::console::printable;
use crate::never::lock;

/// Delay before the line is shown.
const PATIENCE: Duration = Duration::from_secs(1);
/// Interval at which the line is drawn.
const PERIOD: Duration = Duration::from_millis(100);

/// The line that is on the terminal.
static LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);
/// True if stdout uses [`stdout_beside_line`].
static IS_BESIDE: AtomicBool = AtomicBool::new(false);

/// The progress of work on many documents. Dropping it removes the line.
pub(super) struct ProgressLine {
    running: Option<RunningProgress>,
}

struct RunningProgress {
    work: Arc<ProgressState>,
    /// Dropping the sender ends the thread that draws.
    end: Option<SyncSender<()>>,
    drawing: Option<JoinHandle<()>>,
}

/// The state of the work.
#[derive(Default)]
struct ProgressState {
    done: AtomicU64,
    /// The document that was started last.
    current: Mutex<String>,
}

impl ProgressLine {
    /// Starts the progress of new work.
    pub fn start() -> Self {
        let is_free = match io::stdout().is_terminal() {
            true => IS_BESIDE.load(Ordering::Relaxed),
            // The reader of a pipe may write to the same terminal, without hiding the line.
            false => !is_pipe(),
        };
        let is_shown = io::stderr().is_terminal() && is_free && can_draw();
        Self { running: is_shown.then(RunningProgress::start) }
    }

    /// Records that work on the document `name` has started.
    pub fn begin(&self, name: &str) {
        if let Some(running) = &self.running {
            name.clone_into(&mut lock(&running.work.current));
        }
    }

    /// Records that work on a document has ended.
    pub fn end(&self) {
        if let Some(running) = &self.running {
            running.work.done.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl RunningProgress {
    fn start() -> Self {
        let work = Arc::<ProgressState>::default();
        let (end, ended) = sync_channel(0);
        let drawn = Arc::clone(&work);
        let drawing = thread::spawn(move || {
            let begun = Instant::now();
            let mut wait = PATIENCE;
            while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
                wait = PERIOD;
                let mut line = lock(&LINE);
                let line = line.get_or_insert_with(line_on_stderr);
                line.set_message(drawn.sentence(begun.elapsed()));
                line.tick();
            }
            if let Some(line) = lock(&LINE).take() {
                line.finish_and_clear();
            }
        });
        Self { work, end: Some(end), drawing: Some(drawing) }
    }
}

impl Drop for RunningProgress {
    fn drop(&mut self) {
        self.end = None;
        // The thread panics if the terminal is gone; then there is no line to remove.
        _ = self.drawing.take().map(JoinHandle::join);
    }
}

impl ProgressState {
    /// The content of the line, such as `1,234 documents, 567/s: chats/a.md`.
    fn sentence(&self, elapsed: Duration) -> String {
        let done = self.done.load(Ordering::Relaxed);
        let current = lock(&self.current);
        let current = printable(&current);
        if done == 0 {
            return current.into_owned();
        }
        let documents = if done == 1 { "document" } else { "documents" };
        let per_second = u128::from(done) * 1000 / elapsed.as_millis().max(1);
        let per_second = HumanCount(u64::try_from(per_second).unwrap_or(u64::MAX));
        format!("{} {documents}, {per_second}/s: {current}", HumanCount(done))
    }
}

fn line_on_stderr() -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {wide_msg}");
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    line.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}

/// True if stdout is a pipe or socket.
#[cfg(unix)]
fn is_pipe() -> bool {
    let kind =
        rustix::fs::fstat(io::stdout()).map(|found| rustix::fs::FileType::from_raw_mode(found.st_mode));
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_socket())
}

#[cfg(not(unix))]
fn is_pipe() -> bool {
    false
}

/// True if the terminal can erase a line. Colors do not matter, because the line has none.
fn can_draw() -> bool {
    std::env::var_os("TERM").is_none_or(|terminal| terminal != "dumb")
}

/// Calls `write`, which writes to the terminal, while the line is hidden.
pub(super) fn with_line_hidden<T>(write: impl FnOnce() -> T) -> T {
    match &*lock(&LINE) {
        Some(line) => line.suspend(write),
        None => write(),
    }
}

/// Removes the line, and prevents drawing until the process ends.
pub(super) fn remove_line() {
    // The lock may be held by a thread that is blocked on the terminal.
    for _ in 0..20 {
        if let Ok(mut line) = LINE.try_lock() {
            if let Some(line) = line.take() {
                line.finish_and_clear();
            }
            std::mem::forget(line);
            return;
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// Returns `stdout` with the line kept below the output.
pub(super) fn stdout_beside_line<W: Write>(stdout: W) -> ProgressAwareWriter<W> {
    IS_BESIDE.store(true, Ordering::Relaxed);
    ProgressAwareWriter { stdout, is_terminal: io::stdout().is_terminal(), begun: Vec::new() }
}

/// Returns `stderr` with the line kept below the output.
pub(super) fn stderr_beside_line<W: Write>(stderr: W) -> ProgressAwareWriter<W> {
    ProgressAwareWriter { stdout: stderr, is_terminal: io::stderr().is_terminal(), begun: Vec::new() }
}

/// A stdout or stderr that may be the terminal with the line; if so, it is written in whole lines.
pub(super) struct ProgressAwareWriter<W: Write> {
    stdout: W,
    is_terminal: bool,
    /// The incomplete last line.
    begun: Vec<u8>,
}

impl<W: Write> Write for ProgressAwareWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.stdout.write(bytes);
        }
        let end = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        let (whole, begun) = bytes.split_at(end);
        if !whole.is_empty() {
            self.begun.extend_from_slice(whole);
            let whole = std::mem::take(&mut self.begun);
            with_line_hidden(|| self.stdout.write_all(&whole).and_then(|()| self.stdout.flush()))?;
        }
        self.begun.extend_from_slice(begun);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        with_line_hidden(|| self.stdout.write_all(&begun).and_then(|()| self.stdout.flush()))
    }
}

impl<W: Write> Drop for ProgressAwareWriter<W> {
    fn drop(&mut self) {
        if !self.begun.is_empty() {
            _ = self.flush();
        }
    }
}
