//! Hover: Markdown or plain text, with its range, in the client's positions.

use serde_json::{Value, json};

use super::client::{Client, URI, range};
use crate::cli::run::Folder;

const TEXT: &str = "👋 <tool>rd(path=a &lt; b)</tool>\n\n```tool\n{\"output\": \"a\\nb\"}\n```\n";
const TOOLS: &str = r#"{"tools": [{"name": "rd", "description": "Reads.", "inputSchema":
    {"properties": {"path": {"type": "string"}}, "required": ["path"]}}]}"#;

fn ask(client: &mut Client, uri: &str, (line, character): (u32, u32)) -> Value {
    let position = json!({"line": line, "character": character});
    client.call("textDocument/hover", json!({"textDocument": {"uri": uri}, "position": position}))
}

fn client(formats: Value) -> (Client, Value) {
    Client::with_capabilities(json!({"textDocument": {"hover": {"contentFormat": formats}}}))
}

#[test]
fn markdown_for_clients_that_prefer_it() {
    let config: &[u8] = b"tools = [\"tools.json\"]\n";
    let folder = Folder::new("hover", &[("tools.json", TOOLS.as_bytes()), ("chatls.toml", config)]);
    let uri = folder.uri("a.md");
    let (mut client, result) = client(json!(["markdown", "plaintext"]));
    assert_eq!(result["capabilities"]["hoverProvider"], true);
    client.open(&uri, 1, TEXT);
    client.expect_diagnostics(&uri, 1);
    let tool = "**`rd`** – a tool, from `tools.json`\n\nReads.\n\n| Parameter | Type | Required | Description |\n\
                | --- | --- | --- | --- |\n| `path` | `string` | yes |  |";
    // In UTF-16: the emoji counts twice.
    assert_eq!(
        ask(&mut client, &uri, (0, 9)),
        json!({"contents": {"kind": "markdown", "value": tool}, "range": range((0, 9), (0, 11))})
    );
    let parameter = "**`path`** – `string`, required\n\n```\na < b\n```";
    assert_eq!(ask(&mut client, &uri, (0, 20))["contents"]["value"], parameter);
    assert_eq!(ask(&mut client, &uri, (1, 0)), Value::Null);
    assert_eq!(ask(&mut client, &uri, (99, 7)), Value::Null);
    client.finish();
}

#[test]
fn plain_text_for_other_clients() {
    for formats in [json!(["plaintext", "markdown"]), json!([]), json!(null)] {
        let (mut client, _) = client(formats);
        client.open(URI, 1, TEXT);
        client.expect_diagnostics(URI, 1);
        assert_eq!(
            ask(&mut client, URI, (3, 12)),
            json!({"contents": {"kind": "plaintext", "value": "a\nb"}, "range": range((3, 11), (3, 17))})
        );
        let opening = ask(&mut client, URI, (2, 4));
        let drawn = "🔧 2 tool calls · 1 pending\n  rd(path=a < b) ⏳\n  tool()\n    a\n    b\n\nIn the UI";
        assert!(opening["contents"]["value"].as_str().unwrap().starts_with(drawn), "{opening}");
        assert_eq!(opening["range"], range((2, 0), (2, 7)));
        client.finish();
    }
}
