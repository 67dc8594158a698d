//! Processes get what they need and nothing else, and none outlives its connection.

use super::*;

/// The output of the program `text` with an input that has a long number.
fn run(text: &str, limits: &Limits, variables: &[(&str, Template)]) -> Result<UseOutcome, RunError> {
    let folder = tempfile::tempdir().expect("a folder");
    let consented = consent_to(folder.path(), text, variables);
    let input = "{\"n\":1,\"long\":123456789012345678901234567890}";
    block_on(program::run(&consented, &environment(), input, limits, std::future::pending()))
        .expect("a runtime")
}

fn error_of(outcome: UseOutcome) -> String {
    match outcome {
        UseOutcome::Error(message) => message,
        other => panic!("{other:?}"),
    }
}

fn output_of(outcome: UseOutcome) -> String {
    match outcome {
        UseOutcome::Output(output) => output.to_text(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn programs_are_tools() {
    let limits = Limits::default();
    let outcome = |script: &str| run(script, &limits, &[]).expect("an outcome");
    let input = "{\"n\":1,\"long\":123456789012345678901234567890}";
    assert_eq!(outcome("cat"), UseOutcome::Output(UseData::Json(input.to_owned())));
    assert_eq!(outcome("printf 'two\\nlines\\n'"), output("two\nlines"));
    assert_eq!(outcome("echo wrong >&2; exit 3"), UseOutcome::Error("wrong".to_owned()));
    assert!(error_of(outcome("exit 3")).contains('3'));
    assert_eq!(outcome("exit 0"), UseOutcome::Empty);
}

#[test]
fn programs_say_why_they_failed() {
    let limits = Limits { log: 8, ..Limits::default() };
    let error = |script: &str, limits: &Limits| error_of(run(script, limits, &[]).expect("an outcome"));
    assert_eq!(error("echo part; echo wrong >&2; exit 3", &limits), "wrong");
    assert_eq!(error("echo '{}'; echo 1234wrong >&2; exit 3", &limits), "34wrong");
    assert_eq!(error("echo; echo wrong; echo >&2; exit 3", &limits), "\nwrong");
    assert_eq!(error("echo 123456wrong; exit 3", &limits), "56wrong");
    assert_eq!(error("echo '{\"code\": 7}'; exit 3", &Limits::default()), "{\"code\":7}");
    assert!(error("echo; exit 3", &limits).contains('3'));
}

/// Starts a process in a session of its own, and ends.
#[cfg(target_os = "linux")]
const LEAVES_ITS_SESSION: &str =
    "setsid sh -c 'echo $$ > child; exec sleep 1000' & while [ ! -s child ]; do sleep 0.01; done";
#[cfg(not(target_os = "linux"))]
const LEAVES_ITS_SESSION: &str = "sleep 1000 & echo $! > child";

#[cfg(unix)]
#[test]
fn processes_that_a_program_leaves_behind_are_ended() {
    let limits = Limits { call: Duration::from_secs(60), ..Limits::default() };
    let folder = tempfile::tempdir().expect("a folder");
    let (environment, input) = (environment(), &*json!("x".repeat(1 << 20)).to_string());
    for (script, expected) in [
        ("sleep 1000 & echo $! > child; echo done", output("done")),
        ("sleep 1000 & echo $! > child; echo wrong >&2; exit 1", UseOutcome::Error("wrong".to_owned())),
        (LEAVES_ITS_SESSION, UseOutcome::Empty),
        // It keeps its stdin open, never reads it, and writes without end.
        (
            "exec 3<&0; (while :; do echo; sleep 0.01; done) <&3 & echo $! > child; printf done",
            output("done"),
        ),
    ] {
        let consented = consent_to(folder.path(), script, &[]);
        let task = program::run(&consented, &environment, input, &limits, std::future::pending());
        let outcome = match block_on(task).expect("a runtime").expect("an outcome") {
            UseOutcome::Output(data) => output(data.to_text().trim()),
            other => other,
        };
        assert_eq!(outcome, expected, "{script}");
        assert_gone(&folder.path().join("w/child"));
        fs::remove_file(folder.path().join("w/child")).expect("removed");
    }
}

#[test]
fn programs_that_hang_or_flood_are_ended() {
    let limits = Limits { call: Duration::from_millis(300), message: 1 << 20, ..Limits::default() };
    let error = run("sleep 60", &limits, &[]).expect_err("an error");
    assert_eq!((error.kind, &*error.message), (RunErrorKind::Timeout, "it did not end within 0.3 s"));
    let limits = Limits { message: 1 << 20, ..Limits::default() };
    let error = run("while :; do echo flood; done", &limits, &[]).expect_err("an error");
    assert_eq!((error.kind, &*error.message), (RunErrorKind::Protocol, "it wrote more than 1 MiB"));
    let folder = tempfile::tempdir().expect("a folder");
    let consented = consent_to(folder.path(), "sleep 60", &[]);
    let (environment, input) = (environment(), "{}");
    let task = program::run(&consented, &environment, input, &limits, std::future::ready(()));
    assert_eq!(block_on(task).expect("a runtime").expect_err("cancelled").kind, RunErrorKind::Cancelled);
}

#[test]
fn programs_get_only_the_variables_that_are_named() {
    let variables = [("PASSED", Template::variable("TOKEN")), ("SET", Template::text("1"))];
    let output = output_of(run("env", &Limits::default(), &variables).expect("an output"));
    assert!(
        output.contains("PASSED=t0ken-1") && output.contains("SET=1") && output.contains("PATH="),
        "{output}"
    );
    assert!(!output.contains("s3cret") && !output.contains("CARGO"), "{output}");
    let error = run("env", &Limits::default(), &[("A", Template::variable("UNSET"))]).expect_err("an error");
    assert_eq!((error.kind, error.message.contains("`UNSET`")), (RunErrorKind::Start, true));
}

#[test]
fn values_that_are_passed_are_not_shown() {
    let variables = [
        ("PASSED", Template::variable("TOKEN")),
        ("PART", Template::variable("LOG")),
        ("API_KEY", Template::text("long-value")),
        ("MODE", Template::text("production")),
    ];
    let output = error_of(run("env >&2; exit 1", &Limits::default(), &variables).expect("an outcome"));
    assert!(output.contains("PASSED=[redacted]") && output.contains("API_KEY=[redacted]"), "{output}");
    assert!(output.contains("PART=[redacted]") && output.contains("MODE=production"), "{output}");
    assert!(output.contains("PATH=/"), "{output}");
}

#[test]
fn servers_cannot_show_values_in_names_and_stray_lines() {
    let initialize = r#"answer '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"'"$PASSED"'","version":"1"}}'"#;
    let call = r#"say "$(printf %0294d 0) $PASSED""#;
    let folder = tempfile::tempdir().expect("a folder");
    let text = script(Reactions { initialize, call, ..HONEST });
    let consented = consent_to(folder.path(), &text, &[("PASSED", Template::variable("TOKEN"))]);
    let limits = Limits { idle: Duration::from_millis(700), ..Limits::default() };
    block_on(async {
        let connection =
            McpConnection::open(&consented, &environment(), &limits).await.expect("a connection");
        assert_eq!(connection.identity().name, "[redacted]");
        let called = connection.call("echo", Map::new(), |_| {}, std::future::pending()).await;
        let message = called.expect_err("an error").message;
        assert!(message.contains("which is not MCP") && !message.contains("t0k"), "{message}");
        connection.close().await;
    })
    .expect("a runtime");
}

#[test]
fn servers_cannot_show_the_values_that_they_got() {
    let list = r#"env >&2
      answer '{"tools":[{"name":"t0ken-1","description":"'"$PASSED"'","inputSchema":{"type":"object"}}]}'"#;
    let call = r#"say '{"jsonrpc":"2.0","id":'"$id"',"error":{"code":1,"message":"'"no $PASSED $(printf %0284d 0)$PASSED"'"}}'"#;
    let folder = tempfile::tempdir().expect("a folder");
    let text = script(Reactions { list, call, ..HONEST });
    let consented = consent_to(folder.path(), &text, &[("PASSED", Template::variable("TOKEN"))]);
    block_on(async {
        let connection =
            McpConnection::open(&consented, &environment(), &Limits::default()).await.expect("a connection");
        let listing = connection.tools().await.expect("tools").to_text();
        // A name that is the same word stays: calls need it.
        assert!(listing.contains("[redacted]") && listing.matches("t0ken-1").count() == 1, "{listing}");
        let error =
            connection.call("echo", Map::new(), |_| {}, std::future::pending()).await.expect_err("an error");
        let shown = format!("{} {} {}", error.message, error.log, connection.log());
        // A long message is cut, where only the beginning of a value would be left.
        assert!(error.message.contains("no [redacted]") && !shown.contains("t0k"), "{shown}");
        assert!(shown.contains("PASSED=[redacted]"), "{shown}");
        connection.close().await;
    })
    .expect("a runtime");
}

#[test]
fn a_file_that_has_just_changed_is_not_run() {
    let server = TestServer::new(HONEST);
    fs::write(server.path("server.sh"), "exit 0").expect("a script");
    let error = block_on(server.listing()).expect("a runtime").expect_err("an error");
    assert!(error.message.contains("has just changed"), "{error:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn handles_are_not_inherited() {
    let leak = tempfile::NamedTempFile::with_prefix("leaked").expect("a file");
    rustix::io::fcntl_setfd(leak.as_file(), rustix::io::FdFlags::empty()).expect("a handle");
    let output = output_of(run("ls -l /proc/$$/fd", &Limits::default(), &[]).expect("an output"));
    assert!(!output.contains("leaked") && output.contains(" 2 -> pipe:"), "{output}");
}

#[cfg(unix)]
#[test]
fn no_process_outlives_its_connection() {
    // The second one ignores that its parent ends, and the requests to end.
    let initialize = format!("sh -c 'trap \"\" TERM HUP; sleep 1000' & echo $! > child; {INITIALIZE}");
    let server = TestServer::new(Reactions { initialize: &initialize, ..HONEST });
    block_on(server.listing()).expect("a runtime").expect("a listing");
    assert_gone(&server.path("child"));
}

/// Asserts that the process ends whose id is in the file `path`.
#[cfg(unix)]
fn assert_gone(path: &std::path::Path) {
    let id = fs::read_to_string(path).expect("the id of a process");
    let id = rustix::process::Pid::from_raw(id.trim().parse().expect("a number")).expect("an id");
    // A killed process is gone once its parent, the first process of the system, has noticed.
    let is_alive = || {
        let status = fs::read_to_string(format!("/proc/{}/stat", id.as_raw_nonzero())).unwrap_or_default();
        rustix::process::test_kill_process(id).is_ok() && !status.contains(") Z ")
    };
    let gone = (0..500).any(|_| {
        let alive = is_alive();
        if alive {
            std::thread::sleep(Duration::from_millis(10));
        }
        !alive
    });
    assert!(gone, "{id:?} is alive");
}
