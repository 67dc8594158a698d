//! Signature help: the parameters of a tool, and the active one, in the client's encoding.

use serde_json::{Value, json};

use super::client::Client;
use crate::cli::run::Folder;

const TOOLS: &[u8] = "[{\"name\": \"read\", \"description\": \"Reads a file.\", \"inputSchema\": {\"properties\": {
    \"mode\": {\"enum\": [\"é😀\"]}, \"path\": {\"type\": \"string\", \"description\": \"Which one.\"}}, \"required\": [\"mode\", \"path\"]}}]"
    .as_bytes();

fn client(name: &str, information: Value) -> (Client, Value, String, Folder) {
    let folder = Folder::new(name, &[("chatls.toml", b"tools = [\"t.json\"]\n"), ("t.json", TOOLS)]);
    let capabilities = json!({"textDocument": {"signatureHelp": {"signatureInformation": information}}});
    let (client, answer) = Client::with_capabilities(capabilities);
    let uri = folder.uri("a.chat.md");
    (client, answer, uri, folder)
}

fn ask(client: &mut Client, uri: &str, character: u32) -> Value {
    let position = json!({"line": 0, "character": character});
    let context = json!({"triggerKind": 1, "isRetrigger": false});
    client.call(
        "textDocument/signatureHelp",
        json!({"textDocument": {"uri": uri}, "position": position, "context": context}),
    )
}

#[test]
fn parameters_are_ranges_of_the_label() {
    let information =
        json!({"documentationFormat": ["markdown"], "parameterInformation": {"labelOffsetSupport": true}});
    let (mut client, answer, uri, _folder) = client("signature-places", information);
    let provider = &answer["capabilities"]["signatureHelpProvider"];
    assert_eq!(provider["triggerCharacters"], json!(["(", "{", ","]));
    assert_eq!(provider["retriggerCharacters"], json!(["=", ":", "\"", "}"]));
    client.open(&uri, 1, "😀 <tool>read(mode=é, \n");
    client.expect_diagnostics(&uri, 1);
    let expected = json!({
        "signatures": [{
            "label": "read(mode: \"é😀\", path: string)",
            "documentation": {"kind": "markdown", "value": "Reads a file."},
            // In UTF-16, like positions.
            "parameters": [
                {"label": [5, 16], "documentation": {"kind": "markdown", "value": "One of: `é😀`."}},
                {"label": [18, 30], "documentation": {"kind": "markdown", "value": "Which one."}},
            ],
        }],
        "activeSignature": 0,
        "activeParameter": 1,
    });
    assert_eq!(ask(&mut client, &uri, 22), expected);
    assert_eq!(ask(&mut client, &uri, 20)["activeParameter"], 0);
    assert_eq!(ask(&mut client, &uri, 10), Value::Null);
    client.finish();
}

#[test]
fn parameters_are_words_in_the_label() {
    let (mut client, _, uri, _folder) = client("signature-words", json!({}));
    client.open(&uri, 1, "###:{\"toolName\": \"read\", \"parameters\": {\"path\": \"\", \"mode\": \"\"}}\n");
    client.expect_diagnostics(&uri, 1);
    let help = ask(&mut client, &uri, 40);
    let parameters = &help["signatures"][0]["parameters"];
    assert_eq!(parameters[0]["label"], "mode: \"é😀\"");
    assert_eq!(parameters[1]["documentation"], json!({"kind": "plaintext", "value": "Which one."}));
    assert_eq!(help["activeParameter"], 1);
    client.finish();
}
