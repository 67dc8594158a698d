//! Renaming of ids and tools: in the document, in other documents, and in the registry.

use serde_json::{Value, json};

use super::client::{Client, URI, range};
use crate::cli::run::Folder;

const LOG: &str = "{\"type\":\"tool-call\",\"toolCallId\":\"👋\",\"toolName\":\"f\",\"input\":{}}\n{\"type\":\"tool-result\",\"toolCallId\":\"👋\",\"output\":1}\n{\"type\":\"tool-call\",\"toolCallId\":\"2\",\"toolName\":\"f\",\"input\":{}}\n";

fn params(uri: &str, at: (u32, u32), new: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": at.0, "character": at.1}, "newName": new})
}

fn open_log(client: &mut Client, version: i32) {
    let item = json!({"uri": URI, "languageId": "jsonl", "version": version, "text": LOG});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.expect_diagnostics(URI, version);
}

#[test]
fn an_id_is_prepared_and_renamed_or_rejected() {
    let (mut client, answer) = Client::with_capabilities(json!({
        "textDocument": {"rename": {"prepareSupport": true}}, "workspace": {"workspaceEdit": {"documentChanges": true}},
    }));
    assert_eq!(answer["capabilities"]["renameProvider"], json!({"prepareProvider": true}));
    open_log(&mut client, 3);
    let place = |line: u32, start: u32| range((line, start), (line, start + 2));
    let prepared = client.call("textDocument/prepareRename", params(URI, (1, 37), ""));
    assert_eq!(prepared, json!({"range": place(1, 36), "placeholder": "👋"}));
    assert_eq!(client.call("textDocument/prepareRename", params(URI, (1, 2), "")), Value::Null);
    let edit = |line: u32, start: u32| json!({"range": range((line, start), (line, start + 4)), "newText": "\"\\\"é\""});
    assert_eq!(
        client.call("textDocument/rename", params(URI, (1, 37), "\"é")),
        json!({"documentChanges": [{"textDocument": {"uri": URI, "version": 3}, "edits": [edit(0, 33), edit(1, 35)]}]})
    );
    for (at, new, words) in [
        ((1, 37), "2", "is the id of another call"),
        ((1, 37), "", "cannot be empty"),
        ((1, 2), "x", "no id or tool name"),
    ] {
        let id = client.request("textDocument/rename", params(URI, at, new));
        let answer = client.expect_answer(json!(id));
        assert_eq!(answer["error"]["code"], -32803);
        assert!(answer["error"]["message"].as_str().unwrap().contains(words), "{answer}");
    }
    client.finish();
}

#[test]
fn a_tool_in_the_document_alone() {
    let (mut client, answer) = Client::with_capabilities(json!({}));
    assert_eq!(answer["capabilities"]["renameProvider"], true);
    open_log(&mut client, 1);
    client.open("untitled:b", 1, "<tool>f</tool>");
    client.expect_diagnostics("untitled:b", 1);
    let edit =
        |line: u32, start: u32| json!({"range": range((line, start), (line, start + 3)), "newText": "\"g\""});
    assert_eq!(
        client.call("textDocument/rename", params(URI, (0, 51), "g")),
        json!({"changes": {URI: [edit(0, 49), edit(2, 48)]}})
    );
    client.finish();
}

#[test]
fn a_tool_of_the_workspace_with_its_registry() {
    let folder = Folder::new(
        "rename",
        &[
            ("chatls.toml", b"tools = [\"preset:file-tools\", \"t.json\"]"),
            ("t.json", b"// ours\n[{\"name\": \"f\"}, {\"name\": \"g\"}]"),
            ("other/chatls.toml", b"root = true\ntools = [\"../t.json\"]"),
            ("else/chatls.toml", b"root = true\ntools = [\"t.json\"]"),
            ("else/t.json", b"[{\"name\": \"f\"}]"),
        ],
    );
    let uri = |name: &str| folder.uri(name);
    let mut client = Client::silent();
    let folders = json!([{"uri": uri(""), "name": "a"}]);
    let versions = json!({"workspace": {"workspaceEdit": {"documentChanges": true}}});
    client.initialize(json!({"processId": null, "capabilities": versions, "workspaceFolders": folders}));
    for (version, name) in [(1, "a.md"), (2, "b.md"), (3, "else/c.md"), (4, "other/d.md")] {
        client.open(&uri(name), version, "<tool>f</tool> <tool>read_file</tool>\n");
        client.expect_diagnostics(&uri(name), version);
    }
    let edit =
        |start: u32, end: u32, text: &str| json!({"range": range((0, start), (0, end)), "newText": text});
    let of = |name: &str, version: Value, edits: Value| json!({"textDocument": {"uri": uri(name), "version": version}, "edits": edits});
    let tag = json!([edit(6, 7, "neu")]);
    let registry = json!([{"range": range((1, 10), (1, 13)), "newText": "\"neu\""}]);
    let all = |registry_version: Value| {
        json!({"documentChanges": [
            of("a.md", json!(1), tag.clone()),
            of("b.md", json!(2), tag.clone()),
            of("other/d.md", json!(4), tag.clone()),
            of("t.json", registry_version, registry.clone()),
        ]})
    };
    assert_eq!(client.call("textDocument/rename", params(&uri("a.md"), (0, 6), "neu")), all(Value::Null));
    client.open(&uri("t.json"), 9, "// ours\n[{\"name\": \"f\"}]");
    client.expect_diagnostics(&uri("t.json"), 9);
    assert_eq!(client.call("textDocument/rename", params(&uri("a.md"), (0, 6), "neu")), all(json!(9)));
    // To an existing tool: its calls join that one. And presets cannot be renamed.
    for (start, end, new) in [(6, 7, "g"), (21, 30, "neu")] {
        assert_eq!(
            client.call("textDocument/rename", params(&uri("a.md"), (0, start), new)),
            json!({"documentChanges": [of("a.md", json!(1), json!([edit(start, end, new)]))]})
        );
    }
    client.finish();
}
