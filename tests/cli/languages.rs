//! The language of documents whose names do not determine it, and messages about documents without
//! tool uses.

use super::run::Folder;

const LOG: &[u8] = b"{\"type\":\"start\"}\n{\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"input\":{}}\n";
const SSE: &[u8] = b": ping\n\nevent: message\ndata: {\"type\":\"tool-input-available\",\"toolCallId\":\"c\",\"toolName\":\"x\",\"input\":{}}\n\n";
const WIRE: &[u8] =
    b"f:{\"messageId\":\"m\"}\n0:\"Hi\"\n9:{\"toolCallId\":\"c\",\"toolName\":\"x\",\"args\":{}}\n";
const MARKDOWN: &[u8] = b"# Chat\n\n```tool\n{\"toolCallId\": \"c\", \"toolName\": \"x\"}\n```\n";
const PROSE: &[u8] = b"# Notes\n";

#[test]
fn a_log_is_detected_by_its_first_record() {
    for (text, dialect) in [(LOG, "stream"), (SSE, "stream"), (WIRE, "stream"), (MARKDOWN, "fence")] {
        let files = [("run.log", text), ("run.txt", text), ("run", text)];
        let folder = Folder::new(&format!("language-{}", text.len()), &files);
        let check = |run: super::run::Run| {
            let expected = format!("\"dialect\":\"{dialect}\"");
            assert!(run.stdout.contains(&expected) && run.stdout.lines().count() == 1, "{}", run.stdout);
            assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        };
        for (name, _) in files {
            check(folder.run(&["calls", name]));
        }
        check(folder.run_with_input(&["calls", "-"], text));
        check(folder.run_with_input(&["calls", "--stdin-filename", "run.log", "-"], text));
    }
}

#[test]
fn recorded_streams_are_logs_in_files_of_json() {
    let stream = &SSE[b": ping\n\n".len()..];
    let folder = Folder::new("language-stream", &[("a.json", stream)]);
    folder.run(&["check", "a.json"]).check(0, "no problems in 1 file\n", "");
    for run in [
        folder.run(&["calls", "a.json"]),
        folder.run_with_input(&["calls", "--stdin-filename", "a.json", "-"], stream),
    ] {
        assert!(run.stdout.contains("\"dialect\":\"stream\""), "{}", run.stdout);
    }
    // The option counts for more than the text.
    assert_eq!(folder.run(&["calls", "--language", "json", "a.json"]).stdout, "");
}

#[test]
fn the_language_is_detected_by_the_text_without_an_extension() {
    let folder = Folder::new("language-records", &[("a.md", PROSE)]);
    let record =
        serde_json::json!({"path": "s3://bucket/7", "text": String::from_utf8_lossy(LOG)}).to_string();
    let run = folder.run_with_input(&["calls", "--records"], record.as_bytes());
    assert!(run.stdout.contains("\"toolCallId\":\"c\""), "{}", run.stdout);
}

#[test]
fn a_guess_is_reported_if_there_are_no_tool_uses() {
    let folder = Folder::new("language-guess", &[("notes.txt", PROSE), ("a.md", PROSE)]);
    let markdown = "has no tool calls: it was parsed as Markdown because its first line is not a log record; use `--language jsonl` for a log";
    folder.run_with_input(&["calls", "-"], PROSE).check(
        0,
        "",
        &format!("warning: standard input {markdown}"),
    );
    folder.run(&["calls", "notes.txt"]).check(0, "", &format!("warning: `notes.txt` {markdown}"));
    folder.run_with_input(&["calls", "-"], b"{\"type\":\"start\"}\n").check(
        0,
        "",
        "warning: standard input has no tool calls: it was parsed as a log because its first line is a record; use `--language markdown` for Markdown",
    );
    // With a name or an option nothing is guessed; and commands that write documents do not report
    // their contents.
    folder.run(&["calls", "a.md"]).check(0, "", "");
    folder.run_with_input(&["calls", "--language", "markdown", "-"], PROSE).check(0, "", "");
    folder.run_with_input(&["fmt", "-"], PROSE).check(0, "# Notes\n", "");
}

#[test]
fn logs_without_tool_calls_are_described() {
    let messages = br#"[{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]"#;
    let pieces = br#"{"type": "response.output_text.delta", "item_id": "a", "delta": "b"}
{"type": "response.output_text.delta", "item_id": "a", "delta": "c"}"#;
    let files: [(&str, &[u8]); 7] = [
        ("events.jsonl", b"{\"level\":\"info\",\"text\":\"up\"}\n"),
        ("empty.jsonl", b""),
        ("data.json", b"[1]"),
        ("data.yaml", b"- 1"),
        ("talk.json", messages),
        ("talk.jsonl", messages),
        ("pieces.jsonl", pieces),
    ];
    let folder = Folder::new("language-none", &files);
    let check = |name: &str, said: &str| folder.run(&["calls", name]).check(0, "", said);
    check("events.jsonl", "warning: `events.jsonl` is a JSON log without messages");
    check("empty.jsonl", "");
    check("data.json", "warning: `data.json` is a JSON document without messages");
    check("data.yaml", "warning: `data.yaml` is a YAML document without messages");
    let none = "with 2 messages, none with a known tool form";
    check("talk.json", &format!("warning: `talk.json` is a JSON document {none}"));
    check("talk.jsonl", &format!("warning: `talk.jsonl` is a JSON log {none}"));
    // The pieces of a streamed text are one message.
    check(
        "pieces.jsonl",
        "warning: `pieces.jsonl` is a JSON log with 1 message, which has no known tool form",
    );
    folder.run(&["calls"]).check(0, "", "");
}

#[test]
fn exports_are_found_in_folders_by_their_beginning() {
    let part =
        r#"{"type": "tool", "callID": "c", "tool": "f", "state": {"status": "completed", "output": "x"}}"#;
    let export = |about: usize| {
        let about = "x".repeat(about);
        format!(
            r#"{{"info": {{"about": "{about}"}}, "messages": [{{"info": {{"role": "assistant"}}, "parts": [{part}]}}]}}"#
        )
    };
    let [near, far] = [export(20_000), export(70_000)];
    let folder =
        Folder::new("language-folder", &[("near.json", near.as_bytes()), ("far.json", far.as_bytes())]);
    let run = folder.run(&["calls"]);
    assert!(
        run.stdout.starts_with("{\"file\":\"near.json\"") && run.stdout.lines().count() == 1,
        "{}",
        run.stdout
    );
    assert_eq!(folder.run(&["calls", "far.json"]).stdout.lines().count(), 1);
}

#[test]
fn the_user_can_specify_the_language() {
    let folder = Folder::new("language-said", &[("run.md", LOG), ("a.jsonl", MARKDOWN)]);
    let run = folder.run(&["calls", "--language", "jsonl", "run.md"]);
    assert!(run.stdout.contains("\"dialect\":\"stream\""), "{}", run.stdout);
    for command in ["calls", "stats", "view", "events", "fmt", "check"] {
        let run = folder.run_with_input(&[command, "--language", "markdown", "-"], MARKDOWN);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""), "{command}");
    }
    let run = folder.run(&["convert", "--lossy", "--to", "tag", "--language", "markdown", "a.jsonl"]);
    assert!(run.stdout.contains("<tool>x()</tool>"), "{}{}", run.stdout, run.stderr);
    for language in ["sse", "ndjson"] {
        let run = folder.run_with_input(&["calls", "--language", language, "-"], SSE);
        assert_eq!(run.stdout.lines().count(), 1);
    }
}

#[test]
fn empty_inputs_are_reported() {
    let folder = Folder::new("no-files", &[("empty/x.txt", b""), ("a.chat.md", PROSE), ("b.md", PROSE)]);
    let none = "no transcripts found here (looked for *.md, *.markdown, *.org, *.jsonl, *.ndjson, *.sse, and *.json with messages)";
    for command in ["check", "calls", "view", "events", "fmt"] {
        folder.run(&[command, "empty"]).check(0, "", &format!("warning: {none}"));
        folder.run(&[command, "--error-on-no-files", "empty"]).check(2, "", &format!("error: {none}"));
    }
    std::fs::write(folder.path.join("chatls.toml"), "include = [\"**/*.chatt.md\"]\n").unwrap();
    let kept_out = "no files to check: the configuration excludes all 2";
    let unmatched = "warning: chatls.toml:1:12: `**/*.chatt.md` matches no file that was found";
    folder.run(&["check"]).check(0, "", &format!("{unmatched}\nwarning: {kept_out}"));
    let run = folder.run(&["check", "--error-on-no-files"]);
    run.check(2, "", &format!("{unmatched}\nerror: {kept_out}"));
    let kept_out = "no files to check: the configuration excludes the only one";
    folder.run(&["check", "--force-exclude", "b.md"]).check(0, "", &format!("warning: {kept_out}"));
    let kept_out = "no files to check: `--exclude` or the configuration excludes all 2";
    std::fs::remove_file(folder.path.join("chatls.toml")).unwrap();
    folder.run(&["check", "--exclude", "*.md"]).check(0, "", &format!("warning: {kept_out}"));
    // A configuration is no transcript, and not a log of another language either.
    std::fs::write(folder.path.join("chatls.toml"), "tools = []\n").unwrap();
    folder.run(&["check", "chatls.toml"]).check(0, "no problems in 1 file\n", "");
    // Engines pass no records for an empty partition.
    folder.run(&["check", "--records", "--error-on-no-files"]).check(0, "", "");
}
