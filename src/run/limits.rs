//! The limits of everything that comes from a server or program.

use std::time::Duration;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// The limits of one server or program. The defaults are for interactive use. The user's settings
/// can set the time limits of a start, a list and a call.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Time for a server to complete the handshake. Package runners may download it first.
    #[serde(deserialize_with = "time")]
    pub start: Duration,
    /// Time for the list of all tools.
    #[serde(deserialize_with = "time")]
    pub list: Duration,
    /// Time for a call without progress.
    #[serde(deserialize_with = "time")]
    pub idle: Duration,
    /// Time for a call with progress.
    #[serde(deserialize_with = "time")]
    pub call: Duration,
    /// Time for an orderly end, before the process is killed.
    #[serde(skip)]
    pub end: Duration,
    /// Bytes of one message of a server, or of the output of a program.
    #[serde(skip)]
    pub message: usize,
    /// Pages of the list of tools.
    #[serde(skip)]
    pub pages: usize,
    /// Tools of a server.
    #[serde(skip)]
    pub tools: usize,
    /// Bytes of the list of tools.
    #[serde(skip)]
    pub listing: usize,
    /// Consecutive lines that are not messages, and messages that were not requested.
    #[serde(skip)]
    pub noise: usize,
    /// Bytes of stderr output that are kept, from its end.
    #[serde(skip)]
    pub log: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            list: Duration::from_secs(30),
            idle: Duration::from_secs(120),
            call: Duration::from_secs(600),
            end: Duration::from_secs(2),
            message: 16 << 20,
            pages: 100,
            tools: 2000,
            listing: 16 << 20,
            noise: 100_000,
            log: 64 << 10,
        }
    }
}

/// Reads a time limit, from one second to one day, as text: `90s`, `10m`, `1h 30m`.
fn time<'d, D: Deserializer<'d>>(written: D) -> Result<Duration, D::Error> {
    let text = String::deserialize(written)?;
    let time = text.parse::<jiff::SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    let time = time.filter(|time| (1..=24 * 60 * 60).contains(&time.as_secs()));
    time.ok_or_else(|| {
        D::Error::custom(format!("`{text}` is not a time from 1s to 24h, such as `90s` or `10m`"))
    })
}
