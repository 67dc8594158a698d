//! Records on standard input: one document of another system per line.

use serde_json::{Value, json};

use super::run::Folder;

const BAD: &str = "```tool\n{\"toolName\": \"f\", \"state\": \"dun\"}\n```\n";

#[test]
fn each_record_is_a_document_and_invalid_ones_are_skipped() {
    let folder = Folder::new("records", &[("sub/chatls.toml", b"[lint]\nbad-state = \"off\"\n")]);
    let record = |path: &str, text: Value| json!({"path": path, "text": text, "more": 1}).to_string();
    let records = [
        record("b/é.md", BAD.into()),
        "{\"path\": 1}".to_owned(),
        record("sub/quiet.md", BAD.into()),
        record("c.md", 7.into()),
        record("", "x".into()),
        String::new(),
        record("a.jsonl", "{\"type\":\"tool-call\",\"toolCallId\":\"1\",\"toolName\":\"g\"}\n".into()),
        record("b/é.md", BAD.into()),
    ];
    let input = records.join("\n");
    let run = folder.run_with_input(&["check", "--records", "--format", "jsonl"], input.as_bytes());
    let files: Vec<_> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|finding| finding["code"] == "bad-state")
        .map(|finding| finding["file"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(files, ["b/é.md", "b/é.md"]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("line 2: invalid record")
            && run.stderr.contains("line 5: invalid record")
            && run.stderr.contains("`c.md`"),
        "{}",
        run.stderr
    );
    let run = folder.run_with_input(&["calls", "--records"], input.as_bytes());
    let names: Vec<_> = run
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["toolName"].clone())
        .collect();
    assert_eq!(names, ["f", "f", "g", "f"]);
    for arguments in [
        &["fmt", "--records"][..],
        &["convert", "--lossy", "--to", "tag", "--records"],
        &["check", "--records", "--fix"],
    ] {
        assert_eq!(folder.run_with_input(arguments, b"").status, 2, "{arguments:?}");
    }
}
