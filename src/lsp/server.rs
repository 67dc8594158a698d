//! The server on stdin and stdout: transport, main loop, and the handling of each event.
//!
//! Three threads and four pools. [`transport`] reads frames and passes them on in wire order;
//! [`main_loop`] owns the state, and alone changes it; [`Outbox`] is written to stdout. Slow work
//! (settings, parsing a whole text, diagnostics) runs in a pool on a snapshot; requests have pools
//! of their own. The main loop never waits; only commands wait for the client, in the pools for
//! dialogs and tools.

pub mod connection;
mod context;
pub mod documents;
pub mod editor_settings;
mod freed_memory;
pub mod included;
pub mod lifeline;
pub mod logs;
pub mod main_loop;
pub mod notifications;
pub mod options;
pub mod publish;
pub mod refresh;
pub mod routes;
pub mod sessions;
pub mod test_hooks;
pub mod transport;
pub mod watchers;
pub mod workspace_diagnostics;
pub mod workspace_scan;
pub mod workspace_symbols;

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::time::Duration;
use std::{io, thread};

use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::UnboundedSender;

#[cfg(feature = "run")]
use crate::lsp::runs;
use crate::lsp::server::options::Options;
use crate::lsp::server::transport::Transport;
use crate::lsp::wire::outbox::Outbox;
use crate::lsp::workspace::settings::SettingsSource;

pub use context::{LoopContext, LoopEvent, answer_in};

/// The exit status after `shutdown` and `exit`.
pub const DONE: u8 = 0;
/// The exit status if the session ended in any other way.
pub const BROKEN_OFF: u8 = 1;

/// The time that a client has to read the remaining messages when the process ends.
const PATIENCE: Duration = Duration::from_secs(1);
/// The minimum size of a pool: work may wait for a slow disk.
const MIN_POOL: usize = 4;
/// The number of commands that may wait for the user at once.
const DIALOGS: usize = 8;
/// The number of commands that may wait for tools at once.
const TOOLS: usize = 32;

/// Serves the client on stdin and stdout until the session ends; returns the exit status. The
/// process must end then, because a thread may still wait for stdin.
///
/// # Errors
///
/// If the log file or the standard output cannot be opened, or a thread cannot be started.
pub fn serve(options: &Options, source: Arc<dyn SettingsSource>) -> io::Result<u8> {
    let outbox = Arc::new(Outbox::default());
    let logs = logs::init(options, &outbox)?;
    let size = thread::available_parallelism().map_or(MIN_POOL, |cores| MIN_POOL.max(2 * cores.get()));
    let runtime = pool(size)?;
    // Requests have a pool of their own, so that diagnostics do not wait for them. Of these
    // runtimes only the blocking threads are used.
    let (requests, dialogs, tools) = (pool(size)?, pool(DIALOGS)?, pool(TOOLS)?);
    let (exit, mut exited) = tokio::sync::mpsc::unbounded_channel();
    let (sender, events) = mpsc::channel();

    let context = LoopContext {
        events: sender,
        outbox: Arc::clone(&outbox),
        runtime: runtime.handle().clone(),
        requests: requests.handle().clone(),
        dialogs: dialogs.handle().clone(),
        tools: tools.handle().clone(),
        #[cfg(feature = "run")]
        runs: Arc::new(runs::Runs::new(Arc::clone(&outbox), options.no_proxy)),
        source,
        pages: Arc::default(),
        exit: exit.clone(),
    };
    #[cfg(feature = "run")]
    let runs = Arc::clone(&context.runs);
    let transport = Transport::new(&context, options.testing);
    let (writer, output) = (Arc::clone(&outbox), unbuffered_stdout()?);
    spawn("writer", &exit, move || {
        if let Err(error) = writer.write_to(output) {
            tracing::error!(%error, "the client cannot be written to");
        }
        BROKEN_OFF
    })?;
    spawn("main-loop", &exit, move || {
        main_loop::run(context, &events);
        BROKEN_OFF
    })?;
    spawn("transport", &exit, move || transport.run(io::stdin().lock()))?;

    let status = runtime.block_on(exited.recv()).unwrap_or(BROKEN_OFF);
    #[cfg(feature = "run")]
    runs.close(PATIENCE);
    outbox.close(PATIENCE);
    logs.flush();
    runtime.shutdown_background();
    requests.shutdown_background();
    dialogs.shutdown_background();
    tools.shutdown_background();
    Ok(status)
}

/// The standard output without its buffer, which would split each message at the last line end.
fn unbuffered_stdout() -> io::Result<File> {
    #[cfg(unix)]
    let handle = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?;
    #[cfg(windows)]
    let handle = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?;
    Ok(File::from(handle))
}

/// A runtime with at most `size` blocking threads.
fn pool(size: usize) -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().max_blocking_threads(size).build()
}

/// Starts an essential thread: the process ends with it, with the status that `work` returns, and
/// also after a panic.
fn spawn(
    name: &str,
    exit: &UnboundedSender<u8>,
    work: impl FnOnce() -> u8 + Send + 'static,
) -> io::Result<()> {
    let exit = exit.clone();
    let run = move || {
        let status = catch_unwind(AssertUnwindSafe(work)).unwrap_or(BROKEN_OFF);
        // Without a receiver, the process is already ending.
        _ = exit.send(status);
    };
    thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}
