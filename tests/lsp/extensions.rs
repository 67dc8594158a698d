//! Requests beyond LSP: their results and errors.

use chatls::dialect::{DIALECTS, Dialect};
use serde_json::{Value, json};

use super::client::{Client, URI, range};

const TEXT: &str =
    "User: 👋\n\n👋 <tool>a(p=1)\nx</tool>\n\n```tool\n{\"toolName\": \"b\", \"errorText\": \"no\"}\n```\n";

fn ask(client: &mut Client, method: &str) -> Value {
    client.call(method, json!({"textDocument": {"uri": URI}}))
}

fn dialects(is_listed: &dyn Fn(&Dialect) -> bool) -> Vec<&'static str> {
    DIALECTS.iter().filter(|it| is_listed(it)).map(|it| it.name).collect()
}

#[test]
fn tool_uses_are_data_and_copies_have_pseudonyms() {
    let mut client = Client::start();
    client.open(URI, 7, &TEXT.replace("\nx<", "\nmail jane.roe@roe-labs.io<"));
    client.expect_diagnostics(URI, 7);
    let calls = ask(&mut client, "chatls/calls");
    let lines: Vec<Value> =
        calls["lines"].as_str().unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = lines.iter().map(|line| line["toolName"].as_str().unwrap()).collect();
    assert_eq!((&calls["version"], names), (&json!(7), vec!["a", "b"]));
    let statistics = ask(&mut client, "chatls/statistics")["statistics"].clone();
    assert_eq!((&statistics["calls"], &statistics["failed"]), (&json!(2), &json!(1)));
    let copy = ask(&mut client, "chatls/redacted");
    assert!(!copy["text"].as_str().unwrap().contains("jane"), "{copy}");
    assert!(copy["counts"].as_str().unwrap().contains("1 mail address"), "{copy}");
    assert_eq!(copy["left"], Value::Null);
    client.finish();
}

#[test]
fn extensions_are_announced_and_use_the_sessions_encoding() {
    let (mut client, answer) = Client::with_capabilities(json!({}));
    let mut announced = answer["capabilities"]["experimental"]["chatls"].clone();
    let runs = announced.as_object_mut().unwrap().remove("run");
    assert_eq!(runs, cfg!(feature = "run").then_some(json!(true)));
    assert_eq!(
        announced,
        json!({
            "toolUses": true, "transcript": true, "events": true, "export": true, "compare": true,
            "modelRequest": true,
            "foldingRanges": true, "nextToolUse": true, "newToolUse": true, "sessions": true, "sessionText": true,
            "included": true, "conversation": true, "repair": true, "redact": true,
            "redacted": true, "calls": true, "statistics": true,
            "dialects": dialects(&|_| true), "convertTo": dialects(&|it| it.writer.is_some()),
        })
    );
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/extensions.md")).unwrap();
    let list = docs.split("```").nth(1).unwrap();
    for (name, _) in announced.as_object().unwrap() {
        assert!(list.contains(&format!("\"{name}\": ")), "the list in docs/extensions.md lacks {name}");
    }
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
fn a_document_is_exported_as_a_page_and_as_markdown() {
    let mut client = Client::start();
    client.open(URI, 1, "**User:**\nhello <b>\n\n<tool>f()\nok</tool>\n");
    client.expect_diagnostics(URI, 1);
    let export = |client: &mut Client, format: &str| {
        let params = json!({"textDocument": {"uri": URI}, "format": format});
        let id = client.request("chatls/export", params);
        client.expect_answer(json!(id))
    };
    let page = export(&mut client, "html");
    let text = page["result"]["text"].as_str().expect("a page");
    assert!(text.starts_with("<!doctype html>") && text.contains("hello &lt;b&gt;"), "{text}");
    assert_eq!(page["result"]["version"], 1);
    let markdown = export(&mut client, "markdown");
    assert_eq!(markdown["result"]["text"], "## User\n\nhello <b>\n\n- `f()` → `ok`\n");
    assert_eq!(export(&mut client, "pdf")["error"]["code"], -32602);
    client.finish();
}

#[test]
fn exports_and_requests_are_redacted_if_that_is_asked_for() {
    let mut client = Client::start();
    client.open(URI, 1, "**User:**\nzoe of /home/zoe/a, zoe@corp.com\n\n<tool>f()\nok</tool>\n");
    client.expect_diagnostics(URI, 1);
    let text = |client: &mut Client, method: &str, mut params: serde_json::Value| {
        params["textDocument"] = json!({"uri": URI});
        let id = client.request(method, params);
        client.expect_answer(json!(id))["result"]["text"].as_str().expect("a text").to_owned()
    };
    let expected = "user1 of /home/user1/a, user1@example.com";
    for (method, params) in [
        ("chatls/export", json!({"format": "html"})),
        ("chatls/export", json!({"format": "markdown"})),
        ("chatls/modelRequest", json!({"to": "anthropic"})),
    ] {
        let plain = text(&mut client, method, params.clone());
        assert!(plain.contains("zoe@corp.com") && !plain.contains("user1"), "{plain}");
        let mut redacting = params;
        redacting["redact"] = json!(true);
        let redacted = text(&mut client, method, redacting);
        assert!(redacted.contains(expected) && !redacted.contains("zoe"), "{redacted}");
    }
    client.finish();
}

#[test]
fn what_redaction_leaves_is_named() {
    let mut client = Client::start();
    let call = "```tool\n{\"toolName\": \"f\", \"input\": {\"zoe\": 1}, \"output\": 1}\n```\n";
    client.open(URI, 1, &format!("**User:** in /home/zoe/a\n\n**Assistant:**\n\n{call}"));
    client.expect_diagnostics(URI, 1);
    let left = "line 6: 1 word is left that is the name of a member or a tool, or the id of a call";
    let document = json!({"uri": URI});
    client.call("chatls/export", json!({"textDocument": document, "format": "markdown", "redact": true}));
    assert_eq!(client.shown(), left);
    let params = json!({"textDocument": document, "to": "ai-sdk", "redact": true});
    assert_eq!(client.call("chatls/modelRequest", params)["warnings"], json!([left]));
    client.finish();
}

#[test]
fn a_conversation_is_continued_by_a_request() {
    let mut client = Client::start();
    client.open(URI, 1, "**User:**\nhello\n\n**Assistant:**\n\n```tool\n{\"toolName\": \"f\", \"output\": \"x\"}\n```\n\n**User:** go on\n");
    client.expect_diagnostics(URI, 1);
    let request = |client: &mut Client, more: serde_json::Value| {
        let mut params = json!({"textDocument": {"uri": URI}});
        params.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        let id = client.request("chatls/modelRequest", params);
        client.expect_answer(json!(id))
    };
    let answer =
        request(&mut client, json!({"to": "anthropic", "model": "m", "maxTokens": 9, "stream": true}));
    let body: serde_json::Value = serde_json::from_str(answer["result"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(
        (&body["max_tokens"], &body["stream"], &body["model"]),
        (&json!(9), &json!(true), &json!("m"))
    );
    assert_eq!(body["messages"].as_array().map(Vec::len), Some(4));
    assert_eq!(answer["result"]["warnings"], json!([]));
    // Up to the cursor.
    let here = json!({"to": "openai", "position": {"line": 1, "character": 2}});
    let answer = request(&mut client, here);
    let body: serde_json::Value = serde_json::from_str(answer["result"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(body["messages"], json!([{"role": "user", "content": "hello"}]));
    let warning = answer["result"]["warnings"][0].as_str().unwrap();
    assert!(warning.contains("no model"), "{warning}");
    assert_eq!(request(&mut client, json!({"to": "smtp"}))["error"]["code"], -32602);
    client.finish();
}

#[test]
fn two_transcripts_are_compared() {
    let mut client = Client::start();
    client.open(URI, 1, "<tool>f(a=1)\nok</tool>\n\n<tool>g()\nx</tool>\n");
    client.expect_diagnostics(URI, 1);
    let other = json!({"uri": "file:///other.md", "text": "text\n\n<tool>f(a=2)\nok</tool>\n"});
    let id = client.request("chatls/compare", json!({"textDocument": {"uri": URI}, "other": other}));
    let answer = client.expect_answer(json!(id));
    let found = &answer["result"];
    assert_eq!((&found["isSame"], &found["version"]), (&json!(false), &json!(1)));
    let pair = &found["pairs"][0];
    assert_eq!((&pair["by"], &pair["left"]["label"]), (&json!("order"), &json!("f(a=1)")));
    assert_eq!(pair["right"]["range"], range((2, 0), (3, 9)));
    assert_eq!(pair["differences"], json!([{"path": "input.a", "left": "1", "right": "2"}]));
    assert_eq!(found["onlyLeft"][0]["toolName"], "g");
    assert_eq!(found["onlyRight"], json!([]));
    assert!(found["leftText"].as_str().expect("text").starts_with("f #1\nstate: "), "{found}");
    client.finish();
}

#[test]
fn a_document_that_is_not_open_is_an_error() {
    let mut client = Client::start();
    for method in ["chatls/toolUses", "chatls/transcript", "chatls/events", "chatls/foldingRanges"] {
        let id = client.request(method, json!({"textDocument": {"uri": URI}}));
        assert_eq!(client.expect_answer(json!(id))["error"]["code"], -32602, "{method}");
    }
    client.finish();
}

#[test]
fn a_part_of_a_document_comes_with_the_size_of_the_whole() {
    let folding = json!({"lineFoldingOnly": true, "foldingRange": {"collapsedText": true}});
    let (mut client, _) = Client::with_capabilities(json!({"textDocument": {"foldingRange": folding}}));
    client.open(URI, 3, TEXT);
    client.expect_diagnostics(URI, 3);
    let mut part = |method: &str, first: u32, last: u32| {
        client.call(method, json!({"textDocument": {"uri": URI}, "range": range((first, 0), (last, 0))}))
    };
    let fold = |first: u32, last: u32, label: &str| json!({"startLine": first, "endLine": last, "kind": "region", "collapsedText": label});
    let whole = part("chatls/foldingRanges", 0, 99);
    let total = whole["ranges"].as_array().unwrap().len();
    assert_eq!((&whole["version"], &whole["total"]), (&json!(3), &json!(total)));
    let found = part("chatls/foldingRanges", 7, 7);
    assert_eq!(found["total"], json!(total));
    let labelled: Vec<_> =
        found["ranges"].as_array().unwrap().iter().filter(|it| it["kind"] == "region").collect();
    assert_eq!(labelled, [&fold(2, 7, "🔧 2 tool calls · 1 failed"), &fold(5, 7, "🔧 b() ✗ no")]);
    let drawn = part("chatls/transcript", 0, 1);
    assert_eq!((&drawn["before"], &drawn["messages"][0]["name"]), (&json!(0), &json!("User")));
    assert_eq!(drawn["messages"][0]["items"].as_array().unwrap().len(), 1);
    let drawn = part("chatls/transcript", 8, 8);
    assert_eq!(drawn["before"], json!(1));
    assert_eq!(drawn["messages"][0]["items"].as_array().unwrap().len(), 1);
    client.finish();
}

#[test]
fn the_next_tool_use_comes_without_the_others() {
    let (mut client, _) = Client::with_capabilities(json!({}));
    client.open(URI, 3, TEXT);
    client.expect_diagnostics(URI, 3);
    let mut next = |line: u32, more: Value| {
        let mut params = json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": 0}});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.call("chatls/nextToolUse", params)
    };
    assert_eq!(
        next(0, json!({"count": 1})),
        json!({"version": 3, "total": 2, "toolUse": {
            "index": 0, "wrapped": false, "label": "🔧 a(p=1) → x", "status": "done",
            "range": range((2, 3), (3, 8)), "selectionRange": range((2, 9), (2, 10)),
        }})
    );
    let failed = next(0, json!({"count": 1, "status": "failed"}));
    assert_eq!((&failed["total"], &failed["toolUse"]["label"]), (&json!(1), &json!("🔧 b() ✗ no")));
    assert_eq!(next(8, json!({"count": 1})), json!({"version": 3, "total": 2}));
    let wrapped = next(8, json!({"count": 1, "wrap": true}));
    assert_eq!((&wrapped["toolUse"]["index"], &wrapped["toolUse"]["wrapped"]), (&json!(0), &json!(true)));
    client.finish();
}
