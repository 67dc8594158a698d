//! `calls -` on a growing log: a real pipe, and bounded memory.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value;

use super::run::Folder;

/// The program, with an open pipe to its standard input.
struct Flow {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Flow {
    fn start(name: &str, arguments: &[&str]) -> Self {
        let folder = Folder::new(name, &[("a.md", b"")]);
        let mut command = folder.command(&[&["calls"], arguments, &["-"]].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(()) = sender.send(line.unwrap()) else { return };
            }
        });
        Self { child, input, lines }
    }

    fn write(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// The next line, which must be printed while the pipe is open.
    #[track_caller]
    fn line(&self) -> Value {
        serde_json::from_str(&self.lines.recv_timeout(Duration::from_secs(60)).unwrap()).unwrap()
    }

    #[track_caller]
    fn is_silent(&self) {
        assert_eq!(self.lines.recv_timeout(Duration::from_millis(300)), Err(RecvTimeoutError::Timeout));
    }

    /// The lines printed at the end.
    fn end(mut self) -> Vec<Value> {
        drop(self.input.take());
        let rest = self.lines.iter().map(|line| serde_json::from_str(&line).unwrap()).collect();
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        rest
    }
}

/// The id, the state, the kind and the lines of a row.
fn row(line: &Value) -> (String, String, String, u64, u64) {
    let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let number = |key: &str| line[key].as_u64().unwrap();
    (text("toolCallId"), text("state"), text("kind"), number("line"), number("endLine"))
}

fn expected(id: &str, state: &str, kind: &str, lines: (u64, u64)) -> (String, String, String, u64, u64) {
    (id.to_owned(), state.to_owned(), kind.to_owned(), lines.0, lines.1)
}

fn call(id: &str) -> String {
    format!("{{\"type\":\"tool-call\",\"toolCallId\":\"{id}\",\"toolName\":\"x\",\"input\":{{\"a\":1}}}}\n")
}

fn result(id: &str, more: &str) -> String {
    format!("{{\"type\":\"tool-result\",\"toolCallId\":\"{id}\",\"toolName\":\"x\",\"output\":2{more}}}\n")
}

#[test]
fn a_tool_use_is_printed_with_its_result() {
    let mut flow = Flow::start("flow", &[]);
    flow.write("\n{\"type\":\"start\"}\n");
    flow.write(&(call("a") + &call("b")));
    flow.is_silent();
    // A record may arrive in pieces.
    let result_of_b = result("b", "");
    let (one, other) = result_of_b.split_at(20);
    flow.write(one);
    flow.is_silent();
    flow.write(other);
    let line = flow.line();
    assert_eq!(row(&line), expected("b", "output-available", "both", (4, 5)));
    assert_eq!((&line["file"], &line["input"]["a"], &line["output"]), (&"-".into(), &1.into(), &2.into()));
    flow.write(&result("a", ",\"preliminary\":true"));
    flow.is_silent();
    flow.write(&result("a", ""));
    assert_eq!(row(&flow.line()), expected("a", "output-available", "both", (3, 7)));
    flow.write(&call("c"));
    flow.write("{\"type\":\"tool-error\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"error\":\"no\"}\n");
    assert_eq!(row(&flow.line()), expected("c", "output-error", "both", (8, 9)));
    flow.write(&call("d"));
    let rest = flow.end();
    assert_eq!(
        rest.iter().map(row).collect::<Vec<_>>(),
        [expected("d", "input-available", "call", (10, 10))]
    );
}

#[test]
fn selected_tool_uses_are_printed_as_events_and_as_a_table() {
    let mut flow = Flow::start("flow-sse", &["--tool", "x", "--language", "sse"]);
    let event = |line: String| format!("event: message\ndata: {line}\n");
    flow.write(&event(call("a").replace("\"x\"", "\"y\"")));
    flow.write(&event(result("a", "").replace("\"x\"", "\"y\"")));
    flow.write(&event(call("b")));
    flow.write(&event(result("b", "")));
    assert_eq!(row(&flow.line()), expected("b", "output-available", "both", (8, 11)));
    flow.end();

    let folder = Folder::new("flow-csv", &[("a.md", b"")]);
    let run =
        folder.run_with_input(&["calls", "--format", "csv", "-"], (call("a") + &result("a", "")).as_bytes());
    assert_eq!(run.stdout.lines().count(), 2);
    assert!(
        run.stdout
            .ends_with("-,stream,both,a,x,output-available,\"{\"\"a\"\":1}\",,2,,,false,,,,1,2,false\n"),
        "{}",
        run.stdout
    );
}

#[test]
fn calls_in_delta_text_are_printed_at_the_end_of_the_message() {
    let mut flow = Flow::start("flow-speech", &[]);
    let says = |text: &str| format!("{{\"type\":\"text-delta\",\"id\":\"0\",\"text\":\"{text}\"}}\n");
    flow.write("{\"type\":\"start\"}\n");
    flow.write(&(says("see <tool>f(a=") + &says("1)\\nok</tool>\\n\\n")));
    flow.is_silent();
    flow.write("{\"type\":\"finish\"}\n");
    let line = flow.line();
    assert_eq!((&line["dialect"], &line["toolCallId"]), (&"tag".into(), &"-#tag-call-1".into()));
    flow.write(&(says("<tool>f(a=2)</tool>") + "{\"type\":\"finish\"}\n"));
    assert_eq!(flow.line()["toolCallId"], "-#tag-call-2");
    assert_eq!(flow.end(), [] as [Value; 0]);
}

/// The input that arrives at once, as a file and from standard input.
#[track_caller]
fn check_equal(name: &str, text: &str, count: usize) {
    // Tests that run at the same time need folders of their own.
    static FOLDERS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let folder = Folder::new(&format!("flow-equal-{number}"), &[(name, text.as_bytes())]);
    let rows = |stdout: &str| -> Vec<_> {
        let rows = stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.map(|line| (row(&line), line["input"].clone(), line["output"].clone())).collect()
    };
    let of_file = folder.run(&["calls", name]);
    let of_stdin = folder.run_with_input(&["calls", "--stdin-filename", name, "-"], text.as_bytes());
    assert_eq!(rows(&of_stdin.stdout), rows(&of_file.stdout), "{text}");
    assert_eq!((of_stdin.status, of_stdin.stderr.as_str(), of_stdin.stdout.lines().count()), (0, "", count));
}

#[test]
fn wrapped_deltas_are_text_too() {
    let wrapped = |text: &str| format!("{{\"event\":\"text-delta\",\"data\":{{\"text\":\"{text}\"}}}}\n");
    let plain = |text: &str| format!("{{\"type\":\"text-delta\",\"delta\":\"{text}\"}}\n");
    check_equal("a.jsonl", &wrapped("<tool>q(x=1)\\nr</tool>"), 1);
    check_equal("a.jsonl", &(plain("<tool>q(x=1)\\n") + &wrapped("res</tool>")), 1);
    let mut flow = Flow::start("flow-wrapped", &[]);
    flow.write(&wrapped("<tool>f(a=1)\\nok</tool>"));
    flow.is_silent();
    flow.write("{\"event\":\"finish\",\"data\":{}}\n");
    assert_eq!(flow.line()["output"], "ok");
    assert_eq!(flow.end(), [] as [Value; 0]);
}

#[test]
fn lines_have_three_ends() {
    let log =
        format!("{{\"type\":\"start\"}}\n{}{}\n{}{}", call("a"), result("a", ""), call("b"), result("b", ""));
    for end in ["\r", "\r\n"] {
        check_equal("a.jsonl", &log.replace('\n', end), 2);
        check_equal("log", &log.replace('\n', end), 2);
    }
    check_equal("a.jsonl", &log.replacen('\n', "\r", 1), 2);
    let mut flow = Flow::start("flow-line-ends", &[]);
    flow.write(&call("a").replace('\n', "\r"));
    flow.write("\n");
    flow.write(&result("a", "").replace('\n', "\r"));
    flow.write("\n");
    assert_eq!(row(&flow.line()), expected("a", "output-available", "both", (1, 2)));
    assert_eq!(flow.end(), [] as [Value; 0]);
}

#[test]
fn a_log_of_one_value_in_several_lines_is_a_document() {
    let call = r#"{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}"#;
    let text =
        format!("{{\n  \"messages\": [\n    {{\"role\":\"assistant\",\"tool_calls\":[{call}]}}\n  ]\n}}\n");
    check_equal("a.jsonl", &text, 1);
    // A bracket alone may be the start of a record.
    let mut flow = Flow::start("flow-laid-out", &["--stdin-filename", "a.jsonl"]);
    flow.write("{");
    flow.is_silent();
    flow.write(&(self::call("a").replacen('{', "", 1) + &result("a", "")));
    assert_eq!(row(&flow.line()), expected("a", "output-available", "both", (1, 2)));
    flow.end();
}

/// A result before its call is printed at once, so its call is a row of its own.
#[test]
fn a_call_after_its_result_is_printed() {
    let mut flow = Flow::start("flow-late-call", &[]);
    flow.write(&result("a", ""));
    assert_eq!(row(&flow.line()), expected("a", "output-available", "result", (1, 1)));
    flow.write(&call("a"));
    let line = flow.line();
    assert_eq!(row(&line), expected("a", "output-available", "call", (2, 2)));
    assert_eq!(line["input"]["a"], 1);
    flow.write(&(call("a") + &result("a", "")));
    assert_eq!(flow.end(), [] as [Value; 0]);

    let call = r#"{"id":"b","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}"#;
    let mut flow = Flow::start("flow-late-message", &[]);
    flow.write("{\"role\":\"user\",\"content\":\"x\"}\n");
    flow.write("{\"role\":\"tool\",\"tool_call_id\":\"b\",\"content\":\"y\"}\n");
    assert_eq!(row(&flow.line()), expected("b", "output-available", "result", (2, 2)));
    flow.write(&format!("{{\"role\":\"assistant\",\"tool_calls\":[{call}]}}\n"));
    assert_eq!(row(&flow.line()), expected("b", "output-available", "call", (3, 3)));
    assert_eq!(flow.end(), [] as [Value; 0]);
}

/// The same tool uses as for a file, except for those that need the whole log.
#[test]
fn a_log_from_standard_input_has_the_tool_uses_of_a_file() {
    for name in ["full-stream.jsonl", "ui-stream.sse", "v4-stream.ndjson"] {
        let text = std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name))
            .unwrap();
        let folder = Folder::new(&format!("flow-{name}"), &[(name, &text)]);
        let rows = |stdout: String| -> Vec<Value> {
            let mut rows: Vec<Value> =
                stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            for row in &mut rows {
                row.as_object_mut().unwrap().retain(|key, _| key != "batch" && key != "file");
            }
            rows.sort_by_key(|row| row["line"].as_u64());
            rows
        };
        let of_file = rows(folder.run(&["calls", name]).stdout);
        assert!(!of_file.is_empty());
        let run = folder.run_with_input(&["calls", "-"], &text);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        assert_eq!(rows(run.stdout), of_file, "{name}");
    }
}

/// Peak memory of the process with the given id, in kB, as the kernel estimates it: a later one may
/// be some kB lower.
#[cfg(target_os = "linux")]
fn peak(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A log may be endless: memory is bounded, even if results never arrive.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let mut flow = Flow::start("flow-memory", &[]);
    let long = "x".repeat(40_000);
    let calls = |flow: &mut Flow, numbers: std::ops::Range<usize>| {
        for number in numbers {
            flow.write(&format!(
                "{{\"type\":\"tool-call\",\"toolCallId\":\"c{number}\",\"toolName\":\"x\",\"input\":{{\"a\":\"{long}\"}}}}\n"
            ));
        }
    };
    calls(&mut flow, 0..220);
    // The first one is printed although it has no result.
    assert_eq!(row(&flow.line()), expected("c0", "input-available", "call", (1, 1)));
    let early = peak(flow.child.id());
    calls(&mut flow, 220..440);
    for _ in 0..220 {
        flow.line();
    }
    let grown = peak(flow.child.id()).saturating_sub(early);
    assert!(grown < 4_000, "8.8 MB were read, {grown} kB are held");
    assert_eq!(flow.end().len(), 219);
}

/// What a log repeats is not printed again, and results without ids find their calls.
#[test]
fn a_log_of_messages_from_standard_input_has_the_tool_uses_of_a_file() {
    let user = r#"{"role":"user","content":"x"}"#;
    let call = |id: &str| {
        format!(
            r#"{{"role":"assistant","tool_calls":[{{"id":"{id}","type":"function","function":{{"name":"f","arguments":"{{}}"}}}}]}}"#
        )
    };
    let result = |id: &str| format!(r#"{{"role":"tool","tool_call_id":"{id}","content":"{id}"}}"#);
    let all = [user.to_owned(), call("1"), result("1"), call("2"), result("2")];
    let state = |len: usize| {
        format!("{{\"event\":\"values\",\"data\":{{\"messages\":[{}]}}}}\n", all[..len].join(","))
    };
    let item = r#"{"type":"function_call","call_id":"3","name":"g","arguments":"{}"}"#;
    let responses = format!(
        "{{\"type\":\"response.output_item.done\",\"item\":{item}}}\n{{\"type\":\"response.completed\",\"response\":{{\"output\":[{item}]}}}}\n"
    );
    let gemini = concat!(
        r#"{"role":"model","parts":[{"functionCall":{"name":"h","args":{}}}]}"#,
        "\n",
        r#"{"role":"user","parts":[{"functionResponse":{"name":"h","response":{"output":"1"}}}]}"#,
        "\n",
    );
    // A call with the id of another one after its result, twice.
    let reused =
        [call("4"), result("4"), call("4").replace("\"f\"", "\"g\""), result("4"), call("4"), result("4")];
    let logs = [
        (1..=5).map(state).collect::<String>(),
        responses,
        gemini.to_owned(),
        reused.map(|line| line + "\n").concat(),
        // The generated id counts the call before it, too.
        [&*call("5"), "\n", &*result("5"), "\n", gemini].concat(),
        // Two ids with the same `DefaultHasher`: no pair.
        [result("f0g4JSdNO0F"), "\n".to_owned(), call("oQVBgLGefsF")].concat(),
    ];
    let counts = [2, 1, 1, 3, 2, 2];
    for (log, count) in logs.iter().zip(counts) {
        let folder = Folder::new("flow-messages", &[("a.jsonl", log.as_bytes())]);
        let rows = |stdout: &str| -> Vec<_> {
            let rows = stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            rows.map(|line| (row(&line), line["input"].clone(), line["output"].clone())).collect()
        };
        let of_file = rows(&folder.run(&["calls", "a.jsonl"]).stdout.replace("a.jsonl#", "-#"));
        assert_eq!(of_file.len(), count, "{log}");
        assert_eq!(rows(&folder.run_with_input(&["calls", "-"], log.as_bytes()).stdout), of_file, "{log}");
        // Line by line.
        let mut flow = Flow::start("flow-message-lines", &[]);
        for line in log.split_inclusive('\n') {
            flow.write(line);
        }
        let found: Vec<_> = flow.end().iter().map(row).collect();
        assert_eq!(found, of_file.into_iter().map(|(row, ..)| row).collect::<Vec<_>>(), "{log}");
    }
}

#[test]
fn the_error_of_an_invalid_call_is_a_part_of_it() {
    let mut flow = Flow::start("flow-invalid", &[]);
    flow.write(&call("c").replace("}}", "},\"invalid\":true,\"error\":\"no\"}"));
    flow.is_silent();
    flow.write("{\"type\":\"tool-error\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"input\":{\"a\":1},\"error\":\"no\"}\n");
    let line = flow.line();
    assert_eq!(row(&line), expected("c", "output-error", "both", (1, 2)));
    assert_eq!(line["errorText"], "no");
    assert_eq!(flow.end(), [] as [Value; 0]);
}
