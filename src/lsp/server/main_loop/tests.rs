//! The loop with a source of settings that responds when the test lets it.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use lsp_types::Url;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Id;

use crate::config::{Protocol, Settings};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::lsp::server::main_loop::run;
use crate::lsp::server::routes::{notification_event, request_event};
use crate::lsp::server::{LoopContext, LoopEvent};
use crate::lsp::wire::pending::PendingRequests;
use crate::lsp::workspace::settings::{ConfigFile, SettingsQuestion, SettingsResponse, SettingsSource};
use crate::never::lock;
use crate::text::Text;

const URI: &str = "untitled:a";
/// Windows has no file without a drive.
const CONFIG: &str =
    if cfg!(windows) { "file:///C:/project/chatls.toml" } else { "file:///project/chatls.toml" };

/// Sends each request to the test and waits for its response.
struct FakeSettingsSource {
    questions: Sender<SettingsQuestion>,
    answers: Mutex<Receiver<SettingsResponse>>,
    /// The result of the next call of `refresh`.
    changed: Arc<AtomicBool>,
    refreshes: Arc<AtomicUsize>,
}

impl SettingsSource for FakeSettingsSource {
    fn refresh(&self) -> bool {
        self.refreshes.fetch_add(1, Ordering::Relaxed);
        self.changed.swap(false, Ordering::Relaxed)
    }

    fn settings(&self, question: &SettingsQuestion) -> SettingsResponse {
        self.questions.send(question.clone()).expect("the test is there");
        let answers = lock(&self.answers);
        answers.recv().expect("no answer: the source panics")
    }
}

struct Session {
    events: Sender<LoopEvent>,
    questions: Receiver<SettingsQuestion>,
    answers: Sender<SettingsResponse>,
    messages: Receiver<Value>,
    pending: PendingRequests,
    changed: Arc<AtomicBool>,
    refreshes: Arc<AtomicUsize>,
    _runtime: tokio::runtime::Runtime,
}

/// Receives whole frames: the outbox writes each at once.
struct FrameSink(Sender<Value>);

impl Write for FrameSink {
    fn write(&mut self, frame: &[u8]) -> io::Result<usize> {
        let frame = std::str::from_utf8(frame).expect("JSON");
        let body = frame.split_once("\r\n\r\n").expect("a header").1;
        drop(self.0.send(serde_json::from_str(body).expect("JSON")));
        Ok(frame.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Session {
    fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let ((events, inbox), (asked, questions), (answers, answered)) = (channel(), channel(), channel());
        let (output, messages) = channel();
        let (changed, refreshes) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let source = FakeSettingsSource {
            questions: asked,
            answers: Mutex::new(answered),
            changed: Arc::clone(&changed),
            refreshes: Arc::clone(&refreshes),
        };
        let context = LoopContext {
            events: events.clone(),
            outbox: Arc::default(),
            runtime: runtime.handle().clone(),
            requests: runtime.handle().clone(),
            dialogs: runtime.handle().clone(),
            tools: runtime.handle().clone(),
            #[cfg(feature = "run")]
            runs: Arc::default(),
            source: Arc::new(source),
            pages: Arc::default(),
            exit: tokio::sync::mpsc::unbounded_channel().0,
        };
        let (outbox, pending) =
            (Arc::clone(&context.outbox), PendingRequests::new(Arc::clone(&context.outbox)));
        thread::spawn(move || outbox.write_to(FrameSink(output)));
        thread::spawn(move || run(context, &inbox));
        Self { events, questions, answers, messages, pending, changed, refreshes, _runtime: runtime }
    }

    fn notify(&self, method: &str, params: Value) {
        let event = notification_event(method, Some(params)).expect("a known notification");
        self.events.send(event.expect("valid params")).expect("the loop runs");
    }

    fn open(&self, text: &str) {
        self.open_as(URI, text);
    }

    fn open_as(&self, uri: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": "markdown", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    fn fold(&self, id: i64) {
        let params = json!({"textDocument": {"uri": URI}});
        let begin = || self.pending.begin(&Id::Number(id));
        let event = request_event("textDocument/foldingRange", Some(params), false, &begin);
        self.events.send(event.expect("valid params")).expect("the loop runs");
    }

    fn answer(&self, settings: &Arc<Settings>, files: Vec<ConfigFile>) -> SettingsQuestion {
        let files = files.into_iter().map(Arc::new).collect();
        self.answers
            .send(SettingsResponse { settings: Arc::clone(settings), files, ..SettingsResponse::default() })
            .expect("the source is there");
        self.questions.recv_timeout(Duration::from_secs(10)).expect("a question")
    }

    fn message(&self) -> Value {
        self.messages.recv_timeout(Duration::from_secs(10)).expect("a message")
    }

    fn expect_silence(&self) {
        assert_eq!(self.messages.recv_timeout(Duration::from_millis(50)), Err(RecvTimeoutError::Timeout));
        assert!(self.questions.try_recv().is_err());
    }

    fn expect_set(&self, uri: &str, version: impl Into<Value>) -> Value {
        let mut message = self.message();
        assert_eq!(message["params"]["uri"], uri);
        assert_eq!(message["params"]["version"], version.into());
        message["params"]["diagnostics"].take()
    }
}

/// Settings that differ from the default in their value.
fn other_settings() -> Arc<Settings> {
    Arc::new(Settings { protocol: Protocol::V6, ..Settings::default() })
}

fn config(message: &str) -> ConfigFile {
    let problem = Diagnostic::new(Code::Config, Severity::Warning, 2..3, message);
    let problems = if message.is_empty() { Vec::new() } else { vec![problem] };
    let fixes = vec![Vec::new(); problems.len()];
    let path = Url::parse(CONFIG).expect("a URI").to_file_path().expect("a file");
    ConfigFile { path, text: Text::new("\n\nx"), problems, fixes }
}

#[test]
fn what_comes_before_the_settings_waits_for_them() {
    let session = Session::start();
    session.open("");
    session.fold(1);
    let change = json!({"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": "a"}]});
    session.notify("textDocument/didChange", change);
    session.fold(2);
    assert!(session.questions.recv_timeout(Duration::from_secs(10)).is_ok());
    session.expect_silence();
    session.answers.send(SettingsResponse::default()).expect("the source is there");
    let mut messages: Vec<_> = (0..3).map(|_| session.message()).collect();
    messages.sort_by_key(|message| message["id"].as_i64());
    assert_eq!(messages[0]["params"]["version"], 2);
    assert_eq!((&messages[1]["id"], &messages[2]["id"]), (&json!(1), &json!(2)));
    session.expect_silence();
}

#[test]
fn a_document_is_read_again_only_under_other_settings() {
    let session = Session::start();
    let settings = Arc::default();
    session.open("");
    session.answer(&settings, Vec::new());
    session.expect_set(URI, 1);
    session.notify("workspace/didChangeConfiguration", json!({"settings": {"chatls": {"protocol": "v6"}}}));
    assert_eq!(session.answer(&Arc::default(), Vec::new()).editor, json!({"protocol": "v6"}));
    session.expect_silence();
    let event = json!({"event": {"added": [{"uri": "file:///project", "name": ""}], "removed": []}});
    session.notify("workspace/didChangeWorkspaceFolders", event);
    let folders = session.answer(&other_settings(), Vec::new()).folders;
    assert_eq!(folders.iter().map(Url::as_str).collect::<Vec<_>>(), ["file:///project"]);
    session.expect_set(URI, 1);
    // The same folder again, then removed under its other name.
    for (event, left) in [("added", vec!["file:///project"]), ("removed", Vec::new())] {
        let mut changes = json!({"added": [], "removed": []});
        changes[event] = json!([{"uri": "file:///project/", "name": ""}]);
        session.notify("workspace/didChangeWorkspaceFolders", json!({"event": changes}));
        let folders = session.answer(&settings, Vec::new()).folders;
        assert_eq!(folders.iter().map(Url::as_str).collect::<Vec<_>>(), left);
        if event == "added" {
            session.expect_set(URI, 1);
        }
    }
    session.expect_silence();
}

#[test]
fn settings_that_changed_while_being_asked_for_are_asked_for_once_more() {
    let session = Session::start();
    session.open("");
    assert!(session.questions.recv_timeout(Duration::from_secs(10)).is_ok());
    for protocol in ["v4", "v5", "v6"] {
        session.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"chatls": {"protocol": protocol}}}),
        );
    }
    session.expect_silence();
    session.answers.send(SettingsResponse::default()).expect("the source is there");
    let settings = Arc::default();
    assert_eq!(session.answer(&settings, Vec::new()).editor, json!({"protocol": "v6"}));
    while session.messages.recv_timeout(Duration::from_millis(100)).is_ok() {}
    session.expect_silence();
}

#[test]
fn files_are_diagnosed_while_a_document_needs_them() {
    let session = Session::start();
    let settings = Arc::default();
    session.open("");
    session.answer(&settings, vec![config("wrong")]);
    let found = session.expect_set(CONFIG, Value::Null);
    assert_eq!(found[0]["range"]["start"], json!({"line": 2, "character": 0}));
    assert_eq!(found[0]["code"], "config");
    session.expect_set(URI, 1);

    // Saved without a change, and with one.
    session.notify("textDocument/didSave", json!({"textDocument": {"uri": CONFIG}}));
    session.answer(&settings, vec![config("wrong")]);
    session.expect_silence();
    let changes = json!({"changes": [{"uri": CONFIG, "type": 2}]});
    session.notify("workspace/didChangeWatchedFiles", changes);
    session.answer(&settings, vec![config("still wrong")]);
    assert_eq!(session.expect_set(CONFIG, Value::Null)[0]["message"], "still wrong");
    let others = json!({"changes": [{"uri": "file:///project/other.json", "type": 2}]});
    session.notify("workspace/didChangeWatchedFiles", others);
    session.expect_silence();

    session.notify("textDocument/didSave", json!({"textDocument": {"uri": CONFIG}}));
    session.answer(&settings, vec![config("")]);
    assert_eq!(session.expect_set(CONFIG, Value::Null), json!([]));
    session.notify("textDocument/didSave", json!({"textDocument": {"uri": CONFIG}}));
    session.answer(&settings, vec![config("wrong")]);
    session.expect_set(CONFIG, Value::Null);
    session.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(session.expect_set(URI, 1), json!([]));
    assert_eq!(session.expect_set(CONFIG, Value::Null), json!([]));
    session.expect_silence();
}

#[test]
fn what_one_document_finds_changed_is_asked_for_all() {
    let session = Session::start();
    let settings = Arc::default();
    session.open("");
    session.answer(&settings, Vec::new());
    session.expect_set(URI, 1);
    session.changed.store(true, Ordering::Relaxed);
    session.open_as("untitled:b", "");
    assert_eq!(session.answer(&settings, Vec::new()).uri.as_str(), "untitled:b");
    session.expect_set("untitled:b", 1);
    assert_eq!(session.answer(&other_settings(), Vec::new()).uri.as_str(), URI);
    session.expect_set(URI, 1);
    session.expect_silence();
}

#[test]
fn files_are_looked_at_once_for_many_documents() {
    const DOCUMENTS: usize = 1000;
    let session = Session::start();
    let settings = Arc::default();
    session.open("");
    assert!(session.questions.recv_timeout(Duration::from_secs(10)).is_ok());
    for document in 1..DOCUMENTS {
        session.open_as(&format!("untitled:{document}"), "");
    }
    // All of them arrived before the first response.
    session.fold(1);
    session.expect_silence();
    session.answer(&settings, vec![config("wrong")]);
    for _ in 2..DOCUMENTS {
        session.answer(&settings, vec![config("wrong")]);
    }
    session
        .answers
        .send(SettingsResponse { settings, ..SettingsResponse::default() })
        .expect("the source is there");
    let mut sets = 0;
    while sets < DOCUMENTS + 1 {
        sets += usize::from(session.message()["method"] == "textDocument/publishDiagnostics");
    }
    assert_eq!(session.refreshes.load(Ordering::Relaxed), 2);
}

#[test]
fn a_source_that_panics_leaves_the_defaults() {
    let (no_answers, _) = channel();
    let mut session = Session::start();
    session.answers = no_answers;
    session.open("");
    let messages = &session.messages;
    let message = messages.recv_timeout(Duration::from_secs(10)).expect("a message");
    assert_eq!(message["params"]["version"], 1);
}
