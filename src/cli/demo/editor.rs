//! The state of an open document in an editor: its text, and the diagnostics and folds of the
//! server.
//!
//! Positions in messages use the encoding that the server chose; all others are bytes.

use std::ops::Range;

use serde_json::{Value, json};

use super::client::{DemoClient, DemoError};
use crate::diagnostic::Severity;
use crate::text::position::{bytes_to_client_range, client_range_to_bytes};
use crate::text::{ClientPosition, ClientRange, Encoding, Splice, Text};

/// An open document.
pub(super) struct Editor {
    client: DemoClient,
    encoding: Encoding,
    uri: String,
    version: i64,
    pub text: Text,
    pub marks: Vec<DiagnosticMark>,
    /// The folds at the time of the last request; empty after an edit.
    pub folds: Vec<EditorFold>,
}

/// A diagnostic as drawn by an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiagnosticMark {
    /// Range in bytes of the text.
    pub range: Range<usize>,
    pub severity: Severity,
    pub code: String,
    pub message: String,
}

/// A folding range with its label; lines start at 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EditorFold {
    pub start_line: usize,
    pub end_line: usize,
    pub label: String,
}

impl Editor {
    /// Starts a session with `client` and opens the document `text` at `uri`.
    pub fn open(
        mut client: DemoClient,
        uri: &str,
        language: &str,
        text: &str,
        settings: &Value,
    ) -> Result<Self, DemoError> {
        let answer = client.request("initialize", initialize(settings))?;
        let encoding = match answer.pointer("/capabilities/positionEncoding").and_then(Value::as_str) {
            Some("utf-8") => Encoding::Utf8,
            Some("utf-32") => Encoding::Utf32,
            _ => Encoding::Utf16,
        };
        client.notify("initialized", json!({}))?;
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({ "textDocument": document }))?;
        let mut editor = Self {
            client,
            encoding,
            uri: uri.to_owned(),
            version: 1,
            text: Text::new(text),
            marks: Vec::new(),
            folds: Vec::new(),
        };
        editor.listen()?;
        Ok(editor)
    }

    /// Replaces `range` (bytes) by `inserted`, and waits for the new diagnostics.
    pub fn edit(&mut self, range: Range<usize>, inserted: &str) -> Result<(), DemoError> {
        self.version += 1;
        self.folds.clear();
        let wire = to_wire(bytes_to_client_range(&self.text, range.clone(), self.encoding));
        self.text
            .apply(Splice { start: range.start, removed: range.len(), inserted: inserted.len() }, inserted);
        let document = json!({"uri": self.uri, "version": self.version});
        let change = json!({"range": wire, "text": inserted});
        self.client.notify(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [change]}),
        )?;
        self.listen()
    }

    /// Requests the folds. Not called for every keystroke, because large documents have many.
    pub fn ask_folds(&mut self) -> Result<(), DemoError> {
        let params = json!({"textDocument": {"uri": self.uri}});
        let folds = self.client.request("textDocument/foldingRange", params)?;
        self.folds = folds.as_array().into_iter().flatten().filter_map(fold).collect();
        Ok(())
    }

    /// Closes the document and ends the session.
    pub fn close(mut self) -> Result<(), DemoError> {
        self.client.notify("textDocument/didClose", json!({"textDocument": {"uri": self.uri}}))?;
        self.client.close()
    }

    /// Waits for the diagnostics of the newest version.
    fn listen(&mut self) -> Result<(), DemoError> {
        let (uri, version) = (self.uri.clone(), self.version);
        let diagnostics = self.client.wait_for(&format!("version {version} of the text"), |message| {
            if message.get("method")?.as_str()? != "textDocument/publishDiagnostics" {
                return None;
            }
            let params = message.get("params")?;
            let is_ours = params.get("uri")?.as_str()? == uri;
            let is_newest = params.get("version").and_then(Value::as_i64) == Some(version);
            (is_ours && is_newest).then(|| params.get("diagnostics").cloned().unwrap_or_default())
        })?;
        let mut marks: Vec<_> =
            diagnostics.as_array().into_iter().flatten().filter_map(|value| self.mark(value)).collect();
        marks.sort_by_key(|mark| mark.range.start);
        self.marks = marks;
        Ok(())
    }

    fn mark(&self, diagnostic: &Value) -> Option<DiagnosticMark> {
        let range = from_wire(diagnostic.get("range")?)?;
        let code = match diagnostic.get("code") {
            Some(Value::String(code)) => code.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        Some(DiagnosticMark {
            range: client_range_to_bytes(&self.text, range, self.encoding),
            severity: match diagnostic.get("severity").and_then(Value::as_i64) {
                Some(2) => Severity::Warning,
                Some(3) => Severity::Information,
                Some(4) => Severity::Hint,
                _ => Severity::Error,
            },
            code,
            message: diagnostic.get("message")?.as_str()?.to_owned(),
        })
    }
}

/// The parameters of `initialize`, with the capabilities of a modern editor.
fn initialize(settings: &Value) -> Value {
    json!({
        "processId": std::process::id(),
        "clientInfo": {"name": "chatls demo", "version": env!("CARGO_PKG_VERSION")},
        "rootUri": null,
        "workspaceFolders": null,
        "initializationOptions": settings,
        "capabilities": {
            "general": {"positionEncodings": ["utf-8", "utf-16"]},
            "workspace": {"configuration": true},
            "textDocument": {
                "synchronization": {},
                "publishDiagnostics": {"versionSupport": true},
                "foldingRange": {"lineFoldingOnly": true, "foldingRange": {"collapsedText": true}},
            },
        },
    })
}

fn fold(value: &Value) -> Option<EditorFold> {
    let line = |key: &str| value.get(key)?.as_u64().and_then(|line| usize::try_from(line).ok());
    let label = value.get("collapsedText").and_then(Value::as_str).unwrap_or_default().to_owned();
    Some(EditorFold { start_line: line("startLine")?, end_line: line("endLine")?, label })
}

fn to_wire(range: ClientRange) -> Value {
    let position = |position: ClientPosition| json!({"line": position.line, "character": position.column});
    json!({"start": position(range.start), "end": position(range.end)})
}

fn from_wire(range: &Value) -> Option<ClientRange> {
    let position = |key: &str| {
        let position = range.get(key)?;
        let number = |key: &str| position.get(key)?.as_u64().and_then(|number| u32::try_from(number).ok());
        Some(ClientPosition { line: number("line")?, column: number("character")? })
    };
    Some(ClientRange { start: position("start")?, end: position("end")? })
}
