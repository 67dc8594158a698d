//! Requests: folding options, cancelling, slow ones, and panics.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, URI, codes};
use crate::cli::run::Folder;

const FENCE: &str = "```tool\n{\"state\": \"done\"}\n```\n\ntext\n";
const CANCELLED: i64 = -32800;

fn folding(options: Value) -> Value {
    json!({"textDocument": {"foldingRange": options}})
}

#[test]
fn folds_follow_the_clients_capabilities() {
    let cases = [
        (json!({}), true, false),
        (json!({"lineFoldingOnly": true, "foldingRange": {"collapsedText": true}}), true, true),
        (json!({"foldingRange": {"collapsedText": false}}), true, false),
        (json!({"foldingRangeKind": {"valueSet": ["comment", "region"]}}), true, false),
        (json!({"foldingRangeKind": {"valueSet": ["comment"]}}), false, false),
    ];
    for (options, region, text) in cases {
        let (mut client, _) = Client::with_capabilities(folding(options.clone()));
        client.open(URI, 1, FENCE);
        client.expect_diagnostics(URI, 1);
        let folds = client.folds(URI);
        assert_eq!(folds.as_array().unwrap().len(), 1, "{options}");
        let fold = folds[0].as_object().unwrap();
        assert_eq!((&fold["startLine"], &fold["endLine"]), (&json!(0), &json!(2)), "{options}");
        assert_eq!(fold.get("kind"), region.then(|| json!("region")).as_ref(), "{options}");
        assert_eq!(fold.contains_key("collapsedText"), text, "{options}");
        if text {
            assert!(fold["collapsedText"].as_str().unwrap().starts_with("🔧 "), "{fold:?}");
        }
        client.finish();
    }
}

#[test]
fn only_tool_calls_are_regions() {
    let (mut client, _) =
        Client::with_capabilities(folding(json!({"foldingRange": {"collapsedText": true}})));
    let function = json!({"name": "f", "arguments": "{}"});
    let messages = json!([
        {"role": "user", "content": "text"},
        {"role": "assistant", "tool_calls": [{"id": "a", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "a", "content": "text"},
    ]);
    let (uri, text) = ("file:///d/a.chat.json", serde_json::to_string_pretty(&messages).unwrap());
    let item = json!({"uri": uri, "languageId": "json", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.expect_diagnostics(uri, 1);
    let folds = client.folds(uri);
    let labels = folds.as_array().unwrap().iter().filter_map(|fold| {
        let label = fold["collapsedText"].as_str()?;
        Some((label.starts_with('🔧'), fold["kind"] == "region"))
    });
    let labels: Vec<_> = labels.collect();
    assert!(labels.contains(&(true, true)) && labels.contains(&(false, false)), "{folds}");
    assert!(labels.iter().all(|(is_call, is_region)| is_call == is_region), "{folds}");
    client.finish();
}

#[test]
fn the_range_limit_is_respected() {
    let (mut client, _) = Client::with_capabilities(folding(json!({"rangeLimit": 3})));
    client.open(URI, 1, &FENCE.repeat(10));
    client.expect_diagnostics(URI, 1);
    assert_eq!(client.folds(URI).as_array().unwrap().len(), 3);
    client.finish();
}

fn sleep(client: &mut Client, uri: &str, millis: u64) -> i64 {
    client.request("chatls/test/sleep", json!({"textDocument": {"uri": uri}, "millis": millis}))
}

#[test]
fn a_slow_request_delays_no_other_and_can_be_cancelled() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    let start = Instant::now();
    let slow = [sleep(&mut client, URI, 60_000), sleep(&mut client, URI, 60_000)];
    client.change(URI, 2, json!([{"text": FENCE}]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 2)).len(), 1);
    assert_eq!(client.folds(URI).as_array().unwrap().len(), 1);
    // Responses come in the order of completion.
    let (long, short) = (sleep(&mut client, URI, 300), sleep(&mut client, URI, 0));
    let first = client.take("an answer", |it| it["id"] == long || it["id"] == short);
    assert_eq!(first["id"], short);
    client.expect_result(long);
    for id in slow {
        client.notify("$/cancelRequest", json!({"id": id}));
        assert_eq!(client.expect_error(id), CANCELLED);
    }
    // There is nothing left to cancel.
    client.notify("$/cancelRequest", json!({"id": slow[0]}));
    client.notify("$/cancelRequest", json!({"id": "never"}));
    client.notify("$/cancelRequest", json!({}));
    assert!(start.elapsed() < Duration::from_secs(30));
    // A sleeping request must not keep the process alive either.
    client.finish();
}

#[test]
fn any_number_of_slow_requests_delays_no_diagnostics() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    let slow: Vec<_> = (0..100).map(|_| sleep(&mut client, URI, 60_000)).collect();
    client.change(URI, 2, json!([{"text": FENCE}]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 2)).len(), 1);
    client.open("untitled:b", 1, FENCE);
    assert_eq!(codes(&client.expect_diagnostics("untitled:b", 1)).len(), 1);
    // They stop at once, and make way for others.
    for id in slow {
        client.notify("$/cancelRequest", json!({"id": id}));
        assert_eq!(client.expect_error(id), CANCELLED);
    }
    assert_eq!(client.folds(URI).as_array().unwrap().len(), 1);
    client.finish();
}

#[test]
fn an_id_in_use_is_an_error() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    let params = json!({"textDocument": {"uri": URI}, "millis": 500});
    for _ in 0..2 {
        client.send(json!({"jsonrpc": "2.0", "id": "a", "method": "chatls/test/sleep", "params": params}));
    }
    assert_eq!(client.expect_error("a"), -32600);
    assert_eq!(client.expect_answer(json!("a"))["result"], Value::Null);
    client.finish();
}

#[test]
fn unknown_requests_are_errors_and_unknown_notifications_ignored() {
    let mut client = Client::start();
    client.notify("nothing", json!({}));
    client.notify("$/nothing", json!({}));
    for method in ["nothing", "$/nothing", "textDocument/moniker"] {
        let id = client
            .request(method, json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}));
        assert_eq!(client.expect_error(id), -32601, "{method}");
    }
    client.finish();
}

#[test]
fn a_panic_answers_one_request() {
    let mut client = Client::start();
    client.open(URI, 1, FENCE);
    client.expect_diagnostics(URI, 1);
    let id = client.request("chatls/test/panic", json!({"where": "request"}));
    assert_eq!(client.expect_error(id), -32603);
    client.expect_log("a bug in chatls");
    let id = client
        .request("chatls/test/sleep", json!({"textDocument": {"uri": URI}, "millis": 0, "panics": true}));
    assert_eq!(client.expect_error(id), -32603);
    client.expect_log("a bug in chatls");
    assert_eq!(client.folds(URI).as_array().unwrap().len(), 1);
    client.finish();
}

#[test]
fn a_panic_in_an_edit_loses_nothing() {
    let mut client = Client::start();
    client.open(URI, 1, FENCE);
    client.expect_diagnostics(URI, 1);
    client.call("chatls/test/panic", json!({"where": "edit"}));
    client.change(URI, 2, json!([{"text": FENCE}, {"text": FENCE.repeat(2)}]));
    // Answered in order, although the text is being parsed again.
    client.change(URI, 3, json!([{"text": FENCE.repeat(3)}]));
    let folds = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": URI}}));
    client.change(URI, 4, json!([{"text": FENCE.repeat(4)}]));
    assert_eq!(client.expect_result(folds).as_array().unwrap().len(), 3);
    assert_eq!(codes(&client.expect_diagnostics(URI, 4)).len(), 4);
    client.expect_log("a bug in chatls");
    client.expect_log("parsed again from its text");

    client.call("chatls/test/panic", json!({"where": "edit"}));
    client.change(URI, 5, json!([{"text": FENCE.repeat(5)}]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 5)).len(), 5);
    client.expect_log("a bug in chatls");
    client.expect_log("parsed again from its text");
    client.finish();
}

#[test]
fn a_panic_in_diagnostics_loses_nothing() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    client.call("chatls/test/panic", json!({"where": "diagnostics"}));
    client.change(URI, 2, json!([{"text": FENCE}]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 2)).len(), 1);
    client.expect_log("a bug in chatls");
    client.finish();
}

#[test]
fn a_panic_in_a_scan_loses_no_closed_document() {
    let folder = Folder::new("scan-panic", &[("a.md", FENCE.as_bytes()), ("b.md", FENCE.as_bytes())]);
    let (a, b) = (folder.uri("a.md"), folder.uri("b.md"));
    let mut client = Client::silent();
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    client.initialize(json!({"capabilities": capabilities, "rootUri": folder.uri("")}));
    client.open(&a, 1, FENCE);
    client.open(&b, 1, FENCE);
    let pulled = client.call("textDocument/diagnostic", json!({"textDocument": {"uri": a}}));
    assert_eq!(pulled["items"].as_array().unwrap().len(), 1);
    client.close(&a);
    std::fs::remove_file(folder.path.join("a.md")).unwrap();
    client.call("chatls/test/panic", json!({"where": "scan"}));
    let mut scan = || client.call("workspace/diagnostic", json!({"previousResultIds": []}))["items"].clone();
    // The report of the open document was made before the panic.
    let (first, second) = (scan(), scan());
    assert_eq!((first[0]["uri"].as_str(), &first[1]), (Some(&*b), &Value::Null));
    assert_eq!((second[1]["uri"].as_str(), &second[1]["items"]), (Some(&*a), &json!([])));
    client.expect_log("a bug in chatls");
    client.finish();
}

#[test]
fn the_process_ends_with_its_main_loop() {
    let mut client = Client::start();
    let id = client.request("chatls/test/panic", json!({"where": "loop"}));
    client.expect_result(id);
    client.expect_log("a bug in chatls");
    client.expect_exit(1);
}

#[test]
fn harmful_requests_exist_only_in_tests() {
    let mut client = Client::untested();
    for method in ["chatls/test/panic", "chatls/test/sleep"] {
        let id = client.request(method, json!({"where": "request"}));
        assert_eq!(client.expect_error(id), -32601);
    }
    client.finish();
}
