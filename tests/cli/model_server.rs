//! A server of models on loopback that plays streams.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::thread::JoinHandle;

use serde_json::Value;

use super::run::{Folder, Run, at_folders};

/// A server of models for one request each; its thread returns their bodies.
pub struct ModelServer {
    pub url: String,
    pub requests: JoinHandle<Vec<Value>>,
}

impl ModelServer {
    pub fn start(answers: Vec<String>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests = std::thread::spawn(move || {
            let answer = |answer: String| {
                let (mut connection, _) = listener.accept().unwrap();
                let body = body(&connection);
                connection.write_all(answer.as_bytes()).unwrap();
                body
            };
            answers.into_iter().map(answer).collect()
        });
        Self { url, requests }
    }
}

/// The JSON body of the request on `connection`.
pub fn body(connection: impl Read) -> Value {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

/// The response with `events`.
pub fn stream(events: &[Value]) -> String {
    let events = events.iter().map(|event| format!("data: {event}\n\n"));
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    std::iter::once(head.to_owned()).chain(events).collect()
}

#[cfg(unix)]
/// The response that plays the stream `name` of `tests/data/streams`.
pub fn recorded(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/streams").join(name);
    stream(&[]) + &fs::read_to_string(path.with_extension("sse")).unwrap()
}

/// Runs the program with the settings of the folder as those of the user, which may not be in the
/// repository.
pub fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let config = tempfile::tempdir().unwrap();
    fs::create_dir(config.path().join("chatls")).unwrap();
    _ = fs::copy(folder.path.join("settings.toml"), config.path().join("chatls/settings.toml"));
    Run::of(command(folder, config.path(), arguments).output().unwrap())
}

/// The program with the configuration in `config`, a key, and consents in a folder beside it.
pub fn command(folder: &Folder, config: &Path, arguments: &[&str]) -> Command {
    let mut command = folder.command(arguments);
    at_folders(&mut command, &config.join("data"), config);
    command.env("TEST_KEY", "very-secret");
    command
}
