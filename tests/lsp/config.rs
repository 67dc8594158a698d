//! Configuration and registries on a real disk, while they appear, change, break and are fixed.

use serde_json::{Value, json};

use super::client::{Client, codes};
use crate::cli::run::Folder;

const FENCE: &str = "```tool\n{\"toolName\": \"f\", \"state\": \"done\"}\n```\n";

fn uri(folder: &Folder, name: &str) -> String {
    folder.uri(name)
}

fn write(folder: &Folder, name: &str, text: &str) {
    std::fs::write(folder.path.join(name), text).unwrap();
}

/// A client with these folders that cannot watch files.
fn client(folders: &[&Folder]) -> Client {
    let mut client = Client::silent();
    let folders: Vec<_> =
        folders.iter().map(|folder| json!({"uri": uri(folder, ""), "name": "a folder"})).collect();
    client.initialize(json!({"processId": null, "capabilities": {}, "workspaceFolders": folders}));
    client
}

/// The next set of `uri`: the codes and severities of its diagnostics.
fn next(client: &mut Client, uri: &str) -> Vec<(String, i64)> {
    let of_uri = |it: &Value| it["method"] == "textDocument/publishDiagnostics" && it["params"]["uri"] == uri;
    let set = client.take(&format!("a set of {uri}"), of_uri);
    let problem = |it: &Value| (it["code"].as_str().unwrap().to_owned(), it["severity"].as_i64().unwrap());
    set["params"]["diagnostics"].as_array().unwrap().iter().map(problem).collect()
}

fn one(code: &str, severity: i64) -> Vec<(String, i64)> {
    vec![(code.to_owned(), severity)]
}

fn changed(client: &mut Client, uri: &str) {
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri, "type": 2}]}));
}

#[test]
fn dialects_of_the_configuration_apply_to_open_documents() {
    let dialect = "[[dialect]]\nname = \"own\"\npart = \"call\"\nsignature = { invoke = \"string\" }\n\
                   tool = \"invoke\"\ninput = \"with\"\njson = \"with\"\n";
    let folder = Folder::new("config-dialect", &[("a.jsonl", b""), ("chatls.toml", dialect.as_bytes())]);
    let document = uri(&folder, "a.jsonl");
    let mut client = client(&[&folder]);
    let text = "{\"invoke\": \"f\", \"with\": \"{\\\"a\\\": }\"}\n";
    let item = json!({"uri": document, "languageId": "jsonl", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    assert_eq!(next(&mut client, &document), one("invalid-json", 1));
    write(&folder, "chatls.toml", &dialect.replace("invoke = ", "called = "));
    assert_eq!(next(&mut client, &document), []);
    write(&folder, "chatls.toml", dialect);
    assert_eq!(next(&mut client, &document), one("invalid-json", 1));
    client.finish();
}

#[test]
fn changes_without_notification_are_noticed() {
    let folder = Folder::new("config-untold", &[("a.md", b"")]);
    let (document, config) = (uri(&folder, "a.md"), uri(&folder, "chatls.toml"));
    let mut client = client(&[&folder]);
    client.open(&document, 1, FENCE);
    assert_eq!(next(&mut client, &document), one("bad-state", 1));
    write(&folder, "chatls.toml", "lint = { bad-state = \"hint\" }");
    assert_eq!(next(&mut client, &document), one("bad-state", 4));
    write(&folder, "chatls.toml", "lint = { bad-state = \"hint\"");
    // The valid part still applies, so the document is not published again.
    assert_eq!(next(&mut client, &config), one("config", 2));
    std::fs::remove_file(folder.path.join("chatls.toml")).unwrap();
    assert_eq!(next(&mut client, &config), []);
    assert_eq!(next(&mut client, &document), one("bad-state", 1));
    client.finish();
}

#[test]
fn registries_break_and_recover_in_each_folder() {
    let configuration = ("chatls.toml", b"tools = [\"preset:file-tools\", \"tools.json\"]".as_slice());
    let tools = ("tools.json", br#"[{"name": "f"}]"#.as_slice());
    let first = Folder::new("config-first", &[configuration, tools]);
    let second = Folder::new("config-second", &[configuration, tools]);
    let mut client = client(&[&first, &second]);
    let documents = [uri(&first, "a.md"), uri(&second, "b.md")];
    for document in &documents {
        client.open(document, 1, FENCE);
        assert_eq!(next(&mut client, document), one("bad-state", 1));
    }
    // Clients spell URIs in their own ways.
    let told = uri(&first, "%74ools%2Ejson");
    write(&first, "tools.json", r#"[{"name": "f"}"#);
    changed(&mut client, &told);
    assert_eq!(next(&mut client, &uri(&first, "tools.json")), one("registry", 1));
    assert_eq!(next(&mut client, &documents[0])[0], one("unknown-tool", 1)[0]);
    write(&first, "tools.json", r#"[{"name": "f"}, {"name": "g"}]"#);
    changed(&mut client, &told);
    assert_eq!(next(&mut client, &uri(&first, "tools.json")), []);
    assert_eq!(next(&mut client, &documents[0]), one("bad-state", 1));
    // The other folder's document is unaffected and still has its own tools.
    client.change(&documents[1], 2, json!([]));
    assert_eq!(codes(&client.expect_diagnostics(&documents[1], 2)).len(), 1);
    client.finish();
}

#[test]
fn an_open_configuration_has_its_diagnostics_under_the_clients_uri() {
    let folder = Folder::new("config-open", &[("chatls.toml", b"x = 1")]);
    let (document, config) = (uri(&folder, "a.md"), uri(&folder, "chatls.toml"));
    let mut client = client(&[&folder]);
    client.open(&document, 1, "");
    assert_eq!(next(&mut client, &config), one("config", 2));
    assert_eq!(next(&mut client, &document), []);
    let spelled = uri(&folder, "%63hatls.toml");
    client.open(&spelled, 1, "x = 1");
    assert_eq!(next(&mut client, &config), []);
    while next(&mut client, &spelled) != one("config", 2) {}
    client.close(&spelled);
    assert_eq!(next(&mut client, &spelled), []);
    assert_eq!(next(&mut client, &config), one("config", 2));
    client.finish();
}

/// The lines of its diagnostics are those of its unsaved text.
#[test]
fn a_configuration_that_is_not_saved_has_diagnostics_in_its_lines() {
    let folder = Folder::new("config-unsaved", &[("chatls.toml", b"x = 1\ny = 2\n")]);
    let (document, config) = (uri(&folder, "a.md"), uri(&folder, "chatls.toml"));
    let mut client = client(&[&folder]);
    client.open(&document, 1, "");
    while next(&mut client, &config).len() != 2 {}
    assert_eq!(next(&mut client, &document), []);
    client.open(&config, 1, "x = 1\ny = 2\n");
    while next(&mut client, &config).len() != 2 {}
    client.change(&config, 2, json!([{"text": "x = 1\n# 🙂\n\ny = 2\n"}]));
    let found = client.expect_diagnostics(&config, 2);
    let lines: Vec<_> =
        found.as_array().unwrap().iter().map(|it| it["range"]["start"]["line"].clone()).collect();
    assert_eq!(lines, [0, 3]);
    client.finish();
}

#[cfg(unix)]
#[test]
fn a_pipe_as_configuration_does_not_block() {
    let folder = Folder::new("config-pipe", &[("a.md", b"")]);
    let pipe = folder.path.join("chatls.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut client = client(&[&folder]);
    let document = uri(&folder, "a.md");
    client.open(&document, 1, FENCE);
    assert_eq!(next(&mut client, &document), one("bad-state", 1));
    assert_eq!(next(&mut client, &uri(&folder, "chatls.toml")), one("config", 2));
    client.finish();
}

#[test]
fn errors_in_editor_settings_are_shown_once_per_change() {
    let mut client = Client::start();
    let severities = json!({"lint": {"bad-state": "warn", "bad-stat": "off"}, "protocol": "v6"});
    for (value, words) in [
        (json!({"nope": 1}), &["unknown key `nope`"][..]),
        (severities, &["did you mean `warning`?", "did you mean `bad-state`?"]),
        (json!({"nope": 1}), &["unknown key `nope`"]),
        (json!({"protocol": "v6"}), &[]),
        (json!(7), &[]),
    ] {
        client.notify("workspace/didChangeConfiguration", json!({"settings": {"chatls": value.clone()}}));
        for uri in ["file:///project/a/b.md", "file:///project/c/d.md", "untitled:a"] {
            client.open(uri, 1, "");
            client.expect_diagnostics(uri, 1);
        }
        match words {
            _ if value == 7 => client.expect_log("not an object"),
            [] => {}
            words => {
                let shown = client.shown();
                assert!(words.iter().all(|words| shown.contains(words)), "{shown}");
            }
        }
        for uri in ["file:///project/a/b.md", "file:///project/c/d.md", "untitled:a"] {
            client.close(uri);
            assert_eq!(client.expect_diagnostics(uri, 1), json!([]));
        }
    }
    client.finish();
}

#[test]
fn registries_are_watched_while_they_are_in_use() {
    let config = b"tools = [\"tools.json\"]\n".as_slice();
    let tools = br#"[{"name": "f"}]"#.as_slice();
    let folder = Folder::new(
        "config-watched",
        &[("chatls.toml", config), ("tools.json", tools), ("package.json", b"{}")],
    );
    let mut client = Client::silent();
    let workspace = json!({"didChangeWatchedFiles": {"dynamicRegistration": true}});
    client.initialize(json!({
        "processId": null,
        "capabilities": {"workspace": workspace},
        "workspaceFolders": [{"uri": uri(&folder, ""), "name": "a folder"}],
    }));
    let next = |client: &mut Client, method: &str| {
        let request = client.take(method, |it| it["method"] == method);
        client.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": null}));
        request["params"].clone()
    };
    let globs = |params: &Value| {
        let options = params["registrations"][0]["registerOptions"].clone();
        let watchers = options["watchers"].as_array().unwrap().clone();
        watchers.iter().map(|it| it["globPattern"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(globs(&next(&mut client, "client/registerCapability")), ["**/chatls.toml"]);
    let document = uri(&folder, "a.chat.md");
    client.open(&document, 1, "");
    client.expect_diagnostics(&document, 1);
    let registration = next(&mut client, "client/registerCapability");
    assert_eq!(globs(&registration), ["**/tools.json"]);
    // No configuration names it any more.
    write(&folder, "chatls.toml", "");
    changed(&mut client, &uri(&folder, "chatls.toml"));
    let gone = next(&mut client, "client/unregisterCapability");
    assert_eq!(gone["unregisterations"][0]["id"], registration["registrations"][0]["id"]);
    // The document is diagnosed again with the new settings.
    client.expect_diagnostics(&document, 1);
    client.finish();
}

#[test]
fn a_configuration_is_completed_and_described() {
    let folder = Folder::new("config-completed", &[("chatls.toml", b"")]);
    let mut client = client(&[&folder]);
    let config = uri(&folder, "chatls.toml");
    client.open(&config, 1, "[lint]\nbad-st\n");
    client.expect_diagnostics(&config, 1);
    let at = json!({"textDocument": {"uri": config}, "position": {"line": 1, "character": 6}});
    let list = client.call("textDocument/completion", at.clone());
    let items = list["items"].as_array().unwrap();
    let item = items.iter().find(|it| it["label"] == "bad-state").unwrap();
    assert_eq!(item["textEdit"]["newText"], "bad-state = ");
    assert!(items.iter().all(|it| it["label"] != "toolName"), "{items:#?}");
    client.change(&config, 2, json!([{"text": "[lint]\nbad-state = \"off\"\n"}]));
    client.expect_diagnostics(&config, 2);
    let page = client.call("textDocument/hover", at);
    assert!(page["contents"].to_string().contains("Default: `error`"), "{page}");
    client.finish();
}
