//! `calls`: output and exit status.

use std::process::Stdio;

use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use super::run::Folder;

#[test]
fn a_document_without_calls_prints_nothing() {
    let folder = Folder::new("calls", &[("a.md", b"# hello\n")]);
    folder.run(&["calls"]).check(0, "", "");
    folder.run(&["calls", "none.md"]).check(2, "", "error: cannot read `none.md`: file not found");
}

/// Fails unless `calls` prints `expected` for the file `name` with content `text`; the field `file`
/// is removed from the lines.
#[track_caller]
fn check(name: &str, text: &str, expected: &[&str]) {
    // Each test has a folder of its own.
    let folder =
        Folder::new(&format!("calls-{}", std::panic::Location::caller().line()), &[(name, text.as_bytes())]);
    let run = folder.run(&["calls", name]);
    let file = format!("{{\"file\":\"{name}\",");
    let lines: Vec<_> =
        run.stdout.lines().map(|line| format!("{{{}", line.strip_prefix(&file).unwrap())).collect();
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(lines, expected, "of\n{text}");
}

#[test]
fn fences_have_all_fields() {
    check(
        "a.md",
        "x\n\n```tool\n{\"toolCallId\":\"c\",\"toolName\":\"s\",\"state\":\"output-available\",\"input\":{ \"n\": 1.50e400 },\n \"output\":[\"a\",\"\\ud800\"],\"note\":{\"b\":1,\"a\":2},\"note\":3}\n```\n\n```tool\n{\"errorText\":\"no\"}\n```\n",
        &[
            r#"{"dialect":"fence","kind":"both","toolCallId":"c","toolName":"s","state":"output-available","input":{"n":1.50e400},"output":["a","\ufffd"],"extra":{"note":3},"batch":1,"line":3,"endLine":6}"#,
            r#"{"dialect":"fence","kind":"both","toolCallId":"a.md#tool-call-2","state":"output-error","errorText":"no","batch":1,"line":8,"endLine":10,"generatedId":true}"#,
        ],
    );
}

#[test]
fn calls_and_their_separate_results_are_one_line() {
    check(
        "a.md",
        "###:{\"toolName\":\"a\",\"parameters\":{\"x\":1}}\n\n*🔧 Executed a: fine*\n\ntext\n\n*🔧 Executed a: again*\n",
        &[
            r#"{"dialect":"marker","kind":"both","toolCallId":"a.md#marker-call-1","toolName":"a","state":"output-available","input":{"x":1},"output":"fine","line":1,"endLine":3,"generatedId":true}"#,
        ],
    );
    check(
        "a.md",
        "<tool>run(args=[&quot;a&quot;], n=1, s=b c)</tool>\n\nlater\n\n<validation>run\nok … (truncated, 2.3KB)</validation>\n",
        &[
            r#"{"dialect":"tag","kind":"both","toolCallId":"a.md#tag-call-1","toolName":"run","state":"output-available","input":{"args":["a"],"n":1,"s":"b c"},"arguments":"args=[\"a\"], n=1, s=b c","output":"ok … (truncated, 2.3KB)","truncated":true,"line":1,"endLine":6,"generatedId":true}"#,
        ],
    );
    check(
        "a.chat.md",
        "✅ **`save` result:** ok\n",
        &[
            r#"{"dialect":"legacy","kind":"result","toolName":"save","state":"output-available","output":"ok","line":1,"endLine":1}"#,
        ],
    );
}

#[test]
fn calls_and_results_of_legacy_lines_are_paired() {
    check(
        "a.md",
        "🔧 **Tool Call:** `a(x=1)`\n✅ **`a` result:** ok\n🔧 **Tool Call:** `b (y)`\n✅ **`b` result:**\none\ntwo\n\nno result\n",
        &[
            r#"{"dialect":"legacy","kind":"both","toolCallId":"a.md#legacy-call-1","toolName":"a","state":"output-available","input":{"x":1},"arguments":"x=1","output":"ok","batch":1,"line":1,"endLine":2,"generatedId":true}"#,
            r#"{"dialect":"legacy","kind":"both","toolCallId":"a.md#legacy-call-2","toolName":"b","state":"output-available","arguments":"y","output":"one\ntwo","batch":1,"line":3,"endLine":6,"generatedId":true}"#,
        ],
    );
}

#[test]
fn invalid_payloads_are_printed_as_text() {
    check(
        "a.md",
        "###:{\"toolName\":\"a\", \"parameters\": {\"x\n\n```tool\n{\"errorText\":{},\"y\":.5,\"z\":01}\n```\n",
        &[
            r#"{"dialect":"marker","kind":"call","toolCallId":"a.md#marker-call-1","toolName":"a","state":"input-available","input":"{\"x","batch":1,"line":1,"endLine":1,"generatedId":true}"#,
            r#"{"dialect":"fence","kind":"call","toolCallId":"a.md#tool-call-1","state":"input-available","extra":{"y":".5","z":"01"},"batch":1,"line":3,"endLine":5,"generatedId":true}"#,
        ],
    );
}

#[test]
fn a_later_result_replaces_an_earlier_one() {
    check(
        "a.jsonl",
        concat!(
            "{\"type\":\"tool-input-start\",\"id\":\"\",\"toolName\":\"x\"}\n",
            "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"y\",\"input\":1}\n",
            "{\"type\":\"tool-error\",\"toolCallId\":\"c\",\"error\":\"e\",\"preliminary\":true}\n",
            "{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"output\":2}\n",
        ),
        &[
            r#"{"dialect":"stream","kind":"call","toolCallId":"","toolName":"x","state":"input-streaming","batch":1,"line":1,"endLine":1}"#,
            r#"{"dialect":"stream","kind":"both","toolCallId":"c","toolName":"y","state":"output-available","input":1,"output":2,"batch":1,"line":2,"endLine":4}"#,
        ],
    );
}

#[test]
fn records_with_one_id_are_one_line() {
    check(
        "a.jsonl",
        concat!(
            "{\"type\":\"tool-call\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{}}\n",
            "{\"type\":\"tool-call-delta\",\"toolCallId\":\"c\",\"argsTextDelta\":\"{\\\"q\\\":\"}\n",
            "{\"type\":\"tool-call-delta\",\"toolCallId\":\"c\",\"argsTextDelta\":\" [1]}\"}\n",
            "{\"type\":\"tool-result\",\"toolCallId\":\"c\",\"result\":{\"error\":\"gone\"},\"dynamic\":true}\n",
        ),
        &[
            r#"{"dialect":"stream","kind":"both","toolCallId":"c","toolName":"x","state":"output-error","input":{"q":[1]},"output":{"error":"gone"},"errorText":"gone","extra":{"dynamic":true},"line":1,"endLine":4}"#,
        ],
    );
    check(
        "a.sse",
        "data: {\"type\":\"text-delta\",\"delta\":\"see <tool>a(\"}\n\ndata: {\"type\":\"text-delta\",\"delta\":\"b=1)</tool>\"}\n",
        &[
            r#"{"dialect":"tag","kind":"call","toolCallId":"a.sse#tag-call-1","toolName":"a","state":"input-available","input":{"b":1},"arguments":"b=1","line":1,"endLine":1,"generatedId":true}"#,
        ],
    );
}

#[test]
fn calls_are_selected_and_written_as_a_table() {
    let text = "<tool>a(p=1)\nx, \"y\"</tool>\n\n```tool\n{\"toolName\": \"b\", \"errorText\": \"no\", \"more\": [1]}\n```\n\n###: {\"toolName\": \"a\"}\n";
    let folder = Folder::new("calls-chosen", &[("a.md", text.as_bytes())]);
    let names = |arguments: &[&str]| {
        let run = folder.run(&[&["calls"], arguments].concat());
        let lines = run.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        lines.map(|line| line["toolName"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&["--tool", "a"]), "a a");
    assert_eq!(names(&["--state", "output-error", "--state", "input-available"]), "b a");
    assert_eq!(names(&["--dialect", "tag", "--tool", "b"]), "");
    assert_eq!(folder.run(&["calls", "--dialect", "yaml"]).status, 2);
    let run = folder.run(&["calls", "--format", "csv"]);
    let rows = [
        "file,dialect,kind,toolCallId,toolName,state,input,arguments,output,errorText,extra,truncated,batch,conversation,turn,line,endLine,generatedId",
        r#"a.md,tag,both,a.md#tag-call-1,a,output-available,"{""p"":1}",p=1,"""x, \""y\""""",,,false,1,,,1,2,true"#,
        r#"a.md,fence,both,a.md#tool-call-1,b,output-error,,,,no,"{""more"":[1]}",false,1,,,4,6,true"#,
        r#"a.md,marker,call,a.md#marker-call-1,a,input-available,,,,,,false,1,,,8,8,true"#,
    ];
    run.check(0, &(rows.join("\n") + "\n"), "");
}

/// Fallback ids are marked and unique; implied states are printed as `--state` accepts them.
#[test]
fn fallback_ids_are_marked() {
    let text = b"```tool\n{\"toolName\": \"a\"}\n```\n\n```tool\n{\"toolCallId\": \"tool-call-1\", \"output\": 1}\n```\n";
    let folder = Folder::new("calls-ids", &[("a.md", text), ("b.md", text)]);
    let lines = folder.run(&["calls"]).stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |line: &Value| {
        let text = |key: &str| line[key].as_str().unwrap().to_owned();
        (text("toolCallId"), line.get("generatedId").is_some(), text("state"))
    };
    let expected = [
        ("a.md#tool-call-1", true, "input-available"),
        ("tool-call-1", false, "output-available"),
        ("b.md#tool-call-1", true, "input-available"),
        ("tool-call-1", false, "output-available"),
    ];
    let expected = expected.map(|(id, is_generated, state)| (id.to_owned(), is_generated, state.to_owned()));
    assert_eq!(lines.iter().map(of).collect::<Vec<_>>(), expected);
    let chosen = folder.run(&["calls", "--state", "output-available"]).stdout;
    assert_eq!(chosen.lines().count(), 2);
    assert!(chosen.lines().all(|line| line.contains("\"state\":\"output-available\"")), "{chosen}");
}

#[test]
fn a_closed_pipe_is_not_a_failure() {
    let folder =
        Folder::new("calls-left", &[("a.md", "<tool>a()\nx</tool>\n\nand\n\n".repeat(5000).as_bytes())]);
    for format in ["jsonl", "csv"] {
        let mut command = folder.command(&["calls", "--format", format]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8_lossy(&output.stderr)),
            (Some(0), "".into()),
            "{format}"
        );
    }
}

/// The columns contain the values of the lines, also with several row groups: of 32 MB each.
#[test]
fn parquet_has_the_values_of_lines() {
    let big = format!("```tool\n{{\"toolName\": \"big\", \"output\": \"{}\"}}\n```\n", "x".repeat(400 << 10));
    let folder = Folder::new(
        "calls-parquet",
        &[
            ("a.md", b"```tool\n{\"toolName\": \"f\", \"input\": {\"a\": 1.50}, \"z\": 1}\n```\n\n<tool>g(b=1)\nfine\n</tool>\n"),
            ("b.md", big.repeat(85).as_bytes()),
            ("none/a.md", b"text\n"),
        ],
    );
    let table = |paths: &[&str]| {
        let output = folder.command(&[&["calls", "--format", "parquet"], paths].concat()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let file = folder.path.join("calls.parquet");
        std::fs::write(&file, &output.stdout).unwrap();
        SerializedFileReader::new(std::fs::File::open(file).unwrap()).unwrap()
    };
    let reader = table(&["a.md", "b.md"]);
    assert!(reader.num_row_groups() > 1);
    let rows: Vec<Value> =
        reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_json_value()).collect();
    let lines = folder.run(&["calls", "a.md", "b.md"]).stdout;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), lines.len());
    for (row, line) in rows.iter().zip(&lines) {
        for (key, cell) in row.as_object().unwrap() {
            let said = match key.as_str() {
                "input" | "output" | "extra" => {
                    serde_json::from_str(cell.as_str().unwrap_or("null")).unwrap()
                }
                _ => cell.clone(),
            };
            let expected = match key.as_str() {
                "truncated" | "generatedId" => Value::Bool(line.get(key).is_some()),
                _ => line[key].clone(),
            };
            assert_eq!(said, expected, "{key}");
        }
    }
    assert_eq!(rows[0]["input"], r#"{"a":1.50}"#);
    assert_eq!(table(&["none"]).metadata().file_metadata().num_rows(), 0);
}

#[test]
fn an_excluded_standard_input_has_no_calls() {
    let call = b"```tool\n{\"toolName\": \"f\", \"state\": \"dun\"}\n```\n";
    let folder = Folder::new("calls-kept-out", &[("chatls.toml", b"exclude = [\"out.md\"]")]);
    let lines = |arguments: &[&str]| {
        let run = folder.run_with_input(arguments, call);
        assert_eq!(run.stderr, "", "{arguments:?}");
        run.stdout
    };
    let stdin = ["--force-exclude", "--stdin-filename", "out.md", "-"];
    for command in ["calls", "view", "events"] {
        assert_eq!(lines(&[&[command], &stdin[..]].concat()), "", "{command}");
        assert_ne!(lines(&[command, "--stdin-filename", "out.md", "-"]), "", "{command}");
        assert_ne!(lines(&[command, "--force-exclude", "--stdin-filename", "in.md", "-"]), "", "{command}");
    }
    assert_eq!(lines(&[&["stats"], &stdin[..]].concat()), "no tool calls in 0 documents\n");
    assert_eq!(lines(&[&["check"], &stdin[..]].concat()), "");
}

#[test]
fn a_mistyped_state_is_an_error() {
    let call = b"```tool\n{\"toolName\": \"f\", \"state\": \"output-error\", \"errorText\": \"x\"}\n```\n";
    let folder = Folder::new("calls-state", &[("a.md", call)]);
    for command in ["calls", "stats"] {
        let run = folder.run(&[command, "--state", "output-eror"]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{command}");
        for said in ["output-eror", "'output-error'", "approval-requested", "input-streaming"] {
            assert!(run.stderr.contains(said), "{command}: {}", run.stderr);
        }
    }
    assert_eq!(folder.run(&["calls", "--state", "Output-Error"]).stdout.lines().count(), 1);
    assert_eq!(folder.run(&["calls", "--state", "output-denied"]).stdout, "");
}

#[test]
fn calls_are_selected_by_status() {
    let text = "```tool\n{\"toolName\": \"a\", \"output\": 1}\n```\n\n\
                ```tool\n{\"toolName\": \"b\", \"errorText\": \"x\"}\n```\n\n\
                ```tool\n{\"toolName\": \"c\", \"state\": \"output-denied\"}\n```\n\n\
                ```tool\n{\"toolName\": \"d\", \"state\": \"input-streaming\"}\n```\n";
    let folder = Folder::new("calls-status", &[("a.md", text.as_bytes())]);
    let names = |arguments: &[&str]| {
        let run = folder.run(&[&["calls"], arguments].concat());
        let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| line["toolName"].as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&["--state", "done"]), "a");
    assert_eq!(names(&["--state", "Failed"]), "b c");
    assert_eq!(names(&["--state", "pending"]), "d");
    assert_eq!(names(&["--state", "done", "--state", "input-streaming"]), "a d");
    let counts = folder.run(&["stats", "--state", "failed", "--format", "json"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&counts).unwrap()["calls"], 2);
}

/// Two conversations; the second has two turns of the assistant.
const CONVERSATIONS: &str = r#"[{"messages": [{"role": "user", "content": "q"},
  {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "a", "content": "1"}]},
 {"messages": [{"role": "assistant", "content": "hello"}, {"role": "user", "content": "q"},
  {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "g", "arguments": "{}"}}]},
  {"role": "tool", "tool_call_id": "a", "content": "2"}]}]
"#;

/// The main agent makes two calls in one turn; a sub-agent makes one between them.
const SUB_AGENT: &str = r#"{"isSidechain": false, "type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]}}
{"isSidechain": true, "agentId": "x", "type": "user", "message": {"role": "user", "content": "q"}}
{"isSidechain": true, "agentId": "x", "type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "g", "input": {}}]}}
{"isSidechain": false, "type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}]}}
{"isSidechain": false, "type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "b", "name": "h", "input": {}}]}}
"#;

#[test]
fn sub_agents_have_conversations_of_their_own() {
    let folder = Folder::new("calls-threads", &[("a.jsonl", SUB_AGENT.as_bytes())]);
    let run = folder.run(&["calls"]);
    let lines = run.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let places: Vec<String> = lines
        .map(|line| {
            format!("{} {} {} {}", line["toolName"], line["kind"], line["conversation"], line["turn"])
        })
        .collect();
    assert_eq!(places, [r#""f" "both" 1 1"#, r#""g" "call" 2 2"#, r#""h" "call" 1 1"#]);
    assert_eq!(folder.run(&["check"]).status, 0);
}

#[test]
fn calls_of_message_logs_have_conversations_and_turns() {
    let folder = Folder::new("calls-conversations", &[("a.chat.json", CONVERSATIONS.as_bytes())]);
    let places = |run: &str| -> Vec<String> {
        let lines = run.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| format!("{} {} {}", line["toolName"], line["conversation"], line["turn"])).collect()
    };
    let expected = [r#""f" 1 2"#, r#""g" 2 3"#];
    assert_eq!(places(&folder.run(&["calls"]).stdout), expected);
    // Standard input is JSON by its text, or because the command line says so.
    for arguments in [&["calls", "-"][..], &["calls", "--language", "json", "-"]] {
        let run = folder.run_with_input(arguments, CONVERSATIONS.as_bytes());
        assert_eq!((places(&run.stdout), run.stderr.as_str()), (expected.map(str::to_owned).to_vec(), ""));
    }
    let events = folder.run_with_input(&["events", "-"], CONVERSATIONS.as_bytes()).stdout;
    assert!(events.contains(r#""delta":"hello""#) && !events.contains(r#""delta":"q""#), "{events}");
}

#[test]
fn calls_of_yaml_have_their_lines() {
    let text = "history:\n  - role: user\n    content: |\n      Look\n      here\n  - role: assistant\n    tool_calls:\n      - id: call_1\n        type: function\n        function: {name: view, arguments: '{\"p\":1}'}\n  - {role: tool, tool_call_id: call_1, content: x}\n";
    let unknown = text.replace("role: tool,", "role: toool,");
    let files = [("a.yaml", text.as_bytes()), ("b.yml", b"a: [\n"), ("c.yaml", unknown.as_bytes())];
    let folder = Folder::new("calls-yaml", &files);
    let run = folder.run(&["calls", "a.yaml"]);
    let row: Value = serde_json::from_str(&run.stdout).unwrap();
    let of = |key: &str| row[key].clone();
    assert_eq!(
        (of("toolName"), of("input"), of("output")),
        ("view".into(), serde_json::json!({"p": 1}), "x".into())
    );
    assert_eq!((of("line"), of("endLine")), (8.into(), 11.into()));
    let piped = folder.run_with_input(&["calls", "--stdin-filename", "a.yaml", "-"], text.as_bytes());
    assert_eq!((piped.stdout, piped.stderr), (run.stdout, String::new()));
    let fixed = folder.run_with_input(&["check", "--fix", "--stdin-filename", "a.yml", "-"], text.as_bytes());
    assert_eq!((fixed.status, fixed.stdout.as_str()), (2, ""));
    assert!(fixed.stderr.contains("cannot write `a.yml`: YAML is read, and not written"), "{}", fixed.stderr);
    let unanswered =
        text.replace("  - {role: tool, tool_call_id: call_1, content: x}", "  - {role: user, content: x}");
    let repaired =
        folder.run_with_input(&["repair", "--stdin-filename", "a.yml", "-"], unanswered.as_bytes());
    let reason = "error: cannot write `a.yml`: YAML is read, and not written\n";
    assert_eq!((repaired.status, repaired.stdout.as_str(), repaired.stderr.as_str()), (2, "", reason));
    assert_eq!(folder.run(&["check", "c.yaml"]).status, 0, "nothing is reported");
    let invalid = folder.run(&["calls", "b.yml"]);
    assert_eq!(invalid.status, 2);
    assert!(
        invalid.stderr.starts_with("error: cannot read `b.yml`: it is not valid YAML: "),
        "{}",
        invalid.stderr
    );
}
