//! Long logs, which are read in parts: the output does not depend on that, and memory not on their
//! length.

use std::fmt::Write;

use super::run::Folder;

/// A session with `count` calls, whose results have `size` bytes. Some have none, some have two,
/// some precede their calls, and some lines are no messages; the last line is cut off.
fn session(count: usize, size: usize) -> String {
    let mut log = "\u{feff}".to_owned();
    let text = "漢 é \\n".repeat(size / 9);
    for number in 0..count {
        let id = format!("toolu_{}", if number % 31 == 30 { number - 7 } else { number });
        let side = if number % 5 == 4 { r#""isSidechain":true,"agentId":"a","# } else { "" };
        let call = format!(
            r#"{{{side}"type":"assistant","message":{{"role":"assistant","model":"m","content":[{{"type":"tool_use","id":"{id}","name":"read","input":{{"path":"{number}"}}}}]}}}}"#
        );
        let result = format!(
            r#"{{{side}"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":"{text}"}}]}}}}"#
        );
        let note = format!(r#"{{"type":"progress","toolUseID":"{id}"}}"#);
        let (one, other) = if number % 37 == 36 { (&result, &call) } else { (&call, &result) };
        let _ = write!(log, "{one}\r\n{note}\n\n");
        for _ in 0..[1, 1, 1, 1, 0, 1, 2][number % 7] {
            let _ = writeln!(log, "{other}");
        }
    }
    log.truncate(log.trim_end().len() - 5);
    log
}

#[test]
fn output_does_not_depend_on_reading_in_parts() {
    let log = session(300, 40);
    // The language of a file with another name is only known when its text was read.
    let files: [(&str, &[u8]); 2] = [("parts.jsonl", log.as_bytes()), ("whole.other", log.as_bytes())];
    let folder = Folder::new("long-logs", &files);
    for arguments in [
        &["calls"][..],
        &["calls", "--format", "csv"],
        &["calls", "--tool", "none"],
        &["check"],
        &["check", "--format", "junit"],
        &["check", "--fix", "--diff"],
        &["check", "--format", "jsonl", "--jobs", "2"],
        &["stats"],
        &["view"],
    ] {
        let [parts, whole] = files.map(|(name, _)| folder.run(&[arguments, &[name]].concat()));
        let named = |text: &str| text.replace("whole.other", "parts.jsonl");
        assert_eq!(parts.stdout, named(&whole.stdout), "{arguments:?}");
        assert_eq!((parts.status, &parts.stderr), (whole.status, &named(&whole.stderr)), "{arguments:?}");
        let is_empty = arguments.contains(&"none") || arguments.contains(&"--fix");
        assert_eq!(parts.stdout.is_empty(), is_empty, "{arguments:?}");
    }
}

#[test]
fn text_that_is_not_utf8_is_reported_behind_a_long_beginning() {
    let log = [session(50, 40).as_bytes(), b"\xff\n"].concat();
    let folder = Folder::new("long-logs-invalid", &[("a.jsonl", &log)]);
    let message = "error: cannot read `a.jsonl`: it is not UTF-8";
    for command in ["check", "calls"] {
        let run = folder.run(&[command, "a.jsonl"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{command}");
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
}

/// The limit holds for all memory that a process can write to (Linux 4.7).
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_length_of_a_log() {
    use std::process::{Command, Stdio};

    const MOST_KB: usize = 20 << 10;
    let log = session(640, 48 << 10);
    assert!(log.len() > MOST_KB << 10, "{}", log.len());
    let files: [(&str, &[u8]); 2] = [("parts.jsonl", log.as_bytes()), ("whole.other", log.as_bytes())];
    let folder = Folder::new("long-logs-memory", &files);
    let run = |command: &str, name: &str| {
        let limited = format!("ulimit -d {MOST_KB}; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited, env!("CARGO_BIN_EXE_chatls"), command, name]);
        shell.current_dir(&folder.path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.status().unwrap().code()
    };
    assert_eq!(run("check", "parts.jsonl"), Some(1));
    assert_eq!(run("calls", "parts.jsonl"), Some(0));
    assert_eq!(run("check", "whole.other"), None, "the limit has no effect");
}
