//! Requests beyond LSP: what they answer, and what they refuse.

use serde_json::{Value, json};

use super::client::{Client, URI, range};

const TEXT: &str =
    "User: 👋\n\n👋 <tool>a(p=1)\nx</tool>\n\n```tool\n{\"toolName\": \"b\", \"errorText\": \"no\"}\n```\n";

fn ask(client: &mut Client, method: &str) -> Value {
    client.call(method, json!({"textDocument": {"uri": URI}}))
}

#[test]
fn they_are_announced_and_answered_in_the_encoding_of_the_session() {
    let (mut client, answer) = Client::with_capabilities(json!({}));
    assert_eq!(
        answer["capabilities"]["experimental"]["chatls"],
        json!({"toolUses": true, "transcript": true, "events": true})
    );
    client.open(URI, 7, TEXT);
    client.expect_diagnostics(URI, 7);
    let (batch, first, second) = (range((2, 3), (7, 3)), range((2, 3), (3, 8)), range((5, 0), (7, 3)));
    let listed = |name: &str, label: &str, status: &str, dialect: &str, all: &Value, at: Value| json!({"toolName": name, "label": label, "status": status, "dialect": dialect, "range": all, "selectionRange": at, "batch": 0});
    assert_eq!(
        ask(&mut client, "chatls/toolUses"),
        json!({
            "version": 7,
            "enabled": true,
            "isTranscript": true,
            "counts": {"toolUses": 2, "failed": 1, "pending": 0, "batches": 1},
            "toolUses": [
                listed("a", "🔧 a(p=1) → x", "done", "tag", &first, range((2, 9), (2, 10))),
                listed("b", "🔧 b() ✗ no", "failed", "fence", &second, range((6, 13), (6, 16))),
            ],
            "batches": [{"label": "🔧 2 tool calls · 1 failed", "range": batch, "toolUses": 2, "failed": 1, "pending": 0}],
        })
    );
    let params = json!({"textDocument": {"uri": URI}, "range": range((6, 0), (6, 0))});
    let part = client.call("chatls/toolUses", params);
    assert_eq!(part["counts"]["toolUses"], 2);
    let names: Vec<_> =
        part["toolUses"].as_array().unwrap().iter().map(|it| it["toolName"].as_str()).collect();
    assert_eq!((names, part["batches"].as_array().unwrap().len()), (vec![Some("b")], 1));
    let entry = |name: &str, call: &str, status: &str, result: &str, all: &Value| json!({"toolName": name, "call": call, "status": status, "result": result, "inline": true, "more": null, "range": all});
    let tools = json!({
        "kind": "tools", "label": "🔧 2 tool calls · 1 failed", "range": batch, "failed": 1, "pending": 0,
        "entries": [entry("a", "a(p=1)", "done", "x", &first), entry("b", "b()", "failed", "no", &second)],
    });
    assert_eq!(
        ask(&mut client, "chatls/transcript"),
        json!({"version": 7, "messages": [{
            "role": "user", "name": "User", "range": range((0, 0), (8, 0)),
            "items": [
                {"kind": "text", "text": "👋\n\n👋 ", "range": range((0, 6), (2, 3))},
                tools,
                {"kind": "text", "text": "\n", "range": range((7, 3), (8, 0))},
            ],
        }]})
    );
    let events = ask(&mut client, "chatls/events");
    let types: Vec<_> =
        events["events"].as_array().unwrap().iter().map(|it| it["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        [
            "start",
            "text-start",
            "text-delta",
            "text-end",
            "tool-input-available",
            "tool-output-available",
            "text-start",
            "text-delta",
            "text-end",
            "tool-input-available",
            "tool-output-error",
            "text-start",
            "text-delta",
            "text-end",
            "finish",
        ]
    );
    client.finish();
}

#[test]
fn a_document_that_is_not_open_is_refused() {
    let mut client = Client::start();
    for method in ["chatls/toolUses", "chatls/transcript", "chatls/events"] {
        let id = client.request(method, json!({"textDocument": {"uri": URI}}));
        assert_eq!(client.expect_answer(json!(id))["error"]["code"], -32602, "{method}");
    }
    client.finish();
}
