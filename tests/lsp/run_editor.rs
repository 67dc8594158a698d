//! An editor that asks its user, and a workspace with a server that is a shell script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, PATIENCE, server};

/// Reads messages, keeps them in the file `seen`, and reacts.
pub const SERVER: &str = r#"#!/bin/sh
echo $$ >> pids
while IFS= read -r line; do
  printf '%s\n' "$line" >> seen
  rest=${line#*\"id\":}; id=${rest%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[TOOLS]}' ;;
    *'"name":"look"'*) result='{"content":[{"type":"text","text":"seen it"}]}' ;;
    *'"name":"change"'*) result='{"content":[{"type":"text","text":"changed"}],"isError":true}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

pub const TOOLS: &str = r#"{"name":"look","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"change","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}"#;

pub const CONFIG: &str = r#"tools = ["preset:file-tools"]
[servers.s]
command = "sh"
args = ["server.sh"]
listing = "tools.json"
"#;

/// A folder with a server, and a home folder elsewhere.
pub struct Workspace {
    pub folder: tempfile::TempDir,
    pub home: tempfile::TempDir,
}

/// An editor with one document, which applies edits.
pub struct Editor {
    pub client: Client,
    pub uri: String,
    pub text: String,
    pub version: i32,
    /// The labels of the edits that were applied.
    pub labels: Vec<String>,
}

impl Workspace {
    pub fn new() -> Self {
        let made = Self { folder: tempfile::tempdir().unwrap(), home: tempfile::tempdir().unwrap() };
        made.write("chatls.toml", CONFIG);
        made.write("server.sh", &SERVER.replace("TOOLS", TOOLS));
        made.write("tools.json", &format!("{{\"tools\":[{TOOLS}]}}"));
        made
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// The processes of the server that run still.
    pub fn running(&self) -> Vec<String> {
        let pids = self.read("pids");
        let runs = |pid: &&str| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            stat.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
        };
        pids.lines().filter(runs).map(str::to_owned).collect()
    }

    /// An editor that opens `text`.
    pub fn edit(&self, text: &str) -> Editor {
        self.edit_with(text, json!({}), json!({"window": {"showMessage": {}}}))
    }

    pub fn edit_with(&self, text: &str, options: Value, more: Value) -> Editor {
        let mut command = server();
        command.env("HOME", self.home.path());
        for name in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
            command.env_remove(name);
        }
        let mut client = Client::of(command, Stdio::null());
        let mut capabilities = json!({
            "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}},
            "textDocument": {"codeAction": {"codeActionLiteralSupport": {}}},
        });
        for (name, value) in more.as_object().unwrap() {
            capabilities[name] = value.clone();
        }
        let root = uri(&self.path(""));
        let params = json!({
            "processId": std::process::id(), "capabilities": capabilities, "initializationOptions": options,
            "workspaceFolders": [{"uri": root, "name": "w"}],
        });
        let result = client.initialize(params);
        let runs = &result["capabilities"]["experimental"]["chatls"]["run"];
        assert_eq!(*runs, if options["restricted"] == true { Value::Null } else { json!(true) });
        let uri = uri(&self.path("a.chat.md"));
        client.open(&uri, 1, text);
        client.expect_diagnostics(&uri, 1);
        Editor { client, uri, text: text.to_owned(), version: 1, labels: Vec::new() }
    }
}

pub fn uri(path: &Path) -> String {
    format!("file://{}", path.to_str().unwrap())
}

/// A pending call in a fence.
pub fn call(tool: &str) -> String {
    format!("```tool\n{{\"toolName\": \"{tool}\", \"input\": {{}}}}\n```\n")
}

impl Editor {
    /// Sends a command for the position at the start of the line `line`.
    pub fn command(&mut self, command: &str, line: u32, more: Value) -> i64 {
        let mut argument = json!({"uri": self.uri, "position": {"line": line, "character": 0}});
        for (name, value) in more.as_object().unwrap() {
            argument[name] = value.clone();
        }
        self.client.request("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
    }

    /// The lines with lenses, and their titles.
    pub fn lenses(&mut self) -> Vec<(u64, String)> {
        let lenses = self.client.call("textDocument/codeLens", json!({"textDocument": {"uri": self.uri}}));
        let lens = |lens: &Value| {
            (
                lens["range"]["start"]["line"].as_u64().unwrap(),
                lens["command"]["title"].as_str().unwrap().to_owned(),
            )
        };
        lenses.as_array().unwrap().iter().map(lens).collect()
    }

    /// The command of the lens `title` in the line `line`.
    pub fn lens(&mut self, line: u64, title: &str) -> Value {
        let lenses = self.client.call("textDocument/codeLens", json!({"textDocument": {"uri": self.uri}}));
        let is_wanted =
            |lens: &&Value| lens["range"]["start"]["line"] == line && lens["command"]["title"] == title;
        let lens = lenses.as_array().unwrap().iter().find(is_wanted);
        lens.unwrap_or_else(|| panic!("no {title} in {lenses}"))["command"].clone()
    }

    /// Sends the command of a lens or an action.
    pub fn click(&mut self, command: &Value) -> i64 {
        let params = json!({"command": command["command"], "arguments": command["arguments"]});
        self.client.request("workspace/executeCommand", params)
    }

    /// The next question, which is answered with `answer`.
    pub fn answer(&mut self, answer: Option<&str>) -> Value {
        let question = self.client.take("a question", |it| it["method"] == "window/showMessageRequest");
        let titles = question["params"]["actions"].as_array().unwrap();
        if let Some(answer) = answer {
            assert!(titles.iter().any(|it| it["title"] == answer), "{question}");
        }
        let result = answer.map_or(Value::Null, |title| json!({"title": title}));
        self.client.send(json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
        question["params"].clone()
    }

    /// The next edit, as the client got it.
    pub fn offered(&mut self) -> Value {
        self.client.take("an edit", |it| it["method"] == "workspace/applyEdit")
    }

    /// Applies the next edit, if it is of this version.
    pub fn apply(&mut self) {
        let request = self.offered();
        self.apply_offered(&request);
    }

    /// Applies edits until the response to `id`, and returns its result.
    pub fn apply_until(&mut self, id: i64) -> Value {
        loop {
            let is_wanted = |it: &Value| {
                it["method"] == "workspace/applyEdit" || it.get("method").is_none() && it["id"] == id
            };
            let message = self.client.take("an edit or a response", is_wanted);
            match message.get("method") {
                Some(_) => self.apply_offered(&message),
                None => return message["result"].clone(),
            }
        }
    }

    fn apply_offered(&mut self, request: &Value) {
        let changes = request["params"]["edit"]["documentChanges"].as_array().unwrap();
        assert_eq!(changes.len(), 1);
        let is_current = changes[0]["textDocument"]["version"] == self.version;
        if is_current {
            let edits = changes[0]["edits"].as_array().unwrap().clone();
            for edit in edits.iter().rev() {
                let [start, end] = ["start", "end"].map(|end| self.offset(&edit["range"][end]));
                self.text.replace_range(start..end, edit["newText"].as_str().unwrap());
            }
            self.changed();
            self.labels.push(request["params"]["label"].as_str().unwrap().to_owned());
        }
        let result = json!({"applied": is_current});
        self.client.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result}));
    }

    pub fn offset(&self, position: &Value) -> usize {
        let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
        let start: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
        start + usize::try_from(position["character"].as_u64().unwrap()).unwrap()
    }

    /// Sends the text as a new version.
    pub fn changed(&mut self) {
        self.version += 1;
        self.client.change(&self.uri, self.version, json!([{"text": self.text}]));
    }

    pub fn replace(&mut self, from: &str, to: &str) {
        assert!(self.text.contains(from));
        self.text = self.text.replacen(from, to, 1);
        self.changed();
    }

    /// The result of the command with the id `id`.
    pub fn results(&mut self, id: i64) -> Value {
        self.client.expect_result(id)["results"].take()
    }

    /// The next warning.
    pub fn warning(&mut self) -> String {
        self.client.shown()
    }

    pub fn finish(mut self) {
        self.client.ignored = &["chatls/runs", "chatls/serversChanged", "textDocument/publishDiagnostics"];
        self.client.finish();
    }
}

/// Waits until `is_so`.
#[track_caller]
pub fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
