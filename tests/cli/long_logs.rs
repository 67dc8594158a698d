//! Long logs, which are read in parts: the output does not depend on that, and memory not on their
//! length.

use std::fmt::Write;

use super::run::Folder;

/// The length of logs that are read in parts.
const READ_IN_PARTS: usize = 1 << 20;

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

/// Calls with inputs and results of 64 kB, which stay in a file: compact and not, with unusual
/// escapes, half surrogate pairs, duplicate keys, numbers that no parser keeps, errors, and in
/// strings of JSON.
fn long_values() -> String {
    let text = "漢 \\n\\\"".repeat(8 << 10);
    let valid = [
        format!(r#""{text}""#),
        format!(r#""\/\u0041\u000a\ud83d{text}""#),
        format!(r#"{{"a":"{text}","n":-1.50e4000}}"#),
        format!(r#"{{ "a" : [ "{text}", 1 ], "b": 1, "a": {{}} }}"#),
        format!(r#"[{{"type":"text","text":"{text}"}}, {{"type": "text", "text": "b"}}]"#),
        "[".repeat(32 << 10) + &"]".repeat(32 << 10),
        "1".repeat(64 << 10),
    ];
    let odd = [format!(r#"{{"a":"{text}",}}"#), format!(r#"'{text}'"#), format!(r#"[01, "{text}"]"#)];
    let encoded = |text: &str| serde_json::to_string(text).unwrap();
    let mut log = String::new();
    for (number, value) in valid.iter().chain(&odd).enumerate() {
        let error = if number % 2 == 1 { r#""is_error":true,"# } else { "" };
        let arguments = encoded(value);
        let inner = encoded(&format!(r#"{{"name":"x","arguments":{value}}}"#));
        let twice = encoded(&format!(r#"{{"name":"x","arguments":{arguments}}}"#));
        for line in [
            format!(
                r#"{{"message":{{"role":"assistant","content":[{{"type":"tool_use","id":"a{number}","name":"x","input":{value}}}]}}}}"#
            ),
            format!(
                r#"{{"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a{number}",{error}"content":{value}}}]}}}}"#
            ),
            format!(
                r#"{{"role":"assistant","tool_calls":[{{"id":"b{number}","type":"function","function":{{"name":"x","arguments":{arguments}}}}}]}}"#
            ),
            format!(r#"{{"role":"tool","tool_call_id":"b{number}","content":{value}}}"#),
            format!(r#"{{"conversations":[{{"from":"function_call","value":{inner}}}]}}"#),
            format!(r#"{{"conversations":[{{"from":"function_call","value":{twice}}}]}}"#),
        ] {
            log.push_str(&(line + "\n"));
        }
    }
    log
}

/// The output of commands for `log`, which does not depend on whether it is read in parts.
fn outputs<'a>(name: &str, log: &str, commands: &'a [&[&'a str]]) -> Vec<(&'a [&'a str], String)> {
    assert!(log.len() > READ_IN_PARTS, "{}", log.len());
    // The language of a file with another name is only known when its text was read.
    let files: [(&str, &[u8]); 2] = [("parts.jsonl", log.as_bytes()), ("whole.other", log.as_bytes())];
    let folder = Folder::new(name, &files);
    let output = |arguments: &&'a [&'a str]| {
        let [parts, whole] = files.map(|(name, _)| folder.run(&[arguments, &[name][..]].concat()));
        let named = |text: &str| text.replace("whole.other", "parts.jsonl");
        assert_eq!(parts.stdout, named(&whole.stdout), "{arguments:?}");
        assert_eq!((parts.status, &parts.stderr), (whole.status, &named(&whole.stderr)), "{arguments:?}");
        (*arguments, parts.stdout)
    };
    commands.iter().map(output).collect()
}

#[test]
fn output_does_not_depend_on_reading_in_parts() {
    let commands = [
        &["calls"][..],
        &["calls", "--tool", "none"],
        &["check"],
        &["check", "--fix", "--diff"],
        &["check", "--format", "jsonl", "--jobs", "2"],
        &["stats"],
        &["stats", "--by", "conversation", "--format", "json"],
        &["view"],
    ];
    for (arguments, output) in outputs("long-logs", &session(240, 4800), &commands) {
        let is_empty = arguments.contains(&"none") || arguments.contains(&"--fix");
        assert_eq!(output.is_empty(), is_empty, "{arguments:?}");
    }
}

#[test]
fn output_does_not_depend_on_where_long_values_stay() {
    let commands = [&["calls"][..], &["calls", "--format", "csv"]];
    for (arguments, output) in outputs("long-logs-values", &long_values(), &commands) {
        assert!(output.len() > 500, "{arguments:?}: {output}");
    }
}

#[test]
fn text_that_is_not_utf8_is_reported_behind_a_long_beginning() {
    let log = [session(300, 4000).as_bytes(), b"\xff\n"].concat();
    let folder = Folder::new("long-logs-invalid", &[("a.jsonl", &log)]);
    let message = "error: cannot read `a.jsonl`: it is not UTF-8";
    for command in ["check", "calls"] {
        let run = folder.run(&[command, "a.jsonl"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{command}");
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
}

/// The status of `command` for the file `name`, if all memory that a process can write to has a
/// limit (Linux 4.7); `None` if it needs more.
#[cfg(target_os = "linux")]
fn status_within(most_kb: usize, folder: &Folder, command: &str, name: &str) -> Option<i32> {
    use std::process::{Command, Stdio};

    let limited = format!("ulimit -d {most_kb}; exec \"$0\" \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &limited, env!("CARGO_BIN_EXE_chatls"), command, name]);
    shell.current_dir(&folder.path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    shell.status().unwrap().code()
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_length_of_a_log() {
    const MOST_KB: usize = 20 << 10;
    let log = session(640, 48 << 10);
    assert!(log.len() > MOST_KB << 10, "{}", log.len());
    let files: [(&str, &[u8]); 2] = [("parts.jsonl", log.as_bytes()), ("whole.other", log.as_bytes())];
    let folder = Folder::new("long-logs-memory", &files);
    let run = |command, name| status_within(MOST_KB, &folder, command, name);
    assert_eq!(run("check", "parts.jsonl"), Some(1));
    assert_eq!(run("calls", "parts.jsonl"), Some(0));
    assert_eq!(run("stats", "parts.jsonl"), Some(0));
    assert_eq!(run("check", "whole.other"), None, "the limit has no effect");
}

/// Of lines without faults, only the places of tool uses are held.
#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_depend_on_the_number_of_lines() {
    const MOST_KB: usize = 20 << 10;
    let mut log = String::new();
    for number in 0..30_000 {
        let _ = writeln!(
            log,
            r#"{{"message":{{"role":"assistant","content":[{{"type":"tool_use","id":"a{number}","name":"x","input":{{}}}}]}}}}
{{"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a{number}","content":"1"}}]}}}}"#
        );
    }
    let folder = Folder::new("long-logs-lines", &[("a.jsonl", log.as_bytes())]);
    for command in ["check", "calls", "stats"] {
        assert_eq!(status_within(MOST_KB, &folder, command, "a.jsonl"), Some(0), "{command}");
    }
    assert_eq!(status_within(MOST_KB, &folder, "view", "a.jsonl"), None, "the limit has no effect");
}

/// A call with a long input and a long result: neither of the lines is held twice, or with the
/// other. Of an input in a string of JSON, the decoded text is also held.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_that_of_the_longest_line() {
    const LINE: usize = 20 << 20;
    const MOST_KB: usize = (LINE + LINE / 2 + (20 << 20)) >> 10;
    let text = "some text \\n".repeat(LINE / 12);
    let log = format!(
        r#"{{"message":{{"role":"assistant","content":[{{"type":"tool_use","id":"a","name":"x","input":{{"a":"{text}"}}}}]}}}}
{{"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"a","content":"{text}"}}]}}}}
"#
    );
    let quotes = serde_json::json!({ "a": "\"".repeat(LINE / 8) }).to_string();
    let encoded = format!(
        r#"{{"role":"assistant","tool_calls":[{{"id":"a","type":"function","function":{{"name":"x","arguments":{}}}}}]}}
{{"role":"tool","tool_call_id":"a","content":"b"}}
"#,
        serde_json::Value::String(quotes)
    );
    let files: [(&str, &[u8]); 3] = [
        ("parts.jsonl", log.as_bytes()),
        ("encoded.jsonl", encoded.as_bytes()),
        ("whole.other", log.as_bytes()),
    ];
    let folder = Folder::new("long-logs-line", &files);
    for command in ["check", "calls", "stats"] {
        for name in ["parts.jsonl", "encoded.jsonl"] {
            assert_eq!(status_within(MOST_KB, &folder, command, name), Some(0), "{command} {name}");
        }
    }
    assert_eq!(status_within(MOST_KB, &folder, "check", "whole.other"), None, "the limit has no effect");
}
