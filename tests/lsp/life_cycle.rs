//! Sessions from `initialize` to the end of the process, in every way.

use std::io::{BufRead, BufReader, Read, Write};
#[cfg(unix)]
use std::process::Command;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::client::{Client, PATIENCE, URI, frame, read_frame, server, spawn};

const INVALID_REQUEST: i64 = -32600;
const NOT_INITIALIZED: i64 = -32002;

#[test]
fn shutdown_and_exit_end_with_0_despite_open_stdin() {
    Client::start().finish();
}

#[test]
fn shutdown_and_exit_may_be_sent_without_waiting() {
    let mut client = Client::start();
    let id = client.request("shutdown", Value::Null);
    client.send(json!({"jsonrpc": "2.0", "method": "exit"}));
    client.expect_result(id);
    client.expect_exit(0);
}

#[test]
fn exit_alone_ends_with_1() {
    for initialized in [false, true] {
        let mut client = if initialized { Client::start() } else { Client::silent() };
        client.notify("exit", Value::Null);
        client.expect_exit(1);
    }
}

#[test]
fn a_closed_stdin_ends_with_1() {
    let mut client = Client::start();
    client.close_stdin();
    client.expect_exit(1);

    let mut client = Client::start();
    client.send_bytes(b"Content-Length: 100\r\n\r\n{");
    client.close_stdin();
    client.expect_exit(1);
}

#[test]
fn it_ends_if_the_client_stops_reading() {
    let (mut child, mut stdin, stdout) = super::client::spawn(super::client::server(), Stdio::null());
    drop(stdout);
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "shutdown"});
    std::io::Write::write_all(&mut stdin, &super::client::frame(&request)).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// A process that runs until it is killed, or this one ends.
fn another_process() -> Child {
    let mut command = server();
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn it_ends_with_a_killed_client() {
    let mut parent = another_process();
    let mut client = Client::silent();
    client.initialize(json!({"processId": parent.id(), "capabilities": {}}));
    std::thread::sleep(Duration::from_millis(300));
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    parent.kill().unwrap();
    // Its status is not collected: a zombie process counts as ended.
    client.expect_exit_within(Duration::from_secs(5), 1);
    parent.wait().unwrap();
}

#[test]
fn it_does_not_end_with_an_invisible_client() {
    let mut parent = another_process();
    parent.kill().unwrap();
    parent.wait().unwrap();
    let mut client = Client::silent();
    client.initialize(json!({"processId": parent.id(), "capabilities": {}}));
    client.expect_log("not watched");
    std::thread::sleep(Duration::from_millis(1500));
    client.finish();
}

#[cfg(unix)]
#[test]
fn it_ends_with_the_parent_of_an_invisible_client() {
    let mut unseen = another_process();
    unseen.kill().unwrap();
    unseen.wait().unwrap();
    let mut shell = Command::new("sh");
    // The server's stdin stays open: it belongs to the test.
    shell.args(["-c", "exec 3<&0; \"$0\" serve <&3 & wait", env!("CARGO_BIN_EXE_chatls")]);
    let (mut shell, mut stdin, stdout) = super::client::spawn(shell, Stdio::null());
    let params = json!({"processId": unseen.id(), "capabilities": {}});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    std::io::Write::write_all(&mut stdin, &super::client::frame(&request)).unwrap();
    let (sender, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut stdout = std::io::BufReader::new(stdout);
        while let Some(message) = super::client::read_frame(&mut stdout) {
            sender.send(message).unwrap();
        }
    });
    // The response, and a log message about it.
    (0..2).for_each(|_| drop(ended.recv_timeout(PATIENCE).unwrap()));
    assert!(ended.recv_timeout(Duration::from_millis(1500)).is_err(), "its parent is there");
    shell.kill().unwrap();
    shell.wait().unwrap();
    let end = std::sync::mpsc::RecvTimeoutError::Disconnected;
    assert_eq!(ended.recv_timeout(Duration::from_secs(5)), Err(end));
}

#[test]
fn requests_before_initialize_and_after_shutdown_are_errors() {
    let mut client = Client::silent();
    // A notification is ignored.
    client.open(URI, 1, "");
    for method in ["textDocument/foldingRange", "textDocument/hover", "shutdown", "nothing"] {
        let id = client.request(method, json!({"textDocument": {"uri": URI}}));
        assert_eq!(client.expect_error(id), NOT_INITIALIZED, "{method}");
    }
    let id = client.request("initialize", json!([]));
    assert_eq!(client.expect_error(id), -32602);
    client.initialize(json!({"processId": null, "capabilities": {}}));
    let id = client.request("initialize", json!({"processId": null, "capabilities": {}}));
    assert_eq!(client.expect_error(id), INVALID_REQUEST);
    client.call("shutdown", Value::Null);
    client.open(URI, 1, "");
    for method in ["textDocument/foldingRange", "initialize", "shutdown", "nothing"] {
        let id = client.request(method, json!({"textDocument": {"uri": URI}, "capabilities": {}}));
        assert_eq!(client.expect_error(id), INVALID_REQUEST, "{method}");
    }
    client.notify("exit", Value::Null);
    client.expect_exit(0);
}

#[test]
fn unknown_values_do_not_prevent_the_session() {
    let kinds = json!({"foldingRange": {"foldingRangeKind": {"valueSet": ["function", "region"]}}});
    for (params, logged) in [
        (json!({"processId": null, "trace": "compact", "capabilities": {"textDocument": kinds}}), None),
        (json!({"processId": null, "rootUri": "", "capabilities": {}}), Some("/rootUri")),
        (json!({"processId": -1}), Some("/processId")),
    ] {
        let mut client = Client::silent();
        client.initialize(params);
        if let Some(place) = logged {
            client.expect_log(place);
        }
        client.open(URI, 1, "```tool\n{}\n```\n");
        client.expect_diagnostics(URI, 1);
        assert_eq!(client.folds(URI)[0]["kind"], "region");
        client.finish();
    }
}

#[test]
fn requests_need_not_wait_for_the_response_to_initialize() {
    let mut client = Client::silent();
    let initialize = client.request("initialize", json!({"processId": null, "capabilities": {}}));
    client.notify("initialized", json!({}));
    client.open(URI, 1, "");
    let folds = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": URI}}));
    let result = client.expect_result(initialize);
    assert_eq!(result["serverInfo"], json!({"name": "chatls", "version": env!("CARGO_PKG_VERSION")}));
    assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
    assert_eq!(result["capabilities"]["foldingRangeProvider"], true);
    assert_eq!(client.expect_result(folds), json!([]));
    assert_eq!(client.expect_diagnostics(URI, 1), json!([]));
    client.finish();
}

#[test]
fn registrations_do_not_delay_other_messages() {
    let dynamic = json!({"dynamicRegistration": true});
    let workspace = json!({"didChangeWatchedFiles": dynamic, "didChangeConfiguration": dynamic});
    let (mut client, _) = Client::with_capabilities(json!({"workspace": workspace}));
    let request = client.take("a registration", |it| it["method"] == "client/registerCapability");
    let registrations = request["params"]["registrations"].as_array().unwrap();
    let methods: Vec<_> = registrations.iter().map(|it| it["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration"]);
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    assert_eq!(client.folds(URI), json!([]));
    let error = json!({"code": -32601, "message": "no"});
    client.send(json!({"jsonrpc": "2.0", "id": request["id"], "error": error}));
    client.expect_log("rejected");
    client.finish();
}

#[test]
fn settings_folders_and_files_may_change_at_any_time() {
    let mut client = Client::silent();
    let folder = json!({"uri": "file:///project", "name": "work"});
    client.initialize(json!({
        "processId": null, "capabilities": {}, "workspaceFolders": [folder], "initializationOptions": null,
    }));
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    for settings in [json!(null), json!({}), json!({"chatls": null}), json!({"other": {"x": 1}}), json!([])] {
        client.notify("workspace/didChangeConfiguration", json!({"settings": settings}));
    }
    let event = json!({"added": [{"uri": "file:///b", "name": "b"}], "removed": [folder]});
    client.notify("workspace/didChangeWorkspaceFolders", json!({"event": event}));
    let changes = json!([{"uri": "file:///project/chatls.toml", "type": 2}]);
    client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": "file:///project/chatls.toml"}}));
    assert_eq!(client.folds(URI), json!([]));
    client.finish();
}

#[test]
fn an_unread_stderr_does_not_block() {
    let mut client = Client::with_stderr(Stdio::piped());
    client.initialize(json!({"processId": null, "capabilities": {}}));
    let long = format!("file:///{}", "x".repeat(1000));
    for _ in 0..1000 {
        client.close(&long);
    }
    client.open(URI, 1, "");
    client.expect_diagnostics(URI, 1);
    // The client's log is only limited while it is not read.
    client.expect_log("not open");
    client.skip_logs();
    client.call("shutdown", Value::Null);
    client.skip_logs();
    client.notify("exit", Value::Null);
    client.expect_exit_within(PATIENCE, 0);
}

#[test]
fn the_log_has_methods_documents_and_durations_but_no_text() {
    let mut command = server();
    command.env("CHATLS_LOG", "chatls=debug");
    let (mut child, mut stdin, stdout) = spawn(command, Stdio::piped());
    // Nothing reads the responses: they fit into the pipe.
    let item = json!({"uri": URI, "languageId": "markdown", "version": 1, "text": "a secret"});
    let hover = json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}),
        json!({"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": hover}),
    ] {
        stdin.write_all(&frame(&message)).unwrap();
    }
    let mut stdout = BufReader::new(stdout);
    while read_frame(&mut stdout).expect("a response to the hover")["id"] != 1 {}
    // The time of a request is logged after its response.
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let span = format!("request{{id=1 method=\"textDocument/hover\" uri={URI}}}");
    let (mut log, mut start) = (String::new(), 0);
    while !log[start..].contains(&span) {
        start = log.len();
        assert!(stderr.read_line(&mut log).unwrap() > 0, "{log}");
    }
    assert!(log[start..].contains("time.busy="), "{log}");
    stdin.write_all(&frame(&json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))).unwrap();
    while read_frame(&mut stdout).expect("a response to the shutdown")["id"] != 2 {}
    drop(stdin);
    child.wait().unwrap();
    stderr.read_to_string(&mut log).unwrap();
    assert!(!log.contains("secret"), "{log}");
}
