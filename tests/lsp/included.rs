//! `chatls/included`: documents that the server reads in folders, before they are opened.

use serde_json::{Value, json};

use super::client::{Client, codes};
use crate::cli::run::Folder;

fn ask(client: &mut Client, folder: &Folder, names: &[&str]) -> Value {
    let uri = |name: &&str| folder.uri(name);
    let uris: Vec<_> = names.iter().map(uri).collect();
    client.call("chatls/included", json!({"uris": uris}))["included"].clone()
}

#[test]
fn json_documents_are_named_by_include() {
    let folder = Folder::new("included", &[("package.json", b"{}")]);
    let names = ["logs/a.json", "package.json", "logs/b.json", "run.traj.json"];
    let write = |text: &str| std::fs::write(folder.path.join("chatls.toml"), text).unwrap();
    let mut client = Client::start();
    assert_eq!(ask(&mut client, &folder, &names), json!([false, false, false, true]));

    write("include = [\"logs/*.json\", \"**\"]\nexclude = [\"logs/b.json\"]\n");
    client.take("the change", |it| it["method"] == "chatls/includedChanged");
    // A glob that names no kind of file is not about JSON.
    assert_eq!(ask(&mut client, &folder, &names), json!([true, false, false, true]));

    write("include = [\"logs/*.json\"]\nenable = false\n");
    client.take("the change", |it| it["method"] == "chatls/includedChanged");
    assert_eq!(ask(&mut client, &folder, &names), json!([false, false, false, false]));

    write("include = [\"logs/*.json\"]\n");
    client.take("the change", |it| it["method"] == "chatls/includedChanged");
    let uris = json!(["logs/a.json", folder.uri("logs/a.json"), 1, folder.uri("a.json")]);
    let answer = client.call("chatls/included", json!({"uris": uris}));
    assert_eq!(answer["included"], json!([null, true, null, false]));
    let id = client.request("chatls/included", json!({"uris": "logs/a.json"}));
    assert_eq!(client.expect_error(id), -32602);
    client.finish();
}

#[test]
fn the_settings_of_the_editor_count_and_a_client_that_never_asked_hears_nothing() {
    let folder = Folder::new("included-by-settings", &[]);
    let mut client = Client::start();
    let configure = |client: &mut Client, include: Value| {
        client.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": {"chatls": {"include": include}}}),
        );
    };
    configure(&mut client, json!(["**/*.json"]));
    assert_eq!(ask(&mut client, &folder, &["a.json"]), json!([true]));
    configure(&mut client, json!(["**/*.md"]));
    client.take("the change", |it| it["method"] == "chatls/includedChanged");
    // It asks again, or not.
    configure(&mut client, json!(["**/*.json"]));
    assert_eq!(ask(&mut client, &folder, &["a.json"]), json!([true]));
    client.finish();
}

/// The language ids are those of VS Code.
#[test]
fn included_documents_are_read_as_in_a_folder() {
    let log = "{\"role\": \"user\", \"content\": \"Hi\"}\n\
               {\"role\": \"tool\", \"tool_call_id\": \"lost\", \"content\": \"x\"}\n";
    let json = format!("[{}]\n", log.trim().replace('\n', ","));
    let files = [
        ("logs/run.log", log, "log"),
        ("a.jsonc", &json, "jsonc"),
        ("b.jsonl", log, "json"),
        ("c.txt", log, "plaintext"),
        ("other.log", log, "log"),
    ];
    let mut folder = files.map(|(name, text, _)| (name, text.as_bytes())).to_vec();
    folder.push(("chatls.toml", b"include = [\"logs/*.log\", \"*.jsonc\", \"*.jsonl\", \"*.txt\"]\n"));
    let folder = Folder::new("included-as-read", &folder);
    let checked = folder.run(&["check", "--format", "concise"]).stdout;
    let mut client = Client::start();
    let names = files.map(|(name, _, _)| name);
    assert_eq!(ask(&mut client, &folder, &names), json!([true, true, true, true, false]));
    for (name, text, language) in files {
        let uri = folder.uri(name);
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        client.notify("textDocument/didOpen", json!({"textDocument": item}));
        let served =
            codes(&client.expect_diagnostics(&uri, 1)).iter().any(|(code, _)| code == "orphan-result");
        let is_checked = checked.lines().any(|line| line.starts_with(name) && line.contains("orphan-result"));
        assert_eq!((served, is_checked), (name != "other.log", name != "other.log"), "{name}: {checked}");
    }
    client.finish();
}
