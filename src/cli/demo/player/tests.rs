//! Tests of sessions with a mock server over pipes.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::*;
use crate::cli::demo::SAMPLE;
use crate::cli::demo::client::DemoClient;
use crate::cli::demo::script::sample_scenes;
use crate::text::position::{ClientRange, bytes_to_client_range};
use crate::text::{ClientPosition, Encoding, Text, TextChange};

/// The behavior of the mock server.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mood {
    Good,
    /// Reports no diagnostics.
    Blind,
    /// Ends in the middle of the session.
    Quits,
    /// Sends invalid LSP messages.
    Babbles,
}

/// Runs a server that uses UTF-16 columns and requests settings. Returns the number of requests for
/// folds; `None` unless it received `exit`.
fn serve(mood: Mood, input: PipeReader, mut output: PipeWriter) -> Option<usize> {
    let mut input = BufReader::new(input);
    let mut send = move |message: Value| {
        let body = message.to_string();
        write!(output, "Content-Length: {}\r\n\r\n{body}", body.len()).ok()
    };
    let mut text = Text::default();
    let mut asked = 0;
    let mut backlog = VecDeque::new();
    loop {
        let message = match backlog.pop_front() {
            Some(message) => message,
            None => receive(&mut input)?,
        };
        let version = message.pointer("/params/textDocument/version").and_then(Value::as_i64);
        match message.get("method").and_then(Value::as_str) {
            Some("initialize") => {
                send(json!({"jsonrpc": "2.0", "id": 7, "method": "workspace/configuration",
                    "params": {"items": [{"section": "chatls"}]}}))?;
                let answer = receive(&mut input)?;
                assert_eq!(answer["result"][0]["tools"][0], "preset:file-tools");
                send(json!({"jsonrpc": "2.0", "id": message["id"], "result": {"capabilities": {}}}))?;
            }
            Some("textDocument/didOpen") => {
                text = Text::new(message["params"]["textDocument"]["text"].as_str()?);
                // The client ignores diagnostics of other documents and versions.
                send(publish("untitled:other", 1, json!([])))?;
                send(publish("untitled:a", 0, json!([{"range": 3}])))?;
                send(publish("untitled:a", version?, diagnostics(mood, &text)))?;
            }
            Some("textDocument/didChange") => {
                let change = &message["params"]["contentChanges"][0];
                let at = |key: &str| ClientPosition {
                    line: change["range"][key]["line"].as_u64().unwrap() as u32,
                    column: change["range"][key]["character"].as_u64().unwrap() as u32,
                };
                let range = Some(ClientRange { start: at("start"), end: at("end") });
                let edit = TextChange { range, text: change["text"].as_str()?.to_owned() };
                let splice = edit.to_splice(&text, Encoding::Utf16);
                text.apply(splice, &edit.text);
                match mood {
                    Mood::Quits => return None,
                    Mood::Babbles => send(Value::Null).and(None)?,
                    _ => send(publish("untitled:a", version?, diagnostics(mood, &text)))?,
                }
            }
            Some("textDocument/foldingRange") => {
                asked += 1;
                send(json!({"jsonrpc": "2.0", "id": message["id"], "result": folds(&text)}))?;
            }
            Some("shutdown") => send(json!({"jsonrpc": "2.0", "id": message["id"], "result": null}))?,
            Some("exit") => return Some(asked),
            _ => {}
        }
    }
}

fn receive(input: &mut impl BufRead) -> Option<Value> {
    let mut header = String::new();
    input.read_line(&mut header).ok()?;
    let length: usize = header.trim_end().strip_prefix("Content-Length: ")?.parse().ok()?;
    input.read_line(&mut header).ok()?;
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn publish(uri: &str, version: i64, diagnostics: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics",
        "params": {"uri": uri, "version": version, "diagnostics": diagnostics}})
}

fn diagnostics(mood: Mood, text: &Text) -> Value {
    let text_now = text.to_string();
    let mut found = Vec::new();
    let mut report = |at: Option<usize>, len: usize, code: &str, message: &str| {
        if let Some(at) = at {
            let range = bytes_to_client_range(text, at..at + len, Encoding::Utf16);
            let position = |at: ClientPosition| json!({"line": at.line, "character": at.column});
            found.push(json!({"range": {"start": position(range.start), "end": position(range.end)},
                "severity": 1, "code": code, "source": "chatls", "message": message}));
        }
    };
    if mood != Mood::Blind {
        let state = (text_now.match_indices("\"output-").map(|(at, _)| at)).find(|at| {
            !text_now[*at..].starts_with("\"output-available\"")
                && !text_now[*at..].starts_with("\"output-error\"")
        });
        report(state, 10, "bad-state", "no reader knows this state");
        report(
            text_now.find("\"call_1\"\n").map(|at| at + 8),
            0,
            "invalid-json",
            "expected `,`, found a string",
        );
        report(text_now.find("\"read_files\""), 12, "unknown-tool", "did you mean `read_file`?");
    }
    Value::Array(found)
}

fn folds(text: &Text) -> Value {
    let lines: Vec<String> = text.to_string().lines().map(str::to_owned).collect();
    let line = |needle: &str| lines.iter().position(|line| line.contains(needle)).unwrap_or(0);
    json!([
        {"startLine": 0, "endLine": 3},
        {"startLine": line("```tool"), "endLine": line("`useTitle` is") - 2, "collapsedText": "🔧 3 tool calls · 1 failed"},
        {"startLine": line("```tool") + 10, "endLine": line("```tool") + 12, "collapsedText": "🔧 read_file()"},
        {"startLine": line("title. ✅") + 2, "endLine": lines.len(), "collapsedText": "🔧 2 tool calls · 2 pending"},
    ])
}

/// Plays the sample with a server of this mood. Returns the output and the result.
fn play(mood: Mood) -> (String, Result<(), DemoStop>) {
    let (to_server, from_client) = (std::io::pipe().unwrap(), std::io::pipe().unwrap());
    let server = std::thread::spawn(move || serve(mood, to_server.0, from_client.1));
    let settings = json!({"tools": ["preset:file-tools"]});
    let client = DemoClient::over(from_client.0, to_server.1, settings.clone());
    let printed = SharedBuffer::default();
    let mut player =
        Player { out: Box::new(printed.clone()), animation: None, size: SIZE, drawn: Vec::new() };
    let result = Editor::open(client, "untitled:a", "markdown", SAMPLE, &settings)
        .map_err(DemoStop::from)
        .and_then(|editor| player.play(editor, &sample_scenes(), "a"));
    if result.is_ok() {
        assert_eq!(server.join().unwrap(), Some(2), "two scenes show folds, and then it was asked to exit");
    }
    let printed = printed.0.lock().unwrap().clone();
    (anstream::adapter::strip_str(&String::from_utf8(printed).unwrap()).to_string(), result)
}

#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_sample_plays_to_its_end() {
    let (printed, result) = play(Mood::Good);
    assert!(result.is_ok(), "{result:?}\n{printed}");
    for shown in [
        "▸ 🔧 3 tool calls · 1 failed ··· 29 lines",
        "~~~~~~~~~~ error[bad-state]: no reader knows this state",
        "error[invalid-json]: expected `,`, found a string",
        "\"toolName\": \"read_files\",",
        "~~~~~~~~~~~~ error[unknown-tool]: did you mean `read_file`?",
        "▸ 🔧 2 tool calls · 2 pending",
    ] {
        assert!(printed.contains(shown), "{shown}\n{printed}");
    }
}

#[test]
fn server_failures_are_reported() {
    for (mood, expected) in [
        (Mood::Blind, "expected a problem `bad-state`"),
        (Mood::Quits, "the server"),
        (Mood::Babbles, "the server"),
    ] {
        let failure = play(mood).1.unwrap_err();
        assert!(!failure.is::<std::io::Error>() && failure.to_string().contains(expected), "{failure}");
    }
}

#[test]
fn small_terminals_are_not_drawn_on() {
    assert_eq!(frame_on(None), (false, SIZE));
    let size = |(width, height)| FrameSize { width, height };
    for (terminal, expected) in [
        ((80, 24), (true, (80, 23))),
        ((200, 100), (true, (80, 23))),
        ((60, 20), (true, (60, 19))),
        ((40, 16), (true, (40, 15))),
        ((39, 50), (false, (39, 23))),
        ((80, 15), (false, (80, 23))),
        ((0, 0), (false, (20, 23))),
    ] {
        let (animates, drawn) = expected;
        assert_eq!(frame_on(Some(size(terminal))), (animates, size(drawn)), "{terminal:?}");
    }
}

#[test]
fn the_closing_sentence_fits_the_width() {
    let (printed, _) = play(Mood::Good);
    let closing: Vec<_> = printed.lines().skip_while(|line| !line.starts_with("Everything")).collect();
    assert!(closing.iter().all(|line| line.len() <= SIZE.width), "{closing:?}");
    assert_eq!(closing, CLOSING);
}
