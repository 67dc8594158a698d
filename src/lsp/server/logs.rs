//! Logs: to stderr or a file by `CHATLS_LOG`, and warnings and errors to the client.
//!
//! stdout carries the protocol alone. Logs contain no document text above `trace`, so messages of
//! panics go there. A client that does not read stderr loses lines, but blocks nothing.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use lsp_types::notification::{LogMessage, Notification as _};
use lsp_types::{LogMessageParams, MessageType};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::writer::{BoxMakeWriter, MakeWriterExt};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use crate::lsp::server::options::Options;
use crate::lsp::wire::frames::Frame;
use crate::lsp::wire::message::Notification;
use crate::lsp::wire::outbox::Outbox;

/// The maximum number of lines waiting for stderr.
const LINES: usize = 1000;

/// True if messages may be sent to the client: not before `initialize`. LSP 3.17: "during the
/// initialize request the server is allowed to send the notifications window/showMessage,
/// window/logMessage and telemetry/event".
static SENDING: AtomicBool = AtomicBool::new(false);

/// Starts sending warnings and errors to the client.
pub fn start_client_logging() {
    SENDING.store(true, Ordering::Relaxed);
}

/// Starts logging, including panics.
///
/// # Errors
///
/// If the log file cannot be opened, or the thread for stderr cannot be started.
pub fn init(options: &Options, outbox: &Arc<Outbox>) -> io::Result<Logs> {
    let (logs, writer) = match &options.log_file {
        Some(path) => {
            let file = File::options().create(true).append(true).open(path)?;
            (Logs::default(), BoxMakeWriter::new(Mutex::new(file)))
        }
        None => {
            let lines = LogWriter::start()?;
            let logs = Logs { unwritten: Arc::clone(&lines.unwritten) };
            (logs, BoxMakeWriter::new(move || lines.clone()))
        }
    };
    let wanted = std::env::var("CHATLS_LOG").ok().map(|filter| filter.parse::<Targets>()).transpose();
    let filter = match &wanted {
        Ok(Some(filter)) => filter.clone(),
        _ => Targets::new().with_default(LevelFilter::WARN),
    };
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(writer.with_max_level(Level::TRACE))
        .with_ansi(false)
        .log_internal_errors(false)
        // The end of a span has its duration.
        .with_span_events(FmtSpan::CLOSE)
        .with_filter(filter);
    // Other crates do not write to the client.
    let ours = Targets::new().with_target("chatls", LevelFilter::WARN);
    let client = ClientLogLayer { outbox: Arc::clone(outbox) }.with_filter(ours);
    if tracing_subscriber::registry().with(lines).with(client).try_init().is_err() {
        tracing::warn!("logging was set up before");
    }
    if let Err(error) = wanted {
        tracing::warn!("CHATLS_LOG is not a log filter: {error}");
    }
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a bug in chatls; please report it");
        tracing::trace!(%info, "panic");
    }));
    Ok(logs)
}

/// The logs of a session.
#[derive(Debug, Default)]
pub struct Logs {
    unwritten: Arc<AtomicUsize>,
}

impl Logs {
    /// Waits a moment for unwritten lines.
    pub fn flush(&self) {
        for _ in 0..20 {
            if self.unwritten.load(Ordering::Acquire) == 0 {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Queues lines, which a thread of its own writes to stderr.
#[derive(Clone)]
struct LogWriter {
    sender: SyncSender<Vec<u8>>,
    unwritten: Arc<AtomicUsize>,
}

impl LogWriter {
    fn start() -> io::Result<Self> {
        let (sender, receiver) = sync_channel(LINES);
        let lines = Self { sender, unwritten: Arc::default() };
        let unwritten = Arc::clone(&lines.unwritten);
        thread::Builder::new().name("logs".to_owned()).spawn(move || write_lines(&receiver, &unwritten))?;
        Ok(lines)
    }
}

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.unwritten.fetch_add(1, Ordering::AcqRel);
        if self.sender.try_send(line.to_vec()).is_err() {
            self.unwritten.fetch_sub(1, Ordering::AcqRel);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_lines(lines: &Receiver<Vec<u8>>, unwritten: &AtomicUsize) {
    for line in lines {
        // A closed stderr is no error.
        drop(io::stderr().write_all(&line));
        unwritten.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Sends log events as `window/logMessage`.
struct ClientLogLayer {
    outbox: Arc<Outbox>,
}

impl<S: Subscriber> Layer<S> for ClientLogLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if !SENDING.load(Ordering::Relaxed) {
            return;
        }
        let mut text = LogFields::default();
        event.record(&mut text);
        let typ =
            if *event.metadata().level() == Level::ERROR { MessageType::ERROR } else { MessageType::WARNING };
        let params = LogMessageParams { typ, message: text.message + &text.fields };
        // Without this frame the client knows less, and nothing can be logged about it.
        if let Ok(frame) = Frame::of(&Notification::new(LogMessage::METHOD, params)) {
            self.outbox.send_log(frame);
        }
    }
}

#[derive(Default)]
struct LogFields {
    message: String,
    fields: String,
}

impl Visit for LogFields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
