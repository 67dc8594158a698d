//! Sets up the log, which goes to stderr or a file. Stdout is reserved for the protocol and for
//! results.

use std::io;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::writer::BoxMakeWriter;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::cli::common::CommonArgs;
use crate::cli::console;

/// Starts logging, with the options `common` and the level in `CHATLS_LOG`.
pub(super) fn start(common: &CommonArgs) -> io::Result<()> {
    let writer = match &common.log_file {
        None => BoxMakeWriter::new(io::stderr),
        Some(path) => BoxMakeWriter::new(std::sync::Mutex::new(console::open_log(path)?)),
    };
    let filter = std::env::var("CHATLS_LOG").unwrap_or_else(|_| "chatls=warn".to_owned());
    let filter: Targets = filter
        .parse()
        .map_err(|error| io::Error::other(format!("CHATLS_LOG is not a log filter: {error}")))?;
    // Fails if there is a subscriber already, which only happens in tests.
    let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer).with_filter(filter);
    _ = tracing_subscriber::registry().with(lines).try_init();
    Ok(())
}
