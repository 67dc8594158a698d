//! A client that drives a server over its standard input and output.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use chatls::lsp::wire::frames::{Frame, Frames};
use serde_json::{Value, json};

/// A server process and its pipes. The process ends with it.
pub struct Peer {
    /// The process.
    pub child: Child,
    stdin: ChildStdin,
    stdout: Frames<ChildStdout>,
    requests: usize,
}

impl Peer {
    /// Starts `server` and initializes it with the client's `capabilities`.
    pub fn start(mut server: Command, capabilities: &Value) -> Self {
        let mut child = server.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), Frames::new(child.stdout.take().unwrap()));
        let mut peer = Self { child, stdin, stdout, requests: 0 };
        peer.request("initialize", &json!({"processId": null, "capabilities": capabilities}));
        peer.notify("initialized", &json!({}));
        peer
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: &Value) {
        write(&mut self.stdin, &json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and returns the body of its response. Other messages are dropped.
    pub fn request(&mut self, method: &str, params: &Value) -> String {
        let id = self.requests;
        self.requests += 1;
        write(&mut self.stdin, &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let wanted = format!("\"id\":{id}");
        loop {
            let body = read(&mut self.stdout).unwrap();
            if !body.contains("\"method\":") && body.contains(&wanted) {
                return body;
            }
        }
    }

    /// Waits for the diagnostics of a version of a document.
    pub fn wait_for_version(&mut self, version: usize) {
        let wanted = format!("\"version\":{version},");
        while !read(&mut self.stdout).unwrap().contains(&wanted) {}
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes a message as a frame.
pub fn write(output: &mut impl Write, message: &Value) {
    output.write_all(Frame::of(message).unwrap().bytes()).unwrap();
    output.flush().unwrap();
}

/// The body of the next message; `None` at the end of the stream.
pub fn read(input: &mut Frames<impl Read>) -> Option<String> {
    input.next_frame().unwrap().map(|body| String::from_utf8(body.unwrap()).unwrap())
}
