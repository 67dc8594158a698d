//! Document links: to existing files in the client's folders.

use serde_json::{Value, json};

use super::client::{Client, range};
use crate::cli::run::Folder;

fn uri(folder: &Folder, name: &str) -> String {
    folder.uri(name)
}

fn links(client: &mut Client, uri: &str) -> Value {
    client.call("textDocument/documentLink", json!({"textDocument": {"uri": uri}}))
}

fn link(start: (u32, u32), end: (u32, u32), target: String) -> Value {
    json!({"range": range(start, end), "target": target})
}

#[test]
fn paths_link_to_existing_files() {
    let files: [(&str, &[u8]); 4] = [
        ("work/src/a b.rs", b""),
        ("work/chats/here.md", b""),
        ("outside.md", b""),
        ("work/chats/chatls.toml", b""),
    ];
    let folder = Folder::new("document-links", &files);
    let mut client = Client::silent();
    let folders = json!([{"uri": uri(&folder, "work"), "name": "a folder"}]);
    let params = json!({"processId": null, "capabilities": {}, "workspaceFolders": folders});
    let result = client.initialize(params);
    assert_eq!(result["capabilities"]["documentLinkProvider"], json!({"resolveProvider": false}));
    let document = uri(&folder, "work/chats/chat.md");
    let text = "👋 <tool>rd(path=here.md, to=none.md)</tool>\n\n```tool\n\
                {\"input\": [\"src/a b.rs\", \"../src/a\\u0020b.rs\", \"../../outside.md\", \"here.md\"]}\n```\n";
    client.open(&document, 1, text);
    client.expect_diagnostics(&document, 1);
    // In UTF-16: the emoji counts twice.
    let (here, a_b) = (uri(&folder, "work/chats/here.md"), uri(&folder, "work/src/a%20b.rs"));
    assert_eq!(
        links(&mut client, &document),
        json!([
            link((0, 17), (0, 24), here.clone()),
            link((3, 12), (3, 22), a_b.clone()),
            link((3, 26), (3, 44), a_b),
            link((3, 68), (3, 75), here),
        ])
    );
    // A new file is linked with the next request.
    std::fs::write(folder.path.join("work/none.md"), "").unwrap();
    assert_eq!(links(&mut client, &document).as_array().unwrap().len(), 5);
    // While the user types, the files are not searched again.
    std::fs::remove_file(folder.path.join("work/none.md")).unwrap();
    client.change(&document, 2, json!([{"range": range((0, 0), (0, 0)), "text": "x"}]));
    client.expect_diagnostics(&document, 2);
    assert_eq!(links(&mut client, &document).as_array().unwrap().len(), 5);
    assert_eq!(links(&mut client, &document).as_array().unwrap().len(), 4);
    std::fs::write(folder.path.join("work/none.md"), "").unwrap();
    let untitled = "untitled:chat";
    client.open(untitled, 1, text);
    client.expect_diagnostics(untitled, 1);
    let found = links(&mut client, untitled);
    let targets: Vec<_> = found.as_array().unwrap().iter().map(|it| it["target"].as_str().unwrap()).collect();
    assert_eq!(targets, [uri(&folder, "work/none.md"), uri(&folder, "work/src/a%20b.rs")]);
    client.finish();
}

#[test]
fn a_configuration_links_to_its_registries() {
    let config = "tools = [\"tools.json\", \"preset:file-tools\", \"../shared.json\", \"none.json\"]\n";
    let files: [(&str, &[u8]); 3] =
        [("work/chatls.toml", config.as_bytes()), ("work/tools.json", b"{}"), ("shared.json", b"{}")];
    let folder = Folder::new("document-links-config", &files);
    let (mut client, _) = Client::with_capabilities(json!({}));
    let document = uri(&folder, "work/chatls.toml");
    client.open(&document, 1, config);
    client.expect_diagnostics(&document, 1);
    assert_eq!(
        links(&mut client, &document),
        json!([
            link((0, 10), (0, 20), uri(&folder, "work/tools.json")),
            link((0, 45), (0, 59), uri(&folder, "shared.json")),
        ])
    );
    client.take_all("textDocument/publishDiagnostics");
    client.finish();
}
