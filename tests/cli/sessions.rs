//! `sessions`, and sessions that are named by their ids, in a home folder made by the test.

use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::run::{Folder, Run};

const CLAUDE: &str = r#"{"type":"user","cwd":"/w/app","message":{"role":"user","content":"Read it"}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"path":"a"}}]}}
{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"no such file","is_error":true}]}}
"#;
const CODEX: &str = r#"{"type":"session_meta","payload":{"id":"x","cwd":"/w/app/sub"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"List"}]}}
{"type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c1","output":"ok"}}
"#;
const INFO: &str = r#"{"id":"ses_39b5","directory":"/w/other","title":"Look \u001b[2J around"}"#;
const MESSAGE: &str = r#"{"id":"msg_1","sessionID":"ses_39b5","role":"assistant"}"#;
const PART: &str = r#"{"type":"tool","callID":"c9","tool":"bash","state":{"status":"completed","input":{"command":"ls"},"output":"a.md"}}"#;

const CLAUDE_FILE: &str = "home/.claude/projects/-w-app/0f1e2d3c-0000-4000-8000-000000000001.jsonl";
const CODEX_FILE: &str =
    "home/.codex/sessions/2026/11/22/rollout-2026-11-22T10-00-00-0f1e2d3c-9999-7000-8000-000000000002.jsonl";

pub fn folder(name: &str) -> Folder {
    let storage = "home/.local/share/opencode/storage";
    let (info, message, part) = (
        format!("{storage}/session/p/ses_39b5.json"),
        format!("{storage}/message/ses_39b5/msg_1.json"),
        format!("{storage}/part/msg_1/prt_1.json"),
    );
    let files: [(&str, &str); 5] =
        [(&info, INFO), (&message, MESSAGE), (&part, PART), (CLAUDE_FILE, CLAUDE), (CODEX_FILE, CODEX)];
    let bytes: Vec<_> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let folder = Folder::new(name, &bytes);
    // The later in the list, the newer.
    for (age, (name, _)) in (1_700_000_000..).zip(files) {
        let file = std::fs::File::options().write(true).open(folder.path.join(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(age)).unwrap();
    }
    folder
}

fn run(folder: &Folder, arguments: &[&str]) -> Run {
    let mut command = folder.command(arguments);
    at_home(&mut command, folder);
    Run::of(command.output().unwrap())
}

/// Lets a process find the sessions of `folder` alone.
pub fn at_home(command: &mut Command, folder: &Folder) {
    command
        .env("HOME", folder.path.join("home"))
        .env("TZ", "UTC")
        .env("USERPROFILE", folder.path.join("home"));
    for name in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "APPDATA"] {
        command.env_remove(name);
    }
}

#[test]
fn sessions_are_listed_newest_first() {
    let folder = folder("sessions-list");
    let listed = run(&folder, &["sessions"]);
    let expected = "\
date              agent        id          calls  failed  folder      title
2023-11-14 22:13  codex        0f1e2d3c-9      1       0  /w/app/sub  List
2023-11-14 22:13  claude-code  0f1e2d3c-0      1       1  /w/app      Read it
2023-11-14 22:13  opencode     ses_39b5        1       0  /w/other    Look \\u{1b}[2J around
";
    listed.check(
        0,
        &expected.replace("id             ", "id          ").replace("         1", "      1"),
        "",
    );
    let limited = run(&folder, &["sessions", "--limit", "2"]);
    assert!(limited.stdout.ends_with("1 older session: --limit 0 lists all\n"), "{}", limited.stdout);
}

#[test]
fn sessions_beyond_the_limit_are_not_listed() {
    let names: Vec<_> = (100..220).map(|n| format!("home/.claude/projects/p/{n}{n}.jsonl")).collect();
    let long = CLAUDE.repeat(10);
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), long.as_bytes())).collect();
    let folder = Folder::new("sessions-limit", &files);
    for limit in [1, 40] {
        let listed = run(&folder, &["sessions", "--format", "jsonl", "--limit", &limit.to_string()]);
        assert_eq!((listed.stdout.lines().count(), listed.stderr.as_str()), (limit, ""));
    }
    let all = run(&folder, &["sessions", "--format", "jsonl", "--limit", "0"]);
    assert_eq!(all.stdout.lines().count(), 120);
}

#[test]
#[cfg_attr(windows, ignore = "the folders in the sessions are those of Unix")]
fn sessions_as_json() {
    let folder = folder("sessions-json");
    let listed = run(&folder, &["sessions", "--format", "json", "--folder", "/w/app"]);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    let ids: Vec<_> = listed.as_array().unwrap().iter().map(|session| &session["agent"]).collect();
    assert_eq!(ids, ["codex", "claude-code"]);
    assert_eq!((&listed[1]["calls"], &listed[1]["failed"]), (&1.into(), &1.into()));
    assert_eq!(listed[1]["changed"], "2023-11-14T22:13:23Z");
    let path = folder.path.join(CLAUDE_FILE);
    assert_eq!(listed[1]["path"], path.to_str().unwrap());
    let lines = run(&folder, &["sessions", "--format", "jsonl", "--agent", "opencode"]);
    let line: Value = serde_json::from_str(&lines.stdout).unwrap();
    assert_eq!(line["title"], "Look \u{1b}[2J around");
    run(&folder, &["sessions", "--agent", "pi"]).check(0, "", "warning: no session matches the options");
}

#[test]
fn sessions_are_named_by_their_ids() {
    let folder = folder("sessions-named");
    let calls = run(&folder, &["calls", "0f1e2d3c-0"]);
    let call: Value = serde_json::from_str(&calls.stdout).unwrap();
    assert_eq!((&call["toolName"], &call["errorText"]), (&"Read".into(), &"no such file".into()));
    let calls = run(&folder, &["calls", "ses_39b5"]);
    let call: Value = serde_json::from_str(&calls.stdout).unwrap();
    assert_eq!((&call["toolName"], &call["output"]), (&"bash".into(), &"a.md".into()));
    assert!(run(&folder, &["view", "--expand", "0f1e2d3c-9"]).stdout.contains("shell"));
    let several = "`0f1e2d3c` is the beginning of 2 session ids: `0f1e2d3c-9999-7000-8000-000000000002` (codex), \
                   `0f1e2d3c-0000-4000-8000-000000000001` (claude-code). Write more of the id";
    run(&folder, &["view", "0f1e2d3c"]).check(2, "", &format!("error: {several}"));
    let none =
        "there is no file `0f1e2d3d`, and no session with this id: `chatls sessions` lists the sessions";
    run(&folder, &["view", "0f1e2d3d"]).check(2, "", &format!("error: {none}"));
}

/// A long log is read in parts, by its name or by the id of its session.
#[test]
fn long_sessions_are_read_like_files() {
    let folder = folder("sessions-long");
    let (user, call) = CLAUDE.split_once('\n').unwrap();
    let call = call.replace("no such file", &"no such file ".repeat(1_200));
    let calls = (0..80).map(|number| call.replace("t1", &format!("t{number}"))).collect::<String>();
    assert!(calls.len() > 1 << 20, "{}", calls.len());
    std::fs::write(folder.path.join(CLAUDE_FILE), [user, "\n", &calls].concat()).unwrap();
    let listed = run(&folder, &["sessions", "--agent", "claude-code", "--format", "json"]);
    let rows: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert_eq!([&rows[0]["calls"], &rows[0]["failed"], &rows[0]["pending"]], [80, 80, 0]);
    for command in [&["calls"][..], &["check"], &["stats", "--by", "role"], &["view"]] {
        let outputs = ["0f1e2d3c-0000", CLAUDE_FILE].map(|name| run(&folder, &[command, &[name]].concat()));
        let home = folder.path.to_str().unwrap().replace('\\', "/");
        let [session, file] = outputs.map(|run| run.stdout.replace(&home, ""));
        assert_eq!(session.replace("\"/home", "\"home"), file, "{command:?}");
        assert!(!session.is_empty(), "{command:?}");
    }
}

#[test]
fn sessions_are_never_written() {
    let folder = folder("sessions-kept");
    for arguments in [
        &["fmt", "0f1e2d3c-0"][..],
        &["check", "--fix", "0f1e2d3c-0"],
        &["convert", "--to", "fence", "--write", "0f1e2d3c-0"],
        &["repair", "--write", "0f1e2d3c-0"],
    ] {
        let run = run(&folder, arguments);
        assert_eq!(std::fs::read_to_string(folder.path.join(CLAUDE_FILE)).unwrap(), CLAUDE, "{arguments:?}");
        let is_asked = arguments[0] != "fmt";
        assert_eq!(run.stderr.contains("warning: nothing was written: "), is_asked, "{}", run.stderr);
        assert!(!run.stderr.contains(" made"), "{}", run.stderr);
    }
}

#[test]
fn files_come_before_sessions() {
    let folder = folder("sessions-file");
    std::fs::write(folder.path.join("ses_39b5"), "<tool>read(path=a)\nb</tool>\n").unwrap();
    let calls = run(&folder, &["calls", "ses_39b5"]);
    assert!(calls.stdout.contains("\"dialect\":\"tag\""), "{}", calls.stdout);
}
