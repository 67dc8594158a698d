//! `chatls.convertConversation` through the real process: as a command and as code actions.

use serde_json::{Value, json};

use super::client::{Client, range};

const DOCUMENT: &str = "file:///project/a.chat.json";
const TEXT: &str = r#"{"messages": [{"role": "user", "content": "q"},
  {"role": "assistant", "content": null, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "a", "content": "1"}]}
"#;

fn open(asks: bool, text: &str) -> Client {
    let literals = json!({"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [""]}}});
    let window = if asks { json!({"showMessage": {}}) } else { json!({}) };
    let (mut client, _) = Client::with_capabilities(json!({
        "textDocument": {"codeAction": literals},
        "workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": true}},
        "window": window,
    }));
    let item = json!({"uri": DOCUMENT, "languageId": "json", "version": 3, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.expect_diagnostics(DOCUMENT, 3);
    client
}

fn convert(client: &mut Client, argument: Value) -> i64 {
    client.request(
        "workspace/executeCommand",
        json!({"command": "chatls.convertConversation", "arguments": [argument]}),
    )
}

/// Answers the next request of the server, and returns its params.
fn asked(client: &mut Client, method: &str, answer: Value) -> Value {
    let request = client.take(method, |it| it["method"] == method);
    client.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": answer}));
    request["params"].clone()
}

#[test]
fn the_user_chooses_the_form() {
    let mut client = open(true, TEXT);
    let id = convert(&mut client, json!({"uri": DOCUMENT}));
    let answer = json!({"title": "messages of the Anthropic API"});
    let question = asked(&mut client, "window/showMessageRequest", answer);
    assert_eq!(question["message"], "Convert the conversation to which form?");
    let params = asked(&mut client, "workspace/applyEdit", json!({"applied": true}));
    let edit = &params["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(edit["range"], range((0, 0), (3, 0)));
    let written: Value = serde_json::from_str(edit["newText"].as_str().unwrap()).unwrap();
    assert_eq!(written["messages"][1]["content"][0]["type"], "tool_use");
    assert_eq!(client.expect_result(id), Value::Null);
    client.finish();
}

#[test]
fn a_client_that_cannot_ask_names_the_form() {
    let mut client = open(false, TEXT);
    let id = convert(&mut client, json!({"uri": DOCUMENT}));
    asked(&mut client, "window/showMessageRequest", Value::Null);
    let error = client.take("an answer", |it| it["id"] == id)["error"]["message"].clone();
    let expected = "no form was chosen: give `to`, one of `openai`, ";
    assert!(error.as_str().unwrap().starts_with(expected), "{error}");
    client.finish();
}

#[test]
fn losses_are_confirmed_first() {
    let text = TEXT.replace(r#""content": null"#, r#""reasoning_content": "hm", "content": null"#);
    let mut client = open(true, &text);
    let id = convert(&mut client, json!({"uri": DOCUMENT, "to": "sharegpt"}));
    let question = asked(&mut client, "window/showMessageRequest", json!({"title": "Cancel"}));
    let message = question["message"].as_str().unwrap();
    assert!(message.starts_with("Converting the conversation to messages of ShareGPT drops"), "{message}");
    assert_eq!(client.expect_result(id), Value::Null);
    client.finish();
}

#[test]
fn each_form_is_an_action_for_clients_that_cannot_ask() {
    let actions = |asks: bool, text: &str| -> Vec<Value> {
        let mut client = open(asks, text);
        let params = json!({"textDocument": {"uri": DOCUMENT}, "range": range((0, 0), (0, 0)), "context": {"diagnostics": []}});
        let mut actions = client.call("textDocument/codeAction", params).as_array().unwrap().clone();
        client.finish();
        actions.retain(|action| action["command"]["command"] == "chatls.convertConversation");
        actions
    };
    let one = actions(true, TEXT);
    assert_eq!((one.len(), &one[0]["title"]), (1, &json!("Convert the conversation…")));
    assert_eq!(one[0]["kind"], "refactor.rewrite");
    let all = actions(false, TEXT);
    assert_eq!(all.len(), 6);
    assert_eq!(all[0]["title"], "Convert the conversation to messages of OpenAI chat completions");
    assert_eq!(all[0]["command"]["arguments"][0]["to"], "openai");
    assert!(actions(true, "{\"name\": \"x\"}").is_empty());
}

#[test]
fn several_conversations_are_refused() {
    let text = format!("[{},\n{}]", TEXT.trim_end(), TEXT.trim_end());
    let mut client = open(true, &text);
    let id = convert(&mut client, json!({"uri": DOCUMENT, "to": "anthropic"}));
    let error = client.take("an error", |it| it["id"] == id);
    let message = error["error"]["message"].as_str().unwrap();
    assert!(message.contains("several conversations"), "{message}");
    client.finish();
}

#[test]
fn a_conversation_is_converted_for_another_document() {
    let mut client = open(true, TEXT);
    let mut converted =
        |to: &str| client.call("chatls/conversation", json!({"textDocument": {"uri": DOCUMENT}, "to": to}));
    let fence = converted("fence");
    assert_eq!((&fence["version"], &fence["languageId"]), (&json!(3), &json!("markdown")));
    let text = fence["text"].as_str().unwrap();
    assert!(
        text.contains("q\n") && text.contains("```tool\n") && text.contains("\"toolName\": \"f\""),
        "{text}"
    );
    assert_eq!(fence["losses"], "");
    assert_eq!(converted("tag")["losses"], "drops 1 id");
    assert_eq!(converted("anthropic")["languageId"], "json");
    assert_eq!(converted("finetune")["languageId"], "jsonl");
    let id =
        client.request("chatls/conversation", json!({"textDocument": {"uri": DOCUMENT}, "to": "ui-stream"}));
    assert_eq!(client.expect_error(id), -32602);
    client.finish();
}

#[test]
fn a_stream_log_is_converted_to_markdown_for_another_document() {
    let mut client = Client::start();
    let text = "{\"type\":\"tool-call\",\"toolCallId\":\"a\",\"toolName\":\"f\",\"input\":{}}\n";
    let uri = "file:///project/log.jsonl";
    let item = json!({"uri": uri, "languageId": "jsonl", "version": 1, "text": text});
    client.notify("textDocument/didOpen", json!({"textDocument": item}));
    client.expect_diagnostics(uri, 1);
    let fence = client.call("chatls/conversation", json!({"textDocument": {"uri": uri}, "to": "fence"}));
    assert!(fence["text"].as_str().unwrap().starts_with("```tool\n"), "{fence}");
    client.finish();
}
