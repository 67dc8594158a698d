//! The outline: as a tree, and as a list.

use serde_json::{Value, json};

use super::client::{Client, URI, range};

const TEXT: &str = "# 👋 Chat\n\nUser: hi\n\n**Assistant:** 👋\n\n```tool\n{\"toolName\": \"f\", \"input\": {\"a\": 1}}\n```\n\n👋 ###:{\"toolName\": \"é\"}\n";

fn outline(client: &mut Client) -> Value {
    client.call("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}}))
}

#[test]
fn a_tree_for_clients_that_take_one() {
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
        {"name": "User", "detail": "hi", "kind": 3, "range": range((2, 0), (2, 8)), "selectionRange": range((2, 0), (2, 4))},
        {"name": "Assistant", "detail": "👋", "kind": 3, "range": range((4, 0), (10, 24)),
            "selectionRange": range((4, 2), (4, 11)), "children": calls},
    ]);
    let section = json!([{
        "name": "👋 Chat", "kind": 15, "range": range((0, 0), (10, 24)), "selectionRange": range((0, 2), (0, 9)), "children": turns,
    }]);
    assert_eq!(outline(&mut client), section);
    client.finish();
}

#[test]
fn a_list_for_all_others() {
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
            item("👋 Chat", 15, range((0, 0), (10, 24)), None),
            item("User: hi", 3, range((2, 0), (2, 8)), Some("👋 Chat")),
            item("Assistant: 👋", 3, range((4, 0), (10, 24)), Some("👋 Chat")),
            item("f(a=1) ⏳", 12, range((6, 0), (8, 3)), Some("Assistant")),
            item("é() ⏳", 12, range((10, 3), (10, 24)), Some("Assistant")),
        ])
    );
    client.finish();
}
