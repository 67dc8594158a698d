//! `run`: what is known of the place of a result before its call runs.

use std::fs;

use super::run_calls::{self, folder, run, text};

#[test]
fn results_that_are_not_written_are_announced() {
    let text = r#"[{"info":{"role":"assistant"},"parts":[{"type":"tool","callID":"a","tool":"read_file","state":{"status":"running","input":{"path":"a.txt"}}}]}]"#;
    let folder = folder("run-shown", "a.json", text);
    let listed = run(&folder, &["--dry-run", "a.json"]);
    let line = r#"a.json:1: read_file {"path":"a.txt"} by preset:file-tools"#;
    listed.check(0, &format!("{line}; the result is shown, not written\n"), "");
    let shown = run(&folder, &["--in", "work", "a.json"]);
    assert_eq!(shown.status, 2, "{}", shown.stderr);
    let reason = "results cannot be written in the form of this call";
    let lines = [
        line.to_owned(),
        format!("  The result is shown, not written: {reason}"),
        "  → one".to_owned(),
        format!("error: a.json:1: the result is not written: {reason}"),
    ];
    assert_eq!(shown.stderr.lines().collect::<Vec<_>>(), lines);
    assert_eq!(run_calls::text(&folder, "a.json"), text);
}

#[test]
fn the_place_of_a_result_is_known_beforehand() {
    let call =
        r#"{"from":"function_call","value":"{\"name\":\"read_file\",\"arguments\":{\"path\":\"a.txt\"}}"}"#;
    let log = |calls: &str| format!(r#"{{"conversations":[{{"from":"human","value":"go"}},{calls}]}}"#);
    let two = format!("{call},{}", call.replace("a.txt", "b.txt"));
    let folder = folder("run-places", "a.json", &log(&two));
    let line = |path: &str| format!(r#"a.json:1: read_file {{"path":"{path}"}} by preset:file-tools"#);
    // Each result makes a place for the next.
    let listed = run(&folder, &["--dry-run", "--all", "a.json"]);
    listed.check(0, &format!("{}\n{}\n", line("a.txt"), line("b.txt")), "");
    // Of many calls, only the forms are looked at.
    let many = vec![two; 11].join(",");
    fs::write(folder.path.join("a.json"), log(&many)).unwrap();
    let listed = run(&folder, &["--dry-run", "--all", "a.json"]);
    assert_eq!((listed.status, listed.stdout.lines().count()), (0, 22));
    // A recorded result is replaced where no other could be added.
    let session = |text: &str| {
        let call = r#"{"type":"message","id":"2","parentId":"1","message":{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read_file","arguments":{"path":"a.txt"}}]}}"#;
        let result = r#"{"type":"message","id":"3","parentId":"2","message":{"role":"toolResult","toolCallId":"a","toolName":"read_file","content":[{"type":"text","text":"$"}],"isError":false}}"#;
        format!("{call}\n{}\n", result.replace('$', text))
    };
    fs::write(folder.path.join("pi.jsonl"), session("old")).unwrap();
    let shown = run(&folder, &["--in", "work", "--id", "a", "--yes", "pi.jsonl"]);
    let line = r#"pi.jsonl:1: read_file {"path":"a.txt"} by preset:file-tools"#;
    assert_eq!(shown.stderr.lines().collect::<Vec<_>>(), [line, "  → one"]);
    assert_eq!(text(&folder, "pi.jsonl"), session("one\\n"));
}
