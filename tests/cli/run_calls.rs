//! `run`: calls with the tools of presets and with programs, in every dialect, and comparisons.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
#[cfg(unix)]
use std::process::Stdio;

use serde_json::{Value, json};

use super::run::{Folder, Run, at_folders};

const CONFIG: &[u8] = b"tools = [\"preset:file-tools\", \"preset:chartsmith\"]\n";

/// A folder with `text` as the transcript `name`, and files in `work`.
pub(super) fn folder(test: &str, name: &str, text: &str) -> Folder {
    Folder::new(
        test,
        &[("chatls.toml", CONFIG), (name, text.as_bytes()), ("work/a.txt", b"one\n"), ("data/.keep", b"")],
    )
}

pub(super) fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(&[&["run"], arguments].concat());
    at_home(&mut command, folder);
    Run::of(command.output().unwrap())
}

/// Lets `command` find the consents of `folder`, and no others.
pub(super) fn at_home(command: &mut Command, folder: &Folder) {
    at_folders(command, &data_home(folder), &data_home(folder).join("config"));
}

/// The folder of consents and of the user's settings, which may not be in the repository.
fn data_home(folder: &Folder) -> PathBuf {
    let name = folder.path.file_name().unwrap().to_str().unwrap();
    std::env::temp_dir().join(format!("chatls-{name}-{}", std::process::id()))
}

pub(super) fn text(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path.join(name)).unwrap()
}

/// Runs the first pending call of a transcript; running it again changes nothing.
#[track_caller]
fn check(name: &str, before: &str, after: &str) {
    let test = format!("run-{}", name.replace('.', "-"));
    let folder = folder(&test, name, before);
    let first = run(&folder, &["--in", "work", name]);
    assert_eq!(first.status, 0, "{}", first.stderr);
    assert_eq!(text(&folder, name), after);
    let again = run(&folder, &["--in", "work", name]);
    assert!(again.stderr.contains("nothing to run"), "{}", again.stderr);
    assert_eq!(text(&folder, name), after);
    let compared = run(&folder, &["--compare", "--in", "work", name]);
    assert_eq!((compared.status, &*compared.stdout), (0, ""), "{}", compared.stderr);
}

#[test]
fn results_are_written_in_every_dialect() {
    check(
        "fence.chat.md",
        "Hi\r\n\r\n```tool\r\n{\"toolName\":\"read_file\",\"state\":\"input-available\",\"input\":{\"path\":\"a.txt\"}}\r\n```\r\n\r\n*end*",
        "Hi\r\n\r\n```tool\r\n{\"toolName\":\"read_file\",\"state\":\"output-available\",\"input\":{\"path\":\"a.txt\"}, \"output\": \"one\\n\"}\r\n```\r\n\r\n*end*",
    );
    check(
        "marker.chat.md",
        "\u{feff}###: {\"toolName\": \"read_file\", \"parameters\": {\"path\": \"a.txt\"}}\n",
        "\u{feff}###: {\"toolName\": \"read_file\", \"parameters\": {\"path\": \"a.txt\"}}\n\n*🔧 Executed read_file: one*\n",
    );
    check(
        "tag.chat.md",
        "<tool>read_file(path=a.txt)</tool>\n",
        "<tool>read_file(path=a.txt)\none\n</tool>\n",
    );
    check(
        "hermes.chat.md",
        "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}</tool_call>\n",
        "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}</tool_call>\n<tool_response>\n{\"name\": \"read_file\", \"content\": \"one\\n\"}\n</tool_response>\n",
    );
    let call = r#"{"type":"tool-call","toolCallId":"c","toolName":"read_file","input":{"path":"a.txt"}}"#;
    let result = r#"{"type":"tool-result","toolCallId":"c","toolName":"read_file","output":"one\n"}"#;
    check("stream.jsonl", &format!("{call}\n"), &format!("{call}\n{result}\n"));
    let user = r#"{"role":"user","content":"read"}"#;
    let call = r#"{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"read_file","input":{"path":"a.txt"}}]}"#;
    let result = r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"one\n"}]}"#;
    check(
        "log.messages.json",
        &format!("{{\"messages\": [{user}, {call}]}}\n"),
        &format!("{{\"messages\": [{user}, {call}, {result}]}}\n"),
    );
    check("log.jsonl", &format!("{user}\n{call}\n"), &format!("{user}\n{call}\n{result}\n"));
    let user = r#"{"role":"user","parts":[{"text":"read"}]}"#;
    let call = r#"{"role":"model","parts":[{"functionCall":{"name":"read_file","args":{"path":"a.txt"}}}]}"#;
    let result = r#"{"role":"user","parts":[{"functionResponse":{"name":"read_file","response":{"output":"one\n"}}}]}"#;
    check(
        "gemini.messages.json",
        &format!("{{\"contents\": [{user}, {call}]}}\n"),
        &format!("{{\"contents\": [{user}, {call}, {result}]}}\n"),
    );
    let part = |members: &str| {
        format!(
            "[\n  {{\n    \"role\": \"assistant\",\n    \"parts\": [\n      {{\n        \"type\": \"tool-read_file\",\n        \"toolCallId\": \"t\",\n        \"input\": {{ \"path\": \"a.txt\" }},\n{members}\n      }}\n    ]\n  }}\n]\n"
        )
    };
    check(
        "ui.messages.json",
        &part("        \"state\": \"input-available\""),
        &part("        \"state\": \"output-available\",\n        \"output\": \"one\\n\""),
    );
}

#[test]
fn a_dry_run_changes_nothing() {
    let before = "<tool>write_file(path=b.txt, content=x)</tool>\n\n<tool>read_file(file=a)</tool>\n\n<tool>other()</tool>\n";
    let folder = folder("run-dry", "a.chat.md", before);
    let listed = run(&folder, &["--dry-run", "--all", "--yes", "--in", "work", "a.chat.md"]);
    assert_eq!(listed.status, 2, "{}", listed.stderr);
    let lines: Vec<_> = listed.stdout.lines().collect();
    assert_eq!(lines[0], r#"a.chat.md:1: write_file {"path":"b.txt","content":"x"} by preset:file-tools"#);
    assert!(lines[1].starts_with("a.chat.md:3: cannot run: `path` is missing"), "{}", lines[1]);
    assert!(lines[2].starts_with("a.chat.md:5: cannot run: nothing runs `other`"), "{}", lines[2]);
    assert_eq!(text(&folder, "a.chat.md"), before);
    assert!(!folder.path.join("work/b.txt").exists());
    let nowhere = run(&folder, &["--dry-run", "--in", "none", "a.chat.md"]);
    assert_eq!((nowhere.status, &*nowhere.stdout), (2, ""), "{}", nowhere.stderr);
    assert!(nowhere.stderr.contains("cannot work in `none`"), "{}", nowhere.stderr);
}

#[test]
fn a_tool_of_two_servers_is_run_by_neither() {
    let tools = br#"{"tools":[{"name":"look","inputSchema":{"type":"object"}}]}"#;
    let server = |name: &str| format!("[servers.{name}]\ncommand = \"sh\"\nlisting = \"{name}.json\"\n");
    let folder = Folder::new(
        "run-servers",
        &[
            ("chatls.toml", (server("one") + &server("two")).as_bytes()),
            ("one.json", tools),
            ("two.json", tools),
            ("a.chat.md", b"<tool>look()</tool>\n"),
        ],
    );
    let listed = run(&folder, &["--dry-run", "a.chat.md"]);
    assert_eq!(listed.status, 2);
    let reason = "both the server `one` and the server `two` have a tool `look`: remove one";
    assert!(listed.stdout.contains(reason), "{}", listed.stdout);
}

#[test]
fn what_changes_something_needs_agreement() {
    let before = "<tool>write_file(path=b.txt, content=x)</tool>\n";
    let folder = folder("run-yes", "a.chat.md", before);
    let refused = run(&folder, &["--in", "work", "a.chat.md"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("agree with --yes"), "{}", refused.stderr);
    let nowhere = run(&folder, &["--yes", "a.chat.md"]);
    assert!(nowhere.stderr.contains("with --in FOLDER"), "{}", nowhere.stderr);
    assert_eq!(text(&folder, "a.chat.md"), before);
    assert!(!folder.path.join("work/b.txt").exists());
    let done = run(&folder, &["--in", "work", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert_eq!(text(&folder, "work/b.txt"), "x");
    // Comparing works in a copy.
    fs::remove_file(folder.path.join("work/b.txt")).unwrap();
    let compared = run(&folder, &["--compare", "--in", "work", "a.chat.md"]);
    assert_eq!(compared.status, 0, "{}{}", compared.stdout, compared.stderr);
    assert!(!folder.path.join("work/b.txt").exists());
}

#[test]
fn the_user_decides_when_to_ask_and_whom() {
    let before =
        "<tool>read_file(path=a.txt)</tool>\n\n<tool>latest_subchart_version(chart_name=redis)</tool>\n";
    let folder = folder("run-settings", "a.chat.md", before);
    let nowhere = run(&folder, &["--tool", "latest_subchart_version", "a.chat.md"]);
    assert!(nowhere.status == 2 && nowhere.stderr.contains("no index of charts"), "{}", nowhere.stderr);
    assert_eq!(text(&folder, "a.chat.md"), before);
    let home = data_home(&folder);
    fs::create_dir_all(home.join("config/chatls")).unwrap();
    fs::write(home.join("config/chatls/settings.toml"), "[limits]\ncall = \"soon\"\n").unwrap();
    let wrong = run(&folder, &["--in", "work", "a.chat.md"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("is not a time from 1s to 24h"), "{}", wrong.stderr);
    fs::write(home.join("config/chatls/settings.toml"), "ask = \"always\"\n").unwrap();
    let refused = run(&folder, &["--in", "work", "a.chat.md"]);
    assert!(refused.status == 2 && refused.stderr.contains("ask at each run"), "{}", refused.stderr);
    // Settings in the project are not the user's.
    fs::create_dir_all(folder.path.join(".config/chatls")).unwrap();
    fs::write(folder.path.join(".config/chatls/settings.toml"), "ask = \"never\"\n").unwrap();
    for arguments in [["run", "--all", "--in", "work"].as_slice(), &["continue"]] {
        let mut command = folder.command(&[arguments, &["a.chat.md"]].concat());
        at_folders(&mut command, &home, &folder.path.join(".config"));
        let refused = Run::of(command.output().unwrap());
        assert!(refused.status == 2 && refused.stderr.contains("part of this project"), "{}", refused.stderr);
    }
    assert_eq!(text(&folder, "a.chat.md"), before);
    assert_eq!(run(&folder, &["--in", "work", "--yes", "a.chat.md"]).status, 0);
    fs::remove_dir_all(home).unwrap();
}

#[test]
fn subcharts_are_looked_up_at_the_address_of_the_user() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", server.local_addr().unwrap());
    let asked = std::thread::spawn(move || {
        let (mut stream, _) = server.accept().unwrap();
        let mut request = String::new();
        BufReader::new(stream.try_clone().unwrap()).read_line(&mut request).unwrap();
        let body = r#"{"packages": [{"name": "redis", "version": "20.1.0"}]}"#;
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
        stream.write_all((head + body).as_bytes()).unwrap();
        request
    });
    let folder =
        folder("run-charts", "a.chat.md", "<tool>latest_subchart_version(chart_name=redis)</tool>\n");
    let done = run(&folder, &["--charts", &address, "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(asked.join().unwrap().starts_with("GET /api/v1/packages/search?kind=0&ts_query_web=redis&"));
    assert_eq!(
        text(&folder, "a.chat.md"),
        "<tool>latest_subchart_version(chart_name=redis)\n20.1.0</tool>\n"
    );
}

#[test]
fn all_calls_run_in_order_and_failures_are_recorded() {
    let fence = |input: Value| {
        format!(
            "```tool\n{}\n```\n\n",
            json!({"toolCallId": input["id"], "toolName": input["tool"], "input": input["input"]})
        )
    };
    let before = fence(json!({"id": "1", "tool": "write_file", "input": {"path": "b.txt", "content": "b"}}))
        + &fence(json!({"id": "2", "tool": "read_file", "input": {"path": "b.txt"}}))
        + &fence(json!({"id": "3", "tool": "read_file", "input": {"path": "../chatls.toml"}}));
    let folder = folder("run-all", "a.chat.md", &before);
    let done = run(&folder, &["--in", "work", "--all", "--yes", "a.chat.md"]);
    assert_eq!(done.status, 1, "{}", done.stderr);
    let after = text(&folder, "a.chat.md");
    assert!(after.contains(r#""output": "b""#), "{after}");
    assert!(after.contains(r#""errorText": "`../chatls.toml` leads out of the folder""#), "{after}");
    // A call that ran is run again by its id.
    fs::write(folder.path.join("work/b.txt"), "c").unwrap();
    let again = run(&folder, &["--in", "work", "--id", "2", "a.chat.md"]);
    assert_eq!(again.status, 0, "{}", again.stderr);
    assert_eq!(text(&folder, "a.chat.md"), after.replace(r#""output": "b""#, r#""output": "c""#));
    let missing = run(&folder, &["--in", "work", "--id", "9", "a.chat.md"]);
    assert!(missing.status == 2 && missing.stderr.contains("no call with the id `9`"), "{}", missing.stderr);
}

#[test]
fn differences_are_shown() {
    let before = "<tool>read_file(path=a.txt)\ntwo\nsame</tool>\n\n<tool>latest_kubernetes_version(semver_field=minor)\n1.31</tool>\n";
    let folder = folder("run-compare", "a.chat.md", before);
    fs::write(folder.path.join("work/a.txt"), "one\nsame").unwrap();
    let compared = run(&folder, &["--compare", "--in", "work", "a.chat.md"]);
    assert_eq!(compared.status, 1, "{}", compared.stderr);
    assert!(
        compared.stdout.starts_with("a.chat.md:1: read_file: the result differs\n"),
        "{}",
        compared.stdout
    );
    assert!(compared.stdout.contains("\n  -two\n  +one\n   same\n"), "{}", compared.stdout);
    assert_eq!(text(&folder, "a.chat.md"), before);
    let masked =
        run(&folder, &["--compare", "--in", "work", "--mask", "one|two", "--mask", "1\\.\\d+", "a.chat.md"]);
    assert_eq!(masked.status, 0, "{}{}", masked.stdout, masked.stderr);
    let as_json =
        run(&folder, &["--compare", "--in", "work", "--format", "json", "--tool", "read_file", "a.chat.md"]);
    let found: Value = serde_json::from_str(&as_json.stdout).unwrap();
    assert_eq!(
        found,
        json!([{"file": "a.chat.md", "line": 1, "toolName": "read_file", "status": "different",
            "differences": [{"path": "$", "recorded": "two\nsame", "now": "one\nsame"}]}])
    );
    // Options add to the rules of the configuration.
    let rules = "[compare]\nmask = [\"one|two\"]\n";
    fs::write(folder.path.join("chatls.toml"), [CONFIG, rules.as_bytes()].concat()).unwrap();
    let configured = run(&folder, &["--compare", "--in", "work", "--tool", "read_file", "a.chat.md"]);
    assert_eq!(configured.status, 0, "{}{}", configured.stdout, configured.stderr);
    let both = run(&folder, &["--compare", "--in", "work", "--mask", "1\\.\\d+", "a.chat.md"]);
    assert_eq!(both.status, 0, "{}{}", both.stdout, both.stderr);
    for (name, call) in [("--tool", "of `other`"), ("--id", "with the id `other`")] {
        let nothing = run(&folder, &["--compare", "--in", "work", name, "other", "a.chat.md"]);
        assert_eq!(nothing.status, 2, "{}", nothing.stderr);
        assert!(nothing.stderr.contains(&format!("there is no call {call} that has a result")));
    }
    fs::write(folder.path.join("work/a.txt"), "\u{202e}\u{9b}").unwrap();
    let escaped = run(&folder, &["--compare", "--in", "work", "--format", "json", "a.chat.md"]);
    assert!(escaped.stdout.contains(r#""now":"\u202e\u009b""#), "{}", escaped.stdout);
    // No rule is left out silently.
    let invalid = [CONFIG, b"[compare]\nmask = [\"(\"]\n"].concat();
    fs::write(folder.path.join("chatls.toml"), invalid).unwrap();
    let refused = run(&folder, &["--compare", "--in", "work", "a.chat.md"]);
    assert_eq!((refused.status, &*refused.stdout), (2, ""), "{}", refused.stderr);
    assert!(refused.stderr.contains("`(` is not a regular expression"), "{}", refused.stderr);
    let wrong = run(&folder, &["--compare", "--ignore", "time", "a.chat.md"]);
    assert!(wrong.status == 2 && wrong.stderr.contains("not a JSONPath"), "{}", wrong.stderr);
}

/// Agrees to start the program `name` of the folder, which nothing starts before.
#[track_caller]
pub(super) fn agree(folder: &Folder, name: &str) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder.path.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    assert!(folder.path.join(name).exists());
    // Wine gives the ids of processes again, and keeps its temporary folder.
    _ = fs::remove_dir_all(data_home(folder));
    let refused = run(folder, &["--yes", "a.chat.md"]);
    assert_eq!(refused.status, 2, "{}", refused.stderr);
    let (_, hash) = refused.stderr.split_once("chatls trust --allow ").expect("the command that agrees");
    let mut trust = folder.command(&["trust", "--allow", hash.split_whitespace().next().unwrap()]);
    at_home(&mut trust, folder);
    let trusted = Run::of(trust.output().unwrap());
    assert_eq!(trusted.status, 0, "{}", trusted.stderr);
}

#[cfg(unix)]
#[test]
fn what_others_write_meanwhile_stays() {
    let script =
        b"#!/bin/sh\nread input\nprintf x >> ran\n[ -e next ] && mv next a.chat.md\nprintf '%s' \"$input\"\n";
    let fence = |id: &str, rest: &str| {
        format!("```tool\n{{\"toolCallId\":\"{id}\",\"toolName\":\"echo\",\"input\":{{}}{rest}}}\n```\n\n")
    };
    let before = fence("1", "") + &fence("2", "") + &fence("3", "");
    let folder = Folder::new(
        "run-meanwhile",
        &[
            ("chatls.toml", b"[run.echo]\ncommand = [\"./echo.sh\"]\n"),
            ("echo.sh", script),
            ("a.chat.md", before.as_bytes()),
        ],
    );
    agree(&folder, "echo.sh");
    // While the first one runs, it gets a result, the second is removed, and the third is moved.
    let by_hand = fence("1", ",\"output\":\"by hand\"");
    fs::write(folder.path.join("next"), format!("{by_hand}New\n\n{}", fence("3", ""))).unwrap();
    let done = run(&folder, &["--yes", "--all", "a.chat.md"]);
    assert_eq!(done.status, 2, "{}", done.stderr);
    assert!(
        done.stderr
            .contains("a.chat.md:1: the result is not written: the call has got another result meanwhile"),
        "{}",
        done.stderr
    );
    assert!(
        done.stderr.contains("a.chat.md:5: not run: the call has been changed or removed meanwhile"),
        "{}",
        done.stderr
    );
    // It is shown where it is by then.
    assert!(done.stderr.contains("a.chat.md:7: echo {} by"), "{}", done.stderr);
    assert_eq!(text(&folder, "ran"), "xx");
    let third = "```tool\n{\"toolCallId\":\"3\",\"toolName\":\"echo\",\"input\":{}, \"output\": {}}\n```\n\n";
    assert_eq!(text(&folder, "a.chat.md"), format!("{by_hand}New\n\n{third}"));
    // One that is named is replaced.
    fs::write(folder.path.join("next"), fence("1", ",\"output\":\"again\"")).unwrap();
    let replaced = run(&folder, &["--yes", "--id", "1", "a.chat.md"]);
    assert_eq!(replaced.status, 0, "{}", replaced.stderr);
    assert_eq!(text(&folder, "a.chat.md"), fence("1", ",\"output\":{}"));
    fs::remove_dir_all(data_home(&folder)).unwrap();
}

#[test]
fn secrets_are_masked_and_need_agreement() {
    let token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].concat();
    let before = format!("<tool>read_file(path={token})</tool>\n");
    let folder = folder("run-secret", "a.chat.md", &before);
    // A workspace can neither agree nor turn the warning off.
    let config = [CONFIG, b"[lint]\nsecret = \"off\"\n"].concat();
    fs::write(folder.path.join("chatls.toml"), config).unwrap();
    for arguments in [["--in", "work", "--dry-run"].as_slice(), &["--in", "work"], &["--in", "work", "--yes"]]
    {
        let refused = run(&folder, &[arguments, &["a.chat.md"]].concat());
        let shown = [refused.stdout, refused.stderr].concat();
        assert!(!shown.contains(&token), "{shown}");
        assert!(shown.contains(r#"a.chat.md:1: read_file {"path":"[redacted]"} by"#), "{shown}");
        if !arguments.contains(&"--dry-run") {
            assert_eq!(refused.status, 2, "{shown}");
            assert!(
                shown.contains("agree with --send-secrets") && shown.contains("a GitHub token"),
                "{shown}"
            );
        }
    }
    assert_eq!(text(&folder, "a.chat.md"), before);
    let agreed = run(&folder, &["--in", "work", "--send-secrets", "a.chat.md"]);
    assert!(agreed.status == 1 && !agreed.stderr.contains(&token), "{}", agreed.stderr);
}

#[test]
fn a_call_is_shown_with_all_of_its_input() {
    let content = "x".repeat(1000);
    let before = format!("<tool>write_file(content={content}, path=.git/hooks/pre-commit)</tool>\n");
    let folder = folder("run-question", "a.chat.md", &before);
    let refused = run(&folder, &["--in", "work", "a.chat.md"]);
    assert!(
        refused.stderr.contains("\n  path: \".git/hooks/pre-commit\"\n")
            && refused.stderr.contains("x\" (1000 characters)\n"),
        "{}",
        refused.stderr
    );
}

/// Ignored files are not in a copy, which is removed even if the command is interrupted.
#[cfg(unix)]
#[test]
fn comparisons_leave_no_copy() {
    use std::os::unix::process::ExitStatusExt;
    let script = b"#!/bin/sh\nls -A \"$TMPDIR\"/*/* > seen\nkill -INT $PPID\nsleep 100\n";
    let before =
        "```tool\n{\"toolName\":\"echo\",\"state\":\"output-available\",\"input\":{},\"output\":1}\n```\n";
    let folder = Folder::new(
        "run-copy",
        &[
            ("chatls.toml", b"[run.echo]\ncommand = [\"./echo.sh\"]\n"),
            ("echo.sh", script),
            (
                "a.chat.md",
                before.replace("output-available", "input-available").replace(",\"output\":1", "").as_bytes(),
            ),
            ("work/sub/.gitignore", b"*.log\n/node_modules\n"),
            ("work/sub/a.txt", b"a"),
            ("work/sub/a.log", b"a"),
            ("work/sub/node_modules/a.txt", b"a"),
            ("work/sub/.git/a.txt", b"a"),
            ("temporary/.keep", b""),
        ],
    );
    agree(&folder, "echo.sh");
    fs::write(folder.path.join("a.chat.md"), before).unwrap();
    let arguments = ["run", "--compare", "--yes", "--in", "work", "a.chat.md"];
    let mut command = Command::new("env");
    command.arg("--default-signal=INT").arg(env!("CARGO_BIN_EXE_chatls")).args(arguments);
    command.current_dir(&folder.path).stdin(Stdio::null());
    command.env("XDG_DATA_HOME", data_home(&folder)).env("TMPDIR", folder.path.join("temporary"));
    let interrupted = command.output().unwrap();
    assert_eq!(interrupted.status.signal(), Some(2), "{}", String::from_utf8_lossy(&interrupted.stderr));
    assert_eq!(text(&folder, "seen"), ".gitignore\na.txt\n");
    let left: Vec<_> = fs::read_dir(folder.path.join("temporary")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    fs::remove_dir_all(data_home(&folder)).unwrap();
}

#[cfg(unix)]
#[test]
fn programs_run_after_consent() {
    let script =
        b"#!/bin/sh\nread input\nprintf '{\"got\": %s, \"time\": %s}' \"$input\" \"$(date +%s%N)\"\n";
    let before = "```tool\n{\"toolName\":\"echo\",\"input\":{\"x\":1}}\n```\n";
    let folder = Folder::new(
        "run-program",
        &[
            ("chatls.toml", b"[run.echo]\ncommand = [\"./echo.sh\"]\n"),
            ("echo.sh", script),
            ("a.chat.md", before.as_bytes()),
        ],
    );
    agree(&folder, "echo.sh");
    assert_eq!(text(&folder, "a.chat.md"), before);
    let done = run(&folder, &["--yes", "a.chat.md"]);
    assert_eq!(done.status, 0, "{}", done.stderr);
    assert!(
        text(&folder, "a.chat.md").contains(r#""output": {"got":{"x":1},"time":"#),
        "{}",
        text(&folder, "a.chat.md")
    );
    let differs = run(&folder, &["--compare", "--yes", "a.chat.md"]);
    assert!(differs.status == 1 && differs.stdout.contains("  $['time']\n"), "{}", differs.stdout);
    for rule in [["--ignore", "$.time"], ["--match", "echo:$.time=integer"]] {
        let compared = run(&folder, &["--compare", "--yes", rule[0], rule[1], "a.chat.md"]);
        assert_eq!(compared.status, 0, "{}{}", compared.stdout, compared.stderr);
    }
    // A changed program needs another consent.
    fs::write(folder.path.join("echo.sh"), "#!/bin/sh\nexit 3\n").unwrap();
    assert_eq!(run(&folder, &["--compare", "--yes", "a.chat.md"]).status, 2);
    fs::remove_dir_all(data_home(&folder)).unwrap();
}

#[test]
fn results_that_a_form_cannot_express_are_warned_of() {
    let call = |path: &str| {
        format!("###: {{\"toolName\": \"read_file\", \"parameters\": {{\"path\": \"{path}\"}}}}\n\n")
    };
    let folder = folder("run-lossy", "a.chat.md", &["a.txt", "b.txt", "none.txt"].map(call).concat());
    fs::write(folder.path.join("work/b.txt"), "one\ntwo\n").unwrap();
    let run = run(&folder, &["--in", "work", "--all", "a.chat.md"]);
    let warnings: Vec<_> = run.stderr.lines().filter(|line| line.starts_with("warning: ")).collect();
    let warning =
        |line: u32, lost: &str| format!("warning: a.chat.md:{line}: writing the result in this form {lost}");
    assert_eq!(warnings, [warning(5, "changes the output"), warning(9, "drops the error text")]);
}
