//! The log: to stderr or a file, never to stdout, which belongs to the protocol and to results.

use std::io;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::writer::BoxMakeWriter;

use super::{CommonArgs, names};

/// Starts logging as `common` and the environment's `CHATLS_LOG` say.
pub(super) fn start(common: &CommonArgs) -> io::Result<()> {
    let writer = match &common.log_file {
        None => BoxMakeWriter::new(io::stderr),
        Some(path) => BoxMakeWriter::new(std::sync::Mutex::new(names::open_log(path)?)),
    };
    let filter = std::env::var("CHATLS_LOG").unwrap_or_else(|_| "chatls=warn".to_owned());
    let filter = EnvFilter::try_new(&filter)
        .map_err(|error| io::Error::other(format!("CHATLS_LOG is not a log filter: {error}")))?;
    // A second subscriber can only be there in tests, and then it may stay.
    _ = tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(writer).try_init();
    Ok(())
}
