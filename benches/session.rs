//! A server with one document, and the processor time of its work.
//!
//! The times are the process's own, from `/proc`, so they hold on a busy machine; only Linux has
//! them.

use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};

use super::made;
use super::peer::Peer;

/// The processor time of a run of keystrokes, in ticks: enough for two digits.
const LEAST_TICKS: u64 = 100;
/// Linux's `USER_HZ`, in which `/proc` has times.
const TICKS_PER_SECOND: f64 = 100.0;

/// A text, and the place in it at which a character is typed.
pub struct Opened {
    /// The language id of the client.
    pub language: &'static str,
    /// The end of the file's name.
    pub end: &'static str,
    pub text: String,
    /// The line of the place, and the byte in it. The line is ASCII up to there.
    pub at: (usize, usize),
}

/// A server with one document.
pub struct Session {
    peer: Peer,
    uri: String,
    version: usize,
    at: (usize, usize),
    /// Bytes of memory before the document was opened; `None` where `/proc` is missing.
    before: Option<usize>,
}

impl Opened {
    /// `text` with the letter `x` typed behind the first `mark` after its middle.
    pub fn new(language: &'static str, end: &'static str, text: String, mark: &str) -> Self {
        let middle = text.floor_char_boundary(text.len() / 2);
        let at = middle + text[middle..].find(mark).unwrap() + mark.len();
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let line = text[..start].lines().count();
        Self { language, end, text, at: (line, at - start) }
    }
}

impl Session {
    /// Starts `binary` for a client with `capabilities`, and opens a document.
    pub fn start(binary: &str, opened: &Opened, capabilities: &Value) -> Self {
        let mut server = Command::new(binary);
        server.arg("serve");
        let peer = Peer::start(server, capabilities);
        let uri = format!("file:///project/a.{}", opened.end);
        let mut session = Self { peer, uri, version: 0, at: opened.at, before: None };
        session.before = session.resident();
        let item =
            json!({"uri": session.uri, "languageId": opened.language, "version": 0, "text": opened.text});
        session.peer.notify("textDocument/didOpen", &json!({"textDocument": item}));
        session.peer.wait_for_version(0);
        session
    }

    /// Types a character, or removes it; then asks.
    pub fn type_key(&mut self, requests: &[&str]) {
        self.version += 1;
        let ((line, character), version) = (self.at, self.version);
        let position = |character: usize| json!({"line": line, "character": character});
        let (end, text) = if version % 2 == 1 { (0, "x") } else { (1, "") };
        let range = json!({"start": position(character), "end": position(character + end)});
        let document = json!({"uri": self.uri, "version": version});
        let changes = json!([{"range": range, "text": text}]);
        self.peer
            .notify("textDocument/didChange", &json!({"textDocument": document, "contentChanges": changes}));
        self.peer.wait_for_version(version);
        for request in requests {
            let at = position(character);
            let visible = json!({"start": {"line": line.saturating_sub(30), "character": 0}, "end": {"line": line + 30, "character": 0}});
            let range = match *request {
                "codeAction" => json!({"start": at, "end": at}),
                _ => visible,
            };
            let params = json!({"textDocument": {"uri": self.uri}, "range": range, "position": at, "context": {"diagnostics": []}});
            let answer = self.peer.request(&format!("textDocument/{request}"), &params);
            assert!(!answer.contains("\"error\":{\"code\""), "{request}: {answer}");
        }
    }

    /// Milliseconds of a keystroke with `requests`.
    pub fn measure(&mut self, requests: &[&str]) -> f64 {
        // The first one fills caches.
        self.type_key(requests);
        let (begin, mut keys) = (self.ticks(), 0.0);
        loop {
            self.type_key(requests);
            keys += 1.0;
            let ticks = self.ticks() - begin;
            if ticks >= LEAST_TICKS {
                #[expect(clippy::cast_precision_loss, reason = "a small number")]
                return ticks as f64 * 1000.0 / TICKS_PER_SECOND / keys;
            }
        }
    }

    /// Bytes of memory above what the server took without a document.
    pub fn growth(&self) -> usize {
        self.resident().unwrap().saturating_sub(self.before.unwrap())
    }

    /// Closes the document, and leaves the server time to free it.
    pub fn close(&mut self) {
        self.peer.notify("textDocument/didClose", &json!({"textDocument": {"uri": self.uri}}));
        self.peer.request("workspace/symbol", &json!({"query": "-"}));
        sleep(Duration::from_millis(500));
    }

    /// The processor time of the server so far, user and system.
    fn ticks(&self) -> u64 {
        let stat = self.of_process("stat").unwrap();
        // proc(5): the name in parentheses is the second field, utime and stime are 14 and 15.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
    }

    /// Bytes of resident memory.
    fn resident(&self) -> Option<usize> {
        let status = self.of_process("status")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().trim_end_matches(" kB").parse::<usize>().ok()? * 1024)
    }

    fn of_process(&self, file: &str) -> Option<String> {
        std::fs::read_to_string(format!("/proc/{}/{file}", self.peer.child.id())).ok()
    }
}

/// A pretty JSON document of messages, of about `size` bytes.
pub fn pretty(size: usize) -> String {
    let lines = made::document("messages", size * 7 / 10);
    let messages: Vec<Value> = lines.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    serde_json::to_string_pretty(&messages).unwrap() + "\n"
}
