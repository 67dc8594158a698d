//! `chatls.continue`, with a server of models on loopback.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use serde_json::{Value, json};

use super::client::PATIENCE;
use super::run_editor::{Editor, Workspace, call, eventually};
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

/// A server that sends the text `I lo`, and then those that it is given; after the last one, the
/// end of the answer.
struct SlowServer {
    url: String,
    texts: Sender<&'static str>,
    /// Disconnected once the client has closed the connection, or has the whole answer.
    closed: Receiver<()>,
}

fn slow_server() -> SlowServer {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (texts, more) = channel::<&str>();
    let (closing, closed) = channel();
    std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        body(&connection);
        let text = |text: &str| event(json!({"content": text}), Value::Null);
        connection.write_all(stream(&[text("I lo")]).as_bytes()).unwrap();
        let reader = connection.try_clone().unwrap();
        std::thread::spawn(move || {
            // The client sends nothing more: this is the end.
            let read = (&reader).read(&mut [0; 64]);
            drop((read, closing));
        });
        for more in more {
            _ = connection.write_all(format!("data: {}\n\n", text(more)).as_bytes());
        }
        _ = connection.write_all(format!("data: {}\n\n", event(json!({}), json!("stop"))).as_bytes());
    });
    SlowServer { url, texts, closed }
}

/// Begins an answer, whose first text is applied.
fn answering(text: &str) -> (SlowServer, Workspace, Editor, i64) {
    let server = slow_server();
    let (workspace, mut editor) = edit(&server.url, text);
    let id = editor.command("chatls.continue", 0, json!({}));
    // Nothing follows it yet.
    editor.apply();
    assert!(editor.text.ends_with("**Assistant:**\n\nI lo\n"), "{}", editor.text);
    (server, workspace, editor, id)
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
    editor.labels.dedup();
    assert_eq!(editor.labels, ["Answer of m", "Result of read_file", "Answer of m"]);
    assert_eq!(server.requests.join().unwrap()[1]["messages"].as_array().map(Vec::len), Some(3));
    editor.finish();
}

#[test]
fn a_cancelled_answer_leaves_a_whole_document() {
    let above = format!("**User:** {}", "Notes\n\n".repeat(50));
    let (_server, _workspace, mut editor, id) = answering(&format!("{above}{CHAT}"));
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
fn an_answer_goes_on_beside_edits() {
    let (server, _workspace, mut editor, id) = answering(CHAT);
    let mut write = |edit: fn(&str) -> String, text: &'static str| {
        editor.text = edit(&editor.text);
        editor.changed();
        server.texts.send(text).unwrap();
        let before = editor.text.clone();
        while editor.text == before {
            editor.apply();
        }
    };
    // Directly before it, directly after it, both, and as editors trim white space.
    write(|text| text.replace("**Assistant", "By the way.\n\n**Assistant"), "ok");
    write(|text| format!("{text}\n**User:** And then?\n"), ".\n\nYes");
    write(|text| text.replace("By the way", "First").replace("And then", "What"), ".\n\nNo.");
    write(|text| format!("{}\n\n\n", text.replace("\n\n", "\n \n").trim_end()), " I see");
    let SlowServer { texts, .. } = server;
    drop(texts);
    assert_eq!(editor.apply_until(id), json!({"end": "answered"}));
    let expected =
        format!("{CHAT}\nFirst.\n\n**Assistant:**\n\nI look.\n\nYes.\n\nNo. I see\n\n**User:** What?\n\n\n");
    assert_eq!(editor.text.replace("\n \n", "\n\n"), expected);
    editor.finish();
}

#[test]
fn what_is_added_before_the_first_text_comes_before_the_answer() {
    let (_server, _workspace, mut editor, id) = {
        let server = slow_server();
        let (workspace, mut editor) = edit(&server.url, CHAT);
        let id = editor.command("chatls.continue", 0, json!({}));
        let offered = editor.offered();
        editor.text.push_str("And in c.txt?");
        editor.changed();
        let result = json!({"applied": false});
        editor.client.send(json!({"jsonrpc": "2.0", "id": offered["id"], "result": result}));
        (server, workspace, editor, id)
    };
    editor.apply();
    assert_eq!(editor.text, format!("{CHAT}And in c.txt?\n\n**Assistant:**\n\nI lo\n"));
    let cancel = editor.command("chatls.cancelRun", 0, json!({}));
    editor.client.expect_result(cancel);
    assert_eq!(editor.apply_until(id), json!({"end": "cancelled"}));
    editor.finish();
}

#[test]
fn the_connection_is_closed_once_the_answer_cannot_be_written() {
    for is_closed in [false, true] {
        let (server, _workspace, mut editor, id) = answering(CHAT);
        match is_closed {
            true => {
                let uri = editor.uri.clone();
                editor.client.close(&uri);
            }
            false => {
                editor.replace("I lo", "You lo");
                server.texts.send("ok.").unwrap();
            }
        }
        assert_eq!(server.closed.recv_timeout(PATIENCE), Err(RecvTimeoutError::Disconnected));
        let warning = editor.warning();
        let result = editor.client.expect_result(id);
        assert_eq!(result["end"], "failed");
        // The whole answer, also what was written and is gone.
        let end = if is_closed { "" } else { "ok." };
        assert_eq!(result["text"], format!("**Assistant:**\n\nI lo{end}\n"), "{warning}");
        assert!(warning.contains("the answer is not written"), "{warning}");
        editor.finish();
    }
}

#[test]
fn turns_run_no_call_that_runs_or_ran() {
    let (url, text) = ("http://127.0.0.1:9/v1", format!("{CHAT}\n{}", call("hang")));
    let (workspace, mut editor) = edit(url, &text);
    let run = editor.command("chatls.run", 2, json!({}));
    editor.answer(Some("Agree"));
    eventually("the call arrives", || workspace.read("seen").contains("tools/call"));
    let folder = workspace.path("").to_str().unwrap().to_owned();
    let turns = json!({"turns": 2, "folder": folder});
    let id = editor.command("chatls.continue", 0, turns.clone());
    assert!(editor.warning().contains("it is running already"));
    assert_eq!(editor.client.expect_result(id)["end"], "failed");
    let cancel = editor.command("chatls.cancelRun", 0, json!({}));
    editor.client.expect_result(cancel);
    assert_eq!(editor.results(run)[0]["status"], "cancelled");
    assert_eq!(workspace.read("seen").matches("tools/call").count(), 1);
    editor.finish();

    // The user removes a result while the answer comes.
    let server = slow_server();
    let (workspace, mut editor) = edit(&server.url, &format!("{CHAT}\n{}", call("look")));
    let id = editor.command("chatls.continue", 0, turns);
    editor.answer(Some("Agree"));
    editor.apply();
    assert!(editor.text.contains("seen it"), "{}", editor.text);
    editor.apply();
    assert!(editor.text.ends_with("I lo\n"), "{}", editor.text);
    editor.replace(", \"output\": \"seen it\"", "");
    server.texts.send("ok.").unwrap();
    drop(server);
    assert_eq!(editor.apply_until(id), json!({"end": "answered"}));
    assert!(editor.text.ends_with("I look.\n") && !editor.text.contains("seen it"), "{}", editor.text);
    assert_eq!(workspace.read("seen").matches("tools/call").count(), 1);
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
    // A document that is closed meanwhile is no answer of the user.
    let id = editor.command("chatls.continue", 0, json!({}));
    editor.client.take("a question", |it| it["method"] == "window/showMessageRequest");
    let uri = editor.uri.clone();
    editor.client.close(&uri);
    assert!(editor.warning().contains("the document was closed"));
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
