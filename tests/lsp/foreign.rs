//! An untrusted folder, opened in an editor.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::{Value, json};

use super::client::Client;
use crate::cli::run::Folder;

const BAD: &[u8] = b"```tool\n{\"toolName\": \"f\", \"state\": \"dun\"}\n```\n";
const SECRET: &str = "TOKEN-0123456789";

fn uri(folder: &Folder, name: &str) -> String {
    folder.uri(name)
}

fn client(folder: &Folder, capabilities: Value) -> Client {
    let mut client = Client::silent();
    let folders = json!([{"uri": uri(folder, ""), "name": "a folder"}]);
    client.initialize(json!({"processId": null, "capabilities": capabilities, "workspaceFolders": folders}));
    client
}

#[test]
fn irregular_ignore_files_do_not_block_requests() {
    let folder =
        Folder::new("lsp-foreign-rules", &[("chatls.toml", b""), ("a.md", BAD), (".git/info/x", b"")]);
    for name in [".gitignore", ".git/info/exclude"] {
        assert!(Command::new("mkfifo").arg(folder.path.join(name)).status().unwrap().success());
    }
    symlink("/dev/zero", folder.path.join(".ignore")).unwrap();
    let capabilities = json!({"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {}}});
    let mut client = client(&folder, capabilities);
    let report = client.call("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(report["items"][0]["uri"], uri(&folder, "a.md"));
    let symbols = client.call("workspace/symbol", json!({"query": "f"}));
    assert_eq!(symbols[0]["location"]["uri"], uri(&folder, "a.md"));
    client.skip_logs();
    client.finish();
}

#[test]
fn nothing_outside_of_the_workspace_is_shown() {
    let files = [
        ("outside/secret", format!("{{\"{SECRET}\" 1}}")),
        ("outside/accounts.json", format!("[{{\"name\": \"{SECRET}\"}}]")),
        ("work/.git/HEAD", String::new()),
    ];
    let files: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let outer = Folder::new("lsp-foreign-registry", &files);
    let folder = Folder { path: outer.path.join("work") };
    symlink("../outside/accounts.json", folder.path.join("link.json")).unwrap();
    fs::write(folder.path.join("chatls.toml"), "tools = [\"../outside/secret\", \"link.json\"]\n").unwrap();
    let mut client = client(&folder, json!({}));
    let (config, document) = (uri(&folder, "chatls.toml"), uri(&folder, "a.md"));
    client.open(&document, 1, "```tool\n{\"toolName\": \"TOKE\"}\n```\n");
    let set = client.take("the problems of the configuration", |it| it["params"]["uri"] == config.as_str());
    let problems = set["params"]["diagnostics"].as_array().unwrap().clone();
    assert_eq!(problems.len(), 2, "{problems:?}");
    for problem in &problems {
        assert!(problem["message"].as_str().unwrap().contains("is outside of this project"), "{problem}");
    }
    let found = client.expect_diagnostics(&document, 1);
    let at = json!({"textDocument": {"uri": document}, "position": {"line": 1, "character": 16}});
    let asked = ["textDocument/completion", "textDocument/hover", "textDocument/definition"];
    let answers: Vec<_> = asked.iter().map(|method| client.call(method, at.clone())).collect();
    let all = format!("{problems:?}{found}{answers:?}");
    assert!(!all.contains(SECRET), "{all}");
    client.skip_logs();
    client.finish();
}
