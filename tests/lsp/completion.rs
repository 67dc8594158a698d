//! Completion: the items in the client's encoding, and their documentation when resolved.

use serde_json::{Value, json};

use super::client::{Client, URI, range};
use crate::cli::run::Folder;

const TOOLS: &[u8] = br#"[{"name": "read", "description": "Reads a file.", "inputSchema": {"properties": {
    "path": {"type": "string", "description": "Which one."}, "old": {"type": "boolean", "deprecated": true}}, "required": ["path"]}}]"#;

/// A client with known tools, and the server's response to `item`, the client's capabilities for
/// items.
fn client(name: &str, item: Value) -> (Client, Value, String, Folder) {
    let folder = Folder::new(name, &[("chatls.toml", b"tools = [\"t.json\"]\n"), ("t.json", TOOLS)]);
    let capabilities = json!({"textDocument": {"completion": {"completionItem": item}}});
    let (client, answer) = Client::with_capabilities(capabilities);
    let uri = folder.uri("a.chat.md");
    (client, answer, uri, folder)
}

fn full() -> Value {
    json!({
        "snippetSupport": true,
        "documentationFormat": ["markdown", "html", "plaintext"],
        "tagSupport": {"valueSet": [1, 99]},
        "insertTextModeSupport": {"valueSet": [1, 2, "x"]},
    })
}

fn ask(client: &mut Client, uri: &str, at: (u32, u32), context: Value) -> Vec<Value> {
    let position = json!({"line": at.0, "character": at.1});
    let params = json!({"textDocument": {"uri": uri}, "position": position, "context": context});
    let list = client.call("textDocument/completion", params);
    assert_eq!(list["isIncomplete"], list["items"] != json!([]));
    list["items"].as_array().unwrap().clone()
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["label"].as_str().unwrap()).collect()
}

/// Clients ask no more after an empty list that is complete.
#[test]
fn an_empty_list_is_incomplete_if_a_further_letter_may_fill_it() {
    let (mut client, _, uri, _folder) = client("completion-incomplete", full());
    client.open(&uri, 1, "toolc\nword\n");
    client.expect_diagnostics(&uri, 1);
    let mut is_incomplete = |line: u32, character: u32| {
        let position = json!({"line": line, "character": character});
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        let list = client.call("textDocument/completion", params);
        assert_eq!(list["items"], json!([]));
        list["isIncomplete"] == true
    };
    assert!(is_incomplete(0, 5));
    assert!(!is_incomplete(1, 1));
    client.skip_logs();
    client.finish();
}

#[test]
fn a_call_is_a_snippet_with_the_line_ends_of_the_document() {
    let (mut client, answer, uri, _folder) = client("completion-call", full());
    let provider = &answer["capabilities"]["completionProvider"];
    assert_eq!(provider["resolveProvider"], true);
    assert_eq!(provider["triggerCharacters"], json!(["\"", ":", ">", "(", "="]));
    client.open(&uri, 1, "> - 👋\r\n>\r\n>   ```tool\r\n>   re\r\n>   ```\r\n");
    client.expect_diagnostics(&uri, 1);
    let items = ask(&mut client, &uri, (3, 6), json!({"triggerKind": 1}));
    let expected = json!({
        "label": "read",
        "kind": 3,
        "detail": "Reads a file.",
        "sortText": "00000",
        "filterText": "read",
        "insertTextFormat": 2,
        "insertTextMode": 1,
        "textEdit": {
            "range": range((3, 4), (3, 6)),
            "newText": "{\r\n>     \"toolCallId\": \"call_1\",\r\n>     \"toolName\": \"read\",\r\n>     \"state\": \"output-available\",\r\n>     \"input\": {\r\n>       \"path\": \"$1\"\r\n>     \\},\r\n>     \"output\": \"$2\"\r\n>   \\}$0",
        },
        "data": {"uri": uri, "subject": {"kind": "tool", "name": "read"}},
    });
    assert_eq!(json!(items), json!([expected]));
    let resolved = client.call("completionItem/resolve", items[0].clone());
    let mut described = expected;
    described["documentation"] = json!({
        "kind": "markdown",
        "value": "**`read`** – a tool, from `t.json`\n\nReads a file.\n\n| Parameter | Type | Required | Description |\n\
            | --- | --- | --- | --- |\n| `path` | `string` | yes | Which one. |\n| `old` | `boolean` |  | Deprecated. |",
    });
    assert_eq!(resolved, described);
    client.skip_logs();
    client.finish();
}

#[test]
fn a_comma_goes_with_a_key() {
    let (mut client, _, uri, _folder) = client("completion-comma", full());
    client.open(&uri, 1, "👋 ###:{\"toolName\": \"read\",\n\"parameters\": {\"path\": \"😀\"\n  \"o\n}}\n");
    client.expect_diagnostics(&uri, 1);
    let items = ask(&mut client, &uri, (2, 4), json!({"triggerKind": 2, "triggerCharacter": "\""}));
    assert_eq!(labels(&items), ["old"]);
    let item = &items[0];
    assert_eq!(
        (&item["tags"], &item["detail"], &item["filterText"]),
        (&json!([1]), &json!("boolean"), &json!("\"old"))
    );
    assert_eq!(
        item["textEdit"],
        json!({"range": range((2, 2), (2, 4)), "newText": "\"old\": ${1|false,true|}"})
    );
    // UTF-16: the emoji counts twice.
    client.change(
        &uri,
        2,
        json!([{"text": "```tool\n{\"toolName\": \"read\", \"input\": {\"path\": \"😀\"\n  \n}}\n"}]),
    );
    client.expect_diagnostics(&uri, 2);
    let items = ask(&mut client, &uri, (2, 2), Value::Null);
    assert_eq!(items[0]["additionalTextEdits"], json!([{"range": range((1, 43), (1, 43)), "newText": ","}]));
    client.skip_logs();
    client.finish();
}

#[test]
fn a_client_without_snippets_gets_plain_text() {
    let (mut client, _, uri, _folder) = client("completion-plain", json!({}));
    client.open(&uri, 1, "<tool>re\n\n###:{\"toolName\": \"read\", \"parameters\": {}}\n");
    client.expect_diagnostics(&uri, 1);
    let items = ask(&mut client, &uri, (0, 8), json!({"triggerKind": 1}));
    assert_eq!(items[0]["textEdit"]["newText"], "read(path=)\n</tool>");
    assert_eq!(items[0].get("insertTextFormat"), None);
    let items = ask(&mut client, &uri, (2, 40), json!({"triggerKind": 1}));
    assert_eq!(labels(&items), ["path", "old"]);
    assert_eq!((&items[1]["deprecated"], items[1].get("tags")), (&json!(true), None));
    let resolved = client.call("completionItem/resolve", items[0].clone());
    assert_eq!(
        resolved["documentation"],
        json!({"kind": "plaintext", "value": "path – `string`, required\n\nWhich one."})
    );
    client.skip_logs();
    client.finish();
}

#[test]
fn typing_in_prose_has_no_completions() {
    let (mut client, _, uri, _folder) = client("completion-prose", full());
    client.open(&uri, 1, "A word: \"and\" `more` (a = b) <\n");
    client.expect_diagnostics(&uri, 1);
    for (column, character) in "A word: \"and\" `more` (a = b) <".chars().enumerate() {
        let context = json!({"triggerKind": 2, "triggerCharacter": character.to_string()});
        let at = (0, u32::try_from(column).unwrap() + 1);
        assert_eq!(ask(&mut client, &uri, at, context), [] as [Value; 0], "{column}");
    }
    client.skip_logs();
    client.finish();
}

#[test]
fn foreign_items_are_rejected_and_unknown_ones_unchanged() {
    let mut client = Client::start();
    client.open(URI, 1, "x");
    client.expect_diagnostics(URI, 1);
    let id = client.request("completionItem/resolve", json!({"label": "of another server"}));
    assert_eq!(client.expect_error(id), -32602);
    let item = json!({"label": "x", "data": {"uri": URI, "subject": {"kind": "tool", "name": "gone"}}});
    assert_eq!(client.call("completionItem/resolve", item.clone()), item);
    client.finish();
}
