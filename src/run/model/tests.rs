use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;
use crate::run::block_on;

/// Recorded events, in the order in which the servers document them.
const OPENAI: &str = "\
data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"I lo\"},\"finish_reason\":null}]}\n\n\
data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok.\"},\"finish_reason\":null}]}\n\n\
data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n\
data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"n\\\":\"}}]}}]}\n\n\
data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"g\",\"arguments\":\"{}\"}}]}}]}\n\n\
data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\" 1.10}\"}}]}}]}\n\n\
data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n\
data: [DONE]\n\n";

const ANTHROPIC: &str = "\
event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"role\":\"assistant\",\"content\":[]}}\n\n\
event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n\
event: ping\ndata: {\"type\":\"ping\"}\n\n\
event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"I look.\"}}\n\n\
event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{}}}\n\n\
event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"n\\\":\"}}\n\n\
event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\" 1.10}\"}}\n\n\
event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\"}}\n\n\
event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\"}}\n\n\
event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n\
event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

/// Answers one request with `response`, a few bytes at a time; `hangs` keeps the connection open.
/// Returns the request.
async fn serve(listener: TcpListener, response: Vec<u8>, hangs: bool) -> String {
    let (mut connection, _) = listener.accept().await.expect("a connection");
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = connection.read(&mut buffer).await.expect("a request");
        request.extend_from_slice(&buffer[..read]);
        if read == 0 || request.ends_with(b"BODY") {
            break;
        }
    }
    for piece in response.chunks(7) {
        // The client may close the connection before its end.
        if connection.write_all(piece).await.is_err() || connection.flush().await.is_err() {
            break;
        }
    }
    if hangs {
        std::future::pending::<()>().await;
    }
    String::from_utf8_lossy(&request).into_owned()
}

fn events(text: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nconnection: close\r\n\r\n{text}"
    )
    .into_bytes()
}

fn refusal(status: &str, more: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
        .into_bytes()
}

fn environment() -> Environment {
    [("KEY".into(), "sk-very-secret".into())].into_iter().collect()
}

/// The answer to a request, the text of the answer after each event, and the request as sent.
fn exchange(server: ModelServer, response: Vec<u8>) -> (Result<ModelAnswer, RunError>, Vec<usize>, String) {
    let exchanged = block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let settings = ModelSettings {
            url: format!("http://{address}/v1"),
            server,
            name: "m".to_owned(),
            key: Some("KEY".to_owned()),
            max_tokens: None,
        };
        let mut seen = Vec::new();
        let limits = Limits { message: 4096, ..Limits::default() };
        let environment = environment();
        let answer = Mutex::new(ModelAnswer::default());
        let asked = ask(
            &settings,
            &environment,
            "BODY".to_owned(),
            &limits,
            &answer,
            || seen.push(lock(&answer).parts.len()),
            std::future::pending(),
        );
        let (asked, request) = tokio::join!(asked, serve(listener, response, false));
        (asked.map(|()| lock(&answer).clone()), seen, request)
    });
    exchanged.expect("a runtime")
}

fn expected(has_second: bool) -> ModelAnswer {
    let call = |id: &str, name: &str, input: &str, index| {
        AnswerPart::Call(ModelCall {
            id: id.to_owned(),
            name: name.to_owned(),
            input: input.to_owned(),
            index,
        })
    };
    let mut parts = vec![AnswerPart::Text("I look.".to_owned())];
    parts.push(call("a", "f", "{\"n\": 1.10}", u64::from(!has_second)));
    parts.extend(has_second.then(|| call("b", "g", "{}", 1)));
    ModelAnswer { parts, end: Some(AnswerEnd::Complete) }
}

#[test]
fn streams_of_both_servers_are_read() {
    let (answer, seen, request) = exchange(ModelServer::Openai, events(OPENAI));
    assert_eq!(answer, Ok(expected(true)));
    assert_eq!(seen, [1, 1, 2, 2, 3, 3, 3]);
    assert!(request.contains("authorization: Bearer sk-very-secret\r\n"), "{request}");
    let (answer, _, request) = exchange(ModelServer::Anthropic, events(ANTHROPIC));
    assert_eq!(answer, Ok(expected(false)));
    assert!(request.contains("x-api-key: sk-very-secret\r\n"), "{request}");
    assert!(request.contains("anthropic-version: 2023-06-01\r\n"), "{request}");
}

#[test]
fn calls_at_one_index_are_told_apart_by_their_ids() {
    let delta = |id: &str, path: &str| {
        let function = serde_json::json!({"name": "f", "arguments": format!("{{\"path\":\"{path}\"}}")});
        let calls = serde_json::json!([{"index": 0, "id": id, "function": function}]);
        format!(
            "data: {}\n\n",
            serde_json::json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]})
        )
    };
    let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    let text = format!("{}{}{end}", delta("a", "x"), delta("b", "y"));
    let answer = exchange(ModelServer::Openai, events(&text)).0.expect("an answer");
    let inputs: Vec<_> = answer.calls().map(|call| (&*call.id, &*call.input)).collect();
    assert_eq!(inputs, [("a", "{\"path\":\"x\"}"), ("b", "{\"path\":\"y\"}")]);
}

#[test]
fn calls_that_are_cut_off_are_not_shown() {
    let named = |name: &str, input: &str| {
        let (name, input) = (name.to_owned(), input.to_owned());
        AnswerPart::Call(ModelCall { name, input, ..ModelCall::default() })
    };
    let call = |input| named("f", input);
    let parts =
        vec![AnswerPart::Text("a".to_owned()), call("{}"), call("{\"p\":\"a"), call(""), named(" ", "{}")];
    let shown = |end| ModelAnswer { parts: parts.clone(), end }.ready_parts().len();
    assert_eq!(shown(None), 2);
    assert_eq!(shown(Some(AnswerEnd::Length)), 2);
    assert_eq!(shown(Some(AnswerEnd::Complete)), 3);
    let answer = ModelAnswer { parts, end: Some(AnswerEnd::Complete) };
    assert!(answer.left_out().is_some_and(|it| it.starts_with("2 calls without names")));
}

#[track_caller]
fn fails(response: Vec<u8>, kind: RunErrorKind, word: &str) {
    let (answer, ..) = exchange(ModelServer::Openai, response);
    let error = answer.expect_err("an error");
    assert!(error.kind == kind && error.message.contains(word), "{error:?}");
}

#[test]
fn what_a_server_refuses_is_quoted_without_the_key() {
    let body = r#"{"error": {"message": "Incorrect key sk-very-secret"}}"#;
    fails(refusal("401 Unauthorized", "", body), RunErrorKind::Refused, "401 Unauthorized: Incorrect key …");
    fails(refusal("503 Busy", "", "<html>"), RunErrorKind::Refused, "<html>");
    fails(refusal("302 Found", "location: http://127.0.0.1:1/\r\n", ""), RunErrorKind::Refused, "redirects");
    fails(refusal("200 OK", "content-type: text/html\r\n", "hi"), RunErrorKind::Protocol, "text/html");
}

#[test]
fn broken_streams_are_errors() {
    fails(events("data: {\n\n"), RunErrorKind::Protocol, "not JSON");
    fails(events("data: {\"error\":{\"message\":\"overloaded\"}}\n\n"), RunErrorKind::Protocol, "overloaded");
    fails(events("data: {\"choices\":[]}\n\n"), RunErrorKind::Ended, "closed");
    fails(events(&format!("data: {}", "x".repeat(9000))), RunErrorKind::Ended, "limit");
}

#[test]
fn answers_are_cancelled_and_do_not_hang() {
    let asked = |idle: Duration, cancel: Duration| {
        let answer = block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let url = format!("http://{}/", listener.local_addr().expect("an address"));
            let settings = ModelSettings {
                url,
                server: ModelServer::Openai,
                name: "m".to_owned(),
                key: None,
                max_tokens: None,
            };
            let limits = Limits { idle, ..Limits::default() };
            let environment = environment();
            let cancelled = tokio::time::sleep(cancel);
            let first = OPENAI.split_inclusive("\n\n").next().unwrap_or_default();
            let answer = Mutex::default();
            tokio::select! {
                asked = ask(&settings, &environment, "BODY".to_owned(), &limits, &answer, || {}, cancelled) => asked,
                _ = serve(listener, events(first), true) => unreachable!("it hangs"),
            }
        });
        answer.expect("a runtime").expect_err("an error").kind
    };
    let (short, long) = (Duration::from_millis(200), Duration::from_secs(600));
    assert_eq!(asked(short, long), RunErrorKind::Timeout);
    assert_eq!(asked(long, short), RunErrorKind::Cancelled);
}

#[test]
fn keys_stay_secret() {
    let settings = |url: &str, key: Option<&str>| ModelSettings {
        url: url.to_owned(),
        server: ModelServer::Openai,
        name: "m".to_owned(),
        key: key.map(str::to_owned),
        max_tokens: None,
    };
    assert!(address(&settings("https://example.com/v1", Some("KEY"))).is_ok());
    assert!(address(&settings("http://localhost:1/v1", Some("KEY"))).is_ok());
    assert!(address(&settings("http://[::1]:1/v1", Some("KEY"))).is_ok());
    assert!(address(&settings("http://example.com/v1", None)).is_ok());
    assert!(address(&settings("http://example.com/v1", Some("KEY"))).is_err());
    assert!(address(&settings("http://localhost.example.com/v1", Some("KEY"))).is_err());
    assert!(address(&settings("file:///etc/passwd", None)).is_err());
    assert!(address(&settings("example.com", None)).is_err());
    let missing = key(&settings("", Some("OTHER")), &environment()).expect_err("an error");
    assert!(missing.message.contains("`OTHER`"), "{missing}");
    assert_eq!(key(&settings("", Some("KEY")), &environment()), Ok(Some("sk-very-secret".to_owned())));
}
