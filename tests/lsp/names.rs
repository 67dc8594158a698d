//! The occurrences of a name: references, highlights, and linked editing.

use serde_json::{Value, json};

use super::client::{Client, URI, range};
use crate::cli::run::Folder;

const LOG: &str = "👋 {\n\n```jsonl\n{\"type\":\"tool-call\",\"toolCallId\":\"é\",\"toolName\":\"f\",\"input\":{}}\n{\"type\":\"tool-result\",\"toolCallId\":\"é\",\"output\":\"👋\"}\n```\n\n<tool>f()</tool>\n";

fn params(uri: &str, at: (u32, u32)) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": at.0, "character": at.1}})
}

fn references(client: &mut Client, uri: &str, at: (u32, u32), with_declaration: bool) -> Value {
    let mut params = params(uri, at);
    params["context"] = json!({"includeDeclaration": with_declaration});
    client.call("textDocument/references", params)
}

#[test]
fn names_of_an_id_and_of_a_tool() {
    let (mut client, answer) = Client::with_capabilities(json!({}));
    for provider in ["referencesProvider", "documentHighlightProvider", "linkedEditingRangeProvider"] {
        assert_eq!(answer["capabilities"][provider], true);
    }
    client.open(URI, 1, LOG);
    client.expect_diagnostics(URI, 1);
    client.open("untitled:b", 1, "<tool>f()</tool>\n");
    client.expect_diagnostics("untitled:b", 1);
    let (call, result) = (range((3, 34), (3, 35)), range((4, 36), (4, 37)));
    let highlights = |client: &mut Client, at| client.call("textDocument/documentHighlight", params(URI, at));
    assert_eq!(
        highlights(&mut client, (4, 36)),
        json!([{"range": call, "kind": 3}, {"range": result, "kind": 2}])
    );
    assert_eq!(highlights(&mut client, (0, 0)), json!([]));
    let here = |range: &Value| json!({"uri": URI, "range": range});
    assert_eq!(references(&mut client, URI, (4, 36), true), json!([here(&call), here(&result)]));
    assert_eq!(references(&mut client, URI, (4, 36), false), json!([here(&result)]));
    let (name, tag) = (range((3, 49), (3, 50)), range((7, 6), (7, 7)));
    let other = json!({"uri": "untitled:b", "range": range((0, 6), (0, 7))});
    assert_eq!(references(&mut client, URI, (7, 6), true), json!([here(&name), here(&tag), other]));
    assert_eq!(references(&mut client, URI, (0, 0), true), json!([]));

    let linked = |client: &mut Client, at| client.call("textDocument/linkedEditingRange", params(URI, at));
    let ids = linked(&mut client, (3, 35));
    assert_eq!(ids["ranges"], json!([call, result]));
    assert!(ids["wordPattern"].is_string());
    let tags = json!([range((7, 1), (7, 5)), range((7, 11), (7, 15))]);
    assert_eq!(linked(&mut client, (7, 12))["ranges"], tags);
    assert_eq!(linked(&mut client, (7, 7)), Value::Null);
    client.finish();
}

#[test]
fn the_declaration_of_a_tool_is_in_its_registry() {
    let folder = Folder::new(
        "references",
        &[("chatls.toml", b"tools = [\"t.json\"]"), ("t.json", b"[{\"name\": \"f\"}]"), ("a.md", b"")],
    );
    let uri = |name: &str| folder.uri(name);
    let mut client = Client::start();
    client.open(&uri("a.md"), 1, "<tool>f</tool>\n");
    client.expect_diagnostics(&uri("a.md"), 1);
    let here = json!({"uri": uri("a.md"), "range": range((0, 6), (0, 7))});
    let declared = json!({"uri": uri("t.json"), "range": range((0, 10), (0, 13))});
    assert_eq!(references(&mut client, &uri("a.md"), (0, 6), true), json!([declared, here]));
    assert_eq!(references(&mut client, &uri("a.md"), (0, 6), false), json!([here]));
    client.finish();
}

#[test]
fn the_declaration_of_a_tool_is_in_the_list_of_its_conversation() {
    let text = r#"{"tools": [{"name": "f", "input_schema": {}}], "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}]}"#;
    let uri = "file:///t/a.chat.json";
    let mut client = Client::start();
    let document = json!({"uri": uri, "languageId": "json", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    client.expect_diagnostics(uri, 1);
    let at = |needle: &str| text.find(needle).unwrap() as u32;
    let (list, call) = (at("\"f\", \"input_schema"), at("\"f\", \"input\"") + 1);
    let here = |from: u32, to: u32| json!({"uri": uri, "range": range((0, from), (0, to))});
    let (declared, called) = (here(list, list + 3), here(call, call + 1));
    assert_eq!(references(&mut client, uri, (0, call), true), json!([declared, called]));
    assert_eq!(references(&mut client, uri, (0, call), false), json!([called]));
    client.finish();
}
