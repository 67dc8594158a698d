//! `trust` and `tools pull`: nothing starts without consent, and nothing in a workspace grants it.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::run::{Folder, Run};

const SERVER: &str = r#"#!/bin/sh
touch started
while IFS= read -r line; do
  rest=${line#*\"id\":}; id=${rest%%[,\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[{"name":"look","description":"Looks.","inputSchema":{"type":"object","properties":{"at":{"type":"string"}},"required":["at"]}}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

const CHAT: &[u8] = b"```tool\n{\"toolName\": \"look\", \"input\": {\"at\": 3}}\n```\n";

/// A workspace, and a home folder that is not a part of any repository.
struct Workspace {
    folder: Folder,
    home: tempfile::TempDir,
}

impl Workspace {
    fn new(name: &str, config: &str) -> Self {
        let files =
            [("chatls.toml", config.as_bytes()), ("server.sh", SERVER.as_bytes()), ("a.chat.md", CHAT)];
        Self { folder: Folder::new(name, &files), home: tempfile::tempdir().unwrap() }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        self.folder.command_of(self.home.path(), arguments)
    }

    fn run(&self, arguments: &[&str]) -> Run {
        Run::of(self.command(arguments).output().unwrap())
    }

    /// What the configuration would start, by the name of the first one.
    fn asked(&self) -> Value {
        let run = self.run(&["trust", "--format", "jsonl"]);
        serde_json::from_str(run.stdout.lines().next().unwrap()).unwrap()
    }

    fn allow(&self) {
        let asked = self.asked();
        self.run(&["trust", "--allow", asked["hash"].as_str().unwrap()]).check(0, "", "");
    }

    fn has_started(&self) -> bool {
        self.folder.path.join("started").exists()
    }

    fn write(&self, file: &str, text: &str) {
        fs::write(self.folder.path.join(file), text).unwrap();
    }
}

const CONFIG: &str = "[servers.s]\ncommand = \"sh\"\nargs = [\"server.sh\"]\n";

#[test]
fn an_empty_list_is_explained() {
    let warning = "warning: no server or program is configured here, and none was agreed to elsewhere";
    Workspace::new("trust-none", "").run(&["trust"]).check(0, "", warning);
}

#[test]
fn servers_are_asked_after_consent() {
    let workspace = Workspace::new("trust", CONFIG);
    let asked = workspace.asked();
    assert_eq!(
        (&asked["kind"], &asked["name"], &asked["agreed"]),
        (&"server".into(), &"s".into(), &Value::Null)
    );
    let run = workspace.run(&["tools", "pull"]);
    let to_agree = format!("to agree: chatls trust --allow {}", asked["hash"].as_str().unwrap());
    assert!(run.status == 2 && run.stderr.trim_end().ends_with(&to_agree), "{}", run.stderr);
    let unasked = workspace.run(&["check", "a.chat.md"]);
    assert!(unasked.status == 0, "{}", unasked.stdout);
    assert!(!workspace.has_started());

    workspace.allow();
    assert!(!workspace.has_started(), "a consent starts nothing");
    workspace.run(&["tools", "pull"]).check(0, "", "s: 1 tools of s 1, outside of the workspace");
    assert!(workspace.has_started());
    workspace.run(&["tools"]).check(0, "look(at)  Looks.  [mcp:s]\n", "");
    let run = workspace.run(&["check", "a.chat.md"]);
    assert!(run.status == 1 && run.stdout.contains("invalid-input"), "{}", run.stdout);
    let run = workspace.run(&["check", "--no-outside", "a.chat.md"]);
    assert_eq!(run.status, 0, "{}", run.stdout);

    fs::remove_file(workspace.folder.path.join("started")).unwrap();
    workspace.write("server.sh", &format!("{SERVER}# changed\n"));
    assert_eq!(workspace.run(&["tools", "pull"]).status, 2, "the script of the project has changed");
    workspace.write("server.sh", SERVER);
    let hash = asked["hash"].as_str().unwrap();
    workspace.run(&["trust", "--revoke", hash]).check(0, "", "");
    assert_eq!(workspace.run(&["trust", "--revoke", hash]).status, 2);
    assert_eq!(workspace.run(&["tools", "pull"]).status, 2, "the consent was taken back");
    assert!(!workspace.has_started());
}

#[test]
fn tools_that_change_during_a_call_are_kept() {
    let workspace = Workspace::new("trust-changes", CONFIG);
    let more = r#"'{"tools":[{"name":"look","annotations":{"readOnlyHint":true}},{"name":"more"}]}'"#;
    let changing = SERVER.replace(
        "    *) continue ;;",
        r#"    *'"tools/call"'*) result='{"content":[{"type":"text","text":"seen"}]}'; touch more
      printf '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n'; sleep 0.1 ;;
    *) continue ;;"#,
    );
    let changing = changing.replace("  printf '{\"jsonrpc\":\"2.0\",\"id\"", &format!(
        "  case $line in *'\"tools/list\"'*) [ -e more ] && result={more} ;; esac\n  printf '{{\"jsonrpc\":\"2.0\",\"id\"",
    ));
    workspace.write("server.sh", &changing);
    workspace.write("a.chat.md", "<tool>look(at=here)</tool>\n");
    workspace.allow();
    workspace.run(&["tools", "pull"]).check(0, "", "s: 1 tools of s 1, outside of the workspace");
    let done = workspace.run(&["run", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(
        fs::read_to_string(workspace.folder.path.join("a.chat.md")).unwrap(),
        "<tool>look(at=here)\nseen</tool>\n"
    );
    workspace.run(&["tools"]).check(0, "look()  [mcp:s]\nmore()  [mcp:s]\n", "");
}

#[test]
fn listings_can_be_committed() {
    let workspace = Workspace::new("trust-listing", &format!("{CONFIG}listing = \"tools/s.json\"\n"));
    let run = workspace.run(&["tools"]);
    assert!(run.stderr.contains("file not found; `chatls tools pull s` writes it"), "{}", run.stderr);
    workspace.allow();
    assert_eq!(workspace.run(&["tools", "pull", "s"]).status, 0);
    workspace.run(&["--no-outside", "tools"]).check(0, "look(at)  Looks.  [tools/s.json]\n", "");
    let listing = fs::read_to_string(workspace.folder.path.join("tools/s.json")).unwrap();
    let listing: Value = serde_json::from_str(&listing).unwrap();
    assert_eq!((&listing["server"]["version"], &listing["tools"][0]["name"]), (&"1".into(), &"look".into()));
    assert_eq!(workspace.run(&["tools", "pull", "s", "-o", "other.json"]).status, 0);
    assert!(workspace.folder.path.join("other.json").exists());
    let run = workspace.run(&["tools", "pull", "t"]);
    run.check(2, "", "error: there is no server `t`");

    let outside = workspace.home.path().join("stolen.json");
    let listing = format!("{CONFIG}listing = \"{}\"\n", outside.display());
    workspace.write("chatls.toml", &listing);
    let run = workspace.run(&["tools", "pull"]);
    assert!(
        run.status == 2 && run.stderr.contains("must be a `.json` file of its project"),
        "{}",
        run.stderr
    );
    assert!(!outside.exists());
}

#[test]
fn servers_of_other_clients_are_known() {
    let workspace = Workspace::new("trust-clients", "");
    workspace.write(".mcp.json", r#"{"mcpServers": {"s": {"command": "sh", "args": ["server.sh"]}}}"#);
    fs::create_dir_all(workspace.folder.path.join(".vscode")).unwrap();
    let servers = r#"{"servers": {"v": {"url": "https://example.com", "headers": {"K": "${input:key}"}}}}"#;
    workspace.write(".vscode/mcp.json", servers);
    let run = workspace.run(&["trust"]);
    assert!(run.stdout.contains("server s: not agreed"), "{}", run.stdout);
    assert!(
        run.stdout.contains("server v: cannot be started: `${input:key}` is asked for by VS Code"),
        "{}",
        run.stdout
    );
    workspace.allow();
    assert_eq!(workspace.run(&["tools", "pull", "s"]).status, 0);
    let tools = workspace.run(&["tools"]);
    assert_eq!(tools.stdout, "look(at)  Looks.  [mcp:s]\n");
    workspace.write("b.chat.md", "```tool\n{\"toolName\": \"Bash\", \"input\": {}}\n```\n");
    let run = workspace.run(&["check", "b.chat.md"]);
    assert_eq!(run.status, 0, "the tools of others are no complete list: {}", run.stdout);
}

#[test]
fn a_workspace_cannot_grant_or_disguise() {
    let config = "[servers.a]\ncommand = \"sh\"\nargs = [\"-c\", \"true \\u001b[1A\\u202e\"]\n";
    let workspace = Workspace::new("trust-hostile", config);
    let run = workspace.run(&["trust"]);
    assert!(
        !run.stdout.contains(['\u{1b}', '\u{202e}']) && run.stdout.contains("\\u{1b}[1A"),
        "{}",
        run.stdout
    );
    let run = workspace.run(&["tools", "pull"]);
    assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{}", run.stderr);
    let hash = workspace.asked()["hash"].as_str().unwrap().to_owned();
    let refused = |data: &Path| {
        let mut command = workspace.command(&["trust", "--allow", &hash]);
        let run = Run::of(command.env("XDG_DATA_HOME", data).output().unwrap());
        assert!(run.status == 2 && run.stderr.contains("which is a part of this project"), "{}", run.stderr);
    };
    refused(&workspace.folder.path.join("data"));
    let run = workspace.run(&["trust", "--allow", &"0".repeat(64)]);
    assert!(
        run.status == 2 && run.stderr.contains("no server or program here has the hash"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_hash_counts_wherever_the_terminal_stands() {
    let workspace = Workspace::new("trust-anywhere", CONFIG);
    let path = workspace.folder.path.canonicalize().unwrap();
    fs::create_dir(path.join("sub")).unwrap();
    let link = workspace.home.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let at = |folder: &Path, arguments: &[&str]| {
        let mut command = workspace.command(arguments);
        Run::of(command.current_dir(folder).output().unwrap())
    };
    let hash = workspace.asked()["hash"].as_str().unwrap().to_owned();
    let (plain, linked) = (path.to_str().unwrap(), link.to_str().unwrap());
    let slash = format!("{plain}/");
    let places: [(&Path, &[&str]); 6] = [
        (&path.join("sub"), &[]),
        (&link, &[]),
        (Path::new("/"), &["--at", plain]),
        (Path::new("/"), &["--at", &slash]),
        (Path::new("/"), &["--at", linked]),
        (&path, &["--at", "sub/../a.chat.md"]),
    ];
    for (folder, more) in places {
        at(folder, &[&["trust", "--allow", &hash], more].concat()).check(0, "", "");
        workspace.run(&["trust", "--revoke", &hash]).check(0, "", "");
    }
}
