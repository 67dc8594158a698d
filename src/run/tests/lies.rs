//! A hostile server for each lie. None harms, and each gets a clear error.

use super::*;

/// Limits that a hostile server reaches soon.
fn strict(server: &mut TestServer) {
    server.limits = Limits {
        start: Duration::from_millis(700),
        list: Duration::from_millis(700),
        idle: Duration::from_millis(700),
        message: 1 << 20,
        noise: 200,
        log: 1000,
        ..server.limits.clone()
    };
}

#[track_caller]
fn check(error: Option<RunError>, kind: RunErrorKind, expected: &str) {
    let error = error.expect("an error");
    assert!(error.message.contains(expected), "{error:?}");
    assert_eq!(error.kind, kind, "{error:?}");
}

#[track_caller]
fn check_initialize(initialize: &str, kind: RunErrorKind, expected: &str) {
    let mut server = TestServer::new(Reactions { initialize, ..HONEST });
    strict(&mut server);
    check(block_on(server.listing()).expect("a runtime").err(), kind, expected);
}

#[track_caller]
fn check_list(list: &str, kind: RunErrorKind, expected: &str) {
    let mut server = TestServer::new(Reactions { list, ..HONEST });
    strict(&mut server);
    check(block_on(server.listing()).expect("a runtime").err(), kind, expected);
}

#[track_caller]
fn check_call(call: &str, kind: RunErrorKind, expected: &str) {
    let mut server = TestServer::new(Reactions { call, ..HONEST });
    strict(&mut server);
    check(block_on(server.call()).expect("a runtime").err(), kind, expected);
}

#[test]
fn a_server_that_does_not_introduce_itself() {
    use RunErrorKind::{Ended, Protocol, Refused, Timeout};
    check_initialize(":", Timeout, "did not introduce itself within 0.7 s");
    check_initialize("say 'Listening...'", Timeout, "it wrote `Listening...`, which is not MCP");
    check_initialize("exit 3", Ended, "ended before it introduced itself");
    check_initialize("id=99; answer '{}'", Protocol, "the id `99`, which was not sent");
    check_initialize("answer 3", Protocol, "not");
    check_initialize("answer '{\"tools\":[]}'", Protocol, "not one of MCP");
    let version = r#"answer '{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"a","version":"1"}}'"#;
    check_initialize(version, Protocol, "version `1999-01-01` of MCP");
    let refuses = r#"say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32603,"message":"no licence"}}'"#;
    check_initialize(refuses, Refused, "no licence");
}

#[test]
fn a_server_that_floods() {
    use RunErrorKind::Protocol;
    let endless = "head -c 3000000 /dev/zero | tr '\\0' x; sleep 60";
    check_initialize(endless, Protocol, "a message of more than 1 MiB");
    check_call(endless, Protocol, "a message of more than 1 MiB");
    let chatter = r#"while :; do say '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'; done"#;
    check_list(chatter, Protocol, "lines that nothing asked for");
    check_list("while :; do say x; done", Protocol, "lines that nothing asked for");
}

#[test]
fn a_server_that_lies_about_its_tools() {
    use RunErrorKind::{Ended, Protocol, Timeout};
    check_list(":", Timeout, "did not list its tools within 0.7 s");
    check_list("exit", Ended, "closed the connection");
    check_list(
        r#"answer '{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"x"}'"#,
        Protocol,
        "never ends",
    );
    check_list("answer '{}'", Protocol, "has no `tools`");
    check_list("id=7; answer '{}'", Protocol, "the id `7`, which was not sent");
    let twice = r#"answer '{"tools":[{"name":"a","inputSchema":{}},{"name":"a","inputSchema":{}},{"name":"b","inputSchema":7}]}'"#;
    let server = TestServer::new(Reactions { list: twice, ..HONEST });
    let listing = block_on(server.listing()).expect("a runtime").expect("a listing");
    let names: Vec<_> = listing.tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!((names, listing.problems.len()), (vec!["a", "b"], 1));
}

#[test]
fn a_server_that_does_not_answer_calls() {
    use RunErrorKind::{Ended, Protocol, Refused, Timeout};
    check_call("exit 1", Ended, "closed the connection");
    check_call("say '{\"jsonrpc\":\"2.0\",\"id\":'\"$id\"',\"result\":'", Timeout, "which is not MCP");
    check_call("say '{\"id\":'\"$id\"',\"result\":{}}'", Protocol, "which is not MCP");
    check_call(LIST, Protocol, "not the result of a tool");
    let refuses = r#"say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":-32602,"message":"no such tool"}}'"#;
    check_call(refuses, Refused, "no such tool");
    let mut server = TestServer::new(Reactions { call: ":", ..HONEST });
    strict(&mut server);
    check(block_on(server.call()).expect("a runtime").err(), Timeout, "did not answer within 0.7 s");
    assert!(server.seen().contains(r#""method":"notifications/cancelled""#), "{}", server.seen());
}

#[test]
fn the_log_of_a_server_is_bounded() {
    let mut server = TestServer::new(Reactions {
        initialize: "head -c 1000000 /dev/zero | tr '\\0' e >&2; echo last words >&2; exit 1",
        ..HONEST
    });
    strict(&mut server);
    let error = block_on(server.listing()).expect("a runtime").expect_err("an error");
    assert!(error.log.len() <= 1000 && error.log.ends_with("last words\n"), "{error:?}");
}
