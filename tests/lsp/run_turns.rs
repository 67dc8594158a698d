//! `chatls.continue`, with a server of models on loopback.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::run_editor::{Editor, Workspace, call};
use crate::cli::model_server::{ModelServer, body, stream};

const CHAT: &str = "**User:** What is in b.txt?\n";

fn event(delta: Value, end: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]})
}

fn text(text: &str) -> String {
    stream(&[event(json!({"content": text}), Value::Null), event(json!({}), json!("stop"))])
}

fn reading() -> String {
    let function = json!({"name": "read_file", "arguments": "{\"path\": \"b.txt\"}"});
    let call = json!({"tool_calls": [{"index": 0, "id": "c1", "function": function}]});
    stream(&[
        event(json!({"content": "I look."}), Value::Null),
        event(call, Value::Null),
        event(json!({}), json!("tool_calls")),
    ])
}

/// A workspace whose user has the model at `url`, and an editor with `text`.
fn edit(url: &str, text: &str) -> (Workspace, Editor) {
    let workspace = Workspace::new();
    workspace.write("b.txt", "one\n");
    let folder = workspace.home.path().join(".config/chatls");
    fs::create_dir_all(&folder).unwrap();
    let settings = format!("[model]\nserver = \"openai\"\nurl = \"{url}\"\nname = \"m\"\n");
    fs::write(folder.join("settings.toml"), settings).unwrap();
    let editor = workspace.edit(text);
    (workspace, editor)
}

/// A server that sends the text `I lo`, and empty pieces until the sender is dropped.
fn slow_server() -> (String, Sender<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (sender, receiver) = channel::<()>();
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        body(&connection);
        connection.write_all(stream(&[event(json!({"content": "I lo"}), Value::Null)]).as_bytes()).unwrap();
        // What has come is shown with what follows it.
        let nothing = format!("data: {}\n\n", event(json!({"content": ""}), Value::Null));
        while receiver.recv_timeout(Duration::from_millis(10)) == Err(RecvTimeoutError::Timeout)
            && connection.write_all(nothing.as_bytes()).is_ok()
        {}
    });
    (url, sender)
}

#[test]
fn an_answer_is_written_while_it_comes() {
    let server = ModelServer::start(vec![text("One.")]);
    let (_workspace, mut editor) = edit(&server.url, CHAT);
    let id = editor.command("chatls.continue", 0, json!({}));
    assert_eq!(editor.apply_until(id), json!({"end": "answered"}));
    assert_eq!(editor.text, format!("{CHAT}\n**Assistant:**\n\nOne.\n"));
    let request = &server.requests.join().unwrap()[0];
    assert_eq!(request["messages"], json!([{"role": "user", "content": "What is in b.txt?"}]));
    editor.finish();
}

#[test]
fn turns_run_calls() {
    let server = ModelServer::start(vec![reading(), text("One.")]);
    let (workspace, mut editor) = edit(&server.url, CHAT);
    let id = editor.command("chatls.continue", 0, json!({"turns": 3}));
    editor.answer(Some(workspace.path("").to_str().unwrap().trim_end_matches('/')));
    assert_eq!(editor.apply_until(id), json!({"end": "answered"}));
    assert!(
        editor.text.contains("I look.\n\n```tool\n") && editor.text.contains("\"output\": \"one\\n\""),
        "{}",
        editor.text
    );
    assert!(editor.text.ends_with("\nOne.\n"), "{}", editor.text);
    assert_eq!(server.requests.join().unwrap()[1]["messages"].as_array().map(Vec::len), Some(3));
    editor.finish();
}

#[test]
fn a_cancelled_answer_leaves_a_whole_document() {
    let (url, _open) = slow_server();
    let above = format!("**User:** {}", "Notes\n\n".repeat(50));
    let (_workspace, mut editor) = edit(&url, &format!("{above}{CHAT}"));
    let id = editor.command("chatls.continue", 0, json!({}));
    editor.client.take("the answer", |it| {
        it["method"] == "chatls/runs" && it["params"]["runs"][0]["title"] == "Answer of m"
    });
    // The document has one answer at a time, and the user may go on writing above it.
    let second = editor.command("chatls.continue", 0, json!({}));
    assert_eq!(editor.client.expect_error(second), -32803);
    editor.replace("Notes", "My Notes");
    let cancel = editor.command("chatls.cancelRun", 0, json!({}));
    editor.client.expect_result(cancel);
    assert_eq!(editor.apply_until(id), json!({"end": "cancelled"}));
    assert_eq!(
        editor.text,
        format!("{}{CHAT}\n**Assistant:**\n\nI lo\n", above.replacen("Notes", "My Notes", 1))
    );
    editor.finish();
}

#[test]
fn secrets_and_pending_calls_are_not_sent() {
    // Nobody listens there.
    let url = "http://127.0.0.1:9/v1";
    let token = ["ghp_", "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R"].concat();
    let (_workspace, mut editor) = edit(url, &format!("**User:** my token is {token}\n"));
    let id = editor.command("chatls.continue", 0, json!({}));
    let question = editor.answer(Some("Cancel"));
    let message = question["message"].as_str().unwrap();
    assert!(
        message.contains("a GitHub token") && message.contains(url) && !message.contains(&token),
        "{message}"
    );
    assert_eq!(editor.client.expect_result(id), json!({"end": "cancelled"}));
    let id = editor.command("chatls.continue", 0, json!({}));
    editor.answer(Some("Send"));
    assert!(editor.warning().contains("cannot be reached"));
    assert_eq!(editor.client.expect_result(id)["end"], "failed");
    editor.finish();

    let (workspace, mut editor) = edit(url, &format!("{CHAT}\n{}", call("look")));
    let id = editor.command("chatls.continue", 0, json!({}));
    assert!(editor.warning().contains("1 call has no result yet"));
    assert_eq!(editor.client.expect_result(id)["end"], "failed");
    // A workspace cannot name a model.
    fs::remove_dir_all(workspace.home.path().join(".config")).unwrap();
    workspace.write("settings.toml", "[model]\n");
    let id = editor.command("chatls.continue", 0, json!({}));
    let answer = editor.client.expect_answer(json!(id));
    assert!(answer["error"]["message"].as_str().unwrap().contains("there is no model"), "{answer}");
    editor.finish();
}
