//! The language server on stdin and stdout: the only room that knows lsp-types, tower-lsp and tokio.
//!
//! Three threads and two pools. The [`transport`] reads frames and relays them in wire order; the [`main_loop`] owns
//! all state and alone changes it; the [`outbox`] is written out. What takes time (settings, reading a whole text,
//! diagnostics) runs in the pool on a snapshot; requests have one of their own. No one waits for the client.

pub mod bounded;
pub mod capabilities;
pub mod code_actions;
pub mod code_lens;
pub mod commands;
pub mod compare;
pub mod complaints;
pub mod completion;
pub mod config_file;
mod convert;
pub mod document_links;
pub mod editor;
pub mod edits;
pub mod events;
pub mod export;
pub mod folding;
pub mod formatting;
pub mod frames;
pub mod goto;
pub mod hover;
pub mod inlay_hints;
pub mod lenient;
pub mod lifeline;
pub mod logs;
pub mod main_loop;
pub mod mend;
pub mod message;
pub mod names;
pub mod new_call;
pub mod next_tool_use;
pub mod notifications;
pub mod outbox;
pub mod pages;
pub mod places;
pub mod publish;
pub mod pull;
pub mod reading;
pub mod refactorings;
pub mod registries;
pub mod rename;
pub mod reports;
pub mod requests;
pub mod scan;
pub mod selection_range;
pub mod semantic_tokens;
pub mod server;
pub mod settings;
pub mod signature_help;
pub mod state;
pub mod symbols;
pub mod tool_uses;
pub mod transcript;
pub mod transport;
pub mod walk;
mod watchers;
pub mod workspace;
pub mod workspace_pull;
pub mod workspace_symbols;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc::UnboundedSender;

use self::main_loop::LoopContext;
use self::outbox::Outbox;
use self::settings::SettingsSource;
use self::transport::Transport;

/// Exit status after `shutdown` and `exit`.
pub const DONE: u8 = 0;
/// Exit status where the session ended in any other way.
pub const BROKEN_OFF: u8 = 1;

/// How long a client may take to read what is left when the process ends.
const PATIENCE: Duration = Duration::from_secs(1);
/// How many snapshots are worked on at once; more wait in line.
const POOL: usize = 64;
/// How many requests are answered at once: however many a client sends, diagnostics do not wait for them.
const REQUESTS: usize = 16;

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where logs go instead of stderr.
    pub log_file: Option<PathBuf>,
    /// Whether the requests under `chatls/test/`, which do harm on purpose, are there.
    pub testing: bool,
}

impl Options {
    /// The options that the environment gives: `CHATLS_TEST`.
    pub fn from_env() -> Self {
        Self { log_file: None, testing: std::env::var_os("CHATLS_TEST").is_some() }
    }
}

/// Serves the client on stdin and stdout until the session ends; returns the exit status. The process must end
/// then: a thread may still wait for stdin.
///
/// # Errors
///
/// Where the log file cannot be opened or no thread can be started.
pub fn serve(options: &Options, source: Arc<dyn SettingsSource>) -> io::Result<u8> {
    let outbox = Arc::new(Outbox::default());
    let logs = logs::init(options, &outbox)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(POOL).build()?;
    // Its blocking threads are all that is used of it.
    let requests_pool =
        tokio::runtime::Builder::new_current_thread().max_blocking_threads(REQUESTS).build()?;
    let (exit, mut exited) = tokio::sync::mpsc::unbounded_channel();
    let (sender, events) = mpsc::channel();

    let context = LoopContext {
        events: sender,
        outbox: Arc::clone(&outbox),
        runtime: runtime.handle().clone(),
        requests: requests_pool.handle().clone(),
        source,
        pages: Arc::default(),
        exit: exit.clone(),
    };
    let (transport, requests) = Transport::new(&context, options.testing);
    runtime.spawn(requests);
    let writer = Arc::clone(&outbox);
    spawn("writer", &exit, move || {
        if let Err(error) = writer.write_to(io::stdout()) {
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
    outbox.close(PATIENCE);
    logs.flush();
    runtime.shutdown_background();
    requests_pool.shutdown_background();
    Ok(status)
}

/// Starts a thread without which there is no session: the process ends with it, with the status that `work` returns.
fn spawn(
    name: &str,
    exit: &UnboundedSender<u8>,
    work: impl FnOnce() -> u8 + Send + 'static,
) -> io::Result<()> {
    let mut end = ExitGuard { exit: exit.clone(), status: BROKEN_OFF };
    let run = move || {
        let status = work();
        end.finish(status);
    };
    thread::Builder::new().name(name.to_owned()).spawn(run).map(drop)
}

/// Ends the process when it is dropped, by a panic too.
struct ExitGuard {
    exit: UnboundedSender<u8>,
    status: u8,
}

impl ExitGuard {
    fn finish(&mut self, status: u8) {
        self.status = status;
    }
}

impl Drop for ExitGuard {
    fn drop(&mut self) {
        // Where nobody listens, the process ends already.
        let _ = self.exit.send(self.status);
    }
}
