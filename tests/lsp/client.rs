//! A client for tests: runs the real server over stdio, and fails if a message is left unread.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than any step takes on a busy machine; only failing tests wait that long.
pub const PATIENCE: Duration = Duration::from_secs(90);
/// The document of tests that need only one.
pub const URI: &str = "file:///project/a.chat.md";

pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Received messages that no test has read yet.
    unread: VecDeque<Value>,
    last_id: i64,
    finished: bool,
    /// The notifications that may be left unread, because they come at any time.
    pub ignored: &'static [&'static str],
}

/// The server's command, with the requests that only tests may send.
pub fn server() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chatls"));
    command.arg("serve").env("CHATLS_TEST", "1").env_remove("CHATLS_LOG");
    command
}

/// Lets `server` write pages and presets into `cache`.
pub fn use_cache(server: &mut Command, cache: &Path) {
    server.env("XDG_CACHE_HOME", cache).env("HOME", cache).env("LOCALAPPDATA", cache);
}

/// The path of the file `uri`.
pub fn path_of(uri: &Value) -> PathBuf {
    lsp_types::Url::parse(uri.as_str().unwrap()).unwrap().to_file_path().unwrap()
}

/// Starts the server; the caller handles its pipes.
pub fn spawn(mut server: Command, stderr: Stdio) -> (Child, ChildStdin, ChildStdout) {
    let mut child = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, stdin, stdout)
}

pub fn frame(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// The next message; its framing must be exactly that of the server.
pub fn read_frame(stdout: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    if stdout.read_line(&mut header).unwrap() == 0 {
        return None;
    }
    let length = header.strip_prefix("Content-Length: ").and_then(|it| it.strip_suffix("\r\n"));
    let length: usize = length.unwrap_or_else(|| panic!("no header: {header:?}")).parse().unwrap();
    header.clear();
    stdout.read_line(&mut header).unwrap();
    assert_eq!(header, "\r\n");
    let mut body = vec![0; length];
    stdout.read_exact(&mut body).unwrap();
    Some(serde_json::from_slice(&body).unwrap())
}

impl Client {
    /// A client that has sent nothing yet.
    pub fn silent() -> Self {
        Self::with_stderr(Stdio::null())
    }

    pub fn with_stderr(stderr: Stdio) -> Self {
        Self::of(server(), stderr)
    }

    /// A client of a server as users run it.
    pub fn untested() -> Self {
        let mut server = server();
        server.env_remove("CHATLS_TEST");
        let mut client = Self::of(server, Stdio::null());
        client.initialize(json!({"processId": null, "capabilities": {}}));
        client
    }

    /// A client of `server`.
    pub fn of(server: Command, stderr: Stdio) -> Self {
        let (child, stdin, stdout) = spawn(server, stderr);
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(message) = read_frame(&mut stdout) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let unread = VecDeque::new();
        Self { child, stdin: Some(stdin), messages, unread, last_id: 0, finished: false, ignored: &[] }
    }

    /// A client without special capabilities.
    pub fn start() -> Self {
        Self::with_capabilities(json!({})).0
    }

    /// A client with `capabilities`, and the server's response to them.
    pub fn with_capabilities(capabilities: Value) -> (Self, Value) {
        let mut client = Self::silent();
        let result =
            client.initialize(json!({"processId": std::process::id(), "capabilities": capabilities}));
        (client, result)
    }

    pub fn initialize(&mut self, params: Value) -> Value {
        let result = self.call("initialize", params);
        self.notify("initialized", json!({}));
        result
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    pub fn send(&mut self, message: Value) {
        self.send_bytes(&frame(&message));
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request without waiting.
    pub fn request(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        self.send(json!({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}));
        self.last_id
    }

    /// The result of a request.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        self.expect_result(id)
    }

    pub fn open(&mut self, uri: &str, version: i32, text: &str) {
        let item = json!({"uri": uri, "languageId": "markdown", "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// The folds of `uri`.
    pub fn folds(&mut self, uri: &str) -> Value {
        self.call("textDocument/foldingRange", json!({"textDocument": {"uri": uri}}))
    }

    /// The next message that `wanted` accepts; others stay unread.
    pub fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&wanted) {
            return self.unread.remove(at).unwrap();
        }
        let end = Instant::now() + PATIENCE;
        loop {
            match self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) if wanted(&message) => return message,
                Ok(message) => self.unread.push_back(message),
                Err(error) => panic!("{what}: {error}; unread: {:#?}", self.unread),
            }
        }
    }

    /// The received notifications `method`.
    pub fn take_all(&mut self, method: &str) -> Vec<Value> {
        self.unread.extend(self.messages.try_iter());
        let (taken, others): (VecDeque<_>, _) = self.unread.drain(..).partition(|it| it["method"] == method);
        self.unread = others;
        taken.into()
    }

    pub fn expect_answer(&mut self, id: Value) -> Value {
        self.take(&format!("the answer to {id}"), |it| it.get("method").is_none() && it["id"] == id)
    }

    pub fn expect_result(&mut self, id: i64) -> Value {
        let mut answer = self.expect_answer(json!(id));
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"].take()
    }

    /// The code of the error response to `id`.
    pub fn expect_error(&mut self, id: impl Into<Value>) -> i64 {
        let answer = self.expect_answer(id.into());
        answer["error"]["code"].as_i64().unwrap_or_else(|| panic!("no error: {answer}"))
    }

    /// The diagnostics of `version`; those of older versions may come before.
    pub fn expect_diagnostics(&mut self, uri: &str, version: i32) -> Value {
        let of_uri =
            |it: &Value| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri;
        loop {
            let mut set = self.take(&format!("diagnostics of {uri} version {version}"), of_uri);
            let found = set["params"]["version"].as_i64().unwrap_or_else(|| panic!("no version: {set}"));
            assert!(found <= i64::from(version), "version {found} before {version}");
            if found == i64::from(version) {
                return set["params"]["diagnostics"].take();
            }
        }
    }

    /// Fails if an unexpected message arrives within a while.
    pub fn expect_silence(&mut self) {
        let unasked = self.messages.recv_timeout(Duration::from_millis(300));
        assert_eq!(unasked, Err(RecvTimeoutError::Timeout));
        assert!(self.unread.is_empty(), "unread: {:#?}", self.unread);
    }

    /// A log message that contains `words`.
    pub fn expect_log(&mut self, words: &str) {
        self.take(&format!("a log message with {words:?}"), |it| {
            it["method"] == "window/logMessage" && it["params"]["message"].as_str().unwrap().contains(words)
        });
    }

    /// The next warning shown to the user.
    pub fn shown(&mut self) -> String {
        self.shown_of(2)
    }

    /// The next message of the type `kind` shown to the user.
    pub fn shown_of(&mut self, kind: u32) -> String {
        let message = self.take("a message for the user", |it| it["method"] == "window/showMessage");
        assert_eq!(message["params"]["type"], kind, "{message}");
        message["params"]["message"].as_str().unwrap().to_owned()
    }

    /// Skips the received log messages.
    pub fn skip_logs(&mut self) {
        self.unread.retain(|it| it["method"] != "window/logMessage");
    }

    /// The CPU time of the server's threads.
    #[cfg(target_os = "linux")]
    pub fn processor_time(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let run = |task: std::fs::DirEntry| {
            let times = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            times.split(' ').next()?.parse::<u64>().ok()
        };
        Duration::from_nanos(tasks.flatten().filter_map(run).sum())
    }

    /// The peak memory of the server so far, in bytes.
    #[cfg(target_os = "linux")]
    pub fn peak_memory(&self) -> usize {
        self.memory_of("VmHWM:")
    }

    /// The memory of the server, in bytes.
    #[cfg(target_os = "linux")]
    pub fn memory(&self) -> usize {
        self.memory_of("VmRSS:")
    }

    #[cfg(target_os = "linux")]
    fn memory_of(&self, key: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let value = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
        1024 * value.trim().trim_end_matches(" kB").parse::<usize>().unwrap()
    }

    /// The id of the server's process.
    #[cfg(target_os = "linux")]
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Waits for the process to end by itself; nothing may be left unread.
    pub fn expect_exit(&mut self, status: i32) {
        self.expect_exit_within(PATIENCE, status);
    }

    pub fn expect_exit_within(&mut self, patience: Duration, status: i32) {
        self.finished = true;
        let end = Instant::now() + patience;
        let ended = loop {
            match self.child.try_wait().unwrap() {
                Some(ended) => break ended,
                None if Instant::now() > end => panic!("the server does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        assert_eq!(ended.code(), Some(status));
        loop {
            match self.messages.recv_timeout(PATIENCE) {
                Ok(message) => self.unread.push_back(message),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("stdout stays open"),
            }
        }
        let is_ignored =
            |it: &Value| it["method"].as_str().is_some_and(|method| self.ignored.contains(&method));
        self.unread.retain(|it| !is_ignored(it));
        assert!(self.unread.is_empty(), "unread: {:#?}", self.unread);
    }

    /// Waits for the response to `id`, whatever it is and however long it takes.
    #[cfg(target_os = "linux")]
    pub fn wait_for(&mut self, id: i64) {
        while let Ok(message) = self.messages.recv_timeout(10 * PATIENCE) {
            if message.get("method").is_none() && message["id"] == id {
                return;
            }
        }
        panic!("no answer to {id}");
    }

    /// Kills the process in any state.
    #[cfg(target_os = "linux")]
    pub fn abandon(mut self) {
        self.finished = true;
    }

    /// Ends the session as specified by LSP. stdin stays open.
    pub fn finish(mut self) {
        self.call("shutdown", Value::Null);
        self.send(json!({"jsonrpc": "2.0", "method": "exit"}));
        self.expect_exit(0);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if !thread::panicking() {
            assert!(self.finished, "a test ends its session");
        }
    }
}

/// An LSP range.
pub fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    let position = |(line, character)| json!({"line": line, "character": character});
    json!({"start": position(start), "end": position(end)})
}

/// The codes and ranges of a set; the core's tests check the rest.
pub fn codes(diagnostics: &Value) -> Vec<(String, Value)> {
    let code = |it: &Value| (it["code"].as_str().unwrap().to_owned(), it["range"].clone());
    diagnostics.as_array().unwrap().iter().map(code).collect()
}
