//! Navigation to calls, to results, and to tools in registries and presets.

use std::process::Stdio;

use serde_json::{Value, json};

use super::client::{Client, URI, path_of, range, server, use_cache};
use crate::cli::run::Folder;

const TAGS: &str = "👋 <tool>run(a=1)</tool>\n\n<validation>run\nok</validation>\n";

fn ask(client: &mut Client, what: &str, uri: &str, at: (u32, u32)) -> Value {
    let position = json!({"line": at.0, "character": at.1});
    client.call(&format!("textDocument/{what}"), json!({"textDocument": {"uri": uri}, "position": position}))
}

fn uri(folder: &Folder, name: &str) -> String {
    folder.uri(name)
}

#[test]
fn locations_or_links_by_client_capability() {
    let links = json!({"textDocument": {"definition": {"linkSupport": true}}});
    let (mut client, answer) = Client::with_capabilities(links);
    for provider in ["definitionProvider", "declarationProvider", "implementationProvider"] {
        assert_eq!(answer["capabilities"][provider], true);
    }
    client.open(URI, 1, TAGS);
    client.expect_diagnostics(URI, 1);
    assert_eq!(
        ask(&mut client, "definition", URI, (2, 13)),
        json!([{
            "originSelectionRange": range((2, 12), (2, 15)),
            "targetUri": URI, "targetRange": range((0, 3), (0, 24)), "targetSelectionRange": range((0, 9), (0, 12)),
        }])
    );
    assert_eq!(
        ask(&mut client, "declaration", URI, (2, 13)),
        json!([{"uri": URI, "range": range((0, 9), (0, 12))}])
    );
    assert_eq!(
        ask(&mut client, "implementation", URI, (0, 10)),
        json!([{"uri": URI, "range": range((2, 12), (2, 15))}])
    );
    assert_eq!(ask(&mut client, "definition", URI, (0, 0)), json!([]));
    client.finish();
}

#[test]
fn tools_are_declared_in_registries_and_presets() {
    let config = "tools = [\"preset:file-tools\", \"sub/t.json\"]\nlint.bad-state = \"hint\"\n";
    let registry = "{\n  \"tools\": [{\"name\": \"é\"}]\n}\n";
    let text = "###:{\"toolName\": \"é\"}\n\n###:{\"toolName\": \"read_file\"}\n\n<!-- chatls-disable-next bad-state -->\n";
    let folder = Folder::new(
        "goto",
        &[("chatls.toml", config.as_bytes()), ("sub/t.json", registry.as_bytes()), ("a.md", text.as_bytes())],
    );
    let cache = folder.path.join("cache");
    let mut server = server();
    use_cache(&mut server, &cache);
    let mut client = Client::of(server, Stdio::null());
    let folders = json!([{"uri": uri(&folder, ""), "name": "a"}]);
    client.initialize(json!({"processId": null, "capabilities": {}, "workspaceFolders": folders}));
    let document = uri(&folder, "a.md");
    client.open(&document, 1, text);
    client.expect_diagnostics(&document, 1);
    let in_registry = |at| json!([{"uri": uri(&folder, "sub/t.json"), "range": at}]);
    assert_eq!(ask(&mut client, "definition", &document, (0, 18)), in_registry(range((1, 21), (1, 24))));
    // Once open, in the editor's text.
    client.open(&uri(&folder, "sub/t.json"), 1, &registry.replace('\n', "\n\n"));
    client.expect_diagnostics(&uri(&folder, "sub/t.json"), 1);
    assert_eq!(ask(&mut client, "definition", &document, (0, 18)), in_registry(range((2, 21), (2, 24))));
    let preset = ask(&mut client, "definition", &document, (2, 20));
    let path = path_of(&preset[0]["uri"]);
    assert!(path.starts_with(&cache) && path.ends_with("presets/file-tools.json"), "{}", path.display());
    let shown = std::fs::read_to_string(path).unwrap();
    let line = preset[0]["range"]["start"]["line"].as_u64().unwrap();
    assert!(shown.lines().nth(usize::try_from(line).unwrap()).unwrap().contains("\"read_file\""), "{preset}");

    let configuration = uri(&folder, "chatls.toml");
    client.open(&configuration, 1, config);
    client.expect_diagnostics(&configuration, 1);
    assert_eq!(ask(&mut client, "definition", &configuration, (0, 33)), in_registry(range((0, 0), (0, 0))));
    assert_eq!(ask(&mut client, "definition", &configuration, (0, 12))[0]["uri"], preset[0]["uri"]);
    assert_eq!(ask(&mut client, "definition", &configuration, (0, 2)), json!([]));
    let page = ask(&mut client, "definition", &configuration, (1, 7));
    assert!(page[0]["uri"].as_str().unwrap().ends_with("/rules/bad-state.md"), "{page}");
    assert_eq!(ask(&mut client, "definition", &document, (4, 28)), page);
    client.finish();
}
