//! The end of what a server or program writes to stderr, without secrets.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::task::JoinHandle;

use crate::never::lock;
use crate::rules::secrets::{REDACTED, redacted};

/// Minimum number of bytes of a value that is hidden: a shorter one would hide parts of words.
const LEAST_HIDDEN: usize = 6;

/// The last bytes of a stream of text, with a limit. Values that the process was given are hidden
/// in its text, and so are texts that look like secrets.
#[derive(Clone, Debug)]
pub(in crate::run) struct Log {
    bytes: Arc<Mutex<VecDeque<u8>>>,
    limit: usize,
    /// The values, longer ones first.
    hidden: Arc<[String]>,
}

impl Log {
    /// An empty log of at most `limit` bytes. Each line of `values` is hidden.
    pub fn new(limit: usize, values: Vec<String>) -> Self {
        let lines = values.iter().flat_map(|value| value.lines()).map(str::trim);
        let mut hidden: Vec<_> = lines.filter(|line| line.len() >= LEAST_HIDDEN).map(str::to_owned).collect();
        hidden.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self { bytes: Arc::default(), limit, hidden: hidden.into() }
    }

    pub fn push(&self, written: &[u8]) {
        let mut bytes = lock(&self.bytes);
        let kept = written.get(written.len().saturating_sub(self.limit)..).unwrap_or_default();
        bytes.extend(kept);
        let excess = bytes.len().saturating_sub(self.limit);
        bytes.drain(..excess);
    }

    /// The kept text.
    pub fn text(&self) -> String {
        let bytes = lock(&self.bytes);
        let is_cut = bytes.len() == self.limit;
        // The end of a character.
        let is_end = |byte: &&u8| is_cut && **byte & 0xC0 == 0x80;
        let lost = bytes.iter().take(3).take_while(is_end).count();
        let kept: Vec<u8> = bytes.iter().skip(lost).copied().collect();
        let text = String::from_utf8_lossy(&kept);
        self.without_secrets(if is_cut { self.without_first_end(&text) } else { &text })
    }

    /// Removes the first line of `text`, whose beginning is lost, because it may contain a part of
    /// a secret. If that is the only line, removes the end of a hidden value.
    fn without_first_end<'t>(&self, text: &'t str) -> &'t str {
        let whole = text.split_once('\n').map(|(_, lines)| lines).filter(|lines| !lines.trim().is_empty());
        whole.unwrap_or_else(|| self.without_end_of_value(text))
    }

    /// Removes the end of a hidden value, whose beginning is lost, from the start of `text`.
    fn without_end_of_value<'t>(&self, text: &'t str) -> &'t str {
        let ends = self.hidden.iter().flat_map(|value| (1..value.len()).filter_map(|at| value.get(at..)));
        let longest = ends.filter(|end| text.starts_with(end)).map(str::len).max();
        text.get(longest.unwrap_or(0)..).unwrap_or(text)
    }

    /// `text` without the hidden values and other secrets.
    pub fn without_secrets(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for value in &*self.hidden {
            if text.contains(value) {
                text = text.replace(value, REDACTED);
            }
        }
        redacted(&text).into_owned()
    }

    /// Reads `stream` into the log until it ends.
    pub fn keep(&self, mut stream: impl AsyncRead + Unpin + Send + 'static) -> JoinHandle<()> {
        let log = self.clone();
        tokio::spawn(async move {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = stream.read(&mut buffer).await {
                log.push(buffer.get(..read).unwrap_or_default());
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_keep_the_end() {
        let log = Log::new(4, Vec::new());
        for written in ["ab", "cd", "e", "", "0123456"] {
            log.push(written.as_bytes());
            assert!(log.text().len() <= 4);
        }
        assert_eq!(log.text(), "3456");
        log.push("é".as_bytes());
        assert_eq!(log.text(), "56é");
        log.push(b"789");
        assert_eq!(log.text(), "789", "half a character");
    }

    #[test]
    fn ends_of_secrets_are_not_kept() {
        let token = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        let log = Log::new(40, Vec::new());
        log.push(format!("{token}\nlast line\n").as_bytes());
        assert_eq!(log.text(), "last line\n");
    }

    #[test]
    fn logs_hide_values() {
        let values = ["s3cret", "s3cret-longer", "short", "line one\nline two"].map(str::to_owned);
        let log = Log::new(64, values.to_vec());
        log.push(b"A=s3cret-longer B=s3cret C=short\nline two\n");
        assert_eq!(log.text(), "A=[redacted] B=[redacted] C=short\n[redacted]\n");
        // The log begins within a value.
        log.push(&[&[b'x'; 24][..], b"\nlast\n"].concat());
        let text = log.text();
        assert!(text.ends_with("x\nlast\n") && !text.contains("cret") && !text.contains("longer"), "{text}");
        let token = concat!("ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
        assert_eq!(log.without_secrets(&format!("t {token}")), "t [redacted]");
    }
}
