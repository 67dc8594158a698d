//! `chatls.repair` through the real process: as a command and as a code action.

use serde_json::{Value, json};

use super::client::{Client, range};

const LOG: &str = "file:///project/session.jsonl";
const CALL: &str = r#"{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
const USER: &str = r#"{"role":"user","content":"go on"}"#;
const ADDED: &str =
    r#"{"role":"tool","tool_call_id":"a","content":"error: no result was recorded for this call"}"#;
const PLAN: &str = "1 change: Add a result that says that none was recorded (line 1)";

fn capabilities(annotations: bool) -> Value {
    let literals = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}});
    let mut edits = json!({"documentChanges": true});
    if annotations {
        edits["changeAnnotationSupport"] = json!({"groupsOnLabel": true});
    }
    json!({
        "textDocument": {"codeAction": literals},
        "workspace": {"applyEdit": true, "workspaceEdit": edits},
        "window": {"showMessage": {}},
    })
}

fn open(capabilities: Value, text: &str) -> Client {
    let (mut client, _) = Client::with_capabilities(capabilities);
    let item = json!({"uri": LOG, "languageId": "jsonl", "version": 3, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.expect_diagnostics(LOG, 3);
    client
}

fn repair(client: &mut Client) -> i64 {
    let params = json!({"command": "chatls.repair", "arguments": [{"uri": LOG}]});
    client.request("workspace/executeCommand", params)
}

/// Answers the next request of the server, and returns its params.
fn asked(client: &mut Client, method: &str, answer: Value) -> Value {
    let request = client.take(method, |it| it["method"] == method);
    client.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": answer}));
    request["params"].clone()
}

fn message(client: &mut Client) -> String {
    let shown = client.take("a message", |it| it["method"] == "window/showMessage");
    shown["params"]["message"].as_str().unwrap().to_owned()
}

fn insertion() -> Value {
    let end = (0, u32::try_from(CALL.len()).unwrap());
    json!({"range": range(end, end), "newText": format!("\n{ADDED}")})
}

#[test]
fn a_client_without_a_preview_is_asked_first() {
    let mut client = open(capabilities(false), &format!("{CALL}\n{USER}\n"));
    let id = repair(&mut client);
    let question = asked(&mut client, "window/showMessageRequest", json!({"title": "Cancel"}));
    assert_eq!(question["message"], format!("Repair `session.jsonl` with {PLAN}"));
    assert_eq!(client.expect_result(id), Value::Null);
    let id = repair(&mut client);
    asked(&mut client, "window/showMessageRequest", json!({"title": "Repair"}));
    let params = asked(&mut client, "workspace/applyEdit", json!({"applied": true}));
    let document = json!({"uri": LOG, "version": 3});
    let expected = json!({"documentChanges": [{"textDocument": document, "edits": [insertion()]}]});
    assert_eq!(params["edit"], expected);
    assert_eq!(client.expect_result(id), Value::Null);
    let made = "session.jsonl: 1 change made: Add a result that says that none was recorded (line 1)";
    assert_eq!(message(&mut client), made);
    client.finish();
}

#[test]
fn a_client_with_a_preview_gets_annotated_edits() {
    let mut client = open(capabilities(true), &format!("{CALL}\n{USER}\n"));
    let id = repair(&mut client);
    let params = asked(&mut client, "workspace/applyEdit", json!({"applied": false}));
    let annotation =
        json!({"label": "Repair the conversation", "needsConfirmation": true, "description": PLAN});
    assert_eq!(params["edit"]["changeAnnotations"], json!({"all": annotation}));
    let mut edit = insertion();
    edit["annotationId"] = json!("all");
    assert_eq!(params["edit"]["documentChanges"][0]["edits"], json!([edit]));
    // The user has rejected it.
    assert_eq!(client.expect_result(id), Value::Null);
    assert_eq!(message(&mut client), "session.jsonl: nothing was changed");
    client.finish();
}

#[test]
fn the_action_is_offered_for_logs_that_need_it() {
    let actions = |text: &str, context: Value| {
        let mut client = open(capabilities(true), text);
        let place = range((0, 0), (0, 0));
        let params = json!({"textDocument": {"uri": LOG}, "range": place, "context": context});
        let mut actions = client.call("textDocument/codeAction", params).as_array().unwrap().clone();
        client.finish();
        actions.retain(|action| action["kind"] == "source.repair.chatls");
        actions
    };
    let broken = format!("{CALL}\n{USER}\n");
    let offered = actions(&broken, json!({"diagnostics": []}));
    assert_eq!(offered[0]["title"], "Repair the conversation");
    let argument = json!({"uri": LOG, "version": 3});
    assert_eq!(offered[0]["command"]["command"], "chatls.repair");
    assert_eq!(offered[0]["command"]["arguments"], json!([argument]));
    assert_eq!(actions(&broken, json!({"diagnostics": [], "only": ["source"]})).len(), 1);
    // Neither for the light bulb, nor for the fixes on saving.
    assert!(actions(&broken, json!({"diagnostics": [], "triggerKind": 2})).is_empty());
    assert!(actions(&broken, json!({"diagnostics": [], "only": ["source.fixAll"]})).is_empty());
    let whole = format!("{CALL}\n{ADDED}\n{USER}\n");
    assert!(actions(&whole, json!({"diagnostics": []})).is_empty());
    let mut client = open(capabilities(true), &whole);
    let id = repair(&mut client);
    assert_eq!(client.expect_result(id), Value::Null);
    assert_eq!(message(&mut client), "session.jsonl: nothing to repair");
    client.finish();
}

#[test]
fn the_changes_can_be_chosen() {
    let orphan = r#"{"role":"tool","tool_call_id":"lost","content":"x"}"#;
    let mut client = open(capabilities(true), &format!("{CALL}\n{USER}\n{orphan}\n"));
    let ask = |client: &mut Client, only: Value| {
        let mut params = json!({"textDocument": {"uri": LOG}});
        if !only.is_null() {
            params["only"] = only;
        }
        client.call("chatls/repair", params)
    };
    let all = ask(&mut client, Value::Null);
    assert_eq!(all["version"], 3);
    let changes = all["changes"].as_array().unwrap();
    assert_eq!(
        changes[0],
        json!({"title": "Add a result that says that none was recorded", "count": 1, "lines": "line 1"})
    );
    assert_eq!(changes.len(), 2);
    assert!(all["outcome"].as_str().unwrap().starts_with("2 changes made: "), "{all}");
    let one = ask(&mut client, json!([changes[0]["title"]]));
    assert_eq!(one["changes"], json!([changes[0]]));
    assert_eq!(one["edits"], json!([insertion()]));
    assert_eq!(ask(&mut client, json!([]))["edits"], json!([]));
    client.finish();
}
