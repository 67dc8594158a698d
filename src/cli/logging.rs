//! Sets up the log, which goes to stderr or a file. Stdout is reserved for the protocol and for
//! results.

use std::io;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

use crate::cli::common::CommonArgs;
use crate::cli::printable;

/// Starts logging, with the options `common` and the level in `CHATLS_LOG`.
pub(super) fn start(common: &CommonArgs) -> io::Result<()> {
    let writer = match &common.log_file {
        None => BoxMakeWriter::new(io::stderr),
        Some(path) => BoxMakeWriter::new(std::sync::Mutex::new(printable::open_log(path)?)),
    };
    let filter = std::env::var("CHATLS_LOG").unwrap_or_else(|_| "chatls=warn".to_owned());
    let filter = EnvFilter::try_new(&filter)
        .map_err(|error| io::Error::other(format!("CHATLS_LOG is not a log filter: {error}")))?;
    // Fails if there is a subscriber already, which only happens in tests.
    _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).try_init();
    Ok(())
}
