//! Document synchronization: encodings, line ends, schemes, order, versions, and invalid changes.

use serde_json::{Value, json};

use super::client::{Client, URI, codes, range};

const FENCE: &str = "```tool\n{\"state\": \"done\"}\n```\n";

fn bad_state(start: (u32, u32), end: (u32, u32)) -> Vec<(String, Value)> {
    vec![("bad-state".to_owned(), range(start, end))]
}

#[test]
fn a_bad_state_is_found_at_its_value() {
    let mut client = Client::start();
    client.open(URI, 1, FENCE);
    let found = client.expect_diagnostics(URI, 1);
    assert_eq!(codes(&found), bad_state((1, 10), (1, 16)));
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "chatls");
    assert!(found[0]["message"].as_str().unwrap().contains("done"));
    client.finish();
}

#[test]
fn columns_are_counted_as_negotiated() {
    let offers = [
        (json!(["utf-8"]), "utf-8", 17),
        (json!(["utf-32", "utf-16"]), "utf-32", 14),
        (json!(["utf-7", "utf-16", "utf-8"]), "utf-16", 15),
        (json!([]), "utf-16", 15),
        (Value::Null, "utf-16", 15),
    ];
    for (offer, chosen, column) in offers {
        let (mut client, result) =
            Client::with_capabilities(json!({"general": {"positionEncodings": offer}}));
        assert_eq!(result["capabilities"]["positionEncoding"], chosen);
        let text = "```tool\r\n{\"👍\":0,\"state\": \"\"}\r\n```\r\n";
        client.open(URI, 1, text);
        client.expect_diagnostics(URI, 1);
        // Between the quotes of the empty state, and at a column past the line's end.
        let inside = column + 3;
        let changes = json!([
            {"range": range((1, inside), (1, inside)), "text": "done"},
            {"range": range((2, 99), (2, 99)), "text": " "},
        ]);
        client.change(URI, 2, changes);
        let found = codes(&client.expect_diagnostics(URI, 2));
        assert_eq!(found, bad_state((1, inside - 1), (1, inside + 5)), "{chosen}");
        client.finish();
    }
}

#[test]
fn line_ends_are_those_of_lsp() {
    let mut client = Client::start();
    for (version, line_end) in (1..).zip(["\n", "\r\n", "\r"]) {
        // Vertical tab, form feed, next line and Unicode separators end no line.
        let text = format!("\u{b}\u{c}\u{85}\u{2028}\u{2029}\n{FENCE}").replace('\n', line_end);
        let uri = format!("untitled:{version}");
        client.open(&uri, version, &text);
        assert_eq!(codes(&client.expect_diagnostics(&uri, version)), bad_state((2, 10), (2, 16)));
        client.close(&uri);
        assert_eq!(client.expect_diagnostics(&uri, version), json!([]));
    }
    client.finish();
}

#[test]
fn documents_may_have_any_scheme() {
    let mut client = Client::start();
    let uris = [
        "untitled:Untitled-1",
        "vscode-notebook-cell:/work/a.ipynb#W0sZmlsZQ%3D%3D",
        "file:///c%3A/work/a%20b.md",
        "inmemory://model/1",
        "vscode-vfs://github/o/r/chat.md?x=1",
        "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66",
        // These have several spellings; a client compares with its own.
        "file:///tmp/é.md",
        "file:///tmp/a%40b.md",
        "file:///tmp/a@b.md",
        "FILE:///tmp/a b.md",
        "file:///tmp/x/../y.md",
        "file://localhost/tmp/z.md",
        "http://example.com:80",
    ];
    for uri in uris {
        client.open(uri, 1, FENCE);
        assert_eq!(codes(&client.expect_diagnostics(uri, 1)), bad_state((1, 10), (1, 16)));
    }
    for uri in uris {
        assert_ne!(client.folds(uri), json!([]));
    }
    for uri in uris {
        client.close(uri);
        assert_eq!(client.expect_diagnostics(uri, 1), json!([]));
    }
    client.finish();
}

#[test]
fn two_documents_do_not_mix() {
    let mut client = Client::start();
    client.open("untitled:a", 1, FENCE);
    client.open("untitled:b", 7, "");
    assert_eq!(codes(&client.expect_diagnostics("untitled:a", 1)).len(), 1);
    assert_eq!(client.expect_diagnostics("untitled:b", 7), json!([]));
    client.change("untitled:b", 8, json!([{"text": FENCE}]));
    client.change("untitled:a", 2, json!([{"text": ""}]));
    assert_eq!(codes(&client.expect_diagnostics("untitled:b", 8)).len(), 1);
    assert_eq!(client.expect_diagnostics("untitled:a", 2), json!([]));
    client.finish();
}

#[test]
fn edits_sent_without_waiting_apply_in_order() {
    let mut client = Client::start();
    client.open(URI, 0, "");
    let (mut line, mut column) = (0, 0);
    let mut version = 0;
    for character in FENCE.repeat(20).chars() {
        version += 1;
        let at = range((line, column), (line, column));
        client.change(URI, version, json!([{"range": at, "text": character}]));
        (line, column) = if character == '\n' { (line + 1, 0) } else { (line, column + 1) };
        // Requests in between see the preceding changes, and delay nothing.
        if character == '\n' && line % 3 == 0 {
            let folds = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": URI}}));
            assert!(!client.expect_result(folds).as_array().unwrap().is_empty());
        }
    }
    let expected: Vec<_> = (0..20).flat_map(|n| bad_state((3 * n + 1, 10), (3 * n + 1, 16))).collect();
    assert_eq!(codes(&client.expect_diagnostics(URI, version)), expected);
    client.finish();
}

#[test]
fn changes_of_one_notification_apply_in_order() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    let changes = json!([
        {"text": "ab"},
        {"range": range((0, 1), (0, 2)), "text": "```\n"},
        {"range": range((0, 0), (0, 1)), "text": "```tool\n"},
        {"range": range((1, 0), (1, 0)), "text": "{\"state\": \"done\"}\n"},
    ]);
    client.change(URI, 2, changes);
    assert_eq!(codes(&client.expect_diagnostics(URI, 2)), bad_state((1, 10), (1, 16)));
    client.finish();
}

#[test]
fn a_large_replacement_takes_its_turn() {
    let mut client = Client::start();
    client.open(URI, 1, FENCE);
    client.expect_diagnostics(URI, 1);
    // It is parsed in the pool; the messages after it wait.
    let large = format!("{}{FENCE}", "text\n\n".repeat(100_000));
    client.change(URI, 2, json!([{"text": large}]));
    let folds = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": URI}}));
    client.change(URI, 3, json!([{"range": range((0, 0), (0, 0)), "text": FENCE}]));
    client.change(URI, 4, json!([{"text": ""}]));
    let none = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": URI}}));
    assert_eq!(client.expect_result(folds).as_array().unwrap().len(), 1);
    assert_eq!(client.expect_result(none), json!([]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 4)), []);
    client.finish();
}

#[test]
fn an_equal_new_version_is_published() {
    let mut client = Client::start();
    client.open(URI, 1, FENCE);
    let first = client.expect_diagnostics(URI, 1);
    client.change(URI, 2, json!([]));
    assert_eq!(client.expect_diagnostics(URI, 2), first);
    client.change(URI, 3, json!([{"text": FENCE}]));
    assert_eq!(client.expect_diagnostics(URI, 3), first);
    client.finish();
}

#[test]
fn invalid_changes_are_logged_and_ignored() {
    let mut client = Client::start();
    client.open(URI, 5, FENCE);
    client.expect_diagnostics(URI, 5);
    client.change("untitled:other", 1, json!([{"text": ""}]));
    client.expect_log("not open");
    client.close("untitled:other");
    client.expect_log("not open");
    client.change(URI, 4, json!([{"text": ""}]));
    client.expect_log("older version");
    client.notify("textDocument/didChange", json!({"textDocument": {"uri": URI}, "contentChanges": 7}));
    client.expect_log("invalid params");
    client.notify("textDocument/didOpen", json!({"textDocument": {"uri": "no URI"}}));
    client.expect_log("invalid params");
    let id = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": "untitled:other"}}));
    assert_eq!(client.expect_error(id), -32602);
    client.change(URI, 6, json!([{"range": range((0, 0), (0, 0)), "text": "\n"}]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 6)), bad_state((2, 10), (2, 16)));
    client.open(URI, 1, FENCE);
    client.expect_log("opened twice");
    assert_eq!(codes(&client.expect_diagnostics(URI, 1)), bad_state((1, 10), (1, 16)));
    client.finish();
}

#[test]
fn half_a_surrogate_pair_is_one_character() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    // JavaScript strings may be cut there, and their JSON contains the half.
    let text = r#""```tool\n{\"a\": \"\ud83d\", \"state\": \"done\"}\n```\n""#;
    let change = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didChange","params":{{"textDocument":{{"uri":"{URI}","version":2}},
            "contentChanges":[{{"text":{text}}}]}}}}"#
    );
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{change}", change.len()).as_bytes());
    assert_eq!(codes(&client.expect_diagnostics(URI, 2)), bad_state((1, 20), (1, 26)));
    client.finish();
}

#[test]
fn an_unreadable_change_is_reported_as_lost() {
    let mut client = Client::start();
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    let change = r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"#;
    client.send_bytes(format!("Content-Length: {}\r\n\r\n{change}", change.len()).as_bytes());
    assert_eq!(client.expect_error(Value::Null), -32700);
    client.expect_log("could not be read");
    client.finish();
}

#[test]
fn positions_outside_of_the_text_are_clamped() {
    let mut client = Client::start();
    client.open(URI, 1, "x");
    let far = u32::MAX;
    client.change(URI, 2, json!([{"range": range((far, far), (far, far)), "text": "\n"}]));
    // A reversed range means the range between its ends.
    client.change(URI, 3, json!([{"range": range((1, 9), (0, 0)), "text": FENCE}]));
    assert_eq!(codes(&client.expect_diagnostics(URI, 3)), bad_state((1, 10), (1, 16)));
    client.finish();
}

/// The language of a text without a known name is that of its first lines, also after an edit.
#[test]
fn a_text_becomes_a_log_and_a_transcript_again() {
    let mut client = Client::start();
    let log = r#"{"type":"tool-input-available","toolCallId":"a","toolName":"f","input":{}}"#;
    let uses = |client: &mut Client, version: i32| {
        client.expect_diagnostics("untitled:a", version);
        let uses = client.call("chatls/toolUses", json!({"textDocument": {"uri": "untitled:a"}}));
        (uses["counts"]["toolUses"].as_u64(), uses["counts"]["failed"].as_u64())
    };
    let opened = json!({"uri": "untitled:a", "languageId": "plaintext", "version": 1, "text": ""});
    client.notify("textDocument/didOpen", json!({"textDocument": opened}));
    client.expect_diagnostics("untitled:a", 1);
    client.change("untitled:a", 2, json!([{"range": range((0, 0), (0, 0)), "text": log}]));
    assert_eq!(uses(&mut client, 2), (Some(1), Some(0)));
    // A change that is parsed in the pool.
    let text = format!("{FENCE}{}", "a\n\n".repeat(30_000));
    client.change("untitled:a", 3, json!([{"text": text}]));
    assert_eq!(uses(&mut client, 3), (Some(1), Some(0)));
    client.change("untitled:a", 4, json!([{"text": format!("{log}\n").repeat(2_000)}]));
    assert_eq!(uses(&mut client, 4).0, Some(1));
    client.change(
        "untitled:a",
        5,
        json!([{"range": range((0, 0), (2_000, 0)), "text": format!("{FENCE}{FENCE}")}]),
    );
    assert_eq!(uses(&mut client, 5).0, Some(2));
    // A record that is being typed is one.
    client.change("untitled:a", 6, json!([{"text": format!("{log}\n")}]));
    assert_eq!(uses(&mut client, 6).0, Some(1));
    client.change("untitled:a", 7, json!([{"range": range((0, 0), (0, 0)), "text": "{\"ty\n"}]));
    assert_eq!(uses(&mut client, 7).0, Some(1));
    client.finish();
}

/// A log that is one value in several lines is JSON, also while a key in it is being typed.
#[test]
fn a_log_that_is_laid_out_stays_json() {
    let mut client = Client::start();
    let text = concat!(
        "[\n  {\n    \"role\": \"assistant\",\n    \"content\": [\n",
        "      {\"type\": \"tool_use\", \"id\": \"a\",\n       \"name\": \"f\", \"input\": {}}\n    ]\n  }\n]\n",
    );
    let uri = "file:///a.jsonl";
    let opened = json!({"uri": uri, "languageId": "jsonl", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": opened}));
    client.expect_diagnostics(uri, 1);
    client.change(uri, 2, json!([{"range": range((1, 3), (1, 3)), "text": "\"a"}]));
    client.expect_diagnostics(uri, 2);
    let uses = client.call("chatls/toolUses", json!({"textDocument": {"uri": uri}}));
    assert_eq!(uses["counts"]["toolUses"], 1);
    client.finish();
}
