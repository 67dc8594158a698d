//! The outline: as a tree, and as a list.

use serde_json::{Value, json};

use super::client::{Client, URI, range};
use crate::cli::run::Folder;

const TEXT: &str = "# 👋 Chat\n\nUser: hi\n\n**Assistant:** 👋\n\n```tool\n{\"toolName\": \"f\", \"input\": {\"a\": 1}}\n```\n\n👋 ###:{\"toolName\": \"é\"}\n";

fn outline(client: &mut Client) -> Value {
    client.call("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}))
}

#[test]
fn a_tree_for_clients_that_support_it() {
    let tree = json!({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}});
    let (mut client, answer) = Client::with_capabilities(tree);
    assert_eq!(answer["capabilities"]["documentSymbolProvider"], true);
    client.open(URI, 1, TEXT);
    client.expect_diagnostics(URI, 1);
    let call = |name: &str, detail: &str, all: Value, selection: Value| json!({"name": name, "detail": detail, "kind": 12, "range": all, "selectionRange": selection});
    let calls = [
        call("f", "(a=1) ⏳", range((6, 0), (8, 3)), range((7, 13), (7, 16))),
        call("é", "() ⏳", range((10, 3), (10, 24)), range((10, 20), (10, 23))),
    ];
    let turns = json!([
        {"name": "User: hi", "kind": 3, "range": range((2, 0), (2, 8)), "selectionRange": range((2, 0), (2, 4))},
        {"name": "Assistant: 👋", "kind": 3, "range": range((4, 0), (10, 24)),
            "selectionRange": range((4, 2), (4, 11)), "children": calls},
    ]);
    assert_eq!(outline(&mut client), turns);
    client.finish();
}

#[test]
fn a_list_for_other_clients() {
    let mut client = Client::start();
    client.open(URI, 1, TEXT);
    client.expect_diagnostics(URI, 1);
    let item = |name: &str, kind: u8, all: Value, within: Option<&str>| {
        let mut item = json!({"name": name, "kind": kind, "location": {"uri": URI, "range": all}});
        if let Some(within) = within {
            item["containerName"] = within.into();
        }
        item
    };
    assert_eq!(
        outline(&mut client),
        json!([
            item("User: hi", 3, range((2, 0), (2, 8)), None),
            item("Assistant: 👋", 3, range((4, 0), (10, 24)), None),
            item("f(a=1) ⏳", 12, range((6, 0), (8, 3)), Some("Assistant")),
            item("é() ⏳", 12, range((10, 3), (10, 24)), Some("Assistant")),
        ])
    );
    client.finish();
}

fn look_for(client: &mut Client, query: &str) -> Vec<(String, String, String)> {
    let found = client.call("workspace/symbol", json!({"query": query}));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let show = |it: &Value| {
        let uri = text(&it["location"]["uri"]);
        (text(&it["name"]), text(&it["containerName"]), uri.rsplit('/').next().unwrap().to_owned())
    };
    found.as_array().unwrap().iter().map(show).collect()
}

fn shown(found: &[(String, String, String)]) -> Vec<(&str, &str, &str)> {
    found.iter().map(|(name, container, file)| (&**name, &**container, &**file)).collect()
}

#[test]
fn symbols_of_open_and_closed_documents() {
    let call = |name: &str| format!("<tool>{name}(path=src/App.tsx)</tool>\n");
    let folder = Folder::new(
        "symbols",
        &[
            ("chatls.toml", b"exclude = [\"out.md\"]"),
            ("a.md", format!("# Reading\n\n{}", call("read_file")).as_bytes()),
            ("sub/b.md", call("spread").as_bytes()),
            (
                "sub/log.jsonl",
                b"{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"read_log\",\"input\":{}}\n",
            ),
            ("out.md", call("read_out").as_bytes()),
            ("node_modules/x/c.md", call("read_module").as_bytes()),
            ("notes.txt", call("read_note").as_bytes()),
        ],
    );
    let uri = |name: &str| folder.uri(name);
    let mut client = Client::silent();
    let folders = json!([{"uri": uri(""), "name": "a"}, {"uri": uri("sub"), "name": "b"}]);
    let answer =
        client.initialize(json!({"processId": null, "capabilities": {}, "workspaceFolders": folders}));
    assert_eq!(answer["capabilities"]["workspaceSymbolProvider"], true);
    let read_file = "read_file(path=src/App.tsx) ⏳";
    let log = ("read_log() ⏳", "", "log.jsonl");
    assert_eq!(
        shown(&look_for(&mut client, "read")),
        [(read_file, "", "a.md"), log, ("spread(path=src/App.tsx) ⏳", "", "b.md")]
    );
    assert_eq!(shown(&look_for(&mut client, "app READ_f")), [(read_file, "", "a.md")]);
    assert_eq!(look_for(&mut client, "").len(), 3);
    assert_eq!(look_for(&mut client, "nothing of the kind").len(), 0);
    // An open document counts with the editor's text, and comes first; changes on disk are read
    // again.
    client.open("untitled:x", 1, &call("read_draft"));
    client.open(&uri("sub/b.md"), 1, &call("read_now"));
    client.open(&uri("out.md"), 1, &call("read_out_now"));
    std::fs::write(folder.path.join("a.md"), format!("# Other\n\n{}", call("read_else"))).unwrap();
    let found = look_for(&mut client, "read");
    assert_eq!(
        shown(&found),
        [
            ("read_now(path=src/App.tsx) ⏳", "", "b.md"),
            ("read_draft(path=src/App.tsx) ⏳", "", "untitled:x"),
            ("read_else(path=src/App.tsx) ⏳", "", "a.md"),
            log,
        ]
    );
    client.expect_diagnostics("untitled:x", 1);
    client.expect_diagnostics(&uri("sub/b.md"), 1);
    client.expect_diagnostics(&uri("out.md"), 1);
    client.finish();
}

#[test]
fn symbols_of_file_endings_added_by_include() {
    let call = |name: &str| format!("<tool>{name}(path=src/App.tsx)</tool>\n");
    let folder = Folder::new(
        "symbols-include",
        &[
            ("chatls.toml", b"include = [\"**/*.log\", \"notes/**\"]\nexclude = [\"old.log\"]\n"),
            ("run.log", call("read_run").as_bytes()),
            ("old.log", call("read_old").as_bytes()),
            ("run.txt", call("read_text").as_bytes()),
            ("run.md", call("read_page").as_bytes()),
            ("notes/a.md", call("read_note").as_bytes()),
            ("notes/a.txt", call("read_note_text").as_bytes()),
        ],
    );
    let uri = folder.uri("");
    let mut client = Client::silent();
    let folders = json!([{"uri": uri, "name": "a"}]);
    client.initialize(json!({"processId": null, "capabilities": {}, "workspaceFolders": folders}));
    let mut files: Vec<_> = look_for(&mut client, "read").into_iter().map(|(_, _, file)| file).collect();
    files.sort();
    assert_eq!(files, ["a.md", "run.log"]);
    client.finish();
}

#[test]
fn the_number_of_symbols_is_bounded() {
    let mut client = Client::start();
    client.open(URI, 1, &"###:{\"toolName\": \"other\"}\n".repeat(1000));
    client.open("untitled:b", 1, "###:{\"toolName\": \"other\"} ###:{\"toolName\": \"the best\"}\n");
    assert_eq!(look_for(&mut client, "the").len(), 512);
    assert_eq!(look_for(&mut client, "the")[0].0, "the best() ⏳");
    client.expect_diagnostics(URI, 1);
    client.expect_diagnostics("untitled:b", 1);
    client.finish();
}
