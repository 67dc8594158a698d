//! `continue`: the next message of a conversation, from a server on loopback that plays recorded
//! streams.

use std::fs;

use serde_json::{Value, json};

use super::model_server::{ModelServer, run, stream};
use super::run::Folder;

const CONFIG: &[u8] = b"tools = [\"preset:file-tools\"]\n";
const CHAT: &str = "**User:** What is in a.txt?\n";

fn openai(delta: Value, end: Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": end}]})
}

fn call() -> String {
    let function = json!({"name": "read_file", "arguments": "{\"path\": \"a.txt\"}"});
    stream(&[
        openai(json!({"content": "I "}), Value::Null),
        openai(json!({"content": "look."}), Value::Null),
        openai(json!({"tool_calls": [{"index": 0, "id": "c1", "function": function}]}), Value::Null),
        openai(json!({}), json!("tool_calls")),
    ])
}

fn folder(test: &str, server: &str, url: &str, chat: &str) -> Folder {
    let settings =
        format!("[model]\nserver = \"{server}\"\nurl = \"{url}\"\nname = \"m\"\nkey = \"TEST_KEY\"\n");
    let files: [(&str, &[u8]); 4] = [
        ("chatls.toml", CONFIG),
        ("a.chat.md", chat.as_bytes()),
        ("a.txt", b"one\n"),
        ("settings.toml", settings.as_bytes()),
    ];
    Folder::new(test, &files)
}

fn text(folder: &Folder) -> String {
    fs::read_to_string(folder.path.join("a.chat.md")).unwrap()
}

#[test]
fn the_answer_is_written_into_the_transcript() {
    let server = ModelServer::start(vec![call()]);
    let folder = folder("continue", "openai", &server.url, CHAT);
    let done = run(&folder, &["continue", "--model", "other", "a.chat.md"]);
    let block = "```tool\n{\n  \"toolCallId\": \"c1\",\n  \"toolName\": \"read_file\",\n  \"input\": {\n    \"path\": \
                 \"a.txt\"\n  }\n}\n```\n";
    let added = format!("\n**Assistant:**\n\nI look.\n\n{block}");
    assert_eq!((done.status, &*done.stdout), (0, &*added), "{}", done.stderr);
    assert_eq!(text(&folder), format!("{CHAT}{added}"));
    assert!(done.stderr.contains("1 call is pending"), "{}", done.stderr);
    let requests = server.requests.join().unwrap();
    assert_eq!((&requests[0]["model"], &requests[0]["stream"]), (&json!("other"), &json!(true)));
    assert_eq!(requests[0]["messages"], json!([{"role": "user", "content": "What is in a.txt?"}]));
    assert_eq!(requests[0]["tools"].as_array().map(Vec::len), Some(6));
    // A call without a result: nothing is sent.
    let again = run(&folder, &["continue", "a.chat.md"]);
    assert!(again.status == 2 && again.stderr.contains("chatls run"), "{}", again.stderr);
    let nowhere = run(&folder, &["continue", "--turns", "1", "a.chat.md"]);
    assert!(nowhere.status == 2 && nowhere.stderr.contains("with --in FOLDER"), "{}", nowhere.stderr);
}

#[test]
fn a_conversation_goes_on_after_its_results() {
    let answer = stream(&[
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "One."}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
    ]);
    let server = ModelServer::start(vec![answer]);
    let chat = format!(
        "{CHAT}\n**Assistant:** I look.\n\n```tool\n{{\"toolName\": \"read_file\", \"input\": {{\"path\": \
         \"a.txt\"}}, \"output\": \"one\\n\"}}\n```\n"
    );
    let folder = folder("continue-results", "anthropic", &server.url, &chat);
    let done = run(&folder, &["continue", "a.chat.md"]);
    assert_eq!((done.status, text(&folder)), (0, format!("{chat}\nOne.\n")), "{}", done.stderr);
    let request = &server.requests.join().unwrap()[0];
    assert_eq!(request["messages"][2]["content"][0]["type"], "tool_result");
    assert_eq!((&request["max_tokens"], &request["model"]), (&json!(4096), &json!("m")));
}

#[test]
fn what_came_before_an_error_stays() {
    let events =
        [openai(json!({"content": "I lo"}), Value::Null), json!({"error": {"message": "overloaded"}})];
    let server = ModelServer::start(vec![stream(&events)]);
    let folder = folder("continue-error", "openai", &server.url, CHAT);
    let done = run(&folder, &["continue", "a.chat.md"]);
    assert!(done.status == 2 && done.stderr.contains("overloaded"), "{}", done.stderr);
    assert_eq!(text(&folder), format!("{CHAT}\n**Assistant:**\n\nI lo\n"));
    // A call that is cut off is left out.
    let call = json!([{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{\"p\""}}]);
    let end = [
        openai(json!({"content": "Cut"}), Value::Null),
        openai(json!({"tool_calls": call}), json!("length")),
    ];
    let server = ModelServer::start(vec![stream(&end)]);
    let folder = self::folder("continue-length", "openai", &server.url, CHAT);
    let done = run(&folder, &["continue", "a.chat.md"]);
    assert!(done.status == 1 && done.stderr.contains("maximum number of tokens"), "{}", done.stderr);
    assert_eq!(text(&folder), format!("{CHAT}\n**Assistant:**\n\nCut\n"));
}

#[test]
fn nothing_is_sent_unasked() {
    // Nobody listens there, so a connection would be another error.
    let url = "http://127.0.0.1:9/v1";
    let secret = format!("**User:** my token is ghp_{}\n", "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0fG3hJ6".to_owned());
    let folder = folder("continue-secret", "openai", url, &secret);
    let refused = run(&folder, &["continue", "a.chat.md"]);
    assert!(refused.status == 2 && refused.stderr.contains("--send-secrets"), "{}", refused.stderr);
    let sent = run(&folder, &["continue", "--send-secrets", "a.chat.md"]);
    assert!(sent.status == 2 && sent.stderr.contains("cannot be reached"), "{}", sent.stderr);
    assert!(!sent.stderr.contains("very-secret"), "{}", sent.stderr);
    // A workspace cannot name a model.
    fs::write(folder.path.join("chatls.toml"), format!("[model]\nurl = \"{url}\"\n")).unwrap();
    fs::remove_file(folder.path.join("settings.toml")).unwrap();
    let none = run(&folder, &["continue", "--send-secrets", "a.chat.md"]);
    assert!(none.status == 2 && none.stderr.contains("settings.toml"), "{}", none.stderr);
    assert_eq!(text(&folder), secret);
}

#[test]
fn empty_answers_and_calls_without_names_are_reported() {
    let call = json!([{"index": 0, "id": "a", "function": {"arguments": "{}"}}]);
    for (delta, expected) in [
        (json!({"content": ""}), "the answer of the model is empty"),
        (
            json!({"tool_calls": call}),
            "1 call without a name, or without a JSON object as input, is left out",
        ),
    ] {
        let server = ModelServer::start(vec![stream(&[openai(delta, json!("stop"))])]);
        let folder = folder("continue-empty", "openai", &server.url, CHAT);
        let done = run(&folder, &["continue", "a.chat.md"]);
        assert_eq!((done.status, &*done.stdout, &*text(&folder)), (1, "", CHAT), "{}", done.stderr);
        assert!(done.stderr.contains(expected), "{}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
    }
}
